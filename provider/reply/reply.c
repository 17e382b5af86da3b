/* SPDX-License-Identifier: MIT */
/*
 * The reply: PERF_INSTANCE_DEFINITIONs and counter blocks after the template's definitions. One
 * writer for measuring and for writing. What is in the rows, merge.c has decided; what is asked
 * for, the caller.
 */
#include "reply/reply.h"

#include "base/perf_wire.h"
#include "names/names.h"

/* ---- What is shown ---- */

static bool shows_object(const prfdata_reply *reply, uint32_t object_index)
{
    return reply->merge->wanted[object_index] &&
           (reply->merge->model->objects[object_index].has_instances || !reply->sums_unknown ||
            reply->merge->model->health_index == object_index);
}

static bool shows_total(const prfdata_reply *reply, uint32_t object_index)
{
    return (reply->merge->model->objects[object_index].options & PRFDATA_OPTION_TOTAL) &&
           !reply->sums_unknown;
}

/* What put_object_contents will put. */
static size_t contents_bytes(const prfdata_reply *reply, uint32_t object_index)
{
    const prfdata_model_object *object = &reply->merge->model->objects[object_index];
    size_t bytes;

    if (reply->metadata)
        return 0;
    if (!object->has_instances)
        return object->block_bytes;
    bytes = reply->merge->objects[object_index].bytes;
    if (shows_total(reply, object_index))
        bytes += prfdata_merge_instance_bytes(object, PRFDATA_NAMES_TOTAL_CHARS);
    return bytes;
}

uint64_t prfdata_reply_object_bytes(const prfdata_reply *reply, uint32_t object_index)
{
    if (!shows_object(reply, object_index))
        return 0;
    return reply->templates[object_index]->definition_length + contents_bytes(reply, object_index);
}

uint64_t prfdata_reply_bytes(const prfdata_reply *reply)
{
    uint64_t bytes = 0;

    for (uint32_t i = 0; i < reply->merge->model->object_count; i++)
        bytes += prfdata_reply_object_bytes(reply, i);
    return bytes;
}

/* ---- Writing ---- */

static void write_counter_block(prfdata_perf_block *block, const prfdata_model_object *object,
                                const uint64_t *values)
{
    const uint32_t byte_length = object->block_bytes;
    const size_t offset = prfdata_perf_block_skip(block, byte_length);

    prfdata_perf_block_patch(block, offset, &byte_length, sizeof byte_length);
    if (prfdata_perf_block_fits(block))
        prfdata_reply_put_values(object, values, block->bytes + offset);
}

/*
 * Put an instance. One with a number has an empty name, terminated where a name stands: several
 * readers take a NUL-terminated text there without looking at NameLength, which is 0. Some look at
 * the instance only, once any instance of the object has a parent: without one it is -1 there, else
 * it would be a child of the first.
 *
 * parent_row  PRFDATA_NONE: it has no parent.
 */
static void put_instance(const prfdata_reply *reply, const prfdata_model_object *object,
                         uint32_t parent_row, const prfdata_region_key *row, const uint64_t *values,
                         prfdata_perf_block *block)
{
    prfdata_perf_instance_definition definition = {0};
    const uint32_t chars = row->name_chars;
    const uint32_t padded = (uint32_t)(sizeof definition + 2 * (chars + 1) + 7) / 8 * 8;

    definition.byte_length = padded;
    if (object->parent_index != PRFDATA_NONE) {
        definition.parent_object_instance = parent_row; /* PRFDATA_NONE is -1 */
        if (parent_row != PRFDATA_NONE)
            definition.parent_object_title_index =
                reply->templates[object->parent_index]->object_name_title_index;
    }
    definition.unique_id = row->name ? PERF_NO_UNIQUE_ID : row->unique_id;
    definition.name_offset = sizeof definition;
    definition.name_length = row->name ? 2 * (chars + 1) : 0;
    prfdata_perf_block_put(block, &definition, sizeof definition);
    prfdata_perf_block_put(block, row->name, 2 * chars);
    prfdata_perf_block_skip(block, padded - sizeof definition - 2 * chars);
    write_counter_block(block, object, values);
}

/* `_Total` is the child of the parents' `_Total`,
 * which stands after their rows, if they have one. */
static uint32_t parent_row_of_total(const prfdata_reply *reply, const prfdata_model_object *object)
{
    if (object->parent_index == PRFDATA_NONE || !shows_total(reply, object->parent_index))
        return PRFDATA_NONE;
    return reply->merge->objects[object->parent_index].row_count;
}

static int32_t put_object_instances(const prfdata_reply *reply, uint32_t object_index,
                                    prfdata_perf_block *block)
{
    static const prfdata_region_key total = {prfdata_names_total, PRFDATA_NAMES_TOTAL_CHARS, 0, 0,
                                             0};
    const prfdata_model_object *object = &reply->merge->model->objects[object_index];
    const prfdata_merge_object *merged = &reply->merge->objects[object_index];

    for (uint32_t i = 0; i < merged->row_count; i++) {
        const prfdata_region_key *row = &merged->rows[i].key;

        put_instance(reply, object, row->parent_slot, row,
                     merged->values + (size_t)i * object->cell_count, block);
    }
    if (!shows_total(reply, object_index))
        return (int32_t)merged->row_count;
    put_instance(reply, object, parent_row_of_total(reply, object), &total, merged->totals, block);
    return (int32_t)merged->row_count + 1;
}

static int32_t put_object_contents(const prfdata_reply *reply, uint32_t object_index,
                                   prfdata_perf_block *block)
{
    const prfdata_model_object *object = &reply->merge->model->objects[object_index];

    if (reply->metadata)
        return object->has_instances ? PERF_METADATA_MULTIPLE_INSTANCES
                                     : PERF_METADATA_NO_INSTANCES;
    if (object->has_instances)
        return put_object_instances(reply, object_index, block);
    write_counter_block(block, object, reply->merge->objects[object_index].totals);
    return PERF_NO_INSTANCES;
}

bool prfdata_reply_put_object(const prfdata_reply *reply, uint32_t object_index,
                              prfdata_perf_block *block)
{
    size_t offset;

    if (!shows_object(reply, object_index))
        return false;
    offset = prfdata_template_put(reply->templates[object_index], block);
    prfdata_template_finish(block, offset, put_object_contents(reply, object_index, block));
    return true;
}
