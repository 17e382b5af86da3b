/* SPDX-License-Identifier: MIT */
/*
 * Handles the keys of the live view: selection, filter, order, pages, interval. os/terminal.h
 * receives the keys, and top_frame.c draws the result.
 */
#include "top/top_view.h"

#include <prfdata/error.h>

#define FASTEST_MS 100u
#define SLOWEST_MS 3600000u

static bool move_position(uint32_t key, uint32_t page, uint32_t *position)
{
    if (page == 0)
        page = 1;
    switch (key) {
    case PRFDATA_KEY_UP:
        *position -= *position > 0;
        return true;
    case PRFDATA_KEY_DOWN:
        ++*position;
        return true;
    case PRFDATA_KEY_PAGE_UP:
        *position -= *position < page ? *position : page;
        return true;
    case PRFDATA_KEY_PAGE_DOWN:
        *position += page;
        return true;
    case PRFDATA_KEY_HOME:
        *position = 0;
        return true;
    case PRFDATA_KEY_END:
        *position = UINT32_MAX / 2; /* corrected when the number of lines is known */
        return true;
    default:
        return false;
    }
}

/* Applies the filter. A condition at its end applies to values, and the text before it to paths. */
static uint32_t apply_filter(prfdata_top_view *view)
{
    prfdata_text text = {view->filter.chars, view->filter.count};

    (void)prfdata_condition_take(&text, prfdata_top_view_style, &view->list.condition);
    if (!prfdata_table_set_filter(&view->list, text))
        return ERROR_NOT_ENOUGH_MEMORY;
    prfdata_top_view_select(view, 0);
    return prfdata_top_view_arrange(view);
}

static uint32_t clear_filter(prfdata_top_view *view)
{
    view->filter.count = 0;
    return apply_filter(view);
}

static bool is_second_of_pair(uint16_t unit)
{
    return unit >= 0xDC00 && unit <= 0xDFFF;
}

static void remove_last(prfdata_top_typed *typed)
{
    if (typed->count > 1 && is_second_of_pair(typed->chars[typed->count - 1]))
        typed->count--;
    if (typed->count > 0)
        typed->count--;
}

static void type_into(prfdata_top_typed *typed, uint32_t key)
{
    uint16_t *end = typed->chars + typed->count;

    if (key < ' ' || (key >= 0x7F && key <= 0x9F) || (key >= 0xD800 && key <= 0xDFFF) ||
        key > 0x10FFFF)
        return;
    if (key < 0x10000 && typed->count < PRFDATA_TOP_FILTER) {
        *end = (uint16_t)key;
        typed->count++;
    } else if (key >= 0x10000 && typed->count + 1 < PRFDATA_TOP_FILTER) {
        end[0] = (uint16_t)(0xD800 + ((key - 0x10000) >> 10));
        end[1] = (uint16_t)(0xDC00 + (key & 0x3FF));
        typed->count += 2;
    }
}

static uint32_t edit_filter(prfdata_top_view *view, uint32_t key)
{
    switch (key) {
    case PRFDATA_KEY_ENTER:
        view->editing = PRFDATA_TOP_COMMANDS;
        return ERROR_SUCCESS;
    case PRFDATA_KEY_ESCAPE:
        view->editing = PRFDATA_TOP_COMMANDS;
        return clear_filter(view);
    case PRFDATA_KEY_BACKSPACE:
    case 0x7F:
        remove_last(&view->filter);
        break;
    default:
        type_into(&view->filter, key);
        break;
    }
    return apply_filter(view);
}

static void begin_threshold(prfdata_top_view *view)
{
    const prfdata_top_row *row = prfdata_top_view_counter(view);
    prfdata_output output = {0};
    prfdata_condition condition;

    if (!row || row->base.counter_title == 0)
        return;
    condition = prfdata_top_view_threshold(view, row->base.object_title, row->base.counter_title);
    prfdata_condition_put(&condition,
                          prfdata_number_is_hex(row->base.cells[PRFDATA_TOP_VALUE].type), &output);
    view->threshold.count =
        output.failed ? 0
                      : (uint32_t)prfdata_text_from_utf8(output.bytes, output.used,
                                                         view->threshold.chars, PRFDATA_TOP_FILTER);
    prfdata_output_free(&output);
    /* The focus keeps the row selected while its threshold is edited. */
    prfdata_top_view_shown(view)->shown[view->selected]->is_focused = true;
    view->editing = PRFDATA_TOP_EDITS_THRESHOLD;
}

/* Store the threshold if the text is a condition. An empty text removes the threshold. With any
 * other text, the user continues to edit. */
static void end_threshold(prfdata_top_view *view)
{
    const prfdata_top_row *row = prfdata_top_view_counter(view);
    prfdata_text text = {view->threshold.chars, view->threshold.count};
    prfdata_condition condition;
    const bool is_condition =
        prfdata_condition_take(&text, prfdata_top_view_style, &condition) && text.count == 0;

    if (!is_condition && prfdata_text_trimmed(text).count > 0)
        return;
    if (row)
        prfdata_top_view_set_threshold(view, row->base.object_title, row->base.counter_title,
                                       condition);
    view->editing = PRFDATA_TOP_COMMANDS;
}

static uint32_t edit_threshold(prfdata_top_view *view, uint32_t key)
{
    switch (key) {
    case PRFDATA_KEY_ENTER:
        end_threshold(view);
        break;
    case PRFDATA_KEY_ESCAPE:
        view->editing = PRFDATA_TOP_COMMANDS;
        break;
    case PRFDATA_KEY_BACKSPACE:
    case 0x7F:
        remove_last(&view->threshold);
        break;
    default:
        type_into(&view->threshold, key);
        break;
    }
    return ERROR_SUCCESS;
}

/* Return the next longer or shorter interval of a fixed list; now_ms if there is none. The current
 * interval now_ms need not be in the list. */
static uint32_t next_interval(uint32_t now_ms, bool is_longer)
{
    static const uint32_t paces[] = {FASTEST_MS, 200,   500,   1000,   2000,   5000,      10000,
                                     20000,      30000, 60000, 120000, 300000, SLOWEST_MS};
    const size_t count = sizeof paces / sizeof paces[0];

    for (size_t i = 0; i < count; i++) {
        uint32_t pace = is_longer ? paces[i] : paces[count - 1 - i];

        if (is_longer ? pace > now_ms : pace < now_ms)
            return pace;
    }
    return now_ms;
}

/* Open the details of the selected row. The focus keeps this row selected. */
static uint32_t open_details(prfdata_top_view *view)
{
    if (!prfdata_top_view_counter(view))
        return ERROR_SUCCESS;
    prfdata_top_view_shown(view)->shown[view->selected]->is_focused = true;
    view->page = PRFDATA_TOP_PAGE_DETAILS;
    view->line = 0;
    return prfdata_top_view_arrange(view);
}

static void press_on_page(prfdata_top_view *view, uint32_t key)
{
    switch (key) {
    case PRFDATA_KEY_ESCAPE:
    case PRFDATA_KEY_ENTER:
    case PRFDATA_KEY_BACKSPACE:
    case 'd':
    case 'h':
    case '?':
        view->page = PRFDATA_TOP_PAGE_ROWS;
        prfdata_top_view_select(view, view->selected);
        break;
    default:
        (void)move_position(key, view->page_rows, &view->line);
        break;
    }
}

static uint32_t next_limit(uint32_t limit)
{
    return limit == 0 ? 10 : limit == 10 ? 20 : limit == 20 ? 50 : limit == 50 ? 100 : 0;
}

/* Sort by another column. Values are sorted from the highest to the lowest. */
static void sort_shown(prfdata_top_view *view, uint32_t column)
{
    prfdata_table *table = prfdata_top_view_shown(view);

    table->sort_column = column;
    table->sorts_descending = prfdata_top_view_is_by_value(view);
}

static void press_sort(prfdata_top_view *view)
{
    const uint32_t column = prfdata_top_view_shown(view)->sort_column;

    if (view->is_table)
        sort_shown(view, column == PRFDATA_TABLE_LABEL ? view->column : PRFDATA_TABLE_LABEL);
    else if (column == PRFDATA_TOP_ORDER)
        sort_shown(view, PRFDATA_TABLE_LABEL);
    else
        sort_shown(view, column == PRFDATA_TABLE_LABEL ? PRFDATA_TOP_VALUE
                                                       : (column + 1) % PRFDATA_TOP_CELLS);
}

/* Choose the next limit. With a limit, sort by value, so that the rows with the highest values are
 * shown. */
static void press_limit(prfdata_top_view *view)
{
    view->limit = next_limit(view->limit);
    if (view->limit > 0 && !prfdata_top_view_is_by_value(view))
        sort_shown(view, view->is_table ? view->column : PRFDATA_TOP_VALUE);
}

static bool press_in_table(prfdata_top_view *view, uint32_t key)
{
    switch (key) {
    case 't':
        prfdata_top_view_select(view, 0);
        view->is_table = !view->is_table;
        prfdata_top_view_select(view, 0);
        view->first = 0;
        return true;
    case '\t':
    case 'o':
        prfdata_top_view_select(view, 0);
        view->is_table = true;
        prfdata_top_view_next_object(view); /* as a side effect, this selects the first row */
        return true;
    case '<':
    case PRFDATA_KEY_LEFT:
        prfdata_top_view_move_column(view, -1);
        return true;
    case '>':
    case PRFDATA_KEY_RIGHT:
        prfdata_top_view_move_column(view, 1);
        return true;
    default:
        return false;
    }
}

static bool press_to_arrange(prfdata_top_view *view, uint32_t key)
{
    switch (key) {
    case 's':
        press_sort(view);
        return true;
    case 'r':
        prfdata_top_view_shown(view)->sorts_descending =
            !prfdata_top_view_shown(view)->sorts_descending;
        return true;
    case 'n':
        press_limit(view);
        return true;
    case 'z':
        view->list.hides_idle = !view->list.hides_idle;
        return true;
    default:
        return press_in_table(view, key);
    }
}

static uint32_t press_in_rows(prfdata_top_view *view, uint32_t key)
{
    uint32_t position = view->selected;

    if (press_to_arrange(view, key))
        return prfdata_top_view_arrange(view);
    switch (key) {
    case PRFDATA_KEY_ESCAPE:
        return clear_filter(view);
    case '/':
        view->editing = PRFDATA_TOP_EDITS_FILTER;
        break;
    case 'm':
        begin_threshold(view);
        break;
    case 'd':
    case PRFDATA_KEY_ENTER:
        return open_details(view);
    case 'h':
    case '?':
        view->page = PRFDATA_TOP_PAGE_HELP;
        view->line = 0;
        break;
    default:
        if (move_position(key, view->page_rows, &position))
            prfdata_top_view_select(view, position);
        break;
    }
    return ERROR_SUCCESS;
}

uint32_t prfdata_top_view_key(prfdata_top_view *view, uint32_t key)
{
    if (key == PRFDATA_KEY_CTRL_C) {
        view->is_over = true;
        return ERROR_SUCCESS;
    }
    if (view->editing == PRFDATA_TOP_EDITS_FILTER)
        return edit_filter(view, key);
    if (view->editing == PRFDATA_TOP_EDITS_THRESHOLD)
        return edit_threshold(view, key);
    if (key >= 'A' && key <= 'Z')
        key += 'a' - 'A';
    switch (key) {
    case 'q':
        view->is_over = true;
        return ERROR_SUCCESS;
    case ' ':
        view->is_paused = !view->is_paused;
        return ERROR_SUCCESS;
    case '+':
        view->interval_ms = next_interval(view->interval_ms, true);
        return ERROR_SUCCESS;
    case '-':
        view->interval_ms = next_interval(view->interval_ms, false);
        return ERROR_SUCCESS;
    case 'a':
        view->is_ascii = !view->is_ascii;
        return ERROR_SUCCESS;
    default:
        break;
    }
    if (view->page == PRFDATA_TOP_PAGE_ROWS)
        return press_in_rows(view, key);
    press_on_page(view, key);
    return ERROR_SUCCESS;
}
