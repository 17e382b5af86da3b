/* SPDX-License-Identifier: MIT */
/*
 * Checks the changes from one reply to the next (validate.h, prfdata_validate_change), as far as
 * both can be read. validate.c checks each reply by itself.
 */
#include "validate/validate.h"

#include <inttypes.h>
#include <string.h>

#include <prfdata/atomic.h>
#include <prfdata/perf_types.h>

#include "map/counter_types.h"
#include "validate/validate_object.h"
#include "validate/validate_reply.h"
#include "validate/validated_pairs.h"

#define TYPE_DELTA_COUNTER 0x00400000u /* a bit of a counter type (winperf.h) */

/* Returns whether the counter may only grow. Its type and that of the counter before it decide. */
static bool counter_only_grows(const prfdata_validated_object *o, uint32_t position)
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

typedef struct change {
    prfdata_validated *newer;
    const prfdata_validate_known *known; /* NULL: it is unknown whether instances were missing */
} change;

static uint64_t *find_gone(const change *c, const prfdata_validated_object *o,
                           const prfdata_validated_instance *i)
{
    prfdata_validate_gone *gone = c->known->gone;

    return &gone->at[prfdata_validated_pairs_hash(o, i) % (sizeof gone->at / sizeof gone->at[0])];
}

uint64_t prfdata_validate_gone_moment(const prfdata_validate_gone *gone)
{
    return prfdata_load64_relaxed(&gone->moment);
}

/*
 * Notes that an instance is missing. If two threads do this at once, it does not matter whose
 * moment stays, because both moments are new.
 */
static void note_gone(void *context, const prfdata_validated_pair *pair)
{
    const change *changed = context;

    prfdata_add64_relaxed(&changed->known->gone->moment, 1);
    prfdata_store64_relaxed(find_gone(changed, pair->object, pair->was),
                            prfdata_validate_gone_moment(changed->known->gone));
}

static bool was_gone(const change *c, const prfdata_validated_pair *pair)
{
    return c->known &&
           prfdata_load64_relaxed(find_gone(c, pair->object, pair->is)) > c->known->since;
}

static void report_backwards(const change *changed, const prfdata_validated_pair *pair,
                             const prfdata_validated_counter *c, uint64_t older, uint64_t newer)
{
    const prfdata_perf_counter_definition *d = &c->definition;
    const uint64_t at = pair->is->values + d->counter_offset;

    if (was_gone(changed, pair))
        PRFDATA_FIND(changed->newer, INSTANCE_RESTARTED, at,
                     "the instance was gone and came back; the value went from %" PRIu64
                     " to %" PRIu64,
                     older, newer);
    else
        PRFDATA_FIND(changed->newer, VALUE_BACKWARDS, at,
                     "the value went from %" PRIu64 " to %" PRIu64, older, newer);
}

static bool is_backwards(const prfdata_validated_counter *c, uint64_t older, uint64_t newer)
{
    return c->definition.counter_size == 4 ? (uint32_t)(newer - older) > (uint32_t)INT32_MAX
                                           : newer - older > (uint64_t)INT64_MAX;
}

static void validate_value_changes(void *context, const prfdata_validated_pair *pair)
{
    const change *changed = context;
    const prfdata_validated_object *o = pair->object;
    prfdata_validated *newer = changed->newer;

    for (uint32_t i = 0; i < o->counter_count && i < PRFDATA_VALIDATED_MAX_COMPARED; i++) {
        const prfdata_validated_counter *c = &o->counters[i];
        uint64_t before;
        uint64_t now;

        if (!prfdata_validated_value(pair->older, c, pair->was, &before) ||
            !prfdata_validated_value(newer, c, pair->is, &now))
            continue;
        if (counter_only_grows(o, i) && is_backwards(c, before, now))
            report_backwards(changed, pair, c, before, now);
    }
}

typedef struct compared_field {
    size_t offset;
    const char *name;
} compared_field;

/* The fields of an object's header that do not change with its instances. */
static const compared_field header_fields[] = {
    {PRFDATA_WIRE_OFFSET(object_type, definition_length), "DefinitionLength"},
    {PRFDATA_WIRE_OFFSET(object_type, header_length), "HeaderLength"},
    {PRFDATA_WIRE_OFFSET(object_type, object_help_title_index), "ObjectHelpTitleIndex"},
    {PRFDATA_WIRE_OFFSET(object_type, detail_level), "DetailLevel"},
    {PRFDATA_WIRE_OFFSET(object_type, num_counters), "NumCounters"},
    {PRFDATA_WIRE_OFFSET(object_type, default_counter), "DefaultCounter"},
    {PRFDATA_WIRE_OFFSET(object_type, code_page), "CodePage"},
};

static const compared_field counter_fields[] = {
    {PRFDATA_WIRE_OFFSET(counter_definition, byte_length), "ByteLength"},
    {PRFDATA_WIRE_OFFSET(counter_definition, counter_name_title_index), "CounterNameTitleIndex"},
    {PRFDATA_WIRE_OFFSET(counter_definition, counter_name_title), "CounterNameTitle"},
    {PRFDATA_WIRE_OFFSET(counter_definition, counter_help_title_index), "CounterHelpTitleIndex"},
    {PRFDATA_WIRE_OFFSET(counter_definition, counter_help_title), "CounterHelpTitle"},
    {PRFDATA_WIRE_OFFSET(counter_definition, default_scale), "DefaultScale"},
    {PRFDATA_WIRE_OFFSET(counter_definition, detail_level), "DetailLevel"},
    {PRFDATA_WIRE_OFFSET(counter_definition, counter_type), "CounterType"},
    {PRFDATA_WIRE_OFFSET(counter_definition, counter_size), "CounterSize"},
    {PRFDATA_WIRE_OFFSET(counter_definition, counter_offset), "CounterOffset"},
};

enum {
    HEADER_FIELDS = sizeof header_fields / sizeof header_fields[0],
    COUNTER_FIELDS = sizeof counter_fields / sizeof counter_fields[0],
};

/* Find the first field that differs, and report it.
 *
 * structure  The name in winperf.h of the structure, which begins at `at` in the newer reply.
 *
 * Returns whether all fields are the same. */
static bool validate_fields_same(prfdata_validated *newer, uint64_t at, const char *structure,
                                 const compared_field *fields, size_t count, const void *was,
                                 const void *is)
{
    for (size_t i = 0; i < count; i++) {
        uint32_t then;
        uint32_t now;

        memcpy(&then, (const unsigned char *)was + fields[i].offset, sizeof then);
        memcpy(&now, (const unsigned char *)is + fields[i].offset, sizeof now);
        if (then == now)
            continue;
        PRFDATA_FIND(newer, DEFINITIONS_CHANGED, at + fields[i].offset, "%s.%s was %u and is %u",
                     structure, fields[i].name, (unsigned)then, (unsigned)now);
        return false;
    }
    return true;
}

static bool validate_same_definitions(prfdata_validated *newer, const prfdata_validated_object *was,
                                      const prfdata_validated_object *is)
{
    if (!validate_fields_same(newer, is->at, "PERF_OBJECT_TYPE", header_fields, HEADER_FIELDS,
                              &was->header, &is->header))
        return false;
    if (prfdata_validated_has_instances(was) != prfdata_validated_has_instances(is)) {
        PRFDATA_FIND(newer, DEFINITIONS_CHANGED, PRFDATA_OBJECT_AT(is, num_instances),
                     "PERF_OBJECT_TYPE.NumInstances was %d and is %d: -1 means that the object has "
                     "no instances",
                     (int)was->header.num_instances, (int)is->header.num_instances);
        return false;
    }
    if (was->counter_count != is->counter_count) {
        PRFDATA_FIND(newer, DEFINITIONS_CHANGED, is->at, "the object had %u counters and has %u",
                     (unsigned)was->counter_count, (unsigned)is->counter_count);
        return false;
    }
    for (uint32_t i = 0; i < is->counter_count; i++) {
        const prfdata_validated_counter *c = &is->counters[i];

        if (!validate_fields_same(newer, c->at, "PERF_COUNTER_DEFINITION", counter_fields,
                                  COUNTER_FIELDS, &was->counters[i].definition, &c->definition))
            return false;
    }
    return true;
}

static void validate_frequency(prfdata_validated *j, const prfdata_validated_object *was,
                               const prfdata_validated_object *is)
{
    const int64_t then = was->header.perf_freq;
    const int64_t now = is->header.perf_freq;

    if (now == then)
        return;
    if (prfdata_validate_object_timer_type(is) != 0)
        PRFDATA_FIND(j, CLOCK_FREQUENCY, PRFDATA_OBJECT_AT(is, perf_freq),
                     "PERF_OBJECT_TYPE.PerfFreq went from %" PRId64 " to %" PRId64, then, now);
    else if (is->header.perf_time != 0)
        PRFDATA_FIND(j, CLOCK_UNUSED, PRFDATA_OBJECT_AT(is, perf_freq),
                     "PERF_OBJECT_TYPE.PerfFreq went from %" PRId64 " to %" PRId64, then, now);
}

static void validate_object_change(prfdata_validated *older, change *changed,
                                   const prfdata_validated_object *was,
                                   const prfdata_validated_object *is)
{
    prfdata_validated *newer = changed->newer;
    const int64_t then = was->header.perf_time;
    const int64_t now = is->header.perf_time;

    prfdata_findings_begin_object(newer->findings);
    if (!validate_same_definitions(newer, was, is))
        return;
    validate_frequency(newer, was, is);
    if (now < then)
        PRFDATA_FIND(newer, CLOCK_BACKWARDS, PRFDATA_OBJECT_AT(is, perf_time),
                     "PERF_OBJECT_TYPE.PerfTime went from %" PRId64 " to %" PRId64, then, now);
    prfdata_validated_pairs_visit(older, newer, was, is, validate_value_changes,
                                  changed->known ? note_gone : NULL, changed);
}

uint32_t prfdata_validate_change(const prfdata_validate_reply *older,
                                 const prfdata_validate_reply *newer,
                                 const prfdata_validate_known *known, prfdata_findings *findings)
{
    prfdata_validated was;
    prfdata_validated is;
    change changed;

    prfdata_validate_reply_read(&was, older, NULL, false, NULL);
    prfdata_validate_reply_read(&is, newer, NULL, false, NULL);
    is.findings = findings;
    changed.newer = &is;
    changed.known = known;
    for (uint32_t i = 0; i < is.object_count; i++) {
        const prfdata_validated_object *same =
            prfdata_validated_find(&was, is.objects[i].header.object_name_title_index);

        if (same)
            validate_object_change(&was, &changed, same, &is.objects[i]);
    }
    prfdata_validated_free(&was);
    prfdata_validated_free(&is);
    return was.is_out_of_memory || is.is_out_of_memory ? ERROR_NOT_ENOUGH_MEMORY : ERROR_SUCCESS;
}
