/* SPDX-License-Identifier: MIT */
/* Shows the pages below the table: the chart, the histogram, the details. */
#ifndef PRFDATA_READER_PAGES_H
#define PRFDATA_READER_PAGES_H

#include "prfview/app.h"

/* Show a page in the lower right. */
void prfdata_pages_show(prfdata_app *app, prfdata_app_page page);

#endif
