/* SPDX-License-Identifier: MIT */
/* Checks whether values are possible for their type and for the clock of their object.
 * validate_change.c and validate_clock.c check values of two replies. */
#include "validate/validate_value.h"

#include <inttypes.h>

#include <prfdata/perf_types.h>

/*
 * If a start is further away from PerfTime than these limits, it is from another clock than the
 * object's clock. For example, a FILETIME is centuries ahead of the processor's counter. A start
 * may be slightly ahead if the clock was set back, or if an instance began after PerfTime was read.
 */
#define MOST_AHEAD_SECONDS  (24u * 60 * 60)
#define MOST_PASSED_SECONDS (50u * 365 * 24 * 60 * 60)

/* Checks a start against the time of the reply. A start of 0 means that nothing has begun. */
static void validate_start(prfdata_validated *j, const prfdata_validated_object *o,
                           const prfdata_validated_counter *c, const prfdata_validated_instance *i)
{
    const uint64_t now = (uint64_t)o->header.perf_time;
    const uint64_t frequency = (uint64_t)o->header.perf_freq;
    uint64_t start;

    if (!prfdata_validated_value(j, c, i, &start) || start == 0)
        return;
    if (start > now ? (start - now) / frequency > MOST_AHEAD_SECONDS
                    : (now - start) / frequency > MOST_PASSED_SECONDS)
        PRFDATA_FIND(j, ELAPSED_START, i->values + c->definition.counter_offset,
                     "the value says that it began at %" PRIu64 ", %" PRIu64
                     " seconds %s PERF_OBJECT_TYPE.PerfTime",
                     start, (start > now ? start - now : now - start) / frequency,
                     start > now ? "after" : "before");
}

/* Checks that the base is not 0. Readers divide by the base of a multi timer, which is the number
 * of its components. */
static void validate_multi_base(prfdata_validated *j, const prfdata_validated_counter *c,
                                const prfdata_validated_instance *i)
{
    uint64_t base;

    if (prfdata_validated_value(j, c, i, &base) && base == 0)
        PRFDATA_FIND(j, MULTI_BASE, i->values + c->definition.counter_offset,
                     "the base of a multi timer is 0");
}

/*
 * From this number on, a level of 32 bits is taken for a level below 0. A smaller number may be a
 * large number of bytes. A level of 64 bits may be below 0, because readers show it with its sign.
 */
#define LEAST_NEGATIVE 0xFFFF0000u

static void validate_level(prfdata_validated *j, const prfdata_validated_counter *c,
                           const prfdata_validated_instance *i)
{
    uint64_t level;

    if (c->definition.counter_size == 4 && prfdata_validated_value(j, c, i, &level) &&
        level >= LEAST_NEGATIVE)
        PRFDATA_FIND(j, LEVEL_BELOW_ZERO, i->values + c->definition.counter_offset,
                     "the level is %" PRIu64 ", which is -%" PRIu64 " in 32 bits", level,
                     ((uint64_t)1 << 32) - level);
}

void prfdata_validate_value_check(prfdata_validated *j, const prfdata_validated_object *o)
{
    for (uint32_t i = 0; i < o->counter_count && i < PRFDATA_VALIDATED_MAX_COMPARED; i++) {
        const prfdata_validated_counter *c = &o->counters[i];

        for (uint32_t k = 0; k < o->instance_count; k++) {
            if (c->definition.counter_type == PERF_ELAPSED_TIME && o->header.perf_freq > 0)
                validate_start(j, o, c, &o->instances[k]);
            else if (c->definition.counter_type == PERF_COUNTER_MULTI_BASE)
                validate_multi_base(j, c, &o->instances[k]);
            else if (c->definition.counter_type == PERF_COUNTER_RAWCOUNT)
                validate_level(j, c, &o->instances[k]);
            else
                break;
        }
    }
}
