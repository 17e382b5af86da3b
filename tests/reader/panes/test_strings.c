/* SPDX-License-Identifier: MIT */
/* Tests what prfview writes about times. Windows only. */
#include "support/test.h"

#include "panes/strings.h"

#define MINUTE_MS INT64_C(60000)
#define DAY_MS    (1440 * MINUTE_MS)

/* The year counts, too: a clock that was wrong may be set forward by a year. */
static void test_strings_a_day_has_a_year(void **state)
{
    const SYSTEMTIME noon = {2026, 12, 2, 1, 12, 0, 0, 0}; /* in UTC */
    FILETIME file;
    int64_t noon_ms;

    (void)state;
    assert_true(SystemTimeToFileTime(&noon, &file));
    noon_ms = (int64_t)(((uint64_t)file.dwHighDateTime << 32 | file.dwLowDateTime) / 10000);
    assert_true(prfdata_strings_is_same_day(noon_ms, noon_ms + MINUTE_MS));
    assert_false(prfdata_strings_is_same_day(noon_ms, noon_ms + DAY_MS));
    assert_false(prfdata_strings_is_same_day(noon_ms, noon_ms + 31 * DAY_MS)); /* 1 January */
    assert_false(prfdata_strings_is_same_day(noon_ms, noon_ms + 365 * DAY_MS));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_strings_a_day_has_a_year),
    };

    return cmocka_run_group_tests_name("strings", tests, NULL, NULL);
}
