/* SPDX-License-Identifier: MIT */
/*
 * Finds out where a recording has no samples, and for which objects its samples were asked. The
 * notes say so (block/recording.h). For a sample without a note, this file guesses: if only this
 * sample lacks an object, between samples that have the object, the sample was not asked for the
 * object. If two samples in a row lack the object, one of them was probably asked for it, so both
 * count as asked.
 */
#include "viewer/timeline.h"

#include <stdlib.h>

#include <prfdata/error.h>

#include "source/pace.h"

#define MOST_OBJECTS 1000 /* more objects than a query names */

/* Add the objects of a block. Returns false: there are too many, or no memory. */
static bool add_present(const void *bytes, size_t size, prfdata_title_set *present)
{
    prfdata_decode_block block;
    prfdata_decode_cursor cursor = {0};
    prfdata_decode_object object;
    prfdata_decode_error error;
    uint32_t status;
    bool is_done = true;

    if (prfdata_decode_open(bytes, size, &block, &error) == ERROR_INVALID_DATA)
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

static bool add_entry_objects(const prfdata_timeline *timeline, size_t at,
                              prfdata_title_set *present, prfdata_title_set *all)
{
    void *bytes = prfdata_timeline_bytes(timeline, at);
    const size_t size = timeline->entries[at].size;
    const bool is_done =
        bytes && add_present(bytes, size, present) && add_present(bytes, size, all);

    free(bytes);
    return is_done;
}

/*
 * All entries between `before` and `after` lack an object. Returns whether it is possible that none
 * of them was asked for the object.
 */
static bool is_elsewhere_between(const prfdata_timeline *timeline, uint32_t title, size_t before,
                                 size_t after)
{
    size_t unknown = 0;

    for (size_t i = before + 1; i < after; i++) {
        const prfdata_timeline_entry *entry = &timeline->entries[i];

        if (entry->is_noted && !prfdata_title_set_has(&entry->note.elsewhere, title))
            return false;
        unknown += !entry->is_noted;
    }
    return unknown <= 1;
}

/* Between `before` and `after`, mark each entry without a note as probably not asked for an
 * object. */
static bool suppose_between(prfdata_timeline *timeline, uint32_t title, size_t before, size_t after,
                            prfdata_title_set *skipped)
{
    bool is_done = true;

    for (size_t i = before + 1; i < after; i++) {
        if (timeline->entries[i].is_noted)
            continue;
        is_done = prfdata_title_set_add(&skipped[i], title) &&
                  prfdata_title_set_add(&timeline->entries[i].missing, title) && is_done;
    }
    return is_done;
}

/* For each entry i that was not asked for an object, add the object to skipped[i]. */
static bool skip_object(prfdata_timeline *timeline, const prfdata_title_set *present,
                        uint32_t title, prfdata_title_set *skipped)
{
    size_t before = SIZE_MAX;
    bool is_done = true;

    for (size_t i = 0; i < timeline->count; i++) {
        if (!prfdata_title_set_has(&present[i], title)) {
            if (timeline->entries[i].is_noted &&
                prfdata_title_set_has(&timeline->entries[i].note.elsewhere, title))
                is_done = prfdata_title_set_add(&skipped[i], title) && is_done;
            continue;
        }
        if (before != SIZE_MAX && is_elsewhere_between(timeline, title, before, i))
            is_done = suppose_between(timeline, title, before, i, skipped) && is_done;
        before = i;
    }
    return is_done;
}

/*
 * Set what an entry was asked for: all objects except the skipped ones. The set stays empty, which
 * means all objects, if none was skipped. If all were skipped, it gets 0, the title of no object.
 */
static bool set_asked(prfdata_timeline_entry *entry, const prfdata_title_set *all,
                      const prfdata_title_set *skipped)
{
    bool is_done = true;

    entry->asked.count = 0;
    for (size_t i = 0; skipped->count > 0 && i < all->count; i++) {
        if (!prfdata_title_set_has(skipped, all->items[i]))
            is_done = prfdata_title_set_add(&entry->asked, all->items[i]) && is_done;
    }
    if (skipped->count > 0 && entry->asked.count == 0)
        is_done = prfdata_title_set_add(&entry->asked, 0) && is_done;
    return is_done;
}

bool prfdata_timeline_find_asked(prfdata_timeline *timeline, prfdata_title_set *all)
{
    const size_t count = timeline->count;
    prfdata_title_set *sets = calloc(2 * (count + 1), sizeof *sets);
    prfdata_title_set *skipped = sets ? sets + count : NULL;
    bool is_done = sets != NULL;

    for (size_t i = 0; is_done && i < count; i++)
        is_done = add_entry_objects(timeline, i, &sets[i], all);
    for (size_t i = 0; is_done && i < all->count; i++)
        is_done = skip_object(timeline, sets, all->items[i], skipped);
    for (size_t i = 0; is_done && i < count; i++)
        is_done = set_asked(&timeline->entries[i], all, &skipped[i]);
    for (size_t i = 0; sets && i < 2 * count; i++)
        prfdata_title_set_free(&sets[i]);
    free(sets);
    return is_done;
}

/* ---- Times without samples ---- */

static int64_t ms_before(const prfdata_timeline *timeline, size_t at)
{
    return at > 0 && at < timeline->count
               ? timeline->entries[at].time_ms - timeline->entries[at - 1].time_ms
               : 0;
}

/* Returns whether the time before an entry is a hole. The time is compared with the longer of the
 * neighbouring intervals, because the user may have changed the interval. */
static bool is_after_hole(const prfdata_timeline *timeline, size_t at)
{
    const prfdata_timeline_entry *entry = &timeline->entries[at];
    const int64_t before = ms_before(timeline, at - 1);
    const int64_t after = ms_before(timeline, at + 1);
    const int64_t usual = before > after ? before : after;

    if (entry->is_noted && entry->recording == timeline->entries[at - 1].recording)
        return false;
    return prfdata_pace_is_hole(ms_before(timeline, at), usual);
}

void prfdata_timeline_find_holes(prfdata_timeline *timeline)
{
    for (size_t i = 1; i < timeline->count; i++) {
        if (is_after_hole(timeline, i))
            (void)prfdata_title_set_add(&timeline->entries[i].note.failed, 0);
    }
}
