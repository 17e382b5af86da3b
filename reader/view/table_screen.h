/* SPDX-License-Identifier: MIT */
/*
 * Keeps the state of a list on the screen that shows a table: which of its rows are selected, by
 * position, and the content of each visible cell. The owner of the list reports changes here, and
 * paints only the differences. This file draws nothing. Use it from one thread at a time.
 */
#ifndef PRFDATA_READER_TABLE_SCREEN_H
#define PRFDATA_READER_TABLE_SCREEN_H

#include "view/table.h"

#define PRFDATA_TABLE_NOWHERE UINT32_MAX
#define PRFDATA_TABLE_UNKNOWN 0u /* mark of a cell whose content on the screen is not known */

enum { PRFDATA_TABLE_SELECTED = 1, PRFDATA_TABLE_FOCUSED = 2 };

/* The visible part of the list, in rows and columns of the list. */
typedef struct prfdata_table_part {
    uint32_t first_row;
    uint32_t row_count;
    uint32_t column_count;
} prfdata_table_part;

typedef struct prfdata_table_screen {
    uint8_t *states; /* state bits of each row; owned, like `marks` and `spare` */
    size_t state_capacity;
    uint32_t row_count;
    uint32_t selected_count;
    uint32_t focused;        /* row with the focus; PRFDATA_TABLE_NOWHERE: none */
    prfdata_table_part part; /* the last visible part */
    uint64_t *marks;         /* the marks of the cells of `part`: their contents as numbers, row by
                                row */
    size_t mark_capacity;
    uint64_t *spare;
    size_t spare_capacity;
} prfdata_table_screen;

void prfdata_table_screen_init(prfdata_table_screen *screen);

/* Release everything, and set the screen as prfdata_table_screen_init() does. */
void prfdata_table_screen_free(prfdata_table_screen *screen);

/* ---- Selected rows ---- */

/*
 * Set the number of rows of the list. New rows are not selected, and the state of removed ones is
 * forgotten. Returns false: no memory, nothing changed.
 */
bool prfdata_table_screen_resize(prfdata_table_screen *screen, uint32_t row_count);

/*
 * Note that the list has changed rows from `first` to `last`; rows that it does not have are
 * ignored. `changed` has the bits that changed, and `now` has their new values. Only one row has
 * the focus.
 */
void prfdata_table_screen_change(prfdata_table_screen *screen, uint32_t first, uint32_t last,
                                 unsigned changed, unsigned now);

/* Return the state that a row should have, which is its state in the table. */
unsigned prfdata_table_screen_wanted(const prfdata_table *table, uint32_t at);

/*
 * Find the first row whose state in the list differs from its state in the table. The search begins
 * at row *at. Returns whether there is such a row; *at is then its position.
 */
bool prfdata_table_screen_differs(const prfdata_table_screen *screen, const prfdata_table *table,
                                  uint32_t *at);

/*
 * Return which row must be at the top of the list after rows have moved; call this before changing
 * the list. Without `follows`, the position stays. With `follows`, the row with the focus keeps its
 * place on the screen, if it was visible. The returned row is at most the one that puts the last
 * row at the bottom.
 *
 * top   The position that is now at the top.
 * page  Number of rows that fit.
 */
uint32_t prfdata_table_screen_top(const prfdata_table_screen *screen, const prfdata_table *table,
                                  uint32_t top, uint32_t page, bool follows);

/* Copy the state of the list's rows to the table, after the user has changed the list. */
void prfdata_table_screen_keep(const prfdata_table_screen *screen, prfdata_table *table);

/* ---- Content of cells ---- */

/*
 * Return the mark of a cell: its content as one number. `look` stands for everything that is
 * visible besides the text.
 */
uint64_t prfdata_table_screen_mark(prfdata_text text, uint32_t look);

/*
 * Set the visible part. If it has as many columns as before, cells that were visible before keep
 * their marks.
 * Returns false: no memory, and no content is known.
 */
bool prfdata_table_screen_see(prfdata_table_screen *screen, prfdata_table_part part);

/*
 * Note the content of a cell of the visible part. `mark` is PRFDATA_TABLE_UNKNOWN if the cell is
 * outside the window, so that it is painted when it becomes visible. Returns whether the cell must
 * be painted, because its content differs or is not known.
 */
bool prfdata_table_screen_show(prfdata_table_screen *screen, uint32_t row, uint32_t column,
                               uint64_t mark);

/* Forget the content of all cells. */
void prfdata_table_screen_forget(prfdata_table_screen *screen);

#endif
