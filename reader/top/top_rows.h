/* SPDX-License-Identifier: MIT */
/* The rows of the live view's list out of samples: values, changes and histories. */
#ifndef PRFDATA_READER_TOP_ROWS_H
#define PRFDATA_READER_TOP_ROWS_H

#include "top/top_view.h"

/* Add the counter that was found, or, if there is no match, a row that says why. */
void prfdata_top_rows_add(prfdata_top_view *view, const prfdata_resolver *match);

/* Note that the sample does not have a row. */
void prfdata_top_rows_miss(const prfdata_top_view *view, prfdata_top_row *row);

#endif
