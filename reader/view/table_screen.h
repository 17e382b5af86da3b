/* SPDX-License-Identifier: MIT */
/*
 * The state of a list on the screen that shows a table: which of its rows are selected there, by
 * position, and what it shows in each cell that is seen. Whoever owns the list tells it what
 * differs, and paints that, so that a key or a sample costs what it changes, however many rows
 * there are. Draws nothing. One thread at a time.
 */
#ifndef PRFDATA_READER_TABLE_SCREEN_H
#define PRFDATA_READER_TABLE_SCREEN_H

#include "view/table.h"

#define PRFDATA_TABLE_NOWHERE UINT32_MAX
#define PRFDATA_TABLE_UNKNOWN 0u /* the mark of a cell that is not seen */

/* Bits: the state of a row of the list. */
enum { PRFDATA_TABLE_SELECTED = 1, PRFDATA_TABLE_FOCUSED = 2 };

/* The part of the list that is seen, in rows and columns of the list. */
typedef struct prfdata_table_part {
    uint32_t first_row;
    uint32_t row_count;
    uint32_t column_count;
} prfdata_table_part;

typedef struct prfdata_table_screen {
    uint8_t *states; /* by position; owned, as what follows */
    size_t state_capacity;
    uint32_t row_count;      /* of the list */
    uint32_t selected_count; /* of them */
    uint32_t focused;        /* which has the focus; PRFDATA_TABLE_NOWHERE: none */
    prfdata_table_part part; /* that was seen last */
    uint64_t *marks;         /* of its cells, row by row */
    size_t mark_capacity;
    uint64_t *spare;
    size_t spare_capacity;
} prfdata_table_screen;

/* Begin with a list without rows. */
void prfdata_table_screen_init(prfdata_table_screen *screen);

/* Release everything; the screen is as after prfdata_table_screen_init(). */
void prfdata_table_screen_free(prfdata_table_screen *screen);

/* ---- Which rows are selected ---- */

/*
 * The list has so many rows from now on. New ones are not selected, and the state of those that are
 * no more is forgotten. Returns false: no memory, nothing changed.
 */
bool prfdata_table_screen_resize(prfdata_table_screen *screen, uint32_t row_count);

/*
 * The list has changed rows from `first` to `last`, as far as it has them: of the bits in `changed`
 * those in `now` are set. Only one row has the focus.
 */
void prfdata_table_screen_change(prfdata_table_screen *screen, uint32_t first, uint32_t last,
                                 unsigned changed, unsigned now);

/* The state that a row is to have: as the table has it. */
unsigned prfdata_table_screen_wanted(const prfdata_table *table, uint32_t at);

/*
 * Find the first row from *at on whose state in the list is not the table's.
 * Returns whether there is one; *at is its position.
 */
bool prfdata_table_screen_differs(const prfdata_table_screen *screen, const prfdata_table *table,
                                  uint32_t *at);

/*
 * Which row is to be on top of the list, now that rows may have moved: before the list is told so.
 * What is looked at is a place, not a row that may be anywhere now; unless `follows`: then the row
 * with the focus stays in its place, if it was seen.
 *
 * top   That is on top now.
 * page  Rows that have room.
 */
uint32_t prfdata_table_screen_top(const prfdata_table_screen *screen, const prfdata_table *table,
                                  uint32_t top, uint32_t page, bool follows);

/* The user has changed the list: the table's rows get the states that it has. */
void prfdata_table_screen_keep(const prfdata_table_screen *screen, prfdata_table *table);

/* ---- What cells show ---- */

/* What is shown in a cell, as one number; `look` is whatever else is seen of it. */
uint64_t prfdata_table_screen_mark(prfdata_text text, uint32_t look);

/*
 * This part is seen from now on; of cells that were seen before it is known what they show.
 * Returns false: no memory, and nothing is known.
 */
bool prfdata_table_screen_see(prfdata_table_screen *screen, prfdata_table_part part);

/*
 * A cell of that part shows this; PRFDATA_TABLE_UNKNOWN: it is beside the window, and whoever
 * paints it later will not say so. Returns whether it has to be painted: it showed something else,
 * or that is not known.
 */
bool prfdata_table_screen_show(prfdata_table_screen *screen, uint32_t row, uint32_t column,
                               uint64_t mark);

/* Nobody knows what cells show. */
void prfdata_table_screen_forget(prfdata_table_screen *screen);

#endif
