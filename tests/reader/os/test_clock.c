/* SPDX-License-Identifier: MIT */
/* Tests that a local time has the zone and the season of its own date, not the current ones. */
#ifndef _WIN32
#define _POSIX_C_SOURCE 200809L /* setenv, tzset */
#endif
#include "support/test.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#ifndef _WIN32
#include <unistd.h>
#endif

#include "os/clock.h"

static void set(uint16_t utc[8], unsigned year, unsigned month, unsigned day, unsigned hour)
{
    const uint16_t numbers[] = {
        (uint16_t)year, (uint16_t)month, 0, (uint16_t)day, (uint16_t)hour, 30, 15, 250};

    memcpy(utc, numbers, sizeof numbers);
}

/* Return the minutes since the month began. */
static int32_t minutes_of(const uint16_t time[8])
{
    return (time[3] * 24 + time[4]) * 60 + time[5];
}

/* The test passes in any time zone of the computer. It tries each month of many years, because the
 * rules of summer time change. */
static void test_clock_zone_of_a_time_is_that_of_its_local_time(void **state)
{
    (void)state;
    for (unsigned year = 1995; year <= 2040; year++) {
        for (unsigned month = 1; month <= 12; month++) {
            uint16_t utc[8];
            uint16_t local[8];
            uint16_t moved[8];
            prfdata_clock_zone zone;

            set(utc, year, month, 15, 12);
            prfdata_clock_local_time(utc, local);
            prfdata_clock_zone_at(utc, &zone);
            prfdata_clock_time_in(&zone, utc, moved);
            assert_memory_equal(moved, local, sizeof local);
            assert_int_equal(minutes_of(utc) - minutes_of(local), zone.bias_minutes);
            assert_true(zone.char_count > 0 && zone.char_count <= PRFDATA_CLOCK_ZONE_CHARS);
        }
    }
}

#ifndef _WIN32

static void choose_zone(const char *zone)
{
    assert_int_equal(setenv("TZ", zone, 1), 0);
    tzset();
}

static void test_clock_zone_has_its_season_and_the_rules_of_its_year(void **state)
{
    static const struct {
        const char *zone;
        unsigned year;
        unsigned month;
        unsigned day;
        const char *name;
        int32_t bias;
    } cases[] = {
        {"CET-1CEST,M3.5.0,M10.5.0/3", 2026, 7, 1, "CEST", -120},
        {"CET-1CEST,M3.5.0,M10.5.0/3", 2026, 11, 27, "CET", -60},
        {"IST-5:30", 2026, 7, 1, "IST", -330},
        {"<+1030>-10:30<+11>-11,M10.1.0,M4.1.0", 2026, 1, 15, "+11", -660},
        {"<+1030>-10:30<+11>-11,M10.1.0,M4.1.0", 2026, 7, 15, "+1030", -630},
        {"NST3:30NDT,M3.2.0,M11.1.0", 2026, 7, 1, "NDT", 150},
        {"/Europe/Berlin", 2026, 7, 1, "CEST", -120},
        {"/America/New_York", 2006, 3, 20, "EST", 300}, /* summer began in April until 2006 */
        {"/America/New_York", 2007, 3, 20, "EDT", 240},
        /* Brazil lies south of the equator and has had no summer time since 2019. */
        {"/America/Sao_Paulo", 2019, 1, 15, "-02", 120},
        {"/America/Sao_Paulo", 2020, 1, 15, "-03", 180},
        {"/Europe/Moscow", 2012, 1, 15, "MSK", -240}, /* Moscow had another standard time then */
        {"/Europe/Moscow", 2015, 1, 15, "MSK", -180},
        {"/Asia/Kathmandu", 2026, 1, 15, "+0545", -345},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const bool is_named = cases[i].zone[0] == '/';
        char name[PRFDATA_CLOCK_ZONE_CHARS + 1];
        prfdata_clock_zone zone;
        uint16_t utc[8];
        size_t n = 0;
        char file[100];

        snprintf(file, sizeof file, "/usr/share/zoneinfo%s", cases[i].zone);
        if (is_named && access(file, R_OK) != 0)
            continue; /* this system has no tables of time zones */
        choose_zone(is_named ? cases[i].zone + 1 : cases[i].zone);
        set(utc, cases[i].year, cases[i].month, cases[i].day, 12);
        prfdata_clock_zone_at(utc, &zone);
        for (; n < zone.char_count; n++)
            name[n] = (char)zone.chars[n];
        name[n] = 0;
        if (strcmp(name, cases[i].name) != 0 || zone.bias_minutes != cases[i].bias)
            fail_msg("%s in %u-%u: %s %d", cases[i].zone, cases[i].year, cases[i].month, name,
                     (int)zone.bias_minutes);
        test_clock_zone_of_a_time_is_that_of_its_local_time(state);
    }
}

/* Berlin's clocks show 02:30 twice, at 00:30 and at 01:30 UTC. prfdata_clock_time_in() keeps the
 * difference from UTC, so its times do not go back. */
static void test_clock_time_in_a_zone_goes_on_over_a_change(void **state)
{
    prfdata_clock_zone zone;
    uint16_t utc[8];
    uint16_t local[8];

    (void)state;
    choose_zone("CET-1CEST,M3.5.0,M10.5.0/3");
    set(utc, 2026, 10, 25, 0);
    prfdata_clock_zone_at(utc, &zone);
    for (unsigned hour = 0; hour < 4; hour++) {
        set(utc, 2026, 10, 25, hour);
        prfdata_clock_time_in(&zone, utc, local);
        assert_int_equal(local[4], hour + 2);
        assert_int_equal(local[7], 250);
    }
    set(utc, 2026, 10, 25, 1);
    prfdata_clock_local_time(utc, local);
    assert_int_equal(local[4], 2);
}

#endif

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_clock_zone_of_a_time_is_that_of_its_local_time),
#ifndef _WIN32
        cmocka_unit_test(test_clock_zone_has_its_season_and_the_rules_of_its_year),
        cmocka_unit_test(test_clock_time_in_a_zone_goes_on_over_a_change),
#endif
    };

    return cmocka_run_group_tests_name("clock", tests, NULL, NULL);
}
