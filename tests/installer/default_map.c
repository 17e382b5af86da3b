/* SPDX-License-Identifier: MIT */
/* Declares the second map of test-installer. Its service has no provider. PRFDATA_MAP_BEGIN() gives
 * the map the default symbol, prfdata_default_map. */
#include <prfdata/map.h>

PRFDATA_DEFINE_OBJECT(WITHOUT, 1);
PRFDATA_DEFINE_COUNTER(WITHOUT_COUNT, 2);

/* clang-format off */
PRFDATA_MAP_BEGIN()
    PRFDATA_MAP_OBJ(WITHOUT, L"Test Without Provider", L"Nothing.", PERF_DETAIL_NOVICE,
                    WITHOUT_COUNT, PERF_NO_INSTANCES, 0)
    PRFDATA_MAP_CTR(WITHOUT_COUNT, L"Count", L"How many.", PERF_DETAIL_NOVICE, 0,
                    PERF_COUNTER_RAWCOUNT)
PRFDATA_MAP_END("PrfDataTestWithout")
/* clang-format on */
