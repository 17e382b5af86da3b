/* SPDX-License-Identifier: MIT */
/* Keeps the times of all frames of a simulation, so that percentiles are exact. */
#ifndef RAS_FRAME_TIMES_H
#define RAS_FRAME_TIMES_H

#include <stdint.h>

#include "ras_counters.h"

/* A zeroed structure has no frames. */
typedef struct frame_times {
    uint32_t counts[SIMULATION_MAX_PORTS][SIMULATION_MAX_FRAME_BYTES + 1]; /* number of frames, by
                                                                              port and bytes */
} frame_times;

void frame_times_add(frame_times *times, uint32_t port, uint32_t bytes);

/* Return how many frames took at most `time_100ns`. `port` may be RAS_ALL_PORTS. */
uint64_t frame_times_count(const frame_times *times, uint32_t port, uint64_t time_100ns);

/*
 * Return a percentile of the times, in units of 100 ns; 0 if there are no frames. `share` is in
 * units of 1/10,000, from 1 to 10,000 (5000: the median).
 */
uint64_t frame_times_percentile(const frame_times *times, uint32_t port, uint32_t share);

#endif
