/* SPDX-License-Identifier: MIT */
/*
 * The floors that our own figures stand beside: copies of a reply, a bare gather of its cells, bare
 * increments.
 */
#ifndef PRFDATA_BENCH_FLOORS_H
#define PRFDATA_BENCH_FLOORS_H

#include "scene.h"

/* ---- Of Collect ---- */

/* A reply and where its bytes come from. */
typedef struct bench_gather {
    bench_scene *scene;
    size_t head_bytes; /* the object's and the counters' definitions */
    size_t row_bytes;
    size_t definition_bytes; /* of a row: the instance's definition and name */
    uint8_t *head;
    uint8_t *definitions; /* of all rows, GATHER_STEP bytes each */
    uint8_t *reply;       /* what is written */
    uint8_t *source;      /* what is copied: the scene's reply */
} bench_gather;

/*
 * Take apart the scene's last reply. The gather writes its rows in the reply's order, so the
 * scene's rows are brought into that order first. Ends the program if what it writes is not what
 * Collect wrote.
 */
void bench_gather_make(bench_gather *gather, bench_scene *scene);
void bench_gather_free(bench_gather *gather);

/*
 * What every Collect does at least: write the definitions, names and cells of all rows, from where
 * they are to where they belong, unrolled, without a check of anything.
 */
void bench_gather_run(void *context, uint64_t times);

/* Copies of the whole reply; the best of them is *the* copy. */
void bench_copy_memcpy(void *context, uint64_t times);
void bench_copy_streaming(void *context, uint64_t times); /* past the caches */
void bench_copy_string(void *context, uint64_t times);    /* rep movsb */

/* What no reply can do without: its time stamp. */
void bench_time_stamp(void *context, uint64_t times);

/*
 * What no Collect can do without: a note that what it reads is in use, the clock by which regions
 * are looked for again, the gather and the time stamp.
 */
void bench_least_collect(void *context, uint64_t times);

/* ---- Of a bump; `context` is a handle ---- */

/* An increment that loses bumps of a second thread. */
void bench_plain_increment(void *context, uint64_t times);

/* The floor of a call site: load the handle, check it, increment as above. */
void bench_call_site(void *context, uint64_t times);

/* `lock inc` of the cell. */
void bench_atomic_increment(void *context, uint64_t times);

#endif
