/* SPDX-License-Identifier: MIT */
/*
 * The window of the chart and the histogram. Its parent hears by WM_COMMAND what the user wants,
 * and that another sample is under the pointer. Only the window's thread calls.
 */
#ifndef PRFDATA_READER_CHART_PANE_H
#define PRFDATA_READER_CHART_PANE_H

#include "panes/chart_draw.h"

#define PRFDATA_CHART_PANE_HOVERS 1 /* the high word of WM_COMMAND */

bool prfdata_chart_pane_register(HINSTANCE instance);

/* Make the window, for as long as the plot is there; the model, the theme and the style are set. */
void prfdata_chart_pane_create(prfdata_plot *plot, HWND parent, uint32_t id);

/* The sample under the pointer has another position when others were dropped. */
void prfdata_chart_pane_follow(prfdata_plot *plot);

/* Show what the model has now, if somebody can see it. */
void prfdata_chart_pane_update(prfdata_plot *plot);

/* Draw the chart or the histogram into a bitmap of any size, as PNG export does. */
void prfdata_chart_pane_draw(const prfdata_plot *plot, HDC dc, const RECT *area);

/* How high an area has to be, at least as it is, for all of the chart. */
int32_t prfdata_chart_pane_height(const prfdata_plot *plot, HDC dc, const RECT *area);

#endif
