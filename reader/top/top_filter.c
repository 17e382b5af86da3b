/* SPDX-License-Identifier: MIT */
/* What keys have set is in the view; top_keys.c sets it, and top_order.c shows what is left. */
#include "top/top_filter.h"

#include <math.h>

static bool is_idle_row(const prfdata_top_row *row)
{
    for (uint32_t i = 0; i < PRFDATA_TOP_HISTORY; i++) {
        if (!isnan(row->history[i]) && row->history[i] != 0)
            return false;
    }
    return true;
}

bool prfdata_top_filter_shows(const prfdata_top_view *view, const prfdata_top_row *row)
{
    prfdata_text pattern = {view->filter_chars, view->filter_count + 2};

    if (view->is_table && row->object_title != view->table_object)
        return false;
    if (view->hides_idle && row->text.count == 0 && is_idle_row(row))
        return false;
    return view->filter_count == 0 || prfdata_text_matches(pattern, row->path);
}

prfdata_text prfdata_top_filter_text(const prfdata_top_view *view)
{
    return (prfdata_text){view->filter_chars + 1, view->filter_count};
}
