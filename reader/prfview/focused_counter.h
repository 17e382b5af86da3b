/* SPDX-License-Identifier: MIT */
/* Finds the counter that a command applies to. */
#ifndef PRFDATA_READER_FOCUSED_COUNTER_H
#define PRFDATA_READER_FOCUSED_COUNTER_H

#include "prfview/app.h"

/*
 * Find the counter. The first of these that exists counts:
 * - if the legend has the focus: the counter of its selected line;
 * - if the table does not have the focus: the counter that is selected in the tree;
 * - the counter of the focused cell of the table.
 *
 * Returns false if none exists.
 */
bool prfdata_focused_counter_find(const prfdata_app *app, prfdata_chart_key *key);

#endif
