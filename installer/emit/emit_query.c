/* SPDX-License-Identifier: MIT */
/* One expression per kind of metric. Dashboards and rules use the same. Portable. */
#include "emit/emit_query.h"

static const struct {
    const char *quantile;
    const char *label;
    const char *operation; /* a number follows */
} quantiles[PRFDATA_EMIT_QUANTILES] = {
    {"0.5", "p50", "p50_"}, {"0.95", "p95", "p95_"}, {"0.99", "p99", "p99_"}};

size_t prfdata_emit_query_count(const prfdata_metric *metric)
{
    return metric->kind == PRFDATA_METRIC_HISTOGRAM ? PRFDATA_EMIT_QUANTILES : 1;
}

/* Put "rate(name_total{...}[5m])". */
static void put_rate(prfdata_quoted_text *text, const prfdata_metric *metric, const char *end,
                     const prfdata_emit_query *query)
{
    prfdata_quoted_text_format(text, "rate(%s%s", metric->name, end);
    prfdata_quoted_text_format(text, "%s[%s])", query->selector, query->range);
}

/* Put a quantile of the series whose names end with `end`. */
static void put_quantile(prfdata_quoted_text *text, const prfdata_metric *metric, size_t index,
                         const char *end, const prfdata_emit_query *query)
{
    prfdata_quoted_text_format(text, "histogram_quantile(%s, ", quantiles[index].quantile);
    put_rate(text, metric, end, query);
    prfdata_quoted_text_put(text, ")");
}

void prfdata_emit_query_put(prfdata_quoted_text *text, const prfdata_metric *metric, size_t index,
                            const prfdata_emit_query *query)
{
    switch (metric->kind) {
    case PRFDATA_METRIC_COUNTER:
        put_rate(text, metric, "_total", query);
        return;
    case PRFDATA_METRIC_SUMMARY:
        put_rate(text, metric, "_sum", query);
        prfdata_quoted_text_put(text, " / ");
        put_rate(text, metric, "_count", query);
        return;
    case PRFDATA_METRIC_HISTOGRAM:
        /* With convert_classic_histograms_to_nhcb there is one native series, and no _bucket. */
        put_quantile(text, metric, index, "_bucket", query);
        prfdata_quoted_text_put(text, " or ");
        put_quantile(text, metric, index, "", query);
        return;
    default:
        /* Prometheus has the moment; people want to know how long ago it was. */
        if (metric->part->source == PRFDATA_METRIC_START)
            prfdata_quoted_text_put(text, "time() - ");
        prfdata_quoted_text_format(text, "%s%s", metric->name, query->selector);
    }
}

const char *prfdata_emit_query_label(const prfdata_metric *metric, size_t index)
{
    return metric->kind == PRFDATA_METRIC_HISTOGRAM ? quantiles[index].label : "";
}

const char *prfdata_emit_query_operation(const prfdata_metric *metric, size_t index)
{
    switch (metric->kind) {
    case PRFDATA_METRIC_COUNTER:
        return "rate";
    case PRFDATA_METRIC_SUMMARY:
        return "mean";
    case PRFDATA_METRIC_HISTOGRAM:
        return quantiles[index].operation;
    default:
        return NULL;
    }
}
