/* SPDX-License-Identifier: MIT */
/*
 * A data block in a file, with the titles that it needs on another computer.
 *
 * The file begins with the PERF_DATA_BLOCK as it came, TotalByteLength bytes: other tools read it
 * as they read any. After it, where those do not look, are the titles:
 *
 *   offset  bytes
 *        0      8  signature: the characters PrfTitle
 *        8      4  version: 1
 *       12      4  bytes of the names
 *       16      4  bytes of the help texts
 *       20      4  0
 *       24         the names, then the help texts
 *
 * Names and help texts have the form of the title database's values, in UTF-16: an index of 1 to
 * 4294967295 in decimal without leading zeros, NUL, its text, which is not empty, NUL, and so on;
 * one more NUL. Each index is greater than the one before. English, and only of indexes that occur
 * in the block. All numbers are little-endian. A block without titles is valid, too: its objects
 * and counters have indexes instead of names.
 *
 * After the titles may follow the further samples of a recording: recording.h.
 */
#ifndef PRFDATA_READER_SAVED_BLOCK_H
#define PRFDATA_READER_SAVED_BLOCK_H

#include "block/sample.h"
#include "block/titles.h"
#include "text/output.h"

#define PRFDATA_SAVED_BLOCK_LIMIT (256u * 1024 * 1024) /* bytes of a file */

typedef struct prfdata_saved_block {
    size_t block_bytes; /* from the file's beginning; all of it if the block is cut short */
    size_t end;         /* of the titles, where the rest of a recording begins */
    prfdata_titles titles;
    const char *mistake; /* what is wrong after the block, static storage; NULL: nothing */
    bool is_foreign;     /* what follows the block was not meant to be titles */
} prfdata_saved_block;

/*
 * Append a file's content: a block and what `titles` has of its indexes. A block that is not as
 * long as it says is put alone: no reader could find titles after it.
 */
void prfdata_saved_block_put(prfdata_output *output, const prfdata_sample *sample,
                             const prfdata_titles *titles);

/* Append the titles of a sample, without a block. */
void prfdata_saved_block_put_titles(prfdata_output *output, const prfdata_sample *sample,
                                    const prfdata_titles *titles);

/*
 * Add titles that stand at the beginning of `bytes` to those of `saved`, and set its mistake; its
 * `end` becomes the bytes that they take. After the last ones, settle them.
 *
 * Returns ERROR_SUCCESS or ERROR_NOT_ENOUGH_MEMORY.
 */
uint32_t prfdata_saved_block_read_titles(const void *bytes, size_t size,
                                         prfdata_saved_block *saved);

/*
 * Order the titles that were added: nothing is found in them before.
 * Returns ERROR_SUCCESS or ERROR_NOT_ENOUGH_MEMORY.
 */
uint32_t prfdata_saved_block_settle_titles(prfdata_titles *titles);

/*
 * Take a file's content apart. Titles before a mistake are kept.
 *
 * saved  Set on success; release its titles.
 * error  Set on ERROR_INVALID_DATA.
 *
 * Returns ERROR_SUCCESS, ERROR_INVALID_DATA (it does not begin with a data block's header) or
 *         ERROR_NOT_ENOUGH_MEMORY.
 */
uint32_t prfdata_saved_block_read(const void *bytes, size_t size, prfdata_saved_block *saved,
                                  prfdata_decode_error *error);

#endif
