/* SPDX-License-Identifier: MIT */
/*
 * Opens files and folders by ntdll. Only NtCreateFile can say that it does not wait for an oplock.
 * It takes the paths of the object manager, which it does not normalise, so this file makes them.
 * Windows only.
 */
#include "windows/file_handle.h"

#include <stdbool.h>
#include <string.h>
#include <wchar.h>

#include <winternl.h>

/* A success of NtCreateFile: the oplock is being broken, and the next call may wait for that. */
#define OPLOCK_IS_BEING_BROKEN       ((NTSTATUS)0x00000108L)
#define OPLOCK_IS_BEING_BROKEN_ERROR 742u /* winerror.h of mingw lacks it */

/*
 * Search and virus scanners hold oplocks too, and give them up at once when they are asked. For
 * those a program waits, but only so long in its whole life.
 */
#define PATIENCE_MS 2000
#define PAUSE_MS    50

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
    answer =
        NtCreateFile(&opened, access | FILE_READ_ATTRIBUTES | SYNCHRONIZE, &attributes, &result,
                     NULL, FILE_ATTRIBUTE_NORMAL, share, disposition,
                     options | FILE_COMPLETE_IF_OPLOCKED | FILE_SYNCHRONOUS_IO_NONALERT, NULL, 0);
    if (answer < 0) {
        status = RtlNtStatusToDosError(answer);
        return status == ERROR_ALREADY_EXISTS ? ERROR_FILE_EXISTS : status;
    }
    if (answer == OPLOCK_IS_BEING_BROKEN) {
        CloseHandle(opened);
        return OPLOCK_IS_BEING_BROKEN_ERROR;
    }
    *handle = opened;
    return ERROR_SUCCESS;
}

/* Returns false without waiting when the program has waited long enough. */
static bool wait_for_oplock_holder(void)
{
    static volatile LONG waited_ms;

    if (InterlockedExchangeAdd(&waited_ms, PAUSE_MS) >= PATIENCE_MS) {
        InterlockedExchange(&waited_ms, PATIENCE_MS);
        return false;
    }
    Sleep(PAUSE_MS);
    return true;
}

static uint32_t open_without_waiting(const wchar_t *path, ACCESS_MASK access, ULONG share,
                                     ULONG disposition, ULONG options, HANDLE *handle)
{
    uint32_t status;

    do {
        status = open_once(path, access, share, disposition, options, handle);
    } while (status == OPLOCK_IS_BEING_BROKEN_ERROR && wait_for_oplock_holder());
    return status == OPLOCK_IS_BEING_BROKEN_ERROR ? ERROR_SHARING_VIOLATION : status;
}

uint32_t prfdata_file_handle_open(const wchar_t *path, DWORD access, DWORD share, DWORD flags,
                                  HANDLE *handle)
{
    ULONG options = 0;

    if (flags & FILE_FLAG_OPEN_REPARSE_POINT)
        options |= FILE_OPEN_REPARSE_POINT;
    if (!(flags & FILE_FLAG_BACKUP_SEMANTICS))
        options |= FILE_NON_DIRECTORY_FILE;
    return open_without_waiting(path, access, share, FILE_OPEN, options, handle);
}

uint32_t prfdata_file_handle_create(const wchar_t *path, HANDLE *handle)
{
    return open_without_waiting(path, GENERIC_WRITE | DELETE, 0, FILE_CREATE,
                                FILE_NON_DIRECTORY_FILE, handle);
}

uint32_t prfdata_file_handle_remove(HANDLE handle)
{
    FILE_DISPOSITION_INFO disposition = {TRUE};

    return SetFileInformationByHandle(handle, FileDispositionInfo, &disposition, sizeof disposition)
               ? ERROR_SUCCESS
               : GetLastError();
}

uint32_t prfdata_file_handle_rename(HANDLE handle, const wchar_t *path)
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
    renaming.info.FileNameLength = length * (DWORD)sizeof full[0];
    memcpy(renaming.info.FileName, full, (length + 1) * sizeof full[0]);
    return SetFileInformationByHandle(handle, FileRenameInfo, &renaming, sizeof renaming)
               ? ERROR_SUCCESS
               : GetLastError();
}
