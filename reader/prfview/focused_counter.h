/* SPDX-License-Identifier: MIT */
/* Finds the counter that a command applies to. */
#ifndef PRFDATA_READER_FOCUSED_COUNTER_H
#define PRFDATA_READER_FOCUSED_COUNTER_H

#include "prfview/app.h"

/* Find the counter of the part that has the focus. Returns false if there is none. */
bool prfdata_focused_counter_find(const prfdata_app *app, prfdata_chart_key *key);

#endif
