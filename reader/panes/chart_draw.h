/* SPDX-License-Identifier: MIT */
/* Draws the chart and the histogram of a viewer, in the colours of a theme, on a bitmap of any
 * size. */
#ifndef PRFDATA_READER_CHART_DRAW_H
#define PRFDATA_READER_CHART_DRAW_H

#include "panes/theme.h"
#include "view/chart_layout.h"
#include "view/overview.h"
#include "viewer/viewer.h"

typedef struct prfdata_plot {
    HWND window;
    prfdata_viewer *viewer; /* borrowed, like the next two */
    const prfdata_theme *theme;
    const prfdata_number_style *style;
    bool shows_histogram; /* show a histogram of the selected line, or of the first line if
                             none is selected, instead of the chart */
    uint32_t hover;       /* the sample under the pointer, or chosen by an arrow key; UINT32_MAX:
                             none */
    int64_t hover_ms;     /* time of that sample */
    int32_t scroll;       /* how far the panes are scrolled, in pixels */
    bool is_dragging;     /* the user holds a part of the overview with the pointer */
    prfdata_overview_part dragged;
    int64_t grabbed_ms; /* time from the beginning of the visible part to the place where the user
                           holds it */
} prfdata_plot;

/*
 * Divide the window into the chart and, below it, the strip that shows the overview. The strip is
 * empty if it has no room or nothing to show, or if the histogram is shown.
 */
void prfdata_chart_draw_divide(const prfdata_plot *plot, const RECT *area, RECT *chart,
                               prfdata_overview *overview);

/* Draw the strip that prfdata_chart_draw_divide() has placed. Draw nothing if it is empty. */
void prfdata_chart_draw_overview(const prfdata_plot *plot, HDC dc,
                                 const prfdata_overview *overview);

/*
 * Draw the chart, or the histogram, on a bitmap of prfdata_back_buffer_bitmap(). The caller must
 * have drawn the background and selected the theme's font.
 */
void prfdata_chart_draw_all(const prfdata_plot *plot, HDC dc, const RECT *area);
void prfdata_histogram_draw_all(const prfdata_plot *plot, HDC dc, const RECT *area);

/* Get the sizes that the layout needs; the theme's font must be selected. */
prfdata_chart_size prfdata_chart_draw_size(const prfdata_plot *plot, HDC dc, const RECT *area);

/* Draw a text that ends with NUL, for the chart or the histogram. */
void prfdata_chart_draw_text(HDC dc, int32_t x, int32_t y, const wchar_t *text, UINT align);

/* Write the text `id` of the resource, which says why the chart or the histogram is empty. */
void prfdata_chart_draw_empty(const prfdata_plot *plot, HDC dc, const RECT *area, uint32_t id);

#endif
