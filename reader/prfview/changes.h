/* SPDX-License-Identifier: MIT */
/* Updates the window when the viewer has changed, and begins and ends the source. */
#ifndef PRFDATA_READER_CHANGES_H
#define PRFDATA_READER_CHANGES_H

#include "prfview/app.h"

/* Create the viewer, whose changes the window follows. */
void prfdata_changes_observe(prfdata_app *app, size_t timeline_bytes);

/* Show where the samples come from, and how long the newest one took. */
void prfdata_changes_show_status(prfdata_app *app);

/* Show a source, whose titles and computer are in the viewer. */
void prfdata_changes_begin(prfdata_app *app);

/* Show the same source under new titles. */
void prfdata_changes_renew(prfdata_app *app, const prfdata_titles *titles);

/* Forget the source. */
void prfdata_changes_end(prfdata_app *app);

#endif
