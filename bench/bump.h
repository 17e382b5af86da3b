/* SPDX-License-Identifier: MIT */
/* Bumps as a program does: the handle is in memory, and the compiler knows nothing about it. The
 * functions are in-line, so that a loop over many handles makes no calls. */
#ifndef PRFDATA_BENCH_BUMP_H
#define PRFDATA_BENCH_BUMP_H

#include <prfdata/prfdata.h>

/* `context` is a prfdata_handle. */
static inline void bench_bump(void *context, uint64_t times)
{
    const volatile prfdata_handle *handle = context;

    for (uint64_t i = 0; i < times; i++)
        prfdata_increment((prfdata_handle){handle->cell, handle->lanes, NULL});
}

/* `context` is a prfdata_exclusive. */
static inline void bench_bump_exclusively(void *context, uint64_t times)
{
    const volatile prfdata_exclusive *handle = context;

    for (uint64_t i = 0; i < times; i++) {
        const prfdata_exclusive loaded = {handle->lane, NULL, NULL};

        prfdata_exclusive_increment(&loaded);
    }
}

#endif
