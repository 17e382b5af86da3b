/* SPDX-License-Identifier: MIT */
/*
 * The metrics that a counter's type gives in Prometheus: one, several, or none. This is the only
 * place that says so. Knows neither names nor values.
 */
#ifndef PRFDATA_READER_METRIC_PART_H
#define PRFDATA_READER_METRIC_PART_H

#include "compute/counter_formula.h"
#include "prometheus/metric_name.h"

/* What a metric shows of a counter. Levels may fall; counts only grow or start again. */
typedef enum prfdata_metric_source {
    PRFDATA_METRIC_VALUE,      /* the value, a level */
    PRFDATA_METRIC_DOUBLE,     /* the same, as a double */
    PRFDATA_METRIC_BASE,       /* the base, a level */
    PRFDATA_METRIC_COUNT,      /* the value, a count */
    PRFDATA_METRIC_COUNT_BASE, /* the base, a count */
    PRFDATA_METRIC_FRACTION,   /* value / base */
    PRFDATA_METRIC_AVERAGE,    /* value and base, both counts */
    PRFDATA_METRIC_START       /* the moment that the value stands for */
} prfdata_metric_source;

typedef struct prfdata_metric_part {
    uint32_t type; /* CounterType */
    prfdata_metric_source source;
    prfdata_formula_clock clock; /* in whose ticks the value is */
    const char *suffix;          /* a last word of the name; empty: none */
    bool has_count_base;         /* the base is a count that belongs to the value */
    bool on_request;             /* shown with -parts only */
} prfdata_metric_part;

/* The first metric of a type; NULL: it has none. */
const prfdata_metric_part *prfdata_metric_part_first(uint32_t type);

/* The next metric of the same type, or NULL. */
const prfdata_metric_part *prfdata_metric_part_next(const prfdata_metric_part *part);

prfdata_metric_kind prfdata_metric_part_kind(const prfdata_metric_part *part);

prfdata_metric_unit prfdata_metric_part_unit(const prfdata_metric_part *part);

#endif
