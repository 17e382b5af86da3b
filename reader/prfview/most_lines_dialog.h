/* SPDX-License-Identifier: MIT */
/* Asks how many lines a path with a * may have. */
#ifndef PRFDATA_READER_MOST_LINES_DIALOG_H
#define PRFDATA_READER_MOST_LINES_DIALOG_H

#include "prfview/app.h"

/* Ask how many lines a path with a * may have, and set this number. */
void prfdata_most_lines_dialog_run(prfdata_app *app);

#endif
