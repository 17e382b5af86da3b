/* SPDX-License-Identifier: MIT */
/*
 * Compares recording a value in a distribution with a bump, and with the least work that recording
 * needs. Also measures the copy that the first record of each epoch makes, and the window that a
 * reader makes for an instance. bench/report.py compares "record" with "clock and two additions".
 */
#include "subjects.h"

#include <stdlib.h>

#include <prfdata/prfdata.h>

#include "bench.h"
#include "counting/distribution.h"
#include "support/must.h"

typedef struct record_scene {
    prfdata_distribution distribution;
    prfdata_handle bumped;
    uint64_t *window;
    uint64_t random;
    uint32_t epoch;
} record_scene;

/*
 * The values fall into many buckets. bump_once() makes a value, too, although it does not need one,
 * so that the race is fair.
 */
static uint64_t next_value(record_scene *scene)
{
    scene->random ^= scene->random << 13;
    scene->random ^= scene->random >> 7;
    scene->random ^= scene->random << 17;
    return scene->random & 0xFFFFF;
}

static void bump_once(void *context, uint64_t times)
{
    record_scene *scene = context;

    for (uint64_t i = 0; i < times; i++) {
        bench_use(next_value(scene));
        prfdata_increment(*(const volatile prfdata_handle *)&scene->bumped);
    }
}

static void record_once(void *context, uint64_t times)
{
    record_scene *scene = context;

    for (uint64_t i = 0; i < times; i++)
        prfdata_record(scene->distribution, next_value(scene));
}

/* Reads the clock, counts in a bucket, and adds to the sum. */
static void record_least(void *context, uint64_t times)
{
    record_scene *scene = context;
    uint64_t *const words = scene->distribution.words;

    for (uint64_t i = 0; i < times; i++) {
        const uint64_t value = next_value(scene);

        bench_use(prfdata_distribution_time());
        prfdata_add64_relaxed(&words[PRFDATA_DISTRIBUTION_BUCKETS + (value & 0x3F)], 1);
        prfdata_add64_relaxed(&words[PRFDATA_DISTRIBUTION_SUM], value);
    }
}

static void begin_epochs(void *context, uint64_t times)
{
    record_scene *scene = context;

    for (uint64_t i = 0; i < times; i++)
        prfdata_distribution_add(scene->distribution.words, &scene->distribution.shape,
                                 ++scene->epoch, next_value(scene));
}

static void read_windows(void *context, uint64_t times)
{
    record_scene *scene = context;

    for (uint64_t i = 0; i < times; i++)
        bench_use(prfdata_distribution_load_window(scene->distribution.words,
                                                   &scene->distribution.shape, scene->epoch, false,
                                                   scene->window));
}

void bench_records(void)
{
    static uint64_t cell;
    record_scene scene = {0};
    prfdata_distribution_shape *shape = &scene.distribution.shape;
    const bench_contestant records[] = {{"bump", bump_once, &scene, NULL, 0},
                                        {"record", record_once, &scene, NULL, 0},
                                        {"clock and two additions", record_least, &scene, NULL, 0}};
    const bench_contestant epochs[] = {{"first record of an epoch", begin_epochs, &scene, NULL, 0}};
    const bench_contestant reads[] = {{"window of an instance", read_windows, &scene, NULL, 0}};

    scene.random = 88172645463325252;
    scene.bumped.cell = &cell;
    MUST(prfdata_distribution_shape_make(10, 1000000000, 8, 60, shape));
    scene.distribution.words = calloc(1, (size_t)prfdata_distribution_bytes(shape));
    scene.window = calloc(prfdata_distribution_window_words(shape), sizeof *scene.window);
    MUST(scene.distribution.words && scene.window);
    bench_race("record", records, 3);
    scene.epoch = 1u << 30; /* later than any epoch from the clock */
    bench_race("record/epoch", epochs, 1);
    bench_race("record/window", reads, 1);
    bench_figure("bytes of a distribution, 1 us to 100 s",
                 (double)prfdata_distribution_bytes(shape), "bytes");
    free(scene.window);
    free(scene.distribution.words);
}
