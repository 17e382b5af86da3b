/* SPDX-License-Identifier: MIT */
/* Changes windows without what Windows does besides: a window is shown or hidden only on purpose.
 */
#ifndef PRFDATA_READER_WINDOW_STATE_H
#define PRFDATA_READER_WINDOW_STATE_H

#include <stdbool.h>

#include <windows.h>

/*
 * Do not paint a window until prfdata_window_state_paint(). A hidden window stays as it is, because
 * WM_SETREDRAW makes a window visible when painting begins again (winuser's page about it).
 *
 * Returns whether painting has stopped, for prfdata_window_state_paint().
 */
bool prfdata_window_state_hold(HWND window);

void prfdata_window_state_paint(HWND window, bool was_held);

/*
 * Show or hide a window. If it has the focus, or one of its children has, the focus goes to `next`
 * first: keys must not go to a window that nobody sees.
 */
void prfdata_window_state_show(HWND window, bool is_shown, HWND next);

#endif
