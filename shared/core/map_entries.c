/* SPDX-License-Identifier: MIT */
/* Walking a map's table. Judges nothing: that is map.c's. */
#include "core/map_entries.h"

#include "core/counter_types.h"

#define PROCESS_SUFFIX_CHARS 11 /* `_` and the ten digits of the largest process id */

uint32_t prfdata_map_entries_skip_options(const prfdata_map *map, uint32_t index)
{
    while (index < map->entry_count && map->entries[index].kind == PRFDATA_ENTRY_OPTION)
        index++;
    return index;
}

uint32_t prfdata_map_entries_target(const prfdata_map *map, uint32_t index)
{
    while (index > 0) {
        index--;
        if (map->entries[index].kind != PRFDATA_ENTRY_OPTION)
            return index;
    }
    return map->entry_count;
}

uint32_t prfdata_map_entries_options(const prfdata_map *map, uint32_t index, uint32_t *parent_id)
{
    uint32_t end = prfdata_map_entries_skip_options(map, index + 1);
    uint32_t options = 0;

    for (uint32_t i = index + 1; i < end; i++) {
        options |= map->entries[i].option;
        if (parent_id && map->entries[i].option == PRFDATA_OPTION_PARENT)
            *parent_id = map->entries[i].id;
    }
    return options;
}

uint32_t prfdata_map_entries_object_end(const prfdata_map *map, uint32_t index)
{
    do {
        index++;
    } while (index < map->entry_count && map->entries[index].kind != PRFDATA_ENTRY_OBJECT);
    return index;
}

bool prfdata_map_entries_has_base(const prfdata_map *map, uint32_t index)
{
    const prfdata_map_entry *counter = &map->entries[index];
    const prfdata_counter_type *type = prfdata_counter_types_find(counter->type);
    uint32_t next = prfdata_map_entries_skip_options(map, index + 1);

    return counter->kind == PRFDATA_ENTRY_COUNTER && type &&
           (type->flags & (PRFDATA_TYPE_NEEDS_BASE | PRFDATA_TYPE_MAY_HAVE_BASE)) != 0 &&
           next < map->entry_count && map->entries[next].kind == PRFDATA_ENTRY_COUNTER &&
           map->entries[next].type == type->base_type;
}

uint64_t prfdata_map_entries_name_chars(const prfdata_map *map, uint32_t index)
{
    const prfdata_map_entry *object = &map->entries[index];
    uint64_t chars = object->max_name_chars;

    if (object->max_instances == PERF_NO_INSTANCES)
        return 0;
    if (prfdata_map_entries_options(map, index, NULL) & PRFDATA_OPTION_PER_PROCESS)
        chars += PROCESS_SUFFIX_CHARS;
    return chars;
}
