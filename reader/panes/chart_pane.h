/* SPDX-License-Identifier: MIT */
/*
 * Declares the window of the chart and the histogram. The window tells the viewer what the user
 * does, or sends a command to its parent by WM_COMMAND. The window also tells its parent that
 * another sample is under the pointer. Call the functions only from the window's thread.
 */
#ifndef PRFDATA_READER_CHART_PANE_H
#define PRFDATA_READER_CHART_PANE_H

#include "panes/chart_draw.h"

/* High word of WM_COMMAND: another sample, or none any longer, is under the pointer. */
#define PRFDATA_CHART_PANE_HOVERS 1

bool prfdata_chart_pane_register(HINSTANCE instance);

/* Make the window. The viewer, the theme and the style must be set. The plot must exist as long as
 * the window. */
void prfdata_chart_pane_create(prfdata_plot *plot, HWND parent, uint32_t id);

/* Correct the position of the sample under the pointer after older samples were dropped. */
void prfdata_chart_pane_follow(prfdata_plot *plot);

/* Show the current state of the viewer, if the window is visible. */
void prfdata_chart_pane_update(prfdata_plot *plot);

/* Draw the chart or the histogram into a bitmap of any size, for instance for PNG export. */
void prfdata_chart_pane_draw(const prfdata_plot *plot, HDC dc, const RECT *area);

/* Return the height that an area needs to show the whole chart, at least the current height of the
 * area. */
int32_t prfdata_chart_pane_height(const prfdata_plot *plot, HDC dc, const RECT *area);

#endif
