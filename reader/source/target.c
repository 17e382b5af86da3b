/* SPDX-License-Identifier: MIT */
#include "source/target.h"

#include <stdlib.h>
#include <string.h>
#include <wchar.h>

/* Perflib's default for Open and Collect. */
#define DEFAULT_LIMIT_MS 10000u
/* Twenty days: twice that is still a difference of tick counts. */
#define MOST_MS 1728000000u

static void copy_text(wchar_t *to, size_t capacity, prfdata_text text)
{
    size_t count = text.count < capacity - 1 ? text.count : capacity - 1;

    if (count > 0)
        memcpy(to, text.chars, count * sizeof *to);
    to[count] = 0;
}

/* Exports have ASCII names; another character matches none. */
static void narrow(char *to, size_t capacity, const wchar_t *text)
{
    size_t i = 0;

    for (; i + 1 < capacity && text[i]; i++)
        to[i] = text[i] < 0x80 ? (char)text[i] : '?';
    to[i] = '\0';
}

static void copy_name(char *to, size_t capacity, prfdata_text text, const char *standard)
{
    wchar_t wide[256];

    copy_text(wide, 256, text);
    if (text.count > 0)
        narrow(to, capacity, wide);
    else
        memcpy(to, standard, strlen(standard) + 1);
}

/* ---- The registry ---- */

static bool is_full_path(const wchar_t *path)
{
    return (path[0] && path[1] == L':' && (path[2] == L'\\' || path[2] == L'/')) ||
           (path[0] == L'\\' && path[1] == L'\\');
}

/* A REG_SZ, REG_EXPAND_SZ (expanded) or REG_MULTI_SZ, ended by two NULs. */
static uint32_t read_text(HKEY key, const wchar_t *name, wchar_t *text, DWORD capacity)
{
    DWORD size = (capacity - 2) * (DWORD)sizeof *text;
    DWORD type = 0;
    LSTATUS status;
    wchar_t *raw = calloc(capacity, sizeof *raw);

    if (!raw)
        return ERROR_NOT_ENOUGH_MEMORY;
    status = RegQueryValueExW(key, name, NULL, &type, (BYTE *)raw, &size);
    if (status == ERROR_SUCCESS && type != REG_SZ && type != REG_EXPAND_SZ && type != REG_MULTI_SZ)
        status = ERROR_INVALID_DATA;
    if (status == ERROR_SUCCESS) {
        memset(text, 0, capacity * sizeof *text);
        if (type != REG_EXPAND_SZ)
            memcpy(text, raw, size);
        else if (ExpandEnvironmentStringsW(raw, text, capacity - 1) >= capacity)
            status = ERROR_MORE_DATA;
    }
    free(raw);
    return (uint32_t)status;
}

static uint32_t read_name(HKEY key, const wchar_t *name, char *text, size_t capacity)
{
    wchar_t wide[258];
    uint32_t status = read_text(key, name, wide, 258);

    if (status == ERROR_SUCCESS)
        narrow(text, capacity, wide);
    return status;
}

static uint32_t read_number(HKEY key, const wchar_t *name, uint32_t missing)
{
    DWORD value = 0;
    DWORD size = sizeof value;
    DWORD type = 0;

    if (RegQueryValueExW(key, name, NULL, &type, (BYTE *)&value, &size) != ERROR_SUCCESS ||
        type != REG_DWORD || size != sizeof value)
        return missing;
    return value;
}

static uint32_t open_key(const prfdata_target_request *request, const wchar_t *below, HKEY *key)
{
    wchar_t path[512] = L"SYSTEM\\CurrentControlSet\\Services\\";
    size_t used = wcslen(path);

    copy_text(path + used, 256, request->service);
    wcscat(path, below);
    return (uint32_t)RegOpenKeyExW(HKEY_LOCAL_MACHINE, path, 0, KEY_QUERY_VALUE, key);
}

static void read_numbers(HKEY key, prfdata_target *target)
{
    target->titles.first_counter = read_number(key, L"First Counter", 0);
    target->titles.last_counter = read_number(key, L"Last Counter", 0);
    target->titles.first_help = read_number(key, L"First Help", 0);
    target->titles.last_help = read_number(key, L"Last Help", 0);
    target->open_limit_ms = read_number(key, L"Open Timeout", DEFAULT_LIMIT_MS);
    target->collect_limit_ms = read_number(key, L"Collect Timeout", DEFAULT_LIMIT_MS);
    target->answers_metadata = read_number(key, L"Collect Supports Metadata", 0) != 0;
    target->is_disabled = read_number(key, L"Disable Performance Counters", 0) != 0;
}

static uint32_t read_service(const prfdata_target_request *request, prfdata_target *target,
                             const char **what)
{
    HKEY key;
    uint32_t status;

    *what = "the service's Performance key";
    status = open_key(request, L"\\Performance", &key);
    if (status != ERROR_SUCCESS)
        return status;
    *what = "the value Library";
    status = read_text(key, L"Library", target->library,
                       sizeof target->library / sizeof target->library[0]);
    if (status == ERROR_SUCCESS) {
        *what = "the value Open";
        status = read_name(key, L"Open", target->open, sizeof target->open);
    }
    if (status == ERROR_SUCCESS) {
        *what = "the value Collect";
        status = read_name(key, L"Collect", target->collect, sizeof target->collect);
    }
    if (status == ERROR_SUCCESS) {
        *what = "the value Close";
        status = read_name(key, L"Close", target->close, sizeof target->close);
    }
    read_numbers(key, target);
    RegCloseKey(key);
    if (status != ERROR_SUCCESS || open_key(request, L"\\Linkage", &key) != ERROR_SUCCESS)
        return status;
    target->has_context =
        read_text(key, L"Export", target->context,
                  sizeof target->context / sizeof target->context[0]) == ERROR_SUCCESS;
    RegCloseKey(key);
    return ERROR_SUCCESS;
}

bool prfdata_target_has_service(prfdata_text service)
{
    const prfdata_target_request request = {.service = service};
    HKEY key;

    if (service.count > 255 || open_key(&request, L"\\Performance", &key) != ERROR_SUCCESS)
        return false;
    RegCloseKey(key);
    return true;
}

/* Library without a folder is what the loader finds first: nearly always the system's. */
static bool is_library(HKEY services, const wchar_t *service, const wchar_t *dll)
{
    wchar_t below[256 + 16];
    wchar_t library[1024];
    wchar_t full[1024 + MAX_PATH];
    uint32_t status;
    HKEY key;
    UINT used;

    wcscpy(below, service);
    wcscat(below, L"\\Performance");
    if (RegOpenKeyExW(services, below, 0, KEY_QUERY_VALUE, &key) != ERROR_SUCCESS)
        return false;
    status = read_text(key, L"Library", library, 1024);
    RegCloseKey(key);
    if (status != ERROR_SUCCESS)
        return false;
    if (is_full_path(library))
        return _wcsicmp(library, dll) == 0;
    used = GetSystemDirectoryW(full, MAX_PATH);
    if (used == 0 || used >= MAX_PATH)
        return false;
    full[used] = L'\\';
    wcscpy(full + used + 1, library);
    return _wcsicmp(full, dll) == 0;
}

bool prfdata_target_find_service(const wchar_t *dll, wchar_t *service)
{
    bool found = false;
    HKEY services;

    if (RegOpenKeyExW(HKEY_LOCAL_MACHINE, L"SYSTEM\\CurrentControlSet\\Services", 0,
                      KEY_ENUMERATE_SUB_KEYS, &services) != ERROR_SUCCESS)
        return false;
    for (DWORD i = 0; !found; i++) {
        DWORD chars = 256;

        if (RegEnumKeyExW(services, i, service, &chars, NULL, NULL, NULL, NULL) != ERROR_SUCCESS)
            break;
        found = is_library(services, service, dll);
    }
    RegCloseKey(services);
    return found;
}

/* ---- The command line ---- */

static void read_request(const prfdata_target_request *request, prfdata_target *target)
{
    const size_t capacity = sizeof target->library / sizeof target->library[0];
    wchar_t path[1024];
    DWORD count;

    copy_text(path, 1024, request->dll);
    count = GetFullPathNameW(path, (DWORD)capacity, target->library, NULL);
    if (count == 0 || count >= capacity)
        copy_text(target->library, capacity, request->dll);
    copy_name(target->open, sizeof target->open, request->open, "PrfDataOpen");
    copy_name(target->collect, sizeof target->collect, request->collect, "PrfDataCollect");
    copy_name(target->close, sizeof target->close, request->close, "PrfDataClose");
    target->open_limit_ms = DEFAULT_LIMIT_MS;
    target->collect_limit_ms = DEFAULT_LIMIT_MS;
}

uint32_t prfdata_target_find(const prfdata_target_request *request, prfdata_target *target,
                             const char **what)
{
    uint32_t status = ERROR_SUCCESS;

    memset(target, 0, sizeof *target);
    if (request->dll.count > 0)
        read_request(request, target);
    else
        status = read_service(request, target, what);
    target->is_relative = !is_full_path(target->library);
    if (request->has_context) {
        target->has_context = true;
        memset(target->context, 0, sizeof target->context);
        copy_text(target->context, sizeof target->context / sizeof target->context[0] - 1,
                  request->context);
    }
    if (request->first != 0) {
        target->titles.first_counter = request->first;
        target->titles.last_counter = request->last;
        target->titles.first_help = request->first + 1;
        target->titles.last_help = request->last != 0 ? request->last + 1 : 0;
    }
    if (request->limit_s != 0) {
        target->open_limit_ms =
            request->limit_s < MOST_MS / 1000 ? request->limit_s * 1000 : MOST_MS;
        target->collect_limit_ms = target->open_limit_ms;
    }
    if (target->open_limit_ms > MOST_MS)
        target->open_limit_ms = MOST_MS;
    if (target->collect_limit_ms > MOST_MS)
        target->collect_limit_ms = MOST_MS;
    return status;
}
