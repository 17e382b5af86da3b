/* SPDX-License-Identifier: MIT */
/* Tests that the stamp of services changes if a service is installed, upgraded or removed. */
#include "support/test.h"

#include <prfdata/error.h>

#include "base/fnv.h"
#include "source/service_stamps.h"
#include "source/source.h"
#include "support/sample_map.h"
#include "support/service.h"

#define SERVICE "PrfDataTestStamps"

static sample_map sample;
static prfdata_test_service service;

static uint64_t stamp(void)
{
    return prfdata_service_stamps_add(PRFDATA_FNV_START);
}

static void test_service_stamps_move_when_a_service_is_written(void **state)
{
    const prfdata_map_entry counter = sample_map_counter(900, PERF_COUNTER_RAWCOUNT);
    uint64_t before;
    uint64_t titles;

    (void)state;
    sample_map_init_as(&sample, SERVICE);
    prfdata_test_service_make(&service, SERVICE, &sample.map, 9000);
    prfdata_service_stamps_find();
    before = stamp();
    assert_true(stamp() == before);
    titles = prfdata_source_system_titles_stamp(NULL);
    assert_true(prfdata_source_system_titles_stamp(NULL) == titles);
    sample_map_insert(&sample, DEPTH, &counter);
    prfdata_test_service_upgrade(&service, &sample.map);
    assert_true(stamp() != before);
    assert_true(prfdata_source_system_titles_stamp(NULL) != titles);
    before = stamp();
    prfdata_test_service_remove(&service);
    assert_true(stamp() != before);
}

/* A new service is noticed when titles are loaded. They are loaded because the stamp of the title
 * database changes. */
static void test_service_stamps_of_a_new_service_come_with_its_titles(void **state)
{
    prfdata_titles loaded = {0};
    uint64_t before;

    (void)state;
    prfdata_service_stamps_find();
    before = stamp();
    sample_map_init_as(&sample, SERVICE);
    prfdata_test_service_make(&service, SERVICE, &sample.map, 9000);
    assert_true(stamp() == before);
    (void)prfdata_source_load_system_titles(NULL, &loaded);
    assert_true(stamp() != before);
    prfdata_titles_free(&loaded);
    prfdata_test_service_remove(&service);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_service_stamps_move_when_a_service_is_written),
        cmocka_unit_test(test_service_stamps_of_a_new_service_come_with_its_titles),
    };

    return cmocka_run_group_tests_name("service_stamps", tests, NULL, NULL);
}
