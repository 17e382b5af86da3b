/* SPDX-License-Identifier: MIT */
/*
 * Computes dates by arithmetic. Years start in March here, so that the leap day is the last day of
 * the year.
 */
#include "base/calendar.h"

#define DAYS_OF_400_YEARS 146097u

prfdata_calendar_date prfdata_calendar_date_of(uint64_t days)
{
    const uint64_t since_march = days + 306; /* since 1600-03-01 */
    const uint32_t day_of_era = (uint32_t)(since_march % DAYS_OF_400_YEARS);
    const uint32_t year_of_era =
        (day_of_era - day_of_era / 1460 + day_of_era / 36524 - day_of_era / 146096) / 365;
    const uint32_t day_of_year =
        day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    const uint32_t month = (5 * day_of_year + 2) / 153; /* 0: March */
    prfdata_calendar_date date;

    date.day = day_of_year - (153 * month + 2) / 5 + 1;
    date.month = month < 10 ? month + 3 : month - 9;
    date.year =
        1600 + (uint32_t)(since_march / DAYS_OF_400_YEARS) * 400 + year_of_era + (date.month <= 2);
    date.weekday = (uint32_t)((days + 1) % 7); /* 1601-01-01 was a Monday */
    return date;
}

bool prfdata_calendar_is_system_time(const uint16_t time[8])
{
    static const uint16_t days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    const bool is_leap = time[0] % 4 == 0 && (time[0] % 100 != 0 || time[0] % 400 == 0);

    return time[0] >= 1601 && time[0] <= 30827 && time[1] >= 1 && time[1] <= 12 && time[3] >= 1 &&
           time[3] <= days[time[1] - 1] + (time[1] == 2 && is_leap) && time[4] <= 23 &&
           time[5] <= 59 && time[6] <= 59 && time[7] <= 999;
}
