/* SPDX-License-Identifier: MIT */
/*
 * Makes the pages of text of the live view: the details of a counter, and help. A page is first
 * written as text with lines that end in CR LF, as in view/details.h, then broken into lines of the
 * screen. top_keys.c opens and scrolls the pages.
 */
#include "top/top_pages.h"

#include <stdlib.h>

#include "view/details.h"

#define LABEL_CELLS 11 /* width of a label, with blanks, as in view/details.c */

static void put_page_label(prfdata_output *page, const char *label)
{
    prfdata_output_format(page, "%-*s", LABEL_CELLS, label);
}

static void put_page_text(prfdata_output *page, const char *label, prfdata_text text)
{
    put_page_label(page, label);
    prfdata_output_put_text(page, text);
    prfdata_output_put_string(page, "\r\n");
}

static void put_number(prfdata_output *page, const char *before, prfdata_compute_value value)
{
    uint16_t chars[PRFDATA_NUMBER_CHARS];
    const size_t count = prfdata_number_value(value, prfdata_top_view_style, chars);

    prfdata_output_put_string(page, before);
    prfdata_output_put_text(page, (prfdata_text){chars, count});
}

/* Put the lowest, mean or highest value in the form of the counter's value. */
static void put_statistic(prfdata_output *page, const char *before, double number, uint32_t type)
{
    uint16_t chars[PRFDATA_NUMBER_CHARS];
    const size_t count = prfdata_number_line(number, type, PRFDATA_NUMBER_NONE, false,
                                             prfdata_top_view_style, chars);

    prfdata_output_put_string(page, before);
    prfdata_output_put_text(page, (prfdata_text){chars, count});
}

static void put_statistics_details(prfdata_output *page, const prfdata_top_view *view,
                                   const prfdata_top_row *row)
{
    const prfdata_cell *change = &row->base.cells[PRFDATA_TOP_CHANGE];
    const uint32_t type = row->base.cells[PRFDATA_TOP_VALUE].type;

    if (change->has_raw) {
        put_page_label(page, "Change");
        put_number(page, change->value.number > 0 ? "+" : "", change->value);
        prfdata_output_put_string(page, " per second\r\n");
    }
    if (row->value_count == 0)
        return;
    put_page_label(page, "Values");
    put_statistic(page, "lowest ", row->minimum, type);
    if (!prfdata_number_is_hex(type)) /* a mean of hexadecimal numbers has no meaning */
        put_statistic(page, ", mean ", row->sum / (double)row->value_count, type);
    put_statistic(page, ", highest ", row->maximum, type);
    prfdata_output_put_string(page, "\r\n");
    put_page_label(page, "");
    prfdata_output_format(page, "%llu of %u samples\r\n", (unsigned long long)row->value_count,
                          (unsigned)view->list.updates);
}

static void put_graph_details(prfdata_output *page, prfdata_top_painter *p,
                              const prfdata_top_row *row)
{
    put_page_label(page, "History");
    p->line.output = page;
    p->line.left = p->width > LABEL_CELLS ? p->width - LABEL_CELLS : 0;
    prfdata_top_painter_put_graph(p, row, p->line.left);
    prfdata_output_put_string(page, "\r\n");
}

static void put_details_page(prfdata_output *page, prfdata_top_painter *p)
{
    const prfdata_top_view *view = p->view;
    const prfdata_top_row *row = prfdata_top_view_counter(p->view);
    const prfdata_cell *cell;
    prfdata_chart_key key;

    if (!row)
        return;
    cell = &row->base.cells[PRFDATA_TOP_VALUE];
    key = (prfdata_chart_key){row->base.object_title, row->base.counter_title, row->label};
    put_page_text(page, "Path", row->base.label);
    if (cell->text.count > 0)
        put_page_text(page, "Text", cell->text);
    put_statistics_details(page, view, row);
    put_graph_details(page, p, row);
    if (row->base.counter_title == 0) {
        put_page_label(page, "Value");
        prfdata_output_format(page, "none: %s\r\n", prfdata_compute_status_text(cell->status));
        return;
    }
    prfdata_output_put_string(page, "\r\n");
    prfdata_details_put(page, prfdata_top_view_style, &key, view->list.titles, view->source.older,
                        view->source.newer);
}

static void put_help_page(prfdata_output *page)
{
    static const struct {
        const char *key;
        const char *does;
    } keys[] = {
        {"q", "quit (also Ctrl+C)"},
        {"up down", "move; so do Page Up, Page Down, Home and End"},
        {"/", "show counters whose path contains the text that you type, in upper or lower case; * "
              "stands for anything. A condition at its end, such as >500, is for the values. Enter "
              "keeps the filter, Esc clears it"},
        {"m", "mark values of the selected counter that meet a condition, such as >500"},
        {"s", "sort by the next order: name, value, change, order of the paths; in a table: name, "
              "column"},
        {"r", "reverse the order"},
        {"n", "show only the 10, 20, 50 or 100 highest, or all again"},
        {"t", "show a table of one object, with a row for each instance and a column for each "
              "counter; or the list of all counters"},
        {"o Tab", "show the table of the next object"},
        {"< >", "select a column of the table (also left and right); used by s, n, d, m and the "
                "history"},
        {"z", "hide counters that were 0 or idle for three samples, or show them again"},
        {"space", "pause / resume"},
        {"+ -", "longer / shorter time between samples (slower / faster updates)"},
        {"d Enter", "show the details of the selected counter"},
        {"a", "draw the history in ASCII"},
        {"h ?", "show this page; Esc leaves it"},
        {"", ""},
        {"Value",
         "as the counter's type computes it: /s per second, % percent, B bytes, s seconds, ms us "
         "ns "
         "parts of a second, h hexadecimal; k M G thousands, millions and so on. Red: it meets the "
         "condition of m. Cyan: it changed. NO_COLOR in the environment turns colors off"},
        {"Change/s", "change of a level since the previous sample, per second; a rate is a change "
                     "itself"},
        {"Mean", "of the values since the start"},
        {"History", "the latest values, the last one at the right; a full bar is the highest"},
        {"", ""},
        {"wait", "needs one more sample"},
        {"idle", "no operations to average"},
        {"restarted", "the counter decreased"},
        {"removed",
         "the instance or its object no longer exists; shown for two samples, or while it "
         "is selected"},
        {"none", "the path matches nothing right now"},
    };

    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
        put_page_label(page, keys[i].key);
        prfdata_output_format(page, "%s\r\n", keys[i].does);
    }
}

/* Find where to break `text` so that it fits: after a blank, if there is one. */
static size_t find_line_break(prfdata_text text, uint32_t cells, bool is_unicode)
{
    size_t end = prfdata_terminal_line_fitting(text, cells, is_unicode);
    size_t blank = end;

    if (end == text.count)
        return end;
    if (end == 0)
        return 1;
    while (blank > 0 && text.chars[blank] != ' ')
        blank--;
    return blank > 0 ? blank + 1 : end;
}

static prfdata_text take_line(prfdata_text *text)
{
    prfdata_text line;
    size_t end = 0;

    while (end < text->count && text->chars[end] != '\r')
        end++;
    line = prfdata_text_part(*text, 0, end);
    *text = prfdata_text_part(*text, end + 2 < text->count ? end + 2 : text->count, text->count);
    return line;
}

/* Return how many blanks to put before the second and later screen lines of a long line; 0: the
 * line has no label. */
static uint32_t indent_of_line(prfdata_text line)
{
    const bool has_label = line.count > LABEL_CELLS && line.chars[LABEL_CELLS - 1] == ' ' &&
                           line.chars[LABEL_CELLS - 2] == ' ' && line.chars[LABEL_CELLS] != ' ';

    return has_label ? LABEL_CELLS : 0;
}

/* Put a line of the page, on several lines of the screen if necessary. *at counts lines of the
 * screen. */
static void put_page_line(prfdata_top_painter *p, prfdata_text line, uint32_t *at, uint32_t lines)
{
    uint32_t indent = indent_of_line(line);
    uint32_t blanks = 0;

    if (indent + 1 >= p->width)
        indent = 0;
    do {
        const uint32_t cells = p->width > blanks + 1 ? p->width - blanks : 2;
        const size_t end = find_line_break(line, cells, p->is_unicode);

        if (*at >= p->view->line && *at - p->view->line < lines) {
            prfdata_top_painter_begin(p, "");
            prfdata_terminal_line_put_blanks(&p->line, blanks);
            prfdata_terminal_line_put(&p->line, prfdata_text_part(line, 0, end));
            prfdata_top_painter_end(p);
        }
        ++*at;
        blanks = indent;
        line = prfdata_text_part(line, end, line.count);
    } while (line.count > 0);
}

/* Put lines of a text, beginning with line view->line. Returns how many lines of the screen the
 * whole text needs. */
static uint32_t put_page_lines(prfdata_top_painter *p, prfdata_text text, uint32_t lines)
{
    uint32_t total = 0;

    while (text.count > 0) {
        const prfdata_text line = take_line(&text);

        put_page_line(p, line, &total, lines);
    }
    return total;
}

static void put_scrolled(prfdata_top_painter *p, prfdata_text text, uint32_t lines)
{
    prfdata_top_view *view = p->view;
    const uint32_t total = put_page_lines(p, text, 0); /* only measures the text */

    if (view->line + lines > total)
        view->line = total > lines ? total - lines : 0;
    (void)put_page_lines(p, text, lines);
    prfdata_top_painter_put_empty(p, total < lines ? lines - total : 0);
}

void prfdata_top_pages_put(prfdata_top_painter *p, uint32_t lines)
{
    prfdata_output page = {0};
    prfdata_text text = {NULL, 0};
    uint16_t *chars;

    p->view->page_rows = lines;
    if (p->view->page == PRFDATA_TOP_PAGE_DETAILS)
        put_details_page(&page, p);
    else
        put_help_page(&page);
    chars = page.failed ? NULL : malloc((page.used + 1) * sizeof *chars);
    if (chars)
        text = (prfdata_text){chars,
                              prfdata_text_from_utf8(page.bytes, page.used, chars, page.used + 1)};
    put_scrolled(p, text, lines);
    free(chars);
    prfdata_output_free(&page);
}
