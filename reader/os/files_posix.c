/* SPDX-License-Identifier: MIT */
/* Files by open(). A whole file is written beside the old one and then renamed. */
#define _GNU_SOURCE /* realpath */
#include "os/files.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <prfdata/error.h>

#include "core/names.h"
#include "os/posix.h"

/* UTF-8 ended by a NUL, for free(); NULL: no memory. */
static char *utf8_path(prfdata_text text)
{
    char *bytes = malloc(3 * text.count + 1);

    if (bytes)
        bytes[prfdata_names_utf8_from_utf16(text.chars, text.count, bytes, 3 * text.count)] = 0;
    return bytes;
}

static uint32_t open_posix_file(prfdata_text path, int flags, int *file)
{
    char *name = utf8_path(path);
    uint32_t status = ERROR_SUCCESS;

    if (!name)
        return ERROR_NOT_ENOUGH_MEMORY;
    *file = open(name, flags | O_CLOEXEC, 0666);
    if (*file < 0)
        status = prfdata_posix_last_error();
    free(name);
    return status;
}

uint32_t prfdata_files_create(prfdata_text path, bool overwrite, prfdata_stream *file)
{
    int descriptor = -1;
    uint32_t status =
        open_posix_file(path, O_WRONLY | O_CREAT | (overwrite ? O_TRUNC : O_EXCL), &descriptor);

    if (status == ERROR_SUCCESS)
        *file = descriptor;
    return status;
}

uint32_t prfdata_files_close(prfdata_stream stream)
{
    return close((int)stream) == 0 ? ERROR_SUCCESS : prfdata_posix_last_error();
}

uint32_t prfdata_files_read_some(prfdata_stream stream, void *bytes, size_t room, size_t *got)
{
    ssize_t count;

    do
        count = read((int)stream, bytes, room);
    while (count < 0 && errno == EINTR);
    if (count < 0)
        return prfdata_posix_last_error();
    *got = (size_t)count;
    return ERROR_SUCCESS;
}

uint32_t prfdata_files_read(prfdata_text path, size_t limit, void **bytes, size_t *size)
{
    struct stat about;
    int file = -1;
    uint32_t status = open_posix_file(path, O_RDONLY, &file);

    if (status != ERROR_SUCCESS)
        return status;
    if (fstat(file, &about) != 0)
        status = prfdata_posix_last_error();
    else if (S_ISDIR(about.st_mode))
        status = ERROR_ACCESS_DENIED;
    else if (S_ISREG(about.st_mode) && (uint64_t)about.st_size > limit)
        status = ERROR_MORE_DATA;
    else
        status = prfdata_files_read_stream(file, S_ISREG(about.st_mode) ? (size_t)about.st_size : 0,
                                           limit, bytes, size);
    close(file);
    return status;
}

/* The name of the file that is written first, for free(). */
static char *make_temporary_name(const char *name)
{
    const size_t capacity = strlen(name) + 32;
    char *temporary = malloc(capacity);

    if (temporary)
        snprintf(temporary, capacity, "%s.%u.tmp", name, (unsigned)getpid());
    return temporary;
}

static uint32_t write_posix_file(int file, const void *bytes, size_t size)
{
    uint32_t status = prfdata_streams_write(file, bytes, size);

    if (close(file) != 0 && status == ERROR_SUCCESS)
        status = prfdata_posix_last_error();
    return status;
}

/* Write another file and rename it: `name` is the old file or the new one, never a part. */
static uint32_t replace_posix_file(const char *name, mode_t mode, const void *bytes, size_t size)
{
    char *temporary = make_temporary_name(name);
    uint32_t status;
    int file;

    if (!temporary)
        return ERROR_NOT_ENOUGH_MEMORY;
    file = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
    status = file < 0 ? prfdata_posix_last_error() : write_posix_file(file, bytes, size);
    if (status == ERROR_SUCCESS && rename(temporary, name) != 0)
        status = prfdata_posix_last_error();
    if (file >= 0 && status != ERROR_SUCCESS)
        (void)unlink(temporary);
    free(temporary);
    return status;
}

/* Replace a file that exists, following links; devices and pipes are written to instead. */
static uint32_t overwrite_posix_file(const char *name, const void *bytes, size_t size)
{
    char *real = realpath(name, NULL);
    uint32_t status;
    struct stat found;

    if (!real)
        return prfdata_posix_last_error();
    if (stat(real, &found) != 0) {
        status = prfdata_posix_last_error();
    } else if (S_ISREG(found.st_mode)) {
        status = replace_posix_file(real, found.st_mode & 0777, bytes, size);
    } else {
        int file = open(real, O_WRONLY | O_CLOEXEC);

        status = file < 0 ? prfdata_posix_last_error() : write_posix_file(file, bytes, size);
    }
    free(real);
    return status;
}

uint32_t prfdata_files_write(prfdata_text path, bool overwrite, const void *bytes, size_t size)
{
    char *name = utf8_path(path);
    uint32_t status;
    int claim;

    if (!name)
        return ERROR_NOT_ENOUGH_MEMORY;
    /* An empty file reserves the name until it is replaced. */
    claim = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (claim >= 0) {
        struct stat claimed;

        status = fstat(claim, &claimed) != 0
                     ? prfdata_posix_last_error()
                     : replace_posix_file(name, claimed.st_mode & 0777, bytes, size);
        (void)close(claim);
        if (status != ERROR_SUCCESS)
            (void)unlink(name);
    } else if (errno == EEXIST && overwrite) {
        status = overwrite_posix_file(name, bytes, size);
    } else {
        status = prfdata_posix_last_error();
    }
    free(name);
    return status;
}
