/* SPDX-License-Identifier: MIT */
/*
 * Handles, heaps, memory, views and slots of this process. Does not know who took them. Knows
 * Windows.
 */
#define PSAPI_VERSION 2 /* kernel32's K32GetProcessMemoryInfo */
#include "prfcheck/usage.h"

#include <string.h>

#include <windows.h>
#include <psapi.h>

/* As many as any Windows has; what counts is that they are more than before. */
#define MOST_TLS_SLOTS 1088u
#define MOST_FLS_SLOTS 4096u

static uint64_t heap_in_use(HANDLE heap)
{
    PROCESS_HEAP_ENTRY entry;
    uint64_t bytes = 0;

    if (!HeapLock(heap))
        return 0;
    memset(&entry, 0, sizeof entry);
    while (HeapWalk(heap, &entry)) {
        if (entry.wFlags & PROCESS_HEAP_ENTRY_BUSY)
            bytes += (uint64_t)entry.cbData + entry.cbOverhead;
    }
    HeapUnlock(heap);
    return bytes;
}

/* The handles one by one; their numbers are multiples of 4, with gaps. */
static uint64_t count_handles(void)
{
    uint64_t handles = 0;

    for (uintptr_t number = 4, last = 0; number < last + 1024; number += 4) {
        DWORD flags;

        if (GetHandleInformation((HANDLE)number, &flags)) {
            handles++;
            last = number;
        }
    }
    return handles;
}

static uint64_t count_views(void)
{
    MEMORY_BASIC_INFORMATION part;
    const unsigned char *at = NULL;
    uint64_t views = 0;

    while (VirtualQuery(at, &part, sizeof part) == sizeof part) {
        views += part.State != MEM_FREE && part.Type == MEM_MAPPED &&
                 part.BaseAddress == part.AllocationBase;
        if ((uintptr_t)part.BaseAddress + part.RegionSize <= (uintptr_t)at)
            break; /* the end of the address space */
        at = (const unsigned char *)part.BaseAddress + part.RegionSize;
    }
    return views;
}

/* The system gives the first free slot; FlsAlloc's are others. None free: as many as there are. */
static uint64_t count_slots(void)
{
    const DWORD tls = TlsAlloc();
    const DWORD fls = FlsAlloc(NULL);
    uint64_t slots = 0;

    slots += tls != TLS_OUT_OF_INDEXES ? tls : MOST_TLS_SLOTS;
    slots += fls != FLS_OUT_OF_INDEXES ? fls : MOST_FLS_SLOTS;
    if (tls != TLS_OUT_OF_INDEXES)
        TlsFree(tls);
    if (fls != FLS_OUT_OF_INDEXES)
        FlsFree(fls);
    return slots;
}

prfdata_usage prfdata_usage_now(void)
{
    prfdata_usage usage = {0, 0, 0, 0, 0};
    PROCESS_MEMORY_COUNTERS_EX memory;
    HANDLE heaps[64];
    DWORD count = GetProcessHeaps(64, heaps);
    DWORD handles = 0;

    /* Wine returns 0. */
    if (GetProcessHandleCount(GetCurrentProcess(), &handles) && handles > 0)
        usage.handles = handles;
    else
        usage.handles = count_handles();
    for (DWORD i = 0; i < count && i < 64; i++)
        usage.heap_bytes += heap_in_use(heaps[i]);
    memset(&memory, 0, sizeof memory);
    memory.cb = sizeof memory;
    if (GetProcessMemoryInfo(GetCurrentProcess(), (PROCESS_MEMORY_COUNTERS *)&memory,
                             sizeof memory))
        usage.private_bytes = memory.PrivateUsage;
    usage.views = count_views();
    usage.slots = count_slots();
    return usage;
}
