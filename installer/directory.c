/* SPDX-License-Identifier: MIT */
/*
 * Windows only. ProgramData lets everybody make folders in it, so whatever carries our name there
 * may be somebody's trap: a link to a place where administrators must not write, or a folder whose
 * owner changes its access list at will. Therefore: no link is followed, the owner is asked, the
 * final path must be the expected one, and the handle that was asked stays open without sharing
 * deletion until the work is done.
 *
 * What each entry of the access lists is for: REGION.md, "Access"; a test compares. Masks: 0x1200A9
 * lists, traverses and reads; 0x1200AB adds files too; 0x120089 reads a file; 0x13019F reads,
 * writes and deletes it.
 */
#include "installer/directory.h"

#include <sddl.h>
#include <shlobj.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#include "installer/wine.h"

#define MAX_FILE_BYTES (16u * 1024 * 1024)
#define MAX_WRITERS    16

/* What a listing needs, and what makes the share mode count. */
#define OPEN_ACCESS (FILE_LIST_DIRECTORY | FILE_READ_ATTRIBUTES | READ_CONTROL)

#define SID_SERVICES L"S-1-5-6"
#define SID_USERS    L"S-1-5-32-545"

/* Owner, group, and the beginning of both access lists. */
#define SDDL_HEAD L"O:BAG:BAD:P(A;OICI;FA;;;SY)(A;OICI;FA;;;BA)"

const wchar_t *prfdata_directory_data_sddl(void)
{
    /* Reading is for everybody: status needs no elevation. */
    return SDDL_HEAD L"(A;OICI;0x1200a9;;;AU)";
}

/* Writers, one entry each, stand between these two. */
#define SDDL_REGIONS_TAIL                                                                          \
    L"(A;;0x1200a9;;;AU)(A;OIIO;0x120089;;;AU)(A;OIIO;0x13019f;;;CO)(A;OIIO;0x13019f;;;S-1-3-4)"

/* Append the entry of one writer. */
static bool append_writer(wchar_t *sddl, const wchar_t *sid)
{
    size_t used = wcslen(sddl);

    return swprintf(sddl + used, PRFDATA_DIRECTORY_SDDL_CHARS - used, L"(A;;0x1200ab;;;%ls)", sid) >
           0;
}

/* A SID in its S-1-... spelling: the two-letter aliases of SDDL are not for people. */
static bool is_sid(const wchar_t *text)
{
    PSID sid = NULL;

    if (_wcsnicmp(text, L"S-1-", 4) != 0 || !ConvertStringSidToSidW(text, &sid))
        return false;
    LocalFree(sid);
    return true;
}

static bool append_named_writer(wchar_t *sddl, const wchar_t *name)
{
    if (_wcsicmp(name, L"Services") == 0)
        return append_writer(sddl, SID_SERVICES);
    if (_wcsicmp(name, L"Users") == 0)
        return append_writer(sddl, SID_SERVICES) && append_writer(sddl, SID_USERS);
    return is_sid(name) && append_writer(sddl, name);
}

/* Take the next name off a list with commas; blanks around it do not count. */
static const wchar_t *take_name(const wchar_t *list, wchar_t *name, size_t capacity)
{
    size_t length;

    while (*list == L' ')
        list++;
    length = wcscspn(list, L",");
    name[0] = 0;
    if (length < capacity) {
        wmemcpy(name, list, length);
        name[length] = 0;
        while (length > 0 && name[length - 1] == L' ')
            name[--length] = 0;
    }
    list += wcscspn(list, L",");
    return *list ? list + 1 : NULL;
}

uint32_t prfdata_directory_regions_sddl(const wchar_t *writers, wchar_t *sddl)
{
    const wchar_t *list = writers ? writers : L"Services";
    wchar_t text[PRFDATA_DIRECTORY_SDDL_CHARS] = SDDL_HEAD;

    for (int i = 0; list; i++) {
        wchar_t name[192]; /* the longest SID has 15 numbers of ten digits */

        list = take_name(list, name, sizeof name / sizeof name[0]);
        if (i == MAX_WRITERS || !append_named_writer(text, name))
            return ERROR_INVALID_PARAMETER;
    }
    if (swprintf(sddl, PRFDATA_DIRECTORY_SDDL_CHARS, L"%ls%ls", text, SDDL_REGIONS_TAIL) < 0)
        return ERROR_INVALID_PARAMETER;
    return ERROR_SUCCESS;
}

uint32_t prfdata_directory_program_data(wchar_t *path)
{
    wchar_t *folder = NULL;
    HRESULT result = SHGetKnownFolderPath(&FOLDERID_ProgramData, 0, NULL, &folder);
    uint32_t status = ERROR_SUCCESS;

    if (FAILED(result))
        return ERROR_PATH_NOT_FOUND;
    if (wcslen(folder) < MAX_PATH)
        wcscpy(path, folder);
    else
        status = ERROR_FILENAME_EXCED_RANGE;
    CoTaskMemFree(folder);
    return status;
}

/* ---- Checks ---- */

/* Under Wine every folder belongs to the one user there is. */
static bool is_this_user(PSID owner)
{
    union {
        TOKEN_USER user;
        BYTE bytes[256];
    } information;
    DWORD size;
    HANDLE token;
    bool same = false;

    if (!OpenProcessToken(GetCurrentProcess(), TOKEN_QUERY, &token))
        return false;
    if (GetTokenInformation(token, TokenUser, &information, sizeof information, &size))
        same = EqualSid(owner, information.user.User.Sid);
    CloseHandle(token);
    return same;
}

bool prfdata_directory_trusts_owner(PSID owner)
{
    return IsWellKnownSid(owner, WinBuiltinAdministratorsSid) ||
           IsWellKnownSid(owner, WinLocalSystemSid) ||
           (prfdata_wine_is_here() && is_this_user(owner));
}

static uint32_t check_owner(HANDLE handle)
{
    union {
        SECURITY_DESCRIPTOR descriptor;
        BYTE bytes[1024];
    } security;
    DWORD size;
    BOOL defaulted;
    PSID owner = NULL;

    if (!GetKernelObjectSecurity(handle, OWNER_SECURITY_INFORMATION, &security, sizeof security,
                                 &size) ||
        !GetSecurityDescriptorOwner(&security, &owner, &defaulted))
        return GetLastError();
    if (!owner || !prfdata_directory_trusts_owner(owner))
        return ERROR_INVALID_OWNER;
    return ERROR_SUCCESS;
}

static uint32_t check_kind(HANDLE handle)
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

/* "\\?\C:\folder" becomes "C:\folder"; other places than drives are not for us. */
static uint32_t final_path(HANDLE handle, wchar_t *path)
{
    wchar_t text[MAX_PATH + 8];
    DWORD length = GetFinalPathNameByHandleW(handle, text, MAX_PATH + 8, VOLUME_NAME_DOS);

    if (length == 0)
        return GetLastError();
    if (length >= MAX_PATH + 4)
        return ERROR_FILENAME_EXCED_RANGE;
    if (wcsncmp(text, L"\\\\?\\", 4) != 0 || text[5] != L':')
        return ERROR_NOT_SUPPORTED;
    wcscpy(path, text + 4);
    return ERROR_SUCCESS;
}

static uint32_t child_path(const prfdata_directory *parent, const wchar_t *name, wchar_t *path)
{
    size_t length = wcslen(parent->path);
    const wchar_t *separator = length > 0 && parent->path[length - 1] == L'\\' ? L"" : L"\\";

    if (swprintf(path, MAX_PATH, L"%ls%ls%ls", parent->path, separator, name) < 0)
        return ERROR_FILENAME_EXCED_RANGE;
    return ERROR_SUCCESS;
}

/* ---- Folders ---- */

uint32_t prfdata_directory_open_root(prfdata_directory *directory, const wchar_t *path)
{
    prfdata_directory opened = {0};
    uint32_t status;
    HANDLE handle = CreateFileW(path, OPEN_ACCESS, FILE_SHARE_READ | FILE_SHARE_WRITE, NULL,
                                OPEN_EXISTING, FILE_FLAG_BACKUP_SEMANTICS, NULL);

    if (handle == INVALID_HANDLE_VALUE)
        return GetLastError();
    opened.handle = handle;
    status = check_kind(handle);
    if (!status)
        status = final_path(handle, opened.path);
    if (status) {
        CloseHandle(handle);
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
    opened.handle =
        CreateFileW(path, OPEN_ACCESS | access, FILE_SHARE_READ | FILE_SHARE_WRITE, NULL,
                    OPEN_EXISTING, FILE_FLAG_BACKUP_SEMANTICS | FILE_FLAG_OPEN_REPARSE_POINT, NULL);
    if (opened.handle == INVALID_HANDLE_VALUE)
        return GetLastError();
    status = check_kind(opened.handle);
    if (!status)
        status = final_path(opened.handle, opened.path);
    /* Where the link cannot be seen, its goal can. */
    if (!status && _wcsicmp(opened.path, path) != 0)
        status = ERROR_DIRECTORY;
    if (!status)
        status = check_owner(opened.handle);
    if (status) {
        CloseHandle(opened.handle);
        return status;
    }
    *directory = opened;
    return ERROR_SUCCESS;
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
    if (CreateDirectoryW(path, &attributes))
        created = true;
    else if (GetLastError() != ERROR_ALREADY_EXISTS)
        status = GetLastError();
    LocalFree(attributes.lpSecurityDescriptor);
    if (status)
        return status;

    status = prfdata_directory_open(directory, parent, name, WRITE_DAC);
    if (!status)
        directory->created = created;
    else if (created)
        RemoveDirectoryW(path);
    return status;
}

/* ---- Access lists ---- */

static bool same_list(PSECURITY_DESCRIPTOR a, PSECURITY_DESCRIPTOR b)
{
    SECURITY_DESCRIPTOR_CONTROL control[2];
    DWORD revision;
    BOOL present, defaulted;
    PACL list[2] = {NULL, NULL};

    if (!GetSecurityDescriptorControl(a, &control[0], &revision) ||
        !GetSecurityDescriptorControl(b, &control[1], &revision) ||
        ((control[0] ^ control[1]) & SE_DACL_PROTECTED))
        return false;
    if (!GetSecurityDescriptorDacl(a, &present, &list[0], &defaulted) ||
        !GetSecurityDescriptorDacl(b, &present, &list[1], &defaulted) || !list[0] || !list[1] ||
        list[0]->AceCount != list[1]->AceCount)
        return false;
    for (DWORD i = 0; i < list[0]->AceCount; i++) {
        void *entry[2];
        WORD size;

        if (!GetAce(list[0], i, &entry[0]) || !GetAce(list[1], i, &entry[1]))
            return false;
        size = ((const ACE_HEADER *)entry[0])->AceSize;
        if (size != ((const ACE_HEADER *)entry[1])->AceSize ||
            memcmp(entry[0], entry[1], size) != 0)
            return false;
    }
    return true;
}

static PSECURITY_DESCRIPTOR read_access(HANDLE handle)
{
    DWORD size = 0;
    PSECURITY_DESCRIPTOR access;

    GetKernelObjectSecurity(handle, DACL_SECURITY_INFORMATION, NULL, 0, &size);
    access = malloc(size ? size : 1);
    if (access &&
        !GetKernelObjectSecurity(handle, DACL_SECURITY_INFORMATION, access, size, &size)) {
        free(access);
        access = NULL;
    }
    return access;
}

/* Of the folder alone: SetNamedSecurityInfo would walk over files that others made. */
static bool write_access(HANDLE handle, PSECURITY_DESCRIPTOR access)
{
    SECURITY_DESCRIPTOR_CONTROL control = 0;
    DWORD revision;

    GetSecurityDescriptorControl(access, &control, &revision);
    return SetKernelObjectSecurity(handle,
                                   DACL_SECURITY_INFORMATION |
                                       ((control & SE_DACL_PROTECTED) != 0
                                            ? PROTECTED_DACL_SECURITY_INFORMATION
                                            : UNPROTECTED_DACL_SECURITY_INFORMATION),
                                   access) != 0;
}

uint32_t prfdata_directory_protect(prfdata_directory *directory, const wchar_t *sddl, bool *changed)
{
    PSECURITY_DESCRIPTOR wanted = NULL;
    PSECURITY_DESCRIPTOR present;
    uint32_t status = ERROR_SUCCESS;

    *changed = false;
    if (prfdata_wine_is_here()) /* reads back something else than what was written */
        return ERROR_SUCCESS;
    if (!ConvertStringSecurityDescriptorToSecurityDescriptorW(sddl, SDDL_REVISION_1, &wanted, NULL))
        return GetLastError();
    present = read_access(directory->handle);
    if (!present) {
        status = ERROR_INVALID_ACL;
        goto free_wanted;
    }
    if (same_list(present, wanted))
        goto free_present;
    if (!write_access(directory->handle, wanted)) {
        status = GetLastError();
        goto free_present;
    }
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
        undone = write_access(directory->handle, directory->old_access);
        free(directory->old_access);
        directory->old_access = NULL;
    }
    return undone;
}

/* The parent lets nobody but administrators put something else in its place meanwhile. */
uint32_t prfdata_directory_remove(prfdata_directory *directory)
{
    wchar_t path[MAX_PATH];

    wcscpy(path, directory->path);
    prfdata_directory_close(directory);
    return RemoveDirectoryW(path) ? ERROR_SUCCESS : GetLastError();
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

/* ---- Who writes ---- */

static void append_text(wchar_t *text, size_t capacity, const wchar_t *more)
{
    size_t used = wcslen(text);

    if (used + wcslen(more) < capacity)
        wcscpy(text + used, more);
}

static void append_account(wchar_t *text, size_t capacity, PSID sid)
{
    static const struct {
        const wchar_t *sid;
        const wchar_t *name;
    } known[] = {{L"S-1-5-18", L"SYSTEM"},
                 {L"S-1-5-32-544", L"Administrators"},
                 {SID_SERVICES, L"Services"},
                 {SID_USERS, L"Users"}};
    wchar_t *spelling = NULL;
    const wchar_t *name;

    if (!ConvertSidToStringSidW(sid, &spelling))
        return;
    name = spelling;
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        if (wcscmp(spelling, known[i].sid) == 0)
            name = known[i].name;
    }
    if (text[0])
        append_text(text, capacity, L", ");
    append_text(text, capacity, name);
    LocalFree(spelling);
}

void prfdata_directory_list_writers(const prfdata_directory *directory, wchar_t *text,
                                    size_t capacity)
{
    PSECURITY_DESCRIPTOR access = read_access(directory->handle);
    PACL list = NULL;
    BOOL present, defaulted;

    text[0] = 0;
    if (access && GetSecurityDescriptorDacl(access, &present, &list, &defaulted) && list) {
        for (DWORD i = 0; i < list->AceCount; i++) {
            void *entry;
            ACCESS_ALLOWED_ACE *allowed;

            if (!GetAce(list, i, &entry))
                continue;
            allowed = entry;
            if (allowed->Header.AceType == ACCESS_ALLOWED_ACE_TYPE &&
                !(allowed->Header.AceFlags & INHERIT_ONLY_ACE) && (allowed->Mask & FILE_ADD_FILE))
                append_account(text, capacity, &allowed->SidStart);
        }
    }
    free(access);
}

/* ---- Files ---- */

uint32_t prfdata_directory_read_file(const prfdata_directory *directory, const wchar_t *name,
                                     void **bytes, size_t *size)
{
    wchar_t path[MAX_PATH];
    LARGE_INTEGER length;
    DWORD done;
    HANDLE file;
    void *memory = NULL;
    uint32_t status = child_path(directory, name, path);

    if (status)
        return status;
    file = CreateFileW(path, GENERIC_READ, FILE_SHARE_READ | FILE_SHARE_DELETE, NULL, OPEN_EXISTING,
                       FILE_FLAG_OPEN_REPARSE_POINT, NULL);
    if (file == INVALID_HANDLE_VALUE)
        return GetLastError();
    if (!GetFileSizeEx(file, &length)) {
        status = GetLastError();
        goto close_file;
    }
    if (length.QuadPart > MAX_FILE_BYTES) {
        status = ERROR_FILE_TOO_LARGE;
        goto close_file;
    }
    memory = malloc(length.QuadPart ? (size_t)length.QuadPart : 1);
    if (!memory) {
        status = ERROR_NOT_ENOUGH_MEMORY;
        goto close_file;
    }
    if (!ReadFile(file, memory, (DWORD)length.QuadPart, &done, NULL)) {
        status = GetLastError();
        free(memory);
        goto close_file;
    }
    *bytes = memory;
    *size = done;
close_file:
    CloseHandle(file);
    return status;
}

uint32_t prfdata_directory_remove_file(const prfdata_directory *directory, const wchar_t *name)
{
    FILE_DISPOSITION_INFO disposition = {TRUE};
    wchar_t path[MAX_PATH];
    uint32_t status = child_path(directory, name, path);
    HANDLE file;

    if (status)
        return status;
    /* Without FILE_FLAG_BACKUP_SEMANTICS a folder of this name is refused. */
    file = CreateFileW(path, DELETE | FILE_READ_ATTRIBUTES,
                       FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE, NULL, OPEN_EXISTING,
                       FILE_FLAG_OPEN_REPARSE_POINT, NULL);
    if (file == INVALID_HANDLE_VALUE)
        return GetLastError();
    if (!SetFileInformationByHandle(file, FileDispositionInfo, &disposition, sizeof disposition))
        status = GetLastError();
    CloseHandle(file);
    return status;
}

uint32_t prfdata_directory_write_file(const prfdata_directory *directory, const wchar_t *name,
                                      const void *bytes, size_t size)
{
    wchar_t path[MAX_PATH];
    DWORD done;
    HANDLE file;
    uint32_t status = child_path(directory, name, path);

    if (!status)
        status = prfdata_directory_remove_file(directory, name);
    if (status && status != ERROR_FILE_NOT_FOUND)
        return status;
    file = CreateFileW(path, GENERIC_WRITE, 0, NULL, CREATE_NEW, FILE_ATTRIBUTE_NORMAL, NULL);
    if (file == INVALID_HANDLE_VALUE)
        return GetLastError();
    status = ERROR_SUCCESS;
    if (!WriteFile(file, bytes, (DWORD)size, &done, NULL))
        status = GetLastError();
    else if (done != size)
        status = ERROR_DISK_FULL;
    CloseHandle(file);
    if (status)
        prfdata_directory_remove_file(directory, name);
    return status;
}

uint32_t prfdata_directory_visit_files(const prfdata_directory *directory,
                                       prfdata_directory_visitor *visit, void *context)
{
    wchar_t pattern[MAX_PATH];
    WIN32_FIND_DATAW found;
    HANDLE search;
    uint32_t status = child_path(directory, L"*", pattern);

    if (status)
        return status;
    search = FindFirstFileW(pattern, &found);
    if (search == INVALID_HANDLE_VALUE)
        return GetLastError() == ERROR_FILE_NOT_FOUND ? ERROR_SUCCESS : GetLastError();
    do {
        if (!(found.dwFileAttributes & FILE_ATTRIBUTE_DIRECTORY))
            visit(context, found.cFileName);
    } while (FindNextFileW(search, &found));
    FindClose(search);
    return ERROR_SUCCESS;
}
