/* SPDX-License-Identifier: MIT */
/* Compares the current modules of this process with earlier ones (modules.h). */
#include "scenarios/modules.h"

#include <windows.h>
#include <psapi.h>

#define MOST 512u /* most modules that are compared */

static size_t list_modules(HMODULE modules[MOST])
{
    DWORD bytes = 0;

    if (!K32EnumProcessModules(GetCurrentProcess(), modules, MOST * sizeof modules[0], &bytes))
        return 0;
    return bytes / sizeof modules[0] < MOST ? bytes / sizeof modules[0] : MOST;
}

static HMODULE noted[MOST];
static size_t noted_count;

void prfdata_modules_note(void)
{
    if (noted_count == 0)
        noted_count = list_modules(noted);
}

/* cppcheck-suppress constParameter; Windows declares this type */
static bool is_noted(HMODULE module)
{
    for (size_t i = 0; i < noted_count; i++) {
        if (noted[i] == module)
            return true;
    }
    return false;
}

bool prfdata_modules_find_new(const wchar_t *library, wchar_t *path, size_t chars)
{
    static HMODULE now[MOST];
    const size_t count = list_modules(now);
    const wchar_t *end = wcsrchr(library, L'\\');
    wchar_t system[MAX_PATH];
    const size_t folder_chars = end ? (size_t)(end - library) + 1 : 0;
    const UINT system_chars = GetSystemDirectoryW(system, MAX_PATH);

    /* Ignore the system's folder, because it contains the system's own DLLs, which may stay. */
    if (folder_chars == 0 ||
        (system_chars + 1 == folder_chars && _wcsnicmp(system, library, system_chars) == 0))
        return false;
    for (size_t i = 0; i < count; i++) {
        const DWORD used = GetModuleFileNameW(now[i], path, (DWORD)chars);

        if (!is_noted(now[i]) && used > folder_chars && used < chars &&
            _wcsnicmp(path, library, folder_chars) == 0)
            return true;
    }
    return false;
}
