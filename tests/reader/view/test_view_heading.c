/* SPDX-License-Identifier: MIT */
/* Tests the unit in a column's heading. */
#include "support/test.h"

#include <prfdata/perf_types.h>

#include "names/names.h"
#include "support/reader/ascii_text.h"
#include "view/heading.h"

enum { OBJECT = 100, COUNTER = 102 };

typedef struct heading_metric {
    const char *base; /* NULL: there is no map */
    double factor;
} heading_metric;

static const char *unit_of_column(const char *name, uint32_t type, heading_metric of, bool is_raw)
{
    uint16_t chars[60];
    prfdata_metric_table_entry entry = {
        .object_title = OBJECT,
        .counter_title = COUNTER,
        .type = type,
        .metric = {.unit = of.base ? of.base : "", .factor = of.factor}};
    const prfdata_titles titles = {.metrics = {.items = &entry, .count = of.base ? 1 : 0}};
    prfdata_table_column column = {.counter_title = COUNTER, .type = type};

    column.name = ascii_text(name, chars);
    entry.name_hash = prfdata_names_hash(column.name.chars, column.name.count, 0);
    column.unit = prfdata_heading_number_unit(&titles, OBJECT, COUNTER, type, column.name);
    return prfdata_heading_unit(&column, is_raw);
}

/* Return the unit of a column of computed values. */
static const char *unit_of(const char *name, uint32_t type, const char *base, double factor)
{
    return unit_of_column(name, type, (heading_metric){base, factor}, false);
}

static void test_heading_has_the_unit_of_the_map(void **state)
{
    (void)state;
    assert_string_equal(unit_of("Latency", PERF_COUNTER_RAWCOUNT, "seconds", 1e-6), "us");
    assert_string_equal(unit_of("Latency", PERF_COUNTER_RAWCOUNT, "seconds", 1e-3), "ms");
    assert_string_equal(unit_of("Latency", PERF_COUNTER_RAWCOUNT, "seconds", 1), "s");
    assert_string_equal(unit_of("Room", PERF_COUNTER_LARGE_RAWCOUNT, "bytes", 1048576), "MiB");
    assert_string_equal(unit_of("Heat", PERF_COUNTER_RAWCOUNT, "celsius", 1), "C");
    assert_string_equal(unit_of("Depth", PERF_COUNTER_RAWCOUNT, "", 1), "");
    assert_string_equal(unit_of("Room in mebibytes", PERF_COUNTER_RAWCOUNT, "bytes", 1048576), "");
    assert_string_equal(unit_of("Room (MiB)", PERF_COUNTER_RAWCOUNT, "bytes", 1048576), "");
    assert_string_equal(unit_of("Bytes", PERF_COUNTER_RAWCOUNT, "bytes", 1), "");
    assert_string_equal(unit_of("Room of Bytes", PERF_COUNTER_RAWCOUNT, "bytes", 1024), "KiB");
    /* A letter inside a word does not say the unit. */
    assert_string_equal(unit_of("Rest", PERF_COUNTER_RAWCOUNT, "seconds", 1), "s");
    assert_string_equal(unit_of("Height", PERF_COUNTER_RAWCOUNT, "grams", 1), "g");
    assert_string_equal(unit_of("Depth", PERF_COUNTER_RAWCOUNT, "seconds", 7), "");
}

static void test_heading_has_a_sign_for_each_unit_of_a_map(void **state)
{
    static const struct {
        const char *base;
        double factor;
        const char *sign;
    } units[] = {{"seconds", 1, "s"},       {"seconds", 1e-3, "ms"}, {"seconds", 1e-6, "us"},
                 {"seconds", 1e-9, "ns"},   {"bytes", 1, "B"},       {"bytes", 1024, "KiB"},
                 {"bytes", 1 << 20, "MiB"}, {"ratio", 0.01, "%"},    {"ratio", 1, ""},
                 {"celsius", 1, "C"},       {"volts", 1, "V"},       {"amperes", 1, "A"},
                 {"watts", 1, "W"},         {"joules", 1, "J"},      {"hertz", 1, "Hz"},
                 {"meters", 1, "m"},        {"grams", 1, "g"}};

    (void)state;
    for (size_t i = 0; i < sizeof units / sizeof units[0]; i++)
        assert_string_equal(unit_of("Level", PERF_COUNTER_RAWCOUNT, units[i].base, units[i].factor),
                            units[i].sign);
}

/* A sign at the beginning or the end of a word does not say the unit. */
static void test_heading_finds_a_sign_as_a_word_only(void **state)
{
    (void)state;
    assert_string_equal(unit_of("Orders", PERF_COUNTER_RAWCOUNT, "seconds", 1), "s");
    assert_string_equal(unit_of("Stock", PERF_COUNTER_RAWCOUNT, "seconds", 1), "s");
    assert_string_equal(unit_of("AZ", PERF_COUNTER_RAWCOUNT, "amperes", 1), "A");
    assert_string_equal(unit_of("A of phase", PERF_COUNTER_RAWCOUNT, "amperes", 1), "");
    assert_string_equal(unit_of("Phase/A", PERF_COUNTER_RAWCOUNT, "amperes", 1), "");
}

/* The raw value of a rate is a count, so it has no unit. The raw value of a level has the unit of
 * the map. */
static void test_heading_of_raw_values_has_only_the_unit_of_the_map(void **state)
{
    const heading_metric seconds = {"seconds", 1e-3};

    (void)state;
    assert_string_equal(unit_of_column("Orders", PERF_COUNTER_BULK_COUNT, seconds, true), "");
    assert_string_equal(unit_of_column("Busy", PERF_100NSEC_TIMER, seconds, true), "");
    assert_string_equal(unit_of_column("Latency", PERF_COUNTER_RAWCOUNT, seconds, true), "ms");
}

/* The column of the instances' names does not belong to a counter. */
static void test_heading_of_names_has_no_unit(void **state)
{
    const prfdata_table_column column = {
        .counter_title = 0, .type = PERF_COUNTER_RAWCOUNT, .unit = PRFDATA_NUMBER_SECONDS};

    (void)state;
    assert_string_equal(prfdata_heading_unit(&column, false), "");
}

/* The unit of a rate differs from that of the things that are counted. */
static void test_heading_has_the_unit_of_the_type_unless_the_name_says_it(void **state)
{
    (void)state;
    assert_string_equal(unit_of("Orders", PERF_COUNTER_BULK_COUNT, NULL, 1), "/s");
    assert_string_equal(unit_of("Orders", PERF_COUNTER_BULK_COUNT, "seconds", 1e-6), "/s");
    assert_string_equal(unit_of("Orders/sec", PERF_COUNTER_BULK_COUNT, NULL, 1), "");
    assert_string_equal(unit_of("Orders per second", PERF_COUNTER_BULK_COUNT, NULL, 1), "");
    assert_string_equal(unit_of("Bytes Read", PERF_COUNTER_BULK_COUNT, NULL, 1), "B/s");
    assert_string_equal(unit_of("Bytes Read/sec", PERF_COUNTER_BULK_COUNT, NULL, 1), "");
    assert_string_equal(unit_of("Age", PERF_ELAPSED_TIME, NULL, 1), "s");
    assert_string_equal(unit_of("Avg. Seconds/Order", PERF_AVERAGE_TIMER, NULL, 1), "");
    assert_string_equal(unit_of("Busy", PERF_100NSEC_TIMER, NULL, 1), "%");
    assert_string_equal(unit_of("% Busy", PERF_100NSEC_TIMER, NULL, 1), "");
    assert_string_equal(unit_of("Busy percent", PERF_100NSEC_TIMER, NULL, 1), "");
    assert_string_equal(unit_of("Depth", PERF_COUNTER_RAWCOUNT, NULL, 1), "");
}

static prfdata_unit number_unit_of(const char *name, uint32_t type, const char *base, double factor)
{
    uint16_t chars[60];
    const prfdata_text text = ascii_text(name, chars);
    prfdata_metric_table_entry entry = {.object_title = OBJECT,
                                        .counter_title = COUNTER,
                                        .type = type,
                                        .name_hash = prfdata_names_hash(text.chars, text.count, 0),
                                        .metric = {.unit = base, .factor = factor}};
    const prfdata_titles titles = {.metrics = {.items = &entry, .count = 1}};

    return prfdata_heading_number_unit(&titles, OBJECT, COUNTER, type, text);
}

static void test_heading_of_a_number_knows_times_that_are_shown_as_counted(void **state)
{
    const uint32_t raw = PERF_COUNTER_LARGE_RAWCOUNT;

    (void)state;
    assert_int_equal(number_unit_of("p99", raw, "seconds", 1e-6), PRFDATA_NUMBER_MICROSECONDS);
    assert_int_equal(number_unit_of("p99", raw, "seconds", 1e-3), PRFDATA_NUMBER_MILLISECONDS);
    assert_int_equal(number_unit_of("p99", raw, "seconds", 1e-9), PRFDATA_NUMBER_NANOSECONDS);
    assert_int_equal(number_unit_of("p99", raw, "seconds", 1), PRFDATA_NUMBER_SECONDS);
    assert_int_equal(number_unit_of("p99", raw, "seconds", 7), PRFDATA_NUMBER_NONE);
    assert_int_equal(number_unit_of("Depth", raw, "", 1), PRFDATA_NUMBER_NONE);
    /* The map says no unit, but the name does. */
    assert_int_equal(number_unit_of("Bytes", raw, "", 1), PRFDATA_NUMBER_BYTES);
    assert_int_equal(number_unit_of("Sum", PERF_COUNTER_BULK_COUNT, "seconds", 1e-6),
                     PRFDATA_NUMBER_PER_SECOND);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_heading_has_the_unit_of_the_map),
        cmocka_unit_test(test_heading_has_a_sign_for_each_unit_of_a_map),
        cmocka_unit_test(test_heading_finds_a_sign_as_a_word_only),
        cmocka_unit_test(test_heading_of_raw_values_has_only_the_unit_of_the_map),
        cmocka_unit_test(test_heading_of_names_has_no_unit),
        cmocka_unit_test(test_heading_of_a_number_knows_times_that_are_shown_as_counted),
        cmocka_unit_test(test_heading_has_the_unit_of_the_type_unless_the_name_says_it),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
