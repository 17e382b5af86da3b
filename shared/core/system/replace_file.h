/* SPDX-License-Identifier: MIT */
/*
 * Replaces files: writes a new file next to the old one, flushes the new file, and moves it to the
 * old file's place. So a reader finds either the old file or the new one, never a part. For the
 * exceptions see prfdata_replace_file(). replace_file_win32.c and replace_file_posix.c do the work.
 */
#ifndef PRFDATA_REPLACE_FILE_H
#define PRFDATA_REPLACE_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <wchar.h>

#include <prfdata/error.h>

#ifdef _WIN32
typedef wchar_t prfdata_path_char;
#else
typedef char prfdata_path_char; /* UTF-8 */
#endif

/*
 * Write a whole file, or nothing. The new file gets owner, rights and attributes of the old file.
 * If a program holds the old file, the call waits for at most about a second. On Linux, the file to
 * which a link leads is replaced.
 *
 * In the following cases the call overwrites the content of the old file instead of replacing the
 * file. Then a failure may leave a part of the new content.
 * - The new file cannot get owner, rights and attributes of the old file.
 * - The old file has several names.
 * - On Windows, the path names a stream.
 * - On Windows, the old file is a link, has alternate streams, or is compressed, encrypted, sparse
 *   or stored elsewhere (for instance by OneDrive).
 * - On Linux, no file can be made next to the old file.
 *
 * overwrite  true: replace an existing file; false: fail with ERROR_FILE_EXISTS if the file exists.
 *            A device or a pipe is never replaced, only written to, whatever `overwrite` says.
 *
 * Returns ERROR_SUCCESS, ERROR_NOT_ENOUGH_MEMORY or the system's error.
 * Threads: any.
 */
uint32_t prfdata_replace_file(const prfdata_path_char *path, bool overwrite, const void *bytes,
                              size_t size);

/*
 * Whether the path names a device or a pipe, such as NUL, or on Linux a descriptor of this process,
 * such as /dev/stdout. These cannot be replaced and do not count as a file that exists, even if the
 * shell has redirected the descriptor to a file.
 */
bool prfdata_replace_file_is_device(const prfdata_path_char *path);

#ifndef _WIN32
/*
 * Open a device, a pipe or a file for writing. A path such as /dev/stdout or /dev/fd/3 gives a
 * duplicate of the descriptor, so that the output follows what the file already contains.
 *
 * flags  Flags of open() besides O_WRONLY, for all other paths.
 *
 * Returns a descriptor, or -1 with errno.
 */
int prfdata_replace_file_open_device(const char *path, int flags);
#endif

/* ---- Waiting, which tests replace so that they need no clock ---- */

/* Waits a moment, because another program holds the file. Returns false to give up. */
typedef bool prfdata_replace_file_wait(void *context);

/* Do what prfdata_replace_file() does, with another way to wait. */
uint32_t prfdata_replace_file_with(const prfdata_path_char *path, bool overwrite, const void *bytes,
                                   size_t size, prfdata_replace_file_wait *wait, void *context);

#endif
