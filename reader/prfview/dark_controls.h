/* SPDX-License-Identifier: MIT */
/* What Windows draws light in any case, for who draws a list. */
#ifndef PRFDATA_READER_DARK_CONTROLS_H
#define PRFDATA_READER_DARK_CONTROLS_H

#include "prfview/theme.h"

#include <commctrl.h>

/* Colour a selected row of a list while the theme
 * is dark. Returns false: it is not, or not dark. */
bool prfdata_dark_controls_selection(const prfdata_theme *theme, NMLVCUSTOMDRAW *draw);

#endif
