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
    view->interval_ms = 1000;
}

void prfdata_top_view_forget_rows(prfdata_top_view *view)
{
    for (uint32_t i = 0; i < view->row_count; i++)
        prfdata_top_rows_free(view->rows[i]);
    view->row_count = 0;
    view->shown_count = 0;
    view->column_count = 0;
    view->table_object = 0;
    view->table_name = (prfdata_text){NULL, 0};
    view->column_title = 0;
    view->described = NULL;
    if (view->page == PRFDATA_TOP_PAGE_DETAILS)
        view->page = PRFDATA_TOP_PAGE_ROWS;
    prfdata_hash_table_free(&view->table);
}

void prfdata_top_view_free(prfdata_top_view *view)
{
    prfdata_top_view_forget_rows(view);
    free(view->rows);
    free(view->shown);
    free(view->columns);
    prfdata_text_free(&view->filter);
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

static void set_row_cell(const prfdata_top_view *view, prfdata_top_row *row,
                         const prfdata_top_reading *reading)
{
    const bool has_older = row->raw.value_bytes > 0;
    const prfdata_compute_value before = row->cell.value;
    const double seconds = seconds_between(&row->raw, &reading->raw);

    row->is_level = row->counter_title != 0 && is_level_type(reading->raw.type);
    row->has_change = row->is_level && has_older && prfdata_cell_has_value(&row->cell) &&
                      row->raw.type == reading->raw.type && seconds > 0;
    prfdata_cell_set(&row->cell, has_older ? &row->raw : NULL, &reading->raw, reading->text);
    row->has_change = row->has_change && prfdata_cell_has_value(&row->cell);
    if (row->has_change)
        row->change = growth_of_level(&before, &row->cell.value) / seconds;
    if (prfdata_cell_has_value(&row->cell) && view->is_capped)
        prfdata_compute_cap(reading->raw.type, &row->cell.value);
    row->raw = reading->raw; /* without bytes if it failed */
}

static void count_row_value(prfdata_top_view *view, prfdata_top_row *row)
{
    double number = row->cell.value.number;

    row->history[view->history_at] = NAN;
    if (!prfdata_cell_has_value(&row->cell))
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
    view->sample_count++;
    view->history_at = (view->history_at + 1) % PRFDATA_TOP_HISTORY;
    for (uint32_t i = 0; i < view->row_count; i++)
        view->rows[i]->life.is_present = false;
}

void prfdata_top_view_add(prfdata_top_view *view, const prfdata_top_reading *reading)
{
    prfdata_top_row *row = prfdata_top_rows_find(view, reading);

    if (!row)
        row = prfdata_top_rows_add(view, reading);
    if (!row || row->life.is_present)
        return;
    row->order = view->added_count++;
    row->unit = reading->unit;
    row->help = reading->help;
    set_row_cell(view, row, reading);
    prfdata_row_life_show(&row->life, view->sample_count, prfdata_cell_is_idle(&row->cell));
    count_row_value(view, row);
}

static void mark_row_missing(prfdata_top_view *view, prfdata_top_row *row)
{
    row->has_change = false;
    row->raw.value_bytes = 0; /* a later instance of this name is another one */
    row->history[view->history_at] = NAN;
}

/*
 * Whether a row stays. The one that the user has selected or reads about does; a row for a path
 * without a match goes at once, since the path has matches now.
 */
static bool follow_top_row(const prfdata_top_view *view, prfdata_top_row *row)
{
    if (!row->life.is_present && row->counter_title == 0 && row != view->described)
        return false;
    return prfdata_row_life_follow(&row->life, view->sample_count, true) ||
           row == view->described || (view->selected > 0 && row->number == view->selected_number);
}

uint32_t prfdata_top_view_end(prfdata_top_view *view)
{
    uint32_t kept = 0;
    uint32_t status;

    for (uint32_t i = 0; i < view->row_count; i++) {
        prfdata_top_row *row = view->rows[i];

        if (!row->life.is_present)
            mark_row_missing(view, row);
        if (follow_top_row(view, row))
            view->rows[kept++] = row;
        else
            prfdata_top_rows_free(row);
    }
    if (kept < view->row_count) {
        view->row_count = kept;
        view->shown_count = 0;
        view->column_count = 0; /* their names were rows' */
        view->table_name.count = 0;
        prfdata_top_rows_index(view);
    }
    status = prfdata_top_order_arrange(view);
    return view->status != ERROR_SUCCESS ? view->status : status;
}
