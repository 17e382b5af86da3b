/* SPDX-License-Identifier: MIT */
#include "shop_map.h"

// clang-format off
PRFDATA_MAP_BEGIN()
    PRFDATA_MAP_OBJ(SHOP, L"Consumer Shop", L"What the shop does.", PERF_DETAIL_NOVICE,
                    SHOP_ORDERS, PERF_NO_INSTANCES, 0)
    PRFDATA_MAP_CTR(SHOP_ORDERS, L"Orders/sec", L"Orders taken per second.", PERF_DETAIL_NOVICE, 0,
                    PERF_COUNTER_BULK_COUNT)
PRFDATA_MAP_END("PrfDataConsumer")
// clang-format on
