/* SPDX-License-Identifier: MIT */
/*
 * Measures Collect beside a memcpy of as many bytes, a Collect that returns ERROR_MORE_DATA beside
 * one that succeeds, and adding and removing an instance beside many others.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <prfdata/prfdata.h>

#include "bench.h"
#include "provider/collect.h"
#include "support/service.h"

PRFDATA_DEFINE_OBJECT(OBJECT, 100);

enum { C01 = 101 };

#define SYMBOL_CTR(symbol, id, name)                                                               \
    {PRFDATA_ENTRY_COUNTER,   id, symbol, name, L"Counter.", PERF_DETAIL_NOVICE, 0, 0, 0, 0,       \
     PERF_COUNTER_BULK_COUNT, 0},

/* The macros bring their own commas, which clang-format does not know. */
/* clang-format off */
PRFDATA_MAP_BEGIN_AS(collect_map)
    PRFDATA_MAP_OBJ(OBJECT, L"Bench", L"Bench.", PERF_DETAIL_NOVICE, C01, 10000, 16)
    SYMBOL_CTR("C01", 101, L"A") SYMBOL_CTR("C02", 102, L"B")
    SYMBOL_CTR("C03", 103, L"C") SYMBOL_CTR("C04", 104, L"D")
    SYMBOL_CTR("C05", 105, L"E") SYMBOL_CTR("C06", 106, L"F")
    SYMBOL_CTR("C07", 107, L"G") SYMBOL_CTR("C08", 108, L"H")
    SYMBOL_CTR("C09", 109, L"I") SYMBOL_CTR("C10", 110, L"J")
    SYMBOL_CTR("C11", 111, L"K") SYMBOL_CTR("C12", 112, L"L")
    SYMBOL_CTR("C13", 113, L"M") SYMBOL_CTR("C14", 114, L"N")
    SYMBOL_CTR("C15", 115, L"O") SYMBOL_CTR("C16", 116, L"P")
    SYMBOL_CTR("C17", 117, L"Q") SYMBOL_CTR("C18", 118, L"R")
    SYMBOL_CTR("C19", 119, L"S") SYMBOL_CTR("C20", 120, L"T")
PRFDATA_MAP_END_AS(collect_map, "PrfDataBenchCollect")

static const uint16_t query[] = {'G', 'l', 'o', 'b', 'a', 'l', 0};
/* clang-format on */

typedef struct collecting {
    prfdata_provider *provider;
    uint8_t *buffer;
    uint8_t *copy;
    uint32_t capacity;
    uint32_t size;
} collecting;

static void collect_whole(void *context, uint64_t times)
{
    collecting *c = context;

    for (uint64_t i = 0; i < times; i++) {
        void *data = c->buffer;
        uint32_t objects;

        c->size = c->capacity;
        prfdata_provider_collect(c->provider, query, &data, &c->size, &objects);
    }
}

static void collect_short(void *context, uint64_t times)
{
    collecting *c = context;

    for (uint64_t i = 0; i < times; i++) {
        void *data = c->buffer;
        uint32_t size = 4096;
        uint32_t objects;

        prfdata_provider_collect(c->provider, query, &data, &size, &objects);
    }
}

static void copy_bytes(void *context, uint64_t times)
{
    collecting *c = context;

    for (uint64_t i = 0; i < times; i++) {
        memcpy(c->copy, c->buffer, c->size);
        bench_use(c->copy[i % c->size]);
    }
}

static void race_collect(prfdata_publisher *publisher, collecting *c, uint32_t instances)
{
    prfdata_instance *added = calloc(instances, sizeof *added);
    bench_contestant race[] = {{"collect", collect_whole, c, 0},
                               {"copy", copy_bytes, c, 0},
                               {"more data", collect_short, c, 0}};

    for (uint32_t i = 0; i < instances; i++) {
        wchar_t name[16];

        swprintf(name, 16, L"instance %u", (unsigned)i);
        if (prfdata_instance_add(publisher, OBJECT, name, NULL, &added[i]))
            abort();
    }
    collect_whole(c, 1);
    bench_race(race, 3, 21, 1 + 20000 / instances);
    printf("%6u x 20: collect %9.0f ns = %5.2f x copy (%u bytes); ERROR_MORE_DATA %9.0f ns = "
           "1/%.0f\n",
           (unsigned)instances, race[0].ns, race[0].ns / race[1].ns, (unsigned)c->size, race[2].ns,
           race[0].ns / race[2].ns);
    for (uint32_t i = 0; i < instances; i++)
        prfdata_instance_remove(&added[i]);
    free(added);
}

static void add_remove(void *context, uint64_t times)
{
    for (uint64_t i = 0; i < times; i++) {
        prfdata_instance instance;

        prfdata_instance_add(context, OBJECT, L"comes and goes", NULL, &instance);
        prfdata_instance_remove(&instance);
    }
}

int main(void)
{
    static const uint32_t sizes[] = {1, 100, 1000, 9000};
    prfdata_test_service service;
    prfdata_publisher *publisher;
    bench_contestant one = {"add + remove", add_remove, NULL, 0};
    collecting c = {0};

    prfdata_test_service_make(&service, collect_map.service, &collect_map, 9100);
    c.capacity = 8 << 20;
    c.buffer = malloc(c.capacity);
    c.copy = malloc(c.capacity);
    if (!c.buffer || !c.copy || prfdata_open(&collect_map, &publisher) ||
        prfdata_provider_open(collect_map.service, &c.provider))
        return 1;
    for (uint32_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++)
        race_collect(publisher, &c, sizes[i]);
    one.context = publisher;
    bench_race(&one, 1, 21, 100000);
    printf("instance add + remove: %.0f ns\n", one.ns);
    prfdata_provider_close(c.provider);
    prfdata_close_and_unmap(publisher);
    prfdata_test_service_remove(&service);
    free(c.buffer);
    free(c.copy);
    return 0;
}
