/* SPDX-License-Identifier: MIT */
/* Found only with the include directories of the installer's target. */
#ifndef CONSUMER_WRONG_IDS_H
#define CONSUMER_WRONG_IDS_H

#include <prfdata/prfdata.h>

#ifdef SHOP_NEEDS_WINDOWS
#include <windows.h>
#endif

PRFDATA_DEFINE_OBJECT(SHOP, 1);
PRFDATA_DEFINE_COUNTER(SHOP_P99, 3);
PRFDATA_DEFINE_COUNTER(SHOP_QUICK, 4);
PRFDATA_DEFINE_DISTRIBUTION(SHOP_TIME, 5);
PRFDATA_DEFINE_COUNTER(SHOP_ORDERS, 2);

#endif
