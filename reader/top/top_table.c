/* SPDX-License-Identifier: MIT */
/* Objects, columns and instances of the table, out of the list's rows that are shown. */
#include "top/top_table.h"

#include <stdlib.h>

#include "core/array.h"
#include "core/merge_sort.h"
#include "top/top_rows.h"

/* ---- Objects ---- */

static int64_t order_of(const prfdata_top_row *row)
{
    return row->base.cells[PRFDATA_TOP_ORDER].value.whole;
}

/* The row that comes first of an object; of all objects with `title` 0. NULL: there is none. */
static const prfdata_top_row *first_row_of_object(const prfdata_top_view *view, uint32_t title)
{
    const prfdata_top_row *first = NULL;

    for (uint32_t i = 0; i < view->table.row_count; i++) {
        const prfdata_top_row *row = (const prfdata_top_row *)view->table.rows[i];

        if (row->base.counter_title != 0 && (title == 0 || row->base.object_title == title) &&
            (!first || order_of(row) < order_of(first)))
            first = row;
    }
    return first;
}

/* Whether an object's first row comes after another row. */
static bool comes_after(const prfdata_top_view *view, const prfdata_top_row *row,
                        const prfdata_top_row *other)
{
    return order_of(first_row_of_object(view, row->base.object_title)) > order_of(other);
}

void prfdata_top_table_next_object(prfdata_top_view *view)
{
    const prfdata_top_row *now = first_row_of_object(view, view->table_object);
    const prfdata_top_row *next = NULL;

    for (uint32_t i = 0; now && i < view->table.row_count; i++) {
        const prfdata_top_row *row = (const prfdata_top_row *)view->table.rows[i];

        if (row->base.counter_title == 0 || order_of(row) <= order_of(now) ||
            row->base.object_title == now->base.object_title ||
            (next && order_of(row) >= order_of(next)))
            continue;
        if (comes_after(view, row, now))
            next = row;
    }
    view->table_object = next ? next->base.object_title : 0; /* 0: the first one */
    view->column = 0;
    view->column_title = 0;
    view->first_column = 0;
    view->selected = 0;
    view->first = 0;
}

/* Leave of what is shown what is of the object. */
static void choose_object(prfdata_top_view *view)
{
    const prfdata_top_row *first = first_row_of_object(view, view->table_object);
    uint32_t kept = 0;

    if (!first)
        first = first_row_of_object(view, 0);
    view->table_object = first ? first->base.object_title : 0;
    view->table_name = first ? first->object : (prfdata_text){NULL, 0};
    view->is_grid = first && first->has_instance;
    for (uint32_t i = 0; i < view->table.shown_count; i++) {
        if (view->table.shown[i]->object_title == view->table_object)
            view->table.shown[kept++] = view->table.shown[i];
    }
    view->table.shown_count = kept;
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
    const size_t position = find_column_of_counter(view, row->base.counter_title);
    prfdata_top_column *columns;

    if (position < view->column_count) {
        if (order_of(row) < view->columns[position].order)
            view->columns[position].order = order_of(row);
        return true;
    }
    columns = prfdata_array_reserve(view->columns, &view->column_capacity, view->column_count + 1,
                                    sizeof *columns);
    if (!columns)
        return false;
    view->columns = columns;
    columns[view->column_count++] =
        (prfdata_top_column){row->base.counter_title, row->counter, order_of(row)};
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

/* The counters of what is shown. */
static bool choose_columns(prfdata_top_view *view)
{
    for (uint32_t i = 0; i < view->table.shown_count; i++) {
        if (!add_table_column(view, prfdata_top_rows_shown(view, i)))
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
    prfdata_top_row *cell = NULL;

    if (!view->is_grid || position < 0 || position >= (int64_t)view->column_count)
        return;
    view->column = (uint32_t)position;
    view->column_title = view->columns[position].counter_title;
    if (view->selected < view->table.shown_count) /* the instance stays selected */
        cell = prfdata_top_rows_cell(view, prfdata_top_rows_shown(view, view->selected),
                                     &view->columns[position]);
    if (cell)
        view->selected_row = cell;
}

/* ---- Instances ---- */

/* The row that represents an instance: of the selected column, else of the first that it has. */
static prfdata_top_row *representative_of(prfdata_top_view *view, prfdata_top_row *row)
{
    prfdata_top_row *cell = NULL;

    if (row->base.counter_title == view->column_title)
        return row;
    if (view->column < view->column_count)
        cell = prfdata_top_rows_cell(view, row, &view->columns[view->column]);
    for (size_t i = 0; !cell && i < view->column_count; i++)
        cell = prfdata_top_rows_cell(view, row, &view->columns[i]);
    return cell ? cell : row;
}

static void collect_instances(prfdata_top_view *view)
{
    uint32_t kept = 0;

    view->mark++;
    for (uint32_t i = 0; i < view->table.shown_count; i++) {
        prfdata_top_row *row = representative_of(view, prfdata_top_rows_shown(view, i));

        if (row->mark == view->mark)
            continue;
        row->mark = view->mark;
        view->table.shown[kept++] = &row->base;
    }
    view->table.shown_count = kept;
}

/* Instances that lack the selected counter have no value there, but a place in the sample. */
static prfdata_table_place place_of_instance(const prfdata_top_view *view,
                                             const prfdata_top_row *row)
{
    const bool is_given = view->sort == PRFDATA_TOP_SORT_GIVEN;
    const bool has_cell = is_given || (view->sort != PRFDATA_TOP_SORT_NAME &&
                                       row->base.counter_title == view->column_title);

    return (prfdata_table_place){row->label, !is_given && prfdata_table_is_total(row->label),
                                 has_cell ? &row->base.cells[view->table.sort_column] : NULL};
}

static int compare_instances(const void *left, const void *right, const void *context)
{
    const prfdata_top_view *view = context;
    const prfdata_table_place a = place_of_instance(view, *(prfdata_top_row *const *)left);
    const prfdata_table_place b = place_of_instance(view, *(prfdata_top_row *const *)right);

    return prfdata_table_compare(&a, &b, view->sort == PRFDATA_TOP_SORT_NAME, false,
                                 view->table.sorts_descending);
}

bool prfdata_top_table_arrange(prfdata_top_view *view)
{
    view->is_grid = false;
    view->column_count = 0;
    if (!view->is_table)
        return true;
    choose_object(view);
    if (!view->is_grid) {
        select_table_column(view);
        return true;
    }
    if (!choose_columns(view))
        return false;
    collect_instances(view);
    prfdata_merge_sort(view->table.shown, view->table.spare, view->table.shown_count,
                       sizeof(prfdata_table_row *), compare_instances, view);
    return true;
}
