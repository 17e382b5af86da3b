/* SPDX-License-Identifier: MIT */
/*
 * Which rows of the live view are on the screen, in which order: top_keys.c says what is wanted,
 * and top_frame.c draws what is left. The table has the order of the list; top_table.c makes
 * instances of it.
 */
#include "top/top_order.h"

#include <prfdata/error.h>

#include "top/top_rows.h"
#include "top/top_table.h"

/* By value and change the highest come first. */
static void set_order(prfdata_top_view *view)
{
    static const uint32_t columns[PRFDATA_TOP_SORT_COUNT] = {PRFDATA_TOP_ORDER, PRFDATA_TABLE_LABEL,
                                                             PRFDATA_TOP_VALUE, PRFDATA_TOP_CHANGE};

    view->table.sort_column = columns[view->sort];
    view->table.sorts_descending = (view->sort >= PRFDATA_TOP_SORT_VALUE) != view->is_reversed;
}

/* Select the same row as before if it is shown, else the same position. */
static void keep_selected_row(prfdata_top_view *view)
{
    const uint32_t count = view->table.shown_count;

    for (uint32_t i = 0; view->selected > 0 && view->selected_row && i < count; i++) {
        if (prfdata_top_rows_shown(view, i) == view->selected_row) {
            view->selected = i;
            return;
        }
    }
    if (view->selected >= count)
        view->selected = count > 0 ? count - 1 : 0;
    view->selected_row = count > 0 ? prfdata_top_rows_shown(view, view->selected) : NULL;
}

/* Show so many rows, the first ones. */
static void limit_rows(prfdata_top_view *view)
{
    view->cut_count = 0;
    if (view->limit == 0 || view->table.shown_count <= view->limit)
        return;
    view->cut_count = view->table.shown_count - view->limit;
    view->table.shown_count = view->limit;
}

uint32_t prfdata_top_order_arrange(prfdata_top_view *view)
{
    set_order(view);
    if (!prfdata_table_arrange(&view->table) || !prfdata_top_table_arrange(view))
        return ERROR_NOT_ENOUGH_MEMORY;
    limit_rows(view);
    view->has_levels = false;
    for (uint32_t i = 0; i < view->table.shown_count && !view->has_levels; i++)
        view->has_levels = prfdata_top_rows_shown(view, i)->is_level;
    keep_selected_row(view);
    return ERROR_SUCCESS;
}
