/* SPDX-License-Identifier: MIT */
/* Tests the totals that readers show as means: totals of gauges with PRFDATA_OPTION_TOTAL_MEAN, and
 * totals of multi timers. */
#include "support/test.h"

#include <prfdata/prfdata.h>

#include "snapshot/cells.h"
#include "support/provider/collecting.h"
#include "support/provider/provided_sample.h"

#define SERVICE "PrfDataTestTotals"

enum { FIRST_COUNTER = 9100, QUEUE_TITLE = 9100, DEPTH_AT = 0, JOBS_AT = 1 };
enum { QUEUE_ID = 100, DEPTH_ID, JOBS_ID };

const provided_sample_service provided_sample_is = {SERVICE, FIRST_COUNTER};
static prfdata_publisher *publishers[2];

static void install(void)
{
    provided_begin(&sample.map, FIRST_COUNTER);
    for (int i = 0; i < 2; i++)
        assert_int_equal(prfdata_open(&sample.map, &publishers[i]), ERROR_SUCCESS);
}

static int uninstall(void **state)
{
    for (int i = 0; i < 2; i++)
        prfdata_close_and_unmap(publishers[i]);
    return provided_end(state);
}

static prfdata_instance add_queue(int publisher, const wchar_t *name, int64_t depth)
{
    prfdata_instance queue;
    prfdata_handle handle;

    assert_int_equal(prfdata_instance_add(publishers[publisher], QUEUE_ID, name, NULL, &queue), 0);
    assert_int_equal(prfdata_resolve(publishers[publisher], DEPTH_ID, &queue, &handle), 0);
    prfdata_set(handle, depth);
    return queue;
}

static uint64_t shown(const char *instance, uint32_t position)
{
    return collected_value_now(provider, "9100", QUEUE_TITLE, "", instance, position);
}

static int64_t mean_of(const int64_t *values, uint32_t count)
{
    uint64_t rows[3 * 4] = {0};
    uint64_t total[4] = {77, 78, 79, 80};
    prfdata_model *model;

    assert_int_equal(prfdata_model_make(&sample.map, &model), ERROR_SUCCESS);
    assert_int_equal(model->objects[0].cell_count, 4);
    for (uint32_t i = 0; i < count; i++)
        rows[4 * i] = (uint64_t)values[i];
    prfdata_cells_mean(&model->objects[0], rows, count, total);
    for (uint32_t i = 1; i < 4; i++)
        assert_int_equal(total[i], 77 + i); /* the other cells are sums */
    prfdata_model_free(model);
    return (int64_t)total[0];
}

static void test_totals_mean_is_rounded_to_the_nearest(void **state)
{
    static const struct {
        uint32_t count;
        int64_t values[3];
        int64_t mean;
    } cases[] = {
        {0, {0, 0, 0}, 0},
        {1, {-7, 0, 0}, -7},
        {2, {1, 2, 0}, 2},
        {2, {-1, -2, 0}, -2},
        {3, {1, 1, 2}, 1},
        {3, {1, 2, 2}, 2},
        {3, {-1, -2, -2}, -2},
        {3, {10, 20, 33}, 21},
        {3, {5, 5, -10}, 0},
        {2, {INT64_MAX, INT64_MAX - 1, 0}, INT64_MAX},
        {3, {INT64_MAX, INT64_MAX, INT64_MAX}, INT64_MAX},
        {3, {INT64_MIN, INT64_MIN, INT64_MIN}, INT64_MIN},
        {3, {INT64_MIN, INT64_MAX, 1}, 0},
    };

    (void)state;
    sample_map_insert_option(&sample, DEPTH_MAX, PRFDATA_OPTION_TOTAL_MEAN, 0);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        if (mean_of(cases[i].values, cases[i].count) != cases[i].mean)
            fail_msg("case %u: %lld", (unsigned)i,
                     (long long)mean_of(cases[i].values, cases[i].count));
}

/* If two programs have the same instance, the mean includes the instance once, with the sum of both
 * programs' values. */
static void test_totals_mean_is_of_the_instances_that_are_shown(void **state)
{
    prfdata_instance mail;

    (void)state;
    sample.entries[DEPTH_MAX].option = PRFDATA_OPTION_TOTAL_MEAN;
    install();
    assert_int_equal(shown("_Total", DEPTH_AT), 0);
    mail = add_queue(0, L"mail", 40);
    add_queue(1, L"mail", 20);
    add_queue(1, L"print", 80);
    assert_int_equal(shown("mail", DEPTH_AT), 60);
    assert_int_equal(shown("_Total", DEPTH_AT), 70);
    assert_int_equal(prfdata_instance_remove(&mail), ERROR_SUCCESS);
    assert_int_equal(shown("_Total", DEPTH_AT), 50);
    prfdata_close(publishers[1]);
    assert_int_equal(shown("_Total", DEPTH_AT), 0);
}

static void test_totals_mean_of_maxima_is_the_mean_of_what_instances_show(void **state)
{
    (void)state;
    sample_map_insert_option(&sample, DEPTH_MAX, PRFDATA_OPTION_TOTAL_MEAN, 0);
    install();
    add_queue(0, L"mail", 40);
    add_queue(1, L"mail", 20);
    add_queue(1, L"print", 80);
    assert_int_equal(shown("mail", DEPTH_AT), 40);
    assert_int_equal(shown("_Total", DEPTH_AT), 60);
}

static void add_worker(int publisher, const wchar_t *name, int64_t busy)
{
    prfdata_instance worker = add_queue(publisher, name, 0);
    prfdata_pair time;

    assert_int_equal(prfdata_resolve_pair(publishers[publisher], JOBS_ID, &worker, &time), 0);
    prfdata_set(time.base, 1);
    prfdata_add(time.value, busy);
}

/* Readers divide the growth of the total time by the number of instances. The counter after the
 * time has this number. */
static void test_totals_of_a_multi_timer_have_the_time_and_the_instances(void **state)
{
    const prfdata_map_entry base = sample_map_counter(150, PERF_COUNTER_MULTI_BASE);

    (void)state;
    sample.entries[JOBS].type = PERF_100NSEC_MULTI_TIMER;
    sample_map_insert(&sample, JOBS + 1, &base);
    install();
    add_worker(0, L"a", 1000);
    add_worker(0, L"b", 2000);
    add_worker(1, L"c", 4000);
    assert_int_equal(shown("_Total", JOBS_AT), 7000);
    assert_int_equal(shown("_Total", JOBS_AT + 1), 3);
    prfdata_close_and_unmap(publishers[0]);
    assert_int_equal(shown("_Total", JOBS_AT), 7000); /* an accumulating count never falls */
    assert_int_equal(shown("_Total", JOBS_AT + 1), 1);
    assert_int_equal(prfdata_open(&sample.map, &publishers[0]), ERROR_SUCCESS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_totals_mean_is_rounded_to_the_nearest, provided_sample_init),
#define CASE(name) cmocka_unit_test_setup_teardown(name, provided_sample_init, uninstall)
        CASE(test_totals_mean_is_of_the_instances_that_are_shown),
        CASE(test_totals_mean_of_maxima_is_the_mean_of_what_instances_show),
        CASE(test_totals_of_a_multi_timer_have_the_time_and_the_instances),
#undef CASE
    };

    return cmocka_run_group_tests_name("totals", tests, NULL, NULL);
}
