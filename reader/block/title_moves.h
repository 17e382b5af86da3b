/* SPDX-License-Identifier: MIT */
/*
 * Finds out how title indexes moved when counters were installed or removed: which index the same
 * title has now. With that, older samples can be read with the current titles.
 *
 * A title is the same if its map gives it the same id, whatever its name is. Otherwise it is the
 * same if it has the same text and either the title before or after it is the same, or it has the
 * same index; the text alone is not enough, because many products have counters of the same name. A
 * title that is found nowhere no longer exists. It gets an index that no computer uses, from
 * PRFDATA_TITLE_GONE on, and keeps its name there, in `former`, until it returns, because its own
 * index may belong to another product.
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
 * before  The old titles, with the known ids, and with those that had already ceased to exist.
 * now     The current titles; `former` and `ids` get those that no longer exist.
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
