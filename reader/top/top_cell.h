/* SPDX-License-Identifier: MIT */
/* What a row's value is in a column of the screen. */
#ifndef PRFDATA_READER_TOP_CELL_H
#define PRFDATA_READER_TOP_CELL_H

#include "top/top_painter.h"

#define PRFDATA_TOP_CELL_CELLS 10 /* "3162361 B", "-7.93 MB/s" */

/* Put a row's value, text or reason for having none, with a blank before it. */
void prfdata_top_cell_put(prfdata_top_painter *p, const prfdata_top_row *row);

#endif
