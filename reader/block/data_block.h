/* SPDX-License-Identifier: MIT */
/* Puts the header of a PERF_DATA_BLOCK, with times and the computer's name, before the objects of
 * providers, as perflib does. Also joins several blocks into one. */
#ifndef PRFDATA_READER_DATA_BLOCK_H
#define PRFDATA_READER_DATA_BLOCK_H

#include <stddef.h>
#include <stdint.h>

#include "block/title_set.h"

/*
 * Make a PERF_DATA_BLOCK from objects that were collected now on this computer.
 *
 * objects  `objects_bytes` bytes, as Collect wrote them.
 * bytes    On success the block; for free(). Untouched on failure.
 *
 * Returns ERROR_SUCCESS, ERROR_NOT_ENOUGH_MEMORY or ERROR_INVALID_DATA (more than 4 GiB).
 */
uint32_t prfdata_data_block_make(const void *objects, size_t objects_bytes, uint32_t object_count,
                                 void **bytes, size_t *size);

/* Joins blocks of one computer. {0} is empty. */
typedef struct prfdata_data_blocks {
    unsigned char *bytes; /* the block; NULL: none was added */
    size_t size;
    size_t capacity;
    prfdata_title_set titles; /* titles of the complete objects in `bytes` */
} prfdata_data_blocks;

/*
 * Add those objects of a block that no earlier block contained.
 *
 * bytes  The block, from malloc(); the function takes ownership, even on failure. Damaged parts of
 *        it are added unchanged, so that readers find the damage.
 *
 * Returns ERROR_SUCCESS, ERROR_NOT_ENOUGH_MEMORY or ERROR_INVALID_DATA (the result would have more
 * than 4 GiB, or this block or the first one is invalid). After ERROR_NOT_ENOUGH_MEMORY the joined
 * block can only be freed; after ERROR_INVALID_DATA it is as before.
 */
uint32_t prfdata_data_blocks_add(prfdata_data_blocks *blocks, void *bytes, size_t size);

/* Take the joined block, for free(), and leave {0}. Returns NULL if no block was added. */
void *prfdata_data_blocks_take(prfdata_data_blocks *blocks, size_t *size);

/* Release everything and leave {0}. */
void prfdata_data_blocks_free(prfdata_data_blocks *blocks);

#endif
