/* SPDX-License-Identifier: MIT */
/*
 * Records how many of the provider's objects each scenario saw. A scenario that saw no objects
 * finds no mistakes, but it has not checked anything. Portable.
 */
#ifndef PRFDATA_READER_COVERAGE_H
#define PRFDATA_READER_COVERAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PRFDATA_COVERAGE_MOST 64u /* scenarios */

/* How much of its work a scenario has done. */
typedef enum prfdata_coverage_part {
    PRFDATA_COVERAGE_WHOLE,
    /* The scenario repeated its calls less often, because replies are large or calls are slow. */
    PRFDATA_COVERAGE_LESS,
    PRFDATA_COVERAGE_LEFT_OUT
} prfdata_coverage_part;

/*
 * The objects that one scenario saw. An extent is a number that grows with the objects, counters
 * and instances of the replies; 0: no object.
 */
typedef struct prfdata_coverage_scenario {
    bool is_done;
    uint32_t before; /* extent of all objects that were seen before the scenario began */
    uint32_t saw;    /* extent of the objects that were there when the scenario began */
    prfdata_coverage_part part;
} prfdata_coverage_scenario;

/* All zeros: no scenario has run. */
typedef struct prfdata_coverage {
    prfdata_coverage_scenario scenarios[PRFDATA_COVERAGE_MOST];
    uint32_t seen;    /* extent of everything that has come */
    uint32_t late_ms; /* time from Open until everything had come; 0: with the first Collect */
} prfdata_coverage;

/* Note that a scenario begins or ends. If it runs again, the run in which it saw more objects
 * counts. */
void prfdata_coverage_begin(prfdata_coverage *coverage, uint32_t scenario);
void prfdata_coverage_end(prfdata_coverage *coverage, uint32_t scenario, uint32_t saw,
                          uint32_t seen, uint32_t late_ms);

/* Note how much of its work a scenario has done. The last call counts. */
void prfdata_coverage_note_part(prfdata_coverage *coverage, uint32_t scenario,
                                prfdata_coverage_part part);

/* Return how much of its work a scenario has done. The second function counts the scenarios with
 * this `part`. Scenarios that have not run count as PRFDATA_COVERAGE_WHOLE. */
prfdata_coverage_part prfdata_coverage_part_of(const prfdata_coverage *coverage, uint32_t scenario);
uint32_t prfdata_coverage_count_part(const prfdata_coverage *coverage, prfdata_coverage_part part);

/* Returns whether the scenario ran and never saw an object. */
bool prfdata_coverage_is_blind(const prfdata_coverage *coverage, uint32_t scenario);

/* Return the number of scenarios that ran and never saw an object. The second function returns the
 * number of scenarios that ran. */
uint32_t prfdata_coverage_count_blind(const prfdata_coverage *coverage);
uint32_t prfdata_coverage_count_done(const prfdata_coverage *coverage);

/*
 * Find the scenarios that should run again. A scenario should run again if it did not see all
 * objects that have come. If all of them had come before it began, it should run again only if it
 * saw no object.
 *
 * digits  Gets a digit for each of the `count` scenarios, and a NUL. The digit is 1 if the scenario
 *         should run again, otherwise 0.
 *
 * Returns how many should run again.
 */
uint32_t prfdata_coverage_find_again(const prfdata_coverage *coverage, uint32_t count,
                                     char digits[PRFDATA_COVERAGE_MOST + 1]);

#endif
