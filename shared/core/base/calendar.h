/* SPDX-License-Identifier: MIT */
/*
 * Converts days since 1601 to dates of the Gregorian calendar. The system's functions cannot
 * convert very late days.
 */
#ifndef PRFDATA_CALENDAR_H
#define PRFDATA_CALENDAR_H

#include <stdbool.h>
#include <stdint.h>

#define PRFDATA_CALENDAR_1601 134774u /* days from 1601-01-01 to 1970-01-01 */

typedef struct prfdata_calendar_date {
    uint32_t year;
    uint32_t month;   /* 1 to 12 */
    uint32_t day;     /* 1 to 31 */
    uint32_t weekday; /* 0 to 6; 0: Sunday */
} prfdata_calendar_date;

/* Get the date that is `days` days after 1601-01-01. */
prfdata_calendar_date prfdata_calendar_date_of(uint64_t days);

/*
 * Whether the eight numbers of a SYSTEMTIME are a time that Windows accepts. The day of the week is
 * not checked.
 */
bool prfdata_calendar_is_system_time(const uint16_t time[8]);

#endif
