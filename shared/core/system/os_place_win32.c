/* SPDX-License-Identifier: MIT */
/* Finds out where a file really is, and whether this account owns it, on Windows. */
#include "system/os_win32.h"

#include <wchar.h>

#define FINAL_CHARS (2 * PRFDATA_OS_REGIONS_CHARS) /* short names may have become long ones */

static bool get_final_path(HANDLE file, wchar_t *path)
{
    DWORD chars =
        GetFinalPathNameByHandleW(file, path, FINAL_CHARS, VOLUME_NAME_NT | FILE_NAME_OPENED);

    return chars > 0 && chars < FINAL_CHARS;
}

static bool equal_ignoring_case(const wchar_t *a, const wchar_t *b, size_t chars)
{
    return CompareStringOrdinal(a, (int)chars, b, (int)chars, TRUE) == CSTR_EQUAL;
}

static bool is_virtual_store(const wchar_t *path)
{
    static const wchar_t part[] = L"\\AppData\\Local\\VirtualStore\\";
    size_t part_chars = sizeof(part) / sizeof(part[0]) - 1, path_chars = wcslen(path);

    for (size_t i = 0; i + part_chars <= path_chars; i++) {
        if (equal_ignoring_case(path + i, part, part_chars))
            return true;
    }
    return false;
}

bool prfdata_os_place_is_inside(const prfdata_os_directory *directory, HANDLE file,
                                const prfdata_os_name *name)
{
    wchar_t expected[FINAL_CHARS], found[FINAL_CHARS];
    size_t chars;

    if (!get_final_path(directory->file, expected) || !get_final_path(file, found))
        return false;
    chars = wcslen(expected);
    if (chars > 0 && expected[chars - 1] != L'\\' &&
        !prfdata_os_append_to_path(expected, FINAL_CHARS, "\\"))
        return false;
    if (!prfdata_os_append_to_path(expected, FINAL_CHARS, name->text))
        return false;
    chars = wcslen(expected);
    return wcslen(found) == chars && equal_ignoring_case(found, expected, chars) &&
           !is_virtual_store(found);
}

typedef union sid_buffer {
    TOKEN_USER user;
    TOKEN_OWNER owner;
    unsigned char bytes[sizeof(TOKEN_USER) + SECURITY_MAX_SID_SIZE];
} sid_buffer;

static HANDLE open_token(void)
{
    HANDLE token = NULL;

    if (!OpenThreadToken(GetCurrentThread(), TOKEN_QUERY, TRUE, &token) &&
        GetLastError() == ERROR_NO_TOKEN)
        (void)OpenProcessToken(GetCurrentProcess(), TOKEN_QUERY, &token);
    return token;
}

/*
 * Whether `owner` is the user or the default owner of the token. New files belong to the default
 * owner. For elevated administrators the default owner is the group Administrators.
 */
static bool is_token_owner(HANDLE token, PSID owner)
{
    sid_buffer buffer;
    DWORD size;

    if (GetTokenInformation(token, TokenUser, &buffer, sizeof(buffer), &size) &&
        EqualSid(owner, buffer.user.User.Sid))
        return true;
    return GetTokenInformation(token, TokenOwner, &buffer, sizeof(buffer), &size) &&
           EqualSid(owner, buffer.owner.Owner);
}

bool prfdata_os_account_is_own(const prfdata_os_account *account)
{
    const PSID owner = (PSID)(uintptr_t)account->bytes;
    HANDLE token;
    bool ours;

    if (!IsValidSid(owner))
        return false;
    token = open_token();
    if (!token)
        return false;
    ours = is_token_owner(token, owner);
    CloseHandle(token);
    return ours;
}

bool prfdata_os_place_is_own_account(HANDLE file)
{
    prfdata_os_account owner;

    prfdata_os_file_account(file, &owner);
    return prfdata_os_account_is_own(&owner);
}
