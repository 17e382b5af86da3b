/* SPDX-License-Identifier: MIT */
#include "chaos/map.h"

const wchar_t *const chaos_names[CHAOS_QUEUE_NAMES] = {L"ada", L"bob", L"cyd", L"dan", L"eve"};

/* clang-format off */
#define OBJECTS_OF_ALL_VERSIONS()                                                                                     \
    PRFDATA_MAP_OBJ(CHAOS_QUEUES, L"Chaos Queues", L"Queues.", PERF_DETAIL_NOVICE, CHAOS_JOBS, 8, 8)                   \
    PRFDATA_MAP_TOTAL()                                                                                               \
    PRFDATA_MAP_CTR(CHAOS_JOBS, L"Jobs/sec", L"Jobs.", PERF_DETAIL_NOVICE, 0, PERF_COUNTER_BULK_COUNT)                 \
    PRFDATA_MAP_CTR(CHAOS_DEPTH, L"Depth", L"Depth.", PERF_DETAIL_NOVICE, 0, PERF_COUNTER_LARGE_RAWCOUNT)              \
    PRFDATA_MAP_OBJ(CHAOS_CONSUMERS, L"Chaos Consumers", L"Consumers.", PERF_DETAIL_NOVICE, CHAOS_TAKEN, 8, 8)         \
    PRFDATA_MAP_PARENT(CHAOS_QUEUES)                                                                                  \
    PRFDATA_MAP_TOTAL()                                                                                               \
    PRFDATA_MAP_CTR(CHAOS_TAKEN, L"Taken/sec", L"Taken.", PERF_DETAIL_NOVICE, 0, PERF_COUNTER_BULK_COUNT)              \
    PRFDATA_MAP_CTR(CHAOS_OPEN, L"Open", L"Open.", PERF_DETAIL_NOVICE, 0, PERF_COUNTER_LARGE_RAWCOUNT)                 \
    PRFDATA_MAP_OBJ(CHAOS_SERVER, L"Chaos Server", L"Server.", PERF_DETAIL_NOVICE, CHAOS_REQUESTS,                     \
                    PERF_NO_INSTANCES, 0)                                                                             \
    PRFDATA_MAP_CTR(CHAOS_REQUESTS, L"Requests/sec", L"Requests.", PERF_DETAIL_NOVICE, 0, PERF_COUNTER_BULK_COUNT)     \
    PRFDATA_MAP_CTR(CHAOS_HITS, L"Hits/sec", L"Hits.", PERF_DETAIL_NOVICE, 0, PERF_COUNTER_BULK_COUNT)                 \
    PRFDATA_MAP_CTR(CHAOS_CLIENTS, L"Clients", L"Clients.", PERF_DETAIL_NOVICE, 0, PERF_COUNTER_LARGE_RAWCOUNT)

PRFDATA_MAP_BEGIN_AS(chaos_map)
    OBJECTS_OF_ALL_VERSIONS()
PRFDATA_MAP_END_AS(chaos_map, CHAOS_SERVICE)

/* The second version has one more object, in which the third version has a second counter. */
PRFDATA_MAP_BEGIN_AS(chaos_second_map)
    OBJECTS_OF_ALL_VERSIONS()
    PRFDATA_MAP_OBJ(CHAOS_NEWS, L"Chaos News", L"News.", PERF_DETAIL_NOVICE, CHAOS_READ, PERF_NO_INSTANCES, 0)
    PRFDATA_MAP_CTR(CHAOS_READ, L"Read/sec", L"Read.", PERF_DETAIL_NOVICE, 0, PERF_COUNTER_BULK_COUNT)
PRFDATA_MAP_END_AS(chaos_second_map, CHAOS_SERVICE)

PRFDATA_MAP_BEGIN_AS(chaos_third_map)
    OBJECTS_OF_ALL_VERSIONS()
    PRFDATA_MAP_OBJ(CHAOS_NEWS, L"Chaos News", L"News.", PERF_DETAIL_NOVICE, CHAOS_READ, PERF_NO_INSTANCES, 0)
    PRFDATA_MAP_CTR(CHAOS_READ, L"Read/sec", L"Read.", PERF_DETAIL_NOVICE, 0, PERF_COUNTER_BULK_COUNT)
    PRFDATA_MAP_CTR(CHAOS_SENT, L"Sent/sec", L"Sent.", PERF_DETAIL_NOVICE, 0, PERF_COUNTER_BULK_COUNT)
PRFDATA_MAP_END_AS(chaos_third_map, CHAOS_SERVICE)
/* clang-format on */

const prfdata_map *const chaos_versions[CHAOS_VERSIONS] = {&chaos_map, &chaos_second_map,
                                                           &chaos_third_map};
