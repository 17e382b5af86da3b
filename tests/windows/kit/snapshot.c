/* SPDX-License-Identifier: MIT */
/*
 * What a machine looks like before and after the kit: the names of services, of event sources, of
 * software, the values of Perflib's key and the names in %ProgramData%\PrfData. Windows only.
 */
#include "kit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

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

static void add_keys(snapshot *s, const wchar_t *kind, const wchar_t *path)
{
    wchar_t name[256];
    DWORD chars = 256;
    HKEY key;

    if (RegOpenKeyExW(HKEY_LOCAL_MACHINE, path, 0, KEY_READ, &key) != ERROR_SUCCESS)
        return;
    for (DWORD i = 0; RegEnumKeyExW(key, i, name, &chars, NULL, NULL, NULL, NULL) == ERROR_SUCCESS;
         i++) {
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
        /* A question of their own: no program may set them back where others were installed. */
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

wchar_t *kit_take_snapshot(void)
{
    snapshot s = {calloc(SNAPSHOT_CHARS, sizeof(wchar_t)), 0};

    if (!s.text)
        return NULL;
    add_keys(&s, L"service", KIT_SERVICES);
    add_keys(&s, L"event-source", KIT_SERVICES L"\\EventLog\\Application");
    add_keys(&s, L"software", L"SOFTWARE");
    add_keys(&s, L"software-of-PrfData", L"SOFTWARE\\PrfData");
    add_numbers(&s, L"perflib", KIT_PERFLIB);
    add_files(&s, L"ProgramData", L"%ProgramData%\\*");
    add_files(&s, L"PrfData", L"%ProgramData%\\PrfData\\*");
    return s.text;
}

/* Whether the line that begins at `line` stands in the text. */
static bool has_line(const wchar_t *text, const wchar_t *line, size_t length)
{
    for (const wchar_t *at = text; *at; at += wcscspn(at, L"\n") + 1) {
        if (wcsncmp(at, line, length) == 0)
            return true;
    }
    return false;
}

static bool find_missing(const wchar_t *from, const wchar_t *in, const char *how, char *line,
                         size_t capacity)
{
    for (const wchar_t *at = from, *end; *at; at = end + 1) {
        end = at + wcscspn(at, L"\n");
        if (has_line(in, at, (size_t)(end - at) + 1))
            continue;
        snprintf(line, capacity, "%s: %.*ls", how, (int)(end - at), at);
        return true;
    }
    return false;
}

void kit_compare_snapshots(const wchar_t *before, const wchar_t *after, char *line, size_t capacity)
{
    line[0] = 0;
    if (!find_missing(after, before, "only after", line, capacity))
        find_missing(before, after, "only before", line, capacity);
}
