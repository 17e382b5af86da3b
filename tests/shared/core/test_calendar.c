/* SPDX-License-Identifier: MIT */
/* Tests known dates: the first one, leap days, the last day of a 400-year period, 1970 and
 * later. */
#include "support/test.h"

#include "base/calendar.h"

static void test_calendar_knows_leap_years_and_weekdays(void **state)
{
    static const struct {
        uint64_t days;
        prfdata_calendar_date date;
    } dates[] = {
        {0, {1601, 1, 1, 1}},        {58, {1601, 2, 28, 3}},
        {59, {1601, 3, 1, 4}},       {PRFDATA_CALENDAR_1601, {1970, 1, 1, 4}},
        {145790, {2000, 2, 29, 2}},  {145791, {2000, 3, 1, 3}},
        {146096, {2000, 12, 31, 0}}, {155531, {2026, 10, 31, 6}},
        {155532, {2026, 11, 1, 0}},  {182620, {2100, 12, 31, 5}},
    };

    (void)state;
    for (size_t i = 0; i < sizeof dates / sizeof dates[0]; i++) {
        const prfdata_calendar_date date = prfdata_calendar_date_of(dates[i].days);

        assert_int_equal(date.year, dates[i].date.year);
        assert_int_equal(date.month, dates[i].date.month);
        assert_int_equal(date.day, dates[i].date.day);
        assert_int_equal(date.weekday, dates[i].date.weekday);
    }
}

/* Each day follows the day before, for 800 years. */
static void test_calendar_leaves_no_day_out(void **state)
{
    prfdata_calendar_date before = prfdata_calendar_date_of(0);

    (void)state;
    for (uint64_t day = 1; day < UINT64_C(2) * 146097; day++) {
        const prfdata_calendar_date date = prfdata_calendar_date_of(day);

        assert_int_equal(date.weekday, (before.weekday + 1) % 7);
        if (date.day > 1)
            assert_true(date.day == before.day + 1 && date.month == before.month);
        else
            assert_true(before.day >= 28 && date.month == before.month % 12 + 1);
        assert_int_equal(date.year, before.year + (date.day == 1 && date.month == 1));
        before = date;
    }
}

/* The numbers are year, month, day of the week, day, hour, minute, second and milliseconds. */
static void test_calendar_refuses_times_that_do_not_exist(void **state)
{
    static const struct {
        uint16_t time[8];
        bool exists;
    } cases[] = {
        {{1601, 1, 0, 1, 0, 0, 0, 0}, true},         {{1600, 12, 0, 31, 0, 0, 0, 0}, false},
        {{30827, 12, 0, 31, 23, 59, 59, 999}, true}, {{30828, 1, 0, 1, 0, 0, 0, 0}, false},
        {{2028, 2, 0, 29, 0, 0, 0, 0}, true},        {{2026, 2, 0, 29, 0, 0, 0, 0}, false},
        {{2000, 2, 0, 29, 0, 0, 0, 0}, true},        {{2100, 2, 0, 29, 0, 0, 0, 0}, false},
        {{2026, 4, 9, 30, 0, 0, 0, 0}, true},        {{2026, 4, 0, 31, 0, 0, 0, 0}, false},
        {{2026, 0, 0, 1, 0, 0, 0, 0}, false},        {{2026, 13, 0, 1, 0, 0, 0, 0}, false},
        {{2026, 1, 0, 0, 0, 0, 0, 0}, false},        {{2026, 1, 0, 1, 24, 0, 0, 0}, false},
        {{2026, 1, 0, 1, 0, 60, 0, 0}, false},       {{2026, 1, 0, 1, 0, 0, 60, 0}, false},
        {{2026, 1, 0, 1, 0, 0, 0, 1000}, false},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        assert_int_equal(prfdata_calendar_is_system_time(cases[i].time), cases[i].exists);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_calendar_knows_leap_years_and_weekdays),
        cmocka_unit_test(test_calendar_leaves_no_day_out),
        cmocka_unit_test(test_calendar_refuses_times_that_do_not_exist),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
