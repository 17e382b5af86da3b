/* SPDX-License-Identifier: MIT */
/*
 * For which objects the samples of a recording were asked. The file does not say: an object that a
 * sample lacks, between two that have it, was not asked for then, because its provider is slow or
 * the others are; one that does not come back was gone.
 */
#include "viewer/timeline.h"

#include <stdlib.h>

#include <prfdata/error.h>

#include "view/chart.h"

#define MOST_OBJECTS 1000 /* nobody asks for so many but by "Global", which asks for all */

/* The objects that an entry has. Returns false: there are too many, or there is no memory. */
static bool add_present(const prfdata_timeline_entry *entry, prfdata_title_set *present)
{
    prfdata_decode_block block;
    prfdata_decode_cursor cursor = {0};
    prfdata_decode_object object;
    prfdata_decode_error error;
    uint32_t status;
    bool is_done = true;

    if (prfdata_decode_open(entry->bytes, entry->size, &block, &error) == ERROR_INVALID_DATA)
        return true;
    while (present->count <= MOST_OBJECTS &&
           (status = prfdata_decode_object_next(&block, &cursor, &object, &error)) !=
               ERROR_NO_MORE_ITEMS) {
        if (status != ERROR_INVALID_DATA)
            is_done =
                prfdata_title_set_add(present, object.header.object_name_title_index) && is_done;
    }
    return is_done && present->count <= MOST_OBJECTS;
}

/* Mark where an object was not asked for: skipped[i] gets it. */
static bool skip_object(const prfdata_timeline *timeline, const prfdata_title_set *present,
                        uint32_t title, prfdata_title_set *skipped)
{
    size_t before = SIZE_MAX;
    bool is_done = true;

    for (size_t i = 0; i < timeline->count; i++) {
        if (!prfdata_title_set_has(&present[i], title))
            continue;
        for (size_t between = before; before != SIZE_MAX && ++between < i;) {
            if (!prfdata_chart_is_apart(i - before, timeline->entries[i].time_ms -
                                                        timeline->entries[before].time_ms))
                is_done = prfdata_title_set_add(&skipped[between], title) && is_done;
        }
        before = i;
    }
    return is_done;
}

/* What was asked for is everything but what was skipped; empty: nothing was. */
static bool set_asked(prfdata_timeline_entry *entry, const prfdata_title_set *all,
                      const prfdata_title_set *skipped)
{
    bool is_done = true;

    entry->asked.count = 0;
    for (size_t i = 0; skipped->count > 0 && i < all->count; i++) {
        if (!prfdata_title_set_has(skipped, all->items[i]))
            is_done = prfdata_title_set_add(&entry->asked, all->items[i]) && is_done;
    }
    return is_done;
}

bool prfdata_timeline_find_asked(prfdata_timeline *timeline)
{
    const size_t count = timeline->count;
    prfdata_title_set *sets = calloc(2 * (count + 1), sizeof *sets);
    prfdata_title_set *skipped = sets ? sets + count : NULL;
    prfdata_title_set all = {0};
    bool is_done = sets != NULL;

    for (size_t i = 0; is_done && i < count; i++)
        is_done = add_present(&timeline->entries[i], &sets[i]) &&
                  add_present(&timeline->entries[i], &all);
    for (size_t i = 0; is_done && i < all.count; i++)
        is_done = skip_object(timeline, sets, all.items[i], skipped);
    for (size_t i = 0; is_done && i < count; i++)
        is_done = set_asked(&timeline->entries[i], &all, &skipped[i]);
    for (size_t i = 0; sets && i < 2 * count; i++)
        prfdata_title_set_free(&sets[i]);
    prfdata_title_set_free(&all);
    free(sets);
    return is_done;
}
