/* SPDX-License-Identifier: MIT */
/*
 * The first column of a table stays in its place while the others scroll sideways below it. All
 * numbers are pixels of the window; draws nothing.
 */
#ifndef PRFDATA_READER_FROZEN_H
#define PRFDATA_READER_FROZEN_H

#include <stdbool.h>
#include <stdint.h>

typedef struct prfdata_frozen {
    int32_t scroll; /* of the table: what of it is left of the window */
    int32_t column; /* the width of the first column */
    int32_t window; /* the width of the window */
} prfdata_frozen;

/*
 * How much of the window the first column covers, from the left. 0: the table is not scrolled, and
 * the column is where the table has it. A wide one gets narrower while the others need the room,
 * down to half of the window.
 */
int32_t prfdata_frozen_width(const prfdata_frozen *frozen);

/* Whether the first column covers what the table has at a place of the window. */
bool prfdata_frozen_covers(const prfdata_frozen *frozen, int32_t x);

/*
 * How far to scroll (below 0: back) so that a cell of another column is seen beside the first one;
 * if it is too wide for that, its beginning.
 *
 * left, right  Where the cell is in the window now.
 */
int32_t prfdata_frozen_reveal(const prfdata_frozen *frozen, int32_t left, int32_t right);

#endif
