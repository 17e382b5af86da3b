/* SPDX-License-Identifier: MIT */
/*
 * The moves of title indexes when counters were installed or removed: which index has the same
 * title now, so that samples of before can be read with the titles of now.
 *
 * A title is the same if its map gives it the same id, whatever it is called; or else if it has the
 * same text where the title before it is the same, or the one after it, or at the same index: many
 * products have counters of the same name. What is the same nowhere has gone. It gets
 * an index that no title of a computer has, from PRFDATA_TITLE_GONE on, and keeps its name there,
 * in `former`, until it is back: its own index may be another product's.
 */
#ifndef PRFDATA_READER_TITLE_MOVES_H
#define PRFDATA_READER_TITLE_MOVES_H

#include "block/titles.h"

#define PRFDATA_TITLE_GONE 0x40000000u

typedef struct prfdata_title_move {
    uint32_t from;
    uint32_t to;
} prfdata_title_move;

/* {0}: all stay where they are. */
typedef struct prfdata_title_moves {
    prfdata_title_move *items; /* by `from` */
    size_t count;
    size_t capacity;
} prfdata_title_moves;

/*
 * Find out what moves.
 *
 * before  With its ids, as far as they are known, and what had gone before.
 * now     The same; its `former` and `ids` get what has gone.
 *
 * Returns ERROR_SUCCESS or ERROR_NOT_ENOUGH_MEMORY.
 */
uint32_t prfdata_title_moves_find(prfdata_title_moves *moves, const prfdata_titles *before,
                                  prfdata_titles *now);

/* The index that a title has now. */
uint32_t prfdata_title_moves_to(const prfdata_title_moves *moves, uint32_t index);

/* Give the objects and counters of a PERF_DATA_BLOCK the indexes that they have now, as far as it
 * can be read. Help texts move with names. */
void prfdata_title_moves_apply(const prfdata_title_moves *moves, void *bytes, size_t size);

/* Release everything; {0} is left. */
void prfdata_title_moves_free(prfdata_title_moves *moves);

/* Whether it is the index of a title that has gone. */
static inline bool prfdata_title_is_gone(uint32_t index)
{
    return index >= PRFDATA_TITLE_GONE;
}

#endif
