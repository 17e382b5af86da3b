/* SPDX-License-Identifier: MIT */
/*
 * Lines of text for a screen, from the top to the bottom: title, heads, rows or a page, keys. Knows
 * neither samples nor keys; what is shown in what order is in top_view.c.
 */
#include "top/top_frame.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "text/terminal_line.h"
#include "compute/counter_formula.h"
#include "core/counter_types.h"

#define VALUE_CELLS  10 /* eight and a unit of two */
#define CHANGE_CELLS 9
#define MEAN_CELLS   8
#define LABEL_CELLS  10 /* of the label on the page of details, with a blank */

/* winperf.h: bits of a counter type that say how to show the value. */
#define DISPLAY_MASK    0x70000000u
#define DISPLAY_PER_SEC 0x10000000u
#define DISPLAY_PERCENT 0x20000000u
#define DISPLAY_SECONDS 0x30000000u
#define SIZE_TYPE_MASK  0x00000C00u
#define NUMBER_MASK     0x00030000u /* PERF_NUMBER_HEX is 0 */

/* ---- Values ---- */

void prfdata_top_frame_number(prfdata_compute_value value, char text[16])
{
    static const char prefixes[] = " kMGTPE";
    double number = value.number;
    double size = fabs(number);
    size_t prefix = 0;

    if (size < 9999999.5 && (value.is_whole || size >= 99999.995)) {
        snprintf(text, 16, "%.0f", number);
        return;
    }
    if (size < 0.005 && number != 0) {
        snprintf(text, 16, "%.1e", number);
        return;
    }
    if (size < 99999.995) {
        snprintf(text, 16, "%.2f", number);
        return;
    }
    for (; size >= 999.995 && prefix + 2 < sizeof prefixes; prefix++) {
        size /= 1000;
        number /= 1000;
    }
    if (size < 999999.5)
        snprintf(text, 16, "%.2f%c", number, prefixes[prefix]);
    else
        snprintf(text, 16, "%.1e", value.number);
}

static void format_number_text(double number, char text[16])
{
    prfdata_compute_value value = {number, false, 0, 1};

    value.is_whole = fabs(number) < 1e15 && number == (double)(int64_t)number;
    prfdata_top_frame_number(value, text);
}

static const char *unit_suffix_of(uint32_t type)
{
    switch (type & DISPLAY_MASK) {
    case DISPLAY_PER_SEC:
        return "/s";
    case DISPLAY_PERCENT:
        return "% ";
    case DISPLAY_SECONDS:
        return "s ";
    default:
        return "  ";
    }
}

static bool is_hex_type(uint32_t type)
{
    return (type & (SIZE_TYPE_MASK | NUMBER_MASK)) == 0;
}

/* The status in at most ten characters. */
static const char *short_status_of_row(const prfdata_top_row *row)
{
    switch (row->status) {
    case PRFDATA_STATUS_NO_OBJECT:
        return "no object";
    case PRFDATA_STATUS_NO_COUNTER:
        return "no counter";
    case PRFDATA_STATUS_NO_INSTANCE:
        return row->counter_title == 0 ? "none" : "gone";
    case PRFDATA_STATUS_ONE_SAMPLE:
        return "wait";
    case PRFDATA_STATUS_NO_DATA:
        return "idle";
    case PRFDATA_STATUS_NEGATIVE_VALUE:
        return "restarted";
    case PRFDATA_STATUS_NEGATIVE_DENOMINATOR:
        return "no time";
    case PRFDATA_STATUS_NEGATIVE_TIMEBASE:
        return "no clock";
    case PRFDATA_STATUS_INVALID_DATA:
        return "damaged";
    case PRFDATA_STATUS_NO_FORMULA:
        return "no number";
    default:
        return "no value";
    }
}

/* ---- Columns ---- */

typedef struct layout { /* cells of the columns; 0: there is none */
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

/* On a narrow screen the least important column goes first; on a wide one graph, name and help
 * grow.
 */
static layout layout_of_width(uint32_t width)
{
    layout cells = {0, VALUE_CELLS, CHANGE_CELLS, MEAN_CELLS, 10, 0};

    if (width < 70)
        cells.graph = 0;
    if (width < 56)
        cells.mean = 0;
    if (width < 44)
        cells.change = 0;
    if (width < 18)
        cells.value = 0;
    if (width > 80) {
        cells.graph += (width - 80) / 4;
        if (cells.graph > PRFDATA_TOP_HISTORY)
            cells.graph = PRFDATA_TOP_HISTORY;
    }
    if (width >= 120)
        cells.help = (width - 80) / 2;
    cells.name = width - cells_with_blank(cells.value) - cells_with_blank(cells.change) -
                 cells_with_blank(cells.mean) - cells_with_blank(cells.graph) -
                 cells_with_blank(cells.help);
    return cells;
}

/* What draws lines: the output, the place of the next line, and the columns. */
typedef struct painter {
    prfdata_top_view *view;
    prfdata_output *output;
    uint32_t width;
    uint32_t height;
    bool is_unicode;
    layout layout;
    uint32_t y; /* of the next line, from 1 */
    prfdata_terminal_line line;
} painter;

static void begin_screen_line(painter *p, const char *attribute)
{
    prfdata_output_format(p->output, "\033[%u;1H\033[0%sm", (unsigned)p->y, attribute);
    p->line.output = p->output;
    p->line.left = p->width;
    p->line.is_unicode = p->is_unicode;
}

/* A full line has no rest to erase, and erasing would take its last character. */
static void end_screen_line(painter *p)
{
    if (p->line.left > 0)
        prfdata_output_put_string(p->output, "\033[0m\033[K");
    p->y++;
}

/* Put ASCII at the right end of a column of `cells`, with a blank before the column. */
static void put_column_right(painter *p, const char *text, uint32_t cells)
{
    uint32_t size = (uint32_t)strlen(text);

    if (cells == 0)
        return;
    prfdata_terminal_line_put_blanks(&p->line, 1 + (size < cells ? cells - size : 0));
    prfdata_terminal_line_put_ascii(&p->line, text);
}

/* Put text at the left end of a column, and fill the column up. */
static void put_column_left(painter *p, prfdata_text text, uint32_t cells)
{
    uint32_t before = p->line.left;

    if (cells == 0)
        return;
    prfdata_terminal_line_put_middle(&p->line, text, cells);
    prfdata_terminal_line_put_blanks(&p->line, cells - (before - p->line.left));
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
 * the counter, and last the instance, in which rows differ most.
 */
static void put_row_name(painter *p, const prfdata_top_row *row, uint32_t cells)
{
    uint32_t before = p->line.left;
    uint32_t object = prfdata_terminal_line_width(row->object, p->is_unicode);
    uint32_t label = prfdata_terminal_line_width(row->label, p->is_unicode);
    uint32_t counter = prfdata_terminal_line_width(row->counter, p->is_unicode);
    uint32_t total = object + label + counter + (row->has_instance ? 4 : 2);
    uint32_t excess = total > cells ? total - cells : 0;

    if (excess == 0 || cells < 12) {
        put_column_left(p, row->path, cells);
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

static void put_row_value(painter *p, const prfdata_top_row *row)
{
    char text[32];

    if (p->layout.value == 0)
        return;
    if (row->text.count > 0) {
        prfdata_terminal_line_put_blanks(&p->line, 1);
        put_column_left(p, row->text, p->layout.value);
        return;
    }
    if (row->status != PRFDATA_STATUS_OK) {
        put_column_right(p, short_status_of_row(row), p->layout.value);
        return;
    }
    if (is_hex_type(row->raw.type) && row->value.number < 4294967296.0 && row->value.number >= 0) {
        snprintf(text, sizeof text, "%Xh", (unsigned)row->value.number);
    } else {
        char number[16];

        prfdata_top_frame_number(row->value, number);
        snprintf(text, sizeof text, "%s%s", number, unit_suffix_of(row->raw.type));
    }
    put_column_right(p, text, p->layout.value);
}

static void put_row_change(painter *p, const prfdata_top_row *row)
{
    char text[20] = "";

    if (row->has_change && row->change > 0) {
        text[0] = '+';
        format_number_text(row->change, text + 1);
    } else if (row->has_change) {
        format_number_text(row->change, text);
    }
    put_column_right(p, text, p->layout.change);
}

static void put_row_mean(painter *p, const prfdata_top_row *row)
{
    char text[16] = "";

    if (row->value_count > 0)
        format_number_text(row->sum / (double)row->value_count, text);
    put_column_right(p, text, p->layout.mean);
}

/* Put the newest `cells` values, the oldest of them first. The highest of them, or 0, is a full
 * bar. */
static void put_row_graph(painter *p, const prfdata_top_row *row, uint32_t cells)
{
    float lowest = 0;
    float highest = 0;

    for (uint32_t age = 0; age < cells; age++) {
        float value = prfdata_top_view_past(p->view, row, age);

        lowest = value < lowest ? value : lowest;
        highest = value > highest ? value : highest;
    }
    for (uint32_t age = cells; age-- > 0;) {
        float value = prfdata_top_view_past(p->view, row, age);

        if (isnan(value))
            prfdata_terminal_line_put_blanks(&p->line, 1);
        else if (highest <= lowest)
            prfdata_terminal_line_put_level(&p->line, 0);
        else
            prfdata_terminal_line_put_level(
                &p->line, (unsigned)((value - lowest) / (highest - lowest) * 7.0F + 0.5F));
    }
}

static void put_screen_row(painter *p, uint32_t position)
{
    const prfdata_top_row *row = p->view->shown[position];
    bool is_unicode = p->is_unicode;

    begin_screen_line(p, position == p->view->selected ? ";7" : "");
    put_row_name(p, row, p->layout.name);
    put_row_value(p, row);
    put_row_change(p, row);
    put_row_mean(p, row);
    p->line.is_unicode = is_unicode && !p->view->is_ascii;
    prfdata_terminal_line_put_blanks(&p->line, p->layout.graph > 0 ? 1 : 0);
    put_row_graph(p, row, p->layout.graph);
    p->line.is_unicode = is_unicode;
    if (p->layout.help > 0) {
        prfdata_terminal_line_put_blanks(&p->line, 1);
        prfdata_terminal_line_put(&p->line, row->help);
    }
    end_screen_line(p);
}

/* ---- Lines above and below ---- */

static void put_sample_interval(painter *p)
{
    uint32_t ms = p->view->interval_ms;

    if (ms % 1000 == 0)
        prfdata_terminal_line_format(&p->line, "every %u s", (unsigned)(ms / 1000));
    else
        prfdata_terminal_line_format(&p->line, "every %u.%03u s", (unsigned)(ms / 1000),
                                     (unsigned)(ms % 1000));
}

static void put_title_line(painter *p)
{
    static const char *const orders[] = {"", ", by name", ", by value", ", by change"};
    const prfdata_top_view *view = p->view;

    begin_screen_line(p, ";1");
    prfdata_terminal_line_format(&p->line, "%02u:%02u:%02u ", (unsigned)view->time[4],
                                 (unsigned)view->time[5], (unsigned)view->time[6]);
    prfdata_terminal_line_put(&p->line, view->computer);
    prfdata_terminal_line_put_ascii(&p->line, ", ");
    if (view->is_recorded)
        prfdata_terminal_line_put_ascii(&p->line, "recorded");
    else if (view->is_paused)
        prfdata_terminal_line_put_ascii(&p->line, "paused");
    else
        put_sample_interval(p);
    if (view->shown_count == view->row_count)
        prfdata_terminal_line_format(&p->line, ", %u counters", (unsigned)view->row_count);
    else
        prfdata_terminal_line_format(&p->line, ", %u of %u counters", (unsigned)view->shown_count,
                                     (unsigned)view->row_count);
    if (view->left_out > 0)
        prfdata_terminal_line_format(&p->line, " (%u more)", (unsigned)view->left_out);
    prfdata_terminal_line_put_ascii(&p->line, orders[view->sort]);
    if (view->is_reversed)
        prfdata_terminal_line_put_ascii(&p->line, ", reversed");
    if (view->hides_idle)
        prfdata_terminal_line_put_ascii(&p->line, ", without idle");
    if (view->filter_count > 0) {
        prfdata_terminal_line_put_ascii(&p->line, ", with \"");
        prfdata_terminal_line_put(&p->line, prfdata_top_view_filter(view));
        prfdata_terminal_line_put_ascii(&p->line, "\"");
    }
    end_screen_line(p);
}

static void put_head_line(painter *p)
{
    begin_screen_line(p, ";4");
    prfdata_terminal_line_put_ascii(&p->line, "Counter");
    prfdata_terminal_line_put_blanks(&p->line, p->layout.name > 7 ? p->layout.name - 7 : 0);
    put_column_right(p, "Value  ", p->layout.value);
    put_column_right(p, "Change/s", p->layout.change);
    put_column_right(p, "Mean", p->layout.mean);
    if (p->layout.graph > 0) {
        prfdata_terminal_line_put_ascii(&p->line, " History");
        prfdata_terminal_line_put_blanks(&p->line, p->layout.graph - 7);
    }
    if (p->layout.help > 0)
        prfdata_terminal_line_put_ascii(&p->line, " Description");
    prfdata_terminal_line_put_blanks(&p->line, p->line.left);
    end_screen_line(p);
}

static void put_foot_line(painter *p)
{
    const prfdata_top_view *view = p->view;

    begin_screen_line(p, view->is_editing ? ";1" : "");
    if (view->is_editing) {
        prfdata_text filter = prfdata_top_view_filter(view);
        uint32_t cells = prfdata_terminal_line_width(filter, p->is_unicode);
        prfdata_text end = filter;

        /* Show the end of the filter: the user types there. */
        while (cells + 2 > p->line.left && end.count > 0) {
            end = prfdata_text_part(end, 1, end.count);
            cells = prfdata_terminal_line_width(end, p->is_unicode);
        }
        prfdata_terminal_line_put_ascii(&p->line, "/");
        prfdata_terminal_line_put(&p->line, end);
        prfdata_terminal_line_put_ascii(&p->line, "_");
        prfdata_terminal_line_put_ascii(&p->line, "  Enter keeps the filter, Esc clears it");
    } else if (view->notice) {
        prfdata_terminal_line_put_ascii(&p->line, view->notice);
    } else if (view->page == PRFDATA_TOP_PAGE_ROWS) {
        prfdata_terminal_line_put_ascii(
            &p->line, "q quit  / filter  s sort  r reverse  z idle  space pause  + -  d details  "
                      "h help");
    } else {
        prfdata_terminal_line_put_ascii(&p->line, "q quit  Esc back  up and down scroll");
    }
    end_screen_line(p);
}

static void put_empty_lines(painter *p, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        begin_screen_line(p, "");
        end_screen_line(p);
    }
}

static void put_screen_rows(painter *p, uint32_t lines)
{
    prfdata_top_view *view = p->view;
    uint32_t drawn = 0;

    view->page_rows = lines;
    if (view->selected < view->first)
        view->first = view->selected;
    if (lines > 0 && view->selected - view->first >= lines)
        view->first = view->selected - lines + 1;
    if (view->first > 0 && view->shown_count - view->first < lines)
        view->first = view->shown_count > lines ? view->shown_count - lines : 0;
    if (view->shown_count == 0 && lines > 0) {
        begin_screen_line(p, "");
        prfdata_terminal_line_put_ascii(&p->line, view->row_count > 0
                                                      ? "No counter fits: Esc clears the "
                                                        "filter, z shows idle ones."
                                                      : "No counters.");
        end_screen_line(p);
        drawn = 1;
    }
    for (; drawn < lines && view->first + drawn < view->shown_count; drawn++)
        put_screen_row(p, view->first + drawn);
    put_empty_lines(p, lines - drawn);
}

/* ---- Pages of text ---- */

/* The lines of a page from view->line on, as far as they fit. */
typedef struct text_page {
    painter *painter;
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
    begin_screen_line(page->painter, "");
    return true;
}

static void put_detail_label(painter *p, const char *label)
{
    uint32_t before = p->line.left;

    prfdata_terminal_line_put_ascii(&p->line, label);
    if (before - p->line.left < LABEL_CELLS)
        prfdata_terminal_line_put_blanks(&p->line, LABEL_CELLS - (before - p->line.left));
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

/* Put a label and a text, on several lines if necessary. */
static void put_detail_text(text_page *page, const char *label, prfdata_text text)
{
    painter *p = page->painter;
    uint32_t cells = p->width > LABEL_CELLS + 1 ? p->width - LABEL_CELLS : 2;

    do {
        size_t end = find_line_break(text, cells, p->is_unicode);

        if (begin_page_line(page)) {
            put_detail_label(p, label);
            prfdata_terminal_line_put(&p->line, prfdata_text_part(text, 0, end));
            end_screen_line(p);
        }
        label = "";
        text = prfdata_text_part(text, end, text.count);
    } while (text.count > 0);
}

static void put_detail_words(text_page *page, const char *label, const char *words)
{
    uint16_t chars[256];
    size_t count = 0;

    for (; count < 256 && words[count]; count++)
        chars[count] = (unsigned char)words[count];
    put_detail_text(page, label, (prfdata_text){chars, count});
}

static void format_exact_value(const prfdata_top_row *row, char text[48])
{
    if (row->value.is_whole)
        snprintf(text, 48, "%lld%s", (long long)row->value.whole, unit_suffix_of(row->raw.type));
    else
        snprintf(text, 48, "%.15g%s", row->value.number, unit_suffix_of(row->raw.type));
}

static void put_value_details(text_page *page, const prfdata_top_row *row)
{
    char words[256];

    if (row->text.count > 0) {
        put_detail_text(page, "Text", row->text);
    } else if (row->status == PRFDATA_STATUS_OK) {
        format_exact_value(row, words);
        put_detail_words(page, "Value", words);
    } else {
        snprintf(words, sizeof words, "none: %s (%s 0x%08X)",
                 row->absent_count > 0 ? "the counter is not there any more"
                                       : prfdata_compute_status_text(row->status),
                 prfdata_compute_status_name(row->status), (unsigned)row->status);
        put_detail_words(page, "Value", words);
    }
    if (row->has_change) {
        snprintf(words, sizeof words, "%+.15g a second, of the raw value", row->change);
        put_detail_words(page, "Change", words);
    }
    if (row->value_count > 0) {
        snprintf(words, sizeof words, "lowest %.15g, mean %.15g, highest %.15g", row->minimum,
                 row->sum / (double)row->value_count, row->maximum);
        put_detail_words(page, "Values", words);
        snprintf(words, sizeof words, "%llu of %u samples", (unsigned long long)row->value_count,
                 (unsigned)page->painter->view->sample_count);
        put_detail_words(page, "", words);
    }
}

static void put_graph_details(text_page *page, const prfdata_top_row *row)
{
    painter *p = page->painter;
    uint32_t cells = p->width > LABEL_CELLS ? p->width - LABEL_CELLS : 0;

    if (!begin_page_line(page))
        return;
    put_detail_label(p, "History");
    p->line.is_unicode = p->is_unicode && !p->view->is_ascii;
    put_row_graph(p, row, cells < PRFDATA_TOP_HISTORY ? cells : PRFDATA_TOP_HISTORY);
    end_screen_line(p);
}

static void put_type_details(text_page *page, const prfdata_top_row *row)
{
    const prfdata_counter_type *type = prfdata_counter_types_find(row->raw.type);
    prfdata_counter_formula formula = prfdata_counter_formula_of(row->raw.type);
    char words[256];

    snprintf(words, sizeof words, "%s%s (0x%08X)", type ? "PERF_" : "",
             type ? type->name : "not predefined", (unsigned)row->raw.type);
    put_detail_words(page, "Type", words);
    prfdata_counter_formula_text(&formula, words, sizeof words);
    if (words[0])
        put_detail_words(page, "Formula", words);
    if (prfdata_counter_formula_note(row->raw.type, words, sizeof words))
        put_detail_words(page, "Note", words);
}

static void put_raw_details(text_page *page, const prfdata_top_row *row)
{
    const prfdata_compute_raw *raw = &row->raw;
    char words[256];

    if (raw->value_bytes == 0)
        return;
    snprintf(words, sizeof words, "%llu (0x%llX, %u bytes)", (unsigned long long)raw->value,
             (unsigned long long)raw->value, (unsigned)raw->value_bytes);
    put_detail_words(page, "Raw", words);
    if (raw->base_bytes > 0) {
        snprintf(words, sizeof words, "%llu (0x%llX, %u bytes)", (unsigned long long)raw->base,
                 (unsigned long long)raw->base, (unsigned)raw->base_bytes);
        put_detail_words(page, "Base", words);
    }
    snprintf(words, sizeof words, "%lld at %lld a second; object %lld at %lld; 100 ns %lld",
             (long long)raw->perf_time, (long long)raw->perf_freq, (long long)raw->object_time,
             (long long)raw->object_freq, (long long)raw->time_100ns);
    put_detail_words(page, "Time", words);
}

static void put_details_page(text_page *page)
{
    const prfdata_top_row *row = page->painter->view->described;
    char words[64];

    put_detail_text(page, "Path", row->path);
    put_value_details(page, row);
    put_graph_details(page, row);
    if (row->counter_title == 0)
        return;
    put_type_details(page, row);
    put_raw_details(page, row);
    snprintf(words, sizeof words, "\\%u\\%u", (unsigned)row->object_title,
             (unsigned)row->counter_title);
    put_detail_words(page, "Titles", words);
    if (row->help.count > 0)
        put_detail_text(page, "Help", row->help);
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
        {"z", "hides counters that are 0 or idle, and shows them again"},
        {"space", "stops and goes on"},
        {"+ -", "a longer or shorter time between samples"},
        {"d Enter", "all about the selected counter"},
        {"a", "draws the history in ASCII"},
        {"h ?", "this page; Esc leaves it"},
        {"", ""},
        {"Value", "as the counter's type computes it: /s a second, % per cent, s seconds, h "
                  "hexadecimal"},
        {"Change/s", "of the raw value since the sample before, a second"},
        {"Mean", "of the values since the start"},
        {"History", "the newest values, the last one right; a full bar is the highest"},
        {"", ""},
        {"wait", "needs one more sample"},
        {"idle", "nothing happened to take an average of"},
        {"restarted", "the counter went backwards"},
        {"gone", "the instance or its object is not there any more"},
        {"none", "the path leads to nothing now"},
    };

    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++)
        put_detail_words(page, keys[i].key, keys[i].does);
}

static uint32_t put_page_lines(painter *p, uint32_t skipped, uint32_t lines, uint32_t *total)
{
    text_page page = {p, skipped, lines, 0};

    if (p->view->page == PRFDATA_TOP_PAGE_DETAILS)
        put_details_page(&page);
    else
        put_help_page(&page);
    *total = page.total;
    return lines - page.left;
}

static void put_text_page(painter *p, uint32_t lines)
{
    prfdata_top_view *view = p->view;
    uint32_t total = 0;
    uint32_t drawn;

    view->page_rows = lines;
    (void)put_page_lines(p, UINT32_MAX, 0, &total); /* how long is it? */
    if (view->line + lines > total)
        view->line = total > lines ? total - lines : 0;
    drawn = put_page_lines(p, view->line, lines, &total);
    put_empty_lines(p, lines - drawn);
}

/* ---- The frame ---- */

void prfdata_top_frame_put(prfdata_top_view *view, uint32_t width, uint32_t height, bool is_unicode,
                           prfdata_output *output)
{
    painter p;
    bool has_foot = height >= 5 || (view->is_editing && height >= 2);
    uint32_t lines;

    memset(&p, 0, sizeof p);
    p.view = view;
    p.output = output;
    p.width = width;
    p.height = height;
    p.is_unicode = is_unicode;
    p.layout = layout_of_width(width);
    p.y = 1;
    lines = height - has_foot - (height >= 3) - (height >= 4);

    if (height >= 3)
        put_title_line(&p);
    if (view->page == PRFDATA_TOP_PAGE_ROWS) {
        if (height >= 4)
            put_head_line(&p);
        put_screen_rows(&p, lines);
    } else {
        put_text_page(&p, lines + (height >= 4));
    }
    if (has_foot)
        put_foot_line(&p);
    prfdata_output_put_string(output, "\033[0m");
}
