/* SPDX-License-Identifier: MIT */
/* Chooses the look of lines. When the colours are used up, they repeat with other dashes. */
#include "panes/line_pen.h"

/* Widths of lines in pixels at 96 DPI. */
#define LINE      1.5
#define WIDE_LINE 3.5

uint32_t prfdata_line_pen_colour(COLORREF colour)
{
    return (uint32_t)GetRValue(colour) << 16 | (uint32_t)GetGValue(colour) << 8 | GetBValue(colour);
}

prfdata_stroke_pen prfdata_line_pen_of(const prfdata_theme *theme, uint32_t number, bool is_wide)
{
    return (prfdata_stroke_pen){
        prfdata_line_pen_colour(theme->lines[number % PRFDATA_THEME_LINES]),
        (is_wide ? WIDE_LINE : LINE) * theme->dpi / 96,
        prfdata_stroke_dash_of(number, PRFDATA_THEME_LINES, theme->is_contrast)};
}
