/* SPDX-License-Identifier: MIT */
/* Holds the words of a service's health for map files. The provider computes the values. */
#include "region/health_word.h"

#include <stddef.h>

#include <prfdata/map.h>

static const char *const health_words[PRFDATA_HEALTH_LAST + 1] = {
    [PRFDATA_HEALTH_PUBLISHERS] = "publishers",     [PRFDATA_HEALTH_ENDED] = "ended",
    [PRFDATA_HEALTH_UNREADABLE] = "unreadable",     [PRFDATA_HEALTH_UNSHOWN] = "unshown",
    [PRFDATA_HEALTH_DROPPED] = "dropped",           [PRFDATA_HEALTH_TORN] = "torn",
    [PRFDATA_HEALTH_COLLECT_US] = "collect_us",     [PRFDATA_HEALTH_NO_MEMORY] = "no_memory",
    [PRFDATA_HEALTH_SHORT_BUFFER] = "short_buffer",
};

const char *prfdata_health_word(uint32_t number)
{
    return number <= PRFDATA_HEALTH_LAST ? health_words[number] : NULL;
}
