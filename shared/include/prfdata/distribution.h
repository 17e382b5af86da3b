/* SPDX-License-Identifier: MIT */
/*
 * Records a value in a distribution, in-line: finds the bucket of the value and the epoch of the
 * time, and makes two additions. region-format.md, "Distributions", specifies the bytes and the
 * rules (E, K).
 */
#ifndef PRFDATA_DISTRIBUTION_H
#define PRFDATA_DISTRIBUTION_H

#include <stdint.h>

#ifndef PRFDATA_DISABLED
#include <prfdata/atomic.h>

#if defined(_MSC_VER) && !defined(__clang__)
#include <intrin.h>
#endif
#endif

#ifdef __cplusplus
extern "C" {
#endif

/*
 * The shape of a distribution, derived from its declaration: its buckets and the length of an
 * epoch.
 */
typedef struct prfdata_distribution_shape {
    /* the range: a value below `lowest` counts as `lowest`, a value above `highest` as `highest` */
    uint64_t lowest;
    uint64_t highest;
    uint32_t octave_bits;  /* an octave has 2^octave_bits buckets; 2 to 5 */
    uint32_t first_bucket; /* the number (from 0) of the bucket of the lowest value */
    uint32_t bucket_count; /* 1 to PRFDATA_DISTRIBUTION_MAX_BUCKETS */
    uint32_t epoch_factor; /* rule E1 */
} prfdata_distribution_shape;

#ifndef PRFDATA_DISABLED

/* Indexes of the 8-byte words of one distribution of one instance. */
enum {
    PRFDATA_DISTRIBUTION_EPOCH = 0,
    PRFDATA_DISTRIBUTION_SUM = 8, /* not on the epoch's cache line: each recording writes it */
    PRFDATA_DISTRIBUTION_BUCKETS = 16
};

/* The position of the highest bit of `value`, which is not 0. */
static inline uint32_t prfdata_distribution_top_bit(uint64_t value)
{
#if defined(_MSC_VER) && !defined(__clang__)
    unsigned long position;

#if defined(_WIN64)
    _BitScanReverse64(&position, value);
    return PRFDATA_TO_(uint32_t, position);
#else
    if (_BitScanReverse(&position, PRFDATA_TO_(unsigned long, value >> 32)))
        return PRFDATA_TO_(uint32_t, position) + 32;
    _BitScanReverse(&position, PRFDATA_TO_(unsigned long, value));
    return PRFDATA_TO_(uint32_t, position);
#endif
#else
    return 63 - PRFDATA_TO_(uint32_t, __builtin_clzll(value));
#endif
}

/*
 * The number of the bucket of `value`, counted from the bucket of the value 0. Values below
 * 2^octave_bits have a bucket each. After them every octave, from a power of two to the next, has
 * 2^octave_bits buckets of the same width.
 */
static inline uint32_t prfdata_distribution_number(uint32_t octave_bits, uint64_t value)
{
    uint32_t octave;

    if (value >> octave_bits == 0)
        return PRFDATA_TO_(uint32_t, value);
    octave = prfdata_distribution_top_bit(value) - octave_bits;
    return (octave << octave_bits) + PRFDATA_TO_(uint32_t, value >> octave);
}

/* The value in the range that is nearest to `value`. */
static inline uint64_t prfdata_distribution_clamp(const prfdata_distribution_shape *shape,
                                                  uint64_t value)
{
    if (value < shape->lowest)
        return shape->lowest;
    return value < shape->highest ? value : shape->highest;
}

/* The bucket in which a value counts. */
static inline uint32_t prfdata_distribution_bucket(const prfdata_distribution_shape *shape,
                                                   uint64_t value)
{
    return prfdata_distribution_number(shape->octave_bits,
                                       prfdata_distribution_clamp(shape, value)) -
           shape->first_bucket;
}

/* The epoch of a time that prfdata_distribution_time() has returned (rule E1). */
static inline uint32_t prfdata_distribution_epoch(const prfdata_distribution_shape *shape,
                                                  uint32_t time)
{
    return PRFDATA_TO_(uint32_t, PRFDATA_TO_(uint64_t, time) * shape->epoch_factor >> 32) + 8;
}

/* The machine's time in units of 256 ms, the same in all processes. */
uint32_t prfdata_distribution_time(void);

/* K1 to K5: keep a copy of the buckets as they are at the start of epoch `now`. */
void prfdata_distribution_rotate(uint64_t *words, const prfdata_distribution_shape *shape,
                                 uint32_t now);

/* Count a value that was measured in epoch `now`. */
static inline void prfdata_distribution_add(uint64_t *words,
                                            const prfdata_distribution_shape *shape, uint32_t now,
                                            uint64_t value)
{
    const uint64_t seen = prfdata_load64_relaxed(&words[PRFDATA_DISTRIBUTION_EPOCH]);
    const uint64_t counted = prfdata_distribution_clamp(shape, value);
    const uint32_t bucket =
        prfdata_distribution_number(shape->octave_bits, counted) - shape->first_bucket;

    if (PRFDATA_TO_(int32_t, now - PRFDATA_TO_(uint32_t, seen >> 32)) > 0)
        prfdata_distribution_rotate(words, shape, now);
    prfdata_add64_relaxed(&words[PRFDATA_DISTRIBUTION_BUCKETS + bucket], 1);
    prfdata_add64_relaxed(&words[PRFDATA_DISTRIBUTION_SUM], counted);
}

#endif

#ifdef __cplusplus
}
#endif

#endif
