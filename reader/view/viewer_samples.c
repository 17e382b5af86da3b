/* SPDX-License-Identifier: MIT */
/*
 * Which samples are looked at. A slow provider's come between the others', so each was asked for
 * some objects: what an object shows is of the newest that was asked for it.
 */
#include "view/viewer.h"

#include <prfdata/error.h>

static bool is_asked(const prfdata_title_set *asked, uint32_t title)
{
    return title == 0 || asked->count == 0 || prfdata_title_set_has(asked, title);
}

/* ---- Decoded samples ---- */

/* Who takes the newest sample holds it, while others of before are decoded for it. */
static bool is_newest_decoded(const prfdata_viewer *viewer, const prfdata_viewer_decoded *decoded)
{
    return decoded->time_ms == viewer->timeline.entries[viewer->timeline.count - 1].time_ms;
}

/* The place of a new one: that which was not needed for the longest time. */
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

static void keep_decoded(prfdata_viewer *viewer, int64_t time_ms, prfdata_sample *sample)
{
    prfdata_viewer_decoded *place = oldest_decoded(viewer);

    prfdata_sample_free(place->sample);
    *place = (prfdata_viewer_decoded){time_ms, sample, ++viewer->clock};
}

/* The sample of an entry; borrowed; NULL: no memory. */
static const prfdata_sample *decoded_entry(prfdata_viewer *viewer, size_t at)
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
        keep_decoded(viewer, time_ms, sample);
    return sample;
}

void prfdata_viewer_forget_samples(prfdata_viewer *viewer)
{
    for (unsigned i = 0; i < PRFDATA_VIEWER_DECODED; i++) {
        prfdata_sample_free(viewer->decoded[i].sample);
        viewer->decoded[i].sample = NULL;
    }
    prfdata_timeline_free(&viewer->timeline);
    viewer->looks_back = false;
}

/* ---- What is looked at ---- */

static size_t shown_entry(const prfdata_viewer *viewer)
{
    return viewer->looks_back ? prfdata_timeline_find(&viewer->timeline, viewer->shown_ms)
                              : viewer->timeline.count - 1;
}

/* The last entry before one that was asked for an object; SIZE_MAX: none, or long before. */
static size_t entry_before(const prfdata_viewer *viewer, size_t at, uint32_t title)
{
    const prfdata_timeline_entry *entries = viewer->timeline.entries;

    for (size_t i = at; i-- > 0;) {
        const int64_t ago_ms =
            (at < viewer->timeline.count ? entries[at] : entries[at - 1]).time_ms -
            entries[i].time_ms;

        if (is_asked(&entries[i].asked, title))
            return i;
        if (prfdata_chart_is_apart(at - i, ago_ms))
            break;
    }
    return SIZE_MAX;
}

void prfdata_viewer_pair(prfdata_viewer *viewer, uint32_t title, const prfdata_sample **older,
                         const prfdata_sample **newer)
{
    size_t at = SIZE_MAX;

    *older = *newer = NULL;
    if (viewer->timeline.count > 0)
        at = entry_before(viewer, shown_entry(viewer) + 1, title);
    if (at == SIZE_MAX)
        return;
    *newer = decoded_entry(viewer, at);
    at = entry_before(viewer, at, title);
    if (*newer && at != SIZE_MAX)
        *older = decoded_entry(viewer, at);
}

const prfdata_sample *prfdata_viewer_shown(prfdata_viewer *viewer)
{
    return viewer->timeline.count > 0 ? decoded_entry(viewer, shown_entry(viewer)) : NULL;
}

static void look_at_entry(prfdata_viewer *viewer, size_t at)
{
    const prfdata_timeline_entry *entry = &viewer->timeline.entries[at];
    const prfdata_sample *shown;

    viewer->looks_back = at + 1 < viewer->timeline.count;
    viewer->shown_ms = entry->time_ms;
    shown = decoded_entry(viewer, at);
    if (!viewer->is_live && shown)
        prfdata_tree_update(&viewer->tree, shown, &entry->asked);
    prfdata_viewer_report(viewer, prfdata_viewer_update_table(viewer, false) |
                                      PRFDATA_VIEWER_DETAILS | PRFDATA_VIEWER_CHART);
    prfdata_viewer_let_go(viewer);
}

void prfdata_viewer_look_at(prfdata_viewer *viewer, int64_t time_ms)
{
    if (viewer->timeline.count > 0)
        look_at_entry(viewer, prfdata_timeline_find(&viewer->timeline, time_ms));
}

void prfdata_viewer_look_at_newest(prfdata_viewer *viewer)
{
    prfdata_chart_follow(&viewer->chart);
    if (viewer->timeline.count > 0)
        look_at_entry(viewer, viewer->timeline.count - 1);
}

/* ---- A new sample ---- */

/* A line must not hide that time passed: neither during a pause nor between two wishes in it. */
static void begin_again_after_pause(prfdata_viewer *viewer)
{
    if (viewer->leaves_gap && viewer->chart.count > 0)
        (void)prfdata_chart_add_gap(&viewer->chart, 0); /* which moves it after the newest */
    viewer->leaves_gap = viewer->is_paused;
}

static void chart_newest(prfdata_viewer *viewer, const prfdata_sample *sample)
{
    const size_t newest = viewer->timeline.count - 1;
    const prfdata_timeline_entry *entry = &viewer->timeline.entries[newest];

    begin_again_after_pause(viewer);
    if (prfdata_chart_add_time(&viewer->chart, entry->time_ms) != ERROR_SUCCESS)
        return;
    for (uint32_t i = 0; i < viewer->chart.series_count; i++) {
        const uint32_t title = viewer->chart.series[i]->key.object_title;
        size_t before;

        if (!is_asked(&entry->asked, title))
            continue;
        before = entry_before(viewer, newest, title);
        prfdata_chart_fill(&viewer->chart, i, entry->time_ms,
                           before == SIZE_MAX ? NULL : decoded_entry(viewer, before), sample);
    }
}

/* Why an object is not there: the reason of a service of PrfData, or that no provider has it. */
static void explain_node(prfdata_viewer *viewer, prfdata_node *node)
{
    prfdata_output reason = {0};
    uint16_t chars[400];
    prfdata_text note = {chars, 0};

    if (viewer->words.explain && viewer->words.explain(node->name, &reason) && !reason.failed)
        note.count = prfdata_text_from_utf8(reason.bytes, reason.used, chars, 400);
    prfdata_tree_explain(&viewer->tree, node, note.count > 0 ? note : viewer->words.absent);
    prfdata_output_free(&reason);
}

static void explain_absences(prfdata_viewer *viewer)
{
    for (unsigned i = 0; i < PRFDATA_TREE_GROUPS; i++) {
        for (prfdata_node *node = viewer->tree.groups[i]->first; node; node = node->next) {
            if (node->is_gone && node->note.count == 0)
                explain_node(viewer, node);
        }
    }
}

void prfdata_viewer_note_late(prfdata_viewer *viewer, uint32_t title, uint32_t late_ms)
{
    prfdata_node *node = prfdata_tree_object(&viewer->tree, title);

    if (!node || node->late_ms == late_ms)
        return;
    node->late_ms = late_ms;
    prfdata_viewer_report(viewer, PRFDATA_VIEWER_TABLE);
}

static void update_viewer_tree(prfdata_viewer *viewer, const prfdata_sample *sample,
                               const prfdata_title_set *asked, uint32_t late_ms)
{
    prfdata_tree_update(&viewer->tree, sample, asked);
    explain_absences(viewer);
    for (size_t i = 0; i < asked->count; i++)
        prfdata_viewer_note_late(viewer, asked->items[i], late_ms);
}

void prfdata_viewer_take(prfdata_viewer *viewer, prfdata_sample *sample,
                         const prfdata_title_set *asked, uint32_t late_ms)
{
    int64_t time_ms = 0;
    unsigned what = PRFDATA_VIEWER_CHART;

    if (!viewer->has_titles ||
        prfdata_timeline_add(&viewer->timeline, sample, asked, &time_ms) != ERROR_SUCCESS) {
        prfdata_sample_free(sample);
        return;
    }
    keep_decoded(viewer, time_ms, sample);
    chart_newest(viewer, sample);
    update_viewer_tree(viewer, sample, asked, late_ms);
    if (!viewer->looks_back) {
        viewer->shown_ms = time_ms;
        if (is_asked(asked, viewer->table.object_title))
            what |= prfdata_viewer_update_table(viewer, true);
        what |= PRFDATA_VIEWER_DETAILS;
    }
    prfdata_viewer_resolve_names(viewer, sample);
    prfdata_viewer_report(viewer, what);
}

/* ---- All samples ---- */

/* The lines of one object from a position on: each of its samples is decoded once. */
static void fill_lines_of(prfdata_viewer *viewer, uint32_t object, uint32_t first)
{
    const prfdata_timeline *timeline = &viewer->timeline;
    prfdata_sample *before = NULL;

    for (size_t i = 0; i < timeline->count; i++) {
        const prfdata_timeline_entry *entry = &timeline->entries[i];
        prfdata_sample *sample =
            is_asked(&entry->asked, object) ? prfdata_timeline_sample(timeline, i) : NULL;

        if (!sample)
            continue;
        for (uint32_t at = first; at < viewer->chart.series_count; at++) {
            if (viewer->chart.series[at]->key.object_title == object)
                prfdata_chart_fill(&viewer->chart, at, entry->time_ms, before, sample);
        }
        prfdata_sample_free(before);
        before = sample;
    }
    prfdata_sample_free(before);
}

void prfdata_viewer_fill_lines(prfdata_viewer *viewer, uint32_t first)
{
    for (uint32_t at = first; at < viewer->chart.series_count; at++) {
        const uint32_t object = viewer->chart.series[at]->key.object_title;
        uint32_t same = first;

        while (viewer->chart.series[same]->key.object_title != object)
            same++;
        if (same == at)
            fill_lines_of(viewer, object, first);
    }
}

void prfdata_viewer_take_timeline(prfdata_viewer *viewer)
{
    (void)prfdata_timeline_find_asked(&viewer->timeline);
    prfdata_chart_clear(&viewer->chart);
    for (size_t i = 0; i < viewer->timeline.count; i++)
        (void)prfdata_chart_add_time(&viewer->chart, viewer->timeline.entries[i].time_ms);
    prfdata_viewer_fill_lines(viewer, 0);
    prfdata_viewer_look_at_newest(viewer);
}
