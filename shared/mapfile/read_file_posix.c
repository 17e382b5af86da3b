/* SPDX-License-Identifier: MIT */
/* Reads a whole file on systems other than Windows, where paths are UTF-8. */
#include "mapfile/read_file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "names/names.h"

enum { PATH_BYTES = 4096 }; /* the length of the longest path that Linux opens */

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

uint32_t prfdata_read_file(const wchar_t *path, size_t most, void **bytes, size_t *size)
{
    char name[PATH_BYTES];
    const size_t name_size = prfdata_names_utf8_from_wide(path, name, sizeof name);
    uint32_t status;
    FILE *file;

    if (name_size >= sizeof name) /* true for SIZE_MAX too: the path is not valid text */
        return ERROR_FILE_NOT_FOUND;
    name[name_size] = 0;
    file = fopen(name, "rb");
    if (!file)
        return error_of_errno();
    status = read_stream(file, most, bytes, size);
    fclose(file);
    return status;
}
