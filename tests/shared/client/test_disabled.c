/* SPDX-License-Identifier: MIT */
/* Compiles a program like the example of prfdata.h with PRFDATA_DISABLED and without the library.
 * Every call must exist, succeed and do nothing. */
#include "support/test.h"

#include <prfdata/prfdata.h>

#ifndef PRFDATA_DISABLED
#error "this test is about PRFDATA_DISABLED"
#endif

PRFDATA_DEFINE_OBJECT(MY_QUEUES, 100);
PRFDATA_DEFINE_COUNTER(MY_DEPTH, 101);
PRFDATA_DEFINE_COUNTER(MY_TIME, 102);
PRFDATA_DEFINE_COUNTER(MY_TIME_BASE, 103);

// clang-format off
PRFDATA_MAP_BEGIN()
    PRFDATA_MAP_OBJ(MY_QUEUES, L"My Queues", L"The queues.", PERF_DETAIL_NOVICE, MY_DEPTH, 16, 40)
    PRFDATA_MAP_CTR(MY_DEPTH, L"Depth", L"Jobs that wait.", PERF_DETAIL_NOVICE, 0,
                    PERF_COUNTER_RAWCOUNT)
    PRFDATA_MAP_CTR(MY_TIME, L"Avg. sec/Job", L"Time of a job.", PERF_DETAIL_NOVICE, 0,
                    PERF_AVERAGE_TIMER)
    PRFDATA_MAP_CTR(MY_TIME_BASE, L"Avg. sec/Job", L"The base.", PERF_DETAIL_NOVICE, 0,
                    PERF_AVERAGE_BASE)
PRFDATA_MAP_END("MyService")
// clang-format on

static prfdata_publisher *const garbage = (prfdata_publisher *)&prfdata_default_map;

static void test_disabled_every_opening_succeeds_with_no_publisher(void **state)
{
    const prfdata_capacity capacity = {MY_QUEUES, 2};
    prfdata_publisher *publisher = garbage;
    char text[PRFDATA_STATUS_BYTES] = "x";

    (void)state;
    assert_int_equal(prfdata_open(&prfdata_default_map, &publisher), ERROR_SUCCESS);
    assert_null(publisher);
    publisher = garbage;
    assert_int_equal(prfdata_open_with(&prfdata_default_map, &capacity, 1, &publisher),
                     ERROR_SUCCESS);
    assert_null(publisher);
    assert_int_equal(prfdata_dropped(publisher), 0);
    assert_int_equal(prfdata_retry(publisher), ERROR_SUCCESS);
    assert_int_equal(prfdata_status(publisher, text, sizeof text), ERROR_SUCCESS);
    assert_string_equal(text, "");
    assert_int_equal(prfdata_status(publisher, NULL, 0), ERROR_SUCCESS);
    prfdata_close(publisher);
    prfdata_close_and_unmap(publisher);
}

static void test_disabled_instances_are_zeroed(void **state)
{
    prfdata_instance instance = {garbage, 1, 2, 3};

    (void)state;
    assert_int_equal(prfdata_instance_add(NULL, MY_QUEUES, L"mail", NULL, &instance),
                     ERROR_SUCCESS);
    assert_null(instance.publisher);
    assert_int_equal(instance.object_index, 0);
    assert_int_equal(instance.slot_index, 0);
    assert_int_equal(instance.generation, 0);
    assert_int_equal(prfdata_instance_add_id(NULL, MY_QUEUES, 7, &instance, &instance),
                     ERROR_SUCCESS);
    assert_int_equal(prfdata_instance_find(NULL, MY_QUEUES, L"mail", NULL, &instance),
                     ERROR_SUCCESS);
    assert_int_equal(prfdata_instance_find_id(NULL, MY_QUEUES, 7, NULL, &instance), ERROR_SUCCESS);
    prfdata_begin(&instance);
    prfdata_end(&instance);
    prfdata_begin_all(NULL);
    prfdata_end_all(NULL);
    assert_int_equal(prfdata_instance_remove(&instance), ERROR_SUCCESS);
}

static void test_disabled_bumps_do_nothing(void **state)
{
    prfdata_handle depth = {(uint64_t *)(uintptr_t)8, NULL, NULL}; /* must not be accessed */

    (void)state;
    prfdata_increment(depth);
    prfdata_decrement(depth);
    prfdata_add(depth, 1);
    prfdata_subtract(depth, 1);
    prfdata_set(depth, 1);
    prfdata_raise(depth, 1);
    prfdata_elapsed_start(depth);
    prfdata_elapsed_stop(depth);
    assert_int_equal(prfdata_get(depth), 0);
    assert_int_equal(prfdata_resolve(NULL, MY_DEPTH, NULL, &depth), ERROR_SUCCESS);
    assert_null(depth.cell);
}

static void test_disabled_pairs_and_timers_do_nothing(void **state)
{
    prfdata_pair pair = PRFDATA_PAIR_INIT;

    (void)state;
    pair.value.cell = pair.base.cell = (uint64_t *)(uintptr_t)8;
    prfdata_pair_add(pair, 1, 2);
    prfdata_average_add(pair, 1);
    prfdata_timer_stop(pair, prfdata_timer_start(pair));
    assert_int_equal(prfdata_timer_start(pair), 0);
    assert_int_equal(prfdata_resolve_pair(NULL, MY_TIME, NULL, &pair), ERROR_SUCCESS);
    assert_null(pair.value.cell);
    assert_null(pair.base.cell);
}

static void test_disabled_exclusive_handles_do_nothing(void **state)
{
    prfdata_exclusive depth = {(uint64_t *)(uintptr_t)8, NULL, NULL}; /* must not be accessed */

    (void)state;
    assert_false(prfdata_is_exclusive(&depth));
    prfdata_exclusive_increment(&depth);
    prfdata_exclusive_add(&depth, 1);
    prfdata_release_exclusive(&depth);
    assert_int_equal(prfdata_resolve_exclusive(NULL, MY_DEPTH, NULL, &depth), ERROR_SUCCESS);
    assert_null(depth.lane);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_disabled_every_opening_succeeds_with_no_publisher),
        cmocka_unit_test(test_disabled_instances_are_zeroed),
        cmocka_unit_test(test_disabled_bumps_do_nothing),
        cmocka_unit_test(test_disabled_exclusive_handles_do_nothing),
        cmocka_unit_test(test_disabled_pairs_and_timers_do_nothing),
    };

    return cmocka_run_group_tests_name("disabled", tests, NULL, NULL);
}
