/* SPDX-License-Identifier: MIT */
/* Keeps a sorted list of pairs: a counter, and a path that names the counter. */
#include "paths/matches.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"

void prfdata_matches_free(prfdata_matches *matches)
{
    free(matches->items);
    memset(matches, 0, sizeof *matches);
}

void prfdata_matches_clear(prfdata_matches *matches)
{
    matches->count = 0;
}

bool prfdata_matches_add(prfdata_matches *matches, const prfdata_resolver_path *path,
                         uint32_t path_index, const prfdata_titles *titles,
                         const prfdata_sample *sample)
{
    prfdata_resolver found;

    prfdata_resolver_begin(&found, path, titles, sample);
    while (prfdata_resolver_next_counter(&found)) {
        prfdata_match *items = prfdata_array_reserve(matches->items, &matches->capacity,
                                                     matches->count + 1, sizeof *items);

        if (!items)
            return false;
        matches->items = items;
        matches->items[matches->count++] =
            (prfdata_match){found.object_position, found.counter_position, path_index};
    }
    return true;
}

static int compare_uint32(uint32_t a, uint32_t b)
{
    return (a > b) - (a < b);
}

/* Compare the position of a counter with that of a match; the path is ignored. */
static int compare_match_position(const prfdata_match *match, uint32_t object_position,
                                  uint32_t counter_position)
{
    int order = compare_uint32(match->object_position, object_position);

    return order != 0 ? order : compare_uint32(match->counter_position, counter_position);
}

static int compare_matches(const void *a, const void *b)
{
    const prfdata_match *left = a;
    const prfdata_match *right = b;
    int order = compare_match_position(left, right->object_position, right->counter_position);

    return order != 0 ? order : compare_uint32(left->path_index, right->path_index);
}

void prfdata_matches_sort(prfdata_matches *matches)
{
    if (matches->count > 1)
        qsort(matches->items, matches->count, sizeof *matches->items, compare_matches);
}

const prfdata_match *prfdata_matches_find(const prfdata_matches *matches, uint32_t object_position,
                                          uint32_t counter_position, size_t *count)
{
    size_t low = 0;
    size_t high = matches->count;
    size_t end;

    while (low < high) {
        const size_t middle = low + (high - low) / 2;

        if (compare_match_position(&matches->items[middle], object_position, counter_position) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    end = low;
    while (end < matches->count &&
           compare_match_position(&matches->items[end], object_position, counter_position) == 0)
        end++;
    *count = end - low;
    return *count > 0 ? &matches->items[low] : NULL;
}
