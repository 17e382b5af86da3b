/* SPDX-License-Identifier: MIT */
/* Times of day: clock_win32.c and clock_posix.c. core/os.h has the clocks for intervals. */
#ifndef PRFDATA_READER_CLOCK_H
#define PRFDATA_READER_CLOCK_H

#include <stddef.h>
#include <stdint.h>

/*
 * Convert a time to the local one, both as SYSTEMTIME's eight numbers.
 * utc  NULL, or one that is no time: now.
 */
void prfdata_clock_local_time(const uint16_t utc[8], uint16_t local[8]);

/*
 * Get the time now, in UTC.
 * utc  Set to SYSTEMTIME's eight numbers.
 * Returns FILETIME: units of 100 ns since 1601.
 */
int64_t prfdata_clock_utc(uint16_t utc[8]);

/*
 * Get the name of the time zone in this season; at most `capacity` chars are stored.
 * bias_minutes  Set to what has to be added to local time for UTC.
 * Returns how many chars.
 */
size_t prfdata_clock_time_zone(uint16_t *chars, size_t capacity, int32_t *bias_minutes);

#endif
