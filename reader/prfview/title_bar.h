/* SPDX-License-Identifier: MIT */
/* Sets the title of a window. */
#ifndef PRFDATA_READER_TITLE_BAR_H
#define PRFDATA_READER_TITLE_BAR_H

#include <windows.h>

#include "viewer/viewer.h"

/* Show in the title what a viewer shows, and of which computer. file: its path; empty: it is not a
 * file. */
void prfdata_title_bar_update(HWND window, const prfdata_viewer *viewer, prfdata_text file);

#endif
