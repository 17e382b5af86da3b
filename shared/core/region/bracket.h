/* SPDX-License-Identifier: MIT */
/*
 * The reader's side of a bracket: region-format.md, reader steps 1 and 2. A thread counts
 * `entered`, changes cells, and counts `left`. What was read between prfdata_bracket_begin() and
 * prfdata_bracket_end() is of one moment if both say so.
 */
#ifndef PRFDATA_BRACKET_H
#define PRFDATA_BRACKET_H

#include <prfdata/atomic.h>

#include "region/region.h"

/*
 * Returns whether no thread is inside. `left` is read first: a thread that comes and goes between
 * the two loads is taken for one that is inside, never the other way round.
 *
 * number  Gets how many have entered.
 */
static inline bool prfdata_bracket_begin(const uint64_t *entered, const uint64_t *left,
                                         uint64_t *number)
{
    const uint64_t gone = prfdata_load64_acquire(left);

    *number = prfdata_load64_acquire(entered);
    return gone == *number;
}

/* Returns whether none has entered since. prfdata_fence_acquire() stands between the reads and
 * this. */
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
