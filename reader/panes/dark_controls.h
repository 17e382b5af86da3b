/* SPDX-License-Identifier: MIT */
/*
 * Paints dark those controls that Windows always draws light. Call it only from the window's
 * thread.
 */
#ifndef PRFDATA_READER_DARK_CONTROLS_H
#define PRFDATA_READER_DARK_CONTROLS_H

#include "panes/theme.h"

#include <commctrl.h>

typedef enum prfdata_dark_control {
    PRFDATA_DARK_HEADER,
    PRFDATA_DARK_TABS,
    PRFDATA_DARK_BUTTON,
    PRFDATA_DARK_CLOSED_LIST,
    PRFDATA_DARK_STATUS
} prfdata_dark_control;

/* From now on, paint a control dark whenever the theme is dark. The theme must exist as long as the
 * control. */
void prfdata_dark_controls_begin(HWND control, prfdata_dark_control kind,
                                 const prfdata_theme *theme);

/* Colour a selected row of a list while the theme is dark. Returns false if the row is not
 * selected, or the theme is not dark. */
bool prfdata_dark_controls_selection(const prfdata_theme *theme, NMLVCUSTOMDRAW *draw);

#endif
