/* SPDX-License-Identifier: MIT */
/* Tests statistics over rings with numbers that were worked out by hand.
 * "PdhComputeCounterStatistics function" defines the order (oldest first, wrapping at the end of
 * the buffer), formats, scaling flags, minimum, maximum and mean. The resource kits of Windows NT
 * Server and Windows Server 2003 define the averages of the counter types: rates from end to end,
 * and the mean of all deltas and levels. */
#include "support/test.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <prfdata/perf_types.h>

#include "support/reader/statistics_ring.h"

#define TWO32 4294967296u

enum { ENTRIES = 6 };

typedef struct statistics_entry {
    uint64_t value;
    uint64_t base;
    int64_t time; /* ticks of the clocks that run: one a second, except for PerfTime100nSec */
    uint32_t status;
} statistics_entry;

typedef struct statistics_row {
    const char *name;
    uint32_t type;
    uint32_t value_bytes;
    uint32_t base_bytes;
    uint32_t count;
    statistics_entry entries[ENTRIES];
    uint32_t flags; /* flags in addition to DOUBLE */
    int32_t scale;
    uint32_t status;
    uint32_t value_count;
    uint32_t skipped_count;
    double minimum;
    double maximum;
    double mean;
    double time_weighted_mean; /* NO_MEAN: no time passed between samples */
    double end_to_end_mean;
} statistics_row;

#define NO_MEAN DBL_MAX /* not NAN, which is no constant in the Windows SDK */

#define OK    PRFDATA_STATUS_OK
#define GONE  PRFDATA_STATUS_NO_INSTANCE
#define NOCAP PRFDATA_VALUE_NOCAP100

/* clang-format off */
static const statistics_row rows[] = {
    {"levels", PERF_COUNTER_RAWCOUNT, 4, 0, 3,
     {{10, 0, 0, OK}, {20, 0, 1, OK}, {60, 0, 4, OK}}, 0, 0,
     OK, 3, 0, 10, 60, 30, (20 * 1 + 60 * 3) / 4.0, 30},
    {"levels below zero", PERF_COUNTER_LARGE_RAWCOUNT, 8, 0, 2,
     {{(uint64_t)-10, 0, 0, OK}, {4, 0, 1, OK}}, 0, 0,
     OK, 2, 0, -10, 4, -3, 4, -3},
    {"levels all below zero", PERF_COUNTER_LARGE_RAWCOUNT, 8, 0, 2,
     {{(uint64_t)-10, 0, 0, OK}, {(uint64_t)-4, 0, 1, OK}}, 0, 0,
     OK, 2, 0, -10, -4, -7, -4, -7},
    {"levels while time goes back", PERF_COUNTER_RAWCOUNT, 4, 0, 3,
     {{10, 0, 5, OK}, {20, 0, 3, OK}, {60, 0, 7, OK}}, 0, 0,
     OK, 3, 0, 10, 60, 30, 60, 30},
    {"one level", PERF_COUNTER_RAWCOUNT, 4, 0, 1, {{10, 0, 0, OK}}, 0, 0,
     OK, 1, 0, 10, 10, 10, NO_MEAN, 10},
    {"levels at one time", PERF_COUNTER_RAWCOUNT, 4, 0, 2,
     {{10, 0, 7, OK}, {20, 0, 7, OK}}, 0, 0,
     OK, 2, 0, 10, 20, 15, NO_MEAN, 15},
    {"rates", PERF_COUNTER_BULK_COUNT, 8, 0, 4,
     {{0, 0, 0, OK}, {10, 0, 1, OK}, {40, 0, 2, OK}, {160, 0, 6, OK}}, 0, 0,
     OK, 3, 0, 10, 30, 70 / 3.0, 160 / 6.0, 160 / 6.0},
    {"deltas", PERF_COUNTER_DELTA, 4, 0, 3,
     {{5, 0, 0, OK}, {7, 0, 1, OK}, {17, 0, 5, OK}}, 0, 0,
     OK, 2, 0, 2, 10, 6, (2 * 1 + 10 * 4) / 5.0, 6},
    {"averages", PERF_AVERAGE_BULK, 8, 4, 3,
     {{0, 0, 0, OK}, {100, 10, 1, OK}, {400, 15, 4, OK}}, 0, 0,
     OK, 2, 0, 10, 60, 35, (10 * 1 + 60 * 3) / 4.0, 400 / 15.0},
    {"fractions of samples", PERF_SAMPLE_FRACTION, 4, 4, 3,
     {{0, 0, 0, OK}, {5, 10, 1, OK}, {35, 40, 2, OK}}, 0, 0,
     OK, 2, 0, 50, 100, 75, 75, 100 * 35 / 40.0},
    {"raw fractions count alike", PERF_RAW_FRACTION, 4, 4, 2,
     {{1, 2, 0, OK}, {1, 100, 1, OK}}, 0, 0,
     OK, 2, 0, 1, 50, 25.5, 1, 25.5},
    {"timer by its own clock", PERF_100NSEC_TIMER, 8, 0, 3,
     {{0, 0, 0, OK}, {10, 0, 100, OK}, {100, 0, 400, OK}}, 0, 0,
     OK, 2, 0, 10, 30, 20, 25, 25},
    {"queue by the object's clock", PERF_COUNTER_OBJ_TIME_QUEUELEN_TYPE, 8, 0, 3,
     {{0, 0, 0, OK}, {10, 0, 10, OK}, {100, 0, 40, OK}}, 0, 0,
     OK, 2, 0, 1, 3, 2, 2.5, 2.5},
    {"elapsed", PERF_ELAPSED_TIME, 8, 0, 3,
     {{0, 0, 5, OK}, {10, 0, 13, OK}, {10, 0, 15, OK}}, 0, 0,
     OK, 3, 0, 0, 5, 8 / 3.0, (3 * 8 + 5 * 2) / 10.0, 8 / 3.0},

    {"percentages capped one by one", PERF_COUNTER_TIMER, 8, 0, 3,
     {{0, 0, 0, OK}, {50, 0, 100, OK}, {350, 0, 200, OK}}, 0, 0,
     OK, 2, 0, 50, 100, 75, 75, 75},
    {"percentages not capped", PERF_COUNTER_TIMER, 8, 0, 3,
     {{0, 0, 0, OK}, {50, 0, 100, OK}, {350, 0, 200, OK}}, NOCAP, 0,
     OK, 2, 0, 50, 300, 175, 175, 175},
    {"capped, then scaled, then times 1000", PERF_COUNTER_TIMER, 8, 0, 2,
     {{0, 0, 0, OK}, {350, 0, 100, OK}}, PRFDATA_VALUE_1000, -1,
     OK, 1, 0, 10000, 10000, 10000, 10000, 10000},
    {"scale of no effect", PERF_COUNTER_RAWCOUNT, 4, 0, 2,
     {{1, 0, 0, OK}, {3, 0, 1, OK}}, PRFDATA_VALUE_NOSCALE, 3,
     OK, 2, 0, 1, 3, 2, 3, 2},

    {"counter started again", PERF_COUNTER_COUNTER, 4, 0, 4,
     {{100, 0, 0, OK}, {140, 0, 1, OK}, {5, 0, 2, OK}, {65, 0, 4, OK}}, 0, 0,
     OK, 2, 1, 30, 40, 35, 100 / 3.0, 100 / 3.0},
    {"instance gone for an entry", PERF_COUNTER_BULK_COUNT, 8, 0, 5,
     {{0, 0, 0, OK}, {9, 0, 1, OK}, {77, 0, 0, GONE}, {20, 0, 3, OK}, {29, 0, 6, OK}}, 0, 0,
     OK, 2, 2, 3, 9, 6, 18 / 4.0, 18 / 4.0},
    {"level gone for an entry", PERF_COUNTER_RAWCOUNT, 4, 0, 4,
     {{1, 0, 0, OK}, {0, 0, 0, GONE}, {3, 0, 2, OK}, {8, 0, 3, OK}}, 0, 0,
     OK, 3, 1, 1, 8, 4, 8, 4},
    {"nothing done at times", PERF_AVERAGE_BULK, 8, 4, 4,
     {{0, 0, 0, OK}, {0, 0, 1, OK}, {10, 5, 2, OK}, {10, 5, 3, OK}}, 0, 0,
     OK, 1, 2, 2, 2, 2, 2, 2},

    {"only one sample of a rate", PERF_COUNTER_BULK_COUNT, 8, 0, 1, {{0, 0, 0, OK}}, 0, 0,
     PRFDATA_STATUS_ONE_SAMPLE, 0, 0, 0, 0, 0, 0, 0},
    {"the newest's reason", PERF_COUNTER_BULK_COUNT, 8, 0, 3,
     {{5, 0, 0, OK}, {6, 0, 0, OK}, {1, 0, 2, OK}}, 0, 0,
     PRFDATA_STATUS_NEGATIVE_VALUE, 0, 0, 0, 0, 0, 0, 0},
    {"never there", PERF_COUNTER_BULK_COUNT, 8, 0, 2, {{0, 0, 0, GONE}, {0, 0, 0, GONE}}, 0, 0,
     GONE, 0, 0, 0, 0, 0, 0, 0},
    {"a text", PERF_COUNTER_TEXT, 8, 0, 2, {{0, 0, 0, OK}, {0, 0, 1, OK}}, 0, 0,
     PRFDATA_STATUS_IS_TEXT, 0, 0, 0, 0, 0, 0, 0},
    {"a base", PERF_RAW_BASE, 4, 0, 2, {{0, 0, 0, OK}, {0, 0, 1, OK}}, 0, 0,
     PRFDATA_STATUS_NO_FORMULA, 0, 0, 0, 0, 0, 0, 0},
};
/* clang-format on */

static prfdata_compute_raw raw_of(const statistics_row *r, const statistics_entry *e)
{
    prfdata_compute_raw raw = {
        .type = r->type, .value_bytes = r->value_bytes, .base_bytes = r->base_bytes};

    raw.status = e->status;
    raw.value = e->value;
    raw.base = e->base;
    /* PerfTime and PerfTime100nSec stand still for types that use another clock. */
    raw.perf_time = r->type == PERF_100NSEC_TIMER || r->type == PERF_ELAPSED_TIME ? 9 : e->time;
    raw.time_100ns = r->type == PERF_100NSEC_TIMER ? e->time : 9;
    raw.object_time = e->time;
    raw.perf_freq = 1;
    raw.object_freq = 1;
    if (r->type == PERF_COUNTER_OBJ_TIME_QUEUELEN_TYPE)
        raw.perf_time = 9;
    return raw;
}

static bool is_near(double got, double expected)
{
    return fabs(got - expected) <= fabs(expected) * 1e-14;
}

static void expect(const statistics_row *r, const char *what, const prfdata_compute_formatted *got,
                   double expected)
{
    uint32_t status = expected == NO_MEAN ? PRFDATA_STATUS_ONE_SAMPLE : OK;

    if (got->status != status || (status == OK && !is_near(got->as_double, expected)))
        fail_msg("%s: %s is %s, %.17g; expected %s, %.17g", r->name, what,
                 prfdata_compute_status_name(got->status), got->as_double,
                 prfdata_compute_status_name(status), expected);
}

/* Use a ring of this capacity whose oldest entry is `first`. The sanitizer watches both of its
 * ends. */
static void check_ring(const statistics_row *r, uint32_t capacity, uint32_t first)
{
    prfdata_compute_raw *ring = calloc(capacity, sizeof *ring);
    prfdata_statistics statistics;
    prfdata_statistics untouched;
    uint32_t status;

    assert_non_null(ring);
    for (uint32_t i = 0; i < capacity; i++)
        ring[i].type = 0xFFFFFFFF; /* an unused entry: it must not count, not even as skipped */
    for (uint32_t i = 0; i < r->count; i++)
        ring[(first + i) % capacity] = raw_of(r, &r->entries[i]);
    memset(&statistics, 0x5A, sizeof statistics);
    untouched = statistics;
    status = statistics_ring_compute(r->type, ring, capacity, first, r->count,
                                     PRFDATA_VALUE_DOUBLE | r->flags, r->scale, &statistics);
    free(ring);
    if (status != r->status)
        fail_msg("%s: %s; expected %s", r->name, prfdata_compute_status_name(status),
                 prfdata_compute_status_name(r->status));
    if (status != OK) {
        assert_memory_equal(&statistics, &untouched, sizeof statistics);
        return;
    }
    if (statistics.value_count != r->value_count || statistics.skipped_count != r->skipped_count)
        fail_msg("%s: %u values, %u skipped", r->name, (unsigned)statistics.value_count,
                 (unsigned)statistics.skipped_count);
    expect(r, "minimum", &statistics.minimum, r->minimum);
    expect(r, "maximum", &statistics.maximum, r->maximum);
    expect(r, "mean", &statistics.mean, r->mean);
    expect(r, "time-weighted mean", &statistics.time_weighted_mean, r->time_weighted_mean);
    expect(r, "end-to-end mean", &statistics.end_to_end_mean, r->end_to_end_mean);
}

static void test_statistics_every_row_from_every_place_in_rings(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        for (uint32_t capacity = rows[i].count; capacity < rows[i].count + 3; capacity++) {
            for (uint32_t first = 0; first < capacity; first++)
                check_ring(&rows[i], capacity, first);
        }
    }
}

static void assert_same(const prfdata_compute_formatted *a, const prfdata_compute_formatted *b)
{
    assert_int_equal(a->status, b->status);
    assert_int_equal(a->as_large, b->as_large); /* compares all bits of the double */
}

static void test_statistics_one_by_one_as_over_a_ring(void **state)
{
    (void)state;
    for (size_t r = 0; r < sizeof rows / sizeof rows[0]; r++) {
        const uint32_t flags = PRFDATA_VALUE_DOUBLE | rows[r].flags;
        prfdata_compute_raw ring[ENTRIES];
        prfdata_statistics_run run;
        prfdata_statistics expected;
        prfdata_statistics statistics;

        prfdata_statistics_begin(&run, rows[r].type, flags);
        assert_int_equal(prfdata_statistics_end(&run, 0, &statistics),
                         PRFDATA_STATUS_INVALID_ARGUMENT);
        for (uint32_t i = 0; i < rows[r].count; i++) {
            uint32_t status;

            ring[i] = raw_of(&rows[r], &rows[r].entries[i]);
            prfdata_statistics_add(&run, i > 0 ? &ring[i - 1] : NULL, &ring[i]);
            status = prfdata_statistics_end(&run, rows[r].scale, &statistics);
            assert_int_equal(statistics_ring_compute(rows[r].type, ring, ENTRIES, 0, i + 1, flags,
                                                     rows[r].scale, &expected),
                             status);
            if (status != OK)
                continue;
            assert_int_equal(statistics.value_count, expected.value_count);
            assert_int_equal(statistics.skipped_count, expected.skipped_count);
            assert_same(&statistics.minimum, &expected.minimum);
            assert_same(&statistics.maximum, &expected.maximum);
            assert_same(&statistics.mean, &expected.mean);
            assert_same(&statistics.time_weighted_mean, &expected.time_weighted_mean);
            assert_same(&statistics.end_to_end_mean, &expected.end_to_end_mean);
        }
    }
}

/* ---- Formats ---- */

static prfdata_statistics levels_as(uint32_t type, const uint64_t *values, uint32_t count,
                                    uint32_t flags, int32_t scale)
{
    prfdata_compute_raw ring[ENTRIES] = {{0}};
    prfdata_statistics statistics;

    for (uint32_t i = 0; i < count; i++) {
        ring[i].type = type;
        ring[i].value_bytes = 8;
        ring[i].value = values[i];
        ring[i].perf_time = i;
    }
    assert_int_equal(
        statistics_ring_compute(type, ring, ENTRIES, 0, count, flags, scale, &statistics), OK);
    return statistics;
}

static void test_statistics_long_and_large_cut_fractions_of_means(void **state)
{
    static const uint64_t values[] = {1, 2, 5};
    prfdata_statistics statistics;

    (void)state;
    statistics = levels_as(PERF_COUNTER_LARGE_RAWCOUNT, values, 3, PRFDATA_VALUE_LONG, 0);
    assert_int_equal(statistics.minimum.as_long, 1);
    assert_int_equal(statistics.maximum.as_long, 5);
    assert_int_equal(statistics.mean.as_long, 2);
    assert_int_equal(statistics.time_weighted_mean.as_long, 3);
    statistics = levels_as(PERF_COUNTER_LARGE_RAWCOUNT, values, 3, PRFDATA_VALUE_LARGE, 0);
    assert_int_equal(statistics.maximum.as_large, 5);
    assert_int_equal(statistics.mean.as_large, 2);
    statistics = levels_as(PERF_COUNTER_LARGE_RAWCOUNT, values, 3,
                           PRFDATA_VALUE_LARGE | PRFDATA_VALUE_1000, 0);
    assert_int_equal(statistics.mean.as_large, 2666);
    statistics = levels_as(PERF_COUNTER_LARGE_RAWCOUNT, values, 3, PRFDATA_VALUE_LONG, 2);
    assert_int_equal(statistics.mean.as_long, 266);
}

static void test_statistics_large_keeps_what_doubles_cannot_say(void **state)
{
    static const uint64_t values[] = {(1ull << 60) + 1, (1ull << 60) + 3, (1ull << 60) + 2};
    prfdata_statistics statistics;

    (void)state;
    statistics = levels_as(PERF_COUNTER_LARGE_RAWCOUNT, values, 3, PRFDATA_VALUE_LARGE, 0);
    assert_int_equal(statistics.minimum.as_large, (1ll << 60) + 1);
    assert_int_equal(statistics.maximum.as_large, (1ll << 60) + 3);
}

static void test_statistics_one_number_may_exceed_the_format(void **state)
{
    static const uint64_t values[] = {1, 3, TWO32};
    prfdata_statistics statistics =
        levels_as(PERF_COUNTER_LARGE_RAWCOUNT, values, 3, PRFDATA_VALUE_LONG, 0);

    (void)state;
    assert_int_equal(statistics.minimum.status, OK);
    assert_int_equal(statistics.minimum.as_long, 1);
    assert_int_equal(statistics.maximum.status, PRFDATA_STATUS_OUT_OF_RANGE);
    assert_int_equal(statistics.mean.status, OK);
    assert_int_equal(statistics.mean.as_long, 1431655766);
}

/* In doubles, 0.1 added six times and divided by 6 is slightly less than 0.1. */
static void test_statistics_mean_lies_between_minimum_and_maximum(void **state)
{
    prfdata_compute_raw ring[64] = {{0}};
    prfdata_statistics statistics;

    (void)state;
    for (uint32_t count = 2; count <= 64; count++) {
        for (uint32_t i = 0; i < count; i++) {
            ring[i].type = PERF_COUNTER_BULK_COUNT;
            ring[i].value_bytes = 8;
            ring[i].value = i;
            ring[i].perf_time = 10 * (int64_t)i;
            ring[i].perf_freq = 1;
        }
        assert_int_equal(statistics_ring_compute(PERF_COUNTER_BULK_COUNT, ring, 64, 0, count,
                                                 PRFDATA_VALUE_DOUBLE, 0, &statistics),
                         OK);
        assert_true(is_near(statistics.minimum.as_double, 0.1));
        assert_true(statistics.maximum.as_double == statistics.minimum.as_double);
        assert_true(statistics.mean.as_double == statistics.minimum.as_double);
        assert_true(statistics.time_weighted_mean.as_double == statistics.minimum.as_double);
        assert_true(statistics.end_to_end_mean.as_double == statistics.minimum.as_double);
    }
}

/* ---- Refused arguments ---- */

static void test_statistics_entries_of_another_type_skipped(void **state)
{
    prfdata_compute_raw ring[4] = {{0}};
    prfdata_statistics statistics;

    (void)state;
    for (uint32_t i = 0; i < 4; i++) {
        ring[i].type = PERF_COUNTER_LARGE_RAWCOUNT;
        ring[i].value_bytes = 8;
        ring[i].value = 10 + i;
        ring[i].perf_time = i;
    }
    ring[1].type = PERF_COUNTER_LARGE_RAWCOUNT_HEX;
    assert_int_equal(statistics_ring_compute(PERF_COUNTER_LARGE_RAWCOUNT, ring, 4, 0, 4,
                                             PRFDATA_VALUE_DOUBLE, 0, &statistics),
                     OK);
    assert_int_equal(statistics.value_count, 3);
    assert_int_equal(statistics.skipped_count, 1);
    assert_int_equal(statistics_ring_compute(PERF_COUNTER_RAWCOUNT, ring, 4, 0, 4,
                                             PRFDATA_VALUE_DOUBLE, 0, &statistics),
                     PRFDATA_STATUS_INVALID_DATA);
}

static void test_statistics_wrong_arguments_refused(void **state)
{
    static const struct {
        uint32_t count;
        uint32_t flags;
        int32_t scale;
    } cases[] = {
        {0, PRFDATA_VALUE_DOUBLE, 0},        {4, 0, 0},
        {4, PRFDATA_VALUE_NOSCALE, 0},       {4, PRFDATA_VALUE_DOUBLE | PRFDATA_VALUE_LONG, 0},
        {4, PRFDATA_VALUE_DOUBLE | 0x40, 0}, {4, PRFDATA_VALUE_DOUBLE, 8},
        {4, PRFDATA_VALUE_DOUBLE, -8},
    };
    prfdata_compute_raw ring[4] = {{0}};
    prfdata_statistics statistics;

    (void)state;
    for (uint32_t i = 0; i < 4; i++)
        ring[i].value_bytes = 4; /* the size of a PERF_COUNTER_RAWCOUNT_HEX, whose type is 0 */
    assert_int_equal(
        statistics_ring_compute(0, ring, 4, 3, 4, PRFDATA_VALUE_DOUBLE, 7, &statistics), OK);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        assert_int_equal(statistics_ring_compute(0, ring, 4, 0, cases[i].count, cases[i].flags,
                                                 cases[i].scale, &statistics),
                         PRFDATA_STATUS_INVALID_ARGUMENT);
    assert_int_equal(statistics_ring_compute(0, ring, 4, 0, 4, PRFDATA_VALUE_DOUBLE, 0, NULL),
                     PRFDATA_STATUS_INVALID_ARGUMENT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_statistics_every_row_from_every_place_in_rings),
        cmocka_unit_test(test_statistics_one_by_one_as_over_a_ring),
        cmocka_unit_test(test_statistics_long_and_large_cut_fractions_of_means),
        cmocka_unit_test(test_statistics_large_keeps_what_doubles_cannot_say),
        cmocka_unit_test(test_statistics_one_number_may_exceed_the_format),
        cmocka_unit_test(test_statistics_mean_lies_between_minimum_and_maximum),
        cmocka_unit_test(test_statistics_entries_of_another_type_skipped),
        cmocka_unit_test(test_statistics_wrong_arguments_refused),
    };

    return cmocka_run_group_tests_name("statistics", tests, NULL, NULL);
}
