/* SPDX-License-Identifier: MIT */
/* Declares one of two maps of an installer program that tests run. */
#include <prfdata/map.h>

PRFDATA_DEFINE_OBJECT(THINGS, 1);
PRFDATA_DEFINE_COUNTER(THINGS_COUNT, 2);

/* clang-format off */
PRFDATA_MAP_BEGIN_AS(things_map)
    PRFDATA_MAP_OBJ(THINGS, L"Test Things", L"Things of a test.", PERF_DETAIL_NOVICE, THINGS_COUNT,
                    PERF_NO_INSTANCES, 0)
    PRFDATA_MAP_CTR(THINGS_COUNT, L"Count", L"How many gr\u00F6\u00DFer things.",
                    PERF_DETAIL_NOVICE, 0, PERF_COUNTER_RAWCOUNT)
PRFDATA_MAP_END_AS(things_map, "PrfDataTestThings")
/* clang-format on */
