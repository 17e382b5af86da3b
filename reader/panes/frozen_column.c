/* SPDX-License-Identifier: MIT */
/*
 * Keeps a second heading of the first column at the left edge of the list, over the list's own
 * heading, while the list scrolls.
 */
#include "panes/frozen_column.h"

#include "panes/hook.h"

#define TEXT_CHARS 200

static RECT area_in_list(const prfdata_frozen_column *column, HWND window)
{
    RECT area;

    GetWindowRect(window, &area);
    MapWindowPoints(NULL, column->list, (POINT *)&area, 2);
    return area;
}

/*
 * Return how far the list is scrolled, in pixels. Ask the rows, because they scroll before the
 * headings do. If there are no rows, ask the headings.
 */
static int32_t list_scroll(const prfdata_frozen_column *column)
{
    RECT row;

    if (ListView_GetItemRect(column->list, ListView_GetTopIndex(column->list), &row, LVIR_BOUNDS))
        return -row.left;
    return -area_in_list(column, ListView_GetHeader(column->list)).left;
}

prfdata_frozen prfdata_frozen_column_place(const prfdata_frozen_column *column)
{
    RECT area;

    GetClientRect(column->list, &area);
    return (prfdata_frozen){list_scroll(column),
                            (int32_t)SendMessageW(column->list, LVM_GETCOLUMNWIDTH, 0, 0),
                            area.right};
}

static void place_frozen_heading(prfdata_frozen_column *column)
{
    const int32_t width = prfdata_frozen_width(&column->place);
    HWND own = ListView_GetHeader(column->list);
    const RECT area = area_in_list(column, own);
    const HDITEMW item = {.mask = HDI_WIDTH, .cxy = width};

    if (width == 0) {
        ShowWindow(column->heading, SW_HIDE);
        return;
    }
    column->is_placing = true;
    SendMessageW(column->heading, WM_SETFONT, (WPARAM)SendMessageW(own, WM_GETFONT, 0, 0), FALSE);
    SendMessageW(column->heading, HDM_SETITEMW, 0, (LPARAM)&item);
    column->is_placing = false;
    SetWindowPos(column->heading, HWND_TOP, 0, area.top, width, area.bottom - area.top,
                 SWP_NOACTIVATE | SWP_SHOWWINDOW);
}

/*
 * Place the heading again if the list has scrolled, or if the width of the list or of the first
 * column has changed. If the heading is or was visible, draw the whole list again, because
 * scrolling also moves the drawn names.
 */
static void follow_list(prfdata_frozen_column *column)
{
    const prfdata_frozen before = column->place;
    const prfdata_frozen now = prfdata_frozen_column_place(column);

    if (now.scroll == before.scroll && now.column == before.column && now.window == before.window)
        return;
    column->place = now;
    place_frozen_heading(column);
    if (prfdata_frozen_width(&before) > 0 || prfdata_frozen_width(&now) > 0)
        InvalidateRect(column->list, NULL, FALSE);
}

void prfdata_frozen_column_update(const prfdata_frozen_column *column)
{
    wchar_t text[TEXT_CHARS] = L"";
    HDITEMW item = {.mask = HDI_TEXT | HDI_FORMAT, .pszText = text, .cchTextMax = TEXT_CHARS};

    if (SendMessageW(ListView_GetHeader(column->list), HDM_GETITEMW, 0, (LPARAM)&item))
        SendMessageW(column->heading, HDM_SETITEMW, 0, (LPARAM)&item);
}

static void pass_on_click(const prfdata_frozen_column *column)
{
    const NMLISTVIEW click = {.hdr = {.hwndFrom = column->list,
                                      .idFrom = (UINT_PTR)GetDlgCtrlID(column->list),
                                      .code = LVN_COLUMNCLICK},
                              .iItem = -1};

    SendMessageW(GetParent(column->list), WM_NOTIFY, click.hdr.idFrom, (LPARAM)&click);
}

static void take_frozen_heading(const prfdata_frozen_column *column, const NMHEADERW *header)
{
    switch (header->hdr.code) {
    case HDN_ITEMCLICKW:
        pass_on_click(column);
        break;
    case HDN_DIVIDERDBLCLICKW:
        (void)ListView_SetColumnWidth(column->list, 0, LVSCW_AUTOSIZE);
        break;
    case HDN_ITEMCHANGEDW:
        if (!column->is_placing && header->pitem && (header->pitem->mask & HDI_WIDTH))
            (void)ListView_SetColumnWidth(column->list, 0, header->pitem->cxy);
        break;
    default:
        break;
    }
}

/* Returns whether a drag would move the first column. The list must not get such a drag. */
static bool is_refused_drag(const NMHEADERW *header)
{
    if (header->hdr.code == HDN_BEGINDRAG)
        return header->iItem == 0;
    return header->hdr.code == HDN_ENDDRAG && header->pitem && (header->pitem->mask & HDI_ORDER) &&
           header->pitem->iOrder == 0;
}

/*
 * Remember the exact area to paint, for example two distant cells. The code that draws the list
 * gets only the bounds of that area.
 */
static LRESULT paint_list(const prfdata_hook *hook, HWND window, WPARAM wparam, LPARAM lparam)
{
    prfdata_frozen_column *column = hook->context;
    LRESULT result;

    follow_list(column);
    column->painted = CreateRectRgn(0, 0, 0, 0);
    if (column->painted && GetUpdateRgn(window, column->painted, FALSE) == ERROR) {
        DeleteObject(column->painted);
        column->painted = NULL;
    }
    result = prfdata_hook_pass(hook, window, WM_PAINT, wparam, lparam);
    if (column->painted)
        DeleteObject(column->painted);
    column->painted = NULL;
    return result;
}

static LRESULT handle_frozen(const prfdata_hook *hook, HWND window, UINT message, WPARAM wparam,
                             LPARAM lparam)
{
    prfdata_frozen_column *column = hook->context;
    LRESULT result;

    if (message == WM_NOTIFY && ((const NMHDR *)lparam)->hwndFrom == column->heading) {
        take_frozen_heading(column, (const NMHEADERW *)lparam);
        return 0;
    }
    if (message == WM_NOTIFY && is_refused_drag((const NMHEADERW *)lparam))
        return TRUE;
    if (message == WM_PAINT)
        return paint_list(hook, window, wparam, lparam);
    result = prfdata_hook_pass(hook, window, message, wparam, lparam);
    if (message == WM_HSCROLL || message == WM_SIZE || message == LVM_SCROLL)
        follow_list(column);
    return result;
}

void prfdata_frozen_column_begin(prfdata_frozen_column *column, HWND list)
{
    const HDITEMW item = {.mask = HDI_WIDTH};
    HWND own = ListView_GetHeader(list);

    column->list = list;
    column->heading = CreateWindowExW(
        0, WC_HEADERW, NULL, WS_CHILD | WS_CLIPSIBLINGS | HDS_HORZ | HDS_BUTTONS | HDS_FULLDRAG, 0,
        0, 0, 0, list, NULL, (HINSTANCE)GetWindowLongPtrW(list, GWLP_HINSTANCE), NULL);
    SendMessageW(column->heading, HDM_INSERTITEMW, 0, (LPARAM)&item);
    /* The list's own heading must not paint over the heading that covers it. */
    SetWindowLongPtrW(own, GWL_STYLE, GetWindowLongPtrW(own, GWL_STYLE) | WS_CLIPSIBLINGS);
    prfdata_hook_begin(list, handle_frozen, column, 0);
}
