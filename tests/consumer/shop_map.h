/* SPDX-License-Identifier: MIT */
/* Declares the ids of the shop's counters. */
#ifndef CONSUMER_SHOP_MAP_H
#define CONSUMER_SHOP_MAP_H

#include <prfdata/prfdata.h>

PRFDATA_DEFINE_OBJECT(SHOP, 1);
PRFDATA_DEFINE_COUNTER(SHOP_ORDERS, 2);

#endif
