/* SPDX-License-Identifier: MIT */
/* Implements system.h on Windows, without other parts of PrfData. */
#define PSAPI_VERSION 2 /* GetProcessMemoryInfo is in kernel32 */

#include "system.h"

#include <stdio.h>
#include <stdlib.h>

#include <windows.h>
#include <psapi.h>

enum { MAX_THREADS = 64 };

typedef struct bench_thread {
    HANDLE thread;
    void (*run)(void *context, uint32_t index);
    void *context;
    uint32_t index;
} bench_thread;

uint64_t bench_system_ns(void)
{
    LARGE_INTEGER now;
    LARGE_INTEGER per_second;

    QueryPerformanceCounter(&now);
    QueryPerformanceFrequency(&per_second);
    return (uint64_t)((double)now.QuadPart * 1e9 / (double)per_second.QuadPart);
}

static DWORD_PTR allowed_processors(void)
{
    DWORD_PTR allowed = 1;
    DWORD_PTR all = 1;

    (void)GetProcessAffinityMask(GetCurrentProcess(), &allowed, &all);
    return allowed ? allowed : 1;
}

uint32_t bench_system_processors(void)
{
    uint32_t count = 0;

    for (DWORD_PTR left = allowed_processors(); left != 0; left &= left - 1)
        count++;
    return count;
}

void bench_system_pin(uint32_t index)
{
    DWORD_PTR left = allowed_processors();

    for (uint32_t skip = index % bench_system_processors(); skip > 0; skip--)
        left &= left - 1;
    (void)SetThreadAffinityMask(GetCurrentThread(), left & (~left + 1));
}

/*
 * Windows does not count preemptions separately from waits. bench/report.py drops samples that took
 * far too long.
 */
uint64_t bench_system_preemptions(void)
{
    return 0;
}

void bench_system_yield(void)
{
    SwitchToThread();
}

void bench_system_sleep(uint32_t milliseconds)
{
    Sleep(milliseconds);
}

double bench_system_heap_bytes(void)
{
    PROCESS_MEMORY_COUNTERS_EX counters = {.cb = sizeof counters};

    if (!GetProcessMemoryInfo(GetCurrentProcess(), (PROCESS_MEMORY_COUNTERS *)&counters,
                              sizeof counters))
        return 0;
    return (double)counters.PrivateUsage;
}

void bench_system_raise_limits(void)
{
}

static DWORD WINAPI run_thread(void *argument)
{
    const bench_thread *thread = argument;

    thread->run(thread->context, thread->index);
    return 0;
}

uint32_t bench_system_look_at_files(const char *folder)
{
    WIN32_FIND_DATAA entry;
    char path[MAX_PATH];
    uint32_t count = 0;
    HANDLE found;

    (void)snprintf(path, sizeof path, "%s\\*.region", folder);
    found = FindFirstFileA(path, &entry);
    if (found == INVALID_HANDLE_VALUE)
        abort();
    do {
        HANDLE file;

        (void)snprintf(path, sizeof path, "%s\\%s", folder, entry.cFileName);
        file = CreateFileA(path, GENERIC_READ | GENERIC_WRITE, FILE_SHARE_READ, NULL, OPEN_EXISTING,
                           0, NULL);
        if (file != INVALID_HANDLE_VALUE)
            CloseHandle(file); /* if a file stays open, providers assume that its program runs */
        count++;
    } while (FindNextFileA(found, &entry));
    FindClose(found);
    return count;
}

void bench_system_run_threads(uint32_t count, void (*run)(void *context, uint32_t index),
                              void *context)
{
    bench_thread threads[MAX_THREADS];

    if (count > MAX_THREADS)
        abort();
    for (uint32_t i = 0; i < count; i++) {
        threads[i] = (bench_thread){.run = run, .context = context, .index = i};
        threads[i].thread = CreateThread(NULL, 0, run_thread, &threads[i], 0, NULL);
        if (!threads[i].thread)
            abort();
    }
    for (uint32_t i = 0; i < count; i++) {
        WaitForSingleObject(threads[i].thread, INFINITE);
        CloseHandle(threads[i].thread);
    }
}
