/* SPDX-License-Identifier: MIT */
/* Tests how counters of our maps appear in Prometheus: declared names, names made from symbols,
 * kinds, units and _Total. */
#include "support/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <prfdata/map.h>

#include "prometheus/open_metrics.h"
#include "support/contains.h"
#include "support/golden.h"
#include "support/reader/ascii_text.h"
#include "support/reader/metric_sample.h"
#include "support/reader/wire_sample.h"

/* clang-format off */
PRFDATA_DEFINE_OBJECT(MAIL, 100);
PRFDATA_DEFINE_COUNTER(MAIL_JOBS, 101);
PRFDATA_DEFINE_COUNTER(MAIL_JOBS_PER_SEC, 102);
PRFDATA_DEFINE_COUNTER(MAIL_RECEIVED, 103);
PRFDATA_DEFINE_COUNTER(MAIL_LARGEST, 104);
PRFDATA_DEFINE_COUNTER(MAIL_BUSY, 105);
PRFDATA_DEFINE_COUNTER(MAIL_WAIT, 106);
PRFDATA_DEFINE_COUNTER(MAIL_WAIT_BASE, 107);
PRFDATA_DEFINE_COUNTER(MAIL_ORDERS_GB, 108);
PRFDATA_DEFINE_COUNTER(MAIL_HITS, 109);
PRFDATA_DEFINE_COUNTER(MAIL_HITS_BASE, 110);

#define COUNTER(id, name, help, type) PRFDATA_MAP_CTR(id, name, help, PERF_DETAIL_NOVICE, 0, type)

PRFDATA_MAP_BEGIN_AS(mail_map)
    PRFDATA_MAP_OBJ(MAIL, L"Mail", L"H.", PERF_DETAIL_NOVICE, MAIL_JOBS, 4, 10)
    PRFDATA_MAP_TOTAL()
    COUNTER(MAIL_JOBS, L"Jobs", L"Jobs so far", PERF_COUNTER_LARGE_RAWCOUNT)
        PRFDATA_MAP_ACCUMULATING()
    COUNTER(MAIL_JOBS_PER_SEC, L"Jobs/sec", L"Jobs per second.", PERF_COUNTER_BULK_COUNT)
        PRFDATA_MAP_METRIC("mail_jobs_finished", "")
    COUNTER(MAIL_RECEIVED, L"KB received/sec", L"Data per second.", PERF_COUNTER_BULK_COUNT)
        PRFDATA_MAP_METRIC("mail_received", "kibibytes")
    COUNTER(MAIL_LARGEST, L"% Largest", L"The largest.", PERF_COUNTER_LARGE_RAWCOUNT)
        PRFDATA_MAP_METRIC("mail_largest_bytes", "bytes")
    COUNTER(MAIL_BUSY, L"% Busy", L"Busy.", PERF_100NSEC_TIMER)
        PRFDATA_MAP_METRIC("mail_busy", "")
    COUNTER(MAIL_WAIT, L"Avg. Wait", L"Wait.", PERF_AVERAGE_TIMER)
        PRFDATA_MAP_METRIC("mail_wait", "seconds")
    COUNTER(MAIL_WAIT_BASE, L"Avg. Wait", L"Base.", PERF_AVERAGE_BASE)
    COUNTER(MAIL_ORDERS_GB, L"% Orders", L"Orders.", PERF_COUNTER_LARGE_RAWCOUNT)
    COUNTER(MAIL_HITS, L"% Hits", L"Hits.", PERF_SAMPLE_FRACTION)
    COUNTER(MAIL_HITS_BASE, L"% Hits", L"Base.", PERF_SAMPLE_BASE)
PRFDATA_MAP_END_AS(mail_map, "MailService")

PRFDATA_DEFINE_OBJECT(WEB, 200);
PRFDATA_DEFINE_DISTRIBUTION(WEB_TIME, 250);
PRFDATA_DEFINE_COUNTER(WEB_P99, 201);
PRFDATA_DEFINE_COUNTER(WEB_COUNT, 202);
PRFDATA_DEFINE_COUNTER(WEB_UP_TO_20MS, 203);
PRFDATA_DEFINE_COUNTER(WEB_UP_TO_1MS, 204);
PRFDATA_DEFINE_COUNTER(WEB_SUM, 205);
PRFDATA_DEFINE_COUNTER(WEB_UP_TO_1S, 206);
PRFDATA_DEFINE_COUNTER(WEB_LATELY, 207);
PRFDATA_DEFINE_COUNTER(WEB_BEYOND, 208);
PRFDATA_DEFINE_COUNTER(WEB_MEAN, 209); /* its base is 210 */
PRFDATA_DEFINE_COUNTER(WEB_OTHER_UNIT, 211);

PRFDATA_MAP_BEGIN_AS(web_map)
    PRFDATA_MAP_OBJ(WEB, L"Web", L"H.", PERF_DETAIL_NOVICE, WEB_P99, 4, 10)
    PRFDATA_MAP_TOTAL()
    PRFDATA_MAP_DISTRIBUTION(WEB_TIME, PRFDATA_UNIT_100NS, 10, 100000000)
    COUNTER(WEB_P99, L"p99", L"H.", PERF_COUNTER_LARGE_RAWCOUNT)
        PRFDATA_MAP_PERCENTILE(WEB_TIME, 9900)
        PRFDATA_MAP_METRIC("web_p99", "microseconds")
    COUNTER(WEB_COUNT, L"Requests/sec", L"Requests per second.", PERF_COUNTER_BULK_COUNT)
        PRFDATA_MAP_COUNT(WEB_TIME)
    COUNTER(WEB_UP_TO_20MS, L"Up to 20 ms", L"H.", PERF_COUNTER_BULK_COUNT)
        PRFDATA_MAP_AT_MOST(WEB_TIME, 200000)
    COUNTER(WEB_UP_TO_1MS, L"Up to 1 ms", L"H.", PERF_COUNTER_LARGE_RAWCOUNT)
        PRFDATA_MAP_AT_MOST(WEB_TIME, 10000)
        PRFDATA_MAP_ACCUMULATING()
    COUNTER(WEB_SUM, L"Time", L"Time of requests per second.", PERF_COUNTER_BULK_COUNT)
        PRFDATA_MAP_SUM(WEB_TIME)
        PRFDATA_MAP_METRIC("web_request_time", "microseconds")
    COUNTER(WEB_UP_TO_1S, L"Up to 1 s", L"H.", PERF_COUNTER_BULK_COUNT)
        PRFDATA_MAP_AT_MOST(WEB_TIME, 10000000)
    COUNTER(WEB_LATELY, L"Lately up to 0.1 s", L"Of the last minute.", PERF_COUNTER_LARGE_RAWCOUNT)
        PRFDATA_MAP_AT_MOST(WEB_TIME, 1000000)
    COUNTER(WEB_BEYOND, L"Up to 1000 s", L"As all.", PERF_COUNTER_BULK_COUNT)
        PRFDATA_MAP_AT_MOST(WEB_TIME, 10000000000)
    PRFDATA_MAP_CTR_AND_BASE_WITH(WEB_MEAN, L"Avg. Time", L"H.", PERF_DETAIL_NOVICE, 0, PERF_AVERAGE_BULK,
                                  PRFDATA_MAP_MEAN(WEB_TIME))
    COUNTER(WEB_OTHER_UNIT, L"Time again", L"H.", PERF_COUNTER_BULK_COUNT)
        PRFDATA_MAP_SUM(WEB_TIME)
        PRFDATA_MAP_METRIC("web_other", "milliseconds")
PRFDATA_MAP_END_AS(web_map, "WebService")
/* clang-format on */

enum { FIRST_COUNTER = 500, FIRST_HELP = 501 };

static struct {
    wire w;
    prfdata_model *model;
    prfdata_titles titles;
    prfdata_open_metrics_options options;
    prfdata_overrides overrides; /* `options` points to it after override_metrics() */
    prfdata_open_metrics *metrics;
    prfdata_output output;
} f;

static void begin_map(const prfdata_map *map)
{
    memset(&f, 0, sizeof f);
    assert_int_equal(prfdata_model_make(map, &f.model), ERROR_SUCCESS);
    assert_int_equal(prfdata_name_table_append_model(&f.titles.english, f.model, FIRST_COUNTER),
                     ERROR_SUCCESS);
    assert_int_equal(prfdata_name_table_append_model_helps(&f.titles.helps, f.model, FIRST_HELP),
                     ERROR_SUCCESS);
    assert_int_equal(prfdata_name_table_settle(&f.titles.english), ERROR_SUCCESS);
    assert_int_equal(prfdata_name_table_settle(&f.titles.helps), ERROR_SUCCESS);
}

static int add_metrics(void)
{
    const uint32_t status =
        prfdata_metric_table_append_model(&f.titles.metrics, f.model, FIRST_COUNTER);

    prfdata_metric_table_settle(&f.titles.metrics);
    return status != ERROR_SUCCESS;
}

static int begin_mail_of_others(void **state)
{
    (void)state;
    begin_map(&mail_map);
    return 0;
}

static int begin_mail(void **state)
{
    (void)state;
    begin_map(&mail_map);
    return add_metrics();
}

static int begin_web(void **state)
{
    (void)state;
    begin_map(&web_map);
    return add_metrics();
}

static int end(void **state)
{
    (void)state;
    prfdata_open_metrics_free(f.metrics);
    prfdata_overrides_free(&f.overrides);
    prfdata_titles_free(&f.titles);
    prfdata_model_free(f.model);
    prfdata_output_free(&f.output);
    return 0;
}

static void write_values(const prfdata_model_object *object, uint32_t first)
{
    const size_t values = wire_values(&f.w);

    for (uint32_t c = 0; c < object->counter_count; c++) {
        while (f.w.used < values + object->counters[c].block_offset)
            wire_put32(&f.w, 0);
        if (object->counters[c].value_bytes == 8)
            wire_put64(&f.w, first + c);
        else
            wire_put32(&f.w, first + c);
    }
    wire_values_end(&f.w, values);
}

/* Write the map's object with these instances. If `type_of_first` is not 0, the first counter has
 * this type instead of its type in the map. */
static void write_mail(const char *const *instances, uint32_t count, uint32_t type_of_first)
{
    const prfdata_model_object *mail = &f.model->objects[0];
    size_t object;

    wire_begin(&f.w, 1);
    object = wire_object(&f.w, FIRST_COUNTER, mail->counter_count, (int32_t)count, 0);
    for (uint32_t c = 0; c < mail->counter_count; c++) {
        const prfdata_model_counter *counter = &mail->counters[c];
        const uint32_t title =
            counter->title_offset == PRFDATA_NONE ? 0 : FIRST_COUNTER + counter->title_offset;
        const size_t at = f.w.used;

        wire_counter(&f.w, title, c == 0 && type_of_first ? type_of_first : counter->entry->type,
                     counter->value_bytes, counter->block_offset);
        if (title != 0)
            wire_patch32(&f.w, at + 12, title + 1); /* CounterHelpTitleIndex */
    }
    for (uint32_t i = 0; i < count; i++) {
        wire_instance(&f.w, 0, 0, -1, instances[i]);
        write_values(mail, 10 * (i + 1));
    }
    wire_object_end(&f.w, object);
    wire_end(&f.w);
}

static const char *const a_and_total[] = {"a", "_Total"};

static const char *put_dialect(prfdata_dialect dialect)
{
    prfdata_sample *sample = wire_sample(&f.w);

    if (!f.metrics)
        assert_int_equal(prfdata_open_metrics_make(&f.options, &f.metrics), ERROR_SUCCESS);
    prfdata_output_clear(&f.output);
    prfdata_open_metrics_put(f.metrics, sample, &f.titles, NULL, dialect, &f.output);
    prfdata_output_put(&f.output, "", 1);
    prfdata_sample_free(sample);
    return f.output.bytes;
}

static void override_metrics(const char *text)
{
    prfdata_overrides_error error;
    prfdata_lines lines;

    assert_int_equal(
        prfdata_overrides_make(text, strlen(text), &f.titles, &f.overrides, &lines, &error),
        ERROR_SUCCESS);
    f.options.overrides = &f.overrides;
}

static const char *explain(void)
{
    prfdata_sample *sample = wire_sample(&f.w);

    if (!f.metrics)
        assert_int_equal(prfdata_open_metrics_make(&f.options, &f.metrics), ERROR_SUCCESS);
    prfdata_output_clear(&f.output);
    prfdata_open_metrics_explain(f.metrics, sample, &f.titles, &f.output);
    prfdata_output_put(&f.output, "", 1);
    prfdata_sample_free(sample);
    return f.output.bytes;
}

static void expect_part(const char *text, const char *part)
{
    if (!strstr(text, part))
        fail_msg("\"%s\" is not in:\n%s", part, text);
}

static void test_map_metrics_are_what_the_map_says(void **state)
{
    (void)state;
    write_mail(a_and_total, 2, 0);
    golden_expect(put_dialect(PRFDATA_DIALECT_OPEN_METRICS), "tests/golden/map.om");
    golden_expect(put_dialect(PRFDATA_DIALECT_PROMETHEUS), "tests/golden/map.prom");
    golden_expect(explain(), "tests/golden/map_explained.txt");
}

/* A counter whose type differs from the map's may belong to another product, so the map's name is
 * not used. */
static void test_map_metrics_are_not_used_for_other_counters(void **state)
{
    (void)state;
    write_mail(a_and_total, 2, PERF_COUNTER_BULK_COUNT);
    expect_part(explain(), "]: counter mail_jobs\n");
    expect_part(f.output.bytes, "counter mail_jobs_finished (declared)");

    end(NULL);
    begin_mail(NULL);
    prfdata_name_table_free(&f.titles.english);
    metric_sample_name(&f.titles.english, FIRST_COUNTER, "Mail");
    /* Upper and lower case are equal. */
    metric_sample_name(&f.titles.english, FIRST_COUNTER + 2, "JOBS");
    metric_sample_name(&f.titles.english, FIRST_COUNTER + 4, "Threads/sec");
    write_mail(a_and_total, 2, 0);
    expect_part(explain(), "counter mailservice_mail_jobs (by its symbol)");
    expect_part(f.output.bytes, "counter mail_threads_accumulated\n");
    expect_part(f.output.bytes, "counter mail_received_bytes"); /* this counter has no title */
}

/* Counts of ended processes are in _Total, which has a metric of its own. */
static void test_map_metrics_total_outlives_instances(void **state)
{
    static const char *const total[] = {"_Total"};

    (void)state;
    write_mail(total, 1, 0);
    put_dialect(PRFDATA_DIALECT_OPEN_METRICS);
    expect_part(f.output.bytes, "\nmail_jobs_finished_overall_total 11\n");
    assert_lacks(f.output.bytes, "\nmail_jobs_finished_total");
    assert_lacks(f.output.bytes, "_Total\"}");
}

static prfdata_resolver_path parse(const char *ascii, uint16_t *chars)
{
    prfdata_path_error error;
    prfdata_resolver_path path;

    memset(&path, 0, sizeof path);
    assert_true(prfdata_path_parse(ascii_text(ascii, chars), &path.path, &error));
    path.way = prfdata_titles_way_of(&f.titles, path.path.object);
    return path;
}

static void test_map_metrics_total_is_there_where_paths_ask_for_it(void **state)
{
    static const struct {
        const char *path;
        bool has_overall;
        bool has_label;
    } cases[] = {{"\\Mail(*)\\Jobs/sec", true, false},
                 {"\\Mail(a)\\Jobs/sec", false, false},
                 {"\\Mail(_Total)\\Jobs/sec", true, true}};

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        uint16_t chars[64];
        prfdata_resolver_path path;

        end(NULL);
        begin_mail(NULL);
        path = parse(cases[i].path, chars);
        f.options.paths = &path;
        f.options.path_count = 1;
        write_mail(a_and_total, 2, 0);
        put_dialect(PRFDATA_DIALECT_OPEN_METRICS);
        assert_int_equal(strstr(f.output.bytes, "\nmail_jobs_finished_overall_total 21\n") != NULL,
                         cases[i].has_overall);
        assert_int_equal(
            strstr(f.output.bytes, "\nmail_jobs_finished_total{name=\"_Total\"} 21\n") != NULL,
            cases[i].has_label);
        assert_lacks(f.output.bytes, "mail_received");
    }
}

/* With _Total among the instances, sum() would return twice the real value. */
static void test_map_metrics_whole_service_has_no_total_among_instances(void **state)
{
    prfdata_resolver_path path = {.wants_whole_object = true,
                                  .first_title = FIRST_COUNTER,
                                  .last_title = FIRST_COUNTER + 100};

    (void)state;
    path.path.counter = prfdata_path_star;
    f.options.paths = &path;
    f.options.path_count = 1;
    write_mail(a_and_total, 2, 0);
    put_dialect(PRFDATA_DIALECT_OPEN_METRICS);
    expect_part(f.output.bytes, "\nmail_jobs_finished_total{name=\"a\"} 11\n");
    expect_part(f.output.bytes, "\nmail_jobs_finished_overall_total 21\n");
    assert_lacks(f.output.bytes, "{name=\"_Total\"}");
}

static void test_map_metrics_may_be_overridden(void **state)
{
    static const char text[] = "\\Mail\\Jobs/sec metric=finished label=queue\n"
                               "\\Mail\\KB received/sec metric=received\n"
                               "\\Mail\\% Largest unit=pages\n";

    (void)state;
    override_metrics(text);
    write_mail(a_and_total, 2, 0);
    put_dialect(PRFDATA_DIALECT_OPEN_METRICS);
    expect_part(f.output.bytes, "\nfinished_total{queue=\"a\"} 11\n");
    expect_part(f.output.bytes, "\nfinished_overall_total 21\n");
    expect_part(f.output.bytes, "\nreceived_total{name=\"a\"} 12288\n");
    expect_part(f.output.bytes, "\nmail_largest_pages{name=\"a\"} 13\n");
    expect_part(explain(), "counter finished (as -metrics says), counter finished_overall");
}

/* If the user gives a metric name to a counter of another vendor, prfread guesses neither its unit
 * nor its factor. */
static void test_map_metrics_a_name_switches_guessing_off(void **state)
{
    static const char text[] = "\\Mail\\% Orders metric=orders\n";

    (void)state;
    write_mail(a_and_total, 2, 0);
    expect_part(explain(), "gauge mail_orders_ratio (values times 0.01)\n");
    put_dialect(PRFDATA_DIALECT_OPEN_METRICS);
    expect_part(f.output.bytes, "# HELP mail_orders_ratio Orders. Values times 0.01. \\\\Mail");
    expect_part(f.output.bytes, "\nmail_orders_ratio{name=\"a\"} 0.17\n");

    end(NULL);
    begin_mail_of_others(NULL);
    override_metrics(text);
    write_mail(a_and_total, 2, 0);
    put_dialect(PRFDATA_DIALECT_OPEN_METRICS);
    expect_part(f.output.bytes, "\norders{name=\"a\"} 17\n");
    expect_part(f.output.bytes, "# HELP orders Orders. \\\\Mail");
    expect_part(f.output.bytes, "# UNIT orders \n");
}

static void test_map_metrics_counters_of_a_distribution_are_a_histogram(void **state)
{
    (void)state;
    write_mail(a_and_total, 2, 0);
    put_dialect(PRFDATA_DIALECT_OPEN_METRICS);
    expect_part(f.output.bytes,
                "# TYPE web_request_time_distribution_seconds histogram\n"
                "# UNIT web_request_time_distribution_seconds seconds\n"
                "# HELP web_request_time_distribution_seconds Time of requests. Values times "
                "1e-06. \\\\Web(*)\\\\Time\n"
                "web_request_time_distribution_seconds_bucket{name=\"a\",le=\"0.0010239\"} 13\n"
                "web_request_time_distribution_seconds_bucket{name=\"a\",le=\"0.0212991\"} 13\n"
                "web_request_time_distribution_seconds_bucket{name=\"a\",le=\"1.0485759\"} 15\n"
                "web_request_time_distribution_seconds_bucket{name=\"a\",le=\"+Inf\"} 15\n"
                "web_request_time_distribution_seconds_sum{name=\"a\"} 1.4e-05\n"
                "web_request_time_distribution_seconds_count{name=\"a\"} 15\n");
    expect_part(f.output.bytes, "\nweb_request_time_distribution_overall_seconds_count 25\n");
    expect_part(f.output.bytes, "\nweb_p99_seconds{name=\"a\"} 1e-05\n");
    expect_part(f.output.bytes, "\nweb_p99_overall_seconds 2e-05\n");
    expect_part(f.output.bytes, "\nwebservice_web_lately_overall 26\n");
    expect_part(explain(), "histogram web_request_time_distribution_seconds (declared; values "
                           "times 1e-06)");
}

/* Metrics of counters whose values are also in the histogram. */
static const char *const told_by_histogram[] = {
    "webservice_web_count_total",      "webservice_web_up_to_20ms_total",
    "webservice_web_up_to_1ms_total",  "web_request_time_seconds_total",
    "webservice_web_up_to_1s_total",   "webservice_web_beyond_total",
    "webservice_web_mean_seconds_sum", "webservice_web_mean_seconds_count",
};
static const char *const not_told[] = {"web_other_seconds_total", "webservice_web_lately",
                                       "web_p99_seconds"};

enum { TOLD = sizeof told_by_histogram / sizeof told_by_histogram[0] };

/* Read the web map with these options. `path` and `overrides` may be NULL. Returns how many metrics
 * of told_by_histogram are in the exposition. */
static int put_web(const char *path, bool with_parts, const char *overrides)
{
    static uint16_t chars[64];
    static prfdata_resolver_path parsed;
    int count = 0;

    end(NULL);
    begin_web(NULL);
    if (path) {
        parsed = parse(path, chars);
        f.options.paths = &parsed;
        f.options.path_count = 1;
    }
    if (overrides)
        override_metrics(overrides);
    f.options.with_parts = with_parts;
    write_mail(a_and_total, 2, 0);
    put_dialect(PRFDATA_DIALECT_OPEN_METRICS);
    for (size_t i = 0; i < TOLD; i++) {
        char line[80];

        snprintf(line, sizeof line, "\n%s{name=\"a\"} ", told_by_histogram[i]);
        count += strstr(f.output.bytes, line) != NULL;
    }
    return count;
}

static bool has_histogram(void)
{
    return strstr(f.output.bytes, "\nweb_request_time_distribution_seconds_count{name=\"a\"} 15\n");
}

static void test_map_metrics_a_distribution_is_there_once(void **state)
{
    (void)state;
    assert_int_equal(put_web(NULL, false, NULL), 0);
    assert_true(has_histogram());
    assert_lacks(f.output.bytes, "web_count_overall");
    for (size_t i = 0; i < sizeof not_told / sizeof not_told[0]; i++) {
        char line[80];

        snprintf(line, sizeof line, "\n%s{name=\"a\"} ", not_told[i]);
        expect_part(f.output.bytes, line);
    }
    assert_int_equal(put_web("\\Web(*)\\*", false, NULL), 0);
    assert_true(has_histogram());
    expect_part(explain(),
                "Requests/sec [504]: in histogram web_request_time_distribution_seconds, "
                "in histogram web_request_time_distribution_overall_seconds\n");
}

static void test_map_metrics_a_distribution_is_there_twice_if_asked(void **state)
{
    (void)state;
    assert_int_equal(put_web(NULL, true, NULL), TOLD);
    assert_true(has_histogram());
    /* The histogram's sum is the counter Time. If the path does not name Time, the exposition has
     * no histogram. */
    assert_int_equal(put_web("\\Web(*)\\Requests/sec", false, NULL), 1);
    assert_false(has_histogram());
    assert_int_equal(put_web("\\Web(*)\\Time", false, NULL), 1);
    assert_true(has_histogram());
    assert_int_equal(put_web("\\Web(*)\\Up to *", false, NULL), 4);
    assert_false(has_histogram());
    assert_int_equal(put_web("\\Web(*)\\Ti*", false, NULL), 0);
    assert_true(has_histogram());
    put_web(NULL, false, "\\Web\\Requests/sec metric=requests\n");
    expect_part(f.output.bytes, "\nrequests_total{name=\"a\"} 11\n");
    assert_true(has_histogram());
}

int main(void)
{
    const struct CMUnitTest tests[] = {
#define TEST(name, begin) cmocka_unit_test_setup_teardown(name, begin, end)
        TEST(test_map_metrics_are_what_the_map_says, begin_mail),
        TEST(test_map_metrics_are_not_used_for_other_counters, begin_mail),
        TEST(test_map_metrics_total_outlives_instances, begin_mail),
        TEST(test_map_metrics_total_is_there_where_paths_ask_for_it, begin_mail),
        TEST(test_map_metrics_whole_service_has_no_total_among_instances, begin_mail),
        TEST(test_map_metrics_may_be_overridden, begin_mail),
        TEST(test_map_metrics_a_name_switches_guessing_off, begin_mail_of_others),
        TEST(test_map_metrics_counters_of_a_distribution_are_a_histogram, begin_web),
        TEST(test_map_metrics_a_distribution_is_there_once, begin_web),
        TEST(test_map_metrics_a_distribution_is_there_twice_if_asked, begin_web),
#undef TEST
    };

    return cmocka_run_group_tests_name("map_metrics", tests, NULL, NULL);
}
