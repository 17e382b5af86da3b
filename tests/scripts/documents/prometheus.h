/* SPDX-License-Identifier: MIT */
/* Declares what the C code of docs/prometheus.md takes for granted. */
#include <prfdata/map.h>

PRFDATA_DEFINE_OBJECT(QUEUES, 100);
PRFDATA_DEFINE_COUNTER(QUEUES_JOBS, 101);
