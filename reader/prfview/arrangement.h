/* SPDX-License-Identifier: MIT */
/* Places the window's parts, and the splitters between them. */
#ifndef PRFDATA_READER_ARRANGEMENT_H
#define PRFDATA_READER_ARRANGEMENT_H

#include "prfview/app.h"

/* Set the first size of the window, and the width of the tree. */
void prfdata_arrangement_begin(prfdata_app *app);

/* Place the parts. */
void prfdata_arrangement_update(prfdata_app *app);

/*
 * Return the number of the splitter at a place of the window: 1 is next to the tree, 2 below the
 * table, 3 above the legend. 0: there is no splitter.
 */
int prfdata_arrangement_splitter_at(const prfdata_app *app, int32_t x, int32_t y);

/* Move the held splitter, app->splitting, to a place. */
void prfdata_arrangement_move_splitter(prfdata_app *app, int32_t x, int32_t y);

#endif
