/* SPDX-License-Identifier: MIT */
/* Records the state of a machine before and after the kit: services, event sources, software,
 * values of Perflib's key, files in folders that the kit and loadperf use, users, their profiles,
 * and scheduled tasks (some are data collector sets). Windows only. */
#include "kit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#define WINDOWS_NT L"SOFTWARE\\Microsoft\\Windows NT\\CurrentVersion"

enum { SNAPSHOT_CHARS = 1 << 18 };

typedef struct snapshot {
    wchar_t *text;
    size_t used;
} snapshot;

static void add_line(snapshot *s, const wchar_t *kind, const wchar_t *name, const wchar_t *value)
{
    size_t chars = wcslen(kind) + wcslen(name) + wcslen(value) + 4;

    if (s->used + chars >= SNAPSHOT_CHARS)
        return;
    s->used += (size_t)swprintf(s->text + s->used, SNAPSHOT_CHARS - s->used, L"%ls %ls %ls\n", kind,
                                name, value);
}

/* -Uninstall remembers titles in this volatile key, which is deleted when Windows ends. */
#define REMEMBERED L"PrfData Titles "

static void add_keys(snapshot *s, const wchar_t *kind, const wchar_t *path, const wchar_t *begin)
{
    wchar_t name[256];
    DWORD chars = 256;
    HKEY key;

    if (RegOpenKeyExW(HKEY_LOCAL_MACHINE, path, 0, KEY_READ, &key) != ERROR_SUCCESS)
        return;
    for (DWORD i = 0; RegEnumKeyExW(key, i, name, &chars, NULL, NULL, NULL, NULL) == ERROR_SUCCESS;
         i++) {
        if (_wcsnicmp(name, begin, wcslen(begin)) == 0 &&
            wcsncmp(name, REMEMBERED, wcslen(REMEMBERED)) != 0)
            add_line(s, kind, name, L"");
        chars = 256;
    }
    RegCloseKey(key);
}

static void add_numbers(snapshot *s, const wchar_t *kind, const wchar_t *path)
{
    wchar_t name[256], text[16];
    DWORD chars = 256, type, value, bytes = sizeof value;
    HKEY key;

    if (RegOpenKeyExW(HKEY_LOCAL_MACHINE, path, 0, KEY_QUERY_VALUE, &key) != ERROR_SUCCESS)
        return;
    for (DWORD i = 0; RegEnumValueW(key, i, name, &chars, NULL, &type, (BYTE *)&value, &bytes) !=
                      ERROR_NO_MORE_ITEMS;
         i++, chars = 256, bytes = sizeof value) {
        /* Another question asks about these values. No program may restore them if other services
         * were installed meanwhile. */
        if (wcsncmp(name, L"Last ", 5) == 0)
            continue;
        swprintf(text, 16, L"%u", type == REG_DWORD ? (unsigned)value : 0u);
        add_line(s, kind, name, text);
    }
    RegCloseKey(key);
}

static void add_files(snapshot *s, const wchar_t *kind, const wchar_t *pattern)
{
    wchar_t path[MAX_PATH];
    WIN32_FIND_DATAW found;
    HANDLE search;

    if (!ExpandEnvironmentStringsW(pattern, path, MAX_PATH))
        return;
    search = FindFirstFileW(path, &found);
    if (search == INVALID_HANDLE_VALUE)
        return;
    do {
        add_line(s, kind, found.cFileName, L"");
    } while (FindNextFileW(search, &found));
    FindClose(search);
}

/* "NetUserEnum function", level 0. Not every toolchain has a library for netapi32.dll. */
static void add_users(snapshot *s)
{
    typedef DWORD(WINAPI enum_function)(const wchar_t *server, DWORD level, DWORD filter,
                                        BYTE **users, DWORD most, DWORD *read, DWORD *total,
                                        DWORD *resume);
    typedef DWORD(WINAPI free_function)(void *buffer);
    HMODULE library = LoadLibraryExW(L"netapi32.dll", NULL, LOAD_LIBRARY_SEARCH_SYSTEM32);
    DWORD count = 0, total = 0;
    BYTE *users = NULL;
    union {
        FARPROC untyped;
        enum_function *typed;
    } enumerate;
    union {
        FARPROC untyped;
        free_function *typed;
    } release;

    if (!library)
        return;
    enumerate.untyped = GetProcAddress(library, "NetUserEnum");
    release.untyped = GetProcAddress(library, "NetApiBufferFree");
    if (enumerate.untyped && release.untyped &&
        enumerate.typed(NULL, 0, 2, &users, 0xFFFFFFFF, &count, &total, NULL) == ERROR_SUCCESS) {
        for (DWORD i = 0; i < count; i++)
            add_line(s, L"user", ((const wchar_t *const *)users)[i], L"");
        release.typed(users);
    }
    FreeLibrary(library);
}

wchar_t *kit_take_snapshot(void)
{
    snapshot s = {calloc(SNAPSHOT_CHARS, sizeof(wchar_t)), 0};

    if (!s.text)
        return NULL;
    add_keys(&s, L"service", KIT_SERVICES, L"");
    add_keys(&s, L"event-source", KIT_SERVICES L"\\EventLog\\Application", L"");
    add_keys(&s, L"software", L"SOFTWARE", L"");
    add_keys(&s, L"control", L"SYSTEM\\CurrentControlSet\\Control", L"PrfData");
    add_keys(&s, L"software-of-PrfData", L"SOFTWARE\\PrfData", L"");
    add_numbers(&s, L"perflib", KIT_PERFLIB);
    add_keys(&s, L"profile", WINDOWS_NT L"\\ProfileList", L"");
    add_keys(&s, L"task", WINDOWS_NT L"\\Schedule\\TaskCache\\Tree", L"");
    add_keys(&s, L"collector", WINDOWS_NT L"\\Schedule\\TaskCache\\Tree\\Microsoft\\Windows\\PLA",
             L"");
    add_users(&s);
    add_files(&s, L"inf", L"%SystemRoot%\\inf\\PrfData*");
    add_files(&s, L"inf-009", L"%SystemRoot%\\inf\\009\\PrfData*");
    add_files(&s, L"system", L"%SystemRoot%\\System32\\PrfData*");
    add_files(&s, L"PerfLogs", L"%SystemDrive%\\PerfLogs\\*");
    add_files(&s, L"ProgramFiles", L"%ProgramFiles%\\PrfData*");
    add_files(&s, L"profile-folder", L"%USERPROFILE%\\PrfData*");
    add_files(&s, L"ProgramData", L"%ProgramData%\\*");
    add_files(&s, L"PrfData", L"%ProgramData%\\PrfData\\*");
    return s.text;
}

static bool has_line(const wchar_t *text, const wchar_t *line, size_t length)
{
    for (const wchar_t *at = text; *at; at += wcscspn(at, L"\n") + 1) {
        if (wcsncmp(at, line, length) == 0)
            return true;
    }
    return false;
}

/* Appends the lines that only `from` has, as many as fit. */
static void append_missing(const wchar_t *from, const wchar_t *in, const char *how, char *lines,
                           size_t capacity)
{
    for (const wchar_t *at = from, *end; *at; at = end + 1) {
        size_t used = strlen(lines);

        end = at + wcscspn(at, L"\n");
        if (used + 1 < capacity && !has_line(in, at, (size_t)(end - at) + 1))
            snprintf(lines + used, capacity - used, "%s%s: %.*ls", used > 0 ? "; " : "", how,
                     (int)(end - at), at);
    }
}

void kit_compare_snapshots(const wchar_t *before, const wchar_t *after, char *lines,
                           size_t capacity)
{
    lines[0] = 0;
    append_missing(after, before, "only after", lines, capacity);
    append_missing(before, after, "only before", lines, capacity);
}
