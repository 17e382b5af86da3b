/* SPDX-License-Identifier: MIT */
/* Chooses the look of lines, in the chart and next to their names. */
#ifndef PRFDATA_READER_LINE_PEN_H
#define PRFDATA_READER_LINE_PEN_H

#include "panes/theme.h"
#include "view/stroke.h"

/* Convert a colour to the format of pixels. */
uint32_t prfdata_line_pen_colour(COLORREF colour);

/*
 * Return the pen of a line.
 *
 * number   The number of its colour, from prfdata_bands_draw_colour().
 * is_wide  It is the selected line.
 */
prfdata_stroke_pen prfdata_line_pen_of(const prfdata_theme *theme, uint32_t number, bool is_wide);

#endif
