/* SPDX-License-Identifier: MIT */
/* Reads a whole file, on systems other than Windows. Their paths are UTF-8. */
#define _GNU_SOURCE /* O_NOFOLLOW */

#include "mapfile/read_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "names/names.h"

enum { PATH_BYTES = 4096 }; /* Linux refuses longer paths */

static uint32_t error_of_errno(void)
{
    switch (errno) {
    case ENOENT:
    case ENOTDIR:
        return ERROR_FILE_NOT_FOUND;
    case ENOMEM:
        return ERROR_NOT_ENOUGH_MEMORY;
    default:
        return ERROR_ACCESS_DENIED;
    }
}

static uint32_t read_stream(FILE *file, size_t most, void **bytes, size_t *size)
{
    char *read = malloc(most + 1);
    size_t got;
    uint32_t status = ERROR_SUCCESS;

    if (!read)
        return ERROR_NOT_ENOUGH_MEMORY;
    got = fread(read, 1, most + 1, file);
    if (ferror(file))
        status = error_of_errno();
    else if (got > most)
        status = ERROR_FILE_TOO_LARGE;
    if (status) {
        free(read);
        return status;
    }
    *bytes = read;
    *size = got;
    return ERROR_SUCCESS;
}

/* If `is_plain` is set, opens only a regular file. Returns the descriptor; -1 on failure. */
static int open_file(const char *name, bool is_plain, uint32_t *status)
{
    const int flags = O_RDONLY | O_CLOEXEC | O_NOCTTY;
    const int file = open(name, is_plain ? flags | O_NOFOLLOW | O_NONBLOCK : flags);
    struct stat about;

    *status = ERROR_SUCCESS;
    if (file < 0) {
        *status = errno == ELOOP && is_plain ? ERROR_INVALID_DATA : error_of_errno();
    } else if (is_plain && (fstat(file, &about) != 0 || !S_ISREG(about.st_mode))) {
        *status = ERROR_INVALID_DATA;
        close(file);
    }
    return *status ? -1 : file;
}

static uint32_t read_file(const wchar_t *path, bool is_plain, size_t most, void **bytes,
                          size_t *size)
{
    char name[PATH_BYTES];
    const size_t name_size = prfdata_names_utf8_from_wide(path, name, sizeof name);
    uint32_t status;
    FILE *stream;
    int file;

    if (name_size >= sizeof name) /* SIZE_MAX: the path is not valid text */
        return ERROR_FILE_NOT_FOUND;
    name[name_size] = 0;
    file = open_file(name, is_plain, &status);
    if (status)
        return status;
    stream = fdopen(file, "rb");
    if (!stream) {
        close(file);
        return ERROR_NOT_ENOUGH_MEMORY;
    }
    status = read_stream(stream, most, bytes, size);
    fclose(stream);
    return status;
}

uint32_t prfdata_read_file(const wchar_t *path, size_t most, void **bytes, size_t *size)
{
    return read_file(path, false, most, bytes, size);
}

uint32_t prfdata_read_plain_file(const wchar_t *path, size_t most, void **bytes, size_t *size)
{
    return read_file(path, true, most, bytes, size);
}
