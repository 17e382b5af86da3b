/* SPDX-License-Identifier: MIT */
/* Tests exclusive.c: which handle gets a lane, where a handle without a lane counts, and when a
 * lane is free again, even if private memory moves to a region. test_hot.c tests what readers
 * see. */
#include "support/test.h"

#include <string.h>

#include <prfdata/prfdata.h>

#include "support/provider/counting.h"
#include "support/sample_map.h"
#include "support/service.h"
#include "support/threads.h"
#include "system/os_report.h"

#define SERVICE "PrfDataTestExclusive"

enum { QUEUE_ID = 100, DEPTH_ID, JOBS_ID, JOB_TIME_ID, JOB_TIME_BASE_ID, BUSY_ID = 201 };

enum { LANES = 17 }; /* lanes for exclusive handles */

static sample_map sample;
static prfdata_test_service service;
static bool is_installed;
static prfdata_publisher *publisher;

static void install(void)
{
    prfdata_test_service_make(&service, SERVICE, &sample.map, 9700);
    is_installed = true;
}

/* Open a publisher that counts in private memory, because nothing is installed. */
static int begin(void **state)
{
    (void)state;
    sample_map_init_as(&sample, SERVICE);
    sample_map_heat(&sample);
    is_installed = false;
    (void)prfdata_open(&sample.map, &publisher);
    assert_non_null(publisher);
    return 0;
}

static int end(void **state)
{
    (void)state;
    prfdata_close_and_unmap(publisher);
    if (is_installed)
        prfdata_test_service_remove(&service);
    return 0;
}

static prfdata_instance add_queue(const wchar_t *name)
{
    return counting_add(publisher, QUEUE_ID, name, NULL);
}

static int64_t counted(uint32_t id, const prfdata_instance *instance)
{
    return prfdata_get(counting_resolve(publisher, id, instance));
}

static void take_all(uint32_t id, const prfdata_instance *instance, prfdata_exclusive *handles)
{
    for (int i = 0; i < LANES; i++) {
        handles[i] = counting_resolve_exclusive(publisher, id, instance);
        assert_true(prfdata_is_exclusive(&handles[i]));
    }
}

static void test_exclusive_zeroed_handle_counts_nowhere(void **state)
{
    prfdata_exclusive zeroed = PRFDATA_EXCLUSIVE_INIT;

    (void)state;
    assert_false(prfdata_is_exclusive(&zeroed));
    prfdata_scratch_cell = 5;
    prfdata_exclusive_add(&zeroed, 2);
    assert_int_equal(prfdata_scratch_cell, 7);
    prfdata_release_exclusive(&zeroed);
    prfdata_release_exclusive(NULL);
}

/* Each lane has its own pair of cache lines, which no other handle uses. */
static void test_exclusive_lanes_lie_apart(void **state)
{
    const prfdata_instance mail = add_queue(L"mail");
    prfdata_exclusive handles[LANES];
    prfdata_handle shared;

    (void)state;
    take_all(JOBS_ID, &mail, handles);
    assert_int_equal(prfdata_resolve(publisher, JOBS_ID, &mail, &shared), ERROR_SUCCESS);
    for (int i = 0; i < LANES; i++) {
        for (int k = 0; k < i; k++)
            assert_true((uintptr_t)handles[i].lane / 128 != (uintptr_t)handles[k].lane / 128);
        for (int k = 0; k < PRFDATA_LANES_STRIPED; k++)
            assert_true((uintptr_t)handles[i].lane / 128 !=
                        (uintptr_t)(shared.lanes + (ptrdiff_t)k * 16) / 128);
    }
}

static void test_exclusive_handles_beyond_the_lanes_count_too(void **state)
{
    const prfdata_instance mail = add_queue(L"mail");
    prfdata_exclusive handles[LANES];
    prfdata_exclusive beyond;

    (void)state;
    take_all(JOBS_ID, &mail, handles);
    beyond = counting_resolve_exclusive(publisher, JOBS_ID, &mail);
    assert_false(prfdata_is_exclusive(&beyond));
    for (int i = 0; i < LANES; i++)
        prfdata_exclusive_add(&handles[i], 10);
    prfdata_exclusive_increment(&beyond);
    assert_int_equal(counted(JOBS_ID, &mail), 10 * LANES + 1);
}

static void test_exclusive_counter_that_is_not_hot_is_counted_as_usual(void **state)
{
    const prfdata_instance mail = add_queue(L"mail");
    prfdata_exclusive depth = counting_resolve_exclusive(publisher, DEPTH_ID, &mail);

    (void)state;
    assert_false(prfdata_is_exclusive(&depth));
    prfdata_exclusive_add(&depth, 7);
    prfdata_exclusive_add(&depth, -2);
    assert_int_equal(counted(DEPTH_ID, &mail), 5);
}

static void test_exclusive_failed_look_up_gives_a_zeroed_handle(void **state)
{
    const prfdata_exclusive zeroed = PRFDATA_EXCLUSIVE_INIT;
    const prfdata_instance mail = add_queue(L"mail");
    prfdata_exclusive handle;

    (void)state;
    memset(&handle, 0x55, sizeof handle);
    assert_int_equal(prfdata_resolve_exclusive(publisher, 999, &mail, &handle), ERROR_NOT_FOUND);
    assert_memory_equal(&handle, &zeroed, sizeof handle);
    memset(&handle, 0x55, sizeof handle);
    assert_int_equal(prfdata_resolve_exclusive(publisher, JOBS_ID, NULL, &handle),
                     ERROR_INVALID_PARAMETER);
    assert_memory_equal(&handle, &zeroed, sizeof handle);
    memset(&handle, 0x55, sizeof handle);
    assert_int_equal(prfdata_resolve_exclusive(NULL, JOBS_ID, &mail, &handle),
                     ERROR_INVALID_HANDLE);
    assert_memory_equal(&handle, &zeroed, sizeof handle);
}

static void test_exclusive_released_handle_goes_on_counting(void **state)
{
    const prfdata_instance mail = add_queue(L"mail");
    prfdata_exclusive handle = counting_resolve_exclusive(publisher, JOBS_ID, &mail);

    (void)state;
    prfdata_exclusive_add(&handle, 10);
    prfdata_release_exclusive(&handle);
    assert_false(prfdata_is_exclusive(&handle));
    prfdata_exclusive_add(&handle, 5);
    assert_int_equal(counted(JOBS_ID, &mail), 15);
    prfdata_release_exclusive(&handle); /* a second release does nothing */
    assert_int_equal(counted(JOBS_ID, &mail), 15);
}

/* All lanes of three counters of 16 instances are taken. Each release frees one lane, and only a
 * handle of the same counter and the same instance gets it. Instance q releases its lane number q,
 * so that most lanes are tested. */
static void test_exclusive_released_lane_is_the_only_one_to_be_had(void **state)
{
    static const uint32_t ids[] = {JOBS_ID, JOB_TIME_ID, JOB_TIME_BASE_ID};
    static prfdata_exclusive handles[16][3][LANES];
    prfdata_instance queues[16];

    (void)state;
    for (int q = 0; q < 16; q++) {
        const wchar_t name[] = {(wchar_t)(L'a' + q), 0};

        queues[q] = add_queue(name);
        for (int c = 0; c < 3; c++)
            take_all(ids[c], &queues[q], handles[q][c]);
    }
    for (int q = 0; q < 16; q++)
        for (int c = 0; c < 3; c++) {
            uint64_t *const lane = handles[q][c][q].lane;
            prfdata_exclusive next;

            prfdata_release_exclusive(&handles[q][c][q]);
            next = counting_resolve_exclusive(publisher, ids[(c + 1) % 3], &queues[q]);
            assert_false(prfdata_is_exclusive(&next));
            next = counting_resolve_exclusive(publisher, ids[c], &queues[(q + 1) % 16]);
            assert_false(prfdata_is_exclusive(&next));
            handles[q][c][q] = counting_resolve_exclusive(publisher, ids[c], &queues[q]);
            assert_ptr_equal(handles[q][c][q].lane, lane);
        }
}

static void test_exclusive_lanes_stay_taken_while_a_publisher_is_closed(void **state)
{
    prfdata_exclusive handles[LANES];
    prfdata_exclusive next;
    prfdata_publisher *again;

    (void)state;
    take_all(BUSY_ID, NULL, handles);
    prfdata_close(publisher);
    prfdata_exclusive_increment(&handles[3]); /* a count while the publisher is closed */
    (void)prfdata_open(&sample.map, &again);
    assert_ptr_equal(again, publisher);
    next = counting_resolve_exclusive(publisher, BUSY_ID, NULL);
    assert_false(prfdata_is_exclusive(&next));
    prfdata_release_exclusive(&handles[3]);
    next = counting_resolve_exclusive(publisher, BUSY_ID, NULL);
    assert_true(prfdata_is_exclusive(&next));
    assert_int_equal(counted(BUSY_ID, NULL), 1);
}

static void test_exclusive_release_after_unmapping_does_nothing(void **state)
{
    const prfdata_instance mail = add_queue(L"mail");
    prfdata_exclusive handle = counting_resolve_exclusive(publisher, JOBS_ID, &mail);

    (void)state;
    prfdata_close_and_unmap(publisher);
    prfdata_release_exclusive(&handle);
    assert_false(prfdata_is_exclusive(&handle));
    (void)prfdata_open(&sample.map, &publisher);
}

/* The old handle keeps its lane until the handle is released, even after the publisher has got a
 * region. */
static void test_exclusive_handle_into_former_memory_loses_nothing(void **state)
{
    const prfdata_instance mail = add_queue(L"mail");
    prfdata_exclusive handles[LANES];
    prfdata_exclusive next;
    prfdata_handle old;

    (void)state;
    take_all(JOBS_ID, &mail, handles);
    assert_int_equal(prfdata_resolve(publisher, JOBS_ID, &mail, &old), ERROR_SUCCESS);
    prfdata_exclusive_add(&handles[5], 100);
    prfdata_add(old, 1000);
    install();
    assert_int_equal(prfdata_retry(publisher), ERROR_SUCCESS);
    assert_int_equal(counted(JOBS_ID, &mail), 1100);
    next = counting_resolve_exclusive(publisher, JOBS_ID, &mail);
    assert_false(prfdata_is_exclusive(&next));
    prfdata_exclusive_add(&handles[5], 20); /* counts in the private memory */
    prfdata_add(old, 2);
    prfdata_release_exclusive(&handles[5]);
    /* The next handle gets the released lane, in the region. */
    next = counting_resolve_exclusive(publisher, JOBS_ID, &mail);
    assert_true(prfdata_is_exclusive(&next));
    prfdata_exclusive_add(&next, 1);
    assert_int_equal(prfdata_retry(publisher), ERROR_SUCCESS); /* moves the counts to the region */
    assert_int_equal(counted(JOBS_ID, &mail), 1123);
    prfdata_exclusive_add(&next, 1);
    assert_int_equal(counted(JOBS_ID, &mail), 1124);
    assert_int_equal(*next.lane, 2); /* the moved counts were not added to this lane */
    /* This handle is released, so it counts with `lock`, in the private memory. */
    prfdata_exclusive_add(&handles[5], 3);
    assert_int_equal(prfdata_retry(publisher), ERROR_SUCCESS);
    assert_int_equal(counted(JOBS_ID, &mail), 1127);
}

/* Counts are moved to a lane that is used with `lock`, whichever handles have the other lanes. */
static void test_exclusive_lanes_get_nothing_that_is_moved(void **state)
{
    const prfdata_instance mail = add_queue(L"mail");
    prfdata_exclusive old[LANES];
    prfdata_exclusive handles[LANES];

    (void)state;
    take_all(JOBS_ID, &mail, old);
    for (int i = 0; i < LANES; i++)
        prfdata_exclusive_add(&old[i], 10);
    install();
    assert_int_equal(prfdata_retry(publisher), ERROR_SUCCESS);
    for (int i = 0; i < LANES; i++) {
        prfdata_exclusive_add(&old[i], 1);
        prfdata_release_exclusive(&old[i]);
    }
    take_all(JOBS_ID, &mail, handles);
    assert_int_equal(prfdata_retry(publisher), ERROR_SUCCESS);
    for (int i = 0; i < LANES; i++)
        assert_int_equal(*handles[i].lane, 0);
    assert_int_equal(counted(JOBS_ID, &mail), 11 * LANES);
}

enum { THREADS = 8, ROUNDS = 200, BUMPS = 50 };

static prfdata_instance hammered;

static void take_and_count(void *context)
{
    (void)context;
    for (int i = 0; i < ROUNDS; i++) {
        prfdata_exclusive jobs, busy;

        prfdata_resolve_exclusive(publisher, JOBS_ID, &hammered, &jobs);
        prfdata_resolve_exclusive(publisher, BUSY_ID, NULL, &busy);
        for (int k = 0; k < BUMPS; k++) {
            prfdata_exclusive_increment(&jobs);
            prfdata_exclusive_add(&busy, 3);
        }
        prfdata_release_exclusive(&busy);
        prfdata_release_exclusive(&jobs);
    }
}

/* A lane passes from thread to thread. Each thread continues from the count that the thread before
 * it reached. */
static void test_exclusive_lanes_that_change_hands_lose_nothing(void **state)
{
    (void)state;
    install();
    assert_int_equal(prfdata_retry(publisher), ERROR_SUCCESS);
    hammered = add_queue(L"mail");
    prfdata_test_threads_run(THREADS, take_and_count, NULL);
    assert_int_equal(counted(JOBS_ID, &hammered), THREADS * ROUNDS * BUMPS);
    assert_int_equal(counted(BUSY_ID, NULL), 3 * THREADS * ROUNDS * BUMPS);
}

static unsigned said_count;

#ifndef _WIN32
static void count_what_is_said(const char *text)
{
    said_count += strstr(text, "hot counter") != NULL;
}
#endif

static void watch_the_debugger(void)
{
#ifndef _WIN32
    static const prfdata_os_posix_reports reports = {count_what_is_said, NULL};

    prfdata_os_posix_set_reports(&reports);
#endif
}

static void test_exclusive_hot_counter_that_is_set_is_left_and_said_once(void **state)
{
    prfdata_handle busy;

    (void)state;
    assert_int_equal(prfdata_resolve(publisher, BUSY_ID, NULL, &busy), ERROR_SUCCESS);
    watch_the_debugger();
    prfdata_add(busy, 3);
    prfdata_scratch_cell = 77;
    prfdata_set(busy, 9);
    prfdata_raise(busy, 9);
    prfdata_set(busy, 9);
    assert_int_equal(prfdata_get(busy), 3);
    assert_int_equal(prfdata_scratch_cell, 77);
#ifndef _WIN32
    assert_int_equal(said_count, 1);
    prfdata_os_posix_set_reports(NULL);
#else
    (void)said_count;
#endif
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)

int main(void)
{
    static const struct CMUnitTest tests[] = {
        TEST(test_exclusive_hot_counter_that_is_set_is_left_and_said_once),
        TEST(test_exclusive_zeroed_handle_counts_nowhere),
        TEST(test_exclusive_lanes_lie_apart),
        TEST(test_exclusive_handles_beyond_the_lanes_count_too),
        TEST(test_exclusive_counter_that_is_not_hot_is_counted_as_usual),
        TEST(test_exclusive_failed_look_up_gives_a_zeroed_handle),
        TEST(test_exclusive_released_handle_goes_on_counting),
        TEST(test_exclusive_released_lane_is_the_only_one_to_be_had),
        TEST(test_exclusive_lanes_stay_taken_while_a_publisher_is_closed),
        TEST(test_exclusive_release_after_unmapping_does_nothing),
        TEST(test_exclusive_handle_into_former_memory_loses_nothing),
        TEST(test_exclusive_lanes_get_nothing_that_is_moved),
        TEST(test_exclusive_lanes_that_change_hands_lose_nothing),
    };

    return cmocka_run_group_tests_name("exclusive", tests, NULL, NULL);
}
