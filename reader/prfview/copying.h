/* SPDX-License-Identifier: MIT */
/* Runs the commands that copy to the clipboard. */
#ifndef PRFDATA_READER_COPYING_H
#define PRFDATA_READER_COPYING_H

#include "prfview/app.h"

/* Run IDC_COPY, IDC_COPY_PATH or IDC_COPY_COMMAND. What IDC_COPY and IDC_COPY_PATH copy depends on
 * the focus. */
void prfdata_copying_run(prfdata_app *app, uint32_t command);

/* If a text has the focus, select all of it; otherwise select all rows of the table. */
void prfdata_copying_select_all(prfdata_app *app);

#endif
