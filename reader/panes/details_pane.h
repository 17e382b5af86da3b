/* SPDX-License-Identifier: MIT */
/* Shows the page of details: a text that can be selected and copied. Call it only from the window's
 * thread. */
#ifndef PRFDATA_READER_DETAILS_PANE_H
#define PRFDATA_READER_DETAILS_PANE_H

#include "panes/theme.h"

typedef struct prfdata_details_pane {
    HWND window;
    const prfdata_theme *theme; /* borrowed; the window uses the theme's font `fixed` */
} prfdata_details_pane;

/* Make the window, without a size. */
void prfdata_details_pane_create(prfdata_details_pane *pane, HWND parent, uint32_t id,
                                 const prfdata_theme *theme);

/* Show another text; the scroll position stays. */
void prfdata_details_pane_show(const prfdata_details_pane *pane, const wchar_t *text);

/* Show a horizontal scroll bar only if a line is wider than the window. Call this after the
 * window's size or font has changed. */
void prfdata_details_pane_fit(const prfdata_details_pane *pane);

#endif
