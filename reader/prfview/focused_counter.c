/* SPDX-License-Identifier: MIT */
/* Finds the counter that a command applies to. */
#include "prfview/focused_counter.h"

bool prfdata_focused_counter_find(const prfdata_app *app, prfdata_chart_key *key)
{
    HWND focus = GetFocus();
    const uint32_t line = prfdata_legend_pane_selected(&app->legend);
    prfdata_node *node = prfdata_tree_pane_selected(&app->tree);

    if (focus == app->parts[PRFDATA_APP_LEGEND] && line < PRFDATA_CHART_SERIES) {
        *key = app->viewer.chart.series[line]->key;
        return true;
    }
    if (focus != app->parts[PRFDATA_APP_TABLE] && node && node->kind == PRFDATA_NODE_COUNTER) {
        *key = (prfdata_chart_key){prfdata_node_object(node)->title, node->title,
                                   prfdata_node_label(node)};
        return true;
    }
    key->object_title = app->viewer.table.object_title;
    return prfdata_table_pane_counter(&app->table, &key->counter_title, &key->label);
}
