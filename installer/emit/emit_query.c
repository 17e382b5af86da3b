/* SPDX-License-Identifier: MIT */
/*
 * Makes the PromQL expression that gives PerfMon's number, from the type of the counter. The table
 * of docs/prometheus.md repeats `forms`. If Prometheus converts classic histograms to native ones,
 * no series has the end _bucket, _sum or _count. So each query of a histogram has a second part,
 * for a native one. Portable.
 */
#include "emit/emit_query.h"

#include <stdio.h>

#include <prfdata/perf_types.h>

/* How a query combines the metrics of a counter. `a` is the first metric, and `b` the second. */
typedef enum query_form {
    FORM_VALUE,           /* a */
    FORM_AGE,             /* time() - a */
    FORM_RATE,            /* rate(a) */
    FORM_GROWTH,          /* increase(a) */
    FORM_UNUSED,          /* 1 - rate(a) */
    FORM_OF_COMPONENTS,   /* rate(a) / b */
    FORM_COMPONENTS_LESS, /* b - rate(a) */
    FORM_OF_SAMPLES,      /* rate(a) / rate(b) */
    FORM_MEAN,            /* rate(a_sum) / rate(a_count) */
    FORM_QUANTILE
} query_form;

/*
 * The forms of types whose first metric is of the kind COUNTER. A raw count has that kind if it
 * accumulates. A type that is missing here has FORM_RATE.
 */
static const struct {
    uint32_t type;
    query_form form;
    prfdata_emit_answer answer;
} forms[] = {
    {PERF_COUNTER_DELTA, FORM_GROWTH, PRFDATA_EMIT_ANSWER_GROWTH},
    {PERF_COUNTER_LARGE_DELTA, FORM_GROWTH, PRFDATA_EMIT_ANSWER_GROWTH},
    {PERF_COUNTER_QUEUELEN_TYPE, FORM_RATE, PRFDATA_EMIT_ANSWER_LENGTH},
    {PERF_COUNTER_LARGE_QUEUELEN_TYPE, FORM_RATE, PRFDATA_EMIT_ANSWER_LENGTH},
    {PERF_COUNTER_100NS_QUEUELEN_TYPE, FORM_RATE, PRFDATA_EMIT_ANSWER_LENGTH},
    {PERF_COUNTER_OBJ_TIME_QUEUELEN_TYPE, FORM_RATE, PRFDATA_EMIT_ANSWER_LENGTH},
    {PERF_COUNTER_TIMER, FORM_RATE, PRFDATA_EMIT_ANSWER_RATIO},
    {PERF_100NSEC_TIMER, FORM_RATE, PRFDATA_EMIT_ANSWER_RATIO},
    {PERF_OBJ_TIME_TIMER, FORM_RATE, PRFDATA_EMIT_ANSWER_RATIO},
    {PERF_PRECISION_SYSTEM_TIMER, FORM_RATE, PRFDATA_EMIT_ANSWER_RATIO},
    {PERF_PRECISION_100NS_TIMER, FORM_RATE, PRFDATA_EMIT_ANSWER_RATIO},
    {PERF_PRECISION_OBJECT_TIMER, FORM_RATE, PRFDATA_EMIT_ANSWER_RATIO},
    {PERF_COUNTER_TIMER_INV, FORM_UNUSED, PRFDATA_EMIT_ANSWER_RATIO},
    {PERF_100NSEC_TIMER_INV, FORM_UNUSED, PRFDATA_EMIT_ANSWER_RATIO},
    {PERF_COUNTER_MULTI_TIMER, FORM_OF_COMPONENTS, PRFDATA_EMIT_ANSWER_RATIO},
    {PERF_100NSEC_MULTI_TIMER, FORM_OF_COMPONENTS, PRFDATA_EMIT_ANSWER_RATIO},
    {PERF_COUNTER_MULTI_TIMER_INV, FORM_COMPONENTS_LESS, PRFDATA_EMIT_ANSWER_RATIO},
    {PERF_100NSEC_MULTI_TIMER_INV, FORM_COMPONENTS_LESS, PRFDATA_EMIT_ANSWER_RATIO},
    {PERF_SAMPLE_FRACTION, FORM_OF_SAMPLES, PRFDATA_EMIT_ANSWER_RATIO},
    {PERF_COUNTER_RAWCOUNT, FORM_RATE, PRFDATA_EMIT_ANSWER_COUNT},
    {PERF_COUNTER_LARGE_RAWCOUNT, FORM_RATE, PRFDATA_EMIT_ANSWER_COUNT},
    {PERF_COUNTER_RAWCOUNT_HEX, FORM_RATE, PRFDATA_EMIT_ANSWER_COUNT},
    {PERF_COUNTER_LARGE_RAWCOUNT_HEX, FORM_RATE, PRFDATA_EMIT_ANSWER_COUNT},
};

static const struct {
    const char *quantile;
    const char *label;
    const char *operation; /* the range follows, such as "5m" */
} quantiles[PRFDATA_EMIT_QUANTILES] = {
    {"0.5", "p50", "p50_"}, {"0.95", "p95", "p95_"}, {"0.99", "p99", "p99_"}};

static query_form find_form(const prfdata_emit_item *item, const prfdata_metric *metric,
                            prfdata_emit_answer *answer)
{
    *answer = PRFDATA_EMIT_ANSWER_NONE;
    switch (metric->kind) {
    case PRFDATA_METRIC_HISTOGRAM:
        *answer = PRFDATA_EMIT_ANSWER_QUANTILE;
        return FORM_QUANTILE;
    case PRFDATA_METRIC_SUMMARY:
        *answer = PRFDATA_EMIT_ANSWER_MEAN;
        return FORM_MEAN;
    case PRFDATA_METRIC_GAUGE:
        if (!prfdata_metric_part_is_first(metric->part))
            return FORM_VALUE;
        if (metric->part->source == PRFDATA_METRIC_START) {
            *answer = PRFDATA_EMIT_ANSWER_AGE;
            return FORM_AGE;
        }
        *answer = PRFDATA_EMIT_ANSWER_VALUE;
        return FORM_VALUE;
    case PRFDATA_METRIC_COUNTER:
        break;
    }
    if (!prfdata_metric_part_is_first(metric->part))
        return FORM_VALUE;
    for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++) {
        if (forms[i].type == item->counter->entry->type) {
            *answer = forms[i].answer;
            return forms[i].form;
        }
    }
    *answer = PRFDATA_EMIT_ANSWER_RATE;
    return FORM_RATE;
}

prfdata_emit_answer prfdata_emit_query_answer(const prfdata_emit_item *item,
                                              const prfdata_metric *metric)
{
    prfdata_emit_answer answer;

    (void)find_form(item, metric, &answer);
    return answer;
}

size_t prfdata_emit_query_count(const prfdata_emit_item *item, const prfdata_metric *metric)
{
    switch (prfdata_emit_query_answer(item, metric)) {
    case PRFDATA_EMIT_ANSWER_NONE:
        return 0;
    case PRFDATA_EMIT_ANSWER_QUANTILE:
        return PRFDATA_EMIT_QUANTILES;
    default:
        return 1;
    }
}

/* Put "rate(name_total{...}[5m])", or another function of a range. */
static void put_over_range(prfdata_quoted_text *text, const char *function,
                           const prfdata_metric *metric, const char *end,
                           const prfdata_emit_query *query)
{
    prfdata_quoted_text_format(text, "%s(%s%s", function, metric->name, end);
    prfdata_quoted_text_format(text, "%s[%s])", query->selector, query->range);
}

static void put_quantile(prfdata_quoted_text *text, const prfdata_metric *metric, size_t index,
                         const char *end, const prfdata_emit_query *query)
{
    prfdata_quoted_text_format(text, "histogram_quantile(%s, ", quantiles[index].quantile);
    put_over_range(text, "rate", metric, end, query);
    prfdata_quoted_text_put(text, ")");
}

bool prfdata_emit_query_histogram(const prfdata_emit_item *item, const prfdata_metric *metric,
                                  prfdata_metric *histogram)
{
    const prfdata_model_counter *sum = prfdata_metric_histogram_sum(item->object, item->counter);

    if (!sum || metric->kind == PRFDATA_METRIC_HISTOGRAM)
        return false;
    prfdata_metric_make(item->model, sum, prfdata_metric_part_histogram(), metric->is_overall,
                        histogram);
    return true;
}

/* Put the growth of one bucket; `bound` is the text of its label. */
static void put_bucket(prfdata_quoted_text *text, const char *function,
                       const prfdata_metric *histogram, const char *bound,
                       const prfdata_emit_query *query)
{
    const char *others = query->selector[0] ? query->selector + 1 : "}";

    prfdata_quoted_text_format(text, "sum without (le) (%s(%s_bucket", function, histogram->name);
    prfdata_quoted_text_format(text, "{le=\"%s\"%s%s[%s]))", bound, others[0] == '}' ? "" : ",",
                               others, query->range);
}

/* Put a function of the native histogram. It is one series, whose name has no suffix such as _sum
 * or _bucket. */
static void put_native(prfdata_quoted_text *text, const char *function_and_arguments,
                       const char *growth, const prfdata_metric *histogram,
                       const prfdata_emit_query *query)
{
    prfdata_quoted_text_put(text, function_and_arguments);
    put_over_range(text, growth, histogram, "", query);
    prfdata_quoted_text_put(text, ")");
}

/* Put the growth of what a counter shows of the histogram: the sum, or the number of values. */
static void put_histogram_growth(prfdata_quoted_text *text, const prfdata_emit_item *item,
                                 const prfdata_metric *histogram, const char *function,
                                 const prfdata_emit_query *query)
{
    char fraction[PRFDATA_METRIC_BOUND_BYTES + 32];
    char bound[PRFDATA_METRIC_BOUND_BYTES];
    double highest;

    if (item->counter->shows->option == PRFDATA_OPTION_SUM) {
        put_over_range(text, function, histogram, "_sum", query);
        put_native(text, " or histogram_sum(", function, histogram, query);
        return;
    }
    highest = prfdata_metric_histogram_bound(item->object, item->counter, histogram->factor);
    if (highest < 0) {
        put_over_range(text, function, histogram, "_count", query);
        put_native(text, " or histogram_count(", function, histogram, query);
        return;
    }
    prfdata_metric_write_bound(highest, bound);
    put_bucket(text, function, histogram, bound, query);
    (void)snprintf(fraction, sizeof fraction, " or histogram_fraction(-Inf, %s, ", bound);
    put_native(text, fraction, function, histogram, query);
    put_native(text, " * histogram_count(", function, histogram, query);
}

static void put_histogram_mean(prfdata_quoted_text *text, const prfdata_metric *histogram,
                               const prfdata_emit_query *query)
{
    put_over_range(text, "rate", histogram, "_sum", query);
    prfdata_quoted_text_put(text, " / ");
    put_over_range(text, "rate", histogram, "_count", query);
    put_native(text, " or histogram_sum(", "rate", histogram, query);
    put_native(text, " / histogram_count(", "rate", histogram, query);
}

static void put_growth(prfdata_quoted_text *text, const prfdata_emit_item *item,
                       const prfdata_metric *metric, const char *function,
                       const prfdata_emit_query *query)
{
    prfdata_metric histogram;

    if (prfdata_emit_query_histogram(item, metric, &histogram))
        put_histogram_growth(text, item, &histogram, function, query);
    else
        put_over_range(text, function, metric, "_total", query);
}

/* Make the counter's second metric: the number of components, or of samples. */
static void make_second(const prfdata_emit_item *item, const prfdata_metric *first,
                        prfdata_metric *second)
{
    prfdata_metric_make(item->model, item->counter, prfdata_metric_part_next(first->part),
                        first->is_overall, second);
}

void prfdata_emit_query_put(prfdata_quoted_text *text, const prfdata_emit_item *item,
                            const prfdata_metric *metric, size_t index,
                            const prfdata_emit_query *query)
{
    prfdata_emit_answer answer;
    prfdata_metric second;

    switch (find_form(item, metric, &answer)) {
    case FORM_VALUE:
        prfdata_quoted_text_format(text, "%s%s", metric->name, query->selector);
        return;
    case FORM_AGE:
        prfdata_quoted_text_format(text, "time() - %s%s", metric->name, query->selector);
        return;
    case FORM_RATE:
        put_growth(text, item, metric, "rate", query);
        return;
    case FORM_GROWTH:
        put_growth(text, item, metric, "increase", query);
        return;
    case FORM_UNUSED:
        prfdata_quoted_text_put(text, "1 - ");
        put_over_range(text, "rate", metric, "_total", query);
        return;
    case FORM_OF_COMPONENTS:
        make_second(item, metric, &second);
        put_over_range(text, "rate", metric, "_total", query);
        prfdata_quoted_text_format(text, " / %s%s", second.name, query->selector);
        return;
    case FORM_COMPONENTS_LESS:
        make_second(item, metric, &second);
        prfdata_quoted_text_format(text, "%s%s - ", second.name, query->selector);
        put_over_range(text, "rate", metric, "_total", query);
        return;
    case FORM_OF_SAMPLES:
        make_second(item, metric, &second);
        put_over_range(text, "rate", metric, "_total", query);
        prfdata_quoted_text_put(text, " / ");
        put_over_range(text, "rate", &second, "_total", query);
        return;
    case FORM_MEAN:
        if (prfdata_emit_query_histogram(item, metric, &second)) {
            put_histogram_mean(text, &second, query);
            return;
        }
        put_over_range(text, "rate", metric, "_sum", query);
        prfdata_quoted_text_put(text, " / ");
        put_over_range(text, "rate", metric, "_count", query);
        return;
    case FORM_QUANTILE:
        put_quantile(text, metric, index, "_bucket", query);
        prfdata_quoted_text_put(text, " or ");
        put_quantile(text, metric, index, "", query);
        return;
    }
}

const char *prfdata_emit_query_label(const prfdata_metric *metric, size_t index)
{
    return metric->kind == PRFDATA_METRIC_HISTOGRAM ? quantiles[index].label : "";
}

const char *prfdata_emit_query_operation(const prfdata_emit_item *item,
                                         const prfdata_metric *metric, size_t index)
{
    prfdata_emit_answer answer;

    switch (find_form(item, metric, &answer)) {
    case FORM_VALUE:
    case FORM_AGE:
        return NULL;
    case FORM_RATE:
        return "rate";
    case FORM_GROWTH:
        return "increase";
    case FORM_UNUSED:
    case FORM_OF_COMPONENTS:
    case FORM_COMPONENTS_LESS:
    case FORM_OF_SAMPLES:
        return "ratio";
    case FORM_MEAN:
        return "mean";
    case FORM_QUANTILE:
        return quantiles[index].operation;
    }
    return NULL;
}
