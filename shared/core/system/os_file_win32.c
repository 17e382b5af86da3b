/* SPDX-License-Identifier: MIT */
/*
 * Opens files on Windows with NtCreateFile of ntdll, because CreateFileW can neither open a file
 * relative to a folder, nor avoid waiting for an oplock.
 */
#include "system/os_win32.h"

#include <string.h>
#include <wchar.h>

#include "system/os_name.h"

#define STATUS_OPLOCK_BREAK_IN_PROGRESS_ ((NTSTATUS)0x00000108L)
#define STATUS_DELETE_PENDING_           ((NTSTATUS)0xC0000056L)
#define STATUS_FILE_IS_A_DIRECTORY_      ((NTSTATUS)0xC00000BAL)
#define STATUS_NOT_A_DIRECTORY_          ((NTSTATUS)0xC0000103L)

/*
 * Older headers lack these attributes. The content of a file with one of them is stored elsewhere,
 * and the system fetches the content when the file is opened or read.
 */
#define RECALL_ON_OPEN        0x00040000u
#define RECALL_ON_DATA_ACCESS 0x00400000u

/*
 * Opens without following links, and without waiting for oplocks, because an attacker's oplock
 * would hang every reader. Virus scanners must not delay such an open either, so they may refuse it
 * with a sharing violation (windows-driver-docs, "IRP_MJ_CREATE (FS and filter drivers)").
 */
#define OPEN_PLAINLY                                                                               \
    (FILE_OPEN_REPARSE_POINT | FILE_COMPLETE_IF_OPLOCKED | FILE_SYNCHRONOUS_IO_NONALERT)

uint32_t prfdata_os_file_status(NTSTATUS status)
{
    uint32_t error;

    switch (status) {
    case STATUS_DELETE_PENDING_: /* treated as deleted */
        return ERROR_FILE_NOT_FOUND;
    case STATUS_FILE_IS_A_DIRECTORY_:
    case STATUS_NOT_A_DIRECTORY_:
        return ERROR_INVALID_DATA;
    default:
        break;
    }
    error = RtlNtStatusToDosError(status);
    if (error == ERROR_PATH_NOT_FOUND)
        return ERROR_FILE_NOT_FOUND;
    return error == ERROR_ALREADY_EXISTS ? ERROR_FILE_EXISTS : error;
}

uint32_t prfdata_os_file_open(HANDLE folder, wchar_t *name, const prfdata_os_opening *how,
                              HANDLE *file)
{
    UNICODE_STRING text;
    OBJECT_ATTRIBUTES attributes;
    IO_STATUS_BLOCK result;
    HANDLE opened;
    NTSTATUS status;

    text.Buffer = name;
    text.Length = (USHORT)(wcslen(name) * sizeof(wchar_t));
    text.MaximumLength = text.Length;
    InitializeObjectAttributes(&attributes, &text, OBJ_CASE_INSENSITIVE, folder, NULL);
    status = NtCreateFile(&opened, how->access | SYNCHRONIZE, &attributes, &result, NULL,
                          FILE_ATTRIBUTE_NORMAL, how->share, how->disposition,
                          how->options | OPEN_PLAINLY, NULL, 0);
    if (status < 0)
        return prfdata_os_file_status(status);
    /* The file is open, but reading it could wait until another program gives up its oplock. */
    if (status == STATUS_OPLOCK_BREAK_IN_PROGRESS_) {
        CloseHandle(opened);
        return ERROR_SHARING_VIOLATION;
    }
    *file = opened;
    return ERROR_SUCCESS;
}

uint32_t prfdata_os_file_open_region(prfdata_os_directory *directory, const prfdata_os_name *name,
                                     const prfdata_os_opening *how, HANDLE *file)
{
    wchar_t wide[PRFDATA_OS_NAME_BYTES] = L"";

    if (!prfdata_os_name_is_valid(name) ||
        !prfdata_os_append_to_path(wide, PRFDATA_OS_NAME_BYTES, name->text))
        return ERROR_INVALID_PARAMETER;
    return prfdata_os_file_open(directory->file, wide, how, file);
}

void prfdata_os_file_account(HANDLE file, prfdata_os_account *account)
{
    union {
        SECURITY_DESCRIPTOR_RELATIVE descriptor;
        unsigned char bytes[sizeof(SECURITY_DESCRIPTOR) + SECURITY_MAX_SID_SIZE];
    } buffer;
    PSID owner = NULL;
    BOOL defaulted;
    DWORD size;

    memset(account, 0, sizeof *account);
    if (GetKernelObjectSecurity(file, OWNER_SECURITY_INFORMATION, &buffer, sizeof(buffer), &size) &&
        GetSecurityDescriptorOwner(&buffer, &owner, &defaulted) && owner)
        (void)CopySid(sizeof account->bytes, account->bytes, owner);
}

uint32_t prfdata_os_file_attributes(HANDLE file, DWORD *attributes)
{
    FILE_BASIC_INFO about;

    if (!GetFileInformationByHandleEx(file, FileBasicInfo, &about, sizeof(about)))
        return GetLastError();
    *attributes = about.FileAttributes;
    return ERROR_SUCCESS;
}

uint32_t prfdata_os_file_check_plain(HANDLE file, uint64_t *size)
{
    static const DWORD strange = FILE_ATTRIBUTE_DIRECTORY | FILE_ATTRIBUTE_DEVICE |
                                 FILE_ATTRIBUTE_REPARSE_POINT | FILE_ATTRIBUTE_SPARSE_FILE |
                                 FILE_ATTRIBUTE_COMPRESSED | FILE_ATTRIBUTE_ENCRYPTED |
                                 FILE_ATTRIBUTE_OFFLINE | RECALL_ON_OPEN | RECALL_ON_DATA_ACCESS;
    LARGE_INTEGER bytes;
    DWORD attributes = 0;
    uint32_t status = prfdata_os_file_attributes(file, &attributes);

    if (status != ERROR_SUCCESS)
        return status;
    if (attributes & strange)
        return ERROR_INVALID_DATA;
    if (!GetFileSizeEx(file, &bytes))
        return GetLastError();
    *size = (uint64_t)bytes.QuadPart;
    return ERROR_SUCCESS;
}
