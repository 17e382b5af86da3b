/* SPDX-License-Identifier: MIT */
/* Declares a process of the chaos test that publishes. */
#ifndef PRFDATA_TESTS_CHAOS_WRITER_H
#define PRFDATA_TESTS_CHAOS_WRITER_H

#include "chaos/log.h"

/* Publishes, adds, counts, removes, closes and opens again, at random, until the log says that all
 * processes must end. `number` is the writer's place in the log, and `incarnation` how often the
 * writer was started, from 1. `versions` is how many of the versions it may open. Returns the exit
 * code. */
int chaos_writer_run(chaos_log *log, unsigned number, uint64_t incarnation, uint64_t seed,
                     unsigned versions);

#endif
