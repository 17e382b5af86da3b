/* SPDX-License-Identifier: MIT */
/* Reads and writes files with the functions of POSIX. */
#define _POSIX_C_SOURCE   200809L
#define _FILE_OFFSET_BITS 64
#include "os/files.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <prfdata/error.h>

#include "names/names.h"
#include "os/posix.h"
#include "os/stop.h"
#include "system/guard_posix.h"
#include "system/replace_file.h"

/* Convert a path to UTF-8 with a NUL, for free(); NULL: no memory. */
static char *utf8_path(prfdata_text text)
{
    char *bytes = malloc(3 * text.count + 1);

    if (bytes)
        bytes[prfdata_names_utf8_from_utf16(text.chars, text.count, bytes, 3 * text.count)] = 0;
    return bytes;
}

static int open_name(const char *name, int flags)
{
    return open(name, flags | O_CLOEXEC, 0666);
}

/* Open a path by `open_by`, which is open_name() or prfdata_replace_file_open_device(). */
static uint32_t open_posix_file(prfdata_text path, int (*open_by)(const char *, int), int flags,
                                int *file)
{
    char *name = utf8_path(path);
    uint32_t status = ERROR_SUCCESS;

    if (!name)
        return ERROR_NOT_ENOUGH_MEMORY;
    *file = open_by(name, flags);
    if (*file < 0)
        status = prfdata_posix_last_error();
    free(name);
    return status;
}

static bool is_device_at(prfdata_text path)
{
    char *name = utf8_path(path);
    const bool is_device = name && prfdata_replace_file_is_device(name);

    free(name);
    return is_device;
}

/* Create a file, if nothing has this name, not even a link that leads nowhere. */
static uint32_t create_new_file(prfdata_text path, int *file)
{
    return open_posix_file(path, open_name, O_WRONLY | O_CREAT | O_EXCL, file);
}

uint32_t prfdata_files_create(prfdata_text path, bool overwrite, prfdata_stream *file)
{
    int descriptor = -1;
    uint32_t status;

    if (overwrite || is_device_at(path)) {
        status = open_posix_file(path, prfdata_replace_file_open_device, O_TRUNC, &descriptor);
        if (status == ERROR_FILE_NOT_FOUND)
            status = create_new_file(path, &descriptor);
        if (overwrite && status == ERROR_FILE_EXISTS)
            status = ERROR_FILE_NOT_FOUND; /* the name is that of a link that leads nowhere */
    } else {
        status = create_new_file(path, &descriptor);
    }
    if (status == ERROR_SUCCESS)
        *file = descriptor;
    return status;
}

bool prfdata_files_is_on_disk(prfdata_stream file, prfdata_text path)
{
    struct stat about;

    return fstat((int)file, &about) == 0 && S_ISREG(about.st_mode) && !is_device_at(path);
}

static bool find_regular_file(prfdata_text path, struct stat *about)
{
    char *name = utf8_path(path);
    const bool is_found = name && stat(name, about) == 0 && S_ISREG(about->st_mode);

    free(name);
    return is_found;
}

bool prfdata_files_are_same(prfdata_text a, prfdata_text b)
{
    struct stat of_a, of_b;

    return find_regular_file(a, &of_a) && find_regular_file(b, &of_b) &&
           of_a.st_dev == of_b.st_dev && of_a.st_ino == of_b.st_ino;
}

uint32_t prfdata_files_close(prfdata_stream stream)
{
    return close((int)stream) == 0 ? ERROR_SUCCESS : prfdata_posix_last_error();
}

uint32_t prfdata_files_read_some(prfdata_stream stream, void *bytes, size_t room, size_t *got)
{
    for (;;) {
        const ssize_t count = read((int)stream, bytes, room);

        if (count >= 0) {
            *got = (size_t)count;
            return ERROR_SUCCESS;
        }
        if (!prfdata_posix_may_try_again((int)stream, POLLIN))
            return prfdata_posix_last_error();
        if (!prfdata_stop_wait_until(0))
            return ERROR_CANCELLED;
    }
}

/* Map a file. `bytes` is its size, above 0. */
static uint32_t map_posix_file(int file, off_t bytes, prfdata_files_view *view)
{
    void *mapped;

    if ((uint64_t)bytes > SIZE_MAX / 2)
        return ERROR_NOT_ENOUGH_MEMORY;
    mapped = mmap(NULL, (size_t)bytes, PROT_READ, MAP_PRIVATE, file, 0);
    if (mapped == MAP_FAILED)
        return prfdata_posix_last_error();
    prfdata_guard_open();
    *view = (prfdata_files_view){mapped, (size_t)bytes, true};
    return ERROR_SUCCESS; /* cppcheck-suppress memleak; the view owns the mapping */
}

uint32_t prfdata_files_view_open(prfdata_text path, size_t limit, bool may_map,
                                 prfdata_files_view *view)
{
    struct stat about;
    int file = -1;
    uint32_t status = open_posix_file(path, open_name, O_RDONLY, &file);

    memset(view, 0, sizeof *view);
    if (status != ERROR_SUCCESS)
        return status;
    if (fstat(file, &about) != 0)
        status = prfdata_posix_last_error();
    else if (S_ISDIR(about.st_mode))
        status = ERROR_ACCESS_DENIED;
    else if (S_ISREG(about.st_mode) && (uint64_t)about.st_size > limit)
        status = may_map ? map_posix_file(file, about.st_size, view) : ERROR_MORE_DATA;
    else
        status = prfdata_files_read_stream(file, S_ISREG(about.st_mode) ? (size_t)about.st_size : 0,
                                           limit, &view->bytes, &view->size);
    close(file);
    return status;
}

void prfdata_files_view_close(prfdata_files_view *view)
{
    if (view->is_mapped) {
        (void)munmap(view->bytes, view->size);
        prfdata_guard_close();
    } else {
        free(view->bytes);
    }
    memset(view, 0, sizeof *view);
}

uint32_t prfdata_files_write(prfdata_text path, bool overwrite, const void *bytes, size_t size)
{
    char *name = utf8_path(path);
    uint32_t status = ERROR_NOT_ENOUGH_MEMORY;

    if (name)
        status = prfdata_replace_file(name, overwrite, bytes, size);
    free(name);
    return status;
}
