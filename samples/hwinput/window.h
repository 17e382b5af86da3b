/* SPDX-License-Identifier: MIT */
/* Shows a window with the counts. It reads them four times a second and never changes them. */
#ifndef HWINPUT_WINDOW_H
#define HWINPUT_WINDOW_H

#include <windows.h>

#define WINDOW_TITLE L"Hardware Input Monitor"

/*
 * Show the window and run the program's message loop until the user closes it.
 *
 * status  One line for the bottom of the window.
 * show    SW_..., the last argument of wWinMain.
 * Returns the exit code of the program.
 */
int window_run(HINSTANCE instance, const wchar_t *status, int show);

/* Bring the window of another running monitor to the front. Returns 0 if there is none. */
int window_activate_other(void);

#endif
