/* SPDX-License-Identifier: MIT */
/* Draws pages of text in the live view. */
#ifndef PRFDATA_READER_TOP_PAGES_H
#define PRFDATA_READER_TOP_PAGES_H

#include "top/top_painter.h"

/* Put the current page, from view->line on, in this many lines. */
void prfdata_top_pages_put(prfdata_top_painter *p, uint32_t lines);

#endif
