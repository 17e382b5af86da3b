/* SPDX-License-Identifier: MIT */
/* The page of details: a text that can be selected and copied. Only the window's thread calls. */
#ifndef PRFDATA_READER_DETAILS_PANE_H
#define PRFDATA_READER_DETAILS_PANE_H

#include "panes/theme.h"

typedef struct prfdata_details_pane {
    HWND window;
    const prfdata_theme *theme; /* borrowed; its font for bytes is the window's */
} prfdata_details_pane;

/* Make its window, which has no size yet. */
void prfdata_details_pane_create(prfdata_details_pane *pane, HWND parent, uint32_t id,
                                 const prfdata_theme *theme);

/* Show another text; the reader's place in it stays. */
void prfdata_details_pane_show(const prfdata_details_pane *pane, const wchar_t *text);

/* Have a horizontal scroll bar only if a line is wider than the window, which has another size now,
 * or another font. */
void prfdata_details_pane_fit(const prfdata_details_pane *pane);

#endif
