/* SPDX-License-Identifier: MIT */
/* Tests names of metrics that are made from titles. tests/golden/names.prom has many more for
 * promtool. */
#include "support/test.h"

#include <stdio.h>
#include <string.h>

#include <prfdata/perf_types.h>

#include "prometheus/metric_name.h"
#include "support/page.h"
#include "support/reader/ascii_text.h"
#include "support/reader/random.h"

/* Counter types, named by the metric that they become. */
#define GAUGE   PERF_COUNTER_LARGE_RAWCOUNT
#define COUNTER PERF_COUNTER_BULK_COUNT
#define TIMER   PERF_100NSEC_TIMER
#define SUMMARY PERF_AVERAGE_BULK
#define AVERAGE PERF_AVERAGE_TIMER
#define RATIO   PERF_LARGE_RAW_FRACTION

static prfdata_metric_name name_of(const char *object, const char *counter, uint32_t type)
{
    uint16_t object_chars[128], counter_chars[128];
    prfdata_metric_titles titles;
    prfdata_metric_name name;

    memset(&titles, 0, sizeof titles);
    titles.object = ascii_text(object, object_chars);
    titles.object_index = 2;
    titles.counter = ascii_text(counter, counter_chars);
    titles.counter_index = 4;
    titles.part = prfdata_metric_part_first(type, false);
    prfdata_metric_name_make(&titles, &name);
    return name;
}

static void expect(const char *object, const char *counter, uint32_t type, const char *text,
                   const char *unit, double factor)
{
    prfdata_metric_name name = name_of(object, counter, type);

    assert_string_equal(name.text, text);
    assert_string_equal(name.unit, unit);
    assert_true(name.factor >= factor && name.factor <= factor);
}

static void test_metric_name_is_object_and_counter(void **state)
{
    (void)state;
    expect("Mouse Clicks", "Clicks", COUNTER, "mouse_clicks_clicks", "", 1);
    expect(".NET CLR Memory", "# Bytes in all Heaps", GAUGE, "net_clr_memory_bytes_in_all_heaps",
           "", 1);
    expect("RAS Port", "Bytes Received By Disconnected Clients", COUNTER,
           "ras_port_bytes_received_by_disconnected_clients", "", 1);
    expect("", "", GAUGE, "title_2_title_4", "", 1);
    expect("3 D", "x", GAUGE, "_3_xd_x", "", 1);
    expect("Prfread", "Damaged Parts", GAUGE, "xprfread_damaged_parts", "", 1);
}

static void test_metric_name_counters_lose_the_rate(void **state)
{
    (void)state;
    expect("N", "Bytes Received/sec", COUNTER, "n_bytes_received_accumulated", "", 1);
    expect("N", "Packets/second Sent", COUNTER, "n_packets_sent_accumulated", "", 1);
    expect("N", "Bytes/sec", COUNTER, "n_accumulated_bytes", "bytes", 1);
    expect("N", "Bytes/sec", GAUGE, "n_bytes_per_second", "", 1);
    expect("N", "/sec", COUNTER, "n_accumulated", "", 1);
    expect("N", "Logons Total", COUNTER, "n_logons", "", 1);
    expect("N", "Total", COUNTER, "n_xtotal", "", 1);
}

static void test_metric_name_unit_is_what_the_title_says_as_one(void **state)
{
    (void)state;
    expect("M", "Available Bytes", GAUGE, "m_available_bytes", "bytes", 1);
    expect("M", "Available bytes", GAUGE, "m_available_bytes", "", 1);
    expect("M", "Bytes Available", GAUGE, "m_bytes_available", "", 1);
    expect("M", "Available MBytes", GAUGE, "m_available_mbytes", "", 1);
    expect("M", "Size (MBytes)", GAUGE, "m_size_bytes", "bytes", 1048576);
    expect("M", "Size (KB)", COUNTER, "m_size_bytes", "bytes", 1024);
    expect("M", "Wait (ms)", SUMMARY, "m_wait_seconds", "seconds", 1e-3);
    expect("M", "Wait (ms)/Job", SUMMARY, "m_wait_per_job_seconds", "seconds", 1e-3);
    expect("M", "Wait (ns) (us)", GAUGE, "m_wait_xus_seconds", "seconds", 1e-9);
    expect("M", "% Usage Peak", GAUGE, "m_usage_peak_ratio", "ratio", 0.01);
    expect("M", "% Usage Peak", COUNTER, "m_percent_usage_peak", "", 1);
    expect("M", "Usage (%)", COUNTER, "m_usage_percent", "", 1);
    expect("M", "KB/Read", SUMMARY, "m_xkb_per_read", "", 1);
    expect("M", "Files over 2 MB", GAUGE, "m_files_over_2_xmb", "", 1);
    expect("M", "Orders US", GAUGE, "m_orders_xus", "", 1);
    expect("M", "Business Days", GAUGE, "m_business_xdays", "", 1);
}

static void test_metric_name_unit_of_the_type_goes_before_the_title(void **state)
{
    (void)state;
    expect("M", "% Processor Time", TIMER, "m_processor_time_seconds", "seconds", 1);
    expect("M", "Wait (ms)", TIMER, "m_wait_seconds", "seconds", 1);
    expect("M", "Avg. Disk sec/Read", AVERAGE, "m_avg_disk_read_seconds", "seconds", 1);
    expect("M", "Hit Ratio", RATIO, "m_hit_ratio", "ratio", 1);
    expect("M", "% Used", RATIO, "m_used_ratio", "ratio", 1);
    expect("M", "% Hit", PERF_SAMPLE_FRACTION, "m_hit_hits", "", 1);
}

static void test_metric_name_reserved_words_are_marked_and_stay_apart(void **state)
{
    (void)state;
    expect("Process", "Thread Count", GAUGE, "process_thread_xcount", "", 1);
    expect("Process", "Thread Count", COUNTER, "process_thread_count", "", 1);
    expect("Process", "Avg. Count", SUMMARY, "process_avg_xcount", "", 1);
    /* Without the x, the name would mean the time when the metric process_jobs was created. */
    expect("Process", "Jobs Created", COUNTER, "process_jobs_xcreated", "", 1);
    expect("Process", "Count of Threads", GAUGE, "process_xcount_of_threads", "", 1);
    expect("Process", "Request Count", TIMER, "process_request_count_seconds", "seconds", 1);
    expect("Performance Counter", "Gauge", GAUGE, "performance_xcounter_xgauge", "", 1);
    expect("Bits", "In", GAUGE, "xbits_in", "", 1);
    expect("A", "k B", GAUGE, "a_k_xb", "", 1);
    expect("Tricky Obj", "Requests Total", GAUGE, "tricky_obj_requests_xtotal", "", 1);
}

static void test_metric_name_examples_of_the_page(void **state)
{
    static const struct {
        const char *object;
        const char *counter;
        uint32_t type;
        const char *what;
    } examples[] = {{"Mouse Clicks", "Clicks", COUNTER, "count"},
                    {"Network", "Bytes Received/sec", COUNTER, "count"},
                    {"Disk", "Avg. Disk sec/Read", AVERAGE, "average time"},
                    {"Web", "Wait (ms)", GAUGE, "value"},
                    {"Memory", "% Used", GAUGE, "value"},
                    {"Memory", "Available KBytes", GAUGE, "value"},
                    {"Process", "Handle Count", GAUGE, "value"},
                    {"Shop", "Order Count", COUNTER, "count"},
                    {"Shop", "Requests Total", GAUGE, "value"},
                    {"Shop", "Total Orders", GAUGE, "value"},
                    {"Shop", "Orders over 2 GB", GAUGE, "value"}};
    page_text rows = {0};

    (void)state;
    for (size_t i = 0; i < sizeof examples / sizeof examples[0]; i++) {
        const prfdata_metric_name name =
            name_of(examples[i].object, examples[i].counter, examples[i].type);

        page_add(&rows, "| `\\%s\\%s` | %s | `%s%s` |\n", examples[i].object, examples[i].counter,
                 examples[i].what, name.text, examples[i].type == COUNTER ? "_total" : "");
    }
    page_expect_rows("docs/prometheus.md", "| `\\", &rows);
    page_free(&rows);
}

/* PCP takes a gauge for a counter if the gauge's name has one of these words anywhere. The name of
 * a real counter may have them. */
static void test_metric_name_guards_words_at_any_place(void **state)
{
    static const char *const guarded[] = {"total",   "count", "sum",    "bucket",
                                          "created", "info",  "gcount", "gsum"};

    (void)state;
    for (size_t i = 0; i < sizeof guarded / sizeof guarded[0]; i++) {
        const char *word = guarded[i];
        char title[64];
        char name[64];

        snprintf(title, sizeof title, "The %s now", word);
        snprintf(name, sizeof name, "shop_the_x%s_now", word);
        expect("Shop", title, GAUGE, name, "", 1);
        expect("Shop", title, SUMMARY, name, "", 1);
        snprintf(title, sizeof title, "%s Shop", word);
        snprintf(name, sizeof name, "x%s_shop_now", word);
        expect(title, "Now", GAUGE, name, "", 1);
        snprintf(title, sizeof title, "The %s now", word);
        snprintf(name, sizeof name, "shop_the_%s_now", word);
        expect("Shop", title, COUNTER, name, "", 1);
    }
}

/* The letter u, the micro sign and the Greek mu mean micro before a unit. The letter u alone is no
 * unit. */
static void test_metric_name_micro_is_a_unit(void **state)
{
    static const uint16_t micros[] = {'u', 0x00B5, 0x03BC};
    static const char *const ends[] = {"s)", "sec)"};

    (void)state;
    for (size_t i = 0; i < sizeof micros / sizeof micros[0]; i++) {
        for (size_t e = 0; e < sizeof ends / sizeof ends[0]; e++) {
            uint16_t object[8], counter[32];
            char ascii[32];
            prfdata_metric_titles titles;
            prfdata_metric_name name;

            memset(&titles, 0, sizeof titles);
            snprintf(ascii, sizeof ascii, "Wait (?%s", ends[e]);
            titles.object = ascii_text("Web", object);
            titles.counter = ascii_text(ascii, counter);
            counter[6] = micros[i];
            titles.part = prfdata_metric_part_first(GAUGE, false);
            prfdata_metric_name_make(&titles, &name);
            assert_string_equal(name.text, "web_wait_seconds");
            assert_true(name.factor > 0.9e-6 && name.factor < 1.1e-6);
        }
    }
    expect("Web", "Wait (u)", GAUGE, "web_wait_u", "", 1);
}

static void test_metric_name_start_is_no_elapsed_time(void **state)
{
    (void)state;
    expect("Process", "Elapsed Time", PERF_ELAPSED_TIME, "process_start_time_seconds", "seconds",
           1);
    expect("System", "System Up Time", PERF_ELAPSED_TIME,
           "system_system_up_time_start_time_seconds", "seconds", 1);
}

static prfdata_text random_title(uint32_t *seed, uint16_t *chars, size_t capacity)
{
    static const char *const words[] = {"total", "count", "%",     "/",    "sec", "ms",      "b",
                                        "KB",    "gauge", "sum",   "s",    "d",   "minutes", "9",
                                        "x",     "kilo",  "bytes", "bits", "per", "of"};
    prfdata_text text = {chars, 0};

    while (text.count + 10 < capacity && random_next(seed) % 8 != 0) {
        const char *word = words[random_next(seed) % (sizeof words / sizeof words[0])];

        if (random_next(seed) % 4 == 0)
            chars[text.count++] = (uint16_t)random_next(seed);
        while (*word)
            chars[text.count++] = (unsigned char)*word++;
        if (random_next(seed) % 8 != 0)
            chars[text.count++] = ' ';
    }
    return text;
}

static void test_metric_name_of_any_title_is_valid(void **state)
{
    static const uint32_t types[] = {GAUGE,   COUNTER,           TIMER, SUMMARY,
                                     AVERAGE, PERF_ELAPSED_TIME, RATIO, PERF_SAMPLE_FRACTION};
    uint32_t seed = 2463534242u;
    uint16_t object[600], counter[6000];

    (void)state;
    for (uint32_t i = 0; i < 20000; i++) {
        size_t room = i % 100 == 0 ? 6000 : 60;
        prfdata_metric_titles titles;
        prfdata_metric_name name;
        size_t size;

        memset(&titles, 0, sizeof titles);
        titles.object = random_title(&seed, object, i % 100 == 50 ? 600 : 40);
        titles.counter = random_title(&seed, counter, room);
        titles.part = prfdata_metric_part_first(types[random_next(&seed) % 8], false);
        titles.counter_index = random_next(&seed);
        prfdata_metric_name_make(&titles, &name);
        size = strlen(name.text);
        assert_true(size > 0 && size < PRFDATA_METRIC_NAME_BYTES - 8);
        assert_int_equal(strspn(name.text, "abcdefghijklmnopqrstuvwxyz0123456789_"), size);
        assert_false(name.text[0] >= '0' && name.text[0] <= '9');
        assert_null(strstr(name.text, "__"));
        assert_int_not_equal(name.text[size - 1], '_');
        assert_string_equal(name.text + size - strlen(name.unit), name.unit);
        assert_true(name.factor > 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_metric_name_is_object_and_counter),
        cmocka_unit_test(test_metric_name_counters_lose_the_rate),
        cmocka_unit_test(test_metric_name_unit_is_what_the_title_says_as_one),
        cmocka_unit_test(test_metric_name_unit_of_the_type_goes_before_the_title),
        cmocka_unit_test(test_metric_name_reserved_words_are_marked_and_stay_apart),
        cmocka_unit_test(test_metric_name_examples_of_the_page),
        cmocka_unit_test(test_metric_name_start_is_no_elapsed_time),
        cmocka_unit_test(test_metric_name_guards_words_at_any_place),
        cmocka_unit_test(test_metric_name_micro_is_a_unit),
        cmocka_unit_test(test_metric_name_of_any_title_is_valid),
    };

    return cmocka_run_group_tests_name("metric_name", tests, NULL, NULL);
}
