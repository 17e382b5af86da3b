/* SPDX-License-Identifier: MIT */
/* Reads and writes files by their paths, which are UTF-16: files_win32.c and files_posix.c. */
#ifndef PRFDATA_READER_FILES_H
#define PRFDATA_READER_FILES_H

#include "os/streams.h"
#include "text/text.h"

/*
 * Create a file, for others to read while it grows.
 *
 * overwrite  Empty the file if it exists; else that is ERROR_FILE_EXISTS.
 * Returns ERROR_SUCCESS or the system's error.
 */
uint32_t prfdata_files_create(prfdata_text path, bool overwrite, prfdata_stream *file);

/* Whether it is a file of a disk: not a pipe, a device or a terminal. */
bool prfdata_files_is_on_disk(prfdata_stream file);

/* Close a created file. Returns ERROR_SUCCESS or the system's error: data may be lost then. */
uint32_t prfdata_files_close(prfdata_stream stream);

/*
 * Read a whole file, or all that comes from a pipe until its other end is closed.
 *
 * limit  More bytes are ERROR_MORE_DATA.
 * bytes  On success its bytes and then a NUL, which `size` does not count; for free().
 * Returns ERROR_SUCCESS, ERROR_MORE_DATA, ERROR_NOT_ENOUGH_MEMORY or the system's error.
 */
uint32_t prfdata_files_read(prfdata_text path, size_t limit, void **bytes, size_t *size);

/*
 * Read a stream to its end.
 *
 * expected  How many bytes there are, as far as that is known.
 * The rest as above.
 */
uint32_t prfdata_files_read_stream(prfdata_stream stream, size_t expected, size_t limit,
                                   void **bytes, size_t *size);

/*
 * Read what a stream has, at most `room` bytes; wait if it has nothing.
 *
 * got  Set on success; 0: the end.
 * Returns ERROR_SUCCESS or the system's error.
 */
uint32_t prfdata_files_read_some(prfdata_stream stream, void *bytes, size_t room, size_t *got);

/* Write a whole file, or none, as prfdata_replace_file() does. */
uint32_t prfdata_files_write(prfdata_text path, bool overwrite, const void *bytes, size_t size);

#endif
