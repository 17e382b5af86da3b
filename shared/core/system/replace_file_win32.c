/* SPDX-License-Identifier: MIT */
/*
 * Replaces files with MoveFileExW, after the new file has got owner, access list, attributes and
 * creation time of the old one. replace_file.h says which files are overwritten instead.
 */
#include "system/replace_file.h"

#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#include <windows.h>

#include "system/os.h"

#define MOST_AT_ONCE 0x100000u /* bytes in one call of WriteFile */
#define DEVICE_CHARS 1024

/* How many random names are tried for the new file. A killed program may have left its new file. */
#define TEMPORARY_ENDS 8

/*
 * The content of a file with one of these attributes is stored elsewhere, for instance by OneDrive.
 * A new file cannot get these attributes. Programs should not set OFFLINE, and cannot set the other
 * two ("File Attribute Constants", learn.microsoft.com). Older headers do not name the other two.
 */
#define STORED_ELSEWHERE (FILE_ATTRIBUTE_OFFLINE | 0x00040000u | 0x00400000u)

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

/* Checks flush and close, too, because a full network disk may report the error only then. */
static uint32_t write_and_close(HANDLE file, const void *bytes, size_t size)
{
    uint32_t status = write_all_bytes(file, bytes, size);

    if (status == ERROR_SUCCESS && GetFileType(file) == FILE_TYPE_DISK && !FlushFileBuffers(file))
        status = GetLastError();
    if (!CloseHandle(file) && status == ERROR_SUCCESS)
        status = GetLastError();
    return status;
}

static bool has_pipe_folder(const wchar_t *path)
{
    /* The part of the path after the computer's name. */
    const wchar_t *folder = wcschr(path + 2, L'\\');

    return folder && _wcsnicmp(folder, L"\\pipe\\", 6) == 0;
}

/*
 * Decides by the path instead of opening the file. While the file is open for writing, readers that
 * do not share it with writers cannot open it.
 */
bool prfdata_replace_file_is_device(const prfdata_path_char *path)
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

static bool is_stream_path(const wchar_t *path)
{
    const wchar_t *name = wcsrchr(path, L'\\');
    const wchar_t *slash = wcsrchr(path, L'/');

    if (!name || (slash && slash > name))
        name = slash;
    if (!name)
        name = path[0] && path[1] == L':' ? path + 1 : path; /* after the drive */
    return wcschr(name + (*name == L'\\' || *name == L'/' || *name == L':'), L':') != NULL;
}

static bool has_other_streams(const wchar_t *path)
{
    WIN32_FIND_STREAM_DATA found;
    HANDLE search = FindFirstStreamW(path, FindStreamInfoStandard, &found, 0);
    bool has_others = false;

    if (search == INVALID_HANDLE_VALUE)
        return false; /* this file system has no streams */
    do
        has_others = wcscmp(found.cStreamName, L"::$DATA") != 0;
    while (!has_others && FindNextStreamW(search, &found));
    FindClose(search);
    return has_others;
}

/*
 * Whether the old file is a link, has several names or streams, or is stored in a special way. A
 * new file could not get these properties.
 */
static bool must_keep_place(const wchar_t *path, DWORD attributes)
{
    const DWORD special = FILE_ATTRIBUTE_REPARSE_POINT | FILE_ATTRIBUTE_COMPRESSED |
                          FILE_ATTRIBUTE_ENCRYPTED | FILE_ATTRIBUTE_SPARSE_FILE | STORED_ELSEWHERE;
    BY_HANDLE_FILE_INFORMATION information;
    HANDLE file;
    bool is_known;

    if ((attributes & special) || has_other_streams(path))
        return true;
    file = CreateFileW(path, FILE_READ_ATTRIBUTES,
                       FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE, NULL, OPEN_EXISTING,
                       FILE_FLAG_BACKUP_SEMANTICS, NULL);
    if (file == INVALID_HANDLE_VALUE)
        return false;
    is_known = GetFileInformationByHandle(file, &information);
    CloseHandle(file);
    return is_known && information.nNumberOfLinks > 1;
}

static uint32_t overwrite_content(const wchar_t *path, bool overwrite, const void *bytes,
                                  size_t size)
{
    HANDLE file = CreateFileW(path, GENERIC_WRITE, FILE_SHARE_READ, NULL,
                              overwrite ? OPEN_ALWAYS : CREATE_NEW, FILE_ATTRIBUTE_NORMAL, NULL);
    uint32_t status;

    if (file == INVALID_HANDLE_VALUE)
        return GetLastError();
    status = SetEndOfFile(file) ? ERROR_SUCCESS : GetLastError();
    if (status != ERROR_SUCCESS) {
        CloseHandle(file);
        return status;
    }
    return write_and_close(file, bytes, size);
}

static bool copy_security(const wchar_t *from, const wchar_t *to)
{
    const SECURITY_INFORMATION parts =
        OWNER_SECURITY_INFORMATION | GROUP_SECURITY_INFORMATION | DACL_SECURITY_INFORMATION;
    SECURITY_DESCRIPTOR_CONTROL control;
    PSECURITY_DESCRIPTOR security;
    DWORD size = 0, revision;
    bool is_done;

    (void)GetFileSecurityW(from, parts, NULL, 0, &size);
    security = malloc(size > 0 ? size : 1);
    is_done = security && size > 0 && GetFileSecurityW(from, parts, security, size, &size) &&
              GetSecurityDescriptorControl(security, &control, &revision);
    if (is_done && (control & SE_DACL_AUTO_INHERITED)) /* inherited entries remain inherited */
        is_done = SetSecurityDescriptorControl(security, SE_DACL_AUTO_INHERIT_REQ,
                                               SE_DACL_AUTO_INHERIT_REQ);
    is_done = is_done && SetFileSecurityW(to, parts, security);
    free(security);
    return is_done;
}

static bool copy_properties(const wchar_t *from, const wchar_t *to)
{
    WIN32_FILE_ATTRIBUTE_DATA old;
    HANDLE file;
    bool is_done;

    if (!GetFileAttributesExW(from, GetFileExInfoStandard, &old) || !copy_security(from, to))
        return false;
    file = CreateFileW(to, FILE_WRITE_ATTRIBUTES,
                       FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE, NULL, OPEN_EXISTING,
                       FILE_ATTRIBUTE_NORMAL, NULL);
    if (file == INVALID_HANDLE_VALUE)
        return false;
    is_done = SetFileTime(file, &old.ftCreationTime, NULL, NULL);
    CloseHandle(file);
    return is_done && SetFileAttributesW(to, old.dwFileAttributes | FILE_ATTRIBUTE_ARCHIVE);
}

/* Create a file next to `path`. `temporary`, of `chars` chars, gets the name of the new file. */
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

/* Writes the new file next to the old one. On failure no new file is left. */
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

static uint32_t overwrite_when_free(const wchar_t *path, bool overwrite, const void *bytes,
                                    size_t size, prfdata_replace_file_wait *wait, void *context)
{
    uint32_t status;

    do {
        status = overwrite_content(path, overwrite, bytes, size);
    } while (status != ERROR_SUCCESS && is_held(status, path) && wait(context));
    return status;
}

uint32_t prfdata_replace_file_with(const prfdata_path_char *path, bool overwrite, const void *bytes,
                                   size_t size, prfdata_replace_file_wait *wait, void *context)
{
    const DWORD attributes = GetFileAttributesW(path);
    const bool exists = attributes != INVALID_FILE_ATTRIBUTES;
    const size_t chars = wcslen(path) + 16;
    wchar_t *temporary;
    uint32_t status;

    if (prfdata_replace_file_is_device(path))
        return write_to_device(path, bytes, size);
    if (exists && (!overwrite || (attributes & FILE_ATTRIBUTE_READONLY)))
        return overwrite ? ERROR_ACCESS_DENIED : ERROR_FILE_EXISTS;
    if (is_stream_path(path) || (exists && must_keep_place(path, attributes)))
        return overwrite_when_free(path, overwrite, bytes, size, wait, context);
    temporary = malloc(chars * sizeof *temporary);
    if (!temporary)
        return ERROR_NOT_ENOUGH_MEMORY;
    status = write_temporary(path, temporary, chars, bytes, size);
    if (status == ERROR_SUCCESS && exists && !copy_properties(path, temporary)) {
        DeleteFileW(temporary);
        free(temporary);
        return overwrite_when_free(path, overwrite, bytes, size, wait, context);
    }
    if (status == ERROR_SUCCESS)
        status = move_when_free(temporary, path, overwrite, wait, context);
    free(temporary);
    return status;
}
