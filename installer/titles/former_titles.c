/* SPDX-License-Identifier: MIT */
#include "titles/former_titles.h"

#include <stdio.h>
#include <stdlib.h>
#include <wchar.h>

#include "titles/title_range.h"
#include "windows/registry.h"

/* One key, so that nothing is left of it: what is below a volatile key must be volatile. */
#define REMEMBERED L"SOFTWARE\\PrfData Titles "
#define VALUE_MAPS L"Maps"

enum { PATH_CHARS = 24 + PRFDATA_MAX_SERVICE_CHARS + 1 };

static void make_remembered_path(const wchar_t *service, wchar_t *path)
{
    (void)swprintf(path, PATH_CHARS, REMEMBERED L"%ls", service);
}

/*
 * The range that is registered. Numbers that are wrong and cannot be corrected are better than
 * none: at worst, new titles come after more numbers than were used.
 */
static bool find_registered_range(const prfdata_service_key *key, const prfdata_model *model,
                                  prfdata_former_titles *former)
{
    former->is_loaded = prfdata_title_range_look(key, model, &former->range);
    former->has_range = former->is_loaded ||
                        (key->performance && prfdata_title_database_range(key, &former->range));
    return former->has_range;
}

static void read_remembered(const wchar_t *service, prfdata_former_titles *former)
{
    wchar_t path[PATH_CHARS];
    DWORD type = 0;
    BYTE *maps = NULL;
    HKEY key;

    make_remembered_path(service, path);
    if (RegOpenKeyExW(HKEY_LOCAL_MACHINE, path, 0, KEY_QUERY_VALUE | KEY_WOW64_64KEY, &key) !=
        ERROR_SUCCESS)
        return;
    former->has_range =
        prfdata_registry_number(key, L"First Counter", &former->range.first_counter) == 0 &&
        prfdata_registry_number(key, L"Last Counter", &former->range.last_counter) == 0;
    if (prfdata_registry_value(key, VALUE_MAPS, &type, &maps, &former->maps_size) == 0)
        former->maps = maps;
    RegCloseKey(key);
}

void prfdata_former_titles_find(prfdata_former_titles *former, const prfdata_service_key *key,
                                const prfdata_model *model)
{
    if (!find_registered_range(key, model, former))
        read_remembered(key->service, former);
}

void prfdata_former_titles_free(prfdata_former_titles *former)
{
    free(former->maps);
    former->maps = NULL;
}

static void write_remembered(HKEY key, const prfdata_value *maps, const prfdata_title_range *range)
{
    if (maps)
        (void)RegSetValueExW(key, VALUE_MAPS, 0, REG_BINARY, maps->data, maps->size);
    (void)prfdata_registry_set_number(key, L"Last Counter", range->last_counter);
    (void)prfdata_registry_set_number(key, L"First Counter", range->first_counter);
}

void prfdata_former_titles_remember(const prfdata_service_key *key,
                                    const prfdata_value_list *values, const prfdata_model *model)
{
    const prfdata_value *maps = model ? prfdata_service_key_find(values, VALUE_MAPS) : NULL;
    prfdata_former_titles former = {0};
    wchar_t path[PATH_CHARS];
    HKEY remembered;

    if (!find_registered_range(key, model, &former))
        return;
    prfdata_former_titles_forget(key->service);
    make_remembered_path(key->service, path);
    if (RegCreateKeyExW(HKEY_LOCAL_MACHINE, path, 0, NULL, REG_OPTION_VOLATILE,
                        KEY_SET_VALUE | KEY_WOW64_64KEY, NULL, &remembered, NULL) != ERROR_SUCCESS)
        return;
    write_remembered(remembered, maps, &former.range);
    RegCloseKey(remembered);
}

void prfdata_former_titles_forget(const wchar_t *service)
{
    wchar_t path[PATH_CHARS];

    make_remembered_path(service, path);
    (void)RegDeleteKeyExW(HKEY_LOCAL_MACHINE, path, KEY_WOW64_64KEY, 0);
}
