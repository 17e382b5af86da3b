/* SPDX-License-Identifier: MIT */
/* Asks for the threshold of a counter. */
#ifndef PRFDATA_READER_THRESHOLD_DIALOG_H
#define PRFDATA_READER_THRESHOLD_DIALOG_H

#include "prfview/app.h"

/* Ask for the threshold of the counter that commands apply to, and set it. */
void prfdata_threshold_dialog_run(prfdata_app *app);

#endif
