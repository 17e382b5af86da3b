/* SPDX-License-Identifier: MIT */
/*
 * Reads the clock of distributions. This is a separate file, so that programs that only check maps
 * do not link a clock.
 */
#include "counting/distribution.h"
#include "system/os.h"

uint32_t prfdata_distribution_time(void)
{
    return (uint32_t)(prfdata_os_milliseconds() >> PRFDATA_DISTRIBUTION_TIME_BITS);
}
