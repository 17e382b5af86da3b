/* SPDX-License-Identifier: MIT */
/* Finding titles, counters and distributions in a model by their numbers. */
#include <stddef.h>

#include "core/model.h"

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
