/* SPDX-License-Identifier: MIT */
/* The bar of the commands that one looks for first: Record, Add, Log and Newest. */
#ifndef PRFDATA_READER_TOOLS_H
#define PRFDATA_READER_TOOLS_H

#include "prfview/app.h"

/* Make the bar, which has no place yet. */
void prfdata_tools_create(prfdata_app *app);

/* Take the font of the theme, which has changed. */
void prfdata_tools_apply_theme(const prfdata_app *app);

/* The width that its buttons need, in pixels. */
int32_t prfdata_tools_width(const prfdata_app *app);

/* Show which commands can be given, and what is on. */
void prfdata_tools_update(const prfdata_app *app);

/* NM_CUSTOMDRAW of the bar. */
LRESULT prfdata_tools_draw(const prfdata_app *app, NMTBCUSTOMDRAW *draw);

#endif
