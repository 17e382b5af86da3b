/* SPDX-License-Identifier: MIT */
#include "wrong_ids.h"

#if defined SHOP_NEEDS_C23 && __STDC_VERSION__ <= 201710L
#error The compiler has an earlier standard than C23.
#endif
#if defined SHOP_NEEDS_CXX11 && __cplusplus != 201103L
#error The compiler has another standard than C++11.
#endif
#if defined SHOP_NEEDS_CXX20 && __cplusplus <= 201703L
#error The compiler has an earlier standard than C++20.
#endif

#ifdef SHOP_BAD_NAME
#define ORDERS L"Orders(all)"
#else
#define ORDERS L"Orders"
#endif

// clang-format off
PRFDATA_MAP_BEGIN()
    PRFDATA_MAP_OBJ(SHOP, L"Wrong Shop", L"What the shop does.", PERF_DETAIL_NOVICE, SHOP_ORDERS,
                    PERF_NO_INSTANCES, 0)
#ifdef SHOP_ODD
        PRFDATA_MAP_DISTRIBUTION(SHOP_TIME, PRFDATA_UNIT_NUMBER, 1, 100000)
    PRFDATA_MAP_CTR(SHOP_P99, L"p99", L"p99.", PERF_DETAIL_NOVICE, 0, PERF_COUNTER_RAWCOUNT)
        PRFDATA_MAP_PERCENTILE(SHOP_TIME, 99)
    PRFDATA_MAP_CTR(SHOP_QUICK, L"Quick", L"Quick.", PERF_DETAIL_NOVICE, 0, PERF_COUNTER_RAWCOUNT)
        PRFDATA_MAP_AT_MOST(SHOP_TIME, 1000)
#endif
    PRFDATA_MAP_CTR(SHOP_ORDERS, ORDERS, L"Orders taken.", PERF_DETAIL_NOVICE, 0,
                    PERF_COUNTER_LARGE_RAWCOUNT)
PRFDATA_MAP_END("PrfDataWrong")
// clang-format on
