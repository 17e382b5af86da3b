/* SPDX-License-Identifier: MIT */
/* Reads back what a publisher has recorded in a distribution. */
#include <prfdata/prfdata.h>

#include "counting/distribution.h"

/* All that was recorded for one instance, in the form of a window (counting/distribution.h). */
typedef struct recorded_values {
    uint64_t window[PRFDATA_DISTRIBUTION_MAX_BUCKETS + 1];
} recorded_values;

static bool load_recorded(const prfdata_distribution *distribution, recorded_values *recorded)
{
    return distribution->words && prfdata_distribution_load_own(
                                      distribution->words, &distribution->shape, recorded->window);
}

uint64_t prfdata_recorded_count(prfdata_distribution distribution)
{
    recorded_values recorded;

    if (!load_recorded(&distribution, &recorded))
        return 0;
    return prfdata_distribution_window_count(recorded.window, distribution.shape.bucket_count - 1);
}

uint64_t prfdata_recorded_sum(prfdata_distribution distribution)
{
    recorded_values recorded;

    if (!load_recorded(&distribution, &recorded))
        return 0;
    return recorded.window[distribution.shape.bucket_count];
}

uint64_t prfdata_recorded_mean(prfdata_distribution distribution)
{
    recorded_values recorded;

    if (!load_recorded(&distribution, &recorded))
        return 0;
    return prfdata_distribution_mean(recorded.window, &distribution.shape);
}

uint64_t prfdata_recorded_percentile(prfdata_distribution distribution, uint32_t share)
{
    recorded_values recorded;

    if (share < 1 || !load_recorded(&distribution, &recorded))
        return 0;
    return prfdata_distribution_percentile(recorded.window, &distribution.shape,
                                           share < 10000 ? share : 10000);
}

uint64_t prfdata_recorded_maximum(prfdata_distribution distribution)
{
    return prfdata_recorded_percentile(distribution, 10000);
}
