/* SPDX-License-Identifier: MIT */
/* Makes pseudo-random numbers that are the same in each run, by xorshift. */
#ifndef PRFDATA_TESTS_RANDOM_H
#define PRFDATA_TESTS_RANDOM_H

#include <stdint.h>

/* Return the next number, and store it in `*seed`, which is not 0. */
static inline uint32_t random_next(uint32_t *seed)
{
    *seed ^= *seed << 13;
    *seed ^= *seed >> 17;
    *seed ^= *seed << 5;
    return *seed;
}

#endif
