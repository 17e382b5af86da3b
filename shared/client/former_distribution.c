/* SPDX-License-Identifier: MIT */
/*
 * Moves the counts of distributions from private memory into the region. Handles from before the
 * publisher got its region still record values in private memory.
 */
#include "client/former_distribution.h"

#include <string.h>

#include <prfdata/atomic.h>

/*
 * Calls `call` for the sum and for every bucket of each distribution. Returns whether a call
 * returned true.
 */
static bool visit_counts(const prfdata_former_words *words,
                         bool (*call)(const prfdata_former_words *words, size_t word))
{
    bool any = false;

    for (uint32_t i = 0; i < words->object->distribution_count; i++) {
        const prfdata_model_distribution *distribution = &words->object->distributions[i];
        const size_t first = distribution->bytes_offset / sizeof(uint64_t);
        const size_t buckets = first + PRFDATA_DISTRIBUTION_BUCKETS;

        any |= call(words, first + PRFDATA_DISTRIBUTION_SUM);
        for (size_t b = buckets; b < buckets + distribution->shape.bucket_count; b++)
            any |= call(words, b);
    }
    return any;
}

void prfdata_former_distribution_copy(const prfdata_former_words *words, size_t size)
{
    prfdata_region_load(words->moved, words->from, size);
    if (size > 0)
        memcpy(words->to, words->moved, size);
}

static bool read_count(const prfdata_former_words *words, size_t word)
{
    words->read[word] = prfdata_load64_relaxed(&words->from[word]);
    return words->read[word] != words->moved[word];
}

bool prfdata_former_distribution_read(const prfdata_former_words *words)
{
    return visit_counts(words, read_count);
}

static bool move_count(const prfdata_former_words *words, size_t word)
{
    const uint64_t count = words->read[word];

    if (count != words->moved[word])
        prfdata_add64_relaxed(&words->to[word], count - words->moved[word]);
    words->moved[word] = count;
    return false;
}

void prfdata_former_distribution_move(const prfdata_former_words *words)
{
    const uint32_t time = words->object->distribution_count > 0 ? prfdata_distribution_time() : 0;

    for (uint32_t i = 0; i < words->object->distribution_count; i++) {
        const prfdata_model_distribution *distribution = &words->object->distributions[i];

        prfdata_distribution_rotate(words->to + distribution->bytes_offset / sizeof(uint64_t),
                                    &distribution->shape,
                                    prfdata_distribution_epoch(&distribution->shape, time));
    }
    (void)visit_counts(words, move_count);
}
