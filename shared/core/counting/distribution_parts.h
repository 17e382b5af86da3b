/* SPDX-License-Identifier: MIT */
/*
 * Declares the places of the copies of a distribution's buckets, for distribution.c and
 * distribution_copy.c.
 */
#ifndef PRFDATA_DISTRIBUTION_PARTS_H
#define PRFDATA_DISTRIBUTION_PARTS_H

#include "counting/distribution.h"

/* The words of a copy; after them come the buckets, 4 bytes each. */
enum {
    PRFDATA_COPY_SEQUENCE = 0,
    PRFDATA_COPY_RANGE = 1,
    PRFDATA_COPY_SUM = 2,
    PRFDATA_COPY_BUCKETS = 3
};

/* The copy that was made when the current instance got the slot. */
enum { PRFDATA_COPY_AT_START = PRFDATA_DISTRIBUTION_COPIES, PRFDATA_COPY_COUNT };

static inline uint64_t prfdata_distribution_copy_words(const prfdata_distribution_shape *shape)
{
    return PRFDATA_COPY_BUCKETS + (shape->bucket_count + 1) / 2;
}

static inline size_t prfdata_distribution_copy_position(const prfdata_distribution_shape *shape,
                                                        uint32_t copy)
{
    return (size_t)(PRFDATA_DISTRIBUTION_BUCKETS + shape->bucket_count +
                    copy * prfdata_distribution_copy_words(shape));
}

#endif
