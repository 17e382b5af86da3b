/* SPDX-License-Identifier: MIT */
/* Tests in which order groups of titles are asked for, and how long a question may take. Windows
 * only. */
#include "support/test.h"

#include <prfdata/error.h>

#include "source/provider_groups.h"

static void test_provider_groups_are_asked_in_order_and_late_ones_last(void **state)
{
    prfdata_provider_group items[5] = {0};
    const prfdata_provider_groups groups = {.items = items, .count = 5};
    static const size_t order[] = {2, 4, 0, 1};

    (void)state;
    items[0].is_late = true;
    items[1].is_late = true;
    items[3].failure = ERROR_TIMEOUT;
    for (size_t i = 0; i < 4; i++) {
        prfdata_provider_group *group = prfdata_provider_groups_next(&groups);

        assert_ptr_equal(group, &items[order[i]]);
        group->is_asked = true;
        group->is_late = true; /* not asked again for this sample */
    }
    assert_null(prfdata_provider_groups_next(&groups));
}

static void test_provider_groups_time_is_half_until_it_is_too_short(void **state)
{
    (void)state;
    assert_int_equal(prfdata_provider_groups_time(8000, 2, 1000), 4000);
    assert_int_equal(prfdata_provider_groups_time(8000, 30, 1000), 4000);
    assert_int_equal(prfdata_provider_groups_time(2000, 30, 1000), 1000);
    assert_int_equal(prfdata_provider_groups_time(1900, 30, 1000), 475);
    assert_int_equal(prfdata_provider_groups_time(1900, 3, 1000), 633);
    assert_int_equal(prfdata_provider_groups_time(1900, 2, 1000), 950);
    assert_int_equal(prfdata_provider_groups_time(1900, 1, 1000), 1900);
}

static void test_provider_groups_after_five_that_hang_have_time(void **state)
{
    uint64_t left_ms = 2500;

    (void)state;
    for (size_t count = 6; count > 1; count--)
        left_ms -= prfdata_provider_groups_time(left_ms, count, 1000);
    assert_in_range(left_ms, 200, 2500);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_provider_groups_are_asked_in_order_and_late_ones_last),
        cmocka_unit_test(test_provider_groups_time_is_half_until_it_is_too_short),
        cmocka_unit_test(test_provider_groups_after_five_that_hang_have_time),
    };

    return cmocka_run_group_tests_name("provider_groups", tests, NULL, NULL);
}
