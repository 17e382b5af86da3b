/* SPDX-License-Identifier: MIT */
/* Reads, writes and removes whole files. Windows only. */
#include "windows/plain_file.h"

#include <stdbool.h>
#include <stdlib.h>

#include "windows/file_handle.h"

static uint32_t read_handle(HANDLE file, uint32_t max_bytes, void **bytes, size_t *size)
{
    LARGE_INTEGER length;
    DWORD done;
    void *memory;

    if (!GetFileSizeEx(file, &length))
        return GetLastError();
    if (length.QuadPart > max_bytes)
        return ERROR_FILE_TOO_LARGE;
    memory = malloc(length.QuadPart ? (size_t)length.QuadPart : 1);
    if (!memory)
        return ERROR_NOT_ENOUGH_MEMORY;
    if (!ReadFile(file, memory, (DWORD)length.QuadPart, &done, NULL)) {
        uint32_t status = GetLastError();

        free(memory);
        return status;
    }
    *bytes = memory;
    *size = done;
    return ERROR_SUCCESS;
}

uint32_t prfdata_plain_file_read(const wchar_t *path, DWORD flags, uint32_t max_bytes, void **bytes,
                                 size_t *size)
{
    HANDLE file;
    uint32_t status = prfdata_file_handle_open(path, GENERIC_READ,
                                               FILE_SHARE_READ | FILE_SHARE_DELETE, flags, &file);

    if (status)
        return status;
    status = read_handle(file, max_bytes, bytes, size);
    CloseHandle(file);
    return status;
}

static uint32_t create_anew(const wchar_t *path, HANDLE *file)
{
    const uint32_t status = prfdata_plain_file_remove(path);

    if (status && status != ERROR_FILE_NOT_FOUND)
        return status;
    return prfdata_file_handle_create(path, file);
}

static uint32_t write_handle(HANDLE file, const void *bytes, size_t size)
{
    DWORD done;

    if (!WriteFile(file, bytes, (DWORD)size, &done, NULL))
        return GetLastError();
    if (done != size)
        return ERROR_DISK_FULL;
    return FlushFileBuffers(file) ? ERROR_SUCCESS : GetLastError();
}

/* Clears the attribute read-only, which files from some media or a source control have. */
static void make_removable(HANDLE file)
{
    FILE_BASIC_INFO basic = {.FileAttributes =
                                 FILE_ATTRIBUTE_NORMAL}; /* times of 0 stay unchanged */

    (void)SetFileInformationByHandle(file, FileBasicInfo, &basic, sizeof basic);
}

static bool is_read_only(const wchar_t *path)
{
    const DWORD attributes = GetFileAttributesW(path);

    return attributes != INVALID_FILE_ATTRIBUTES && (attributes & FILE_ATTRIBUTE_READONLY);
}

/* Returns ERROR_ACCESS_DENIED if the file is not read-only. */
static uint32_t clear_read_only(const wchar_t *path)
{
    HANDLE file;
    uint32_t status;

    if (!is_read_only(path))
        return ERROR_ACCESS_DENIED;
    status = prfdata_file_handle_open(path, FILE_WRITE_ATTRIBUTES,
                                      FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE,
                                      FILE_FLAG_OPEN_REPARSE_POINT, &file);
    if (status)
        return status;
    make_removable(file);
    CloseHandle(file);
    return ERROR_SUCCESS;
}

/*
 * Returns whether a file could not be replaced because another program has it open. `status` is the
 * result of the replacement. The file system refuses a replacement even if that program shares
 * everything (windows-driver-samples, filesys/fastfat/fileinfo.c, FatSetRenameInfo). A file with
 * unreadable attributes also counts as open, because it may have been deleted while it was open.
 */
static bool is_held(uint32_t status, const wchar_t *path)
{
    const DWORD attributes = GetFileAttributesW(path);

    return (status == ERROR_ACCESS_DENIED || status == ERROR_SHARING_VIOLATION) &&
           (attributes == INVALID_FILE_ATTRIBUTES ||
            !(attributes & (FILE_ATTRIBUTE_DIRECTORY | FILE_ATTRIBUTE_READONLY)));
}

/*
 * Renames the file as soon as other programs have closed the file that it replaces. If that file is
 * read-only, NTFS and FAT return different errors, so the function checks for both.
 */
static uint32_t rename_when_free(HANDLE file, const wchar_t *path)
{
    uint32_t status = prfdata_file_handle_rename(file, path, true);

    if ((status == ERROR_ACCESS_DENIED || status == ERROR_ALREADY_EXISTS) &&
        clear_read_only(path) == ERROR_SUCCESS)
        status = prfdata_file_handle_rename(file, path, true);
    while (is_held(status, path) && prfdata_file_handle_wait())
        status = prfdata_file_handle_rename(file, path, true);
    return status;
}

uint32_t prfdata_plain_file_replace(const wchar_t *path, const wchar_t *incomplete,
                                    const void *bytes, size_t size)
{
    HANDLE file;
    uint32_t status = create_anew(incomplete, &file);

    if (status)
        return status;
    status = write_handle(file, bytes, size);
    if (!status)
        status = rename_when_free(file, path);
    if (status)
        (void)prfdata_file_handle_remove(file);
    CloseHandle(file);
    return status;
}

static uint32_t remove_once(const wchar_t *path, bool clears_read_only)
{
    HANDLE file;
    /* Without FILE_FLAG_BACKUP_SEMANTICS a folder of this name is refused. */
    uint32_t status =
        prfdata_file_handle_open(path, clears_read_only ? DELETE | FILE_WRITE_ATTRIBUTES : DELETE,
                                 FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE,
                                 FILE_FLAG_OPEN_REPARSE_POINT, &file);

    if (status)
        return status;
    if (clears_read_only)
        make_removable(file);
    status = prfdata_file_handle_remove_at_once(file);
    CloseHandle(file);
    return status;
}

uint32_t prfdata_plain_file_remove(const wchar_t *path)
{
    const uint32_t status = remove_once(path, false);

    return status == ERROR_ACCESS_DENIED && is_read_only(path) ? remove_once(path, true) : status;
}
