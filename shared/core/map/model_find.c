/* SPDX-License-Identifier: MIT */
/*
 * Iterates over a model's titles, finds a title by its offset, and finds counters and distributions
 * by id.
 */
#include <stddef.h>

#include "map/model.h"

bool prfdata_model_next_title(const prfdata_model *model, prfdata_model_title *title)
{
    const prfdata_model_object *object = title->object ? title->object : model->objects;
    uint32_t next = title->counter ? (uint32_t)(title->counter - object->counters) + 1 : 0;

    if (title->object) {
        while (next < object->counter_count && object->counters[next].is_base)
            next++;
        if (next < object->counter_count) {
            title->counter = &object->counters[next];
            return true;
        }
        object++;
    }
    if (object == model->objects + model->object_count)
        return false;
    title->object = object;
    title->counter = NULL;
    return true;
}

bool prfdata_model_find_title(const prfdata_model *model, uint32_t offset,
                              prfdata_model_title *title)
{
    *title = (prfdata_model_title){NULL, NULL};
    while (prfdata_model_next_title(model, title))
        if (prfdata_model_title_offset(title) == offset)
            return true;
    return false;
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

const prfdata_model_distribution *
prfdata_model_find_distribution(const prfdata_model *model, uint32_t id,
                                const prfdata_model_object **object)
{
    for (uint32_t i = 0; i < model->object_count; i++) {
        const prfdata_model_object *candidate = &model->objects[i];

        for (uint32_t j = 0; j < candidate->distribution_count; j++) {
            if (candidate->distributions[j].entry->id != id)
                continue;
            *object = candidate;
            return &candidate->distributions[j];
        }
    }
    return NULL;
}
