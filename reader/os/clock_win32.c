/* SPDX-License-Identifier: MIT */
/* Tells the time of day with the system's own conversions. */
#include "os/clock.h"

#include <stdbool.h>
#include <string.h>

#include <windows.h>

#define UNITS_PER_MINUTE INT64_C(600000000) /* units of FILETIME */

static void store_system_time(const SYSTEMTIME *time, uint16_t numbers[8])
{
    numbers[0] = time->wYear;
    numbers[1] = time->wMonth;
    numbers[2] = time->wDayOfWeek;
    numbers[3] = time->wDay;
    numbers[4] = time->wHour;
    numbers[5] = time->wMinute;
    numbers[6] = time->wSecond;
    numbers[7] = time->wMilliseconds;
}

/* Return the time; if it is NULL or invalid, the current time. */
static SYSTEMTIME system_time_of(const uint16_t utc[8])
{
    SYSTEMTIME time;
    FILETIME valid;

    if (utc) {
        time.wYear = utc[0];
        time.wMonth = utc[1];
        time.wDayOfWeek = utc[2];
        time.wDay = utc[3];
        time.wHour = utc[4];
        time.wMinute = utc[5];
        time.wSecond = utc[6];
        time.wMilliseconds = utc[7];
        if (SystemTimeToFileTime(&time, &valid))
            return time;
    }
    GetSystemTime(&time);
    return time;
}

/*
 * Find the local time and the rules of its year. Without rules, SystemTimeToTzSpecificLocalTime()
 * would use the current rules even for a past year.
 */
static void find_local_time(const SYSTEMTIME *utc, SYSTEMTIME *local, TIME_ZONE_INFORMATION *rules)
{
    WORD year = utc->wYear;

    for (int i = 0; i < 2; i++) {
        if (!GetTimeZoneInformationForYear(year, NULL, rules))
            (void)GetTimeZoneInformation(rules);
        if (!SystemTimeToTzSpecificLocalTime(rules, utc, local))
            *local = *utc;
        if (local->wYear == year)
            break;
        year = local->wYear;
    }
}

void prfdata_clock_local_time(const uint16_t utc[8], uint16_t local[8])
{
    const SYSTEMTIME meant = system_time_of(utc);
    TIME_ZONE_INFORMATION rules;
    SYSTEMTIME here;

    find_local_time(&meant, &here, &rules);
    store_system_time(&here, local);
}

static int64_t file_time_of(const SYSTEMTIME *time)
{
    FILETIME found = {0, 0};

    (void)SystemTimeToFileTime(time, &found);
    return (int64_t)((uint64_t)found.dwHighDateTime << 32 | found.dwLowDateTime);
}

void prfdata_clock_zone_at(const uint16_t utc[8], prfdata_clock_zone *zone)
{
    const SYSTEMTIME meant = system_time_of(utc);
    TIME_ZONE_INFORMATION rules;
    const wchar_t *name;
    SYSTEMTIME here;

    memset(zone, 0, sizeof *zone);
    find_local_time(&meant, &here, &rules);
    zone->bias_minutes = (int32_t)((file_time_of(&meant) - file_time_of(&here)) / UNITS_PER_MINUTE);
    name = zone->bias_minutes == (int32_t)(rules.Bias + rules.StandardBias) ? rules.StandardName
                                                                            : rules.DaylightName;
    for (; zone->char_count < 32 && name[zone->char_count] != 0; zone->char_count++)
        zone->chars[zone->char_count] = name[zone->char_count];
}

void prfdata_clock_time_in(const prfdata_clock_zone *zone, const uint16_t utc[8], uint16_t local[8])
{
    const SYSTEMTIME meant = system_time_of(utc);
    const uint64_t there = (uint64_t)(file_time_of(&meant) - zone->bias_minutes * UNITS_PER_MINUTE);
    const FILETIME moved = {(DWORD)there, (DWORD)(there >> 32)};
    SYSTEMTIME time;

    if (!FileTimeToSystemTime(&moved, &time))
        time = meant;
    store_system_time(&time, local);
}

int64_t prfdata_clock_utc(uint16_t utc[8])
{
    FILETIME now;
    SYSTEMTIME time;

    GetSystemTimeAsFileTime(&now);
    if (!FileTimeToSystemTime(&now, &time))
        memset(&time, 0, sizeof time);
    store_system_time(&time, utc);
    return (int64_t)((uint64_t)now.dwHighDateTime << 32 | now.dwLowDateTime);
}
