/* SPDX-License-Identifier: MIT */
/*
 * Keeps texts by title index, sorted. This file knows the form of the title database's values and
 * of maps, but the callers load them.
 */
#include "block/name_table.h"

#include <stdlib.h>
#include <string.h>

#include <prfdata/error.h>

#include "base/array.h"
#include "map/model.h"
#include "names/names.h"

void prfdata_name_table_free(prfdata_name_table *table)
{
    for (size_t i = 0; i < table->count; i++)
        free((void *)(uintptr_t)table->items[i].name.chars);
    free(table->items);
    prfdata_title_index_free(&table->by_name);
    memset(table, 0, sizeof *table);
}

static bool is_same_entry(const prfdata_name_table_entry *a, const prfdata_name_table_entry *b)
{
    return a->index == b->index && a->name.count == b->name.count &&
           (a->name.count == 0 ||
            memcmp(a->name.chars, b->name.chars, a->name.count * sizeof *a->name.chars) == 0);
}

bool prfdata_name_table_equal(const prfdata_name_table *a, const prfdata_name_table *b)
{
    size_t same = 0;

    if (a->count != b->count)
        return false;
    while (same < a->count && is_same_entry(&a->items[same], &b->items[same]))
        same++;
    return same == a->count;
}

/* Return the position of `index`, or where to insert it. Try the end first, because most input is
 * sorted. */
static size_t index_position(const prfdata_name_table *table, uint32_t index)
{
    size_t low = 0;
    size_t high = table->count;

    if (high > 0 && table->items[high - 1].index < index)
        return high;
    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (table->items[middle].index < index)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static bool has_index_at(const prfdata_name_table *table, size_t position, uint32_t index)
{
    return position < table->count && table->items[position].index == index;
}

static uint32_t insert_entry(prfdata_name_table *table, size_t position, uint32_t index,
                             prfdata_text name)
{
    prfdata_name_table_entry *items =
        prfdata_array_reserve(table->items, &table->capacity, table->count + 1, sizeof *items);
    uint16_t *chars;

    if (!items)
        return ERROR_NOT_ENOUGH_MEMORY;
    table->items = items;
    chars = malloc(name.count * sizeof *chars);
    if (!chars)
        return ERROR_NOT_ENOUGH_MEMORY;

    memcpy(chars, name.chars, name.count * sizeof *chars);
    memmove(items + position + 1, items + position, (table->count - position) * sizeof *items);
    items[position].index = index;
    items[position].name.chars = chars;
    items[position].name.count = name.count;
    table->count++;
    table->by_name.count = 0;
    return ERROR_SUCCESS;
}

uint32_t prfdata_name_table_add(prfdata_name_table *table, uint32_t index, prfdata_text name)
{
    const size_t position = index_position(table, index);

    if (index == 0 || name.count == 0 || has_index_at(table, position, index))
        return ERROR_SUCCESS;
    return insert_entry(table, position, index, name);
}

uint32_t prfdata_name_table_append(prfdata_name_table *table, uint32_t index, prfdata_text name)
{
    if (index == 0 || name.count == 0)
        return ERROR_SUCCESS;
    return insert_entry(table, table->count, index, name);
}

static bool is_settled(const prfdata_name_table *table)
{
    for (size_t i = 1; i < table->count; i++) {
        if (table->items[i - 1].index >= table->items[i].index)
            return false;
    }
    return true;
}

uint32_t prfdata_name_table_settle(prfdata_name_table *table)
{
    prfdata_title_index order = {0};
    prfdata_name_table_entry *sorted;
    size_t count = 0;

    if (is_settled(table))
        return ERROR_SUCCESS;
    sorted = malloc(table->count * sizeof *sorted);
    if (!sorted || table->count >= UINT32_MAX || !prfdata_title_index_begin(&order, table->count)) {
        free(sorted);
        return ERROR_NOT_ENOUGH_MEMORY;
    }
    for (uint32_t i = 0; i < table->count; i++)
        prfdata_title_index_add(&order, table->items[i].index, i);
    prfdata_title_index_sort(&order);
    for (size_t i = 0; i < order.count; i++) {
        prfdata_name_table_entry *entry = &table->items[(uint32_t)order.items[i]];

        if (count > 0 && sorted[count - 1].index == entry->index)
            prfdata_text_free(&entry->name);
        else
            sorted[count++] = *entry;
    }
    prfdata_title_index_free(&order);
    free(table->items);
    table->items = sorted;
    table->capacity = table->count;
    table->count = count;
    table->by_name.count = 0;
    return ERROR_SUCCESS;
}

uint32_t prfdata_name_table_add_all(prfdata_name_table *table, const prfdata_name_table *from)
{
    uint32_t status = ERROR_SUCCESS;

    for (size_t i = 0; status == ERROR_SUCCESS && i < from->count; i++)
        status = prfdata_name_table_append(table, from->items[i].index, from->items[i].name);
    return status == ERROR_SUCCESS ? prfdata_name_table_settle(table) : status;
}

/* Return the text at *position, up to its NUL or the end, and move *position past the NUL. */
static prfdata_text next_list_text(const uint16_t *chars, size_t char_count, size_t *position)
{
    prfdata_text text = {chars + *position, 0};

    while (*position < char_count && chars[*position] != 0) {
        text.count++;
        ++*position;
    }
    if (*position < char_count)
        ++*position;
    return text;
}

uint32_t prfdata_name_table_add_list(prfdata_name_table *table, const uint16_t *chars,
                                     size_t char_count)
{
    size_t position = 0;

    while (position < char_count) {
        prfdata_text number = next_list_text(chars, char_count, &position);
        prfdata_text name;
        uint32_t index = 0;
        uint32_t status;

        if (number.count == 0)
            break;
        name = next_list_text(chars, char_count, &position);
        if (!prfdata_text_number(number, &index))
            continue;
        status = prfdata_name_table_append(table, index, name);
        if (status != ERROR_SUCCESS)
            return status;
    }
    return prfdata_name_table_settle(table);
}

/* Append a text of a map. The buffer is large enough for the longest help text, and names are
 * shorter. */
static uint32_t append_wide_text(prfdata_name_table *table, uint32_t index, const wchar_t *wide)
{
    uint16_t chars[PRFDATA_MAX_HELP_CHARS];
    size_t count = prfdata_names_utf16_from_wide(wide, chars, PRFDATA_MAX_HELP_CHARS);
    prfdata_text text = {chars, count};

    if (count > PRFDATA_MAX_HELP_CHARS)
        return ERROR_SUCCESS; /* cannot happen, because the check of the map refuses longer texts */
    return prfdata_name_table_append(table, index, text);
}

static uint32_t append_map_entry(prfdata_name_table *table, uint32_t index,
                                 const prfdata_map_entry *entry, bool is_help)
{
    return append_wide_text(table, index, is_help ? entry->help : entry->name);
}

/* Add the texts that an installation gives to unused title numbers. A number that the map uses
 * keeps the text of the map, which was added first. */
static uint32_t append_unused_entries(prfdata_name_table *table, const struct prfdata_model *model,
                                      uint32_t first)
{
    uint32_t status = ERROR_SUCCESS;

    for (uint32_t n = 0; status == ERROR_SUCCESS && n < model->number_count; n++)
        status = append_wide_text(table, first + 2 * n, L"" PRFDATA_TITLE_UNUSED);
    return status;
}

/* Append the names of a map, or its help texts if `is_help`. Title offsets of the map count from
 * `first`, the index of the first name or of the first help text. */
static uint32_t append_model_entries(prfdata_name_table *table, const struct prfdata_model *model,
                                     uint32_t first, bool is_help)
{
    for (uint32_t o = 0; o < model->object_count; o++) {
        const prfdata_model_object *object = &model->objects[o];
        uint32_t status =
            append_map_entry(table, first + object->title_offset, object->entry, is_help);

        for (uint32_t c = 0; status == ERROR_SUCCESS && c < object->counter_count; c++) {
            const prfdata_model_counter *counter = &object->counters[c];

            if (counter->title_offset != PRFDATA_NONE)
                status =
                    append_map_entry(table, first + counter->title_offset, counter->entry, is_help);
        }
        if (status != ERROR_SUCCESS)
            return status;
    }
    return append_unused_entries(table, model, first);
}

uint32_t prfdata_name_table_append_model(prfdata_name_table *table,
                                         const struct prfdata_model *model, uint32_t first_counter)
{
    return append_model_entries(table, model, first_counter, false);
}

uint32_t prfdata_name_table_append_model_helps(prfdata_name_table *table,
                                               const struct prfdata_model *model,
                                               uint32_t first_help)
{
    return append_model_entries(table, model, first_help, true);
}

uint32_t prfdata_name_table_append_model_objects(prfdata_name_table *table,
                                                 const struct prfdata_model *model,
                                                 uint32_t first_counter)
{
    uint32_t status = ERROR_SUCCESS;

    for (uint32_t o = 0; status == ERROR_SUCCESS && o < model->object_count; o++)
        status = append_map_entry(table, first_counter + model->objects[o].title_offset,
                                  model->objects[o].entry, false);
    return status;
}

bool prfdata_name_table_position(const prfdata_name_table *table, uint32_t index, size_t *position)
{
    *position = index_position(table, index);
    return has_index_at(table, *position, index);
}

prfdata_text prfdata_name_table_name(const prfdata_name_table *table, uint32_t index)
{
    prfdata_text none = {NULL, 0};
    size_t position = index_position(table, index);

    return has_index_at(table, position, index) ? table->items[position].name : none;
}

/* Names that differ only in case, or in blanks at their ends, have the same hash. */
static uint32_t hash_name(prfdata_text name)
{
    const prfdata_text trimmed = prfdata_text_trimmed(name);
    const uint64_t hash = prfdata_names_hash(trimmed.chars, trimmed.count, 0);

    return (uint32_t)(hash ^ hash >> 32);
}

void prfdata_name_table_index_names(prfdata_name_table *table)
{
    if (table->count == 0 || table->count >= PRFDATA_TITLE_INDEX_NONE ||
        !prfdata_title_index_begin(&table->by_name, table->count))
        return;
    for (uint32_t i = 0; i < table->count; i++)
        prfdata_title_index_add(&table->by_name, hash_name(table->items[i].name), i);
    prfdata_title_index_sort(&table->by_name);
}

static bool find_indexed_name(const prfdata_name_table *table, prfdata_text name,
                              prfdata_text_fit fit, size_t *position, uint32_t *index)
{
    const uint32_t hash = hash_name(name);

    while (*position < table->count) {
        const uint32_t at = prfdata_title_index_next(&table->by_name, hash, (uint32_t)*position);

        if (at == PRFDATA_TITLE_INDEX_NONE) {
            *position = table->count;
            return false;
        }
        *position = (size_t)at + 1;
        if (prfdata_text_fits(name, table->items[at].name, fit)) {
            *index = table->items[at].index;
            return true;
        }
    }
    return false;
}

bool prfdata_name_table_find(const prfdata_name_table *table, prfdata_text name,
                             prfdata_text_fit fit, size_t *position, uint32_t *index)
{
    if (table->by_name.count > 0 &&
        (fit != PRFDATA_TEXT_AS_PATTERN || !prfdata_text_has_wildcard(name)))
        return find_indexed_name(table, name, fit, position, index);
    while (*position < table->count) {
        const prfdata_name_table_entry *title = &table->items[(*position)++];

        if (prfdata_text_fits(name, title->name, fit)) {
            *index = title->index;
            return true;
        }
    }
    return false;
}
