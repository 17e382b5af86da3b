/* SPDX-License-Identifier: MIT */
/*
 * Finds out which index each title has now, after counters were installed or removed. This makes it
 * possible to read older samples with the current titles.
 *
 * A title is the same if it has the same service, id and meaning (title_ids.h), whatever its name
 * is. Otherwise a title is the same if it has the same text and, in addition, the same index or the
 * same title before or after it. The text alone is not enough, because many products have counters
 * of the same name.
 *
 * A title that is found nowhere no longer exists, and its index may now belong to another product.
 * So the title gets an index from PRFDATA_TITLE_GONE on, which no computer uses. Until the title
 * returns, `former` has its name under the new index.
 */
#ifndef PRFDATA_READER_TITLE_MOVES_H
#define PRFDATA_READER_TITLE_MOVES_H

#include "block/titles.h"

#define PRFDATA_TITLE_GONE 0x40000000u

typedef struct prfdata_title_move {
    uint32_t from;
    uint32_t to;
} prfdata_title_move;

/* {0}: all titles stay. */
typedef struct prfdata_title_moves {
    prfdata_title_move *items; /* sorted by `from` */
    size_t count;
    size_t capacity;
} prfdata_title_moves;

/*
 * Find the moves.
 *
 * before  The titles before the change, with their known ids. Among them are titles that no longer
 *         existed even then.
 * now     The current titles. Their `former` and `ids` get the titles that no longer exist.
 *
 * Returns ERROR_SUCCESS or ERROR_NOT_ENOUGH_MEMORY.
 */
uint32_t prfdata_title_moves_find(prfdata_title_moves *moves, const prfdata_titles *before,
                                  prfdata_titles *now);

/* Return the index that a title has now. */
uint32_t prfdata_title_moves_to(const prfdata_title_moves *moves, uint32_t index);

/* Give the objects and counters of a PERF_DATA_BLOCK their current indexes, as far as the block can
 * be read. Indexes of help texts change together with those of names. */
void prfdata_title_moves_apply(const prfdata_title_moves *moves, void *bytes, size_t size);

/* Release everything and leave {0}. */
void prfdata_title_moves_free(prfdata_title_moves *moves);

/* Returns whether this is the index of a title that no longer exists. */
static inline bool prfdata_title_is_gone(uint32_t index)
{
    return index >= PRFDATA_TITLE_GONE;
}

#endif
