/* SPDX-License-Identifier: MIT */
/*
 * The writer of replies. It never writes past its buffer and never stops counting, so that one
 * check at the end suffices. It copies bytes, because perflib's buffer may start at any address.
 */
#ifndef PRFDATA_PERF_BLOCK_H
#define PRFDATA_PERF_BLOCK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct prfdata_perf_block {
    uint8_t *bytes;
    size_t capacity;
    size_t used; /* what was put so far, written or not; SIZE_MAX: too much to count */
} prfdata_perf_block;

static inline void prfdata_perf_block_init(prfdata_perf_block *block, void *bytes, size_t capacity)
{
    block->bytes = bytes;
    block->capacity = capacity;
    block->used = 0;
}

/* Append bytes. Returns their offset. */
size_t prfdata_perf_block_put(prfdata_perf_block *block, const void *data, size_t size);

/* Append zero bytes. Returns their offset. */
size_t prfdata_perf_block_skip(prfdata_perf_block *block, size_t size);

/* Overwrite bytes that were put before; without effect where they did not fit. */
void prfdata_perf_block_patch(prfdata_perf_block *block, size_t offset, const void *data,
                              size_t size);

/* Whether everything that was put was written. */
bool prfdata_perf_block_fits(const prfdata_perf_block *block);

#endif
