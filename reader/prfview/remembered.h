/* SPDX-License-Identifier: MIT */
/* What the window remembers. */
#ifndef PRFDATA_READER_REMEMBERED_H
#define PRFDATA_READER_REMEMBERED_H

#include "prfview/app.h"

/* Read it from a workspace, whose counters replace what is shown; failures are shown. */
void prfdata_remembered_open(prfdata_app *app, const wchar_t *path);
/* Read it once, when the window begins: from -w, or from the user's own file. */
void prfdata_remembered_begin(prfdata_app *app);
/* Write it to a workspace, or to the user's own file. */
void prfdata_remembered_save(prfdata_app *app, const wchar_t *path);
void prfdata_remembered_save_own(prfdata_app *app);

#endif
