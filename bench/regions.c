/* SPDX-License-Identifier: MIT */
/*
 * Measures Collect over many regions, compared with one region with the same number of instances;
 * the cost of a refresh; and opening a provider or a publisher while many regions exist.
 */
#include "subjects.h"

#include <stdio.h>

#include "bench.h"
#include "scene.h"
#include "support/must.h"
#include "system.h"

enum {
    INSTANCES = 10,
    COUNTERS = 20,
    PLACES = 5,
    /* Up to this many regions, their place in memory matters. More regions fit into no cache. */
    MOST_PLACED = 256
};

/* A publisher that is opened repeatedly next to those of a scene. */
typedef struct newcomer {
    const bench_scene *scene;
    prfdata_publisher *publisher;
} newcomer;

static void leave_again(void *context)
{
    newcomer *one = context;

    prfdata_close_and_unmap(one->publisher);
    one->publisher = NULL;
}

static void open_publisher(void *context, uint64_t times)
{
    newcomer *one = context;

    MUST(times == 1);
    one->publisher = bench_scene_open(one->scene);
}

static void open_provider(void *context, uint64_t times)
{
    const bench_scene *scene = context;

    for (uint64_t i = 0; i < times; i++) {
        prfdata_provider *provider;

        MUST(prfdata_provider_open(scene->map.service, &provider) == ERROR_SUCCESS);
        prfdata_provider_close(provider);
    }
}

/* Does the least that opening a publisher needs: find out whether an ended program left a
 * region. */
static void look_at_files(void *context, uint64_t times)
{
    const bench_scene *scene = context;

    for (uint64_t i = 0; i < times; i++)
        MUST(bench_system_look_at_files(scene->service.folder) >= scene->shape.regions);
}

/* Makes every Collect of a scene check the folder again. */
static void refresh_always(bench_scene *scene)
{
    bench_scene_reopen(scene);
    prfdata_provider_set_refresh(scene->provider, 0);
    bench_scene_collect(scene, 2);
}

static void race_collects(bench_scene *many, bench_scene *one, uint32_t regions)
{
    const bench_contestant race[] = {{"many regions", bench_scene_collect, many, NULL, 0},
                                     {"one region", bench_scene_collect, one, NULL, 0}};
    char name[64];

    snprintf(name, sizeof name, "regions/%u", (unsigned)regions);
    bench_race(name, race, sizeof race / sizeof race[0]);
}

static void race_openings(bench_scene *many, uint32_t regions)
{
    newcomer one = {many, NULL};
    const bench_contestant race[] = {{"Collect with a refresh", bench_scene_collect, many, NULL, 0},
                                     {"Open and Close of a provider", open_provider, many, NULL, 0},
                                     {"opening a publisher", open_publisher, &one, leave_again, 0},
                                     {"one look at each file", look_at_files, many, NULL, 0}};
    char name[64];

    refresh_always(many);
    snprintf(name, sizeof name, "regions/%u/opening", (unsigned)regions);
    bench_race(name, race, sizeof race / sizeof race[0]);
    leave_again(&one);
}

/* Races over many regions. The system chooses the pages, and the time differs by a fifth, depending
 * on which pages share a part of the second-level cache. So the same race runs at several places in
 * memory. Each scene gets another place, because all scenes before it still exist. */
static void race_regions_from(uint32_t regions, uint32_t place)
{
    const bench_shape shape = {COUNTERS, INSTANCES, regions};
    const bench_shape same_rows = {COUNTERS, INSTANCES * regions, 1};
    char names[2][32];
    bench_scene many;
    bench_scene one;

    snprintf(names[0], sizeof names[0], "PrfDataBenchMany%u", (unsigned)place);
    snprintf(names[1], sizeof names[1], "PrfDataBenchOne%u", (unsigned)place);
    bench_scene_make(&many, names[0], shape);
    bench_scene_make(&one, names[1], same_rows);
    race_collects(&many, &one, regions);
    if (regions <= MOST_PLACED && place + 1 < PLACES)
        race_regions_from(regions, place + 1);
    else
        race_openings(&many, regions);
    bench_scene_free(&one);
    bench_scene_free(&many);
}

void bench_regions(void)
{
    static const uint32_t counts[] = {1, 4, 16, 64, 256, 1000};

    for (uint32_t i = 0; i < sizeof counts / sizeof counts[0]; i++)
        race_regions_from(counts[i], 0);
}
