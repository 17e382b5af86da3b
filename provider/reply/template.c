/* SPDX-License-Identifier: MIT */
/* Makes the constant part of the reply from the model and the title indexes. */
#include "reply/template.h"

#include <stdlib.h>
#include <string.h>

#include "system/os.h"

static void put_object_template(prfdata_perf_block *block, const prfdata_model_object *object,
                                uint32_t first_counter, uint32_t first_help)
{
    prfdata_perf_object_type type = {0};

    type.definition_length = (uint32_t)prfdata_perf_definitions_bytes(object->counter_count);
    type.header_length = sizeof type;
    type.object_name_title_index = first_counter + object->title_offset;
    type.object_help_title_index = first_help + object->title_offset;
    type.detail_level = object->detail_level;
    type.num_counters = object->counter_count;
    type.default_counter = (int32_t)object->default_position;
    type.perf_freq = (int64_t)prfdata_os_ticks_per_second();
    prfdata_perf_block_put(block, &type, sizeof type);
}

static void put_counter_template(prfdata_perf_block *block, const prfdata_model_counter *counter,
                                 uint32_t first_counter, uint32_t first_help)
{
    prfdata_perf_counter_definition definition = {0};

    definition.byte_length = sizeof definition;
    /* A base counter has the indexes 0, because it is never shown. */
    if (counter->title_offset != PRFDATA_NONE) {
        definition.counter_name_title_index = first_counter + counter->title_offset;
        definition.counter_help_title_index = first_help + counter->title_offset;
    }
    definition.default_scale = counter->entry->default_scale;
    definition.detail_level = counter->entry->detail_level;
    definition.counter_type = counter->entry->type;
    definition.counter_size = counter->value_bytes;
    definition.counter_offset = counter->block_offset;
    prfdata_perf_block_put(block, &definition, sizeof definition);
}

prfdata_perf_object_type **prfdata_template_make(const prfdata_model *model, uint32_t first_counter,
                                                 uint32_t first_help)
{
    /* The objects that follow are aligned, because the sizes of all definitions are multiples of
     * 8. */
    const size_t head = (model->object_count * sizeof(prfdata_perf_object_type *) + 7) / 8 * 8;
    prfdata_perf_object_type **made;
    prfdata_perf_block block;
    size_t size = 0;

    for (uint32_t i = 0; i < model->object_count; i++)
        size += prfdata_perf_definitions_bytes(model->objects[i].counter_count);
    made = malloc(head + size + 1);
    if (!made)
        return NULL;
    prfdata_perf_block_init(&block, (uint8_t *)made + head, size);
    for (uint32_t i = 0; i < model->object_count; i++) {
        const prfdata_model_object *object = &model->objects[i];

        made[i] = (void *)(block.bytes + block.used);
        put_object_template(&block, object, first_counter, first_help);
        for (uint32_t j = 0; j < object->counter_count; j++)
            put_counter_template(&block, &object->counters[j], first_counter, first_help);
    }
    return made;
}

void prfdata_template_put(const prfdata_perf_object_type *object, uint32_t total_bytes,
                          int32_t instance_count, prfdata_perf_block *block)
{
    prfdata_perf_object_type type = *object;

    type.total_byte_length = total_bytes;
    type.num_instances = instance_count;
    prfdata_perf_block_put(block, &type, sizeof type);
    prfdata_perf_block_put(block, object + 1, object->definition_length - sizeof type);
}
