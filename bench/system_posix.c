/* SPDX-License-Identifier: MIT */
/* Implements system.h on Linux, without other parts of PrfData. */
#define _GNU_SOURCE

#include "system.h"

#include <dirent.h>
#include <fcntl.h>
#include <malloc.h>
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

enum { MAX_THREADS = 64 };

typedef struct bench_thread {
    pthread_t thread;
    void (*run)(void *context, uint32_t index);
    void *context;
    uint32_t index;
} bench_thread;

uint64_t bench_system_ns(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

/* Returns the processors that this process could use before any thread was pinned. */
static const cpu_set_t *allowed_processors(void)
{
    static cpu_set_t allowed;
    static bool is_known;

    if (!is_known && sched_getaffinity(0, sizeof allowed, &allowed) != 0)
        abort();
    is_known = true;
    return &allowed;
}

uint32_t bench_system_processors(void)
{
    return (uint32_t)CPU_COUNT(allowed_processors());
}

void bench_system_pin(uint32_t index)
{
    const cpu_set_t *allowed = allowed_processors();
    uint32_t left = index % bench_system_processors();
    cpu_set_t one;
    uint32_t processor = 0;

    while (!CPU_ISSET(processor, allowed) || left-- > 0)
        processor++;
    CPU_ZERO(&one);
    CPU_SET(processor, &one);
    (void)sched_setaffinity(0, sizeof one, &one); /* sets the processors of the calling thread */
}

uint64_t bench_system_preemptions(void)
{
    struct rusage usage;

    return getrusage(RUSAGE_THREAD, &usage) == 0 ? (uint64_t)usage.ru_nivcsw : 0;
}

void bench_system_yield(void)
{
    sched_yield();
}

void bench_system_sleep(uint32_t milliseconds)
{
    const struct timespec time = {milliseconds / 1000, (long)(milliseconds % 1000) * 1000000};

    nanosleep(&time, NULL);
}

double bench_system_heap_bytes(void)
{
    const struct mallinfo2 info = mallinfo2();

    return (double)info.uordblks + (double)info.hblkhd;
}

void bench_system_raise_limits(void)
{
    struct rlimit files;

    if (getrlimit(RLIMIT_NOFILE, &files) != 0)
        return;
    files.rlim_cur = files.rlim_max;
    (void)setrlimit(RLIMIT_NOFILE, &files);
}

static void *run_thread(void *argument)
{
    const bench_thread *thread = argument;

    thread->run(thread->context, thread->index);
    return NULL;
}

uint32_t bench_system_look_at_files(const char *folder)
{
    DIR *directory = opendir(folder);
    const struct dirent *entry;
    uint32_t count = 0;

    if (!directory)
        abort();
    /* NOLINTNEXTLINE(concurrency-mt-unsafe): one thread reads this directory */
    while ((entry = readdir(directory)) != NULL) {
        int file = openat(dirfd(directory), entry->d_name, O_RDWR | O_NOFOLLOW | O_CLOEXEC);

        if (file < 0)
            continue; /* "." and ".." */
        (void)flock(file, LOCK_EX | LOCK_NB);
        close(file);
        count++;
    }
    closedir(directory);
    return count;
}

void bench_system_run_threads(uint32_t count, void (*run)(void *context, uint32_t index),
                              void *context)
{
    bench_thread threads[MAX_THREADS];

    if (count > MAX_THREADS)
        abort();
    (void)allowed_processors();
    for (uint32_t i = 0; i < count; i++) {
        threads[i] = (bench_thread){.run = run, .context = context, .index = i};
        if (pthread_create(&threads[i].thread, NULL, run_thread, &threads[i]) != 0)
            abort();
    }
    for (uint32_t i = 0; i < count; i++)
        if (pthread_join(threads[i].thread, NULL) != 0)
            abort();
}
