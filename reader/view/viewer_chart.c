/* SPDX-License-Identifier: MIT */
/* What the user does with the chart: its lines, their panes, the time that is looked at. */
#include "view/viewer.h"

#include <stdint.h>

/* The first of the panes of single lines; those of counters have numbers from 0. */
#define OWN_STACKS 0x80000000u

/* ---- Lines ---- */

static prfdata_series *find_line(prfdata_viewer *viewer, uint32_t position)
{
    return position < viewer->chart.series_count ? viewer->chart.series[position] : NULL;
}

void prfdata_viewer_remove_line(prfdata_viewer *viewer, uint32_t position)
{
    if (!find_line(viewer, position))
        return;
    prfdata_chart_remove(&viewer->chart, position);
    prfdata_viewer_report(viewer, PRFDATA_VIEWER_CHART | PRFDATA_VIEWER_WANTED);
}

void prfdata_viewer_remove_lines(prfdata_viewer *viewer)
{
    while (viewer->chart.series_count > 0)
        prfdata_chart_remove(&viewer->chart, viewer->chart.series_count - 1);
    prfdata_viewer_report(viewer, PRFDATA_VIEWER_CHART | PRFDATA_VIEWER_WANTED);
}

void prfdata_viewer_hide_line(prfdata_viewer *viewer, uint32_t position, bool is_hidden)
{
    prfdata_series *series = find_line(viewer, position);

    if (!series || series->is_hidden == is_hidden)
        return;
    series->is_hidden = is_hidden;
    prfdata_viewer_report(viewer, PRFDATA_VIEWER_CHART);
}

void prfdata_viewer_choose_line(prfdata_viewer *viewer, uint32_t position)
{
    const prfdata_series *chosen = find_line(viewer, position);

    for (uint32_t i = 0; i < viewer->chart.series_count; i++)
        viewer->chart.series[i]->is_wide = i == position;
    if (chosen)
        prfdata_viewer_describe(viewer, PRFDATA_VIEWER_COUNTER, &chosen->key);
    prfdata_viewer_report(viewer, PRFDATA_VIEWER_CHART);
}

void prfdata_viewer_toggle_own_pane(prfdata_viewer *viewer, uint32_t position)
{
    prfdata_series *series = find_line(viewer, position);

    if (!series)
        return;
    if (series->stack == series->home)
        series->stack = OWN_STACKS + viewer->own_panes++;
    else
        series->stack = series->home;
    prfdata_viewer_report(viewer, PRFDATA_VIEWER_CHART);
}

void prfdata_viewer_toggle_bands(prfdata_viewer *viewer)
{
    viewer->chart.hides_bands = !viewer->chart.hides_bands;
    prfdata_viewer_report(viewer, PRFDATA_VIEWER_CHART);
}

bool prfdata_viewer_is_old(const prfdata_viewer *viewer, int64_t age_ms, uint32_t interval_ms)
{
    return viewer->is_live && age_ms > 2 * (int64_t)interval_ms;
}

/* ---- Time ---- */

void prfdata_viewer_pause(prfdata_viewer *viewer, bool is_paused)
{
    viewer->is_paused = is_paused;
    viewer->leaves_gap = viewer->leaves_gap || is_paused;
    prfdata_viewer_let_go(viewer);
}

void prfdata_viewer_zoom(prfdata_viewer *viewer, bool is_in)
{
    prfdata_chart *chart = &viewer->chart;
    const int64_t end_ms = prfdata_chart_end_ms(chart);

    prfdata_chart_zoom(chart, is_in ? 0.5 : 2,
                       chart->follows ? end_ms : end_ms - chart->span_ms / 2);
    prfdata_viewer_report(viewer, PRFDATA_VIEWER_CHART);
}

void prfdata_viewer_turn(prfdata_viewer *viewer, int by)
{
    prfdata_chart_scroll(&viewer->chart, by * viewer->chart.span_ms / 2);
    prfdata_viewer_report(viewer, PRFDATA_VIEWER_CHART);
}
