/* SPDX-License-Identifier: MIT */
/* Tests that every counter type has a query that gives PerfMon's number. `test_emit_query QUERIES`
 * writes unit tests for promtool, in which Prometheus evaluates each query on series of known
 * samples. The answer is compared with the value that reader/compute has for these samples.
 * test_emit_query.py runs this, and compares `test_emit_query TABLE` with docs/prometheus.md. */
#include "support/test.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "compute/compute.h"
#include "emit/emit_query.h"
#include "map/model.h"

#define PERF_HZ   1000000
#define OBJECT_HZ 500000

enum { STEP_S = 15, SAMPLES = 80, RANGE_S = 300, NOW_S = 900 };

/* clang-format off */
/* Call X(type) or X(type, base) for each type that has a metric. */
#define PLAIN_TYPES(X)                                                                             \
    X(COUNTER_RAWCOUNT)                                                                            \
    X(COUNTER_LARGE_RAWCOUNT)                                                                      \
    X(COUNTER_RAWCOUNT_HEX)                                                                        \
    X(COUNTER_LARGE_RAWCOUNT_HEX)                                                                  \
    X(COUNTER_DELTA)                                                                               \
    X(COUNTER_LARGE_DELTA)                                                                         \
    X(COUNTER_COUNTER)                                                                             \
    X(COUNTER_BULK_COUNT)                                                                          \
    X(SAMPLE_COUNTER)                                                                              \
    X(COUNTER_QUEUELEN_TYPE)                                                                       \
    X(COUNTER_LARGE_QUEUELEN_TYPE)                                                                 \
    X(COUNTER_100NS_QUEUELEN_TYPE)                                                                 \
    X(COUNTER_OBJ_TIME_QUEUELEN_TYPE)                                                              \
    X(COUNTER_TIMER)                                                                               \
    X(100NSEC_TIMER)                                                                               \
    X(OBJ_TIME_TIMER)                                                                              \
    X(COUNTER_TIMER_INV)                                                                           \
    X(100NSEC_TIMER_INV)                                                                           \
    X(ELAPSED_TIME)
#define TYPES_WITH_BASE(X)                                                                         \
    X(PRECISION_SYSTEM_TIMER, LARGE_RAW_BASE)                                                      \
    X(PRECISION_100NS_TIMER, LARGE_RAW_BASE)                                                       \
    X(PRECISION_OBJECT_TIMER, LARGE_RAW_BASE)                                                      \
    X(COUNTER_MULTI_TIMER, COUNTER_MULTI_BASE)                                                     \
    X(100NSEC_MULTI_TIMER, COUNTER_MULTI_BASE)                                                     \
    X(COUNTER_MULTI_TIMER_INV, COUNTER_MULTI_BASE)                                                 \
    X(100NSEC_MULTI_TIMER_INV, COUNTER_MULTI_BASE)                                                 \
    X(RAW_FRACTION, RAW_BASE)                                                                      \
    X(LARGE_RAW_FRACTION, LARGE_RAW_BASE)                                                          \
    X(SAMPLE_FRACTION, SAMPLE_BASE)                                                                \
    X(AVERAGE_TIMER, AVERAGE_BASE)                                                                 \
    X(AVERAGE_BULK, AVERAGE_BASE)

enum {
    TYPES = 1,
#define ID(type) TYPES_##type,
#define IDS(type, base) TYPES_##type, TYPES_##type##_BASE,
    PLAIN_TYPES(ID) TYPES_WITH_BASE(IDS) TYPES_FINISHED
};

#define COUNTER(type) PRFDATA_MAP_CTR(TYPES_##type, L"" #type, L"Help.", PERF_DETAIL_NOVICE, 0, PERF_##type)
#define COUNTER_AND_BASE(type, base) COUNTER(type) \
    PRFDATA_MAP_CTR(TYPES_##type##_BASE, L"" #type, L"Help.", PERF_DETAIL_NOVICE, 0, PERF_##base)
PRFDATA_MAP_BEGIN_AS(types_map)
    PRFDATA_MAP_OBJ(TYPES, L"Types", L"A counter of each type.", PERF_DETAIL_NOVICE,
                    TYPES_COUNTER_RAWCOUNT, 4, 20)
        PRFDATA_MAP_PER_PROCESS()
    PLAIN_TYPES(COUNTER)
    TYPES_WITH_BASE(COUNTER_AND_BASE)
    PRFDATA_MAP_CTR(TYPES_FINISHED, L"Finished", L"Help.", PERF_DETAIL_NOVICE, 0, PERF_COUNTER_LARGE_RAWCOUNT)
        PRFDATA_MAP_ACCUMULATING()
PRFDATA_MAP_END_AS(types_map, "Types")

PRFDATA_DEFINE_OBJECT(PAGES, 1);
PRFDATA_DEFINE_DISTRIBUTION(PAGES_TIME, 2);
enum { PAGES_SUM = 3, PAGES_COUNT, PAGES_UP_TO_1MS, PAGES_UP_TO_20MS, PAGES_MEAN, PAGES_MEAN_BASE };

#define PAGE_COUNTER(id, type) PRFDATA_MAP_CTR(id, L"" #id, L"Help.", PERF_DETAIL_NOVICE, 0, type)
PRFDATA_MAP_BEGIN_AS(pages_map)
    PRFDATA_MAP_OBJ(PAGES, L"Pages", L"Counters of a histogram.", PERF_DETAIL_NOVICE, PAGES_SUM, 4, 20)
        PRFDATA_MAP_DISTRIBUTION(PAGES_TIME, PRFDATA_UNIT_100NS, 10, 100000000)
    PAGE_COUNTER(PAGES_SUM, PERF_COUNTER_BULK_COUNT)
        PRFDATA_MAP_SUM(PAGES_TIME)
        PRFDATA_MAP_METRIC("site_time", "microseconds")
    PAGE_COUNTER(PAGES_COUNT, PERF_COUNTER_BULK_COUNT)
        PRFDATA_MAP_COUNT(PAGES_TIME)
    PAGE_COUNTER(PAGES_UP_TO_1MS, PERF_COUNTER_LARGE_DELTA)
        PRFDATA_MAP_AT_MOST(PAGES_TIME, 10000)
    PAGE_COUNTER(PAGES_UP_TO_20MS, PERF_COUNTER_LARGE_RAWCOUNT)
        PRFDATA_MAP_AT_MOST(PAGES_TIME, 200000)
        PRFDATA_MAP_ACCUMULATING()
    PRFDATA_MAP_CTR_AND_BASE_WITH(PAGES_MEAN, L"Mean", L"Help.", PERF_DETAIL_NOVICE, 0, PERF_AVERAGE_BULK,
                                  PRFDATA_MAP_MEAN(PAGES_TIME))
PRFDATA_MAP_END_AS(pages_map, "Site")
/* clang-format on */

static prfdata_model *model;
static prfdata_model *pages;

/* ---- Samples that grow evenly, so that all intervals have the same rate ---- */

typedef struct samples {
    double value, value_per_s;
    double base, base_per_s;
} samples;

static double clock_hz(prfdata_metric_clock clock)
{
    switch (clock) {
    case PRFDATA_METRIC_CLOCK_PERF:
        return PERF_HZ;
    case PRFDATA_METRIC_CLOCK_100NS:
        return PRFDATA_COMPUTE_100NS_PER_SECOND;
    case PRFDATA_METRIC_CLOCK_OBJECT:
        return OBJECT_HZ;
    default:
        return 1;
    }
}

static samples samples_of(const prfdata_emit_item *item)
{
    const double hz = clock_hz(item->metric.part->clock);

    switch (item->counter->entry->type) {
    case PERF_COUNTER_TIMER_INV:
    case PERF_100NSEC_TIMER_INV:
        /* The inverse timer grows by 98.6 % of the time, so PerfMon shows 1.4 % */
        return (samples){1000, 0.986 * hz, 0, 0};
    case PERF_COUNTER_MULTI_TIMER:
    case PERF_100NSEC_MULTI_TIMER:
    case PERF_COUNTER_MULTI_TIMER_INV:
    case PERF_100NSEC_MULTI_TIMER_INV:
        return (samples){1000, 1.5 * hz, 4, 0};
    case PERF_PRECISION_SYSTEM_TIMER:
    case PERF_PRECISION_100NS_TIMER:
    case PERF_PRECISION_OBJECT_TIMER:
        return (samples){1000, 0.25 * hz, 5000, hz};
    case PERF_COUNTER_TIMER:
    case PERF_100NSEC_TIMER:
    case PERF_OBJ_TIME_TIMER:
        return (samples){1000, 0.25 * hz, 0, 0};
    case PERF_SAMPLE_FRACTION:
        return (samples){10, 3, 20, 4};
    case PERF_AVERAGE_TIMER:
        return (samples){1000, 1.5 * hz, 10, 2};
    case PERF_AVERAGE_BULK:
        return (samples){4096, 3000, 10, 2};
    case PERF_RAW_FRACTION:
    case PERF_LARGE_RAW_FRACTION:
        return (samples){30, 0, 40, 0};
    case PERF_ELAPSED_TIME:
        return (samples){120 * OBJECT_HZ, 0, 0, 0};
    case PERF_COUNTER_RAWCOUNT:
    case PERF_COUNTER_LARGE_RAWCOUNT:
    case PERF_COUNTER_RAWCOUNT_HEX:
    case PERF_COUNTER_LARGE_RAWCOUNT_HEX:
        return (samples){13, item->metric.kind == PRFDATA_METRIC_COUNTER ? 7 : 0, 0, 0};
    default:
        return (samples){1000, 7 * hz, 0, 0};
    }
}

static prfdata_compute_raw raw_at(const prfdata_emit_item *item, const samples *s, double time_s)
{
    return (prfdata_compute_raw){.type = item->counter->entry->type,
                                 .value_bytes = 8,
                                 .base_bytes = 8,
                                 .value = (uint64_t)(s->value + s->value_per_s * time_s),
                                 .base = (uint64_t)(s->base + s->base_per_s * time_s),
                                 .perf_time = (int64_t)(time_s * PERF_HZ),
                                 .perf_freq = PERF_HZ,
                                 .time_100ns = (int64_t)(time_s * PRFDATA_COMPUTE_100NS_PER_SECOND),
                                 .object_time = (int64_t)(time_s * OBJECT_HZ),
                                 .object_freq = OBJECT_HZ};
}

/* Return the value that PerfMon shows over the range, in the form of the query's answer: a ratio
 * instead of percent. */
static double shown(const prfdata_emit_item *item, const samples *s)
{
    const prfdata_compute_raw older = raw_at(item, s, NOW_S - RANGE_S);
    const prfdata_compute_raw newer = raw_at(item, s, NOW_S);
    const prfdata_emit_answer answer = prfdata_emit_query_answer(item, &item->metric);
    prfdata_compute_value value;

    if (answer == PRFDATA_EMIT_ANSWER_COUNT) /* the query gives the count per second */
        return s->value_per_s;
    assert_int_equal(prfdata_compute(&older, &newer, &value), PRFDATA_STATUS_OK);
    return item->shape == PRFDATA_EMIT_PERCENT ? value.number / 100 : value.number;
}

/* ---- Unit tests for promtool ---- */

static void print_series(const prfdata_metric *metric, const char *end, double first, double per_s)
{
    printf("      - series: '%s%s{name=\"mail\"}'\n        values: '%.17g+%.17gx%d'\n",
           metric->name, end, first, per_s * STEP_S, SAMPLES);
}

static void print_metric(const samples *s, const prfdata_metric *metric)
{
    const double hz = clock_hz(metric->part->clock);

    switch (metric->part->source) {
    case PRFDATA_METRIC_COUNT:
        print_series(metric, "_total", s->value / hz, s->value_per_s / hz);
        break;
    case PRFDATA_METRIC_COUNT_BASE:
        print_series(metric, "_total", s->base, s->base_per_s);
        break;
    case PRFDATA_METRIC_BASE:
        print_series(metric, "", s->base, s->base_per_s);
        break;
    case PRFDATA_METRIC_FRACTION:
        print_series(metric, "", s->value / s->base, 0);
        break;
    case PRFDATA_METRIC_AVERAGE:
        print_series(metric, "_sum", s->value / hz, s->value_per_s / hz);
        print_series(metric, "_count", s->base, s->base_per_s);
        break;
    case PRFDATA_METRIC_START:
        print_series(metric, "", s->value / hz, 0);
        break;
    default:
        print_series(metric, "", s->value, s->value_per_s);
    }
}

static void print_each_metric(void *context, const prfdata_emit_item *item,
                              const prfdata_metric *metric)
{
    (void)item;
    print_metric(context, metric);
}

static void begin_query_test(const prfdata_emit_item *item)
{
    printf("  - interval: %ds\n    name: '%s'\n    input_series:\n", STEP_S,
           item->counter->entry->symbol);
}

static void end_query_test(const prfdata_emit_item *item, double expected)
{
    const prfdata_emit_query query = {"{name=\"mail\"}", "5m"};
    prfdata_quoted_text text = {0};

    prfdata_emit_query_put(&text, item, &item->metric, 0, &query);
    printf("    promql_expr_test:\n      - expr: 'abs((%s) - %.17g) < bool %.17g'\n"
           "        eval_time: %ds\n        exp_samples:\n          - labels: '{name=\"mail\"}'\n"
           "            value: 1\n",
           prfdata_quoted_text_get(&text), expected, 1e-9 * (fabs(expected) + 1), NOW_S);
    prfdata_quoted_text_free(&text);
}

static void print_query_test(void *context, const prfdata_emit_item *item)
{
    samples s = samples_of(item);

    (void)context;
    begin_query_test(item);
    prfdata_emit_item_walk_metrics(item, print_each_metric, &s);
    end_query_test(item, shown(item, &s));
}

/* ---- Counters of a histogram ---- */

/* 7 pages a second. 3 of them take at most 1 ms, and 5 at most 20 ms. The sum of the times grows by
 * 12 ms a second, which is less than real pages need. */
static samples samples_of_pages(const prfdata_emit_item *item)
{
    switch (item->counter->entry->id) {
    case PAGES_COUNT:
        return (samples){70, 7, 0, 0};
    case PAGES_UP_TO_1MS:
        return (samples){30, 3, 0, 0};
    case PAGES_UP_TO_20MS:
        return (samples){50, 5, 0, 0};
    default: /* the sum of the times, and their mean, whose base grows by 7 */
        return (samples){120000, 12000, 70, 7};
    }
}

static void print_pages(const char *end_and_label, double first, double per_s)
{
    printf("      - series: 'site_time_distribution_seconds_%s'\n"
           "        values: '%.17g+%.17gx%d'\n",
           end_and_label, first, per_s * STEP_S, SAMPLES);
}

static void print_page_test(void *context, const prfdata_emit_item *item)
{
    const samples s = samples_of_pages(item);

    (void)context;
    begin_query_test(item);
    print_pages("bucket{name=\"mail\",le=\"0.0010239\"}", 30, 3);
    print_pages("bucket{name=\"mail\",le=\"0.0212991\"}", 50, 5);
    print_pages("bucket{name=\"mail\",le=\"+Inf\"}", 70, 7);
    print_pages("sum{name=\"mail\"}", 0.12, 0.012);
    print_pages("count{name=\"mail\"}", 70, 7);
    end_query_test(item, shown(item, &s) * item->metric.factor);
}

static int print_queries(void)
{
    printf("evaluation_interval: %ds\ntests:\n", STEP_S);
    for (uint32_t i = 0; i < model->object_count; i++)
        prfdata_emit_item_walk(model, &model->objects[i], print_query_test, NULL);
    prfdata_emit_item_walk(pages, &pages->objects[0], print_page_test, NULL);
    return 0;
}

/* ---- The table of docs/prometheus.md ---- */

static void print_row(void *context, const prfdata_emit_item *item)
{
    const prfdata_emit_query query = {"", "d"};
    const char *const end = item->metric.kind == PRFDATA_METRIC_COUNTER   ? "_total"
                            : item->metric.kind == PRFDATA_METRIC_SUMMARY ? "_sum` and `_count"
                                                                          : "";
    const bool is_count = item->shape == PRFDATA_EMIT_COUNT;
    prfdata_quoted_text text = {0};

    (void)context;
    if (is_count)
        prfdata_quoted_text_format(&text, "%s%s", item->metric.name, end);
    else
        prfdata_emit_query_put(&text, item, &item->metric, 0, &query);
    printf("| `PERF_%s`%s | `%s%s` | `%s`%s |\n",
           is_count ? "COUNTER_LARGE_RAWCOUNT" : item->counter->entry->symbol + sizeof "TYPES",
           is_count ? " that accumulates" : "", item->metric.name, end,
           prfdata_quoted_text_get(&text),
           item->shape == PRFDATA_EMIT_PERCENT ? ", times 100"
           : is_count                          ? "; dashboards show its rate"
                                               : "");
    prfdata_quoted_text_free(&text);
}

static int print_table(void)
{
    for (uint32_t i = 0; i < model->object_count; i++)
        prfdata_emit_item_walk(model, &model->objects[i], print_row, NULL);
    return 0;
}

/* ---- How many queries an item has ---- */

static void count_item(void *context, const prfdata_emit_item *item)
{
    size_t *count = context;

    assert_int_equal(prfdata_emit_query_count(item, &item->metric), 1);
    (*count)++;
}

static void test_emit_query_asks_one_question_about_each_type(void **state)
{
    size_t count = 0;

    (void)state;
    for (uint32_t i = 0; i < model->object_count; i++)
        prfdata_emit_item_walk(model, &model->objects[i], count_item, &count);
    assert_int_equal(count, 32);
}

static void count_question(void *context, const prfdata_emit_item *item,
                           const prfdata_metric *metric)
{
    size_t *count = context;

    *count += prfdata_emit_query_count(item, metric);
}

static void count_questions(void *context, const prfdata_emit_item *item)
{
    prfdata_emit_item_walk_metrics(item, count_question, context);
}

/* A counter that shows a count of components or of samples has no query of its own, because the
 * queries of other counters use this count. */
static void test_emit_query_asks_nothing_about_parts_of_an_answer(void **state)
{
    size_t count = 0;

    (void)state;
    for (uint32_t i = 0; i < model->object_count; i++)
        prfdata_emit_item_walk(model, &model->objects[i], count_questions, &count);
    assert_int_equal(count, 32);
}

int main(int argc, char **argv)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_emit_query_asks_one_question_about_each_type),
        cmocka_unit_test(test_emit_query_asks_nothing_about_parts_of_an_answer),
    };
    int exit_code = 1;

    if (prfdata_model_make(&types_map, &model) != 0 || prfdata_model_make(&pages_map, &pages) != 0)
        return 1;
    if (argc > 1 && strcmp(argv[1], "QUERIES") == 0)
        exit_code = print_queries();
    else if (argc > 1 && strcmp(argv[1], "TABLE") == 0)
        exit_code = print_table();
    else
        exit_code = cmocka_run_group_tests_name("emit_query", tests, NULL, NULL);
    prfdata_model_free(pages);
    prfdata_model_free(model);
    return exit_code;
}
