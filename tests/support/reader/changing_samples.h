/* SPDX-License-Identifier: MIT */
/*
 * Makes samples that change at random: instances are added, removed and moved, and swap or take
 * over names; objects and counters move, disappear and appear twice; some bytes are damaged. Titles
 * may get another meaning.
 */
#ifndef PRFDATA_TESTS_CHANGING_SAMPLES_H
#define PRFDATA_TESTS_CHANGING_SAMPLES_H

#include "block/sample.h"
#include "block/titles.h"

/*
 * Objects 100, 102, ..., with the names Alpha, Beta and Gamma; counters 200, 202, ..., One, Two,
 * Three: a count, a level, a fraction and its base, a text, an average and its base, a start.
 */
enum { CHANGING_OBJECTS = 4, CHANGING_MOST = 8 };

typedef struct changing_samples {
    uint32_t random;                                 /* not 0 */
    uint32_t order[CHANGING_OBJECTS][CHANGING_MOST]; /* the names of an object's instances */
    uint32_t count[CHANGING_OBJECTS];
    uint32_t moment;
    int64_t time_100ns; /* continues, leaps by minutes, or goes back */
    prfdata_titles titles;
} changing_samples;

/* Begin with titles and a few instances. Release the titles at the end. */
void changing_samples_begin(changing_samples *samples, uint32_t seed);

/* A random number below the limit. */
uint32_t changing_samples_below(changing_samples *samples, uint32_t limit);

/* The next sample. */
prfdata_sample *changing_samples_take(changing_samples *samples);

/* Give titles other meanings and another version. */
void changing_samples_rename(changing_samples *samples);

#endif
