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
#include "view/table.h"

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

/* Where a row belongs: in the table as in the window's, in the list by its path. */
static prfdata_table_place sorted_place(const prfdata_top_view *view, const prfdata_top_row *row,
                                        prfdata_cell *change)
{
    prfdata_table_place place = {.label = view->is_grid ? row->label : row->path,
                                 .is_total = view->is_grid && row->is_total};

    if (!is_sorted_counter(view, row))
        return place;
    change->has_raw = true;
    change->value.number = row->change;
    if (view->sort != PRFDATA_TOP_SORT_CHANGE)
        place.cell = &row->cell;
    else if (row->has_change)
        place.cell = change;
    return place;
}

/* By value and change the highest come first. */
static int compare_rows(const void *left, const void *right, const void *context)
{
    const prfdata_top_view *view = context;
    const prfdata_top_row *a = *(prfdata_top_row *const *)left;
    const prfdata_top_row *b = *(prfdata_top_row *const *)right;
    const bool by_name = view->sort == PRFDATA_TOP_SORT_NAME;
    prfdata_cell change_of_a = {0};
    prfdata_cell change_of_b = {0};
    prfdata_table_place of_a;
    prfdata_table_place of_b;

    if (view->sort == PRFDATA_TOP_SORT_GIVEN)
        return view->is_reversed ? -compare_row_orders(a, b) : compare_row_orders(a, b);
    of_a = sorted_place(view, a, &change_of_a);
    of_b = sorted_place(view, b, &change_of_b);
    return prfdata_table_compare(&of_a, &of_b, by_name, false, by_name == view->is_reversed);
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
