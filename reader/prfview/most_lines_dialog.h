/* SPDX-License-Identifier: MIT */
/* Asks how many lines a path with a * may have in the chart. */
#ifndef PRFDATA_READER_MOST_LINES_DIALOG_H
#define PRFDATA_READER_MOST_LINES_DIALOG_H

#include "prfview/app.h"

/* Ask for the number of lines, and set it. If the user cancels, the number stays. */
void prfdata_most_lines_dialog_run(prfdata_app *app);

#endif
