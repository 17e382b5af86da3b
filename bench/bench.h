/* SPDX-License-Identifier: MIT */
/*
 * Measuring side by side: the contestants of a race run in turn, round by round, in one process, so
 * that a disturbance meets all of them. Every sample is printed, a line of JSON per contestant;
 * bench/report.py makes medians, ratios and the table of them. Absolute times depend on the
 * machine; the ratios are what we promise.
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
    void (*prepare)(void *context); /* before each sample, untimed; the sample is one run then */
    uint32_t threads;               /* that run at once, on one processor after the other; 0: this
                                       thread alone */
} bench_contestant;

/* Set how many rounds a race has, and after how many seconds it ends earlier. */
void bench_set_rounds(uint32_t rounds, double seconds);

/*
 * Run all contestants in turn and print their times. A time is that of one run in nanoseconds; with
 * several threads, of one run of all of them together: half of it is twice the throughput.
 */
void bench_race(const char *race, const bench_contestant *contestants, uint32_t count);

/* Print a value that is no time. */
void bench_figure(const char *figure, double value, const char *unit);

/* Keep the compiler from removing what produced the value. */
void bench_use(uint64_t value);

#ifdef __cplusplus
}
#endif

#endif
