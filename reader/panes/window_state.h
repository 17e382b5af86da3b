/* SPDX-License-Identifier: MIT */
/* Shows and hides windows, and stops and starts their painting. */
#ifndef PRFDATA_READER_WINDOW_STATE_H
#define PRFDATA_READER_WINDOW_STATE_H

#include <stdbool.h>

#include <windows.h>

/*
 * Stop painting a window until prfdata_window_state_paint(). Does nothing to a hidden window,
 * because WM_SETREDRAW would make the window visible when painting starts again (documentation of
 * WM_SETREDRAW).
 *
 * Returns whether painting has stopped, for prfdata_window_state_paint().
 */
bool prfdata_window_state_hold(HWND window);

void prfdata_window_state_paint(HWND window, bool was_held);

/*
 * Show or hide a window. If the window or one of its children has the focus, `next` gets the focus
 * before the window is hidden. Keys must not go to an invisible window.
 */
void prfdata_window_state_show(HWND window, bool is_shown, HWND next);

#endif
