/* SPDX-License-Identifier: MIT */
/* Which rows of a table are shown, and in what order. */
#include "view/table.h"

#include <stdlib.h>
#include <string.h>

#include "core/array.h"

bool prfdata_table_set_filter(prfdata_table *table, prfdata_text text)
{
    uint16_t *filter = NULL;

    if (text.count > 0) {
        filter = malloc((text.count + 2) * sizeof *filter);
        if (!filter)
            return false;
        memcpy(filter + 1, text.chars, text.count * sizeof *filter);
        filter[0] = filter[text.count + 1] = '*';
    }
    free(table->filter);
    table->filter = filter;
    table->filter_count = filter ? text.count + 2 : 0;
    return true;
}

/* ---- The order ---- */

/* Cells without a value come last, whatever the direction. */
static int compare_cells(const prfdata_table *table, const prfdata_table_cell *a,
                         const prfdata_table_cell *b)
{
    const bool has_a = table->shows_raw ? a->has_raw : a->status == PRFDATA_STATUS_OK;
    const bool has_b = table->shows_raw ? b->has_raw : b->status == PRFDATA_STATUS_OK;
    int order;

    if (!has_a || !has_b)
        return (int)has_b - (int)has_a;
    if (a->text.count > 0 || b->text.count > 0)
        order = prfdata_text_compare(a->text, b->text);
    else if (table->shows_raw)
        order = (a->raw > b->raw) - (a->raw < b->raw);
    else if (a->value.is_whole && b->value.is_whole)
        order = (a->value.whole > b->value.whole) - (a->value.whole < b->value.whole);
    else
        order = (a->value.number > b->value.number) - (a->value.number < b->value.number);
    return table->sorts_descending ? -order : order;
}

static int compare_rows(const prfdata_table *table, const prfdata_table_row *a,
                        const prfdata_table_row *b)
{
    int order;

    if (table->sort_column < table->column_count) {
        order = compare_cells(table, &a->cells[table->sort_column], &b->cells[table->sort_column]);
        if (order != 0)
            return order;
        return prfdata_text_compare(a->label, b->label);
    }
    order = prfdata_text_compare(a->label, b->label);
    return table->sorts_descending ? -order : order;
}

/* Merge two runs that lie one after the other: [0, middle) and [middle, count). */
static void merge_runs(const prfdata_table *table, prfdata_table_row **rows, size_t middle,
                       size_t count)
{
    prfdata_table_row **left = table->spare;
    size_t from_left = 0;
    size_t from_right = middle;
    size_t at = 0;

    memcpy(left, rows, middle * sizeof *left);
    while (from_left < middle && from_right < count) {
        if (compare_rows(table, rows[from_right], left[from_left]) < 0)
            rows[at++] = rows[from_right++];
        else
            rows[at++] = left[from_left++];
    }
    memcpy(rows + at, left + from_left, (middle - from_left) * sizeof *left);
}

/* A merge sort: stable, and qsort() passes no context. */
static void sort_rows(const prfdata_table *table, prfdata_table_row **rows, size_t count)
{
    for (size_t run = 1; run < count; run *= 2) {
        for (size_t at = 0; at + run < count; at += 2 * run) {
            const size_t both = count - at < 2 * run ? count - at : 2 * run;

            if (compare_rows(table, rows[at + run], rows[at + run - 1]) < 0)
                merge_runs(table, rows + at, run, both);
        }
    }
}

/* ---- What is shown ---- */

static bool is_row_shown(const prfdata_table *table, const prfdata_table_row *row)
{
    const prfdata_text filter = {table->filter, table->filter_count};

    if (row->is_selected || row->is_focused)
        return true;
    if (table->hides_idle && row->is_idle)
        return false;
    return !table->filter || prfdata_text_matches(filter, row->label);
}

bool prfdata_table_arrange(prfdata_table *table)
{
    prfdata_table_row **shown = prfdata_array_reserve(table->shown, &table->shown_capacity,
                                                      (size_t)table->row_count + 1, sizeof *shown);
    prfdata_table_row **spare;

    if (!shown)
        return false;
    table->shown = shown;
    spare = prfdata_array_reserve(table->spare, &table->spare_capacity,
                                  (size_t)table->row_count + 1, sizeof *spare);
    if (!spare)
        return false;
    table->spare = spare;
    table->shown_count = 0;
    for (uint32_t i = 0; i < table->row_count; i++) {
        if (is_row_shown(table, table->rows[i]))
            table->shown[table->shown_count++] = table->rows[i];
    }
    sort_rows(table, table->shown, table->shown_count);
    return true;
}
