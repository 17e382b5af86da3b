/* SPDX-License-Identifier: MIT */
/*
 * Opens folders, and the files in them, safely. Every user may make folders in ProgramData, so a
 * folder with the expected name may be a trap: a link to a place where administrators must not
 * write, or a folder whose owner can change its access list at any time. Therefore no link is
 * followed below the root (prfdata_directory_open_root()). The owner of a folder is checked, and
 * the final path must be the expected one. The checked handle does not share deletion, and stays
 * open until the work is done. Windows only.
 */
#include "windows/directory.h"

#include <sddl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#include "base/wide_format.h"
#include "windows/access_list.h"
#include "windows/file_handle.h"
#include "windows/plain_file.h"
#include "windows/wine.h"

#define MAX_FILE_BYTES (64u * 1024 * 1024)
#define LISTING_BYTES  (64u * 1024) /* room for the entries that the system returns in one call */

/*
 * Without the right to list the folder, Windows would ignore the share mode of the handle, and
 * other programs could rename the folder.
 */
#define OPEN_ACCESS (FILE_LIST_DIRECTORY | FILE_READ_ATTRIBUTES | READ_CONTROL)

static uint32_t check_folder_owner(HANDLE handle)
{
    PSECURITY_DESCRIPTOR security = NULL;
    PSID owner = NULL;
    BOOL defaulted;
    uint32_t status = prfdata_access_list_read(handle, OWNER_SECURITY_INFORMATION, &security);

    if (status)
        return status;
    if (!GetSecurityDescriptorOwner(security, &owner, &defaulted))
        status = GetLastError();
    else if (!owner || !prfdata_access_list_trusts_owner(owner))
        status = ERROR_INVALID_OWNER;
    free(security);
    return status;
}

static uint32_t check_folder_kind(HANDLE handle)
{
    FILE_ATTRIBUTE_TAG_INFO information;

    if (!GetFileInformationByHandleEx(handle, FileAttributeTagInfo, &information,
                                      sizeof information))
        return GetLastError();
    if (!(information.FileAttributes & FILE_ATTRIBUTE_DIRECTORY) ||
        (information.FileAttributes & FILE_ATTRIBUTE_REPARSE_POINT))
        return ERROR_DIRECTORY;
    return ERROR_SUCCESS;
}

uint32_t prfdata_directory_final_path(HANDLE handle, wchar_t *path)
{
    wchar_t text[MAX_PATH + 8];
    DWORD length = GetFinalPathNameByHandleW(handle, text, MAX_PATH + 8, VOLUME_NAME_DOS);

    if (length == 0)
        return GetLastError();
    if (length >= MAX_PATH + 4)
        return ERROR_FILENAME_EXCED_RANGE;
    wcscpy(path, wcsncmp(text, L"\\\\?\\", 4) == 0 ? text + 4 : text);
    return ERROR_SUCCESS;
}

/* Find the final path, which must be on a drive. */
static uint32_t drive_path(HANDLE handle, wchar_t *path)
{
    uint32_t status = prfdata_directory_final_path(handle, path);

    return !status && path[1] != L':' ? ERROR_NOT_SUPPORTED : status;
}

static uint32_t child_path(const prfdata_directory *parent, const wchar_t *name, wchar_t *path)
{
    size_t length = wcslen(parent->path);
    const wchar_t *separator = length > 0 && parent->path[length - 1] == L'\\' ? L"" : L"\\";

    if (prfdata_wide_format(path, MAX_PATH, L"%ls%ls%ls", parent->path, separator, name) < 0)
        return ERROR_FILENAME_EXCED_RANGE;
    return ERROR_SUCCESS;
}

uint32_t prfdata_directory_open_root(prfdata_directory *directory, const wchar_t *path)
{
    prfdata_directory opened = {0};
    uint32_t status =
        prfdata_file_handle_open(path, OPEN_ACCESS, FILE_SHARE_READ | FILE_SHARE_WRITE,
                                 FILE_FLAG_BACKUP_SEMANTICS, &opened.handle);

    if (status)
        return status;
    status = check_folder_kind(opened.handle);
    if (!status)
        status = drive_path(opened.handle, opened.path);
    if (status) {
        CloseHandle(opened.handle);
        return status;
    }
    *directory = opened;
    return ERROR_SUCCESS;
}

uint32_t prfdata_directory_open(prfdata_directory *directory, const prfdata_directory *parent,
                                const wchar_t *name, DWORD access)
{
    prfdata_directory opened = {0};
    wchar_t path[MAX_PATH];
    uint32_t status = child_path(parent, name, path);

    if (status)
        return status;
    status = prfdata_file_handle_open(
        path, OPEN_ACCESS | access, FILE_SHARE_READ | FILE_SHARE_WRITE,
        FILE_FLAG_BACKUP_SEMANTICS | FILE_FLAG_OPEN_REPARSE_POINT, &opened.handle);
    if (status)
        return status;
    status = check_folder_kind(opened.handle);
    if (!status)
        status = drive_path(opened.handle, opened.path);
    /* check_folder_kind() does not notice every link, but the final path of a link differs. */
    if (!status && _wcsicmp(opened.path, path) != 0)
        status = ERROR_DIRECTORY;
    if (!status)
        status = check_folder_owner(opened.handle);
    if (status) {
        CloseHandle(opened.handle);
        return status;
    }
    *directory = opened;
    return ERROR_SUCCESS;
}

static uint32_t remove_folder(const wchar_t *path)
{
    HANDLE folder;
    uint32_t status = prfdata_file_handle_open(
        path, DELETE, FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE,
        FILE_FLAG_BACKUP_SEMANTICS | FILE_FLAG_OPEN_REPARSE_POINT, &folder);

    if (status)
        return status;
    status = check_folder_kind(folder);
    if (!status)
        status = prfdata_file_handle_remove(folder);
    CloseHandle(folder);
    return status;
}

/*
 * Create a folder, unless it exists. As long as another program, such as a scanner, has a removed
 * folder open, the system denies access to the name of that folder, so this function tries again.
 */
static uint32_t make_folder(const wchar_t *path, SECURITY_ATTRIBUTES *attributes, bool *created)
{
    uint32_t status;

    do {
        *created = CreateDirectoryW(path, attributes);
        status = *created ? ERROR_SUCCESS : GetLastError();
    } while (status == ERROR_ACCESS_DENIED && prfdata_file_handle_wait());
    return status == ERROR_ALREADY_EXISTS ? ERROR_SUCCESS : status;
}

uint32_t prfdata_directory_make(prfdata_directory *directory, const prfdata_directory *parent,
                                const wchar_t *name, const wchar_t *sddl)
{
    SECURITY_ATTRIBUTES attributes = {sizeof attributes, NULL, FALSE};
    wchar_t path[MAX_PATH];
    bool created = false;
    uint32_t status = child_path(parent, name, path);

    if (status)
        return status;
    if (!ConvertStringSecurityDescriptorToSecurityDescriptorW(
            sddl, SDDL_REVISION_1, &attributes.lpSecurityDescriptor, NULL))
        return GetLastError();
    status = make_folder(path, &attributes, &created);
    LocalFree(attributes.lpSecurityDescriptor);
    if (status)
        return status;

    status = prfdata_directory_open(directory, parent, name, WRITE_DAC);
    if (!status)
        directory->created = created;
    else if (created)
        remove_folder(path);
    return status;
}

uint32_t prfdata_directory_protect(prfdata_directory *directory, const wchar_t *sddl, bool *changed)
{
    PSECURITY_DESCRIPTOR wanted = NULL;
    PSECURITY_DESCRIPTOR present = NULL;
    uint32_t status;

    *changed = false;
    if (prfdata_wine_is_here()) /* Wine reads another access list than the one that was written */
        return ERROR_SUCCESS;
    if (!ConvertStringSecurityDescriptorToSecurityDescriptorW(sddl, SDDL_REVISION_1, &wanted, NULL))
        return GetLastError();
    status = prfdata_access_list_read(directory->handle, DACL_SECURITY_INFORMATION, &present);
    if (status)
        goto free_wanted;
    if (prfdata_access_list_is_same(present, wanted))
        goto free_present;
    status = prfdata_access_list_write(directory->handle, wanted);
    if (status)
        goto free_present;
    *changed = true;
    if (!directory->old_access) {
        directory->old_access = present;
        present = NULL;
    }
free_present:
    free(present);
free_wanted:
    LocalFree(wanted);
    return status;
}

bool prfdata_directory_undo(prfdata_directory *directory)
{
    bool undone = false;

    if (!directory->handle)
        return false;
    if (directory->created) {
        undone = prfdata_directory_remove(directory) == ERROR_SUCCESS;
        directory->created = false;
    } else if (directory->old_access) {
        undone =
            prfdata_access_list_write(directory->handle, directory->old_access) == ERROR_SUCCESS;
        free(directory->old_access);
        directory->old_access = NULL;
    }
    return undone;
}

/*
 * Closes the handle, and then removes the folder by its path. Ordinary users cannot replace the
 * folder meanwhile, because they have no right to rename or delete it.
 */
uint32_t prfdata_directory_remove(prfdata_directory *directory)
{
    wchar_t path[MAX_PATH];

    wcscpy(path, directory->path);
    prfdata_directory_close(directory);
    return remove_folder(path);
}

void prfdata_directory_close(prfdata_directory *directory)
{
    if (!directory->handle)
        return;
    CloseHandle(directory->handle);
    free(directory->old_access);
    directory->handle = NULL;
    directory->old_access = NULL;
}

uint32_t prfdata_directory_read_file(const prfdata_directory *directory, const wchar_t *name,
                                     void **bytes, size_t *size)
{
    wchar_t path[MAX_PATH];
    uint32_t status = child_path(directory, name, path);

    return status ? status
                  : prfdata_plain_file_read(path, FILE_FLAG_OPEN_REPARSE_POINT, MAX_FILE_BYTES,
                                            bytes, size);
}

/* Make the path that a file has until it is complete. */
static uint32_t incomplete_path(const wchar_t *path, wchar_t *incomplete)
{
    return prfdata_wide_format(incomplete, MAX_PATH, L"%ls.new", path) < 0
               ? ERROR_FILENAME_EXCED_RANGE
               : ERROR_SUCCESS;
}

uint32_t prfdata_directory_write_file(const prfdata_directory *directory, const wchar_t *name,
                                      const void *bytes, size_t size)
{
    wchar_t path[MAX_PATH];
    wchar_t incomplete[MAX_PATH];
    uint32_t status = child_path(directory, name, path);

    if (!status)
        status = incomplete_path(path, incomplete);
    return status ? status : prfdata_plain_file_replace(path, incomplete, bytes, size);
}

uint32_t prfdata_directory_remove_file(const prfdata_directory *directory, const wchar_t *name)
{
    wchar_t path[MAX_PATH];
    wchar_t incomplete[MAX_PATH];
    uint32_t status = child_path(directory, name, path);

    if (status)
        return status;
    if (!incomplete_path(path, incomplete)) /* left by an installer that was killed */
        (void)prfdata_plain_file_remove(incomplete);
    return prfdata_plain_file_remove(path);
}

typedef enum entry_kind { ENTRY_FILE, ENTRY_FOLDER, ENTRY_NONE } entry_kind;

static entry_kind kind_of_entry(const FILE_ID_BOTH_DIR_INFO *entry)
{
    if (!(entry->FileAttributes & FILE_ATTRIBUTE_DIRECTORY))
        return ENTRY_FILE;
    if (entry->FileAttributes & FILE_ATTRIBUTE_REPARSE_POINT)
        return ENTRY_NONE;
    return entry->FileName[0] == L'.' ? ENTRY_NONE : ENTRY_FOLDER; /* also "." and ".." */
}

/* Visit the entries that one call of the system returned. */
static void visit_entries(const BYTE *bytes, entry_kind kind, prfdata_directory_visitor *visit,
                          void *context)
{
    const FILE_ID_BOTH_DIR_INFO *entry;

    do {
        wchar_t name[MAX_PATH] = L"";

        entry = (const void *)bytes;
        if (kind_of_entry(entry) == kind && entry->FileNameLength < sizeof name) {
            memcpy(name, entry->FileName, entry->FileNameLength);
            visit(context, name);
        }
        bytes += entry->NextEntryOffset;
    } while (entry->NextEntryOffset > 0);
}

/* Lists the folder that was checked. FindFirstFileW would open its path again, unchecked. */
static uint32_t visit_kind(const prfdata_directory *directory, entry_kind kind,
                           prfdata_directory_visitor *visit, void *context)
{
    FILE_INFO_BY_HANDLE_CLASS query = FileIdBothDirectoryRestartInfo;
    uint32_t status;
    BYTE *bytes = malloc(LISTING_BYTES);

    if (!bytes)
        return ERROR_NOT_ENOUGH_MEMORY;
    while (GetFileInformationByHandleEx(directory->handle, query, bytes, LISTING_BYTES)) {
        visit_entries(bytes, kind, visit, context);
        query = FileIdBothDirectoryInfo;
    }
    status = GetLastError();
    free(bytes);
    return status == ERROR_NO_MORE_FILES ? ERROR_SUCCESS : status;
}

uint32_t prfdata_directory_visit_files(const prfdata_directory *directory,
                                       prfdata_directory_visitor *visit, void *context)
{
    return visit_kind(directory, ENTRY_FILE, visit, context);
}

uint32_t prfdata_directory_visit_folders(const prfdata_directory *directory,
                                         prfdata_directory_visitor *visit, void *context)
{
    return visit_kind(directory, ENTRY_FOLDER, visit, context);
}
