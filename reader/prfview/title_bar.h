/* SPDX-License-Identifier: MIT */
/* The title of a window. */
#ifndef PRFDATA_READER_TITLE_BAR_H
#define PRFDATA_READER_TITLE_BAR_H

#include <windows.h>

#include "viewer/viewer.h"

/* Say what a viewer shows, and of whom. file: its path; empty: it is no file. */
void prfdata_title_bar_update(HWND window, const prfdata_viewer *viewer, prfdata_text file);

#endif
