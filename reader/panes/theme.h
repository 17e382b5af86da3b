/* SPDX-License-Identifier: MIT */
/*
 * Holds the colours, light or dark, and the fonts and sizes for a window's DPI. The system's
 * settings choose them, except that prfdata_theme_force() makes the colours dark.
 */
#ifndef PRFDATA_READER_THEME_H
#define PRFDATA_READER_THEME_H

#include <stdbool.h>
#include <stdint.h>

#include <windows.h>

/* Number of line colours; further lines repeat them with other dashes. */
#define PRFDATA_THEME_LINES 12

typedef struct prfdata_theme {
    uint32_t dpi;
    bool is_dark;
    bool is_contrast; /* high contrast: use only the system's colours, except for the lines of the
                         chart */
    COLORREF face;    /* background around the parts of the window */
    COLORREF back;    /* background of lists, the tree and the chart */
    COLORREF text;
    COLORREF faint; /* for less important text */
    COLORREF grid;
    COLORREF beyond; /* background of a cell whose value is beyond its threshold */
    COLORREF limit;  /* line of a threshold */
    COLORREF mark;   /* background of a changed value, and of a new row */
    COLORREF edge;   /* border of a control that is painted dark */
    COLORREF lit;    /* background that stands out, for example under the pointer */
    COLORREF disabled;
    COLORREF chosen; /* background of a selected row of the part with the focus */
    COLORREF lines[PRFDATA_THEME_LINES];
    HBRUSH face_brush;
    HBRUSH back_brush;
    HFONT font;
    HFONT bold;
    HFONT fixed; /* for bytes */
    int32_t text_height;
} prfdata_theme;

/*
 * Make the theme from the system's current settings, and release the previous one. If `dpi` is 0,
 * the DPI of the window is used.
 */
void prfdata_theme_update(prfdata_theme *theme, HWND window, uint32_t dpi);

void prfdata_theme_free(prfdata_theme *theme);

void prfdata_theme_fill(HDC dc, const RECT *area, COLORREF colour);

/* Convert pixels at 96 DPI to pixels of the window. */
int32_t prfdata_theme_pixels(const prfdata_theme *theme, int32_t pixels);

/* Return a size of the system, one of SM_..., in pixels of the window. */
int32_t prfdata_theme_metric(const prfdata_theme *theme, int index);

/* Colour a window's frame, as far as the system can. */
void prfdata_theme_apply(const prfdata_theme *theme, HWND window);

/* Give a control's scroll bars and their buttons the colours of the theme, as far as the system
 * can. */
void prfdata_theme_apply_to_control(const prfdata_theme *theme, HWND control);

/* Colour a list and its scroll bars. */
void prfdata_theme_apply_to_list(const prfdata_theme *theme, HWND list);

/* true: from now on, make every theme dark, except with high contrast. false: obey the system's
 * setting for apps. */
void prfdata_theme_force(bool is_dark);

#endif
