/* SPDX-License-Identifier: MIT */
/* Reads a whole file whose path is wide text, on Windows and elsewhere. */
#ifndef PRFDATA_MAPFILE_READ_FILE_H
#define PRFDATA_MAPFILE_READ_FILE_H

#include <stddef.h>
#include <stdint.h>
#include <wchar.h>

#include <prfdata/error.h>

/*
 * Read a file.
 *
 * bytes  On success its bytes; free(). Untouched on failure.
 *
 * Returns ERROR_SUCCESS, ERROR_FILE_TOO_LARGE (over `most` bytes), ERROR_NOT_ENOUGH_MEMORY,
 *         ERROR_INVALID_DATA (on Windows: a device, such as CON), or the system's error of opening
 *         or reading the file. On other systems than Windows, that error is ERROR_FILE_NOT_FOUND or
 *         ERROR_ACCESS_DENIED.
 */
uint32_t prfdata_read_file(const wchar_t *path, size_t most, void **bytes, size_t *size);

/*
 * Read a file whose name another person chose. Returns what prfdata_read_file() does. Also returns
 * ERROR_INVALID_DATA for a link, because a link could lead to another folder or computer. On other
 * systems than Windows, it returns ERROR_INVALID_DATA for everything that is not a regular file,
 * because reading a pipe, for instance, could make the caller wait.
 */
uint32_t prfdata_read_plain_file(const wchar_t *path, size_t most, void **bytes, size_t *size);

#endif
