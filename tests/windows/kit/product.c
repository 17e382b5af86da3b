/* SPDX-License-Identifier: MIT */
/*
 * What the kit publishes itself (product.h). The titles have what .ini files are sensitive to:
 * quotes, a semicolon, a percent sign.
 */
#include "product.h"

#include <stdio.h>
#include <stdlib.h>
#include <wchar.h>

/* clang-format off */
PRFDATA_MAP_BEGIN_AS(kit_map_1)
    PRFDATA_MAP_OBJ(KIT_ORDERS, L"PrfData Kit Orders", L"What the self-test \"kit\" counts.",
                    PERF_DETAIL_NOVICE, KIT_ORDERS_TAKEN, PERF_NO_INSTANCES, 0)
    PRFDATA_MAP_CTR(KIT_ORDERS_TAKEN, L"Taken", KIT_TAKEN_HELP, PERF_DETAIL_NOVICE, 0,
                    PERF_COUNTER_LARGE_RAWCOUNT)
        PRFDATA_MAP_ACCUMULATING()
PRFDATA_MAP_END_AS(kit_map_1, "PrfDataKit")

PRFDATA_MAP_BEGIN_AS(kit_map_2)
    PRFDATA_MAP_OBJ(KIT_ORDERS, L"PrfData Kit Orders", L"What the self-test \"kit\" counts.",
                    PERF_DETAIL_NOVICE, KIT_ORDERS_TAKEN, PERF_NO_INSTANCES, 0)
    PRFDATA_MAP_CTR(KIT_ORDERS_TAKEN, L"Taken", KIT_TAKEN_HELP, PERF_DETAIL_NOVICE, 0,
                    PERF_COUNTER_LARGE_RAWCOUNT)
        PRFDATA_MAP_ACCUMULATING()
    PRFDATA_MAP_CTR(KIT_ORDERS_LOST, L"Lost", L"Orders that were lost.", PERF_DETAIL_NOVICE, 0,
                    PERF_COUNTER_LARGE_RAWCOUNT)
        PRFDATA_MAP_ACCUMULATING()
PRFDATA_MAP_END_AS(kit_map_2, "PrfDataKit")
/* clang-format on */

int kit_publisher_main(int count, wchar_t **arguments)
{
    const prfdata_map *map = &kit_map_1;
    prfdata_publisher *publisher;
    prfdata_handle taken;
    uint32_t status;

    if (count < 2)
        return 2;
    if (arguments[0][0] == L'2')
        map = &kit_map_2;
    status = prfdata_open(map, &publisher);
    if (status == ERROR_SUCCESS)
        status = prfdata_resolve(publisher, KIT_ORDERS_TAKEN, NULL, &taken);
    if (status == ERROR_SUCCESS)
        prfdata_add(taken, wcstol(arguments[1], NULL, 10));
    printf("published %u\n", (unsigned)status);
    fflush(stdout);
    if (count > 2 && wcscmp(arguments[2], L"-once") == 0)
        return status == ERROR_SUCCESS ? 0 : 1;
    Sleep(10 * 60 * 1000); /* it was forgotten */
    return 0;
}
