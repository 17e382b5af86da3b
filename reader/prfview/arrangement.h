/* SPDX-License-Identifier: MIT */
/* The places of the window's parts, and the splitters between them. */
#ifndef PRFDATA_READER_ARRANGEMENT_H
#define PRFDATA_READER_ARRANGEMENT_H

#include "prfview/app.h"

/* Give the window its first size, and the tree its width. */
void prfdata_arrangement_begin(prfdata_app *app);

/* Place the parts. */
void prfdata_arrangement_update(prfdata_app *app);

/* The splitter at a place of the window: 0: none, 1: beside the tree, 2: below the table. */
int prfdata_arrangement_splitter_at(const prfdata_app *app, int32_t x, int32_t y);

/* Move the splitter that is held, app->splitting, to a place. */
void prfdata_arrangement_move_splitter(prfdata_app *app, int32_t x, int32_t y);

#endif
