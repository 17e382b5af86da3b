/* SPDX-License-Identifier: MIT */
/* Shows the pages next to the table. */
#ifndef PRFDATA_READER_PAGES_H
#define PRFDATA_READER_PAGES_H

#include "prfview/app.h"

/* Show a page in the lower right. */
void prfdata_pages_show(prfdata_app *app, prfdata_app_page page);

#endif
