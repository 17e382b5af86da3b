/* SPDX-License-Identifier: MIT */
/* The parts of the window: making them, and their fonts and colours. */
#ifndef PRFDATA_READER_PARTS_H
#define PRFDATA_READER_PARTS_H

#include "prfview/app.h"

/* Make the parts; they are placed later. */
void prfdata_parts_create(prfdata_app *app);

/* Take the system's colours and fonts, also after they changed. dpi 0: that of the window. */
void prfdata_parts_apply_theme(prfdata_app *app, uint32_t dpi);

#endif
