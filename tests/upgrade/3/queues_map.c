/* SPDX-License-Identifier: MIT */
/* Without PRFDATA_MAP_ACCUMULATING, QUEUES_JOBS has another meaning than before. */
#include "queues_map.h"

/* clang-format off */
PRFDATA_MAP_BEGIN()
    PRFDATA_MAP_OBJ(QUEUES, L"My Queues", L"The queues of my service.",
                    PERF_DETAIL_NOVICE, QUEUES_JOBS, 64, 40)
        PRFDATA_MAP_TOTAL()
    PRFDATA_MAP_CTR(QUEUES_FAILED, L"Failed jobs", L"Jobs that failed.",
                    PERF_DETAIL_NOVICE, 0, PERF_COUNTER_RAWCOUNT)
        PRFDATA_MAP_ACCUMULATING()
    PRFDATA_MAP_CTR(QUEUES_JOBS, L"Jobs", L"Jobs that wait.",
                    PERF_DETAIL_NOVICE, 0, PERF_COUNTER_LARGE_RAWCOUNT)
    PRFDATA_MAP_CTR(QUEUES_RATE, L"Jobs/sec", L"Jobs finished per second.",
                    PERF_DETAIL_NOVICE, 0, PERF_COUNTER_BULK_COUNT)
PRFDATA_MAP_END("MyService")
/* clang-format on */
