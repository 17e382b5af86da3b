/* SPDX-License-Identifier: MIT */
/* Draws the list, which has a row for each counter of each instance. */
#include "top/top_list.h"

#define CHANGE_CELLS 9
#define MEAN_CELLS   8

/* Widths of the columns; 0: the column is left out. */
typedef struct layout {
    uint32_t name;
    uint32_t value;
    uint32_t change;
    uint32_t mean;
    uint32_t graph;
    uint32_t help;
} layout;

static uint32_t cells_with_blank(uint32_t cells)
{
    return cells > 0 ? cells + 1 : 0;
}

/*
 * Compute the layout. On a narrow screen the least important column is left out first. On a wide
 * screen name, value, graph and help grow. The column of changes is also left out if no row shows a
 * level.
 */
static layout layout_of_list(const prfdata_top_view *view, uint32_t width)
{
    layout cells = {0, PRFDATA_TOP_CELL_CELLS, CHANGE_CELLS, MEAN_CELLS, 10, 0};

    if (width < 70)
        cells.graph = 0;
    if (width < 56)
        cells.mean = 0;
    if (width < 44 || !view->has_levels)
        cells.change = 0;
    if (width < 18)
        cells.value = 0;
    if (width > 80) {
        cells.graph += (width - 80) / 4;
        if (cells.graph > PRFDATA_TOP_HISTORY)
            cells.graph = PRFDATA_TOP_HISTORY;
    }
    if (width >= 120) {
        cells.help = (width - 80) / 2;
        cells.value = width < 160 ? PRFDATA_TOP_WIDE_CELLS : PRFDATA_TOP_WIDEST_CELLS;
    }
    cells.name = width - cells_with_blank(cells.value) - cells_with_blank(cells.change) -
                 cells_with_blank(cells.mean) - cells_with_blank(cells.graph) -
                 cells_with_blank(cells.help);
    return cells;
}

static void shrink_part(uint32_t *cells, uint32_t least, uint32_t *excess)
{
    uint32_t given = *cells > least ? *cells - least : 0;

    if (given > *excess)
        given = *excess;
    *cells -= given;
    *excess -= given;
}

/*
 * Put \Object(Instance)\Counter in `cells`. If it is too long, the object is shortened first, then
 * the counter. The instance is shortened last, because rows differ most in it.
 */
static void put_row_name(prfdata_top_painter *p, const prfdata_top_row *row, uint32_t cells)
{
    uint32_t before = p->line.left;
    uint32_t object = prfdata_terminal_line_width(row->object, p->is_unicode);
    uint32_t label = prfdata_terminal_line_width(row->label, p->is_unicode);
    uint32_t counter = prfdata_terminal_line_width(row->counter, p->is_unicode);
    uint32_t total = object + label + counter + (row->has_instance ? 4 : 2);
    uint32_t excess = total > cells ? total - cells : 0;

    if (excess == 0 || cells < 12) {
        prfdata_top_painter_put_left(p, row->base.label, cells);
        return;
    }
    shrink_part(&object, 8, &excess);
    shrink_part(&counter, 12, &excess);
    shrink_part(&object, 3, &excess);
    shrink_part(&counter, 3, &excess);
    shrink_part(&label, 1, &excess);
    prfdata_terminal_line_put_ascii(&p->line, "\\");
    prfdata_terminal_line_put_middle(&p->line, row->object, object);
    if (row->has_instance) {
        prfdata_terminal_line_put_ascii(&p->line, "(");
        prfdata_terminal_line_put_middle(&p->line, row->label, label);
        prfdata_terminal_line_put_ascii(&p->line, ")");
    }
    prfdata_terminal_line_put_ascii(&p->line, "\\");
    prfdata_terminal_line_put_middle(&p->line, row->counter, counter);
    prfdata_terminal_line_put_blanks(&p->line, cells - (before - p->line.left));
}

static void put_row_change(prfdata_top_painter *p, const prfdata_top_row *row, uint32_t cells)
{
    const prfdata_cell *change = &row->base.cells[PRFDATA_TOP_CHANGE];

    if (change->has_raw)
        prfdata_top_painter_put_number(p, change->value.number > 0 ? "+" : "", change->value,
                                       PRFDATA_NUMBER_NONE, cells);
    else
        prfdata_top_painter_put_right(p, "", cells);
}

/*
 * Put the mean without its unit, because the value in the same row has the unit. A mean of times
 * keeps its unit, because the value may have another unit, such as ms instead of us. Put blanks for
 * hexadecimal numbers, because their mean has no meaning.
 */
static void put_row_mean(prfdata_top_painter *p, const prfdata_top_row *row, uint32_t cells)
{
    const bool is_time = prfdata_number_seconds(row->unit) > 0;

    if (row->value_count > 0 && !prfdata_number_is_hex(row->base.cells[PRFDATA_TOP_VALUE].type))
        prfdata_top_painter_put_number(p, "",
                                       prfdata_number_of(row->sum / (double)row->value_count),
                                       is_time ? row->unit : PRFDATA_NUMBER_NONE, cells);
    else
        prfdata_top_painter_put_right(p, "", cells);
}

void prfdata_top_list_put_row(prfdata_top_painter *p, const prfdata_top_row *row)
{
    const layout cells = layout_of_list(p->view, p->width);

    put_row_name(p, row, cells.name);
    if (cells.value > 0)
        prfdata_top_painter_put_cell(p, &p->view->list, &row->base, PRFDATA_TOP_VALUE, row->unit,
                                     cells.value);
    put_row_change(p, row, cells.change);
    put_row_mean(p, row, cells.mean);
    prfdata_terminal_line_put_blanks(&p->line, cells.graph > 0 ? 1 : 0);
    prfdata_top_painter_put_graph(p, row, cells.graph);
    if (cells.help > 0) {
        prfdata_terminal_line_put_blanks(&p->line, 1);
        prfdata_terminal_line_put(&p->line, row->base.help);
    }
}

void prfdata_top_list_put_head(prfdata_top_painter *p)
{
    const layout cells = layout_of_list(p->view, p->width);

    prfdata_top_painter_begin(p, ";4");
    prfdata_terminal_line_put_ascii(&p->line, "Counter");
    prfdata_terminal_line_put_blanks(&p->line, cells.name > 7 ? cells.name - 7 : 0);
    prfdata_top_painter_put_right(p, "Value", cells.value);
    prfdata_top_painter_put_right(p, "Change/s", cells.change);
    prfdata_top_painter_put_right(p, "Mean", cells.mean);
    if (cells.graph > 0) {
        prfdata_terminal_line_put_ascii(&p->line, " History");
        prfdata_terminal_line_put_blanks(&p->line, cells.graph - 7);
    }
    if (cells.help > 0)
        prfdata_terminal_line_put_ascii(&p->line, " Description");
    prfdata_terminal_line_put_blanks(&p->line, p->line.left);
    prfdata_top_painter_end(p);
}
