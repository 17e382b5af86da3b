/* SPDX-License-Identifier: MIT */
/*
 * Loads titles from the registry: from the title database, and from the maps of services. Windows
 * only.
 */
#include "source/system_titles.h"

#include <stdio.h>
#include <stdlib.h>
#include <wchar.h>

#include <windows.h>
#include <winperf.h>

#include "base/wide_format.h"
#include "map/maps.h"

#define PERFLIB_KEY  L"SOFTWARE\\Microsoft\\Windows NT\\CurrentVersion\\Perflib"
#define SERVICES_KEY L"SYSTEM\\CurrentControlSet\\Services"
/* First and largest size of a list. The list of Windows 11 has about 150,000 characters. */
#define FIRST_LIST_BYTES (1024u * 1024)
#define MAX_LIST_BYTES   (64u * 1024 * 1024)

const prfdata_system_keys prfdata_system_keys_here = {HKEY_PERFORMANCE_DATA, HKEY_PERFORMANCE_TEXT,
                                                      HKEY_LOCAL_MACHINE};

/* Add the titles in the value `name` of a key. */
static uint32_t add_database_list(prfdata_name_table *table, HKEY key, const wchar_t *name)
{
    DWORD capacity = FIRST_LIST_BYTES;
    uint32_t status;

    for (;;) {
        DWORD used = capacity;
        uint16_t *chars = malloc(capacity);

        if (!chars)
            return ERROR_NOT_ENOUGH_MEMORY;
        status = (uint32_t)RegQueryValueExW(key, name, NULL, NULL, (BYTE *)chars, &used);
        if (status == ERROR_SUCCESS && used <= capacity)
            status = prfdata_name_table_add_list(table, chars, used / sizeof *chars);
        free(chars);
        if (status != ERROR_MORE_DATA || capacity >= MAX_LIST_BYTES)
            return status;
        capacity *= 2;
    }
}

static bool read_title_index(HKEY key, const wchar_t *name, uint32_t *value)
{
    DWORD type = 0;
    DWORD data = 0;
    DWORD size = sizeof data;

    if (RegQueryValueExW(key, name, NULL, &type, (BYTE *)&data, &size) != ERROR_SUCCESS ||
        type != REG_DWORD || size != sizeof data)
        return false;
    *value = data;
    return true;
}

/* Says which part of each map to load. */
typedef struct wanted {
    /* Name of the value with the first index of the service's names or help texts. */
    const wchar_t *first;
    uint32_t (*add)(void *table, prfdata_text service, const prfdata_model *model, uint32_t first);
} wanted;

static uint32_t add_model_names(void *table, prfdata_text service, const prfdata_model *model,
                                uint32_t first)
{
    (void)service;
    return prfdata_name_table_append_model(table, model, first);
}

static uint32_t add_model_objects(void *table, prfdata_text service, const prfdata_model *model,
                                  uint32_t first)
{
    (void)service;
    return prfdata_name_table_append_model_objects(table, model, first);
}

static uint32_t add_model_helps(void *table, prfdata_text service, const prfdata_model *model,
                                uint32_t first)
{
    (void)service;
    return prfdata_name_table_append_model_helps(table, model, first);
}

static uint32_t add_model_metrics(void *table, prfdata_text service, const prfdata_model *model,
                                  uint32_t first)
{
    (void)service;
    return prfdata_metric_table_append_model(table, model, first);
}

static uint32_t add_model_ids(void *titles, prfdata_text service, const prfdata_model *model,
                              uint32_t first)
{
    prfdata_titles *into = titles;

    return prfdata_title_ids_add_model(&into->ids, service, model, first, &into->english);
}

static const wanted names = {L"First Counter", add_model_names};
static const wanted objects = {L"First Counter", add_model_objects};
static const wanted helps = {L"First Help", add_model_helps};
static const wanted metrics = {L"First Counter", add_model_metrics};
static const wanted ids = {L"First Counter", add_model_ids};

/* A service whose map is missing or damaged adds nothing. */
static uint32_t add_map_titles(void *table, const wanted *what, HKEY key, const wchar_t *service,
                               void *bytes)
{
    prfdata_model *model;
    uint32_t first = 0;
    DWORD type = 0;
    DWORD size = PRFDATA_MAX_MAPS_BYTES;
    uint32_t status;

    if (!read_title_index(key, what->first, &first) ||
        RegQueryValueExW(key, L"Maps", NULL, &type, bytes, &size) != ERROR_SUCCESS ||
        type != REG_BINARY)
        return ERROR_SUCCESS;
    status = prfdata_maps_current(bytes, size, &model);
    if (status != ERROR_SUCCESS)
        return status == ERROR_NOT_ENOUGH_MEMORY ? status : ERROR_SUCCESS;
    status = what->add(table, (prfdata_text){service, wcslen(service)}, model, first);
    prfdata_model_free(model);
    return status;
}

static uint32_t add_service_titles(void *table, const wanted *what, HKEY services,
                                   const wchar_t *service, void *bytes)
{
    wchar_t path[300];
    uint32_t status;
    HKEY key;

    if (prfdata_wide_format(path, sizeof path / sizeof path[0], L"%ls\\Performance", service) < 0)
        return ERROR_SUCCESS;
    if (RegOpenKeyExW(services, path, 0, KEY_QUERY_VALUE, &key) != ERROR_SUCCESS)
        return ERROR_SUCCESS;
    status = add_map_titles(table, what, key, service, bytes);
    RegCloseKey(key);
    return status;
}

static uint32_t add_all_services(const prfdata_system_keys *keys, void *table, const wanted *what)
{
    uint32_t status;
    HKEY services;
    void *bytes = malloc(PRFDATA_MAX_MAPS_BYTES);

    if (!bytes)
        return ERROR_NOT_ENOUGH_MEMORY;
    status = (uint32_t)RegOpenKeyExW(keys->machine, SERVICES_KEY, 0,
                                     KEY_ENUMERATE_SUB_KEYS | KEY_QUERY_VALUE, &services);
    if (status != ERROR_SUCCESS)
        goto free_bytes;
    for (DWORD i = 0; status == ERROR_SUCCESS; i++) {
        wchar_t service[256]; /* the longest name of a key has 255 characters */
        DWORD chars = sizeof service / sizeof service[0];

        status = (uint32_t)RegEnumKeyExW(services, i, service, &chars, NULL, NULL, NULL, NULL);
        if (status == ERROR_SUCCESS)
            status = add_service_titles(table, what, services, service, bytes);
    }
    if (status == ERROR_NO_MORE_ITEMS)
        status = ERROR_SUCCESS;
    RegCloseKey(services);
free_bytes:
    free(bytes);
    return status;
}

static uint32_t add_all_names(const prfdata_system_keys *keys, prfdata_name_table *table,
                              const wanted *what)
{
    const uint32_t status = add_all_services(keys, table, what);
    const uint32_t settled = prfdata_name_table_settle(table);

    return status == ERROR_SUCCESS ? settled : status;
}

/* Add the texts of the database, then those of the maps. If keys->text has no texts in the value
 * `list`, read the value `query` of keys->data. */
static uint32_t load_database_and_maps(const prfdata_system_keys *keys, prfdata_name_table *table,
                                       const wchar_t *list, const wchar_t *query,
                                       const wanted *what)
{
    uint32_t database =
        keys->text ? add_database_list(table, keys->text, list) : ERROR_FILE_NOT_FOUND;
    uint32_t services;

    if (table->count == 0 && database != ERROR_NOT_ENOUGH_MEMORY)
        database = add_database_list(table, keys->data, query);
    services = add_all_names(keys, table, what);
    if (database == ERROR_NOT_ENOUGH_MEMORY || services == ERROR_NOT_ENOUGH_MEMORY)
        return ERROR_NOT_ENOUGH_MEMORY;
    if (table->count > 0)
        return ERROR_SUCCESS;
    return database != ERROR_SUCCESS ? database : services;
}

uint32_t prfdata_system_titles_load(const prfdata_system_keys *keys, prfdata_name_table *table)
{
    return load_database_and_maps(keys, table, L"Counter", L"Counter 009", &names);
}

uint32_t prfdata_system_titles_load_helps(const prfdata_system_keys *keys,
                                          prfdata_name_table *table)
{
    return load_database_and_maps(keys, table, L"Help", L"Help 009", &helps);
}

uint32_t prfdata_system_titles_load_objects(const prfdata_system_keys *keys,
                                            prfdata_name_table *table)
{
    return add_all_names(keys, table, &objects);
}

uint32_t prfdata_system_titles_load_metrics(const prfdata_system_keys *keys,
                                            prfdata_metric_table *table)
{
    const uint32_t status = add_all_services(keys, table, &metrics);

    prfdata_metric_table_settle(table);
    return status;
}

uint32_t prfdata_system_titles_load_ids(const prfdata_system_keys *keys, prfdata_titles *titles)
{
    return add_all_services(keys, titles, &ids);
}

uint32_t prfdata_system_titles_find_service(const prfdata_system_keys *keys, prfdata_text service,
                                            uint32_t *first, uint32_t *last)
{
    static const wchar_t end[] = L"\\Performance";
    wchar_t path[256 + sizeof end / sizeof end[0]];
    HKEY services;
    HKEY key;
    bool is_known;

    if (service.count == 0 || service.count > 255)
        return ERROR_FILE_NOT_FOUND;
    for (size_t i = 0; i < service.count; i++) {
        if (service.chars[i] == '\\' || service.chars[i] == 0)
            return ERROR_FILE_NOT_FOUND; /* no name of a key has a backslash or a NUL */
        path[i] = service.chars[i];
    }
    wmemcpy(path + service.count, end, sizeof end / sizeof end[0]);
    if (RegOpenKeyExW(keys->machine, SERVICES_KEY, 0, KEY_QUERY_VALUE, &services) != ERROR_SUCCESS)
        return ERROR_FILE_NOT_FOUND;
    is_known = RegOpenKeyExW(services, path, 0, KEY_QUERY_VALUE, &key) == ERROR_SUCCESS;
    RegCloseKey(services);
    if (!is_known)
        return ERROR_FILE_NOT_FOUND;
    is_known = read_title_index(key, L"First Counter", first) &&
               read_title_index(key, L"Last Counter", last) && *first > 0 && *first <= *last;
    RegCloseKey(key);
    return is_known ? ERROR_SUCCESS : ERROR_FILE_NOT_FOUND;
}

uint64_t prfdata_system_titles_stamp(const prfdata_system_keys *keys)
{
    FILETIME written = {0, 0};
    HKEY key;

    if (RegOpenKeyExW(keys->machine, PERFLIB_KEY, 0, KEY_QUERY_VALUE | KEY_WOW64_64KEY, &key) !=
        ERROR_SUCCESS)
        return 0;
    (void)RegQueryInfoKeyW(key, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL,
                           &written);
    RegCloseKey(key);
    return (uint64_t)written.dwHighDateTime << 32 | written.dwLowDateTime;
}

uint32_t prfdata_system_titles_load_local(prfdata_name_table *table)
{
    return add_database_list(table, HKEY_PERFORMANCE_NLSTEXT, L"Counter");
}
