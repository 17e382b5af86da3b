/* SPDX-License-Identifier: MIT */
/*
 * Makes and removes copies of a provider DLL. The caller checks first that only administrators can
 * write to the folder (protection.h), and decides which copy is registered. Windows only.
 */
#include "service/dll_copy.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#include "base/fnv.h"
#include "base/wide_format.h"
#include "system/os.h"
#include "windows/file_handle.h"
#include "windows/plain_file.h"

#define MAX_COPY_BYTES (64u * 1024 * 1024)

enum { DIGITS = 16 };

/*
 * Copy the folder part of a path, including the last backslash. Returns its length in chars; 0 if
 * the path has no folder, or if the folder has MAX_PATH chars or more.
 */
static size_t folder_of_file(const wchar_t *path, wchar_t *folder)
{
    const wchar_t *last = wcsrchr(path, L'\\');
    size_t chars = last ? (size_t)(last - path) + 1 : 0;

    if (chars >= MAX_PATH)
        chars = 0;
    wmemcpy(folder, path, chars);
    folder[chars] = 0;
    return chars;
}

uint32_t prfdata_dll_copy_path(const wchar_t *service, const wchar_t *dll, const void *bytes,
                               size_t size, wchar_t *path)
{
    /* The hash only distinguishes contents; the protected folder keeps attackers away. */
    const uint64_t hash = prfdata_fnv_add(PRFDATA_FNV_START, bytes, size);
    wchar_t folder[MAX_PATH];

    folder_of_file(dll, folder);
    if (prfdata_wide_format(path, MAX_PATH, L"%ls%lsPrf-%08x%08x.dll", folder, service,
                            (unsigned)(hash >> 32), (unsigned)hash) < 0)
        return ERROR_FILENAME_EXCED_RANGE;
    return ERROR_SUCCESS;
}

static bool has_digits(const wchar_t *text)
{
    for (int i = 0; i < DIGITS; i++)
        if (!((text[i] >= L'0' && text[i] <= L'9') || (text[i] >= L'a' && text[i] <= L'f')))
            return false;
    return true;
}

/* Return the part of a name after `<service>Prf-<16 digits>`; NULL if the name begins otherwise. */
static const wchar_t *after_digits(const wchar_t *service, const wchar_t *name)
{
    const size_t chars = wcslen(service);

    if (_wcsnicmp(name, service, chars) != 0 || _wcsnicmp(name + chars, L"Prf-", 4) != 0 ||
        !has_digits(name + chars + 4))
        return NULL;
    return name + chars + 4 + DIGITS;
}

/*
 * The ends of the names of a copy, of an incomplete copy, and of a renamed copy
 * (move_copy_aside()).
 */
#define COPY_END       L".dll"
#define INCOMPLETE_END L".dll.new"
#define LOADED_END     L".old"

static bool is_loaded_end(const wchar_t *end)
{
    return end[0] == L'-' && has_digits(end + 1) && _wcsicmp(end + 1 + DIGITS, LOADED_END) == 0;
}

static bool is_copy_end(const wchar_t *end)
{
    return _wcsicmp(end, COPY_END) == 0 || _wcsicmp(end, INCOMPLETE_END) == 0 || is_loaded_end(end);
}

/*
 * Rename a copy, even if it is loaded. Windows allows renaming a loaded DLL, but not deleting it.
 */
static uint32_t rename_copy(const wchar_t *path, const wchar_t *to)
{
    HANDLE file;
    uint32_t status = prfdata_file_handle_open(
        path, DELETE, FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE,
        FILE_FLAG_OPEN_REPARSE_POINT, &file);

    if (status)
        return status;
    status = prfdata_file_handle_rename(file, to, false);
    CloseHandle(file);
    return status;
}

/* Give a copy a name that is never registered, so that a later sweep deletes the file. */
static uint32_t move_copy_aside(const wchar_t *path, wchar_t *moved)
{
    const uint64_t number = prfdata_os_random();
    const size_t stem_chars = wcslen(path) - wcslen(COPY_END);

    if (prfdata_wide_format(moved, MAX_PATH, L"%.*ls-%08x%08x" LOADED_END, (int)stem_chars, path,
                            (unsigned)(number >> 32), (unsigned)number) < 0)
        return ERROR_FILENAME_EXCED_RANGE;
    return rename_copy(path, moved);
}

static bool has_bytes(const wchar_t *path, const void *bytes, size_t size)
{
    void *found = NULL;
    size_t found_bytes = 0;
    bool same;

    if (prfdata_plain_file_read(path, FILE_FLAG_OPEN_REPARSE_POINT, MAX_COPY_BYTES, &found,
                                &found_bytes))
        return false;
    same = found_bytes == size && memcmp(found, bytes, size) == 0;
    free(found);
    return same;
}

/*
 * Write the bytes under another name first, so that a file with the name of a copy is always
 * complete.
 */
static uint32_t write_copy(const wchar_t *path, const void *bytes, size_t size)
{
    wchar_t incomplete[MAX_PATH];

    if (prfdata_wide_format(incomplete, MAX_PATH, L"%.*ls" INCOMPLETE_END,
                            (int)(wcslen(path) - wcslen(COPY_END)), path) < 0)
        return ERROR_FILENAME_EXCED_RANGE;
    return prfdata_plain_file_replace(path, incomplete, bytes, size);
}

/*
 * Returns whether a removed file still has its name. If the file was deleted without POSIX
 * semantics, the name stays until the last program has closed the file.
 */
static bool keeps_name(const wchar_t *path)
{
    HANDLE file;
    const uint32_t status = prfdata_file_handle_try(
        path, FILE_READ_ATTRIBUTES, FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE,
        FILE_FLAG_OPEN_REPARSE_POINT, &file);

    if (!status)
        CloseHandle(file);
    return !status || status == ERROR_DELETE_PENDING;
}

/* Remove a copy that has been replaced. If it is loaded, it stays, and the sweep reports it. */
static void remove_replaced(const wchar_t *path)
{
    if (prfdata_plain_file_remove(path))
        return;
    /* Wait until the name is free, because the sweep would find the removed file by its name. */
    while (keeps_name(path) && prfdata_file_handle_wait())
        ;
}

/*
 * Rename a damaged copy, and write a new one. If the new copy cannot be written, the damaged copy
 * gets its name back, because part of its code may work.
 */
static uint32_t replace_copy(const wchar_t *path, const void *bytes, size_t size)
{
    wchar_t moved[MAX_PATH];
    uint32_t status = move_copy_aside(path, moved);

    if (status)
        return status;
    status = write_copy(path, bytes, size);
    if (status)
        (void)rename_copy(moved, path);
    else
        remove_replaced(moved);
    return status;
}

uint32_t prfdata_dll_copy_make(const wchar_t *path, const void *bytes, size_t size,
                               prfdata_dll_copy_change *change)
{
    const bool is_there = GetFileAttributesW(path) != INVALID_FILE_ATTRIBUTES;
    uint32_t status;

    if (is_there && has_bytes(path, bytes, size)) {
        *change = PRFDATA_DLL_COPY_SAME;
        return ERROR_SUCCESS;
    }
    status = is_there ? replace_copy(path, bytes, size) : write_copy(path, bytes, size);
    if (!status)
        *change = is_there ? PRFDATA_DLL_COPY_REPAIRED : PRFDATA_DLL_COPY_MADE;
    return status;
}

/*
 * On the last sweep, also asks Windows to delete the file at its next restart. Earlier sweeps do
 * not ask, because Windows Installer, SQL Server's setup and Configuration Manager would report a
 * pending restart.
 */
static void report_loaded_copy(const wchar_t *path, bool is_last_sweep,
                               const prfdata_report *report)
{
    if (!is_last_sweep)
        prfdata_report_line(report, PRFDATA_STEP_LEFT,
                            L"DLL in use: %ls; readers that have loaded it continue with it. The "
                            L"next -Install or -Uninstall from that folder deletes it",
                            path);
    else if (MoveFileExW(path, NULL, MOVEFILE_DELAY_UNTIL_REBOOT))
        prfdata_report_line(report, PRFDATA_STEP_LEFT,
                            L"DLL in use: %ls; readers that have loaded it continue with it. "
                            L"Windows deletes it at its next restart",
                            path);
    else
        prfdata_report_left(report, GetLastError(), L"DLL left: %ls", path);
}

static void move_and_report_copy(const wchar_t *path, bool is_last_sweep,
                                 const prfdata_report *report)
{
    wchar_t moved[MAX_PATH];
    const uint32_t status = move_copy_aside(path, moved);

    if (status)
        prfdata_report_left(report, status, L"DLL left: %ls", path);
    else
        report_loaded_copy(moved, is_last_sweep, report);
}

/* Returns whether the file was deleted. */
static bool remove_copy(const wchar_t *path, const wchar_t *end, bool is_last_sweep,
                        const prfdata_report *report)
{
    const uint32_t status = prfdata_plain_file_remove(path);

    if (!status)
        prfdata_report_line(report, PRFDATA_STEP_DONE, L"DLL removed: %ls", path);
    else if (is_loaded_end(end))
        report_loaded_copy(path, is_last_sweep, report);
    else if (_wcsicmp(end, COPY_END) == 0)
        move_and_report_copy(path, is_last_sweep, report);
    else
        prfdata_report_left(report, status, L"DLL left: %ls", path);
    return !status;
}

size_t prfdata_dll_copy_sweep(const wchar_t *service, const wchar_t *place, const wchar_t *keep,
                              bool is_last_sweep, const prfdata_report *report)
{
    wchar_t folder[MAX_PATH], path[MAX_PATH];
    WIN32_FIND_DATAW found;
    size_t removed = 0;
    HANDLE search;

    if (folder_of_file(place, folder) == 0 ||
        prfdata_wide_format(path, MAX_PATH, L"%ls%lsPrf-*", folder, service) < 0)
        return 0;
    search = FindFirstFileW(path, &found);
    if (search == INVALID_HANDLE_VALUE)
        return 0;
    do {
        const wchar_t *end = after_digits(service, found.cFileName);

        if (end && is_copy_end(end) && !(found.dwFileAttributes & FILE_ATTRIBUTE_DIRECTORY) &&
            prfdata_wide_format(path, MAX_PATH, L"%ls%ls", folder, found.cFileName) > 0 &&
            _wcsicmp(path, keep) != 0 && remove_copy(path, end, is_last_sweep, report))
            removed++;
    } while (FindNextFileW(search, &found));
    FindClose(search);
    return removed;
}
