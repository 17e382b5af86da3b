/* SPDX-License-Identifier: MIT */
/* Writes the bytes of a reply. reply.c knows their meaning. */
#include "reply/perf_block.h"

#include <string.h>

/* Returns NULL if there is no room; all later calls then return NULL, too. */
static uint8_t *take_room(prfdata_perf_block *block, size_t size)
{
    uint8_t *at = block->bytes + block->used;

    if (size > block->capacity - block->used) {
        block->capacity = block->used; /* otherwise later bytes would be at the wrong offset */
        return NULL;
    }
    block->used += size;
    return at;
}

void prfdata_perf_block_put(prfdata_perf_block *block, const void *data, size_t size)
{
    uint8_t *at = take_room(block, size);

    if (at && size > 0)
        memcpy(at, data, size);
}

uint8_t *prfdata_perf_block_skip(prfdata_perf_block *block, size_t size)
{
    uint8_t *at = take_room(block, size);

    if (at)
        memset(at, 0, size);
    return at;
}
