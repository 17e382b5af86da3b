/* SPDX-License-Identifier: MIT */
/* Keeps the state of a list on the screen that shows a table. */
#include "view/table_screen.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/fnv.h"

void prfdata_table_screen_init(prfdata_table_screen *screen)
{
    *screen = (prfdata_table_screen){.focused = PRFDATA_TABLE_NOWHERE};
}

void prfdata_table_screen_free(prfdata_table_screen *screen)
{
    free(screen->states);
    free(screen->marks);
    free(screen->spare);
    prfdata_table_screen_init(screen);
}

/* ---- Selected rows ---- */

bool prfdata_table_screen_resize(prfdata_table_screen *screen, uint32_t row_count)
{
    uint8_t *states = prfdata_array_reserve(screen->states, &screen->state_capacity,
                                            (size_t)row_count + 1, sizeof *states);

    if (!states)
        return false;
    screen->states = states;
    for (uint32_t i = row_count; i < screen->row_count; i++)
        screen->selected_count -= (states[i] & PRFDATA_TABLE_SELECTED) != 0;
    if (screen->focused != PRFDATA_TABLE_NOWHERE && screen->focused >= row_count)
        screen->focused = PRFDATA_TABLE_NOWHERE;
    if (row_count > screen->row_count)
        memset(states + screen->row_count, 0, row_count - screen->row_count);
    screen->row_count = row_count;
    return true;
}

static void set_screen_state(prfdata_table_screen *screen, uint32_t at, unsigned state)
{
    const unsigned before = screen->states[at];

    if ((before ^ state) & PRFDATA_TABLE_SELECTED)
        screen->selected_count += (state & PRFDATA_TABLE_SELECTED) ? 1 : UINT32_MAX;
    if (!(state & PRFDATA_TABLE_FOCUSED) && screen->focused == at)
        screen->focused = PRFDATA_TABLE_NOWHERE;
    screen->states[at] = (uint8_t)state;
    if (!(state & PRFDATA_TABLE_FOCUSED) || screen->focused == at)
        return;
    if (screen->focused != PRFDATA_TABLE_NOWHERE)
        screen->states[screen->focused] &= (uint8_t)~PRFDATA_TABLE_FOCUSED;
    screen->focused = at;
}

void prfdata_table_screen_change(prfdata_table_screen *screen, uint32_t first, uint32_t last,
                                 unsigned changed, unsigned now)
{
    for (uint32_t i = first; i <= last && i < screen->row_count; i++)
        set_screen_state(screen, i, (screen->states[i] & ~changed) | (now & changed));
}

unsigned prfdata_table_screen_wanted(const prfdata_table *table, uint32_t at)
{
    return (table->shown[at]->is_selected ? PRFDATA_TABLE_SELECTED : 0u) |
           (table->shown[at]->is_focused ? PRFDATA_TABLE_FOCUSED : 0u);
}

bool prfdata_table_screen_differs(const prfdata_table_screen *screen, const prfdata_table *table,
                                  uint32_t *at)
{
    for (; *at < screen->row_count && *at < table->shown_count; (*at)++) {
        if (screen->states[*at] != prfdata_table_screen_wanted(table, *at))
            return true;
    }
    return false;
}

static uint32_t focused_of(const prfdata_table *table)
{
    for (uint32_t i = 0; i < table->shown_count; i++) {
        if (table->shown[i]->is_focused)
            return i;
    }
    return PRFDATA_TABLE_NOWHERE;
}

uint32_t prfdata_table_screen_top(const prfdata_table_screen *screen, const prfdata_table *table,
                                  uint32_t top, uint32_t page, bool follows)
{
    const uint32_t last = table->shown_count > page ? table->shown_count - page : 0;
    /* If the difference wraps around, it is large, and the row is not visible. */
    const uint32_t below = screen->focused - top;
    uint32_t focused;

    if (follows && screen->focused < screen->row_count && below < page) {
        focused = focused_of(table);
        if (focused != PRFDATA_TABLE_NOWHERE)
            top = focused > below ? focused - below : 0;
    }
    return top < last ? top : last;
}

void prfdata_table_screen_keep(const prfdata_table_screen *screen, prfdata_table *table)
{
    for (uint32_t i = 0; i < screen->row_count && i < table->shown_count; i++) {
        table->shown[i]->is_selected = (screen->states[i] & PRFDATA_TABLE_SELECTED) != 0;
        table->shown[i]->is_focused = (screen->states[i] & PRFDATA_TABLE_FOCUSED) != 0;
    }
}

/* ---- Content of cells ---- */

uint64_t prfdata_table_screen_mark(prfdata_text text, uint32_t look)
{
    const uint64_t hash = prfdata_fnv_add(prfdata_fnv_add(PRFDATA_FNV_START, &look, sizeof look),
                                          text.chars, text.count * sizeof *text.chars);

    return hash != PRFDATA_TABLE_UNKNOWN ? hash : 1;
}

bool prfdata_table_screen_see(prfdata_table_screen *screen, prfdata_table_part part)
{
    const size_t count = (size_t)part.row_count * part.column_count;
    const size_t spare_capacity = screen->mark_capacity;
    uint64_t *before = screen->marks;
    uint64_t *marks;

    if (memcmp(&part, &screen->part, sizeof part) == 0)
        return true;
    marks = prfdata_array_reserve(screen->spare, &screen->spare_capacity, count + 1, sizeof *marks);
    if (!marks) {
        prfdata_table_screen_forget(screen);
        return false;
    }
    memset(marks, 0, count * sizeof *marks);
    for (uint32_t i = 0; part.column_count == screen->part.column_count && i < part.row_count;
         i++) {
        /* If the difference wraps around, it is large, and there was no such row. */
        const uint32_t row = part.first_row + i - screen->part.first_row;

        if (row < screen->part.row_count)
            memcpy(marks + (size_t)i * part.column_count, before + (size_t)row * part.column_count,
                   part.column_count * sizeof *marks);
    }
    screen->marks = marks;
    screen->mark_capacity = screen->spare_capacity;
    screen->spare = before;
    screen->spare_capacity = spare_capacity;
    screen->part = part;
    return true;
}

bool prfdata_table_screen_show(prfdata_table_screen *screen, uint32_t row, uint32_t column,
                               uint64_t mark)
{
    const uint32_t at = row - screen->part.first_row;
    uint64_t *known;

    if (at >= screen->part.row_count || column >= screen->part.column_count)
        return true;
    known = &screen->marks[(size_t)at * screen->part.column_count + column];
    if (*known == mark)
        return false;
    *known = mark;
    return true;
}

void prfdata_table_screen_forget(prfdata_table_screen *screen)
{
    screen->part = (prfdata_table_part){0};
}
