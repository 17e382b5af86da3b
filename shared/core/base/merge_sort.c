/* SPDX-License-Identifier: MIT */
/* Sorts by merging runs of 1, 2, 4, ... elements. */
#include "base/merge_sort.h"

#include <string.h>

typedef struct sorting {
    unsigned char *room;
    size_t item_bytes;
    prfdata_merge_sort_compare *compare;
    const void *context;
} sorting;

/* Merge two adjacent runs: [0, middle) and [middle, count). */
static void merge_two_runs(const sorting *s, unsigned char *items, size_t middle, size_t count)
{
    const size_t bytes = s->item_bytes;
    size_t left = 0;
    size_t right = middle;
    size_t at = 0;

    memcpy(s->room, items, middle * bytes);
    while (left < middle && right < count) {
        const unsigned char *from = s->room + left * bytes;

        if (s->compare(items + right * bytes, from, s->context) < 0)
            from = items + right++ * bytes;
        else
            left++;
        memcpy(items + at++ * bytes, from, bytes);
    }
    memcpy(items + at * bytes, s->room + left * bytes, (middle - left) * bytes);
}

void prfdata_merge_sort(void *items, void *room, size_t count, size_t item_bytes,
                        prfdata_merge_sort_compare *compare, const void *context)
{
    const sorting s = {room, item_bytes, compare, context};
    const unsigned char *bytes = items;
    size_t in_order = 1;

    while (in_order < count && compare(bytes + in_order * item_bytes,
                                       bytes + (in_order - 1) * item_bytes, context) >= 0)
        in_order++;
    if (in_order >= count)
        return;
    for (size_t run = 1; run < count; run *= 2) {
        for (size_t at = 0; at + run < count; at += 2 * run) {
            const size_t both = count - at < 2 * run ? count - at : 2 * run;
            unsigned char *first = (unsigned char *)items + at * item_bytes;

            if (compare(first + run * item_bytes, first + (run - 1) * item_bytes, context) < 0)
                merge_two_runs(&s, first, run, both);
        }
    }
}
