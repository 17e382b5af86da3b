/* SPDX-License-Identifier: MIT */
/*
 * The little images of the legend, in the colours of the theme and as high as its text: the check
 * boxes, for which the list view's own keep the size of the screen that it was made on, and a piece
 * of each line, with its dashes. Only the window's thread calls.
 */
#ifndef PRFDATA_READER_LEGEND_IMAGES_H
#define PRFDATA_READER_LEGEND_IMAGES_H

#ifndef WIN32_LEAN_AND_MEAN
#define WIN32_LEAN_AND_MEAN
#endif
#include <windows.h>

#include "panes/theme.h"

/*
 * Give them to a list view that has LVS_EX_CHECKBOXES, instead of those that it has. The image of a
 * row is the number of its line's colour (prfdata_bands_draw_colour()).
 */
void prfdata_legend_images_apply(const prfdata_theme *theme, HWND list);

#endif
