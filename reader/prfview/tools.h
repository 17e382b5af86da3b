/* SPDX-License-Identifier: MIT */
/* Makes the toolbar of the most important commands: Record, Add, Log and Newest. */
#ifndef PRFDATA_READER_TOOLS_H
#define PRFDATA_READER_TOOLS_H

#include "prfview/app.h"

#define PRFDATA_TOOLS_TIP_CHARS 100

/* Make the toolbar. prfdata_arrangement_update() places it. */
void prfdata_tools_create(prfdata_app *app);

/* Apply the theme's font after the theme has changed. */
void prfdata_tools_apply_theme(const prfdata_app *app);

/* Return the width that the toolbar's buttons need, in pixels. */
int32_t prfdata_tools_width(const prfdata_app *app);

/* Show which commands are available, and which are on. */
void prfdata_tools_update(const prfdata_app *app);

/* Make the tips of the buttons that are not in the toolbar; the parts must exist. */
void prfdata_tools_create_tips(prfdata_app *app);

/* Handle TTN_GETDISPINFO. Returns false if the tip is not one of a button. */
bool prfdata_tools_set_tip(const prfdata_app *app, NMTTDISPINFOW *tip);

/* Handle NM_CUSTOMDRAW of the toolbar. */
LRESULT prfdata_tools_draw(const prfdata_app *app, NMTBCUSTOMDRAW *draw);

/* Returns whether the command to record can begin or end a recording. It cannot begin one while no
 * object is read, because the recording would have no samples. */
bool prfdata_tools_can_record(const prfdata_app *app);

#endif
