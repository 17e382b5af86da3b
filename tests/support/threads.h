/* SPDX-License-Identifier: MIT */
/* Runs threads in tests. A failure of the helper itself ends the test program. */
#ifndef PRFDATA_TESTS_THREADS_H
#define PRFDATA_TESTS_THREADS_H

#include <stddef.h>

/* Run `run(context)` in `count` threads at the same time, and wait until all have ended. */
void prfdata_test_threads_run(size_t count, void (*run)(void *context), void *context);

#endif
