/* SPDX-License-Identifier: MIT */
/* The table of counter types. A type without a row has no metric. */
#include "prometheus/metric_part.h"

#include <prfdata/perf_types.h>

/* Documented for providers of version 2, which perflib passes on; <winperf.h> lacks it. */
#define PERF_DOUBLE_RAW_NUMBER 0x00012000u

/* Flags in the last column. */
#define COUNTS_BASE 1
#define ON_REQUEST  2

#define ROW(type, source, clock, suffix, flags)                                                    \
    {                                                                                              \
        PERF_##type, PRFDATA_METRIC_##source, PRFDATA_CLOCK_##clock, suffix,                       \
            ((flags)&COUNTS_BASE) != 0, ((flags)&ON_REQUEST) != 0                                  \
    }

/* The rows of a type follow each other. */
static const prfdata_metric_part parts[] = {
    ROW(COUNTER_RAWCOUNT, VALUE, NONE, "", 0),
    ROW(COUNTER_LARGE_RAWCOUNT, VALUE, NONE, "", 0),
    ROW(COUNTER_RAWCOUNT_HEX, VALUE, NONE, "", 0),
    ROW(COUNTER_LARGE_RAWCOUNT_HEX, VALUE, NONE, "", 0),
    ROW(DOUBLE_RAW_NUMBER, DOUBLE, NONE, "", 0),
    ROW(COUNTER_DELTA, COUNT, NONE, "", 0),
    ROW(COUNTER_LARGE_DELTA, COUNT, NONE, "", 0),
    ROW(COUNTER_COUNTER, COUNT, NONE, "", 0),
    ROW(COUNTER_BULK_COUNT, COUNT, NONE, "", 0),
    ROW(SAMPLE_COUNTER, COUNT, NONE, "", 0),
    ROW(COUNTER_QUEUELEN_TYPE, COUNT, PERF, "", 0),
    ROW(COUNTER_LARGE_QUEUELEN_TYPE, COUNT, PERF, "", 0),
    ROW(COUNTER_100NS_QUEUELEN_TYPE, COUNT, 100NS, "", 0),
    ROW(COUNTER_OBJ_TIME_QUEUELEN_TYPE, COUNT, OBJECT, "", 0),
    ROW(COUNTER_TIMER, COUNT, PERF, "", 0),
    ROW(100NSEC_TIMER, COUNT, 100NS, "", 0),
    ROW(OBJ_TIME_TIMER, COUNT, OBJECT, "", 0),
    ROW(PRECISION_SYSTEM_TIMER, COUNT, PERF, "", 0),
    ROW(PRECISION_100NS_TIMER, COUNT, 100NS, "", 0),
    ROW(PRECISION_OBJECT_TIMER, COUNT, OBJECT, "", 0),
    ROW(COUNTER_TIMER_INV, COUNT, PERF, "idle", 0),
    ROW(100NSEC_TIMER_INV, COUNT, 100NS, "idle", 0),
    ROW(COUNTER_MULTI_TIMER, COUNT, PERF, "", 0),
    ROW(COUNTER_MULTI_TIMER, BASE, NONE, "components", 0),
    ROW(100NSEC_MULTI_TIMER, COUNT, 100NS, "", 0),
    ROW(100NSEC_MULTI_TIMER, BASE, NONE, "components", 0),
    ROW(COUNTER_MULTI_TIMER_INV, COUNT, PERF, "idle", 0),
    ROW(COUNTER_MULTI_TIMER_INV, BASE, NONE, "components", 0),
    ROW(100NSEC_MULTI_TIMER_INV, COUNT, 100NS, "idle", 0),
    ROW(100NSEC_MULTI_TIMER_INV, BASE, NONE, "components", 0),
    ROW(RAW_FRACTION, FRACTION, NONE, "", 0),
    ROW(RAW_FRACTION, VALUE, NONE, "numerator", ON_REQUEST),
    ROW(RAW_FRACTION, BASE, NONE, "denominator", ON_REQUEST),
    ROW(LARGE_RAW_FRACTION, FRACTION, NONE, "", 0),
    ROW(LARGE_RAW_FRACTION, VALUE, NONE, "numerator", ON_REQUEST),
    ROW(LARGE_RAW_FRACTION, BASE, NONE, "denominator", ON_REQUEST),
    ROW(SAMPLE_FRACTION, COUNT, NONE, "hits", COUNTS_BASE),
    ROW(SAMPLE_FRACTION, COUNT_BASE, NONE, "samples", COUNTS_BASE),
    ROW(AVERAGE_TIMER, AVERAGE, PERF, "", COUNTS_BASE),
    ROW(AVERAGE_BULK, AVERAGE, NONE, "", COUNTS_BASE),
    ROW(ELAPSED_TIME, START, OBJECT, "start_time", 0),
};

#define PART_COUNT (sizeof parts / sizeof parts[0])

const prfdata_metric_part *prfdata_metric_part_first(uint32_t type)
{
    for (size_t i = 0; i < PART_COUNT; i++) {
        if (parts[i].type == type)
            return &parts[i];
    }
    return NULL;
}

const prfdata_metric_part *prfdata_metric_part_next(const prfdata_metric_part *part)
{
    size_t next = (size_t)(part - parts) + 1;

    return next < PART_COUNT && parts[next].type == part->type ? &parts[next] : NULL;
}

prfdata_metric_kind prfdata_metric_part_kind(const prfdata_metric_part *part)
{
    switch (part->source) {
    case PRFDATA_METRIC_COUNT:
    case PRFDATA_METRIC_COUNT_BASE:
        return PRFDATA_METRIC_COUNTER;
    case PRFDATA_METRIC_AVERAGE:
        return PRFDATA_METRIC_SUMMARY;
    default:
        return PRFDATA_METRIC_GAUGE;
    }
}

prfdata_metric_unit prfdata_metric_part_unit(const prfdata_metric_part *part)
{
    if (part->source == PRFDATA_METRIC_FRACTION)
        return PRFDATA_METRIC_UNIT_RATIO;
    if (part->clock != PRFDATA_CLOCK_NONE)
        return PRFDATA_METRIC_UNIT_SECONDS;
    /* Of several metrics of a counter, the title means only the one without a suffix. */
    return part->suffix[0] == 0 ? PRFDATA_METRIC_UNIT_OF_TITLE : PRFDATA_METRIC_UNIT_NONE;
}
