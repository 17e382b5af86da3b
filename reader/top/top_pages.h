/* SPDX-License-Identifier: MIT */
/* Draws pages of text in the live view. */
#ifndef PRFDATA_READER_TOP_PAGES_H
#define PRFDATA_READER_TOP_PAGES_H

#include "top/top_painter.h"

/* Draw the current page in this many lines of the screen. The first line on the screen is line
 * view->line of the page. */
void prfdata_top_pages_put(prfdata_top_painter *p, uint32_t lines);

#endif
