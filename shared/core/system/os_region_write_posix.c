/* SPDX-License-Identifier: MIT */
/*
 * Makes, takes over and deletes region files (os.h) on Linux, for the programs that write them.
 *
 * A process owns a file as long as it holds the lock of the file (flock). The lock belongs to the
 * open file, not to the process. So a child that fork() made keeps its parent's regions alive until
 * the child ends or calls exec().
 */
#define _GNU_SOURCE       /* O_TMPFILE */
#define _FILE_OFFSET_BITS 64

#include "system/os_posix.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <unistd.h>

#include "system/os_name.h"

static uint32_t allocate_file_blocks(int file, uint64_t size)
{
    int error;

    if (size > INT64_MAX)
        return ERROR_DISK_FULL;
    do
        error = posix_fallocate(file, 0, (off_t)size);
    while (error == EINTR);
    return prfdata_os_status_of_errno(error);
}

/* Become the owner of a file that does not have a region's name yet, allocate it and map it. */
static uint32_t allocate_and_map(int file, uint64_t size, uint8_t **bytes)
{
    uint32_t status;

    if (flock(file, LOCK_EX | LOCK_NB) != 0)
        return prfdata_os_status_of_errno(errno);
    if (fchmod(file, 0644) != 0) /* despite the umask, because readers have other accounts */
        return prfdata_os_status_of_errno(errno);
    status = allocate_file_blocks(file, size);
    if (status != ERROR_SUCCESS)
        return status;
    return prfdata_os_region_map_file(file, size, PROT_READ | PROT_WRITE, bytes);
}

static uint32_t link_nameless(int file, int directory, const char *name)
{
    char path[32];

    snprintf(path, sizeof(path), "/proc/self/fd/%d", file);
    return linkat(AT_FDCWD, path, directory, name, AT_SYMLINK_FOLLOW) == 0
               ? ERROR_SUCCESS
               : prfdata_os_status_of_errno(errno);
}

static uint32_t create_nameless(int directory, const char *name, uint64_t size,
                                prfdata_os_region *region)
{
    uint8_t *bytes = NULL;
    uint32_t status;
    int file = openat(directory, ".", O_TMPFILE | O_RDWR | O_CLOEXEC, 0644);

    if (file < 0)
        return errno == EOPNOTSUPP || errno == EISDIR ? ERROR_NOT_SUPPORTED
                                                      : prfdata_os_status_of_errno(errno);
    status = allocate_and_map(file, size, &bytes);
    if (status != ERROR_SUCCESS)
        goto close_file;
    status = link_nameless(file, directory, name);
    if (status != ERROR_SUCCESS)
        goto unmap;
    region->bytes = bytes;
    region->size = size;
    region->owner = file;
    return ERROR_SUCCESS;
unmap:
    munmap(bytes, (size_t)size);
close_file:
    close(file);
    return status;
}

/* For file systems without nameless files: makes the file under another name at first. */
static uint32_t create_renamed(int directory, const char *name, uint64_t size,
                               prfdata_os_region *region)
{
    char draft[PRFDATA_OS_NAME_BYTES + 8];
    uint8_t *bytes = NULL;
    uint32_t status;
    int file;

    snprintf(draft, sizeof(draft), "%s.new", name);
    file = openat(directory, draft, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0644);
    if (file < 0)
        return prfdata_os_status_of_errno(errno);
    status = allocate_and_map(file, size, &bytes);
    if (status == ERROR_SUCCESS && linkat(directory, draft, directory, name, 0) != 0) {
        status = prfdata_os_status_of_errno(errno);
        munmap(bytes, (size_t)size);
    }
    unlinkat(directory, draft, 0);
    if (status != ERROR_SUCCESS) {
        close(file);
        return status;
    }
    region->bytes = bytes;
    region->size = size;
    region->owner = file;
    return ERROR_SUCCESS;
}

uint32_t prfdata_os_region_create(prfdata_os_directory *directory, const prfdata_os_name *name,
                                  uint64_t size, prfdata_os_region *region)
{
    uint32_t status;

    if (size == 0 || !prfdata_os_name_is_valid(name))
        return ERROR_INVALID_PARAMETER;
    status = create_nameless(directory->file, name->text, size, region);
    if (status == ERROR_NOT_SUPPORTED)
        status = create_renamed(directory->file, name->text, size, region);
    return status;
}

/*
 * Lock an open file, which makes this process its owner. The file must be a plain file of this
 * account. If `is_any_for_root`, root may lock files of any account.
 */
static uint32_t lock_own_file(int file, bool is_any_for_root, struct stat *about)
{
    if (fstat(file, about) != 0)
        return prfdata_os_status_of_errno(errno);
    if (!S_ISREG(about->st_mode) ||
        (about->st_uid != geteuid() && !(is_any_for_root && geteuid() == 0)))
        return ERROR_ACCESS_DENIED;
    if (flock(file, LOCK_EX | LOCK_NB) != 0)
        return prfdata_os_status_of_errno(errno);
    /* Examines the file again, because until now its owner could change or delete it. */
    if (fstat(file, about) != 0)
        return prfdata_os_status_of_errno(errno);
    if (about->st_nlink == 0)
        return ERROR_FILE_NOT_FOUND;
    return ERROR_SUCCESS;
}

/*
 * If a file has a second name, another person linked it here, and writing would change that
 * person's file.
 */
static bool has_other_names(const struct stat *about)
{
    return about->st_nlink > 1;
}

static uint32_t open_and_own(const prfdata_os_directory *directory, const prfdata_os_name *name,
                             bool is_any_for_root, struct stat *about, int *owned)
{
    uint32_t status;
    int file;

    if (!prfdata_os_name_is_valid(name))
        return ERROR_INVALID_PARAMETER;
    file = openat(directory->file, name->text, O_RDWR | PRFDATA_OS_OPEN_PLAINLY);
    if (file < 0)
        return prfdata_os_is_not_plain_error(errno) ? ERROR_ACCESS_DENIED
                                                    : prfdata_os_status_of_errno(errno);
    status = lock_own_file(file, is_any_for_root, about);
    if (status == ERROR_SUCCESS)
        *owned = file;
    else
        close(file);
    return status;
}

uint32_t prfdata_os_region_take(prfdata_os_directory *directory, const prfdata_os_name *name,
                                prfdata_os_region *region)
{
    struct stat about;
    uint8_t *bytes = NULL;
    int file = -1;
    uint32_t status = open_and_own(directory, name, false, &about, &file);

    if (status != ERROR_SUCCESS)
        return status;
    if (prfdata_os_region_is_sparse(&about) || has_other_names(&about))
        status = ERROR_ACCESS_DENIED;
    else if (about.st_size > 0)
        status = prfdata_os_region_map_file(file, (uint64_t)about.st_size, PROT_READ | PROT_WRITE,
                                            &bytes);
    if (status != ERROR_SUCCESS) {
        close(file);
        return status;
    }
    region->bytes = bytes;
    region->size = (uint64_t)about.st_size;
    region->owner = file;
    return ERROR_SUCCESS;
}

static uint32_t unlink_same_file(const prfdata_os_directory *directory, const prfdata_os_name *name,
                                 const struct stat *ours)
{
    struct stat named;

    if (fstatat(directory->file, name->text, &named, AT_SYMLINK_NOFOLLOW) != 0)
        return prfdata_os_status_of_errno(errno);
    if (ours->st_dev != named.st_dev || ours->st_ino != named.st_ino)
        return ERROR_FILE_NOT_FOUND;
    return unlinkat(directory->file, name->text, 0) == 0 ? ERROR_SUCCESS
                                                         : prfdata_os_status_of_errno(errno);
}

uint32_t prfdata_os_region_remove(prfdata_os_directory *directory, const prfdata_os_name *name)
{
    struct stat about;
    int file = -1;
    uint32_t status = open_and_own(directory, name, true, &about, &file);

    if (status == ERROR_SUCCESS) {
        status = unlink_same_file(directory, name, &about);
        close(file);
    }
    return status;
}

void prfdata_os_region_delete(prfdata_os_directory *directory, const prfdata_os_name *name,
                              prfdata_os_region *region)
{
    struct stat ours;

    if (region->owner != -1 && fstat((int)region->owner, &ours) == 0)
        (void)unlink_same_file(directory, name, &ours);
    prfdata_os_region_close(region);
}
