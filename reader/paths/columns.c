/* SPDX-License-Identifier: MIT */
#include "paths/columns.h"

#include <stdlib.h>
#include <string.h>

#include "core/names.h"

#define FIRST_SLOTS 64u /* a power of two */

void prfdata_columns_init(prfdata_columns *columns, const prfdata_titles *titles,
                          prfdata_text computer)
{
    memset(columns, 0, sizeof *columns);
    columns->titles = titles;
    columns->computer = computer;
}

static void free_column(prfdata_column *column)
{
    free((void *)(uintptr_t)column->label.chars);
    free((void *)(uintptr_t)column->text.chars);
    free(column->heading);
}

void prfdata_columns_free(prfdata_columns *columns)
{
    for (size_t i = 0; i < columns->count; i++)
        free_column(&columns->items[i]);
    free(columns->items);
    free(columns->slots);
    prfdata_columns_init(columns, columns->titles, columns->computer);
}

/* ---- Titles ---- */

void prfdata_columns_put_title(prfdata_output *output, const prfdata_name_table *titles,
                               uint32_t index)
{
    prfdata_text name = prfdata_name_table_name(titles, index);

    if (name.count > 0)
        prfdata_output_put_text(output, name);
    else
        prfdata_output_format(output, "%u", (unsigned)index);
}

static void put_name(prfdata_output *output, const prfdata_titles *titles, prfdata_titles_way way,
                     uint32_t index)
{
    prfdata_text name = prfdata_titles_name(titles, way, index);

    if (name.count > 0)
        prfdata_output_put_text(output, name);
    else
        prfdata_output_format(output, "%u", (unsigned)index);
}

/* ---- Columns ---- */

static uint32_t matched_object_title(const prfdata_resolver *match)
{
    return match->object->wire.header.object_name_title_index;
}

static uint32_t matched_counter_title(const prfdata_resolver *match)
{
    return match->object->counters[match->counter_position].definition.counter_name_title_index;
}

static char *make_heading(const prfdata_columns *columns, const prfdata_resolver *match)
{
    prfdata_output output;

    prfdata_output_init(&output);
    prfdata_output_put_string(&output, "\\\\");
    prfdata_output_put_text(&output, columns->computer);
    prfdata_output_put_string(&output, "\\");
    put_name(&output, columns->titles, match->path->way, matched_object_title(match));
    if (match->object->has_instances) {
        prfdata_output_put_string(&output, "(");
        prfdata_output_put_text(&output, match->instance->label);
        prfdata_output_put_string(&output, ")");
    }
    prfdata_output_put_string(&output, "\\");
    put_name(&output, columns->titles, match->way, matched_counter_title(match));
    prfdata_output_put(&output, "", 1);
    if (output.failed)
        prfdata_output_free(&output);
    return output.bytes;
}

static bool copy_text(prfdata_text text, prfdata_text *copy)
{
    uint16_t *chars = malloc((text.count + 1) * sizeof *chars);

    if (!chars)
        return false;
    if (text.count > 0)
        memcpy(chars, text.chars, text.count * sizeof *chars);
    copy->chars = chars;
    copy->count = text.count;
    return true;
}

/* Where the column is in the hash table, or the empty slot where it belongs. */
static size_t slot_of(const prfdata_columns *columns, uint32_t path_number, uint32_t object,
                      uint32_t counter, prfdata_text label)
{
    const uint64_t seed = ((uint64_t)object << 32 | counter) + (uint64_t)path_number * 0x9E3779B1u;
    size_t slot = (size_t)prfdata_names_hash(label.chars, label.count, seed);

    for (;; slot++) {
        const prfdata_column *column;

        slot &= columns->slot_count - 1;
        if (columns->slots[slot] == 0)
            return slot;
        column = &columns->items[columns->slots[slot] - 1];
        if (column->path_number == path_number && column->object_title == object &&
            column->counter_title == counter && prfdata_text_equal(column->label, label))
            return slot;
    }
}

/* Keep half of the slots empty. */
static bool grow_slots(prfdata_columns *columns)
{
    prfdata_columns larger = *columns;

    if (columns->count < columns->slot_count / 2)
        return true;
    larger.slot_count = columns->slot_count > 0 ? columns->slot_count * 2 : FIRST_SLOTS;
    larger.slots = calloc(larger.slot_count, sizeof *larger.slots);
    if (!larger.slots)
        return false;
    for (size_t i = 0; i < columns->count; i++) {
        const prfdata_column *column = &columns->items[i];

        larger.slots[slot_of(&larger, column->path_number, column->object_title,
                             column->counter_title, column->label)] = (uint32_t)i + 1;
    }
    free(columns->slots);
    *columns = larger;
    return true;
}

static bool grow_items(prfdata_columns *columns)
{
    size_t capacity = columns->capacity * 2 + 16;
    prfdata_column *items;

    if (columns->count < columns->capacity)
        return true;
    items = realloc(columns->items, capacity * sizeof *items);
    if (!items)
        return false;
    columns->items = items;
    columns->capacity = capacity;
    return true;
}

/* Unless it is there. */
static uint32_t add_column(prfdata_columns *columns, const prfdata_resolver *match)
{
    prfdata_column column;
    size_t slot;

    if (columns->count == UINT32_MAX || !grow_slots(columns) || !grow_items(columns))
        return ERROR_NOT_ENOUGH_MEMORY;
    slot = slot_of(columns, match->path->number, matched_object_title(match),
                   matched_counter_title(match), match->instance->label);
    if (columns->slots[slot] != 0)
        return ERROR_SUCCESS;

    memset(&column, 0, sizeof column);
    column.path_number = match->path->number;
    column.object_title = matched_object_title(match);
    column.counter_title = matched_counter_title(match);
    column.status = PRFDATA_STATUS_NO_DATA;
    column.raw.status = PRFDATA_STATUS_NO_DATA;
    column.older.status = PRFDATA_STATUS_NO_DATA;
    column.heading = make_heading(columns, match);
    if (!column.heading ||
        (match->object->has_instances && !copy_text(match->instance->label, &column.label))) {
        free_column(&column);
        return ERROR_NOT_ENOUGH_MEMORY;
    }
    columns->items[columns->count++] = column;
    columns->slots[slot] = (uint32_t)columns->count;
    return ERROR_SUCCESS;
}

uint32_t prfdata_columns_add(prfdata_columns *columns, const prfdata_columns_path *path,
                             const prfdata_sample *sample, uint32_t *status)
{
    prfdata_resolver match;

    prfdata_resolver_begin(&match, path, columns->titles, sample);
    while (prfdata_resolver_next(&match)) {
        uint32_t result = add_column(columns, &match);

        if (result != ERROR_SUCCESS)
            return result;
    }
    *status = prfdata_resolver_status(match.result);
    return ERROR_SUCCESS;
}

/* ---- Values ---- */

/* Where a column is in a sample; `counter` is its position in the object. */
typedef struct found_column {
    const prfdata_sample_object *object;
    const prfdata_sample_instance *instance;
    uint32_t counter;
} found_column;

static uint32_t find(const prfdata_column *column, const prfdata_sample *sample,
                     found_column *result)
{
    result->object = prfdata_sample_find_object(sample, column->object_title);
    if (!result->object)
        return PRFDATA_STATUS_NO_OBJECT;
    result->instance = prfdata_sample_find_instance(result->object, column->label);
    if (!result->instance)
        return PRFDATA_STATUS_NO_INSTANCE;
    for (uint32_t i = 0; i < result->object->counter_count; i++) {
        if (result->object->counters[i].definition.counter_name_title_index ==
            column->counter_title) {
            result->counter = i;
            return PRFDATA_STATUS_OK;
        }
    }
    return PRFDATA_STATUS_NO_COUNTER;
}

static uint32_t raw_of(const prfdata_column *column, const prfdata_sample *sample,
                       prfdata_compute_raw *raw)
{
    found_column at;
    uint32_t status = find(column, sample, &at);

    if (status != PRFDATA_STATUS_OK)
        return status;
    return prfdata_sample_raw(sample, at.object, at.instance, at.counter, raw);
}

/* The text of a column replaces the one before. */
static uint32_t read_text(prfdata_column *column, const found_column *at)
{
    size_t room = at->instance->wire.values_bytes;
    uint16_t *chars = malloc((room + 1) * sizeof *chars);

    if (!chars)
        return ERROR_NOT_ENOUGH_MEMORY;
    column->status =
        prfdata_sample_text(at->object, at->instance, at->counter, chars, &column->text);
    if (column->status != PRFDATA_STATUS_OK) {
        free(chars);
        return ERROR_SUCCESS;
    }
    column->text.chars = chars;
    column->is_text = true;
    return ERROR_SUCCESS;
}

static void forget(prfdata_column *column)
{
    free((void *)(uintptr_t)column->text.chars);
    memset(&column->text, 0, sizeof column->text);
    column->is_text = false;
    column->status = PRFDATA_STATUS_NO_DATA;
    column->raw = (prfdata_compute_raw){.status = PRFDATA_STATUS_NO_DATA};
    column->older = column->raw;
}

static uint32_t compute_column(prfdata_column *column, const prfdata_sample *older,
                               const prfdata_sample *newer, bool capped)
{
    found_column at;

    forget(column);
    if (older)
        column->older.status = raw_of(column, older, &column->older);
    column->status = find(column, newer, &at);
    column->raw.status = column->status;
    if (column->status != PRFDATA_STATUS_OK)
        return ERROR_SUCCESS;
    column->is_known = true;
    column->type = at.object->counters[at.counter].definition.counter_type;
    column->default_scale = at.object->counters[at.counter].definition.default_scale;
    column->status = prfdata_sample_raw(newer, at.object, at.instance, at.counter, &column->raw);
    if (column->status == PRFDATA_STATUS_TEXT)
        return read_text(column, &at);
    if (column->status == PRFDATA_STATUS_OK)
        column->status = prfdata_compute_exactly(
            column->older.status == PRFDATA_STATUS_OK ? &column->older : NULL, &column->raw,
            &column->value);
    if (column->status == PRFDATA_STATUS_OK && capped)
        prfdata_compute_cap(column->raw.type, &column->value);
    return ERROR_SUCCESS;
}

uint32_t prfdata_columns_compute(prfdata_columns *columns, const prfdata_sample *older,
                                 const prfdata_sample *newer, bool capped)
{
    for (size_t i = 0; i < columns->count; i++) {
        uint32_t status = compute_column(&columns->items[i], older, newer, capped);

        if (status != ERROR_SUCCESS)
            return status;
    }
    return ERROR_SUCCESS;
}

void prfdata_columns_forget(prfdata_columns *columns)
{
    for (size_t i = 0; i < columns->count; i++)
        forget(&columns->items[i]);
}
