/* SPDX-License-Identifier: MIT */
/*
 * Makes the copies of a distribution's buckets and sum. Comments name the steps of
 * region-format.md.
 */
#include "base/crash_points.h"
#include "counting/distribution_parts.h"

static uint64_t epoch_range(uint32_t from, uint32_t to)
{
    return (uint64_t)to << 32 | from;
}

static void copy_bucket(const uint64_t *words, uint32_t bucket, uint64_t *copy)
{
    uint32_t *counts = (uint32_t *)&copy[PRFDATA_COPY_BUCKETS];
    const uint64_t count = prfdata_load64_relaxed(&words[PRFDATA_DISTRIBUTION_BUCKETS + bucket]);

    prfdata_store32_relaxed(&counts[bucket], (uint32_t)count);
}

/* K2: make readers distrust the copy until close_copy(). */
static uint64_t open_copy(uint64_t *copy)
{
    const uint64_t sequence = prfdata_load64_relaxed(&copy[PRFDATA_COPY_SEQUENCE]) | 1;

    prfdata_store64_relaxed(&copy[PRFDATA_COPY_SEQUENCE], sequence);
    prfdata_fence_release();
    PRFDATA_CRASH_POINT("K2");
    return sequence;
}

/* K4: complete the copy, so that readers trust it. */
static void close_copy(const uint64_t *words, uint64_t range, uint64_t sequence, uint64_t *copy)
{
    prfdata_store64_relaxed(&copy[PRFDATA_COPY_SUM], prfdata_distribution_sum(words));
    prfdata_store64_relaxed(&copy[PRFDATA_COPY_RANGE], range);
    PRFDATA_CRASH_POINT("K4: before");
    prfdata_store64_release(&copy[PRFDATA_COPY_SEQUENCE], sequence + 1);
    PRFDATA_CRASH_POINT("K4");
}

/* Whether the current epoch is still the one whose copy is being made. */
static bool is_last_epoch(const uint64_t *words, uint64_t busy)
{
    return prfdata_load64_relaxed(&words[PRFDATA_DISTRIBUTION_EPOCH]) == busy;
}

/*
 * K2 to K5. Gives up if another thread has reached a later epoch, because the copy would contain
 * later counts than its range says, and its place may already hold the copy of another epoch.
 */
static void make_copy(uint64_t *words, const prfdata_distribution_shape *shape, uint32_t from,
                      uint32_t now)
{
    const uint64_t busy = (uint64_t)now << 32 | 1;
    uint64_t *copy =
        &words[prfdata_distribution_copy_position(shape, now % PRFDATA_DISTRIBUTION_COPIES)];
    uint64_t expected = busy;
    uint64_t sequence;

    if (!is_last_epoch(words, busy))
        return;
    sequence = open_copy(copy);
    for (uint32_t i = 0; i < shape->bucket_count; i++) { /* K3 */
        if (!is_last_epoch(words, busy))
            return;
        copy_bucket(words, i, copy);
        PRFDATA_CRASH_POINT("K3");
    }
    if (!is_last_epoch(words, busy))
        return;
    close_copy(words, epoch_range(from, now), sequence, copy);
    while (!prfdata_swap64_relaxed(&words[PRFDATA_DISTRIBUTION_EPOCH], &expected, busy - 1) &&
           /* K5; on some processors the exchange may fail although the values are equal */
           expected == busy) {
    }
    PRFDATA_CRASH_POINT("K5");
}

void prfdata_distribution_rotate(uint64_t *words, const prfdata_distribution_shape *shape,
                                 uint32_t now)
{
    uint64_t seen = prfdata_load64_relaxed(&words[PRFDATA_DISTRIBUTION_EPOCH]);

    while ((int32_t)(now - (uint32_t)(seen >> 32)) > 0) {
        if (prfdata_swap64_relaxed(&words[PRFDATA_DISTRIBUTION_EPOCH], &seen,
                                   (uint64_t)now << 32 | 1)) { /* K1 */
            PRFDATA_CRASH_POINT("K1");
            make_copy(words, shape, (uint32_t)(seen >> 32) + 1, now);
            return;
        }
    }
}

void prfdata_distribution_finish_copy(uint64_t *words, const prfdata_distribution_shape *shape)
{
    const uint64_t seen = prfdata_load64_relaxed(&words[PRFDATA_DISTRIBUTION_EPOCH]);
    const uint32_t epoch = (uint32_t)(seen >> 32);

    /*
     * The range of this copy is `epoch` alone, because only the ended process knew which epoch the
     * word held before.
     */
    if (seen & 1)
        make_copy(words, shape, epoch, epoch);
}

void prfdata_distribution_start(uint64_t *words, const prfdata_distribution_shape *shape,
                                uint32_t now)
{
    uint64_t *copy = &words[prfdata_distribution_copy_position(shape, PRFDATA_COPY_AT_START)];
    const uint64_t sequence = open_copy(copy);

    for (uint32_t i = 0; i < shape->bucket_count; i++)
        copy_bucket(words, i, copy);
    close_copy(words, epoch_range(now, now), sequence, copy);
}
