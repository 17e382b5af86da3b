/* SPDX-License-Identifier: MIT */
/* The pages beside the table. */
#ifndef PRFDATA_READER_PAGES_H
#define PRFDATA_READER_PAGES_H

#include "prfview/app.h"

/* Show a page of the lower right. */
void prfdata_pages_show(prfdata_app *app, prfdata_app_page page);

#endif
