/* SPDX-License-Identifier: MIT */
/*
 * Makes the scenes to measure: an installed service with one object, publishers in this process,
 * and a provider that collects. All publishers have the same number of instances. If making a scene
 * fails, the program ends.
 */
#ifndef PRFDATA_BENCH_SCENE_H
#define PRFDATA_BENCH_SCENE_H

#include <stddef.h>
#include <stdint.h>

#include <prfdata/prfdata.h>

#include "collect/provider.h"
#include "support/service.h"

enum {
    BENCH_OBJECT = 100,       /* the object's id; the ids of its counters are 101 and more */
    BENCH_FIRST_TITLE = 9100, /* the object's title index */
    BENCH_SPARE_INSTANCES = 8 /* room of a publisher in addition to its instances */
};

typedef struct bench_shape {
    uint32_t counters;  /* 8 bytes each */
    uint32_t instances; /* number of instances of each region */
    uint32_t regions;
} bench_shape;

typedef struct bench_scene {
    bench_shape shape;
    prfdata_test_service service;
    prfdata_map map;
    prfdata_publisher **publishers; /* one for each region */
    uint64_t **rows;                /* every instance's first cell; its other cells follow */
    uint32_t row_count;
    prfdata_provider *provider; /* NULL: not open */
    uint8_t *reply;
    uint32_t capacity;
    uint32_t reply_bytes; /* size of the last reply */
} bench_scene;

/* Install, publish, add all instances, open the provider and collect twice. */
void bench_scene_make(bench_scene *scene, const char *service, bench_shape shape);
void bench_scene_free(bench_scene *scene);

/* Collect `times` times into the scene's buffer; `context` is the scene. */
void bench_scene_collect(void *context, uint64_t times);

/* Collect `times` times, with a buffer that is too small. */
void bench_scene_collect_short(void *context, uint64_t times);

/* Open another publisher with the same capacity as those of the scene. */
prfdata_publisher *bench_scene_open(const bench_scene *scene);

void bench_scene_reopen(bench_scene *scene);

/* Return the offset of an instance's definition in the last reply, and its length with the name. */
size_t bench_scene_row(const bench_scene *scene, uint32_t index, uint32_t *definition_bytes);

#endif
