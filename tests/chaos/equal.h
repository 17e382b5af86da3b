/* SPDX-License-Identifier: MIT */
/*
 * Short programs of equal work, one after the other. Each enters some brackets; before each it adds
 * an instance, and in it it counts in that, and in two objects with a large one between. A reader
 * that shows half of a bracket as whole, or a half of one program and a half of the next, shows
 * different counts.
 */
#ifndef PRFDATA_TESTS_CHAOS_EQUAL_H
#define PRFDATA_TESTS_CHAOS_EQUAL_H

#include <stdint.h>

#include <prfdata/map.h>

#define CHAOS_EQUAL_SERVICE "PrfDataChaosEqual"

enum { CHAOS_EQUAL_FIRST_COUNTER = 9400 };

PRFDATA_DECLARE_MAP(chaos_equal_map);

/*
 * Be some programs, one after the other, which end in one way or another. The first of all also
 * uses every slot of the large object. Returns the exit code.
 */
int chaos_equal_write(uint64_t seed);

/*
 * Collect for some seconds, in threads of one provider, and compare the counts of every reply of
 * which nothing was torn. Prints how many there were. Returns the exit code: 0: no halves.
 */
int chaos_equal_read(unsigned threads, unsigned seconds);

#endif
