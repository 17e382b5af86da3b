/* SPDX-License-Identifier: MIT */
/*
 * Finds things by their title: which of the objects of a sample, or of the counters of an object,
 * is the first with a title. Made once for things that stay as they are. A search halves, so what
 * has very many counters costs no more per counter than what has few.
 */
#ifndef PRFDATA_READER_TITLE_INDEX_H
#define PRFDATA_READER_TITLE_INDEX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PRFDATA_TITLE_INDEX_NONE UINT32_MAX

/* {0} is empty. */
typedef struct prfdata_title_index {
    uint64_t *items; /* title and position, ascending once they are sorted */
    size_t count;
    size_t capacity;
} prfdata_title_index;

/* Begin anew, with room for `count` things; the room of before stays. False: no memory. */
bool prfdata_title_index_begin(prfdata_title_index *index, size_t count);

/* Add a thing, for which there is room; `position` is below PRFDATA_TITLE_INDEX_NONE. */
static inline void prfdata_title_index_add(prfdata_title_index *index, uint32_t title,
                                           uint32_t position)
{
    index->items[index->count++] = (uint64_t)title << 32 | position;
}

/* Sort, after the last thing and before the first search. */
void prfdata_title_index_sort(prfdata_title_index *index);

/* The first position that a title has, or PRFDATA_TITLE_INDEX_NONE. */
uint32_t prfdata_title_index_find(const prfdata_title_index *index, uint32_t title);

/* Release everything; {0} is left. */
void prfdata_title_index_free(prfdata_title_index *index);

#endif
