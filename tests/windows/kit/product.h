/* SPDX-License-Identifier: MIT */
/* Declares the counters that the kit publishes, in three versions of a map, and their publisher. */
#ifndef PRFDATA_KIT_PRODUCT_H
#define PRFDATA_KIT_PRODUCT_H

#include <prfdata/prfdata.h>

#define PRODUCT_SERVICE L"PrfDataKit"
#define PRODUCT_PATH    "\\PrfData Kit Orders\\Taken"
#define SENT_PATH       "\\PrfData Kit Orders\\Sent"

PRFDATA_DECLARE_MAP(kit_map_1);
PRFDATA_DECLARE_MAP(kit_map_2);
PRFDATA_DECLARE_MAP(kit_map_3);

PRFDATA_DEFINE_OBJECT(KIT_ORDERS, 100);
PRFDATA_DEFINE_COUNTER(KIT_ORDERS_TAKEN, 101);
PRFDATA_DEFINE_COUNTER(KIT_ORDERS_LOST, 102); /* in version 2 only */
PRFDATA_DEFINE_COUNTER(KIT_ORDERS_SENT, 103); /* in version 3, like all below */
PRFDATA_DEFINE_OBJECT(KIT_PARCELS, 200);
PRFDATA_DEFINE_COUNTER(KIT_PARCELS_WEIGHT, 201);

#define KIT_TAKEN_HELP L"Orders that were taken, \"rush\" orders included; 100 % of them."

/* Runs prfdata-kit -Publish <1|2|3> <count>, whose first argument is the version of the map. Counts
 * this many orders as taken, and in version 3 also as sent. Prints the status of the first call
 * that failed, or 0. Continues until the process is ended or ten minutes have passed. With -once it
 * ends at once. */
int kit_publisher_main(int count, wchar_t **arguments);

#endif
