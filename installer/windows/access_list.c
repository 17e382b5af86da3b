/* SPDX-License-Identifier: MIT */
/*
 * Makes, reads, writes and compares access lists. docs/region-format.md explains every entry, under
 * "Access". The masks: 0x1200A9 lists, traverses and reads; 0x1200AB also adds files; 0x120089
 * reads a file; 0x13019F reads, writes and deletes a file. Windows only.
 */
#include "windows/access_list.h"

#include <sddl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#include "base/wide_format.h"
#include "windows/wine.h"

#define MAX_WRITERS 16

#define SID_INTERACTIVE   L"S-1-5-4"
#define SID_MONITOR_USERS L"S-1-5-32-558" /* Performance Monitor Users */
#define SID_LOG_USERS     L"S-1-5-32-559" /* Performance Log Users */

/* Owner, group, and the beginning of both access lists. */
#define SDDL_HEAD L"O:BAG:BAD:P(A;OICI;FA;;;SY)(A;OICI;FA;;;BA)"

const wchar_t *prfdata_access_list_data_sddl(void)
{
    /* Every authenticated user may read, so that -Status needs no elevation. */
    return SDDL_HEAD L"(A;OICI;0x1200a9;;;AU)";
}

/* The two entries of an account that reads: one for the folder, one for the files in it. */
#define SDDL_READER(sid) L"(A;;0x1200a9;;;" sid L")(A;OIIO;0x120089;;;" sid L")"

/* The rest of the list, after the entries of the writers. */
#define SDDL_REGIONS_TAIL                                                                          \
    L"(A;;0x1200ab;;;" PRFDATA_SID_WRITE_RESTRICTED L")" SDDL_READER(SID_INTERACTIVE)              \
        SDDL_READER(PRFDATA_SID_SERVICES) SDDL_READER(SID_MONITOR_USERS)                           \
            SDDL_READER(SID_LOG_USERS) L"(A;OIIO;0x13019f;;;CO)(A;OIIO;0x13019f;;;S-1-3-4)"        \
                                       L"(A;OIIO;0x13019f;;;" PRFDATA_SID_WRITE_RESTRICTED L")"

static bool append_writer(wchar_t *sddl, const wchar_t *sid)
{
    size_t used = wcslen(sddl);

    return prfdata_wide_format(sddl + used, PRFDATA_ACCESS_LIST_SDDL_CHARS - used,
                               L"(A;;0x1200ab;;;%ls)", sid) > 0;
}

/* Returns whether the text is a SID in the form S-1-..., not a two-letter alias. */
static bool is_sid_text(const wchar_t *text)
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
        return append_writer(sddl, PRFDATA_SID_SERVICES);
    if (_wcsicmp(name, L"Users") == 0)
        return append_writer(sddl, PRFDATA_SID_SERVICES) && append_writer(sddl, PRFDATA_SID_USERS);
    return is_sid_text(name) && append_writer(sddl, name);
}

const wchar_t *prfdata_access_list_take_writer(const wchar_t *list, wchar_t *name)
{
    size_t length;

    while (*list == L' ')
        list++;
    length = wcscspn(list, L",");
    name[0] = 0;
    if (length < PRFDATA_WRITER_CHARS) {
        wmemcpy(name, list, length);
        name[length] = 0;
        while (length > 0 && name[length - 1] == L' ')
            name[--length] = 0;
    }
    list += wcscspn(list, L",");
    return *list ? list + 1 : NULL;
}

uint32_t prfdata_access_list_regions_sddl(const wchar_t *writers, wchar_t *sddl)
{
    const wchar_t *list = writers ? writers : L"Services";
    wchar_t text[PRFDATA_ACCESS_LIST_SDDL_CHARS] = SDDL_HEAD;

    for (int i = 0; list; i++) {
        wchar_t name[PRFDATA_WRITER_CHARS];

        list = prfdata_access_list_take_writer(list, name);
        if (i == MAX_WRITERS || !append_named_writer(text, name))
            return ERROR_INVALID_PARAMETER;
    }
    if (prfdata_wide_format(sddl, PRFDATA_ACCESS_LIST_SDDL_CHARS, L"%ls%ls", text,
                            SDDL_REGIONS_TAIL) < 0)
        return ERROR_INVALID_PARAMETER;
    return ERROR_SUCCESS;
}

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

bool prfdata_access_list_trusts_owner(PSID owner)
{
    /* Under Wine everything belongs to its one user. */
    return IsWellKnownSid(owner, WinBuiltinAdministratorsSid) ||
           IsWellKnownSid(owner, WinLocalSystemSid) ||
           (prfdata_wine_is_here() && is_this_user(owner));
}

bool prfdata_access_list_is_account(PSID sid, const wchar_t *spelling)
{
    wchar_t *own = NULL;
    bool same;

    if (!ConvertSidToStringSidW(sid, &own))
        return false;
    same = wcscmp(own, spelling) == 0;
    LocalFree(own);
    return same;
}

uint32_t prfdata_access_list_read(HANDLE handle, SECURITY_INFORMATION parts,
                                  PSECURITY_DESCRIPTOR *security)
{
    PSECURITY_DESCRIPTOR memory;
    uint32_t status = ERROR_SUCCESS;
    DWORD size = 0;

    GetKernelObjectSecurity(handle, parts, NULL, 0, &size);
    memory = malloc(size ? size : 1);
    if (!memory)
        return ERROR_NOT_ENOUGH_MEMORY;
    if (!GetKernelObjectSecurity(handle, parts, memory, size, &size))
        status = GetLastError();
    if (status)
        free(memory);
    else
        *security = memory;
    return status;
}

/* SetNamedSecurityInfo would also change the lists of the files in the folder. */
uint32_t prfdata_access_list_write(HANDLE handle, PSECURITY_DESCRIPTOR security)
{
    SECURITY_INFORMATION inheritance = UNPROTECTED_DACL_SECURITY_INFORMATION;
    SECURITY_DESCRIPTOR_CONTROL control = 0;
    DWORD revision;

    GetSecurityDescriptorControl(security, &control, &revision);
    if (control & SE_DACL_PROTECTED)
        inheritance = PROTECTED_DACL_SECURITY_INFORMATION;
    return SetKernelObjectSecurity(handle, DACL_SECURITY_INFORMATION | inheritance, security)
               ? ERROR_SUCCESS
               : GetLastError();
}

static bool is_same_inheritance(PSECURITY_DESCRIPTOR a, PSECURITY_DESCRIPTOR b)
{
    SECURITY_DESCRIPTOR_CONTROL control[2];
    DWORD revision;

    return GetSecurityDescriptorControl(a, &control[0], &revision) &&
           GetSecurityDescriptorControl(b, &control[1], &revision) &&
           ((control[0] ^ control[1]) & SE_DACL_PROTECTED) == 0;
}

PACL prfdata_access_list_of(PSECURITY_DESCRIPTOR security)
{
    BOOL present, defaulted;
    PACL list = NULL;

    if (!GetSecurityDescriptorDacl(security, &present, &list, &defaulted) || !present)
        return NULL;
    return list;
}

static bool is_same_entry(PACL a, PACL b, DWORD index)
{
    void *entry[2];
    WORD size;

    if (!GetAce(a, index, &entry[0]) || !GetAce(b, index, &entry[1]))
        return false;
    size = ((const ACE_HEADER *)entry[0])->AceSize;
    return size == ((const ACE_HEADER *)entry[1])->AceSize && memcmp(entry[0], entry[1], size) == 0;
}

bool prfdata_access_list_is_same(PSECURITY_DESCRIPTOR a, PSECURITY_DESCRIPTOR b)
{
    PACL list[2] = {prfdata_access_list_of(a), prfdata_access_list_of(b)};

    if (!is_same_inheritance(a, b) || !list[0] || !list[1] ||
        list[0]->AceCount != list[1]->AceCount)
        return false;
    for (DWORD i = 0; i < list[0]->AceCount; i++) {
        if (!is_same_entry(list[0], list[1], i))
            return false;
    }
    return true;
}
