/* SPDX-License-Identifier: MIT */
/* Files by CreateFileW. A whole file is written beside the old one and then moved to its place. */
#include "os/files.h"

#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#include <windows.h>

#define MOST_AT_ONCE 0x100000u /* bytes in a call */

/* The path ended by a NUL, for free(); NULL: no memory. */
static wchar_t *terminate_path(prfdata_text path)
{
    wchar_t *copy = malloc((path.count + 1) * sizeof *copy);

    if (!copy)
        return NULL;
    for (size_t i = 0; i < path.count; i++)
        copy[i] = path.chars[i];
    copy[path.count] = 0;
    return copy;
}

/* CreateFile; on ERROR_SUCCESS *file is open. */
static uint32_t open_win32_file(prfdata_text path, DWORD access, DWORD disposition, HANDLE *file)
{
    wchar_t *name = terminate_path(path);
    uint32_t status = ERROR_SUCCESS;

    if (!name)
        return ERROR_NOT_ENOUGH_MEMORY;
    *file =
        CreateFileW(name, access, FILE_SHARE_READ, NULL, disposition, FILE_ATTRIBUTE_NORMAL, NULL);
    if (*file == INVALID_HANDLE_VALUE)
        status = GetLastError();
    free(name);
    return status;
}

uint32_t prfdata_files_create(prfdata_text path, bool overwrite, prfdata_stream *file)
{
    HANDLE handle = INVALID_HANDLE_VALUE;
    uint32_t status =
        open_win32_file(path, GENERIC_WRITE, overwrite ? CREATE_ALWAYS : CREATE_NEW, &handle);

    if (status == ERROR_SUCCESS)
        *file = (intptr_t)handle;
    return status;
}

uint32_t prfdata_files_close(prfdata_stream stream)
{
    return CloseHandle((HANDLE)stream) ? ERROR_SUCCESS : GetLastError();
}

/* A pipe of which the other end is closed has been read to its end. */
uint32_t prfdata_files_read_some(prfdata_stream stream, void *bytes, size_t room, size_t *got)
{
    DWORD count = 0;

    if (!ReadFile((HANDLE)stream, bytes, room < MOST_AT_ONCE ? (DWORD)room : MOST_AT_ONCE, &count,
                  NULL) &&
        GetLastError() != ERROR_BROKEN_PIPE)
        return GetLastError();
    *got = count;
    return ERROR_SUCCESS;
}

uint32_t prfdata_files_read(prfdata_text path, size_t limit, void **bytes, size_t *size)
{
    LARGE_INTEGER length = {0};
    HANDLE file;
    uint32_t status = open_win32_file(path, GENERIC_READ, OPEN_EXISTING, &file);

    if (status != ERROR_SUCCESS)
        return status;
    if (GetFileType(file) == FILE_TYPE_DISK && !GetFileSizeEx(file, &length))
        status = GetLastError();
    else if ((uint64_t)length.QuadPart > limit)
        status = ERROR_MORE_DATA;
    else
        status =
            prfdata_files_read_stream((intptr_t)file, (size_t)length.QuadPart, limit, bytes, size);
    CloseHandle(file);
    return status;
}

static uint32_t write_win32_file(HANDLE file, const void *bytes, size_t size)
{
    uint32_t status = prfdata_streams_write((intptr_t)file, bytes, size);

    if (!CloseHandle(file) && status == ERROR_SUCCESS)
        status = GetLastError();
    return status;
}

static uint32_t write_new_file(const wchar_t *name, const void *bytes, size_t size)
{
    HANDLE file =
        CreateFileW(name, GENERIC_WRITE, 0, NULL, CREATE_NEW, FILE_ATTRIBUTE_NORMAL, NULL);

    return file == INVALID_HANDLE_VALUE ? GetLastError() : write_win32_file(file, bytes, size);
}

/* Open NUL, a pipe and so on, which cannot be replaced. INVALID_HANDLE_VALUE: it is no device. */
static HANDLE open_device(const wchar_t *name)
{
    HANDLE file = CreateFileW(name, GENERIC_WRITE, FILE_SHARE_READ | FILE_SHARE_WRITE, NULL,
                              OPEN_EXISTING, FILE_ATTRIBUTE_NORMAL, NULL);

    if (file != INVALID_HANDLE_VALUE && GetFileType(file) == FILE_TYPE_DISK) {
        CloseHandle(file);
        file = INVALID_HANDLE_VALUE;
    }
    return file;
}

/* Write another file and move it: `name` is the old file or the new one, never a part. */
static uint32_t replace_win32_file(const wchar_t *name, const void *bytes, size_t size)
{
    const size_t capacity = wcslen(name) + 32;
    wchar_t *temporary = malloc(capacity * sizeof *temporary);
    uint32_t status;

    if (!temporary)
        return ERROR_NOT_ENOUGH_MEMORY;
    swprintf(temporary, capacity, L"%ls.%lu.tmp", name, GetCurrentProcessId());
    status = write_new_file(temporary, bytes, size);
    if (status == ERROR_SUCCESS && !MoveFileExW(temporary, name, MOVEFILE_REPLACE_EXISTING))
        status = GetLastError();
    if (status != ERROR_SUCCESS && status != ERROR_FILE_EXISTS)
        DeleteFileW(temporary);
    free(temporary);
    return status;
}

static uint32_t write_whole_file(const wchar_t *name, bool overwrite, const void *bytes,
                                 size_t size)
{
    /* An empty file reserves the name until it is replaced. */
    uint32_t status = write_new_file(name, "", 0);

    if (status == ERROR_SUCCESS) {
        status = replace_win32_file(name, bytes, size);
        if (status != ERROR_SUCCESS)
            DeleteFileW(name);
    } else if (status == ERROR_FILE_EXISTS && overwrite) {
        status = replace_win32_file(name, bytes, size);
    }
    return status;
}

uint32_t prfdata_files_write(prfdata_text path, bool overwrite, const void *bytes, size_t size)
{
    wchar_t *name = terminate_path(path);
    HANDLE device;
    uint32_t status;

    if (!name)
        return ERROR_NOT_ENOUGH_MEMORY;
    device = overwrite ? open_device(name) : INVALID_HANDLE_VALUE;
    if (device != INVALID_HANDLE_VALUE)
        status = write_win32_file(device, bytes, size);
    else
        status = write_whole_file(name, overwrite, bytes, size);
    free(name);
    return status;
}
