/* SPDX-License-Identifier: MIT */
/* Publishes the counts of the monitor as performance counters. */
#ifndef HWINPUT_COUNTS_H
#define HWINPUT_COUNTS_H

#include <stdint.h>

typedef enum counts_kind {
    COUNTS_KEYS,
    COUNTS_MOVES,
    COUNTS_LEFT,
    COUNTS_MIDDLE,
    COUNTS_RIGHT,
    COUNTS_KINDS
} counts_kind;

/*
 * Open the publisher and resolve every counter, once. Returns prfdata_open's code. Counting works
 * even after a failure, but then only this process sees the counts.
 */
uint32_t counts_open(void);

/* Remove the instances and close the publisher. counts_bump() stays harmless afterwards. */
void counts_close(void);

/* Count one event. Cheap: no lock, no call into the system. Threads: any. */
void counts_bump(counts_kind kind);

/* Return the count so far, including earlier runs by the same account. Threads: any. */
uint64_t counts_get(counts_kind kind);

#endif
