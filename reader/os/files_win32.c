/* SPDX-License-Identifier: MIT */
/* Reads and writes files with the functions of Windows. */
#include "os/files.h"

#include <stdlib.h>
#include <string.h>

#include <windows.h>

#include "system/replace_file.h"

#define MOST_AT_ONCE 0x100000u /* bytes in a call */

/* Copy the path and add a NUL, for free(); NULL: no memory. */
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

static uint32_t open_win32_file(prfdata_text path, DWORD access, DWORD share, DWORD disposition,
                                HANDLE *file)
{
    wchar_t *name = terminate_path(path);
    uint32_t status = ERROR_SUCCESS;

    if (!name)
        return ERROR_NOT_ENOUGH_MEMORY;
    *file = CreateFileW(name, access, share, NULL, disposition, FILE_ATTRIBUTE_NORMAL, NULL);
    if (*file == INVALID_HANDLE_VALUE)
        status = GetLastError();
    free(name);
    return status;
}

/* Empty or create a file, without CREATE_ALWAYS, which would also reset the attributes and remove
 * alternate streams. The read-only attribute is checked here, because Wine lets root write to a
 * read-only file. */
static uint32_t empty_file(prfdata_text path, const wchar_t *name, HANDLE *file)
{
    const DWORD attributes = GetFileAttributesW(name);
    uint32_t status;

    if (attributes != INVALID_FILE_ATTRIBUTES && (attributes & FILE_ATTRIBUTE_READONLY))
        return ERROR_ACCESS_DENIED;
    status = open_win32_file(path, GENERIC_WRITE, FILE_SHARE_READ, OPEN_ALWAYS, file);
    if (status != ERROR_SUCCESS || SetEndOfFile(*file))
        return status;
    status = GetLastError();
    CloseHandle(*file);
    return status;
}

uint32_t prfdata_files_create(prfdata_text path, bool overwrite, prfdata_stream *file)
{
    HANDLE handle = INVALID_HANDLE_VALUE;
    wchar_t *name = terminate_path(path);
    uint32_t status = ERROR_NOT_ENOUGH_MEMORY;

    if (name && prfdata_replace_file_is_device(name))
        status = open_win32_file(path, GENERIC_WRITE, FILE_SHARE_READ | FILE_SHARE_WRITE,
                                 OPEN_EXISTING, &handle);
    else if (name)
        status = overwrite
                     ? empty_file(path, name, &handle)
                     : open_win32_file(path, GENERIC_WRITE, FILE_SHARE_READ, CREATE_NEW, &handle);
    free(name);
    if (status == ERROR_SUCCESS)
        *file = (intptr_t)handle;
    return status;
}

bool prfdata_files_is_on_disk(prfdata_stream file, prfdata_text path)
{
    (void)path;
    return GetFileType((HANDLE)file) == FILE_TYPE_DISK;
}

/* Does not open a pipe, because the pipe's server would take this program for a client. */
static bool identify_file(prfdata_text path, BY_HANDLE_FILE_INFORMATION *about)
{
    wchar_t *name = terminate_path(path);
    const bool may_open = name && !prfdata_replace_file_is_device(name);
    HANDLE file = INVALID_HANDLE_VALUE;
    bool is_found;

    free(name);
    if (!may_open || open_win32_file(path, FILE_READ_ATTRIBUTES,
                                     FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE,
                                     OPEN_EXISTING, &file) != ERROR_SUCCESS)
        return false;
    is_found = GetFileType(file) == FILE_TYPE_DISK && GetFileInformationByHandle(file, about);
    CloseHandle(file);
    return is_found;
}

bool prfdata_files_are_same(prfdata_text a, prfdata_text b)
{
    BY_HANDLE_FILE_INFORMATION of_a, of_b;

    return identify_file(a, &of_a) && identify_file(b, &of_b) &&
           of_a.dwVolumeSerialNumber == of_b.dwVolumeSerialNumber &&
           of_a.nFileIndexHigh == of_b.nFileIndexHigh && of_a.nFileIndexLow == of_b.nFileIndexLow;
}

uint32_t prfdata_files_close(prfdata_stream stream)
{
    return CloseHandle((HANDLE)stream) ? ERROR_SUCCESS : GetLastError();
}

/* ERROR_BROKEN_PIPE is not a failure. It means that the other end of the pipe is closed and
 * everything was read. */
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

/* Map a file. `bytes` is its size, above 0. */
static uint32_t map_win32_file(HANDLE file, uint64_t bytes, prfdata_files_view *view)
{
    HANDLE section;

    if (bytes > SIZE_MAX / 2)
        return ERROR_NOT_ENOUGH_MEMORY;
    section = CreateFileMappingW(file, NULL, PAGE_READONLY, 0, 0, NULL);
    if (!section)
        return GetLastError();
    view->bytes = MapViewOfFile(section, FILE_MAP_READ, 0, 0, (size_t)bytes);
    CloseHandle(section); /* the view keeps the section open */
    if (!view->bytes)
        return GetLastError();
    view->size = (size_t)bytes;
    view->is_mapped = true;
    return ERROR_SUCCESS;
}

/*
 * Read or map a file. If another program is writing the file, the file can only be opened by a call
 * that shares writing (learn.microsoft.com, "Creating and Opening Files", the table of sharing
 * modes).
 */
uint32_t prfdata_files_view_open(prfdata_text path, size_t limit, bool may_map,
                                 prfdata_files_view *view)
{
    static const DWORD all = FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE;
    LARGE_INTEGER length = {0};
    HANDLE file;
    uint32_t status = open_win32_file(path, GENERIC_READ, all, OPEN_EXISTING, &file);

    memset(view, 0, sizeof *view);
    if (status != ERROR_SUCCESS)
        return status;
    if (GetFileType(file) == FILE_TYPE_DISK && !GetFileSizeEx(file, &length))
        status = GetLastError();
    else if ((uint64_t)length.QuadPart > limit)
        status = may_map ? map_win32_file(file, (uint64_t)length.QuadPart, view) : ERROR_MORE_DATA;
    else
        status = prfdata_files_read_stream((intptr_t)file, (size_t)length.QuadPart, limit,
                                           &view->bytes, &view->size);
    CloseHandle(file);
    return status;
}

void prfdata_files_view_close(prfdata_files_view *view)
{
    if (view->is_mapped)
        UnmapViewOfFile(view->bytes);
    else
        free(view->bytes);
    memset(view, 0, sizeof *view);
}

uint32_t prfdata_files_write(prfdata_text path, bool overwrite, const void *bytes, size_t size)
{
    wchar_t *name = terminate_path(path);
    uint32_t status = ERROR_NOT_ENOUGH_MEMORY;

    if (name)
        status = prfdata_replace_file(name, overwrite, bytes, size);
    free(name);
    return status;
}
