/* SPDX-License-Identifier: MIT */
/*
 * Draws the cells of the table: their content, look and position. This file draws whole rows,
 * because the list view would ask for each cell's text, colours and state with separate messages.
 * Call it only from the window's thread.
 */
#ifndef PRFDATA_READER_TABLE_CELLS_H
#define PRFDATA_READER_TABLE_CELLS_H

#include "panes/frozen_column.h"
#include "panes/table_columns.h"
#include "panes/theme.h"
#include "view/table_screen.h"
#include "viewer/viewer.h"

/* The positions of rows and columns of the list in its window. */
typedef struct prfdata_table_place {
    prfdata_table_part part;
    int32_t top; /* y of the first visible row */
    int32_t row_height;
    int32_t window_width;
    prfdata_frozen names;
    int32_t left[PRFDATA_TABLE_COLUMNS_MOST]; /* x of each column */
    int32_t right[PRFDATA_TABLE_COLUMNS_MOST];
} prfdata_table_place;

typedef struct prfdata_table_cells {
    const prfdata_viewer *viewer; /* borrowed, like the next four */
    const prfdata_theme *theme;
    const prfdata_number_style *style;
    const prfdata_frozen_column *names; /* the column of names, which is the first one */
    prfdata_table_screen *screen;
    bool marks_changes;
    prfdata_table_place place; /* the place at the last painting or update */
} prfdata_table_cells;

/* Invalidate the visible cells whose content or look has changed. */
void prfdata_table_cells_update(prfdata_table_cells *cells, HWND list);

/* Handle text and drawing of a cell: LVN_GETDISPINFOW and NM_CUSTOMDRAW. */
void prfdata_table_cells_set_text(const prfdata_table_cells *cells, NMLVDISPINFOW *info);
LRESULT prfdata_table_cells_draw(prfdata_table_cells *cells, NMLVCUSTOMDRAW *draw);

#endif
