/* SPDX-License-Identifier: MIT */
/*
 * Writes the reply: PERF_INSTANCE_DEFINITIONs and counter blocks after the template's definitions.
 * Each object is measured first and written whole or not at all.
 */
#include "reply/reply.h"

#include <assert.h>

#include "base/perf_wire.h"
#include "names/names.h"

/* ---- Which parts are shown ---- */

static bool shows_object(const prfdata_merge *merge, uint32_t object_index)
{
    return merge->wanted[object_index] &&
           (merge->model->objects[object_index].has_instances || !merge->totals_unknown ||
            merge->model->health_index == object_index);
}

static bool shows_total(const prfdata_merge *merge, uint32_t object_index)
{
    return (merge->model->objects[object_index].options & PRFDATA_OPTION_TOTAL) &&
           !merge->totals_unknown;
}

/* How many bytes follow the definitions. */
static size_t contents_bytes(const prfdata_merge *merge, uint32_t object_index)
{
    const prfdata_model_object *object = &merge->model->objects[object_index];
    size_t bytes;

    if (merge->metadata)
        return 0;
    if (!object->has_instances)
        return object->block_bytes;
    bytes = merge->objects[object_index].bytes;
    if (shows_total(merge, object_index))
        bytes += prfdata_model_row_bytes(object, PRFDATA_NAMES_TOTAL_CHARS);
    return bytes;
}

/* The value for NumInstances. */
static int32_t instance_count_of(const prfdata_merge *merge, uint32_t object_index)
{
    const bool has_instances = merge->model->objects[object_index].has_instances;

    if (merge->metadata)
        return has_instances ? PERF_METADATA_MULTIPLE_INSTANCES : PERF_METADATA_NO_INSTANCES;
    if (!has_instances)
        return PERF_NO_INSTANCES;
    return (int32_t)merge->objects[object_index].row_count + shows_total(merge, object_index);
}

uint64_t prfdata_reply_object_bytes(const prfdata_merge *merge, uint32_t object_index)
{
    if (!shows_object(merge, object_index))
        return 0;
    return merge->templates[object_index]->definition_length + contents_bytes(merge, object_index);
}

uint64_t prfdata_reply_bytes(const prfdata_merge *merge)
{
    uint64_t bytes = 0;

    for (uint32_t i = 0; i < merge->model->object_count; i++)
        bytes += prfdata_reply_object_bytes(merge, i);
    return bytes;
}

/* ---- Writing ---- */

static void write_counter_block(prfdata_perf_block *block, const prfdata_model_object *object,
                                const uint64_t *values)
{
    const uint32_t byte_length = object->block_bytes;
    uint8_t *at = prfdata_perf_block_skip(block, byte_length);

    if (!at)
        return;
    memcpy(at, &byte_length, sizeof byte_length);
    prfdata_reply_put_values(object, values, at);
}

/*
 * Writes an instance. An instance with a number has NameLength 0 and a NUL in place of a name,
 * because several readers ignore NameLength and read a NUL-terminated string there. If the object
 * has a parent object, some readers look only at ParentObjectInstance, where 0 means the first
 * parent. So an instance without a parent has -1 there.
 *
 * parent_row  PRFDATA_NONE: the instance has no parent.
 */
static void put_instance(const prfdata_merge *merge, const prfdata_model_object *object,
                         uint32_t parent_row, const prfdata_region_key *row, const uint64_t *values,
                         prfdata_perf_block *block)
{
    prfdata_perf_instance_definition definition = {0};
    const uint32_t chars = row->name_chars;

    definition.byte_length = (uint32_t)prfdata_perf_instance_bytes(chars);
    if (object->parent_index != PRFDATA_NONE) {
        definition.parent_object_instance = parent_row; /* PRFDATA_NONE is -1 */
        if (parent_row != PRFDATA_NONE)
            definition.parent_object_title_index =
                merge->templates[object->parent_index]->object_name_title_index;
    }
    definition.unique_id = row->name ? PERF_NO_UNIQUE_ID : row->unique_id;
    definition.name_offset = sizeof definition;
    definition.name_length = row->name ? 2 * (chars + 1) : 0;
    prfdata_perf_block_put(block, &definition, sizeof definition);
    prfdata_perf_block_put(block, row->name, 2 * chars);
    prfdata_perf_block_skip(block, definition.byte_length - sizeof definition - 2 * chars);
    write_counter_block(block, object, values);
}

/*
 * Returns the parent row of `_Total`: the `_Total` of the parent object, which follows the rows of
 * that object. If the parent object shows no `_Total`, there is no parent row.
 */
static uint32_t parent_row_of_total(const prfdata_merge *merge, const prfdata_model_object *object)
{
    if (object->parent_index == PRFDATA_NONE || !shows_total(merge, object->parent_index))
        return PRFDATA_NONE;
    return merge->objects[object->parent_index].row_count;
}

static void put_object_instances(const prfdata_merge *merge, uint32_t object_index,
                                 prfdata_perf_block *block)
{
    static const prfdata_region_key total = {prfdata_names_total, PRFDATA_NAMES_TOTAL_CHARS, 0, 0,
                                             0};
    const prfdata_model_object *object = &merge->model->objects[object_index];
    const prfdata_merge_object *merged = &merge->objects[object_index];

    for (uint32_t i = 0; i < merged->row_count; i++) {
        const prfdata_region_key *row = &merged->rows[i];

        put_instance(merge, object, row->parent_slot, row,
                     merged->values + (size_t)i * object->cell_count, block);
    }
    if (shows_total(merge, object_index))
        put_instance(merge, object, parent_row_of_total(merge, object), &total, merged->totals,
                     block);
}

bool prfdata_reply_put_object(const prfdata_merge *merge, uint32_t object_index,
                              prfdata_perf_block *block)
{
    const prfdata_model_object *object = &merge->model->objects[object_index];
    const uint64_t bytes = prfdata_reply_object_bytes(merge, object_index);
    const size_t end = block->used + (size_t)bytes;

    if (bytes == 0 || bytes > block->capacity - block->used)
        return false;
    prfdata_template_put(merge->templates[object_index], (uint32_t)bytes,
                         instance_count_of(merge, object_index), block);
    if (!merge->metadata && object->has_instances)
        put_object_instances(merge, object_index, block);
    else if (!merge->metadata)
        write_counter_block(block, object, merge->objects[object_index].totals);
    assert(block->used == end);
    (void)end;
    return true;
}
