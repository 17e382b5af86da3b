/* SPDX-License-Identifier: MIT */
/* Manages the object, the content, the filter and the noted order of the table. Also has the
 * functions by which all files of the viewer tell the observer about changes. */
#include "viewer/viewer.h"

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

unsigned prfdata_viewer_select_waiting_row(prfdata_viewer *viewer)
{
    if (viewer->row.count == 0 || !prfdata_table_select(&viewer->table, viewer->row))
        return 0;
    prfdata_text_free(&viewer->row);
    (void)prfdata_table_arrange(&viewer->table);
    return PRFDATA_VIEWER_ROW;
}

/* ---- The order ---- */

void prfdata_viewer_forget_order(prfdata_viewer *viewer)
{
    prfdata_text_free(&viewer->order.object);
    prfdata_text_free(&viewer->order.counter);
}

prfdata_text prfdata_viewer_english_name(const prfdata_viewer *viewer, uint32_t title)
{
    return prfdata_titles_name(&viewer->titles, PRFDATA_BY_ENGLISH, title);
}

void prfdata_viewer_note_order(prfdata_viewer *viewer)
{
    const prfdata_table *table = &viewer->table;
    const bool is_by_label = table->sort_column >= table->column_count;

    if (table->column_count == 0) /* the noted order waits until there are columns */
        return;
    prfdata_viewer_forget_order(viewer);
    viewer->order.is_by_label = is_by_label;
    viewer->order.is_descending = table->sorts_descending;
    if (!is_by_label)
        (void)prfdata_text_copy(table->columns[table->sort_column].name, &viewer->order.counter);
    (void)prfdata_text_copy(prfdata_viewer_english_name(viewer, table->object_title),
                            &viewer->order.object);
}

/* Apply the noted order, if it belongs to this object. If its counter no longer exists, the default
 * order stays. */
static void apply_order(prfdata_viewer *viewer)
{
    prfdata_table *table = &viewer->table;
    const prfdata_viewer_order *order = &viewer->order;
    uint32_t column = PRFDATA_TABLE_LABEL;

    if (order->object.count == 0 ||
        !prfdata_text_equal(order->object,
                            prfdata_viewer_english_name(viewer, table->object_title)))
        return;
    for (uint32_t i = 0; !order->is_by_label && i < table->column_count; i++) {
        if (prfdata_text_equal(table->columns[i].name, order->counter))
            column = i;
    }
    if (order->is_by_label || column != PRFDATA_TABLE_LABEL) {
        table->sort_column = column;
        table->sorts_descending = order->is_descending;
        (void)prfdata_table_arrange(table);
    }
    prfdata_viewer_forget_order(viewer);
}

void prfdata_viewer_put_order(prfdata_viewer *viewer, prfdata_workspace *workspace)
{
    const bool is_of_table = viewer->table.column_count > 0;

    prfdata_viewer_note_order(viewer);
    if (viewer->order.object.count > 0) {
        prfdata_workspace_put(workspace, "sort-object", viewer->order.object);
        if (!viewer->order.is_by_label)
            prfdata_workspace_put(workspace, "sort-counter", viewer->order.counter);
        prfdata_workspace_put_number(workspace, "sort-descending", viewer->order.is_descending);
    }
    if (is_of_table) /* the table has this order now, so it must not be applied again */
        prfdata_viewer_forget_order(viewer);
}

void prfdata_viewer_read_order(prfdata_viewer *viewer, const prfdata_workspace *workspace)
{
    prfdata_text object;
    prfdata_text counter = {NULL, 0};

    if (!prfdata_workspace_get(workspace, "sort-object", 0, &object))
        return;
    prfdata_viewer_forget_order(viewer);
    viewer->order.is_by_label = !prfdata_workspace_get(workspace, "sort-counter", 0, &counter);
    viewer->order.is_descending = prfdata_workspace_number(workspace, "sort-descending", 0) != 0;
    (void)prfdata_text_copy(counter, &viewer->order.counter);
    (void)prfdata_text_copy(object, &viewer->order.object);
    if (viewer->table.column_count == 0)
        return; /* the object has no columns yet */
    apply_order(viewer);
    prfdata_viewer_report(viewer, PRFDATA_VIEWER_TABLE | PRFDATA_VIEWER_COLUMNS);
}

/* ---- The search ---- */

prfdata_text prfdata_viewer_searched_text(const prfdata_viewer *viewer,
                                          prfdata_condition *condition)
{
    prfdata_condition unused;
    prfdata_text text = viewer->search;

    (void)prfdata_condition_take(&text, viewer->style, condition ? condition : &unused);
    return text;
}

void prfdata_viewer_follow_condition(prfdata_viewer *viewer)
{
    prfdata_table *table = &viewer->table;
    const uint32_t column = table->has_instances ? viewer->column : 0;

    if (table->condition.comparison == PRFDATA_COMPARISON_NONE || table->condition_column == column)
        return;
    table->condition_column = column;
    (void)prfdata_table_arrange(table);
    prfdata_viewer_report(viewer, PRFDATA_VIEWER_TABLE);
}

void prfdata_viewer_filter_table(prfdata_viewer *viewer)
{
    prfdata_table *table = &viewer->table;
    prfdata_condition condition;
    const prfdata_text text = prfdata_viewer_searched_text(viewer, &condition);

    table->condition = (prfdata_condition){PRFDATA_COMPARISON_NONE, 0};
    (void)prfdata_table_set_filter(table, text);
    (void)prfdata_table_arrange(table);
    if (text.count > 0 && table->shown_count == 0)
        (void)prfdata_table_set_filter(table, (prfdata_text){0});
    table->condition = condition;
    table->condition_column = table->has_instances ? viewer->column : 0;
    (void)prfdata_table_arrange(table);
}

/* ---- The object ---- */

/*
 * Let actions continue to apply to the same counter, even if its column has moved. If the counter
 * no longer exists, let them apply to the first column.
 */
static void follow_column(prfdata_viewer *viewer, uint32_t counter)
{
    const prfdata_table *table = &viewer->table;

    viewer->column = 0;
    for (uint32_t i = 0; i < table->column_count; i++) {
        if (table->columns[i].counter_title == counter)
            viewer->column = i;
    }
}

unsigned prfdata_viewer_update_table(prfdata_viewer *viewer, bool is_next)
{
    const prfdata_table *table = &viewer->table;
    const uint32_t counter =
        viewer->column < table->column_count ? table->columns[viewer->column].counter_title : 0;
    const prfdata_sample *older;
    const prfdata_sample *newer;
    bool has_new_columns = false;

    prfdata_viewer_pair(viewer, table->object_title, &older, &newer);
    (void)prfdata_table_update(&viewer->table, older, newer, is_next, &has_new_columns);
    if (has_new_columns) {
        follow_column(viewer, counter);
        apply_order(viewer);
        prfdata_viewer_filter_table(viewer);
    }
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
    (void)prfdata_text_copy(prfdata_viewer_english_name(viewer, title), &viewer->wanted);
    prfdata_viewer_show_object(viewer, title);
}

void prfdata_viewer_show_object(prfdata_viewer *viewer, uint32_t title)
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
