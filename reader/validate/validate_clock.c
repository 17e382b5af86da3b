/* SPDX-License-Identifier: MIT */
/* Checks clocks and values of two replies by the time that passed between them, which the caller
 * has measured (validate.h, prfdata_validate_clock). */
#include "validate/validate.h"

#include <inttypes.h>
#include <string.h>

#include <prfdata/perf_types.h>

#include "map/counter_types.h"
#include "validate/validate_object.h"
#include "validate/validate_reply.h"
#include "validate/validated_pairs.h"

/* Bits of a counter type that say how readers compute its value (winperf.h). */
#define TYPE_SUBTYPE_MASK 0x000F0000u
#define TYPE_QUEUE_LENGTH 0x00050000u

/* Tolerance, because each of the two readings of a slow clock lies somewhere between two of its
 * ticks. */
#define TICKS_OF_GRACE 2

/*
 * How many times slower or faster than its clock a stamp may grow. It may be slower, because it is
 * the time when the value last changed. It may be faster, because an instance may stand for several
 * things, and its stamp is then the sum of their stamps.
 */
#define STAMP_SLOWER 8
#define STAMP_FASTER 64

/*
 * How much faster than its clock a timer may grow, because it may count many processors or threads
 * together.
 */
#define TIMER_FASTER 64

/* Tolerance, because hits and samples are not counted at the same moment. */
#define SAMPLES_OF_GRACE 64
/* A start that is less than this long ago is not checked, because the instance may have started
 * again. */
#define RECENT_SECONDS 60u

typedef struct clock_watch {
    prfdata_validated *newer;
    prfdata_validate_watch times;
    /* The current counter. If its type has a base, the base is the next counter. */
    const prfdata_validated_counter *counter;
    /* Number of instances whose stamp, which is the counter's base, was correct. */
    uint32_t right_stamps;
    /* The first instance whose stamp is too slow; all zeros if there is none. */
    prfdata_validated_pair slow;
} clock_watch;

/* ---- Objects ---- */

/* Returns whether a clock has advanced by about the measured time. Accepts from half of the
 * expected ticks to twice as many, because the check searches only for clocks with another
 * frequency. */
static bool is_clock_right(int64_t ticks, int64_t frequency, uint64_t least_us, uint64_t most_us)
{
    const double least = (double)frequency * (double)least_us / 1e6;
    const double most = (double)frequency * (double)most_us / 1e6;

    return (double)ticks >= least / 2 - TICKS_OF_GRACE &&
           (double)ticks <= most * 2 + TICKS_OF_GRACE;
}

static void report_rate(prfdata_validated *j, const prfdata_validated_object *is, bool is_used,
                        int64_t ticks, uint64_t least_us, uint64_t most_us)
{
    const double frequency = (double)is->header.perf_freq;
    const double least = frequency * (double)least_us / 1e6;
    const double most = frequency * (double)most_us / 1e6;

    prfdata_findings_add(j->findings, is_used ? PRFDATA_RULE_CLOCK_RATE : PRFDATA_RULE_CLOCK_UNUSED,
                         PRFDATA_OBJECT_AT(is, perf_time),
                         "PerfTime advanced by %" PRId64 " in %" PRIu64 " to %" PRIu64
                         " ms, but PerfFreq says %.0f to %.0f ticks for that time",
                         ticks, least_us / 1000, most_us / 1000, least, most);
}

static void validate_object_rate(prfdata_validated *j, const prfdata_validated_object *was,
                                 const prfdata_validated_object *is, uint64_t least_us,
                                 uint64_t most_us)
{
    const int64_t frequency = is->header.perf_freq;
    const int64_t ticks =
        (int64_t)((uint64_t)is->header.perf_time - (uint64_t)was->header.perf_time);
    const bool is_used = prfdata_validate_object_timer_type(is) != 0;

    if (frequency <= 0 || frequency != was->header.perf_freq ||
        is_clock_right(ticks, frequency, least_us, most_us))
        return;
    if (is_used || is->header.perf_time != 0 || was->header.perf_time != 0)
        report_rate(j, is, is_used, ticks, least_us, most_us);
}

/* ---- Values ---- */

/* Return the ticks per second of the stamp that is the base of this type. */
static int64_t stamp_frequency(const clock_watch *watch, const prfdata_validated_object *o,
                               uint32_t type)
{
    switch (type) {
    case PERF_PRECISION_SYSTEM_TIMER:
        return watch->times.system_frequency;
    case PERF_PRECISION_100NS_TIMER:
        return 10000000;
    default:
        return o->header.perf_freq;
    }
}

static void report_stamp(const clock_watch *watch, const prfdata_validated_pair *pair,
                         uint64_t went_on)
{
    const prfdata_validated_counter *base = watch->counter + 1;

    PRFDATA_FIND(
        watch->newer, STAMP_RATE, pair->is->values + base->definition.counter_offset,
        "the base advanced by %" PRIu64 " in %" PRIu64 " to %" PRIu64
        " ms, but its clock has %.0f ticks a second",
        went_on, watch->times.least_us / 1000, watch->times.most_us / 1000,
        (double)stamp_frequency(watch, pair->object, watch->counter->definition.counter_type));
}

static uint64_t stamp_progress(const clock_watch *watch, const prfdata_validated_pair *pair)
{
    const prfdata_validated_counter *base = watch->counter + 1;
    uint64_t then;
    uint64_t now;

    if (!prfdata_validated_value(pair->older, base, pair->was, &then) ||
        !prfdata_validated_value(pair->newer, base, pair->is, &now) || now <= then)
        return 0;
    return now - then;
}

static void validate_stamp(void *context, const prfdata_validated_pair *pair)
{
    clock_watch *watch = context;
    const double frequency =
        (double)stamp_frequency(watch, pair->object, watch->counter->definition.counter_type);
    const uint64_t progress = stamp_progress(watch, pair);
    const double went_on = (double)progress;

    if (progress == 0 || prfdata_validated_is_total(pair->is))
        return;
    if (went_on > STAMP_FASTER * frequency * (double)watch->times.most_us / 1e6 + TICKS_OF_GRACE)
        report_stamp(watch, pair, progress);
    else if (went_on * STAMP_SLOWER >= frequency * (double)watch->times.least_us / 1e6)
        watch->right_stamps++;
    else if (!watch->slow.is)
        watch->slow = *pair;
}

/* Returns whether the value grew as fast as a clock: the clock of the object, or a clock that
 * counts 100 ns, us or ms. */
static bool grew_as_clock(const clock_watch *watch, int64_t frequency, uint64_t growth)
{
    const int64_t frequencies[] = {frequency, 10000000, 1000000, 1000};

    for (size_t i = 0; i < sizeof frequencies / sizeof frequencies[0]; i++) {
        if (growth <= INT64_MAX && is_clock_right((int64_t)growth, frequencies[i],
                                                  watch->times.least_us, watch->times.most_us))
            return true;
    }
    return false;
}

/* Finds a value that is the time since a start, although its type says that it is the start. A
 * start does not change, but the time since the start grows as the clock runs. If something starts
 * again and again, its start also grows, but it is always close to PerfTime. */
static void validate_elapsed(void *context, const prfdata_validated_pair *pair)
{
    const clock_watch *watch = context;
    const prfdata_validated_counter *c = watch->counter;
    const prfdata_perf_object_type *header = &pair->object->header;
    const uint64_t frequency = (uint64_t)header->perf_freq;
    uint64_t then;
    uint64_t now;

    if (!prfdata_validated_value(pair->older, c, pair->was, &then) ||
        !prfdata_validated_value(pair->newer, c, pair->is, &now) || now <= then || frequency == 0 ||
        frequency > INT64_MAX / RECENT_SECONDS ||
        now + RECENT_SECONDS * frequency > (uint64_t)header->perf_time ||
        !grew_as_clock(watch, header->perf_freq, now - then))
        return;
    PRFDATA_FIND(watch->newer, ELAPSED_START, pair->is->values + c->definition.counter_offset,
                 "the value grew from %" PRIu64 " to %" PRIu64 " in %" PRIu64
                 " ms, so it seems to be the time since the start, not the time of the start",
                 then, now, watch->times.most_us / 1000);
}

/*
 * Returns whether a value of this type is a busy time, which readers divide by the growth of a
 * clock. Timers whose base is no time stamp are left out, because readers divide by the base. Queue
 * lengths are left out, because a queue may have any number of items, and each of them adds the
 * whole time.
 */
static bool is_timer(const prfdata_counter_type *type)
{
    return type->ticks != PRFDATA_TICKS_NONE && type->merging == PRFDATA_MERGING_ACCUMULATE &&
           (type->type & TYPE_SUBTYPE_MASK) != TYPE_QUEUE_LENGTH &&
           (!(type->flags & PRFDATA_TYPE_NEEDS_BASE) || (type->flags & PRFDATA_TYPE_STAMPED));
}

static int64_t timer_frequency(const clock_watch *watch, const prfdata_validated_object *o,
                               const prfdata_counter_type *type)
{
    if (type->ticks == PRFDATA_TICKS_100NS)
        return 10000000;
    return type->type == PERF_OBJ_TIME_TIMER || type->type == PERF_PRECISION_OBJECT_TIMER
               ? o->header.perf_freq
               : watch->times.system_frequency;
}

static void validate_timer(void *context, const prfdata_validated_pair *pair)
{
    const clock_watch *watch = context;
    const prfdata_validated_counter *c = watch->counter;
    const prfdata_counter_type *type = prfdata_counter_types_find(c->definition.counter_type);
    const double ticks =
        (double)timer_frequency(watch, pair->object, type) * (double)watch->times.most_us / 1e6;
    uint64_t then;
    uint64_t now;

    if (prfdata_validated_is_total(pair->is) ||
        !prfdata_validated_value(pair->older, c, pair->was, &then) ||
        !prfdata_validated_value(pair->newer, c, pair->is, &now) || now <= then ||
        (double)(now - then) <= TIMER_FASTER * ticks + TICKS_OF_GRACE)
        return;
    PRFDATA_FIND(watch->newer, TIMER_RATE, pair->is->values + c->definition.counter_offset,
                 "the value grew by %" PRIu64 " in at most %" PRIu64
                 " ms, in which its clock has %.0f ticks",
                 now - then, watch->times.most_us / 1000, ticks);
}

/* Checks that the hits of a PERF_SAMPLE_FRACTION do not grow much more than its samples. Both have
 * 4 bytes. */
static void validate_hits(void *context, const prfdata_validated_pair *pair)
{
    const clock_watch *watch = context;
    const prfdata_validated_counter *c = watch->counter;
    const prfdata_validated_counter *base = c + 1;
    uint64_t hits[2];
    uint64_t samples[2];
    uint32_t more_hits;
    uint32_t more_samples;

    if (!prfdata_validated_value(pair->older, c, pair->was, &hits[0]) ||
        !prfdata_validated_value(pair->newer, c, pair->is, &hits[1]) ||
        !prfdata_validated_value(pair->older, base, pair->was, &samples[0]) ||
        !prfdata_validated_value(pair->newer, base, pair->is, &samples[1]))
        return;
    more_hits = (uint32_t)(hits[1] - hits[0]);
    more_samples = (uint32_t)(samples[1] - samples[0]);
    if (more_hits > INT32_MAX ||
        /* Another rule checks for samples that go backwards. */
        more_samples > INT32_MAX)
        return;
    if (more_hits > more_samples + more_samples / 4 + SAMPLES_OF_GRACE)
        PRFDATA_FIND(watch->newer, FRACTION_ABOVE, pair->is->values + c->definition.counter_offset,
                     "the hits grew by %u, but the samples by %u", (unsigned)more_hits,
                     (unsigned)more_samples);
}

static bool went_forward(uint32_t bytes, uint64_t then, uint64_t now)
{
    return now != then && (bytes == 4 ? (uint32_t)(now - then) <= (uint32_t)INT32_MAX
                                      : now - then <= (uint64_t)INT64_MAX);
}

/* Checks that the base of an average grows if the value does, because readers divide by the growth
 * of the base. */
static void validate_average(void *context, const prfdata_validated_pair *pair)
{
    const clock_watch *watch = context;
    const prfdata_validated_counter *c = watch->counter;
    const prfdata_validated_counter *base = c + 1;
    uint64_t values[2];
    uint64_t bases[2];

    if (base->definition.counter_type != PERF_AVERAGE_BASE ||
        !prfdata_validated_value(pair->older, c, pair->was, &values[0]) ||
        !prfdata_validated_value(pair->newer, c, pair->is, &values[1]) ||
        !prfdata_validated_value(pair->older, base, pair->was, &bases[0]) ||
        !prfdata_validated_value(pair->newer, base, pair->is, &bases[1]) || bases[0] != bases[1] ||
        !went_forward(c->definition.counter_size, values[0], values[1]))
        return;
    PRFDATA_FIND(watch->newer, AVERAGE_BASE, pair->is->values + c->definition.counter_offset,
                 "the value went from %" PRIu64 " to %" PRIu64 ", but its base stayed at %" PRIu64,
                 values[0], values[1], bases[0]);
}

static bool is_stamped(uint32_t type)
{
    const prfdata_counter_type *found = prfdata_counter_types_find(type);

    return found && (found->flags & PRFDATA_TYPE_STAMPED);
}

/* Return the function that checks a type together with its base; NULL: there is none. */
static prfdata_validated_visit *validate_with_base(uint32_t type)
{
    if (type == PERF_SAMPLE_FRACTION)
        return validate_hits;
    if (type == PERF_AVERAGE_TIMER || type == PERF_AVERAGE_BULK)
        return validate_average;
    return is_stamped(type) ? validate_stamp : NULL;
}

static void validate_timer_rate(clock_watch *watch, prfdata_validated *older,
                                const prfdata_validated_object *was,
                                const prfdata_validated_object *is)
{
    const prfdata_counter_type *type =
        prfdata_counter_types_find(watch->counter->definition.counter_type);

    if (type && is_timer(type))
        prfdata_validated_pairs_visit(older, watch->newer, was, is, validate_timer, NULL, watch);
}

static void validate_counter_rate(clock_watch *watch, prfdata_validated *older,
                                  const prfdata_validated_object *was,
                                  const prfdata_validated_object *is)
{
    prfdata_validated_visit *check = validate_with_base(watch->counter->definition.counter_type);

    watch->right_stamps = 0;
    memset(&watch->slow, 0, sizeof watch->slow);
    if (check)
        prfdata_validated_pairs_visit(older, watch->newer, was, is, check, NULL, watch);
    if (watch->slow.is && watch->right_stamps == 0)
        report_stamp(watch, &watch->slow, stamp_progress(watch, &watch->slow));
}

uint32_t prfdata_validate_clock(const prfdata_validate_reply *older,
                                const prfdata_validate_reply *newer,
                                const prfdata_validate_watch *times, prfdata_findings *findings)
{
    clock_watch watch;
    prfdata_validated was;
    prfdata_validated is;

    prfdata_validate_reply_read(&was, older, NULL, false, NULL);
    prfdata_validate_reply_read(&is, newer, NULL, false, NULL);
    is.findings = findings;
    memset(&watch, 0, sizeof watch);
    watch.newer = &is;
    watch.times = *times;
    for (uint32_t i = 0; i < is.object_count; i++) {
        const prfdata_validated_object *same =
            prfdata_validated_find(&was, is.objects[i].header.object_name_title_index);

        if (!same || same->header.definition_length != is.objects[i].header.definition_length)
            continue;
        validate_object_rate(&is, same, &is.objects[i], times->least_us, times->most_us);
        for (uint32_t k = 0; k < is.objects[i].counter_count && k < PRFDATA_VALIDATED_MAX_COMPARED;
             k++) {
            watch.counter = &is.objects[i].counters[k];
            validate_timer_rate(&watch, &was, same, &is.objects[i]);
            if (watch.counter->definition.counter_type == PERF_ELAPSED_TIME)
                prfdata_validated_pairs_visit(&was, &is, same, &is.objects[i], validate_elapsed,
                                              NULL, &watch);
            if (k + 1 < is.objects[i].counter_count)
                validate_counter_rate(&watch, &was, same, &is.objects[i]);
        }
    }
    prfdata_validated_free(&was);
    prfdata_validated_free(&is);
    return was.is_out_of_memory || is.is_out_of_memory ? ERROR_NOT_ENOUGH_MEMORY : ERROR_SUCCESS;
}

bool prfdata_validate_clock_is_slow(const prfdata_validate_reply *reply)
{
    prfdata_validated validated;
    bool is_slow = false;

    prfdata_validate_reply_read(&validated, reply, NULL, false, NULL);
    for (uint32_t i = 0; i < validated.object_count; i++) {
        for (uint32_t k = 0; k < validated.objects[i].counter_count; k++) {
            const uint32_t type = validated.objects[i].counters[k].definition.counter_type;

            is_slow = is_slow || type == PERF_ELAPSED_TIME || validate_with_base(type);
        }
    }
    prfdata_validated_free(&validated);
    return is_slow;
}
