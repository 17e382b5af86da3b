/* SPDX-License-Identifier: MIT */
/*
 * Declares the order in which slots get rows if there are not enough rows for all of them
 * (region-format.md, "Names and lifetime"). merge.c makes the rows.
 */
#ifndef PRFDATA_ROW_TURNS_H
#define PRFDATA_ROW_TURNS_H

#include "snapshot/snapshot.h"

/* A slot whose turn it is. */
typedef struct prfdata_row_turn {
    uint32_t region;
    uint32_t position; /* position of the slot in the region's snapshot */
} prfdata_row_turn;

/* An account and its slots that have not had their turn. */
typedef struct prfdata_row_sharer {
    uint32_t next;     /* index in `sources` of the region whose slots are next */
    uint32_t end;      /* index in `sources` after its last region */
    uint32_t position; /* position of the next slot in that region */
    uint64_t taken;    /* what its rows have cost */
} prfdata_row_sharer;

/* A live region. */
typedef struct prfdata_row_source {
    const prfdata_snapshot *snapshot;
    uint32_t region;
    uint32_t slot_count;
} prfdata_row_source;

typedef struct prfdata_row_turns {
    prfdata_row_source *sources; /* by account; row_turns.c has the order in one account */
    prfdata_row_sharer *sharers;
    uint32_t sharer_count;
    uint32_t current; /* index of the sharer whose turn it is */
    uint32_t waiting; /* how many sharers have slots left */
    uint64_t quantum;
    uint64_t allowed; /* an account that has taken as much waits for the others */
} prfdata_row_turns;

/*
 * Begins with the first slot.
 *
 * quantum  What an account may take in one turn; at least what a row may cost.
 *
 * Returns false if memory is exhausted; nothing needs to be freed then.
 */
bool prfdata_row_turns_begin(prfdata_row_turns *turns, prfdata_snapshot *const *snapshots,
                             uint32_t region_count, uint32_t object_index, uint64_t quantum);

/* Gets the next slot of the account whose turn it is. Returns false if no slot is left. */
bool prfdata_row_turns_next(prfdata_row_turns *turns, prfdata_row_turn *turn);

/* Records what the last slot's row costs its account. A slot that joins a row costs nothing. */
void prfdata_row_turns_take(prfdata_row_turns *turns, uint64_t cost);

/* Frees the turns. Returns the account that has taken most; NULL if there is only one account. */
const prfdata_os_account *prfdata_row_turns_end(prfdata_row_turns *turns);

#endif
