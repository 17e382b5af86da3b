/* SPDX-License-Identifier: MIT */
/*
 * Decodes samples of the timeline, and keeps the few that were used last. A sample may have been
 * asked for only some objects, so this file finds the sample to show for each object.
 */
#include "viewer/viewer.h"

bool prfdata_viewer_is_asked(const prfdata_title_set *asked, uint32_t title)
{
    return title == 0 || asked->count == 0 || prfdata_title_set_has(asked, title);
}

/*
 * Returns whether this is the newest sample, which must stay decoded, because the code that takes a
 * sample uses it while older samples are decoded.
 */
static bool is_newest_decoded(const prfdata_viewer *viewer, const prfdata_viewer_decoded *decoded)
{
    return decoded->time_ms == viewer->timeline.entries[viewer->timeline.count - 1].time_ms;
}

/* Return the place for another decoded sample: a free one, or that of the least recently used
 * sample. */
static prfdata_viewer_decoded *oldest_decoded(prfdata_viewer *viewer)
{
    prfdata_viewer_decoded *oldest = NULL;

    for (unsigned i = 0; i < PRFDATA_VIEWER_DECODED; i++) {
        prfdata_viewer_decoded *decoded = &viewer->decoded[i];

        if (!decoded->sample)
            return decoded;
        if (is_newest_decoded(viewer, decoded))
            continue;
        if (!oldest || viewer->clock - decoded->used > viewer->clock - oldest->used)
            oldest = decoded;
    }
    return oldest;
}

void prfdata_viewer_keep_decoded(prfdata_viewer *viewer, int64_t time_ms, prfdata_sample *sample)
{
    prfdata_viewer_decoded *place = oldest_decoded(viewer);

    prfdata_sample_free(place->sample);
    *place = (prfdata_viewer_decoded){time_ms, sample, ++viewer->clock};
}

const prfdata_sample *prfdata_viewer_decode_entry(prfdata_viewer *viewer, size_t at)
{
    const int64_t time_ms = viewer->timeline.entries[at].time_ms;
    prfdata_sample *sample;

    for (unsigned i = 0; i < PRFDATA_VIEWER_DECODED; i++) {
        if (viewer->decoded[i].sample && viewer->decoded[i].time_ms == time_ms) {
            viewer->decoded[i].used = ++viewer->clock;
            return viewer->decoded[i].sample;
        }
    }
    sample = prfdata_timeline_sample(&viewer->timeline, at);
    if (sample)
        prfdata_viewer_keep_decoded(viewer, time_ms, sample);
    return sample;
}

static size_t shown_entry(const prfdata_viewer *viewer)
{
    return viewer->looks_back ? prfdata_timeline_find(&viewer->timeline, viewer->shown_ms)
                              : viewer->timeline.count - 1;
}

static size_t entry_before(const prfdata_viewer *viewer, size_t at, uint32_t title, bool is_strict)
{
    const prfdata_timeline_entry *entries = viewer->timeline.entries;

    for (size_t i = at; i-- > 0;) {
        if (prfdata_viewer_is_asked(&entries[i].asked, title))
            return i;
        if (is_strict && entries[i].is_noted && prfdata_title_set_has(&entries[i].missing, title))
            break; /* the object was silent in between, so a rate begins again */
        if (prfdata_chart_is_apart(at - i, entries[at].time_ms - entries[i].time_ms))
            break;
    }
    return SIZE_MAX;
}

size_t prfdata_viewer_entry_before(const prfdata_viewer *viewer, size_t at, uint32_t title)
{
    return entry_before(viewer, at, title, true);
}

/*
 * Return the entry to show for an object: entry `at`, or the last one before it that was asked for
 * the object. The object may have been silent in entries after the returned one. SIZE_MAX: there is
 * no such entry, or prfdata_chart_is_apart() says that the entry is too old.
 */
static size_t entry_up_to(const prfdata_viewer *viewer, size_t at, uint32_t title)
{
    return prfdata_viewer_is_asked(&viewer->timeline.entries[at].asked, title)
               ? at
               : entry_before(viewer, at, title, false);
}

void prfdata_viewer_forget_decoded(prfdata_viewer *viewer)
{
    for (unsigned i = 0; i < PRFDATA_VIEWER_DECODED; i++) {
        prfdata_sample_free(viewer->decoded[i].sample);
        viewer->decoded[i].sample = NULL;
    }
}

void prfdata_viewer_forget_samples(prfdata_viewer *viewer)
{
    prfdata_viewer_forget_decoded(viewer);
    prfdata_timeline_free(&viewer->timeline);
    viewer->looks_back = false;
}

/* Find the two entries to show for an object: older and newer. */
static void find_pair(const prfdata_viewer *viewer, uint32_t title, size_t at[2])
{
    at[0] = at[1] = SIZE_MAX;
    if (viewer->timeline.count > 0)
        at[1] = entry_up_to(viewer, shown_entry(viewer), title);
    if (at[1] != SIZE_MAX)
        at[0] = prfdata_viewer_entry_before(viewer, at[1], title);
}

void prfdata_viewer_pair(prfdata_viewer *viewer, uint32_t title, const prfdata_sample **older,
                         const prfdata_sample **newer)
{
    size_t at[2];

    *older = *newer = NULL;
    find_pair(viewer, title, at);
    if (at[1] != SIZE_MAX)
        *newer = prfdata_viewer_decode_entry(viewer, at[1]);
    if (*newer && at[0] != SIZE_MAX)
        *older = prfdata_viewer_decode_entry(viewer, at[0]);
}

prfdata_viewer_moments prfdata_viewer_pair_moments(const prfdata_viewer *viewer, uint32_t title)
{
    const prfdata_timeline_entry *entries = viewer->timeline.entries;
    size_t at[2];

    find_pair(viewer, title, at);
    return (prfdata_viewer_moments){at[0] == SIZE_MAX ? -1 : entries[at[0]].time_ms,
                                    at[1] == SIZE_MAX ? -1 : entries[at[1]].time_ms};
}

const prfdata_sample *prfdata_viewer_now(prfdata_viewer *viewer, uint32_t title)
{
    const size_t count = viewer->timeline.count;
    size_t at = SIZE_MAX;

    if (count > 0)
        at = entry_up_to(viewer, viewer->is_live ? count - 1 : shown_entry(viewer), title);
    return at == SIZE_MAX ? NULL : prfdata_viewer_decode_entry(viewer, at);
}

const prfdata_sample *prfdata_viewer_shown(prfdata_viewer *viewer)
{
    return viewer->timeline.count > 0 ? prfdata_viewer_decode_entry(viewer, shown_entry(viewer))
                                      : NULL;
}

const prfdata_sample_object *prfdata_viewer_object(prfdata_viewer *viewer, uint32_t title)
{
    const prfdata_sample *older;
    const prfdata_sample *newer;
    const prfdata_sample_object *object;

    prfdata_viewer_pair(viewer, title, &older, &newer);
    object = newer ? prfdata_sample_find_object(newer, title) : NULL;
    if (object)
        return object;
    newer = prfdata_viewer_now(viewer, title);
    return newer ? prfdata_sample_find_object(newer, title) : NULL;
}

const prfdata_decode_counter *prfdata_viewer_find_counter(const prfdata_sample_object *object,
                                                          uint32_t counter)
{
    for (uint32_t i = 0; object && i < object->counter_count; i++) {
        if (object->counters[i].definition.counter_name_title_index == counter)
            return &object->counters[i];
    }
    return NULL;
}

bool prfdata_viewer_is_hex(prfdata_viewer *viewer, uint32_t object, uint32_t counter)
{
    const prfdata_decode_counter *found =
        prfdata_viewer_find_counter(prfdata_viewer_object(viewer, object), counter);

    return found && prfdata_number_is_hex(found->definition.counter_type);
}
