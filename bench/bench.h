/* SPDX-License-Identifier: MIT */
/*
 * Measures side by side: the contestants of a race run in turn, round by round, in one process, so
 * that a disturbance affects all of them. The samples of each contestant are printed as one line of
 * JSON. bench/report.py makes medians, ratios and the table from these lines. Absolute times depend
 * on the machine; the ratios are what we promise.
 */
#ifndef PRFDATA_BENCH_H
#define PRFDATA_BENCH_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct bench_contestant {
    const char *name;
    void (*run)(void *context, uint64_t times);
    void *context;
    /* NULL, or called before each sample, without being measured. A contestant with `prepare` runs
     * once per sample, and its `threads` must be 0. */
    void (*prepare)(void *context);
    /* How many threads run at the same time, each on another processor if there are enough; 0:
     * only this thread. */
    uint32_t threads;
} bench_contestant;

/* Set the number of rounds of a race, at most 101. After `seconds` a race ends with fewer rounds,
 * but never with fewer than three. */
void bench_set_rounds(uint32_t rounds, double seconds);

/*
 * Run all contestants in turn and print their times. A time is the nanoseconds of one run. If there
 * are several threads, the elapsed time is divided by the runs of all threads together, so half the
 * time means twice the throughput.
 */
void bench_race(const char *race, const bench_contestant *contestants, uint32_t count);

/* Print a value that is not a time. */
void bench_figure(const char *figure, double value, const char *unit);

/* Prevent the compiler from removing the code that produced the value. */
void bench_use(uint64_t value);

#ifdef __cplusplus
}
#endif

#endif
