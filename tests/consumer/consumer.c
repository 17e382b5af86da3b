/* SPDX-License-Identifier: MIT */
/*
 * The smallest user of the installed package. Its service is not installed anywhere, so it counts
 * in private memory, which is all that it can check.
 */
#include <stdio.h>

#include <prfdata/prfdata.h>

PRFDATA_DEFINE_OBJECT(SHOP, 1);
PRFDATA_DEFINE_COUNTER(SHOP_ORDERS, 2);

PRFDATA_MAP_BEGIN()
    PRFDATA_MAP_OBJ(SHOP, L"Consumer Shop", L"What the shop does.", PERF_DETAIL_NOVICE,
                    SHOP_ORDERS, PERF_NO_INSTANCES, 0)
    PRFDATA_MAP_CTR(SHOP_ORDERS, L"Orders/sec", L"Orders taken per second.", PERF_DETAIL_NOVICE, 0,
                    PERF_COUNTER_BULK_COUNT)
PRFDATA_MAP_END("PrfDataConsumer")

int main(void)
{
    prfdata_publisher *publisher;
    prfdata_handle orders;
    uint32_t status = prfdata_open(&prfdata_default_map, &publisher);

    if (status != ERROR_FILE_NOT_FOUND) {
        printf("prfdata_open says %u, not that the service is missing\n", (unsigned)status);
        return 1;
    }
    if (prfdata_resolve(publisher, SHOP_ORDERS, NULL, &orders) != ERROR_SUCCESS) {
        printf("the counter was not found\n");
        return 1;
    }
    prfdata_increment(orders);
    prfdata_add(orders, 41);
    if (prfdata_get(orders) != 42) {
        printf("42 orders are %lld\n", (long long)prfdata_get(orders));
        return 1;
    }
    prfdata_close(publisher);
    printf("counted 42 orders\n");
    return 0;
}
