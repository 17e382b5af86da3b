/* SPDX-License-Identifier: MIT */
/* Remembers the indexes that the titles of a service have, or had. Windows only. */
#include "titles/former_titles.h"

#include <stdio.h>
#include <stdlib.h>
#include <wchar.h>

#include "titles/title_range.h"
#include "windows/registry.h"

/*
 * The volatile key is directly below SOFTWARE, because a key between SOFTWARE and this key would
 * remain after a restart.
 */
#define REMEMBERED L"SOFTWARE\\PrfData Titles "
#define VALUE_MAPS L"Maps"

enum { PATH_CHARS = 24 + PRFDATA_MAX_SERVICE_CHARS + 1 };

static void make_remembered_path(const wchar_t *service, wchar_t *path)
{
    (void)swprintf(path, PATH_CHARS, REMEMBERED L"%ls", service);
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

/*
 * If the titles are not found and nothing is remembered, the registered numbers are used unchecked.
 * If these are incorrect, the worst result is that the new titles get unnecessarily high indexes.
 */
void prfdata_former_titles_find(prfdata_former_titles *former, const prfdata_service_key *key,
                                const prfdata_model *model)
{
    prfdata_title_range range;

    read_remembered(key->service, former);
    former->is_loaded = prfdata_title_range_look(key, model, &range);
    if (former->is_loaded ||
        (!former->has_range && key->performance && prfdata_title_database_range(key, &range))) {
        former->range = range;
        former->has_range = true;
    }
}

void prfdata_former_titles_free(prfdata_former_titles *former)
{
    free(former->maps);
    former->maps = NULL;
}

static void forget(const wchar_t *path)
{
    (void)RegDeleteKeyExW(HKEY_LOCAL_MACHINE, path, KEY_WOW64_64KEY, 0);
}

static void write_remembered(const wchar_t *service, const prfdata_former_titles *former)
{
    wchar_t path[PATH_CHARS];
    HKEY key;

    make_remembered_path(service, path);
    forget(path);
    if (RegCreateKeyExW(HKEY_LOCAL_MACHINE, path, 0, NULL, REG_OPTION_VOLATILE,
                        KEY_SET_VALUE | KEY_WOW64_64KEY, NULL, &key, NULL) != ERROR_SUCCESS)
        return;
    if (former->maps)
        (void)RegSetValueExW(key, VALUE_MAPS, 0, REG_BINARY, former->maps, former->maps_size);
    (void)prfdata_registry_set_number(key, L"Last Counter", former->range.last_counter);
    (void)prfdata_registry_set_number(key, L"First Counter", former->range.first_counter);
    RegCloseKey(key);
}

void prfdata_former_titles_remember(const prfdata_service_key *key,
                                    const prfdata_value_list *values, const prfdata_model *model)
{
    const prfdata_value *maps = model ? prfdata_service_key_find(values, VALUE_MAPS) : NULL;
    prfdata_former_titles former = {0};
    void *remembered;

    prfdata_former_titles_find(&former, key, model);
    remembered = former.maps;
    if (maps) {
        former.maps = maps->data;
        former.maps_size = maps->size;
    }
    if (former.has_range)
        write_remembered(key->service, &former);
    free(remembered);
}
