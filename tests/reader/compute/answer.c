/* SPDX-License-Identifier: MIT */
/* Computes statistics and distributions for test_oracle.py. It reads one question per line.
 *
 *     s TYPE VALUE_BYTES BASE_BYTES FLAGS COUNT, then COUNT times
 *         STATUS VALUE BASE PERF_TIME PERF_FREQ TIME_100NS OBJECT_TIME OBJECT_FREQ
 *     d LOWEST HIGHEST PER_OCTAVE SHARE COUNT, then COUNT values
 *
 * The answer to s is "STATUS VALUES SKIPPED". If the status is 0, a status and a number follow for
 * each of minimum, maximum, mean, time-weighted mean and end-to-end mean. The answer to d is
 * "PERCENTILE MEAN". */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "compute/statistics.h"
#include "counting/distribution.h"

static uint64_t read_wide(void)
{
    uint64_t number = 0;

    if (scanf("%" SCNu64, &number) != 1)
        exit(2);
    return number;
}

static uint32_t read_number(void)
{
    return (uint32_t)read_wide();
}

static prfdata_compute_raw read_raw(uint32_t type, uint32_t value_bytes, uint32_t base_bytes)
{
    prfdata_compute_raw raw = {.type = type, .value_bytes = value_bytes, .base_bytes = base_bytes};

    raw.status = read_number();
    raw.value = read_wide();
    raw.base = read_wide();
    raw.perf_time = (int64_t)read_wide();
    raw.perf_freq = (int64_t)read_wide();
    raw.time_100ns = (int64_t)read_wide();
    raw.object_time = (int64_t)read_wide();
    raw.object_freq = (int64_t)read_wide();
    return raw;
}

static void put_formatted(const prfdata_compute_formatted *value)
{
    printf(" %u %.17g", (unsigned)value->status,
           value->status == PRFDATA_STATUS_OK ? value->as_double : 0.0);
}

static void answer_statistics(void)
{
    const uint32_t type = read_number();
    const uint32_t value_bytes = read_number();
    const uint32_t base_bytes = read_number();
    const uint32_t flags = read_number() | PRFDATA_VALUE_DOUBLE;
    uint32_t count = read_number();
    prfdata_compute_raw older = {0};
    prfdata_statistics_run run;
    prfdata_statistics found;
    bool has_older = false;
    uint32_t status;

    prfdata_statistics_begin(&run, type, flags);
    for (; count > 0; count--) {
        const prfdata_compute_raw newer = read_raw(type, value_bytes, base_bytes);

        prfdata_statistics_add(&run, has_older ? &older : NULL, &newer);
        older = newer;
        has_older = true;
    }
    status = prfdata_statistics_end(&run, 0, &found);
    printf("%u %u %u", (unsigned)status, (unsigned)run.value_count, (unsigned)run.skipped_count);
    if (status == PRFDATA_STATUS_OK) {
        put_formatted(&found.minimum);
        put_formatted(&found.maximum);
        put_formatted(&found.mean);
        put_formatted(&found.time_weighted_mean);
        put_formatted(&found.end_to_end_mean);
    }
    printf("\n");
}

static void answer_distribution(void)
{
    static uint64_t window[PRFDATA_DISTRIBUTION_MAX_BUCKETS + 1];
    const uint64_t lowest = read_wide();
    const uint64_t highest = read_wide();
    const uint32_t per_octave = read_number();
    const uint32_t share = read_number();
    uint32_t count = read_number();
    prfdata_distribution_shape shape;

    if (!prfdata_distribution_shape_make(lowest, highest, per_octave, 60, &shape))
        exit(3);
    for (uint32_t i = 0; i <= shape.bucket_count; i++)
        window[i] = 0;
    for (; count > 0; count--) {
        const uint64_t value = read_wide();

        window[prfdata_distribution_bucket(&shape, value)]++;
        window[shape.bucket_count] += value;
    }
    printf("%" PRIu64 " %" PRIu64 "\n", prfdata_distribution_percentile(window, &shape, share),
           prfdata_distribution_mean(window, &shape));
}

int main(void)
{
    char question[2];

    while (scanf("%1s", question) == 1) {
        if (question[0] == 's')
            answer_statistics();
        else
            answer_distribution();
    }
    return 0;
}
