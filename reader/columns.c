/* SPDX-License-Identifier: MIT */
#include "columns.h"

#include <stdlib.h>
#include <string.h>

void prfdata_columns_init(prfdata_columns *columns)
{
    memset(columns, 0, sizeof *columns);
}

static void free_column(prfdata_column *column)
{
    free((void *)(uintptr_t)column->label.units);
    free(column->heading);
}

void prfdata_columns_free(prfdata_columns *columns)
{
    for (size_t i = 0; i < columns->count; i++)
        free_column(&columns->items[i]);
    free(columns->items);
    prfdata_columns_init(columns);
}

void prfdata_columns_put_title(prfdata_output *output, const prfdata_name_table *titles,
                               uint32_t index)
{
    prfdata_text name = prfdata_name_table_name(titles, index);

    if (name.count > 0)
        prfdata_output_put_text(output, name);
    else
        prfdata_output_format(output, "%u", (unsigned)index);
}

bool prfdata_columns_means_title(prfdata_text text, const prfdata_name_table *titles,
                                 uint32_t index)
{
    prfdata_text name = prfdata_name_table_name(titles, index);
    uint32_t number = 0;

    if (name.count > 0 && prfdata_text_matches(text, name))
        return true;
    if (prfdata_text_number(text, &number) && number == index)
        return true;
    return name.count == 0 && prfdata_text_has_wildcard(text) && text.count == 1;
}

/* What one column is made of. */
typedef struct place {
    const prfdata_name_table *titles;
    prfdata_text computer;
    const prfdata_sample_object *object;
    const prfdata_decode_counter *counter;
    const prfdata_sample_instance *instance;
} place;

static char *make_heading(const place *at)
{
    prfdata_output output;

    prfdata_output_init(&output);
    prfdata_output_put(&output, "\\\\", 2);
    prfdata_output_put_text(&output, at->computer);
    prfdata_output_put(&output, "\\", 1);
    prfdata_columns_put_title(&output, at->titles, at->object->wire.header.object_name_title_index);
    if (at->object->has_instances) {
        prfdata_output_put(&output, "(", 1);
        prfdata_output_put_text(&output, at->instance->label);
        prfdata_output_put(&output, ")", 1);
    }
    prfdata_output_put(&output, "\\", 1);
    prfdata_columns_put_title(&output, at->titles,
                              at->counter->definition.counter_name_title_index);
    prfdata_output_put(&output, "", 1);
    if (output.failed)
        prfdata_output_free(&output);
    return output.bytes;
}

static bool copy_text(prfdata_text text, prfdata_text *copy)
{
    uint16_t *units = malloc((text.count + 1) * sizeof *units);

    if (!units)
        return false;
    if (text.count > 0)
        memcpy(units, text.units, text.count * sizeof *units);
    copy->units = units;
    copy->count = text.count;
    return true;
}

static uint32_t add_column(prfdata_columns *columns, const place *at)
{
    prfdata_column column;

    if (columns->count == columns->capacity) {
        size_t capacity = columns->capacity * 2 + 16;
        prfdata_column *items = realloc(columns->items, capacity * sizeof *items);

        if (!items)
            return ERROR_NOT_ENOUGH_MEMORY;
        columns->items = items;
        columns->capacity = capacity;
    }
    memset(&column, 0, sizeof column);
    column.object_title = at->object->wire.header.object_name_title_index;
    column.counter_title = at->counter->definition.counter_name_title_index;
    column.status = PRFDATA_STATUS_NO_DATA;
    column.heading = make_heading(at);
    if (!column.heading || !copy_text(at->instance->label, &column.label)) {
        free_column(&column);
        return ERROR_NOT_ENOUGH_MEMORY;
    }
    columns->items[columns->count++] = column;
    return ERROR_SUCCESS;
}

static bool wants(const prfdata_path *path, const place *at)
{
    if (at->instance->damaged)
        return false;
    if (!at->object->has_instances)
        return !path->has_instance;
    return prfdata_path_wants_instance(path, at->instance->label);
}

/* Add the wanted instances of one counter; *status becomes OK if there is one. */
static uint32_t add_instances(prfdata_columns *columns, const prfdata_path *path, place *at,
                              uint32_t *status)
{
    for (uint32_t i = 0; i < at->object->instance_count; i++) {
        uint32_t result;

        at->instance = &at->object->instances[i];
        if (!wants(path, at))
            continue;
        result = add_column(columns, at);
        if (result != ERROR_SUCCESS)
            return result;
        *status = PRFDATA_STATUS_OK;
    }
    return ERROR_SUCCESS;
}

/* Of all the reasons for finding nothing, the one that came furthest tells most. */
static void found(uint32_t *status, uint32_t better)
{
    if (*status == PRFDATA_STATUS_NO_OBJECT ||
        (*status == PRFDATA_STATUS_NO_COUNTER && better == PRFDATA_STATUS_NO_INSTANCE))
        *status = better;
}

uint32_t prfdata_columns_add(prfdata_columns *columns, const prfdata_path *path,
                             const prfdata_sample *sample, const prfdata_name_table *titles,
                             prfdata_text computer, uint32_t *status)
{
    uint32_t best = PRFDATA_STATUS_NO_OBJECT;
    place at = {titles, computer, NULL, NULL, NULL};

    for (uint32_t o = 0; o < sample->object_count; o++) {
        at.object = &sample->objects[o];
        if (!prfdata_columns_means_title(path->object, titles,
                                         at.object->wire.header.object_name_title_index))
            continue;
        found(&best, PRFDATA_STATUS_NO_COUNTER);
        for (uint32_t c = 0; c < at.object->counter_count; c++) {
            uint32_t result;

            at.counter = &at.object->counters[c];
            if (!prfdata_sample_shows(at.counter) ||
                !prfdata_columns_means_title(path->counter, titles,
                                             at.counter->definition.counter_name_title_index))
                continue;
            found(&best, PRFDATA_STATUS_NO_INSTANCE);
            result = add_instances(columns, path, &at, &best);
            if (result != ERROR_SUCCESS)
                return result;
        }
    }
    *status = best;
    return ERROR_SUCCESS;
}

/* The raw values of a column in one sample. */
static uint32_t raw_of(const prfdata_column *column, const prfdata_sample *sample,
                       prfdata_compute_raw *raw)
{
    const prfdata_sample_object *object = prfdata_sample_find_object(sample, column->object_title);
    const prfdata_sample_instance *instance;

    if (!object)
        return PRFDATA_STATUS_NO_OBJECT;
    instance = prfdata_sample_find_instance(object, column->label);
    if (!instance)
        return PRFDATA_STATUS_NO_INSTANCE;
    for (uint32_t i = 0; i < object->counter_count; i++) {
        if (object->counters[i].definition.counter_name_title_index == column->counter_title)
            return prfdata_sample_raw(sample, object, instance, i, raw);
    }
    return PRFDATA_STATUS_NO_COUNTER;
}

void prfdata_columns_compute(prfdata_columns *columns, const prfdata_sample *older,
                             const prfdata_sample *newer)
{
    for (size_t i = 0; i < columns->count; i++) {
        prfdata_column *column = &columns->items[i];
        prfdata_compute_raw before;
        prfdata_compute_raw now;
        bool has_before = older && raw_of(column, older, &before) == PRFDATA_STATUS_OK;

        column->status = raw_of(column, newer, &now);
        if (column->status == PRFDATA_STATUS_OK)
            column->status = prfdata_compute(has_before ? &before : NULL, &now, &column->value);
    }
}
