/* SPDX-License-Identifier: MIT */
/* Checks instances: their definitions, their counter blocks, their parents, and whether readers
 * would mix up two of them. validate_value.c checks the values in the blocks. */
#include "validate/validate_instance.h"

#include <inttypes.h>
#include <stdlib.h>

#include <prfdata/perf_types.h>

#include "validate/validate_name.h"

/* ---- Reading ---- */

static bool read_validated_block(prfdata_validated *j, const prfdata_validated_object *o,
                                 uint64_t *at, prfdata_validated_instance *i)
{
    const uint64_t left = o->end - *at;
    uint32_t bytes = 0;

    if (left >= sizeof(prfdata_perf_counter_block))
        bytes = prfdata_wire_fields_counter_block(j->bytes, *at).byte_length;
    if (bytes < sizeof(prfdata_perf_counter_block) || bytes > left) {
        PRFDATA_FIND(j, BLOCK_LENGTH, *at,
                     "PERF_COUNTER_BLOCK.ByteLength is %u bytes, but %" PRIu64
                     " bytes are left of the object",
                     (unsigned)bytes, left);
        return false;
    }
    if (bytes % 8 != 0)
        PRFDATA_FIND(j, BLOCK_ALIGNMENT, *at,
                     "PERF_COUNTER_BLOCK.ByteLength is %u, which is no multiple of 8",
                     (unsigned)bytes);
    i->values = *at;
    i->values_bytes = bytes;
    *at += bytes;
    return true;
}

static bool read_validated_instance(prfdata_validated *j, const prfdata_validated_object *o,
                                    uint64_t *at, prfdata_validated_instance *i, uint16_t *chars)
{
    const uint64_t left = o->end - *at;
    uint32_t bytes = 0;

    if (left >= sizeof i->definition) {
        i->at = *at;
        i->definition = prfdata_wire_fields_instance_definition(j->bytes, *at);
        bytes = i->definition.byte_length;
    }
    if (bytes < sizeof i->definition || bytes > left) {
        PRFDATA_FIND(j, INSTANCE_LENGTH, *at,
                     "PERF_INSTANCE_DEFINITION.ByteLength is %u bytes, but %" PRIu64
                     " bytes are left of the object",
                     (unsigned)bytes, left);
        return false;
    }
    if (bytes % 8 != 0)
        PRFDATA_FIND(j, INSTANCE_ALIGNMENT, *at,
                     "PERF_INSTANCE_DEFINITION.ByteLength is %u, which is no multiple of 8",
                     (unsigned)bytes);
    prfdata_validate_name_read(j, o, i, chars);
    *at += bytes;
    return read_validated_block(j, o, at, i);
}

static void read_lone_block(prfdata_validated *j, prfdata_validated_object *o)
{
    uint64_t at = o->contents;

    o->instances = prfdata_validated_array(j, 1, sizeof *o->instances);
    if (!o->instances || !read_validated_block(j, o, &at, &o->instances[0]))
        return;
    o->instances[0].at = o->contents;
    o->instance_count = 1;
    if (at != o->end && o->end_is_known)
        PRFDATA_FIND(j, INSTANCE_WALK, at,
                     "the counter block ends here, the object at byte %" PRIu64, o->end);
}

static void read_validated_instances(prfdata_validated *j, prfdata_validated_object *o,
                                     uint32_t said)
{
    const uint64_t room = o->end - o->contents;
    uint64_t possible =
        room / (sizeof o->instances->definition + sizeof(prfdata_perf_counter_block));
    uint64_t at = o->contents;
    size_t used_chars = 0;

    if (said < possible)
        possible = said;
    o->instances = prfdata_validated_array(j, possible, sizeof *o->instances);
    o->chars = prfdata_validated_array(j, room, sizeof *o->chars);
    if (!o->instances || !o->chars)
        return;
    for (uint32_t i = 0; i < said; i++) {
        if (i == possible || at == o->end) {
            PRFDATA_FIND(j, INSTANCE_COUNT, PRFDATA_OBJECT_AT(o, num_instances),
                         "PERF_OBJECT_TYPE.NumInstances is %u, but the object ends after %u",
                         (unsigned)said, (unsigned)i);
            return;
        }
        if (!read_validated_instance(j, o, &at, &o->instances[i], o->chars + used_chars))
            return;
        used_chars += o->instances[i].name.count;
        o->instance_count = i + 1;
    }
    if (at != o->end && o->end_is_known)
        PRFDATA_FIND(j, INSTANCE_WALK, at, "the instances end here, the object at byte %" PRIu64,
                     o->end);
}

/*
 * Checks that the reply to a metadata query claims to be metadata and has only definitions. Other
 * replies must not claim to be metadata.
 */
static void validate_metadata(prfdata_validated *j, const prfdata_validated_object *o,
                              bool says_metadata)
{
    const int said = (int)o->header.num_instances;

    if (!j->is_metadata)
        PRFDATA_FIND(j, INSTANCE_COUNT, PRFDATA_OBJECT_AT(o, num_instances),
                     "PERF_OBJECT_TYPE.NumInstances is %d, which answers metadata queries only",
                     said);
    else if (!says_metadata || (o->contents_are_known && o->end_is_known && o->contents != o->end))
        PRFDATA_FIND(j, METADATA_INSTANCES, PRFDATA_OBJECT_AT(o, num_instances),
                     "PERF_OBJECT_TYPE.NumInstances is %d, %" PRIu64
                     " bytes follow the definitions",
                     said, o->end - o->contents);
}

void prfdata_validate_instance_read(prfdata_validated *j, prfdata_validated_object *o)
{
    const int32_t said = o->header.num_instances;
    const bool says_metadata =
        said == PERF_METADATA_MULTIPLE_INSTANCES || said == PERF_METADATA_NO_INSTANCES;

    if (j->is_metadata || says_metadata) {
        validate_metadata(j, o, says_metadata);
        return;
    }
    if (!o->contents_are_known)
        return;
    if (said == PERF_NO_INSTANCES)
        read_lone_block(j, o);
    else if (said < 0)
        PRFDATA_FIND(j, INSTANCE_COUNT, PRFDATA_OBJECT_AT(o, num_instances),
                     "PERF_OBJECT_TYPE.NumInstances is %d", (int)said);
    else if (said > 0)
        read_validated_instances(j, o, (uint32_t)said);
    else if (o->contents != o->end && o->end_is_known)
        PRFDATA_FIND(j, EMPTY_TAIL, o->contents, "%" PRIu64 " bytes follow the definitions",
                     o->end - o->contents);
}

/* ---- Values in their blocks ---- */

/* Return the end of a value in a counter block; 0: the counter has no value. */
static uint64_t counter_value_end(const prfdata_validated_counter *c)
{
    if (c->definition.counter_size == 0)
        return 0;
    return (uint64_t)c->definition.counter_offset + c->definition.counter_size;
}

static void report_value_outside(prfdata_validated *j, const prfdata_validated_object *o,
                                 const prfdata_validated_instance *i)
{
    for (uint32_t k = 0; k < o->counter_count; k++) {
        const prfdata_validated_counter *c = &o->counters[k];

        if (counter_value_end(c) > i->values_bytes) {
            PRFDATA_FIND(
                j, COUNTER_OUTSIDE, PRFDATA_COUNTER_AT(c, counter_offset),
                "CounterOffset %u and CounterSize %u leave the counter block at byte %" PRIu64
                " of %u bytes",
                (unsigned)c->definition.counter_offset, (unsigned)c->definition.counter_size,
                i->values, (unsigned)i->values_bytes);
            return;
        }
    }
}

static void validate_block_sizes(prfdata_validated *j, const prfdata_validated_object *o)
{
    uint64_t needed = 0;

    for (uint32_t i = 0; i < o->counter_count; i++) {
        if (counter_value_end(&o->counters[i]) > needed)
            needed = counter_value_end(&o->counters[i]);
    }
    for (uint32_t i = 0; i < o->instance_count; i++) {
        if (needed > o->instances[i].values_bytes) {
            report_value_outside(j, o, &o->instances[i]);
            return;
        }
    }
}

/* ---- Parents ---- */

#define MOST_ANCESTORS 64u /* longest chain of parents that is followed */

/* Returns whether a chain of parents, all in the child's object, returns to the child. */
static bool is_own_ancestor(const prfdata_validated_object *o,
                            const prfdata_validated_instance *child)
{
    const prfdata_validated_instance *at = child;

    for (uint32_t i = 0; i < MOST_ANCESTORS; i++) {
        const uint32_t position = at->definition.parent_object_instance;

        if (at->definition.parent_object_title_index != o->header.object_name_title_index ||
            position >= o->instance_count)
            return false;
        at = &o->instances[position];
        if (at == child)
            return true;
    }
    return false;
}

static void validate_parent(prfdata_validated *j, const prfdata_validated_object *o,
                            const prfdata_validated_instance *child)
{
    const uint32_t title = child->definition.parent_object_title_index;
    const prfdata_validated_object *parent = prfdata_validated_find(j, title);
    int32_t count;

    if (!parent) {
        PRFDATA_FIND(j, PARENT_OBJECT, PRFDATA_INSTANCE_AT(child, parent_object_title_index),
                     "ParentObjectTitleIndex is %u, and that object is not in the reply",
                     (unsigned)title);
        return;
    }
    count = parent->header.num_instances;
    if (count < 0 || child->definition.parent_object_instance >= (uint32_t)count)
        PRFDATA_FIND(j, PARENT_INSTANCE, PRFDATA_INSTANCE_AT(child, parent_object_instance),
                     "ParentObjectInstance is %u, but object %u has %d instances",
                     (unsigned)child->definition.parent_object_instance, (unsigned)title,
                     (int)(count > 0 ? count : 0));
    else if (parent == o && is_own_ancestor(o, child))
        PRFDATA_FIND(j, PARENT_INSTANCE, PRFDATA_INSTANCE_AT(child, parent_object_instance),
                     "the instance is its own parent, or the parent of its parents");
}

/* ---- Instances of one parent ---- */

/*
 * Compare by parent and name, or by parent and UniqueID if neither instance has a name. Returns 0
 * if readers cannot tell the two instances apart.
 */
static int compare_siblings(const prfdata_validated_instance *a,
                            const prfdata_validated_instance *b)
{
    const prfdata_perf_instance_definition *left = &a->definition;
    const prfdata_perf_instance_definition *right = &b->definition;
    int order =
        prfdata_validated_order(left->parent_object_title_index, right->parent_object_title_index);

    if (order == 0 && left->parent_object_title_index != 0)
        order =
            prfdata_validated_order(left->parent_object_instance, right->parent_object_instance);
    if (order == 0 && a->name.count == 0 && b->name.count == 0)
        order = prfdata_validated_order(left->unique_id, right->unique_id);
    return order != 0 ? order : prfdata_validated_order_names(a, b);
}

static int compare_validated_instances(const void *left, const void *right)
{
    const prfdata_validated_instance *a = *(const prfdata_validated_instance *const *)left;
    const prfdata_validated_instance *b = *(const prfdata_validated_instance *const *)right;
    const int order = compare_siblings(a, b);

    return order != 0 ? order : prfdata_validated_order((int64_t)a->at, (int64_t)b->at);
}

static bool has_number_only(const prfdata_validated_instance *i)
{
    return i->name.count == 0 && i->definition.unique_id != PERF_NO_UNIQUE_ID;
}

static bool has_same_parent(const prfdata_validated_instance *a,
                            const prfdata_validated_instance *b)
{
    const prfdata_perf_instance_definition *left = &a->definition;
    const prfdata_perf_instance_definition *right = &b->definition;

    return left->parent_object_title_index == right->parent_object_title_index &&
           (left->parent_object_title_index == 0 ||
            left->parent_object_instance == right->parent_object_instance);
}

/*
 * Checks whether some instances of a parent have names and others only a UniqueID. In `sorted`, the
 * nameless instances of each parent come before its other instances. _Total does not count.
 */
static void validate_names_mixed(prfdata_validated *j,
                                 const prfdata_validated_instance *const *sorted, uint32_t count)
{
    const prfdata_validated_instance *number = NULL;

    for (uint32_t i = 0; i < count; i++) {
        if (has_number_only(sorted[i])) {
            number = sorted[i];
        } else if (number && has_same_parent(number, sorted[i]) && sorted[i]->name.count > 0 &&
                   !prfdata_validated_is_total(sorted[i])) {
            PRFDATA_FIND(j, NAME_MIXED, sorted[i]->at,
                         "this instance has a name, the one at byte %" PRIu64 " a number only",
                         number->at);
            return;
        }
    }
}

static void validate_siblings(prfdata_validated *j, const prfdata_validated_object *o)
{
    const prfdata_validated_instance **sorted =
        prfdata_validated_array(j, o->instance_count, sizeof *sorted);

    if (!sorted)
        return;
    for (uint32_t i = 0; i < o->instance_count; i++)
        sorted[i] = &o->instances[i];
    qsort(sorted, o->instance_count, sizeof *sorted, compare_validated_instances);
    for (uint32_t i = 1; i < o->instance_count; i++) {
        if (compare_siblings(sorted[i - 1], sorted[i]) == 0)
            PRFDATA_FIND(j, NAME_TWICE, sorted[i]->at,
                         "the instance at byte %" PRIu64 " has the same name", sorted[i - 1]->at);
    }
    validate_names_mixed(j, sorted, o->instance_count);
    free(sorted);
}

void prfdata_validate_instance_check(prfdata_validated *j, const prfdata_validated_object *o)
{
    validate_block_sizes(j, o);
    if (!prfdata_validated_has_instances(o))
        return;
    for (uint32_t i = 0; i < o->instance_count; i++) {
        if (o->instances[i].definition.parent_object_title_index != 0)
            validate_parent(j, o, &o->instances[i]);
    }
    validate_siblings(j, o);
}
