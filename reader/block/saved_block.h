/* SPDX-License-Identifier: MIT */
/*
 * Defines the file of a data block. Titles in the file make the block readable on other computers.
 *
 * The file begins with the unchanged PERF_DATA_BLOCK, TotalByteLength bytes, so that other tools
 * can read it like any block, if they ignore what follows. The titles follow:
 *
 *   offset  bytes
 *        0      8  signature: the characters PrfTitle
 *        8      4  version: 1
 *       12      4  bytes of the names
 *       16      4  bytes of the help texts
 *       20      4  0
 *       24         the names, then the help texts
 *
 * Names and help texts have the form of the title database's values, in UTF-16: index, NUL, text,
 * NUL, and so on, and one more NUL at the end. An index is a decimal number from 1 to 4294967295
 * without leading zeros. Each index is greater than the index before it. Texts are English and not
 * empty. Only indexes that occur in the block are listed. All numbers are little-endian. A block
 * without titles is also valid. Its objects and counters are shown by index.
 *
 * After the titles, a recording has further samples (recording.h).
 */
#ifndef PRFDATA_READER_SAVED_BLOCK_H
#define PRFDATA_READER_SAVED_BLOCK_H

#include "block/sample.h"
#include "block/titles.h"
#include "text/output.h"

/* Limit for the bytes of a block that a child process sends. A file that is larger than this limit
 * is mapped instead of being read into memory. */
#define PRFDATA_SAVED_BLOCK_LIMIT (256u * 1024 * 1024)

typedef struct prfdata_saved_block {
    size_t block_bytes; /* size of the block at the beginning of the file; the whole file if the
                           block is truncated */
    size_t end;         /* end of the titles, where the rest of a recording begins */
    prfdata_titles titles;
    const char *mistake; /* describes an invalid part after the block, static storage; NULL: none */
    bool is_foreign;     /* the bytes after the block are not titles */
} prfdata_saved_block;

/*
 * Append the content of a file: a block, and the titles of its indexes. If the block states more
 * bytes than the sample has, or fewer than its header, append only the sample's bytes, because no
 * reader could find titles after them.
 */
void prfdata_saved_block_put(prfdata_output *output, const prfdata_sample *sample,
                             const prfdata_titles *titles);

/* Append the titles of a sample, without its block. */
void prfdata_saved_block_put_titles(prfdata_output *output, const prfdata_sample *sample,
                                    const prfdata_titles *titles);

/*
 * Read the titles at the beginning of `bytes`, add them to those of `saved`, and set
 * saved->mistake. saved->end becomes the number of bytes that the titles occupy. After the last
 * call, call prfdata_saved_block_settle_titles().
 *
 * Returns ERROR_SUCCESS or ERROR_NOT_ENOUGH_MEMORY.
 */
uint32_t prfdata_saved_block_read_titles(const void *bytes, size_t size,
                                         prfdata_saved_block *saved);

/*
 * Sort the titles that were added; before this they cannot be searched.
 * Returns ERROR_SUCCESS or ERROR_NOT_ENOUGH_MEMORY.
 */
uint32_t prfdata_saved_block_settle_titles(prfdata_titles *titles);

/*
 * Read a file's content. Titles before a mistake are kept.
 *
 * saved  Set on success; release its titles.
 * error  Set on ERROR_INVALID_DATA.
 *
 * Returns ERROR_SUCCESS, ERROR_INVALID_DATA (the file does not begin with a data block's header)
 * or ERROR_NOT_ENOUGH_MEMORY.
 */
uint32_t prfdata_saved_block_read(const void *bytes, size_t size, prfdata_saved_block *saved,
                                  prfdata_decode_error *error);

#endif
