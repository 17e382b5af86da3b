/* SPDX-License-Identifier: MIT */
/*
 * Draws a screen from the top to the bottom: title, headings, rows or a page, keys. top_list.c and
 * top_grid.c draw the rows.
 */
#include "top/top_frame.h"

#include <string.h>

#include "text/terminal_line.h"
#include "top/top_grid.h"
#include "top/top_list.h"
#include "top/top_pages.h"

static void put_sample_interval(prfdata_top_painter *p)
{
    uint32_t ms = p->view->interval_ms;

    if (ms % 1000 == 0)
        prfdata_terminal_line_format(&p->line, "every %u s", (unsigned)(ms / 1000));
    else
        prfdata_terminal_line_format(&p->line, "every %u.%03u s", (unsigned)(ms / 1000),
                                     (unsigned)(ms % 1000));
}

static void put_count(prfdata_top_painter *p, uint32_t count)
{
    uint16_t chars[PRFDATA_NUMBER_CHARS];
    const prfdata_text number = {chars, prfdata_number_whole(count, prfdata_top_view_style, chars)};

    prfdata_terminal_line_put(&p->line, number);
}

static void put_shown_count(prfdata_top_painter *p)
{
    prfdata_top_view *view = p->view;
    const prfdata_table *table = prfdata_top_view_shown(view);
    const uint32_t totals =
        view->is_table ? table->shown_totals : 0; /* _Total is not an instance */
    const uint32_t shown = table->shown_count - totals;
    const uint32_t all = view->is_table ? shown + view->cut_count : view->list.row_count;
    const char *what = view->is_table && table->has_instances ? " instance" : " counter";

    prfdata_terminal_line_put_ascii(&p->line, view->cut_count > 0 ? ", top " : ", ");
    if (shown != all) {
        put_count(p, shown);
        prfdata_terminal_line_put_ascii(&p->line, " of ");
    }
    put_count(p, all);
    prfdata_terminal_line_put_ascii(&p->line, what);
    prfdata_terminal_line_put_ascii(&p->line, all == 1 ? "" : "s");
}

static void put_sort_order(prfdata_top_painter *p)
{
    const prfdata_top_view *view = p->view;
    const prfdata_table *table = view->is_table ? &view->table : &view->list;

    if (table->sort_column == PRFDATA_TABLE_LABEL) {
        prfdata_terminal_line_put_ascii(&p->line, ", sorted by name");
    } else if (!prfdata_top_view_is_by_value(view)) {
        return;
    } else if (!view->is_table && table->sort_column == PRFDATA_TOP_CHANGE) {
        prfdata_terminal_line_put_ascii(&p->line, ", sorted by change");
    } else if (!view->is_table || !table->has_instances || view->column >= table->column_count) {
        prfdata_terminal_line_put_ascii(&p->line, ", sorted by value");
    } else {
        prfdata_terminal_line_put_ascii(&p->line, ", sorted by ");
        prfdata_terminal_line_put(&p->line, table->columns[view->column].name);
    }
}

static void put_title_line(prfdata_top_painter *p)
{
    const prfdata_top_view *view = p->view;

    prfdata_top_painter_begin(p, ";1");
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
    put_shown_count(p);
    put_sort_order(p);
    if (prfdata_top_view_shown(p->view)->sorts_descending != prfdata_top_view_is_by_value(view))
        prfdata_terminal_line_put_ascii(&p->line, ", reversed");
    if (view->list.hides_idle)
        prfdata_terminal_line_put_ascii(&p->line, ", without idle");
    if (view->filter.count > 0) {
        prfdata_terminal_line_put_ascii(&p->line, ", filter \"");
        prfdata_terminal_line_put(&p->line, (prfdata_text){view->filter.chars, view->filter.count});
        prfdata_terminal_line_put_ascii(&p->line, "\"");
    }
    prfdata_top_painter_end(p);
}

/* Put what the user types. If it is too long, put only the end, because the user types there. */
static void put_typed(prfdata_top_painter *p, const char *before, const prfdata_top_typed *typed,
                      const char *after)
{
    const prfdata_text text = {typed->chars, typed->count};
    uint32_t cells = prfdata_terminal_line_width(text, p->is_unicode);
    prfdata_text end = text;

    prfdata_terminal_line_put_ascii(&p->line, before);
    while (cells + 1 > p->line.left && end.count > 0) {
        end = prfdata_text_part(end, 1, end.count);
        cells = prfdata_terminal_line_width(end, p->is_unicode);
    }
    prfdata_terminal_line_put(&p->line, end);
    prfdata_terminal_line_put_ascii(&p->line, "_");
    prfdata_terminal_line_put_ascii(&p->line, after);
}

/* Put as many keys as fit. The last key, which opens the help, is always put. */
static void put_keys(prfdata_top_painter *p, const char *const *keys, size_t count)
{
    const uint32_t last = (uint32_t)strlen(keys[count - 1]);

    for (size_t i = 0; i + 1 < count; i++) {
        const uint32_t width = (uint32_t)strlen(keys[i]) + 2;

        if (p->line.left < width + last)
            break;
        prfdata_terminal_line_put_ascii(&p->line, keys[i]);
        prfdata_terminal_line_put_ascii(&p->line, "  ");
    }
    prfdata_terminal_line_put_ascii(&p->line, keys[count - 1]);
}

/* Put a notice as text, because names in it may contain control characters. */
static void put_notice(prfdata_top_painter *p, const char *notice)
{
    uint16_t chars[PRFDATA_TOP_NOTICE];
    const size_t count =
        prfdata_text_from_utf8(notice, strlen(notice), chars, sizeof chars / sizeof chars[0]);

    prfdata_terminal_line_put(&p->line, (prfdata_text){chars, count});
}

static void put_foot_line(prfdata_top_painter *p)
{
    static const char *const of_list[] = {"q quit", "t table", "/ filter",  "m mark", "s sort",
                                          "n top",  "z idle",  "d details", "h help"};
    static const char *const of_table[] = {"q quit", "t list", "o object", "< > column",
                                           "s sort", "n top",  "/ filter", "d details",
                                           "m mark", "h help"};
    const prfdata_top_view *view = p->view;

    prfdata_top_painter_begin(p, view->editing != PRFDATA_TOP_COMMANDS ? ";1" : "");
    if (view->editing == PRFDATA_TOP_EDITS_FILTER) {
        put_typed(p, "/", &view->filter, "  Enter keeps the filter, Esc clears it");
    } else if (view->editing == PRFDATA_TOP_EDITS_THRESHOLD) {
        put_typed(p, "threshold: ", &view->threshold,
                  "  such as >500; Enter keeps it, empty removes it, Esc cancels");
    } else if (view->notice) {
        put_notice(p, view->notice);
    } else if (view->page == PRFDATA_TOP_PAGE_ROWS) {
        if (view->is_table)
            put_keys(p, of_table, sizeof of_table / sizeof of_table[0]);
        else
            put_keys(p, of_list, sizeof of_list / sizeof of_list[0]);
    } else {
        prfdata_terminal_line_put_ascii(&p->line, "q quit  Esc back  up and down scroll");
    }
    prfdata_top_painter_end(p);
}

static void put_no_rows(prfdata_top_painter *p)
{
    prfdata_top_painter_begin(p, "");
    prfdata_terminal_line_put_ascii(&p->line, p->view->list.row_count > 0
                                                  ? "No counter fits: Esc clears the "
                                                    "filter, z shows idle ones."
                                                  : "No counters.");
    prfdata_top_painter_end(p);
}

/* Put how many rows are above and below the visible rows. If none are below, put how many rows the
 * limit hides. */
static void put_more_line(prfdata_top_painter *p, uint32_t drawn)
{
    prfdata_top_view *view = p->view;
    const uint32_t below = prfdata_top_view_shown(view)->shown_count - view->first - drawn;

    prfdata_top_painter_begin(p, "");
    if (view->first > 0) {
        put_count(p, view->first);
        prfdata_terminal_line_put_ascii(&p->line, below > 0 ? " more above, " : " more above");
    }
    if (below > 0) {
        put_count(p, below);
        prfdata_terminal_line_put_ascii(&p->line, " more below");
    } else if (view->cut_count > 0) {
        prfdata_terminal_line_put_ascii(&p->line, view->first > 0 ? "; " : "");
        put_count(p, view->cut_count);
        prfdata_terminal_line_format(&p->line, " not shown (top %u)", (unsigned)view->limit);
    }
    prfdata_top_painter_end(p);
}

static void put_screen_rows(prfdata_top_painter *p, uint32_t lines)
{
    prfdata_top_view *view = p->view;
    const prfdata_table *table = prfdata_top_view_shown(view);
    const bool has_more = lines > 1 && (table->shown_count > lines ||
                                        (view->cut_count > 0 && table->shown_count < lines));
    const uint32_t room = has_more ? lines - 1 : lines;
    uint32_t drawn = 0;

    view->page_rows = room;
    prfdata_top_painter_scroll(&view->first, view->selected, table->shown_count, room);
    for (; drawn < room && view->first + drawn < table->shown_count; drawn++) {
        const uint32_t position = view->first + drawn;

        prfdata_top_painter_begin(p, position == view->selected ? ";7" : "");
        if (view->is_table)
            prfdata_top_grid_put_row(p, (const prfdata_top_instance *)table->shown[position]);
        else
            prfdata_top_list_put_row(p, (const prfdata_top_row *)table->shown[position]);
        prfdata_top_painter_end(p);
    }
    if (has_more)
        put_more_line(p, drawn++);
    if (table->shown_count == 0 && lines > 0) {
        put_no_rows(p);
        drawn = 1;
    }
    prfdata_top_painter_put_empty(p, lines - drawn);
}

static void put_rows_page(prfdata_top_painter *p, uint32_t lines, bool has_head)
{
    const bool is_grid = p->view->is_table && p->view->table.shown_count > 0;

    if (is_grid)
        prfdata_top_grid_begin(p);
    if (has_head && is_grid && lines > p->heading_lines) {
        prfdata_top_grid_put_head(p);
        lines -= p->heading_lines;
    } else if (has_head && !is_grid) {
        prfdata_top_list_put_head(p);
        lines--;
    }
    put_screen_rows(p, lines);
}

void prfdata_top_frame_put(prfdata_top_view *view, uint32_t width, uint32_t height, bool is_unicode,
                           prfdata_output *output)
{
    const bool has_foot = height >= 5 || (view->editing != PRFDATA_TOP_COMMANDS && height >= 2);
    const uint32_t lines = height - has_foot - (height >= 3);
    prfdata_top_painter p = {.view = view,
                             .output = output,
                             .width = width,
                             .height = height,
                             .is_unicode = is_unicode,
                             .y = 1};

    if (height >= 3)
        put_title_line(&p);
    if (view->page == PRFDATA_TOP_PAGE_ROWS)
        put_rows_page(&p, lines, height >= 4);
    else
        prfdata_top_pages_put(&p, lines);
    if (has_foot)
        put_foot_line(&p);
    prfdata_output_put_string(output, "\033[0m");
}
