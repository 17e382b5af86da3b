/* SPDX-License-Identifier: MIT */
/* Declares programs of equal work and their reader. Inside each bracket a program adds 1 to three
 * counters: one of an instance, one of the object before a large object, and one of the object
 * after it. If a reader shows half of a bracket as consistent, or half of one program with half of
 * the next program, the three counts differ. */
#ifndef PRFDATA_TESTS_CHAOS_EQUAL_H
#define PRFDATA_TESTS_CHAOS_EQUAL_H

#include <stdbool.h>
#include <stdint.h>

#include <prfdata/map.h>

#define CHAOS_EQUAL_SERVICE "PrfDataChaosEqual"

enum { CHAOS_EQUAL_FIRST_COUNTER = 9400 };

PRFDATA_DECLARE_MAP(chaos_equal_map);

/* Opens some publishers one after the other, and adds an instance before each bracket. Closes and
 * unmaps all publishers except the last, which ends as if its program were killed. If `seed` is 0,
 * opens only one publisher, which also uses every slot of the large object. Ends the process. */
int chaos_equal_write(uint64_t seed);

/* Starts while the counters are not installed, and prints "ready" after the first brackets.
 * `threads` threads count only with handles from before the installation. One more thread tries to
 * publish, and succeeds after the installation. Prints the number of brackets at the end. Returns
 * the exit code. */
int chaos_equal_late(unsigned threads, uint64_t seed);

/* Collects for some seconds, in threads that share a provider. Compares the counts of every reply
 * in which nothing was torn, and prints the number of these replies. Returns the exit code, which
 * is 0 if there were such replies, none of them shows half of a bracket, and no count fell. */
int chaos_equal_read(unsigned threads, unsigned seconds, bool uses_plans);

/* Prints how many brackets all programs have counted. Call this while no program runs. Returns the
 * exit code. */
int chaos_equal_total(void);

#endif
