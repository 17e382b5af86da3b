/* SPDX-License-Identifier: MIT */
/*
 * Manages the columns of the table: their headings, widths and order, and the user's changes to
 * them. Call it only from the window's thread.
 */
#ifndef PRFDATA_READER_TABLE_COLUMNS_H
#define PRFDATA_READER_TABLE_COLUMNS_H

#include "panes/frozen_column.h"
#include "panes/theme.h"
#include "viewer/column_notes.h"
#include "viewer/viewer.h"

#define PRFDATA_TABLE_COLUMNS_MOST 1000u

typedef struct prfdata_table_columns {
    HWND list;
    HWND header;
    prfdata_viewer *viewer; /* borrowed, like the theme; hidden columns are noted in its table */
    const prfdata_theme *theme;
    prfdata_frozen_column names;
    prfdata_column_notes notes;                /* the user's changes to the columns of any object */
    int32_t given[PRFDATA_TABLE_COLUMNS_MOST]; /* the last automatic width of each column; 0: none.
                                                  If a column has another width, the user chose
                                                  it */
    int32_t shared;                     /* width of the list when it was last shared among the
                                           columns */
    HWND tips;                          /* the control that shows the tips of headings */
    const prfdata_table_column *tipped; /* the column under the pointer; only used for comparison */
} prfdata_table_columns;

/*
 * Begin to manage the columns of a list view, as long as the view exists. The viewer and the theme
 * must be set. The parent of the list view gets the WM_NOTIFY of tips.
 */
void prfdata_table_columns_begin(prfdata_table_columns *columns, HWND list);

/* Apply the sizes of the theme after it has changed. Also call prfdata_table_columns_make(), which
 * makes the columns again. */
void prfdata_table_columns_apply_theme(const prfdata_table_columns *columns);

/* Make all columns again, with the user's changes. */
void prfdata_table_columns_make(prfdata_table_columns *columns);

/* Write the heading of a column. Columns of counters are numbered from 1. */
void prfdata_table_columns_name(const prfdata_table_columns *columns, uint32_t at,
                                wchar_t name[200]);

/* Return the path of a column, for free(). NULL: no memory. */
wchar_t *prfdata_table_columns_path(const prfdata_table_columns *columns, uint32_t at);

/* Get the numbers of the columns of counters, from 1, in the order of the window, hidden columns
 * included. Returns how many columns there are. */
uint32_t prfdata_table_columns_order(const prfdata_table_columns *columns,
                                     uint32_t order[PRFDATA_TABLE_COLUMNS_MOST]);

/* Set the order of all columns of counters. `order` has the form of prfdata_table_columns_order().
 * Hide each column order[i] whose hidden[i] is set. */
void prfdata_table_columns_set(prfdata_table_columns *columns, const uint32_t *order,
                               const bool *hidden, uint32_t count);

void prfdata_table_columns_show(prfdata_table_columns *columns);

/* Hide a column of the model. */
void prfdata_table_columns_hide(prfdata_table_columns *columns, uint32_t column);

/* Note the user's changes, before the table shows another object and before they are saved. */
void prfdata_table_columns_keep(prfdata_table_columns *columns);

/*
 * Share the room among the columns whose width the user has not changed, as view/widths.h says. If
 * the object has instances and the room is as before, nothing changes. If counters are rows, the
 * help texts get the room that the other columns leave, or more if they need it.
 */
void prfdata_table_columns_fit(prfdata_table_columns *columns);

/* Show an arrow in the heading of the sorted column. */
void prfdata_table_columns_show_sort(const prfdata_table_columns *columns);

/*
 * Return the next visible column after (1) or before (-1) a column of the model; `column` itself if
 * there is none.
 */
uint32_t prfdata_table_columns_next(const prfdata_table_columns *columns, uint32_t column, int by);

/* Handle the tips of headings: set their text, and follow the pointer in a window. */
void prfdata_table_columns_set_tip(const prfdata_table_columns *columns, NMTTDISPINFOW *tip);
void prfdata_table_columns_move_pointer(prfdata_table_columns *columns, HWND window);
/* Pass a message of the thread to the tips. Call this for each message, because otherwise the tips
 * do not see the pointer. */
void prfdata_table_columns_relay(const prfdata_table_columns *columns, const MSG *message);

#endif
