/* SPDX-License-Identifier: MIT */
/* Keeps titles with their positions in a sorted array. */
#include "block/title_index.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"

bool prfdata_title_index_begin(prfdata_title_index *index, size_t count)
{
    uint64_t *items =
        prfdata_array_reserve(index->items, &index->capacity, count > 0 ? count : 1, sizeof *items);

    if (!items)
        return false;
    index->items = items;
    index->count = 0;
    return true;
}

static int compare_index_items(const void *a, const void *b)
{
    const uint64_t left = *(const uint64_t *)a;
    const uint64_t right = *(const uint64_t *)b;

    return (left > right) - (left < right);
}

void prfdata_title_index_sort(prfdata_title_index *index)
{
    for (size_t i = 1; i < index->count; i++) {
        if (index->items[i - 1] <= index->items[i])
            continue; /* in order, as most providers list their titles */
        qsort(index->items, index->count, sizeof *index->items, compare_index_items);
        return;
    }
}

uint32_t prfdata_title_index_next(const prfdata_title_index *index, uint32_t title, uint32_t from)
{
    const uint64_t wanted = (uint64_t)title << 32 | from;
    size_t low = 0;
    size_t high = index->count;

    while (low < high) {
        const size_t middle = low + (high - low) / 2;

        if (index->items[middle] < wanted)
            low = middle + 1;
        else
            high = middle;
    }
    return low < index->count && index->items[low] >> 32 == title ? (uint32_t)index->items[low]
                                                                  : PRFDATA_TITLE_INDEX_NONE;
}

uint32_t prfdata_title_index_find(const prfdata_title_index *index, uint32_t title)
{
    return prfdata_title_index_next(index, title, 0);
}

void prfdata_title_index_free(prfdata_title_index *index)
{
    free(index->items);
    memset(index, 0, sizeof *index);
}
