/* SPDX-License-Identifier: MIT */
/*
 * The rows of the live view that exist, in no order: which counter of which instance each is of.
 * What their values are is in top_view.c.
 */
#ifndef PRFDATA_READER_TOP_ROWS_H
#define PRFDATA_READER_TOP_ROWS_H

#include "top/top_view.h"

/* The row of a reading; NULL: there is none. */
prfdata_top_row *prfdata_top_rows_find(const prfdata_top_view *view,
                                       const prfdata_top_reading *reading);

/* Add a row for a reading that has none. NULL: too many, or no memory, which the view notes. */
prfdata_top_row *prfdata_top_rows_add(prfdata_top_view *view, const prfdata_top_reading *reading);

/*
 * The row of another counter of the same instance; NULL: there is none. What comes from the same
 * object and label is found, whatever is shown.
 */
prfdata_top_row *prfdata_top_rows_cell(const prfdata_top_view *view, const prfdata_top_row *row,
                                       const prfdata_top_column *column);

/* Let rows be found after they have moved. */
void prfdata_top_rows_index(prfdata_top_view *view);

/* Release a row that is no longer among view->rows. */
void prfdata_top_rows_free(prfdata_top_row *row);

#endif
