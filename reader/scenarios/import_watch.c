/* SPDX-License-Identifier: MIT */
/* Replaces some functions that a library imports by functions that count (import_watch.h). */
#include "scenarios/import_watch.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "source/caller.h"

static volatile LONG counts[PRFDATA_IMPORT_COUNT];

/* Whether this thread is inside a Collect. */
static bool is_collecting(void)
{
    const prfdata_caller_thread *thread = prfdata_caller_this_thread();

    return thread && thread->phase == PRFDATA_CALLER_COLLECT;
}

static void count_in_collect(prfdata_import kind, bool is_one)
{
    if (is_one && is_collecting())
        InterlockedIncrement(&counts[kind]);
}

/* ---- The functions in front ---- */

/*
 * Whether a handle is a real one. Closing NULL or the pseudo handles -1 to -6 does nothing and
 * harms nobody.
 */
static bool is_real_handle(HANDLE handle)
{
    return handle && ((intptr_t)handle < -6 || (intptr_t)handle > 0);
}

static BOOL WINAPI close_watched(HANDLE handle)
{
    DWORD flags;

    if (is_real_handle(handle) && !GetHandleInformation(handle, &flags))
        InterlockedIncrement(&counts[PRFDATA_IMPORT_BAD_CLOSE]);
    return CloseHandle(handle);
}

static BOOL WINAPI write_watched(HANDLE file, LPCVOID bytes, DWORD count, LPDWORD written,
                                 LPOVERLAPPED overlapped)
{
    count_in_collect(PRFDATA_IMPORT_FILE_WRITE, GetFileType(file) == FILE_TYPE_DISK);
    return WriteFile(file, bytes, count, written, overlapped);
}

static BOOL WINAPI report_watched(HANDLE log, WORD type, WORD category, DWORD event, PSID user,
                                  WORD strings, DWORD size, LPCWSTR *texts, LPVOID data)
{
    count_in_collect(PRFDATA_IMPORT_EVENT, true);
    return ReportEventW(log, type, category, event, user, strings, size, texts, data);
}

static BOOL WINAPI report_ansi_watched(HANDLE log, WORD type, WORD category, DWORD event, PSID user,
                                       WORD strings, DWORD size, LPCSTR *texts, LPVOID data)
{
    count_in_collect(PRFDATA_IMPORT_EVENT, true);
    return ReportEventA(log, type, category, event, user, strings, size, texts, data);
}

static LSTATUS WINAPI query_watched(HKEY key, LPCWSTR name, LPDWORD reserved, LPDWORD type,
                                    LPBYTE data, LPDWORD bytes)
{
    count_in_collect(PRFDATA_IMPORT_PERF_QUERY, key == HKEY_PERFORMANCE_DATA);
    return RegQueryValueExW(key, name, reserved, type, data, bytes);
}

static LSTATUS WINAPI query_ansi_watched(HKEY key, LPCSTR name, LPDWORD reserved, LPDWORD type,
                                         LPBYTE data, LPDWORD bytes)
{
    count_in_collect(PRFDATA_IMPORT_PERF_QUERY, key == HKEY_PERFORMANCE_DATA);
    return RegQueryValueExA(key, name, reserved, type, data, bytes);
}

/* ---- The table of imports ---- */

/* A function that providers import, and its replacement. */
typedef struct watched_import {
    const char *name;
    ULONG_PTR replacement;
} watched_import;

static const watched_import imports[] = {
    {"CloseHandle", (ULONG_PTR)close_watched},
    {"WriteFile", (ULONG_PTR)write_watched},
    {"ReportEventW", (ULONG_PTR)report_watched},
    {"ReportEventA", (ULONG_PTR)report_ansi_watched},
    {"RegQueryValueExW", (ULONG_PTR)query_watched},
    {"RegQueryValueExA", (ULONG_PTR)query_ansi_watched},
};

/* Kernelbase.dll has these functions, too, because the API sets of newer systems lead there. */
static bool is_import(const IMAGE_THUNK_DATA *import, const char *name)
{
    static const wchar_t *const libraries[] = {L"kernel32.dll", L"kernelbase.dll", L"advapi32.dll"};

    for (size_t i = 0; i < sizeof libraries / sizeof libraries[0]; i++) {
        HMODULE library = GetModuleHandleW(libraries[i]);
        const FARPROC function = library ? GetProcAddress(library, name) : NULL;

        if (function && memcmp(&import->u1.Function, &function, sizeof function) == 0)
            return true;
    }
    return false;
}

static void replace_import(IMAGE_THUNK_DATA *import)
{
    size_t i = 0;
    DWORD protection;

    while (i < sizeof imports / sizeof imports[0] && !is_import(import, imports[i].name))
        i++;
    if (i == sizeof imports / sizeof imports[0] ||
        !VirtualProtect(import, sizeof *import, PAGE_READWRITE, &protection))
        return;
    import->u1.Function = imports[i].replacement;
    (void)VirtualProtect(import, sizeof *import, protection, &protection);
}

void prfdata_import_watch_begin(HMODULE module)
{
    unsigned char *base = (unsigned char *)module;
    const IMAGE_DOS_HEADER *dos = (const IMAGE_DOS_HEADER *)base;
    const IMAGE_NT_HEADERS *headers = (const IMAGE_NT_HEADERS *)(base + dos->e_lfanew);
    const IMAGE_DATA_DIRECTORY *directory =
        &headers->OptionalHeader.DataDirectory[IMAGE_DIRECTORY_ENTRY_IMPORT];
    const IMAGE_IMPORT_DESCRIPTOR *library;

    if (directory->Size == 0)
        return;
    library = (const IMAGE_IMPORT_DESCRIPTOR *)(base + directory->VirtualAddress);
    for (; library->FirstThunk != 0; library++) {
        IMAGE_THUNK_DATA *import = (IMAGE_THUNK_DATA *)(base + library->FirstThunk);

        for (; import->u1.Function != 0; import++)
            replace_import(import);
    }
}

unsigned prfdata_import_watch_take(prfdata_import kind)
{
    return (unsigned)InterlockedExchange(&counts[kind], 0);
}
