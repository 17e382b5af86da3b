/* SPDX-License-Identifier: MIT */
/*
 * Declares the buffer that a reply is written to. Callers check beforehand that there is room for
 * everything (reply.h); even if they are wrong, nothing is written past the buffer. All bytes are
 * written with memcpy() or memset(), because perflib's buffer may start at any address.
 */
#ifndef PRFDATA_PERF_BLOCK_H
#define PRFDATA_PERF_BLOCK_H

#include <stddef.h>
#include <stdint.h>

typedef struct prfdata_perf_block {
    uint8_t *bytes;
    size_t capacity;
    size_t used; /* at most `capacity` */
} prfdata_perf_block;

static inline void prfdata_perf_block_init(prfdata_perf_block *block, void *bytes, size_t capacity)
{
    block->bytes = bytes;
    block->capacity = capacity;
    block->used = 0;
}

/*
 * Appends bytes. If there is no room for all of them, this call and all later ones append nothing.
 */
void prfdata_perf_block_put(prfdata_perf_block *block, const void *data, size_t size);

/* Appends zero bytes. Returns their address; NULL: there is no room. */
uint8_t *prfdata_perf_block_skip(prfdata_perf_block *block, size_t size);

#endif
