/* SPDX-License-Identifier: MIT */
/*
 * Computes the sizes and offsets of lanes: the words in which threads count hot counters without
 * sharing a cache line. region-format.md, "Lanes", is the specification.
 */
#ifndef PRFDATA_LANES_H
#define PRFDATA_LANES_H

#include <stdint.h>

#include <prfdata/atomic.h>
#include <prfdata/lane.h>

/*
 * Lanes are numbered from 0. First come the striped lanes: each thread chooses one by its own
 * number (lane.h). Then come the exclusive lanes: each belongs to one thread. The total is odd. If
 * it were a power of two, the same lane of every block would map to the same cache set.
 */
enum {
    PRFDATA_LANES_EXCLUSIVE = 17,
    PRFDATA_LANES = PRFDATA_LANES_STRIPED + PRFDATA_LANES_EXCLUSIVE,
    PRFDATA_LANES_BLOCK_WORDS =
        PRFDATA_LANES_STRIDE / 8, /* number of words whose lanes are in one block */
    PRFDATA_LANES_BLOCK_BYTES = PRFDATA_LANES * PRFDATA_LANES_STRIDE
};

/*
 * The words of one slot in each lane: 0, 1, or an even number, so that a counter and its base are
 * never on two cache lines.
 */
static inline uint32_t prfdata_lanes_words_per_slot(uint32_t hot_count)
{
    return hot_count > 1 ? (hot_count + 1) / 2 * 2 : hot_count;
}

static inline uint64_t prfdata_lanes_bytes(uint32_t slot_count, uint32_t words_per_slot)
{
    const uint64_t words = (uint64_t)slot_count * words_per_slot;

    return (words + PRFDATA_LANES_BLOCK_WORDS - 1) / PRFDATA_LANES_BLOCK_WORDS *
           PRFDATA_LANES_BLOCK_BYTES;
}

/* The sum of all lanes of a word. `lanes` points to lane 0. */
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
