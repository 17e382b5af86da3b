/* SPDX-License-Identifier: MIT */
/* Times of day by the system's own conversions. */
#include "os/clock.h"

#include <stdbool.h>
#include <string.h>

#include <windows.h>

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

void prfdata_clock_local_time(const uint16_t utc[8], uint16_t local[8])
{
    SYSTEMTIME meant;
    SYSTEMTIME here;

    GetLocalTime(&here);
    if (utc) {
        meant.wYear = utc[0];
        meant.wMonth = utc[1];
        meant.wDayOfWeek = utc[2];
        meant.wDay = utc[3];
        meant.wHour = utc[4];
        meant.wMinute = utc[5];
        meant.wSecond = utc[6];
        meant.wMilliseconds = utc[7];
        if (!SystemTimeToTzSpecificLocalTime(NULL, &meant, &here))
            GetLocalTime(&here);
    }
    store_system_time(&here, local);
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

size_t prfdata_clock_time_zone(uint16_t *chars, size_t capacity, int32_t *bias_minutes)
{
    TIME_ZONE_INFORMATION zone;
    bool daylight = GetTimeZoneInformation(&zone) == TIME_ZONE_ID_DAYLIGHT;
    const wchar_t *name = daylight ? zone.DaylightName : zone.StandardName;
    size_t count = 0;

    *bias_minutes = (int32_t)(zone.Bias + (daylight ? zone.DaylightBias : zone.StandardBias));
    for (; count < 32 && count < capacity && name[count] != 0; count++)
        chars[count] = name[count];
    return count;
}
