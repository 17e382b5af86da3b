/* SPDX-License-Identifier: MIT */
/*
 * The rows of the live view by what they are of: a counter of an instance. What their values are is
 * in top_view.c.
 */
#ifndef PRFDATA_READER_TOP_ROWS_H
#define PRFDATA_READER_TOP_ROWS_H

#include "top/top_view.h"

/* The row of a reading, old or new. NULL: too many, or no memory, which the view notes. */
prfdata_top_row *prfdata_top_rows_of(prfdata_top_view *view, const prfdata_top_reading *reading);

/* A row of those that are shown. */
prfdata_top_row *prfdata_top_rows_shown(const prfdata_top_view *view, uint32_t at);

/*
 * The row of another counter of the same instance; NULL: there is none. What comes from the same
 * object and label is found, whatever is shown.
 */
prfdata_top_row *prfdata_top_rows_cell(prfdata_top_view *view, const prfdata_top_row *row,
                                       const prfdata_top_column *column);

#endif
