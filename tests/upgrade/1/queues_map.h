/* SPDX-License-Identifier: MIT */
/* Version 1 of the map that docs/upgrading.md upgrades. */
#ifndef QUEUES_MAP_H
#define QUEUES_MAP_H

#include <prfdata/prfdata.h>

PRFDATA_DEFINE_OBJECT(QUEUES, 100);
PRFDATA_DEFINE_COUNTER(QUEUES_JOBS, 101);
PRFDATA_DEFINE_COUNTER(QUEUES_RATE, 102);

PRFDATA_DEFINE_OBJECT(WORKERS, 200);
PRFDATA_DEFINE_COUNTER(WORKERS_BUSY, 201);

#endif
