/* SPDX-License-Identifier: MIT */
/* Draws the chart and the histogram: of a model, in a theme, on a bitmap of any size. */
#ifndef PRFDATA_READER_CHART_DRAW_H
#define PRFDATA_READER_CHART_DRAW_H

#include "panes/theme.h"
#include "view/chart_layout.h"
#include "viewer/viewer.h"

typedef struct prfdata_plot {
    HWND window;
    prfdata_viewer *viewer; /* borrowed, as what follows */
    const prfdata_theme *theme;
    const prfdata_number_style *style;
    bool shows_histogram; /* of the selected line, instead of the chart */
    uint32_t hover;       /* the sample under the pointer; UINT32_MAX: none */
    int64_t hover_ms;     /* its time */
    int32_t scroll;       /* pixels of the chart's panes above the window's part */
} prfdata_plot;

/* Draw it on a bitmap of prfdata_back_buffer_bitmap(); the ground was drawn, and the theme's font
 * is selected. */
void prfdata_chart_draw_all(const prfdata_plot *plot, HDC dc, const RECT *area);
void prfdata_histogram_draw_all(const prfdata_plot *plot, HDC dc, const RECT *area);

/* What the layout has to know, with the theme's font selected. */
prfdata_chart_size prfdata_chart_draw_size(const prfdata_plot *plot, HDC dc, const RECT *area);

/* What both draw: a text that ends with NUL, and why there is nothing. */
void prfdata_chart_draw_text(HDC dc, int32_t x, int32_t y, const wchar_t *text, UINT align);
void prfdata_chart_draw_empty(const prfdata_plot *plot, HDC dc, const RECT *area, uint32_t id);

#endif
