/* SPDX-License-Identifier: MIT */
/* Fills rows from samples. table_rows.c decides which rows exist; table_order.c arranges them. */
#include "view/table.h"

#include <stdlib.h>
#include <string.h>

#include <prfdata/error.h>

#include "view/heading.h"

void prfdata_table_init(prfdata_table *table, const prfdata_titles *titles)
{
    memset(table, 0, sizeof *table);
    table->sort_column = PRFDATA_TABLE_LABEL;
    table->titles = titles;
    table->row_bytes = sizeof(prfdata_table_row);
}

void prfdata_table_free(prfdata_table *table)
{
    prfdata_table_clear(table);
    free(table->columns);
    free(table->rows);
    free(table->turns);
    free(table->before);
    free(table->shown);
    free(table->spare);
    prfdata_text_free(&table->filter);
    prfdata_hash_table_free(&table->lookup);
    prfdata_table_init(table, table->titles);
}

void prfdata_table_choose(prfdata_table *table, uint32_t object_title)
{
    prfdata_table_clear(table);
    table->column_count = 0;
    table->object_title = object_title;
    table->is_present = false;
    table->updates = 0;
    table->sort_column = PRFDATA_TABLE_LABEL;
    table->sorts_descending = false;
}

/* ---- Columns ---- */

static prfdata_condition find_threshold_of(const prfdata_table *table, uint32_t object_title,
                                           uint32_t counter_title)
{
    if (!table->thresholds || table->thresholds->count == 0)
        return (prfdata_condition){PRFDATA_COMPARISON_NONE, 0};
    return prfdata_thresholds_find(
        table->thresholds, prfdata_titles_name(table->titles, PRFDATA_BY_ENGLISH, object_title),
        prfdata_titles_name(table->titles, PRFDATA_BY_ENGLISH, counter_title));
}

void prfdata_table_apply_thresholds(prfdata_table *table)
{
    for (uint32_t i = 0; table->columns && i < table->column_count; i++)
        table->columns[i].threshold =
            find_threshold_of(table, table->object_title, table->columns[i].counter_title);
    for (uint32_t i = 0; i < table->row_count; i++) {
        prfdata_table_row *row = table->rows[i];
        const uint32_t object = row->object_title != 0 ? row->object_title : table->object_title;

        if (row->counter_title != 0)
            row->threshold = find_threshold_of(table, object, row->counter_title);
    }
}

bool prfdata_table_is_beyond(const prfdata_table *table, const prfdata_table_row *row,
                             uint32_t column)
{
    const bool is_of_row = row->counter_title != 0 || !table->columns;
    const prfdata_condition *threshold =
        is_of_row ? &row->threshold : &table->columns[column].threshold;
    const prfdata_cell *cell = &row->cells[column];

    return threshold->comparison != PRFDATA_COMPARISON_NONE && cell->text.count == 0 &&
           prfdata_cell_has_value(cell) && prfdata_condition_holds(threshold, cell->value.number);
}

static prfdata_table_column make_table_column(const prfdata_table *table,
                                              const prfdata_decode_counter *counter)
{
    const uint32_t title = counter->definition.counter_name_title_index;
    const prfdata_text name = prfdata_titles_name(table->titles, PRFDATA_BY_ENGLISH, title);

    return (prfdata_table_column){
        .counter_title = title,
        .threshold = find_threshold_of(table, table->object_title, title),
        .type = counter->definition.counter_type,
        .unit = prfdata_heading_number_unit(table->titles, table->object_title, title,
                                            counter->definition.counter_type, name),
        .name = name,
        .help = prfdata_name_table_name(&table->titles->helps,
                                        counter->definition.counter_help_title_index)};
}

static uint32_t shown_counters(const prfdata_sample_object *object)
{
    uint32_t count = 0;

    for (uint32_t i = 0; i < object->counter_count; i++)
        count += prfdata_sample_shows(&object->counters[i]);
    return count;
}

static bool has_same_columns(const prfdata_table *table, const prfdata_sample_object *object)
{
    uint32_t at = 0;

    if (table->has_instances != object->has_instances)
        return false;
    if (!table->has_instances)
        return table->column_count == 1;
    for (uint32_t i = 0; i < object->counter_count; i++) {
        const prfdata_perf_counter_definition *counter = &object->counters[i].definition;

        if (!prfdata_sample_shows(&object->counters[i]))
            continue;
        if (at == table->column_count ||
            table->columns[at].counter_title != counter->counter_name_title_index ||
            table->columns[at].type != counter->counter_type)
            return false;
        at++;
    }
    return at == table->column_count;
}

static uint32_t column_of_counter(const prfdata_table *table, uint32_t title)
{
    for (uint32_t i = 0; i < table->column_count; i++) {
        if (table->columns[i].counter_title == title)
            return i;
    }
    return PRFDATA_TABLE_LABEL;
}

static bool make_table_columns(prfdata_table *table, const prfdata_sample_object *object)
{
    const bool sorts_column = table->sort_column < table->column_count;
    const uint32_t sorted = sorts_column ? table->columns[table->sort_column].counter_title : 0;
    const uint32_t count = object->has_instances ? shown_counters(object) : 1;
    prfdata_table_column *columns = calloc(count + 1, sizeof *columns);
    uint32_t at = 0;

    if (!columns)
        return false;
    prfdata_table_clear(table);
    free(table->columns);
    table->columns = columns;
    table->column_count = count;
    table->has_instances = object->has_instances;
    for (uint32_t i = 0; object->has_instances && i < object->counter_count; i++) {
        if (prfdata_sample_shows(&object->counters[i]))
            columns[at++] = make_table_column(table, &object->counters[i]);
    }
    /* After a change of columns, the counter by which rows are sorted may be in another column. */
    if (sorts_column)
        table->sort_column = column_of_counter(table, sorted);
    else if (table->sort_column >= count)
        table->sort_column = PRFDATA_TABLE_LABEL;
    if (sorts_column && table->sort_column == PRFDATA_TABLE_LABEL)
        /* A descending order is useful for numbers, but not for labels. */
        table->sorts_descending = false;
    return true;
}

/* ---- Cells ---- */

static void set_row(const prfdata_table *table, prfdata_table_row *row, prfdata_cell_source *at)
{
    uint32_t column = 0;
    bool is_zero = true;

    row->is_damaged = at->instance->damaged;
    for (uint32_t i = 0; i < at->object->counter_count && column < table->column_count; i++) {
        if (!prfdata_sample_shows(&at->object->counters[i]))
            continue;
        prfdata_cell_set(&row->cells[column], at, i);
        is_zero = is_zero && prfdata_cell_is_idle(&row->cells[column]);
        column++;
    }
    prfdata_table_show(table, row, is_zero);
}

static uint32_t update_instances(prfdata_table *table, prfdata_cell_source *at)
{
    uint32_t status = ERROR_SUCCESS;

    for (uint32_t i = 0; i < at->object->found_count; i++) {
        prfdata_table_row *row;
        prfdata_table_key key = {0};

        prfdata_cell_go_to(at, &at->object->instances[at->object->found[i]]);
        key.label = at->instance->label;
        row = prfdata_table_row_of(table, &key);
        if (!row) {
            status = ERROR_NOT_ENOUGH_MEMORY;
            continue;
        }
        set_row(table, row, at);
    }
    return status;
}

static uint32_t update_counters(prfdata_table *table, prfdata_cell_source *at)
{
    uint32_t status = ERROR_SUCCESS;

    if (at->object->found_count == 0)
        return status;
    prfdata_cell_go_to(at, &at->object->instances[at->object->found[0]]);
    for (uint32_t i = 0; i < at->object->counter_count; i++) {
        const prfdata_table_column counter = make_table_column(table, &at->object->counters[i]);
        uint16_t digits[12];
        const prfdata_table_key key = {
            prfdata_titles_name_or_index(table->titles, counter.counter_title, digits), 0,
            counter.counter_title};
        prfdata_table_row *row;

        if (!prfdata_sample_shows(&at->object->counters[i]))
            continue;
        row = prfdata_table_row_of(table, &key);
        if (!row) {
            status = ERROR_NOT_ENOUGH_MEMORY;
            continue;
        }
        row->type = counter.type;
        row->help = counter.help;
        row->threshold = counter.threshold;
        prfdata_cell_set(&row->cells[0], at, i);
        prfdata_table_show(table, row, prfdata_cell_is_idle(&row->cells[0]));
    }
    return status;
}

uint32_t prfdata_table_update(prfdata_table *table, const prfdata_sample *older,
                              const prfdata_sample *newer, bool is_next, bool *columns)
{
    prfdata_cell_source at = {.older = older, .newer = newer, .is_capped = table->is_capped};
    uint32_t status = ERROR_SUCCESS;

    *columns = false;
    at.object = newer ? prfdata_sample_find_object(newer, table->object_title) : NULL;
    table->is_present = at.object != NULL;
    if (at.object)
        prfdata_cell_go_to_object(&at, at.object);
    prfdata_table_begin(table);
    if (!at.object)
        table->updates--; /* samples without the object do not count */
    if (at.object && (table->column_count == 0 || !has_same_columns(table, at.object))) {
        *columns = true;
        if (!make_table_columns(table, at.object)) {
            prfdata_cell_source_free(&at);
            return ERROR_NOT_ENOUGH_MEMORY;
        }
    }
    if (at.object)
        status = table->has_instances ? update_instances(table, &at) : update_counters(table, &at);
    prfdata_cell_source_free(&at);
    if (!prfdata_table_follow(table, is_next) || !prfdata_table_arrange(table))
        return ERROR_NOT_ENOUGH_MEMORY;
    return status;
}

bool prfdata_table_select(prfdata_table *table, prfdata_text label)
{
    const prfdata_table_key key = {.label = label};
    const prfdata_table_row *row = prfdata_table_find(table, &key);

    if (!row)
        return false;
    for (uint32_t i = 0; i < table->row_count; i++)
        table->rows[i]->is_selected = table->rows[i]->is_focused = table->rows[i] == row;
    return true;
}

/* ---- What a cell shows ---- */

const prfdata_cell *prfdata_table_cell_at(const prfdata_table *table, uint32_t at, uint32_t column)
{
    return at < table->shown_count && column < table->column_count
               ? &table->shown[at]->cells[column]
               : NULL;
}

uint32_t prfdata_table_counter(const prfdata_table *table, uint32_t at, uint32_t column)
{
    if (at >= table->shown_count)
        return 0;
    if (table->shown[at]->counter_title != 0)
        return table->shown[at]->counter_title;
    return column < table->column_count ? table->columns[column].counter_title : 0;
}

static size_t copy_limited(prfdata_text text, uint16_t *chars, size_t capacity)
{
    const size_t count = text.count < capacity ? text.count : capacity;

    if (count > 0)
        memcpy(chars, text.chars, count * sizeof *chars);
    return count;
}

bool prfdata_table_has_reason(const prfdata_table *table, uint32_t at, uint32_t column)
{
    const prfdata_cell *cell = prfdata_table_cell_at(table, at, column);

    return cell && table->shown[at]->life.is_present && cell->text.count == 0 &&
           !(table->shows_raw && cell->has_raw) && cell->status != PRFDATA_STATUS_OK;
}

/* Put the number as its type requires. If counters are rows, no heading shows their unit, so it
 * follows the number. */
static size_t put_cell_number(const prfdata_table *table, const prfdata_cell *cell,
                              uint32_t counter, prfdata_number_style style, uint16_t *chars)
{
    const size_t count = prfdata_number_hex(cell->value, cell->type, chars);

    if (count > 0)
        return count;
    if (table->has_instances)
        return prfdata_number_value(cell->value, style, chars);
    return prfdata_number_fit(cell->value,
                              prfdata_heading_number_unit(
                                  table->titles, table->object_title, counter, cell->type,
                                  prfdata_titles_name(table->titles, PRFDATA_BY_ENGLISH, counter)),
                              style, PRFDATA_NUMBER_CHARS, chars);
}

static size_t put_raw_number(const prfdata_cell *cell, prfdata_number_style style, uint16_t *chars)
{
    const prfdata_compute_value raw = prfdata_cell_raw(cell);
    const size_t count = prfdata_number_hex(raw, cell->type, chars);

    if (count > 0)
        return count;
    return raw.is_bits ? prfdata_number_whole(cell->raw, style, chars)
                       : prfdata_number_value(raw, style, chars);
}

size_t prfdata_table_text(const prfdata_table *table, uint32_t at, uint32_t column,
                          prfdata_number_style style, uint16_t *chars, size_t capacity)
{
    const prfdata_cell *cell = prfdata_table_cell_at(table, at, column);
    uint16_t number[PRFDATA_NUMBER_CHARS];
    prfdata_text text = {number, 0};

    if (column == PRFDATA_TABLE_LABEL && at < table->shown_count)
        return copy_limited(table->shown[at]->label, chars, capacity);
    if (!cell)
        return 0;
    if (cell->text.count > 0)
        return copy_limited(cell->text, chars, capacity);
    if (table->shows_raw && cell->has_raw)
        text.count = put_raw_number(cell, style, number);
    else if (!table->shows_raw && prfdata_cell_has_value(cell))
        text.count =
            put_cell_number(table, cell, prfdata_table_counter(table, at, column), style, number);
    else if (prfdata_table_has_reason(table, at, column))
        return prfdata_text_from_utf8(prfdata_cell_reason(cell->status),
                                      strlen(prfdata_cell_reason(cell->status)), chars, capacity);
    return copy_limited(text, chars, capacity);
}

size_t prfdata_table_short(const prfdata_table *table, uint32_t at, uint32_t column,
                           prfdata_number_style style, uint16_t chars[PRFDATA_NUMBER_CHARS])
{
    const prfdata_cell *cell = prfdata_table_cell_at(table, at, column);

    if (!cell || !cell->has_raw || cell->text.count > 0 ||
        (!table->shows_raw && cell->status != PRFDATA_STATUS_OK))
        return 0;
    if (prfdata_number_is_hex(cell->type))
        return 0; /* a hexadecimal number has no short form */
    return prfdata_number_short(table->shows_raw ? prfdata_cell_raw(cell).number
                                                 : cell->value.number,
                                PRFDATA_NUMBER_NONE, style, chars);
}
