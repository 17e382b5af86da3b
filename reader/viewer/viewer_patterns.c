/* SPDX-License-Identifier: MIT */
/* Keeps the list of patterns: paths with a *, whose lines follow the instances. viewer_follow.c
 * updates the lines. */
#include "viewer/viewer.h"

#include <string.h>

bool prfdata_viewer_is_pattern(prfdata_text path)
{
    for (size_t i = 0; i < path.count; i++) {
        if (path.chars[i] == '*')
            return path.chars[0] == '\\';
    }
    return false;
}

uint32_t prfdata_viewer_add_pattern(prfdata_viewer *viewer, prfdata_text path)
{
    prfdata_viewer_pattern *pattern;

    for (uint32_t i = 0; i < viewer->pattern_count; i++) {
        if (prfdata_text_equal(viewer->patterns[i].path, path))
            return viewer->patterns[i].id;
    }
    if (viewer->pattern_count == PRFDATA_CHART_SERIES)
        return 0;
    pattern = &viewer->patterns[viewer->pattern_count];
    *pattern = (prfdata_viewer_pattern){.is_early = true};
    if (!prfdata_text_copy(path, &pattern->path))
        return 0;
    pattern->id = ++viewer->pattern_ids;
    viewer->pattern_count++;
    return pattern->id;
}

static void remove_pattern(prfdata_viewer *viewer, uint32_t at)
{
    prfdata_text_free(&viewer->patterns[at].path);
    viewer->pattern_count--;
    memmove(&viewer->patterns[at], &viewer->patterns[at + 1],
            (viewer->pattern_count - at) * sizeof viewer->patterns[0]);
}

void prfdata_viewer_forget_pattern(prfdata_viewer *viewer, uint32_t id)
{
    for (uint32_t i = 0; id != 0 && i < viewer->pattern_count; i++) {
        if (viewer->patterns[i].id == id) {
            remove_pattern(viewer, i);
            break;
        }
    }
    for (uint32_t i = 0; i < viewer->chart.series_count; i++) {
        if (viewer->chart.series[i]->pattern == id)
            viewer->chart.series[i]->pattern = 0;
    }
}

void prfdata_viewer_forget_patterns(prfdata_viewer *viewer)
{
    while (viewer->pattern_count > 0)
        prfdata_viewer_forget_pattern(viewer, viewer->patterns[0].id);
}

uint32_t prfdata_viewer_hidden_count(const prfdata_viewer *viewer)
{
    uint32_t count = 0;

    for (uint32_t i = 0; i < viewer->pattern_count; i++)
        count += viewer->patterns[i].hidden_count;
    return count;
}

uint32_t prfdata_viewer_path_count(const prfdata_viewer *viewer)
{
    return viewer->pattern_count + viewer->chart.series_count;
}

prfdata_text prfdata_viewer_path(const prfdata_viewer *viewer, uint32_t at)
{
    if (at < viewer->pattern_count)
        return viewer->patterns[at].path;
    at -= viewer->pattern_count;
    return viewer->chart.series[at]->pattern == 0 ? viewer->chart.series[at]->path
                                                  : (prfdata_text){0};
}
