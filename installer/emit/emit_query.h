/* SPDX-License-Identifier: MIT */
/* Queries to Prometheus about a metric, in PromQL, for dashboards and rules. */
#ifndef PRFDATA_EMIT_QUERY_H
#define PRFDATA_EMIT_QUERY_H

#include "metric/metric.h"
#include "report/quoted_text.h"

/* The questions about a histogram; other metrics have one. */
enum { PRFDATA_EMIT_QUANTILES = 3 };

typedef struct prfdata_emit_query {
    const char *selector; /* with braces, such as {job="x"}; "" for all series */
    const char *range;    /* of rates: "5m" */
} prfdata_emit_query;

/* How many questions there are about a metric. */
size_t prfdata_emit_query_count(const prfdata_metric *metric);

/* Put question `index` of them, as an expression. */
void prfdata_emit_query_put(prfdata_quoted_text *text, const prfdata_metric *metric, size_t index,
                            const prfdata_emit_query *query);

/* Which one it is: "p50", "p95", "p99"; "" if there is only one. */
const char *prfdata_emit_query_label(const prfdata_metric *metric, size_t index);

/* What the answer is: "rate", "mean", "p95"; NULL: the metric as it is, not worth recording. */
const char *prfdata_emit_query_operation(const prfdata_metric *metric, size_t index);

#endif
