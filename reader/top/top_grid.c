/* SPDX-License-Identifier: MIT */
/* Draws the table, with as many columns as fit. */
#include "top/top_grid.h"

#include <string.h>

#define HEADING_CELLS  PRFDATA_TOP_CELL_CELLS /* room for "Transmitted" */
#define MOST_HEADING   20
#define MOST_LINES     3
#define THIRD_LINE     20 /* fewest lines of a screen that has room for a third line of headings */
#define LEAST_NAME     12
#define MOST_NAME      40
#define LEAST_GRAPH    10
#define SELECTED_COLOR "\033[0;7m"

/* Return the width of a column, with the blank before it. */
static uint32_t column_cells(const prfdata_top_painter *p)
{
    return p->heading_cells + 1;
}

/* Return how many cells the names of the rows need, from LEAST_NAME to MOST_NAME. Without instances
 * the rows are counters, whose names get MOST_NAME. */
static uint32_t needed_name_cells(const prfdata_top_painter *p)
{
    const prfdata_table *table = &p->view->table;
    uint32_t widest = LEAST_NAME;

    for (uint32_t i = 0; i < table->shown_count && widest < MOST_NAME; i++) {
        const uint32_t width =
            table->has_instances
                ? prfdata_terminal_line_width(table->shown[i]->label, p->is_unicode)
                : MOST_NAME;

        widest = width > widest ? width : widest;
    }
    return widest < MOST_NAME ? widest : MOST_NAME;
}

static uint32_t fitting_columns(const prfdata_top_painter *p)
{
    const uint32_t name = p->width / 4 < LEAST_NAME ? LEAST_NAME : p->width / 4;
    const uint32_t most = name < p->name_cells ? name : p->name_cells;
    const uint32_t room = p->width > most ? p->width - most : 0;

    /* NOLINTNEXTLINE(clang-analyzer-core.DivideZero): a column has at least the blank */
    return room < column_cells(p) ? 1 : room / column_cells(p);
}

/* Count the columns before `column`, without the hidden columns. */
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

static uint32_t column_at(const prfdata_top_painter *p, uint32_t position)
{
    const prfdata_table *table = &p->view->table;
    uint32_t left = p->view->first_column + position;
    uint32_t column = 0;

    while (table->columns[column].is_hidden || left-- > 0)
        column++;
    return column;
}

static uint32_t shown_columns(const prfdata_top_painter *p)
{
    const uint32_t left = all_columns(p) - p->view->first_column;
    const uint32_t fit = fitting_columns(p);

    return left < fit ? left : fit;
}

/* Return the width that the columns leave for names, at most MOST_NAME. */
static uint32_t name_cells(const prfdata_top_painter *p)
{
    const uint32_t used = shown_columns(p) * column_cells(p);
    const uint32_t left = p->width > used ? p->width - used : 0;

    return left < MOST_NAME ? left : MOST_NAME;
}

/* Return the width that is left for the selected column's history; 0: less than LEAST_GRAPH. */
static uint32_t graph_cells(const prfdata_top_painter *p)
{
    const uint32_t used = name_cells(p) + shown_columns(p) * column_cells(p) + 1;
    const uint32_t left = p->width > used ? p->width - used : 0;

    return left < LEAST_GRAPH ? 0 : left;
}

typedef struct heading_lines {
    prfdata_text parts[MOST_LINES];
    uint32_t count;
} heading_lines;

static prfdata_text without_blanks_at_the_end(prfdata_text text)
{
    while (text.count > 0 && text.chars[text.count - 1] == ' ')
        text.count--;
    return text;
}

/* Break a name into at most `count` lines, after blanks or before slashes, so that the longest line
 * is as short as possible. Returns the width of the longest line. */
static uint32_t break_name(const prfdata_top_painter *p, prfdata_text name, uint32_t count,
                           heading_lines *lines)
{
    uint32_t best = prfdata_terminal_line_width(name, p->is_unicode);

    lines->parts[0] = name;
    lines->count = 1;
    for (size_t i = 1; count > 1 && i < name.count; i++) {
        const prfdata_text first = without_blanks_at_the_end(prfdata_text_part(name, 0, i));
        const uint32_t width = prfdata_terminal_line_width(first, p->is_unicode);
        heading_lines rest;
        uint32_t longest;

        if (name.chars[i - 1] != ' ' && name.chars[i] != '/')
            continue;
        longest = break_name(p, prfdata_text_part(name, i, name.count), count - 1, &rest);
        longest = longest > width ? longest : width;
        if (longest >= best)
            continue;
        best = longest;
        lines->parts[0] = first;
        for (uint32_t k = 0; k < rest.count; k++)
            lines->parts[k + 1] = rest.parts[k];
        lines->count = rest.count + 1;
    }
    return best;
}

/* Break a name into as few lines as it needs. Returns whether it fits without being cut. */
static bool fit_name(const prfdata_top_painter *p, prfdata_text name, heading_lines *lines)
{
    for (uint32_t count = 1; count <= p->heading_lines; count++) {
        if (break_name(p, name, count, lines) <= p->heading_cells)
            return true;
    }
    return false;
}

/* An object without instances has one column for all counters. */
static prfdata_text heading_of(const prfdata_top_view *view, uint32_t column)
{
    static const uint16_t value[] = {'V', 'a', 'l', 'u', 'e'};

    return view->table.has_instances ? view->table.columns[column].name : (prfdata_text){value, 5};
}

static bool do_all_names_fit(const prfdata_top_painter *p)
{
    const prfdata_table *table = &p->view->table;
    heading_lines lines;

    for (uint32_t i = 0; i < table->column_count; i++) {
        if (!table->columns[i].is_hidden && !fit_name(p, heading_of(p->view, i), &lines))
            return false;
    }
    return true;
}

/* Returns whether the hexadecimal numbers of all columns fit. Other numbers can be shortened. */
static bool do_all_numbers_fit(const prfdata_top_painter *p)
{
    const prfdata_table *table = &p->view->table;
    uint16_t chars[PRFDATA_NUMBER_CHARS];

    for (uint32_t i = 0; i < table->column_count; i++) {
        if (!table->columns[i].is_hidden &&
            prfdata_number_widest_hex(table->columns[i].type, chars) > p->heading_cells)
            return false;
    }
    return true;
}

/*
 * Choose the size of headings. Headings get a third line if names would otherwise be cut and the
 * screen is high. Columns get more than the least width if names or hexadecimal numbers would
 * otherwise be cut, as long as all columns still fit.
 */
static void choose_heading_size(prfdata_top_painter *p)
{
    p->heading_cells = HEADING_CELLS;
    p->heading_lines = 2;
    if (!do_all_names_fit(p) && p->height >= THIRD_LINE)
        p->heading_lines = MOST_LINES;
    while ((!do_all_names_fit(p) || !do_all_numbers_fit(p)) && p->heading_cells < MOST_HEADING &&
           all_columns(p) * (p->heading_cells + 2) + p->name_cells <= p->width)
        p->heading_cells++;
}

void prfdata_top_grid_begin(prfdata_top_painter *p)
{
    p->name_cells = needed_name_cells(p);
    choose_heading_size(p);
    prfdata_top_painter_scroll(&p->view->first_column, columns_before(p, p->view->column),
                               all_columns(p), fitting_columns(p));
}

/*
 * Put a line of a heading at the right end of its column, with its middle shortened if necessary.
 * number: distinguishes headings that look the same; put after the heading, with #; 0: none.
 */
static void put_heading_line(prfdata_terminal_line *line, prfdata_text text, uint32_t cells,
                             uint32_t number, bool is_unicode)
{
    uint32_t digits = 0;

    for (uint32_t left = number; left > 0; left /= 10)
        digits += digits == 0 ? 2 : 1; /* room for # and the first digit */
    const uint32_t room = cells - digits;
    const uint32_t width = prfdata_terminal_line_width(text, is_unicode);

    prfdata_terminal_line_put_blanks(line, width < room ? room - width : 0);
    prfdata_terminal_line_put_middle(line, text, room);
    if (number > 0)
        prfdata_terminal_line_format(line, "#%u", (unsigned)number);
}

/* Return the part of a heading in a line. The last part is in the lowest line. */
static prfdata_text part_in_line(const prfdata_top_painter *p, const heading_lines *lines,
                                 uint32_t line)
{
    const uint32_t empty = p->heading_lines - lines->count;

    return line < empty ? (prfdata_text){NULL, 0} : lines->parts[line - empty];
}

static bool look_the_same(const prfdata_top_painter *p, prfdata_text a, prfdata_text b)
{
    prfdata_output outputs[2] = {{0}, {0}};
    const prfdata_text names[2] = {a, b};
    bool is_same;

    for (int i = 0; i < 2; i++) {
        prfdata_terminal_line line = {
            .output = &outputs[i], .left = p->width, .is_unicode = p->is_unicode};
        heading_lines lines;

        (void)fit_name(p, names[i], &lines);
        for (uint32_t k = 0; k < p->heading_lines; k++) {
            line.left = p->heading_cells;
            put_heading_line(&line, part_in_line(p, &lines, k), p->heading_cells, 0, p->is_unicode);
        }
    }
    is_same = outputs[0].used == outputs[1].used && outputs[0].used > 0 &&
              memcmp(outputs[0].bytes, outputs[1].bytes, outputs[0].used) == 0;
    prfdata_output_free(&outputs[0]);
    prfdata_output_free(&outputs[1]);
    return is_same;
}

/* Return the number that distinguishes a cut heading from another one; 0: none is needed. */
static uint32_t number_of_heading(const prfdata_top_painter *p, uint32_t column)
{
    const prfdata_table *table = &p->view->table;
    heading_lines lines;

    if (fit_name(p, heading_of(p->view, column), &lines))
        return 0;
    for (uint32_t i = 0; i < table->column_count; i++) {
        if (i != column && !table->columns[i].is_hidden &&
            look_the_same(p, heading_of(p->view, i), heading_of(p->view, column)))
            return column + 1;
    }
    return 0;
}

/* Put the part of a heading line that is above the names. The first line has the object's name. If
 * not all columns fit, the other lines say which columns are shown, unless `cells` is too small. */
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

void prfdata_top_grid_put_head(prfdata_top_painter *p)
{
    const prfdata_top_view *view = p->view;

    for (uint32_t line = 0; line < p->heading_lines; line++) {
        const char *attribute = line == p->heading_lines - 1 ? ";4" : "";

        prfdata_top_painter_begin(p, attribute);
        put_corner(p, line, name_cells(p));
        for (uint32_t i = 0; i < shown_columns(p); i++) {
            const uint32_t column = column_at(p, i);
            const bool is_selected = column == view->column;
            const bool is_last = line == p->heading_lines - 1;
            heading_lines lines;

            prfdata_terminal_line_put_blanks(&p->line, 1);
            if (is_selected)
                prfdata_output_put_string(p->output, SELECTED_COLOR);
            (void)fit_name(p, heading_of(view, column), &lines);
            put_heading_line(&p->line, part_in_line(p, &lines, line), p->heading_cells,
                             is_last ? number_of_heading(p, column) : 0, p->is_unicode);
            if (is_selected)
                prfdata_output_format(p->output, "\033[0%sm", attribute);
        }
        if (graph_cells(p) > 0 && line == p->heading_lines - 1)
            prfdata_terminal_line_put_ascii(&p->line, " History");
        prfdata_terminal_line_put_blanks(&p->line, *attribute ? p->line.left : 0);
        prfdata_top_painter_end(p);
    }
}

void prfdata_top_grid_put_row(prfdata_top_painter *p, const prfdata_top_instance *row)
{
    const prfdata_table *table = &p->view->table;
    const bool is_counter = !table->has_instances && row->counter;

    prfdata_top_painter_put_left(p, is_counter ? row->counter->counter : row->base.label,
                                 name_cells(p));
    for (uint32_t i = 0; i < shown_columns(p); i++) {
        const uint32_t column = column_at(p, i);

        prfdata_top_painter_put_cell(p, table, &row->base, column,
                                     is_counter ? row->counter->unit : table->columns[column].unit,
                                     p->heading_cells);
    }
    if (graph_cells(p) == 0 || !row->counter)
        return;
    prfdata_terminal_line_put_blanks(&p->line, 1);
    prfdata_top_painter_put_graph(p, row->counter, graph_cells(p));
}
