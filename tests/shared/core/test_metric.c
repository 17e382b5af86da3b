/* SPDX-License-Identifier: MIT */
/* Tests metric.c: the names that a map's counters have in other systems, and the check of these
 * names. */
#include "support/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "metric/metric.h"
#include "support/sample_map.h"

static sample_map sample;
static prfdata_map_entry *const entries = sample.entries;

static int begin(void **state)
{
    (void)state;
    sample_map_init(&sample);
    return 0;
}

static void declare(uint32_t index, const wchar_t *name, const wchar_t *unit)
{
    const prfdata_map_entry metric = {PRFDATA_ENTRY_OPTION,
                                      0,
                                      "PRFDATA_MAP_METRIC",
                                      name,
                                      unit,
                                      0,
                                      0,
                                      0,
                                      0,
                                      0,
                                      0,
                                      PRFDATA_OPTION_METRIC,
                                      0,
                                      0,
                                      0,
                                      0,
                                      0};

    sample_map_insert(&sample, index + 1, &metric);
}

static prfdata_model *make_model(void)
{
    prfdata_model *model = NULL;

    assert_int_equal(prfdata_model_make(&sample.map, &model), ERROR_SUCCESS);
    return model;
}

/* Write "kind name unit factor" for each metric of a counter, and for its _Total. */
static void describe(uint32_t id, char *text, size_t capacity)
{
    static const char *const kinds[] = {"gauge", "counter", "summary", "histogram"};
    prfdata_model *model = make_model();
    const prfdata_model_object *object;
    const prfdata_model_counter *counter = prfdata_model_find_counter(model, id, &object);
    size_t used = 0;

    assert_non_null(counter);
    text[0] = 0;
    for (const prfdata_metric_part *part = prfdata_metric_part_of(counter); part;
         part = prfdata_metric_part_next(part)) {
        const int count = prfdata_metric_has_overall(object, counter, part) ? 2 : 1;

        for (int i = 0; i < count; i++) {
            prfdata_metric metric;

            prfdata_metric_make(model, counter, part, i > 0, &metric);
            assert_int_equal(metric.is_declared, counter->metric != NULL);
            used += (size_t)snprintf(text + used, capacity - used, "%s%s %s%s", used ? ", " : "",
                                     kinds[metric.kind], metric.name,
                                     prfdata_metric_sample_end(metric.kind));
            if (metric.unit[0])
                used += (size_t)snprintf(text + used, capacity - used, " in %s", metric.unit);
            if (metric.factor < 1 || metric.factor > 1)
                used += (size_t)snprintf(text + used, capacity - used, " x%g", metric.factor);
        }
    }
    prfdata_model_free(model);
}

static void expect(uint32_t id, const char *expected)
{
    char text[1000];

    describe(id, text, sizeof text);
    assert_string_equal(text, expected);
}

/* ---- Declared names ---- */

static void test_metric_declared_name_is_taken_as_it_is(void **state)
{
    (void)state;
    declare(BUSY, L"workers_busy", L"");
    expect(201, "gauge workers_busy");
    begin(NULL);
    declare(JOBS, L"queue_jobs_finished", L"");
    expect(102, "counter queue_jobs_finished_total, counter queue_jobs_finished_overall_total");
    begin(NULL);
    declare(JOB_TIME, L"queue_job_time", L"");
    expect(103, "summary queue_job_time_seconds in seconds, "
                "summary queue_job_time_overall_seconds in seconds");
}

static void test_metric_declared_unit_is_the_last_word_once(void **state)
{
    (void)state;
    declare(BUSY, L"workers_memory", L"kibibytes");
    expect(201, "gauge workers_memory_bytes in bytes x1024");
    begin(NULL);
    declare(BUSY, L"workers_memory_bytes", L"kibibytes");
    expect(201, "gauge workers_memory_bytes in bytes x1024");
    begin(NULL);
    declare(BUSY, L"workers_memory_bytes", L"");
    expect(201, "gauge workers_memory_bytes");
    begin(NULL);
    declare(JOBS, L"queue_received_bytes", L"bytes");
    expect(102, "counter queue_received_bytes_total in bytes, "
                "counter queue_received_overall_bytes_total in bytes");
}

static void test_metric_units_become_base_units(void **state)
{
    static const char *const bases[] = {"",      "seconds", "bytes",  "ratio", "celsius", "volts",
                                        "watts", "amperes", "joules", "hertz", "grams",   "meters"};
    const char *base;
    double factor;
    size_t count = 0;

    (void)state;
    for (; prfdata_metric_unit_at(count, &base, &factor); count++) {
        const char *unit = prfdata_metric_unit_at(count, NULL, NULL);
        wchar_t wide[32] = {0};
        bool is_base = false;

        for (size_t i = 0; unit[i]; i++)
            wide[i] = (wchar_t)unit[i];
        for (size_t i = 0; i < sizeof bases / sizeof bases[0]; i++)
            is_base = is_base || strcmp(base, bases[i]) == 0;
        assert_true(is_base);
        assert_int_equal(strcmp(unit, base) == 0, factor >= 1 && factor <= 1);
        assert_true(prfdata_metric_is_unit(wide, PERF_COUNTER_LARGE_RAWCOUNT));
    }
    assert_int_equal(count, 18);
    declare(BUSY, L"a", L"milliseconds");
    expect(201, "gauge a_seconds in seconds x0.001");
    entries[BUSY + 1].help = L"microseconds";
    expect(201, "gauge a_seconds in seconds x1e-06");
    entries[BUSY + 1].help = L"nanoseconds";
    expect(201, "gauge a_seconds in seconds x1e-09");
    entries[BUSY + 1].help = L"mebibytes";
    expect(201, "gauge a_bytes in bytes x1.04858e+06");
    entries[BUSY + 1].help = L"percent";
    expect(201, "gauge a_ratio in ratio x0.01");
}

static void test_metric_other_parts_get_one_more_word(void **state)
{
    prfdata_map_entry base = sample_map_counter(202, PERF_COUNTER_MULTI_BASE);

    (void)state;
    entries[BUSY].type = PERF_100NSEC_MULTI_TIMER;
    declare(BUSY, L"workers_busy", L"seconds");
    sample_map_insert(&sample, BUSY + 2, &base);
    expect(201, "counter workers_busy_seconds_total in seconds, gauge workers_busy_components");
}

/* ---- Kinds ---- */

static void test_metric_accumulating_raw_count_is_a_counter(void **state)
{
    (void)state;
    expect(201, "gauge myservice_busy");
    sample_map_insert_option(&sample, BUSY + 1, PRFDATA_OPTION_ACCUMULATING, 0);
    expect(201, "counter myservice_busy_total");
    declare(BUSY, L"workers_busied", L"bytes");
    expect(201, "counter workers_busied_bytes_total in bytes");
}

static void test_metric_accumulating_fraction_has_counters_as_parts(void **state)
{
    prfdata_map_entry base = sample_map_counter(202, PERF_LARGE_RAW_BASE);

    (void)state;
    entries[BUSY].type = PERF_LARGE_RAW_FRACTION;
    sample_map_insert(&sample, BUSY + 1, &base);
    expect(201, "gauge myservice_busy_ratio in ratio, gauge myservice_busy_numerator, "
                "gauge myservice_busy_denominator");
    sample_map_insert_option(&sample, BUSY + 1, PRFDATA_OPTION_ACCUMULATING, 0);
    expect(201, "gauge myservice_busy_ratio in ratio, counter myservice_busy_numerator_total, "
                "counter myservice_busy_denominator_total");
}

/* ---- Names from symbols ---- */

static void expect_symbol(const char *service, const char *symbol, uint32_t type,
                          const char *expected)
{
    sample_map_init_as(&sample, service);
    entries[BUSY].symbol = symbol;
    entries[BUSY].type = type;
    expect(201, expected);
}

static void test_metric_without_a_name_is_service_and_symbol(void **state)
{
    (void)state;
    expect_symbol("My Service", "WORKERS_BUSY", PERF_COUNTER_RAWCOUNT,
                  "gauge my_service_workers_busy");
    expect_symbol("MyService", "MYSERVICE_BUSY", PERF_COUNTER_RAWCOUNT, "gauge myservice_busy");
    expect_symbol("MyService", "MYSERVICE", PERF_COUNTER_RAWCOUNT, "gauge myservice_myservice");
    expect_symbol("3D.x", "busyNow", PERF_COUNTER_RAWCOUNT, "gauge _3d_x_busynow");
    expect_symbol("S", "BUSY", PERF_COUNTER_TIMER, "counter s_busy_seconds_total in seconds");
    expect_symbol("S", "BUSY_SECONDS", PERF_COUNTER_TIMER,
                  "counter s_busy_seconds_total in seconds");
    expect_symbol("S", "SINCE", PERF_ELAPSED_TIME, "gauge s_since_start_time_seconds in seconds");
}

static void test_metric_of_a_symbol_is_never_scaled(void **state)
{
    (void)state;
    expect_symbol("S", "ORDERS_GB", PERF_COUNTER_RAWCOUNT, "gauge s_orders_xgb");
    expect_symbol("S", "BUSINESS_DAYS", PERF_COUNTER_RAWCOUNT, "gauge s_business_xdays");
    expect_symbol("S", "WAIT_MS", PERF_COUNTER_RAWCOUNT, "gauge s_wait_xms");
    expect_symbol("S", "USED_PERCENT", PERF_COUNTER_RAWCOUNT, "gauge s_used_percent");
    expect_symbol("H3Foreign", "S_RAW", PERF_COUNTER_RAWCOUNT, "gauge h3foreign_xs_raw");
}

/* ---- Statistics of a distribution ---- */

static void insert_option(uint32_t index, uint32_t option, uint32_t id, uint64_t highest,
                          uint32_t unit)
{
    prfdata_map_entry entry = {0};

    entry.kind = PRFDATA_ENTRY_OPTION;
    entry.symbol = "TIME";
    entry.option = option;
    entry.id = id;
    entry.lowest = option == PRFDATA_OPTION_DISTRIBUTION ? 10 : 0;
    entry.highest = highest;
    entry.unit = unit;
    entry.buckets_per_octave = option == PRFDATA_OPTION_DISTRIBUTION ? 8 : 0;
    entry.window_s = option == PRFDATA_OPTION_DISTRIBUTION ? 60 : 0;
    sample_map_insert(&sample, index, &entry);
}

/* Let BUSY show a statistic of a distribution that has this unit. If `name` is NULL, its metric is
 * named by its symbol. */
static void expect_shown(uint32_t unit, uint32_t option, const char *symbol, const wchar_t *name,
                         const wchar_t *declared_unit, const char *expected)
{
    const uint64_t highest = option == PRFDATA_OPTION_PERCENTILE ? 9900 : UINT64_MAX;

    sample_map_init_as(&sample, "Shop");
    entries[BUSY].symbol = symbol;
    entries[BUSY].type = PERF_COUNTER_LARGE_RAWCOUNT;
    if (name)
        declare(BUSY, name, declared_unit);
    insert_option(BUSY + 1, option, 900, option == PRFDATA_OPTION_SUM ? 0 : highest, 0);
    insert_option(WORKERS + 1, PRFDATA_OPTION_DISTRIBUTION, 900, 1000000, unit);
    expect(201, expected);
}

static void test_metric_of_a_distribution_has_its_unit(void **state)
{
    (void)state;
    expect_shown(PRFDATA_UNIT_100NS, PRFDATA_OPTION_PERCENTILE, "P99", NULL, NULL,
                 "gauge shop_p99_seconds in seconds x1e-06");
    expect_shown(PRFDATA_UNIT_100NS, PRFDATA_OPTION_PERCENTILE, "P99_US", NULL, NULL,
                 "gauge shop_p99_seconds in seconds x1e-06");
    expect_shown(PRFDATA_UNIT_100NS, PRFDATA_OPTION_MEAN, "AVG_SECONDS", NULL, NULL,
                 "gauge shop_avg_seconds in seconds x1e-06");
    expect_shown(PRFDATA_UNIT_100NS, PRFDATA_OPTION_SUM, "TIME", NULL, NULL,
                 "gauge shop_time_seconds in seconds x1e-06");
    expect_shown(PRFDATA_UNIT_BYTES, PRFDATA_OPTION_PERCENTILE, "P99", NULL, NULL,
                 "gauge shop_p99_bytes in bytes");
    expect_shown(PRFDATA_UNIT_NUMBER, PRFDATA_OPTION_PERCENTILE, "P99", NULL, NULL,
                 "gauge shop_p99");
    /* A number of values is not a time. */
    expect_shown(PRFDATA_UNIT_100NS, PRFDATA_OPTION_AT_MOST, "ORDERS", NULL, NULL,
                 "gauge shop_orders");
    /* The unit that the map gives is used. If it is "", the distribution's unit is used. */
    expect_shown(PRFDATA_UNIT_100NS, PRFDATA_OPTION_PERCENTILE, "P99", L"web_p99", L"",
                 "gauge web_p99_seconds in seconds x1e-06");
    expect_shown(PRFDATA_UNIT_100NS, PRFDATA_OPTION_PERCENTILE, "P99", L"web_p99", L"microseconds",
                 "gauge web_p99_seconds in seconds x1e-06");
    expect_shown(PRFDATA_UNIT_BYTES, PRFDATA_OPTION_PERCENTILE, "P99", L"web_p99", L"kibibytes",
                 "gauge web_p99_bytes in bytes x1024");
}

/* The two names are equal only because the distribution's unit is appended. */
static void test_metric_of_a_distribution_clashes_by_its_unit(void **state)
{
    prfdata_map_tree *tree = NULL;
    uint32_t clashes[64];
    uint32_t found = 0;

    (void)state;
    expect_shown(PRFDATA_UNIT_100NS, PRFDATA_OPTION_PERCENTILE, "P99", NULL, NULL,
                 "gauge shop_p99_seconds in seconds x1e-06");
    declare(JOB_TIME, L"shop_p99", L"seconds");
    assert_int_equal(prfdata_map_tree_make(&sample.map, &tree), ERROR_SUCCESS);
    assert_true(tree->counter_count <= 64);
    assert_int_equal(prfdata_metric_find_clashes(tree, clashes), ERROR_SUCCESS);
    for (uint32_t i = 0; i < tree->counter_count; i++)
        found += clashes[i] != PRFDATA_NONE ? 1 : 0;
    assert_int_equal(found, 1);
    free(tree);
}

/* The symbol P99_SECONDS gives the same name as the symbol P99 with the unit of its
 * distribution. */
static void test_metric_of_a_longer_symbol_clashes(void **state)
{
    prfdata_map_tree *tree = NULL;
    uint32_t clashes[64];
    uint32_t found = 0;

    (void)state;
    expect_shown(PRFDATA_UNIT_100NS, PRFDATA_OPTION_PERCENTILE, "P99", NULL, NULL,
                 "gauge shop_p99_seconds in seconds x1e-06");
    entries[DEPTH].symbol = "P99_SECONDS";
    assert_int_equal(prfdata_map_tree_make(&sample.map, &tree), ERROR_SUCCESS);
    assert_int_equal(prfdata_metric_find_clashes(tree, clashes), ERROR_SUCCESS);
    for (uint32_t i = 0; i < tree->counter_count; i++)
        found += clashes[i] != PRFDATA_NONE ? 1 : 0;
    assert_int_equal(found, 1);
    free(tree);
}

/* The metric of `_Total` has the additional word `overall`, whatever the symbol ends in. */
static void test_metric_overall_is_called_as_its_instances(void **state)
{
    (void)state;
    entries[JOBS].symbol = "JOB_COUNT";
    expect(102, "counter myservice_job_count_total, counter myservice_job_count_overall_total");
    begin(NULL);
    entries[JOBS].symbol = "JOBS_CREATED";
    expect(102, "counter myservice_jobs_xcreated_total, "
                "counter myservice_jobs_xcreated_overall_total");
    begin(NULL);
    entries[JOB_TIME].symbol = "JOB_SECONDS";
    expect(103, "summary myservice_job_seconds in seconds, "
                "summary myservice_job_overall_seconds in seconds");
}

static void test_metric_of_a_symbol_loses_rate_and_total(void **state)
{
    (void)state;
    expect_symbol("S", "CALLS_PER_SEC", PERF_COUNTER_BULK_COUNT,
                  "counter s_calls_accumulated_total");
    expect_symbol("S", "CALLSPERSEC", PERF_COUNTER_BULK_COUNT, "counter s_calls_accumulated_total");
    expect_symbol("S", "CALLS_TOTAL", PERF_COUNTER_BULK_COUNT, "counter s_calls_total");
    expect_symbol("S", "CALLS_TOTAL", PERF_COUNTER_RAWCOUNT, "gauge s_calls_xtotal");
    expect_symbol("S", "CALLS_PER_SEC", PERF_COUNTER_RAWCOUNT, "gauge s_calls_per_xsec");
}

static void test_metric_of_a_counter_ignores_the_symbols_of_others(void **state)
{
    char before[1000];
    char after[1000];
    const uint32_t ids[] = {101, 102, 103, 201, 301};

    (void)state;
    for (size_t i = 0; i < sizeof ids / sizeof ids[0]; i++) {
        for (uint32_t other = 0; other < SAMPLE_ENTRIES; other++) {
            begin(NULL);
            if (entries[other].kind != PRFDATA_ENTRY_COUNTER || entries[other].id == ids[i])
                continue;
            describe(ids[i], before, sizeof before);
            entries[other].symbol = "JOBS_PER_SEC"; /* without _PER_SEC it is the symbol of 102 */
            describe(ids[i], after, sizeof after);
            assert_string_equal(before, after);
        }
    }
}

/* ---- The rules ---- */

static void expect_mistake(prfdata_map_rule rule, uint32_t index, uint32_t other,
                           const char *sentence)
{
    prfdata_map_mistake mistake;
    char text[1000];

    assert_int_equal(prfdata_map_check(&sample.map, &mistake, 1), 1);
    assert_int_equal(mistake.rule, rule);
    assert_int_equal(mistake.entry_index, index);
    assert_int_equal(mistake.other_index, other);
    prfdata_map_mistake_text(&mistake, text, sizeof text);
    assert_string_equal(text, sentence);
}

static void test_metric_name_rule(void **state)
{
    static const wchar_t *const wrong[] = {
        L"",       L"A",        L"_a",      L"9a",       L"a b",        L"a-b",     L"a:b",
        L"a__b",   L"a_",       L"a_total", L"a_count",  L"a_sum",      L"bucket",  L"a_created",
        L"a_info", L"a_\u00E4", L"a_gsum",  L"a_gcount", L"prfread_up", L"a\x0100", L"\xD800"};
    static const wchar_t *const right[] = {L"a", L"a9", L"a_b", L"total_a", L"prfread"};
    wchar_t longest[102] = {0};

    (void)state;
    for (size_t i = 0; i < 101; i++)
        longest[i] = L'a';
    assert_false(prfdata_metric_is_name(longest));
    longest[100] = 0;
    assert_true(prfdata_metric_is_name(longest));
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
        assert_false(prfdata_metric_is_name(wrong[i]));
    for (size_t i = 0; i < sizeof right / sizeof right[0]; i++)
        assert_true(prfdata_metric_is_name(right[i]));

    declare(BUSY, L"Workers Busy", L"");
    expect_mistake(
        PRFDATA_MAP_RULE_METRIC_NAME, BUSY + 1, sample.map.entry_count,
        "PRFDATA_MAP_METRIC after BUSY (201, \"Busy\"): the metric's name \"Workers Busy\" is not "
        "allowed; use 1 to 100 of a-z 0-9 _, begin with a letter but not with prfread_, put one _ "
        "between words, and leave out a last _total, _count, _sum, _bucket, _created, _info, "
        "_gcount or _gsum, which is appended where it belongs.");
    entries[BUSY + 1].name = NULL;
    assert_int_equal(prfdata_map_check(&sample.map, NULL, 0), 1);
}

static void test_metric_unit_rule(void **state)
{
    (void)state;
    declare(BUSY, L"a", L"gigabytes");
    expect_mistake(PRFDATA_MAP_RULE_METRIC_UNIT, BUSY + 1, sample.map.entry_count,
                   "PRFDATA_MAP_METRIC after BUSY (201, \"Busy\"): the unit \"gigabytes\" is "
                   "unknown; use \"\", seconds, milliseconds, microseconds, nanoseconds, bytes, "
                   "kibibytes, mebibytes, ratio, percent, celsius, volts, amperes, watts, joules, "
                   "hertz, meters or grams.");
    entries[BUSY + 1].help = NULL;
    assert_int_equal(prfdata_map_check(&sample.map, NULL, 0), 1);
    begin(NULL);
    declare(JOB_TIME, L"a", L"milliseconds");
    expect_mistake(PRFDATA_MAP_RULE_METRIC_UNIT, JOB_TIME + 1, sample.map.entry_count,
                   "PRFDATA_MAP_METRIC after JOB_TIME (103, \"Avg. sec/Job\"): the unit "
                   "\"milliseconds\" is not that of PERF_AVERAGE_TIMER, which is in seconds; say "
                   "that, or \"\".");
    entries[JOB_TIME + 1].help = L"seconds";
    assert_int_equal(prfdata_map_check(&sample.map, NULL, 0), 0);
}

static void test_metric_taken_rule(void **state)
{
    (void)state;
    declare(JOBS, L"a_bytes", L"");
    declare(DEPTH, L"a", L"bytes");
    expect_mistake(
        PRFDATA_MAP_RULE_METRIC_TAKEN, JOBS + 1, DEPTH,
        "JOBS (102, \"Jobs/sec\"): the name of its metric, with unit, is already that of DEPTH "
        "(101, \"Depth\"); choose another one with PRFDATA_MAP_METRIC after one of them.");
    begin(NULL);
    declare(BUSY, L"myservice_depth", L""); /* DEPTH gets this name from its symbol */
    expect_mistake(PRFDATA_MAP_RULE_METRIC_TAKEN, BUSY, DEPTH,
                   "BUSY (201, \"Busy\"): the name of its metric, with unit, is already that "
                   "of DEPTH (101, \"Depth\"); choose another one with PRFDATA_MAP_METRIC "
                   "after one of them.");
    begin(NULL);
    declare(BUSY, L"myservice_jobs_overall", L""); /* _Total of JOBS has this name */
    assert_int_equal(prfdata_map_check(&sample.map, NULL, 0), 1);
    begin(NULL);
    entries[BUSY].symbol = "DEPTH_PER_SEC"; /* the symbols differ, and therefore the names */
    entries[BUSY].type = PERF_COUNTER_BULK_COUNT;
    assert_int_equal(prfdata_map_check(&sample.map, NULL, 0), 0);
}

static void test_metric_is_not_part_of_the_hash(void **state)
{
    prfdata_model *model = make_model();
    const uint64_t hash = model->hash;

    (void)state;
    prfdata_model_free(model);
    declare(BUSY, L"a", L"bytes");
    model = make_model();
    assert_true(model->hash == hash);
    prfdata_model_free(model);
}

/* Uses the macro with texts that come from other macros. */
#define PREFIX                                                                                     \
    "work"                                                                                         \
    "ers_"
static const prfdata_map_entry by_macro[] = {PRFDATA_MAP_METRIC(PREFIX "busy", "kibibytes")};

static void test_metric_macro_takes_plain_literals(void **state)
{
    (void)state;
    assert_int_equal(by_macro[0].kind, PRFDATA_ENTRY_OPTION);
    assert_int_equal(by_macro[0].option, PRFDATA_OPTION_METRIC);
    assert_true(wcscmp(by_macro[0].name, L"workers_busy") == 0);
    assert_true(wcscmp(by_macro[0].help, L"kibibytes") == 0);
}

/* ---- Help ---- */

static void expect_help(uint32_t id, bool overall, const char *expected)
{
    prfdata_model *model = make_model();
    const prfdata_model_counter *counter = prfdata_model_find_counter(model, id, NULL);
    const size_t size = strlen(expected);
    prfdata_metric metric;
    char text[1000];

    prfdata_metric_make(model, counter, prfdata_metric_part_of(counter), overall, &metric);
    for (size_t capacity = 0; capacity <= size + 1; capacity++) {
        memset(text, 'x', sizeof text);
        assert_int_equal(prfdata_metric_help(counter, &metric, text, capacity), size);
        assert_true(text[capacity] == 'x');
        if (capacity > 0) {
            assert_true(strlen(text) < capacity && strlen(text) + 3 >= capacity);
            assert_memory_equal(text, expected, strlen(text));
        }
    }
    assert_string_equal(text, expected);
    prfdata_model_free(model);
}

static void test_metric_help_of_a_count_has_no_rate(void **state)
{
    (void)state;
    expect_help(102, false, "Jobs finished.");
    expect_help(102, true, "Jobs finished. Of all instances, ended ones too.");
    entries[JOBS].help = L"Per second, per SECOND: Jobs/sec, each second. Per seconds";
    expect_help(102, false, "Per second,: Jobs,. Per seconds.");
    entries[JOBS].type = PERF_COUNTER_LARGE_RAWCOUNT;
    expect_help(102, false, "Per second, per SECOND: Jobs/sec, each second. Per seconds.");
}

static void test_metric_help_shows_the_factor(void **state)
{
    (void)state;
    declare(BUSY, L"a", L"milliseconds");
    entries[BUSY].help = L"L\u00E4nge \u20AC!";
    expect_help(201, false, "L\xC3\xA4nge \xE2\x82\xAC! Values times 0.001.");
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_metric_declared_name_is_taken_as_it_is, begin),
        cmocka_unit_test_setup(test_metric_declared_unit_is_the_last_word_once, begin),
        cmocka_unit_test_setup(test_metric_units_become_base_units, begin),
        cmocka_unit_test_setup(test_metric_other_parts_get_one_more_word, begin),
        cmocka_unit_test_setup(test_metric_accumulating_raw_count_is_a_counter, begin),
        cmocka_unit_test_setup(test_metric_accumulating_fraction_has_counters_as_parts, begin),
        cmocka_unit_test_setup(test_metric_without_a_name_is_service_and_symbol, begin),
        cmocka_unit_test_setup(test_metric_of_a_symbol_is_never_scaled, begin),
        cmocka_unit_test_setup(test_metric_of_a_distribution_has_its_unit, begin),
        cmocka_unit_test_setup(test_metric_of_a_distribution_clashes_by_its_unit, begin),
        cmocka_unit_test_setup(test_metric_of_a_longer_symbol_clashes, begin),
        cmocka_unit_test_setup(test_metric_overall_is_called_as_its_instances, begin),
        cmocka_unit_test_setup(test_metric_of_a_symbol_loses_rate_and_total, begin),
        cmocka_unit_test_setup(test_metric_of_a_counter_ignores_the_symbols_of_others, begin),
        cmocka_unit_test_setup(test_metric_name_rule, begin),
        cmocka_unit_test_setup(test_metric_unit_rule, begin),
        cmocka_unit_test_setup(test_metric_taken_rule, begin),
        cmocka_unit_test_setup(test_metric_is_not_part_of_the_hash, begin),
        cmocka_unit_test_setup(test_metric_macro_takes_plain_literals, begin),
        cmocka_unit_test_setup(test_metric_help_of_a_count_has_no_rate, begin),
        cmocka_unit_test_setup(test_metric_help_shows_the_factor, begin),
    };

    return cmocka_run_group_tests_name("metric", tests, NULL, NULL);
}
