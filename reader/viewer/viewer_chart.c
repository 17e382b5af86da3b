/* SPDX-License-Identifier: MIT */
/* Implements the user's actions on the lines of the chart, and the pause. viewer_follow.c
 * implements those on the visible time. */
#include "viewer/viewer.h"

#include <stdint.h>

/* Lines that the user puts in panes of their own get stacks with this number and higher ones.
 * viewer_line.c gives all other lines stacks with lower numbers, from 0. */
#define OWN_STACKS 0x80000000u

static prfdata_chart_series *find_line(prfdata_viewer *viewer, uint32_t position)
{
    return position < viewer->chart.series_count ? viewer->chart.series[position] : NULL;
}

void prfdata_viewer_hide_line(prfdata_viewer *viewer, uint32_t position, bool is_hidden)
{
    prfdata_chart_series *series = find_line(viewer, position);

    if (!series || series->is_hidden == is_hidden)
        return;
    series->is_hidden = is_hidden;
    prfdata_viewer_report(viewer, PRFDATA_VIEWER_CHART);
}

void prfdata_viewer_choose_line(prfdata_viewer *viewer, uint32_t position)
{
    const prfdata_chart_series *chosen = find_line(viewer, position);

    for (uint32_t i = 0; i < viewer->chart.series_count; i++)
        viewer->chart.series[i]->is_wide = i == position;
    if (chosen)
        prfdata_viewer_describe(viewer, PRFDATA_VIEWER_COUNTER, &chosen->key);
    prfdata_viewer_report(viewer, PRFDATA_VIEWER_CHART);
}

static void set_apart(prfdata_viewer *viewer, prfdata_chart_series *series)
{
    series->stack = OWN_STACKS + viewer->own_panes++;
}

void prfdata_viewer_toggle_own_pane(prfdata_viewer *viewer, uint32_t position)
{
    prfdata_chart_series *series = find_line(viewer, position);

    if (!series)
        return;
    if (series->stack == series->home)
        set_apart(viewer, series);
    else
        series->stack = series->home;
    prfdata_viewer_report(viewer, PRFDATA_VIEWER_CHART);
}

static bool share_pane(const prfdata_chart_series *a, const prfdata_chart_series *b)
{
    return a->unit == b->unit && a->stack == b->stack;
}

bool prfdata_viewer_is_log(const prfdata_viewer *viewer, uint32_t position)
{
    const prfdata_chart *chart = &viewer->chart;

    for (uint32_t i = 0; position < chart->series_count && i < chart->series_count; i++) {
        if (chart->series[i]->is_log && share_pane(chart->series[i], chart->series[position]))
            return true;
    }
    return false;
}

void prfdata_viewer_toggle_log(prfdata_viewer *viewer, uint32_t position)
{
    const prfdata_chart_series *series = find_line(viewer, position);
    const bool is_log = !prfdata_viewer_is_log(viewer, position);

    if (!series)
        return;
    for (uint32_t i = 0; i < viewer->chart.series_count; i++) {
        if (share_pane(series, viewer->chart.series[i]))
            viewer->chart.series[i]->is_log = is_log;
    }
    prfdata_viewer_report(viewer, PRFDATA_VIEWER_CHART);
}

static bool is_colour_taken(const prfdata_chart *chart, const prfdata_chart_series *series,
                            uint32_t colour)
{
    for (uint32_t i = 0; i < chart->series_count; i++) {
        if (chart->series[i] != series && share_pane(chart->series[i], series) &&
            chart->series[i]->colour == colour)
            return true;
    }
    return false;
}

void prfdata_viewer_change_colour(prfdata_viewer *viewer, uint32_t position)
{
    prfdata_chart_series *series = find_line(viewer, position);

    if (!series)
        return;
    do
        series->colour = (series->colour + 1) % PRFDATA_CHART_SERIES;
    /* The loop ends, because there are more colours than other lines. */
    while (is_colour_taken(&viewer->chart, series, series->colour));
    series->has_own_colour = true;
    prfdata_viewer_report(viewer, PRFDATA_VIEWER_CHART);
}

void prfdata_viewer_cap(prfdata_viewer *viewer, bool is_capped)
{
    if (viewer->chart.is_capped == is_capped)
        return;
    viewer->chart.is_capped = viewer->table.is_capped = is_capped;
    prfdata_viewer_fill_lines(viewer, 0);
    prfdata_viewer_report(viewer,
                          prfdata_viewer_update_table(viewer, false) | PRFDATA_VIEWER_CHART);
}

void prfdata_viewer_toggle_bands(prfdata_viewer *viewer)
{
    viewer->chart.hides_bands = !viewer->chart.hides_bands;
    prfdata_viewer_report(viewer, PRFDATA_VIEWER_CHART);
}

void prfdata_viewer_note_lines(prfdata_viewer *viewer)
{
    for (uint32_t i = 0; i < viewer->chart.series_count; i++) {
        const prfdata_chart_series *series = viewer->chart.series[i];
        const prfdata_line_note note = {series->path, series->is_hidden,
                                        series->stack != series->home, series->is_log,
                                        series->colour};

        if (note.is_hidden || note.is_apart || note.is_log || series->has_own_colour)
            prfdata_line_notes_set(&viewer->line_notes, &note);
        else
            prfdata_line_notes_forget(&viewer->line_notes, note.path);
    }
}

void prfdata_viewer_apply_note(prfdata_viewer *viewer, uint32_t position)
{
    prfdata_chart_series *series = viewer->chart.series[position];
    const prfdata_line_note *note = prfdata_line_notes_find(&viewer->line_notes, series->path);

    if (!note)
        return;
    series->is_hidden = note->is_hidden;
    series->is_log = note->is_log;
    if (note->is_apart)
        set_apart(viewer, series);
    if (note->colour < PRFDATA_CHART_SERIES &&
        !is_colour_taken(&viewer->chart, series, note->colour)) {
        series->has_own_colour = series->has_own_colour || note->colour != series->colour;
        series->colour = note->colour;
    }
}

bool prfdata_viewer_is_old(const prfdata_viewer *viewer, int64_t age_ms)
{
    return viewer->is_live && age_ms > 2 * (int64_t)viewer->interval_ms;
}

void prfdata_viewer_pause(prfdata_viewer *viewer, bool is_paused)
{
    viewer->is_paused = is_paused;
    viewer->wished = 0;
    viewer->leaves_gap = viewer->leaves_gap || is_paused;
}

bool prfdata_viewer_takes_next(prfdata_viewer *viewer, uint32_t worker)
{
    const uint32_t bit = UINT32_C(1) << worker;
    const bool is_wished = (viewer->wished & bit) != 0;

    viewer->wished &= ~bit;
    return !viewer->is_paused || is_wished;
}

void prfdata_viewer_wish(prfdata_viewer *viewer)
{
    viewer->wished = UINT32_MAX;
}

void prfdata_viewer_pass_sample(prfdata_viewer *viewer)
{
    viewer->failed.count = 0;
}
