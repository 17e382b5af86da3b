/* SPDX-License-Identifier: MIT */
/* Finds the counter that a command applies to. */
#ifndef PRFDATA_READER_FOCUSED_COUNTER_H
#define PRFDATA_READER_FOCUSED_COUNTER_H

#include "prfview/app.h"

/*
 * Find the counter: that of the selected line if the legend has the focus; otherwise, unless the
 * table has the focus, the counter that is selected in the tree; otherwise that of the table's cell
 * to which commands apply. Returns false if there is none.
 */
bool prfdata_focused_counter_find(const prfdata_app *app, prfdata_chart_key *key);

#endif
