/* SPDX-License-Identifier: MIT */
/*
 * Finds out which account has the most region files, the largest region files, the most instances
 * of an object, or the largest converted copies. If readers do not have room for everything, each
 * account gets an equal share of the room. So the account that needs the most is the first that
 * gets less than it needs (docs/region-format.md, "Names and lifetime"). Windows only.
 */
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#include "base/wide_format.h"
#include "diagnosis/region_look.h"
#include "doctor/doctor.h"
#include "region/region.h"
#include "system/shares.h"
#include "windows/account.h"

enum { MOST_ACCOUNTS = 64, HEAD_BYTES = 16 };

typedef struct account_share {
    prfdata_os_account account;
    unsigned long files;
    uint64_t bytes;
    uint64_t instances; /* of one object */
    /* the memory that readers need for copies of its regions in the form of the current map */
    uint64_t copy_bytes;
} account_share;

typedef struct share_list {
    account_share shares[MOST_ACCOUNTS];
    size_t count;
} share_list;

static uint64_t size_of_region(const wchar_t *folder, const prfdata_os_name *name)
{
    WIN32_FILE_ATTRIBUTE_DATA data;
    wchar_t path[2 * MAX_PATH];

    if (prfdata_wide_format(path, 2 * MAX_PATH, L"%ls\\%hs", folder, name->text) < 0 ||
        !GetFileAttributesExW(path, GetFileExInfoStandard, &data))
        return 0;
    return (uint64_t)data.nFileSizeHigh << 32 | data.nFileSizeLow;
}

/* Returns the share of the account that owns a file, or NULL if the list has no room for it. */
static account_share *share_of_owner(share_list *list, prfdata_os_directory *directory,
                                     const prfdata_os_name *name)
{
    prfdata_os_account account;
    uint8_t head[HEAD_BYTES];
    size_t i = 0;

    memset(&account, 0, sizeof account);
    (void)prfdata_os_region_look(directory, name, head, sizeof head, &account);
    while (i < list->count && !prfdata_os_account_is(&list->shares[i].account, &account))
        i++;
    if (i == MOST_ACCOUNTS)
        return NULL;
    if (i == list->count)
        list->shares[list->count++].account = account;
    return &list->shares[i];
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
        account_share *share = share_of_owner(list, directory, &names[i]);

        if (share) {
            share->files++;
            share->bytes += size_of_region(folder, &names[i]);
        }
    }
}

/* `name` has room for PRFDATA_ACCOUNT_CHARS. */
static void name_account(const account_share *share, wchar_t *name)
{
    static const prfdata_os_account unknown = {{0}};
    union {
        SID sid;
        BYTE bytes[PRFDATA_OS_ACCOUNT_BYTES];
    } owner;

    memcpy(owner.bytes, share->account.bytes, sizeof owner.bytes);
    if (prfdata_os_account_is(&share->account, &unknown))
        wcscpy(name, L"an account that could not be read");
    else
        prfdata_account_name(&owner.sid, name);
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
    if (list && list->count > 0) {
        name_account(&list->shares[most], largest->account);
        largest->files = list->shares[most].files;
        largest->bytes = list->shares[most].bytes;
    }
    free(list);
    free(names);
}

/*
 * Add the size of the copy of one region to the `copy_bytes` of the account that owns the region.
 * Add to `wanted` the size that the copy would have if all slots of the region were used. Readers
 * divide their memory among the accounts by the sizes in `wanted`.
 */
static void add_copies(const prfdata_doctor *doctor, prfdata_os_directory *directory, uint64_t boot,
                       const prfdata_os_name *name, share_list *list, prfdata_shares *wanted)
{
    prfdata_region_look look;
    account_share *share = NULL;

    if (!prfdata_region_look_at(directory, name, doctor->models, doctor->model_count, boot,
                                &look) &&
        look.is_live && look.most_copy_bytes > 0)
        share = share_of_owner(list, directory, name);
    if (!share)
        return;
    share->copy_bytes += look.copy_bytes;
    prfdata_shares_want(wanted, &share->account, look.most_copy_bytes);
}

/* Of the accounts whose copies need more than their share, report the one that needs the most. */
static void report_copies(prfdata_doctor *doctor, const share_list *list,
                          const prfdata_shares *wanted)
{
    const uint64_t one_mib = 1024 * 1024;
    const account_share *largest = NULL;
    wchar_t account[PRFDATA_ACCOUNT_CHARS];

    for (size_t i = 0; i < list->count; i++) {
        const account_share *share = &list->shares[i];
        const uint64_t *given = prfdata_shares_left(wanted, &share->account);

        if (given && share->copy_bytes > *given &&
            (!largest || share->copy_bytes > largest->copy_bytes))
            largest = share;
    }
    if (!largest)
        return;
    name_account(largest, account);
    prfdata_diagnosis_add_finding(
        &doctor->diagnosis, PRFDATA_FINDING_COPIES_TOO_LARGE, NULL, account,
        (unsigned long)((largest->copy_bytes + one_mib - 1) / one_mib),
        (unsigned long)(*prfdata_shares_left(wanted, &largest->account) / one_mib));
}

void prfdata_doctor_shares_examine_copies(prfdata_doctor *doctor, prfdata_os_directory *directory,
                                          uint64_t boot, const prfdata_os_name *names, size_t count)
{
    share_list *list = calloc(1, sizeof *list);
    prfdata_shares wanted = {0};

    if (list && prfdata_shares_init(&wanted, MOST_ACCOUNTS)) {
        for (size_t i = 0; i < count; i++)
            add_copies(doctor, directory, boot, &names[i], list, &wanted);
        (void)prfdata_shares_divide(&wanted, PRFDATA_MAX_COPIES_BYTES);
        report_copies(doctor, list, &wanted);
    } else {
        doctor->diagnosis.has_failed = true;
    }
    prfdata_shares_free(&wanted);
    free(list);
}

static void report_instances(prfdata_doctor *doctor, const prfdata_model_object *object,
                             const prfdata_region_rows *rows, const share_list *list)
{
    wchar_t account[PRFDATA_ACCOUNT_CHARS] = L"?";
    size_t most = 0;

    for (size_t i = 1; i < list->count; i++) {
        if (list->shares[i].instances > list->shares[most].instances)
            most = i;
    }
    if (list->count > 0)
        name_account(&list->shares[most], account);
    prfdata_diagnosis_add_finding(&doctor->diagnosis, PRFDATA_FINDING_INSTANCES_TOO_MANY, NULL,
                                  (unsigned long)rows->count, object->entry->name, account,
                                  (unsigned long)list->shares[most].instances);
}

/*
 * Report an object if its rows do not fit into a reply. Instances with one name share a row, even
 * if they belong to different programs.
 */
static void examine_instances(prfdata_doctor *doctor, prfdata_os_directory *directory,
                              uint64_t boot, uint32_t object_index, const prfdata_os_name *names,
                              size_t count, share_list *list)
{
    const prfdata_model_object *object = &doctor->models[0]->objects[object_index];
    prfdata_region_rows rows = {0};
    uint64_t bytes = 0;

    memset(list, 0, sizeof *list);
    for (size_t i = 0; i < count; i++) {
        const size_t before = rows.count;
        account_share *share;

        if (prfdata_region_look_add_rows(directory, &names[i], doctor->models, doctor->model_count,
                                         boot, object_index, &rows) == ERROR_NOT_ENOUGH_MEMORY)
            doctor->diagnosis.has_failed = true;
        share = rows.count > before ? share_of_owner(list, directory, &names[i]) : NULL;
        if (share)
            share->instances += rows.count - before;
    }
    prfdata_region_look_merge_rows(&rows);
    for (size_t i = 0; i < rows.count; i++)
        bytes += rows.items[i].bytes;
    if (!prfdata_region_look_fits(object, rows.count, bytes))
        report_instances(doctor, object, &rows, list);
    free(rows.items);
}

void prfdata_doctor_shares_examine_instances(prfdata_doctor *doctor,
                                             prfdata_os_directory *directory, uint64_t boot,
                                             const prfdata_os_name *names, size_t count,
                                             const uint64_t *instances)
{
    share_list *list = malloc(sizeof *list);

    if (!list)
        doctor->diagnosis.has_failed = true;
    for (uint32_t i = 0; list && doctor->installed && i < doctor->installed->object_count; i++) {
        const prfdata_model_object *object = &doctor->installed->objects[i];
        /* The names are read only if the rows would not fit with the longest possible names. */
        const uint64_t most = prfdata_model_row_bytes(object, PRFDATA_MAX_INSTANCE_NAME_CHARS);

        if (!prfdata_region_look_fits(object, instances[i], instances[i] * most))
            examine_instances(doctor, directory, boot, i, names, count, list);
    }
    free(list);
}
