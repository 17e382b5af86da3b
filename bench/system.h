/* SPDX-License-Identifier: MIT */
/*
 * Declares what measuring needs from the system: a fine clock, pinned threads, whether a thread
 * lost its processor, memory in use. The programs in compared/ use it, too, without the rest of
 * PrfData.
 */
#ifndef PRFDATA_BENCH_SYSTEM_H
#define PRFDATA_BENCH_SYSTEM_H

#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Return monotonic nanoseconds. On Windows the clock's tick is 100 ns. */
uint64_t bench_system_ns(void);

/* Return how many processors this process may use; at least 1. */
uint32_t bench_system_processors(void);

/*
 * Keep the calling thread on processor `index` of those that this process may use, modulo their
 * number.
 */
void bench_system_pin(uint32_t index);

/* Return how often the calling thread lost its processor against its will; 0 if unknown. */
uint64_t bench_system_preemptions(void);

void bench_system_yield(void);

void bench_system_sleep(uint32_t milliseconds);

/* Return the bytes that this process has allocated and not freed, without views of files. On
 * Windows, return the size of its private memory. */
double bench_system_heap_bytes(void);

/*
 * Raise the limit of open files to the system's maximum, because each of a thousand publishers has
 * an open file.
 */
void bench_system_raise_limits(void);

/*
 * Examine each file of the folder once, to find out whether a process owns it: open it for writing,
 * on Linux also try to lock it, and close it. Returns the number of files. `folder` is UTF-8.
 */
uint32_t bench_system_look_at_files(const char *folder);

/* Run `run(context, 0)` to `run(context, count - 1)`, each in its own thread; wait for all. */
void bench_system_run_threads(uint32_t count, void (*run)(void *context, uint32_t index),
                              void *context);

#ifdef __cplusplus
}
#endif

#endif
