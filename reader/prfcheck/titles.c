/* SPDX-License-Identifier: MIT */
/* Finds the objects of a reply, and compares those of two replies. Knows no query. */
#include "prfcheck/titles.h"

void prfdata_titles_read(const prfdata_judge_reply *reply, prfdata_titles *set)
{
    size_t offset = 0;

    set->count = 0;
    while (set->count < PRFDATA_TITLES_MAX &&
           prfdata_judge_next_object(reply, &offset, &set->items[set->count],
                                     &set->parents[set->count]))
        set->ends[set->count++] = (uint32_t)offset;
}

bool prfdata_titles_has(const prfdata_titles *set, uint32_t title)
{
    for (size_t i = 0; i < set->count; i++) {
        if (set->items[i] == title)
            return true;
    }
    return false;
}

uint32_t prfdata_titles_first_missing(const prfdata_titles *some, const prfdata_titles *all)
{
    for (size_t i = 0; i < some->count; i++) {
        if (!prfdata_titles_has(all, some->items[i]))
            return some->items[i];
    }
    return 0;
}

bool prfdata_titles_are_same(const prfdata_titles *a, const prfdata_titles *b)
{
    return prfdata_titles_first_missing(a, b) == 0 && prfdata_titles_first_missing(b, a) == 0;
}
