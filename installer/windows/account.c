/* SPDX-License-Identifier: MIT */
/* Finds the names of accounts. Windows only. */
#include "windows/account.h"

#include <sddl.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#include "names/wide_text.h"
#include "windows/access_list.h"
#include "windows/file_handle.h"

/* Returns whether the account is one of the groups that each Windows has, S-1-5-32-n
 * ("Well-known SIDs", learn.microsoft.com). */
static bool is_builtin(PSID sid)
{
    static const SID_IDENTIFIER_AUTHORITY nt = {SECURITY_NT_AUTHORITY};

    return memcmp(GetSidIdentifierAuthority(sid), &nt, sizeof nt) == 0 &&
           *GetSidSubAuthorityCount(sid) > 0 &&
           *GetSidSubAuthority(sid, 0) == SECURITY_BUILTIN_DOMAIN_RID;
}

/*
 * Returns whether to leave out a domain. The domains of the system's own accounts say nothing, and
 * have another name in each language.
 */
static bool is_plain_domain(PSID sid, SID_NAME_USE use, const wchar_t *domain)
{
    return !domain[0] || use == SidTypeWellKnownGroup || is_builtin(sid);
}

static void append_sid(wchar_t *name, PSID sid)
{
    wchar_t *spelling = NULL;

    if (!ConvertSidToStringSidW(sid, &spelling)) {
        prfdata_wide_text_append(name, PRFDATA_ACCOUNT_CHARS, L"?");
        return;
    }
    prfdata_wide_text_append(name, PRFDATA_ACCOUNT_CHARS, spelling);
    LocalFree(spelling);
}

void prfdata_account_name(PSID sid, wchar_t *name)
{
    wchar_t account[257], domain[257]; /* long enough for every name of the system */
    DWORD account_chars = 257, domain_chars = 257;
    SID_NAME_USE use;

    name[0] = 0;
    if (!LookupAccountSidW(NULL, sid, account, &account_chars, domain, &domain_chars, &use)) {
        append_sid(name, sid);
        return;
    }
    if (!is_plain_domain(sid, use, domain)) {
        prfdata_wide_text_append(name, PRFDATA_ACCOUNT_CHARS, domain);
        prfdata_wide_text_append(name, PRFDATA_ACCOUNT_CHARS, L"\\");
    }
    prfdata_wide_text_append(name, PRFDATA_ACCOUNT_CHARS, account);
}

void prfdata_account_own_name(wchar_t *name)
{
    union {
        TOKEN_USER user;
        BYTE bytes[sizeof(TOKEN_USER) + SECURITY_MAX_SID_SIZE];
    } information;
    HANDLE token;
    DWORD size;

    wcscpy(name, L"?");
    if (!OpenProcessToken(GetCurrentProcess(), TOKEN_QUERY, &token))
        return;
    if (GetTokenInformation(token, TokenUser, &information, sizeof information, &size))
        prfdata_account_name(information.user.User.Sid, name);
    CloseHandle(token);
}

/*
 * Reads the owner of a file, without following a link. Returns the security descriptor that `owner`
 * points into, or NULL; the caller frees it.
 */
static PSECURITY_DESCRIPTOR read_owner(const wchar_t *path, PSID *owner)
{
    PSECURITY_DESCRIPTOR security = NULL;
    BOOL defaulted;
    HANDLE file;

    *owner = NULL;
    if (prfdata_file_handle_open(path, READ_CONTROL,
                                 FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE,
                                 FILE_FLAG_OPEN_REPARSE_POINT, &file) != ERROR_SUCCESS)
        return NULL;
    if (prfdata_access_list_read(file, OWNER_SECURITY_INFORMATION, &security) != ERROR_SUCCESS)
        security = NULL;
    CloseHandle(file);
    if (security && !GetSecurityDescriptorOwner(security, owner, &defaulted))
        *owner = NULL;
    return security;
}

void prfdata_account_file_owner(const wchar_t *path, wchar_t *name)
{
    PSID owner;
    PSECURITY_DESCRIPTOR security = read_owner(path, &owner);

    wcscpy(name, L"?");
    if (owner)
        prfdata_account_name(owner, name);
    free(security);
}

static bool token_has_sid(HANDLE token, TOKEN_INFORMATION_CLASS which, PSID sid)
{
    union {
        TOKEN_USER user;
        TOKEN_OWNER owner;
        BYTE bytes[sizeof(TOKEN_USER) + SECURITY_MAX_SID_SIZE];
    } information;
    DWORD size;

    if (!GetTokenInformation(token, which, &information, sizeof information, &size))
        return false;
    return EqualSid(sid, which == TokenUser ? information.user.User.Sid : information.owner.Owner);
}

static bool process_has_sid(DWORD process_id, PSID sid)
{
    HANDLE process = OpenProcess(PROCESS_QUERY_LIMITED_INFORMATION, FALSE, process_id);
    HANDLE token;
    bool has = false;

    if (process && OpenProcessToken(process, TOKEN_QUERY, &token)) {
        has = token_has_sid(token, TokenOwner, sid) || token_has_sid(token, TokenUser, sid);
        CloseHandle(token);
    }
    if (process)
        CloseHandle(process);
    return has;
}

bool prfdata_account_may_have_made(DWORD process_id, const wchar_t *path)
{
    PSID owner;
    PSECURITY_DESCRIPTOR security = read_owner(path, &owner);
    const bool may_have = owner && process_has_sid(process_id, owner);

    free(security);
    return may_have;
}
