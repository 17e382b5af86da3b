/* SPDX-License-Identifier: MIT */
/*
 * Reads the time of distributions. It is in a separate file because code that only checks maps
 * needs no time.
 */
#include "counting/distribution.h"
#include "system/os.h"

uint32_t prfdata_distribution_time(void)
{
    return (uint32_t)(prfdata_os_milliseconds() >> PRFDATA_DISTRIBUTION_TIME_BITS);
}
