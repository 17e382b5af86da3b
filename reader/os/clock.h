/* SPDX-License-Identifier: MIT */
/* Tells the time of day, in clock_win32.c and clock_posix.c. system/os.h has the clocks for
 * intervals. */
#ifndef PRFDATA_READER_CLOCK_H
#define PRFDATA_READER_CLOCK_H

#include <stddef.h>
#include <stdint.h>

/*
 * Convert a time to local time, both as SYSTEMTIME's eight numbers.
 * utc  NULL, or an invalid time: now.
 */
void prfdata_clock_local_time(const uint16_t utc[8], uint16_t local[8]);

/*
 * Get the time now, in UTC.
 * utc  Set to SYSTEMTIME's eight numbers.
 * Returns FILETIME: units of 100 ns since 1601.
 */
int64_t prfdata_clock_utc(uint16_t utc[8]);

#define PRFDATA_CLOCK_ZONE_CHARS 64

/* A time zone in one season (standard or daylight saving time). {0} is UTC without a name. */
typedef struct prfdata_clock_zone {
    uint16_t chars[PRFDATA_CLOCK_ZONE_CHARS];
    size_t char_count;
    int32_t bias_minutes; /* add this to local time to get UTC */
} prfdata_clock_zone;

/*
 * Get the local time zone and its season at a time, by the rules of that year.
 * utc  As for prfdata_clock_local_time().
 */
void prfdata_clock_zone_at(const uint16_t utc[8], prfdata_clock_zone *zone);

/*
 * Convert a time to the local time of a zone and season, even if the time itself is in another
 * season.
 * utc  As for prfdata_clock_local_time().
 */
void prfdata_clock_time_in(const prfdata_clock_zone *zone, const uint16_t utc[8],
                           uint16_t local[8]);

#endif
