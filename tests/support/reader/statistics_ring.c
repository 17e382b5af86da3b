/* SPDX-License-Identifier: MIT */
#include "statistics_ring.h"

uint32_t statistics_ring_compute(uint32_t type, const prfdata_compute_raw *ring, uint32_t capacity,
                                 uint32_t first, uint32_t count, uint32_t flags, int32_t scale,
                                 prfdata_statistics *statistics)
{
    const prfdata_compute_raw *older = NULL;
    prfdata_statistics_run run;

    prfdata_statistics_begin(&run, type, flags);
    for (uint32_t i = 0; i < count; i++) {
        const prfdata_compute_raw *newer = &ring[((uint64_t)first + i) % capacity];

        prfdata_statistics_add(&run, older, newer);
        older = newer;
    }
    return prfdata_statistics_end(&run, scale, statistics);
}
