/* SPDX-License-Identifier: MIT */
/*
 * The cells of the table: what each shows, how it looks, and where it is. Rows are drawn here, not
 * by the list view: that would ask for each cell's text, colours and state with a message each.
 * Only the window's thread calls.
 */
#ifndef PRFDATA_READER_TABLE_CELLS_H
#define PRFDATA_READER_TABLE_CELLS_H

#include "panes/frozen_column.h"
#include "panes/table_columns.h"
#include "panes/theme.h"
#include "view/table_screen.h"
#include "viewer/viewer.h"

/* Where rows and columns of the list are in its window. */
typedef struct prfdata_table_place {
    prfdata_table_part part; /* that is seen */
    int32_t top;             /* of its first row */
    int32_t row_height;
    int32_t window_width;
    prfdata_frozen names;
    int32_t left[PRFDATA_TABLE_COLUMNS_MOST]; /* of each column */
    int32_t right[PRFDATA_TABLE_COLUMNS_MOST];
} prfdata_table_place;

typedef struct prfdata_table_cells {
    const prfdata_viewer *viewer; /* borrowed, as what follows */
    const prfdata_theme *theme;
    const prfdata_number_style *style;
    const prfdata_frozen_column *names; /* the first column */
    prfdata_table_screen *screen;
    bool marks_changes;
    prfdata_table_place place; /* as of the last painting or update */
} prfdata_table_cells;

/* Have all cells painted that are seen and show something else than before. */
void prfdata_table_cells_update(prfdata_table_cells *cells, HWND list);

/* Text and drawing of a cell: LVN_GETDISPINFOW and NM_CUSTOMDRAW. */
void prfdata_table_cells_set_text(const prfdata_table_cells *cells, NMLVDISPINFOW *info);
LRESULT prfdata_table_cells_draw(prfdata_table_cells *cells, NMLVCUSTOMDRAW *draw);

#endif
