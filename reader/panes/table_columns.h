/* SPDX-License-Identifier: MIT */
/*
 * The columns of the table: their headings, widths and order, and what the user made of them. Only
 * the window's thread calls.
 */
#ifndef PRFDATA_READER_TABLE_COLUMNS_H
#define PRFDATA_READER_TABLE_COLUMNS_H

#include "panes/frozen_column.h"
#include "panes/theme.h"
#include "viewer/column_notes.h"
#include "viewer/viewer.h"

#define PRFDATA_TABLE_COLUMNS_MOST 1000u

typedef struct prfdata_table_columns {
    HWND list;              /* that has them */
    HWND header;            /* its headings */
    prfdata_viewer *viewer; /* borrowed, as the theme; hidden columns are noted in its table */
    const prfdata_theme *theme;
    prfdata_frozen_column names;               /* the first column */
    prfdata_column_notes notes;                /* what the user made of the columns of any object */
    int32_t given[PRFDATA_TABLE_COLUMNS_MOST]; /* the width of each that nobody chose; else 0 */
    int32_t shared;                            /* the room among them */
    HWND tips;                                 /* of the headings */
    const prfdata_table_column *tipped;        /* that under the pointer; only to be compared */
} prfdata_table_columns;

/* Begin with a list view, for as long as it lives; the model and the theme are set. Its parent
 * hears of tips by WM_NOTIFY. */
void prfdata_table_columns_begin(prfdata_table_columns *columns, HWND list);

/* Take the sizes of the theme, which has changed, but for the columns: those are made again. */
void prfdata_table_columns_apply_theme(const prfdata_table_columns *columns);

/* All again, as the user made them; all that are hidden shown. */
void prfdata_table_columns_make(prfdata_table_columns *columns);
void prfdata_table_columns_show(prfdata_table_columns *columns);

/* Hide one of the model. */
void prfdata_table_columns_hide(prfdata_table_columns *columns, uint32_t column);

/* Note what the user made of them: before the table shows another object, and to remember it. */
void prfdata_table_columns_keep(prfdata_table_columns *columns);

/* Share the room among the columns that have no width of the user's: names give way to values, and
 * help texts get what is left, or as much as they need. */
void prfdata_table_columns_fit(prfdata_table_columns *columns);

/* The arrow stands where the table is sorted. */
void prfdata_table_columns_show_sort(const prfdata_table_columns *columns);

/* The next column to be seen after (1) or before (-1) one of the model; that one if none is. */
uint32_t prfdata_table_columns_next(const prfdata_table_columns *columns, uint32_t column, int by);

/* The help texts of headings: say what one shows, follow the pointer in a window. */
void prfdata_table_columns_set_tip(const prfdata_table_columns *columns, NMTTDISPINFOW *tip);
void prfdata_table_columns_move_pointer(prfdata_table_columns *columns, HWND window);
/* For each message of the thread: the tips do not hear of the pointer otherwise. */
void prfdata_table_columns_relay(const prfdata_table_columns *columns, const MSG *message);

#endif
