/* SPDX-License-Identifier: MIT */
/* Makes the rows of the legend: lines, and names without a line. Tells why a row has no values, and
 * removes rows. */
#include "viewer/viewer.h"

uint32_t prfdata_viewer_row_count(const prfdata_viewer *viewer)
{
    return viewer->chart.series_count + (uint32_t)viewer->name_count;
}

prfdata_text prfdata_viewer_row_path(const prfdata_viewer *viewer, uint32_t row)
{
    const uint32_t lines = viewer->chart.series_count;

    return row < lines ? viewer->chart.series[row]->path : viewer->names[row - lines];
}

/* Return why an object has no values; PRFDATA_VIEWER_PRESENT: no problem is known. */
static prfdata_viewer_absence absence_of_object(const prfdata_viewer *viewer, uint32_t title,
                                                prfdata_text *note)
{
    const prfdata_node *node =
        viewer->has_titles ? prfdata_tree_object(&viewer->tree, title) : NULL;

    if (!node)
        return prfdata_title_is_gone(title) ? PRFDATA_VIEWER_NO_OBJECT : PRFDATA_VIEWER_PRESENT;
    *note = node->note;
    if (node->is_silent)
        return PRFDATA_VIEWER_SILENT;
    return node->is_gone ? PRFDATA_VIEWER_NO_OBJECT : PRFDATA_VIEWER_PRESENT;
}

static prfdata_viewer_absence absence_of_line(const prfdata_chart_series *series)
{
    switch (series->status) {
    case PRFDATA_STATUS_NO_OBJECT:
        return PRFDATA_VIEWER_NO_OBJECT;
    case PRFDATA_STATUS_NO_COUNTER:
        return PRFDATA_VIEWER_NO_COUNTER;
    case PRFDATA_STATUS_NO_INSTANCE:
        return PRFDATA_VIEWER_NO_INSTANCE;
    default:
        return PRFDATA_VIEWER_PRESENT;
    }
}

static prfdata_viewer_absence absence_of_name(const prfdata_viewer *viewer, size_t at,
                                              prfdata_text *note)
{
    const uint32_t title = prfdata_viewer_object_of_name(viewer, viewer->names[at]);
    const prfdata_viewer_absence absence = absence_of_object(viewer, title, note);

    if (!viewer->has_titles)
        return PRFDATA_VIEWER_AWAITED;
    if (title == 0)
        return PRFDATA_VIEWER_UNKNOWN;
    if (absence != PRFDATA_VIEWER_PRESENT)
        return absence;
    return prfdata_viewer_is_name_missing(viewer, at) ? PRFDATA_VIEWER_UNKNOWN
                                                      : PRFDATA_VIEWER_AWAITED;
}

prfdata_viewer_absence prfdata_viewer_row_absence(const prfdata_viewer *viewer, uint32_t row,
                                                  prfdata_text *note)
{
    const uint32_t lines = viewer->chart.series_count;
    const prfdata_chart_series *series = row < lines ? viewer->chart.series[row] : NULL;
    prfdata_viewer_absence absence;

    *note = (prfdata_text){0};
    if (!series)
        return absence_of_name(viewer, row - lines, note);
    absence = absence_of_object(viewer, series->key.object_title, note);
    return absence != PRFDATA_VIEWER_PRESENT ? absence : absence_of_line(series);
}

static void remove_with_note(prfdata_viewer *viewer, uint32_t position)
{
    prfdata_viewer_forget_pattern(viewer, viewer->chart.series[position]->pattern);
    prfdata_line_notes_forget(&viewer->line_notes, viewer->chart.series[position]->path);
    prfdata_chart_remove(&viewer->chart, position);
}

void prfdata_viewer_remove_line(prfdata_viewer *viewer, uint32_t position)
{
    const uint32_t lines = viewer->chart.series_count;

    if (position >= prfdata_viewer_row_count(viewer))
        return;
    if (position < lines)
        remove_with_note(viewer, position);
    else
        prfdata_viewer_remove_name(viewer, position - lines);
    prfdata_viewer_report(viewer, PRFDATA_VIEWER_CHART | PRFDATA_VIEWER_WANTED);
}

void prfdata_viewer_remove_lines(prfdata_viewer *viewer)
{
    while (viewer->chart.series_count > 0)
        remove_with_note(viewer, viewer->chart.series_count - 1);
    prfdata_viewer_forget_names(viewer);
    prfdata_viewer_report(viewer, PRFDATA_VIEWER_CHART | PRFDATA_VIEWER_WANTED);
}
