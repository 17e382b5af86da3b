/* SPDX-License-Identifier: MIT */
/*
 * Implements the reader's side of a bracket: region-format.md, reader steps 1 and 2. A thread
 * increments `entered`, changes cells, and increments `left`. Everything read between
 * prfdata_bracket_begin() and prfdata_bracket_end() is consistent if both return true.
 */
#ifndef PRFDATA_BRACKET_H
#define PRFDATA_BRACKET_H

#include <prfdata/atomic.h>

#include "region/region.h"

/*
 * Returns whether no thread is inside. Loads `left` first, so that it never overlooks a thread that
 * is inside.
 *
 * number  Gets how often threads have entered so far.
 */
static inline bool prfdata_bracket_begin(const uint64_t *entered, const uint64_t *left,
                                         uint64_t *number)
{
    const uint64_t gone = prfdata_load64_acquire(left);

    *number = prfdata_load64_acquire(entered);
    return gone == *number;
}

/*
 * Returns whether no thread has entered since prfdata_bracket_begin(). prfdata_fence_acquire() must
 * stand between the reads and this call.
 */
static inline bool prfdata_bracket_end(const uint64_t *entered, uint64_t number)
{
    return prfdata_load64_relaxed(entered) == number;
}

/* Give a thread on another core time to leave its bracket. */
static inline void prfdata_bracket_wait(void)
{
    for (int i = 0; i < 16; i++)
        prfdata_pause();
}

#endif
