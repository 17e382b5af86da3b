/* SPDX-License-Identifier: MIT */
/* Which rows of a table are shown, and in what order. */
#include "view/table.h"

#include "core/array.h"
#include "core/merge_sort.h"

bool prfdata_table_set_filter(prfdata_table *table, prfdata_text text)
{
    return prfdata_text_copy_as_pattern(text, &table->filter);
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

static int compare_table_rows(const void *left, const void *right, const void *context)
{
    const prfdata_table *table = context;
    const prfdata_table_row *a = *(prfdata_table_row *const *)left;
    const prfdata_table_row *b = *(prfdata_table_row *const *)right;
    int order;

    if (a->is_total != b->is_total)
        return (int)b->is_total - (int)a->is_total;
    if (table->sort_column < table->column_count) {
        order = compare_cells(table, &a->cells[table->sort_column], &b->cells[table->sort_column]);
        if (order != 0)
            return order;
        return prfdata_text_compare(a->label, b->label);
    }
    order = prfdata_text_compare(a->label, b->label);
    return table->sorts_descending ? -order : order;
}

/* ---- What is shown ---- */

static bool is_row_shown(const prfdata_table *table, const prfdata_table_row *row)
{
    if (row->is_selected || row->is_focused)
        return true;
    if (table->hides_idle && row->is_idle)
        return false;
    return table->filter.count == 0 || prfdata_text_matches(table->filter, row->label);
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
    table->shown_count = table->shown_present_count = 0;
    for (uint32_t i = 0; i < table->row_count; i++) {
        if (!is_row_shown(table, table->rows[i]))
            continue;
        table->shown[table->shown_count++] = table->rows[i];
        table->shown_present_count += table->rows[i]->is_present;
    }
    prfdata_merge_sort(table->shown, table->spare, table->shown_count, sizeof(prfdata_table_row *),
                       compare_table_rows, table);
    return true;
}
