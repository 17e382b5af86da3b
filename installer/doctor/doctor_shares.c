/* SPDX-License-Identifier: MIT */
/*
 * Finds out which account has the largest share of the region files. If there are more regions than
 * readers read, the accounts share the places equally, so this account loses places first
 * (docs/region-format.md, "Names and lifetime"). Windows only.
 */
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#include "doctor/doctor.h"
#include "region/region.h"
#include "windows/account.h"

enum { MOST_ACCOUNTS = 64, HEAD_BYTES = 16 };

typedef struct account_share {
    prfdata_os_account account;
    unsigned long files;
    uint64_t bytes;
} account_share;

typedef struct share_list {
    account_share shares[MOST_ACCOUNTS];
    size_t count;
} share_list;

static uint64_t size_of_region(const wchar_t *folder, const prfdata_os_name *name)
{
    WIN32_FILE_ATTRIBUTE_DATA data;
    wchar_t path[2 * MAX_PATH];

    if (swprintf(path, 2 * MAX_PATH, L"%ls\\%hs", folder, name->text) < 0 ||
        !GetFileAttributesExW(path, GetFileExInfoStandard, &data))
        return 0;
    return (uint64_t)data.nFileSizeHigh << 32 | data.nFileSizeLow;
}

/* Accounts that do not fit into the list are left out. */
static void add_share(share_list *list, const prfdata_os_account *account, uint64_t bytes)
{
    size_t i = 0;

    while (i < list->count && !prfdata_os_account_is(&list->shares[i].account, account))
        i++;
    if (i == MOST_ACCOUNTS)
        return;
    if (i == list->count) {
        list->shares[i].account = *account;
        list->count++;
    }
    list->shares[i].files++;
    list->shares[i].bytes += bytes;
}

static void add_all_shares(share_list *list, prfdata_os_directory *directory, const wchar_t *folder,
                           uint64_t boot, prfdata_os_name *names)
{
    size_t count = 0;
    bool more;

    if (prfdata_os_directory_list(directory, boot, names, PRFDATA_MAX_REGION_FILES, &count,
                                  &more) != ERROR_SUCCESS)
        return;
    for (size_t i = 0; i < count; i++) {
        prfdata_os_account account;
        uint8_t head[HEAD_BYTES];

        memset(&account, 0, sizeof account);
        (void)prfdata_os_region_look(directory, &names[i], head, sizeof head, &account);
        add_share(list, &account, size_of_region(folder, &names[i]));
    }
}

static void name_share(const account_share *share, prfdata_doctor_share *largest)
{
    static const prfdata_os_account unknown = {{0}};
    union {
        SID sid;
        BYTE bytes[PRFDATA_OS_ACCOUNT_BYTES];
    } owner;

    memcpy(owner.bytes, share->account.bytes, sizeof owner.bytes);
    if (prfdata_os_account_is(&share->account, &unknown))
        wcscpy(largest->account, L"an account that could not be read");
    else
        prfdata_account_name(&owner.sid, largest->account);
    largest->files = share->files;
    largest->bytes = share->bytes;
}

void prfdata_doctor_shares_largest(prfdata_os_directory *directory, const wchar_t *folder,
                                   uint64_t boot, bool by_bytes, prfdata_doctor_share *largest)
{
    prfdata_os_name *names = malloc(PRFDATA_MAX_REGION_FILES * sizeof *names);
    share_list *list = calloc(1, sizeof *list);
    size_t most = 0;

    wcscpy(largest->account, L"?");
    largest->files = 0;
    largest->bytes = 0;
    if (names && list)
        add_all_shares(list, directory, folder, boot, names);
    for (size_t i = 1; list && i < list->count; i++) {
        const account_share *share = &list->shares[i];

        if (by_bytes ? share->bytes > list->shares[most].bytes
                     : share->files > list->shares[most].files)
            most = i;
    }
    if (list && list->count > 0)
        name_share(&list->shares[most], largest);
    free(list);
    free(names);
}
