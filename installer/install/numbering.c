/* SPDX-License-Identifier: MIT */
/* Windows only. It compares ranges of indexes; which id gets which number is core's matter. */
#include "install/numbering.h"

#include <stdio.h>
#include <stdlib.h>
#include <wchar.h>

#include "windows/registry.h"
#include "titles/title_database.h"
#include "install/upgrade.h"

/* One key, so that nothing is left of it: what is below a volatile key must be volatile. */
#define REMEMBERED L"SOFTWARE\\PrfData Titles "

enum { PATH_CHARS = 24 + PRFDATA_MAX_SERVICE_CHARS + 1 };

/* What was there before. */
typedef struct former_titles {
    bool has_range;
    prfdata_title_range range;
    prfdata_maps maps; /* `is_known` */
    bool is_known;     /* it says which id had which number */
    BYTE *bytes;       /* that `maps` borrows from, if they are not the caller's */
} former_titles;

/* ---- The key ---- */

static void make_remembered_path(const wchar_t *service, wchar_t *path)
{
    (void)swprintf(path, PATH_CHARS, REMEMBERED L"%ls", service);
}

static void write_remembered(HKEY key, const prfdata_registered *before,
                             const prfdata_title_range *range)
{
    const prfdata_value *maps = prfdata_service_key_find(&before->values, PRFDATA_VALUE_MAPS);

    if (before->model && maps)
        (void)RegSetValueExW(key, PRFDATA_VALUE_MAPS, 0, REG_BINARY, maps->data, maps->size);
    (void)prfdata_registry_set_number(key, L"Last Counter", range->last_counter);
    (void)prfdata_registry_set_number(key, L"First Counter", range->first_counter);
}

void prfdata_numbering_remember(const prfdata_registered *before, const prfdata_service_key *key)
{
    wchar_t path[PATH_CHARS];
    prfdata_title_range range;
    HKEY remembered;

    if (!prfdata_title_database_range(key, &range))
        return;
    prfdata_numbering_forget(key->service);
    make_remembered_path(key->service, path);
    if (RegCreateKeyExW(HKEY_LOCAL_MACHINE, path, 0, NULL, REG_OPTION_VOLATILE,
                        KEY_SET_VALUE | KEY_WOW64_64KEY, NULL, &remembered, NULL) != ERROR_SUCCESS)
        return;
    write_remembered(remembered, before, &range);
    RegCloseKey(remembered);
}

void prfdata_numbering_forget(const wchar_t *service)
{
    wchar_t path[PATH_CHARS];

    make_remembered_path(service, path);
    (void)RegDeleteKeyExW(HKEY_LOCAL_MACHINE, path, KEY_WOW64_64KEY, 0);
}

static void read_remembered(const wchar_t *service, former_titles *former)
{
    wchar_t path[PATH_CHARS];
    DWORD type = 0;
    DWORD size = 0;
    HKEY key;

    make_remembered_path(service, path);
    if (RegOpenKeyExW(HKEY_LOCAL_MACHINE, path, 0, KEY_QUERY_VALUE | KEY_WOW64_64KEY, &key) !=
        ERROR_SUCCESS)
        return;
    former->has_range =
        prfdata_registry_number(key, L"First Counter", &former->range.first_counter) == 0 &&
        prfdata_registry_number(key, L"Last Counter", &former->range.last_counter) == 0;
    former->is_known =
        prfdata_registry_value(key, PRFDATA_VALUE_MAPS, &type, &former->bytes, &size) == 0 &&
        type == REG_BINARY && prfdata_maps_parse(former->bytes, size, &former->maps) == 0;
    RegCloseKey(key);
}

/* ---- What was there ---- */

/* Another product may have used the service's name before. */
static bool is_remembered_of(const former_titles *former, const prfdata_model *later)
{
    prfdata_model *model;
    bool is_same;

    if (prfdata_maps_decode_present(&former->maps, &model) != ERROR_SUCCESS)
        return false;
    is_same = prfdata_upgrade_is_same_product(model, later);
    prfdata_model_free(model);
    return is_same;
}

static void find_former_titles(const prfdata_registered *before, const prfdata_service_key *key,
                               bool goes_on, const prfdata_model *later, former_titles *former)
{
    if (before->values.count > 0) {
        former->has_range = prfdata_title_database_range(key, &former->range);
        former->is_known = goes_on && before->model;
        former->maps = before->maps;
        return;
    }
    read_remembered(key->service, former);
    former->is_known = former->is_known && is_remembered_of(former, later);
}

uint32_t prfdata_numbering_find(const prfdata_registered *before, const prfdata_service_key *key,
                                bool goes_on, const prfdata_model *later,
                                prfdata_title_numbers *numbers)
{
    former_titles former = {0};
    DWORD first = 0;
    uint32_t status;

    find_former_titles(before, key, goes_on, later, &former);
    status = prfdata_title_database_next(
        before->values.count > 0 && former.has_range ? &former.range : NULL, &first);
    if (!status)
        status = prfdata_title_numbers_go_on(numbers, former.is_known ? &former.maps : NULL,
                                             former.has_range ? former.range.first_counter : 0,
                                             former.range.last_counter, first);
    free(former.bytes);
    return status;
}
