/* SPDX-License-Identifier: MIT */
/*
 * Several samples in a file. It begins as a saved block does: the first sample and its titles
 * (saved_block.h). Then follow, in any number and order,
 *
 *   - a further sample:
 *       offset  bytes
 *            0      8  signature: the characters PrfBlock
 *            8      4  version: 1
 *           12      4  bytes of the block
 *           16         the block
 *   - titles, as saved_block.h has them. Of an index that has a text already, the first stays.
 *
 * A program appends each sample as it takes it: a recording that ends in the middle of a part is
 * read up to there. Readers of one block find the first, and see that something follows it.
 */
#ifndef PRFDATA_READER_RECORDING_H
#define PRFDATA_READER_RECORDING_H

#include "block/saved_block.h"

typedef struct prfdata_recording_block {
    size_t offset; /* in the file */
    size_t size;
} prfdata_recording_block;

typedef struct prfdata_recording {
    prfdata_recording_block *blocks; /* at least one; owned */
    size_t count;
    size_t capacity;
    prfdata_titles titles; /* of all of them */
    const char *mistake;   /* what is wrong, static storage; NULL: nothing */
    size_t mistake_offset; /* where; all before it is used */
    bool is_foreign;       /* what follows the first block was not meant for us */
} prfdata_recording;

/* Append a sample that is not the first. Nothing is appended if it is not as long as it says. */
void prfdata_recording_put(prfdata_output *output, const prfdata_sample *sample);

/*
 * Find the samples of a file and read its titles. Blocks are not looked into, but for the first
 * one's header.
 *
 * recording  Set on success; release with prfdata_recording_free(). Offsets are in `bytes`.
 * error      Set on ERROR_INVALID_DATA.
 *
 * Returns ERROR_SUCCESS, ERROR_INVALID_DATA (it does not begin with a data block's header) or
 *         ERROR_NOT_ENOUGH_MEMORY.
 */
uint32_t prfdata_recording_read(const void *bytes, size_t size, prfdata_recording *recording,
                                prfdata_decode_error *error);

/* Release everything; {0} is left. */
void prfdata_recording_free(prfdata_recording *recording);

#endif
