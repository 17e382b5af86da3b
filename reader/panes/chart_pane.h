/* SPDX-License-Identifier: MIT */
/*
 * Shows the chart or the histogram in a window. The user's actions in the window change the viewer,
 * or send WM_COMMAND to the window's parent. Call the functions only from the window's thread.
 */
#ifndef PRFDATA_READER_CHART_PANE_H
#define PRFDATA_READER_CHART_PANE_H

#include "panes/chart_draw.h"

/* High word of WM_COMMAND: the member `hover` of the plot has changed. */
#define PRFDATA_CHART_PANE_HOVERS 1

bool prfdata_chart_pane_register(HINSTANCE instance);

/* Make the window. The viewer, the theme and the style must be set. The plot must exist as long as
 * the window. The member `window` is NULL if this fails. */
void prfdata_chart_pane_create(prfdata_plot *plot, HWND parent, uint32_t id);

/* Correct the position of the sample under the pointer after older samples were dropped. */
void prfdata_chart_pane_follow(prfdata_plot *plot);

/* Show the current state of the viewer, if the window is visible. */
void prfdata_chart_pane_update(prfdata_plot *plot);

/* Draw the chart or the histogram into a bitmap of prfdata_back_buffer_bitmap(), of any size. */
void prfdata_chart_pane_draw(const prfdata_plot *plot, HDC dc, const RECT *area);

/* Return the height that an area needs to show the whole chart, at least the current height of the
 * area. */
int32_t prfdata_chart_pane_height(const prfdata_plot *plot, HDC dc, const RECT *area);

#endif
