/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE
#define _FILE_OFFSET_BITS 64

#include "support/provider/one_view.h"

#include <fcntl.h>
#include <pthread.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { CAPACITY = 64 };

typedef struct view {
    void *bytes;
    size_t size;
    dev_t device;
    ino_t file;
    unsigned users; /* number of mappings that share this view; 0: this element is unused */
} view;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static view views[CAPACITY];
static uint64_t shared;

/* NOLINTBEGIN(clang-diagnostic-reserved-identifier): the linker wants these names */
void *__real_mmap64(void *address, size_t size, int protection, int flags, int file, off_t offset);
int __real_munmap(void *address, size_t size);
void *__wrap_mmap64(void *address, size_t size, int protection, int flags, int file, off_t offset);
int __wrap_munmap(void *address, size_t size);
/* NOLINTEND(clang-diagnostic-reserved-identifier) */

/* Map the file for writing, even for a reader, because a writer may later use the same view. */
static void *map_writable(int file, size_t size)
{
    char path[32];
    void *bytes;
    int again;

    snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    again = open(path, O_RDWR | O_CLOEXEC);
    if (again < 0)
        return MAP_FAILED;
    bytes = __real_mmap64(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, again, 0);
    close(again);
    return bytes;
}

static view *find(const struct stat *about, size_t size)
{
    view *unused = NULL;

    for (int i = 0; i < CAPACITY; i++) {
        if (views[i].users == 0)
            unused = &views[i];
        else if (views[i].device == about->st_dev && views[i].file == about->st_ino &&
                 views[i].size == size)
            return &views[i];
    }
    return unused;
}

static void *share(int file, size_t size)
{
    struct stat about;
    view *found;

    if (fstat(file, &about) != 0)
        return MAP_FAILED;
    found = find(&about, size);
    if (!found)
        return MAP_FAILED;
    if (found->users == 0) {
        void *bytes = map_writable(file, size);

        if (bytes == MAP_FAILED)
            return bytes;
        *found = (view){bytes, size, about.st_dev, about.st_ino, 0};
    } else {
        shared++;
    }
    found->users++;
    return found->bytes;
}

void *__wrap_mmap64(void *address, size_t size, int protection, int flags, int file, off_t offset)
{
    void *bytes;

    if (flags != MAP_SHARED || address || offset != 0)
        return __real_mmap64(address, size, protection, flags, file, offset);
    pthread_mutex_lock(&lock);
    bytes = share(file, size);
    pthread_mutex_unlock(&lock);
    return bytes;
}

int __wrap_munmap(void *address, size_t size)
{
    view *found = NULL;
    int result = 0;

    pthread_mutex_lock(&lock);
    for (int i = 0; i < CAPACITY && !found; i++)
        if (views[i].users > 0 && views[i].bytes == address)
            found = &views[i];
    if (!found || --found->users == 0)
        result = __real_munmap(address, size);
    pthread_mutex_unlock(&lock);
    return result;
}

uint64_t prfdata_test_one_view_shared(void)
{
    uint64_t count;

    pthread_mutex_lock(&lock);
    count = shared;
    pthread_mutex_unlock(&lock);
    return count;
}
