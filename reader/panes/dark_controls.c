/* SPDX-License-Identifier: MIT */
/*
 * Paints dark those controls that ignore the colours that a program sets: headings of lists, tabs,
 * buttons, the list of intervals and the status bar. Only painting is replaced, and only while the
 * theme is dark.
 */
#include "panes/dark_controls.h"

#include "panes/back_buffer.h"
#include "panes/hook.h"

#define STATUS_CHARS 256

typedef void (*dark_painter)(const prfdata_theme *theme, HWND window, HDC dc, const RECT *area);

static void frame_dark(HDC dc, const RECT *area, COLORREF colour)
{
    HBRUSH brush = CreateSolidBrush(colour);

    FrameRect(dc, area, brush);
    DeleteObject(brush);
}

static void write_dark(HDC dc, const RECT *area, const wchar_t *text, COLORREF colour, UINT format)
{
    RECT place = *area;

    SetTextColor(dc, colour);
    DrawTextW(dc, text, -1, &place, format | DT_SINGLELINE | DT_VCENTER | DT_END_ELLIPSIS);
}

static void draw_dark_arrow(HDC dc, int32_t x, int32_t y, int32_t size, bool is_up, COLORREF colour)
{
    const int32_t by = is_up ? -size : size;
    const POINT corners[] = {{x - size, y - by / 2}, {x + size, y - by / 2}, {x, y + by / 2}};
    HGDIOBJ brush = SelectObject(dc, GetStockObject(DC_BRUSH));
    HGDIOBJ pen = SelectObject(dc, GetStockObject(NULL_PEN));

    SetDCBrushColor(dc, colour);
    Polygon(dc, corners, 3);
    SelectObject(dc, pen);
    SelectObject(dc, brush);
}

static UINT prefix_format(HWND window)
{
    return (SendMessageW(window, WM_QUERYUISTATE, 0, 0) & UISF_HIDEACCEL) ? DT_HIDEPREFIX : 0u;
}

static bool shows_focus(HWND window)
{
    return GetFocus() == window && !(SendMessageW(window, WM_QUERYUISTATE, 0, 0) & UISF_HIDEFOCUS);
}

static void paint_heading(const prfdata_theme *theme, HWND window, HDC dc, int item)
{
    wchar_t text[200] = L"";
    HDITEMW heading = {.mask = HDI_TEXT | HDI_FORMAT, .pszText = text, .cchTextMax = 200};
    const int32_t gap = prfdata_theme_pixels(theme, 6);
    RECT area;
    RECT line;

    if (!SendMessageW(window, HDM_GETITEMRECT, (WPARAM)item, (LPARAM)&area) ||
        !SendMessageW(window, HDM_GETITEMW, (WPARAM)item, (LPARAM)&heading) ||
        area.right <= area.left)
        return;
    line = (RECT){area.right - 1, area.top, area.right, area.bottom};
    prfdata_theme_fill(dc, &line, theme->edge);
    if (heading.fmt & (HDF_SORTUP | HDF_SORTDOWN))
        draw_dark_arrow(dc, (area.left + area.right) / 2, area.top + gap / 2, gap * 2 / 3,
                        (heading.fmt & HDF_SORTUP) != 0, theme->faint);
    InflateRect(&area, -gap, 0);
    write_dark(dc, &area, text, theme->text,
               DT_NOPREFIX | ((heading.fmt & HDF_JUSTIFYMASK) == HDF_RIGHT ? DT_RIGHT : 0u));
}

static void paint_header(const prfdata_theme *theme, HWND window, HDC dc, const RECT *area)
{
    const int count = Header_GetItemCount(window);
    RECT line = *area;

    prfdata_theme_fill(dc, area, theme->face);
    for (int i = 0; i < count; i++)
        paint_heading(theme, window, dc, i);
    line.top = line.bottom - 1;
    prfdata_theme_fill(dc, &line, theme->edge);
}

static void paint_tab(const prfdata_theme *theme, HWND window, HDC dc, int tab)
{
    const bool is_current = SendMessageW(window, TCM_GETCURSEL, 0, 0) == tab;
    wchar_t text[100] = L"";
    TCITEMW item = {.mask = TCIF_TEXT, .pszText = text, .cchTextMax = 100};
    RECT area;
    RECT line;

    if (!SendMessageW(window, TCM_GETITEMRECT, (WPARAM)tab, (LPARAM)&area) ||
        !SendMessageW(window, TCM_GETITEMW, (WPARAM)tab, (LPARAM)&item))
        return;
    line = area;
    line.bottom = line.top + prfdata_theme_pixels(theme, 2);
    prfdata_theme_fill(dc, &area, is_current ? theme->back : theme->face);
    prfdata_theme_fill(dc, &line, is_current ? theme->lines[0] : theme->edge);
    write_dark(dc, &area, text, is_current ? theme->text : theme->faint, DT_CENTER);
    InflateRect(&area, -2, -3);
    SetTextColor(dc, theme->text);
    if (is_current && shows_focus(window))
        DrawFocusRect(dc, &area);
}

static void paint_tabs(const prfdata_theme *theme, HWND window, HDC dc, const RECT *area)
{
    const int count = (int)SendMessageW(window, TCM_GETITEMCOUNT, 0, 0);

    prfdata_theme_fill(dc, area, theme->face);
    for (int i = 0; i < count; i++)
        paint_tab(theme, window, dc, i);
}

static void paint_button(const prfdata_theme *theme, HWND window, HDC dc, const RECT *area)
{
    const LRESULT state = SendMessageW(window, BM_GETSTATE, 0, 0);
    const bool is_enabled = IsWindowEnabled(window) != 0;
    const bool is_lit = is_enabled && (state & (BST_PUSHED | BST_HOT));
    RECT focus = *area;
    wchar_t text[100];

    GetWindowTextW(window, text, 100);
    prfdata_theme_fill(dc, area, is_lit ? theme->lit : theme->back);
    frame_dark(dc, area, theme->edge);
    write_dark(dc, area, text, is_enabled ? theme->text : theme->faint,
               DT_CENTER | prefix_format(window));
    InflateRect(&focus, -3, -3);
    SetTextColor(dc, theme->text);
    if (shows_focus(window))
        DrawFocusRect(dc, &focus);
}

static void paint_closed_list(const prfdata_theme *theme, HWND window, HDC dc, const RECT *area)
{
    const int32_t gap = prfdata_theme_pixels(theme, 6);
    const COLORREF colour = IsWindowEnabled(window) ? theme->text : theme->faint;
    RECT inner = *area;
    wchar_t text[100];

    GetWindowTextW(window, text, 100);
    prfdata_theme_fill(dc, area, GetFocus() == window ? theme->lit : theme->back);
    frame_dark(dc, area, theme->edge);
    draw_dark_arrow(dc, area->right - 2 * gap, (area->top + area->bottom) / 2, gap * 2 / 3, false,
                    colour);
    inner.left += gap;
    inner.right -= 3 * gap;
    write_dark(dc, &inner, text, colour, DT_NOPREFIX);
}

static void paint_status(const prfdata_theme *theme, HWND window, HDC dc, const RECT *area)
{
    const int32_t gap = prfdata_theme_pixels(theme, 4);
    const int count = (int)SendMessageW(window, SB_GETPARTS, 0, 0);
    RECT line = *area;

    prfdata_theme_fill(dc, area, theme->face);
    line.bottom = line.top + 1;
    prfdata_theme_fill(dc, &line, theme->edge);
    for (int i = 0; i < count; i++) {
        wchar_t text[STATUS_CHARS] = L"";
        RECT part;

        if (LOWORD(SendMessageW(window, SB_GETTEXTLENGTHW, (WPARAM)i, 0)) < STATUS_CHARS)
            SendMessageW(window, SB_GETTEXTW, (WPARAM)i, (LPARAM)text);
        SendMessageW(window, SB_GETRECT, (WPARAM)i, (LPARAM)&part);
        line = (RECT){part.left - 1, part.top + 2, part.left, part.bottom - 2};
        if (i > 0)
            prfdata_theme_fill(dc, &line, theme->edge);
        part.left += gap;
        write_dark(dc, &part, text, theme->text, DT_NOPREFIX);
    }
}

bool prfdata_dark_controls_selection(const prfdata_theme *theme, NMLVCUSTOMDRAW *draw)
{
    HWND list = draw->nmcd.hdr.hwndFrom;
    const int row = (int)draw->nmcd.dwItemSpec;

    if (!theme->is_dark || !ListView_GetItemState(list, row, LVIS_SELECTED))
        return false;
    /* A row that counts as selected would be drawn in the system's colours. */
    draw->nmcd.uItemState &= ~(UINT)CDIS_SELECTED;
    draw->clrText = theme->text;
    draw->clrTextBk = GetFocus() == list ? theme->chosen : theme->lit;
    return true;
}

static void paint_dark(const prfdata_theme *theme, HWND window, dark_painter painter)
{
    prfdata_back_buffer buffer;
    HGDIOBJ font;

    prfdata_back_buffer_begin(&buffer, window);
    font = SelectObject(buffer.dc, theme->font);
    SetBkMode(buffer.dc, TRANSPARENT);
    painter(theme, window, buffer.dc, &buffer.area);
    SelectObject(buffer.dc, font);
    prfdata_back_buffer_end(&buffer, window);
}

/* Returns whether the message makes some controls draw at once, without WM_PAINT. */
static bool draws_at_once(UINT message)
{
    switch (message) {
    case BM_SETSTATE:
    case WM_ENABLE:
    case WM_SETTEXT:
    case WM_SETFOCUS:
    case WM_KILLFOCUS:
    case WM_LBUTTONDOWN:
    case WM_LBUTTONUP:
    case WM_MOUSELEAVE:
    case WM_CAPTURECHANGED:
    case WM_UPDATEUISTATE:
    case CB_SETCURSEL:
    case TCM_SETCURSEL:
        return true;
    default:
        return false;
    }
}

static LRESULT handle_dark(const prfdata_hook *hook, HWND window, UINT message, WPARAM wparam,
                           LPARAM lparam)
{
    static const dark_painter painters[] = {[PRFDATA_DARK_HEADER] = paint_header,
                                            [PRFDATA_DARK_TABS] = paint_tabs,
                                            [PRFDATA_DARK_BUTTON] = paint_button,
                                            [PRFDATA_DARK_CLOSED_LIST] = paint_closed_list,
                                            [PRFDATA_DARK_STATUS] = paint_status};
    const prfdata_theme *theme = hook->context;
    LRESULT result;

    if (!theme->is_dark)
        return prfdata_hook_pass(hook, window, message, wparam, lparam);
    if (message == WM_PAINT) {
        paint_dark(theme, window, painters[hook->kind]);
        return 0;
    }
    if (message == WM_ERASEBKGND)
        return 1;
    result = prfdata_hook_pass(hook, window, message, wparam, lparam);
    if (draws_at_once(message))
        InvalidateRect(window, NULL, FALSE);
    return result;
}

void prfdata_dark_controls_begin(HWND control, prfdata_dark_control kind,
                                 const prfdata_theme *theme)
{
    prfdata_hook_begin(control, handle_dark, (void *)(uintptr_t)theme, kind);
}
