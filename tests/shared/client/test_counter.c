/* SPDX-License-Identifier: MIT */
/* Tests that counters of every type that a map may have can be looked up and counted. Measured
 * times are compared with the clock before and after the call, never with a fixed duration. The
 * service is not installed. */
#include "support/test.h"

#include <string.h>

#include <prfdata/prfdata.h>

#include "client/publisher.h"
#include "support/provider/publisher_header.h"
#include "support/sample_map.h"
#include "support/threads.h"
#include "system/os.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

enum { ID_QUEUES = 100, ID_DEPTH, ID_JOBS, ID_JOB_TIME, ID_BUSY = 201, ID_TAKEN = 301 };

/* The kind of pair that prfdata_resolve_pair() must accept for each type, as docs/region-format.md
 * and Richter's article say. */
typedef enum pair_kind { NO_PAIR, PAIR, TIMER, OPERATION_TIMER, STAMPED_TIMER } pair_kind;
typedef enum time_base { NO_CLOCK, PERF, UNITS_100NS } time_base;

static const struct {
    uint32_t type;
    uint32_t base_type; /* 0: none */
    pair_kind kind;
    time_base clock;
} types[] = {
    {PERF_COUNTER_RAWCOUNT, 0, NO_PAIR, NO_CLOCK},
    {PERF_COUNTER_LARGE_RAWCOUNT, 0, NO_PAIR, NO_CLOCK},
    {PERF_COUNTER_RAWCOUNT_HEX, 0, NO_PAIR, NO_CLOCK},
    {PERF_COUNTER_LARGE_RAWCOUNT_HEX, 0, NO_PAIR, NO_CLOCK},
    {PERF_COUNTER_DELTA, 0, NO_PAIR, NO_CLOCK},
    {PERF_COUNTER_LARGE_DELTA, 0, NO_PAIR, NO_CLOCK},
    {PERF_COUNTER_COUNTER, 0, NO_PAIR, NO_CLOCK},
    {PERF_COUNTER_BULK_COUNT, 0, NO_PAIR, NO_CLOCK},
    {PERF_SAMPLE_COUNTER, PERF_SAMPLE_BASE, PAIR, NO_CLOCK},
    {PERF_SAMPLE_FRACTION, PERF_SAMPLE_BASE, PAIR, NO_CLOCK},
    {PERF_RAW_FRACTION, PERF_RAW_BASE, PAIR, NO_CLOCK},
    {PERF_LARGE_RAW_FRACTION, PERF_LARGE_RAW_BASE, PAIR, NO_CLOCK},
    {PERF_AVERAGE_BULK, PERF_AVERAGE_BASE, PAIR, NO_CLOCK},
    {PERF_AVERAGE_TIMER, PERF_AVERAGE_BASE, OPERATION_TIMER, PERF},
    {PERF_COUNTER_QUEUELEN_TYPE, 0, TIMER, PERF},
    {PERF_COUNTER_LARGE_QUEUELEN_TYPE, 0, TIMER, PERF},
    {PERF_COUNTER_100NS_QUEUELEN_TYPE, 0, TIMER, UNITS_100NS},
    {PERF_COUNTER_OBJ_TIME_QUEUELEN_TYPE, 0, TIMER, PERF},
    {PERF_COUNTER_TIMER, 0, TIMER, PERF},
    {PERF_100NSEC_TIMER, 0, TIMER, UNITS_100NS},
    {PERF_OBJ_TIME_TIMER, 0, TIMER, PERF},
    {PERF_COUNTER_MULTI_TIMER, PERF_COUNTER_MULTI_BASE, TIMER, PERF},
    {PERF_COUNTER_MULTI_TIMER_INV, PERF_COUNTER_MULTI_BASE, TIMER, PERF},
    {PERF_100NSEC_MULTI_TIMER, PERF_COUNTER_MULTI_BASE, TIMER, UNITS_100NS},
    {PERF_100NSEC_MULTI_TIMER_INV, PERF_COUNTER_MULTI_BASE, TIMER, UNITS_100NS},
    {PERF_PRECISION_SYSTEM_TIMER, PERF_LARGE_RAW_BASE, STAMPED_TIMER, PERF},
    {PERF_PRECISION_100NS_TIMER, PERF_LARGE_RAW_BASE, STAMPED_TIMER, UNITS_100NS},
    {PERF_PRECISION_OBJECT_TIMER, PERF_LARGE_RAW_BASE, STAMPED_TIMER, PERF},
    {PERF_ELAPSED_TIME, 0, TIMER, PERF},
    /* Only the object with process ids may have these two types. */
    {PERF_COUNTER_TIMER_INV, 0, TIMER, PERF},
    {PERF_100NSEC_TIMER_INV, 0, TIMER, UNITS_100NS},
};

enum { FIRST_TYPE_ID = 1001, NODATA_ID = 2500 };

static sample_map sample;
static prfdata_publisher *publisher;
static prfdata_instance mail;  /* an instance of QUEUES */
static prfdata_instance every; /* an instance of the object that has every type */

static uint32_t id_of(size_t index)
{
    return (uint32_t)(FIRST_TYPE_ID + 2 * index);
}

static void append_every_type(void)
{
    sample_map_append(&sample, sample_map_object(1000, L"My Everything", FIRST_TYPE_ID, 2, 20));
    sample_map_append_option(&sample, PRFDATA_OPTION_PER_PROCESS, 0);
    for (size_t i = 0; i < COUNT(types); i++) {
        sample_map_append(&sample, sample_map_counter(id_of(i), types[i].type));
        if (types[i].base_type)
            sample_map_append(&sample, sample_map_counter(id_of(i) + 1, types[i].base_type));
    }
    sample_map_append(&sample, sample_map_counter(NODATA_ID, PERF_COUNTER_NODATA));
}

static int begin(void **state)
{
    (void)state;
    sample_map_init_as(&sample, "PrfDataTestCounter");
    append_every_type();
    assert_int_equal(prfdata_open(&sample.map, &publisher), ERROR_FILE_NOT_FOUND);
    assert_non_null(publisher);
    prfdata_instance_add(publisher, ID_QUEUES, L"mail", NULL, &mail);
    assert_int_equal(prfdata_instance_add(publisher, 1000, L"every", NULL, &every), ERROR_SUCCESS);
    return 0;
}

static int end(void **state)
{
    (void)state;
    prfdata_close_and_unmap(publisher);
    return 0;
}

static prfdata_handle resolve(uint32_t counter_id, const prfdata_instance *instance)
{
    prfdata_handle handle;

    assert_int_equal(prfdata_resolve(publisher, counter_id, instance, &handle), ERROR_SUCCESS);
    assert_non_null(handle.cell);
    return handle;
}

static prfdata_pair resolve_pair(size_t index)
{
    prfdata_pair pair;

    assert_int_equal(prfdata_resolve_pair(publisher, id_of(index), &every, &pair), ERROR_SUCCESS);
    return pair;
}

/* ---- Resolving ---- */

static void test_counter_every_counter_has_a_cell_of_its_own(void **state)
{
    prfdata_handle handles[2 * COUNT(types)];
    size_t count = 0;

    (void)state;
    for (size_t i = 0; i < COUNT(types); i++) {
        handles[count++] = resolve(id_of(i), &every);
        if (types[i].base_type)
            handles[count++] = resolve(id_of(i) + 1, &every);
    }
    for (size_t i = 0; i < count; i++)
        prfdata_set(handles[i], (int64_t)i + 1);
    for (size_t i = 0; i < count; i++) {
        assert_int_equal(prfdata_get(handles[i]), i + 1);
        assert_int_equal((uintptr_t)handles[i].cell % 8, 0);
    }
}

static void test_counter_instances_count_apart(void **state)
{
    prfdata_instance news;
    prfdata_handle jobs;

    (void)state;
    assert_int_equal(prfdata_instance_add(publisher, ID_QUEUES, L"news", NULL, &news),
                     ERROR_SUCCESS);
    jobs = resolve(ID_JOBS, &mail);
    prfdata_add(jobs, 5);
    assert_int_equal(prfdata_get(resolve(ID_JOBS, &news)), 0);
    assert_int_equal(prfdata_get(resolve(ID_JOBS, &mail)), 5);
    assert_ptr_equal(resolve(ID_JOBS, &mail).cell, jobs.cell);
}

/* Expect that handle and pair are all zero, and that counting with them does no harm. */
static void assert_refused(uint32_t expected, prfdata_publisher *whose, uint32_t counter_id,
                           const prfdata_instance *instance)
{
    prfdata_handle handle;
    prfdata_pair pair;

    memset(&handle, 0xFF, sizeof handle);
    memset(&pair, 0xFF, sizeof pair);
    assert_int_equal(prfdata_resolve(whose, counter_id, instance, &handle), expected);
    assert_int_equal(prfdata_resolve_pair(whose, counter_id, instance, &pair), expected);
    assert_null(handle.cell);
    assert_null(handle.baseline);
    assert_null(pair.value.cell);
    assert_null(pair.base.cell);
    assert_int_equal(pair.base_use, 0);
    assert_int_equal(pair.ticks, 0);
    prfdata_increment(handle);
    prfdata_average_add(pair, 1);
    prfdata_timer_stop(pair, prfdata_timer_start(pair));
}

static void test_counter_resolve_says_why_not(void **state)
{
    prfdata_instance none = PRFDATA_INSTANCE_INIT;
    prfdata_publisher *other;

    (void)state;
    assert_refused(ERROR_NOT_FOUND, publisher, 999, NULL);
    assert_refused(ERROR_NOT_FOUND, publisher, ID_QUEUES, &mail); /* the id of an object */
    assert_refused(ERROR_NOT_FOUND, publisher, NODATA_ID, &every);
    assert_refused(ERROR_NOT_FOUND, publisher, ID_JOBS, &none);
    assert_refused(ERROR_INVALID_PARAMETER, publisher, ID_JOBS, NULL);
    assert_refused(ERROR_INVALID_PARAMETER, publisher, ID_BUSY, &mail);
    assert_refused(ERROR_INVALID_PARAMETER, publisher, ID_TAKEN, &mail);
    assert_refused(ERROR_INVALID_HANDLE, NULL, ID_JOBS, &mail);
    assert_int_equal(prfdata_open(&sample.map, &other), ERROR_FILE_NOT_FOUND);
    assert_refused(ERROR_INVALID_PARAMETER, other, ID_JOBS, &mail);
    prfdata_close_and_unmap(other);
}

static void test_counter_resolve_pair_only_where_there_is_a_base_or_a_clock(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(types); i++) {
        prfdata_pair pair;
        uint32_t error = prfdata_resolve_pair(publisher, id_of(i), &every, &pair);

        assert_int_equal(error, types[i].kind == NO_PAIR ? ERROR_NOT_SUPPORTED : ERROR_SUCCESS);
        assert_ptr_equal(pair.value.cell,
                         types[i].kind == NO_PAIR ? NULL : resolve(id_of(i), &every).cell);
        assert_ptr_equal(pair.base.cell,
                         types[i].base_type ? resolve(id_of(i) + 1, &every).cell : NULL);
        if (types[i].base_type)
            assert_int_equal(prfdata_resolve_pair(publisher, id_of(i) + 1, &every, &pair),
                             types[i].kind == STAMPED_TIMER ? ERROR_SUCCESS : ERROR_NOT_SUPPORTED);
    }
}

/* ---- Counting ---- */

static void assert_bumps(prfdata_handle handle)
{
    prfdata_set(handle, 10);
    prfdata_increment(handle);
    assert_int_equal(prfdata_get(handle), 11);
    prfdata_add(handle, 5);
    assert_int_equal(prfdata_get(handle), 16);
    prfdata_subtract(handle, 20);
    assert_int_equal(prfdata_get(handle), -4);
    prfdata_decrement(handle);
    assert_int_equal(prfdata_get(handle), -5);
    prfdata_add(handle, -5);
    assert_int_equal(prfdata_get(handle), -10);
    prfdata_subtract(handle, -30);
    assert_int_equal(prfdata_get(handle), 20);
    prfdata_set(handle, INT64_MIN);
    assert_true(prfdata_get(handle) == INT64_MIN);
    prfdata_decrement(handle); /* wraps below the least value, as counters do */
    assert_true(prfdata_get(handle) == INT64_MAX);
    prfdata_subtract(handle, INT64_MIN);
    assert_int_equal(prfdata_get(handle), -1);
    prfdata_set(handle, 0);
    assert_int_equal(prfdata_get(handle), 0);
}

static void assert_raises(prfdata_handle handle)
{
    prfdata_set(handle, 0);
    prfdata_raise(handle, -5);
    assert_int_equal(prfdata_get(handle), 0);
    prfdata_raise(handle, 7);
    assert_int_equal(prfdata_get(handle), 7);
    prfdata_raise(handle, 7);
    prfdata_raise(handle, 6);
    assert_int_equal(prfdata_get(handle), 7);
    prfdata_set(handle, -10);
    prfdata_raise(handle, -11);
    assert_int_equal(prfdata_get(handle), -10);
    prfdata_raise(handle, -5);
    assert_int_equal(prfdata_get(handle), -5);
    prfdata_raise(handle, INT64_MAX);
    prfdata_raise(handle, INT64_MIN);
    assert_true(prfdata_get(handle) == INT64_MAX);
    prfdata_set(handle, INT64_MIN);
    prfdata_raise(handle, INT64_MIN + 1);
    assert_true(prfdata_get(handle) == INT64_MIN + 1);
}

static void test_counter_every_bump_on_every_type(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(types); i++) {
        assert_bumps(resolve(id_of(i), &every));
        assert_raises(resolve(id_of(i), &every));
    }
    assert_bumps(resolve(ID_BUSY, NULL));
    assert_raises(resolve(ID_BUSY, NULL));
}

static void test_counter_four_byte_counters_count_in_64_bits(void **state)
{
    prfdata_handle taken;
    prfdata_instance consumer;

    (void)state;
    assert_int_equal(prfdata_instance_add(publisher, 300, L"c", NULL, &consumer), ERROR_SUCCESS);
    taken = resolve(ID_TAKEN, &consumer);
    prfdata_add(taken, UINT32_MAX);
    prfdata_increment(taken);
    assert_true(prfdata_get(taken) == 0x100000000);
}

/* Fill QUEUES, so that the slot of `mail` gets another name. */
static void give_slot_of_mail_away(void)
{
    prfdata_instance instance;

    for (wchar_t name[2] = {L'A', 0};
         prfdata_instance_add(publisher, ID_QUEUES, name, NULL, &instance) == ERROR_SUCCESS;
         name[0]++) {
    }
    assert_int_equal(prfdata_instance_remove(&mail), ERROR_SUCCESS);
    assert_int_equal(prfdata_instance_add(publisher, ID_QUEUES, L"next", NULL, &mail),
                     ERROR_SUCCESS);
}

static void test_counter_after_reuse_every_bump_is_above_the_baseline(void **state)
{
    prfdata_handle jobs;

    (void)state;
    prfdata_add(resolve(ID_JOBS, &mail), 1000);
    prfdata_add(resolve(ID_DEPTH, &mail), 1000);
    give_slot_of_mail_away();
    jobs = resolve(ID_JOBS, &mail);
    assert_int_equal(prfdata_get(jobs), 0);
    assert_int_equal(prfdata_get(resolve(ID_DEPTH, &mail)), 0);
    assert_raises(jobs);
    assert_bumps(jobs);
    prfdata_set(jobs, 3);
    assert_int_equal(*jobs.cell, 1003);
}

static void test_counter_after_reuse_a_baseline_may_be_negative(void **state)
{
    (void)state;
    prfdata_subtract(resolve(ID_JOBS, &mail), 1000);
    give_slot_of_mail_away();
    assert_raises(resolve(ID_JOBS, &mail));
    assert_bumps(resolve(ID_JOBS, &mail));
}

static void test_counter_zeroed_handle_counts_where_nobody_reads(void **state)
{
    static prfdata_handle unset; /* static storage is all zero */
    prfdata_handle initialised = PRFDATA_HANDLE_INIT;
    prfdata_pair pair = PRFDATA_PAIR_INIT;

    (void)state;
    assert_ptr_equal(prfdata_inner_cell(unset), &prfdata_scratch_cell);
    assert_ptr_equal(prfdata_inner_cell(initialised), &prfdata_scratch_cell);
    assert_bumps(unset);
    assert_raises(initialised);
    prfdata_elapsed_start(unset);
    prfdata_elapsed_stop(unset);
    prfdata_pair_add(pair, 1, 2);
    prfdata_average_add(pair, 1);
    prfdata_timer_stop(pair, prfdata_timer_start(pair));
    assert_int_equal(prfdata_get(resolve(ID_BUSY, NULL)), 0);
}

/* ---- Pairs ---- */

static void test_counter_pair_add_counts_in_both(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(types); i++) {
        prfdata_pair pair;

        if (!types[i].base_type)
            continue;
        pair = resolve_pair(i);
        prfdata_pair_add(pair, 40, 2);
        prfdata_average_add(pair, 2);
        assert_int_equal(prfdata_get(resolve(id_of(i), &every)), 42);
        assert_int_equal(prfdata_get(resolve(id_of(i) + 1, &every)), 3);
    }
}

/* ---- Timers ---- */

static uint64_t to_clock(time_base which, uint64_t ticks)
{
    const uint64_t per_second = prfdata_os_ticks_per_second();

    if (which != UNITS_100NS)
        return ticks;
    return ticks / per_second * 10000000 + ticks % per_second * 10000000 / per_second;
}

static uint64_t now_in(time_base which)
{
    return to_clock(which, prfdata_os_ticks());
}

static void test_counter_timer_start_is_the_types_own_clock(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(types); i++) {
        uint64_t before, started;

        if (types[i].kind < TIMER)
            continue;
        before = now_in(types[i].clock);
        started = prfdata_timer_start(resolve_pair(i));
        assert_in_range(started, before, now_in(types[i].clock));
    }
}

static void test_counter_timer_stop_adds_the_time_since_start(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(types); i++) {
        const uint64_t long_ago = 5000000;
        uint64_t before, counted;

        if (types[i].kind < TIMER)
            continue;
        before = now_in(types[i].clock);
        prfdata_timer_stop(resolve_pair(i), before - long_ago);
        counted = (uint64_t)prfdata_get(resolve(id_of(i), &every));
        assert_in_range(counted, long_ago, now_in(types[i].clock) - before + long_ago);
    }
}

static void test_counter_timer_stop_does_to_the_base_what_the_type_needs(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(types); i++) {
        uint64_t before, base;

        if (!types[i].base_type || types[i].kind < TIMER)
            continue;
        before = now_in(types[i].clock);
        prfdata_timer_stop(resolve_pair(i), before);
        prfdata_timer_stop(resolve_pair(i), before);
        base = (uint64_t)prfdata_get(resolve(id_of(i) + 1, &every));
        if (types[i].kind == STAMPED_TIMER)
            assert_in_range(base, before, now_in(types[i].clock));
        else
            assert_int_equal(base, types[i].kind == OPERATION_TIMER ? 2 : 0);
    }
}

static void test_counter_timer_started_in_the_future_adds_nothing(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(types); i++) {
        if (types[i].kind < TIMER)
            continue;
        prfdata_timer_stop(resolve_pair(i), UINT64_MAX);
        assert_int_equal(prfdata_get(resolve(id_of(i), &every)), 0);
    }
}

static void test_counter_timer_add_ns_counts_in_the_types_ticks(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(types); i++) {
        const uint64_t per_second =
            types[i].clock == PERF ? prfdata_os_ticks_per_second() : 10000000;
        const uint64_t long_ns = 3600ull * 24 * 365 * 100 * 1000000000; /* a century */
        uint64_t before;

        if (types[i].kind < TIMER)
            continue;
        before = now_in(types[i].clock);
        prfdata_timer_add_ns(resolve_pair(i), 2500000000);
        assert_int_equal(prfdata_get(resolve(id_of(i), &every)), per_second * 5 / 2);
        if (types[i].kind == OPERATION_TIMER)
            assert_int_equal(prfdata_get(resolve(id_of(i) + 1, &every)), 1);
        if (types[i].kind == STAMPED_TIMER)
            assert_in_range(prfdata_get(resolve(id_of(i) + 1, &every)), before,
                            now_in(types[i].clock));
        prfdata_timer_add_ns(resolve_pair(i), long_ns);
        assert_int_equal(prfdata_get(resolve(id_of(i), &every)),
                         per_second * 5 / 2 + per_second * (long_ns / 1000000000));
    }
}

static void test_counter_stamp_never_goes_back(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT(types); i++) {
        const int64_t later = INT64_MAX - 1;

        if (types[i].kind != STAMPED_TIMER)
            continue;
        prfdata_set(resolve(id_of(i) + 1, &every), later);
        prfdata_timer_stop(resolve_pair(i), 0);
        assert_true(prfdata_get(resolve(id_of(i) + 1, &every)) == later);
    }
}

static void test_counter_elapsed_is_the_start_stamp_or_zero(void **state)
{
    prfdata_handle elapsed = PRFDATA_HANDLE_INIT;
    uint64_t before;

    (void)state;
    for (size_t i = 0; i < COUNT(types); i++)
        if (types[i].type == PERF_ELAPSED_TIME)
            elapsed = resolve(id_of(i), &every);
    assert_non_null(elapsed.cell);
    assert_null(elapsed.baseline);
    before = prfdata_os_ticks();
    prfdata_elapsed_start(elapsed);
    assert_in_range((uint64_t)prfdata_get(elapsed), before, prfdata_os_ticks());
    prfdata_elapsed_stop(elapsed);
    assert_int_equal(prfdata_get(elapsed), 0);
}

/* ---- begin and end ---- */

static void test_counter_begin_and_end_are_counted_per_instance(void **state)
{
    const prfdata_region_slot *slot = prfdata_publisher_slot(&mail);
    const prfdata_region_slot *other = prfdata_publisher_slot(&every);

    (void)state;
    prfdata_begin(&mail);
    assert_int_equal(slot->entered, 1);
    assert_int_equal(slot->left, 0);
    prfdata_begin(&mail);
    prfdata_end(&mail);
    assert_int_equal(slot->entered, 2);
    assert_int_equal(slot->left, 1);
    prfdata_end(&mail);
    assert_int_equal(slot->left, 2);
    assert_int_equal(other->entered, 0);
    assert_int_equal(publisher_header(publisher)->entered, 0);
    prfdata_begin(NULL);
    prfdata_end(NULL);
}

static void test_counter_begin_and_end_around_everything_are_the_headers(void **state)
{
    (void)state;
    prfdata_begin_all(publisher);
    assert_int_equal(publisher_header(publisher)->entered, 1);
    assert_int_equal(publisher_header(publisher)->left, 0);
    prfdata_end_all(publisher);
    assert_int_equal(publisher_header(publisher)->left, 1);
    assert_int_equal(prfdata_publisher_slot(&mail)->entered, 0);
}

/* A thread is still inside a bracket when its instance is removed and another instance gets the
 * slot. */
static void test_counter_brackets_of_a_slot_used_again_stay_even(void **state)
{
    prfdata_instance before = mail;
    const prfdata_region_slot *slot = prfdata_publisher_slot(&mail);

    (void)state;
    prfdata_begin(&before);
    give_slot_of_mail_away();
    assert_ptr_equal(prfdata_publisher_slot(&mail), slot);
    prfdata_end(&before);
    assert_int_equal(slot->entered, slot->left);
}

/* ---- Threads ---- */

/* Enough rounds for the threads to collide, even on one busy processor. */
enum { THREADS = 4, ROUNDS = 400000 };

static void bump_everything(void *context)
{
    prfdata_handle jobs = resolve(ID_JOBS, &mail);
    prfdata_pair pair;

    (void)context;
    assert_int_equal(prfdata_resolve_pair(publisher, ID_JOB_TIME, &mail, &pair), ERROR_SUCCESS);
    for (int i = 0; i < ROUNDS; i++) {
        prfdata_begin(&mail);
        prfdata_begin_all(publisher);
        prfdata_increment(jobs);
        prfdata_average_add(pair, 3);
        prfdata_end_all(publisher);
        prfdata_end(&mail);
    }
}

static void test_counter_threads_lose_no_increment(void **state)
{
    const int64_t all = (int64_t)THREADS * ROUNDS;

    (void)state;
    prfdata_test_threads_run(THREADS, bump_everything, NULL);
    assert_int_equal(prfdata_get(resolve(ID_JOBS, &mail)), all);
    assert_int_equal(prfdata_get(resolve(ID_JOB_TIME, &mail)), 3 * all);
    assert_int_equal(prfdata_get(resolve(ID_JOB_TIME + 1, &mail)), all);
    assert_int_equal(prfdata_publisher_slot(&mail)->entered, all);
    assert_int_equal(prfdata_publisher_slot(&mail)->left, all);
    assert_int_equal(publisher_header(publisher)->entered, all);
    assert_int_equal(publisher_header(publisher)->left, all);
}

static void come_in_and_go_out(void *context)
{
    (void)context;
    for (int i = 0; i < ROUNDS; i++) {
        prfdata_begin(&mail);
        prfdata_end(&mail);
    }
}

static void test_counter_threads_enter_and_leave_equally_often(void **state)
{
    (void)state;
    prfdata_test_threads_run(THREADS, come_in_and_go_out, NULL);
    assert_int_equal(prfdata_publisher_slot(&mail)->entered, THREADS * ROUNDS);
    assert_int_equal(prfdata_publisher_slot(&mail)->left, THREADS * ROUNDS);
}

static void up_and_down(void *context)
{
    prfdata_handle depth = *(const prfdata_handle *)context;

    for (int i = 0; i < ROUNDS; i++) {
        prfdata_add(depth, 5);
        prfdata_decrement(depth);
        prfdata_subtract(depth, 3);
    }
}

static void test_counter_threads_up_and_down_add_up(void **state)
{
    prfdata_handle depth = resolve(ID_DEPTH, &mail);

    (void)state;
    prfdata_test_threads_run(THREADS, up_and_down, &depth);
    assert_int_equal(prfdata_get(depth), THREADS * ROUNDS);
}

static void raise_in_turns(void *context)
{
    prfdata_handle depth = *(const prfdata_handle *)context;

    for (int i = 0; i < ROUNDS; i++) {
        prfdata_raise(depth, i);
        assert_true(prfdata_get(depth) >= i); /* other threads also raise it, so it is at least i */
    }
}

static void test_counter_threads_raise_to_the_maximum(void **state)
{
    prfdata_handle depth = resolve(ID_DEPTH, &mail);

    (void)state;
    prfdata_set(depth, -1);
    prfdata_test_threads_run(THREADS, raise_in_turns, &depth);
    assert_int_equal(prfdata_get(depth), ROUNDS - 1);
}

static void come_and_go(void *context)
{
    wchar_t name[2] = {L'A', 0};

    (void)context;
    for (int i = 0; i < ROUNDS / 100; i++) {
        prfdata_instance instance;
        prfdata_handle jobs;

        name[0] = (wchar_t)(L'A' + i % 26);
        prfdata_instance_add(publisher, ID_QUEUES, name, NULL, &instance);
        prfdata_resolve(publisher, ID_JOBS, &instance, &jobs);
        prfdata_increment(jobs);
        prfdata_instance_remove(&instance);
    }
}

/* There are 26 names and 15 slots. If two threads add the same name, the second one gets an error,
 * and does not count. */
static void test_counter_threads_that_add_and_remove_leave_no_instance(void **state)
{
    wchar_t name[2] = {L'A', 0};
    prfdata_instance instance;

    (void)state;
    prfdata_test_threads_run(THREADS, come_and_go, NULL);
    for (int i = 0; i < 26; i++, name[0]++)
        assert_int_equal(prfdata_instance_find(publisher, ID_QUEUES, name, NULL, &instance),
                         ERROR_NOT_FOUND);
    name[0] = L'a';
    for (int i = 0; i < 15; i++, name[0]++)
        assert_int_equal(prfdata_instance_add(publisher, ID_QUEUES, name, NULL, &instance),
                         ERROR_SUCCESS);
    assert_int_equal(prfdata_instance_add(publisher, ID_QUEUES, name, NULL, &instance),
                     ERROR_NOT_ENOUGH_QUOTA);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_counter_every_counter_has_a_cell_of_its_own),
        TEST(test_counter_instances_count_apart),
        TEST(test_counter_resolve_says_why_not),
        TEST(test_counter_resolve_pair_only_where_there_is_a_base_or_a_clock),
        TEST(test_counter_every_bump_on_every_type),
        TEST(test_counter_four_byte_counters_count_in_64_bits),
        TEST(test_counter_after_reuse_every_bump_is_above_the_baseline),
        TEST(test_counter_after_reuse_a_baseline_may_be_negative),
        TEST(test_counter_zeroed_handle_counts_where_nobody_reads),
        TEST(test_counter_pair_add_counts_in_both),
        TEST(test_counter_timer_start_is_the_types_own_clock),
        TEST(test_counter_timer_stop_adds_the_time_since_start),
        TEST(test_counter_timer_stop_does_to_the_base_what_the_type_needs),
        TEST(test_counter_timer_started_in_the_future_adds_nothing),
        TEST(test_counter_timer_add_ns_counts_in_the_types_ticks),
        TEST(test_counter_stamp_never_goes_back),
        TEST(test_counter_elapsed_is_the_start_stamp_or_zero),
        TEST(test_counter_begin_and_end_are_counted_per_instance),
        TEST(test_counter_begin_and_end_around_everything_are_the_headers),
        TEST(test_counter_brackets_of_a_slot_used_again_stay_even),
        TEST(test_counter_threads_lose_no_increment),
        TEST(test_counter_threads_enter_and_leave_equally_often),
        TEST(test_counter_threads_up_and_down_add_up),
        TEST(test_counter_threads_raise_to_the_maximum),
        TEST(test_counter_threads_that_add_and_remove_leave_no_instance),
    };

    return cmocka_run_group_tests_name("counter", tests, NULL, NULL);
}
