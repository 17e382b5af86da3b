/* SPDX-License-Identifier: MIT */
/* Draws the live view's table: a row for each instance and a column for each counter. If the object
 * has no instances, each counter has a row. */
#ifndef PRFDATA_READER_TOP_GRID_H
#define PRFDATA_READER_TOP_GRID_H

#include "top/top_painter.h"

/* Choose the size of headings, and scroll so that the selected column is visible. Call this before
 * the other functions. */
void prfdata_top_grid_begin(prfdata_top_painter *p);

/* Put p->heading_lines lines of headings: the counters' names, broken after blanks or before
 * slashes. Headings that were cut and would look like others get a number. */
void prfdata_top_grid_put_head(prfdata_top_painter *p);

/* Put a row into the current line. */
void prfdata_top_grid_put_row(prfdata_top_painter *p, const prfdata_top_instance *row);

#endif
