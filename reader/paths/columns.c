/* SPDX-License-Identifier: MIT */
/*
 * The list of columns: matches of paths become columns, and pairs of samples their values. What a
 * path means is in resolver.c, how values are computed in compute.c, how columns are written in
 * csv.c, json.c and prfread's formats.
 */
#include "paths/columns.h"

#include <stdlib.h>
#include <string.h>

#include "core/array.h"
#include "core/names.h"

void prfdata_columns_init(prfdata_columns *columns, const prfdata_titles *titles,
                          prfdata_text computer)
{
    memset(columns, 0, sizeof *columns);
    columns->titles = titles;
    columns->titles_version = columns->first_version = titles ? titles->version : 0;
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
    prfdata_hash_table_free(&columns->table);
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

static void put_title_in_way(prfdata_output *output, const prfdata_titles *titles,
                             prfdata_titles_way way, uint32_t index)
{
    uint16_t digits[12];

    prfdata_output_put_text(output,
                            prfdata_titles_name_in_way_or_index(titles, way, index, digits));
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

/* Put the heading up to the object's name. */
static void put_heading_object(prfdata_output *output, const prfdata_columns *columns,
                               prfdata_titles_way way, uint32_t object_title)
{
    prfdata_output_put_string(output, "\\\\");
    prfdata_output_put_text(output, columns->computer);
    prfdata_output_put_string(output, "\\");
    put_title_in_way(output, columns->titles, way, object_title);
}

static char *make_column_heading(const prfdata_columns *columns, const prfdata_resolver *match)
{
    prfdata_output output;

    prfdata_output_init(&output);
    put_heading_object(&output, columns, match->path->way, matched_object_title(match));
    if (match->object->has_instances) {
        prfdata_output_put_string(&output, "(");
        prfdata_output_put_text(&output, match->instance->label);
        prfdata_output_put_string(&output, ")");
    }
    prfdata_output_put_string(&output, "\\");
    put_title_in_way(&output, columns->titles, match->way, matched_counter_title(match));
    prfdata_output_put(&output, "", 1);
    if (output.failed)
        prfdata_output_free(&output);
    return output.bytes;
}

/* What distinguishes columns. */
typedef struct column_key {
    uint32_t path_number;
    uint32_t object_title;
    uint32_t counter_title;
    prfdata_text label;
} column_key;

static uint64_t hash_column_key(const column_key *key)
{
    const uint64_t seed = ((uint64_t)key->object_title << 32 | key->counter_title) +
                          (uint64_t)key->path_number * 0x9E3779B1u;

    return prfdata_names_hash(key->label.chars, key->label.count, seed);
}

static bool has_column_key(const void *elements, uint32_t position, const void *key)
{
    const prfdata_column *column = (const prfdata_column *)elements + position;
    const column_key *wanted = key;

    return column->path_number == wanted->path_number &&
           column->object_title == wanted->object_title &&
           column->counter_title == wanted->counter_title &&
           prfdata_text_equal(column->label, wanted->label);
}

/* ---- Other titles ---- */

/* If titles mean something else now, no column knows its indexes until a sample has its heading. */
static void follow_titles(prfdata_columns *columns)
{
    if (columns->titles_version == columns->titles->version)
        return;
    prfdata_hash_table_free(&columns->table);
    for (size_t i = 0; i < columns->count; i++) {
        columns->items[i].former_object = columns->items[i].object_title;
        columns->items[i].former_counter = columns->items[i].counter_title;
        columns->items[i].object_title = 0;
        columns->items[i].counter_title = 0;
        columns->items[i].lost_status = 0;
    }
    columns->lost = columns->count;
    columns->last_found = 0;
    columns->titles_version = columns->titles->version;
}

/* The column of this path and heading whose indexes are not known; NULL: there is none. */
static prfdata_column *find_lost_column(prfdata_columns *columns, uint32_t path_number,
                                        const char *heading)
{
    for (size_t i = 0; i < columns->count; i++) {
        const size_t at = (columns->last_found + i) % columns->count;
        prfdata_column *column = &columns->items[at];

        if (column->object_title == 0 && column->path_number == path_number &&
            strcmp(column->heading, heading) == 0) {
            columns->last_found = at;
            return column;
        }
    }
    return NULL;
}

/*
 * Give the indexes of a match to the column that lost them.
 *
 * is_found  Set: whether there is such a column.
 *
 * Returns ERROR_SUCCESS or ERROR_NOT_ENOUGH_MEMORY.
 */
static uint32_t find_column_again(prfdata_columns *columns, const prfdata_resolver *match,
                                  const column_key *key, uint64_t hash, bool *is_found)
{
    char *heading = make_column_heading(columns, match);
    prfdata_column *column = heading ? find_lost_column(columns, key->path_number, heading) : NULL;

    *is_found = column != NULL;
    free(heading);
    if (!heading || (column && !prfdata_hash_table_add(&columns->table, hash,
                                                       (uint32_t)(column - columns->items))))
        return ERROR_NOT_ENOUGH_MEMORY;
    if (!column)
        return ERROR_SUCCESS;
    column->object_title = key->object_title;
    column->counter_title = key->counter_title;
    column->is_moved =
        column->former_object != key->object_title || column->former_counter != key->counter_title;
    columns->lost--;
    return ERROR_SUCCESS;
}

/* Note of the path's columns that are lost what an object lacks which is called as theirs was. */
static void note_lost_of_object(prfdata_columns *columns, const prfdata_resolver_path *path,
                                const prfdata_sample_object *object)
{
    prfdata_output name = {0};

    put_heading_object(&name, columns, path->way, object->wire.header.object_name_title_index);
    for (size_t i = 0; !name.failed && i < columns->count; i++) {
        prfdata_column *column = &columns->items[i];

        if (column->object_title != 0 || column->path_number != path->number ||
            strncmp(column->heading, name.bytes, name.used) != 0 ||
            column->heading[name.used] != (object->has_instances ? '(' : '\\'))
            continue;
        column->lost_status = prfdata_sample_find_instance(object, column->label)
                                  ? PRFDATA_STATUS_NO_COUNTER
                                  : PRFDATA_STATUS_NO_INSTANCE;
    }
    prfdata_output_free(&name);
}

static void note_lost_columns(prfdata_columns *columns, const prfdata_resolver_path *path,
                              const prfdata_sample *sample)
{
    for (size_t i = 0; columns->lost > 0 && i < columns->count; i++) {
        if (columns->items[i].path_number == path->number)
            columns->items[i].lost_status = 0;
    }
    for (uint32_t o = 0; columns->lost > 0 && o < sample->object_count; o++) {
        if (prfdata_resolver_wants_object(path, columns->titles, &sample->objects[o]))
            note_lost_of_object(columns, path, &sample->objects[o]);
    }
}

/* ---- New columns ---- */

/* Put a column at the end, and own what it owns. */
static bool append_column(prfdata_columns *columns, uint64_t hash, const prfdata_column *column)
{
    prfdata_column *items = prfdata_array_reserve(columns->items, &columns->capacity,
                                                  columns->count + 1, sizeof *items);

    if (!items)
        return false;
    columns->items = items;
    if (columns->count >= PRFDATA_HASH_TABLE_NONE ||
        !prfdata_hash_table_add(&columns->table, hash, (uint32_t)columns->count))
        return false;
    columns->items[columns->count++] = *column;
    return true;
}

static bool fill_column(const prfdata_columns *columns, const prfdata_resolver *match,
                        const column_key *key, prfdata_column *column)
{
    memset(column, 0, sizeof *column);
    column->path_number = key->path_number;
    column->object_title = key->object_title;
    column->counter_title = key->counter_title;
    column->is_moved = columns->first_version != columns->titles_version; /* it is not of before */
    column->status = PRFDATA_STATUS_NO_DATA;
    column->raw.status = PRFDATA_STATUS_NO_DATA;
    column->older.status = PRFDATA_STATUS_NO_DATA;
    column->heading = make_column_heading(columns, match);
    return column->heading &&
           (!match->object->has_instances || prfdata_text_copy(key->label, &column->label));
}

/* Add a column for the match unless there is one. */
static uint32_t add_column(prfdata_columns *columns, const prfdata_resolver *match)
{
    const column_key key = {match->path->number, matched_object_title(match),
                            matched_counter_title(match), match->instance->label};
    const uint64_t hash = hash_column_key(&key);
    prfdata_column column;

    if (prfdata_hash_table_find(&columns->table, hash, has_column_key, columns->items, &key) !=
        PRFDATA_HASH_TABLE_NONE)
        return ERROR_SUCCESS;
    if (columns->lost > 0) {
        bool is_found;
        const uint32_t status = find_column_again(columns, match, &key, hash, &is_found);

        if (status != ERROR_SUCCESS || is_found)
            return status;
    }
    if (!fill_column(columns, match, &key, &column) || !append_column(columns, hash, &column)) {
        free_column(&column);
        return ERROR_NOT_ENOUGH_MEMORY;
    }
    return ERROR_SUCCESS;
}

uint32_t prfdata_columns_add(prfdata_columns *columns, const prfdata_resolver_path *path,
                             const prfdata_sample *sample, prfdata_resolver_result *result)
{
    prfdata_resolver match;

    follow_titles(columns);
    if (columns->count == 0)
        columns->first_version = columns->titles_version;
    prfdata_resolver_begin(&match, path, columns->titles, sample);
    while (prfdata_resolver_next(&match)) {
        uint32_t status = add_column(columns, &match);

        if (status != ERROR_SUCCESS)
            return status;
    }
    note_lost_columns(columns, path, sample);
    *result = match.result;
    return ERROR_SUCCESS;
}

/* ---- Values ---- */

/* Where a column is in a sample; `counter` is its position in the object. */
typedef struct found_column {
    const prfdata_sample_object *object;
    const prfdata_sample_instance *instance;
    uint32_t counter;
} found_column;

static uint32_t find_column_place(const prfdata_column *column, const prfdata_sample *sample,
                                  found_column *result)
{
    if (column->object_title == 0)
        return column->lost_status != 0 ? column->lost_status : PRFDATA_STATUS_NO_OBJECT;
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

static uint32_t read_raw_of_column(const prfdata_column *column, const prfdata_sample *sample,
                                   prfdata_compute_raw *raw)
{
    found_column at;
    uint32_t status = find_column_place(column, sample, &at);

    if (status != PRFDATA_STATUS_OK)
        return status;
    return prfdata_sample_raw(sample, at.object, at.instance, at.counter, raw);
}

/* Read the text of a text counter; forget_column_value() released the one of before. */
static uint32_t read_column_text(prfdata_column *column, const found_column *at)
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

static void forget_column_value(prfdata_column *column)
{
    free((void *)(uintptr_t)column->text.chars);
    memset(&column->text, 0, sizeof column->text);
    column->is_text = false;
    column->status = PRFDATA_STATUS_NO_DATA;
    column->raw = (prfdata_compute_raw){.status = PRFDATA_STATUS_NO_DATA};
    column->older = column->raw;
}

static uint32_t compute_column(const prfdata_columns *columns, prfdata_column *column,
                               const prfdata_sample *older, const prfdata_sample *newer,
                               bool capped)
{
    found_column at;

    forget_column_value(column);
    if (older && !column->is_moved)
        column->older.status = read_raw_of_column(column, older, &column->older);
    column->is_moved = false;
    column->status = find_column_place(column, newer, &at);
    column->raw.status = column->status;
    if (column->status != PRFDATA_STATUS_OK)
        return ERROR_SUCCESS;
    column->is_known = true;
    column->type = at.object->counters[at.counter].definition.counter_type;
    column->default_scale = at.object->counters[at.counter].definition.default_scale;
    column->status = prfdata_sample_raw(newer, at.object, at.instance, at.counter, &column->raw);
    if (column->status == PRFDATA_STATUS_IS_TEXT)
        return read_column_text(column, &at);
    if (column->status == PRFDATA_STATUS_OK)
        column->status =
            prfdata_compute(column->older.status == PRFDATA_STATUS_OK ? &column->older : NULL,
                            &column->raw, &column->value);
    if (columns->has_idle_zeros &&
        prfdata_compute_idle(column->raw.type, column->status, &column->value))
        column->status = PRFDATA_STATUS_OK;
    if (column->status == PRFDATA_STATUS_OK && capped)
        prfdata_compute_cap(column->raw.type, &column->value);
    return ERROR_SUCCESS;
}

uint32_t prfdata_columns_compute(prfdata_columns *columns, const prfdata_sample *older,
                                 const prfdata_sample *newer, bool capped)
{
    follow_titles(columns);
    for (size_t i = 0; i < columns->count; i++) {
        uint32_t status = compute_column(columns, &columns->items[i], older, newer, capped);

        if (status != ERROR_SUCCESS)
            return status;
    }
    return ERROR_SUCCESS;
}

void prfdata_columns_forget(prfdata_columns *columns)
{
    for (size_t i = 0; i < columns->count; i++)
        forget_column_value(&columns->items[i]);
}
