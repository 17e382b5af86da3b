/* SPDX-License-Identifier: MIT */
/* Instances that come and go beside others. */
#include "subjects.h"

#include <stdio.h>

#include "bench.h"
#include "richter.h"
#include "scene.h"

static void add_and_remove(void *context, uint64_t times)
{
    for (uint64_t i = 0; i < times; i++) {
        prfdata_instance instance;

        prfdata_instance_add(context, BENCH_OBJECT, L"comes and goes", NULL, &instance);
        prfdata_instance_remove(&instance);
    }
}

static void race_instances(uint32_t instances)
{
    const bench_shape shape = {20, instances, 1};
    bench_richter *richter = bench_richter_make(20, instances, instances + 1);
    bench_scene scene;
    char name[32];

    bench_scene_make(&scene, "PrfDataBench", shape);
    {
        const bench_contestant race[] = {
            {"add + remove", add_and_remove, scene.publishers[0], NULL, 0},
            {"Richter's shape", bench_richter_add_remove, richter, NULL, 0}};

        snprintf(name, sizeof name, "instances/%u", (unsigned)instances);
        bench_race(name, race, sizeof race / sizeof race[0]);
    }
    bench_scene_free(&scene);
    bench_richter_free(richter);
}

void bench_instances(void)
{
    static const uint32_t counts[] = {10, 100, 1000, 10000, 60000};

    for (uint32_t i = 0; i < sizeof counts / sizeof counts[0]; i++)
        race_instances(counts[i]);
}
