/* SPDX-License-Identifier: MIT */
/*
 * The table: it shows the viewer's, and tells the viewer what the user selects, sorts and adds. Its
 * parent hears by WM_COMMAND that the selected rows are to be added, or are dragged away. Only the
 * window's thread calls.
 */
#ifndef PRFDATA_READER_TABLE_PANE_H
#define PRFDATA_READER_TABLE_PANE_H

#include "panes/table_cells.h"
#include "panes/table_columns.h"

#define PRFDATA_TABLE_PANE_DRAGS 1 /* the high word of WM_COMMAND */

typedef struct prfdata_table_pane {
    HWND window;
    HWND head;              /* the label above it; its parent's, as what follows */
    prfdata_viewer *viewer; /* borrowed */
    const prfdata_theme *theme;
    const prfdata_number_style *style;
    prfdata_table_columns columns;
    prfdata_table_cells cells;
    prfdata_table_screen screen; /* what the window has of the table */
    bool follows_row;            /* the row with the focus keeps its place, not the top */
    bool is_restoring;           /* messages about selected rows are not about what the user does */
} prfdata_table_pane;

/* Make the window; the label, the model, the theme and the style are set already. */
void prfdata_table_pane_create(prfdata_table_pane *pane, HWND parent, uint32_t id);

void prfdata_table_pane_free(prfdata_table_pane *pane);

/* Take the colours of the theme, which has changed. */
void prfdata_table_pane_apply_theme(const prfdata_table_pane *pane);

/* WM_NOTIFY of the window. */
LRESULT prfdata_table_pane_notify(prfdata_table_pane *pane, const NMHDR *header);

/* Show the rows that the model has now, and what stands above them. */
void prfdata_table_pane_update(prfdata_table_pane *pane);

/* Bring the row that has the focus into view. */
void prfdata_table_pane_show_row(const prfdata_table_pane *pane);

/* The counter under the focus. Returns false if there is none. */
bool prfdata_table_pane_counter(const prfdata_table_pane *pane, uint32_t *counter,
                                prfdata_text *label);

/* The column of the cell that commands are about: the next to be seen; that of the heading at a
 * place of the screen, if the window is the headings'. */
void prfdata_table_pane_step_column(prfdata_table_pane *pane, int by);
void prfdata_table_pane_choose_heading(prfdata_table_pane *pane, HWND window, POINT at);

/* Sort by that column, or the other way round; hide it. */
void prfdata_table_pane_sort(prfdata_table_pane *pane);
void prfdata_table_pane_hide_column(prfdata_table_pane *pane);

#endif
