/* SPDX-License-Identifier: MIT */
/*
 * Checks whether ordinary users can change a file. It ignores entries that deny rights, and the
 * groups that users' tokens happen to have. An access list that is safe only because of such
 * entries or groups is not safe enough for a DLL. The installer decides what to do about a
 * weakness. Windows only.
 */
#include "windows/protection.h"

#include <stdio.h>
#include <stdlib.h>
#include <wchar.h>

#include "windows/access_list.h"
#include "windows/account.h"
#include "windows/directory.h"
#include "windows/file_handle.h"

/* The long SID is TrustedInstaller, which owns the files of the system. */
static bool is_administrative_sid(PSID sid)
{
    return prfdata_access_list_trusts_owner(sid) ||
           prfdata_access_list_is_account(
               sid, L"S-1-5-80-956008885-3418522649-1831038044-1853292631-2271478464");
}

/*
 * CREATOR OWNER (S-1-3-0) matches no token; OWNER RIGHTS (S-1-3-4) is the owner, which was checked
 * before.
 */
static bool is_harmless_sid(PSID sid)
{
    return is_administrative_sid(sid) || prfdata_access_list_is_account(sid, L"S-1-3-0") ||
           prfdata_access_list_is_account(sid, L"S-1-3-4");
}

/*
 * Returns the rights with which an account could replace or change something. See Microsoft's "File
 * Access Rights Constants" and "File Security and Access Rights".
 */
static DWORD dangerous_rights(prfdata_protection_role role, bool is_root)
{
    const DWORD always = WRITE_DAC | WRITE_OWNER | (is_root ? 0 : DELETE);

    switch (role) {
    case PRFDATA_PROTECTED_FILE:
        return always | FILE_WRITE_DATA | FILE_APPEND_DATA;
    case PRFDATA_PROTECTED_FOLDER:
        return always | FILE_ADD_FILE | FILE_ADD_SUBDIRECTORY | FILE_DELETE_CHILD;
    default:
        return always | FILE_DELETE_CHILD;
    }
}

/*
 * Returns whether an entry gives a dangerous right, and its account is not harmless. An entry with
 * a condition counts, too. Such an entry begins with the fields of ACCESS_ALLOWED_ACE.
 */
static bool is_dangerous_entry(const ACE_HEADER *header, DWORD dangerous)
{
    const ACCESS_ALLOWED_ACE *entry = (const void *)header;
    GENERIC_MAPPING files = {FILE_GENERIC_READ, FILE_GENERIC_WRITE, FILE_GENERIC_EXECUTE,
                             FILE_ALL_ACCESS};
    DWORD mask;

    if ((header->AceType != ACCESS_ALLOWED_ACE_TYPE &&
         header->AceType != ACCESS_ALLOWED_CALLBACK_ACE_TYPE) ||
        (header->AceFlags & INHERIT_ONLY_ACE))
        return false;
    mask = entry->Mask;
    MapGenericMask(&mask, &files);
    return (mask & dangerous) != 0 && !is_harmless_sid((PSID)&entry->SidStart);
}

static void validate_access_list(PACL list, DWORD dangerous, prfdata_weakness *weakness)
{
    if (!list) { /* without a list everyone may do everything */
        weakness->kind = PRFDATA_WEAKNESS_ACCESS;
        wcscpy(weakness->who, L"everyone");
        return;
    }
    for (DWORD i = 0; i < list->AceCount; i++) {
        void *entry;

        if (!GetAce(list, i, &entry) || !is_dangerous_entry(entry, dangerous))
            continue;
        weakness->kind = PRFDATA_WEAKNESS_ACCESS;
        prfdata_account_name((PSID) & ((ACCESS_ALLOWED_ACE *)entry)->SidStart, weakness->who);
        return;
    }
}

void prfdata_protection_examine(PSECURITY_DESCRIPTOR security, prfdata_protection_role role,
                                bool is_root, prfdata_weakness *weakness)
{
    PSID owner = NULL;
    PACL list = NULL;
    BOOL present = FALSE, defaulted;

    weakness->kind = PRFDATA_WEAKNESS_NONE;
    wcscpy(weakness->who, L"no account");
    if (!GetSecurityDescriptorOwner(security, &owner, &defaulted) || !owner ||
        !is_administrative_sid(owner)) {
        weakness->kind = PRFDATA_WEAKNESS_OWNER;
        if (owner)
            prfdata_account_name(owner, weakness->who);
        return;
    }
    if (!GetSecurityDescriptorDacl(security, &present, &list, &defaulted) || !present)
        list = NULL;
    validate_access_list(list, dangerous_rights(role, is_root), weakness);
}

static uint32_t open_place(const wchar_t *path, DWORD access, DWORD flags, HANDLE *place)
{
    return prfdata_file_handle_open(path, access,
                                    FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE,
                                    FILE_FLAG_BACKUP_SEMANTICS | flags, place);
}

static bool is_reparse_point(HANDLE place)
{
    FILE_BASIC_INFO about;

    return GetFileInformationByHandleEx(place, FileBasicInfo, &about, sizeof about) &&
           (about.FileAttributes & FILE_ATTRIBUTE_REPARSE_POINT);
}

/*
 * Opens a path with `flags` (FILE_FLAG_OPEN_REPARSE_POINT or 0), and checks the file or folder.
 * `leads_on` says whether the opened file or folder is a reparse point.
 */
static uint32_t validate_opened(const wchar_t *path, DWORD flags, prfdata_protection_role role,
                                bool is_root, bool *leads_on, prfdata_weakness *weakness)
{
    PSECURITY_DESCRIPTOR security = NULL;
    HANDLE place;
    uint32_t status = open_place(path, READ_CONTROL, flags, &place);

    if (status)
        return status;
    *leads_on = is_reparse_point(place);
    status = prfdata_access_list_read(place, OWNER_SECURITY_INFORMATION | DACL_SECURITY_INFORMATION,
                                      &security);
    CloseHandle(place);
    if (status)
        return status;
    prfdata_protection_examine(security, role, is_root, weakness);
    wcscpy(weakness->path, path);
    free(security);
    return ERROR_SUCCESS;
}

/* "C:\" */
static bool is_volume_root(const wchar_t *path)
{
    return path[0] && path[1] == L':' && path[2] == L'\\' && !path[3];
}

/*
 * If a volume is mounted in the folder, two things are checked: the folder, which others could
 * rename, and the root of the volume. Links do not get here, because validate_path() reports them.
 */
static uint32_t validate_place(const wchar_t *path, prfdata_protection_role role,
                               prfdata_weakness *weakness)
{
    bool leads_on = false;
    uint32_t status = validate_opened(path, FILE_FLAG_OPEN_REPARSE_POINT, role,
                                      is_volume_root(path), &leads_on, weakness);

    if (!status && leads_on && weakness->kind == PRFDATA_WEAKNESS_NONE)
        status = validate_opened(path, 0, role, true, &leads_on, weakness);
    return status;
}

static uint32_t find_path_goal(const wchar_t *path, wchar_t *goal)
{
    HANDLE place;
    uint32_t status = open_place(path, 0, 0, &place);

    if (status)
        return status;
    status = prfdata_directory_final_path(place, goal);
    CloseHandle(place);
    return status;
}

/*
 * Compare a path with its final path. If they differ, the path leads through a link or a
 * substituted drive, which another account could redirect. Both paths must be on a disk of this
 * computer.
 */
static uint32_t validate_path(const wchar_t *path, prfdata_weakness *weakness)
{
    wchar_t full[MAX_PATH]; /* without short names */
    wchar_t drive[4];
    DWORD length = GetLongPathNameW(path, full, MAX_PATH);
    uint32_t status;

    if (length == 0)
        return GetLastError();
    if (length >= MAX_PATH)
        return ERROR_FILENAME_EXCED_RANGE;
    wcscpy(weakness->path, full);
    status = find_path_goal(full, weakness->who);
    if (status)
        return status;
    (void)swprintf(drive, 4, L"%lc:\\", full[0]);
    if (full[1] != L':' || weakness->who[1] != L':' || GetDriveTypeW(drive) == DRIVE_REMOTE)
        weakness->kind = PRFDATA_WEAKNESS_PLACE;
    else if (_wcsicmp(full, weakness->who) != 0)
        weakness->kind = PRFDATA_WEAKNESS_LINK;
    return ERROR_SUCCESS;
}

/* "C:\a\b" becomes "C:\a", "C:\a" becomes "C:\"; false for "C:\". */
static bool cut_last_name(wchar_t *path)
{
    wchar_t *separator = wcsrchr(path, L'\\');

    if (!separator || !separator[1])
        return false;
    separator[separator == path + 2 ? 1 : 0] = 0;
    return true;
}

prfdata_protection_role prfdata_protection_role_above(prfdata_protection_role role)
{
    return role == PRFDATA_PROTECTED_FILE ? PRFDATA_PROTECTED_FOLDER : PRFDATA_PROTECTED_UPPER;
}

uint32_t prfdata_protection_check(const wchar_t *path, prfdata_protection_role role,
                                  prfdata_weakness *weakness)
{
    prfdata_weakness found = {PRFDATA_WEAKNESS_NONE, L"", L""};
    wchar_t here[MAX_PATH];
    uint32_t status = validate_path(path, &found);

    wcscpy(here, found.path);
    while (!status && found.kind == PRFDATA_WEAKNESS_NONE) {
        status = validate_place(here, role, &found);
        if (!cut_last_name(here))
            break;
        role = prfdata_protection_role_above(role);
    }
    if (!status)
        *weakness = found;
    return status;
}

void prfdata_protection_text(const prfdata_weakness *weakness, wchar_t *text, size_t capacity)
{
    static const wchar_t *const words[] = {
        L"%ls can be changed by administrators only",
        L"%ls belongs to %ls",
        L"%ls can be changed by %ls",
        L"%ls leads through a link or a substituted drive to %ls",
        L"%ls is not on a disk of this computer",
    };

    text[0] = 0;
    (void)swprintf(text, capacity, words[weakness->kind], weakness->path, weakness->who);
    text[capacity - 1] = 0;
}
