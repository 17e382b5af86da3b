/* SPDX-License-Identifier: MIT */
/* Draws the lines of the live view. */
#ifndef PRFDATA_READER_TOP_PAINTER_H
#define PRFDATA_READER_TOP_PAINTER_H

#include "text/output.h"
#include "text/terminal_line.h"
#include "top/top_view.h"

#define PRFDATA_TOP_CELL_CELLS   11 /* room for "3,162,361 B" */
#define PRFDATA_TOP_WIDE_CELLS   17 /* room for "FFFFFFFFFFFFFFFFh" */
#define PRFDATA_TOP_WIDEST_CELLS 26 /* room for "-9,223,372,036,854,775,808" */

typedef struct prfdata_top_painter {
    prfdata_top_view *view;
    prfdata_output *output;
    uint32_t width;
    uint32_t height;
    bool is_unicode;
    uint32_t y; /* number of the next line, from 1 */
    prfdata_terminal_line line;
    const char *attribute;
    /* Width that the table's names need; top_grid.c sets this and the two members after it. */
    uint32_t name_cells;
    uint32_t heading_cells;
    uint32_t heading_lines;
} prfdata_top_painter;

/*
 * Scroll so that the selected row or column is visible, and no room is wasted. There are `count`
 * rows or columns, of which `room` fit. Corrects *first, the position of the first visible row or
 * column.
 */
void prfdata_top_painter_scroll(uint32_t *first, uint32_t selected, uint32_t count, uint32_t room);

/*
 * Begin the next line. `attribute`: "", or one of those in top_frame.h, such as ";7"; static
 * storage.
 */
void prfdata_top_painter_begin(prfdata_top_painter *p, const char *attribute);

void prfdata_top_painter_end(prfdata_top_painter *p);

/* Put ASCII at the right end of a column of `cells`, with a blank before the column. */
void prfdata_top_painter_put_right(prfdata_top_painter *p, const char *text, uint32_t cells);

/* Put a number at the right end of a column, after a sign such as "+" or "", in the form of
 * prfdata_number_fit(). */
void prfdata_top_painter_put_number(prfdata_top_painter *p, const char *sign,
                                    prfdata_compute_value value, prfdata_unit unit, uint32_t cells);

/* Put a blank, then a table's cell with a width of `cells`. If the cell has neither a value nor a
 * text, put the reason. If the sample lacks the row, put "removed". If the view has colours, a
 * value beyond its threshold is red, and a changed value is cyan. */
void prfdata_top_painter_put_cell(prfdata_top_painter *p, const prfdata_table *table,
                                  const prfdata_table_row *row, uint32_t column, prfdata_unit unit,
                                  uint32_t cells);

/* Put text at the left end of a column, and pad the column. */
void prfdata_top_painter_put_left(prfdata_top_painter *p, prfdata_text text, uint32_t cells);

/*
 * Put the newest values of a row as bars, the oldest first, in min(cells, PRFDATA_TOP_HISTORY)
 * cells; a missing value is a blank. The scale goes from the lowest value to the highest and
 * includes 0.
 */
void prfdata_top_painter_put_graph(prfdata_top_painter *p, const prfdata_top_row *row,
                                   uint32_t cells);

void prfdata_top_painter_put_empty(prfdata_top_painter *p, uint32_t count);

#endif
