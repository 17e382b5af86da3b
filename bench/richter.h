/* SPDX-License-Identifier: MIT */
/*
 * Declares a provider with the shape that Jeffrey Richter's article of 1998 describes, for
 * comparison. It is our own code. All counters live in one shared block that has the form of the
 * reply: definitions, then one place per instance. A place is in use if its name is not empty. Each
 * access to a counter looks up its id in the map. One lock guards instances and Collect.
 */
#ifndef PRFDATA_BENCH_RICHTER_H
#define PRFDATA_BENCH_RICHTER_H

#include <stdint.h>

typedef struct bench_richter bench_richter;

/* Make a block for `capacity` instances, of which `instances` are in use. */
bench_richter *bench_richter_make(uint32_t counters, uint32_t instances, uint32_t capacity);
void bench_richter_free(bench_richter *richter);

/* A bump of the last counter of the last instance: a look-up, then an interlocked increment. */
void bench_richter_bump(void *context, uint64_t times);

/* The same bump inside the lock, with a plain increment. */
void bench_richter_bump_locked(void *context, uint64_t times);

/* Collect as a first reading of the article suggests: each value with its own look-up. */
void bench_richter_collect(void *context, uint64_t times);

/* Collect as the layout allows: one copy for each instance in use. */
void bench_richter_collect_blocks(void *context, uint64_t times);

void bench_richter_add_remove(void *context, uint64_t times);

#endif
