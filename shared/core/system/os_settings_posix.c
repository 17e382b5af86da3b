/* SPDX-License-Identifier: MIT */
/*
 * Implements the settings of os.h on Linux: one file for each value, in a folder that tests name.
 */
#define _GNU_SOURCE
#define _FILE_OFFSET_BITS 64

#include "system/os_posix.h"

#include <assert.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char settings_root[PATH_MAX];

void prfdata_os_posix_set_root(const char *root)
{
    size_t root_bytes = root ? strlen(root) + 1 : 1;

    assert(root_bytes <= sizeof(settings_root));
    memcpy(settings_root, root ? root : "", root_bytes);
}

static uint32_t open_setting(const char *service, const char *name, int *file)
{
    char path[PATH_MAX];
    int path_chars = snprintf(path, sizeof(path), "%s/%s/%s", settings_root, service, name);

    if (!settings_root[0] || path_chars < 0 || (size_t)path_chars >= sizeof(path))
        return ERROR_FILE_NOT_FOUND;
    *file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (*file >= 0)
        return ERROR_SUCCESS;
    return errno == ENOTDIR ? ERROR_FILE_NOT_FOUND : prfdata_os_status_of_errno(errno);
}

static uint32_t read_all(int file, char *bytes, size_t capacity, size_t *size)
{
    *size = 0;
    while (*size < capacity) {
        ssize_t got = read(file, bytes + *size, capacity - *size);

        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return errno == EISDIR ? ERROR_INVALID_DATA : prfdata_os_status_of_errno(errno);
        if (got == 0)
            break;
        *size += (size_t)got;
    }
    return ERROR_SUCCESS;
}

uint32_t prfdata_os_setting_bytes(const char *service, const char *name, size_t limit, void **bytes,
                                  size_t *size)
{
    struct stat about;
    char *content;
    size_t content_bytes, room;
    int file;
    uint32_t status = open_setting(service, name, &file);

    if (status != ERROR_SUCCESS)
        return status;
    if (fstat(file, &about) != 0 || !S_ISREG(about.st_mode) || (uint64_t)about.st_size > limit) {
        status = ERROR_INVALID_DATA;
        goto close_file;
    }
    room = (size_t)about.st_size + 1; /* one more byte shows whether the file has grown */
    content = malloc(room);
    if (!content) {
        status = ERROR_NOT_ENOUGH_MEMORY;
        goto close_file;
    }
    status = read_all(file, content, room, &content_bytes);
    if (status == ERROR_SUCCESS && content_bytes == room)
        status = ERROR_INVALID_DATA;
    if (status != ERROR_SUCCESS) {
        free(content);
        goto close_file;
    }
    *bytes = content;
    *size = content_bytes;
close_file:
    close(file);
    return status;
}

uint32_t prfdata_os_settings_text(const char *service, const char *name, char *text,
                                  size_t text_bytes)
{
    void *bytes;
    size_t size;
    uint32_t status = prfdata_os_setting_bytes(service, name, text_bytes - 1, &bytes, &size);

    if (status != ERROR_SUCCESS)
        return status;
    if (size > 0 && ((char *)bytes)[size - 1] == '\n')
        size--;
    if (memchr(bytes, 0, size))
        status = ERROR_INVALID_DATA;
    memcpy(text, bytes, size);
    text[size] = 0;
    free(bytes);
    return status;
}

uint32_t prfdata_os_setting_number(const char *service, const char *name, uint32_t *value)
{
    char text[12];
    uint64_t number = 0;
    uint32_t status = prfdata_os_settings_text(service, name, text, sizeof(text));

    if (status != ERROR_SUCCESS)
        return status;
    if (!text[0] || text[strspn(text, "0123456789")])
        return ERROR_INVALID_DATA;
    for (const char *digit = text; *digit; digit++)
        number = number * 10 + (uint64_t)(*digit - '0');
    if (number > UINT32_MAX)
        return ERROR_INVALID_DATA;
    *value = (uint32_t)number;
    return ERROR_SUCCESS;
}

uint32_t prfdata_os_setting_folder(const char *service, size_t limit, void **bytes, size_t *size)
{
    return prfdata_os_setting_bytes(service, "Regions", limit, bytes, size);
}

/* Mixes a number into a stamp, as FNV-1a does. */
static uint64_t mix_stamp(uint64_t stamp, uint64_t number)
{
    return (stamp ^ number) * 0x100000001B3u;
}

static uint64_t stamp_of_file(const struct stat *about)
{
    uint64_t stamp = mix_stamp(0xCBF29CE484222325u, (uint64_t)about->st_ino);

    stamp = mix_stamp(stamp, (uint64_t)about->st_mtim.tv_sec);
    stamp = mix_stamp(stamp, (uint64_t)about->st_mtim.tv_nsec);
    return mix_stamp(stamp, (uint64_t)about->st_size);
}

/*
 * Adds up the stamps of the folder and of each value's file. The folder's stamp changes when a
 * value is made or removed.
 */
static uint64_t stamp_of_folder(DIR *stream)
{
    const struct dirent *entry;
    struct stat about;
    uint64_t stamp = 0;

    /* NOLINTNEXTLINE(concurrency-mt-unsafe): no other thread has this stream */
    while ((entry = readdir(stream)) != NULL)
        if (strcmp(entry->d_name, "..") != 0 &&
            fstatat(dirfd(stream), entry->d_name, &about, AT_SYMLINK_NOFOLLOW) == 0)
            stamp += stamp_of_file(&about); /* a sum, because the order of the entries may differ */
    return stamp;
}

uint32_t prfdata_os_settings_stamp(const char *service, uint64_t *stamp)
{
    char path[PATH_MAX];
    int path_chars = snprintf(path, sizeof(path), "%s/%s", settings_root, service);
    DIR *stream;

    if (!settings_root[0] || path_chars < 0 || (size_t)path_chars >= sizeof(path))
        return ERROR_FILE_NOT_FOUND;
    stream = opendir(path);
    if (!stream)
        return errno == ENOTDIR ? ERROR_FILE_NOT_FOUND : prfdata_os_status_of_errno(errno);
    *stamp = stamp_of_folder(stream);
    closedir(stream);
    return ERROR_SUCCESS;
}
