/* SPDX-License-Identifier: MIT */
/* Draws the live view's table: instances by counters, or the counters of an object without
 * instances. */
#ifndef PRFDATA_READER_TOP_GRID_H
#define PRFDATA_READER_TOP_GRID_H

#include "top/top_painter.h"

#define PRFDATA_TOP_GRID_HEAD_LINES 2

/* Scroll so that the selected column is visible. */
void prfdata_top_grid_scroll(prfdata_top_painter *p);

/* Put the lines of headings: the counters' names, broken at blanks. */
void prfdata_top_grid_put_head(prfdata_top_painter *p);

/* Put a row into the current line. */
void prfdata_top_grid_put_row(prfdata_top_painter *p, const prfdata_top_instance *row);

#endif
