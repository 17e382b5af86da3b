/* SPDX-License-Identifier: MIT */
/* Draws the live view's list of counters. */
#ifndef PRFDATA_READER_TOP_LIST_H
#define PRFDATA_READER_TOP_LIST_H

#include "top/top_painter.h"

void prfdata_top_list_put_head(prfdata_top_painter *p);

/* Put a row into the current line. */
void prfdata_top_list_put_row(prfdata_top_painter *p, const prfdata_top_row *row);

#endif
