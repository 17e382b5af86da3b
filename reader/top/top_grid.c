/* SPDX-License-Identifier: MIT */
/* Draws the table, as many columns as fit. Knows one instance at a time. */
#include "top/top_grid.h"

#include "top/top_cell.h"
#include "top/top_rows.h"

#define HEADING_CELLS  (PRFDATA_TOP_CELL_CELLS + 1) /* "Transmitted", "Connections" */
#define COLUMN_CELLS   (HEADING_CELLS + 1)          /* with the blank before it */
#define LEAST_NAME     12
#define MOST_NAME      40
#define LEAST_GRAPH    10
#define SELECTED_COLOR "\033[0;7m"

/* How many columns fit beside names of a tolerable width. */
static uint32_t fitting_columns(const prfdata_top_painter *p)
{
    const uint32_t name = p->width / 4 < LEAST_NAME ? LEAST_NAME : p->width / 4;
    const uint32_t most = name < MOST_NAME ? name : MOST_NAME;
    const uint32_t room = p->width > most ? p->width - most : 0;

    return room < COLUMN_CELLS ? 1 : room / COLUMN_CELLS;
}

/* The columns on the screen. */
static uint32_t shown_columns(const prfdata_top_painter *p)
{
    const uint32_t left = (uint32_t)p->view->column_count - p->view->first_column;
    const uint32_t fit = fitting_columns(p);

    return left < fit ? left : fit;
}

/* The cells of names: what the columns leave, so that the table is as wide as the screen. */
static uint32_t name_cells(const prfdata_top_painter *p)
{
    const uint32_t used = shown_columns(p) * COLUMN_CELLS;
    const uint32_t left = p->width > used ? p->width - used : 0;

    return left < MOST_NAME ? left : MOST_NAME;
}

/* What is left for the selected column's history, without the blank before it; 0: too little. */
static uint32_t graph_cells(const prfdata_top_painter *p)
{
    const uint32_t used = name_cells(p) + shown_columns(p) * COLUMN_CELLS + 1;
    const uint32_t left = p->width > used ? p->width - used : 0;

    if (left < LEAST_GRAPH)
        return 0;
    return left < PRFDATA_TOP_HISTORY ? left : PRFDATA_TOP_HISTORY;
}

void prfdata_top_grid_scroll(prfdata_top_painter *p)
{
    prfdata_top_view *view = p->view;
    const uint32_t fit = fitting_columns(p);

    if (view->column < view->first_column)
        view->first_column = view->column;
    if (view->column - view->first_column >= fit)
        view->first_column = view->column - fit + 1;
    if (view->first_column > 0 && view->column_count - view->first_column < fit)
        view->first_column = view->column_count > fit ? (uint32_t)view->column_count - fit : 0;
}

/* ---- Headings ---- */

/* Cut a name into two lines at the blank or slash that makes the longer one shortest. */
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

/* The part of a heading on one of its lines; names on one line stand on the lower one. */
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

/* Put text at the right end of a column, shortened in its middle. */
static void put_heading(prfdata_top_painter *p, prfdata_text text)
{
    const uint32_t width = prfdata_terminal_line_width(text, p->is_unicode);

    prfdata_terminal_line_put_blanks(&p->line, width < HEADING_CELLS ? HEADING_CELLS - width : 0);
    prfdata_terminal_line_put_middle(&p->line, text, HEADING_CELLS);
}

/* Put the object's name, and what is left and right of the screen. */
static void put_corner(prfdata_top_painter *p, uint32_t line, uint32_t cells)
{
    const prfdata_top_view *view = p->view;
    const uint32_t hidden = (uint32_t)view->column_count - shown_columns(p);
    const uint32_t before = p->line.left;

    if (line == 0)
        prfdata_terminal_line_put_middle(&p->line, view->table_name, cells);
    else if (hidden > 0 && cells > 16)
        prfdata_terminal_line_format(
            &p->line, "columns %u-%u of %u", (unsigned)view->first_column + 1,
            (unsigned)(view->first_column + shown_columns(p)), (unsigned)view->column_count);
    if (before - p->line.left < cells)
        prfdata_terminal_line_put_blanks(&p->line, cells - (before - p->line.left));
}

void prfdata_top_grid_put_head(prfdata_top_painter *p)
{
    const prfdata_top_view *view = p->view;

    for (uint32_t line = 0; line < PRFDATA_TOP_GRID_HEAD_LINES; line++) {
        const char *attribute = line == PRFDATA_TOP_GRID_HEAD_LINES - 1 ? ";4" : "";

        prfdata_top_painter_begin(p, attribute);
        put_corner(p, line, name_cells(p));
        for (uint32_t i = 0; i < shown_columns(p); i++) {
            const uint32_t position = view->first_column + i;
            const bool is_selected = position == view->column;

            prfdata_terminal_line_put_blanks(&p->line, 1);
            if (is_selected)
                prfdata_output_put_string(p->output, SELECTED_COLOR);
            put_heading(p, heading_part(p, view->columns[position].counter, line));
            if (is_selected)
                prfdata_output_format(p->output, "\033[0%sm", attribute);
        }
        if (graph_cells(p) > 0 && line == PRFDATA_TOP_GRID_HEAD_LINES - 1)
            prfdata_terminal_line_put_ascii(&p->line, " History");
        prfdata_terminal_line_put_blanks(&p->line, *attribute ? p->line.left : 0);
        prfdata_top_painter_end(p);
    }
}

/* ---- Instances ---- */

void prfdata_top_grid_put_row(prfdata_top_painter *p, const prfdata_top_row *row)
{
    prfdata_top_view *view = p->view;

    prfdata_top_painter_put_left(p, row->label, name_cells(p));
    for (uint32_t i = 0; i < shown_columns(p); i++) {
        const prfdata_top_row *cell =
            prfdata_top_rows_cell(view, row, &view->columns[view->first_column + i]);

        prfdata_terminal_line_put_blanks(&p->line, cell ? 1 : COLUMN_CELLS);
        if (cell)
            prfdata_top_cell_put(p, cell);
    }
    if (graph_cells(p) == 0 || row->base.counter_title != view->column_title)
        return;
    prfdata_terminal_line_put_blanks(&p->line, 1);
    p->line.is_unicode = p->is_unicode && !view->is_ascii;
    prfdata_top_painter_put_graph(p, row, graph_cells(p));
    p->line.is_unicode = p->is_unicode;
}
