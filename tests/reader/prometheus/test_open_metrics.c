/* SPDX-License-Identifier: MIT */
/* Tests the text of samples for Prometheus: the metrics of each type, names, labels, wraps and
 * restarts. */
#include "support/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "prometheus/open_metrics.h"
#include "support/contains.h"
#include "support/golden.h"
#include "support/reader/ascii_text.h"
#include "support/reader/localized_sample.h"
#include "support/reader/metric_sample.h"
#include "support/reader/wire_sample.h"

static struct {
    wire w;
    prfdata_titles titles;
    prfdata_open_metrics_options options;
    prfdata_open_metrics *metrics;
    prfdata_output output;
} scene;

static int set_up(void **state)
{
    (void)state;
    memset(&scene, 0, sizeof scene);
    scene.options.version = "1.2.3";
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    prfdata_open_metrics_free(scene.metrics);
    prfdata_titles_free(&scene.titles);
    prfdata_output_free(&scene.output);
    return 0;
}

static void start_over(void)
{
    tear_down(NULL);
    set_up(NULL);
}

/* Return the exposition of the sample in scene.w. It ends with NUL and is valid until the next
 * call. */
static const char *put_dialect(prfdata_dialect dialect)
{
    const double seconds = 0.25;
    const prfdata_open_metrics_moment moment = {&seconds, 3};
    prfdata_sample *sample = wire_sample(&scene.w);

    if (!scene.metrics)
        assert_int_equal(prfdata_open_metrics_make(&scene.options, &scene.metrics), ERROR_SUCCESS);
    prfdata_output_clear(&scene.output);
    prfdata_open_metrics_put(scene.metrics, sample, &scene.titles, &moment, dialect, &scene.output);
    prfdata_output_put(&scene.output, "", 1);
    assert_false(scene.output.failed);
    prfdata_sample_free(sample);
    return scene.output.bytes;
}

static const char *put_om(void)
{
    return put_dialect(PRFDATA_DIALECT_OPEN_METRICS);
}

static void expect_line(const char *text, const char *line)
{
    char whole[512];

    snprintf(whole, sizeof whole, "\n%s\n", line);
    if (!strstr(text, whole))
        fail_msg("no line \"%s\" in:\n%s", line, text);
}

/* Write object 10 with one counter, 12, of one instance, "i". The time of the sample is
 * 134300000000000000 (in units of 100 ns) plus `seconds` seconds. */
static void write_one(uint32_t type, uint32_t bytes, uint64_t value, uint32_t seconds)
{
    size_t object, values;

    wire_begin(&scene.w, 1);
    object = wire_object(&scene.w, 10, 1, 1, 0);
    wire_counter(&scene.w, 12, type, bytes, 8);
    wire_instance(&scene.w, 0, 0, -1, "i");
    values = wire_values(&scene.w);
    wire_put32(&scene.w, 0);
    if (bytes == 8)
        wire_put64(&scene.w, value);
    else
        wire_put32(&scene.w, (uint32_t)value);
    wire_values_end(&scene.w, values);
    wire_object_end(&scene.w, object);
    wire_end(&scene.w);
    value = 134300000000000000u + (uint64_t)seconds * 10000000;
    wire_patch32(&scene.w, 72, (uint32_t)value);
    wire_patch32(&scene.w, 76, (uint32_t)(value >> 32));
}

static prfdata_resolver_path parse(const char *ascii, uint16_t *chars)
{
    prfdata_path_error error;
    prfdata_resolver_path path;

    memset(&path, 0, sizeof path);
    assert_true(prfdata_path_parse(ascii_text(ascii, chars), &path.path, &error));
    path.way = prfdata_titles_way_of(&scene.titles, path.path.object);
    return path;
}

/* ---- Types ---- */

static void write_types(void)
{
    wire_begin(&scene.w, 1);
    metric_sample_put_types(&scene.w);
    wire_end(&scene.w);
    metric_sample_name_types(&scene.titles);
}

static void test_open_metrics_every_type_becomes_its_metric(void **state)
{
    (void)state;
    scene.options.with_parts = true;
    write_types();
    golden_expect(put_om(), "tests/golden/types.om");
    golden_expect(put_dialect(PRFDATA_DIALECT_PROMETHEUS), "tests/golden/types.prom");
}

static void test_open_metrics_putting_a_sample_again_changes_nothing(void **state)
{
    char *first;

    (void)state;
    write_types();
    put_om();
    first = malloc(scene.output.used);
    assert_non_null(first);
    memcpy(first, scene.output.bytes, scene.output.used);
    (void)put_dialect(PRFDATA_DIALECT_PROMETHEUS);
    assert_string_equal(put_om(), first);
    assert_lacks(first, "_numerator"); /* parts are printed only on request */
    free(first);
}

static void test_open_metrics_explain_names_every_counter(void **state)
{
    prfdata_sample *sample;

    (void)state;
    write_types();
    sample = wire_sample(&scene.w);
    assert_int_equal(prfdata_open_metrics_make(&scene.options, &scene.metrics), ERROR_SUCCESS);
    prfdata_open_metrics_explain(scene.metrics, sample, &scene.titles, &scene.output);
    prfdata_output_put(&scene.output, "", 1);
    golden_expect(scene.output.bytes, "tests/golden/types_explained.txt");
    prfdata_sample_free(sample);
}

static void test_open_metrics_without_clock_leaves_times_out(void **state)
{
    (void)state;
    write_types();
    wire_patch32(&scene.w, 64, 0); /* PerfFreq */
    wire_patch32(&scene.w, 68, 0);
    put_om();
    assert_lacks(scene.output.bytes, "every_type_timer_seconds");
    assert_lacks(scene.output.bytes, "every_type_avg_read_seconds");
    expect_line(scene.output.bytes, "every_type_100ns_timer_seconds_total{name=\"a\"} 1e-07");
}

static void test_open_metrics_of_nothing_is_an_exposition(void **state)
{
    (void)state;
    scene.options.version = NULL;
    wire_begin(&scene.w, 0);
    wire_end(&scene.w);
    golden_expect(put_om(), "tests/golden/nothing.om");
}

/* Write object 10 without instances. Its only counter has the type ELAPSED_TIME. */
static void write_start(uint64_t start, uint64_t object_time)
{
    size_t object;

    wire_begin(&scene.w, 1);
    object = wire_object(&scene.w, 10, 1, -1, 0);
    wire_counter(&scene.w, 12, 0x30240500, 8, 8);
    wire_patch32(&scene.w, object + 48, (uint32_t)object_time);
    wire_value64(&scene.w, start);
    wire_object_end(&scene.w, object);
    wire_end(&scene.w);
}

static void test_open_metrics_start_time_stays_while_clocks_drift(void **state)
{
    (void)state;
    write_start(990, 1000);
    expect_line(put_om(), "title_10_title_12_start_time_seconds 1785526399.000");
    write_start(990, 1005);
    expect_line(put_om(), "title_10_title_12_start_time_seconds 1785526399.000");
    write_start(1000, 1005);
    expect_line(put_om(), "title_10_title_12_start_time_seconds 1785526399.500");
}

static void test_open_metrics_what_has_not_started_has_no_start_time(void **state)
{
    (void)state;
    write_start(0, 1000);
    assert_lacks(put_om(), "start_time");
    expect_line(scene.output.bytes, "prfread_values_left_out 0");
    write_start(1001, 1000); /* a start in the future */
    assert_lacks(put_om(), "start_time");
    expect_line(scene.output.bytes, "prfread_values_left_out 1");
    write_start(UINT64_MAX, 1000); /* as a signed number, this start would be in the past */
    assert_lacks(put_om(), "start_time");
}

/* ---- Values ---- */

/* Write object 10 without instances. Its counters are 12, a LARGE_RAW_FRACTION, and the base. */
static void write_fraction(uint64_t value, uint64_t base)
{
    size_t object, values;

    wire_begin(&scene.w, 1);
    object = wire_object(&scene.w, 10, 2, -1, 0);
    wire_counter(&scene.w, 12, 0x20020500, 8, 8);
    wire_counter(&scene.w, 0, 0x40030500, 8, 16);
    values = wire_values(&scene.w);
    wire_put32(&scene.w, 0);
    wire_put64(&scene.w, value);
    wire_put64(&scene.w, base);
    wire_values_end(&scene.w, values);
    wire_object_end(&scene.w, object);
    wire_end(&scene.w);
}

static void test_open_metrics_fraction_of_nothing_is_left_out(void **state)
{
    (void)state;
    write_fraction(3, 4);
    expect_line(put_om(), "title_10_title_12_ratio 0.75");
    write_fraction(3, 0);
    assert_lacks(put_om(), "title_10");
    expect_line(scene.output.bytes, "prfread_values_left_out 1");
    write_fraction(3, (uint64_t)-4);
    assert_lacks(put_om(), "title_10");
}

static void test_open_metrics_counts_of_64_bits_are_exact(void **state)
{
    (void)state;
    write_one(0x10410500, 8, UINT64_MAX, 0);
    expect_line(put_om(), "title_10_title_12_total{name=\"i\"} 18446744073709551615");
}

static void test_open_metrics_levels_are_signed(void **state)
{
    (void)state;
    write_one(0x00010100, 8, (uint64_t)INT64_MIN, 0);
    expect_line(put_om(), "title_10_title_12{name=\"i\"} -9223372036854775808");
}

static void test_open_metrics_hexadecimal_levels_are_unsigned(void **state)
{
    (void)state;
    write_one(0x00000100, 8, (uint64_t)INT64_MIN, 0);
    expect_line(put_om(), "title_10_title_12{name=\"i\"} 9223372036854775808");
}

static void test_open_metrics_never_puts_infinity_or_nan(void **state)
{
    static const uint64_t doubles[] = {0x7FF0000000000000, 0xFFF0000000000000, 0x7FF8000000000000};

    (void)state;
    for (size_t i = 0; i < 3; i++) {
        write_one(0x00012000, 8, doubles[i], 0);
        assert_lacks(put_om(), "title_10");
        expect_line(scene.output.bytes, "prfread_values_left_out 1");
    }
    write_one(0x00012000, 8, 0x7FEFFFFFFFFFFFFF, 0);
    expect_line(put_om(), "title_10_title_12{name=\"i\"} 1.7976931348623157e+308");
}

/* ---- Units ---- */

static void test_open_metrics_values_follow_the_unit(void **state)
{
    static const struct {
        const char *title;
        uint64_t value;
        const char *line;
    } cases[] = {
        {"Available KBytes", 3, "o_available_kbytes{name=\"i\"} 3"},
        {"Latency (ms)", 5, "o_latency_seconds{name=\"i\"} 0.005"},
        {"% Usage", 7, "o_usage_ratio{name=\"i\"} 0.07"},
        {"Size (MB)", (uint64_t)-2, "o_size_bytes{name=\"i\"} -2097152"},
        {"Large (KB)", (uint64_t)1 << 60, "o_large_bytes{name=\"i\"} 1.1805916207174113e+21"},
        {"Free %", 50, "o_free_ratio{name=\"i\"} 0.5"},
        {"Free (%)", 50, "o_free_ratio{name=\"i\"} 0.5"},
        {"Time (us) Waited", 5, "o_time_waited_seconds{name=\"i\"} 5e-06"},
        /* None of these words and spellings is taken as a unit. */
        {"Orders US", 3, "o_orders_xus{name=\"i\"} 3"},
        {"Orders (US)", 3, "o_orders_xus{name=\"i\"} 3"},
        {"Orders GB", 3, "o_orders_xgb{name=\"i\"} 3"},
        {"Orders (GB)", 3, "o_orders_xgb{name=\"i\"} 3"},
        {"Business Days", 3, "o_business_xdays{name=\"i\"} 3"},
        {"Business (days)", 3, "o_business_xdays{name=\"i\"} 3"},
        {"Mail from US bytes", 3, "o_mail_from_xus_bytes{name=\"i\"} 3"},
        {"Percent Idle", 50, "o_percent_idle{name=\"i\"} 50"},
        {"100% Busy", 50, "o_100_percent_busy{name=\"i\"} 50"},
        {"%Busy", 50, "o_percent_busy{name=\"i\"} 50"},
        {"Wait (MS)", 5, "o_wait_xms{name=\"i\"} 5"},
        {"Wait ms", 5, "o_wait_xms{name=\"i\"} 5"},
        {"Handle Count", 8, "o_handle_xcount{name=\"i\"} 8"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {

        metric_sample_name(&scene.titles.english, 10, "O");
        metric_sample_name(&scene.titles.english, 12, cases[i].title);
        write_one(0x00010100, 8, cases[i].value, 0);
        expect_line(put_om(), cases[i].line);
        start_over();
    }
}

/* ---- Names and labels ---- */

/* `promtool check metrics` rejects names that have certain words, and many of these titles have
 * such words. A test script gives the names made from the titles to promtool. */
static void test_open_metrics_titles_of_all_sorts_become_names(void **state)
{
    static const char *const titles[] = {
        "Thread Count",
        "Total",
        "Clicks Total",
        "Total Clicks/sec",
        "Sum",
        "Bucket",
        "Time Created",
        "Version Info",
        "Counter Resets",
        "The Gauge",
        "Summary of Histograms",
        "Histogram",
        "Drive D: Reads",
        "Drive B Writes",
        "Phase m/h",
        "MB over 2 MB",
        "Requests longer than 100 ms",
        "Requests longer than 100 Milliseconds",
        "Bits/sec",
        "Kilobits",
        "Hours Running",
        "Days",
        "Temperature (Fahrenheit)",
        "Miles",
        "Calories",
        "Millivolts",
        "Kilograms",
        "Disk KBytes Read/sec",
        "Free %",
        "% of %",
        "(%)",
        "Transfers + Retries & Errors",
        "# of Exceps Thrown",
        "Today's Work",
        "...",
        "100% CPU",
        "Avg. ms/s",
        "A:B:C",
        "CamelCaseTitle",
        "k B",
        "Le Quantile",
        "sec",
        "/sec",
        "s/s/s",
        "\xE9t\xE9",
        "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"
        "x"
        " yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy "
        "zzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzz"
        " vvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvvv wwwwwwwwwwwwwwwwwwwwwwwwwwwww Count",
    };
    /* Each title is used with RAWCOUNT, a type that counts, and a type that counts time. */
    static const uint32_t types[] = {0x00010000, 0x10410400, 0x00450400};
    static const char *const objects[] = {"Hours", "3D Counter", "Bits"};
    const uint32_t count = sizeof titles / sizeof titles[0];

    (void)state;
    wire_begin(&scene.w, 3);
    for (uint32_t o = 0; o < 3; o++) {
        size_t object = wire_object(&scene.w, 1000 * o + 1000, count, -1, 0);

        metric_sample_name(&scene.titles.english, 1000 * o + 1000, objects[o]);
        for (uint32_t i = 0; i < count; i++) {
            wire_counter(&scene.w, 1000 * o + 1002 + 2 * i, types[o], 4, 4);
            metric_sample_name(&scene.titles.english, 1000 * o + 1002 + 2 * i, titles[i]);
        }
        wire_value32(&scene.w, 60);
        wire_object_end(&scene.w, object);
    }
    wire_end(&scene.w);
    golden_expect(put_dialect(PRFDATA_DIALECT_PROMETHEUS), "tests/golden/names.prom");
    golden_expect(put_om(), "tests/golden/names.om");
}

/* Write the object Steps, some of whose instances have parents in the object Jobs. Two names differ
 * only in case, one step has no name, one step has a parent that does not exist, and several
 * instances are totals. */
static void write_steps(void)
{
    static const struct {
        uint32_t parent_title;
        uint32_t parent_position;
        int32_t unique_id;
        const char *name;
    } steps[] = {{100, 1, -1, "one"},      {100, 0, -1, "one"},    {100, 1, -1, "ONE"},
                 {0, 0, 5, NULL},          {900, 0, -1, "far"},    {0, 0, -1, "a\\b\"c\nd"},
                 {0, 0, -1, "_Total"},     {100, 1, -1, "_TOTAL"}, {0, 0, -1, "0,_Total"},
                 {100, 2, -1, "of a sum"}, {0, 0, -1, "My_Total"}};
    static const char *const jobs[] = {"j", "k/l", "_Total"};
    const uint32_t count = sizeof steps / sizeof steps[0];
    size_t object;

    wire_begin(&scene.w, 2);
    object = wire_object(&scene.w, 200, 1, (int32_t)count, 0);
    wire_counter(&scene.w, 202, 0x00010000, 4, 4);
    for (uint32_t i = 0; i < count; i++) {
        wire_instance(&scene.w, steps[i].parent_title, steps[i].parent_position, steps[i].unique_id,
                      steps[i].name);
        wire_value32(&scene.w, 50 + i);
    }
    wire_object_end(&scene.w, object);
    object = wire_object(&scene.w, 100, 1, 3, 0);
    wire_counter(&scene.w, 102, 0x00010000, 4, 4);
    for (uint32_t i = 0; i < 3; i++) {
        wire_instance(&scene.w, 0, 0, -1, jobs[i]);
        wire_value32(&scene.w, 70 + i);
    }
    wire_object_end(&scene.w, object);
    wire_end(&scene.w);
    metric_sample_name(&scene.titles.english, 100, "Jobs");
    metric_sample_name(&scene.titles.english, 102, "Waiting");
    metric_sample_name(&scene.titles.english, 200, "Steps");
    metric_sample_name(&scene.titles.english, 202, "Level");
}

static void test_open_metrics_labels_tell_instances_apart(void **state)
{
    (void)state;
    write_steps();
    golden_expect(put_om(), "tests/golden/labels.om");
    golden_expect(put_dialect(PRFDATA_DIALECT_PROMETHEUS), "tests/golden/labels.prom");
}

/* The label of a parent has at most 1,024 chars of the parent's name. */
static void test_open_metrics_parent_label_is_what_the_path_has_of_it(void **state)
{
    static const size_t lengths[] = {1024, 1025, 2000};
    const char end[] = "p\"} 71";

    (void)state;
    for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; i++) {
        char name[2001];
        const char *line;

        memset(name, 'p', lengths[i]);
        name[lengths[i]] = 0;
        wire_begin(&scene.w, 2);
        for (uint32_t title = 100; title <= 200; title += 100) {
            size_t object = wire_object(&scene.w, title, 1, 1, 0);

            wire_counter(&scene.w, title + 2, 0x00010000, 4, 4);
            wire_instance(&scene.w, title - 100, 0, -1, title == 100 ? name : "c");
            wire_value32(&scene.w, title == 100 ? 70 : 71);
            wire_object_end(&scene.w, object);
        }
        wire_end(&scene.w);
        line = strstr(put_om(), "\ntitle_200_title_202{name=\"c\",parent=\"p");
        assert_non_null(line);
        line = strchr(line, 'p') + strlen("parent=\"");
        assert_int_equal(strspn(line, "p"), 1024);
        assert_memory_equal(line + 1023, end, sizeof end - 1);
        start_over();
    }
}

static void test_open_metrics_damaged_names_are_text(void **state)
{
    size_t name;

    (void)state;
    write_one(0x00010000, 4, 1, 0);
    /* The name has one UTF-16 unit. Its NUL, padding and the counter block follow. */
    name = 96 + 64 + 40 + 24;
    assert_int_equal(scene.w.bytes[name], 'i');
    scene.w.bytes[name + 1] = 0xD8;
    expect_line(put_om(), "title_10_title_12{name=\"\\\\uD869\"} 1");
    scene.w.bytes[name] = 0x07;
    scene.w.bytes[name + 1] = 0;
    expect_line(put_om(), "title_10_title_12{name=\"\\\\u0007\"} 1");
    scene.w.bytes[name] = 0xAC;
    scene.w.bytes[name + 1] = 0x20;
    expect_line(put_om(), "title_10_title_12{name=\"\xE2\x82\xAC\"} 1");
}

/* The label texts of two instances are equal, so only one of them has a series. */
static void test_open_metrics_no_series_is_there_twice(void **state)
{
    size_t object;

    (void)state;
    wire_begin(&scene.w, 1);
    object = wire_object(&scene.w, 10, 1, 2, 0);
    wire_counter(&scene.w, 12, 0x00010000, 4, 4);
    for (uint32_t i = 0; i < 2; i++) {
        size_t instance = wire_instance(&scene.w, 0, 0, -1, i == 0 ? "?" : "\\uD83F");

        if (i == 0)
            scene.w.bytes[instance + 25] = 0xD8; /* half of a surrogate pair: U+D83F */
        wire_value32(&scene.w, i);
    }
    wire_object_end(&scene.w, object);
    wire_end(&scene.w);
    put_om();
    expect_line(scene.output.bytes, "title_10_title_12{name=\"\\\\uD83F\"} 1");
    assert_lacks(scene.output.bytes, "{name=\"\\\\uD83F\"} 0");
}

/* An empty label is the same as none for Prometheus. */
static void test_open_metrics_parent_without_name_is_no_label(void **state)
{
    size_t object;

    (void)state;
    wire_begin(&scene.w, 1);
    object = wire_object(&scene.w, 10, 1, 3, 0);
    wire_counter(&scene.w, 12, 0x00010000, 4, 4);
    for (uint32_t i = 0; i < 3; i++) {
        /* The first instance has no name and is the parent of the second one, so the second one
         * looks like the third. */
        wire_instance(&scene.w, i == 1 ? 10 : 0, 0, -1, i == 0 ? "" : "c");
        wire_value32(&scene.w, i);
    }
    wire_object_end(&scene.w, object);
    wire_end(&scene.w);
    put_om();
    expect_line(scene.output.bytes, "title_10_title_12{name=\"\"} 0");
    expect_line(scene.output.bytes, "title_10_title_12{name=\"c\"} 1");
    assert_lacks(scene.output.bytes, "} 2");
}

/* Put an object with these counters. All are RAWCOUNTs of 4 bytes, and their values are their
 * positions. */
static void put_counters(wire *w, uint32_t title, const uint32_t *counters, uint32_t count)
{
    size_t object = wire_object(w, title, count, -1, 0);
    size_t values;

    for (uint32_t i = 0; i < count; i++)
        wire_counter(w, counters[i], 0x00010000, 4, 4 + 4 * i);
    values = wire_values(w);
    for (uint32_t i = 0; i < count; i++)
        wire_put32(w, i);
    wire_values_end(w, values);
    wire_object_end(w, object);
}

static void name_twins(void)
{
    metric_sample_name(&scene.titles.english, 20, "My Object");
    metric_sample_name(&scene.titles.english, 10, "My-Object");
    metric_sample_name(&scene.titles.english, 22, "In Use");
    metric_sample_name(&scene.titles.english, 24, "In/Use"); /* "/" becomes the word "per" */
    metric_sample_name(&scene.titles.english, 26, "In (Use)");
    metric_sample_name(&scene.titles.english, 28, "In Use 6");
    metric_sample_name(&scene.titles.english, 12, "in.use");
}

/* Find the line that begins with `start` and ends with `value`, and get its text before the
 * blank. */
static void find_name(const char *text, const char *start, const char *value, char *name)
{
    char end[64];
    size_t size;

    snprintf(end, sizeof end, " %s\n", value);
    for (const char *line = text; (line = strchr(line, '\n')) != NULL;) {
        line++;
        size = strcspn(line, " ");
        if (strncmp(line, start, strlen(start)) == 0 &&
            strncmp(line + size, end, strlen(end)) == 0) {
            snprintf(name, 256, "%.*s", (int)size, line);
            return;
        }
    }
    fail_msg("no line with %s ... %s in:\n%s", start, value, text);
}

/* The titles of several counters give the same name. The counter with the lowest title index gets
 * this name. Each other counter gets the name with an additional word. */
static void test_open_metrics_equal_names_are_kept_apart(void **state)
{
    static const uint32_t first[] = {26, 22, 24, 28};
    static const uint32_t other_order[] = {22, 26};
    static const uint32_t second[] = {12};
    char braced[256], plain[256], again[256];
    prfdata_resolver_path path;
    uint16_t chars[64];

    (void)state;
    name_twins();
    wire_begin(&scene.w, 2);
    put_counters(&scene.w, 20, first, 4);
    put_counters(&scene.w, 10, second, 1);
    wire_end(&scene.w);
    put_om();
    expect_line(scene.output.bytes, "my_object_in_per_use 2");
    expect_line(scene.output.bytes, "my_object_in_use_6 3");
    find_name(scene.output.bytes, "my_object_in_use_x", "0", braced);
    find_name(scene.output.bytes, "my_object_in_use_x", "1", plain);
    expect_line(scene.output.bytes, "# HELP my_object_in_use \\\\My-Object\\\\in.use");
    assert_string_not_equal(braced, plain);

    /* The order of the counters in the sample makes no difference. */
    start_over();
    name_twins();
    wire_begin(&scene.w, 1);
    put_counters(&scene.w, 20, other_order, 2);
    wire_end(&scene.w);
    put_om();
    find_name(scene.output.bytes, "my_object_in_use_x", "1", again);
    assert_string_equal(again, braced);
    expect_line(scene.output.bytes, "my_object_in_use 0");

    /* It makes no difference, either, if only one of the two counters is asked for. */
    start_over();
    name_twins();
    path = parse("\\My Object\\In (Use)", chars);
    scene.options.paths = &path;
    scene.options.path_count = 1;
    wire_begin(&scene.w, 1);
    put_counters(&scene.w, 20, other_order, 2);
    wire_end(&scene.w);
    find_name(put_om(), "my_object_in_use_x", "1", again);
    assert_string_equal(again, braced);
}

/* A reader cannot tell two objects with the same title apart. The object with the lower title index
 * is shown, and -explain reports this. */
static void test_open_metrics_same_titles_are_shown_once(void **state)
{
    static const uint32_t first[] = {12};
    static const uint32_t second[] = {22};
    prfdata_sample *sample;

    (void)state;
    metric_sample_name(&scene.titles.english, 10, "Object");
    metric_sample_name(&scene.titles.english, 20, "Object");
    metric_sample_name(&scene.titles.english, 12, "Depth");
    metric_sample_name(&scene.titles.english, 22, "Depth");
    wire_begin(&scene.w, 2);
    put_counters(&scene.w, 20, second, 1);
    put_counters(&scene.w, 10, first, 1);
    wire_end(&scene.w);
    put_om();
    expect_line(scene.output.bytes, "# HELP object_depth \\\\Object\\\\Depth\nobject_depth 0");
    expect_line(scene.output.bytes, "prfread_values_left_out 1");
    sample = wire_sample(&scene.w);
    prfdata_output_clear(&scene.output);
    prfdata_open_metrics_explain(scene.metrics, sample, &scene.titles, &scene.output);
    prfdata_output_put(&scene.output, "", 1);
    assert_string_equal(scene.output.bytes,
                        "\\Object\\Depth [22]: left out: there are two with these titles\n"
                        "\\Object\\Depth [12]: gauge object_depth\n");
    prfdata_sample_free(sample);
}

/* Find the name that the counter at `which` gets in an object with these counters. NULL ends
 * `titles`. `asked_for` is the title of the only counter that is asked for, or "*" for all. */
static void name_beside(const char *const *titles, const uint32_t *types, uint32_t which,
                        const char *asked_for, char *name)
{
    prfdata_resolver_path path;
    uint32_t count = 0;
    uint16_t chars[64];
    size_t object, values;
    char help_end[64], path_text[64];
    const char *help;

    metric_sample_name(&scene.titles.english, 10, "O");
    while (titles[count])
        count++;
    wire_begin(&scene.w, 1);
    object = wire_object(&scene.w, 10, count, -1, 0);
    for (uint32_t i = 0; i < count; i++) {
        metric_sample_name(&scene.titles.english, 12 + 2 * i, titles[i]);
        wire_counter(&scene.w, 12 + 2 * i, types[i], 4, 4 + 4 * i);
    }
    values = wire_values(&scene.w);
    for (uint32_t i = 0; i < count; i++)
        wire_put32(&scene.w, 100 + i);
    wire_values_end(&scene.w, values);
    wire_object_end(&scene.w, object);
    wire_end(&scene.w);
    snprintf(path_text, sizeof path_text, "\\O\\%s", asked_for);
    path = parse(path_text, chars);
    scene.options.paths = &path;
    scene.options.path_count = 1;
    snprintf(help_end, sizeof help_end, "\\\\O\\\\%s\n", titles[which]);
    help = strstr(put_om(), help_end);
    assert_non_null(help);
    while (strncmp(help, "# HELP ", 7) != 0)
        help--;
    snprintf(name, 256, "%.*s", (int)strcspn(help + 7, " "), help + 7);
    start_over();
}

/* A counter's name does not depend on the other counters of its object, nor on the paths that are
 * asked for. */
static void test_open_metrics_names_do_not_depend_on_neighbours(void **state)
{
    enum { RAW = 0x00010000, RATE = 0x10410400 };
    static const struct {
        const char *title;
        uint32_t type;
    } cases[] = {
        {"Jobs", RAW},
        {"Jobs/sec", RATE},
        {"Jobs", RATE},
        {"Available Bytes", RAW},
        {"Available KBytes", RAW},
        {"Available MBytes", RAW},
        {"Bytes Received", RAW},
        {"Bytes Received/sec", RATE},
        {"% Processor Time", RAW},
        {"Processor Time", RAW},
        {"Wait (ms)", RAW},
        {"Jobs/sec", RAW},
        {"Bytes/sec", RATE},
        {"Bytes", RAW},
    };
    const size_t count = sizeof cases / sizeof cases[0];

    (void)state;
    for (size_t i = 0; i < count; i++) {
        const char *alone[] = {cases[i].title, NULL};
        char name[256];

        name_beside(alone, &cases[i].type, 0, "*", name);
        for (size_t k = 0; k < count; k++) {
            const char *before[] = {cases[k].title, cases[i].title, NULL};
            const char *after[] = {cases[i].title, cases[k].title, NULL};
            const uint32_t types_before[] = {cases[k].type, cases[i].type};
            const uint32_t types_after[] = {cases[i].type, cases[k].type};
            char beside[256];

            if (strcmp(cases[i].title, cases[k].title) == 0)
                continue; /* another test has an object with two equal titles */
            name_beside(before, types_before, 1, "*", beside);
            assert_string_equal(beside, name);
            name_beside(before, types_before, 1, cases[i].title, beside);
            assert_string_equal(beside, name);
            name_beside(after, types_after, 0, "*", beside);
            assert_string_equal(beside, name);
        }
    }
}

/* Two prfread programs write into one folder. Each metric about prfread itself has a label that
 * names its program, so no two are the same. */
static void test_open_metrics_readers_are_told_apart(void **state)
{
    static const char *const lines[] = {
        "prfread_build_info{version=\"1.2.3\",reader=\"the \\\"first\\\"\"} 1",
        "prfread_scrape_duration_seconds{reader=\"the \\\"first\\\"\"} 0.25",
        "prfread_object_up{object=\"O\",reader=\"the \\\"first\\\"\"} 1",
        "prfread_paths_not_found{reader=\"the \\\"first\\\"\"} 0",
        "prfread_providers_left_out{reader=\"the \\\"first\\\"\"} 3",
        "prfread_damaged_parts{reader=\"the \\\"first\\\"\"} 0",
        "prfread_values_left_out{reader=\"the \\\"first\\\"\"} 0",
        "prfread_series_untracked{reader=\"the \\\"first\\\"\"} 0",
        "prfread_title_changes{reader=\"the \\\"first\\\"\"} 0",
    };
    prfdata_resolver_path path;
    uint16_t chars[2][64];
    unsigned own = 0;

    (void)state;
    metric_sample_name(&scene.titles.english, 10, "O");
    metric_sample_name(&scene.titles.english, 12, "Jobs");
    path = parse("\\O(*)\\Jobs", chars[0]);
    scene.options.asked = scene.options.paths = &path;
    scene.options.asked_count = scene.options.path_count = 1;
    scene.options.reader = ascii_text("the \"first\"", chars[1]);
    for (int dialect = 0; dialect < PRFDATA_DIALECT_COUNT; dialect++) {
        write_one(0x00010000, 4, 7, 1);
        put_dialect((prfdata_dialect)dialect);
        for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++)
            expect_line(scene.output.bytes, lines[i]);
        expect_line(scene.output.bytes, "o_jobs{name=\"i\"} 7");
    }
    /* Every metric about prfread itself has the label. */
    for (const char *at = scene.output.bytes; (at = strstr(at, "\nprfread_")) != NULL; at++)
        own++;
    assert_int_equal(own, sizeof lines / sizeof lines[0]);
}

/* A counter that is installed later has a higher title index, so the earlier counter keeps its
 * name. */
static void test_open_metrics_later_counter_leaves_a_name_alone(void **state)
{
    static const char *const titles[] = {"Time (ms)", "Time (us)", NULL};
    static const uint32_t types[] = {0x00010000, 0x00010000};
    char name[256];

    (void)state;
    name_beside(titles, types, 0, "*", name);
    assert_string_equal(name, "o_time_seconds");
    name_beside(titles, types, 1, "*", name);
    assert_int_equal(strlen(name), strlen("o_time_x12345678_seconds"));
}

static void test_open_metrics_names_stay_when_others_come(void **state)
{
    static const uint32_t first[] = {26};
    static const uint32_t second[] = {26, 22};
    char name[256];

    (void)state;
    name_twins();
    wire_begin(&scene.w, 1);
    put_counters(&scene.w, 20, first, 1);
    wire_end(&scene.w);
    expect_line(put_om(), "my_object_in_use 0");
    wire_begin(&scene.w, 1);
    put_counters(&scene.w, 20, second, 2);
    wire_end(&scene.w);
    put_om();
    expect_line(scene.output.bytes, "my_object_in_use 0");
    find_name(scene.output.bytes, "my_object_in_use_x", "1", name);
}

static void test_open_metrics_our_own_names_are_reserved(void **state)
{
    static const uint32_t counters[] = {12};

    (void)state;
    metric_sample_name(&scene.titles.english, 10, "Prfread");
    metric_sample_name(&scene.titles.english, 12, "Damaged Parts");
    wire_begin(&scene.w, 1);
    put_counters(&scene.w, 10, counters, 1);
    wire_end(&scene.w);
    expect_line(put_om(), "xprfread_damaged_parts 0");
}

static void test_open_metrics_titles_that_are_there_twice_count_once(void **state)
{
    static const uint32_t counters[] = {12, 14, 12};

    (void)state;
    wire_begin(&scene.w, 2);
    put_counters(&scene.w, 10, counters, 3);
    put_counters(&scene.w, 10, counters, 2);
    wire_end(&scene.w);
    put_om();
    expect_line(scene.output.bytes, "title_10_title_12 0");
    expect_line(scene.output.bytes, "title_10_title_14 1");
    assert_lacks(scene.output.bytes, "title_10_title_12 2");
    assert_null(
        strstr(strstr(scene.output.bytes, "TYPE title_10_title_14") + 1, "TYPE title_10_title_14"));
}

/* ---- Paths ---- */

static void test_open_metrics_shows_what_paths_ask_for(void **state)
{
    static const char *const texts[] = {"\\steps(k/l/*)\\Level", "\\Steps(5)\\*",
                                        "\\Jobs(*)\\Waiting", "\\jobs(nobody)\\Waiting",
                                        "\\Absent\\Counter"};
    uint16_t chars[5][64];
    prfdata_resolver_path paths[5];

    (void)state;
    write_steps();
    for (size_t i = 0; i < 5; i++)
        paths[i] = parse(texts[i], chars[i]);
    scene.options.paths = paths;
    scene.options.path_count = 5;
    scene.options.asked = paths;
    scene.options.asked_count = 5;
    scene.options.bad_path_count = 1;
    golden_expect(put_om(), "tests/golden/paths.om");
    for (size_t i = 0; i < 5; i++)
        assert_int_equal(prfdata_open_metrics_found(scene.metrics, i), i < 3);
}

/* If none of the paths can find anything, nothing is shown, although options.path_count is 0, which
 * otherwise means all objects. */
static void test_open_metrics_of_bad_paths_only_shows_nothing(void **state)
{
    (void)state;
    write_steps();
    scene.options.bad_path_count = 1;
    expect_line(put_om(), "prfread_paths_not_found 1");
    expect_line(scene.output.bytes, "prfread_values_left_out 0");
    for (const char *at = strstr(scene.output.bytes, "# TYPE "); at; at = strstr(at + 1, "# TYPE "))
        assert_memory_equal(at, "# TYPE prfread_", strlen("# TYPE prfread_"));
}

static void test_open_metrics_path_names_a_total(void **state)
{
    uint16_t chars[64];
    prfdata_resolver_path path;

    (void)state;
    write_steps();
    path = parse("\\Steps(_total)\\Level", chars);
    scene.options.paths = &path;
    scene.options.path_count = 1;
    expect_line(put_om(), "steps_level{name=\"_Total\"} 56");
}

/* ---- The user's names ---- */

static void override_names(const char *text, prfdata_overrides *overrides)
{
    prfdata_overrides_error error;
    prfdata_lines lines;

    assert_int_equal(
        prfdata_overrides_make(text, strlen(text), &scene.titles, overrides, &lines, &error),
        ERROR_SUCCESS);
    scene.options.overrides = overrides;
}

static void test_open_metrics_names_may_be_overridden(void **state)
{
    static const char text[] = "\\Every Type(*)\\Raw Count metric=every_type_delta label=of\n"
                               "\\Every Type\\Large Delta metric=every_type_large_raw_xcount\n"
                               "\\Every Type\\KBytes Sent/sec unit=kibibytes\n"
                               "\\Every Type\\% Used metric=use\n"
                               "\\Every Type\\% Timer metric=busy_seconds\n"
                               "\\Every Type\\% Hit metric=hits\n"
                               "\\Every Type\\% Precision Object Timer unit=milliseconds\n"
                               "\\Every Type\\% Used Large metric=large_used unit=percent\n"
                               "\\Every Type\\Avg. sec/Read metric=busy_seconds unit=seconds\n";
    prfdata_overrides overrides;
    char name[256];

    (void)state;
    write_types();
    override_names(text, &overrides);
    put_om();
    /* A counter has the name that the user gives it, even if the titles of another counter with a
     * lower index give the same name. */
    expect_line(scene.output.bytes, "every_type_large_raw_xcount_total{name=\"a\"} 12");
    find_name(scene.output.bytes, "every_type_large_raw_xcount_x", "-5", name);
    expect_line(scene.output.bytes, "every_type_delta{of=\"a\"} 4000000000");
    find_name(scene.output.bytes, "every_type_delta_x", "11", name);
    /* The user's unit replaces the title's unit. Values are not converted. */
    expect_line(scene.output.bytes,
                "# UNIT every_type_kbytes_sent_accumulated_kibibytes kibibytes");
    expect_line(scene.output.bytes,
                "every_type_kbytes_sent_accumulated_kibibytes_total{name=\"a\"} 14");
    /* The user's name "use" says no unit, so the metric has none. */
    expect_line(scene.output.bytes,
                "# TYPE use gauge\n# UNIT use \n# HELP use \\\\Every Type(*)\\\\% Used");
    expect_line(scene.output.bytes, "use{name=\"a\"} 0.25");
    expect_line(scene.output.bytes, "# UNIT busy_seconds seconds");
    expect_line(scene.output.bytes, "busy_seconds_total{name=\"a\"} 1");
    /* The user's units for these two counters have no effect, because the counter types decide. */
    expect_line(scene.output.bytes,
                "every_type_precision_object_timer_seconds_total{name=\"a\"} 5.5");
    expect_line(scene.output.bytes, "large_used{name=\"a\"} 0.375");
    /* The counter "% Hit" has two metrics. The user gave the name busy_seconds to two counters, so
     * the second one gets a longer name. */
    expect_line(scene.output.bytes, "hits_total{name=\"a\"} 16");
    expect_line(scene.output.bytes, "hits_samples_total{name=\"a\"} 20");
    find_name(scene.output.bytes, "busy_x", "1.5", name);
    assert_int_equal(strlen(name), strlen("busy_x12345678_seconds_sum{name=\"a\"}"));
    prfdata_overrides_free(&overrides);
}

/* If several overrides name a counter, the first one counts. All names in the path of an override
 * must be in one language, as in a path of the command line. */
static void test_open_metrics_first_override_of_a_counter_counts(void **state)
{
    static const char text[] = "\\Arbeiten\\A* label=first\n"
                               "\\Jobs(*)\\Waiting label=second\n"
                               "\\Machine\\202 metric=level\n";
    prfdata_overrides overrides;

    (void)state;
    localized_sample_write(&scene.w);
    localized_sample_name(&scene.titles);
    override_names(text, &overrides);
    put_om();
    expect_line(scene.output.bytes,
                "jobs_waiting{first=\"x\"} 1040\njobs_waiting{first=\"y\"} 1041");
    /* The first path does not match "Active", because the path names the object in the local
     * language, and "Active" is an English title. Object 300 is also called "Jobs" in English and
     * has a counter "Active", but has no instances. So this line is of object 100. */
    expect_line(scene.output.bytes, "jobs_active{name=\"x\"} 1020");
    /* The second path does not match "Added", because the path is in English, and "Waiting" is the
     * local title of this counter. */
    expect_line(scene.output.bytes, "jobs_added{name=\"x\"} 1060");
    expect_line(scene.output.bytes, "level 2020");
    prfdata_overrides_free(&overrides);
}

/* ---- Wraps and restarts ---- */

static void test_open_metrics_wraps_go_on(void **state)
{
    (void)state;
    write_one(0x10410400, 4, 0xFFFFFFF0, 0);
    expect_line(put_om(), "title_10_title_12_total{name=\"i\"} 4294967280");
    write_one(0x10410400, 4, 5, 1);
    expect_line(put_om(), "title_10_title_12_total{name=\"i\"} 4294967301");
    assert_lacks(scene.output.bytes, "_created");
}

static void test_open_metrics_restarts_say_since_when(void **state)
{
    (void)state;
    write_one(0x10410400, 4, 1000, 0);
    assert_lacks(put_om(), "_created"); /* nobody knows when the count began */
    write_one(0x10410400, 4, 7, 60);
    put_om();
    expect_line(scene.output.bytes, "title_10_title_12_total{name=\"i\"} 7\n"
                                    "title_10_title_12_created{name=\"i\"} 1785526400.000");
    write_one(0x10410400, 4, 9, 120);
    expect_line(put_om(), "title_10_title_12_created{name=\"i\"} 1785526400.000");
    assert_lacks(put_dialect(PRFDATA_DIALECT_PROMETHEUS), "_created");
}

static void test_open_metrics_beyond_the_limit_says_so(void **state)
{
    (void)state;
    scene.options.max_series = 1;
    wire_begin(&scene.w, 1);
    wire_worked_example(&scene.w, 10);
    wire_end(&scene.w);
    put_om();
    expect_line(scene.output.bytes, "title_100_title_102_total{name=\"ab\"} 10");
    expect_line(scene.output.bytes, "title_100_title_102_total{name=\"longer\"} 11");
    expect_line(scene.output.bytes, "prfread_series_untracked 3");
}

/* ---- Damage ---- */

static void test_open_metrics_damaged_parts_are_left_out(void **state)
{
    (void)state;
    wire_begin(&scene.w, 1);
    wire_worked_example(&scene.w, 10);
    wire_end(&scene.w);
    /* Move AVERAGE_TIMER's base out of the counter blocks. */
    wire_patch32(&scene.w, 96 + 64 + 3 * 40 + 36, 4000);
    put_om();
    expect_line(scene.output.bytes, "title_100_title_102_total{name=\"ab\"} 10");
    assert_lacks(scene.output.bytes, "title_106");
    expect_line(scene.output.bytes, "prfread_values_left_out 2");
}

/* ---- The format ---- */

#define NAME_CHARACTERS "abcdefghijklmnopqrstuvwxyz0123456789_"

static size_t name_size(const char *text)
{
    size_t size = strspn(text, NAME_CHARACTERS);

    if (size == 0 || (*text >= '0' && *text <= '9'))
        fail_msg("no name: %.40s", text);
    return size;
}

/* Check labels in braces: their texts are escaped and have no raw quotes. Returns the rest of the
 * line. */
static const char *skip_labels(const char *text)
{
    assert_int_equal(*text, '{');
    do {
        text++;
        text += name_size(text);
        assert_memory_equal(text, "=\"", 2);
        for (text += 2; *text != '"'; text++) {
            assert_true((unsigned char)*text >= ' ');
            if (*text == '\\')
                assert_non_null(strchr("\\\"n", *++text));
        }
        text++;
    } while (*text == ',');
    assert_int_equal(*text, '}');
    return text + 1;
}

/* Check a line of a family: its name, perhaps a suffix, labels, and a finite number. */
static void check_sample_line(const char *line, const char *family, size_t family_size)
{
    static const char *const suffixes[] = {" ",      "{",        "_total", "_sum",
                                           "_count", "_created", "_info"};
    const char *rest = line + name_size(line);
    bool is_suffix = false;
    char *end = NULL;

    assert_memory_equal(line, family, family_size);
    for (size_t i = 0; i < sizeof suffixes / sizeof suffixes[0]; i++)
        is_suffix = is_suffix || strncmp(line + family_size, suffixes[i], strlen(suffixes[i])) == 0;
    assert_true(is_suffix);
    if (*rest == '{')
        rest = skip_labels(rest);
    assert_int_equal(*rest, ' ');
    assert_non_null(strchr("-0123456789", rest[1]));
    (void)strtod(rest + 1, &end);
    assert_int_equal(*end, '\n');
}

/* Returns whether the same series, or the same TYPE, occurs in an earlier line. */
static bool was_there(const char *text, const char *line, size_t size)
{
    for (const char *at = text; at < line; at = strchr(at, '\n') + 1) {
        if (strncmp(at, line, size) == 0)
            return true;
    }
    return false;
}

/* Check the format of OpenMetrics line by line. A family's lines must stand together, and no family
 * and no series may occur twice. */
static void check_format(const char *text)
{
    const char *family = NULL;
    size_t family_size = 0;
    const char *line = text;

    for (; strcmp(line, "# EOF\n") != 0; line = strchr(line, '\n') + 1) {
        size_t size = strcspn(line, "\n");

        assert_int_equal(line[size], '\n');
        if (strncmp(line, "# TYPE ", 7) == 0) {
            family = line + 7;
            family_size = name_size(family);
            assert_false(was_there(text, line, 7 + family_size + 1));
            /* Each family has a UNIT, because some parsers keep the last UNIT that they saw. */
            assert_memory_equal(line + size + 1, "# UNIT ", 7);
        } else if (line[0] == '#') {
            assert_true(strncmp(line, "# HELP ", 7) == 0 || strncmp(line, "# UNIT ", 7) == 0);
            assert_memory_equal(line + 7, family, family_size);
            assert_int_equal(line[7 + family_size], ' ');
        } else {
            const char *value = line + size;

            check_sample_line(line, family, family_size);
            while (value[-1] != ' ')
                value--;
            assert_false(was_there(text, line, (size_t)(value - line)));
        }
    }
}

static void test_open_metrics_of_every_type_and_of_steps_are_valid(void **state)
{
    (void)state;
    scene.options.with_parts = true;
    write_types();
    check_format(put_om());
    start_over();
    write_steps();
    check_format(put_om());
}

/* Damage each word of the sample in turn. In the header, damage only times and frequencies. */
static void break_words(void)
{
    static const uint32_t wrong[] = {0xFFFFFFFF, 0, 7, 0x80000000};

    for (size_t at = 56; at < scene.w.used; at += 4) {
        unsigned char kept[4];

        memcpy(kept, scene.w.bytes + at, 4);
        for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
            wire_patch32(&scene.w, at, wrong[i]);
            check_format(put_om());
        }
        memcpy(scene.w.bytes + at, kept, 4);
    }
}

static void test_open_metrics_of_broken_samples_is_an_exposition(void **state)
{
    (void)state;
    write_steps();
    break_words();
    start_over();
    write_start(990, 1000);
    break_words();
    start_over();
    wire_begin(&scene.w, 1);
    wire_worked_example(&scene.w, 10);
    wire_end(&scene.w);
    break_words();
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_open_metrics_every_type_becomes_its_metric),
        TEST(test_open_metrics_putting_a_sample_again_changes_nothing),
        TEST(test_open_metrics_explain_names_every_counter),
        TEST(test_open_metrics_without_clock_leaves_times_out),
        TEST(test_open_metrics_of_nothing_is_an_exposition),
        TEST(test_open_metrics_start_time_stays_while_clocks_drift),
        TEST(test_open_metrics_what_has_not_started_has_no_start_time),
        TEST(test_open_metrics_fraction_of_nothing_is_left_out),
        TEST(test_open_metrics_counts_of_64_bits_are_exact),
        TEST(test_open_metrics_levels_are_signed),
        TEST(test_open_metrics_hexadecimal_levels_are_unsigned),
        TEST(test_open_metrics_never_puts_infinity_or_nan),
        TEST(test_open_metrics_values_follow_the_unit),
        TEST(test_open_metrics_titles_of_all_sorts_become_names),
        TEST(test_open_metrics_labels_tell_instances_apart),
        TEST(test_open_metrics_parent_label_is_what_the_path_has_of_it),
        TEST(test_open_metrics_damaged_names_are_text),
        TEST(test_open_metrics_no_series_is_there_twice),
        TEST(test_open_metrics_parent_without_name_is_no_label),
        TEST(test_open_metrics_equal_names_are_kept_apart),
        TEST(test_open_metrics_same_titles_are_shown_once),
        TEST(test_open_metrics_names_do_not_depend_on_neighbours),
        TEST(test_open_metrics_readers_are_told_apart),
        TEST(test_open_metrics_later_counter_leaves_a_name_alone),
        TEST(test_open_metrics_names_stay_when_others_come),
        TEST(test_open_metrics_our_own_names_are_reserved),
        TEST(test_open_metrics_titles_that_are_there_twice_count_once),
        TEST(test_open_metrics_shows_what_paths_ask_for),
        TEST(test_open_metrics_of_bad_paths_only_shows_nothing),
        TEST(test_open_metrics_path_names_a_total),
        TEST(test_open_metrics_names_may_be_overridden),
        TEST(test_open_metrics_first_override_of_a_counter_counts),
        TEST(test_open_metrics_wraps_go_on),
        TEST(test_open_metrics_restarts_say_since_when),
        TEST(test_open_metrics_beyond_the_limit_says_so),
        TEST(test_open_metrics_damaged_parts_are_left_out),
        TEST(test_open_metrics_of_every_type_and_of_steps_are_valid),
        TEST(test_open_metrics_of_broken_samples_is_an_exposition),
    };

    return cmocka_run_group_tests_name("open_metrics", tests, NULL, NULL);
}
