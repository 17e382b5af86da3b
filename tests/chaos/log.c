/* SPDX-License-Identifier: MIT */
#ifndef _WIN32
#define _GNU_SOURCE
#endif

#include "chaos/log.h"

#include <assert.h>

#include <prfdata/atomic.h>

#include "support/must.h"

static_assert(sizeof(chaos_key_log) == 64, "chaos.py knows the size");
static_assert(sizeof(chaos_writer_log) == 128 + 64 * CHAOS_KEYS, "chaos.py knows the size");

#ifdef _WIN32

#include <windows.h>

chaos_log *chaos_log_open(const char *path)
{
    HANDLE file = CreateFileA(path, GENERIC_READ | GENERIC_WRITE,
                              FILE_SHARE_READ | FILE_SHARE_WRITE, NULL, OPEN_EXISTING, 0, NULL);
    HANDLE section;
    void *bytes;

    MUST(file != INVALID_HANDLE_VALUE);
    section = CreateFileMappingA(file, NULL, PAGE_READWRITE, 0, 0, NULL);
    MUST(section != NULL);
    bytes = MapViewOfFile(section, FILE_MAP_WRITE, 0, 0, sizeof(chaos_log));
    MUST(bytes != NULL);
    CloseHandle(section);
    CloseHandle(file);
    return bytes;
}

void chaos_sleep(unsigned microseconds)
{
    Sleep((microseconds + 999) / 1000);
}

#else

#include <fcntl.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

chaos_log *chaos_log_open(const char *path)
{
    int file = open(path, O_RDWR | O_CLOEXEC);
    void *bytes;

    MUST(file >= 0);
    bytes = mmap(NULL, sizeof(chaos_log), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    MUST(bytes != MAP_FAILED);
    close(file);
    return bytes;
}

void chaos_sleep(unsigned microseconds)
{
    const struct timespec time = {(time_t)(microseconds / 1000000),
                                  (long)(microseconds % 1000000 * 1000)};

    (void)nanosleep(&time, NULL);
}

#endif

void chaos_log_sum(const chaos_log *log, size_t offset, uint64_t *least, uint64_t *most)
{
    *least = 0;
    *most = 0;
    for (unsigned i = 0; i < CHAOS_WRITERS; i++) {
        const chaos_count *count = (const void *)((const unsigned char *)&log->writers[i] + offset);

        *least += prfdata_load64_acquire(&count->done);
        *least -= prfdata_load64_acquire(&count->lost);
        *most += prfdata_load64_acquire(&count->intended);
    }
}

/* splitmix64 */
uint64_t chaos_random_next(chaos_random *random)
{
    uint64_t z = random->state += 0x9E3779B97F4A7C15u;

    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
    z = (z ^ z >> 27) * 0x94D049BB133111EBu;
    return z ^ z >> 31;
}

unsigned chaos_random_below(chaos_random *random, unsigned limit)
{
    return (unsigned)(chaos_random_next(random) % limit);
}
