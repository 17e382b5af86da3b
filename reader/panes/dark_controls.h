/* SPDX-License-Identifier: MIT */
/* Paints dark what Windows draws light in any case. Only the window's thread calls. */
#ifndef PRFDATA_READER_DARK_CONTROLS_H
#define PRFDATA_READER_DARK_CONTROLS_H

#include "panes/theme.h"

#include <commctrl.h>

typedef enum prfdata_dark_control {
    PRFDATA_DARK_HEADER, /* of a list */
    PRFDATA_DARK_TABS,
    PRFDATA_DARK_BUTTON,
    PRFDATA_DARK_CLOSED_LIST,
    PRFDATA_DARK_STATUS
} prfdata_dark_control;

/* Paint a control while the theme is dark, from now on, whatever the theme is now. */
void prfdata_dark_controls_begin(HWND control, prfdata_dark_control kind,
                                 const prfdata_theme *theme);

/* Colour a selected row of a list while the theme
 * is dark. Returns false: it is not, or not dark. */
bool prfdata_dark_controls_selection(const prfdata_theme *theme, NMLVCUSTOMDRAW *draw);

#endif
