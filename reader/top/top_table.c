/* SPDX-License-Identifier: MIT */
/* Objects, columns and instances of the table; top_order.c puts the instances in order. */
#include "top/top_table.h"

#include <stdlib.h>

#include "core/array.h"
#include "top/top_filter.h"
#include "top/top_rows.h"

/* ---- Objects ---- */

/* The row that comes first of an object; of all objects with `title` 0. NULL: there is none. */
static const prfdata_top_row *first_row_of_object(const prfdata_top_view *view, uint32_t title)
{
    const prfdata_top_row *first = NULL;

    for (uint32_t i = 0; i < view->row_count; i++) {
        const prfdata_top_row *row = view->rows[i];

        if (row->counter_title != 0 && (title == 0 || row->object_title == title) &&
            (!first || row->order < first->order))
            first = row;
    }
    return first;
}

/* Whether an object's first row comes after another row. */
static bool comes_after(const prfdata_top_view *view, const prfdata_top_row *row,
                        const prfdata_top_row *other)
{
    return first_row_of_object(view, row->object_title)->order > other->order;
}

void prfdata_top_table_next_object(prfdata_top_view *view)
{
    const prfdata_top_row *now = first_row_of_object(view, view->table_object);
    const prfdata_top_row *next = NULL;

    for (uint32_t i = 0; now && i < view->row_count; i++) {
        const prfdata_top_row *row = view->rows[i];

        if (row->counter_title == 0 || row->order <= now->order ||
            row->object_title == now->object_title || (next && row->order >= next->order))
            continue;
        if (comes_after(view, row, now))
            next = row;
    }
    view->table_object = next ? next->object_title : 0; /* 0: the first one */
    view->column = 0;
    view->column_title = 0;
    view->first_column = 0;
    view->selected = 0;
    view->first = 0;
}

static void choose_object(prfdata_top_view *view)
{
    const prfdata_top_row *first = first_row_of_object(view, view->table_object);

    if (!first)
        first = first_row_of_object(view, 0);
    view->table_object = first ? first->object_title : 0;
    view->table_name = first ? first->object : (prfdata_text){NULL, 0};
    view->is_grid = first && first->has_instance;
}

/* ---- Columns ---- */

/* The position of a counter among the columns; their count if it is none. */
static size_t find_column_of_counter(const prfdata_top_view *view, uint32_t counter_title)
{
    size_t position = 0;

    while (position < view->column_count && view->columns[position].counter_title != counter_title)
        position++;
    return position;
}

static bool add_table_column(prfdata_top_view *view, const prfdata_top_row *row)
{
    const size_t position = find_column_of_counter(view, row->counter_title);
    prfdata_top_column *columns;

    if (position < view->column_count) {
        if (row->order < view->columns[position].order)
            view->columns[position].order = row->order;
        return true;
    }
    columns = prfdata_array_reserve(view->columns, &view->column_capacity, view->column_count + 1,
                                    sizeof *columns);
    if (!columns)
        return false;
    view->columns = columns;
    columns[view->column_count++] =
        (prfdata_top_column){row->counter_title, row->counter, row->order};
    return true;
}

static int compare_table_columns(const void *a, const void *b)
{
    const prfdata_top_column *left = a;
    const prfdata_top_column *right = b;

    return (left->order > right->order) - (left->order < right->order);
}

static void select_table_column(prfdata_top_view *view)
{
    size_t position = find_column_of_counter(view, view->column_title);

    if (position == view->column_count)
        position = view->column < view->column_count ? view->column : 0;
    view->column = (uint32_t)position;
    view->column_title = position < view->column_count ? view->columns[position].counter_title : 0;
}

bool prfdata_top_table_choose(prfdata_top_view *view)
{
    view->is_grid = false;
    view->column_count = 0;
    if (!view->is_table)
        return true;
    choose_object(view);
    for (uint32_t i = 0; view->is_grid && i < view->row_count; i++) {
        if (prfdata_top_filter_shows(view, view->rows[i]) && !add_table_column(view, view->rows[i]))
            return false;
    }
    if (view->column_count > 1)
        qsort(view->columns, view->column_count, sizeof *view->columns, compare_table_columns);
    select_table_column(view);
    return true;
}

void prfdata_top_table_move_column(prfdata_top_view *view, int step)
{
    const int64_t position = (int64_t)view->column + step;
    const prfdata_top_row *cell = NULL;

    if (!view->is_grid || position < 0 || position >= (int64_t)view->column_count)
        return;
    view->column = (uint32_t)position;
    view->column_title = view->columns[position].counter_title;
    if (view->selected < view->shown_count) /* the instance stays selected */
        cell = prfdata_top_rows_cell(view, view->shown[view->selected], &view->columns[position]);
    if (cell)
        view->selected_number = cell->number;
}

/* ---- Instances ---- */

/* The row that represents an instance: of the selected column, else of the first that it has. */
static prfdata_top_row *representative_of(const prfdata_top_view *view, prfdata_top_row *row)
{
    prfdata_top_row *cell = NULL;

    if (row->counter_title == view->column_title)
        return row;
    if (view->column < view->column_count)
        cell = prfdata_top_rows_cell(view, row, &view->columns[view->column]);
    for (size_t i = 0; !cell && i < view->column_count; i++)
        cell = prfdata_top_rows_cell(view, row, &view->columns[i]);
    return cell ? cell : row;
}

void prfdata_top_table_collect(prfdata_top_view *view)
{
    view->mark++;
    for (uint32_t i = 0; i < view->row_count; i++) {
        prfdata_top_row *row;

        if (!prfdata_top_filter_shows(view, view->rows[i]))
            continue;
        row = representative_of(view, view->rows[i]);
        if (row->mark == view->mark)
            continue;
        row->mark = view->mark;
        view->shown[view->shown_count++] = row;
    }
}
