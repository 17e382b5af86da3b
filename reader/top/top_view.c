/* SPDX-License-Identifier: MIT */
/*
 * Manages the tables `list` and `table` of the live view (top_view.h). top_rows.c makes the rows of
 * `list`, and prfdata_table_update() those of `table`. This file hides the rows and columns of
 * `table` of which `list` shows nothing.
 */
#include "top/top_view.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <prfdata/error.h>

#include "top/top_rows.h"

const prfdata_number_style prfdata_top_view_style = {'.', ','};

void prfdata_top_view_init(prfdata_top_view *view, const prfdata_titles *titles, bool is_capped)
{
    memset(view, 0, sizeof *view);
    prfdata_table_init(&view->list, titles);
    view->list.row_bytes = sizeof(prfdata_top_row);
    view->list.column_count = PRFDATA_TOP_CELLS;
    view->list.condition_column = PRFDATA_TOP_VALUE;
    prfdata_table_init(&view->table, titles);
    view->table.row_bytes = sizeof(prfdata_top_instance);
    view->list.thresholds = view->table.thresholds = &view->thresholds;
    view->table.is_capped = view->source.is_capped = is_capped;
    view->interval_ms = 1000;
}

void prfdata_top_view_free(prfdata_top_view *view)
{
    prfdata_table_free(&view->list);
    prfdata_table_free(&view->table);
    prfdata_thresholds_free(&view->thresholds);
    free(view->path);
    prfdata_cell_source_free(&view->source);
    prfdata_top_view_init(view, view->list.titles, view->source.is_capped);
}

prfdata_table *prfdata_top_view_shown(prfdata_top_view *view)
{
    return view->is_table ? &view->table : &view->list;
}

bool prfdata_top_view_is_by_value(const prfdata_top_view *view)
{
    const uint32_t column = (view->is_table ? &view->table : &view->list)->sort_column;

    return column != PRFDATA_TABLE_LABEL && (view->is_table || column != PRFDATA_TOP_ORDER);
}

static prfdata_text english_name(const prfdata_top_view *view, uint32_t title)
{
    return prfdata_titles_name(view->list.titles, PRFDATA_BY_ENGLISH, title);
}

prfdata_condition prfdata_top_view_threshold(const prfdata_top_view *view, uint32_t object_title,
                                             uint32_t counter_title)
{
    return prfdata_thresholds_find(&view->thresholds, english_name(view, object_title),
                                   english_name(view, counter_title));
}

void prfdata_top_view_set_threshold(prfdata_top_view *view, uint32_t object_title,
                                    uint32_t counter_title, prfdata_condition condition)
{
    prfdata_thresholds_set(&view->thresholds, english_name(view, object_title),
                           english_name(view, counter_title), condition);
    prfdata_table_apply_thresholds(&view->list);
    prfdata_table_apply_thresholds(&view->table);
}

float prfdata_top_view_past(const prfdata_top_view *view, const prfdata_top_row *row, uint32_t age)
{
    return row->history[(view->history_at + PRFDATA_TOP_HISTORY - age) % PRFDATA_TOP_HISTORY];
}

/* ---- The table's object ---- */

/* Show another object in the table; `title` 0: show none. A table that was sorted by label stays
 * sorted by label. Any other table is sorted by its first column. */
static void choose_object(prfdata_top_view *view, uint32_t title)
{
    const bool by_label = view->table.sort_column == PRFDATA_TABLE_LABEL;
    const bool is_descending = view->table.sorts_descending;

    prfdata_table_choose(&view->table, title);
    view->table.sort_column = by_label ? PRFDATA_TABLE_LABEL : 0;
    view->table.sorts_descending = is_descending;
    view->column = view->first_column = view->selected = view->first = 0;
}

void prfdata_top_view_forget_rows(prfdata_top_view *view)
{
    prfdata_table_clear(&view->list);
    choose_object(view, 0);
    view->cut_count = 0;
    view->object = (prfdata_text){NULL, 0};
    prfdata_cell_source_free(&view->source);
    view->source = (prfdata_cell_source){.is_capped = view->source.is_capped};
    if (view->page == PRFDATA_TOP_PAGE_DETAILS)
        view->page = PRFDATA_TOP_PAGE_ROWS;
    if (view->editing == PRFDATA_TOP_EDITS_THRESHOLD)
        view->editing = PRFDATA_TOP_COMMANDS;
}

static bool lists_object(const prfdata_top_view *view, uint32_t title)
{
    for (uint32_t i = 0; i < view->list.row_count; i++) {
        if (view->list.rows[i]->counter_title != 0 && view->list.rows[i]->object_title == title)
            return true;
    }
    return false;
}

static uint32_t next_listed_object(const prfdata_top_view *view)
{
    const prfdata_sample *sample = view->source.newer;
    const prfdata_sample_object *now =
        sample ? prfdata_sample_find_object(sample, view->table.object_title) : NULL;
    const uint32_t begin = now ? (uint32_t)(now - sample->objects) + 1 : 0;

    for (uint32_t i = 0; sample && i < sample->object_count; i++) {
        const prfdata_sample_object *object = &sample->objects[(begin + i) % sample->object_count];
        const uint32_t title = object->wire.header.object_name_title_index;

        if (lists_object(view, title))
            return title;
    }
    return 0;
}

static void update_table(prfdata_top_view *view, bool is_next)
{
    bool columns;

    if (prfdata_table_update(&view->table, view->source.older, view->source.newer, is_next,
                             &columns) != ERROR_SUCCESS)
        view->status = ERROR_NOT_ENOUGH_MEMORY;
}

void prfdata_top_view_next_object(prfdata_top_view *view)
{
    choose_object(view, next_listed_object(view));
    update_table(view, false);
}

/* ---- Rows and columns that the list shows ---- */

static bool is_of_table(const prfdata_top_view *view, const prfdata_table_row *row)
{
    return row->counter_title != 0 && row->object_title == view->table.object_title;
}

/* Return the table's row for a row of the list; NULL: the table has none. */
static prfdata_top_instance *row_in_table(const prfdata_top_view *view, const prfdata_top_row *row)
{
    uint16_t digits[12];
    prfdata_table_key key = {row->label, 0, 0};

    if (!view->table.has_instances) {
        key.counter_title = row->base.counter_title;
        key.label =
            prfdata_titles_name_or_index(view->table.titles, row->base.counter_title, digits);
    }
    return (prfdata_top_instance *)prfdata_table_find(&view->table, &key);
}

/* Hide all rows and columns of the table, and clear its pointers to rows of the list, because rows
 * of the list may be removed. */
static void hide_table(prfdata_top_view *view)
{
    const prfdata_table *table = &view->table;

    view->object = (prfdata_text){NULL, 0};
    for (uint32_t i = 0; i < table->column_count; i++) {
        table->columns[i].is_hidden = true;
        table->columns[i].name = (prfdata_text){NULL, 0};
    }
    for (uint32_t i = 0; i < table->row_count; i++) {
        table->rows[i]->is_hidden = true;
        ((prfdata_top_instance *)table->rows[i])->counter = NULL;
    }
}

/* Show the counter's column under the name that the counter has in the list. */
static void show_column(prfdata_top_view *view, const prfdata_top_row *row)
{
    for (uint32_t i = 0; i < view->table.column_count; i++) {
        prfdata_table_column *column = &view->table.columns[i];

        if (column->counter_title != row->base.counter_title && view->table.has_instances)
            continue;
        column->is_hidden = false;
        column->name = row->counter;
    }
    view->object = row->object;
}

static void select_column(prfdata_top_view *view, uint32_t column)
{
    view->column = column;
    if (view->table.sort_column != PRFDATA_TABLE_LABEL)
        view->table.sort_column = column;
}

/*
 * Show the columns of the counters that the list shows. If this hides the selected column, select
 * the first visible column.
 */
static void choose_columns(prfdata_top_view *view)
{
    prfdata_table *table = &view->table;
    uint32_t first = 0;

    for (uint32_t i = 0; i < view->list.shown_count; i++) {
        if (is_of_table(view, view->list.shown[i]))
            show_column(view, (const prfdata_top_row *)view->list.shown[i]);
    }
    if (table->sort_column < table->column_count) /* table.c moves sort_column with its counter */
        view->column = table->sort_column;
    while (first < table->column_count && table->columns[first].is_hidden)
        first++;
    if (view->column >= table->column_count || table->columns[view->column].is_hidden)
        select_column(view, first);
}

/*
 * Show the instances that have a row in the list. If an instance has the focus, its row in the
 * list gets the focus too, so that the list and the table keep showing an instance that has ended.
 */
static void choose_instances(prfdata_top_view *view)
{
    const prfdata_table *table = &view->table;
    const uint32_t selected =
        view->column < table->column_count ? table->columns[view->column].counter_title : 0;

    for (uint32_t i = 0; i < view->list.shown_count; i++) {
        prfdata_top_row *row = (prfdata_top_row *)view->list.shown[i];
        prfdata_top_instance *instance =
            is_of_table(view, &row->base) ? row_in_table(view, row) : NULL;

        row->base.is_focused = false;
        if (!instance)
            continue;
        instance->base.is_hidden = false;
        if (table->has_instances && row->base.counter_title != selected)
            continue;
        instance->counter = row;
        row->base.is_focused = instance->base.is_focused;
    }
}

void prfdata_top_view_move_column(prfdata_top_view *view, int step)
{
    const uint32_t count = view->table.column_count;
    uint32_t column = view->column;

    if (!view->is_table)
        return;
    do /* a position below 0 wraps and becomes too large */
        column += (uint32_t)step;
    while (column < count && view->table.columns[column].is_hidden);
    if (column < count)
        select_column(view, column);
}

/* ---- The selection ---- */

void prfdata_top_view_select(prfdata_top_view *view, uint32_t position)
{
    prfdata_table *table = prfdata_top_view_shown(view);
    const uint32_t last = table->shown_count > 0 ? table->shown_count - 1 : 0;

    view->selected = position < last ? position : last;
    for (uint32_t i = 0; i < table->row_count; i++)
        table->rows[i]->is_focused = false;
    if (view->selected > 0)
        table->shown[view->selected]->is_focused = true;
}

prfdata_top_row *prfdata_top_view_counter(prfdata_top_view *view)
{
    const prfdata_table *table = prfdata_top_view_shown(view);

    if (view->selected >= table->shown_count)
        return NULL;
    return view->is_table ? ((prfdata_top_instance *)table->shown[view->selected])->counter
                          : (prfdata_top_row *)table->shown[view->selected];
}

static void find_selected(prfdata_top_view *view)
{
    const prfdata_table *table = prfdata_top_view_shown(view);
    uint32_t at = 0;

    while (at < table->shown_count && !table->shown[at]->is_focused)
        at++;
    if (at < table->shown_count)
        view->selected = at;
    else
        prfdata_top_view_select(view, view->selected);
}

/* Hide the rows beyond the limit. If the row with the focus would be hidden, it replaces the last
 * row within the limit. */
static void limit_rows(prfdata_top_view *view)
{
    prfdata_table *table = prfdata_top_view_shown(view);

    view->cut_count = 0;
    if (view->limit == 0 || table->shown_count <= view->limit)
        return;
    view->cut_count = table->shown_count - view->limit;
    for (uint32_t i = view->limit; i < table->shown_count; i++) {
        if (table->shown[i]->is_focused)
            table->shown[view->limit - 1] = table->shown[i];
    }
    table->shown_count = view->limit;
}

uint32_t prfdata_top_view_arrange(prfdata_top_view *view)
{
    if (view->is_table && !lists_object(view, view->table.object_title))
        prfdata_top_view_next_object(view);
    hide_table(view);
    if (!prfdata_table_arrange(&view->list))
        return ERROR_NOT_ENOUGH_MEMORY;
    if (view->is_table) {
        choose_columns(view);
        choose_instances(view);
        if (!prfdata_table_arrange(&view->table))
            return ERROR_NOT_ENOUGH_MEMORY;
    }
    limit_rows(view);
    view->has_levels = false;
    for (uint32_t i = 0; i < view->list.shown_count && !view->has_levels; i++)
        view->has_levels = ((const prfdata_top_row *)view->list.shown[i])->is_level;
    find_selected(view);
    return ERROR_SUCCESS;
}

/* ---- Samples ---- */

void prfdata_top_view_begin(prfdata_top_view *view, const prfdata_sample *older,
                            const prfdata_sample *newer)
{
    prfdata_cell_source_free(&view->source);
    view->source =
        (prfdata_cell_source){.older = older, .newer = newer, .is_capped = view->source.is_capped};
    view->added_count = 0;
    view->status = ERROR_SUCCESS;
    view->history_at = (view->history_at + 1) % PRFDATA_TOP_HISTORY;
    prfdata_table_begin(&view->list);
}

void prfdata_top_view_note_gap(prfdata_top_view *view)
{
    view->history_at = (view->history_at + 1) % PRFDATA_TOP_HISTORY;
    for (uint32_t i = 0; i < view->list.row_count; i++)
        ((prfdata_top_row *)view->list.rows[i])->history[view->history_at] = NAN;
}

/* Add a row for each instance that the path asks for. Returns whether there are any. */
static bool add_instances(prfdata_top_view *view, prfdata_resolver *match)
{
    const prfdata_sample_object *object = match->object;
    prfdata_top_counter counter;
    bool is_any = false;
    uint32_t found;

    prfdata_top_rows_begin(view, match, &counter);
    if (prfdata_resolver_names_one(match->path, object, &found)) {
        if (found == PRFDATA_RESOLVER_NO_POSITION)
            return false;
        match->instance = &object->instances[object->found[found]];
        prfdata_top_rows_add(view, match, &counter);
        return true;
    }
    for (uint32_t i = 0; i < object->instance_count; i++) {
        match->instance = &object->instances[i];
        if (!prfdata_resolver_wants_instance(match->path, object, match->instance))
            continue;
        prfdata_top_rows_add(view, match, &counter);
        is_any = true;
    }
    return is_any;
}

void prfdata_top_view_add(prfdata_top_view *view, const prfdata_resolver_path *path)
{
    prfdata_resolver match;
    bool is_any = false;

    prfdata_resolver_begin(&match, path, view->list.titles, view->source.newer);
    while (prfdata_resolver_next_counter(&match))
        is_any = add_instances(view, &match) || is_any;
    if (!is_any)
        prfdata_top_rows_add_nothing(view, &match);
}

uint32_t prfdata_top_view_end(prfdata_top_view *view)
{
    uint32_t status;
    bool is_done;

    for (uint32_t i = 0; i < view->list.row_count; i++) {
        if (!view->list.rows[i]->life.is_present)
            prfdata_top_rows_miss(view, (prfdata_top_row *)view->list.rows[i]);
    }
    is_done = prfdata_table_follow(&view->list, true);
    update_table(view, true);
    status = prfdata_top_view_arrange(view);
    return view->status == ERROR_SUCCESS && is_done ? status : ERROR_NOT_ENOUGH_MEMORY;
}
