/* SPDX-License-Identifier: MIT */
/* Lets the user choose and order the columns of the table, and keep them as sets with names. */
#ifndef PRFDATA_READER_COLUMNS_DIALOG_H
#define PRFDATA_READER_COLUMNS_DIALOG_H

#include "prfview/app.h"

/* Let the user choose and order the columns of the shown object. Do nothing if the object has no
 * instances. */
void prfdata_columns_dialog_run(prfdata_app *app);

#endif
