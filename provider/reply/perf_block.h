/* SPDX-License-Identifier: MIT */
/*
 * The writer of replies. Who puts something has asked before whether there is room for all of it
 * (reply.h); even if that were wrong, nothing is written past the buffer. Bytes are copied, because
 * perflib's buffer may start at any address.
 */
#ifndef PRFDATA_PERF_BLOCK_H
#define PRFDATA_PERF_BLOCK_H

#include <stddef.h>
#include <stdint.h>

typedef struct prfdata_perf_block {
    uint8_t *bytes;
    size_t capacity;
    size_t used; /* never more */
} prfdata_perf_block;

static inline void prfdata_perf_block_init(prfdata_perf_block *block, void *bytes, size_t capacity)
{
    block->bytes = bytes;
    block->capacity = capacity;
    block->used = 0;
}

/* Append bytes. Without room for all of them there is none for anything any more, here and below.
 */
void prfdata_perf_block_put(prfdata_perf_block *block, const void *data, size_t size);

/* Append zero bytes. Returns where they are; NULL: there is no room. */
uint8_t *prfdata_perf_block_skip(prfdata_perf_block *block, size_t size);

#endif
