/* SPDX-License-Identifier: MIT */
/*
 * Manages the shown samples. Samples of a slow provider come between the samples of other
 * providers, so a sample may have been asked for only some objects. Each object is shown from the
 * last sample, up to the shown time, that was asked for it.
 */
#include "viewer/viewer.h"

#include <prfdata/error.h>

#include "view/heading.h"

void prfdata_viewer_update_tree(prfdata_viewer *viewer, const prfdata_sample *sample,
                                const prfdata_title_set *asked)
{
    prfdata_tree_update(&viewer->tree, sample, asked);
    if (viewer->search.count > 0) /* a search also finds the content of samples */
        prfdata_tree_fill(&viewer->tree, sample);
}

/* Explain why an object is missing: with the reason that a service of PrfData gives, otherwise with
 * viewer->words.absent. */
void prfdata_viewer_explain_absence(prfdata_viewer *viewer, prfdata_node *node)
{
    prfdata_output reason = {0};
    uint16_t chars[400];
    prfdata_text note = {chars, 0};

    if (viewer->words.explain && viewer->words.explain(node->name, &reason) && !reason.failed)
        note.count = prfdata_text_from_utf8(reason.bytes, reason.used, chars, 400);
    prfdata_tree_explain(&viewer->tree, node, note.count > 0 ? note : viewer->words.absent);
    prfdata_output_free(&reason);
}

void prfdata_viewer_explain_absences(prfdata_viewer *viewer)
{
    for (unsigned i = 0; i < PRFDATA_TREE_GROUPS; i++) {
        for (prfdata_node *node = viewer->tree.groups[i]->first; node; node = node->next) {
            if (node->is_gone && node->note.count == 0)
                prfdata_viewer_explain_absence(viewer, node);
        }
    }
}

static void look_at_entry(prfdata_viewer *viewer, size_t at)
{
    const prfdata_timeline_entry *entry = &viewer->timeline.entries[at];
    const prfdata_sample *shown;

    viewer->looks_back = at + 1 < viewer->timeline.count;
    viewer->shown_ms = entry->time_ms;
    shown = prfdata_viewer_decode_entry(viewer, at);
    if (!viewer->is_live && shown) {
        prfdata_viewer_update_tree(viewer, shown, &entry->asked);
        prfdata_viewer_explain_absences(viewer);
    }
    prfdata_viewer_report(viewer, prfdata_viewer_update_table(viewer, false) |
                                      PRFDATA_VIEWER_DETAILS | PRFDATA_VIEWER_CHART);
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

void prfdata_viewer_note_late(prfdata_viewer *viewer, uint32_t title, uint32_t late_ms)
{
    prfdata_node *node = prfdata_tree_object(&viewer->tree, title);

    if (!node || node->late_ms == late_ms)
        return;
    node->late_ms = late_ms;
    prfdata_viewer_report(viewer, PRFDATA_VIEWER_TABLE);
}

/*
 * Return the time of the break that a failure before an entry makes in the chart. The timeline
 * leaves room for it between two entries.
 */
static int64_t break_ms(const prfdata_viewer *viewer, size_t at)
{
    return at > 0 ? viewer->timeline.entries[at - 1].time_ms + 1 : INT64_MIN;
}

void prfdata_viewer_miss_line(prfdata_viewer *viewer, uint32_t position, size_t at)
{
    const uint32_t title = viewer->chart.series[position]->key.object_title;
    const prfdata_timeline_entry *entry = &viewer->timeline.entries[at];

    if (at > 0 && prfdata_timeline_has_failed(&viewer->timeline, at, title))
        prfdata_chart_miss(&viewer->chart, position, break_ms(viewer, at), false);
    if (prfdata_title_set_has(&entry->missing, title))
        prfdata_chart_miss(&viewer->chart, position, entry->time_ms, !entry->is_noted);
}

uint32_t prfdata_viewer_chart_time(prfdata_viewer *viewer, size_t at)
{
    const prfdata_timeline_entry *entry = &viewer->timeline.entries[at];

    if (viewer->chart.count > 0 && at > 0 && prfdata_timeline_has_failed(&viewer->timeline, at, 0))
        (void)prfdata_chart_add_gap(&viewer->chart, break_ms(viewer, at));
    else if (viewer->chart.count > 0 && at > 0 && entry->note.failed.count > 0)
        (void)prfdata_chart_add_break(&viewer->chart, break_ms(viewer, at));
    return prfdata_chart_add_time(&viewer->chart, entry->time_ms);
}

/* Fill the lines of one object from a position on; each of its samples is decoded once. */
static void fill_lines_of(prfdata_viewer *viewer, uint32_t object, uint32_t first)
{
    const prfdata_timeline *timeline = &viewer->timeline;
    prfdata_sample *before = NULL;

    for (size_t i = 0; i < timeline->count; i++) {
        const prfdata_timeline_entry *entry = &timeline->entries[i];
        prfdata_sample *sample;
        bool has_before; /* there is an earlier sample that is recent enough for rates */

        for (uint32_t at = first; at < viewer->chart.series_count; at++) {
            if (viewer->chart.series[at]->key.object_title == object)
                prfdata_viewer_miss_line(viewer, at, i);
        }
        sample = prfdata_viewer_is_asked(&entry->asked, object)
                     ? prfdata_timeline_sample(timeline, i)
                     : NULL;
        if (!sample)
            continue;
        has_before = prfdata_viewer_entry_before(viewer, i, object) != SIZE_MAX;
        for (uint32_t at = first; at < viewer->chart.series_count; at++) {
            if (viewer->chart.series[at]->key.object_title == object)
                prfdata_chart_fill(&viewer->chart, at, entry->time_ms, has_before ? before : NULL,
                                   sample);
        }
        prfdata_sample_free(before);
        before = sample;
    }
    prfdata_sample_free(before);
}

/* Set the units of filled lines, from a position on, if the shown sample did not have their
 * counters. */
static void settle_units(prfdata_viewer *viewer, uint32_t first)
{
    for (uint32_t at = first; at < viewer->chart.series_count; at++) {
        prfdata_chart_series *series = viewer->chart.series[at];
        const prfdata_unit unit = prfdata_heading_number_unit(
            &viewer->titles, series->key.object_title, series->key.counter_title, series->type,
            prfdata_titles_name(&viewer->titles, PRFDATA_BY_ENGLISH, series->key.counter_title));

        if (series->unit == unit || series->unit != PRFDATA_NUMBER_NONE)
            continue;
        series->unit = unit;
        if (series->stack == series->home)
            series->stack = 0; /* lines of one unit share a pane */
        series->home = 0;
    }
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
    settle_units(viewer, first);
}

/* Add the objects of all samples to the tree, even those that the shown sample lacks. */
static void add_objects_of_file(prfdata_viewer *viewer, const prfdata_title_set *all)
{
    viewer->tree.is_whole = true;
    for (size_t i = 0; i < all->count; i++)
        (void)prfdata_tree_add_object(&viewer->tree, PRFDATA_TREE_OTHERS, all->items[i]);
}

void prfdata_viewer_take_timeline(prfdata_viewer *viewer)
{
    prfdata_title_set all = {0};

    (void)prfdata_timeline_find_asked(&viewer->timeline, &all);
    prfdata_timeline_find_holes(&viewer->timeline);
    add_objects_of_file(viewer, &all);
    prfdata_title_set_free(&all);
    prfdata_chart_clear(&viewer->chart);
    viewer->chart.fit_ms = PRFDATA_CHART_MOST_SPAN_MS; /* show the whole file */
    viewer->chart.most_samples = PRFDATA_CHART_FILE_SAMPLES;
    for (size_t i = 0; i < viewer->timeline.count; i++)
        (void)prfdata_viewer_chart_time(viewer, i);
    prfdata_viewer_fill_lines(viewer, 0);
    prfdata_viewer_look_at_newest(viewer);
}
