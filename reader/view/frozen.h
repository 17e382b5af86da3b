/* SPDX-License-Identifier: MIT */
/*
 * Keeps the first column of a table in its place while the other columns scroll sideways behind it.
 * All numbers are pixels of the window.
 */
#ifndef PRFDATA_READER_FROZEN_H
#define PRFDATA_READER_FROZEN_H

#include <stdbool.h>
#include <stdint.h>

typedef struct prfdata_frozen {
    int32_t scroll; /* width of the part of the table that is left of the window */
    int32_t column; /* the width of the first column */
    int32_t window;
} prfdata_frozen;

/*
 * Return how much of the window the first column covers, from the left. 0: the table is not
 * scrolled, so the column is in its normal place. A column that is wider than half of the window
 * becomes narrower while the table scrolls, down to that half.
 */
int32_t prfdata_frozen_width(const prfdata_frozen *frozen);

/* Returns whether the first column covers the table at a place of the window. */
bool prfdata_frozen_covers(const prfdata_frozen *frozen, int32_t x);

/*
 * Return how far to scroll (below 0: back) so that a cell of another column is visible next to the
 * first column. If the cell is too wide, only its beginning becomes visible.
 *
 * left, right  The current position of the cell in the window.
 */
int32_t prfdata_frozen_reveal(const prfdata_frozen *frozen, int32_t left, int32_t right);

#endif
