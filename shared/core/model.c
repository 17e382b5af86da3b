/* SPDX-License-Identifier: MIT */
/* The derivation of a model. One allocation: the model, its objects, all counters. */
#include "core/model.h"

#include <stdlib.h>

#include "core/map_bytes.h"
#include "core/map_entries.h"
#include "core/perf_wire.h"

typedef struct storage {
    prfdata_model model;    /* first: prfdata_model_free gets its address */
    prfdata_map *owned_map; /* or NULL */
} storage;

static uint32_t count_kind(const prfdata_map *map, uint32_t kind)
{
    uint32_t count = 0;

    for (uint32_t i = 0; i < map->entry_count; i++)
        count += map->entries[i].kind == kind;
    return count;
}

/* A base goes with its fraction: what its values mean together must be merged alike. */
static prfdata_merge merge_of(const prfdata_counter_type *type, uint32_t options,
                              const prfdata_counter_type *fraction)
{
    if (fraction && (fraction->flags & PRFDATA_TYPE_STAMPED))
        return PRFDATA_MERGE_NEWEST;
    if (options & PRFDATA_OPTION_ACCUMULATING)
        return PRFDATA_MERGE_ACCUMULATE;
    if (options & PRFDATA_OPTION_MERGE_MAX)
        return PRFDATA_MERGE_MAX;
    return type->merge;
}

static prfdata_ticks ticks_of(const prfdata_counter_type *type,
                              const prfdata_counter_type *fraction)
{
    return fraction && (fraction->flags & PRFDATA_TYPE_STAMPED) ? fraction->ticks : type->ticks;
}

/* `before` is the counter before it in the object, or NULL; `used_bytes` grows by the value. */
static void derive_counter(const prfdata_map *map, uint32_t index,
                           const prfdata_model_counter *before, uint32_t *used_bytes,
                           prfdata_model_counter *counter)
{
    const prfdata_counter_type *type = prfdata_counter_types_find(map->entries[index].type);
    const prfdata_counter_type *fraction = NULL;

    counter->entry = &map->entries[index];
    counter->is_base = (type->flags & PRFDATA_TYPE_BASE) != 0;
    counter->has_base = prfdata_map_entries_has_base(map, index);
    counter->options = prfdata_map_entries_options(map, index, NULL);
    if (before && counter->is_base) { /* the map was checked: a base has one before it */
        fraction = prfdata_counter_types_find(before->entry->type);
        counter->options = before->options;
    }
    counter->merge = merge_of(type, counter->options, fraction);
    counter->ticks = ticks_of(type, fraction);
    counter->value_bytes = type->value_bytes;
    counter->block_offset = prfdata_counter_types_place(type, used_bytes);
    counter->title_offset = PRFDATA_NONE; /* both filled in where they are counted */
    counter->cell_index = PRFDATA_NONE;
}

static uint32_t parent_index(const prfdata_map *map, uint32_t index,
                             const prfdata_model_object *objects, uint32_t object_count)
{
    uint32_t id = 0;

    if (!(prfdata_map_entries_options(map, index, &id) & PRFDATA_OPTION_PARENT))
        return PRFDATA_NONE;
    for (uint32_t i = 0; i < object_count; i++) {
        if (objects[i].entry->id == id)
            return i;
    }
    return PRFDATA_NONE;
}

/* What follows from the object's own entry and its options. */
static void derive_object(const prfdata_map *map, uint32_t index,
                          const prfdata_model_object *earlier, uint32_t earlier_count,
                          prfdata_model_object *object)
{
    const prfdata_map_entry *entry = &map->entries[index];

    object->entry = entry;
    object->options = prfdata_map_entries_options(map, index, NULL);
    object->detail_level = PERF_DETAIL_WIZARD;
    object->parent_index = parent_index(map, index, earlier, earlier_count);
    object->has_instances = entry->max_instances != PERF_NO_INSTANCES;
    object->max_instances = object->has_instances ? (uint32_t)entry->max_instances : 1;
    object->name_chars = (uint32_t)prfdata_map_entries_name_chars(map, index);
}

/* What the object gets from one of its counters. */
static void count_in(prfdata_model_object *object, prfdata_model_counter *counter,
                     uint32_t *title_count)
{
    if (!counter->is_base) {
        counter->title_offset = 2 * (*title_count)++;
        if (counter->entry->detail_level < object->detail_level)
            object->detail_level = counter->entry->detail_level;
        if (counter->entry->id == object->entry->default_counter)
            object->default_position = object->counter_count;
    }
    if (counter->value_bytes > 0)
        counter->cell_index = object->cell_count++;
    object->counter_count++;
}

/* Returns the counter behind the object's last. */
static prfdata_model_counter *derive_counters(const prfdata_map *map, uint32_t index,
                                              prfdata_model_object *object,
                                              prfdata_model_counter *counters,
                                              uint32_t *title_count)
{
    uint32_t end = prfdata_map_entries_object_end(map, index);
    uint32_t used_bytes = sizeof(prfdata_perf_counter_block);
    const prfdata_model_counter *before = NULL;

    object->counters = counters;
    for (uint32_t i = index + 1; i < end; i++) {
        if (map->entries[i].kind != PRFDATA_ENTRY_COUNTER)
            continue;
        derive_counter(map, i, before, &used_bytes, counters);
        count_in(object, counters, title_count);
        before = counters++;
    }
    object->block_bytes = (used_bytes + 7) / 8 * 8;
    return counters;
}

static void derive_objects(const prfdata_map *map, prfdata_model *model,
                           prfdata_model_object *objects, prfdata_model_counter *counters)
{
    uint32_t object_count = 0;

    for (uint32_t i = 0; i < map->entry_count; i++) {
        prfdata_model_object *object = &objects[object_count];

        if (map->entries[i].kind != PRFDATA_ENTRY_OBJECT)
            continue;
        derive_object(map, i, objects, object_count, object);
        object->title_offset = 2 * model->title_count++;
        counters = derive_counters(map, i, object, counters, &model->title_count);
        object_count++;
    }
    model->objects = objects;
    model->object_count = object_count;
}

uint32_t prfdata_model_make(const prfdata_map *map, prfdata_model **model)
{
    size_t object_bytes, counter_bytes;
    storage *made;
    prfdata_model_object *objects;

    if (prfdata_map_check(map, NULL, 0) > 0)
        return ERROR_INVALID_PARAMETER;

    object_bytes = count_kind(map, PRFDATA_ENTRY_OBJECT) * sizeof(prfdata_model_object);
    counter_bytes = count_kind(map, PRFDATA_ENTRY_COUNTER) * sizeof(prfdata_model_counter);
    made = calloc(1, sizeof(*made) + object_bytes + counter_bytes);
    if (!made)
        return ERROR_NOT_ENOUGH_MEMORY;

    objects = (prfdata_model_object *)(made + 1);
    made->model.map = map;
    made->model.hash = prfdata_map_hash(map);
    derive_objects(map, &made->model, objects,
                   (prfdata_model_counter *)((unsigned char *)objects + object_bytes));
    *model = &made->model;
    return ERROR_SUCCESS;
}

uint32_t prfdata_model_from_bytes(const void *bytes, size_t size, prfdata_model **model)
{
    prfdata_map *map;
    prfdata_model *made;
    uint32_t status = prfdata_map_bytes_decode(bytes, size, &map);

    if (status != ERROR_SUCCESS)
        return status;
    status = prfdata_model_make(map, &made);
    if (status != ERROR_SUCCESS) {
        free(map);
        return status;
    }
    ((storage *)made)->owned_map = map;
    *model = made;
    return ERROR_SUCCESS;
}

void prfdata_model_free(prfdata_model *model)
{
    storage *made = (storage *)model;

    if (!made)
        return;
    free(made->owned_map);
    free(made);
}

const prfdata_model_object *prfdata_model_find_object(const prfdata_model *model, uint32_t id)
{
    for (uint32_t i = 0; i < model->object_count; i++) {
        if (model->objects[i].entry->id == id)
            return &model->objects[i];
    }
    return NULL;
}

const prfdata_model_counter *prfdata_model_find_counter(const prfdata_model *model, uint32_t id,
                                                        const prfdata_model_object **object)
{
    for (uint32_t i = 0; i < model->object_count; i++) {
        const prfdata_model_object *candidate = &model->objects[i];

        for (uint32_t j = 0; j < candidate->counter_count; j++) {
            if (candidate->counters[j].entry->id != id)
                continue;
            if (object)
                *object = candidate;
            return &candidate->counters[j];
        }
    }
    return NULL;
}
