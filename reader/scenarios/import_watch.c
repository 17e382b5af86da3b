/* SPDX-License-Identifier: MIT */
/* Replaces some imports of a library with functions that count the calls (import_watch.h). */
#include "scenarios/import_watch.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "source/caller.h"

static volatile LONG counts[PRFDATA_IMPORT_COUNT];

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

/* ---- The replacement functions ---- */

/*
 * Returns whether a handle is a real one. Closing NULL or the pseudo handles -1 to -6 does nothing
 * and harms nobody.
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

/* Counts the call. The setting cannot be compared before and after a call of the provider, because
 * Windows has no function that reads it. */
static BOOL WINAPI set_directories_watched(DWORD flags)
{
    typedef BOOL(WINAPI * set_directories)(DWORD flags);
    const FARPROC found =
        GetProcAddress(GetModuleHandleW(L"kernel32.dll"), "SetDefaultDllDirectories");
    set_directories set;

    InterlockedIncrement(&counts[PRFDATA_IMPORT_DIRECTORIES]);
    memcpy(&set, &found, sizeof found);
    return set && set(flags);
}

static volatile LONG global_atoms;

static ATOM count_new_atom(bool is_new, ATOM atom)
{
    if (is_new && atom)
        InterlockedIncrement(&global_atoms);
    return atom;
}

static ATOM WINAPI add_atom_watched(LPCWSTR name)
{
    const bool is_new = GlobalFindAtomW(name) == 0;

    return count_new_atom(is_new, GlobalAddAtomW(name));
}

static ATOM WINAPI add_ansi_atom_watched(LPCSTR name)
{
    const bool is_new = GlobalFindAtomA(name) == 0;

    return count_new_atom(is_new, GlobalAddAtomA(name));
}

static bool is_global_atom(ATOM atom)
{
    wchar_t name[256];

    return GlobalGetAtomNameW(atom, name, 256) > 0;
}

static ATOM WINAPI delete_atom_watched(ATOM atom)
{
    const bool was_there = is_global_atom(atom);
    const ATOM result = GlobalDeleteAtom(atom);

    if (was_there && !is_global_atom(atom))
        InterlockedDecrement(&global_atoms);
    return result;
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

static LSTATUS WINAPI set_value_watched(HKEY key, LPCWSTR name, DWORD reserved, DWORD type,
                                        const BYTE *data, DWORD bytes)
{
    count_in_collect(PRFDATA_IMPORT_REGISTRY, true);
    return RegSetValueExW(key, name, reserved, type, data, bytes);
}

static LSTATUS WINAPI set_ansi_value_watched(HKEY key, LPCSTR name, DWORD reserved, DWORD type,
                                             const BYTE *data, DWORD bytes)
{
    count_in_collect(PRFDATA_IMPORT_REGISTRY, true);
    return RegSetValueExA(key, name, reserved, type, data, bytes);
}

static BOOL WINAPI create_process_watched(LPCWSTR program, LPWSTR command,
                                          LPSECURITY_ATTRIBUTES process,
                                          LPSECURITY_ATTRIBUTES thread, BOOL inherits, DWORD flags,
                                          LPVOID environment, LPCWSTR folder,
                                          LPSTARTUPINFOW startup, LPPROCESS_INFORMATION made)
{
    count_in_collect(PRFDATA_IMPORT_PROCESS, true);
    return CreateProcessW(program, command, process, thread, inherits, flags, environment, folder,
                          startup, made);
}

static BOOL WINAPI create_ansi_process_watched(LPCSTR program, LPSTR command,
                                               LPSECURITY_ATTRIBUTES process,
                                               LPSECURITY_ATTRIBUTES thread, BOOL inherits,
                                               DWORD flags, LPVOID environment, LPCSTR folder,
                                               LPSTARTUPINFOA startup, LPPROCESS_INFORMATION made)
{
    count_in_collect(PRFDATA_IMPORT_PROCESS, true);
    return CreateProcessA(program, command, process, thread, inherits, flags, environment, folder,
                          startup, made);
}

static void WINAPI debug_text_watched(LPCWSTR text)
{
    count_in_collect(PRFDATA_IMPORT_DEBUG_TEXT, true);
    OutputDebugStringW(text);
}

static void WINAPI debug_ansi_text_watched(LPCSTR text)
{
    count_in_collect(PRFDATA_IMPORT_DEBUG_TEXT, true);
    OutputDebugStringA(text);
}

/* ---- The table of imports ---- */

static const struct {
    const char *name;
    ULONG_PTR replacement;
} imports[] = {
    {"WriteFile", (ULONG_PTR)write_watched},
    {"CloseHandle", (ULONG_PTR)close_watched},
    {"SetDefaultDllDirectories", (ULONG_PTR)set_directories_watched},
    {"GlobalAddAtomW", (ULONG_PTR)add_atom_watched},
    {"GlobalAddAtomA", (ULONG_PTR)add_ansi_atom_watched},
    {"GlobalDeleteAtom", (ULONG_PTR)delete_atom_watched},
    {"ReportEventW", (ULONG_PTR)report_watched},
    {"ReportEventA", (ULONG_PTR)report_ansi_watched},
    {"RegQueryValueExW", (ULONG_PTR)query_watched},
    {"RegQueryValueExA", (ULONG_PTR)query_ansi_watched},
    {"RegSetValueExW", (ULONG_PTR)set_value_watched},
    {"RegSetValueExA", (ULONG_PTR)set_ansi_value_watched},
    {"CreateProcessW", (ULONG_PTR)create_process_watched},
    {"CreateProcessA", (ULONG_PTR)create_ansi_process_watched},
    {"OutputDebugStringW", (ULONG_PTR)debug_text_watched},
    {"OutputDebugStringA", (ULONG_PTR)debug_ansi_text_watched},
};

#define IMPORTS (sizeof imports / sizeof imports[0])
/* In a C library only WriteFile, the first import of the table, is watched, because a C library
 * closes handles of its own. */
#define C_LIBRARY_IMPORTS 1

/* Kernelbase.dll is in the list, because the API sets of newer systems lead there. */
static const wchar_t *const libraries[] = {L"kernel32.dll", L"kernelbase.dll", L"advapi32.dll"};

#define LIBRARIES (sizeof libraries / sizeof libraries[0])

/* The addresses of the functions; 0: the library lacks the function, or is not loaded. */
typedef struct import_addresses {
    ULONG_PTR of[IMPORTS][LIBRARIES];
} import_addresses;

static void find_addresses(import_addresses *addresses)
{
    for (size_t k = 0; k < LIBRARIES; k++) {
        HMODULE library = GetModuleHandleW(libraries[k]);

        for (size_t i = 0; i < IMPORTS; i++)
            addresses->of[i][k] = library ? (ULONG_PTR)GetProcAddress(library, imports[i].name) : 0;
    }
}

/* Returns a function's replacement; 0: the function is not in the table's first `count` lines. */
static ULONG_PTR find_replacement(const import_addresses *addresses, size_t count,
                                  ULONG_PTR function)
{
    for (size_t i = 0; i < count; i++) {
        for (size_t k = 0; k < LIBRARIES; k++) {
            if (addresses->of[i][k] == function)
                return imports[i].replacement;
        }
    }
    return 0;
}

static void replace_import(IMAGE_THUNK_DATA *import, ULONG_PTR replacement)
{
    DWORD protection;

    if (replacement == 0 || !VirtualProtect(import, sizeof *import, PAGE_READWRITE, &protection))
        return;
    import->u1.Function = replacement;
    (void)VirtualProtect(import, sizeof *import, protection, &protection);
}

/* Replace the imports of a module that are in the first `count` lines of the table. */
static void watch_imports(HMODULE module, const import_addresses *addresses, size_t count)
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
            replace_import(import,
                           find_replacement(addresses, count, (ULONG_PTR)import->u1.Function));
    }
}

void prfdata_import_watch_begin(HMODULE module)
{
    static const wchar_t *const c_libraries[] = {L"msvcrt.dll", L"ucrtbase.dll"};
    import_addresses addresses;

    find_addresses(&addresses);
    watch_imports(module, &addresses, IMPORTS);
    for (size_t i = 0; i < sizeof c_libraries / sizeof c_libraries[0]; i++) {
        HMODULE library = GetModuleHandleW(c_libraries[i]);

        if (library)
            watch_imports(library, &addresses, C_LIBRARY_IMPORTS);
    }
}

unsigned prfdata_import_watch_take(prfdata_import kind)
{
    return (unsigned)InterlockedExchange(&counts[kind], 0);
}

unsigned prfdata_import_watch_global_atoms(void)
{
    const LONG count = InterlockedCompareExchange(&global_atoms, 0, 0);

    return count > 0 ? (unsigned)count : 0;
}
