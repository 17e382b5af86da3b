/* SPDX-License-Identifier: MIT */
/* Tells the time of day with the C library. */
#define _GNU_SOURCE /* timegm, tm_gmtoff */
#include "os/clock.h"

#include <string.h>
#include <time.h>

#include "base/calendar.h"
#include "os/posix.h"

static void store_tm(const struct tm *time, uint16_t milliseconds, uint16_t numbers[8])
{
    numbers[0] = (uint16_t)(time->tm_year + 1900);
    numbers[1] = (uint16_t)(time->tm_mon + 1);
    numbers[2] = (uint16_t)time->tm_wday;
    numbers[3] = (uint16_t)time->tm_mday;
    numbers[4] = (uint16_t)time->tm_hour;
    numbers[5] = (uint16_t)time->tm_min;
    numbers[6] = (uint16_t)time->tm_sec;
    numbers[7] = milliseconds;
}

/* Return the seconds from 1970 to a time; to now, if the time is NULL or invalid. */
static time_t seconds_of(const uint16_t utc[8], uint16_t *milliseconds)
{
    struct timespec now;
    struct tm time;

    if (!utc || !prfdata_calendar_is_system_time(utc)) {
        clock_gettime(CLOCK_REALTIME, &now);
        *milliseconds = (uint16_t)(now.tv_nsec / 1000000);
        return now.tv_sec;
    }
    memset(&time, 0, sizeof time);
    time.tm_year = utc[0] - 1900;
    time.tm_mon = utc[1] - 1;
    time.tm_mday = utc[3];
    time.tm_hour = utc[4];
    time.tm_min = utc[5];
    time.tm_sec = utc[6];
    *milliseconds = utc[7];
    return timegm(&time);
}

void prfdata_clock_local_time(const uint16_t utc[8], uint16_t local[8])
{
    uint16_t milliseconds;
    const time_t seconds = seconds_of(utc, &milliseconds);
    struct tm time;

    if (!localtime_r(&seconds, &time))
        memset(&time, 0, sizeof time);
    store_tm(&time, milliseconds, local);
}

void prfdata_clock_zone_at(const uint16_t utc[8], prfdata_clock_zone *zone)
{
    uint16_t milliseconds;
    const time_t seconds = seconds_of(utc, &milliseconds);
    struct tm here;

    memset(zone, 0, sizeof *zone);
    if (!localtime_r(&seconds, &here))
        return;
    zone->bias_minutes = (int32_t)(-here.tm_gmtoff / 60);
    zone->char_count = prfdata_posix_put_ascii(here.tm_zone, zone->chars, PRFDATA_CLOCK_ZONE_CHARS);
}

void prfdata_clock_time_in(const prfdata_clock_zone *zone, const uint16_t utc[8], uint16_t local[8])
{
    uint16_t milliseconds;
    const time_t seconds = seconds_of(utc, &milliseconds) - (time_t)zone->bias_minutes * 60;
    struct tm time;

    if (!gmtime_r(&seconds, &time))
        memset(&time, 0, sizeof time);
    store_tm(&time, milliseconds, local);
}

int64_t prfdata_clock_utc(uint16_t utc[8])
{
    const int64_t seconds_before_1970 = 11644473600;
    struct timespec now;
    struct tm time;

    clock_gettime(CLOCK_REALTIME, &now);
    if (!gmtime_r(&now.tv_sec, &time))
        memset(&time, 0, sizeof time);
    store_tm(&time, (uint16_t)(now.tv_nsec / 1000000), utc);
    return (now.tv_sec + seconds_before_1970) * 10000000 + now.tv_nsec / 100;
}
