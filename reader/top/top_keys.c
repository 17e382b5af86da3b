/* SPDX-License-Identifier: MIT */
/*
 * What keys do to the live view: selection, filter, order, pages, pace. os/terminal.h receives
 * them, and top_frame.c draws what has become of it.
 */
#include "top/top_view.h"

#include <prfdata/error.h>

#include "top/top_order.h"
#include "top/top_rows.h"
#include "top/top_table.h"

#define FASTEST_MS 100u
#define SLOWEST_MS 3600000u

static void select_row(prfdata_top_view *view, uint32_t position)
{
    const uint32_t count = view->table.shown_count;

    if (count == 0)
        return;
    view->selected = position < count ? position : count - 1;
    view->selected_row = prfdata_top_rows_shown(view, view->selected);
}

/* Move a position as a key says. Returns false if the key does not move. */
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
        *position = UINT32_MAX / 2; /* corrected where the number of lines is known */
        return true;
    default:
        return false;
    }
}

static uint32_t set_filter_length(prfdata_top_view *view, uint32_t count)
{
    if (!prfdata_table_set_filter(&view->table, (prfdata_text){view->filter_chars, count}))
        return ERROR_NOT_ENOUGH_MEMORY;
    view->filter_count = count;
    return prfdata_top_order_arrange(view);
}

static bool is_second_of_pair(uint16_t unit)
{
    return unit >= 0xDC00 && unit <= 0xDFFF;
}

static uint32_t type_into_filter(prfdata_top_view *view, uint32_t key)
{
    uint32_t count = view->filter_count;
    uint16_t *end = view->filter_chars + count;

    if (key < ' ' || (key >= 0x7F && key <= 0x9F) || (key >= 0xD800 && key <= 0xDFFF) ||
        key > 0x10FFFF)
        return ERROR_SUCCESS;
    if (key < 0x10000 && count < PRFDATA_TOP_FILTER) {
        *end = (uint16_t)key;
        return set_filter_length(view, count + 1);
    }
    if (key >= 0x10000 && count + 1 < PRFDATA_TOP_FILTER) {
        end[0] = (uint16_t)(0xD800 + ((key - 0x10000) >> 10));
        end[1] = (uint16_t)(0xDC00 + (key & 0x3FF));
        return set_filter_length(view, count + 2);
    }
    return ERROR_SUCCESS;
}

static uint32_t edit_filter(prfdata_top_view *view, uint32_t key)
{
    uint32_t count = view->filter_count;

    switch (key) {
    case PRFDATA_KEY_ENTER:
        view->is_editing = false;
        return ERROR_SUCCESS;
    case PRFDATA_KEY_ESCAPE:
        view->is_editing = false;
        return set_filter_length(view, 0);
    case PRFDATA_KEY_BACKSPACE:
    case 0x7F:
        if (count == 0)
            return ERROR_SUCCESS;
        return set_filter_length(
            view, count - (is_second_of_pair(view->filter_chars[count - 1]) && count > 1 ? 2 : 1));
    default:
        return type_into_filter(view, key);
    }
}

/* The next longer or shorter interval of a fixed list; -si takes any. */
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

static void open_view_page(prfdata_top_view *view, prfdata_top_page page)
{
    if (page == PRFDATA_TOP_PAGE_DETAILS) {
        if (view->table.shown_count == 0)
            return;
        view->described = prfdata_top_rows_shown(view, view->selected);
    }
    view->page = page;
    view->line = 0;
}

/* Handle a key on a page of text. */
static void press_on_page(prfdata_top_view *view, uint32_t key)
{
    switch (key) {
    case PRFDATA_KEY_ESCAPE:
    case PRFDATA_KEY_ENTER:
    case PRFDATA_KEY_BACKSPACE:
    case 'd':
    case 'D':
    case 'h':
    case 'H':
    case '?':
        view->page = PRFDATA_TOP_PAGE_ROWS;
        view->described = NULL;
        break;
    default:
        (void)move_position(key, view->page_rows, &view->line);
        break;
    }
}

/* How many rows `n` shows next: 10, 20, 50, 100, all. */
static uint32_t next_limit(uint32_t limit)
{
    static const uint32_t limits[] = {10, 20, 50, 100};

    for (size_t i = 0; i < sizeof limits / sizeof limits[0]; i++) {
        if (limits[i] > limit)
            return limits[i];
    }
    return 0;
}

/* Show the rows with the highest values, and so many only. */
static uint32_t press_limit(prfdata_top_view *view)
{
    view->limit = next_limit(view->limit);
    if (view->limit > 0 && view->sort != PRFDATA_TOP_SORT_CHANGE)
        view->sort = PRFDATA_TOP_SORT_VALUE;
    return prfdata_top_order_arrange(view);
}

/* Keys of the table. Returns false if it is none. */
static bool press_in_table(prfdata_top_view *view, uint32_t key)
{
    switch (key) {
    case 't':
    case 'T':
        view->is_table = !view->is_table;
        view->selected = 0;
        view->first = 0;
        return true;
    case '\t':
    case 'o':
    case 'O':
        view->is_table = true;
        prfdata_top_table_next_object(view);
        return true;
    case '<':
    case PRFDATA_KEY_LEFT:
        prfdata_top_table_move_column(view, -1);
        return true;
    case '>':
    case PRFDATA_KEY_RIGHT:
        prfdata_top_table_move_column(view, 1);
        return true;
    default:
        return false;
    }
}

static uint32_t press_in_rows(prfdata_top_view *view, uint32_t key)
{
    uint32_t position = view->selected;

    if (press_in_table(view, key))
        return prfdata_top_order_arrange(view);
    switch (key) {
    case PRFDATA_KEY_ESCAPE:
        return set_filter_length(view, 0);
    case '/':
        view->is_editing = true;
        return ERROR_SUCCESS;
    case 's':
    case 'S':
        view->sort = (prfdata_top_sort)((view->sort + 1) % PRFDATA_TOP_SORT_COUNT);
        return prfdata_top_order_arrange(view);
    case 'r':
    case 'R':
        view->is_reversed = !view->is_reversed;
        return prfdata_top_order_arrange(view);
    case 'n':
    case 'N':
        return press_limit(view);
    case 'z':
    case 'Z':
        view->table.hides_idle = !view->table.hides_idle;
        return prfdata_top_order_arrange(view);
    case 'd':
    case 'D':
    case PRFDATA_KEY_ENTER:
        open_view_page(view, PRFDATA_TOP_PAGE_DETAILS);
        return ERROR_SUCCESS;
    case 'h':
    case 'H':
    case '?':
        open_view_page(view, PRFDATA_TOP_PAGE_HELP);
        return ERROR_SUCCESS;
    default:
        if (move_position(key, view->page_rows, &position))
            select_row(view, position);
        return ERROR_SUCCESS;
    }
}

uint32_t prfdata_top_view_key(prfdata_top_view *view, uint32_t key)
{
    if (key == PRFDATA_KEY_CTRL_C) {
        view->is_over = true;
        return ERROR_SUCCESS;
    }
    if (view->is_editing)
        return edit_filter(view, key);
    switch (key) {
    case 'q':
    case 'Q':
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
    case 'A':
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
