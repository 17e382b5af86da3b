/* SPDX-License-Identifier: MIT */
/* Converts the errors and texts of POSIX, for all files that end in _posix.c. */
#include "os/posix.h"

#include <errno.h>

#include <prfdata/error.h>

uint32_t prfdata_posix_last_error(void)
{
    switch (errno) {
    case ENOENT:
        return ERROR_FILE_NOT_FOUND;
    case ENOTDIR:
        return ERROR_PATH_NOT_FOUND;
    case EACCES:
    case EPERM:
    case EROFS:
    case EISDIR:
        return ERROR_ACCESS_DENIED;
    case EEXIST:
        return ERROR_FILE_EXISTS;
    case ENOSPC:
    case EDQUOT:
        return ERROR_DISK_FULL;
    case EPIPE:
        return ERROR_BROKEN_PIPE;
    case ENOMEM:
        return ERROR_NOT_ENOUGH_MEMORY;
    default:
        return ERROR_GEN_FAILURE;
    }
}

size_t prfdata_posix_put_ascii(const char *text, uint16_t *chars, size_t capacity)
{
    size_t count = 0;

    for (; count < capacity && text[count]; count++)
        chars[count] = (unsigned char)text[count];
    return count;
}
