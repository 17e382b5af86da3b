/* SPDX-License-Identifier: MIT */
/* Makes the parts of the window, and sets their fonts and colours. */
#ifndef PRFDATA_READER_PARTS_H
#define PRFDATA_READER_PARTS_H

#include "prfview/app.h"

/* Make the parts; arrangement.c places them later. */
void prfdata_parts_create(prfdata_app *app);

/* Apply the system's colours and fonts, at first and whenever they change. dpi 0: that of the
 * window. */
void prfdata_parts_apply_theme(prfdata_app *app, uint32_t dpi);

#endif
