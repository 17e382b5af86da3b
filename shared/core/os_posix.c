/* SPDX-License-Identifier: MIT */
/*
 * os.h for Linux, where sanitizers, fuzzers and fast tests run the portable parts over real shared
 * memory. Knows POSIX and Linux, and nothing of what a region holds.
 *
 * Ownership is flock. It belongs to the open file, not to the process: a fork'ed child that does
 * not exec keeps its parent's regions alive (exec closes them).
 */
#define _GNU_SOURCE       /* O_TMPFILE */
#define _FILE_OFFSET_BITS 64

#include "core/os.h"

#include <assert.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "core/guard_posix.h"
#include "core/os_listing.h"

struct prfdata_os_directory {
    int file;
};

/* ---- Errors ---- */

static uint32_t status_of_errno(int error)
{
    switch (error) {
    case 0:
        return ERROR_SUCCESS;
    case ENOENT:
        return ERROR_FILE_NOT_FOUND;
    case EACCES:
    case EPERM:
    case EROFS:
    case ETXTBSY:
        return ERROR_ACCESS_DENIED;
    case ENOMEM:
        return ERROR_NOT_ENOUGH_MEMORY;
    case ENOSPC:
    case EDQUOT:
    case EFBIG:
        return ERROR_DISK_FULL;
    case EEXIST:
        return ERROR_FILE_EXISTS;
    case EWOULDBLOCK:
        return ERROR_SHARING_VIOLATION;
    case ENAMETOOLONG:
        return ERROR_FILENAME_EXCED_RANGE;
    default:
        return ERROR_GEN_FAILURE;
    }
}

/* The errors of open for links, directories and sockets. */
static bool not_plain_file(int error)
{
    return error == ELOOP || error == EISDIR || error == ENOTDIR || error == ENXIO ||
           error == ENODEV;
}

/* ---- Time, process, boot ---- */

static uint64_t clock_chars(clockid_t clock, uint64_t chars_per_second)
{
    struct timespec now;

    if (clock_gettime(clock, &now) != 0)
        return 0;
    return (uint64_t)now.tv_sec * chars_per_second +
           (uint64_t)now.tv_nsec / (1000000000u / chars_per_second);
}

uint64_t prfdata_os_ticks(void)
{
    return clock_chars(CLOCK_MONOTONIC, 10000000);
}

uint64_t prfdata_os_ticks_per_second(void)
{
    return 10000000;
}

uint64_t prfdata_os_milliseconds(void)
{
    return clock_chars(CLOCK_MONOTONIC_COARSE, 1000);
}

void prfdata_os_sleep(uint32_t milliseconds)
{
    const struct timespec time = {(time_t)(milliseconds / 1000),
                                  (long)(milliseconds % 1000) * 1000000};

    nanosleep(&time, NULL);
}

uint32_t prfdata_os_process_id(void)
{
    return (uint32_t)getpid();
}

uint64_t prfdata_os_random(void)
{
    uint64_t value;
    ssize_t got;

    do
        got = getrandom(&value, sizeof(value), 0);
    while (got < 0 && errno == EINTR);
    if (got != (ssize_t)sizeof(value)) /* no such system call: at least differ by process */
        value = ((uint64_t)getpid() << 40) ^ clock_chars(CLOCK_REALTIME, 1000000000);
    return value;
}

static int hex_digit(char character)
{
    if (character >= '0' && character <= '9')
        return character - '0';
    if (character >= 'a' && character <= 'f')
        return character - 'a' + 10;
    return -1;
}

/* The identifier is 32 hexadecimal digits with dashes: the exclusive or of its two halves. */
uint64_t prfdata_os_boot(void)
{
    char text[64];
    uint64_t half = 0, boot = 0;
    unsigned digits = 0;
    ssize_t text_chars;
    int file = open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC);

    if (file < 0)
        return 0;
    text_chars = read(file, text, sizeof(text));
    close(file);
    for (ssize_t i = 0; i < text_chars; i++) {
        int digit = hex_digit(text[i]);

        if (digit < 0)
            continue;
        half = half << 4 | (uint64_t)digit;
        if (++digits % 16 == 0)
            boot ^= half;
    }
    return boot;
}

/* ---- Lock ---- */

bool prfdata_os_lock_try(prfdata_os_lock *lock)
{
    return __atomic_exchange_n(&lock->word, 1, __ATOMIC_ACQUIRE) == 0;
}

void prfdata_os_lock_enter(prfdata_os_lock *lock)
{
    while (!prfdata_os_lock_try(lock))
        sched_yield();
}

void prfdata_os_lock_leave(prfdata_os_lock *lock)
{
    __atomic_store_n(&lock->word, 0, __ATOMIC_RELEASE);
}

/* ---- Whose account ---- */

/* Threads carry no tokens here. */
uint32_t prfdata_os_call_as_process(void (*call)(void *context), void *context)
{
    call(context);
    return ERROR_SUCCESS;
}

/* ---- Settings ---- */

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
    return errno == ENOTDIR ? ERROR_FILE_NOT_FOUND : status_of_errno(errno);
}

/* Fill the buffer as far as the file goes. */
static uint32_t read_all(int file, char *bytes, size_t capacity, size_t *size)
{
    *size = 0;
    while (*size < capacity) {
        ssize_t got = read(file, bytes + *size, capacity - *size);

        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return errno == EISDIR ? ERROR_INVALID_DATA : status_of_errno(errno);
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
    room = (size_t)about.st_size + 1; /* one more: has it grown? */
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

/* A setting of text, without the line end that editors leave. */
static uint32_t setting_text(const char *service, const char *name, char *text, size_t text_bytes)
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
    uint32_t status = setting_text(service, name, text, sizeof(text));

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

/* FNV-1a. */
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

/* Of the folder, whose own time moves when a value is made or removed, and of each value. */
static uint64_t stamp_of_folder(DIR *stream)
{
    const struct dirent *entry;
    struct stat about;
    uint64_t stamp = 0;

    /* NOLINTNEXTLINE(concurrency-mt-unsafe): no other thread has this stream */
    while ((entry = readdir(stream)) != NULL)
        if (strcmp(entry->d_name, "..") != 0 &&
            fstatat(dirfd(stream), entry->d_name, &about, AT_SYMLINK_NOFOLLOW) == 0)
            stamp += stamp_of_file(&about); /* in any order */
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
        return errno == ENOTDIR ? ERROR_FILE_NOT_FOUND : status_of_errno(errno);
    *stamp = stamp_of_folder(stream);
    closedir(stream);
    return ERROR_SUCCESS;
}

/* ---- The regions folder ---- */

uint32_t prfdata_os_directory_open(const char *service, prfdata_os_directory **directory)
{
    char path[PATH_MAX];
    prfdata_os_directory *opened;
    uint32_t status = setting_text(service, "Regions", path, sizeof(path));

    if (status != ERROR_SUCCESS)
        return status;
    if (path[0] != '/')
        return ERROR_INVALID_DATA;
    opened = malloc(sizeof(*opened));
    if (!opened)
        return ERROR_NOT_ENOUGH_MEMORY;
    opened->file = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (opened->file < 0) {
        status = not_plain_file(errno) ? ERROR_INVALID_DATA : status_of_errno(errno);
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

/* Returns 0 or an errno. */
static int look_at_entries(DIR *stream, prfdata_os_listing *listing)
{
    const struct dirent *entry;

    errno = 0;
    /* NOLINTNEXTLINE(concurrency-mt-unsafe): no other thread has this stream */
    while ((entry = readdir(stream)) != NULL) {
        if (!is_dots(entry->d_name) &&
            !prfdata_os_listing_look(listing, entry->d_name, strlen(entry->d_name)))
            return 0;
        errno = 0;
    }
    return errno;
}

static uint32_t list_stream_names(const prfdata_os_directory *directory,
                                  prfdata_os_listing *listing, size_t *count, bool *more)
{
    /* An open of its own: a duplicate would share the position with other threads. */
    int file = openat(directory->file, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *stream;
    int error;

    if (file < 0)
        return status_of_errno(errno);
    stream = fdopendir(file);
    if (!stream) {
        close(file);
        return ERROR_NOT_ENOUGH_MEMORY;
    }
    error = look_at_entries(stream, listing);
    closedir(stream);
    if (error == 0)
        prfdata_os_listing_finish(listing, count, more);
    return status_of_errno(error);
}

uint32_t prfdata_os_directory_list(prfdata_os_directory *directory, uint64_t boot,
                                   prfdata_os_name *names, size_t capacity, size_t *count,
                                   bool *more)
{
    prfdata_os_listing listing;

    prfdata_os_listing_init(&listing, boot, false, names, capacity);
    return list_stream_names(directory, &listing, count, more);
}

uint32_t prfdata_os_directory_list_others(prfdata_os_directory *directory, uint64_t boot,
                                          prfdata_os_name *names, size_t capacity, size_t *count,
                                          bool *more)
{
    prfdata_os_listing listing;

    prfdata_os_listing_init(&listing, boot, true, names, capacity);
    return list_stream_names(directory, &listing, count, more);
}

/* ---- Region files and their views ---- */

/* O_NONBLOCK: opening a planted FIFO must not wait. */
#define OPEN_PLAINLY (O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)

/* Filling a hole later could fail: the store would kill the owner. */
static bool is_sparse(const struct stat *about)
{
    return (uint64_t)about->st_blocks * 512 < (uint64_t)about->st_size;
}

static uint32_t map_whole_file(int file, uint64_t size, int protection, uint8_t **bytes)
{
    void *view;

    if (size > SIZE_MAX)
        return ERROR_NOT_ENOUGH_MEMORY;
    view = mmap(NULL, (size_t)size, protection, MAP_SHARED, file, 0);
    if (view == MAP_FAILED)
        return status_of_errno(errno);
    *bytes = view;
    return ERROR_SUCCESS;
}

static uint32_t allocate_file_blocks(int file, uint64_t size)
{
    int error;

    if (size > INT64_MAX)
        return ERROR_DISK_FULL;
    do
        error = posix_fallocate(file, 0, (off_t)size);
    while (error == EINTR);
    return status_of_errno(error);
}

/* Own, allocate and map a file that has no region's name yet. */
static uint32_t allocate_and_map(int file, uint64_t size, uint8_t **bytes)
{
    uint32_t status;

    if (flock(file, LOCK_EX | LOCK_NB) != 0)
        return status_of_errno(errno);
    if (fchmod(file, 0644) != 0) /* readers are other accounts, whatever the umask says */
        return status_of_errno(errno);
    status = allocate_file_blocks(file, size);
    if (status != ERROR_SUCCESS)
        return status;
    return map_whole_file(file, size, PROT_READ | PROT_WRITE, bytes);
}

static uint32_t link_nameless(int file, int directory, const char *name)
{
    char path[32];

    snprintf(path, sizeof(path), "/proc/self/fd/%d", file);
    return linkat(AT_FDCWD, path, directory, name, AT_SYMLINK_FOLLOW) == 0 ? ERROR_SUCCESS
                                                                           : status_of_errno(errno);
}

static uint32_t create_nameless(int directory, const char *name, uint64_t size,
                                prfdata_os_region *region)
{
    uint8_t *bytes = NULL;
    uint32_t status;
    int file = openat(directory, ".", O_TMPFILE | O_RDWR | O_CLOEXEC, 0644);

    if (file < 0)
        return errno == EOPNOTSUPP || errno == EISDIR ? ERROR_NOT_SUPPORTED
                                                      : status_of_errno(errno);
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

/* Without nameless files in the file system: created under another name, then renamed. */
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
        return status_of_errno(errno);
    status = allocate_and_map(file, size, &bytes);
    if (status == ERROR_SUCCESS && linkat(directory, draft, directory, name, 0) != 0) {
        status = status_of_errno(errno);
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

/* Become the owner of an open file, if it is a plain one of this account or, for root, of any. */
static uint32_t lock_own_file(int file, bool is_any_for_root, struct stat *about)
{
    if (fstat(file, about) != 0)
        return status_of_errno(errno);
    if (!S_ISREG(about->st_mode) ||
        (about->st_uid != geteuid() && !(is_any_for_root && geteuid() == 0)))
        return ERROR_ACCESS_DENIED;
    if (flock(file, LOCK_EX | LOCK_NB) != 0)
        return status_of_errno(errno);
    if (fstat(file, about) != 0) /* again: until now its owner could change or delete it */
        return status_of_errno(errno);
    if (about->st_nlink == 0)
        return ERROR_FILE_NOT_FOUND;
    return ERROR_SUCCESS;
}

/* Open a region file and become its owner. */
static uint32_t open_and_own(const prfdata_os_directory *directory, const prfdata_os_name *name,
                             bool is_any_for_root, struct stat *about, int *owned)
{
    uint32_t status;
    int file;

    if (!prfdata_os_name_is_valid(name))
        return ERROR_INVALID_PARAMETER;
    file = openat(directory->file, name->text, O_RDWR | OPEN_PLAINLY);
    if (file < 0)
        return not_plain_file(errno) ? ERROR_ACCESS_DENIED : status_of_errno(errno);
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
    if (is_sparse(&about))
        status = ERROR_ACCESS_DENIED;
    else if (about.st_size > 0)
        status = map_whole_file(file, (uint64_t)about.st_size, PROT_READ | PROT_WRITE, &bytes);
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
        return status_of_errno(errno);
    if (ours->st_dev != named.st_dev || ours->st_ino != named.st_ino)
        return ERROR_FILE_NOT_FOUND;
    return unlinkat(directory->file, name->text, 0) == 0 ? ERROR_SUCCESS : status_of_errno(errno);
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

void prfdata_os_region_close(prfdata_os_region *region)
{
    static const prfdata_os_region none = PRFDATA_OS_REGION_NONE;

    if (region->bytes && region->owner == -1) /* attached */
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
    file = openat(directory->file, name->text, O_RDONLY | OPEN_PLAINLY);
    if (file < 0)
        return not_plain_file(errno) ? ERROR_INVALID_DATA : status_of_errno(errno);
    if (fstat(file, &about) != 0)
        status = status_of_errno(errno);
    else if (!S_ISREG(about.st_mode) || about.st_size == 0 || (uint64_t)about.st_size > limit ||
             is_sparse(&about))
        status = ERROR_INVALID_DATA;
    else
        status = map_whole_file(file, (uint64_t)about.st_size, PROT_READ, &bytes);
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
    return ERROR_SUCCESS;
}

/* Whether something else has the name now. */
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
    file = openat(directory->file, name->text, O_RDONLY | OPEN_PLAINLY);
    if (file < 0)
        return not_plain_file(errno) ? ERROR_ACCESS_DENIED : status_of_errno(errno);
    if (fstat(file, &about) != 0)
        status = status_of_errno(errno);
    else if (view && !is_same_file(&view->file_id, &about))
        status = ERROR_FILE_NOT_FOUND;
    else if (!S_ISREG(about.st_mode))
        status = ERROR_ACCESS_DENIED;
    else if (flock(file, LOCK_SH | LOCK_NB) == 0)
        *alive = false;
    else if (errno == EWOULDBLOCK)
        *alive = true;
    else
        status = status_of_errno(errno);
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
