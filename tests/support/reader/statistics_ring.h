/* SPDX-License-Identifier: MIT */
/* Computes statistics over raw values in a ring buffer that is laid out like that of
 * PdhComputeCounterStatistics. */
#ifndef PRFDATA_TESTS_STATISTICS_RING_H
#define PRFDATA_TESTS_STATISTICS_RING_H

#include "compute/statistics.h"

/* Add the entries ring[first], ring[first + 1] and so on, which continue at ring[0] after the last
 * one, and compute their statistics.
 *
 * first  The oldest entry, below `capacity`.
 * count  0 to `capacity`.
 * flags  PRFDATA_VALUE_...
 *
 * Returns the result of prfdata_statistics_end(). */
uint32_t statistics_ring_compute(uint32_t type, const prfdata_compute_raw *ring, uint32_t capacity,
                                 uint32_t first, uint32_t count, uint32_t flags, int32_t scale,
                                 prfdata_statistics *statistics);

#endif
