/* SPDX-License-Identifier: MIT */
/* Finds the objects of a reply, and compares those of two replies. Knows no query. */
#include "prfcheck/titles.h"

#include "block/wire_fields.h"

void prfdata_titles_read(const prfdata_judge_reply *reply, prfdata_titles *set)
{
    const prfdata_bytes bytes = {reply->bytes, reply->size};
    size_t begin = 0;
    size_t end = 0;

    set->count = 0;
    while (set->count < PRFDATA_TITLES_MAX &&
           prfdata_judge_next_object(reply, &end, &set->items[set->count],
                                     &set->parents[set->count])) {
        set->instances[set->count] = prfdata_wire_fields_object_type(bytes, begin).num_instances;
        set->ends[set->count++] = (uint32_t)end;
        begin = end;
    }
}

/* Where the title is in the set; its count: nowhere. */
static size_t find_title_position(const prfdata_titles *set, uint32_t title)
{
    size_t i = 0;

    while (i < set->count && set->items[i] != title)
        i++;
    return i;
}

bool prfdata_titles_has(const prfdata_titles *set, uint32_t title)
{
    return find_title_position(set, title) < set->count;
}

uint32_t prfdata_titles_first_missing(const prfdata_titles *some, const prfdata_titles *all)
{
    for (size_t i = 0; i < some->count; i++) {
        if (!prfdata_titles_has(all, some->items[i]))
            return some->items[i];
    }
    return 0;
}

uint32_t prfdata_titles_first_cut(const prfdata_titles *few, const prfdata_titles *many)
{
    for (size_t i = 0; i < few->count; i++) {
        const size_t k = find_title_position(many, few->items[i]);

        if (k < many->count && many->instances[k] > few->instances[i])
            return few->items[i];
    }
    return 0;
}

bool prfdata_titles_are_same(const prfdata_titles *a, const prfdata_titles *b)
{
    return prfdata_titles_first_missing(a, b) == 0 && prfdata_titles_first_missing(b, a) == 0;
}
