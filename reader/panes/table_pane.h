/* SPDX-License-Identifier: MIT */
/*
 * Shows the viewer's table, and tells the viewer what the user selects, sorts and adds. It tells
 * its parent by WM_COMMAND that the selected rows must be added, or are being dragged. Call it only
 * from the window's thread.
 */
#ifndef PRFDATA_READER_TABLE_PANE_H
#define PRFDATA_READER_TABLE_PANE_H

#include "panes/table_cells.h"
#include "panes/table_columns.h"

#define PRFDATA_TABLE_PANE_DRAGS 1 /* high word of WM_COMMAND: rows are being dragged */

typedef struct prfdata_table_pane {
    HWND window;
    HWND head;              /* the label above the window; owned by the parent */
    prfdata_viewer *viewer; /* borrowed, like the next two */
    const prfdata_theme *theme;
    const prfdata_number_style *style;
    prfdata_table_columns columns;
    prfdata_table_cells cells;
    prfdata_table_screen screen; /* the state of the list view */
    /* true: the row with the focus keeps its place on the screen; false: the list stays scrolled as
     * it is. */
    bool follows_row;
    bool is_restoring; /* changes of selected rows are made by the program, not by the user */
} prfdata_table_pane;

/* Make the window; the label, the viewer, the theme and the style must be set. */
void prfdata_table_pane_create(prfdata_table_pane *pane, HWND parent, uint32_t id);

void prfdata_table_pane_free(prfdata_table_pane *pane);

void prfdata_table_pane_apply_theme(const prfdata_table_pane *pane);

/* Return the height that whole rows leave at the bottom of the window, in pixels. 0: they leave
 * none, there is no row, or a single row has no room. */
int32_t prfdata_table_pane_excess(const prfdata_table_pane *pane);

LRESULT prfdata_table_pane_notify(prfdata_table_pane *pane, const NMHDR *header);

/* Show the current rows of the viewer's table, and the sentence above them. */
void prfdata_table_pane_update(prfdata_table_pane *pane);

/* Scroll the row that has the focus into view. */
void prfdata_table_pane_show_row(const prfdata_table_pane *pane);

/* Get the counter's title index and the instance's label for the cell with the focus. The label is
 * empty if the object has no instances. Returns false if there is no such cell. */
bool prfdata_table_pane_counter(const prfdata_table_pane *pane, uint32_t *counter,
                                prfdata_text *label);

/* Let commands apply to the next visible column (1), or to the previous one (-1). */
void prfdata_table_pane_step_column(prfdata_table_pane *pane, int by);

/* Let commands apply to the column whose heading is at a place of the screen. Does nothing if the
 * window is not that of the headings. */
void prfdata_table_pane_choose_heading(prfdata_table_pane *pane, HWND window, POINT at);

/*
 * Sort by the column to which commands apply. If the table is sorted by it already, reverse the
 * order.
 */
void prfdata_table_pane_sort(prfdata_table_pane *pane);

void prfdata_table_pane_hide_column(prfdata_table_pane *pane);

#endif
