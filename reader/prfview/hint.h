/* SPDX-License-Identifier: MIT */
/* Shows a hint in place of an empty table. */
#ifndef PRFDATA_READER_HINT_H
#define PRFDATA_READER_HINT_H

#include "prfview/app.h"

/* Show the table or, if it is empty, why it is empty and what the user can do. */
void prfdata_hint_update(prfdata_app *app);

#endif
