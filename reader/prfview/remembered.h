/* SPDX-License-Identifier: MIT */
/* Saves and restores the window's settings. */
#ifndef PRFDATA_READER_REMEMBERED_H
#define PRFDATA_READER_REMEMBERED_H

#include "prfview/app.h"

/* Restore the settings from the workspace at this path. Its counters replace the counters that the
 * window shows. Failures are shown to the user. */
void prfdata_remembered_open(prfdata_app *app, const wchar_t *path);
/* Restore the settings from the workspace of -w, or from the user's own file. Only the first call
 * does so. */
void prfdata_remembered_begin(prfdata_app *app);
/* Save the settings to a workspace. */
void prfdata_remembered_save(prfdata_app *app, const wchar_t *path);
/* Save the settings to the user's own file. */
void prfdata_remembered_save_own(prfdata_app *app);

#endif
