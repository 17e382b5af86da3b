/* SPDX-License-Identifier: MIT */
/* Names of metrics from titles; tests/golden/names.prom has many more, for promtool. */
#include "support/test.h"

#include <stdio.h>
#include <string.h>

#include "support/ascii_text.h"
#include "prometheus/metric_name.h"

static prfdata_metric_name name_of(const char *object, const char *counter,
                                   prfdata_metric_kind kind, prfdata_metric_unit unit,
                                   const char *suffix)
{
    uint16_t object_chars[128], counter_chars[128];
    prfdata_metric_titles titles;
    prfdata_metric_name name;

    memset(&titles, 0, sizeof titles);
    titles.object = ascii_text(object, object_chars);
    titles.object_index = 2;
    titles.counter = ascii_text(counter, counter_chars);
    titles.counter_index = 4;
    titles.kind = kind;
    titles.unit = unit;
    titles.suffix = suffix;
    prfdata_metric_name_make(&titles, &name);
    return name;
}

static void expect(const char *object, const char *counter, prfdata_metric_kind kind,
                   prfdata_metric_unit unit, const char *text, const char *unit_name, double factor)
{
    prfdata_metric_name name = name_of(object, counter, kind, unit, "");

    assert_string_equal(name.text, text);
    assert_true(name.factor == factor);
    if (unit_name)
        assert_string_equal(name.unit, unit_name);
    else
        assert_null(name.unit);
}

#define GAUGE   PRFDATA_METRIC_GAUGE
#define COUNTER PRFDATA_METRIC_COUNTER
#define SUMMARY PRFDATA_METRIC_SUMMARY
#define TITLE   PRFDATA_METRIC_UNIT_OF_TITLE
#define SECONDS PRFDATA_METRIC_UNIT_SECONDS
#define RATIO   PRFDATA_METRIC_UNIT_RATIO

static void test_metric_name_is_object_and_counter(void **state)
{
    (void)state;
    expect("Mouse Clicks", "Clicks", COUNTER, TITLE, "mouse_clicks_clicks", NULL, 1);
    expect(".NET CLR Memory", "# Bytes in all Heaps", GAUGE, TITLE,
           "net_clr_memory_bytes_in_all_heaps", NULL, 1);
    expect("RAS Port", "Bytes Received By Disconnected Clients", COUNTER, TITLE,
           "ras_port_bytes_received_by_disconnected_clients", NULL, 1);
    expect("", "", GAUGE, TITLE, "title_2_title_4", NULL, 1);
    expect("3 D", "x", GAUGE, TITLE, "_3d_x", NULL, 1);
}

static void test_metric_name_counters_lose_the_rate(void **state)
{
    (void)state;
    expect("N", "Bytes Received/sec", COUNTER, TITLE, "n_bytes_received", NULL, 1);
    expect("N", "Packets/second Sent", COUNTER, TITLE, "n_packets_sent", NULL, 1);
    expect("N", "Bytes/sec", COUNTER, TITLE, "n_bytes", "bytes", 1);
    expect("N", "Bytes/sec", GAUGE, TITLE, "n_bytes_per_second", NULL, 1);
    expect("N", "Logons Total", COUNTER, TITLE, "n_logons", NULL, 1);
    expect("N", "Total", COUNTER, TITLE, "ntotal", NULL, 1);
}

static void test_metric_name_chars_are_base_chars(void **state)
{
    (void)state;
    expect("M", "Available MBytes", GAUGE, TITLE, "m_available_bytes", "bytes", 1048576);
    expect("M", "Wait (ms)", SUMMARY, TITLE, "m_wait_seconds", "seconds", 1e-3);
    expect("M", "% Usage Peak", GAUGE, TITLE, "m_usage_peak_ratio", "ratio", 0.01);
    expect("M", "KB/Read", SUMMARY, TITLE, "m_bytes_per_read", NULL, 1024);
    expect("M", "Reads/KB", GAUGE, TITLE, "m_reads_perkb", NULL, 1);
    expect("M", "Files over 2 MB", GAUGE, TITLE, "m_files_over_2mb", NULL, 1);
    expect("M", "% Processor Time", COUNTER, SECONDS, "m_processor_time_seconds", "seconds", 1);
    expect("M", "Avg. Disk sec/Read", SUMMARY, SECONDS, "m_avg_disk_read_seconds", "seconds", 1);
    expect("M", "Hit Ratio", GAUGE, RATIO, "m_hit_ratio", "ratio", 1);
    expect("M", "% Used", GAUGE, RATIO, "m_used_ratio", "ratio", 1);
}

static void test_metric_name_reserved_words_join_their_neighbours(void **state)
{
    (void)state;
    expect("Process", "Thread Count", GAUGE, TITLE, "process_threadcount", NULL, 1);
    expect("Process", "Count of Threads", GAUGE, TITLE, "process_count_of_threads", NULL, 1);
    expect("Performance Counter", "Gauge", GAUGE, TITLE, "performancecountergauge", NULL, 1);
    expect("Bits", "In", GAUGE, TITLE, "bitsin", NULL, 1);
    expect("A", "k B", GAUGE, TITLE, "akb", NULL, 1);
}

static void test_metric_name_start_is_no_elapsed_time(void **state)
{
    prfdata_metric_name name = name_of("Process", "Elapsed Time", GAUGE, SECONDS, "start_time");

    (void)state;
    assert_string_equal(name.text, "process_start_time_seconds");
    assert_string_equal(name.unit, "seconds");
    name = name_of("System", "System Up Time", GAUGE, SECONDS, "start_time");
    assert_string_equal(name.text, "system_system_up_time_start_time_seconds");
}

static void test_metric_name_number_stands_before_the_unit(void **state)
{
    uint16_t object[8], counter[8];
    prfdata_metric_titles titles;
    prfdata_metric_name name;

    (void)state;
    memset(&titles, 0, sizeof titles);
    titles.object = ascii_text("O", object);
    titles.counter = ascii_text("C", counter);
    titles.unit = SECONDS;
    titles.suffix = "idle";
    titles.number = 4294967295u;
    prfdata_metric_name_make(&titles, &name);
    assert_string_equal(name.text, "o_c_4294967295_idle_seconds");
}

static uint32_t next_random(uint32_t *seed)
{
    *seed ^= *seed << 13;
    *seed ^= *seed >> 17;
    *seed ^= *seed << 5;
    return *seed;
}

/* Words, separators, and units of all kinds. */
static prfdata_text random_title(uint32_t *seed, uint16_t *chars, size_t capacity)
{
    static const char *const words[] = {"total", "count", "%",     "/",    "sec", "ms",      "b",
                                        "KB",    "gauge", "sum",   "s",    "d",   "minutes", "9",
                                        "x",     "kilo",  "bytes", "bits", "per", "of"};
    prfdata_text text = {chars, 0};

    while (text.count + 10 < capacity && next_random(seed) % 8 != 0) {
        const char *word = words[next_random(seed) % (sizeof words / sizeof words[0])];

        if (next_random(seed) % 4 == 0)
            chars[text.count++] = (uint16_t)next_random(seed);
        while (*word)
            chars[text.count++] = (unsigned char)*word++;
        if (next_random(seed) % 8 != 0)
            chars[text.count++] = ' ';
    }
    return text;
}

static void test_metric_name_of_any_title_is_valid(void **state)
{
    static const char *const suffixes[] = {"", "idle", "start_time"};
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
        titles.kind = (prfdata_metric_kind)(next_random(&seed) % 3);
        titles.unit = (prfdata_metric_unit)(next_random(&seed) % 4);
        titles.suffix = suffixes[next_random(&seed) % 3];
        titles.number = next_random(&seed) % 2 == 0 ? next_random(&seed) : 0;
        titles.counter_index = next_random(&seed);
        prfdata_metric_name_make(&titles, &name);
        size = strlen(name.text);
        assert_true(size > 0 && size < PRFDATA_METRIC_NAME_BYTES - 8);
        assert_int_equal(strspn(name.text, "abcdefghijklmnopqrstuvwxyz0123456789_"), size);
        assert_false(name.text[0] >= '0' && name.text[0] <= '9');
        assert_null(strstr(name.text, "__"));
        assert_int_not_equal(name.text[size - 1], '_');
        if (name.unit)
            assert_string_equal(name.text + size - strlen(name.unit), name.unit);
        assert_true(name.factor > 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_metric_name_is_object_and_counter),
        cmocka_unit_test(test_metric_name_counters_lose_the_rate),
        cmocka_unit_test(test_metric_name_chars_are_base_chars),
        cmocka_unit_test(test_metric_name_reserved_words_join_their_neighbours),
        cmocka_unit_test(test_metric_name_start_is_no_elapsed_time),
        cmocka_unit_test(test_metric_name_number_stands_before_the_unit),
        cmocka_unit_test(test_metric_name_of_any_title_is_valid),
    };

    return cmocka_run_group_tests_name("metric_name", tests, NULL, NULL);
}
