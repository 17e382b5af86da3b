/* SPDX-License-Identifier: MIT */
/*
 * The legend: the list of a chart's lines and their numbers. It tells the viewer, or its parent by
 * WM_COMMAND, what the user does in it. Only the window's thread calls.
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
    prfdata_viewer *viewer; /* borrowed, as what follows */
    const prfdata_theme *theme;
    const prfdata_number_style *style;
    uint32_t hover;        /* the sample under the pointer; UINT32_MAX: none */
    uint32_t interval_ms;  /* values that are older say so */
    prfdata_widths widths; /* of the columns */
    bool is_filling;       /* messages are not about what the user does */
} prfdata_legend_pane;

/* Make the window; the model, the theme and the style are set already. */
void prfdata_legend_pane_create(prfdata_legend_pane *pane, HWND parent, uint32_t id);

/* Take the colours and sizes of the theme, which has changed. */
void prfdata_legend_pane_apply_theme(const prfdata_legend_pane *pane);

/* WM_NOTIFY of the window. */
LRESULT prfdata_legend_pane_notify(prfdata_legend_pane *pane, const NMHDR *header);

/* The row that is selected, also of what has no line yet; UINT32_MAX: none. */
uint32_t prfdata_legend_pane_selected_row(const prfdata_legend_pane *pane);

/* Show the chart's lines, what waits to be one, and their numbers if somebody can see them. */
void prfdata_legend_pane_update(prfdata_legend_pane *pane, uint32_t hover, uint32_t interval_ms);

/* The height of as many whole rows as are usual, or of fewer in less room, but of one. */
int32_t prfdata_legend_pane_height(const prfdata_legend_pane *pane, int32_t width, int32_t most);

/* Make the columns fit into a width. */
void prfdata_legend_pane_arrange(prfdata_legend_pane *pane, int32_t width);

/* The position of the selected series, or PRFDATA_CHART_SERIES. */
uint32_t prfdata_legend_pane_selected(const prfdata_legend_pane *pane);
void prfdata_legend_pane_select(prfdata_legend_pane *pane, uint32_t position);

#endif
