/* SPDX-License-Identifier: MIT */
/* Draws the table, with as many columns as fit. It draws one row at a time. */
#include "top/top_grid.h"

#include "view/heading.h"

#define HEADING_CELLS  (PRFDATA_TOP_CELL_CELLS + 1) /* "Transmitted", "Connections" */
#define COLUMN_CELLS   (HEADING_CELLS + 1)          /* with the blank before it */
#define LEAST_NAME     12
#define MOST_NAME      40
#define LEAST_GRAPH    10
#define SELECTED_COLOR "\033[0;7m"

/* Return how many columns fit next to names of an acceptable width. */
static uint32_t fitting_columns(const prfdata_top_painter *p)
{
    const uint32_t name = p->width / 4 < LEAST_NAME ? LEAST_NAME : p->width / 4;
    const uint32_t most = name < MOST_NAME ? name : MOST_NAME;
    const uint32_t room = p->width > most ? p->width - most : 0;

    return room < COLUMN_CELLS ? 1 : room / COLUMN_CELLS;
}

/* Count the visible columns before one. */
static uint32_t columns_before(const prfdata_top_painter *p, uint32_t column)
{
    const prfdata_table *table = &p->view->table;
    uint32_t count = 0;

    for (uint32_t i = 0; i < column && i < table->column_count; i++)
        count += !table->columns[i].is_hidden;
    return count;
}

static uint32_t all_columns(const prfdata_top_painter *p)
{
    return columns_before(p, p->view->table.column_count);
}

/* Return the column at a position of the screen. */
static uint32_t column_at(const prfdata_top_painter *p, uint32_t position)
{
    const prfdata_table *table = &p->view->table;
    uint32_t left = p->view->first_column + position;
    uint32_t column = 0;

    while (table->columns[column].is_hidden || left-- > 0)
        column++;
    return column;
}

/* Return the number of columns on the screen. */
static uint32_t shown_columns(const prfdata_top_painter *p)
{
    const uint32_t left = all_columns(p) - p->view->first_column;
    const uint32_t fit = fitting_columns(p);

    return left < fit ? left : fit;
}

/* Return the width of names: what the columns leave, so that the table is as wide as the screen. */
static uint32_t name_cells(const prfdata_top_painter *p)
{
    const uint32_t used = shown_columns(p) * COLUMN_CELLS;
    const uint32_t left = p->width > used ? p->width - used : 0;

    return left < MOST_NAME ? left : MOST_NAME;
}

/* Return the width that is left for the selected column's history, without the blank before it; 0:
 * too little. */
static uint32_t graph_cells(const prfdata_top_painter *p)
{
    const uint32_t used = name_cells(p) + shown_columns(p) * COLUMN_CELLS + 1;
    const uint32_t left = p->width > used ? p->width - used : 0;

    return left < LEAST_GRAPH ? 0 : left;
}

void prfdata_top_grid_scroll(prfdata_top_painter *p)
{
    prfdata_top_painter_scroll(&p->view->first_column, columns_before(p, p->view->column),
                               all_columns(p), fitting_columns(p));
}

/* ---- Headings ---- */

/* Break a name into two lines, at the blank or slash that makes the longer line shortest. */
static size_t break_of_name(prfdata_text name)
{
    size_t best = name.count;

    for (size_t i = 1; i < name.count; i++) {
        const size_t longer = i > name.count - i ? i : name.count - i;
        const size_t longer_of_best = best > name.count - best ? best : name.count - best;

        if ((name.chars[i - 1] == ' ' || name.chars[i] == '/') && longer < longer_of_best)
            best = i;
    }
    return best;
}

/* Return the part of a heading for one of its two lines; a name of one line is on the lower one. */
static prfdata_text heading_part(const prfdata_top_painter *p, prfdata_text name, uint32_t line)
{
    const bool is_short = prfdata_terminal_line_width(name, p->is_unicode) <= HEADING_CELLS;
    const size_t at = is_short ? 0 : break_of_name(name);
    prfdata_text part =
        line == 0 ? prfdata_text_part(name, 0, at) : prfdata_text_part(name, at, name.count);

    while (part.count > 0 && part.chars[part.count - 1] == ' ')
        part.count--;
    return part;
}

/* Put text at the right end of a column, with its middle shortened if necessary. */
static void put_heading(prfdata_top_painter *p, prfdata_text text)
{
    const uint32_t width = prfdata_terminal_line_width(text, p->is_unicode);

    prfdata_terminal_line_put_blanks(&p->line, width < HEADING_CELLS ? HEADING_CELLS - width : 0);
    prfdata_terminal_line_put_middle(&p->line, text, HEADING_CELLS);
}

/* Put the object's name, and how many columns are left and right of the screen. */
static void put_corner(prfdata_top_painter *p, uint32_t line, uint32_t cells)
{
    const uint32_t first = p->view->first_column;
    const uint32_t shown = shown_columns(p);
    const uint32_t before = p->line.left;

    if (line == 0)
        prfdata_terminal_line_put_middle(&p->line, p->view->object, cells);
    else if (shown < all_columns(p) && cells > 16)
        prfdata_terminal_line_format(&p->line, "columns %u-%u of %u", (unsigned)first + 1,
                                     (unsigned)(first + shown), (unsigned)all_columns(p));
    if (before - p->line.left < cells)
        prfdata_terminal_line_put_blanks(&p->line, cells - (before - p->line.left));
}

/* Return the heading of a column. An object without instances has one column for all counters. */
static prfdata_text heading_of(const prfdata_top_view *view, uint32_t column)
{
    static const uint16_t value[] = {'V', 'a', 'l', 'u', 'e'};

    return view->table.has_instances ? view->table.columns[column].name : (prfdata_text){value, 5};
}

void prfdata_top_grid_put_head(prfdata_top_painter *p)
{
    const prfdata_top_view *view = p->view;

    for (uint32_t line = 0; line < PRFDATA_TOP_GRID_HEAD_LINES; line++) {
        const char *attribute = line == PRFDATA_TOP_GRID_HEAD_LINES - 1 ? ";4" : "";

        prfdata_top_painter_begin(p, attribute);
        put_corner(p, line, name_cells(p));
        for (uint32_t i = 0; i < shown_columns(p); i++) {
            const uint32_t column = column_at(p, i);
            const bool is_selected = column == view->column;

            prfdata_terminal_line_put_blanks(&p->line, 1);
            if (is_selected)
                prfdata_output_put_string(p->output, SELECTED_COLOR);
            put_heading(p, heading_part(p, heading_of(view, column), line));
            if (is_selected)
                prfdata_output_format(p->output, "\033[0%sm", attribute);
        }
        if (graph_cells(p) > 0 && line == PRFDATA_TOP_GRID_HEAD_LINES - 1)
            prfdata_terminal_line_put_ascii(&p->line, " History");
        prfdata_terminal_line_put_blanks(&p->line, *attribute ? p->line.left : 0);
        prfdata_top_painter_end(p);
    }
}

/* ---- Rows ---- */

static prfdata_unit unit_of_column(const prfdata_table *table, const prfdata_table_column *column)
{
    return prfdata_heading_number_unit(table->titles, table->object_title, column->counter_title,
                                       column->type, column->name);
}

void prfdata_top_grid_put_row(prfdata_top_painter *p, const prfdata_top_instance *row)
{
    const prfdata_table *table = &p->view->table;
    const bool is_counter = !table->has_instances && row->counter;

    prfdata_top_painter_put_left(p, is_counter ? row->counter->counter : row->base.label,
                                 name_cells(p));
    for (uint32_t i = 0; i < shown_columns(p); i++) {
        const uint32_t column = column_at(p, i);

        prfdata_terminal_line_put_blanks(&p->line, 1);
        prfdata_top_painter_put_cell(p, &row->base, &row->base.cells[column],
                                     is_counter ? row->counter->unit
                                                : unit_of_column(table, &table->columns[column]));
    }
    if (graph_cells(p) == 0 || !row->counter)
        return;
    prfdata_terminal_line_put_blanks(&p->line, 1);
    prfdata_top_painter_put_graph(p, row->counter, graph_cells(p));
}
