/* SPDX-License-Identifier: MIT */
/* Reads and writes files by their paths in UTF-16, in files_win32.c and files_posix.c. */
#ifndef PRFDATA_READER_FILES_H
#define PRFDATA_READER_FILES_H

#include "os/streams.h"
#include "text/text.h"

/*
 * Create a file that others may read while it grows.
 *
 * overwrite  true: empty a file that exists; false: return ERROR_FILE_EXISTS. A device is opened in
 *            both cases. On Linux, /dev/stdout and similar paths give a duplicate of the stream.
 * Returns ERROR_SUCCESS or the system's error.
 */
uint32_t prfdata_files_create(prfdata_text path, bool overwrite, prfdata_stream *file);

/*
 * Returns whether the stream is a file on a disk, not a pipe, a device or a terminal.
 *
 * path  The path by which it was created. Names of descriptors, such as /dev/stdout, count as
 *       devices.
 */
bool prfdata_files_is_on_disk(prfdata_stream file, prfdata_text path);

/* Returns whether two paths lead to the same existing file on a disk. */
bool prfdata_files_are_same(prfdata_text a, prfdata_text b);

/* Close a created file. Returns ERROR_SUCCESS or the system's error; in that case data may be
 * lost. */
uint32_t prfdata_files_close(prfdata_stream stream);

/*
 * Read a whole file, or everything from a pipe until its other end is closed.
 *
 * limit  The most bytes; for a longer file returns ERROR_MORE_DATA.
 * bytes  On success the file's bytes and a NUL, which `size` does not count; for free().
 * Returns ERROR_SUCCESS, ERROR_MORE_DATA, ERROR_NOT_ENOUGH_MEMORY or the system's error.
 */
uint32_t prfdata_files_read(prfdata_text path, size_t limit, void **bytes, size_t *size);

/* The content of a file, in memory or mapped. {0} is closed. */
typedef struct prfdata_files_view {
    void *bytes; /* only to be read */
    size_t size;
    bool is_mapped;
} prfdata_files_view;

/*
 * Open the content of a file.
 *
 * may_map  true: map a file that is larger than `limit`, so that unused parts need no memory;
 *          false: return ERROR_MORE_DATA for it. A pipe or device that has more bytes than `limit`
 *          always gives ERROR_MORE_DATA.
 *
 * Returns what prfdata_files_read() returns.
 */
uint32_t prfdata_files_view_open(prfdata_text path, size_t limit, bool may_map,
                                 prfdata_files_view *view);

/*
 * Run `read(context)`, which reads the bytes. Returns false if the file turned out to be shorter,
 * because another program has cut it, or if its disk failed.
 */
bool prfdata_files_view_read(const prfdata_files_view *view, void (*read)(void *context),
                             void *context);

/* Close the view and leave {0}. */
void prfdata_files_view_close(prfdata_files_view *view);

/*
 * Read a stream to its end.
 *
 * expected  The expected number of bytes; 0: unknown. Everything else as for prfdata_files_read().
 */
uint32_t prfdata_files_read_stream(prfdata_stream stream, size_t expected, size_t limit,
                                   void **bytes, size_t *size);

/*
 * Read available bytes from a stream, at most `room`; wait if there are none.
 *
 * got  Set on success; 0: the end.
 * Returns ERROR_SUCCESS or the system's error.
 */
uint32_t prfdata_files_read_some(prfdata_stream stream, void *bytes, size_t room, size_t *got);

/* Write a whole file, or nothing, as prfdata_replace_file() does. */
uint32_t prfdata_files_write(prfdata_text path, bool overwrite, const void *bytes, size_t size);

#endif
