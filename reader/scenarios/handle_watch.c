/* SPDX-License-Identifier: MIT */
/* Changes the table of imports of a loaded library; strict.c says when, and checks the count. */
#include "scenarios/handle_watch.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

static volatile LONG closed_twice;

/* NULL and the pseudo handles -1 to -6 close nothing, and harm nobody. */
static bool is_real_handle(HANDLE handle)
{
    return handle && ((intptr_t)handle < -6 || (intptr_t)handle > 0);
}

static BOOL WINAPI close_watched(HANDLE handle)
{
    DWORD flags;

    if (is_real_handle(handle) && !GetHandleInformation(handle, &flags))
        InterlockedIncrement(&closed_twice);
    return CloseHandle(handle);
}

static void replace_import(IMAGE_THUNK_DATA *import)
{
    BOOL(WINAPI *const replacement)(HANDLE) = close_watched;
    DWORD protection;

    if (!VirtualProtect(import, sizeof *import, PAGE_READWRITE, &protection))
        return;
    memcpy(&import->u1.Function, &replacement, sizeof replacement);
    (void)VirtualProtect(import, sizeof *import, protection, &protection);
}

/* kernel32.dll has it, and kernelbase.dll, to which the sets of newer systems lead. */
static bool is_close_handle(const IMAGE_THUNK_DATA *import)
{
    static const wchar_t *const libraries[] = {L"kernel32.dll", L"kernelbase.dll"};

    for (size_t i = 0; i < sizeof libraries / sizeof libraries[0]; i++) {
        HMODULE library = GetModuleHandleW(libraries[i]);
        const FARPROC function = library ? GetProcAddress(library, "CloseHandle") : NULL;

        if (function && memcmp(&import->u1.Function, &function, sizeof function) == 0)
            return true;
    }
    return false;
}

void prfdata_handle_watch_begin(HMODULE module)
{
    unsigned char *base = (unsigned char *)module;
    const IMAGE_DOS_HEADER *dos = (const IMAGE_DOS_HEADER *)base;
    const IMAGE_NT_HEADERS *headers = (const IMAGE_NT_HEADERS *)(base + dos->e_lfanew);
    const IMAGE_DATA_DIRECTORY *imports =
        &headers->OptionalHeader.DataDirectory[IMAGE_DIRECTORY_ENTRY_IMPORT];
    const IMAGE_IMPORT_DESCRIPTOR *library;

    if (imports->Size == 0)
        return;
    library = (const IMAGE_IMPORT_DESCRIPTOR *)(base + imports->VirtualAddress);
    for (; library->FirstThunk != 0; library++) {
        IMAGE_THUNK_DATA *import = (IMAGE_THUNK_DATA *)(base + library->FirstThunk);

        for (; import->u1.Function != 0; import++) {
            if (is_close_handle(import))
                replace_import(import);
        }
    }
}

unsigned prfdata_handle_watch_take(void)
{
    return (unsigned)InterlockedExchange(&closed_twice, 0);
}
