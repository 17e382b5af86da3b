/* SPDX-License-Identifier: MIT */
/* What a cell of the table shows, and how it looks. Only the window's thread calls. */
#ifndef PRFDATA_READER_TABLE_CELLS_H
#define PRFDATA_READER_TABLE_CELLS_H

#include "panes/frozen_column.h"
#include "panes/theme.h"
#include "view/viewer.h"

typedef struct prfdata_table_cells {
    const prfdata_viewer *viewer; /* borrowed, as what follows */
    const prfdata_theme *theme;
    const prfdata_number_style *style;
    const prfdata_frozen_column *names; /* the first column */
    bool marks_changes;
} prfdata_table_cells;

/* Text and drawing of a cell: LVN_GETDISPINFOW and NM_CUSTOMDRAW. */
void prfdata_table_cells_set_text(const prfdata_table_cells *cells, NMLVDISPINFOW *info);
LRESULT prfdata_table_cells_draw(const prfdata_table_cells *cells, NMLVCUSTOMDRAW *draw);

#endif
