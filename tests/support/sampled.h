/* SPDX-License-Identifier: MIT */
/*
 * Tests of very many cases try a part of them where a processor is emulated, where every access is
 * watched, under Wine, and before a commit (./test). In ./test all, linux-asan tries them all.
 */
#ifndef PRFDATA_TESTS_SAMPLED_H
#define PRFDATA_TESTS_SAMPLED_H

#include <stdint.h>
#include <stdlib.h>

/* One case of how many: 1, or what the preset or ./test says (the environment's
 * PRFDATA_TEST_ONE_OF). */
static inline uint32_t sampled_one_of(void)
{
    const char *text = getenv("PRFDATA_TEST_ONE_OF");
    unsigned long number = text ? strtoul(text, NULL, 10) : 1;

    return number > 0 ? (uint32_t)number : 1;
}

/* Run with the seeds from 0, or with a part of so many. */
static inline void sampled_seeds(void (*run)(uint32_t seed), uint32_t seeds)
{
    for (uint32_t seed = 0; seed < seeds / sampled_one_of(); seed++)
        run(seed);
}

#endif
