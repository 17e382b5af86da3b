/* SPDX-License-Identifier: MIT */
/* Tests how the processor's time is shared among scenarios, with a given clock. */
#include "support/test.h"

#include "scenarios/allowance.h"

/* Make an allowance of 1,000 ms for scenarios of 1, 4 and 5 shares. */
static prfdata_allowance make(void)
{
    const prfdata_allowance allowance = {1000, 10, 0};

    return allowance;
}

static void test_allowance_is_shared_by_the_shares(void **state)
{
    prfdata_allowance a = make();

    (void)state;
    prfdata_allowance_begin(&a, 1, 0);
    assert_int_equal(prfdata_allowance_left_ms(&a, 0), 100);
    assert_int_equal(prfdata_allowance_left_ms(&a, 99), 1);
    assert_int_equal(prfdata_allowance_left_ms(&a, 100), 0);
    prfdata_allowance_begin(&a, 4, 100);
    assert_int_equal(prfdata_allowance_left_ms(&a, 100), 400);
    prfdata_allowance_begin(&a, 5, 500);
    assert_int_equal(prfdata_allowance_left_ms(&a, 500), 500);
}

static void test_allowance_what_is_not_used_is_for_the_next(void **state)
{
    prfdata_allowance a = make();

    (void)state;
    prfdata_allowance_begin(&a, 1, 0);
    prfdata_allowance_begin(&a, 4, 10);
    /* The scenario has 4 of the remaining 9 shares, so it gets 4/9 of the remaining 990 ms. */
    assert_int_equal(prfdata_allowance_left_ms(&a, 10), 440);
    prfdata_allowance_begin(&a, 5, 10);
    assert_int_equal(prfdata_allowance_left_ms(&a, 10), 990);
}

static void test_allowance_what_is_used_too_much_is_missing(void **state)
{
    prfdata_allowance a = make();

    (void)state;
    prfdata_allowance_begin(&a, 1, 0);
    assert_int_equal(prfdata_allowance_left_ms(&a, 640), 0);
    prfdata_allowance_begin(&a, 4, 640);
    assert_int_equal(prfdata_allowance_left_ms(&a, 640), 160);
    assert_false(prfdata_allowance_is_spent(&a, 999));
    assert_true(prfdata_allowance_is_spent(&a, 1000));
    prfdata_allowance_begin(&a, 5, 1200);
    assert_int_equal(prfdata_allowance_left_ms(&a, 1200), 0);
}

/* A scenario that is not among the shares gets all of the remaining time. */
static void test_allowance_beyond_the_shares_is_all(void **state)
{
    prfdata_allowance a = make();

    (void)state;
    prfdata_allowance_begin(&a, 11, 0);
    assert_int_equal(prfdata_allowance_left_ms(&a, 0), 1000);
    prfdata_allowance_begin(&a, 1, 300);
    assert_int_equal(prfdata_allowance_left_ms(&a, 300), 700);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_allowance_is_shared_by_the_shares),
        cmocka_unit_test(test_allowance_what_is_not_used_is_for_the_next),
        cmocka_unit_test(test_allowance_what_is_used_too_much_is_missing),
        cmocka_unit_test(test_allowance_beyond_the_shares_is_all),
    };

    return cmocka_run_group_tests_name("allowance", tests, NULL, NULL);
}
