/* SPDX-License-Identifier: MIT */
/*
 * The reply: PERF_INSTANCE_DEFINITIONs and counter blocks after the template's definitions. One
 * writer for measuring and for writing. Knows neither regions nor queries.
 */
#include "provider/reply.h"

#include <string.h>

#include "core/names.h"
#include "core/perf_wire.h"

/* ---- What is shown ---- */

static bool shows_object(const prfdata_reply *reply, uint32_t object_index)
{
    return reply->wanted[object_index] &&
           (reply->model->objects[object_index].has_instances || !reply->sums_unknown);
}

static bool shows_total(const prfdata_reply *reply, uint32_t object_index)
{
    return (reply->model->objects[object_index].options & PRFDATA_OPTION_TOTAL) &&
           !reply->sums_unknown;
}

/* What put_object_contents will put. */
static size_t contents_bytes(const prfdata_reply *reply, uint32_t object_index)
{
    const prfdata_model_object *object = &reply->model->objects[object_index];
    size_t bytes;

    if (reply->metadata)
        return 0;
    if (!object->has_instances)
        return object->block_bytes;
    bytes = reply->merged->objects[object_index].bytes;
    if (shows_total(reply, object_index))
        bytes += prfdata_merge_instance_bytes(object, PRFDATA_NAMES_TOTAL_CHARS);
    return bytes;
}

uint64_t prfdata_reply_bytes(const prfdata_reply *reply)
{
    uint64_t bytes = 0;

    for (uint32_t i = 0; i < reply->model->object_count; i++)
        if (shows_object(reply, i))
            bytes += reply->template->objects[i].size + contents_bytes(reply, i);
    return bytes;
}

/* ---- Writing ---- */

static void write_counter_block(prfdata_perf_block *block, const prfdata_model_object *object,
                                const uint64_t *values)
{
    const uint32_t byte_length = object->block_bytes;
    size_t offset = prfdata_perf_block_skip(block, byte_length);

    if (!prfdata_perf_block_fits(block))
        return;
    prfdata_perf_block_patch(block, offset, &byte_length, sizeof byte_length);
    for (uint32_t i = 0; i < object->counter_count; i++) {
        const prfdata_model_counter *counter = &object->counters[i];
        uint8_t *value = block->bytes + offset + counter->block_offset;

        /* Sizes that the compiler knows; little-endian: the low bytes come first. */
        if (counter->value_bytes == sizeof(uint64_t))
            memcpy(value, &values[counter->cell_index], sizeof(uint64_t));
        else if (counter->value_bytes == sizeof(uint32_t))
            memcpy(value, &values[counter->cell_index], sizeof(uint32_t));
    }
}

static void write_instance_definition(prfdata_perf_block *block, uint32_t parent_title,
                                      uint32_t parent_position, const uint16_t *name,
                                      uint32_t name_chars, int32_t unique_id)
{
    prfdata_perf_instance_definition definition = {0};
    const uint32_t name_bytes = name ? 2 * (name_chars + 1) : 0;
    const uint32_t padded = (uint32_t)(sizeof definition + name_bytes + 7) / 8 * 8;

    definition.byte_length = padded;
    definition.parent_object_title_index = parent_title;
    definition.parent_object_instance = parent_position;
    definition.unique_id = name ? PERF_NO_UNIQUE_ID : unique_id;
    definition.name_offset = name ? (uint32_t)sizeof definition : 0;
    definition.name_length = name_bytes;
    prfdata_perf_block_put(block, &definition, sizeof definition);
    prfdata_perf_block_put(block, name, name ? 2 * name_chars : 0);
    prfdata_perf_block_skip(block, padded - sizeof definition - (name ? 2 * name_chars : 0));
}

static int32_t put_object_instances(const prfdata_reply *reply, uint32_t object_index,
                                    prfdata_perf_block *block)
{
    const prfdata_model *model = reply->model;
    const prfdata_model_object *object = &model->objects[object_index];
    const prfdata_merge_object *merged = &reply->merged->objects[object_index];
    uint32_t parent_title = 0;

    if (object->parent_index != PRFDATA_NONE)
        parent_title =
            reply->template->first_counter + model->objects[object->parent_index].title_offset;
    for (uint32_t i = 0; i < merged->row_count; i++) {
        const prfdata_merge_row *row = &merged->rows[i];
        bool has_parent = row->parent_row != PRFDATA_NONE;

        write_instance_definition(block, has_parent ? parent_title : 0,
                                  has_parent ? row->parent_row : 0, row->name, row->name_chars,
                                  row->unique_id);
        write_counter_block(block, object, merged->values + (size_t)i * object->cell_count);
    }
    if (!shows_total(reply, object_index))
        return (int32_t)merged->row_count;
    write_instance_definition(block, 0, 0, prfdata_names_total, PRFDATA_NAMES_TOTAL_CHARS, 0);
    write_counter_block(block, object, merged->totals);
    return (int32_t)merged->row_count + 1;
}

static int32_t put_object_contents(const prfdata_reply *reply, uint32_t object_index,
                                   prfdata_perf_block *block)
{
    const prfdata_model_object *object = &reply->model->objects[object_index];

    if (reply->metadata)
        return object->has_instances ? PERF_METADATA_MULTIPLE_INSTANCES
                                     : PERF_METADATA_NO_INSTANCES;
    if (object->has_instances)
        return put_object_instances(reply, object_index, block);
    write_counter_block(block, object, reply->merged->objects[object_index].totals);
    return PERF_NO_INSTANCES;
}

uint32_t prfdata_reply_put(const prfdata_reply *reply, prfdata_perf_block *block)
{
    const int64_t perf_time = (int64_t)prfdata_os_ticks();
    const int64_t perf_freq = (int64_t)prfdata_os_ticks_per_second();
    uint32_t objects = 0;

    for (uint32_t i = 0; i < reply->model->object_count; i++) {
        size_t offset;

        if (!shows_object(reply, i))
            continue;
        offset = prfdata_template_put(reply->template, i, perf_time, perf_freq, block);
        prfdata_template_finish(block, offset, put_object_contents(reply, i, block));
        objects++;
    }
    return objects;
}
