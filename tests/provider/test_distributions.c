/* SPDX-License-Identifier: MIT */
/* Tests distributions all the way from the program to the reader. The reader must get the right
 * percentiles, mean, count and sum, both of the last minute and of all time. There are tests with
 * several instances, several programs, ended programs, and two versions of the map. The test sets
 * the time. */
#include "support/test.h"

#include <string.h>

#include <prfdata/prfdata.h>

#include "support/provider/collecting.h"
#include "support/provider/counting.h"
#include "support/provider/provided.h"
#include "support/threads.h"

#define SERVICE "PrfDataTestDistributions"

enum { PORT_ID = 1, TIME_ID, P50_ID, P99_ID, MOST_ID, MEAN_ID, MEAN_BASE_ID, COUNT_ID, RECENT_ID };
enum { LE_ID = RECENT_ID + 1, SUM_ID, MEAN_NOW_ID, SIZE_ID, SIZE_P50_ID, BUMPED_ID };
enum { WORK_ID = 100, WORK_TIME_ID, WORK_P50_ID, WORK_COUNT_ID };
enum { PLAIN_ID = 200, DONE_ID };

PRFDATA_MAP_BEGIN_AS(ports_map)
PRFDATA_MAP_OBJ(PORT_ID, L"Ports", L"Ports.", PERF_DETAIL_NOVICE, P50_ID, 4, 20)
PRFDATA_MAP_TOTAL()
PRFDATA_MAP_DISTRIBUTION(TIME_ID, PRFDATA_UNIT_100NS, 10, 1000000000)
PRFDATA_MAP_DISTRIBUTION_WITH(SIZE_ID, PRFDATA_UNIT_BYTES, 1, 1 << 20, 4, 10)
PRFDATA_MAP_CTR(P50_ID, L"p50", L"p50.", PERF_DETAIL_NOVICE, 0, PERF_COUNTER_LARGE_RAWCOUNT)
PRFDATA_MAP_PERCENTILE(TIME_ID, 5000)
PRFDATA_MAP_CTR(P99_ID, L"p99", L"p99.", PERF_DETAIL_NOVICE, 0, PERF_COUNTER_RAWCOUNT)
PRFDATA_MAP_PERCENTILE(TIME_ID, 9900)
PRFDATA_MAP_CTR(MOST_ID, L"max", L"max.", PERF_DETAIL_NOVICE, 0, PERF_COUNTER_LARGE_RAWCOUNT)
PRFDATA_MAP_MAXIMUM(TIME_ID)
PRFDATA_MAP_CTR(MEAN_ID, L"mean", L"mean.", PERF_DETAIL_NOVICE, 0, PERF_AVERAGE_BULK)
PRFDATA_MAP_MEAN(TIME_ID)
PRFDATA_MAP_CTR(MEAN_BASE_ID, L"mean base", L"base.", PERF_DETAIL_NOVICE, 0, PERF_AVERAGE_BASE)
PRFDATA_MAP_CTR(COUNT_ID, L"count", L"count.", PERF_DETAIL_NOVICE, 0, PERF_COUNTER_BULK_COUNT)
PRFDATA_MAP_COUNT(TIME_ID)
PRFDATA_MAP_CTR(RECENT_ID, L"now", L"now.", PERF_DETAIL_NOVICE, 0, PERF_COUNTER_LARGE_RAWCOUNT)
PRFDATA_MAP_COUNT(TIME_ID)
PRFDATA_MAP_CTR(LE_ID, L"le 1 ms", L"le.", PERF_DETAIL_NOVICE, 0, PERF_COUNTER_LARGE_RAWCOUNT)
PRFDATA_MAP_AT_MOST(TIME_ID, 10000)
PRFDATA_MAP_ACCUMULATING()
PRFDATA_MAP_CTR(SUM_ID, L"sum", L"sum.", PERF_DETAIL_NOVICE, 0, PERF_COUNTER_LARGE_RAWCOUNT)
PRFDATA_MAP_SUM(TIME_ID)
PRFDATA_MAP_CTR(MEAN_NOW_ID, L"m", L"m.", PERF_DETAIL_NOVICE, 0, PERF_COUNTER_LARGE_RAWCOUNT)
PRFDATA_MAP_MEAN(TIME_ID)
PRFDATA_MAP_CTR(SIZE_P50_ID, L"s", L"s.", PERF_DETAIL_NOVICE, 0, PERF_COUNTER_LARGE_RAWCOUNT)
PRFDATA_MAP_PERCENTILE(SIZE_ID, 5000)
PRFDATA_MAP_CTR(BUMPED_ID, L"b", L"b.", PERF_DETAIL_NOVICE, 0, PERF_COUNTER_BULK_COUNT)
PRFDATA_MAP_OBJ(WORK_ID, L"Work", L"Work.", PERF_DETAIL_NOVICE, WORK_P50_ID, PERF_NO_INSTANCES, 0)
PRFDATA_MAP_DISTRIBUTION(WORK_TIME_ID, PRFDATA_UNIT_NUMBER, 0, 1000000)
PRFDATA_MAP_CTR(WORK_P50_ID, L"p50", L"p.", PERF_DETAIL_NOVICE, 0, PERF_COUNTER_LARGE_RAWCOUNT)
PRFDATA_MAP_PERCENTILE(WORK_TIME_ID, 5000)
PRFDATA_MAP_CTR(WORK_COUNT_ID, L"n", L"n.", PERF_DETAIL_NOVICE, 0, PERF_COUNTER_BULK_COUNT)
PRFDATA_MAP_COUNT(WORK_TIME_ID)
PRFDATA_MAP_OBJ(PLAIN_ID, L"Plain", L"Plain.", PERF_DETAIL_NOVICE, DONE_ID, PERF_NO_INSTANCES, 0)
PRFDATA_MAP_CTR(DONE_ID, L"done", L"d.", PERF_DETAIL_NOVICE, 0, PERF_COUNTER_BULK_COUNT)
PRFDATA_MAP_END_AS(ports_map, SERVICE)

/* A map with more buckets than an object may have counters. */
PRFDATA_MAP_BEGIN_AS(fine_map)
PRFDATA_MAP_OBJ(PORT_ID, L"Ports", L"Ports.", PERF_DETAIL_NOVICE, COUNT_ID, 10, 20)
PRFDATA_MAP_DISTRIBUTION_WITH(TIME_ID, PRFDATA_UNIT_NUMBER, 1, INT64_MAX, 32, 60)
PRFDATA_MAP_CTR(COUNT_ID, L"count", L"count.", PERF_DETAIL_NOVICE, 0, PERF_COUNTER_BULK_COUNT)
PRFDATA_MAP_COUNT(TIME_ID)
PRFDATA_MAP_CTR(P50_ID, L"p50", L"p50.", PERF_DETAIL_NOVICE, 0, PERF_COUNTER_LARGE_RAWCOUNT)
PRFDATA_MAP_PERCENTILE(TIME_ID, 5000)
PRFDATA_MAP_END_AS(fine_map, SERVICE)

enum { FIRST_COUNTER = 9700, PORT_TITLE = 9700, WORK_TITLE = 9724, PLAIN_TITLE = 9730 };
enum { P50, P99, MOST, MEAN, MEAN_BASE, COUNT, RECENT, LE, SUM, MEAN_NOW, SIZE_P50, BUMPED };
enum { WORK_P50, WORK_COUNT };

enum { EPOCH_UNITS = 59 }; /* units of 256 ms in a quarter of a minute */

static prfdata_publisher *publisher;
static uint32_t now; /* prfdata_distribution_time() returns this */

/* NOLINTBEGIN(clang-diagnostic-reserved-identifier): the linker wants this name */
uint32_t __wrap_prfdata_distribution_time(void);

uint32_t __wrap_prfdata_distribution_time(void)
{
    return prfdata_load32_relaxed(&now);
}
/* NOLINTEND(clang-diagnostic-reserved-identifier) */

static void wait_epochs(uint32_t epochs)
{
    prfdata_store32_relaxed(&now, prfdata_load32_relaxed(&now) + epochs * EPOCH_UNITS);
}

static int begin(void **state)
{
    (void)state;
    now = 1000000;
    provided_begin(&ports_map, FIRST_COUNTER);
    publisher = counting_open(&ports_map);
    return 0;
}

static int end(void **state)
{
    return provided_end_after(&publisher, state);
}

static prfdata_instance add_port(const wchar_t *name)
{
    return counting_add(publisher, PORT_ID, name, NULL);
}

static prfdata_distribution resolve(uint32_t id, const prfdata_instance *instance)
{
    prfdata_distribution distribution;

    assert_int_equal(prfdata_resolve_distribution(publisher, id, instance, &distribution),
                     ERROR_SUCCESS);
    return distribution;
}

static void record_times(prfdata_distribution distribution, uint64_t value, uint32_t times)
{
    for (uint32_t i = 0; i < times; i++)
        prfdata_record(distribution, value);
}

static uint64_t shown(uint32_t title, const char *instance, uint32_t position)
{
    collected taken;
    uint64_t value;

    collected_take(&taken, provider, NULL);
    collected_free(&taken);
    /* If there is a plan, it answers this second Collect. */
    collected_take(&taken, provider, "9700 9724");
    value = collected_value(&taken, title, "", instance, position);
    collected_free(&taken);
    return value;
}

/* Fails unless the value is within the promised 6.25 %, plus a microsecond. */
static void assert_about(uint64_t value, uint64_t expected)
{
    const uint64_t error = value > expected ? value - expected : expected - value;

    if (error > expected / 16 + 1)
        fail_msg("%u instead of %u", (unsigned)value, (unsigned)expected);
}

/* ---- Shown values ---- */

/* Records 1 to 1,000 ms in units of 100 ns. They are shown in microseconds. */
static void test_distributions_show_the_last_minute(void **state)
{
    const prfdata_instance port = add_port(L"a");
    const prfdata_distribution time = resolve(TIME_ID, &port);
    static const char *const instances[] = {"a", "_Total"};

    (void)state;
    for (uint64_t i = 1; i <= 1000; i++)
        prfdata_record(time, i * 10000);
    for (size_t i = 0; i < 2; i++) {
        assert_about(shown(PORT_TITLE, instances[i], P50), 500000);
        assert_about(shown(PORT_TITLE, instances[i], P99), 990000);
        assert_about(shown(PORT_TITLE, instances[i], MOST), 1000000);
        assert_int_equal(shown(PORT_TITLE, instances[i], MEAN), 500500000);
        assert_int_equal(shown(PORT_TITLE, instances[i], MEAN_BASE), 1000);
        assert_int_equal(shown(PORT_TITLE, instances[i], COUNT), 1000);
        assert_int_equal(shown(PORT_TITLE, instances[i], RECENT), 1000);
        assert_int_equal(shown(PORT_TITLE, instances[i], LE), 1);
        assert_int_equal(shown(PORT_TITLE, instances[i], SUM), 500500000);
        assert_int_equal(shown(PORT_TITLE, instances[i], MEAN_NOW), 500500);
        assert_int_equal(shown(PORT_TITLE, instances[i], SIZE_P50), 0);
        assert_int_equal(shown(PORT_TITLE, instances[i], BUMPED), 0);
    }
}

static void test_distributions_forget_after_a_minute_and_count_for_ever(void **state)
{
    const prfdata_instance port = add_port(L"a");
    const prfdata_distribution time = resolve(TIME_ID, &port);
    const prfdata_distribution size = resolve(SIZE_ID, &port);

    (void)state;
    record_times(time, 1000, 10);
    record_times(size, 500, 10);
    for (uint32_t epoch = 0; epoch < 5; epoch++) {
        assert_about(shown(PORT_TITLE, "a", P50), 100);
        assert_int_equal(shown(PORT_TITLE, "a", RECENT), 10);
        assert_int_equal(shown(PORT_TITLE, "_Total", SUM), 1000);
        assert_int_equal(shown(PORT_TITLE, "a", SIZE_P50) > 0,
                         epoch == 0); /* the window of SIZE_P50 has 10 seconds */
        wait_epochs(1);
    }
    assert_int_equal(shown(PORT_TITLE, "a", P50), 0);
    assert_int_equal(shown(PORT_TITLE, "a", P99), 0);
    assert_int_equal(shown(PORT_TITLE, "a", RECENT), 0);
    assert_int_equal(shown(PORT_TITLE, "a", SUM), 0);
    assert_int_equal(shown(PORT_TITLE, "a", MEAN_NOW), 0);
    assert_int_equal(shown(PORT_TITLE, "a", COUNT), 10);
    assert_int_equal(shown(PORT_TITLE, "a", LE), 10);
    assert_int_equal(shown(PORT_TITLE, "a", MEAN), 1000);
    record_times(time, 100000, 5);
    assert_about(shown(PORT_TITLE, "a", P50), 10000);
    assert_int_equal(shown(PORT_TITLE, "a", RECENT), 5);
    assert_int_equal(shown(PORT_TITLE, "a", COUNT), 15);
    assert_int_equal(shown(PORT_TITLE, "a", LE), 10);
}

static void test_distributions_of_an_object_without_instances(void **state)
{
    const prfdata_distribution time = resolve(WORK_TIME_ID, NULL);

    (void)state;
    record_times(time, 100, 60);
    record_times(time, 5000, 40);
    assert_about(shown(WORK_TITLE, NULL, WORK_P50), 100);
    assert_int_equal(shown(WORK_TITLE, NULL, WORK_COUNT), 100);
    wait_epochs(5);
    assert_int_equal(shown(WORK_TITLE, NULL, WORK_P50), 0);
    assert_int_equal(shown(WORK_TITLE, NULL, WORK_COUNT), 100);
}

/* ---- Several instances and programs ---- */

/* The percentiles are those of all values together, not means of each instance's or program's
 * percentiles. */
static void test_distributions_add_up_over_instances_and_programs(void **state)
{
    prfdata_instance port = add_port(L"a");
    prfdata_publisher *first = publisher;

    (void)state;
    record_times(resolve(TIME_ID, &port), 1000, 60);
    port = add_port(L"b");
    record_times(resolve(TIME_ID, &port), 50000, 20);
    assert_int_equal(prfdata_open(&ports_map, &publisher), ERROR_SUCCESS);
    port = add_port(L"a");
    record_times(resolve(TIME_ID, &port), 900000, 20);
    assert_about(shown(PORT_TITLE, "a", P50), 100);
    assert_about(shown(PORT_TITLE, "a", P99), 90000);
    assert_int_equal(shown(PORT_TITLE, "a", RECENT), 80);
    assert_about(shown(PORT_TITLE, "b", P99), 5000);
    assert_about(shown(PORT_TITLE, "_Total", P50), 100);
    assert_about(shown(PORT_TITLE, "_Total", P99), 90000);
    assert_int_equal(shown(PORT_TITLE, "_Total", RECENT), 100);
    assert_int_equal(shown(PORT_TITLE, "_Total", COUNT), 100);
    assert_int_equal(shown(PORT_TITLE, "_Total", SUM), 6000 + 100000 + 1800000);
    prfdata_close_and_unmap(first);
}

/* 16 programs each record 1.4 us. Their sum is rounded only once, even if the reply comes from a
 * plan or values are carried. */
static void test_distributions_sums_are_rounded_once(void **state)
{
    enum { PROGRAMS = 16 };
    prfdata_publisher *programs[PROGRAMS];

    (void)state;
    for (uint32_t shared_name = 0; shared_name < 2; shared_name++) {
        for (uint32_t i = 0; i < PROGRAMS; i++) {
            const wchar_t name[] = {(wchar_t)(shared_name ? L'z' : L'a' + i), 0};
            prfdata_distribution time;
            prfdata_instance port;

            programs[i] = counting_open(&ports_map);
            port = counting_add(programs[i], PORT_ID, name, NULL);
            assert_int_equal(prfdata_resolve_distribution(programs[i], TIME_ID, &port, &time), 0);
            prfdata_record(time, 14);
        }
        for (uint32_t look = 0; look < 4; look++) {
            assert_int_equal(shown(PORT_TITLE, "_Total", MEAN), shared_name ? 45 : 22);
            assert_int_equal(shown(PORT_TITLE, shared_name ? "z" : "b", MEAN),
                             shared_name ? 22 : 1);
        }
        for (uint32_t i = 0; i < PROGRAMS; i++)
            prfdata_close_and_unmap(programs[i]);
        assert_int_equal(shown(PORT_TITLE, "_Total", MEAN), shared_name ? 45 : 22);
    }
}

static void test_distributions_of_an_ended_program_age(void **state)
{
    prfdata_instance port = add_port(L"a");
    prfdata_publisher *ended = publisher;

    (void)state;
    record_times(resolve(TIME_ID, &port), 1000, 30);
    assert_int_equal(prfdata_open(&ports_map, &publisher), ERROR_SUCCESS);
    port = add_port(L"a");
    record_times(resolve(TIME_ID, &port), 100000, 10);
    prfdata_close_and_unmap(ended);
    for (uint32_t epoch = 0; epoch < 5; epoch++) {
        assert_about(shown(PORT_TITLE, "a", P50), 100);
        assert_int_equal(shown(PORT_TITLE, "a", RECENT), 40);
        assert_int_equal(shown(PORT_TITLE, "_Total", RECENT), 40);
        wait_epochs(1);
        record_times(resolve(TIME_ID, &port), 100000, 0);
    }
    assert_int_equal(shown(PORT_TITLE, "a", RECENT), 0);
    assert_int_equal(shown(PORT_TITLE, "_Total", RECENT), 0);
    assert_int_equal(shown(PORT_TITLE, "a", COUNT), 40);
    assert_int_equal(shown(PORT_TITLE, "_Total", COUNT), 40);
}

/* ---- Slots ---- */

/* Five names share four slots. In each epoch one name is used, and it begins without values.
 * `_Total` has the values of all names. */
static void test_distributions_belong_to_their_name(void **state)
{
    static const wchar_t *const names[] = {L"a", L"b", L"c", L"d", L"e"};
    static const char *const shown_names[] = {"a", "b", "c", "d", "e"};

    (void)state;
    for (uint32_t round = 0; round < 20; round++) {
        const prfdata_instance port = add_port(names[round % 5]);
        const prfdata_distribution time = resolve(TIME_ID, &port);

        assert_int_equal(shown(PORT_TITLE, shown_names[round % 5], RECENT), 0);
        assert_int_equal(shown(PORT_TITLE, shown_names[round % 5], COUNT), 0);
        record_times(time, 1000 * (round + 1), 3);
        assert_int_equal(shown(PORT_TITLE, shown_names[round % 5], RECENT), 3);
        assert_int_equal(shown(PORT_TITLE, shown_names[round % 5], COUNT), 3);
        assert_about(shown(PORT_TITLE, shown_names[round % 5], MOST), 100 * (round + 1));
        assert_int_equal(shown(PORT_TITLE, shown_names[round % 5], MEAN), 300 * (round + 1));
        assert_int_equal(shown(PORT_TITLE, "_Total", COUNT), 3 * (round + 1));
        assert_int_equal(shown(PORT_TITLE, "_Total", RECENT), 3 * (round < 4 ? round + 1 : 5));
        assert_int_equal(prfdata_instance_remove(&port), ERROR_SUCCESS);
        wait_epochs(1);
    }
}

static void test_distributions_name_that_returns_goes_on(void **state)
{
    (void)state;
    for (uint32_t i = 1; i <= 3; i++) {
        const prfdata_instance port = add_port(L"a");

        record_times(resolve(TIME_ID, &port), 1000, 5);
        assert_int_equal(shown(PORT_TITLE, "a", RECENT), 5 * i);
        assert_int_equal(shown(PORT_TITLE, "a", COUNT), 5 * i);
        assert_int_equal(prfdata_instance_remove(&port), ERROR_SUCCESS);
    }
}

/* ---- Versions of the map ---- */

enum { LAST_ENTRY = 64 };

static prfdata_map_entry later_entries[LAST_ENTRY];
static prfdata_map later_map;

/* Makes a later version of the map. It lacks the counter p50, which ports_map has before p99. */
static void make_later(void)
{
    uint32_t removed = 0;

    later_map = ports_map;
    later_map.entries = later_entries;
    memcpy(later_entries, ports_map.entries, ports_map.entry_count * sizeof later_entries[0]);
    while (later_entries[removed].id != P50_ID || !later_entries[removed].name)
        removed++;
    later_map.entry_count -= 2; /* removes the counter and the option that says what it shows */
    memmove(later_entries + removed, later_entries + removed + 2,
            (later_map.entry_count - removed) * sizeof later_entries[0]);
    later_entries[0].default_counter = P99_ID;
}

/* Installs the later map and starts a program with it. The program records 10 times. `publisher`
 * becomes the publisher of that program. */
static void upgrade_to_later(void)
{
    prfdata_instance port;

    prfdata_test_service_upgrade(&service, &later_map);
    publisher = counting_open(&later_map);
    port = add_port(L"a");
    record_times(resolve(TIME_ID, &port), 100000, 10);
    prfdata_provider_close(provider);
    provider = provided_open();
}

/* The program of the earlier version still runs. Counters of the later version include what that
 * program recorded in the last minute. */
static void test_distributions_of_an_earlier_map_go_on(void **state)
{
    prfdata_publisher *former = publisher;
    prfdata_instance port = add_port(L"a");

    (void)state;
    record_times(resolve(TIME_ID, &port), 1000, 30);
    make_later();
    upgrade_to_later();
    assert_about(shown(PORT_TITLE, "a", P99 - 1), 10000);
    assert_int_equal(shown(PORT_TITLE, "a", RECENT - 1), 40);
    assert_int_equal(shown(PORT_TITLE, "_Total", RECENT - 1), 40);
    assert_int_equal(shown(PORT_TITLE, "a", COUNT - 1), 40);
    prfdata_close_and_unmap(former);
    assert_int_equal(shown(PORT_TITLE, "a", RECENT - 1), 40);
    assert_int_equal(shown(PORT_TITLE, "_Total", RECENT - 1), 40);
    assert_int_equal(shown(PORT_TITLE, "a", COUNT - 1), 40);
}

/* Values with other buckets cannot be added up. Counts continue, and the last minute begins
 * again. */
static void test_distributions_with_other_buckets_begin_again(void **state)
{
    prfdata_publisher *former = publisher;
    prfdata_instance port = add_port(L"a");

    (void)state;
    record_times(resolve(TIME_ID, &port), 1000, 30);
    make_later();
    for (uint32_t i = 0; i < later_map.entry_count; i++)
        if (later_entries[i].option == PRFDATA_OPTION_DISTRIBUTION)
            later_entries[i].buckets_per_octave = 16;
    upgrade_to_later();
    assert_int_equal(shown(PORT_TITLE, "a", RECENT - 1), 10);
    assert_int_equal(shown(PORT_TITLE, "a", COUNT - 1), 40);
    prfdata_close_and_unmap(former);
    assert_int_equal(shown(PORT_TITLE, "a", COUNT - 1), 40);
}

/* ---- Units ---- */

static void record_fine(prfdata_publisher *program, uint64_t value)
{
    prfdata_instance port;
    prfdata_distribution distribution;

    assert_int_equal(prfdata_instance_add(program, PORT_ID, L"a", NULL, &port), ERROR_SUCCESS);
    assert_int_equal(prfdata_resolve_distribution(program, TIME_ID, &port, &distribution), 0);
    prfdata_record(distribution, value);
}

static void test_distributions_with_more_buckets_than_counters_are_carried(void **state)
{
    prfdata_publisher *second;

    (void)state;
    prfdata_close_and_unmap(publisher);
    prfdata_provider_close(provider);
    prfdata_test_service_uninstall(&service);
    prfdata_test_service_install(&service, &fine_map, FIRST_COUNTER);
    provider = provided_open();
    assert_int_equal(prfdata_open(&fine_map, &publisher), ERROR_SUCCESS);
    assert_int_equal(prfdata_open(&fine_map, &second), ERROR_SUCCESS);
    record_fine(publisher, UINT64_MAX);
    record_fine(second, UINT64_MAX - 1);
    assert_int_equal(shown(PORT_TITLE, "a", 0), 2);
    prfdata_close_and_unmap(second);
    assert_int_equal(shown(PORT_TITLE, "a", 0), 2);
}

static void test_distributions_resolve_refuses_what_is_none(void **state)
{
    const prfdata_instance port = add_port(L"a");
    prfdata_distribution distribution;
    prfdata_handle handle;
    prfdata_pair pair;

    (void)state;
    assert_int_equal(prfdata_resolve_distribution(publisher, 4711, &port, &distribution),
                     ERROR_NOT_FOUND);
    assert_null(distribution.words);
    assert_int_equal(prfdata_resolve_distribution(publisher, P50_ID, &port, &distribution),
                     ERROR_NOT_FOUND);
    assert_int_equal(prfdata_resolve_distribution(publisher, TIME_ID, NULL, &distribution),
                     ERROR_INVALID_PARAMETER);
    assert_int_equal(prfdata_resolve_distribution(publisher, WORK_TIME_ID, &port, &distribution),
                     ERROR_INVALID_PARAMETER);
    assert_int_equal(prfdata_resolve_distribution(NULL, TIME_ID, &port, &distribution),
                     ERROR_INVALID_HANDLE);
    assert_null(distribution.words);
    prfdata_record(distribution, 5);
    prfdata_record_since(distribution, 0);
    assert_int_equal(prfdata_resolve(publisher, P50_ID, &port, &handle), ERROR_NOT_SUPPORTED);
    assert_null(handle.cell);
    assert_int_equal(prfdata_resolve_pair(publisher, MEAN_ID, &port, &pair), ERROR_NOT_SUPPORTED);
    assert_int_equal(prfdata_resolve(publisher, BUMPED_ID, &port, &handle), ERROR_SUCCESS);
}

static void test_distributions_time_is_recorded_in_the_unit(void **state)
{
    const prfdata_instance port = add_port(L"a");
    const prfdata_distribution time = resolve(TIME_ID, &port);

    (void)state;
    prfdata_record_since(time, prfdata_record_start());
    /* The time since the call to prfdata_record_start() is less than a second. */
    assert_in_range(shown(PORT_TITLE, "a", P50), 0, 1000000);
    /* This records the time since the machine started. */
    prfdata_record_since(time, 0);
    assert_true(shown(PORT_TITLE, "a", MOST) > 1000000);
    /* SIZE is not a time, so nothing is recorded. */
    prfdata_record_since(resolve(SIZE_ID, &port), 0);
    assert_int_equal(shown(PORT_TITLE, "a", SIZE_P50), 0);
}

/* ---- Private memory ---- */

/* Values that were recorded before there was a region are shown, and so are values recorded later
 * through the old handles. */
static void test_distributions_are_attached_late(void **state)
{
    prfdata_distribution early;
    prfdata_instance port;

    (void)state;
    prfdata_close_and_unmap(publisher);
    prfdata_provider_close(provider);
    prfdata_test_service_uninstall(&service);
    assert_int_equal(prfdata_open(&ports_map, &publisher), ERROR_FILE_NOT_FOUND);
    port = add_port(L"a");
    early = resolve(TIME_ID, &port);
    record_times(early, 1000, 10);
    wait_epochs(1);
    record_times(early, 2000, 10);
    prfdata_test_service_install(&service, &ports_map, FIRST_COUNTER);
    provider = provided_open();
    assert_int_equal(prfdata_retry(publisher), ERROR_SUCCESS);
    assert_int_equal(shown(PORT_TITLE, "a", COUNT), 20);
    assert_int_equal(shown(PORT_TITLE, "a", RECENT), 20);
    assert_about(shown(PORT_TITLE, "a", P50), 100);
    assert_about(shown(PORT_TITLE, "a", MOST), 200);

    record_times(early, 3000, 5);
    record_times(resolve(TIME_ID, &port), 4000, 5);
    assert_int_equal(prfdata_retry(publisher), ERROR_SUCCESS);
    assert_int_equal(shown(PORT_TITLE, "a", COUNT), 30);
    assert_int_equal(shown(PORT_TITLE, "a", RECENT), 30);
    assert_int_equal(shown(PORT_TITLE, "a", SUM), 1000 + 2000 + 1500 + 2000);
    wait_epochs(4);
    /* The first ten values are older than a minute. */
    assert_int_equal(shown(PORT_TITLE, "a", RECENT), 20);
    wait_epochs(1);
    record_times(early, 3000, 2);
    assert_int_equal(prfdata_retry(publisher), ERROR_SUCCESS);
    assert_int_equal(shown(PORT_TITLE, "a", RECENT), 2);
    assert_int_equal(shown(PORT_TITLE, "a", COUNT), 32);
}

/* ---- Ended programs ---- */

static uint64_t done_of(prfdata_provider *reader, const char *query)
{
    return collected_value_now(reader, query, PLAIN_TITLE, "", NULL, 0);
}

static void count_done(int64_t amount)
{
    prfdata_handle done;

    assert_int_equal(prfdata_resolve(publisher, DONE_ID, NULL, &done), ERROR_SUCCESS);
    prfdata_add(done, amount);
}

static void record_once(void)
{
    const prfdata_instance port = add_port(L"a");

    prfdata_record(resolve(TIME_ID, &port), 1000);
}

/* The plan of one object contains the counts of an ended program. Another program takes over the
 * region and counts, and the reader has not noticed this yet. A Collect of both objects reads the
 * region again, because the values of the last minute have aged. Its reply must show the new
 * program's counts in the object that has a plan, too. */
static void test_distributions_of_an_ended_program_do_not_hold_back_plans(void **state)
{
    prfdata_publisher *other = publisher;
    prfdata_provider *reader;
    uint64_t planned;

    (void)state;
    record_once();
    publisher = counting_open(&ports_map);
    record_once();
    count_done(5);
    prfdata_close_and_unmap(other); /* ports have no plan while values of `other` are in a window */
    prfdata_close_and_unmap(publisher);
    reader = provided_open();
    prfdata_provider_set_refresh(reader, 3600000);
    publisher = counting_open(&ports_map);
    /* This Collect asks the system for the writer of the region. */
    assert_int_equal(done_of(reader, "9700 9730"), 5);
    prfdata_close_and_unmap(publisher);
    prfdata_provider_set_refresh(reader, 0);
    assert_int_equal(done_of(reader, "9730"), 5);
    prfdata_provider_set_refresh(reader, 3600000);
    assert_int_equal(done_of(reader, "9730"), 5);
    planned = prfdata_provider_number(reader, PRFDATA_HEALTH_PLANS_USED);
    assert_int_equal(done_of(reader, "9730"), 5);
    assert_int_equal(prfdata_provider_number(reader, PRFDATA_HEALTH_PLANS_USED), planned + 1);
    publisher = counting_open(&ports_map);
    count_done(3);
    prfdata_store32_relaxed(&now, now + 1);
    assert_int_equal(done_of(reader, "9700 9730"), 8);
    assert_int_equal(done_of(reader, "9730"), 8);
    prfdata_provider_close(reader);
}

/* ---- Threads ---- */

enum { THREADS = 4, EACH = 20000 };

static prfdata_distribution shared;

static void record_and_pass_time(void *context)
{
    (void)context;
    for (uint32_t i = 0; i < EACH; i++) {
        prfdata_record(shared, 1000);
        if (i % 100 == 0)
            wait_epochs(1);
    }
}

static void test_distributions_threads_lose_nothing(void **state)
{
    const prfdata_instance port = add_port(L"a");

    (void)state;
    shared = resolve(TIME_ID, &port);
    prfdata_test_threads_run(THREADS, record_and_pass_time, NULL);
    assert_int_equal(shown(PORT_TITLE, "a", COUNT), THREADS * EACH);
    assert_int_equal(shown(PORT_TITLE, "a", MEAN), THREADS * EACH * 100);
    assert_in_range(shown(PORT_TITLE, "_Total", RECENT), 0, THREADS * EACH);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)

int main(void)
{
    static const struct CMUnitTest tests[] = {
        TEST(test_distributions_show_the_last_minute),
        TEST(test_distributions_forget_after_a_minute_and_count_for_ever),
        TEST(test_distributions_of_an_object_without_instances),
        TEST(test_distributions_add_up_over_instances_and_programs),
        TEST(test_distributions_sums_are_rounded_once),
        TEST(test_distributions_of_an_ended_program_age),
        TEST(test_distributions_belong_to_their_name),
        TEST(test_distributions_name_that_returns_goes_on),
        TEST(test_distributions_of_an_earlier_map_go_on),
        TEST(test_distributions_with_other_buckets_begin_again),
        TEST(test_distributions_with_more_buckets_than_counters_are_carried),
        TEST(test_distributions_resolve_refuses_what_is_none),
        TEST(test_distributions_time_is_recorded_in_the_unit),
        TEST(test_distributions_are_attached_late),
        TEST(test_distributions_of_an_ended_program_do_not_hold_back_plans),
        TEST(test_distributions_threads_lose_nothing),
    };

    return cmocka_run_group_tests_name("distributions", tests, NULL, NULL);
}
