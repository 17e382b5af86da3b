/* SPDX-License-Identifier: MIT */
#include "bitness_map.h"

/* clang-format off */
PRFDATA_MAP_BEGIN()
    PRFDATA_MAP_OBJ(WHOLE, L"Bitness", L"What programs of both bitnesses count.",
                    PERF_DETAIL_NOVICE, WHOLE_LARGE, PERF_NO_INSTANCES, 0)
    PRFDATA_MAP_CTR(WHOLE_LARGE, L"Large", L"More than 32 bits.", PERF_DETAIL_NOVICE, 0,
                    PERF_COUNTER_LARGE_RAWCOUNT)
        PRFDATA_MAP_ACCUMULATING()
    PRFDATA_MAP_CTR(WHOLE_SMALL, L"Small", L"Four bytes.", PERF_DETAIL_NOVICE, 0,
                    PERF_COUNTER_RAWCOUNT)
        PRFDATA_MAP_ACCUMULATING()
    PRFDATA_MAP_CTR(WHOLE_GAUGE, L"Gauge", L"Of living programs.", PERF_DETAIL_NOVICE, 0,
                    PERF_COUNTER_LARGE_RAWCOUNT)
    PRFDATA_MAP_CTR(WHOLE_USED, L"% Used", L"A fraction.", PERF_DETAIL_NOVICE, 0,
                    PERF_RAW_FRACTION)
    PRFDATA_MAP_CTR(WHOLE_USED_BASE, L"% Used Base", L"Its base.", PERF_DETAIL_NOVICE, 0,
                    PERF_RAW_BASE)

    PRFDATA_MAP_OBJ(PARTS, L"Bitness Parts", L"The same by name.", PERF_DETAIL_NOVICE,
                    PARTS_LARGE, 7, 25)
        PRFDATA_MAP_TOTAL()
    PRFDATA_MAP_CTR(PARTS_LARGE, L"Large", L"More than 32 bits.", PERF_DETAIL_NOVICE, 0,
                    PERF_COUNTER_LARGE_RAWCOUNT)
        PRFDATA_MAP_ACCUMULATING()
    PRFDATA_MAP_CTR(PARTS_GAUGE, L"Gauge", L"Of living programs.", PERF_DETAIL_NOVICE, 0,
                    PERF_COUNTER_RAWCOUNT)
PRFDATA_MAP_END("PrfDataBitness")
/* clang-format on */
