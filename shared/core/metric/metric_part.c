/* SPDX-License-Identifier: MIT */
/* Holds the table of counter types with their metrics. A type without a row has no metric. */
#include "metric/metric_part.h"

#include <stddef.h>

#include <prfdata/perf_types.h>

/*
 * <winperf.h> lacks this type. It is documented for providers of version 2, and perflib passes it
 * on.
 */
#define PERF_DOUBLE_RAW_NUMBER 0x00012000u

/*
 * The type in the row of the histogram. No counter of a map has it. A counter of another provider
 * may claim to have it, but only counters of maps match rows with ACCUMULATING.
 */
#define PERF_NO_TYPE 0xFFFFFFFFu

/* Flags in the last column. */
#define COUNTS_BASE  1
#define ON_REQUEST   2
#define ACCUMULATING 4

#define ROW(type, source, clock, suffix, flags)                                                    \
    {                                                                                              \
        PERF_##type, PRFDATA_METRIC_##source, PRFDATA_METRIC_CLOCK_##clock, suffix,                \
            ((flags)&COUNTS_BASE) != 0, ((flags)&ON_REQUEST) != 0, ((flags)&ACCUMULATING) != 0     \
    }

/* Rows that agree in the type and in the flag ACCUMULATING must be adjacent. */
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
    ROW(COUNTER_RAWCOUNT, COUNT, NONE, "", ACCUMULATING),
    ROW(COUNTER_LARGE_RAWCOUNT, COUNT, NONE, "", ACCUMULATING),
    ROW(COUNTER_RAWCOUNT_HEX, COUNT, NONE, "", ACCUMULATING),
    ROW(COUNTER_LARGE_RAWCOUNT_HEX, COUNT, NONE, "", ACCUMULATING),
    ROW(RAW_FRACTION, FRACTION, NONE, "", ACCUMULATING),
    ROW(RAW_FRACTION, COUNT, NONE, "numerator", ACCUMULATING | ON_REQUEST | COUNTS_BASE),
    ROW(RAW_FRACTION, COUNT_BASE, NONE, "denominator", ACCUMULATING | ON_REQUEST | COUNTS_BASE),
    ROW(LARGE_RAW_FRACTION, FRACTION, NONE, "", ACCUMULATING),
    ROW(LARGE_RAW_FRACTION, COUNT, NONE, "numerator", ACCUMULATING | ON_REQUEST | COUNTS_BASE),
    ROW(LARGE_RAW_FRACTION, COUNT_BASE, NONE, "denominator",
        ACCUMULATING | ON_REQUEST | COUNTS_BASE),
    ROW(NO_TYPE, BUCKETS, NONE, "distribution", ACCUMULATING), /* must be the last row */
};

#define PART_COUNT (sizeof parts / sizeof parts[0])

static const prfdata_metric_part *find_metric_part(uint32_t type, bool is_accumulating)
{
    for (size_t i = 0; i < PART_COUNT; i++) {
        if (parts[i].type == type && parts[i].is_accumulating == is_accumulating)
            return &parts[i];
    }
    return NULL;
}

const prfdata_metric_part *prfdata_metric_part_first(uint32_t type, bool is_accumulating)
{
    const prfdata_metric_part *part = is_accumulating ? find_metric_part(type, true) : NULL;

    /* Most types have no row with ACCUMULATING. Their rows are for accumulating counters, too. */
    return part ? part : find_metric_part(type, false);
}

static bool are_of_one_counter(const prfdata_metric_part *a, const prfdata_metric_part *b)
{
    return a->type == b->type && a->is_accumulating == b->is_accumulating;
}

const prfdata_metric_part *prfdata_metric_part_next(const prfdata_metric_part *part)
{
    const size_t next = (size_t)(part - parts) + 1;

    return next < PART_COUNT && are_of_one_counter(&parts[next], part) ? &parts[next] : NULL;
}

const prfdata_metric_part *prfdata_metric_part_histogram(void)
{
    return &parts[PART_COUNT - 1];
}

bool prfdata_metric_part_is_first(const prfdata_metric_part *part)
{
    return part != prfdata_metric_part_histogram() &&
           (part == parts || !are_of_one_counter(part - 1, part));
}

prfdata_metric_kind prfdata_metric_part_kind(const prfdata_metric_part *part)
{
    switch (part->source) {
    case PRFDATA_METRIC_COUNT:
    case PRFDATA_METRIC_COUNT_BASE:
        return PRFDATA_METRIC_COUNTER;
    case PRFDATA_METRIC_AVERAGE:
        return PRFDATA_METRIC_SUMMARY;
    case PRFDATA_METRIC_BUCKETS:
        return PRFDATA_METRIC_HISTOGRAM;
    default:
        return PRFDATA_METRIC_GAUGE;
    }
}

const char *prfdata_metric_part_unit(const prfdata_metric_part *part)
{
    if (part->clock != PRFDATA_METRIC_CLOCK_NONE)
        return "seconds";
    return part->source == PRFDATA_METRIC_FRACTION ? "ratio" : "";
}
