/* SPDX-License-Identifier: MIT */
/*
 * Measures what the regions of ended programs cost a reader: the first Collect that sees them, and
 * a steady one beside that of a reader without them; and the memory, as the process' peak.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#ifndef _WIN32
#include <sys/resource.h>
#endif

#include <prfdata/prfdata.h>

#include "bench.h"
#include "core/os.h"
#include "provider/collect.h"
#include "support/service.h"

PRFDATA_DEFINE_OBJECT(OBJECT, 100);
PRFDATA_DEFINE_COUNTER(C01, 101);

/* clang-format off */
PRFDATA_MAP_BEGIN_AS(dead_map)
    PRFDATA_MAP_OBJ(OBJECT, L"Bench", L"Bench.", PERF_DETAIL_NOVICE, C01, 60000, 16)
        PRFDATA_MAP_TOTAL()
    PRFDATA_MAP_CTR(C01, L"A", L"A.", PERF_DETAIL_NOVICE, 0, PERF_COUNTER_BULK_COUNT)
PRFDATA_MAP_END_AS(dead_map, "PrfDataBenchDead")
/* clang-format on */

enum { DEAD = 32 };

static void collect_once(void *context, uint64_t times)
{
    static const uint16_t query[] = {'G', 'l', 'o', 'b', 'a', 'l', 0};
    static uint8_t buffer[65536];

    for (uint64_t i = 0; i < times; i++) {
        void *data = buffer;
        uint32_t size = sizeof buffer;
        uint32_t objects;

        prfdata_provider_collect(context, query, &data, &size, &objects);
        bench_use(size);
    }
}

static double milliseconds_of(prfdata_provider *provider)
{
    const uint64_t began = prfdata_os_ticks();

    collect_once(provider, 1);
    return (double)(prfdata_os_ticks() - began) * 1e3 / (double)prfdata_os_ticks_per_second();
}

/* Of the process until now, in MiB; 0 where it is not asked. */
static double peak_memory(void)
{
#ifdef _WIN32
    return 0;
#else
    struct rusage usage;

    getrusage(RUSAGE_SELF, &usage);
    return (double)usage.ru_maxrss / 1024;
#endif
}

/* All slots in use, each with a count, under `DEAD` times the same names. */
static void leave_dead_regions(void)
{
    static prfdata_publisher *publishers[DEAD];

    for (int i = 0; i < DEAD; i++) {
        if (prfdata_open(&dead_map, &publishers[i]))
            abort();
        for (unsigned j = 0; j < 60000; j++) {
            prfdata_instance instance;
            prfdata_handle handle;
            wchar_t name[16];

            swprintf(name, 16, L"instance %u", j);
            prfdata_instance_add(publishers[i], OBJECT, name, NULL, &instance);
            prfdata_resolve(publishers[i], C01, &instance, &handle);
            prfdata_increment(handle);
        }
    }
    for (int i = 0; i < DEAD; i++)
        prfdata_close_and_unmap(publishers[i]);
}

int main(void)
{
    prfdata_test_service service;
    prfdata_provider *reader;
    bench_contestant without = {"without", collect_once, NULL, 0};
    bench_contestant with = {"with", collect_once, NULL, 0};
    double before;

    prfdata_test_service_make(&service, dead_map.service, &dead_map, 9100);
    if (prfdata_provider_open(dead_map.service, &reader))
        return 1;
    without.context = reader;
    bench_race(&without, 1, 21, 1000);
    prfdata_provider_close(reader);

    leave_dead_regions();
    before = peak_memory();
    if (prfdata_provider_open(dead_map.service, &reader))
        return 1;
    printf("%d dead regions of 60,000 slots: first Collect %.0f ms", DEAD, milliseconds_of(reader));
    with.context = reader;
    bench_race(&with, 1, 21, 1000);
    printf(", then %.2f us = %.1f x one without them\n", with.ns / 1e3, with.ns / without.ns);
    printf("peak memory %.0f MiB, of which %.0f MiB are the writers' own views\n", peak_memory(),
           before);
    prfdata_provider_close(reader);
    prfdata_test_service_remove(&service);
    return 0;
}
