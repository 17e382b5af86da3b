/* SPDX-License-Identifier: MIT */
/* The writer of replies. Knows bytes, not what they mean. */
#include "reply/perf_block.h"

#include <string.h>

bool prfdata_perf_block_fits(const prfdata_perf_block *block)
{
    return block->used <= block->capacity;
}

static size_t advance_block(prfdata_perf_block *block, size_t size)
{
    size_t offset = block->used;

    block->used = size > SIZE_MAX - offset ? SIZE_MAX : offset + size;
    return offset;
}

size_t prfdata_perf_block_put(prfdata_perf_block *block, const void *data, size_t size)
{
    size_t offset = advance_block(block, size);

    if (prfdata_perf_block_fits(block) && size > 0)
        memcpy(block->bytes + offset, data, size);
    return offset;
}

size_t prfdata_perf_block_skip(prfdata_perf_block *block, size_t size)
{
    size_t offset = advance_block(block, size);

    if (prfdata_perf_block_fits(block) && size > 0)
        memset(block->bytes + offset, 0, size);
    return offset;
}

void prfdata_perf_block_patch(prfdata_perf_block *block, size_t offset, const void *data,
                              size_t size)
{
    if (offset <= block->capacity && size <= block->capacity - offset)
        memcpy(block->bytes + offset, data, size);
}
