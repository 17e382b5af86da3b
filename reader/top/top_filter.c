/* SPDX-License-Identifier: MIT */
/* What keys have set is in the view; top_keys.c sets it, and top_order.c shows what is left. */
#include "top/top_filter.h"

bool prfdata_top_filter_shows(const prfdata_top_view *view, const prfdata_top_row *row)
{
    if (view->is_table && row->object_title != view->table_object)
        return false;
    if (view->hides_idle && row->life.is_idle)
        return false;
    return view->filter.count == 0 || prfdata_text_matches(view->filter, row->path);
}

bool prfdata_top_filter_set(prfdata_top_view *view, uint32_t count)
{
    if (!prfdata_text_copy_as_pattern((prfdata_text){view->filter_chars, count}, &view->filter))
        return false;
    view->filter_count = count;
    return true;
}

prfdata_text prfdata_top_filter_text(const prfdata_top_view *view)
{
    return (prfdata_text){view->filter_chars, view->filter_count};
}
