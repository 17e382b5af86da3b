/* SPDX-License-Identifier: MIT */
/* Counts what this process has taken from the system: handles, threads, memory and more.
 * growth.c checks whether the numbers grow. */
#include "scenarios/usage.h"

#include <stdlib.h>
#include <string.h>

#include <windows.h>
#include <tlhelp32.h>

#include "scenarios/import_watch.h"

/* The highest numbers of slots in any version of Windows. */
#define MOST_TLS_SLOTS 1088u
#define MOST_FLS_SLOTS 4096u

/* GR_GDIOBJECTS and GR_USEROBJECTS, which not all headers have. */
#define GDI_OBJECTS  0u
#define USER_OBJECTS 1u

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

/* Returns 0 if there is no memory. GetProcessHeaps returns the number of heaps, even if the array
 * is too small. */
static uint64_t count_heap_bytes(void)
{
    HANDLE *heaps = NULL;
    uint64_t bytes = 0;
    DWORD capacity = 0;
    DWORD count;

    while ((count = GetProcessHeaps(capacity, heaps)) > capacity) {
        free(heaps);
        heaps = malloc(count * sizeof *heaps);
        if (!heaps)
            return 0;
        capacity = count;
    }
    for (DWORD i = 0; i < count; i++)
        bytes += heap_in_use(heaps[i]);
    free(heaps);
    return bytes;
}

/* Handles are numbers, multiples of 4, with gaps. The count stops if the next handle would be 1024
 * or more above the last one. */
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

static uint64_t count_threads(void)
{
    const DWORD self = GetCurrentProcessId();
    HANDLE list = CreateToolhelp32Snapshot(TH32CS_SNAPTHREAD, 0);
    THREADENTRY32 entry;
    uint64_t threads = 0;

    if (list == INVALID_HANDLE_VALUE)
        return 0;
    memset(&entry, 0, sizeof entry);
    entry.dwSize = sizeof entry;
    for (BOOL any = Thread32First(list, &entry); any; any = Thread32Next(list, &entry))
        threads += entry.th32OwnerProcessID == self;
    CloseHandle(list);
    return threads;
}

/* Return the number of GDI or USER objects. A process that did not load user32.dll has none, so
 * this function does not load that DLL. No test covers this function, because Wine's
 * GetGuiResources always returns 0. */
static uint64_t count_gui(DWORD which)
{
    typedef DWORD(WINAPI * get_gui_resources)(HANDLE process, DWORD which);
    HMODULE user = GetModuleHandleW(L"user32.dll");
    const FARPROC found = user ? GetProcAddress(user, "GetGuiResources") : NULL;
    get_gui_resources count;

    if (!found)
        return 0;
    memcpy(&count, &found, sizeof count);
    return count(GetCurrentProcess(), which);
}

/* Count views. Add up private committed memory, and all reserved memory. */
static void measure_addresses(prfdata_growth_usage *usage)
{
    MEMORY_BASIC_INFORMATION part;
    const unsigned char *at = NULL;

    while (VirtualQuery(at, &part, sizeof part) == sizeof part) {
        if (part.State != MEM_FREE && part.Type == MEM_MAPPED &&
            part.BaseAddress == part.AllocationBase)
            usage->of[PRFDATA_GROWTH_VIEWS]++;
        if (part.State == MEM_COMMIT && part.Type == MEM_PRIVATE)
            usage->of[PRFDATA_GROWTH_MEMORY] += part.RegionSize;
        if (part.State == MEM_RESERVE)
            usage->of[PRFDATA_GROWTH_ADDRESS] += part.RegionSize;
        if ((uintptr_t)part.BaseAddress + part.RegionSize <= (uintptr_t)at)
            break; /* the end of the address space */
        at = (const unsigned char *)part.BaseAddress + part.RegionSize;
    }
}

/* Returns how many slots of TlsAlloc and of FlsAlloc are below the first free one. The system gives
 * the first free slot to the next caller. If none is free, all slots count. */
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

/* Returns the first free atom of this process plus the number of global atoms that the watched
 * libraries have added and not deleted. The first free atom rises with the number of atoms in this
 * process. Global atoms of other programs do not count. */
static uint64_t count_atoms(void)
{
    const ATOM first_free = AddAtomW(L"prfcheck, which removes it at once");

    if (first_free)
        DeleteAtom(first_free);
    return (uint64_t)first_free + prfdata_import_watch_global_atoms();
}

prfdata_growth_usage prfdata_usage_now(void)
{
    prfdata_growth_usage usage;
    DWORD handles = 0;

    memset(&usage, 0, sizeof usage);
    /* Wine reports 0 handles, so they are counted one by one there. */
    if (GetProcessHandleCount(GetCurrentProcess(), &handles) && handles > 0)
        usage.of[PRFDATA_GROWTH_HANDLES] = handles;
    else
        usage.of[PRFDATA_GROWTH_HANDLES] = count_handles();
    usage.of[PRFDATA_GROWTH_HEAPS] = count_heap_bytes();
    usage.of[PRFDATA_GROWTH_THREADS] = count_threads();
    usage.of[PRFDATA_GROWTH_DRAWING] = count_gui(GDI_OBJECTS);
    usage.of[PRFDATA_GROWTH_WINDOWS] = count_gui(USER_OBJECTS);
    usage.of[PRFDATA_GROWTH_SLOTS] = count_slots();
    usage.of[PRFDATA_GROWTH_ATOMS] = count_atoms();
    measure_addresses(&usage);
    return usage;
}
