/* SPDX-License-Identifier: MIT */
/* Shows the details in an edit control, which gets a horizontal scroll bar only if a line is too
 * wide. */
#include "panes/details_pane.h"
#include "panes/window_state.h"

#include <stdlib.h>
#include <wchar.h>

void prfdata_details_pane_create(prfdata_details_pane *pane, HWND parent, uint32_t id,
                                 const prfdata_theme *theme)
{
    pane->theme = theme;
    pane->window = CreateWindowExW(0, L"EDIT", L"",
                                   WS_CHILD | WS_VISIBLE | WS_TABSTOP | WS_VSCROLL | WS_HSCROLL |
                                       ES_MULTILINE | ES_READONLY | ES_AUTOVSCROLL |
                                       ES_AUTOHSCROLL | WS_BORDER,
                                   0, 0, 0, 0, parent, (HMENU)(uintptr_t)id,
                                   (HINSTANCE)GetWindowLongPtrW(parent, GWLP_HINSTANCE), NULL);
}

static int32_t widest_line(const prfdata_details_pane *pane, const wchar_t *text)
{
    HDC dc = GetDC(pane->window);
    HGDIOBJ before = SelectObject(dc, pane->theme->fixed);
    int32_t widest = 0;

    while (*text) {
        const size_t length = wcscspn(text, L"\r\n");
        SIZE size = {0, 0};

        GetTextExtentPoint32W(dc, text, (int)length, &size);
        widest = size.cx > widest ? size.cx : widest;
        text += length;
        text += wcsspn(text, L"\r\n");
    }
    SelectObject(dc, before);
    ReleaseDC(pane->window, dc);
    return widest;
}

static void fit_to(const prfdata_details_pane *pane, const wchar_t *text)
{
    const DWORD margins = (DWORD)SendMessageW(pane->window, EM_GETMARGINS, 0, 0);
    RECT area;

    GetClientRect(pane->window, &area);
    ShowScrollBar(pane->window, SB_HORZ,
                  widest_line(pane, text) + LOWORD(margins) + HIWORD(margins) +
                          prfdata_theme_metric(pane->theme, SM_CXEDGE) >
                      area.right);
}

void prfdata_details_pane_fit(const prfdata_details_pane *pane)
{
    const int length = GetWindowTextLengthW(pane->window);
    wchar_t *text = malloc(((size_t)length + 1) * sizeof *text);

    if (!text)
        return;
    text[GetWindowTextW(pane->window, text, length + 1)] = 0;
    fit_to(pane, text);
    free(text);
}

void prfdata_details_pane_show(const prfdata_details_pane *pane, const wchar_t *text)
{
    const bool was_held = prfdata_window_state_hold(pane->window);
    const LRESULT line = SendMessageW(pane->window, EM_GETFIRSTVISIBLELINE, 0, 0);

    SetWindowTextW(pane->window, text);
    SendMessageW(pane->window, EM_LINESCROLL, 0, line);
    prfdata_window_state_paint(pane->window, was_held);
    fit_to(pane, text);
    InvalidateRect(pane->window, NULL, FALSE);
}
