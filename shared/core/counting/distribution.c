/* SPDX-License-Identifier: MIT */
/*
 * Reads the bytes of a distribution: its buckets, and its window, which is the difference between
 * the current buckets and an earlier copy of them. Comments name the rules of region-format.md.
 */
#include "counting/distribution.h"

#include <string.h>

#include "base/crash_points.h"
#include "counting/distribution_parts.h"

static bool octave_bits_of(uint32_t buckets_per_octave, uint32_t *octave_bits)
{
    for (uint32_t bits = 2; bits <= 5; bits++) {
        if (buckets_per_octave == 1u << bits) {
            *octave_bits = bits;
            return true;
        }
    }
    return false;
}

bool prfdata_distribution_shape_make(uint64_t lowest, uint64_t highest, uint32_t buckets_per_octave,
                                     uint32_t window_s, prfdata_distribution_shape *shape)
{
    const uint32_t unit_ms = 1u << PRFDATA_DISTRIBUTION_TIME_BITS;
    const uint32_t epoch_units =
        (window_s * 1000 / PRFDATA_DISTRIBUTION_QUARTERS + unit_ms - 1) / unit_ms;
    uint32_t bits;

    if (lowest > highest || highest > PRFDATA_DISTRIBUTION_MAX_VALUE || window_s < 1 ||
        window_s > PRFDATA_DISTRIBUTION_MAX_WINDOW_S || !octave_bits_of(buckets_per_octave, &bits))
        return false;
    shape->lowest = lowest;
    shape->highest = highest;
    shape->octave_bits = bits;
    shape->first_bucket = prfdata_distribution_number(bits, lowest);
    shape->bucket_count = prfdata_distribution_number(bits, highest) - shape->first_bucket + 1;
    shape->epoch_factor = UINT32_MAX / epoch_units;
    return true;
}

uint64_t prfdata_distribution_bytes(const prfdata_distribution_shape *shape)
{
    const uint64_t words = PRFDATA_DISTRIBUTION_BUCKETS + shape->bucket_count +
                           PRFDATA_COPY_COUNT * prfdata_distribution_copy_words(shape);

    return (words * 8 + 63) / 64 * 64;
}

/*
 * The octave of a bucket. The first buckets, which hold one value each, count as octave 0, like the
 * buckets of the first octave after them.
 */
static uint32_t octave_of(const prfdata_distribution_shape *shape, uint32_t number)
{
    const uint32_t octave = number >> shape->octave_bits;

    return octave > 0 ? octave - 1 : 0;
}

uint64_t prfdata_distribution_low(const prfdata_distribution_shape *shape, uint32_t bucket)
{
    const uint32_t number = bucket + shape->first_bucket;
    const uint32_t octave = octave_of(shape, number);

    return (uint64_t)(number - (octave << shape->octave_bits)) << octave;
}

uint64_t prfdata_distribution_high(const prfdata_distribution_shape *shape, uint32_t bucket)
{
    const uint32_t octave = octave_of(shape, bucket + shape->first_bucket);

    return prfdata_distribution_low(shape, bucket) + (((uint64_t)1 << octave) - 1);
}

uint64_t prfdata_distribution_middle(const prfdata_distribution_shape *shape, uint32_t bucket)
{
    const uint64_t low = prfdata_distribution_low(shape, bucket);

    return low + (prfdata_distribution_high(shape, bucket) - low) / 2;
}

uint64_t prfdata_distribution_count(const uint64_t *words, uint32_t last_bucket)
{
    uint64_t count = 0;

    for (uint32_t i = 0; i <= last_bucket; i++)
        count += prfdata_load64_relaxed(&words[PRFDATA_DISTRIBUTION_BUCKETS + i]);
    return count;
}

/*
 * The distance in epochs between `want` and the range of a copy; 0 if the range includes `want`;
 * UINT32_MAX if the bytes do not hold a copy. `to` gets the last epoch of the range.
 */
static uint32_t distance_of_copy(const uint64_t *copy, uint32_t want, uint32_t *to)
{
    const uint64_t sequence = prfdata_load64_acquire(&copy[PRFDATA_COPY_SEQUENCE]);
    const uint64_t range = prfdata_load64_relaxed(&copy[PRFDATA_COPY_RANGE]);
    const uint32_t from = (uint32_t)range;

    *to = (uint32_t)(range >> 32);
    if (sequence == 0 || from > *to)
        return UINT32_MAX;
    if (from > want)
        return from - want;
    return want > *to ? want - *to : 0;
}

/*
 * L2: chooses the copy whose epochs include `want`, otherwise the nearest copy. If two copies are
 * equally near, chooses the older one. Returns PRFDATA_COPY_AT_START if there is no copy.
 * `excluded` has a bit for each copy to skip.
 */
static uint32_t choose_copy(const uint64_t *words, const prfdata_distribution_shape *shape,
                            uint32_t want, uint32_t excluded, uint32_t *chosen_to)
{
    uint32_t chosen = PRFDATA_COPY_AT_START;
    uint32_t least = UINT32_MAX;

    *chosen_to = 0;
    for (uint32_t i = 0; i < PRFDATA_DISTRIBUTION_COPIES; i++) {
        uint32_t to;
        const uint32_t distance =
            distance_of_copy(&words[prfdata_distribution_copy_position(shape, i)], want, &to);

        if ((excluded >> i & 1) || distance > least || distance == UINT32_MAX ||
            (distance == least && to > *chosen_to))
            continue;
        chosen = i;
        least = distance;
        *chosen_to = to;
    }
    return chosen;
}

/* L4: load the buckets and the sum of a copy. Returns false if the copy changed meanwhile. */
static bool load_copy(const uint64_t *copy, uint32_t bucket_count, uint32_t to, uint64_t *window)
{
    const uint64_t sequence = prfdata_load64_acquire(&copy[PRFDATA_COPY_SEQUENCE]);
    const uint32_t *from = (const uint32_t *)&copy[PRFDATA_COPY_BUCKETS];
    const uint64_t range = prfdata_load64_relaxed(&copy[PRFDATA_COPY_RANGE]);

    if (sequence % 2 == 1 || (uint32_t)(range >> 32) != to)
        return false;
    for (uint32_t i = 0; i < bucket_count; i++)
        window[i] = prfdata_load32_relaxed(&from[i]);
    PRFDATA_CRASH_POINT("L4");
    window[bucket_count] = prfdata_load64_relaxed(&copy[PRFDATA_COPY_SUM]);
    prfdata_fence_acquire();
    return prfdata_load64_relaxed(&copy[PRFDATA_COPY_SEQUENCE]) == sequence;
}

static const uint64_t *copy_at_start(const uint64_t *words, const prfdata_distribution_shape *shape)
{
    return &words[prfdata_distribution_copy_position(shape, PRFDATA_COPY_AT_START)];
}

/* The epoch in which the slot was given to its current instance. */
static uint32_t birth_of(const uint64_t *words, const prfdata_distribution_shape *shape)
{
    const uint64_t *at_start = copy_at_start(words, shape);

    return (uint32_t)(prfdata_load64_relaxed(&at_start[PRFDATA_COPY_RANGE]) >> 32);
}

/* Loads the counts as they were when the slot was given to its current instance. */
static void load_birth(const uint64_t *words, const prfdata_distribution_shape *shape,
                       uint64_t *window)
{
    if (!load_copy(copy_at_start(words, shape), shape->bucket_count, birth_of(words, shape),
                   window))
        memset(window, 0, prfdata_distribution_window_words(shape) * sizeof *window);
}

/* L2 and L3: load the counts at the start of the window. */
static void load_window_start(const uint64_t *words, const prfdata_distribution_shape *shape,
                              uint32_t want, bool of_slot, uint64_t *window)
{
    const uint32_t born = of_slot ? 0 : birth_of(words, shape);
    uint32_t excluded = 0;

    for (uint32_t tries = 0; tries < PRFDATA_DISTRIBUTION_COPIES; tries++) {
        uint32_t to;
        const uint32_t chosen = choose_copy(words, shape, want, excluded, &to);

        if (chosen == PRFDATA_COPY_AT_START || to <= born)
            break;
        if (load_copy(&words[prfdata_distribution_copy_position(shape, chosen)],
                      shape->bucket_count, to, window))
            return;
        excluded |= 1u << chosen;
    }
    if (of_slot)
        memset(window, 0, prfdata_distribution_window_words(shape) * sizeof *window);
    else
        load_birth(words, shape, window);
}

/*
 * L5: `window` holds the counts at the start of the window, and gets the counts since that start.
 */
static bool subtract_from_counts(const uint64_t *words, const prfdata_distribution_shape *shape,
                                 uint64_t *window)
{
    uint32_t any = 0;

    for (uint32_t i = 0; i < shape->bucket_count; i++) {
        const uint64_t count = prfdata_load64_relaxed(&words[PRFDATA_DISTRIBUTION_BUCKETS + i]);
        const uint32_t added = (uint32_t)count - (uint32_t)window[i];

        window[i] = added;
        any |= added;
    }
    window[shape->bucket_count] =
        any ? prfdata_distribution_sum(words) - window[shape->bucket_count] : 0;
    return any != 0;
}

bool prfdata_distribution_load_window(const uint64_t *words,
                                      const prfdata_distribution_shape *shape, uint32_t now,
                                      bool of_slot, uint64_t *window)
{
    const uint32_t want = now - PRFDATA_DISTRIBUTION_QUARTERS;
    const uint64_t last = prfdata_load64_acquire(&words[PRFDATA_DISTRIBUTION_EPOCH]) >> 32;

    if (last < want) { /* L1 */
        memset(window, 0, prfdata_distribution_window_words(shape) * sizeof *window);
        return false;
    }
    load_window_start(words, shape, want, of_slot, window);
    return subtract_from_counts(words, shape, window);
}

bool prfdata_distribution_load_own(const uint64_t *words, const prfdata_distribution_shape *shape,
                                   uint64_t *window)
{
    load_birth(words, shape, window);
    return subtract_from_counts(words, shape, window);
}

uint64_t prfdata_distribution_window_count(const uint64_t *window, uint32_t last_bucket)
{
    uint64_t count = 0;

    for (uint32_t i = 0; i <= last_bucket; i++)
        count += window[i];
    return count;
}

uint64_t prfdata_distribution_percentile(const uint64_t *window,
                                         const prfdata_distribution_shape *shape, uint32_t share)
{
    const uint64_t count = prfdata_distribution_window_count(window, shape->bucket_count - 1);
    /* Computes quotient and remainder separately, because count * share may overflow. */
    uint64_t rank = count / 10000 * share + (count % 10000 * share + 9999) / 10000;

    if (count == 0)
        return 0;
    rank = rank > 0 ? rank : 1;
    for (uint32_t i = 0; i < shape->bucket_count; i++) {
        if (window[i] >= rank)
            return prfdata_distribution_middle(shape, i);
        rank -= window[i];
    }
    return prfdata_distribution_middle(shape, shape->bucket_count - 1);
}

uint64_t prfdata_distribution_mean(const uint64_t *window, const prfdata_distribution_shape *shape)
{
    const uint64_t count = prfdata_distribution_window_count(window, shape->bucket_count - 1);
    const uint64_t sum = window[shape->bucket_count];

    if (count == 0)
        return 0;
    return sum / count + (sum % count >= count - sum % count ? 1 : 0);
}
