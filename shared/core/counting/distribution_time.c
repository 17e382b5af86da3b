/* SPDX-License-Identifier: MIT */
/* The time of distributions, apart from their bytes: what only checks a map asks for no time. */
#include "counting/distribution.h"
#include "system/os.h"

uint32_t prfdata_distribution_time(void)
{
    return (uint32_t)(prfdata_os_milliseconds() >> PRFDATA_DISTRIBUTION_TIME_BITS);
}
