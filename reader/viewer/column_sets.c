/* SPDX-License-Identifier: MIT */
/* Keeps the columns of all sets in one list, because there are few. */
#include "viewer/column_sets.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"

#define SETTING "column-set"

static size_t find_bar(prfdata_text text)
{
    size_t at = 0;

    while (at < text.count && text.chars[at] != '|')
        at++;
    return at;
}

static void free_item(prfdata_column_set_item *item)
{
    prfdata_text_free(&item->name);
    prfdata_text_free(&item->path);
}

static void add_item(prfdata_column_sets *sets, const prfdata_column_set_item *item)
{
    prfdata_column_set_item added = {.position = item->position, .is_hidden = item->is_hidden};
    prfdata_column_set_item *items;

    if (sets->count == PRFDATA_COLUMN_SETS_MOST)
        return;
    items = prfdata_array_reserve(sets->items, &sets->capacity, sets->count + 1, sizeof *items);
    if (!items)
        return;
    sets->items = items;
    if (!prfdata_text_copy(item->name, &added.name) ||
        !prfdata_text_copy(item->path, &added.path)) {
        free_item(&added);
        return;
    }
    items[sets->count++] = added;
}

void prfdata_column_sets_put(prfdata_column_sets *sets, const prfdata_column_set_item *item)
{
    prfdata_column_set_item *found;

    if (item->name.count == 0 || find_bar(item->name) < item->name.count)
        return;
    found = (prfdata_column_set_item *)prfdata_column_sets_find(sets, item->name, item->path);
    if (!found) {
        add_item(sets, item);
        return;
    }
    found->position = item->position;
    found->is_hidden = item->is_hidden;
}

const prfdata_column_set_item *prfdata_column_sets_find(const prfdata_column_sets *sets,
                                                        prfdata_text name, prfdata_text path)
{
    for (size_t i = 0; i < sets->count; i++) {
        if (prfdata_text_equal(sets->items[i].name, name) &&
            prfdata_text_equal(sets->items[i].path, path))
            return &sets->items[i];
    }
    return NULL;
}

static bool begins_set(const prfdata_column_sets *sets, size_t at)
{
    for (size_t i = 0; i < at; i++) {
        if (prfdata_text_equal(sets->items[i].name, sets->items[at].name))
            return false;
    }
    return true;
}

prfdata_text prfdata_column_sets_name(const prfdata_column_sets *sets, size_t at)
{
    for (size_t i = 0; i < sets->count; i++) {
        if (begins_set(sets, i) && at-- == 0)
            return sets->items[i].name;
    }
    return (prfdata_text){NULL, 0};
}

void prfdata_column_sets_remove(prfdata_column_sets *sets, prfdata_text name)
{
    size_t kept = 0;
    prfdata_text copy = {NULL, 0};

    /* Copy the name first, because `name` may belong to a column that is removed below. */
    if (!prfdata_text_copy(name, &copy))
        return;
    for (size_t i = 0; i < sets->count; i++) {
        if (prfdata_text_equal(sets->items[i].name, copy))
            free_item(&sets->items[i]);
        else
            sets->items[kept++] = sets->items[i];
    }
    sets->count = kept;
    prfdata_text_free(&copy);
}

void prfdata_column_sets_write(const prfdata_column_sets *sets, prfdata_workspace *workspace)
{
    for (size_t i = 0; i < sets->count; i++) {
        const prfdata_column_set_item *item = &sets->items[i];
        prfdata_output prefix = {0};

        prfdata_output_format(&prefix, "%u %u ", (unsigned)item->position,
                              (unsigned)item->is_hidden);
        prfdata_output_put_text(&prefix, item->name);
        prfdata_output_put_string(&prefix, "|");
        prfdata_output_put(&prefix, "", 1);
        if (!prefix.failed)
            prfdata_workspace_put_prefixed(workspace, SETTING, prefix.bytes, item->path);
        prfdata_output_free(&prefix);
    }
}

void prfdata_column_sets_read(prfdata_column_sets *sets, const prfdata_workspace *workspace)
{
    prfdata_text value;

    prfdata_column_sets_free(sets);
    for (size_t i = 0; prfdata_workspace_get(workspace, SETTING, i, &value); i++) {
        prfdata_column_set_item item = {.is_hidden = false};
        uint32_t hidden;
        size_t bar;

        if (!prfdata_workspace_take_number(&value, &item.position) ||
            !prfdata_workspace_take_number(&value, &hidden))
            continue;
        bar = find_bar(value);
        if (bar >= value.count)
            continue;
        item.is_hidden = hidden != 0;
        item.name = prfdata_text_part(value, 0, bar);
        item.path = prfdata_text_part(value, bar + 1, value.count);
        prfdata_column_sets_put(sets, &item);
    }
}

void prfdata_column_sets_free(prfdata_column_sets *sets)
{
    for (size_t i = 0; i < sets->count; i++)
        free_item(&sets->items[i]);
    free(sets->items);
    memset(sets, 0, sizeof *sets);
}
