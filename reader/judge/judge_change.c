/* SPDX-License-Identifier: MIT */
/*
 * Judges what happened from one reply to the next (judge.h, prfdata_judge_change), as far as both
 * can be read: each by itself is judged by judge.c.
 */
#include "judge/judge.h"

#include <inttypes.h>
#include <string.h>

#include <prfdata/atomic.h>
#include <prfdata/perf_types.h>

#include "judge/judge_object.h"
#include "judge/judge_reply.h"
#include "judge/judged_pairs.h"
#include "map/counter_types.h"

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

/* The replies' later one, and what is known beside them. */
typedef struct change {
    prfdata_judged *newer;
    const prfdata_judge_known *known; /* NULL: nothing */
} change;

static uint64_t *find_gone(const change *c, const prfdata_judged_object *o,
                           const prfdata_judged_instance *i)
{
    prfdata_judge_gone *gone = c->known->gone;

    return &gone->at[prfdata_judged_pairs_hash(o, i) % (sizeof gone->at / sizeof gone->at[0])];
}

uint64_t prfdata_judge_gone_moment(const prfdata_judge_gone *gone)
{
    return prfdata_load64_relaxed(&gone->moment);
}

/* Of two threads that do this at once either may have the later moment: both are new. */
static void note_gone(void *context, const prfdata_judged_pair *pair)
{
    const change *changed = context;

    prfdata_add64_relaxed(&changed->known->gone->moment, 1);
    prfdata_store64_relaxed(find_gone(changed, pair->object, pair->was),
                            prfdata_judge_gone_moment(changed->known->gone));
}

/* Whether the instance went after the older reply was asked for. */
static bool was_gone(const change *c, const prfdata_judged_pair *pair)
{
    return c->known &&
           prfdata_load64_relaxed(find_gone(c, pair->object, pair->is)) > c->known->since;
}

static void report_backwards(const change *changed, const prfdata_judged_pair *pair,
                             const prfdata_judged_counter *c, uint64_t older, uint64_t newer)
{
    const prfdata_perf_counter_definition *d = &c->definition;
    const uint64_t at = pair->is->values + d->counter_offset;

    if (was_gone(changed, pair))
        PRFDATA_FIND(changed->newer, INSTANCE_RESTARTED, at,
                     "counter %u of an instance that was gone went from %" PRIu64 " to %" PRIu64,
                     (unsigned)d->counter_name_title_index, older, newer);
    else
        PRFDATA_FIND(changed->newer, VALUE_BACKWARDS, at,
                     "counter %u, type 0x%08X, went from %" PRIu64 " to %" PRIu64,
                     (unsigned)d->counter_name_title_index, (unsigned)d->counter_type, older,
                     newer);
}

static bool is_backwards(const prfdata_judged_counter *c, uint64_t older, uint64_t newer)
{
    return c->definition.counter_size == 4 ? (uint32_t)(newer - older) > (uint32_t)INT32_MAX
                                           : newer - older > (uint64_t)INT64_MAX;
}

static void judge_value_changes(void *context, const prfdata_judged_pair *pair)
{
    const change *changed = context;
    const prfdata_judged_object *o = pair->object;
    prfdata_judged *newer = changed->newer;

    for (uint32_t i = 0; i < o->counter_count && i < PRFDATA_JUDGED_MAX_COMPARED; i++) {
        const prfdata_judged_counter *c = &o->counters[i];
        uint64_t before;
        uint64_t now;

        if (!prfdata_judged_value(pair->older, c, pair->was, &before) ||
            !prfdata_judged_value(newer, c, pair->is, &now))
            continue;
        if (counter_only_grows(o, i) && is_backwards(c, before, now))
            report_backwards(changed, pair, c, before, now);
    }
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
        /* The structure has no padding: base/perf_wire.h asserts its 40 bytes. */
        if (memcmp(&was->counters[i].definition, &is->counters[i].definition,
                   sizeof is->counters[i].definition) != 0)
            return false;
    }
    return true;
}

static void judge_frequency(prfdata_judged *j, const prfdata_judged_object *was,
                            const prfdata_judged_object *is)
{
    const int64_t then = was->header.perf_freq;
    const int64_t now = is->header.perf_freq;

    if (now == then)
        return;
    if (prfdata_judge_object_timer_type(is) != 0)
        PRFDATA_FIND(j, CLOCK_FREQUENCY, PRFDATA_OBJECT_AT(is, perf_freq),
                     "PERF_OBJECT_TYPE.PerfFreq went from %" PRId64 " to %" PRId64, then, now);
    else if (is->header.perf_time != 0)
        PRFDATA_FIND(j, CLOCK_UNUSED, PRFDATA_OBJECT_AT(is, perf_freq),
                     "PERF_OBJECT_TYPE.PerfFreq went from %" PRId64 " to %" PRId64, then, now);
}

static void judge_object_change(prfdata_judged *older, change *changed,
                                const prfdata_judged_object *was, const prfdata_judged_object *is)
{
    prfdata_judged *newer = changed->newer;
    const int64_t then = was->header.perf_time;
    const int64_t now = is->header.perf_time;

    if (!has_same_definitions(was, is)) {
        PRFDATA_FIND(newer, DEFINITIONS_CHANGED, is->at,
                     "the definitions of object %u differ from before",
                     (unsigned)is->header.object_name_title_index);
        return;
    }
    judge_frequency(newer, was, is);
    if (now < then)
        PRFDATA_FIND(newer, CLOCK_BACKWARDS, PRFDATA_OBJECT_AT(is, perf_time),
                     "PERF_OBJECT_TYPE.PerfTime went from %" PRId64 " to %" PRId64, then, now);
    prfdata_judged_pairs_visit(older, newer, was, is, judge_value_changes,
                               changed->known ? note_gone : NULL, changed);
}

uint32_t prfdata_judge_change(const prfdata_judge_reply *older, const prfdata_judge_reply *newer,
                              const prfdata_judge_known *known, prfdata_findings *findings)
{
    prfdata_judged was;
    prfdata_judged is;
    change changed;

    prfdata_judge_reply_read(&was, older, NULL, false, NULL);
    prfdata_judge_reply_read(&is, newer, NULL, false, NULL);
    is.findings = findings;
    changed.newer = &is;
    changed.known = known;
    for (uint32_t i = 0; i < is.object_count; i++) {
        const prfdata_judged_object *same =
            prfdata_judged_find(&was, is.objects[i].header.object_name_title_index);

        if (same)
            judge_object_change(&was, &changed, same, &is.objects[i]);
    }
    prfdata_judged_free(&was);
    prfdata_judged_free(&is);
    return was.is_out_of_memory || is.is_out_of_memory ? ERROR_NOT_ENOUGH_MEMORY : ERROR_SUCCESS;
}
