/* SPDX-License-Identifier: MIT */
/* Sets the title of a window. */
#ifndef PRFDATA_READER_TITLE_BAR_H
#define PRFDATA_READER_TITLE_BAR_H

#include <windows.h>

#include "viewer/viewer.h"

/*
 * Show the viewer's object, and the file or the computer, in the title of the window.
 *
 * file  Path of the shown file; empty: no file is shown.
 */
void prfdata_title_bar_update(HWND window, const prfdata_viewer *viewer, prfdata_text file);

#endif
