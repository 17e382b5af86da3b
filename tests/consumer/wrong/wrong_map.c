/* SPDX-License-Identifier: MIT */
#include "wrong_ids.h"

#ifdef SHOP_BAD_NAME
#define ORDERS L"Orders(all)"
#else
#define ORDERS L"Orders"
#endif

// clang-format off
PRFDATA_MAP_BEGIN()
    PRFDATA_MAP_OBJ(SHOP, L"Wrong Shop", L"What the shop does.", PERF_DETAIL_NOVICE, SHOP_ORDERS,
                    PERF_NO_INSTANCES, 0)
    PRFDATA_MAP_CTR(SHOP_ORDERS, ORDERS, L"Orders taken.", PERF_DETAIL_NOVICE, 0,
                    PERF_COUNTER_LARGE_RAWCOUNT)
PRFDATA_MAP_END("PrfDataWrong")
// clang-format on
