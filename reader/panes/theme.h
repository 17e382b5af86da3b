/* SPDX-License-Identifier: MIT */
/* Colours, fonts and sizes: the system's, light or dark, for a window's DPI. */
#ifndef PRFDATA_READER_THEME_H
#define PRFDATA_READER_THEME_H

#include <stdbool.h>
#include <stdint.h>

#include <windows.h>

#define PRFDATA_THEME_LINES 12 /* colours of lines; then they come again, dashed */

typedef struct prfdata_theme {
    uint32_t dpi;
    bool is_dark;
    bool is_contrast; /* high contrast: the system's colours only */
    COLORREF face;    /* around the parts */
    COLORREF back;    /* of lists, the tree and the chart */
    COLORREF text;
    COLORREF faint; /* text that matters less */
    COLORREF grid;
    COLORREF mark; /* the ground of a value that changed */
    COLORREF edge; /* around what we paint dark; the rest is what dark_*.c draws with */
    COLORREF lit;  /* under the pointer, or pressed */
    COLORREF disabled;
    COLORREF chosen; /* a selected row of the part that has the focus */
    COLORREF lines[PRFDATA_THEME_LINES];
    HBRUSH face_brush;
    HBRUSH back_brush;
    HFONT font;
    HFONT bold;
    HFONT fixed; /* for bytes */
    int32_t text_height;
} prfdata_theme;

/* Make the theme that the system has now; releases an older one. dpi 0: that of the window. */
void prfdata_theme_update(prfdata_theme *theme, HWND window, uint32_t dpi);

void prfdata_theme_free(prfdata_theme *theme);

/* Fill an area with a colour. */
void prfdata_theme_fill(HDC dc, const RECT *area, COLORREF colour);

/* Pixels at 96 DPI as pixels of the window. */
int32_t prfdata_theme_pixels(const prfdata_theme *theme, int32_t pixels);

/* Colour a window's frame, as far as the system can. */
void prfdata_theme_apply(const prfdata_theme *theme, HWND window);

/* The same for a control's scroll bars and its little buttons. */
void prfdata_theme_apply_to_control(const prfdata_theme *theme, HWND control);

/* The same and the colours of a list. */
void prfdata_theme_apply_to_list(const prfdata_theme *theme, HWND list);

/* For tests: dark whatever the system says. */
void prfdata_theme_force(bool is_dark);

#endif
