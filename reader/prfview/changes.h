/* SPDX-License-Identifier: MIT */
/*
 * Updates the window when the viewer has changed. Starts and stops showing a source, which is a
 * computer or a file.
 */
#ifndef PRFDATA_READER_CHANGES_H
#define PRFDATA_READER_CHANGES_H

#include "prfview/app.h"

/* Create the viewer, whose changes the window follows. */
void prfdata_changes_observe(prfdata_app *app, size_t timeline_bytes);

/* Update the status bar and the toolbar. */
void prfdata_changes_show_status(prfdata_app *app);

/* Begin to show the source whose titles and computer are in the viewer. */
void prfdata_changes_begin(prfdata_app *app);

/* Continue to show the source, which has other titles now. */
void prfdata_changes_renew(prfdata_app *app, const prfdata_titles *titles);

/* Stop showing the source, and forget its titles and samples. */
void prfdata_changes_end(prfdata_app *app);

#endif
