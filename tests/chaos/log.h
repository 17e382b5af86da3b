/* SPDX-License-Identifier: MIT */
/* Declares a log of what the writers of the chaos test really did. It is a file of words that all
 * processes map. A writer records each action twice: before it begins and after it has ended. So
 * when a writer is killed, only the increments that its two threads were making are uncertain. The
 * driver writes the words `killed` and `reaped` of a writer. The running process of the writer
 * writes its other words. */
#ifndef PRFDATA_TESTS_CHAOS_LOG_H
#define PRFDATA_TESTS_CHAOS_LOG_H

#include <stdint.h>

#include "chaos/map.h"

enum { CHAOS_WRITERS = 32 };

/* Increments of a counter. A reader may show from `done - lost` to `intended`. */
typedef struct chaos_count {
    uint64_t intended;
    uint64_t done;
    uint64_t lost; /* increments that a killed process was making, so they may be counted or not */
} chaos_count;

typedef struct chaos_key_log {
    chaos_count count;
    uint64_t adds; /* number of tries to add the key */
    /* While the instance may exist, a copy of `adds`, otherwise 0. Set before the instance is
     * added, and cleared after it was removed. */
    uint64_t maybe;
    /* While the instance surely exists, a copy of `adds`, otherwise 0. Set after the instance was
     * added, and cleared before it is removed. */
    uint64_t live;
    uint64_t here; /* counted since the instance was added */
    uint64_t unused;
} chaos_key_log;

typedef struct chaos_writer_log {
    uint64_t incarnation; /* number of the process that is running or ran last */
    uint64_t killed;      /* the incarnation that the driver will kill, or that has ended */
    uint64_t reaped;      /* the incarnation that has ended */
    uint64_t unused[5];
    chaos_count requests;
    chaos_count hits;
    uint64_t unused_too[2];
    chaos_key_log keys[CHAOS_KEYS];
} chaos_writer_log;

/* CHAOS_ENDS: writers must end; CHAOS_ENDED: all have ended */
enum { CHAOS_RUNS = 0, CHAOS_ENDS = 1, CHAOS_ENDED = 2 };

typedef struct chaos_log {
    uint64_t phase;
    uint64_t unused[7];
    chaos_writer_log writers[CHAOS_WRITERS];
} chaos_log;

/* Maps the file, which has the size of a chaos_log. Ends the program on failure. */
chaos_log *chaos_log_open(const char *path);

/* Gets the least and the most that a counter may show. `offset` is the place of its chaos_count in
 * chaos_writer_log; the numbers are sums over all writers. */
void chaos_log_sum(const chaos_log *log, size_t offset, uint64_t *least, uint64_t *most);

/* The state of random numbers that depend only on the seed. */
typedef struct chaos_random {
    uint64_t state;
} chaos_random;

uint64_t chaos_random_next(chaos_random *random);
/* Returns a number from 0 to `limit` - 1. */
unsigned chaos_random_below(chaos_random *random, unsigned limit);

void chaos_sleep(unsigned microseconds);

#endif
