/* SPDX-License-Identifier: MIT */
/* Publishes one counter with the installed package. Counts even if the service is not installed. */
#include <stdio.h>

#include "shop_map.h"

int main(void)
{
    prfdata_publisher *publisher;
    prfdata_handle orders;
    uint32_t status = prfdata_open(&prfdata_default_map, &publisher);

    if (status != ERROR_SUCCESS && status != ERROR_FILE_NOT_FOUND) {
        printf("prfdata_open says %u\n", (unsigned)status);
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
    printf("counted 42 orders %s\n", status == ERROR_SUCCESS ? "for everybody" : "in private");
    return 0;
}
