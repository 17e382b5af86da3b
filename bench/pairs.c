/* SPDX-License-Identifier: MIT */
/* Counts how often a reader sees an average whose value and base do not match. Meanwhile a thread
 * counts both as fast as it can, without prfdata_begin(). There are three averages: the first
 * counter of its object, one after seven other counters, and a hot one. No time is measured. */
#include "subjects.h"

#include <stdlib.h>

#include <prfdata/prfdata.h>

#include "bench.h"
#include "collect/provider.h"
#include "support/must.h"
#include "support/provider/perf_reader.h"
#include "support/service.h"
#include "system.h"

PRFDATA_DEFINE_OBJECT(PAIR_OBJECT, 100);
PRFDATA_DEFINE_COUNTER(PAIR_VALUE, 101);
PRFDATA_DEFINE_COUNTER(PAIR_BASE, 102);
PRFDATA_DEFINE_OBJECT(LATE_OBJECT, 200);
PRFDATA_DEFINE_COUNTER(LATE_1, 201);
PRFDATA_DEFINE_COUNTER(LATE_2, 202);
PRFDATA_DEFINE_COUNTER(LATE_3, 203);
PRFDATA_DEFINE_COUNTER(LATE_4, 204);
PRFDATA_DEFINE_COUNTER(LATE_5, 205);
PRFDATA_DEFINE_COUNTER(LATE_6, 206);
PRFDATA_DEFINE_COUNTER(LATE_7, 207);
PRFDATA_DEFINE_COUNTER(LATE_VALUE, 208);
PRFDATA_DEFINE_COUNTER(LATE_BASE, 209);
PRFDATA_DEFINE_OBJECT(HOT_PAIR_OBJECT, 300);
PRFDATA_DEFINE_COUNTER(HOT_PAIR_VALUE, 301);
PRFDATA_DEFINE_COUNTER(HOT_PAIR_BASE, 302);

#define OTHER_COUNTER(symbol, name)                                                                \
    PRFDATA_MAP_CTR(symbol, name, L"Not counted.", PERF_DETAIL_NOVICE, 0, PERF_COUNTER_BULK_COUNT)

/* The macros end with commas of their own, which clang-format does not know. */
/* clang-format off */
PRFDATA_MAP_BEGIN_AS(pair_map)
    PRFDATA_MAP_OBJ(PAIR_OBJECT, L"Pair", L"A pair.", PERF_DETAIL_NOVICE, PAIR_VALUE,
                    PERF_NO_INSTANCES, 0)
    PRFDATA_MAP_CTR(PAIR_VALUE, L"Mean", L"A mean.", PERF_DETAIL_NOVICE, 0, PERF_AVERAGE_BULK)
    PRFDATA_MAP_CTR(PAIR_BASE, L"Mean base", L"Its base.", PERF_DETAIL_NOVICE, 0,
                    PERF_AVERAGE_BASE)
    PRFDATA_MAP_OBJ(LATE_OBJECT, L"Late pair", L"A pair after seven.", PERF_DETAIL_NOVICE,
                    LATE_VALUE, PERF_NO_INSTANCES, 0)
    OTHER_COUNTER(LATE_1, L"1")
    OTHER_COUNTER(LATE_2, L"2")
    OTHER_COUNTER(LATE_3, L"3")
    OTHER_COUNTER(LATE_4, L"4")
    OTHER_COUNTER(LATE_5, L"5")
    OTHER_COUNTER(LATE_6, L"6")
    OTHER_COUNTER(LATE_7, L"7")
    PRFDATA_MAP_CTR(LATE_VALUE, L"Mean", L"A mean.", PERF_DETAIL_NOVICE, 0, PERF_AVERAGE_BULK)
    PRFDATA_MAP_CTR(LATE_BASE, L"Mean base", L"Its base.", PERF_DETAIL_NOVICE, 0,
                    PERF_AVERAGE_BASE)
    PRFDATA_MAP_OBJ(HOT_PAIR_OBJECT, L"Hot pair", L"A pair in lanes.", PERF_DETAIL_NOVICE,
                    HOT_PAIR_VALUE, PERF_NO_INSTANCES, 0)
    PRFDATA_MAP_CTR(HOT_PAIR_VALUE, L"Mean", L"A mean.", PERF_DETAIL_NOVICE, 0, PERF_AVERAGE_BULK)
    PRFDATA_MAP_HOT()
    PRFDATA_MAP_CTR(HOT_PAIR_BASE, L"Mean base", L"Its base.", PERF_DETAIL_NOVICE, 0,
                    PERF_AVERAGE_BASE)
PRFDATA_MAP_END_AS(pair_map, "PrfDataBenchPairs")
/* clang-format on */

enum { TITLE = 9100, COLLECTS = 50000, REPLY_BYTES = 4096 };

typedef struct pair_place {
    const char *figure;
    uint32_t value_id;
    uint32_t title;
    uint32_t position;
} pair_place;

typedef struct pair_scene {
    const pair_place *place;
    prfdata_pair pair;
    prfdata_provider *provider;
    uint64_t is_over; /* 1: the reader has finished */
    uint32_t apart_count;
} pair_scene;

static void write_pairs(pair_scene *scene)
{
    while (!prfdata_load64_acquire(&scene->is_over))
        for (uint32_t i = 0; i < 1000; i++)
            prfdata_average_add(scene->pair, 1);
}

static bool is_apart(const pair_scene *scene)
{
    static const uint16_t query[] = {'G', 'l', 'o', 'b', 'a', 'l', 0};
    static uint64_t buffer[REPLY_BYTES / 8];
    const pair_place *place = scene->place;
    void *data = buffer;
    uint32_t size = sizeof buffer;
    perf_reply reply = {(const unsigned char *)buffer, 0, 0};
    uint64_t value;
    uint64_t base;

    MUST(prfdata_provider_collect(scene->provider, query, &data, &size, &reply.object_count) == 0);
    reply.size = size;
    MUST(perf_reader_value(&reply, place->title, NULL, NULL, place->position, &value));
    MUST(perf_reader_value(&reply, place->title, NULL, NULL, place->position + 1, &base));
    return (uint32_t)value != (uint32_t)base; /* the base has 4 bytes */
}

static void read_pairs(pair_scene *scene)
{
    for (uint32_t i = 0; i < COLLECTS; i++)
        scene->apart_count += is_apart(scene);
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

static void count_pair(prfdata_publisher *publisher, const pair_place *place)
{
    pair_scene scene = {.place = place};

    MUST(prfdata_resolve_pair(publisher, place->value_id, NULL, &scene.pair) == ERROR_SUCCESS);
    MUST(prfdata_provider_open(pair_map.service, &scene.provider) == ERROR_SUCCESS);
    bench_system_run_threads(2, take_side, &scene);
    bench_figure(place->figure, 100.0 * scene.apart_count / COLLECTS, "% of Collects");
    prfdata_provider_close(scene.provider);
}

void bench_pairs(void)
{
    static const pair_place places[] = {
        {"pairs seen apart", PAIR_VALUE, TITLE, 0},
        {"pairs seen apart, after seven counters", LATE_VALUE, TITLE + 4, 7},
        {"pairs seen apart, in lanes", HOT_PAIR_VALUE, TITLE + 22, 0},
    };
    prfdata_test_service service;
    prfdata_publisher *publisher;

    prfdata_test_service_make(&service, pair_map.service, &pair_map, TITLE);
    MUST(prfdata_open(&pair_map, &publisher) == ERROR_SUCCESS);
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++)
        count_pair(publisher, &places[i]);
    prfdata_close_and_unmap(publisher);
    prfdata_test_service_remove(&service);
}
