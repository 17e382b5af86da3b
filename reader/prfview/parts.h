/* SPDX-License-Identifier: MIT */
/* Makes the parts of the window, and sets their fonts and colours. */
#ifndef PRFDATA_READER_PARTS_H
#define PRFDATA_READER_PARTS_H

#include "prfview/app.h"

void prfdata_parts_create(prfdata_app *app);

/* Apply the system's colours and fonts, at first and whenever they change. If `dpi` is 0, the DPI
 * of the window is used. */
void prfdata_parts_apply_theme(prfdata_app *app, uint32_t dpi);

#endif
