/* SPDX-License-Identifier: MIT */
/*
 * Shows the legend: the list of a chart's lines and their numbers. The user's actions in the list
 * change the viewer, or send WM_COMMAND to the list's parent. Call it only from the window's
 * thread.
 */
#ifndef PRFDATA_READER_LEGEND_PANE_H
#define PRFDATA_READER_LEGEND_PANE_H

#ifndef WIN32_LEAN_AND_MEAN
#define WIN32_LEAN_AND_MEAN
#endif
#include <windows.h>
#include <commctrl.h>

#include "panes/theme.h"
#include "view/widths.h"
#include "viewer/viewer.h"

typedef struct prfdata_legend_pane {
    HWND window;
    prfdata_viewer *viewer; /* borrowed, like the next two */
    const prfdata_theme *theme;
    const prfdata_number_style *style;
    uint32_t hover; /* the sample that is chosen in the chart; UINT32_MAX: none */
    prfdata_widths widths;
    int32_t width;   /* the width of the window for which `widths` were computed */
    int32_t widest;  /* width of the widest hexadecimal number when `widths` were computed */
    bool is_filling; /* changes are being made by the program, not by the user */
} prfdata_legend_pane;

/* Make the window; the viewer, the theme and the style must be set. */
void prfdata_legend_pane_create(prfdata_legend_pane *pane, HWND parent, uint32_t id);

void prfdata_legend_pane_apply_theme(const prfdata_legend_pane *pane);

LRESULT prfdata_legend_pane_notify(prfdata_legend_pane *pane, const NMHDR *header);

/* Return the selected row, even if it has no line yet; UINT32_MAX: none. */
uint32_t prfdata_legend_pane_selected_row(const prfdata_legend_pane *pane);

/* Show the chart's lines and the names that wait to become lines. If the window is visible, also
 * show the numbers of the lines. hover: the sample under the pointer; UINT32_MAX: none. */
void prfdata_legend_pane_update(prfdata_legend_pane *pane, uint32_t hover);

/*
 * Return the height of the window for a number of whole rows.
 *
 * width   The width of the window, in pixels.
 * height  The height that the user wants, rounded to whole rows; 0: the default number of rows.
 * most    The height is at most this, except that there is always one row.
 */
int32_t prfdata_legend_pane_height(const prfdata_legend_pane *pane, int32_t width, int32_t height,
                                   int32_t most);

/* Make the columns fit into a width. */
void prfdata_legend_pane_arrange(prfdata_legend_pane *pane, int32_t width);

/* Return the position of the selected series, or PRFDATA_CHART_SERIES. */
uint32_t prfdata_legend_pane_selected(const prfdata_legend_pane *pane);
void prfdata_legend_pane_select(prfdata_legend_pane *pane, uint32_t position);

#endif
