/* SPDX-License-Identifier: MIT */
/* Reads a whole file whose path is wide text, on both systems. */
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
 * Returns ERROR_SUCCESS, ERROR_FILE_TOO_LARGE (over `most` bytes), ERROR_NOT_ENOUGH_MEMORY, or the
 *         system's error of opening or reading it.
 */
uint32_t prfdata_read_file(const wchar_t *path, size_t most, void **bytes, size_t *size);

/*
 * Read a file whose name another person chose. In addition to what prfdata_read_file() returns, the
 * result may be ERROR_INVALID_DATA: a link, which could lead to another folder or computer, or a
 * pipe, which could make the caller wait.
 */
uint32_t prfdata_read_plain_file(const wchar_t *path, size_t most, void **bytes, size_t *size);

#endif
