/* SPDX-License-Identifier: MIT */
/* Declares the floors with which our own figures are compared. A floor is the least work that an
 * operation needs: copies of a reply, a bare gather of its cells, bare increments. */
#ifndef PRFDATA_BENCH_FLOORS_H
#define PRFDATA_BENCH_FLOORS_H

#include "scene.h"

/* ---- For Collect ---- */

/* A reply and the sources of its bytes. */
typedef struct bench_gather {
    bench_scene *scene;
    size_t head_bytes; /* the definitions of the object and its counters */
    size_t row_bytes;
    size_t definition_bytes; /* size of an instance's definition with its name */
    uint8_t *head;
    uint8_t *definitions; /* the definitions of all rows, GATHER_STEP bytes each */
    uint8_t *reply;       /* the target of the gather */
    uint8_t *source;      /* the source of the copies: the scene's reply */
} bench_gather;

/*
 * Analyse the scene's last reply. The gather writes its rows in the reply's order, so the scene's
 * rows are sorted into that order first. Ends the program if the gather does not write the same
 * bytes as Collect, except the times.
 */
void bench_gather_make(bench_gather *gather, bench_scene *scene);
void bench_gather_free(bench_gather *gather);

/*
 * Copy the definitions, names and cells of all rows to their places in the reply, with unrolled
 * loops and without checks. Every Collect does at least this work.
 */
void bench_gather_run(void *context, uint64_t times);

/* Copy the whole reply. The fastest of these copies is called "the copy". */
void bench_copy_memcpy(void *context, uint64_t times);
void bench_copy_streaming(void *context, uint64_t times); /* bypasses the caches */
void bench_copy_string(void *context, uint64_t times);    /* rep movsb */

/* The least that every reply needs: its time stamp. */
void bench_time_stamp(void *context, uint64_t times);

/*
 * The least that every Collect needs: a note that its data is in use, the clock that says when to
 * search for regions again, the gather and the time stamp.
 */
void bench_least_collect(void *context, uint64_t times);

/* ---- For a bump; `context` is a handle ---- */

/* An increment that would lose bumps of a second thread. */
void bench_plain_increment(void *context, uint64_t times);

/* The floor of a call site: load the handle, check it, do a plain increment. */
void bench_call_site(void *context, uint64_t times);

/* An atomic increment of the cell; on x64 this is `lock inc`. */
void bench_atomic_increment(void *context, uint64_t times);

#endif
