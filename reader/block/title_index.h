/* SPDX-License-Identifier: MIT */
/*
 * Finds things by a number that each of them has: the objects of a sample or the counters of an
 * object by their title index, and titles by the hash of their name. Build the index once; the
 * things must not change afterwards.
 */
#ifndef PRFDATA_READER_TITLE_INDEX_H
#define PRFDATA_READER_TITLE_INDEX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PRFDATA_TITLE_INDEX_NONE UINT32_MAX

/* {0} is empty. */
typedef struct prfdata_title_index {
    uint64_t *items; /* title and position; ascending after sorting */
    size_t count;
    size_t capacity;
} prfdata_title_index;

/* Empty the index and make room for `count` things. Returns false: no memory. */
bool prfdata_title_index_begin(prfdata_title_index *index, size_t count);

/* Add a thing; there must be room for it, and `position` is below PRFDATA_TITLE_INDEX_NONE. */
static inline void prfdata_title_index_add(prfdata_title_index *index, uint32_t title,
                                           uint32_t position)
{
    index->items[index->count++] = (uint64_t)title << 32 | position;
}

/* Sort the entries. Call this after the last entry was added and before the first search. */
void prfdata_title_index_sort(prfdata_title_index *index);

/* Return the first position of a title, or PRFDATA_TITLE_INDEX_NONE. */
uint32_t prfdata_title_index_find(const prfdata_title_index *index, uint32_t title);

/* Return the first position of a title, from `from` on, or PRFDATA_TITLE_INDEX_NONE. */
uint32_t prfdata_title_index_next(const prfdata_title_index *index, uint32_t title, uint32_t from);

/* Release everything and leave {0}. */
void prfdata_title_index_free(prfdata_title_index *index);

#endif
