/* SPDX-License-Identifier: MIT */
/*
 * Implements region files and their views (os.h) on Linux, for readers. os_region_write_posix.c is
 * for writers.
 */
#define _GNU_SOURCE
#define _FILE_OFFSET_BITS 64

#include "system/os_posix.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <unistd.h>

#include "system/guard_posix.h"
#include "system/os_name.h"

bool prfdata_os_region_is_sparse(const struct stat *about)
{
    return (uint64_t)about->st_blocks * 512 < (uint64_t)about->st_size;
}

uint32_t prfdata_os_region_map_file(int file, uint64_t size, int protection, uint8_t **bytes)
{
    void *view;

    if (size > SIZE_MAX)
        return ERROR_NOT_ENOUGH_MEMORY;
    view = mmap(NULL, (size_t)size, protection, MAP_SHARED, file, 0);
    if (view == MAP_FAILED)
        return prfdata_os_status_of_errno(errno);
    *bytes = view;
    return ERROR_SUCCESS;
}

void prfdata_os_region_close(prfdata_os_region *region)
{
    static const prfdata_os_region none = PRFDATA_OS_REGION_NONE;

    if (region->bytes && region->owner == -1) /* only readers' views are guarded */
        prfdata_guard_close();
    if (region->bytes)
        munmap(region->bytes, (size_t)region->size);
    if (region->owner != -1)
        close((int)region->owner);
    *region = none;
}

static bool is_same_file(const prfdata_os_file_id *a, const struct stat *b)
{
    return a->volume == b->st_dev && a->file[0] == b->st_ino;
}

uint32_t prfdata_os_region_attach(prfdata_os_directory *directory, const prfdata_os_name *name,
                                  uint64_t limit, prfdata_os_region *region)
{
    struct stat about;
    uint8_t *bytes = NULL;
    uint32_t status;
    int file;

    if (!prfdata_os_name_is_valid(name))
        return ERROR_INVALID_PARAMETER;
    file = openat(directory->file, name->text, O_RDONLY | PRFDATA_OS_OPEN_PLAINLY);
    if (file < 0)
        return prfdata_os_is_not_plain_error(errno) ? ERROR_INVALID_DATA
                                                    : prfdata_os_status_of_errno(errno);
    if (fstat(file, &about) != 0)
        status = prfdata_os_status_of_errno(errno);
    else if (!S_ISREG(about.st_mode) || about.st_size == 0 || (uint64_t)about.st_size > limit ||
             prfdata_os_region_is_sparse(&about))
        status = ERROR_INVALID_DATA;
    else
        status = prfdata_os_region_map_file(file, (uint64_t)about.st_size, PROT_READ, &bytes);
    close(file);
    if (status != ERROR_SUCCESS)
        return status;
    prfdata_guard_open();
    region->bytes = bytes;
    region->size = (uint64_t)about.st_size;
    region->owner = -1;
    region->file_id.volume = about.st_dev;
    region->file_id.file[0] = about.st_ino;
    region->file_id.file[1] = 0;
    prfdata_os_account_of_user(about.st_uid, &region->account);
    return ERROR_SUCCESS;
}

/* Stores the id and one more byte, so that the account of root differs from an unknown one. */
void prfdata_os_account_of_user(uid_t user, prfdata_os_account *account)
{
    memset(account, 0, sizeof *account);
    account->bytes[0] = 1;
    for (size_t i = 0; i < 4; i++)
        account->bytes[1 + i] = (uint8_t)(user >> 8 * i);
}

bool prfdata_os_account_is_own(const prfdata_os_account *account)
{
    prfdata_os_account own;

    prfdata_os_account_of_user(geteuid(), &own);
    return prfdata_os_account_is(account, &own);
}

void prfdata_os_account_write(const prfdata_os_account *account, char *text)
{
    uint32_t user = 0;

    for (size_t i = 0; i < 4; i++)
        user |= (uint32_t)account->bytes[1 + i] << 8 * i;
    if (account->bytes[0])
        snprintf(text, PRFDATA_OS_ACCOUNT_CHARS, "%u", user);
    else
        memcpy(text, "?", sizeof "?");
}

static bool read_head(int file, void *head, size_t head_bytes)
{
    ssize_t got;

    memset(head, 0, head_bytes);
    do
        got = pread(file, head, head_bytes, 0);
    while (got < 0 && errno == EINTR);
    return got >= 0;
}

uint32_t prfdata_os_region_look(prfdata_os_directory *directory, const prfdata_os_name *name,
                                void *head, size_t head_bytes, prfdata_os_account *account)
{
    struct stat about;
    uint32_t status = ERROR_SUCCESS;
    int file;

    if (!prfdata_os_name_is_valid(name))
        return ERROR_INVALID_PARAMETER;
    file = openat(directory->file, name->text, O_RDONLY | PRFDATA_OS_OPEN_PLAINLY);
    if (file < 0)
        return prfdata_os_is_not_plain_error(errno) ? ERROR_INVALID_DATA
                                                    : prfdata_os_status_of_errno(errno);
    if (fstat(file, &about) != 0)
        status = prfdata_os_status_of_errno(errno);
    else if (!S_ISREG(about.st_mode))
        status = ERROR_INVALID_DATA;
    else if (!read_head(file, head, head_bytes))
        status = prfdata_os_status_of_errno(errno);
    else
        prfdata_os_account_of_user(about.st_uid, account);
    close(file);
    return status;
}

/* Whether another file has the name now. */
static bool is_file_replaced(prfdata_os_directory *directory, const prfdata_os_name *name,
                             const prfdata_os_region *view)
{
    struct stat about;

    return fstatat(directory->file, name->text, &about, AT_SYMLINK_NOFOLLOW) == 0 &&
           !is_same_file(&view->file_id, &about);
}

static uint32_t probe_file_lock(prfdata_os_directory *directory, const prfdata_os_name *name,
                                const prfdata_os_region *view, bool *alive)
{
    struct stat about;
    uint32_t status = ERROR_SUCCESS;
    int file;

    if (!prfdata_os_name_is_valid(name))
        return ERROR_INVALID_PARAMETER;
    file = openat(directory->file, name->text, O_RDONLY | PRFDATA_OS_OPEN_PLAINLY);
    if (file < 0)
        return prfdata_os_is_not_plain_error(errno) ? ERROR_ACCESS_DENIED
                                                    : prfdata_os_status_of_errno(errno);
    if (fstat(file, &about) != 0)
        status = prfdata_os_status_of_errno(errno);
    else if (view && !is_same_file(&view->file_id, &about))
        status = ERROR_FILE_NOT_FOUND;
    else if (!S_ISREG(about.st_mode))
        status = ERROR_ACCESS_DENIED;
    else if (flock(file, LOCK_SH | LOCK_NB) == 0)
        *alive = false;
    else if (errno == EWOULDBLOCK)
        *alive = true;
    else
        status = prfdata_os_status_of_errno(errno);
    close(file);
    return status;
}

uint32_t prfdata_os_region_probe(prfdata_os_directory *directory, const prfdata_os_name *name,
                                 const prfdata_os_region *view, bool *alive)
{
    uint32_t status = probe_file_lock(directory, name, view, alive);

    if (status != ERROR_SUCCESS && view && is_file_replaced(directory, name, view))
        return ERROR_FILE_NOT_FOUND;
    return status;
}

/* On Linux, a probe opens the file only once in any case, so there is no faster way. */
uint32_t prfdata_os_region_probe_owned(prfdata_os_directory *directory, const prfdata_os_name *name,
                                       const prfdata_os_region *view, bool *alive)
{
    return prfdata_os_region_probe(directory, name, view, alive);
}
