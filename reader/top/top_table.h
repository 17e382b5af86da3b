/* SPDX-License-Identifier: MIT */
/*
 * The table of the live view: one object at a time, a row for each of its instances, a column for
 * each of its counters. An instance is represented by its row of the selected column, so that
 * sorting, selecting and describing are those of the list.
 */
#ifndef PRFDATA_READER_TOP_TABLE_H
#define PRFDATA_READER_TOP_TABLE_H

#include "top/top_view.h"

/*
 * If the view has a table, leave of the rows that are shown those of its object, one for each
 * instance, in the order of the window's table; and choose the columns. The object stays as long as
 * it has rows, and the selected column as long as it has a counter.
 *
 * Returns false: no memory.
 */
bool prfdata_top_table_arrange(prfdata_top_view *view);

/* Go on to the next object, after the last to the first. */
void prfdata_top_table_next_object(prfdata_top_view *view);

/* Select the column to the right (1) or to the left (-1), if there is one. */
void prfdata_top_table_move_column(prfdata_top_view *view, int step);

#endif
