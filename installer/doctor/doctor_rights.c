/* SPDX-License-Identifier: MIT */
/* Windows only. It compares two access lists, and knows nothing of folders. */
#include <string.h>
#include <wchar.h>

#include "windows/account.h"
#include "doctor/doctor.h"

static PACL dacl_of(PSECURITY_DESCRIPTOR security)
{
    BOOL is_present, is_default;
    PACL list = NULL;

    if (!GetSecurityDescriptorDacl(security, &is_present, &list, &is_default) || !is_present)
        return NULL;
    return list;
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

/* The account of an entry; NULL: an entry of a kind that we never write. */
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
    size_t used = wcslen(out->text);
    const wchar_t *parts[] = {used ? L", " : L"", before, what};

    for (size_t i = 0; i < 3; i++) {
        for (const wchar_t *at = parts[i]; *at && used + 1 < out->capacity; at++)
            out->text[used++] = *at;
    }
    out->text[used] = 0;
}

/* Append the accounts of the entries of `list` that `other` lacks, each once. */
static void append_missing(const difference_text *out, PACL list, PACL other, const wchar_t *before)
{
    for (DWORD i = 0; list && i < list->AceCount; i++) {
        wchar_t name[PRFDATA_ACCOUNT_CHARS];
        void *entry;
        PSID sid;

        if (!GetAce(list, i, &entry) || has_entry(other, entry))
            continue;
        sid = sid_of(entry);
        wcscpy(name, L"an entry of another kind");
        if (sid)
            prfdata_account_name(sid, name);
        if (!wcsstr(out->text, name))
            append_difference(out, before, name);
    }
}

bool prfdata_doctor_rights_differ(PSECURITY_DESCRIPTOR wanted, PSECURITY_DESCRIPTOR present,
                                  wchar_t *text, size_t capacity)
{
    const difference_text out = {text, capacity};
    PACL wanted_list = dacl_of(wanted);
    PACL present_list = dacl_of(present);

    text[0] = 0;
    if (!present_list) { /* Microsoft's "Null DACLs and Empty DACLs": all rights for all */
        append_difference(&out, L"", L"everybody has all rights");
        return true;
    }
    if (!is_protected(present))
        append_difference(&out, L"", L"rights are inherited");
    append_missing(&out, wanted_list, present_list, L"missing for ");
    append_missing(&out, present_list, wanted_list, L"too many or others for ");
    return text[0] != 0;
}
