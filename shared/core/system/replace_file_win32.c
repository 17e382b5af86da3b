/* SPDX-License-Identifier: MIT */
/* Replaces files with MoveFileExW. Windows only. */
#include "system/replace_file.h"

#include <stdlib.h>
#include <wchar.h>

#include <windows.h>

#include "system/os.h"

#define MOST_AT_ONCE   0x100000u /* bytes in one call */
#define DEVICE_CHARS   1024
#define TEMPORARY_ENDS 8 /* names to try: a killed run leaves its file */

/* ---- Writing ---- */

static uint32_t write_all_bytes(HANDLE file, const void *bytes, size_t size)
{
    for (size_t at = 0; at < size;) {
        const DWORD part = size - at < MOST_AT_ONCE ? (DWORD)(size - at) : MOST_AT_ONCE;
        DWORD written = 0;

        if (!WriteFile(file, (const char *)bytes + at, part, &written, NULL))
            return GetLastError();
        if (written == 0)
            return ERROR_DISK_FULL;
        at += written;
    }
    return ERROR_SUCCESS;
}

/* Write, flush and close. A network disk may report only then that it is full. */
static uint32_t write_and_close(HANDLE file, const void *bytes, size_t size)
{
    uint32_t status = write_all_bytes(file, bytes, size);

    if (status == ERROR_SUCCESS && GetFileType(file) == FILE_TYPE_DISK && !FlushFileBuffers(file))
        status = GetLastError();
    if (!CloseHandle(file) && status == ERROR_SUCCESS)
        status = GetLastError();
    return status;
}

/* ---- Devices ---- */

static bool has_pipe_folder(const wchar_t *path)
{
    const wchar_t *folder = wcschr(path + 2, L'\\'); /* the part of the path after the computer's
                                                        name */

    return folder && _wcsnicmp(folder, L"\\pipe\\", 6) == 0;
}

/*
 * Whether the path names NUL, a pipe and so on, which cannot be replaced. The function does not
 * open the file, because an open would lock out readers that do not share it with writers.
 */
static bool is_device_path(const wchar_t *path)
{
    wchar_t full[DEVICE_CHARS];
    const DWORD length = GetFullPathNameW(path, DEVICE_CHARS, full, NULL);

    if (length == 0 || length >= DEVICE_CHARS || wcsncmp(full, L"\\\\", 2) != 0)
        return false;
    return wcsncmp(full, L"\\\\.\\", 4) == 0 ? full[5] != L':' : has_pipe_folder(full);
}

static uint32_t write_to_device(const wchar_t *path, const void *bytes, size_t size)
{
    HANDLE device = CreateFileW(path, GENERIC_WRITE, FILE_SHARE_READ | FILE_SHARE_WRITE, NULL,
                                OPEN_EXISTING, FILE_ATTRIBUTE_NORMAL, NULL);

    return device == INVALID_HANDLE_VALUE ? GetLastError() : write_and_close(device, bytes, size);
}

/* ---- Replacing ---- */

/* Create a file next to `path`. `temporary`, of `chars` elements, gets its name. */
static uint32_t create_temporary(const wchar_t *path, wchar_t *temporary, size_t chars,
                                 HANDLE *file)
{
    uint32_t status = ERROR_SUCCESS;

    for (int i = 0; i < TEMPORARY_ENDS; i++) {
        _snwprintf(temporary, chars, L"%ls.%08lx.tmp", path,
                   (unsigned long)(prfdata_os_random() & 0xFFFFFFFFu));
        *file =
            CreateFileW(temporary, GENERIC_WRITE, 0, NULL, CREATE_NEW, FILE_ATTRIBUTE_NORMAL, NULL);
        if (*file != INVALID_HANDLE_VALUE)
            return ERROR_SUCCESS;
        status = GetLastError();
        if (status != ERROR_FILE_EXISTS)
            return status;
    }
    return status;
}

/* Whether a program may be holding the file, so that trying again may help. */
static bool is_held(uint32_t status, const wchar_t *path)
{
    const DWORD attributes = GetFileAttributesW(path);

    if (attributes != INVALID_FILE_ATTRIBUTES &&
        (attributes & (FILE_ATTRIBUTE_DIRECTORY | FILE_ATTRIBUTE_READONLY)))
        return false;
    return status == ERROR_SHARING_VIOLATION || status == ERROR_LOCK_VIOLATION ||
           status == ERROR_USER_MAPPED_FILE ||
           status == ERROR_ACCESS_DENIED; /* MoveFileEx returns this if a program holds the file */
}

static uint32_t move_to_place(const wchar_t *temporary, const wchar_t *path, bool overwrite)
{
    uint32_t status = ERROR_SUCCESS;

    if (!MoveFileExW(temporary, path, overwrite ? MOVEFILE_REPLACE_EXISTING : 0))
        status = GetLastError();
    return status == ERROR_ALREADY_EXISTS ? ERROR_FILE_EXISTS : status;
}

/* On failure no file is left. */
static uint32_t write_temporary(const wchar_t *path, wchar_t *temporary, size_t chars,
                                const void *bytes, size_t size)
{
    HANDLE file;
    uint32_t status = create_temporary(path, temporary, chars, &file);

    if (status != ERROR_SUCCESS)
        return status;
    status = write_and_close(file, bytes, size);
    if (status != ERROR_SUCCESS)
        DeleteFileW(temporary);
    return status;
}

static uint32_t move_when_free(const wchar_t *temporary, const wchar_t *path, bool overwrite,
                               prfdata_replace_file_wait *wait, void *context)
{
    uint32_t status;

    do {
        status = move_to_place(temporary, path, overwrite);
    } while (status != ERROR_SUCCESS && is_held(status, path) && wait(context));
    if (status != ERROR_SUCCESS)
        DeleteFileW(temporary);
    return status;
}

uint32_t prfdata_replace_file_with(const prfdata_path_char *path, bool overwrite, const void *bytes,
                                   size_t size, prfdata_replace_file_wait *wait, void *context)
{
    const size_t chars = wcslen(path) + 16;
    wchar_t *temporary;
    uint32_t status;

    if (is_device_path(path))
        return write_to_device(path, bytes, size);
    if (!overwrite && GetFileAttributesW(path) != INVALID_FILE_ATTRIBUTES)
        return ERROR_FILE_EXISTS;
    temporary = malloc(chars * sizeof *temporary);
    if (!temporary)
        return ERROR_NOT_ENOUGH_MEMORY;
    status = write_temporary(path, temporary, chars, bytes, size);
    if (status == ERROR_SUCCESS)
        status = move_when_free(temporary, path, overwrite, wait, context);
    free(temporary);
    return status;
}
