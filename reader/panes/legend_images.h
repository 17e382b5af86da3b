/* SPDX-License-Identifier: MIT */
/*
 * Makes the small images of the legend, in the theme's colours and as high as the theme's text. The
 * images are check boxes, and short lines that look like those of the chart. The list view's own
 * check boxes are not used, because they keep the size for the screen on which the list was made.
 * Call it only from the window's thread.
 */
#ifndef PRFDATA_READER_LEGEND_IMAGES_H
#define PRFDATA_READER_LEGEND_IMAGES_H

#ifndef WIN32_LEAN_AND_MEAN
#define WIN32_LEAN_AND_MEAN
#endif
#include <windows.h>

#include "panes/theme.h"

/*
 * Give the images to a list view that has LVS_EX_CHECKBOXES, in place of its own. The index of a
 * row's image is the colour number of its line (prfdata_bands_draw_colour()).
 */
void prfdata_legend_images_apply(const prfdata_theme *theme, HWND list);

#endif
