/* SPDX-License-Identifier: MIT */
/* Tests publishers that are private because the program asks for it. The service is installed, and
 * a publisher that takes the part of another program publishes. A unit test with a private
 * publisher sees only its own counts, and the file of the other program does not change. */
#include "support/test.h"

#include <stdlib.h>
#include <string.h>

#include <prfdata/prfdata.h>

#include "client/publisher.h"
#include "support/provider/counting.h"
#include "support/sample_map.h"
#include "support/service.h"

#define SERVICE "PrfDataTestPrivate"

enum { ID_QUEUES = 100, ID_DEPTH, ID_JOBS, ID_JOB_TIME, ID_SIZES = 900, PRODUCTION = 7, OWN = 5 };

/* clang-format off */
static const prfdata_map_entry sizes[] = {
    PRFDATA_MAP_DISTRIBUTION(ID_SIZES, PRFDATA_UNIT_BYTES, 1, 1000000)
};
/* clang-format on */

static prfdata_test_service service;
static sample_map sample;
static prfdata_publisher *production;
static prfdata_handle production_jobs;
static prfdata_publisher *unit; /* the publisher of the unit test */

static prfdata_handle open_jobs(prfdata_publisher **publisher)
{
    prfdata_instance mail;

    *publisher = counting_open(&sample.map);
    mail = counting_add(*publisher, ID_QUEUES, L"mail", NULL);
    return counting_resolve(*publisher, ID_JOBS, &mail);
}

static int install(void **state)
{
    (void)state;
    sample_map_init_as(&sample, SERVICE);
    sample_map_insert(&sample, QUEUES_TOTAL + 1, sizes);
    prfdata_test_service_make(&service, SERVICE, &sample.map, 0);
    production_jobs = open_jobs(&production);
    prfdata_add(production_jobs, PRODUCTION);
    prfdata_set_private(1);
    return 0;
}

static int uninstall(void **state)
{
    (void)state;
    prfdata_set_private(0);
    prfdata_close_and_unmap(unit);
    unit = NULL;
    prfdata_close_and_unmap(production);
    return prfdata_test_service_end(&service);
}

/* Return the bytes of the only file, which belongs to the other program. */
static void *read_production(size_t *size)
{
    prfdata_test_file files[2];
    void *bytes;

    assert_int_equal(prfdata_test_service_files(&service, files, 2), 1);
    bytes = prfdata_test_service_read_file(&service, files[0].name, size);
    assert_non_null(bytes);
    return bytes;
}

static void count_own(void)
{
    const prfdata_handle jobs = open_jobs(&unit);

    assert_int_equal(prfdata_get(jobs), 0);
    prfdata_add(jobs, OWN);
    assert_int_equal(prfdata_get(jobs), OWN);
}

static void test_private_unit_test_that_runs_twice_sees_its_own_counts(void **state)
{
    size_t before_size, after_size;
    void *before = read_production(&before_size);
    void *after;

    (void)state;
    count_own();
    /* The counts of a closed publisher must not appear in a later publisher. */
    prfdata_close(unit);
    count_own();
    prfdata_close_and_unmap(unit);
    count_own();
    after = read_production(&after_size);
    assert_int_equal(before_size, after_size);
    assert_memory_equal(before, after, before_size);
    free(before);
    free(after);
    assert_int_equal(prfdata_get(production_jobs), PRODUCTION);
}

static void test_private_two_at_once_share_nothing(void **state)
{
    prfdata_publisher *other;
    const prfdata_handle others = open_jobs(&other);

    (void)state;
    count_own();
    assert_int_equal(prfdata_get(others), 0);
    prfdata_close_and_unmap(other);
}

static void test_private_is_never_published_nor_watched(void **state)
{
    char text[PRFDATA_STATUS_BYTES];

    (void)state;
    count_own();
    assert_null(unit->watch);
    assert_int_equal(prfdata_retry(unit), ERROR_SUCCESS);
    assert_null(unit->region.bytes);
    assert_int_equal(prfdata_status(unit, text, sizeof text), ERROR_SUCCESS);
    assert_non_null(strstr(text, "in private memory, because it called"));
    /* No attempt to publish is ever due, so closing does not publish the counts either. */
    assert_false(prfdata_publisher_is_due(unit, UINT64_MAX - 1));
    prfdata_close(unit);
    assert_int_equal(prfdata_status(unit, NULL, 0), ERROR_INVALID_HANDLE);
    assert_int_equal(prfdata_retry(unit), ERROR_INVALID_HANDLE);
}

static void test_private_needs_no_installation(void **state)
{
    (void)state;
    prfdata_test_service_uninstall(&service);
    count_own();
}

static void test_private_ends_with_the_request(void **state)
{
    prfdata_test_file files[2];

    (void)state;
    count_own();
    prfdata_close(unit);
    unit = NULL;
    prfdata_set_private(0);
    assert_int_equal(prfdata_get(open_jobs(&unit)), 0);
    assert_non_null(unit->region.bytes);
    assert_int_equal(prfdata_test_service_files(&service, files, 2), 2);
}

static void test_private_takes_capacities_and_refuses_wrong_ones(void **state)
{
    prfdata_capacity one = {ID_QUEUES, 1};
    prfdata_instance added;

    (void)state;
    assert_int_equal(prfdata_open_with(&sample.map, &one, 1, &unit), ERROR_SUCCESS);
    counting_add(unit, ID_QUEUES, L"mail", NULL);
    assert_int_equal(prfdata_instance_add(unit, ID_QUEUES, L"fax", NULL, &added),
                     ERROR_NOT_ENOUGH_QUOTA);
    prfdata_close_and_unmap(unit);
    one.max_instances = 0;
    assert_int_equal(prfdata_open_with(&sample.map, &one, 1, &unit), ERROR_INVALID_PARAMETER);
    assert_null(unit);
}

static prfdata_distribution resolve_sizes(prfdata_instance *mail)
{
    prfdata_distribution found;

    assert_int_equal(prfdata_resolve_distribution(unit, ID_SIZES, mail, &found), ERROR_SUCCESS);
    return found;
}

static void assert_near(uint64_t value, uint64_t expected)
{
    assert_in_range(value, expected - expected / 8, expected + expected / 8);
}

static void test_private_distribution_is_read_back(void **state)
{
    prfdata_distribution of_mail;
    prfdata_instance mail;

    (void)state;
    unit = counting_open(&sample.map);
    mail = counting_add(unit, ID_QUEUES, L"mail", NULL);
    of_mail = resolve_sizes(&mail);
    assert_int_equal(prfdata_recorded_count(of_mail), 0);
    assert_int_equal(prfdata_recorded_mean(of_mail), 0);
    assert_int_equal(prfdata_recorded_maximum(of_mail), 0);
    for (uint32_t i = 1; i <= 100; i++)
        prfdata_record(of_mail, 10 * i);
    assert_int_equal(prfdata_recorded_count(of_mail), 100);
    assert_int_equal(prfdata_recorded_sum(of_mail), 50500);
    assert_int_equal(prfdata_recorded_mean(of_mail), 505);
    assert_near(prfdata_recorded_percentile(of_mail, 5000), 500);
    assert_near(prfdata_recorded_percentile(of_mail, 9900), 990);
    assert_near(prfdata_recorded_percentile(of_mail, 1), 10);
    assert_near(prfdata_recorded_maximum(of_mail), 1000);
    assert_int_equal(prfdata_recorded_percentile(of_mail, 20000),
                     prfdata_recorded_maximum(of_mail));
    assert_int_equal(prfdata_recorded_percentile(of_mail, 0), 0);
}

static void test_private_distribution_of_another_name_in_the_slot_is_not_read(void **state)
{
    const prfdata_capacity one = {ID_QUEUES, 1};
    prfdata_distribution old, own;
    prfdata_instance mail;

    (void)state;
    assert_int_equal(prfdata_open_with(&sample.map, &one, 1, &unit), ERROR_SUCCESS);
    mail = counting_add(unit, ID_QUEUES, L"mail", NULL);
    old = resolve_sizes(&mail);
    prfdata_record(old, 100);
    assert_int_equal(prfdata_instance_remove(&mail), ERROR_SUCCESS);
    mail = counting_add(unit, ID_QUEUES, L"fax", NULL);
    own = resolve_sizes(&mail);
    /* If "mail" and "fax" did not use the same memory, this test would prove nothing. */
    assert_ptr_equal(own.words, old.words);
    assert_int_equal(prfdata_recorded_count(own), 0);
    prfdata_record(own, 3);
    assert_int_equal(prfdata_recorded_count(own), 1);
    assert_int_equal(prfdata_recorded_sum(own), 3);
}

static void test_private_distribution_that_is_none_reads_0(void **state)
{
    const prfdata_distribution none = PRFDATA_DISTRIBUTION_INIT;

    (void)state;
    assert_int_equal(prfdata_recorded_count(none), 0);
    assert_int_equal(prfdata_recorded_sum(none), 0);
    assert_int_equal(prfdata_recorded_mean(none), 0);
    assert_int_equal(prfdata_recorded_maximum(none), 0);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, install, uninstall)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_private_unit_test_that_runs_twice_sees_its_own_counts),
        TEST(test_private_two_at_once_share_nothing),
        TEST(test_private_is_never_published_nor_watched),
        TEST(test_private_needs_no_installation),
        TEST(test_private_ends_with_the_request),
        TEST(test_private_takes_capacities_and_refuses_wrong_ones),
        TEST(test_private_distribution_is_read_back),
        TEST(test_private_distribution_of_another_name_in_the_slot_is_not_read),
        TEST(test_private_distribution_that_is_none_reads_0),
    };

    return cmocka_run_group_tests_name("private", tests, NULL, NULL);
}
