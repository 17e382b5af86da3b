/* SPDX-License-Identifier: MIT */
/* Version 2 of the map that docs/upgrading.md upgrades. */
#ifndef QUEUES_MAP_H
#define QUEUES_MAP_H

#include <prfdata/prfdata.h>

#define QUEUES_HAS_FAILED 1

PRFDATA_DEFINE_OBJECT(QUEUES, 100);
PRFDATA_DEFINE_COUNTER(QUEUES_FAILED, 103);
PRFDATA_DEFINE_COUNTER(QUEUES_JOBS, 101);
PRFDATA_DEFINE_COUNTER(QUEUES_RATE, 102);

#endif
