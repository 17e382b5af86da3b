/* SPDX-License-Identifier: MIT */
/* Tests shared/calls/calls.c: each call does the same as the in-line function with its name. */
#include "support/test.h"

#include <string.h>

#include <prfdata/calls.h>

#include "support/sample_map.h"

enum { ID_QUEUES = 100, ID_DEPTH, ID_JOBS, ID_JOB_TIME, ID_WORKERS = 200, ID_LATENCY = 900 };

/* clang-format off */
static const prfdata_map_entry latency[] = {
    PRFDATA_MAP_DISTRIBUTION(ID_LATENCY, PRFDATA_UNIT_100NS, 10, 10000000000)
};
/* clang-format on */

static sample_map sample;
/* This publisher counts in private memory, because nothing is installed. */
static prfdata_publisher *publisher;
static prfdata_instance mail;

static int open_sample(void **state)
{
    (void)state;
    sample_map_init_as(&sample, "PrfDataTestCalls");
    sample_map_insert_option(&sample, JOBS + 1, PRFDATA_OPTION_HOT, 0);
    sample.entries[JOBS + 1].symbol = "PRFDATA_MAP_HOT";
    sample_map_insert(&sample, QUEUES_TOTAL + 1, latency);
    assert_int_equal(prfdata_open(&sample.map, &publisher), ERROR_FILE_NOT_FOUND);
    assert_non_null(publisher);
    assert_int_equal(prfdata_instance_add(publisher, ID_QUEUES, L"mail", NULL, &mail), 0);
    return 0;
}

static int close_sample(void **state)
{
    (void)state;
    prfdata_close_and_unmap(publisher);
    return 0;
}

static void test_calls_bump_what_the_handle_counts(void **state)
{
    prfdata_handle depth;

    (void)state;
    assert_int_equal(prfdata_resolve(publisher, ID_DEPTH, &mail, &depth), ERROR_SUCCESS);
    prfdata_call_set(&depth, 40);
    prfdata_call_increment(&depth);
    prfdata_call_add(&depth, 10);
    prfdata_call_subtract(&depth, 3);
    prfdata_call_decrement(&depth);
    assert_int_equal(prfdata_call_get(&depth), 47);
    assert_int_equal(prfdata_get(depth), 47);
    prfdata_call_raise(&depth, 46);
    assert_int_equal(prfdata_get(depth), 47);
    prfdata_call_raise(&depth, 50);
    assert_int_equal(prfdata_get(depth), 50);
}

static void test_calls_the_cell_is_where_a_counter_counts(void **state)
{
    prfdata_handle depth, jobs;

    (void)state;
    assert_int_equal(prfdata_resolve(publisher, ID_DEPTH, &mail, &depth), ERROR_SUCCESS);
    assert_non_null(prfdata_call_cell(&depth));
    *prfdata_call_cell(&depth) += 5;
    assert_int_equal(prfdata_get(depth), 5);
    /* A hot counter has many cells, so there is no single cell to return. */
    assert_int_equal(prfdata_resolve(publisher, ID_JOBS, &mail, &jobs), ERROR_SUCCESS);
    assert_null(prfdata_call_cell(&jobs));
    prfdata_call_increment(&jobs);
    assert_int_equal(prfdata_call_get(&jobs), 1);
}

static void test_calls_count_in_an_exclusive_lane(void **state)
{
    prfdata_exclusive jobs;
    prfdata_handle shared;

    (void)state;
    assert_int_equal(prfdata_resolve(publisher, ID_JOBS, &mail, &shared), ERROR_SUCCESS);
    assert_int_equal(prfdata_resolve_exclusive(publisher, ID_JOBS, &mail, &jobs), ERROR_SUCCESS);
    prfdata_call_exclusive_add(&jobs, 7);
    assert_int_equal(prfdata_get(shared), 7);
    prfdata_release_exclusive(&jobs);
}

static void test_calls_time_and_average(void **state)
{
    prfdata_pair job_time;
    uint64_t started;

    (void)state;
    assert_int_equal(prfdata_resolve_pair(publisher, ID_JOB_TIME, &mail, &job_time), 0);
    started = prfdata_call_timer_start(&job_time);
    assert_true(started > 0);
    prfdata_call_timer_stop(&job_time, started - 1);
    assert_int_equal(prfdata_get(job_time.base), 1);
    assert_true(prfdata_get(job_time.value) >= 1);
    prfdata_call_average_add(&job_time, 1000000);
    assert_int_equal(prfdata_get(job_time.base), 2);
    prfdata_call_pair_add(&job_time, 5, 3);
    assert_int_equal(prfdata_get(job_time.base), 5);
    assert_int_equal(prfdata_call_get_value(&job_time), prfdata_get(job_time.value));
    assert_int_equal(prfdata_call_get_base(&job_time), 5);
}

static void test_calls_keep_the_start_of_an_elapsed_time(void **state)
{
    prfdata_handle started;

    (void)state;
    assert_int_equal(prfdata_resolve(publisher, ID_DEPTH, &mail, &started), ERROR_SUCCESS);
    prfdata_call_elapsed_start(&started);
    assert_true(prfdata_get(started) > 0);
    prfdata_call_elapsed_stop(&started);
    assert_int_equal(prfdata_get(started), 0);
}

static uint64_t count_values(const prfdata_distribution *of, uint64_t *sum)
{
    uint64_t count = 0;

    *sum = of->words[PRFDATA_DISTRIBUTION_SUM];
    for (uint32_t i = 0; i < of->shape.bucket_count; i++)
        count += of->words[PRFDATA_DISTRIBUTION_BUCKETS + i];
    return count;
}

static void test_calls_record_in_a_distribution(void **state)
{
    prfdata_distribution times;
    uint64_t started, sum;

    (void)state;
    assert_int_equal(prfdata_resolve_distribution(publisher, ID_LATENCY, &mail, &times), 0);
    prfdata_call_record(&times, 5000000000); /* a value of more than 32 bits */
    assert_int_equal(count_values(&times, &sum), 1);
    assert_true(sum == 5000000000);
    started = prfdata_call_record_start();
    assert_true(started > 0);
    prfdata_call_record_since(&times, started);
    assert_int_equal(count_values(&times, &sum), 2);
    assert_int_equal(prfdata_call_recorded_count(&times), 2);
    assert_true(prfdata_call_recorded_sum(&times) == sum);
    assert_true(prfdata_call_recorded_mean(&times) == prfdata_recorded_mean(times));
    assert_true(prfdata_call_recorded_maximum(&times) == prfdata_recorded_maximum(times));
    assert_true(prfdata_call_recorded_percentile(&times, 9900) ==
                prfdata_recorded_percentile(times, 9900));
}

static void test_calls_find_ids_by_symbol(void **state)
{
    uint32_t id = 0;

    (void)state;
    assert_int_equal(prfdata_call_find_id(publisher, "JOBS", &id), ERROR_SUCCESS);
    assert_int_equal(id, ID_JOBS);
    assert_int_equal(prfdata_call_find_id(publisher, "QUEUES", &id), ERROR_SUCCESS);
    assert_int_equal(id, ID_QUEUES);
    assert_int_equal(prfdata_call_find_id(publisher, "PRFDATA_MAP_HOT", &id), ERROR_NOT_FOUND);
    assert_int_equal(prfdata_call_find_id(publisher, "NOTHING", &id), ERROR_NOT_FOUND);
    assert_int_equal(prfdata_call_find_id(NULL, "JOBS", &id), ERROR_INVALID_HANDLE);
    assert_int_equal(id, ID_QUEUES);
}

static void test_calls_of_nothing_do_nothing(void **state)
{
    (void)state;
    prfdata_call_increment(NULL);
    prfdata_call_set(NULL, 3);
    prfdata_call_exclusive_add(NULL, 1);
    prfdata_call_pair_add(NULL, 1, 1);
    prfdata_call_timer_stop(NULL, prfdata_call_timer_start(NULL));
    prfdata_call_elapsed_start(NULL);
    prfdata_call_elapsed_stop(NULL);
    prfdata_call_record(NULL, 1);
    prfdata_call_record_since(NULL, 0);
    assert_ptr_equal(prfdata_call_cell(NULL), &prfdata_scratch_cell);
}

static void test_calls_sizes_are_those_of_the_structures(void **state)
{
    prfdata_call_sizes sizes;

    (void)state;
    prfdata_call_get_sizes(&sizes);
    assert_int_equal(sizes.handle, sizeof(prfdata_handle));
    assert_int_equal(sizes.pair, sizeof(prfdata_pair));
    assert_int_equal(sizes.instance, sizeof(prfdata_instance));
    assert_int_equal(sizes.exclusive, sizeof(prfdata_exclusive));
    assert_int_equal(sizes.distribution, sizeof(prfdata_distribution));
    /* The bindings allocate 128 bytes for each of these structures. */
    assert_true(sizes.handle <= 128 && sizes.pair <= 128);
    assert_true(sizes.instance <= 128 && sizes.exclusive <= 128);
    assert_true(sizes.distribution <= 128);
    assert_int_equal(prfdata_call_version(), PRFDATA_CALLS_VERSION);
    assert_string_equal(prfdata_version(), PRFDATA_VERSION);
}

#define TEST(function) cmocka_unit_test_setup_teardown(function, open_sample, close_sample)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_calls_bump_what_the_handle_counts),
        TEST(test_calls_the_cell_is_where_a_counter_counts),
        TEST(test_calls_count_in_an_exclusive_lane),
        TEST(test_calls_time_and_average),
        TEST(test_calls_keep_the_start_of_an_elapsed_time),
        TEST(test_calls_record_in_a_distribution),
        TEST(test_calls_find_ids_by_symbol),
        TEST(test_calls_of_nothing_do_nothing),
        TEST(test_calls_sizes_are_those_of_the_structures),
    };

    return cmocka_run_group_tests_name("calls", tests, NULL, NULL);
}
