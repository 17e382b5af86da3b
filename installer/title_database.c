/* SPDX-License-Identifier: MIT */
/*
 * Windows only. Under Wine loadperf returns success and does nothing; there, and only there, this
 * file reserves the indexes itself, in the Perflib key. The lists of titles are never written here.
 */
#include "installer/title_database.h"

#include <stdio.h>
#include <stdlib.h>
#include <wchar.h>

#include "installer/registry.h"
#include "installer/title_list.h"
#include "installer/wine.h"

#define PERFLIB L"SOFTWARE\\Microsoft\\Windows NT\\CurrentVersion\\Perflib"

/* The last index that a new Windows uses; the titles of services come after it. */
#define FRESH_LAST_COUNTER 1846u

/* Readers take indexes of at most seven digits. */
#define HIGHEST_INDEX 9999999u

/* The title database may be busy for a while: try for two seconds. */
#define TRIES    20
#define PAUSE_MS 100

#define MAX_LIST_BYTES (64u * 1024 * 1024)

typedef DWORD(WINAPI loadperf_function)(LPWSTR command, BOOL quiet);

static const wchar_t *const value_names[] = {L"First Counter", L"Last Counter", L"First Help",
                                             L"Last Help",     L"Object List",  NULL};

const wchar_t *const *prfdata_title_database_value_names(void)
{
    return value_names;
}

bool prfdata_title_database_is_loaded(const prfdata_service_key *key)
{
    DWORD number;

    for (int i = 0; i < 4; i++) {
        if (prfdata_service_key_number(key, value_names[i], &number))
            return true;
    }
    return false;
}

bool prfdata_title_database_range(const prfdata_service_key *key, prfdata_title_range *range)
{
    return prfdata_service_key_number(key, L"First Counter", &range->first_counter) &&
           prfdata_service_key_number(key, L"Last Counter", &range->last_counter) &&
           prfdata_service_key_number(key, L"First Help", &range->first_help) &&
           prfdata_service_key_number(key, L"Last Help", &range->last_help);
}

/* ---- The title database ---- */

/* Read "Counter 009" into new memory. */
static uint32_t read_title_list(BYTE **list, DWORD *list_bytes)
{
    for (DWORD capacity = 1024 * 1024; capacity <= MAX_LIST_BYTES; capacity *= 2) {
        BYTE *bytes = malloc(capacity);
        DWORD size = capacity; /* undefined after a failure */
        uint32_t status;

        if (!bytes)
            return ERROR_NOT_ENOUGH_MEMORY;
        status = (uint32_t)RegQueryValueExW(HKEY_PERFORMANCE_DATA, L"Counter 009", NULL, NULL,
                                            bytes, &size);
        if (!status) {
            *list = bytes;
            *list_bytes = size;
            return ERROR_SUCCESS;
        }
        free(bytes);
        if (status != ERROR_MORE_DATA)
            return status;
    }
    return ERROR_MORE_DATA;
}

static bool is_title(DWORD index, const wchar_t *name)
{
    size_t title_chars = 0;
    const uint16_t *title;
    BYTE *list;
    DWORD list_bytes;
    bool same;

    if (read_title_list(&list, &list_bytes) != 0)
        return false;
    title = prfdata_title_list_find((const uint16_t *)(const void *)list,
                                    list_bytes / sizeof(uint16_t), index, &title_chars);
    same = title && wcslen(name) == title_chars && wmemcmp(title, name, title_chars) == 0;
    free(list);
    /* Forget the list that this process has cached, which may be older than the titles. */
    RegCloseKey(HKEY_PERFORMANCE_DATA);
    return same;
}

static bool wait_for_title(DWORD index, const wchar_t *name)
{
    for (int i = 0; i < TRIES; i++) {
        if (is_title(index, name))
            return true;
        Sleep(PAUSE_MS);
    }
    return false;
}

uint32_t prfdata_title_database_verify(const prfdata_service_key *key, const prfdata_model *model)
{
    DWORD span = 2 * (model->title_count - 1);
    prfdata_title_range range;

    if (!prfdata_title_database_is_loaded(key))
        return ERROR_FILE_NOT_FOUND;
    if (!prfdata_title_database_range(key, &range) ||
        range.last_counter - range.first_counter != span ||
        range.last_help - range.first_help != span)
        return ERROR_INVALID_DATA;
    if (!prfdata_wine_is_here() &&
        !wait_for_title(range.first_counter, model->objects[0].entry->name))
        return ERROR_INVALID_DATA;
    return ERROR_SUCCESS;
}

/* ---- Windows: loadperf ---- */

static uint32_t call_loadperf(const char *function_name, const wchar_t *argument)
{
    wchar_t command[2 * MAX_PATH];
    union {
        FARPROC untyped;
        loadperf_function *typed;
    } function;
    uint32_t status;
    HMODULE loadperf = LoadLibraryExW(L"loadperf.dll", NULL, LOAD_LIBRARY_SEARCH_SYSTEM32);

    if (!loadperf)
        return GetLastError();
    function.untyped = GetProcAddress(loadperf, function_name);
    /* loadperf skips the first word of the command line. lodctr also passes the path in quotes. */
    if (!function.untyped)
        status = GetLastError();
    else if (swprintf(command, sizeof command / sizeof command[0], L"prfdata \"%ls\"", argument) <
             0)
        status = ERROR_FILENAME_EXCED_RANGE;
    else
        status = function.typed(command, TRUE);
    FreeLibrary(loadperf);
    return status;
}

/* ---- Wine: reserve the indexes that loadperf would ---- */

static uint32_t open_perflib(HKEY *perflib)
{
    return (uint32_t)RegOpenKeyExW(HKEY_LOCAL_MACHINE, PERFLIB, 0,
                                   KEY_QUERY_VALUE | KEY_SET_VALUE | KEY_WOW64_64KEY, perflib);
}

/* Read the last counter index in use. The index of its help is higher by one. */
static uint32_t last_title_index(HKEY perflib, DWORD *last)
{
    DWORD number = 0;
    uint32_t status = prfdata_registry_number(perflib, L"Last Counter", &number);

    if (status == ERROR_FILE_NOT_FOUND) {
        number = FRESH_LAST_COUNTER;
        status = ERROR_SUCCESS;
    } else if (!status && number % 2 != 0) {
        status = ERROR_INVALID_DATA;
    }
    if (!status)
        *last = number;
    return status;
}

static uint32_t set_last_title_index(HKEY perflib, DWORD last)
{
    uint32_t status = prfdata_registry_set_number(perflib, L"Last Counter", last);

    return status ? status : prfdata_registry_set_number(perflib, L"Last Help", last + 1);
}

static uint32_t set_object_list(const prfdata_service_key *key, const prfdata_model *model,
                                DWORD first)
{
    wchar_t list[PRFDATA_MAX_OBJECTS * 8 + 1] = L"";
    size_t used = 0;

    for (uint32_t i = 0; i < model->object_count; i++)
        used += (size_t)swprintf(list + used, sizeof list / sizeof list[0] - used,
                                 i > 0 ? L" %lu" : L"%lu",
                                 (unsigned long)(first + model->objects[i].title_offset));
    return prfdata_service_key_set(key, L"Object List", REG_SZ, list, (used + 1) * sizeof list[0]);
}

static void forget_title_range(const prfdata_service_key *key)
{
    for (const wchar_t *const *name = value_names; *name; name++)
        prfdata_service_key_delete(key, *name);
}

static uint32_t take_title_range(const prfdata_service_key *key, const prfdata_model *model)
{
    DWORD span = 2 * (model->title_count - 1);
    DWORD last, first = 0;
    HKEY perflib;
    uint32_t status = open_perflib(&perflib);

    if (status)
        return status;
    status = last_title_index(perflib, &last);
    if (!status && (last > HIGHEST_INDEX || span + 3 > HIGHEST_INDEX - last))
        status = ERROR_NO_SYSTEM_RESOURCES;
    if (!status) {
        first = last + 2;
        status = set_last_title_index(perflib, first + span);
    }
    RegCloseKey(perflib);
    if (status)
        return status;

    const DWORD numbers[] = {first, first + span, first + 1, first + 1 + span};
    for (int i = 0; i < 4 && !status; i++)
        status = prfdata_registry_set_number(key->performance, value_names[i], numbers[i]);
    if (!status)
        status = set_object_list(key, model, first);
    if (status)
        forget_title_range(key);
    return status;
}

static uint32_t release_title_range(const prfdata_service_key *key)
{
    prfdata_title_range range;
    DWORD last;
    HKEY perflib;
    uint32_t status;

    if (prfdata_title_database_range(key, &range)) {
        status = open_perflib(&perflib);
        if (status)
            return status;
        /* As with unlodctr, only the last range can be released. */
        if (last_title_index(perflib, &last) == 0 && last == range.last_counter &&
            range.first_counter >= 2)
            status = set_last_title_index(perflib, range.first_counter - 2);
        RegCloseKey(perflib);
        if (status)
            return status;
    }
    forget_title_range(key);
    return ERROR_SUCCESS;
}

/* ---- Windows and Wine ---- */

uint32_t prfdata_title_database_load(const prfdata_service_key *key, const prfdata_model *model,
                                     const wchar_t *ini_path)
{
    uint32_t status, verified;

    if (prfdata_wine_is_here()) {
        status = take_title_range(key, model);
        return status ? status : prfdata_title_database_verify(key, model);
    }
    status = call_loadperf("LoadPerfCounterTextStringsW", ini_path);
    verified = prfdata_title_database_verify(key, model);
    if (!verified)
        return ERROR_SUCCESS;
    return status ? status : ERROR_INVALID_DATA;
}

uint32_t prfdata_title_database_unload(const prfdata_service_key *key)
{
    uint32_t status;

    if (prfdata_wine_is_here())
        return release_title_range(key);
    status = call_loadperf("UnloadPerfCounterTextStringsW", key->service);
    if (!prfdata_title_database_is_loaded(key))
        return ERROR_SUCCESS;
    return status ? status : ERROR_INVALID_DATA;
}
