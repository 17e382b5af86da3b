/* SPDX-License-Identifier: MIT */
/* Applies the thresholds of counters to table and chart, and keeps them in the workspace. */
#include "viewer/viewer.h"

#include <stdlib.h>
#include <string.h>

#define SETTING "threshold"

/* The form of numbers in a workspace, which is the same in every language. */
static const prfdata_number_style workspace_style = {'.', 0};

static void apply_thresholds(prfdata_viewer *viewer)
{
    viewer->table.thresholds = &viewer->thresholds;
    prfdata_table_apply_thresholds(&viewer->table);
    for (uint32_t i = 0; i < viewer->chart.series_count; i++)
        prfdata_viewer_apply_threshold(viewer, i);
    prfdata_viewer_report(viewer, PRFDATA_VIEWER_TABLE | PRFDATA_VIEWER_CHART);
}

void prfdata_viewer_apply_threshold(prfdata_viewer *viewer, uint32_t position)
{
    prfdata_chart_series *series = viewer->chart.series[position];

    series->threshold = prfdata_thresholds_find(
        &viewer->thresholds, prfdata_viewer_english_name(viewer, series->key.object_title),
        prfdata_viewer_english_name(viewer, series->key.counter_title));
}

bool prfdata_viewer_set_threshold(prfdata_viewer *viewer, uint32_t object, uint32_t counter,
                                  prfdata_text text)
{
    prfdata_condition condition = {PRFDATA_COMPARISON_NONE, 0};
    prfdata_text rest = prfdata_text_trimmed(text);

    if (rest.count > 0 &&
        (!prfdata_condition_take(&rest, viewer->style, &condition) || rest.count > 0))
        return false;
    prfdata_thresholds_set(&viewer->thresholds, prfdata_viewer_english_name(viewer, object),
                           prfdata_viewer_english_name(viewer, counter), condition);
    apply_thresholds(viewer);
    return true;
}

void prfdata_viewer_put_threshold(prfdata_viewer *viewer, uint32_t object, uint32_t counter,
                                  prfdata_output *output)
{
    const size_t begin = output->used;
    const prfdata_condition condition =
        prfdata_thresholds_find(&viewer->thresholds, prfdata_viewer_english_name(viewer, object),
                                prfdata_viewer_english_name(viewer, counter));

    prfdata_condition_put(&condition, prfdata_viewer_is_hex(viewer, object, counter), output);
    for (size_t i = begin; i < output->used && !output->failed; i++) {
        if (output->bytes[i] == '.' && viewer->style.decimal < 0x80)
            output->bytes[i] = (char)viewer->style.decimal;
    }
}

void prfdata_viewer_put_thresholds(const prfdata_viewer *viewer, prfdata_workspace *workspace)
{
    for (size_t i = 0; i < viewer->thresholds.count; i++) {
        const prfdata_threshold *threshold = &viewer->thresholds.items[i];
        prfdata_output prefix = {0};

        prfdata_condition_put(&threshold->condition, false, &prefix);
        prfdata_output_put_string(&prefix, " \\");
        prfdata_output_put_text(&prefix, threshold->object);
        prfdata_output_put_string(&prefix, "\\");
        prfdata_output_put(&prefix, "", 1);
        if (!prefix.failed)
            prfdata_workspace_put_prefixed(workspace, SETTING, prefix.bytes, threshold->counter);
        prfdata_output_free(&prefix);
    }
}

static size_t find_char(prfdata_text text, uint16_t wanted, size_t from)
{
    while (from < text.count && text.chars[from] != wanted)
        from++;
    return from;
}

void prfdata_viewer_read_thresholds(prfdata_viewer *viewer, const prfdata_workspace *workspace)
{
    prfdata_text value;

    prfdata_thresholds_free(&viewer->thresholds);
    for (size_t i = 0; prfdata_workspace_get(workspace, SETTING, i, &value); i++) {
        const size_t object = find_char(value, '\\', 0);
        const size_t counter = find_char(value, '\\', object + 1);
        prfdata_text text = prfdata_text_trimmed(prfdata_text_part(value, 0, object));
        prfdata_condition condition;

        if (counter >= value.count || !prfdata_condition_take(&text, workspace_style, &condition) ||
            text.count > 0)
            continue;
        prfdata_thresholds_set(&viewer->thresholds, prfdata_text_part(value, object + 1, counter),
                               prfdata_text_part(value, counter + 1, value.count), condition);
    }
    apply_thresholds(viewer);
}
