/* SPDX-License-Identifier: MIT */
/* Publishes the kit's counters (product.h). Their titles contain characters that matter in .ini
 * files: quotes, a semicolon, a percent sign. */
#include "product.h"

#include <stdio.h>
#include <stdlib.h>
#include <wchar.h>

#include <windows.h>

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

/* Only version 2 has "Lost". Here the index of its title is a gap between the titles of "Taken" and
 * "Sent". */
PRFDATA_MAP_BEGIN_AS(kit_map_3)
    PRFDATA_MAP_OBJ(KIT_PARCELS, L"PrfData Kit Parcels", L"What orders become.",
                    PERF_DETAIL_NOVICE, KIT_PARCELS_WEIGHT, PERF_NO_INSTANCES, 0)
    PRFDATA_MAP_CTR(KIT_PARCELS_WEIGHT, L"Weight", L"All parcels together.", PERF_DETAIL_NOVICE, 0,
                    PERF_COUNTER_LARGE_RAWCOUNT)
    PRFDATA_MAP_OBJ(KIT_ORDERS, L"PrfData Kit Orders", L"What the self-test \"kit\" counts.",
                    PERF_DETAIL_NOVICE, KIT_ORDERS_TAKEN, PERF_NO_INSTANCES, 0)
    PRFDATA_MAP_CTR(KIT_ORDERS_TAKEN, L"Taken", KIT_TAKEN_HELP, PERF_DETAIL_NOVICE, 0,
                    PERF_COUNTER_LARGE_RAWCOUNT)
        PRFDATA_MAP_ACCUMULATING()
    PRFDATA_MAP_CTR(KIT_ORDERS_SENT, L"Sent", L"Orders that were sent.", PERF_DETAIL_NOVICE, 0,
                    PERF_COUNTER_LARGE_RAWCOUNT)
        PRFDATA_MAP_ACCUMULATING()
PRFDATA_MAP_END_AS(kit_map_3, "PrfDataKit")
/* clang-format on */

static uint32_t count_orders(prfdata_publisher *publisher, uint32_t counter, const wchar_t *count)
{
    prfdata_handle handle;
    const uint32_t status = prfdata_resolve(publisher, counter, NULL, &handle);

    if (status == ERROR_SUCCESS)
        prfdata_add(handle, wcstol(count, NULL, 10));
    return status;
}

int kit_publisher_main(int count, wchar_t **arguments)
{
    static const prfdata_map *const maps[] = {&kit_map_1, &kit_map_2, &kit_map_3};
    const wchar_t version = count < 2 ? 0 : arguments[0][0];
    prfdata_publisher *publisher;
    uint32_t status;

    if (version < L'1' || version > L'3')
        return 2;
    status = prfdata_open(maps[version - L'1'], &publisher);
    if (status == ERROR_SUCCESS)
        status = count_orders(publisher, KIT_ORDERS_TAKEN, arguments[1]);
    if (status == ERROR_SUCCESS && version == L'3')
        status = count_orders(publisher, KIT_ORDERS_SENT, arguments[1]);
    printf("published %u\n", (unsigned)status);
    fflush(stdout);
    if (count > 2 && wcscmp(arguments[2], L"-once") == 0)
        return status == ERROR_SUCCESS ? 0 : 1;
    Sleep(10 * 60 * 1000); /* ends even if the kit has forgotten this process */
    return 0;
}
