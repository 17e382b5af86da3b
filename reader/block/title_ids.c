/* SPDX-License-Identifier: MIT */
/* Keeps ids in the order in which they were added; title_moves.c sorts copies of them. */
#include "block/title_ids.h"

#include <stdlib.h>
#include <string.h>

#include <prfdata/error.h>

#include "base/array.h"
#include "base/fnv.h"
#include "map/map_hash.h"
#include "map/model.h"
#include "names/names.h"

void prfdata_title_ids_free(prfdata_title_ids *ids)
{
    free(ids->items);
    memset(ids, 0, sizeof *ids);
}

uint32_t prfdata_title_ids_add(prfdata_title_ids *ids, uint32_t index, uint64_t key)
{
    prfdata_title_id *items =
        prfdata_array_reserve(ids->items, &ids->capacity, ids->count + 1, sizeof *items);

    if (!items)
        return ERROR_NOT_ENOUGH_MEMORY;
    ids->items = items;
    items[ids->count++] = (prfdata_title_id){index, key};
    return ERROR_SUCCESS;
}

static bool is_called(const prfdata_name_table *names, uint32_t index, const wchar_t *name)
{
    const prfdata_text called = prfdata_name_table_name(names, index);
    uint16_t chars[PRFDATA_MAX_NAME_CHARS];
    const size_t count = prfdata_names_utf16_from_wide(name, chars, PRFDATA_MAX_NAME_CHARS);

    return count > 0 && count <= PRFDATA_MAX_NAME_CHARS && called.count == count &&
           memcmp(called.chars, chars, count * sizeof *chars) == 0;
}

/*
 * Add the id and the meaning of a title to a hash. A counter that was installed by force with
 * another meaning thus gets another key.
 */
static uint64_t add_meaning(uint64_t hash, const prfdata_model_title *title)
{
    const prfdata_model_counter *counter = title->counter;
    const uint32_t meaning[] = {counter ? counter->entry->id : title->object->entry->id,
                                counter ? (uint32_t)prfdata_map_hash_class(counter)
                                        : title->object->has_instances,
                                counter ? (uint32_t)counter->ticks : 0, counter != NULL};

    return prfdata_fnv_add(hash, meaning, sizeof meaning);
}

uint32_t prfdata_title_ids_add_model(prfdata_title_ids *ids, prfdata_text service,
                                     const struct prfdata_model *model, uint32_t first_counter,
                                     const prfdata_name_table *names)
{
    const uint64_t of_service =
        prfdata_fnv_add(PRFDATA_FNV_START, service.chars, service.count * sizeof *service.chars);
    prfdata_model_title title = {0};

    while (prfdata_model_next_title(model, &title)) {
        const prfdata_map_entry *entry = title.counter ? title.counter->entry : title.object->entry;
        const uint32_t index = first_counter + prfdata_model_title_offset(&title);

        if (is_called(names, index, entry->name) &&
            prfdata_title_ids_add(ids, index, add_meaning(of_service, &title)) != ERROR_SUCCESS)
            return ERROR_NOT_ENOUGH_MEMORY;
    }
    return ERROR_SUCCESS;
}
