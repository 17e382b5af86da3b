/* SPDX-License-Identifier: MIT */
/*
 * Resolves the accounts of -Writers. Windows' LookupAccountName knows the accounts of this computer
 * and of its domains, group managed service accounts (DOMAIN\name$), and services and application
 * pools that exist. For services and application pools that do not exist yet, this file computes
 * the SID as Windows does. Windows only.
 */
#include "windows/writers.h"

#include <sddl.h>
#include <stdio.h>
#include <string.h>
#include <wchar.h>

#include <wincrypt.h>

#include "names/wide_text.h"
#include "windows/account.h"

typedef union sid_bytes {
    SID sid;
    BYTE bytes[SECURITY_MAX_SID_SIZE];
} sid_bytes;

/*
 * Hash bytes with SHA-1, as Windows does for the SIDs of services and application pools. The hash
 * protects nothing, so the weakness of SHA-1 does not matter.
 */
static bool hash_bytes(const void *bytes, size_t size, DWORD words[5])
{
    HCRYPTPROV provider;
    HCRYPTHASH hash = 0;
    DWORD hash_bytes = 5 * sizeof words[0];
    bool is_done;

    if (!CryptAcquireContextW(&provider, NULL, NULL, PROV_RSA_FULL, CRYPT_VERIFYCONTEXT))
        return false;
    is_done = CryptCreateHash(provider, CALG_SHA1, 0, 0, &hash) &&
              CryptHashData(hash, bytes, (DWORD)size, 0) &&
              CryptGetHashParam(hash, HP_HASHVAL, (BYTE *)words, &hash_bytes, 0);
    if (hash)
        CryptDestroyHash(hash);
    CryptReleaseContext(provider, 0);
    return is_done;
}

/*
 * Make the SID of a service or an application pool ([MS-DTYP] 2.4.2.4). The SID of a service begins
 * with S-1-5-80, and that of a pool with S-1-5-82. The SHA-1 of the name follows. The name of a
 * service is hashed in capitals, and the name of a pool in small letters.
 */
static bool make_virtual_sid(const wchar_t *name, DWORD base, DWORD mapping, sid_bytes *sid)
{
    SID_IDENTIFIER_AUTHORITY nt = {SECURITY_NT_AUTHORITY};
    wchar_t text[PRFDATA_WRITER_CHARS];
    DWORD words[5] = {0};
    const int chars = LCMapStringW(LOCALE_INVARIANT, mapping, name, (int)wcslen(name), text,
                                   PRFDATA_WRITER_CHARS);

    if (chars <= 0 || !hash_bytes(text, (size_t)chars * sizeof *text, words))
        return false;
    InitializeSid(&sid->sid, &nt, 6);
    *GetSidSubAuthority(&sid->sid, 0) = base;
    for (DWORD i = 0; i < 5; i++)
        *GetSidSubAuthority(&sid->sid, i + 1) = words[i];
    return true;
}

static bool find_virtual_sid(const wchar_t *name, sid_bytes *sid)
{
    static const struct {
        const wchar_t *domain;
        DWORD base;
        DWORD mapping;
    } domains[] = {{L"NT SERVICE\\", SECURITY_SERVICE_ID_BASE_RID, LCMAP_UPPERCASE},
                   {L"IIS APPPOOL\\", SECURITY_APPPOOL_ID_BASE_RID, LCMAP_LOWERCASE}};

    for (size_t i = 0; i < sizeof domains / sizeof domains[0]; i++) {
        const size_t chars = wcslen(domains[i].domain);

        if (_wcsnicmp(name, domains[i].domain, chars) == 0 && name[chars])
            return make_virtual_sid(name + chars, domains[i].base, domains[i].mapping, sid);
    }
    return false;
}

static bool is_account_kind(SID_NAME_USE use)
{
    return use == SidTypeUser || use == SidTypeGroup || use == SidTypeAlias ||
           use == SidTypeWellKnownGroup;
}

/*
 * Find the SID of a name. ".\name" is an account of this computer, but LookupAccountName does not
 * document this form. For a name without a domain, LookupAccountName searches this computer first,
 * so ".\" is left out.
 */
static uint32_t look_up_name(const wchar_t *given, sid_bytes *sid)
{
    const wchar_t *name = wcsncmp(given, L".\\", 2) == 0 ? given + 2 : given;
    wchar_t domain[PRFDATA_WRITER_CHARS];
    DWORD sid_size = sizeof *sid, domain_chars = PRFDATA_WRITER_CHARS;
    SID_NAME_USE use;

    if (LookupAccountNameW(NULL, name, &sid->sid, &sid_size, domain, &domain_chars, &use))
        return is_account_kind(use) ? ERROR_SUCCESS : ERROR_NONE_MAPPED;
    if (GetLastError() != ERROR_NONE_MAPPED)
        return GetLastError();
    return find_virtual_sid(name, sid) ? ERROR_SUCCESS : ERROR_NONE_MAPPED;
}

static uint32_t find_sid(const wchar_t *given, sid_bytes *sid)
{
    PSID read = NULL;

    if (_wcsnicmp(given, L"S-1-", 4) != 0 || !ConvertStringSidToSidW(given, &read))
        return look_up_name(given, sid);
    (void)CopySid(sizeof *sid, &sid->sid, read);
    LocalFree(read);
    return ERROR_SUCCESS;
}

/*
 * Calls `visit` for an account. If the account has no name, prfdata_account_name() returns the SID,
 * and `visit` gets "" instead.
 */
static void visit_account(const wchar_t *given, sid_bytes *sid, const wchar_t *spelling,
                          prfdata_writers_visitor *visit, void *context)
{
    wchar_t name[PRFDATA_ACCOUNT_CHARS];

    if (!visit)
        return;
    prfdata_account_name(&sid->sid, name);
    visit(context, given, spelling, wcscmp(name, spelling) == 0 ? L"" : name);
}

static uint32_t append_account(wchar_t *sids, const wchar_t *given, prfdata_writers_visitor *visit,
                               void *context)
{
    wchar_t *spelling = NULL;
    sid_bytes sid;
    uint32_t status;

    if (_wcsicmp(given, L"Services") == 0 || _wcsicmp(given, L"Users") == 0) {
        prfdata_wide_text_append(sids, PRFDATA_ACCESS_LIST_SDDL_CHARS, given);
        return ERROR_SUCCESS;
    }
    status = find_sid(given, &sid);
    if (status)
        return status;
    if (!ConvertSidToStringSidW(&sid.sid, &spelling))
        return GetLastError();
    prfdata_wide_text_append(sids, PRFDATA_ACCESS_LIST_SDDL_CHARS, spelling);
    visit_account(given, &sid, spelling, visit, context);
    LocalFree(spelling);
    return ERROR_SUCCESS;
}

uint32_t prfdata_writers_resolve(const wchar_t *list, wchar_t *sids, wchar_t *unknown,
                                 prfdata_writers_visitor *visit, void *context)
{
    wchar_t sddl[PRFDATA_ACCESS_LIST_SDDL_CHARS];
    uint32_t status = ERROR_SUCCESS;

    sids[0] = unknown[0] = 0;
    while (list && !status) {
        list = prfdata_access_list_take_writer(list, unknown);
        if (!unknown[0])
            return ERROR_INVALID_PARAMETER;
        if (sids[0])
            prfdata_wide_text_append(sids, PRFDATA_ACCESS_LIST_SDDL_CHARS, L",");
        status = append_account(sids, unknown, visit, context);
    }
    if (status)
        return status;
    unknown[0] = 0;
    return prfdata_access_list_regions_sddl(sids, sddl); /* refuses too many accounts */
}
