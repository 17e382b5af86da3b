/* SPDX-License-Identifier: MIT */
#include "support/reader/slow_columns.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "support/test.h"

void slow_columns_init(slow_columns *columns, const prfdata_titles *titles, prfdata_text computer)
{
    memset(columns, 0, sizeof *columns);
    columns->titles = titles;
    columns->titles_version = columns->first_version = titles->version;
    columns->computer = computer;
}

void slow_columns_free(slow_columns *columns)
{
    for (size_t i = 0; i < columns->count; i++) {
        prfdata_text_free(&columns->items[i].label);
        prfdata_text_free(&columns->items[i].text);
        free(columns->items[i].heading);
    }
    free(columns->items);
}

static char *make_heading(const slow_columns *columns, const prfdata_resolver *match,
                          const slow_column *key)
{
    prfdata_output output = {0};

    prfdata_output_put_string(&output, "\\\\");
    prfdata_output_put_text(&output, columns->computer);
    prfdata_output_put_string(&output, "\\");
    prfdata_titles_put_name_in_way(&output, columns->titles, match->path->way, key->object_title);
    if (match->object->has_instances) {
        prfdata_output_put_string(&output, "(");
        prfdata_output_put_text(&output, match->instance->label);
        prfdata_output_put_string(&output, ")");
    }
    prfdata_output_put_string(&output, "\\");
    prfdata_titles_put_name_in_way(&output, columns->titles, match->way, key->counter_title);
    prfdata_output_put(&output, "", 1);
    assert_false(output.failed);
    return output.bytes;
}

static void follow_titles(slow_columns *columns)
{
    if (columns->titles_version == columns->titles->version)
        return;
    for (size_t i = 0; i < columns->count; i++) {
        columns->items[i].former_object = columns->items[i].object_title;
        columns->items[i].former_counter = columns->items[i].counter_title;
        columns->items[i].object_title = 0;
        columns->items[i].counter_title = 0;
        columns->items[i].lost_status = PRFDATA_STATUS_NO_OBJECT;
    }
    columns->titles_version = columns->titles->version;
}

static bool has_key(const slow_column *column, const slow_column *key)
{
    return column->path_number == key->path_number && column->object_title == key->object_title &&
           column->counter_title == key->counter_title &&
           prfdata_text_equal(column->label, key->label);
}

/* Returns whether the column has lost its counter, and has the path and the heading of `key`. */
static bool has_lost(const slow_column *column, const slow_column *key)
{
    return column->object_title == 0 && column->path_number == key->path_number &&
           strcmp(column->heading, key->heading) == 0;
}

static void add_column(slow_columns *columns, const prfdata_resolver *match)
{
    slow_column made = {
        .path_number = match->path->number,
        .object_title = match->object->wire.header.object_name_title_index,
        .counter_title =
            match->object->counters[match->counter_position].definition.counter_name_title_index,
        .is_moved = columns->first_version != columns->titles_version,
        .label = match->instance->label,
        .status = PRFDATA_STATUS_NO_DATA,
        .older = {.status = PRFDATA_STATUS_NO_DATA},
        .raw = {.status = PRFDATA_STATUS_NO_DATA}};

    for (size_t i = 0; i < columns->count; i++) {
        if (has_key(&columns->items[i], &made))
            return;
    }
    made.heading = make_heading(columns, match, &made);
    for (size_t i = 0; i < columns->count; i++) {
        slow_column *column = &columns->items[i];

        if (!has_lost(column, &made))
            continue;
        column->object_title = made.object_title;
        column->counter_title = made.counter_title;
        column->is_moved = column->former_object != made.object_title ||
                           column->former_counter != made.counter_title;
        free(made.heading);
        return;
    }
    made.label = (prfdata_text){NULL, 0};
    if (match->object->has_instances)
        assert_true(prfdata_text_copy(match->instance->label, &made.label));
    columns->items = prfdata_array_reserve(columns->items, &columns->capacity, columns->count + 1,
                                           sizeof *columns->items);
    assert_non_null(columns->items);
    columns->items[columns->count++] = made;
}

/* Make the heading of the column up to the counter's name. */
static char *make_place(const slow_columns *columns, const prfdata_resolver_path *path,
                        const prfdata_sample_object *object, const slow_column *column)
{
    prfdata_output output = {0};

    prfdata_output_put_string(&output, "\\\\");
    prfdata_output_put_text(&output, columns->computer);
    prfdata_output_put_string(&output, "\\");
    prfdata_titles_put_name_in_way(&output, columns->titles, path->way,
                                   object->wire.header.object_name_title_index);
    if (object->has_instances) {
        prfdata_output_put_string(&output, "(");
        prfdata_output_put_text(&output, column->label);
        prfdata_output_put_string(&output, ")");
    }
    prfdata_output_put(&output, "\\", 2);
    assert_false(output.failed);
    return output.bytes;
}

/* Record which part of a lost column is missing: the object, the instance or the counter. */
static void note_lost(const slow_columns *columns, slow_column *column,
                      const prfdata_resolver_path *path, const prfdata_sample *sample)
{
    column->lost_status = PRFDATA_STATUS_NO_OBJECT;
    for (uint32_t i = 0; i < sample->object_count; i++) {
        const prfdata_sample_object *object = &sample->objects[i];
        char *place;

        if (!prfdata_resolver_wants_object(path, columns->titles, object))
            continue;
        place = make_place(columns, path, object, column);
        if (strncmp(column->heading, place, strlen(place)) == 0)
            column->lost_status = prfdata_sample_find_instance(object, column->label)
                                      ? PRFDATA_STATUS_NO_COUNTER
                                      : PRFDATA_STATUS_NO_INSTANCE;
        free(place);
    }
}

void slow_columns_add(slow_columns *columns, const prfdata_resolver_path *path,
                      const prfdata_sample *sample, prfdata_resolver_result *result)
{
    prfdata_resolver match;

    follow_titles(columns);
    if (columns->count == 0)
        columns->first_version = columns->titles_version;
    prfdata_resolver_begin(&match, path, columns->titles, sample);
    while (prfdata_resolver_next(&match))
        add_column(columns, &match);
    for (size_t i = 0; i < columns->count; i++) {
        if (columns->items[i].path_number == path->number && columns->items[i].object_title == 0)
            note_lost(columns, &columns->items[i], path, sample);
    }
    *result = match.result;
}

typedef struct found {
    const prfdata_sample_object *object;
    const prfdata_sample_instance *instance;
    uint32_t counter;
} found;

static uint32_t find_place(const slow_column *column, const prfdata_sample *sample, found *at)
{
    if (column->object_title == 0)
        return column->lost_status;
    at->object = prfdata_sample_find_object(sample, column->object_title);
    if (!at->object)
        return PRFDATA_STATUS_NO_OBJECT;
    at->instance = prfdata_sample_find_instance(at->object, column->label);
    if (!at->instance)
        return PRFDATA_STATUS_NO_INSTANCE;
    for (at->counter = 0; at->counter < at->object->counter_count; at->counter++) {
        if (at->object->counters[at->counter].definition.counter_name_title_index ==
            column->counter_title)
            return PRFDATA_STATUS_OK;
    }
    return PRFDATA_STATUS_NO_COUNTER;
}

static uint32_t read_raw(const slow_column *column, const prfdata_sample *sample,
                         prfdata_compute_raw *raw)
{
    found at = {NULL, NULL, 0};
    const uint32_t status = find_place(column, sample, &at);

    return status == PRFDATA_STATUS_OK
               ? prfdata_sample_raw(sample, at.object, at.instance, at.counter, raw)
               : status;
}

static void read_text(slow_column *column, const found *at)
{
    uint16_t *chars = malloc(((size_t)at->instance->wire.values_bytes + 1) * sizeof *chars);

    assert_non_null(chars);
    column->status =
        prfdata_sample_text(at->object, at->instance, at->counter, chars, &column->text);
    if (column->status != PRFDATA_STATUS_OK) {
        free(chars);
        return;
    }
    column->text.chars = chars;
    column->is_text = true;
}

static void forget_value(slow_column *column)
{
    prfdata_text_free(&column->text);
    column->is_text = false;
    column->status = PRFDATA_STATUS_NO_DATA;
    column->raw = (prfdata_compute_raw){.status = PRFDATA_STATUS_NO_DATA};
    column->older = column->raw;
}

static void compute_column(const slow_columns *columns, slow_column *column,
                           const prfdata_sample *older, const prfdata_sample *newer, bool capped)
{
    found at = {NULL, NULL, 0};

    forget_value(column);
    if (older && !column->is_moved)
        column->older.status = read_raw(column, older, &column->older);
    column->is_moved = false;
    column->status = find_place(column, newer, &at);
    column->raw.status = column->status;
    if (column->status != PRFDATA_STATUS_OK)
        return;
    column->is_known = true;
    column->type = at.object->counters[at.counter].definition.counter_type;
    column->default_scale = at.object->counters[at.counter].definition.default_scale;
    column->status = prfdata_sample_raw(newer, at.object, at.instance, at.counter, &column->raw);
    if (column->status == PRFDATA_STATUS_IS_TEXT) {
        read_text(column, &at);
        return;
    }
    if (column->status == PRFDATA_STATUS_OK)
        column->status =
            prfdata_compute(column->older.status == PRFDATA_STATUS_OK ? &column->older : NULL,
                            &column->raw, &column->value);
    if (columns->has_idle_zeros &&
        prfdata_compute_idle(column->raw.type, column->status, &column->value))
        column->status = PRFDATA_STATUS_OK;
    if (column->status == PRFDATA_STATUS_OK && capped)
        prfdata_compute_cap(column->raw.type, &column->value);
}

void slow_columns_compute(slow_columns *columns, const prfdata_sample *older,
                          const prfdata_sample *newer, bool capped)
{
    follow_titles(columns);
    for (size_t i = 0; i < columns->count; i++)
        compute_column(columns, &columns->items[i], older, newer, capped);
}

void slow_columns_forget(slow_columns *columns)
{
    for (size_t i = 0; i < columns->count; i++)
        forget_value(&columns->items[i]);
}
