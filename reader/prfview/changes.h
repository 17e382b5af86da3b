/* SPDX-License-Identifier: MIT */
/* What the window does when the viewer has changed. The source begins and ends here. */
#ifndef PRFDATA_READER_CHANGES_H
#define PRFDATA_READER_CHANGES_H

#include "prfview/app.h"

/* Begin with a viewer that the window follows. */
void prfdata_changes_observe(prfdata_app *app, size_t timeline_bytes);

/* Show where the samples come from, and what the newest one cost. */
void prfdata_changes_show_status(prfdata_app *app);

/* Show a source; its titles and computer are in the viewer. */
void prfdata_changes_begin(prfdata_app *app);

/* Show the same source under other titles. */
void prfdata_changes_renew(prfdata_app *app, const prfdata_titles *titles);

/* Forget the source. */
void prfdata_changes_end(prfdata_app *app);

#endif
