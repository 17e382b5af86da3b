/* SPDX-License-Identifier: MIT */
/*
 * Declares short programs of equal work, one after another. Each enters some brackets. Before each
 * bracket it adds an instance; inside, it counts in that instance and in two objects with a large
 * one between them. If a reader shows half of a bracket as consistent, or a half of one program and
 * a half of the next, its counts differ.
 */
#ifndef PRFDATA_TESTS_CHAOS_EQUAL_H
#define PRFDATA_TESTS_CHAOS_EQUAL_H

#include <stdint.h>

#include <prfdata/map.h>

#define CHAOS_EQUAL_SERVICE "PrfDataChaosEqual"

enum { CHAOS_EQUAL_FIRST_COUNTER = 9400 };

PRFDATA_DECLARE_MAP(chaos_equal_map);

/*
 * Runs some programs, one after another, which end in different ways. The very first also uses
 * every slot of the large object. Returns the exit code.
 */
int chaos_equal_write(uint64_t seed);

/*
 * Collects for some seconds, in threads that share a provider, and compares the counts of every
 * reply in which nothing was torn. Prints how many there were. Returns the exit code: 0: there were
 * no halves.
 */
int chaos_equal_read(unsigned threads, unsigned seconds);

#endif
