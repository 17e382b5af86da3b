/* SPDX-License-Identifier: MIT */
/* Computes the hash of a map: FNV-1a over everything that a region depends on. */
#include "map/map_hash.h"

#include <string.h>

#include "base/fnv.h"

static uint64_t hash_number(uint64_t hash, uint32_t number)
{
    unsigned char bytes[4];

    for (unsigned i = 0; i < sizeof(bytes); i++)
        bytes[i] = (unsigned char)(number >> (8 * i));
    return prfdata_fnv_add(hash, bytes, sizeof(bytes));
}

static uint64_t hash_wide_number(uint64_t hash, uint64_t number)
{
    return hash_number(hash_number(hash, (uint32_t)number), (uint32_t)(number >> 32));
}

#define CELL_CLASS(name, meaning, initial_value, outlives, is_gauge) PRFDATA_CELL_##meaning,

prfdata_cell_class prfdata_map_hash_class(const prfdata_model_counter *counter)
{
    static const prfdata_cell_class classes[] = {PRFDATA_MERGINGS(CELL_CLASS)};

    return classes[counter->merging];
}

static uint64_t hash_object(uint64_t hash, const prfdata_model *model,
                            const prfdata_model_object *object)
{
    const bool has_parent = object->parent_index != PRFDATA_NONE;
    const uint32_t parent_id = has_parent ? model->objects[object->parent_index].entry->id : 0;

    hash = hash_number(hash, PRFDATA_ENTRY_OBJECT);
    hash = hash_number(hash, object->entry->id);
    hash = hash_number(hash, object->has_instances);
    hash = hash_number(hash, (object->options & PRFDATA_OPTION_PER_PROCESS) != 0);
    hash = hash_number(hash, object->name_chars);
    hash = hash_number(hash, parent_id);
    return has_parent && parent_id == 0 ? hash_number(hash, PRFDATA_OPTION_PARENT) : hash;
}

static uint64_t hash_counter(uint64_t hash, const prfdata_model_counter *counter)
{
    hash = hash_number(hash, PRFDATA_ENTRY_COUNTER);
    hash = hash_number(hash, counter->entry->id);
    hash = hash_number(hash, counter->is_base);
    hash = hash_number(hash, prfdata_map_hash_class(counter));
    hash = hash_number(hash, counter->ticks);
    hash = counter->is_hot ? hash_number(hash, PRFDATA_OPTION_HOT) : hash;
    /* The baselines of an accumulating counter depend on the statistic that it shows. */
    if (counter->shows && counter->merging == PRFDATA_MERGING_ACCUMULATE) {
        hash = hash_number(hash, counter->shows->option);
        hash = hash_number(hash, counter->shows->id);
        hash = hash_wide_number(hash, counter->shows->highest);
    }
    return hash;
}

static uint64_t hash_distribution(uint64_t hash, const prfdata_model_distribution *distribution)
{
    hash = hash_number(hash, PRFDATA_OPTION_DISTRIBUTION);
    hash = hash_number(hash, distribution->entry->id);
    hash = hash_number(hash, distribution->entry->unit);
    hash = hash_number(hash, distribution->shape.octave_bits);
    hash = hash_number(hash, distribution->shape.first_bucket);
    hash = hash_number(hash, distribution->shape.bucket_count);
    return hash_number(hash, distribution->shape.epoch_factor);
}

uint64_t prfdata_map_hash(const prfdata_model *model)
{
    const char *service = model->map->service;
    uint64_t hash = hash_number(PRFDATA_FNV_START, (uint32_t)strlen(service));

    hash = prfdata_fnv_add(hash, service, strlen(service));
    for (uint32_t i = 0; i < model->object_count; i++) {
        const prfdata_model_object *object = &model->objects[i];

        hash = hash_object(hash, model, object);
        for (uint32_t k = 0; k < object->counter_count; k++)
            hash = hash_counter(hash, &object->counters[k]);
        for (uint32_t k = 0; k < object->distribution_count; k++)
            hash = hash_distribution(hash, &object->distributions[k]);
    }
    return hash != 0 ? hash : 1; /* 0 means "no map" elsewhere */
}
