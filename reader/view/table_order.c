/* SPDX-License-Identifier: MIT */
/* Chooses which rows of a table are shown, and their order. */
#include "view/table.h"

#include <string.h>

#include "base/array.h"
#include "base/merge_sort.h"

bool prfdata_table_set_filter(prfdata_table *table, prfdata_text text)
{
    return prfdata_text_copy_as_pattern(text, &table->filter);
}

static const prfdata_cell *sorted_cell(const prfdata_table *table, const prfdata_table_row *row)
{
    return table->sort_column < table->column_count ? &row->cells[table->sort_column] : NULL;
}

static int compare_table_rows(const void *left, const void *right, const void *context)
{
    const prfdata_table *table = context;
    const prfdata_table_row *a = *(prfdata_table_row *const *)left;
    const prfdata_table_row *b = *(prfdata_table_row *const *)right;
    const bool by_label = table->sort_column >= table->column_count;
    int order = 0;

    if (a->is_total != b->is_total)
        return (int)b->is_total - (int)a->is_total;
    if (!by_label)
        order = prfdata_cell_compare(sorted_cell(table, a), sorted_cell(table, b), table->shows_raw,
                                     table->sorts_descending);
    if (order != 0)
        return order;
    order = prfdata_text_compare_naturally(a->label, b->label);
    return by_label && table->sorts_descending ? -order : order;
}

static bool meets_condition(const prfdata_table *table, const prfdata_table_row *row)
{
    const prfdata_cell *cell;

    if (table->condition.comparison == PRFDATA_COMPARISON_NONE)
        return true;
    if (table->condition_column >= table->column_count)
        return false;
    cell = &row->cells[table->condition_column];
    return cell->text.count == 0 && prfdata_cell_has_value(cell) &&
           prfdata_condition_holds(&table->condition, cell->value.number);
}

static bool is_row_shown(const prfdata_table *table, const prfdata_table_row *row)
{
    if (row->is_selected || row->is_focused)
        return true;
    if (row->is_hidden || (table->hides_idle && row->life.is_idle))
        return false;
    return meets_condition(table, row) &&
           (table->filter.count == 0 || prfdata_text_matches(table->filter, row->label));
}

/*
 * Makes the list of shown rows: first those of the last list in its order, then the others. If the
 * rows are still in order, sorting then costs only one comparison for each row. `spare` has room
 * for the last list and all rows.
 */
static void list_shown_rows(prfdata_table *table, prfdata_table_row **shown,
                            prfdata_table_row **spare)
{
    const uint32_t last_count = table->shown_count;
    uint32_t new_count = 0;

    memset(spare, 0, last_count * sizeof *spare);
    table->shown_count = table->shown_present_count = table->shown_totals = 0;
    for (uint32_t i = 0; i < table->row_count; i++) {
        prfdata_table_row *row = table->rows[i];
        const uint32_t place = row->place;

        row->place = 0;
        if (!is_row_shown(table, row))
            continue;
        if (place > 0 && place <= last_count)
            spare[place - 1] = row;
        else
            spare[last_count + new_count++] = row;
        table->shown_present_count += row->life.is_present;
        table->shown_totals += row->life.is_present && row->is_total;
    }
    for (uint32_t i = 0; i < last_count + new_count; i++)
        if (spare[i])
            shown[table->shown_count++] = spare[i];
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
                                  (size_t)table->shown_count + table->row_count + 1, sizeof *spare);
    if (!spare)
        return false;
    table->spare = spare;
    list_shown_rows(table, shown, spare);
    prfdata_merge_sort(shown, spare, table->shown_count, sizeof *shown, compare_table_rows, table);
    for (uint32_t i = 0; i < table->shown_count; i++)
        shown[i]->place = i + 1;
    return true;
}
