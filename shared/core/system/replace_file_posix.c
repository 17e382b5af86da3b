/* SPDX-License-Identifier: MIT */
/* Replaces files with rename(). Readers cannot delay it, except on network file systems. */
#define _GNU_SOURCE       /* realpath */
#define _FILE_OFFSET_BITS 64
#include "system/replace_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "system/os_posix.h"

/* How many random names are tried for the new file. A killed program may have left its new file. */
#define TEMPORARY_ENDS 8

static uint32_t last_error(void)
{
    return prfdata_os_status_of_errno(errno);
}

static uint32_t write_all_bytes(int file, const void *bytes, size_t size)
{
    for (size_t at = 0; at < size;) {
        const ssize_t written = write(file, (const char *)bytes + at, size - at);

        if (written < 0 && errno == EINTR)
            continue;
        if (written <= 0)
            return last_error();
        at += (size_t)written;
    }
    return ERROR_SUCCESS;
}

/* Flushes a file. Returns true even for pipes and file systems that cannot flush. */
static bool is_flushed(int file)
{
    return fsync(file) == 0 || errno == EINVAL || errno == ENOTSUP || errno == EROFS;
}

/* Checks flush and close, too, because a full network disk may report the error only then. */
static uint32_t write_and_close(int file, const void *bytes, size_t size)
{
    uint32_t status = write_all_bytes(file, bytes, size);

    if (status == ERROR_SUCCESS && !is_flushed(file))
        status = last_error();
    if (close(file) != 0 && status == ERROR_SUCCESS)
        status = last_error();
    return status;
}

typedef struct replace_task {
    const char *path; /* not a link */
    mode_t mode;
    const struct stat *old; /* the file to replace; NULL if there is none */
    const void *bytes;
    size_t size;
    prfdata_replace_file_wait *wait;
    void *context;
} replace_task;

/*
 * Create a file next to the path. `temporary`, of `capacity` chars, gets the name of the new file.
 * Returns -1 on failure.
 */
static int create_temporary(const replace_task *task, char *temporary, size_t capacity)
{
    int file = -1;

    for (int i = 0; file < 0 && i < TEMPORARY_ENDS; i++) {
        snprintf(temporary, capacity, "%s.%08lx.tmp", task->path,
                 (unsigned long)(prfdata_os_random() & 0xFFFFFFFFu));
        file = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, task->mode);
        if (file < 0 && errno != EEXIST)
            break;
    }
    return file;
}

/*
 * Moves the new file to its place. If the file is on a server and Windows programs hold the old
 * file, rename() fails because the file is busy, and the function tries again after a pause.
 */
static uint32_t move_to_place(const replace_task *task, const char *temporary)
{
    while (rename(temporary, task->path) != 0) {
        const int error = errno;

        if ((error != EBUSY && error != ETXTBSY) || !task->wait(task->context))
            return prfdata_os_status_of_errno(error);
    }
    return ERROR_SUCCESS;
}

/* Copies an extended attribute, such as the access list. */
static bool copy_attribute(const char *from, const char *name, int to)
{
    const ssize_t size = getxattr(from, name, NULL, 0);
    char *value = size >= 0 ? malloc((size_t)size + 1) : NULL;
    const ssize_t got = value ? getxattr(from, name, value, (size_t)size) : -1;
    const bool is_copied = got >= 0 && fsetxattr(to, name, value, (size_t)got, 0) == 0;

    free(value);
    return is_copied;
}

static bool copy_attributes(const char *from, int to)
{
    const ssize_t size = listxattr(from, NULL, 0);
    char *names = size > 0 ? malloc((size_t)size) : NULL;
    const ssize_t none = size > 0 ? -1 : size; /* -1: there is an attribute, but no memory for it */
    const ssize_t got = names ? listxattr(from, names, (size_t)size) : none;
    bool is_copied = got >= 0 || errno == ENOTSUP;

    for (ssize_t at = 0; is_copied && at < got; at += (ssize_t)strlen(names + at) + 1)
        is_copied = copy_attribute(from, names + at, to);
    free(names);
    return is_copied;
}

/*
 * Gives the new file the owner, rights and attributes of the old file, if there is one. Returns
 * false if that is not possible, or if the old file has several names.
 */
static bool becomes_like_old(const replace_task *task, int file)
{
    const struct stat *old = task->old;
    struct stat made;

    if (!old)
        return true;
    if (old->st_nlink > 1 || fstat(file, &made) != 0)
        return false;
    if ((made.st_uid != old->st_uid || made.st_gid != old->st_gid) &&
        fchown(file, old->st_uid, old->st_gid) != 0)
        return false;
    return copy_attributes(task->path, file) && fchmod(file, task->mode) == 0;
}

static uint32_t overwrite_content(const replace_task *task)
{
    const int file = open(task->path, O_WRONLY | O_CREAT | O_NOFOLLOW | O_CLOEXEC, task->mode);

    if (file < 0)
        return last_error();
    if (ftruncate(file, 0) != 0) {
        const uint32_t status = last_error();

        (void)close(file);
        return status;
    }
    return write_and_close(file, task->bytes, task->size);
}

/*
 * Returns whether open() has failed because no new file may be made next to the old one, or because
 * the name of the new file would be too long. The old file may still be writable.
 */
static bool has_no_neighbor(int error)
{
    return error == EACCES || error == EPERM || error == EROFS || error == ENAMETOOLONG;
}

static uint32_t replace_path(const replace_task *task)
{
    const size_t capacity = strlen(task->path) + 16;
    char *temporary = malloc(capacity);
    uint32_t status;
    int file;

    if (!temporary)
        return ERROR_NOT_ENOUGH_MEMORY;
    file = create_temporary(task, temporary, capacity);
    if (file < 0 && has_no_neighbor(errno)) {
        free(temporary);
        return overwrite_content(task);
    }
    if (file >= 0 && !becomes_like_old(task, file)) {
        (void)close(file);
        (void)unlink(temporary);
        free(temporary);
        return overwrite_content(task);
    }
    status = file < 0 ? last_error() : write_and_close(file, task->bytes, task->size);
    if (status == ERROR_SUCCESS)
        status = move_to_place(task, temporary);
    if (file >= 0 && status != ERROR_SUCCESS)
        (void)unlink(temporary);
    free(temporary);
    return status;
}

/* Whether nothing has this name, not even a link that leads nowhere. */
static bool is_free_name(const char *path)
{
    struct stat found;

    return lstat(path, &found) != 0 && errno == ENOENT;
}

/* Return the number of the descriptor that the path names; -1: it names none. */
static int descriptor_of(const char *path)
{
    static const char *const folders[] = {"/dev/fd/", "/proc/self/fd/"};

    if (strcmp(path, "/dev/stdout") == 0)
        return STDOUT_FILENO;
    if (strcmp(path, "/dev/stderr") == 0)
        return STDERR_FILENO;
    for (size_t i = 0; i < sizeof folders / sizeof folders[0]; i++) {
        const char *const number = path + strlen(folders[i]);

        if (strncmp(path, folders[i], strlen(folders[i])) == 0 && *number &&
            strspn(number, "0123456789") == strlen(number) && strlen(number) < 8)
            return (int)strtol(number, NULL, 10);
    }
    return -1;
}

int prfdata_replace_file_open_device(const char *path, int flags)
{
    const int descriptor = descriptor_of(path);

    return descriptor >= 0 ? fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
                           : open(path, O_WRONLY | O_CLOEXEC | flags);
}

static uint32_t write_to_device(const replace_task *task)
{
    const int file = prfdata_replace_file_open_device(task->path, 0);

    return file < 0 ? last_error() : write_and_close(file, task->bytes, task->size);
}

static uint32_t overwrite_path(replace_task *task)
{
    char *real = realpath(task->path, NULL);
    struct stat found;
    uint32_t status;

    if (!real) {
        if (errno != ENOENT || !is_free_name(task->path))
            return last_error();
        return replace_path(task);
    }
    task->path = real;
    /* Does not replace a file that this process may not write, even if the folder allows it. */
    if (stat(real, &found) != 0 || (S_ISREG(found.st_mode) && access(real, W_OK) != 0)) {
        status = last_error();
    } else {
        task->mode = found.st_mode & 07777;
        task->old = &found; /* cppcheck-suppress autoVariables; reset below */
        status = replace_path(task);
        task->old = NULL;
    }
    free(real);
    return status;
}

bool prfdata_replace_file_is_device(const prfdata_path_char *path)
{
    struct stat found;

    return descriptor_of(path) >= 0 ||
           (stat(path, &found) == 0 && !S_ISREG(found.st_mode) && !S_ISDIR(found.st_mode));
}

/*
 * Reserves the name with an empty file, and then replaces the empty file. Otherwise rename() could
 * overwrite a file that another program makes meanwhile.
 */
static uint32_t create_path(const replace_task *task)
{
    const int claim = open(task->path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, task->mode);
    uint32_t status;

    if (claim < 0)
        return last_error();
    (void)close(claim);
    status = replace_path(task);
    if (status != ERROR_SUCCESS)
        (void)unlink(task->path);
    return status;
}

uint32_t prfdata_replace_file_with(const prfdata_path_char *path, bool overwrite, const void *bytes,
                                   size_t size, prfdata_replace_file_wait *wait, void *context)
{
    replace_task task = {path, 0666, NULL, bytes, size, wait, context};

    if (prfdata_replace_file_is_device(path))
        return write_to_device(&task);
    return overwrite ? overwrite_path(&task) : create_path(&task);
}
