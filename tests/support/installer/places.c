/* SPDX-License-Identifier: MIT */
#include "support/installer/places.h"

#include "support/test.h"

void path_in(wchar_t *path, const wchar_t *folder, const wchar_t *name)
{
    assert_true(swprintf(path, MAX_PATH, L"%ls\\%ls", folder, name) > 0);
}

void path_beside(wchar_t *path, const wchar_t *name)
{
    const DWORD length = GetModuleFileNameW(NULL, path, MAX_PATH);

    assert_in_range(length, 1, MAX_PATH - 1);
    *(wcsrchr(path, L'\\') + 1) = 0;
    assert_true(wcslen(path) + wcslen(name) < MAX_PATH);
    wcscat(path, name);
}

bool exists(const wchar_t *path)
{
    return GetFileAttributesW(path) != INVALID_FILE_ATTRIBUTES;
}

bool exists_in(const wchar_t *folder, const wchar_t *name)
{
    wchar_t path[MAX_PATH];

    path_in(path, folder, name);
    return exists(path);
}

bool has_key(const wchar_t *path)
{
    HKEY key;

    if (RegOpenKeyExW(HKEY_LOCAL_MACHINE, path, 0, KEY_READ, &key) != 0)
        return false;
    RegCloseKey(key);
    return true;
}

void write_file(const wchar_t *path, const void *bytes, DWORD size)
{
    DWORD done;
    HANDLE file = CreateFileW(path, GENERIC_WRITE, 0, NULL, CREATE_ALWAYS, 0, NULL);

    assert_true(file != INVALID_HANDLE_VALUE);
    assert_true(WriteFile(file, bytes, size, &done, NULL));
    CloseHandle(file);
}

void write_file_in(const wchar_t *folder, const wchar_t *name)
{
    wchar_t path[MAX_PATH];

    path_in(path, folder, name);
    write_file(path, "x", 1);
}
