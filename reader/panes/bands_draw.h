/* SPDX-License-Identifier: MIT */
/* Draws percentiles of one distribution as bands, with their colours and names. */
#ifndef PRFDATA_READER_BANDS_DRAW_H
#define PRFDATA_READER_BANDS_DRAW_H

#include "panes/theme.h"
#include "view/chart_layout.h"

/* Fill the areas between neighbouring percentiles. */
void prfdata_bands_draw_all(const prfdata_chart *chart, const prfdata_theme *theme, HDC dc,
                            const prfdata_chart_layout *layout);

/* Return the colour number of a line, below PRFDATA_CHART_SERIES. All percentiles of one
 * distribution have the same number. */
uint32_t prfdata_bands_draw_colour(const prfdata_chart *chart, uint32_t position);

/* Append the names of the higher percentiles of the line's distribution to `text`, such as
 * ", p95, p99". */
void prfdata_bands_draw_name(const prfdata_chart *chart, uint32_t position, wchar_t *text,
                             size_t capacity);

#endif
