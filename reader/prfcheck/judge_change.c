/* SPDX-License-Identifier: MIT */
/*
 * Judges what happened from one reply to the next (judge.h, prfdata_judge_change). Does not judge
 * the replies themselves: it compares what can be read of both.
 */
#include "prfcheck/judge.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <prfdata/perf_types.h>

#include "core/counter_types.h"
#include "prfcheck/judge_reply.h"

#define TYPE_DELTA_COUNTER 0x00400000u /* a bit of a counter type (winperf.h) */

/* ---- Values ---- */

/* Whether the counter may only grow, by its type and the one before it. */
static bool counter_only_grows(const prfdata_judged_object *o, uint32_t position)
{
    const uint32_t type = o->counters[position].definition.counter_type;
    const prfdata_counter_type *before = NULL;

    if (position > 0)
        before = prfdata_counter_types_find(o->counters[position - 1].definition.counter_type);
    switch (type) {
    case PERF_AVERAGE_TIMER:
    case PERF_AVERAGE_BULK:
    case PERF_AVERAGE_BASE:
    case PERF_SAMPLE_BASE:
        return true;
    case PERF_LARGE_RAW_BASE:
        return before && (before->flags & PRFDATA_TYPE_STAMPED);
    default:
        return (type & TYPE_DELTA_COUNTER) != 0;
    }
}

static void judge_value_growth(prfdata_judged *j, const prfdata_judged_counter *c,
                               const prfdata_judged_instance *i, uint64_t older, uint64_t newer)
{
    const prfdata_perf_counter_definition *d = &c->definition;
    const bool is_backwards = d->counter_size == 4 ? (uint32_t)(newer - older) > (uint32_t)INT32_MAX
                                                   : newer - older > (uint64_t)INT64_MAX;

    if (is_backwards)
        PRFDATA_FIND(j, VALUE_BACKWARDS, i->values + d->counter_offset,
                     "counter %u, type 0x%08X, went from %" PRIu64 " to %" PRIu64,
                     (unsigned)d->counter_name_title_index, (unsigned)d->counter_type, older,
                     newer);
}

static bool get_judged_value(const prfdata_judged *j, const prfdata_judged_counter *c,
                             const prfdata_judged_instance *i, uint64_t *value)
{
    const uint32_t size = c->definition.counter_size;
    const uint32_t offset = c->definition.counter_offset;

    if ((size != 4 && size != 8) || offset < sizeof(prfdata_perf_counter_block) ||
        (uint64_t)offset + size > i->values_bytes)
        return false;
    *value = prfdata_bytes_get(j->bytes, i->values + offset, size);
    return true;
}

static void judge_value_changes(const prfdata_judged *older, prfdata_judged *newer,
                                const prfdata_judged_object *o, const prfdata_judged_instance *was,
                                const prfdata_judged_instance *is)
{
    for (uint32_t i = 0; i < o->counter_count && i < PRFDATA_JUDGED_MAX_COMPARED; i++) {
        uint64_t before;
        uint64_t now;

        if (counter_only_grows(o, i) && get_judged_value(older, &o->counters[i], was, &before) &&
            get_judged_value(newer, &o->counters[i], is, &now))
            judge_value_growth(newer, &o->counters[i], is, before, now);
    }
}

/* ---- Instances ---- */

/* By what an instance is found again: positions of parents change, their names do not. */
typedef struct instance_key {
    const prfdata_judged_instance *of;
    const prfdata_judged_instance *parent; /* NULL: none */
} instance_key;

static int compare_instance_keys(const void *left, const void *right)
{
    const instance_key *a = left;
    const instance_key *b = right;
    int order = prfdata_judged_order(a->of->definition.parent_object_title_index,
                                     b->of->definition.parent_object_title_index);

    if (order == 0)
        order = prfdata_judged_order(a->of->definition.unique_id, b->of->definition.unique_id);
    if (order == 0 && !a->parent != !b->parent)
        order = a->parent ? 1 : -1;
    if (order == 0 && a->parent)
        order =
            prfdata_judged_order(a->parent->definition.unique_id, b->parent->definition.unique_id);
    if (order == 0 && a->parent)
        order = prfdata_text_compare(a->parent->name, b->parent->name);
    return order != 0 ? order : prfdata_text_compare(a->of->name, b->of->name);
}

/* The keys of all instances, sorted; for free(). NULL: no memory. */
static instance_key *make_instance_keys(prfdata_judged *j, const prfdata_judged_object *o)
{
    instance_key *keys = prfdata_judged_array(j, o->instance_count, sizeof *keys);

    if (!keys)
        return NULL;
    for (uint32_t i = 0; i < o->instance_count; i++) {
        const prfdata_perf_instance_definition *d = &o->instances[i].definition;
        const prfdata_judged_object *parent = NULL;

        if (d->parent_object_title_index != 0)
            parent = prfdata_judged_find(j, d->parent_object_title_index);
        keys[i].of = &o->instances[i];
        if (parent && d->parent_object_instance < parent->instance_count)
            keys[i].parent = &parent->instances[d->parent_object_instance];
    }
    qsort(keys, o->instance_count, sizeof *keys, compare_instance_keys);
    return keys;
}

/* How many keys from position `i` on are equal. */
static uint32_t count_equal_keys(const instance_key *keys, uint32_t count, uint32_t i)
{
    uint32_t equal = 1;

    while (i + equal < count && compare_instance_keys(&keys[i], &keys[i + equal]) == 0)
        equal++;
    return equal;
}

/* Compare the instances of both replies; what is there twice in either is left out. */
static void judge_instance_changes(prfdata_judged *older, prfdata_judged *newer,
                                   const prfdata_judged_object *was,
                                   const prfdata_judged_object *is)
{
    instance_key *before = make_instance_keys(older, was);
    instance_key *after = make_instance_keys(newer, is);
    uint32_t i = 0;
    uint32_t k = 0;

    while (before && after && i < was->instance_count && k < is->instance_count) {
        const int order = compare_instance_keys(&before[i], &after[k]);
        const uint32_t equal_before = count_equal_keys(before, was->instance_count, i);
        const uint32_t equal_after = count_equal_keys(after, is->instance_count, k);

        if (order == 0 && equal_before == 1 && equal_after == 1)
            judge_value_changes(older, newer, is, before[i].of, after[k].of);
        if (order <= 0)
            i += equal_before;
        if (order >= 0)
            k += equal_after;
    }
    free(before);
    free(after);
}

/* ---- Objects ---- */

/* Compare what instances do not change in an object's header. */
static bool has_same_header(const prfdata_perf_object_type *was, const prfdata_perf_object_type *is)
{
    return was->definition_length == is->definition_length &&
           was->header_length == is->header_length &&
           was->object_name_title_index == is->object_name_title_index &&
           was->object_help_title_index == is->object_help_title_index &&
           was->detail_level == is->detail_level && was->num_counters == is->num_counters &&
           was->default_counter == is->default_counter && was->code_page == is->code_page;
}

static bool has_same_definitions(const prfdata_judged_object *was, const prfdata_judged_object *is)
{
    if (!has_same_header(&was->header, &is->header) || was->counter_count != is->counter_count ||
        prfdata_judged_has_instances(was) != prfdata_judged_has_instances(is))
        return false;
    for (uint32_t i = 0; i < is->counter_count; i++) {
        /* The structure has no padding: core/perf_wire.h asserts its 40 bytes. */
        if (memcmp(&was->counters[i].definition, &is->counters[i].definition,
                   sizeof is->counters[i].definition) != 0)
            return false;
    }
    return true;
}

static void judge_object_change(prfdata_judged *older, prfdata_judged *newer,
                                const prfdata_judged_object *was, const prfdata_judged_object *is)
{
    const int64_t then = was->header.perf_time;
    const int64_t now = is->header.perf_time;

    if (!has_same_definitions(was, is)) {
        PRFDATA_FIND(newer, DEFINITIONS_CHANGED, is->at,
                     "the definitions of object %u differ from before",
                     (unsigned)is->header.object_name_title_index);
        return;
    }
    if (now < then)
        PRFDATA_FIND(newer, CLOCK_BACKWARDS, PRFDATA_OBJECT_AT(is, perf_time),
                     "PERF_OBJECT_TYPE.PerfTime went from %" PRId64 " to %" PRId64, then, now);
    judge_instance_changes(older, newer, was, is);
}

uint32_t prfdata_judge_change(const prfdata_judge_reply *older, const prfdata_judge_reply *newer,
                              prfdata_findings *findings)
{
    prfdata_judged was;
    prfdata_judged is;

    prfdata_judge_reply_read(&was, older, NULL, false, NULL);
    prfdata_judge_reply_read(&is, newer, NULL, false, NULL);
    is.findings = findings;
    for (uint32_t i = 0; i < is.object_count; i++) {
        const prfdata_judged_object *same =
            prfdata_judged_find(&was, is.objects[i].header.object_name_title_index);

        if (same)
            judge_object_change(&was, &is, same, &is.objects[i]);
    }
    prfdata_judged_free(&was);
    prfdata_judged_free(&is);
    return was.is_out_of_memory || is.is_out_of_memory ? ERROR_NOT_ENOUGH_MEMORY : ERROR_SUCCESS;
}
