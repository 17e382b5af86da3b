/* SPDX-License-Identifier: MIT */
/* Says in words where each option of map_options.c belongs. */
#include "check/map_advice.h"

#include <stddef.h>

#include <prfdata/map.h>

#define SHOWN_ADVICE                                                                               \
    "this belongs after a counter of a RAWCOUNT, COUNTER, BULK_COUNT or DELTA type, once and "     \
    "without PRFDATA_MAP_MERGE_MAX, PRFDATA_MAP_TOTAL_MEAN and PRFDATA_MAP_HOT"

#define OBJECT_WITH_INSTANCES_ADVICE                                                               \
    "this belongs after an object with instances, once and before its counters"

static const struct {
    uint32_t bit;
    const char *text;
} advice[] = {
    {PRFDATA_OPTION_ACCUMULATING,
     "this belongs after a counter of a RAWCOUNT, RAWCOUNT_HEX or RAW_FRACTION type, "
     "once and without PRFDATA_MAP_MERGE_MAX and PRFDATA_MAP_TOTAL_MEAN"},
    {PRFDATA_OPTION_MERGE_MAX,
     "this belongs after a counter of a RAWCOUNT or RAWCOUNT_HEX type, once and "
     "without PRFDATA_MAP_ACCUMULATING"},
    {PRFDATA_OPTION_TOTAL_MEAN,
     "this belongs after a counter of a RAWCOUNT or RAWCOUNT_HEX type of an object "
     "with PRFDATA_MAP_TOTAL, once and without PRFDATA_MAP_ACCUMULATING; if times "
     "accumulate, the total of PERF_100NSEC_MULTI_TIMER is a mean"},
    {PRFDATA_OPTION_HOT,
     "this belongs, once, after a counter that accumulates (a rate, difference, queue "
     "length, timer or average, or one with PRFDATA_MAP_ACCUMULATING), and not after its "
     "base, which is as hot as its counter"},
    {PRFDATA_OPTION_METRIC,
     "this belongs after a counter that is neither a base nor PERF_COUNTER_NODATA, once"},
    {PRFDATA_OPTION_PER_PROCESS, OBJECT_WITH_INSTANCES_ADVICE},
    {PRFDATA_OPTION_TOTAL, OBJECT_WITH_INSTANCES_ADVICE},
    {PRFDATA_OPTION_COSTLY, "this belongs after an object, once and before its counters"},
    {PRFDATA_OPTION_PARENT, OBJECT_WITH_INSTANCES_ADVICE},
    {PRFDATA_OPTION_DISTRIBUTION, "this belongs after an object, before its counters"},
    {PRFDATA_OPTION_PERCENTILE,
     "this belongs after a counter of a RAWCOUNT type, once and without other "
     "options"},
    {PRFDATA_OPTION_MEAN,
     "this belongs after a counter of the type PERF_AVERAGE_BULK, before its base, or "
     "after one of a RAWCOUNT type, once and without other options"},
    {PRFDATA_OPTION_SUM, SHOWN_ADVICE},
    {PRFDATA_OPTION_AT_MOST, SHOWN_ADVICE},
    {PRFDATA_OPTION_HEALTH, "this belongs after a counter of a RAWCOUNT type, once and without "
                            "PRFDATA_MAP_MERGE_MAX, PRFDATA_MAP_TOTAL_MEAN and PRFDATA_MAP_HOT"},
};

const char *prfdata_map_advice(uint32_t option)
{
    for (size_t i = 0; i < sizeof advice / sizeof advice[0]; i++)
        if (advice[i].bit == option)
            return advice[i].text;
    return NULL;
}
