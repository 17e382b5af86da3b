/* SPDX-License-Identifier: MIT */
/*
 * The check boxes of a list in the colours of the theme, as large as its text. The list view's own
 * keep the size of the screen that it was made on. Only the window's thread calls.
 */
#ifndef PRFDATA_READER_CHECK_IMAGES_H
#define PRFDATA_READER_CHECK_IMAGES_H

#ifndef WIN32_LEAN_AND_MEAN
#define WIN32_LEAN_AND_MEAN
#endif
#include <windows.h>

#include "panes/theme.h"

/* Give them to a list view that has LVS_EX_CHECKBOXES, instead of those that it has. */
void prfdata_check_images_apply(const prfdata_theme *theme, HWND list);

#endif
