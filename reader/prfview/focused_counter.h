/* SPDX-License-Identifier: MIT */
/* Finds the counter that a command is about. */
#ifndef PRFDATA_READER_FOCUSED_COUNTER_H
#define PRFDATA_READER_FOCUSED_COUNTER_H

#include "prfview/app.h"

/* The counter that a command is about: of the part that has the focus. Returns false if none. */
bool prfdata_focused_counter_find(const prfdata_app *app, prfdata_chart_key *key);

#endif
