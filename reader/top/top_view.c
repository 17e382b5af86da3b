/* SPDX-License-Identifier: MIT */
/*
 * What each sample does to the rows. Which there are is in top_rows.c, their order on the screen in
 * top_order.c, what keys do in top_keys.c, and how they look in top_frame.c.
 */
#include "top/top_view.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <prfdata/error.h>

#include "compute/counter_formula.h"
#include "top/top_order.h"
#include "top/top_rows.h"

void prfdata_top_view_init(prfdata_top_view *view)
{
    memset(view, 0, sizeof *view);
    prfdata_table_init(&view->table, NULL);
    view->table.row_bytes = sizeof(prfdata_top_row);
    view->table.column_count = PRFDATA_TOP_CELLS;
    view->interval_ms = 1000;
}

void prfdata_top_view_forget_rows(prfdata_top_view *view)
{
    prfdata_table_clear(&view->table);
    view->column_count = 0;
    view->table_object = 0;
    view->table_name = (prfdata_text){NULL, 0};
    view->column_title = 0;
    view->selected_row = NULL;
    view->described = NULL;
    if (view->page == PRFDATA_TOP_PAGE_DETAILS)
        view->page = PRFDATA_TOP_PAGE_ROWS;
}

void prfdata_top_view_free(prfdata_top_view *view)
{
    prfdata_table_free(&view->table);
    free(view->path);
    free(view->columns);
    prfdata_top_view_init(view);
}

float prfdata_top_view_past(const prfdata_top_view *view, const prfdata_top_row *row, uint32_t age)
{
    return row->history[(view->history_at + PRFDATA_TOP_HISTORY - age) % PRFDATA_TOP_HISTORY];
}

/* ---- Values ---- */

static double seconds_between(const prfdata_compute_raw *older, const prfdata_compute_raw *newer)
{
    if (newer->perf_freq > 0 && newer->perf_time > older->perf_time)
        return ((double)newer->perf_time - (double)older->perf_time) / (double)newer->perf_freq;
    if (newer->time_100ns > older->time_100ns)
        return ((double)newer->time_100ns - (double)older->time_100ns) /
               PRFDATA_COMPUTE_100NS_PER_SECOND;
    return 0;
}

/* Of a fraction or a timer the raw value means nothing by itself. */
static bool is_level_type(uint32_t type)
{
    const prfdata_counter_formula formula = prfdata_counter_formula_of(type);

    return formula.kind == PRFDATA_COUNTER_NUMBER && formula.numerator == PRFDATA_NUMERATOR_LEVEL &&
           formula.denominator == PRFDATA_DENOMINATOR_NONE;
}

/* Whole levels are taken apart exactly, also those that doubles cannot tell. */
static double growth_of_level(const prfdata_compute_value *older,
                              const prfdata_compute_value *newer)
{
    if (older->is_whole && newer->is_whole && (older->whole < 0) == (newer->whole < 0))
        return (double)(newer->whole - older->whole);
    return newer->number - older->number;
}

static void set_row_cells(const prfdata_top_view *view, prfdata_top_row *row,
                          const prfdata_top_reading *reading)
{
    prfdata_cell *cell = &row->base.cells[PRFDATA_TOP_VALUE];
    prfdata_cell *change = &row->base.cells[PRFDATA_TOP_CHANGE];
    const bool has_older = row->raw.value_bytes > 0;
    const prfdata_compute_value before = cell->value;
    const double seconds = seconds_between(&row->raw, &reading->raw);

    row->is_level = row->base.counter_title != 0 && is_level_type(reading->raw.type);
    change->has_raw = row->is_level && has_older && prfdata_cell_has_value(cell) &&
                      row->raw.type == reading->raw.type && seconds > 0;
    prfdata_cell_set(cell, has_older ? &row->raw : NULL, &reading->raw, reading->text);
    change->has_raw = change->has_raw && prfdata_cell_has_value(cell);
    if (change->has_raw)
        change->value = prfdata_number_of(growth_of_level(&before, &cell->value) / seconds);
    if (prfdata_cell_has_value(cell) && view->is_capped)
        prfdata_compute_cap(reading->raw.type, &cell->value);
    row->raw = reading->raw; /* without bytes if it failed */
}

static void count_row_value(prfdata_top_view *view, prfdata_top_row *row)
{
    const prfdata_cell *cell = &row->base.cells[PRFDATA_TOP_VALUE];
    const double number = cell->value.number;

    row->history[view->history_at] = NAN;
    if (!prfdata_cell_has_value(cell))
        return;
    row->history[view->history_at] = (float)number;
    if (row->value_count == 0 || number < row->minimum)
        row->minimum = number;
    if (row->value_count == 0 || number > row->maximum)
        row->maximum = number;
    row->sum += number;
    row->value_count++;
}

/* ---- Samples ---- */

void prfdata_top_view_begin(prfdata_top_view *view)
{
    view->added_count = 0;
    view->left_out = 0;
    view->status = ERROR_SUCCESS;
    view->history_at = (view->history_at + 1) % PRFDATA_TOP_HISTORY;
    prfdata_table_begin(&view->table);
}

void prfdata_top_view_add(prfdata_top_view *view, const prfdata_top_reading *reading)
{
    prfdata_top_row *row = prfdata_top_rows_of(view, reading);
    prfdata_cell *cells;

    if (!row || row->base.life.is_present)
        return;
    cells = row->base.cells;
    cells[PRFDATA_TOP_ORDER].has_raw = true;
    cells[PRFDATA_TOP_ORDER].value =
        (prfdata_compute_value){.is_whole = true, .whole = 2 * (int64_t)view->added_count++ + 1};
    row->unit = reading->unit;
    row->base.help = reading->help;
    set_row_cells(view, row, reading);
    prfdata_table_show(&view->table, &row->base, prfdata_cell_is_idle(&cells[PRFDATA_TOP_VALUE]));
    count_row_value(view, row);
}

/*
 * Its row stays a while, or as long as the user has selected it or reads about it; one for a path
 * without a match goes at once, since the path has matches now.
 */
static void mark_row_missing(prfdata_top_view *view, prfdata_top_row *row)
{
    row->base.cells[PRFDATA_TOP_ORDER].value.whole &= ~INT64_C(1); /* above who has its place now */
    row->base.cells[PRFDATA_TOP_CHANGE].has_raw = false;
    row->raw.value_bytes = 0; /* a later instance of this name is another one */
    row->history[view->history_at] = NAN;
    row->base.is_focused =
        row == view->described || (view->selected > 0 && row == view->selected_row);
    if (row->base.counter_title != 0)
        return;
    row->base.is_focused = row == view->described;
    row->base.life.left = PRFDATA_TABLE_WHILE;
    if (!row->base.is_focused && row == view->selected_row)
        view->selected_row = NULL;
}

uint32_t prfdata_top_view_end(prfdata_top_view *view)
{
    const uint32_t count = view->table.row_count;
    bool is_done;
    uint32_t status;

    for (uint32_t i = 0; i < count; i++) {
        if (!view->table.rows[i]->life.is_present)
            mark_row_missing(view, (prfdata_top_row *)view->table.rows[i]);
    }
    is_done = prfdata_table_follow(&view->table, true);
    if (view->table.row_count < count) {
        view->column_count = 0; /* their names were rows' */
        view->table_name.count = 0;
    }
    for (uint32_t i = 0; i < view->table.row_count; i++)
        view->table.rows[i]->is_focused = false; /* the filter and z may hide it */
    status = prfdata_top_order_arrange(view);
    return view->status == ERROR_SUCCESS && is_done ? status : ERROR_NOT_ENOUGH_MEMORY;
}
