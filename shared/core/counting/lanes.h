/* SPDX-License-Identifier: MIT */
/*
 * Lanes are the words in which threads count hot counters, so that they do not share a cache line.
 * region-format.md, "Lanes", is the specification. The model knows which counters have lanes, and
 * region.h where the lanes lie.
 */
#ifndef PRFDATA_LANES_H
#define PRFDATA_LANES_H

#include <stdint.h>

#include <prfdata/atomic.h>
#include <prfdata/lane.h>

/*
 * Lanes are numbered from 0: first the striped ones, which threads choose by their number, then
 * those that belong to one thread. The total is odd on purpose: with a power of two, the same lane
 * of every block would map to the same cache set.
 */
enum {
    PRFDATA_LANES_EXCLUSIVE = 17,
    PRFDATA_LANES = PRFDATA_LANES_STRIPED + PRFDATA_LANES_EXCLUSIVE,
    PRFDATA_LANES_BLOCK_WORDS =
        PRFDATA_LANES_STRIDE / 8, /* number of hot counters whose lanes lie together */
    PRFDATA_LANES_BLOCK_BYTES = PRFDATA_LANES * PRFDATA_LANES_STRIDE
};

/*
 * The words of one slot in each lane: 0, 1, or an even number, so that no pair is on two cache
 * lines.
 */
static inline uint32_t prfdata_lanes_words_per_slot(uint32_t hot_count)
{
    return hot_count > 1 ? (hot_count + 1) / 2 * 2 : hot_count;
}

/* The bytes of an object's lanes. */
static inline uint64_t prfdata_lanes_bytes(uint32_t slot_count, uint32_t words_per_slot)
{
    const uint64_t words = (uint64_t)slot_count * words_per_slot;

    return (words + PRFDATA_LANES_BLOCK_WORDS - 1) / PRFDATA_LANES_BLOCK_WORDS *
           PRFDATA_LANES_BLOCK_BYTES;
}

/* The sum of all lanes of a hot counter. */
static inline uint64_t prfdata_lanes_sum(const uint64_t *lanes)
{
    uint64_t sum = 0;

    for (uint32_t i = 0; i < PRFDATA_LANES; i++)
        sum += prfdata_load64_relaxed(lanes + (size_t)i * PRFDATA_LANES_BLOCK_WORDS);
    return sum;
}

/* The offset of lane 0 of a word, from the beginning of the object's lanes. */
static inline uint64_t prfdata_lanes_offset(uint64_t word)
{
    return word / PRFDATA_LANES_BLOCK_WORDS * PRFDATA_LANES_BLOCK_BYTES +
           word % PRFDATA_LANES_BLOCK_WORDS * sizeof(uint64_t);
}

#endif
