/* SPDX-License-Identifier: MIT */
/*
 * Reads, writes and removes whole files by their paths. A program that holds an oplock makes them
 * wait for at most a second (file_handle.h). The caller makes sure that other users cannot change
 * the folders on the path. Windows only.
 */
#ifndef PRFDATA_PLAIN_FILE_H
#define PRFDATA_PLAIN_FILE_H

#include <stddef.h>
#include <stdint.h>

#include <windows.h>

#include <prfdata/error.h>

/*
 * Read a file.
 *
 * flags      FILE_FLAG_OPEN_REPARSE_POINT does not follow a link.
 * max_bytes  A larger file is not read.
 * bytes      On success new memory; owner: the caller, free(). Untouched on failure.
 *
 * Returns ERROR_SUCCESS, ERROR_FILE_NOT_FOUND, ERROR_FILE_TOO_LARGE, ERROR_NOT_ENOUGH_MEMORY, or
 *         what the system answered.
 */
uint32_t prfdata_plain_file_read(const wchar_t *path, DWORD flags, uint32_t max_bytes, void **bytes,
                                 size_t *size);

/*
 * Write and flush a file under the name `incomplete`, and then rename it to `path`. The renaming
 * replaces an old file, or a link itself, in one step.
 *
 * incomplete  A path in the folder of `path`. An existing file of that name is replaced. If the new
 *             file cannot be written or renamed, it is removed.
 */
uint32_t prfdata_plain_file_replace(const wchar_t *path, const wchar_t *incomplete,
                                    const void *bytes, size_t size);

/*
 * Remove a file, or a link itself, by handle. Returns ERROR_SUCCESS, ERROR_FILE_NOT_FOUND, or the
 * system's error; a folder of this name is refused.
 */
uint32_t prfdata_plain_file_remove(const wchar_t *path);

#endif
