/* SPDX-License-Identifier: MIT */
/*
 * Tests with very many cases run only a sample of them under emulation, ThreadSanitizer and Wine,
 * and in ./test. ./test all runs every case in linux-asan.
 */
#ifndef PRFDATA_TESTS_SAMPLED_H
#define PRFDATA_TESTS_SAMPLED_H

#include <stdint.h>
#include <stdlib.h>

/*
 * Tests run one of this many cases: 1, or the number that the preset or ./test puts into the
 * environment variable PRFDATA_TEST_ONE_OF.
 */
static inline uint32_t sampled_one_of(void)
{
    const char *text = getenv("PRFDATA_TEST_ONE_OF");
    unsigned long number = text ? strtoul(text, NULL, 10) : 1;

    return number > 0 ? (uint32_t)number : 1;
}

/* Run with the seeds from 0, or with a sample of them. */
static inline void sampled_seeds(void (*run)(uint32_t seed), uint32_t seeds)
{
    for (uint32_t seed = 0; seed < seeds / sampled_one_of(); seed++)
        run(seed);
}

#endif
