/* SPDX-License-Identifier: MIT */
/*
 * The pages of text of the live view: all about a counter, and help. top_keys.c opens and scrolls
 * them.
 */
#include "top/top_pages.h"

#include <stdio.h>
#include <stdlib.h>

#include "view/details.h"

#define LABEL_CELLS 11 /* of a label, with a blank: as those of view/details.h */

/* The lines of a page from view->line on, as far as they fit. */
typedef struct text_page {
    prfdata_top_painter *painter;
    uint32_t skipped; /* lines above the screen, still to come */
    uint32_t left;    /* lines of the screen */
    uint32_t total;   /* lines so far */
} text_page;

/* Begin a line of the page. Returns false if it is not on the screen. */
static bool begin_page_line(text_page *page)
{
    page->total++;
    if (page->skipped > 0) {
        page->skipped--;
        return false;
    }
    if (page->left == 0)
        return false;
    page->left--;
    prfdata_top_painter_begin(page->painter, "");
    return true;
}

static void put_detail_label(prfdata_top_painter *p, const char *label, uint32_t cells)
{
    uint32_t before = p->line.left;

    prfdata_terminal_line_put_ascii(&p->line, label);
    if (before - p->line.left < cells)
        prfdata_terminal_line_put_blanks(&p->line, cells - (before - p->line.left));
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

/* Put a label in a column of so many cells, and a text, on several lines if necessary. */
static void put_page_text(text_page *page, const char *label, uint32_t label_cells,
                          prfdata_text text)
{
    prfdata_top_painter *p = page->painter;
    uint32_t cells = p->width > label_cells + 1 ? p->width - label_cells : 2;

    do {
        size_t end = find_line_break(text, cells, p->is_unicode);

        if (begin_page_line(page)) {
            put_detail_label(p, label, label_cells);
            prfdata_terminal_line_put(&p->line, prfdata_text_part(text, 0, end));
            prfdata_top_painter_end(p);
        }
        label = "";
        text = prfdata_text_part(text, end, text.count);
    } while (text.count > 0);
}

static void put_detail_text(text_page *page, const char *label, prfdata_text text)
{
    put_page_text(page, label, LABEL_CELLS, text);
}

static void put_detail_words(text_page *page, const char *label, const char *words)
{
    uint16_t chars[256];
    size_t count = 0;

    for (; count < 256 && words[count]; count++)
        chars[count] = (unsigned char)words[count];
    put_detail_text(page, label, (prfdata_text){chars, count});
}

/* Write a number as prfdata_number_exact() does, in ASCII. Returns `text`. */
static const char *exact_digits(prfdata_compute_value value, char text[PRFDATA_NUMBER_CHARS + 1])
{
    uint16_t chars[PRFDATA_NUMBER_CHARS];
    const size_t count = prfdata_number_exact(value, prfdata_top_painter_style, chars);

    for (size_t i = 0; i < count; i++)
        text[i] = (char)chars[i];
    text[count] = 0;
    return text;
}

static void put_range_details(text_page *page, const prfdata_top_row *row)
{
    char texts[3][PRFDATA_NUMBER_CHARS + 1];
    char words[256];

    snprintf(words, sizeof words, "lowest %s, mean %s, highest %s",
             exact_digits(prfdata_number_of(row->minimum), texts[0]),
             exact_digits(prfdata_number_of(row->sum / (double)row->value_count), texts[1]),
             exact_digits(prfdata_number_of(row->maximum), texts[2]));
    put_detail_words(page, "Values", words);
    snprintf(words, sizeof words, "%llu of %u samples", (unsigned long long)row->value_count,
             (unsigned)page->painter->view->table.updates);
    put_detail_words(page, "", words);
}

static void put_statistics_details(text_page *page, const prfdata_top_row *row)
{
    const prfdata_cell *change = &row->base.cells[PRFDATA_TOP_CHANGE];
    char digits[PRFDATA_NUMBER_CHARS + 1];
    char words[256];

    if (change->has_raw) {
        snprintf(words, sizeof words, "%s%s a second", change->value.number > 0 ? "+" : "",
                 exact_digits(change->value, digits));
        put_detail_words(page, "Change", words);
    }
    if (row->value_count > 0)
        put_range_details(page, row);
}

static void put_graph_details(text_page *page, const prfdata_top_row *row)
{
    prfdata_top_painter *p = page->painter;
    uint32_t cells = p->width > LABEL_CELLS ? p->width - LABEL_CELLS : 0;

    if (!begin_page_line(page))
        return;
    put_detail_label(p, "History", LABEL_CELLS);
    p->line.is_unicode = p->is_unicode && !p->view->is_ascii;
    prfdata_top_painter_put_graph(p, row,
                                  cells < PRFDATA_TOP_HISTORY ? cells : PRFDATA_TOP_HISTORY);
    prfdata_top_painter_end(p);
}

/* What the window says, too, in its lines. */
static void put_known_details(text_page *page, const prfdata_top_row *row)
{
    const prfdata_top_view *view = page->painter->view;
    const prfdata_chart_key key = {row->base.object_title, row->base.counter_title, row->label};
    prfdata_output output = {0};
    uint16_t *chars;
    prfdata_text text = {0};

    prfdata_details_put(&output, prfdata_details_words_english, prfdata_top_painter_style, &key,
                        view->titles, view->older, view->newer);
    chars = malloc((output.used + 1) * sizeof *chars);
    if (chars && !output.failed)
        text = (prfdata_text){
            chars, prfdata_text_from_utf8(output.bytes, output.used, chars, output.used + 1)};
    while (text.count > 0) {
        size_t end = 0;

        while (end < text.count && text.chars[end] != '\r')
            end++;
        put_page_text(page, "", 0, prfdata_text_part(text, 0, end));
        text = prfdata_text_part(text, end + 2 < text.count ? end + 2 : text.count, text.count);
    }
    free(chars);
    prfdata_output_free(&output);
}

static void put_details_page(text_page *page)
{
    const prfdata_top_row *row = page->painter->view->described;
    const prfdata_cell *cell = &row->base.cells[PRFDATA_TOP_VALUE];
    char words[256];

    put_detail_text(page, "Path", row->base.label);
    if (cell->text.count > 0)
        put_detail_text(page, "Text", cell->text);
    put_statistics_details(page, row);
    put_graph_details(page, row);
    if (row->base.counter_title == 0) {
        snprintf(words, sizeof words, "none: %s", prfdata_compute_status_text(cell->status));
        put_detail_words(page, "Value", words);
    } else if (page->painter->view->newer) {
        put_detail_words(page, "", "");
        put_known_details(page, row);
    }
}

static void put_help_page(text_page *page)
{
    static const struct {
        const char *key;
        const char *does;
    } keys[] = {
        {"q", "quits; so does Ctrl+C"},
        {"up down", "and Page Up, Page Down, Home, End go through the counters"},
        {"/", "shows counters whose path has the text that you type, in any case; * stands for "
              "anything. Enter keeps it, Esc clears it"},
        {"s", "sorts: as given, by name, by value, by change"},
        {"r", "reverses the order"},
        {"n", "shows the 10, 20, 50 or 100 highest only, or all again"},
        {"t", "a table of one object: a row for each instance, a column for each counter; or the "
              "list of all"},
        {"o Tab", "the table of the next object"},
        {"< >",
         "or left and right select a column of the table, which s, n, d and the history are about"},
        {"z", "hides counters that were 0 or idle for three samples, and shows them again"},
        {"space", "stops and goes on"},
        {"+ -", "a longer or shorter time between samples"},
        {"d Enter", "all about the selected counter"},
        {"a", "draws the history in ASCII"},
        {"h ?", "this page; Esc leaves it"},
        {"", ""},
        {"Value",
         "as the counter's type computes it: /s a second, % per cent, B bytes, s seconds, ms "
         "us ns parts of one, h hexadecimal; k M G thousands, millions and so on"},
        {"Change/s", "of a level since the sample before, a second; a rate is a change itself"},
        {"Mean", "of the values since the start"},
        {"History", "the newest values, the last one right; a full bar is the highest"},
        {"", ""},
        {"wait", "needs one more sample"},
        {"idle", "nothing happened to take an average of"},
        {"restarted", "the counter went backwards"},
        {"gone",
         "the instance or its object is not there any more; for three samples, or while it is "
         "selected"},
        {"none", "the path leads to nothing now"},
    };

    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++)
        put_detail_words(page, keys[i].key, keys[i].does);
}

static uint32_t put_page_lines(prfdata_top_painter *p, uint32_t skipped, uint32_t lines,
                               uint32_t *total)
{
    text_page page = {p, skipped, lines, 0};

    if (p->view->page == PRFDATA_TOP_PAGE_DETAILS)
        put_details_page(&page);
    else
        put_help_page(&page);
    *total = page.total;
    return lines - page.left;
}

void prfdata_top_pages_put(prfdata_top_painter *p, uint32_t lines)
{
    prfdata_top_view *view = p->view;
    uint32_t total = 0;
    uint32_t drawn;

    view->page_rows = lines;
    (void)put_page_lines(p, UINT32_MAX, 0, &total); /* how long is it? */
    if (view->line + lines > total)
        view->line = total > lines ? total - lines : 0;
    drawn = put_page_lines(p, view->line, lines, &total);
    prfdata_top_painter_put_empty(p, lines - drawn);
}
