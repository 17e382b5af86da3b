/* SPDX-License-Identifier: MIT */
/*
 * What is measured: an installed service with one object, its publishers in this process, each with
 * as many instances, and a provider that collects. A failure of the helper itself ends the program.
 */
#ifndef PRFDATA_BENCH_SCENE_H
#define PRFDATA_BENCH_SCENE_H

#include <stddef.h>
#include <stdint.h>

#include <prfdata/prfdata.h>

#include "collect/provider.h"
#include "support/service.h"

enum {
    BENCH_OBJECT = 100,       /* the object's id; its counters' are 101 and more */
    BENCH_FIRST_TITLE = 9100, /* the object's title index */
    BENCH_SPARE_INSTANCES = 8 /* room that a publisher has beside its instances */
};

typedef struct bench_shape {
    uint32_t counters;  /* 8 bytes each */
    uint32_t instances; /* of each region */
    uint32_t regions;
} bench_shape;

typedef struct bench_scene {
    bench_shape shape;
    prfdata_test_service service;
    prfdata_map map;
    prfdata_publisher **publishers; /* one for each region */
    uint64_t **rows;                /* every instance's first cell; the others follow it */
    uint32_t row_count;
    prfdata_provider *provider; /* NULL: not opened */
    uint8_t *reply;
    uint32_t capacity;
    uint32_t reply_bytes; /* of the last Collect */
} bench_scene;

/* Install, publish, add all instances, open the provider and collect twice. */
void bench_scene_make(bench_scene *scene, const char *service, bench_shape shape);
void bench_scene_free(bench_scene *scene);

/* Collect once, from the scene's provider into its buffer; `context` is the scene. */
void bench_scene_collect(void *context, uint64_t times);

/* The same with too small a buffer. */
void bench_scene_collect_short(void *context, uint64_t times);

/* Open another publisher with room for as many instances as the scene's have. */
prfdata_publisher *bench_scene_open(const bench_scene *scene);

/* Close the provider, and open it again. */
void bench_scene_reopen(bench_scene *scene);

/* Where an instance's definition begins in the last reply, and how long it is with its name. */
size_t bench_scene_row(const bench_scene *scene, uint32_t index, uint32_t *definition_bytes);

#endif
