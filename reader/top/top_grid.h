/* SPDX-License-Identifier: MIT */
/* The live view's table: instances by counters, or counters of an object without instances. */
#ifndef PRFDATA_READER_TOP_GRID_H
#define PRFDATA_READER_TOP_GRID_H

#include "top/top_painter.h"

#define PRFDATA_TOP_GRID_HEAD_LINES 2

/* Let the selected column be among those that fit. */
void prfdata_top_grid_scroll(prfdata_top_painter *p);

/* Put the lines of headings: the counters' names, broken at blanks. */
void prfdata_top_grid_put_head(prfdata_top_painter *p);

/* Put a row into the line that was begun. */
void prfdata_top_grid_put_row(prfdata_top_painter *p, const prfdata_top_instance *row);

#endif
