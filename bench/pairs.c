/* SPDX-License-Identifier: MIT */
/*
 * How often a reader sees the value of an average without its base, while a program counts both as
 * fast as it can and without brackets. No time.
 */
#include "subjects.h"

#include <stdlib.h>

#include <prfdata/prfdata.h>

#include "bench.h"
#include "provider/collect.h"
#include "support/must.h"
#include "support/perf_reader.h"
#include "support/service.h"
#include "system.h"

PRFDATA_DEFINE_OBJECT(PAIR_OBJECT, 100);
PRFDATA_DEFINE_COUNTER(PAIR_VALUE, 101);
PRFDATA_DEFINE_COUNTER(PAIR_BASE, 102);

/* The macros bring their own commas, which clang-format does not know. */
/* clang-format off */
PRFDATA_MAP_BEGIN_AS(pair_map)
    PRFDATA_MAP_OBJ(PAIR_OBJECT, L"Pair", L"A pair.", PERF_DETAIL_NOVICE, PAIR_VALUE,
                    PERF_NO_INSTANCES, 0)
    PRFDATA_MAP_CTR(PAIR_VALUE, L"Mean", L"A mean.", PERF_DETAIL_NOVICE, 0, PERF_AVERAGE_BULK)
    PRFDATA_MAP_CTR(PAIR_BASE, L"Mean base", L"Its base.", PERF_DETAIL_NOVICE, 0,
                    PERF_AVERAGE_BASE)
PRFDATA_MAP_END_AS(pair_map, "PrfDataBenchPairs")
/* clang-format on */

enum { TITLE = 9100, COLLECTS = 50000, REPLY_BYTES = 4096 };

typedef struct pair_scene {
    prfdata_pair pair;
    prfdata_provider *provider;
    uint64_t is_over; /* 1: the reader is done */
    uint32_t apart_count;
} pair_scene;

static void write_pairs(pair_scene *scene)
{
    while (!prfdata_load64_acquire(&scene->is_over))
        for (uint32_t i = 0; i < 1000; i++)
            prfdata_average_add(scene->pair, 1);
}

static bool is_apart(prfdata_provider *provider)
{
    static const uint16_t query[] = {'G', 'l', 'o', 'b', 'a', 'l', 0};
    static uint64_t buffer[REPLY_BYTES / 8];
    void *data = buffer;
    uint32_t size = sizeof buffer;
    perf_reply reply = {(const unsigned char *)buffer, 0, 0};
    uint64_t value;
    uint64_t base;

    MUST(prfdata_provider_collect(provider, query, &data, &size, &reply.object_count) == 0);
    reply.size = size;
    MUST(perf_reader_value(&reply, TITLE, NULL, NULL, 0, &value));
    MUST(perf_reader_value(&reply, TITLE, NULL, NULL, 1, &base));
    return (uint32_t)value != (uint32_t)base; /* the base has 4 bytes */
}

static void read_pairs(pair_scene *scene)
{
    for (uint32_t i = 0; i < COLLECTS; i++)
        scene->apart_count += is_apart(scene->provider);
    prfdata_store64_release(&scene->is_over, 1);
}

static void take_side(void *context, uint32_t index)
{
    bench_system_pin(index);
    if (index == 0)
        read_pairs(context);
    else
        write_pairs(context);
}

void bench_pairs(void)
{
    prfdata_test_service service;
    prfdata_publisher *publisher;
    pair_scene scene = {.apart_count = 0};

    prfdata_test_service_make(&service, pair_map.service, &pair_map, TITLE);
    MUST(prfdata_open(&pair_map, &publisher) == ERROR_SUCCESS);
    MUST(prfdata_resolve_pair(publisher, PAIR_VALUE, NULL, &scene.pair) == ERROR_SUCCESS);
    MUST(prfdata_provider_open(pair_map.service, &scene.provider) == ERROR_SUCCESS);
    bench_system_run_threads(2, take_side, &scene);
    bench_figure("pairs seen apart", 100.0 * scene.apart_count / COLLECTS, "% of Collects");
    prfdata_provider_close(scene.provider);
    prfdata_close_and_unmap(publisher);
    prfdata_test_service_remove(&service);
}
