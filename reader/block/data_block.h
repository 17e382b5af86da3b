/* SPDX-License-Identifier: MIT */
/* The header that perflib puts before the objects of providers, with its times and the computer. */
#ifndef PRFDATA_READER_DATA_BLOCK_H
#define PRFDATA_READER_DATA_BLOCK_H

#include <stddef.h>
#include <stdint.h>

/*
 * Make a PERF_DATA_BLOCK of objects that were collected now on this computer.
 *
 * objects  `objects_bytes` bytes, as Collect wrote them.
 * bytes    On success the block; for free(). Untouched on failure.
 *
 * Returns ERROR_SUCCESS, ERROR_NOT_ENOUGH_MEMORY or ERROR_INVALID_DATA (more than 4 GiB).
 */
uint32_t prfdata_data_block_make(const void *objects, size_t objects_bytes, uint32_t object_count,
                                 void **bytes, size_t *size);

/*
 * Add the objects of another block of this computer that the first one lacks.
 *
 * bytes  A block, made by malloc(); may move.
 * more   Another one. What is damaged in it is added as it is, so that it is found there.
 *
 * Returns ERROR_SUCCESS, ERROR_NOT_ENOUGH_MEMORY or ERROR_INVALID_DATA (more than 4 GiB, or one is
 *         no block); then nothing is added.
 */
uint32_t prfdata_data_block_append(void **bytes, size_t *size, const void *more, size_t more_size);

#endif
