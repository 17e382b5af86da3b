/* SPDX-License-Identifier: MIT */
/* Compares Collect with a bare gather of the same cells, with copies of the same reply, and with
 * the provider of richter.h. For some numbers of instances, Collect, gather and copies are also
 * measured in three states: everything is in the caches, another processor has just written the
 * cells, or the caches are empty. Other races show how the time grows with instances and counters,
 * and how long the first Collects after Open take. */
#include "subjects.h"

#include <stdio.h>
#include <stdlib.h>

#if defined(__x86_64__) || defined(_M_X64)
#include <emmintrin.h>
#define HAS_FLUSH 1
#else
#define HAS_FLUSH 0
#endif

#include "bench.h"
#include "floors.h"
#include "richter.h"
#include "support/must.h"
#include "system.h"

static void collect_reply(void *context, uint64_t times)
{
    bench_scene_collect(((bench_gather *)context)->scene, times);
}

static void collect_short_reply(void *context, uint64_t times)
{
    bench_scene_collect_short(((bench_gather *)context)->scene, times);
}

static void write_cells(void *context, uint32_t index)
{
    const bench_scene *scene = ((bench_gather *)context)->scene;

    bench_system_pin(index + 1); /* not the reader's processor */
    for (uint32_t i = 0; i < scene->row_count; i++)
        for (uint32_t j = 0; j < scene->shape.counters; j++)
            prfdata_add64_relaxed(scene->rows[i] + j, 1);
}

static void write_elsewhere(void *context)
{
    bench_system_run_threads(1, write_cells, context);
}

/*
 * Removes all other data from the caches of one core, by reading memory that is twice as large as
 * usual caches.
 */
static void walk_memory(void)
{
    enum { BYTES = 8 << 20, LINE = 64 };
    static uint8_t *memory;
    uint64_t sum = 0;

    if (!memory)
        memory = calloc(1, BYTES);
    MUST(memory);
    for (uint32_t i = 0; i < BYTES; i += LINE)
        sum += memory[i]++;
    bench_use(sum);
}

static void flush_bytes(const void *bytes, size_t size)
{
#if HAS_FLUSH
    for (size_t i = 0; i < size; i += 64)
        _mm_clflush((const uint8_t *)bytes + i);
    _mm_mfence();
#else
    (void)bytes;
    (void)size;
#endif
}

/* Removes cells and replies from all caches, if the processor offers that. */
static void flush_everything(void *context)
{
    const bench_gather *gather = context;
    const bench_scene *scene = gather->scene;

    walk_memory();
    for (uint32_t i = 0; i < scene->row_count; i++)
        flush_bytes(scene->rows[i], 8 * (size_t)scene->shape.counters);
    flush_bytes(gather->reply, scene->reply_bytes);
    flush_bytes(scene->reply, scene->capacity);
}

static void race_state(bench_gather *gather, const char *state, void (*prepare)(void *context))
{
    const bench_contestant race[] = {{"Collect", collect_reply, gather, prepare, 0},
                                     {"bare gather", bench_gather_run, gather, prepare, 0},
                                     {"copy, memcpy", bench_copy_memcpy, gather, prepare, 0},
                                     {"copy, streaming", bench_copy_streaming, gather, prepare, 0},
                                     {"copy, rep movsb", bench_copy_string, gather, prepare, 0}};
    const bench_shape shape = gather->scene->shape;
    char name[64];

    snprintf(name, sizeof name, "collect/%ux%u/%s", (unsigned)shape.instances,
             (unsigned)shape.counters, state);
    bench_race(name, race, sizeof race / sizeof race[0]);
}

static void race_others(bench_gather *gather)
{
    const bench_shape shape = gather->scene->shape;
    bench_richter *richter = bench_richter_make(shape.counters, shape.instances, shape.instances);
    const bench_contestant race[] = {
        {"Collect", collect_reply, gather, NULL, 0},
        {"ERROR_MORE_DATA", collect_short_reply, gather, NULL, 0},
        {"bare gather", bench_gather_run, gather, NULL, 0},
        {"copy, memcpy", bench_copy_memcpy, gather, NULL, 0},
        {"time stamp", bench_time_stamp, gather, NULL, 0},
        {"least of a Collect", bench_least_collect, gather, NULL, 0},
        {"Richter's shape, a look-up per value", bench_richter_collect, richter, NULL, 0},
        {"Richter's shape, a copy per instance", bench_richter_collect_blocks, richter, NULL, 0}};
    char name[64];

    snprintf(name, sizeof name, "collect/%ux%u", (unsigned)shape.instances,
             (unsigned)shape.counters);
    bench_race(name, race, sizeof race / sizeof race[0]);
    bench_richter_free(richter);
}

static void race_shape(bench_shape shape, bool in_all_states)
{
    bench_gather gather;
    bench_scene scene;

    bench_scene_make(&scene, "PrfDataBench", shape);
    bench_gather_make(&gather, &scene);
    race_others(&gather);
    if (in_all_states) {
        race_state(&gather, "warm", NULL);
        race_state(&gather, "written", write_elsewhere);
        race_state(&gather, "cold", flush_everything);
    }
    bench_gather_free(&gather);
    bench_scene_free(&scene);
}

static void reopen_for_first(void *context)
{
    bench_scene_reopen(context);
}

static void reopen_for_second(void *context)
{
    bench_scene_reopen(context);
    bench_scene_collect(context, 1);
}

static void reopen_for_third(void *context)
{
    bench_scene_reopen(context);
    bench_scene_collect(context, 2);
}

static void open_and_close(void *context, uint64_t times)
{
    for (uint64_t i = 0; i < times; i++)
        bench_scene_reopen(context);
}

static void race_first_collects(void)
{
    const bench_shape shape = {20, 1000, 1};
    bench_scene scene;
    const bench_contestant race[] = {
        {"Close and Open", open_and_close, &scene, NULL, 0},
        {"first Collect", bench_scene_collect, &scene, reopen_for_first, 0},
        {"second Collect", bench_scene_collect, &scene, reopen_for_second, 0},
        {"third Collect", bench_scene_collect, &scene, reopen_for_third, 0},
        {"Collect", bench_scene_collect, &scene, NULL, 0}};

    bench_scene_make(&scene, "PrfDataBench", shape);
    bench_race("first/1000x20", race, sizeof race / sizeof race[0]);
    bench_scene_free(&scene);
}

void bench_collects(void)
{
    static const bench_shape promised[] = {{10, 1, 1}, {10, 100, 1}, {20, 1000, 1}, {20, 10000, 1}};
    static const bench_shape grown[] = {{20, 10, 1}, {20, 100, 1}, {20, 65000, 1},
                                        {1, 1, 1},   {100, 1, 1},  {1000, 1, 1}};

    for (uint32_t i = 0; i < sizeof promised / sizeof promised[0]; i++)
        race_shape(promised[i], true);
    for (uint32_t i = 0; i < sizeof grown / sizeof grown[0]; i++)
        race_shape(grown[i], false);
    race_first_collects();
}
