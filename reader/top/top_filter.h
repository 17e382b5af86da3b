/* SPDX-License-Identifier: MIT */
/* Which rows of the live view the user wants to see. */
#ifndef PRFDATA_READER_TOP_FILTER_H
#define PRFDATA_READER_TOP_FILTER_H

#include "top/top_view.h"

/* Whether a row is among what the filter, idleness and the table's object leave. */
bool prfdata_top_filter_shows(const prfdata_top_view *view, const prfdata_top_row *row);

/*
 * Let the filter be so many of the chars that were typed.
 * Returns false: no memory, and nothing changed.
 */
bool prfdata_top_filter_set(prfdata_top_view *view, uint32_t count);

/* The text of the filter, as the user typed it. */
prfdata_text prfdata_top_filter_text(const prfdata_top_view *view);

#endif
