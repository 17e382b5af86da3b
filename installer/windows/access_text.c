/* SPDX-License-Identifier: MIT */
/* Describes access lists to people. Windows only. */
#include "windows/access_text.h"

#include <sddl.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#include "names/wide_text.h"
#include "windows/access_list.h"
#include "windows/account.h"

static void append_account(wchar_t *text, size_t capacity, PSID sid)
{
    static const struct {
        const wchar_t *sid;
        const wchar_t *name;
    } known[] = {{L"S-1-5-18", L"SYSTEM"},
                 {L"S-1-5-32-544", L"Administrators"},
                 {PRFDATA_SID_SERVICES, L"Services"},
                 {PRFDATA_SID_USERS, L"Users"}};
    wchar_t account[PRFDATA_ACCOUNT_CHARS];
    wchar_t *spelling = NULL;
    const wchar_t *name = account;

    if (!ConvertSidToStringSidW(sid, &spelling))
        return;
    prfdata_account_name(sid, account);
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        if (wcscmp(spelling, known[i].sid) == 0)
            name = known[i].name;
    }
    if (text[0])
        prfdata_wide_text_append(text, capacity, L", ");
    prfdata_wide_text_append(text, capacity, name);
    LocalFree(spelling);
}

void prfdata_access_text_writers(HANDLE handle, wchar_t *text, size_t capacity)
{
    PSECURITY_DESCRIPTOR security = NULL;
    PACL list;

    text[0] = 0;
    if (prfdata_access_list_read(handle, DACL_SECURITY_INFORMATION, &security) != ERROR_SUCCESS)
        return;
    list = prfdata_access_list_of(security);
    for (DWORD i = 0; list && i < list->AceCount; i++) {
        void *entry;
        ACCESS_ALLOWED_ACE *allowed;

        if (!GetAce(list, i, &entry))
            continue;
        allowed = entry;
        if (allowed->Header.AceType == ACCESS_ALLOWED_ACE_TYPE &&
            !(allowed->Header.AceFlags & INHERIT_ONLY_ACE) && (allowed->Mask & FILE_ADD_FILE) &&
            !prfdata_access_list_is_account(&allowed->SidStart, PRFDATA_SID_WRITE_RESTRICTED))
            append_account(text, capacity, &allowed->SidStart);
    }
    free(security);
}

static bool is_protected(PSECURITY_DESCRIPTOR security)
{
    SECURITY_DESCRIPTOR_CONTROL control = 0;
    DWORD revision;

    return GetSecurityDescriptorControl(security, &control, &revision) &&
           (control & SE_DACL_PROTECTED);
}

static bool has_entry(PACL list, const ACE_HEADER *entry)
{
    for (DWORD i = 0; list && i < list->AceCount; i++) {
        void *other;

        if (GetAce(list, i, &other) && ((ACE_HEADER *)other)->AceSize == entry->AceSize &&
            memcmp(other, entry, entry->AceSize) == 0)
            return true;
    }
    return false;
}

/* Return the account of an entry that allows or denies; NULL for an entry of another kind. */
static PSID sid_of(ACE_HEADER *entry)
{
    if (entry->AceType != ACCESS_ALLOWED_ACE_TYPE && entry->AceType != ACCESS_DENIED_ACE_TYPE)
        return NULL;
    return &((ACCESS_ALLOWED_ACE *)(void *)entry)->SidStart;
}

typedef struct difference_text {
    wchar_t *text;
    size_t capacity;
} difference_text;

static void append_difference(const difference_text *out, const wchar_t *before,
                              const wchar_t *what)
{
    if (out->text[0])
        prfdata_wide_text_append(out->text, out->capacity, L", ");
    prfdata_wide_text_append(out->text, out->capacity, before);
    prfdata_wide_text_append(out->text, out->capacity, what);
}

/*
 * Returns whether `list` has an earlier entry (before `index`) for the account `sid`, and `other`
 * lacks that entry. `sid` is NULL for an entry of an unknown kind.
 */
static bool is_repeated(PACL list, PACL other, DWORD index, PSID sid)
{
    for (DWORD i = 0; i < index; i++) {
        void *entry;
        PSID before;

        if (!GetAce(list, i, &entry) || has_entry(other, entry))
            continue;
        before = sid_of(entry);
        if (sid && before ? EqualSid(sid, before) : sid == before)
            return true;
    }
    return false;
}

/* Append the accounts of the entries that `list` has and `other` lacks, each only once. */
static void append_missing(const difference_text *out, PACL list, PACL other, const wchar_t *before)
{
    for (DWORD i = 0; list && i < list->AceCount; i++) {
        wchar_t name[PRFDATA_ACCOUNT_CHARS];
        void *entry;
        PSID sid;

        if (!GetAce(list, i, &entry) || has_entry(other, entry))
            continue;
        sid = sid_of(entry);
        if (is_repeated(list, other, i, sid))
            continue;
        wcscpy(name, L"an entry of an unknown kind");
        if (sid)
            prfdata_account_name(sid, name);
        append_difference(out, before, name);
    }
}

bool prfdata_access_text_differ(PSECURITY_DESCRIPTOR wanted, PSECURITY_DESCRIPTOR present,
                                wchar_t *text, size_t capacity)
{
    const difference_text out = {text, capacity};
    PACL wanted_list = prfdata_access_list_of(wanted);
    PACL present_list = prfdata_access_list_of(present);

    text[0] = 0;
    if (!present_list) { /* Microsoft's "Null DACLs and Empty DACLs": all rights for all */
        append_difference(&out, L"", L"everybody has all rights");
        return true;
    }
    if (!is_protected(present))
        append_difference(&out, L"", L"rights are inherited");
    append_missing(&out, wanted_list, present_list, L"missing for ");
    append_missing(&out, present_list, wanted_list, L"too many rights, or others, for ");
    return text[0] != 0;
}
