/* SPDX-License-Identifier: MIT */
/*
 * Opens files and folders by ntdll, because only NtCreateFile has an option not to wait for an
 * oplock. NtCreateFile takes only normalised paths of the object manager, so this file makes such
 * paths. Windows only.
 */
#include "windows/file_handle.h"

#include <string.h>
#include <wchar.h>

#include <winternl.h>

/*
 * NtCreateFile returns this success code if another program still holds an oplock on the opened
 * file. Calls with the new handle may wait for that program, so open_once() closes the handle.
 */
#define OPLOCK_IS_BEING_BROKEN ((NTSTATUS)0x00000108L)

/*
 * A deleted file or folder keeps its name until the last program has closed it
 * (learn.microsoft.com, "DeleteFileW function" and "RemoveDirectoryW function"), except if it was
 * deleted with POSIX semantics. RtlNtStatusToDosError() would translate this code to "access
 * denied", so open_once() translates it itself.
 */
#define DELETION_IS_PENDING ((NTSTATUS)0xC0000056L)

/*
 * Windows Search and virus scanners may refuse an open that does not wait. They may also hold an
 * oplock, and release it as soon as they are asked (windows-driver-docs, ifs/irp-mj-create.md). In
 * both cases the installer pauses and opens the file again.
 */
#define PATIENCE_MS 1000
#define PAUSE_MS    20

#define OBJECT_PATH_CHARS (MAX_PATH + 8)

/* Make "\??\C:\a" or "\??\UNC\server\share\a". */
static uint32_t make_object_path(const wchar_t *path, wchar_t *object_path)
{
    wchar_t full[MAX_PATH];
    DWORD length = GetFullPathNameW(path, MAX_PATH, full, NULL);
    const wchar_t *prefix = L"\\??\\";
    const wchar_t *rest = full;

    if (length == 0)
        return GetLastError();
    if (length >= MAX_PATH)
        return ERROR_FILENAME_EXCED_RANGE;
    if (wcsncmp(full, L"\\\\?\\", 4) == 0 || wcsncmp(full, L"\\\\.\\", 4) == 0) {
        rest = full + 4;
    } else if (wcsncmp(full, L"\\\\", 2) == 0) {
        prefix = L"\\??\\UNC\\";
        rest = full + 2;
    }
    wcscpy(object_path, prefix);
    wcscat(object_path, rest);
    return ERROR_SUCCESS;
}

static uint32_t open_once(const wchar_t *path, ACCESS_MASK access, ULONG share, ULONG disposition,
                          ULONG options, HANDLE *handle)
{
    wchar_t object_path[OBJECT_PATH_CHARS];
    UNICODE_STRING name;
    OBJECT_ATTRIBUTES attributes;
    IO_STATUS_BLOCK result;
    HANDLE opened;
    NTSTATUS answer;
    uint32_t status = make_object_path(path, object_path);

    if (status)
        return status;
    name.Buffer = object_path;
    name.Length = (USHORT)(wcslen(object_path) * sizeof object_path[0]);
    name.MaximumLength = name.Length;
    InitializeObjectAttributes(&attributes, &name, OBJ_CASE_INSENSITIVE, NULL, NULL);
    answer = NtCreateFile(&opened, access, &attributes, &result, NULL, FILE_ATTRIBUTE_NORMAL, share,
                          disposition, options | FILE_COMPLETE_IF_OPLOCKED, NULL, 0);
    if (answer == DELETION_IS_PENDING)
        return ERROR_DELETE_PENDING;
    if (answer < 0) {
        status = RtlNtStatusToDosError(answer);
        return status == ERROR_ALREADY_EXISTS ? ERROR_FILE_EXISTS : status;
    }
    if (answer == OPLOCK_IS_BEING_BROKEN) {
        CloseHandle(opened);
        return ERROR_SHARING_VIOLATION;
    }
    *handle = opened;
    return ERROR_SUCCESS;
}

static uint32_t open_to_use(const wchar_t *path, ACCESS_MASK access, ULONG share, ULONG disposition,
                            ULONG options, HANDLE *handle)
{
    return open_once(path, access | FILE_READ_ATTRIBUTES | SYNCHRONIZE, share, disposition,
                     options | FILE_SYNCHRONOUS_IO_NONALERT, handle);
}

static volatile LONG waited_ms;

void prfdata_file_handle_renew_patience(void)
{
    InterlockedExchange(&waited_ms, 0);
}

bool prfdata_file_handle_wait(void)
{
    if (InterlockedExchangeAdd(&waited_ms, PAUSE_MS) >= PATIENCE_MS) {
        InterlockedExchange(&waited_ms, PATIENCE_MS);
        return false;
    }
    Sleep(PAUSE_MS);
    return true;
}

static uint32_t open_patiently(const wchar_t *path, ACCESS_MASK access, ULONG share,
                               ULONG disposition, ULONG options, HANDLE *handle)
{
    uint32_t status;

    do {
        status = open_to_use(path, access, share, disposition, options, handle);
    } while ((status == ERROR_SHARING_VIOLATION || status == ERROR_DELETE_PENDING) &&
             prfdata_file_handle_wait());
    return status;
}

static ULONG options_of(DWORD flags)
{
    ULONG options = 0;

    if (flags & FILE_FLAG_OPEN_REPARSE_POINT)
        options |= FILE_OPEN_REPARSE_POINT;
    if (!(flags & FILE_FLAG_BACKUP_SEMANTICS))
        options |= FILE_NON_DIRECTORY_FILE;
    return options;
}

uint32_t prfdata_file_handle_open(const wchar_t *path, DWORD access, DWORD share, DWORD flags,
                                  HANDLE *handle)
{
    return open_patiently(path, access, share, FILE_OPEN, options_of(flags), handle);
}

uint32_t prfdata_file_handle_try(const wchar_t *path, DWORD access, DWORD share, DWORD flags,
                                 HANDLE *handle)
{
    return open_to_use(path, access, share, FILE_OPEN, options_of(flags), handle);
}

uint32_t prfdata_file_handle_try_delete(const wchar_t *path, HANDLE *handle)
{
    return open_once(path, DELETE, FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE,
                     FILE_OPEN, FILE_OPEN_REPARSE_POINT | FILE_NON_DIRECTORY_FILE, handle);
}

uint32_t prfdata_file_handle_create(const wchar_t *path, HANDLE *handle)
{
    return open_patiently(path, GENERIC_WRITE | DELETE, 0, FILE_CREATE, FILE_NON_DIRECTORY_FILE,
                          handle);
}

uint32_t prfdata_file_handle_remove(HANDLE handle)
{
    FILE_DISPOSITION_INFO disposition = {TRUE};

    return SetFileInformationByHandle(handle, FileDispositionInfo, &disposition, sizeof disposition)
               ? ERROR_SUCCESS
               : GetLastError();
}

/* FILE_DISPOSITION_INFO_EX and its flags. Headers from before Windows 10 1809 lack some of them. */
#define DISPOSITION_INFO_EX   ((FILE_INFO_BY_HANDLE_CLASS)21)
#define DISPOSITION_DELETE    0x1u
#define DISPOSITION_POSIX     0x2u
#define DISPOSITION_READ_ONLY 0x10u

static uint32_t remove_with(HANDLE handle, DWORD flags)
{
    return SetFileInformationByHandle(handle, DISPOSITION_INFO_EX, &flags, sizeof flags)
               ? ERROR_SUCCESS
               : prfdata_file_handle_remove(handle);
}

uint32_t prfdata_file_handle_remove_at_once(HANDLE handle)
{
    return remove_with(handle, DISPOSITION_DELETE | DISPOSITION_POSIX);
}

uint32_t prfdata_file_handle_remove_read_only(HANDLE handle)
{
    return remove_with(handle, DISPOSITION_DELETE | DISPOSITION_READ_ONLY);
}

uint32_t prfdata_file_handle_rename(HANDLE handle, const wchar_t *path, bool replaces)
{
    wchar_t full[MAX_PATH];
    const DWORD length = GetFullPathNameW(path, MAX_PATH, full, NULL);
    union {
        FILE_RENAME_INFO info;
        BYTE bytes[sizeof(FILE_RENAME_INFO) + sizeof full];
    } renaming;

    if (length == 0)
        return GetLastError();
    if (length >= MAX_PATH)
        return ERROR_FILENAME_EXCED_RANGE;
    memset(&renaming, 0, sizeof renaming);
    renaming.info.ReplaceIfExists = replaces;
    renaming.info.FileNameLength = length * (DWORD)sizeof full[0];
    memcpy(renaming.info.FileName, full, (length + 1) * sizeof full[0]);
    return SetFileInformationByHandle(handle, FileRenameInfo, &renaming, sizeof renaming)
               ? ERROR_SUCCESS
               : GetLastError();
}
