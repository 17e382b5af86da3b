/* SPDX-License-Identifier: MIT */
/*
 * Measuring side by side: every contestant runs in turn, many times, in one process, and the median
 * of its times counts. Absolute times depend on the machine; the ratios are what we promise.
 */
#ifndef PRFDATA_BENCH_H
#define PRFDATA_BENCH_H

#include <stdint.h>

typedef struct bench_contestant {
    const char *name;
    void (*run)(void *context, uint64_t times);
    void *context;
    double ns; /* result: median of one time, in nanoseconds */
} bench_contestant;

/* Run all contestants `rounds` times in turn, `times` times each round. */
void bench_race(bench_contestant *contestants, uint32_t count, uint32_t rounds, uint64_t times);

/* Keep the compiler from removing what produced the value. */
void bench_use(uint64_t value);

#endif
