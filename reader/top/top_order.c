/* SPDX-License-Identifier: MIT */
/*
 * Which rows of the live view are on the screen, in which order: top_keys.c says what is wanted,
 * and top_frame.c draws what is left.
 */
#include "top/top_order.h"

#include <stdlib.h>

#include <prfdata/error.h>

#include "core/merge_sort.h"
#include "top/top_filter.h"
#include "top/top_table.h"

static int compare_doubles(double a, double b)
{
    return (a > b) - (a < b);
}

/* Compare numbers that may be missing. Rows without one come last, in both directions. */
static int compare_optional_numbers(bool has_a, double a, bool has_b, double b, bool is_reversed)
{
    if (!has_a || !has_b)
        return (int)has_b - (int)has_a;
    return is_reversed ? compare_doubles(a, b) : compare_doubles(b, a);
}

static int compare_row_orders(const prfdata_top_row *a, const prfdata_top_row *b)
{
    if (a->order != b->order)
        return a->order < b->order ? -1 : 1;
    return (a->number > b->number) - (a->number < b->number);
}

/* In the table, instances that lack the selected counter have no value there. */
static bool is_sorted_counter(const prfdata_top_view *view, const prfdata_top_row *row)
{
    return !view->is_grid || row->counter_title == view->column_title;
}

static bool has_sorted_value(const prfdata_top_view *view, const prfdata_top_row *row)
{
    return row->status == PRFDATA_STATUS_OK && is_sorted_counter(view, row);
}

static bool has_sorted_change(const prfdata_top_view *view, const prfdata_top_row *row)
{
    return row->has_change && is_sorted_counter(view, row);
}

static int compare_rows(const void *left, const void *right, const void *context)
{
    const prfdata_top_view *view = context;
    const prfdata_top_row *a = *(prfdata_top_row *const *)left;
    const prfdata_top_row *b = *(prfdata_top_row *const *)right;
    int result;

    switch (view->sort) {
    case PRFDATA_TOP_SORT_NAME:
        result = prfdata_text_compare(a->path, b->path);
        result = view->is_reversed ? -result : result;
        break;
    case PRFDATA_TOP_SORT_VALUE:
        result =
            compare_optional_numbers(has_sorted_value(view, a), a->value.number,
                                     has_sorted_value(view, b), b->value.number, view->is_reversed);
        break;
    case PRFDATA_TOP_SORT_CHANGE:
        result = compare_optional_numbers(has_sorted_change(view, a), a->change,
                                          has_sorted_change(view, b), b->change, view->is_reversed);
        break;
    default:
        return view->is_reversed ? -compare_row_orders(a, b) : compare_row_orders(a, b);
    }
    return result != 0 ? result : compare_row_orders(a, b);
}

/* Select the same row as before if it is shown, else the same position. */
static void keep_selected_row(prfdata_top_view *view)
{
    if (view->selected > 0) {
        for (uint32_t i = 0; i < view->shown_count; i++) {
            if (view->shown[i]->number == view->selected_number) {
                view->selected = i;
                return;
            }
        }
    }
    if (view->selected >= view->shown_count)
        view->selected = view->shown_count > 0 ? view->shown_count - 1 : 0;
    view->selected_number =
        view->shown_count > 0 ? view->shown[view->selected]->number : view->selected_number;
}

/* Show so many rows, the first ones. */
static void limit_rows(prfdata_top_view *view)
{
    view->cut_count = 0;
    if (view->limit == 0 || view->shown_count <= view->limit)
        return;
    view->cut_count = view->shown_count - view->limit;
    view->shown_count = view->limit;
}

uint32_t prfdata_top_order_arrange(prfdata_top_view *view)
{
    prfdata_top_row **room = malloc(((size_t)view->row_count + 1) * sizeof(prfdata_top_row *));

    if (!room || !prfdata_top_table_choose(view)) {
        free(room);
        return ERROR_NOT_ENOUGH_MEMORY;
    }
    view->shown_count = 0;
    if (view->is_grid)
        prfdata_top_table_collect(view);
    for (uint32_t i = 0; !view->is_grid && i < view->row_count; i++) {
        if (prfdata_top_filter_shows(view, view->rows[i]))
            view->shown[view->shown_count++] = view->rows[i];
    }
    prfdata_merge_sort(view->shown, room, view->shown_count, sizeof(prfdata_top_row *),
                       compare_rows, view);
    free(room);
    limit_rows(view);
    view->has_levels = false;
    for (uint32_t i = 0; i < view->shown_count && !view->has_levels; i++)
        view->has_levels = view->shown[i]->is_level;
    keep_selected_row(view);
    return ERROR_SUCCESS;
}
