/* SPDX-License-Identifier: MIT */
/* Makes samples that change at random. Instances are added, removed and moved, and swap names or
 * get names of other instances. Objects and counters move, vanish and occur twice. Some bytes are
 * damaged. Titles may get another meaning. */
#ifndef PRFDATA_TESTS_CHANGING_SAMPLES_H
#define PRFDATA_TESTS_CHANGING_SAMPLES_H

#include "block/sample.h"
#include "block/titles.h"

/* All title indexes are even. Objects have 100 to 106; three of these are named Alpha, Beta and
 * Gamma. Counters have 200 to 214: a count, a level, a fraction and its base, a text, an average
 * and its base, and a start time. Four of the indexes 200 to 208 are named One, Two, Three and
 * Four. */
enum { CHANGING_OBJECTS = 4, CHANGING_MOST = 8 };

typedef struct changing_samples {
    uint32_t random; /* not 0 */
    /* For each object, the numbers of its instances' names, in the order of the instances. */
    uint32_t order[CHANGING_OBJECTS][CHANGING_MOST];
    uint32_t count[CHANGING_OBJECTS];
    uint32_t moment;
    int64_t time_100ns; /* the time: it continues, leaps by minutes, or goes back */
    prfdata_titles titles;
} changing_samples;

/* Begin with titles and a few instances. Release `titles` with prfdata_titles_free(). */
void changing_samples_begin(changing_samples *samples, uint32_t seed);

uint32_t changing_samples_below(changing_samples *samples, uint32_t limit);

prfdata_sample *changing_samples_take(changing_samples *samples);

/* Give the titles other meanings and another version. */
void changing_samples_rename(changing_samples *samples);

#endif
