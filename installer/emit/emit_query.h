/* SPDX-License-Identifier: MIT */
/* Makes queries to Prometheus, in PromQL, that give what PerfMon shows of a counter. */
#ifndef PRFDATA_EMIT_QUERY_H
#define PRFDATA_EMIT_QUERY_H

#include "emit/emit_item.h"
#include "report/quoted_text.h"

/* The number of queries for a histogram. Any other metric has at most one query. */
enum { PRFDATA_EMIT_QUANTILES = 3 };

typedef struct prfdata_emit_query {
    const char *selector; /* with braces, such as {job="x"}; "" for all series */
    const char *range;    /* the range of rates: "5m" */
} prfdata_emit_query;

/* The kind of the answer to a query. Dashboards choose a unit and a title from it. */
typedef enum prfdata_emit_answer {
    PRFDATA_EMIT_ANSWER_NONE,   /* the metric is a part of another metric's answer */
    PRFDATA_EMIT_ANSWER_VALUE,  /* in the metric's unit */
    PRFDATA_EMIT_ANSWER_AGE,    /* the metric is a time; the answer is the seconds since then */
    PRFDATA_EMIT_ANSWER_RATE,   /* the metric's unit, per second */
    PRFDATA_EMIT_ANSWER_COUNT,  /* PerfMon shows the count itself, and the answer is its rate */
    PRFDATA_EMIT_ANSWER_GROWTH, /* the growth during the range */
    PRFDATA_EMIT_ANSWER_LENGTH, /* the mean length of a queue */
    PRFDATA_EMIT_ANSWER_RATIO,  /* a ratio, which PerfMon shows in percent */
    PRFDATA_EMIT_ANSWER_MEAN,   /* in the metric's unit, per operation */
    PRFDATA_EMIT_ANSWER_QUANTILE
} prfdata_emit_answer;

prfdata_emit_answer prfdata_emit_query_answer(const prfdata_emit_item *item,
                                              const prfdata_metric *metric);

/* Return the number of queries for a metric of the item; 0 for PRFDATA_EMIT_ANSWER_NONE. */
size_t prfdata_emit_query_count(const prfdata_emit_item *item, const prfdata_metric *metric);

/* Put the expression of query `index` for a metric of the item. */
void prfdata_emit_query_put(prfdata_quoted_text *text, const prfdata_emit_item *item,
                            const prfdata_metric *metric, size_t index,
                            const prfdata_emit_query *query);

/*
 * Make the metric of the histogram that contains the values of `metric`. Returns false if there is
 * none, or if `metric` is itself a histogram. If it returns true, queries must ask for the
 * histogram, because prfread does not serve `metric`.
 */
bool prfdata_emit_query_histogram(const prfdata_emit_item *item, const prfdata_metric *metric,
                                  prfdata_metric *histogram);

/* Return the label of a query: "p50", "p95" or "p99"; "" if the metric has only one query. */
const char *prfdata_emit_query_label(const prfdata_metric *metric, size_t index);

/*
 * Return the word for the answer in the name of a recording rule, such as "rate" or "p95_". The
 * range follows the word. NULL if the answer needs no rule, because it is the plain metric or its
 * age.
 */
const char *prfdata_emit_query_operation(const prfdata_emit_item *item,
                                         const prfdata_metric *metric, size_t index);

#endif
