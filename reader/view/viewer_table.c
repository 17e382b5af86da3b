/* SPDX-License-Identifier: MIT */
/* The table's object and what it shows; and the observer, who hears of all changes. */
#include "view/viewer.h"

#include <stdlib.h>
#include <string.h>

void prfdata_viewer_report(const prfdata_viewer *viewer, unsigned what)
{
    if (viewer->observer.changed && what != 0)
        viewer->observer.changed(viewer->observer.context, what);
}

void prfdata_viewer_say(const prfdata_viewer *viewer, prfdata_viewer_saying saying,
                        prfdata_text about)
{
    if (viewer->observer.said)
        viewer->observer.said(viewer->observer.context, saying, about);
}

bool prfdata_viewer_is_held(const prfdata_viewer *viewer)
{
    return viewer->is_paused || viewer->looks_back;
}

void prfdata_viewer_let_go(const prfdata_viewer *viewer)
{
    if (viewer->is_stale && !prfdata_viewer_is_held(viewer))
        prfdata_viewer_report(viewer, PRFDATA_VIEWER_STALE);
}

unsigned prfdata_viewer_select_waiting_row(prfdata_viewer *viewer)
{
    if (viewer->row.count == 0 || !prfdata_table_select(&viewer->table, viewer->row))
        return 0;
    prfdata_text_free(&viewer->row);
    (void)prfdata_table_arrange(&viewer->table);
    return PRFDATA_VIEWER_ROW;
}

unsigned prfdata_viewer_update_table(prfdata_viewer *viewer, bool is_next)
{
    const prfdata_sample *older;
    const prfdata_sample *newer;
    bool has_new_columns = false;

    prfdata_viewer_pair(viewer, viewer->table.object_title, &older, &newer);
    (void)prfdata_table_update(&viewer->table, older, newer, is_next, &has_new_columns);
    return PRFDATA_VIEWER_TABLE | (has_new_columns ? PRFDATA_VIEWER_COLUMNS : 0) |
           prfdata_viewer_select_waiting_row(viewer);
}

void prfdata_viewer_break_silence(prfdata_viewer *viewer, prfdata_node *object)
{
    if (!object || !object->is_silent)
        return;
    prfdata_tree_ask_again(&viewer->tree, object);
    if (viewer->observer.asks_again)
        viewer->observer.asks_again(viewer->observer.context, object->title);
}

void prfdata_viewer_choose_object(prfdata_viewer *viewer, uint32_t title)
{
    if (viewer->table.object_title == title)
        return;
    prfdata_viewer_report(viewer, PRFDATA_VIEWER_LEAVES);
    prfdata_viewer_break_silence(viewer, prfdata_tree_object(&viewer->tree, title));
    viewer->column = 0;
    prfdata_text_free(&viewer->row);
    prfdata_table_choose(&viewer->table, title);
    prfdata_viewer_report(viewer, prfdata_viewer_update_table(viewer, false) |
                                      PRFDATA_VIEWER_OBJECT | PRFDATA_VIEWER_COLUMNS |
                                      PRFDATA_VIEWER_WANTED);
}

void prfdata_viewer_describe(prfdata_viewer *viewer, prfdata_viewer_subject subject,
                             const prfdata_chart_key *about)
{
    if (!prfdata_text_copy(about->label, &viewer->about.label))
        return;
    viewer->about.object_title = about->object_title;
    viewer->about.counter_title = about->counter_title;
    viewer->subject = subject;
    prfdata_viewer_report(viewer, PRFDATA_VIEWER_DETAILS);
}
