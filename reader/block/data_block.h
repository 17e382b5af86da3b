/* SPDX-License-Identifier: MIT */
/* Makes the header that perflib puts before the objects of providers, with times and computer name,
 * and joins blocks. */
#ifndef PRFDATA_READER_DATA_BLOCK_H
#define PRFDATA_READER_DATA_BLOCK_H

#include <stddef.h>
#include <stdint.h>

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

/*
 * Append those objects of another block of this computer that the first one lacks.
 *
 * bytes  A block, made by malloc(); may move.
 * more   The other block. Damaged parts of it are appended unchanged, so that readers find the
 *        damage.
 *
 * Returns ERROR_SUCCESS, ERROR_NOT_ENOUGH_MEMORY or ERROR_INVALID_DATA (more than 4 GiB, or one is
 * not a block). On failure nothing is appended.
 */
uint32_t prfdata_data_block_append(void **bytes, size_t *size, const void *more, size_t more_size);

#endif
