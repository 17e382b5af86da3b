/* SPDX-License-Identifier: MIT */
/*
 * Keeps the rows of a table. Rows are found again by their keys, and come and go with samples. A
 * row becomes idle, or is removed, only after several samples, so that rows do not flicker.
 */
#include "view/table.h"

#include <stdlib.h>

#include "base/array.h"
#include "names/names.h"

static void free_table_row(prfdata_table_row *row, uint32_t column_count)
{
    for (uint32_t i = 0; row->cells && i < column_count; i++)
        prfdata_cell_free(&row->cells[i]);
    free(row->cells);
    free((void *)(uintptr_t)row->label.chars);
    free(row);
}

void prfdata_table_clear(prfdata_table *table)
{
    for (uint32_t i = 0; i < table->row_count; i++)
        free_table_row(table->rows[i], table->column_count);
    table->row_count = table->present_count = table->present_totals = 0;
    table->turn_count = table->before_count = table->expected = 0;
    table->shown_count = table->shown_present_count = table->shown_totals = 0;
    prfdata_hash_table_clear(&table->lookup);
}

/* ---- Keys ---- */

static bool has_row_key(const void *elements, uint32_t position, const void *key)
{
    const prfdata_table_row *row = ((prfdata_table_row *const *)elements)[position];
    const prfdata_table_key *wanted = key;

    return row->counter_title == wanted->counter_title &&
           row->object_title == wanted->object_title &&
           prfdata_text_equal(row->label, wanted->label);
}

static uint64_t hash_row_key(const prfdata_table_key *key)
{
    return prfdata_names_hash(key->label.chars, key->label.count,
                              (uint64_t)key->object_title << 32 | key->counter_title);
}

prfdata_table_row *prfdata_table_find(const prfdata_table *table, const prfdata_table_key *key)
{
    const uint32_t found =
        prfdata_hash_table_find(&table->lookup, hash_row_key(key), has_row_key, table->rows, key);

    return found == PRFDATA_HASH_TABLE_NONE ? NULL : table->rows[found];
}

static prfdata_table_row *add_table_row(prfdata_table *table, const prfdata_table_key *key)
{
    prfdata_table_row *row = calloc(1, table->row_bytes);
    prfdata_table_row **rows = prfdata_array_reserve(table->rows, &table->row_capacity,
                                                     (size_t)table->row_count + 1, sizeof *rows);

    if (rows)
        table->rows = rows;
    if (row)
        row->cells = calloc(table->column_count > 0 ? table->column_count : 1, sizeof *row->cells);
    if (!row || !rows || !row->cells || !prfdata_text_copy(key->label, &row->label) ||
        !prfdata_hash_table_add(&table->lookup, hash_row_key(key), table->row_count)) {
        if (row)
            free_table_row(row, table->column_count);
        return NULL;
    }
    row->object_title = key->object_title;
    row->counter_title = key->counter_title;
    row->is_total = prfdata_text_equal_ascii(row->label, "_Total");
    row->life.came = table->updates;
    table->rows[table->row_count++] = row;
    return row;
}

/* ---- Turns ---- */

static prfdata_table_row *expected_row(const prfdata_table *table, const prfdata_table_key *key)
{
    prfdata_table_row *row =
        table->expected < table->before_count ? table->before[table->expected] : NULL;

    return row && row->counter_title == key->counter_title &&
                   row->object_title == key->object_title &&
                   prfdata_text_is_same(row->label, key->label)
               ? row
               : NULL;
}

/* Note the row as next in this sample, and expect the row that followed it in the sample before. */
static void take_turn(prfdata_table *table, prfdata_table_row *row)
{
    prfdata_table_row **turns = prfdata_array_reserve(table->turns, &table->turn_capacity,
                                                      table->turn_count + 1, sizeof *turns);

    if (table->expected < table->before_count && table->before[table->expected] == row)
        table->expected++;
    else if (row->turn < table->before_count && table->before[row->turn] == row)
        table->expected = (size_t)row->turn + 1;
    if (!turns)
        return; /* the next sample will search for the row by its key */
    table->turns = turns;
    row->turn = (uint32_t)table->turn_count;
    turns[table->turn_count++] = row;
}

prfdata_table_row *prfdata_table_row_of(prfdata_table *table, const prfdata_table_key *key)
{
    prfdata_table_row *row = expected_row(table, key);

    if (!row)
        row = prfdata_table_find(table, key);
    if (!row)
        row = add_table_row(table, key);
    if (row)
        take_turn(table, row);
    return row;
}

/* ---- Samples ---- */

void prfdata_table_begin(prfdata_table *table)
{
    prfdata_table_row **const before = table->before;
    const size_t before_capacity = table->before_capacity;

    table->before = table->turns;
    table->before_count = table->turn_count;
    table->before_capacity = table->turn_capacity;
    table->turns = before;
    table->turn_count = 0;
    table->turn_capacity = before_capacity;
    table->expected = 0;
    table->updates++;
    for (uint32_t i = 0; i < table->row_count; i++)
        table->rows[i]->life.is_present = false;
}

void prfdata_table_show(const prfdata_table *table, prfdata_table_row *row, bool is_zero)
{
    row->life.is_present = true;
    if (!is_zero)
        row->life.busy = table->updates;
}

/* Clear the row of an instance that is missing at the chosen time, because its values are of
 * another time. */
static void clear_cells(const prfdata_table *table, prfdata_table_row *row)
{
    for (uint32_t i = 0; i < table->column_count; i++)
        prfdata_cell_clear(&row->cells[i], PRFDATA_STATUS_NO_INSTANCE);
}

/*
 * Update a row's life for a sample. `is_next` is false if the sample does not follow the one that
 * was shown before. In this case, an added row does not count as new, a missing row ends at once,
 * and only this sample decides whether the row is idle. Returns whether the row stays.
 */
static bool follow_life(prfdata_table_life *life, uint32_t sample, bool is_next)
{
    if (!is_next && life->came == sample)
        life->came = 0;
    if (!is_next && !(life->is_present && life->busy == sample))
        life->busy = 0;
    life->is_new = life->came > 1 && sample - life->came < PRFDATA_TABLE_WHILE;
    life->is_idle = life->busy == 0 || sample - life->busy >= PRFDATA_TABLE_WHILE;
    life->left = life->is_present ? 0 : is_next ? life->left + 1 : PRFDATA_TABLE_WHILE;
    return life->left < PRFDATA_TABLE_WHILE;
}

/* Update a row for a sample. Returns whether the row stays in the table. */
static bool follow_row(const prfdata_table *table, prfdata_table_row *row, bool is_next)
{
    if (!is_next && !row->life.is_present)
        clear_cells(table, row);
    return follow_life(&row->life, table->updates, is_next) || row->is_selected || row->is_focused;
}

bool prfdata_table_follow(prfdata_table *table, bool is_next)
{
    uint32_t kept = 0;

    table->present_count = table->present_totals = 0;
    for (uint32_t i = 0; i < table->row_count; i++) {
        prfdata_table_row *row = table->rows[i];

        table->present_count += row->life.is_present;
        table->present_totals += row->life.is_present && row->is_total;
        if (follow_row(table, row, is_next))
            table->rows[kept++] = row;
        else
            free_table_row(row, table->column_count);
    }
    if (kept == table->row_count)
        return true;
    table->row_count = kept;
    table->shown_count = table->shown_present_count = table->shown_totals = 0;
    prfdata_hash_table_clear(&table->lookup);
    for (uint32_t i = 0; i < kept; i++) {
        const prfdata_table_row *row = table->rows[i];
        const prfdata_table_key key = {row->label, row->object_title, row->counter_title};

        if (!prfdata_hash_table_add(&table->lookup, hash_row_key(&key), i))
            return false;
    }
    return true;
}
