/* SPDX-License-Identifier: MIT */
/*
 * Records what each scenario saw of the provider's objects, and so whether it checked anything. If
 * the objects come after a scenario, or never, finding nothing does not mean that all is right.
 * Portable; knows no scenario but by its number.
 */
#ifndef PRFDATA_READER_COVERAGE_H
#define PRFDATA_READER_COVERAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PRFDATA_COVERAGE_MOST 64u /* scenarios */

/* How much of what a scenario does was done. */
typedef enum prfdata_coverage_part {
    PRFDATA_COVERAGE_WHOLE,
    PRFDATA_COVERAGE_LESS,    /* it repeated less than it would: replies are large, calls slow */
    PRFDATA_COVERAGE_LEFT_OUT /* nothing */
} prfdata_coverage_part;

/* Extents are numbers that grow with objects, counters and instances; 0: no object. */
typedef struct prfdata_coverage_scenario {
    bool is_done;
    uint32_t before; /* extent of all that had come when it began */
    uint32_t saw;    /* extent of what it began with */
    prfdata_coverage_part part;
} prfdata_coverage_scenario;

/* All zeros: nothing ran. */
typedef struct prfdata_coverage {
    prfdata_coverage_scenario scenarios[PRFDATA_COVERAGE_MOST];
    uint32_t seen;    /* extent of all that came */
    uint32_t late_ms; /* how long after Open that was all there */
} prfdata_coverage;

/* A scenario begins; and ends. Run again, it counts as the time in which it saw more. */
void prfdata_coverage_begin(prfdata_coverage *coverage, uint32_t scenario);
void prfdata_coverage_end(prfdata_coverage *coverage, uint32_t scenario, uint32_t saw,
                          uint32_t seen, uint32_t late_ms);

/* A scenario, instead of its end, was left out; or it ended so. The last time counts. */
void prfdata_coverage_note_part(prfdata_coverage *coverage, uint32_t scenario,
                                prfdata_coverage_part part);

/* How much of a scenario was done; and of how many scenarios so much. */
prfdata_coverage_part prfdata_coverage_part_of(const prfdata_coverage *coverage, uint32_t scenario);
uint32_t prfdata_coverage_count_part(const prfdata_coverage *coverage, prfdata_coverage_part part);

/* Whether the scenario ran, and never saw an object. */
bool prfdata_coverage_is_blind(const prfdata_coverage *coverage, uint32_t scenario);

/* How many such there are; and how many ran. */
uint32_t prfdata_coverage_count_blind(const prfdata_coverage *coverage);
uint32_t prfdata_coverage_count_done(const prfdata_coverage *coverage);

/*
 * Find the scenarios that should run again: something came after they had begun, or since they saw
 * nothing at all.
 *
 * digits  Set to a 1 for each of the `count` scenarios that should, a 0 for each other, and a NUL.
 * Returns how many should.
 */
uint32_t prfdata_coverage_find_again(const prfdata_coverage *coverage, uint32_t count,
                                     char digits[PRFDATA_COVERAGE_MOST + 1]);

#endif
