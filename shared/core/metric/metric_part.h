/* SPDX-License-Identifier: MIT */
/* Lists the metrics of each counter type in systems like Prometheus: one, several, or none. */
#ifndef PRFDATA_METRIC_PART_H
#define PRFDATA_METRIC_PART_H

#include <stdbool.h>
#include <stdint.h>

typedef enum prfdata_metric_kind {
    PRFDATA_METRIC_GAUGE,    /* may fall */
    PRFDATA_METRIC_COUNTER,  /* only grows, or restarts from 0 */
    PRFDATA_METRIC_SUMMARY,  /* two counters: a sum and a count */
    PRFDATA_METRIC_HISTOGRAM /* cumulative buckets, a sum and a count, all counters */
} prfdata_metric_kind;

/* The source of a metric's value. Levels may fall; counts only grow or restart from 0. */
typedef enum prfdata_metric_source {
    PRFDATA_METRIC_VALUE,      /* the value, a level */
    PRFDATA_METRIC_DOUBLE,     /* the value, a level, as a double */
    PRFDATA_METRIC_BASE,       /* the base, a level */
    PRFDATA_METRIC_COUNT,      /* the value, a count */
    PRFDATA_METRIC_COUNT_BASE, /* the base, a count */
    PRFDATA_METRIC_FRACTION,   /* value / base */
    PRFDATA_METRIC_AVERAGE,    /* value and base, both counts */
    PRFDATA_METRIC_BUCKETS,    /* counts of values up to bounds, from several counters */
    PRFDATA_METRIC_START       /* the time at which something started */
} prfdata_metric_source;

typedef enum prfdata_metric_clock {
    PRFDATA_METRIC_CLOCK_NONE,
    PRFDATA_METRIC_CLOCK_PERF,  /* PerfFreq of the data block */
    PRFDATA_METRIC_CLOCK_100NS, /* 10 MHz */
    PRFDATA_METRIC_CLOCK_OBJECT /* PerfFreq of the object */
} prfdata_metric_clock;

typedef struct prfdata_metric_part {
    uint32_t type; /* CounterType */
    prfdata_metric_source source;
    /* the clock in whose ticks the value counts; if there is one, the metric is in seconds */
    prfdata_metric_clock clock;
    /* Words of the name before "overall" and the unit, or empty. A declared name has none of these
     * words if the part is the counter's first one. */
    const char *suffix;
    bool has_count_base;  /* the base is a count, too, and is read with the value */
    bool on_request;      /* shown only if the user asks for the parts of fractions */
    bool is_accumulating; /* for a level with PRFDATA_MAP_ACCUMULATING, and for the histogram */
} prfdata_metric_part;

/*
 * The first metric of a counter, or NULL. Texts, labels and bases have no metric.
 *
 * is_accumulating  Whether the counter has PRFDATA_MAP_ACCUMULATING or a type that accumulates
 *                  anyway. For a counter without a map: false.
 */
const prfdata_metric_part *prfdata_metric_part_first(uint32_t type, bool is_accumulating);

/* The next metric of the same counter, or NULL. */
const prfdata_metric_part *prfdata_metric_part_next(const prfdata_metric_part *part);

/* The histogram that several counters of one distribution form. It belongs to no counter type. */
const prfdata_metric_part *prfdata_metric_part_histogram(void);

/* Whether this is the counter's first metric. False for a histogram. */
bool prfdata_metric_part_is_first(const prfdata_metric_part *part);

prfdata_metric_kind prfdata_metric_part_kind(const prfdata_metric_part *part);

/* The unit that the type determines and a map cannot change: "seconds", "ratio" or "". */
const char *prfdata_metric_part_unit(const prfdata_metric_part *part);

#endif
