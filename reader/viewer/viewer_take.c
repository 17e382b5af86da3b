/* SPDX-License-Identifier: MIT */
/* Takes a new sample into the timeline, the chart, the tree and the table. */
#include "viewer/viewer.h"

#include <prfdata/error.h>

#include "source/pace.h"

#define MOST_BACK_MS 60000

/*
 * Forget the past if the clock was set back by more than a minute. Otherwise new samples would get
 * incorrect times, right after the newest kept sample. The past stays while the user looks at it.
 */
static void begin_again_with_clock(prfdata_viewer *viewer, const prfdata_sample *sample)
{
    const prfdata_timeline *timeline = &viewer->timeline;
    const int64_t time_ms = prfdata_timeline_time_ms(sample);

    if (time_ms <= 0 || timeline->count == 0 || prfdata_viewer_is_held(viewer) ||
        timeline->entries[timeline->count - 1].time_ms - time_ms <= MOST_BACK_MS)
        return; /* a damaged reply has no time */
    prfdata_viewer_forget_samples(viewer);
    prfdata_chart_clear(&viewer->chart);
}

void prfdata_viewer_note_failed(prfdata_viewer *viewer, uint32_t title)
{
    (void)prfdata_title_set_add(&viewer->failed, title);
}

void prfdata_viewer_set_interval(prfdata_viewer *viewer, uint32_t interval_ms)
{
    viewer->interval_ms = interval_ms;
    if (viewer->usual_ms < interval_ms)
        viewer->usual_ms = interval_ms;
}

void prfdata_viewer_note_came(prfdata_viewer *viewer, const prfdata_sample *sample,
                              uint32_t late_ms)
{
    const int64_t time_ms = prfdata_timeline_time_ms(sample);

    if (time_ms <= 0)
        return; /* a damaged reply has no time */
    if (viewer->came_ms > 0 &&
        prfdata_pace_is_hole(time_ms - late_ms - viewer->came_ms, viewer->usual_ms))
        prfdata_viewer_note_failed(viewer, 0);
    viewer->came_ms = time_ms;
    viewer->usual_ms = viewer->interval_ms;
}

/*
 * Returns whether a wanted object is silent, which means that it did not answer and is not asked
 * for until the user wants it again.
 */
static bool is_silent_object(const prfdata_viewer *viewer, uint32_t title)
{
    const prfdata_node *node =
        viewer->has_titles ? prfdata_tree_object(&viewer->tree, title) : NULL;

    return node && node->is_silent;
}

void prfdata_viewer_note_of(const prfdata_viewer *viewer, const prfdata_title_set *asked,
                            prfdata_recording_note *note)
{
    uint32_t titles[PRFDATA_VIEWER_WANTED_MOST];
    const size_t count = prfdata_viewer_wanted(viewer, titles);

    (void)prfdata_title_set_copy(&viewer->failed, &note->failed);
    for (size_t i = 0; i < count; i++) {
        if (!prfdata_viewer_is_asked(asked, titles[i]) && !is_silent_object(viewer, titles[i]))
            (void)prfdata_title_set_add(&note->elsewhere, titles[i]);
    }
}

/*
 * Note in the newest entry what its sample lacks. A line must have a gap for a pause, and also
 * between the single samples that the user requests during the pause, because nobody watched the
 * time between them.
 */
static void note_newest(prfdata_viewer *viewer, const prfdata_title_set *asked)
{
    prfdata_timeline_entry *entry = &viewer->timeline.entries[viewer->timeline.count - 1];
    uint32_t titles[PRFDATA_VIEWER_WANTED_MOST];
    const size_t count = prfdata_viewer_wanted(viewer, titles);

    if (viewer->leaves_gap)
        prfdata_viewer_note_failed(viewer, 0);
    prfdata_viewer_note_of(viewer, asked, &entry->note);
    entry->is_noted = true;
    for (size_t i = 0; i < count; i++) {
        if (!prfdata_viewer_is_asked(asked, titles[i]) && is_silent_object(viewer, titles[i]))
            (void)prfdata_title_set_add(&entry->missing, titles[i]);
    }
    viewer->failed.count = 0;
    viewer->leaves_gap = viewer->is_paused;
}

static void chart_newest(prfdata_viewer *viewer, const prfdata_sample *sample)
{
    const size_t newest = viewer->timeline.count - 1;
    const prfdata_timeline_entry *entry = &viewer->timeline.entries[newest];

    if (prfdata_viewer_chart_time(viewer, newest) != ERROR_SUCCESS)
        return;
    for (uint32_t i = 0; i < viewer->chart.series_count; i++) {
        const uint32_t title = viewer->chart.series[i]->key.object_title;
        size_t before;

        prfdata_viewer_miss_line(viewer, i, newest);
        if (!prfdata_viewer_is_asked(&entry->asked, title))
            continue;
        before = prfdata_viewer_entry_before(viewer, newest, title);
        prfdata_chart_fill(&viewer->chart, i, entry->time_ms,
                           before == SIZE_MAX ? NULL : prfdata_viewer_decode_entry(viewer, before),
                           sample);
    }
}

static void update_viewer_tree(prfdata_viewer *viewer, const prfdata_sample *sample,
                               const prfdata_title_set *asked, uint32_t late_ms)
{
    prfdata_viewer_update_tree(viewer, sample, asked);
    prfdata_viewer_explain_absences(viewer);
    for (size_t i = 0; i < asked->count; i++)
        prfdata_viewer_note_late(viewer, asked->items[i], late_ms);
}

void prfdata_viewer_note_objects(prfdata_viewer *viewer, const prfdata_sample *sample,
                                 const prfdata_title_set *asked)
{
    if (viewer->has_titles && !viewer->is_stale)
        prfdata_tree_update(&viewer->tree, sample, asked);
}

/* If the shown sample was dropped with the oldest ones, show the oldest that is left. */
static void keep_up_with_oldest(prfdata_viewer *viewer)
{
    const prfdata_timeline *timeline = &viewer->timeline;

    if (!viewer->looks_back || viewer->shown_ms >= timeline->entries[0].time_ms)
        return;
    viewer->shown_ms = timeline->entries[0].time_ms;
    viewer->looks_back = timeline->count > 1;
}

/* Update the table after a new sample came, if the table must show this sample, or if a sample that
 * the table shows was dropped. Returns the bits of what has changed. */
static unsigned update_taken_table(prfdata_viewer *viewer, const prfdata_title_set *asked,
                                   prfdata_viewer_moments before)
{
    const uint32_t object = viewer->table.object_title;
    const prfdata_viewer_moments now = prfdata_viewer_pair_moments(viewer, object);

    if (!viewer->looks_back && prfdata_viewer_is_asked(asked, object))
        return prfdata_viewer_update_table(viewer, true);
    if (now.older_ms == before.older_ms && now.newer_ms == before.newer_ms)
        return 0;
    return prfdata_viewer_update_table(viewer, false) | PRFDATA_VIEWER_DETAILS;
}

/*
 * Copy `asked` to `all`, and add the shown objects that no longer exist, so that their lines end.
 * If `asked` is empty (all objects), `all` stays empty. If there is no memory, some objects are
 * missing.
 */
static void add_gone_objects(const prfdata_viewer *viewer, const prfdata_title_set *asked,
                             prfdata_title_set *all)
{
    if (asked->count == 0)
        return;
    (void)prfdata_title_set_copy(asked, all);
    if (prfdata_title_is_gone(viewer->table.object_title))
        (void)prfdata_title_set_add(all, viewer->table.object_title);
    for (uint32_t i = 0; i < viewer->chart.series_count; i++) {
        if (prfdata_title_is_gone(viewer->chart.series[i]->key.object_title))
            (void)prfdata_title_set_add(all, viewer->chart.series[i]->key.object_title);
    }
}

static unsigned take_asked(prfdata_viewer *viewer, prfdata_sample *sample,
                           const prfdata_title_set *asked, uint32_t late_ms)
{
    const prfdata_viewer_moments before =
        prfdata_viewer_pair_moments(viewer, viewer->table.object_title);
    int64_t time_ms = 0;
    unsigned what = PRFDATA_VIEWER_CHART;

    if (viewer->has_titles && !viewer->is_stale)
        begin_again_with_clock(viewer, sample);
    if (!viewer->has_titles || viewer->is_stale ||
        prfdata_timeline_add(&viewer->timeline, sample, asked, &time_ms) != ERROR_SUCCESS) {
        prfdata_sample_free(sample);
        return 0;
    }
    note_newest(viewer, asked);
    keep_up_with_oldest(viewer);
    prfdata_viewer_keep_decoded(viewer, time_ms, sample);
    chart_newest(viewer, sample);
    update_viewer_tree(viewer, sample, asked, late_ms);
    if (!viewer->looks_back) {
        viewer->shown_ms = time_ms;
        what |= PRFDATA_VIEWER_DETAILS;
    }
    what |= update_taken_table(viewer, asked, before);
    prfdata_viewer_resolve_names(viewer, sample, asked);
    prfdata_viewer_follow_patterns(viewer, sample, asked);
    return what;
}

void prfdata_viewer_take(prfdata_viewer *viewer, prfdata_sample *sample,
                         const prfdata_title_set *asked, uint32_t late_ms)
{
    prfdata_title_set all = {0};

    add_gone_objects(viewer, asked, &all);
    prfdata_viewer_report(viewer, take_asked(viewer, sample, &all, late_ms));
    prfdata_title_set_free(&all);
}
