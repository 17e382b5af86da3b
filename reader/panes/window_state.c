/* SPDX-License-Identifier: MIT */
/*
 * Shows and hides windows, and stops their painting. Checks a window's style, because
 * IsWindowVisible() also checks whether the parents are visible.
 */
#include "panes/window_state.h"

static bool is_shown_itself(HWND window)
{
    return (GetWindowLongPtrW(window, GWL_STYLE) & WS_VISIBLE) != 0;
}

bool prfdata_window_state_hold(HWND window)
{
    if (!is_shown_itself(window))
        return false;
    SendMessageW(window, WM_SETREDRAW, FALSE, 0);
    return true;
}

void prfdata_window_state_paint(HWND window, bool was_held)
{
    if (was_held)
        SendMessageW(window, WM_SETREDRAW, TRUE, 0);
}

void prfdata_window_state_show(HWND window, bool is_shown, HWND next)
{
    HWND focus = GetFocus();

    if (is_shown_itself(window) == is_shown)
        return;
    if (!is_shown && focus && (focus == window || IsChild(window, focus)))
        SetFocus(next);
    ShowWindow(window, is_shown ? SW_SHOWNA : SW_HIDE);
}
