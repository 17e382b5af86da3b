/* SPDX-License-Identifier: MIT */
/*
 * What the monitor counts. It knows the publisher and its counters, not where events come from.
 */
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
 * Open the publisher and look everything up, once. Returns prfdata_open's code; whatever it says,
 * counting works, if only for this process.
 */
uint32_t counts_open(void);

/* Remove the instances and close the publisher. Bumping goes on being harmless. */
void counts_close(void);

/* Count one event. Cheap: no lock, no call into the system. Threads: any. */
void counts_bump(counts_kind kind);

/* What was counted, earlier runs of this account included. Threads: any. */
uint64_t counts_get(counts_kind kind);

#endif
