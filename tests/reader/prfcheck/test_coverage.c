/* SPDX-License-Identifier: MIT */
/* Tests which scenarios must run again and which checked nothing, from the objects that each of
 * them saw. */
#include "support/test.h"

#include <string.h>

#include "prfcheck/coverage.h"

static prfdata_coverage coverage;

static void run_covered(uint32_t scenario, uint32_t saw, uint32_t seen, uint32_t late_ms)
{
    prfdata_coverage_begin(&coverage, scenario);
    prfdata_coverage_end(&coverage, scenario, saw, seen, late_ms);
}

static void expect_again(const char *expected)
{
    char digits[PRFDATA_COVERAGE_MOST + 1];
    uint32_t ones = 0;

    for (const char *at = expected; *at; at++)
        ones += *at == '1';
    assert_int_equal(prfdata_coverage_find_again(&coverage, (uint32_t)strlen(expected), digits),
                     ones);
    assert_string_equal(digits, expected);
}

static void test_coverage_what_sees_all_runs_once(void **state)
{
    (void)state;
    memset(&coverage, 0, sizeof coverage);
    for (uint32_t i = 0; i < 4; i++)
        run_covered(i, 7, 7, 0);
    expect_again("0000");
    assert_int_equal(prfdata_coverage_count_blind(&coverage), 0);
    assert_int_equal(prfdata_coverage_count_done(&coverage), 4);
}

static void test_coverage_what_began_before_objects_runs_again(void **state)
{
    (void)state;
    memset(&coverage, 0, sizeof coverage);
    run_covered(0, 0, 0, 0);
    run_covered(1, 0, 3, 1200); /* the objects came while it ran */
    run_covered(2, 3, 5, 2500); /* an instance came */
    run_covered(3, 5, 5, 2500);
    expect_again("1110");
    assert_int_equal(coverage.late_ms, 2500);
    assert_int_equal(prfdata_coverage_count_blind(&coverage), 2);
    for (uint32_t i = 0; i < 3; i++)
        run_covered(i, 5, 5, 1100);
    expect_again("0000");
    assert_int_equal(prfdata_coverage_count_blind(&coverage), 0);
    assert_int_equal(coverage.late_ms, 2500);
}

/* The objects vanished while prfcheck ran. A scenario that saw only some of them does not run
 * again, because that would not bring back the others. A scenario that saw none runs again. */
static void test_coverage_what_began_after_objects_went_does_not(void **state)
{
    (void)state;
    memset(&coverage, 0, sizeof coverage);
    run_covered(0, 6, 6, 0);
    run_covered(1, 4, 6, 0);
    run_covered(2, 0, 6, 0);
    expect_again("001");
    run_covered(2, 0, 6, 0);
    assert_true(prfdata_coverage_is_blind(&coverage, 2));
    assert_int_equal(prfdata_coverage_count_blind(&coverage), 1);
}

/* A scenario whose process ended has a finding of its own. It need not run again, and does not
 * count as a scenario that saw no objects. */
static void test_coverage_what_ended_its_process_is_neither(void **state)
{
    (void)state;
    memset(&coverage, 0, sizeof coverage);
    prfdata_coverage_begin(&coverage, 0);
    run_covered(1, 2, 2, 0);
    expect_again("00");
    assert_int_equal(prfdata_coverage_count_blind(&coverage), 0);
    assert_int_equal(prfdata_coverage_count_done(&coverage), 1);
}

/* A scenario is blind if it ran and saw no objects. A scenario that was left out is not blind,
 * because it did not run. */
static void test_coverage_counts_parts_apart(void **state)
{
    (void)state;
    memset(&coverage, 0, sizeof coverage);
    run_covered(0, 7, 7, 0);
    prfdata_coverage_note_part(&coverage, 0, PRFDATA_COVERAGE_LESS);
    run_covered(1, 7, 7, 0);
    prfdata_coverage_begin(&coverage, 2);
    prfdata_coverage_note_part(&coverage, 2, PRFDATA_COVERAGE_LEFT_OUT);
    assert_int_equal(prfdata_coverage_part_of(&coverage, 0), PRFDATA_COVERAGE_LESS);
    assert_int_equal(prfdata_coverage_part_of(&coverage, 1), PRFDATA_COVERAGE_WHOLE);
    assert_int_equal(prfdata_coverage_count_part(&coverage, PRFDATA_COVERAGE_LESS), 1);
    assert_int_equal(prfdata_coverage_count_part(&coverage, PRFDATA_COVERAGE_LEFT_OUT), 1);
    assert_int_equal(prfdata_coverage_count_blind(&coverage), 0);
    assert_int_equal(prfdata_coverage_count_done(&coverage), 2);
    expect_again("000");
    prfdata_coverage_note_part(&coverage, 2, PRFDATA_COVERAGE_WHOLE); /* the scenario ran later */
    assert_int_equal(prfdata_coverage_count_part(&coverage, PRFDATA_COVERAGE_LEFT_OUT), 0);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_coverage_what_sees_all_runs_once),
        cmocka_unit_test(test_coverage_what_began_before_objects_runs_again),
        cmocka_unit_test(test_coverage_what_began_after_objects_went_does_not),
        cmocka_unit_test(test_coverage_what_ended_its_process_is_neither),
        cmocka_unit_test(test_coverage_counts_parts_apart),
    };

    return cmocka_run_group_tests_name("coverage", tests, NULL, NULL);
}
