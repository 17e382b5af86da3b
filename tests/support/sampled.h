/* SPDX-License-Identifier: MIT */
/* Runs only a sample of the cases of a test that has very many cases, to save time. The presets for
 * emulation, ThreadSanitizer and Windows always run a sample. ./test without arguments runs a
 * sample in the other presets, too. */
#ifndef PRFDATA_TESTS_SAMPLED_H
#define PRFDATA_TESTS_SAMPLED_H

#include <stdint.h>
#include <stdlib.h>

/* Return 1 if tests run every case, or n if they run one of n. The preset or ./test sets the
 * environment variable PRFDATA_TEST_ONE_OF. */
static inline uint32_t sampled_one_of(void)
{
    const char *text = getenv("PRFDATA_TEST_ONE_OF");
    unsigned long number = text ? strtoul(text, NULL, 10) : 1;

    return number > 0 ? (uint32_t)number : 1;
}

/* Run with each seed below `seeds`, or only with the first of them if tests run a sample. */
static inline void sampled_seeds(void (*run)(uint32_t seed), uint32_t seeds)
{
    for (uint32_t seed = 0; seed < seeds / sampled_one_of(); seed++)
        run(seed);
}

#endif
