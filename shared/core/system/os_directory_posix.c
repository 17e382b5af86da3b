/* SPDX-License-Identifier: MIT */
/* Implements the regions folder (os.h) on Linux: opens it, and lists its region files. */
#define _GNU_SOURCE
#define _FILE_OFFSET_BITS 64

#include "system/os_posix.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "system/os_listing.h"

uint32_t prfdata_os_directory_open(const char *service, prfdata_os_directory **directory)
{
    char path[PATH_MAX];
    prfdata_os_directory *opened;
    uint32_t status = prfdata_os_settings_text(service, "Regions", path, sizeof(path));

    if (status != ERROR_SUCCESS)
        return status;
    if (path[0] != '/')
        return ERROR_INVALID_DATA;
    opened = malloc(sizeof(*opened));
    if (!opened)
        return ERROR_NOT_ENOUGH_MEMORY;
    opened->file = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (opened->file < 0) {
        status = prfdata_os_is_not_plain_error(errno) ? ERROR_INVALID_DATA
                                                      : prfdata_os_status_of_errno(errno);
        free(opened);
        return status;
    }
    *directory = opened;
    return ERROR_SUCCESS;
}

void prfdata_os_directory_close(prfdata_os_directory *directory)
{
    if (!directory)
        return;
    close(directory->file);
    free(directory);
}

static bool is_dots(const char *name)
{
    return strcmp(name, ".") == 0 || strcmp(name, "..") == 0;
}

/*
 * Examines the remaining entries of the stream until the listing ends. Returns 0 or an errno.
 * `position` gets the position of the first entry that was not examined, or 0 if there is none.
 */
static int look_at_entries(DIR *stream, prfdata_os_listing *listing, uint64_t *position)
{
    const struct dirent *entry;

    errno = 0;
    /* NOLINTNEXTLINE(concurrency-mt-unsafe): no other thread has this stream */
    while ((entry = readdir(stream)) != NULL) {
        if (!is_dots(entry->d_name) &&
            !prfdata_os_listing_look(listing, entry->d_name, strlen(entry->d_name)))
            return 0;
        *position = (uint64_t)entry->d_off;
        errno = 0;
    }
    *position = 0;
    return errno;
}

static uint32_t list_stream_names(const prfdata_os_directory *directory,
                                  prfdata_os_listing *listing, uint64_t *position, size_t *count,
                                  bool *more)
{
    /*
     * Opens the folder again, because a duplicated descriptor would share its position with other
     * threads.
     */
    int file = openat(directory->file, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *stream;
    int error;

    if (file < 0)
        return prfdata_os_status_of_errno(errno);
    stream = fdopendir(file);
    if (!stream) {
        close(file);
        return ERROR_NOT_ENOUGH_MEMORY;
    }
    /* Positions belong to the folder, so another stream may use them. */
    if (*position != 0)
        seekdir(stream, (long)*position);
    error = look_at_entries(stream, listing, position);
    closedir(stream);
    if (error == 0)
        prfdata_os_listing_finish(listing, count, more);
    return prfdata_os_status_of_errno(error);
}

uint32_t prfdata_os_directory_list(prfdata_os_directory *directory, uint64_t boot,
                                   prfdata_os_name *names, size_t capacity, size_t *count,
                                   bool *more)
{
    prfdata_os_listing listing;
    uint64_t position = 0;

    prfdata_os_listing_init(&listing, boot, false, names, capacity);
    return list_stream_names(directory, &listing, &position, count, more);
}

uint32_t prfdata_os_directory_list_others(prfdata_os_directory *directory, uint64_t boot,
                                          prfdata_os_name *names, size_t capacity, size_t *count,
                                          bool *more)
{
    prfdata_os_listing listing;
    uint64_t position = 0;

    prfdata_os_listing_init(&listing, boot, true, names, capacity);
    return list_stream_names(directory, &listing, &position, count, more);
}

uint32_t prfdata_os_directory_list_part(prfdata_os_directory *directory, uint64_t boot,
                                        uint64_t *position, prfdata_os_name *names, size_t capacity,
                                        size_t *count)
{
    prfdata_os_listing listing;
    bool more;

    prfdata_os_listing_init_part(&listing, boot, names, capacity);
    return list_stream_names(directory, &listing, position, count, &more);
}
