/* SPDX-License-Identifier: MIT */
/* Measures adding and removing an instance while others exist, and the cost of a Collect after
 * each change. */
#include "subjects.h"

#include <stdio.h>
#include <wchar.h>

#include "bench.h"
#include "richter.h"
#include "scene.h"
#include "support/must.h"

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

/* The scene for an instance that is added before one Collect and removed before the next. */
typedef struct churning {
    bench_scene scene;
    prfdata_instance instance;
    bool is_there;
} churning;

static void add_or_remove(void *context)
{
    churning *with = context;

    if (with->is_there)
        MUST(prfdata_instance_remove(&with->instance) == 0);
    else
        MUST(prfdata_instance_add(with->scene.publishers[0], BENCH_OBJECT, L"comes and goes", NULL,
                                  &with->instance) == 0);
    with->is_there = !with->is_there;
}

static void change_nothing(void *context)
{
    (void)context;
}

static void collect_with(void *context, uint64_t times)
{
    bench_scene_collect(&((churning *)context)->scene, times);
}

static void race_churn(uint32_t instances)
{
    const bench_shape shape = {20, instances, 1};
    churning with = {.is_there = false};
    const bench_contestant race[] = {
        {"Collect after a change", collect_with, &with, add_or_remove, 0},
        {"Collect", collect_with, &with, change_nothing, 0}};
    char name[32];

    bench_scene_make(&with.scene, "PrfDataBench", shape);
    snprintf(name, sizeof name, "churn/%u", (unsigned)instances);
    bench_race(name, race, sizeof race / sizeof race[0]);
    bench_scene_free(&with.scene);
}

enum { SAMPLED_INSTANCES = 10000, COME_AND_GO = 100, SAMPLED_NAME_CHARS = 16 };

/* The scene in which COME_AND_GO instances are replaced before each sample. */
typedef struct sampling {
    bench_scene scene;
    prfdata_instance current[COME_AND_GO];
    uint32_t came;
} sampling;

static void find_first_to_go(sampling *with)
{
    wchar_t name[SAMPLED_NAME_CHARS];

    for (uint32_t i = 0; i < COME_AND_GO; i++) {
        swprintf(name, SAMPLED_NAME_CHARS, L"instance %06u",
                 (unsigned)(i * (SAMPLED_INSTANCES / COME_AND_GO)));
        MUST(prfdata_instance_find(with->scene.publishers[0], BENCH_OBJECT, name, NULL,
                                   &with->current[i]) == 0);
    }
}

static void come_and_go(void *context)
{
    sampling *with = context;
    wchar_t name[SAMPLED_NAME_CHARS];

    for (uint32_t i = 0; i < COME_AND_GO; i++) {
        MUST(prfdata_instance_remove(&with->current[i]) == 0);
        swprintf(name, SAMPLED_NAME_CHARS, L"newcomer %06u", (unsigned)(with->came++ % 1000000));
        MUST(prfdata_instance_add(with->scene.publishers[0], BENCH_OBJECT, name, NULL,
                                  &with->current[i]) == 0);
    }
}

static void take_sample(void *context, uint64_t times)
{
    bench_scene_collect(&((sampling *)context)->scene, times);
}

/* Measures a Collect of a reader that collects once per second. The Collect checks the folder
 * again. It also merges again, because instances have come and gone. */
static void race_sampling(void)
{
    const bench_shape shape = {20, SAMPLED_INSTANCES, 1};
    static sampling with;
    const bench_contestant race[] = {{"a sample", take_sample, &with, come_and_go, 0}};

    bench_scene_make(&with.scene, "PrfDataBench", shape);
    bench_scene_reopen(&with.scene);
    prfdata_provider_set_refresh(with.scene.provider, 0);
    find_first_to_go(&with);
    bench_race("sampling/10000x20", race, sizeof race / sizeof race[0]);
    bench_scene_free(&with.scene);
}

void bench_instances(void)
{
    static const uint32_t counts[] = {10, 100, 1000, 10000, 60000};

    for (uint32_t i = 0; i < sizeof counts / sizeof counts[0]; i++)
        race_instances(counts[i]);
    for (uint32_t i = 0; counts[i] <= 10000; i++)
        race_churn(counts[i]);
    race_sampling();
}
