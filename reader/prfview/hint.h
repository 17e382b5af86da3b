/* SPDX-License-Identifier: MIT */
/* The hint in the place of a table that has nothing to show. */
#ifndef PRFDATA_READER_HINT_H
#define PRFDATA_READER_HINT_H

#include "prfview/app.h"

/* Show the table, or why there is nothing in it and what to do. */
void prfdata_hint_update(prfdata_app *app);

#endif
