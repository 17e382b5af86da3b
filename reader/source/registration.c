/* SPDX-License-Identifier: MIT */
/*
 * Reads the registrations of providers from the registry. It does not load the DLLs; caller.c does.
 * Windows only.
 */
#include "source/registration.h"

#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#define PERFLIB_KEY L"SOFTWARE\\Microsoft\\Windows NT\\CurrentVersion\\Perflib"
/* The limit for Open and Collect if neither the service nor Perflib's key sets one. */
#define DEFAULT_LIMIT_MS 10000u
/* Twenty days, because twice this time must still fit into a difference of 32-bit tick counts. */
#define MOST_MS 1728000000u

static void copy_wide(wchar_t *to, size_t capacity, prfdata_text text)
{
    size_t count = text.count < capacity - 1 ? text.count : capacity - 1;

    if (count > 0)
        memcpy(to, text.chars, count * sizeof *to);
    to[count] = 0;
}

/* Copy the name of an export. A character that is not ASCII becomes a ?. Only decorated names of
 * C++ contain a ?, so no other export is found by mistake. */
static void copy_narrow(char *to, size_t capacity, const wchar_t *text)
{
    size_t i = 0;

    for (; i + 1 < capacity && text[i]; i++)
        to[i] = text[i] < 0x80 ? (char)text[i] : '?';
    to[i] = '\0';
}

/* ---- The registry ---- */

static bool is_full_path(const wchar_t *path)
{
    return (path[0] && path[1] == L':' && (path[2] == L'\\' || path[2] == L'/')) ||
           (path[0] == L'\\' && path[1] == L'\\');
}

/* Read a REG_SZ, REG_EXPAND_SZ (expanded) or REG_MULTI_SZ, and end it with two NULs. */
static uint32_t read_registry_text(HKEY key, const wchar_t *name, wchar_t *text, DWORD capacity)
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

static uint32_t read_export_name(HKEY key, const wchar_t *name, char *text, size_t capacity)
{
    wchar_t wide[258];
    uint32_t status = read_registry_text(key, name, wide, 258);

    if (status == ERROR_SUCCESS)
        copy_narrow(text, capacity, wide);
    return status;
}

static uint32_t read_registration_number(HKEY key, const wchar_t *name, uint32_t missing)
{
    DWORD value = 0;
    DWORD size = sizeof value;
    DWORD type = 0;

    if (RegQueryValueExW(key, name, NULL, &type, (BYTE *)&value, &size) != ERROR_SUCCESS ||
        type != REG_DWORD || size != sizeof value)
        return missing;
    return value;
}

static uint32_t open_service_key(prfdata_text service, const wchar_t *below, HKEY *key)
{
    wchar_t path[512] = L"SYSTEM\\CurrentControlSet\\Services\\";
    size_t used = wcslen(path);

    copy_wide(path + used, 256, service);
    wcscat(path, below);
    return (uint32_t)RegOpenKeyExW(HKEY_LOCAL_MACHINE, path, 0, KEY_QUERY_VALUE, key);
}

static bool disables_readers(uint32_t value, bool are_64_bit)
{
    return (value & 1) || (value & (are_64_bit ? 4 : 2));
}

bool prfdata_registration_value_disables(uint32_t value)
{
    return disables_readers(value, sizeof(void *) == 8);
}

static uint32_t limit_ms(uint32_t milliseconds)
{
    return milliseconds < MOST_MS ? milliseconds : MOST_MS;
}

/*
 * Read the limit for Open and Collect. Services that set no limit get this one.
 * OpenProcedureWaitTime is documented for Windows Server 2003. The pages of later systems name only
 * a limit of 10 seconds.
 */
static uint32_t default_limit_ms(void)
{
    uint32_t milliseconds;
    HKEY key;

    if (RegOpenKeyExW(HKEY_LOCAL_MACHINE, PERFLIB_KEY, 0, KEY_QUERY_VALUE, &key) != ERROR_SUCCESS)
        return DEFAULT_LIMIT_MS;
    milliseconds = read_registration_number(key, L"OpenProcedureWaitTime", DEFAULT_LIMIT_MS);
    RegCloseKey(key);
    return limit_ms(milliseconds);
}

static void read_limits_and_titles(HKEY key, prfdata_registration *registration)
{
    const uint32_t default_ms = default_limit_ms();
    const uint32_t disable = read_registration_number(key, L"Disable Performance Counters", 0);

    registration->titles.first_counter = read_registration_number(key, L"First Counter", 0);
    registration->titles.last_counter = read_registration_number(key, L"Last Counter", 0);
    registration->titles.first_help = read_registration_number(key, L"First Help", 0);
    registration->titles.last_help = read_registration_number(key, L"Last Help", 0);
    registration->open_limit_ms =
        limit_ms(read_registration_number(key, L"Open Timeout", default_ms));
    registration->collect_limit_ms =
        limit_ms(read_registration_number(key, L"Collect Timeout", default_ms));
    registration->answers_metadata =
        read_registration_number(key, L"Collect Supports Metadata", 0) != 0;
    registration->gets_metadata = registration->answers_metadata;
    registration->is_disabled = prfdata_registration_value_disables(disable);
    registration->is_disabled_for_others = disables_readers(disable, sizeof(void *) != 8);
}

static uint32_t read_exports(HKEY key, prfdata_registration *registration, const char **what)
{
    uint32_t status;

    *what = "the value Open";
    status = read_export_name(key, L"Open", registration->open, sizeof registration->open);
    if (status == ERROR_SUCCESS) {
        *what = "the value Collect";
        status =
            read_export_name(key, L"Collect", registration->collect, sizeof registration->collect);
    }
    if (status == ERROR_SUCCESS) {
        *what = "the value Close";
        status = read_export_name(key, L"Close", registration->close, sizeof registration->close);
    }
    return status;
}

/* Read the argument that perflib passes to Open. Most services have none. */
static void read_context(prfdata_text service, prfdata_registration *registration)
{
    HKEY key;

    if (open_service_key(service, L"\\Linkage", &key) != ERROR_SUCCESS)
        return;
    registration->has_context =
        read_registry_text(key, L"Export", registration->context,
                           PRFDATA_REGISTRATION_PATH_CHARS) == ERROR_SUCCESS;
    RegCloseKey(key);
}

uint32_t prfdata_registration_read(prfdata_text service, prfdata_registration *registration,
                                   const char **what)
{
    HKEY key;
    uint32_t status;

    memset(registration, 0, sizeof *registration);
    *what = "the service's Performance key";
    status = open_service_key(service, L"\\Performance", &key);
    if (status != ERROR_SUCCESS)
        return status;
    *what = "the value Library";
    status =
        read_registry_text(key, L"Library", registration->library, PRFDATA_REGISTRATION_PATH_CHARS);
    if (status == ERROR_SUCCESS)
        status = read_exports(key, registration, what);
    read_limits_and_titles(key, registration);
    if (read_registry_text(key, L"Object List", registration->objects,
                           PRFDATA_REGISTRATION_PATH_CHARS) != ERROR_SUCCESS)
        registration->objects[0] = 0;
    RegCloseKey(key);
    registration->is_relative = !is_full_path(registration->library);
    if (status == ERROR_SUCCESS)
        read_context(service, registration);
    return status;
}

bool prfdata_registration_exists(prfdata_text service)
{
    HKEY key;

    if (service.count > 255 || open_service_key(service, L"\\Performance", &key) != ERROR_SUCCESS)
        return false;
    RegCloseKey(key);
    return true;
}

/* Returns whether the service's Library is this DLL. A Library without a folder means the file that
 * the loader finds first, nearly always in the system folder. */
static bool is_service_library(HKEY services, const wchar_t *service, const wchar_t *dll)
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
    status = read_registry_text(key, L"Library", library, 1024);
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

bool prfdata_registration_find_service(const wchar_t *dll, wchar_t *service)
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
        found = is_service_library(services, service, dll);
    }
    RegCloseKey(services);
    return found;
}

/* ---- A library without a folder ---- */

#define FOLDER_CHARS 1024

/* Returns whether the folder has the file, and puts its path into `path`. SearchPath appends .dll
 * if the name has no extension, as LoadLibrary does. */
static bool is_found_in(const wchar_t *folder, const wchar_t *name, wchar_t *path, size_t capacity)
{
    const DWORD chars =
        is_full_path(folder) ? SearchPathW(folder, name, L".dll", (DWORD)capacity, path, NULL) : 0;

    return chars > 0 && chars < capacity;
}

static bool is_found_beside_program(const wchar_t *name, wchar_t *path, size_t capacity)
{
    wchar_t folder[FOLDER_CHARS] = L"";
    const DWORD chars = GetModuleFileNameW(NULL, folder, FOLDER_CHARS);
    wchar_t *last = chars > 0 && chars < FOLDER_CHARS ? wcsrchr(folder, L'\\') : NULL;

    if (!last)
        return false;
    *last = 0;
    return is_found_in(folder, name, path, capacity);
}

static bool is_found_in_system(const wchar_t *name, wchar_t *path, size_t capacity)
{
    wchar_t folder[FOLDER_CHARS] = L"";

    if (GetSystemDirectoryW(folder, FOLDER_CHARS) > 0 && is_found_in(folder, name, path, capacity))
        return true;
    return GetWindowsDirectoryW(folder, FOLDER_CHARS) > 0 &&
           is_found_in(folder, name, path, capacity);
}

static bool is_found_in_list(wchar_t *list, const wchar_t *name, wchar_t *path, size_t capacity)
{
    while (list) {
        wchar_t *folder = list;

        list = wcschr(list, L';');
        if (list)
            *list++ = 0;
        if (is_found_in(folder, name, path, capacity))
            return true;
    }
    return false;
}

static bool is_found_in_path(const wchar_t *name, wchar_t *path, size_t capacity)
{
    const DWORD chars = GetEnvironmentVariableW(L"PATH", NULL, 0);
    wchar_t *list = chars > 0 ? calloc(chars, sizeof *list) : NULL;
    const bool is_found = list && GetEnvironmentVariableW(L"PATH", list, chars) < chars &&
                          is_found_in_list(list, name, path, capacity);

    free(list);
    return is_found;
}

bool prfdata_registration_library_path(const prfdata_registration *registration, wchar_t *path)
{
    const size_t capacity = PRFDATA_REGISTRATION_PATH_CHARS;
    const wchar_t *name = registration->library;

    if (!registration->is_relative) {
        wcscpy(path, name);
        return true;
    }
    return !wcspbrk(name, L"\\/:") &&
           (is_found_beside_program(name, path, capacity) ||
            is_found_in_system(name, path, capacity) || is_found_in_path(name, path, capacity));
}

/* ---- All services ---- */

static bool has_library(HKEY services, const wchar_t *service)
{
    wchar_t below[256 + 16];
    LSTATUS status;
    HKEY key;

    wcscpy(below, service);
    wcscat(below, L"\\Performance");
    if (RegOpenKeyExW(services, below, 0, KEY_QUERY_VALUE, &key) != ERROR_SUCCESS)
        return false;
    status = RegQueryValueExW(key, L"Library", NULL, NULL, NULL, NULL);
    RegCloseKey(key);
    return status == ERROR_SUCCESS;
}

bool prfdata_registration_next(uint32_t *position, wchar_t *service)
{
    bool found = false;
    HKEY services;

    if (RegOpenKeyExW(HKEY_LOCAL_MACHINE, L"SYSTEM\\CurrentControlSet\\Services", 0,
                      KEY_ENUMERATE_SUB_KEYS, &services) != ERROR_SUCCESS)
        return false;
    while (!found) {
        DWORD chars = 256;

        if (RegEnumKeyExW(services, (*position)++, service, &chars, NULL, NULL, NULL, NULL) !=
            ERROR_SUCCESS)
            break;
        found = has_library(services, service);
    }
    RegCloseKey(services);
    return found;
}

static bool are_titles_known(const prfdata_registration_titles *titles)
{
    return titles->first_counter != 0 && titles->last_counter >= titles->first_counter;
}

/* Returns whether perflib reads the service and the service has one of the titles. */
static bool has_title_of(const wchar_t *service, const prfdata_registration_titles *titles,
                         prfdata_registration_titles *theirs)
{
    prfdata_registration other;
    HKEY key;

    if (open_service_key(prfdata_text_from_chars((const uint16_t *)service), L"\\Performance",
                         &key) != ERROR_SUCCESS)
        return false;
    read_limits_and_titles(key, &other);
    RegCloseKey(key);
    *theirs = other.titles;
    return !other.is_disabled && are_titles_known(theirs) &&
           theirs->first_counter <= titles->last_counter &&
           theirs->last_counter >= titles->first_counter;
}

bool prfdata_registration_find_sharing(prfdata_text service,
                                       const prfdata_registration_titles *titles, wchar_t *other,
                                       prfdata_registration_titles *theirs)
{
    wchar_t own[256];

    copy_wide(own, 256, service);
    if (!are_titles_known(titles))
        return false;
    for (uint32_t i = 0; prfdata_registration_next(&i, other);) {
        if (_wcsicmp(other, own) != 0 && has_title_of(other, titles, theirs))
            return true;
    }
    return false;
}

/* ---- Given by the user ---- */

void prfdata_registration_of_dll(prfdata_text dll, prfdata_registration *registration)
{
    static const char *const names[] = {"PrfDataOpen", "PrfDataCollect", "PrfDataClose"};
    const DWORD capacity = PRFDATA_REGISTRATION_PATH_CHARS;
    wchar_t path[PRFDATA_REGISTRATION_PATH_CHARS];
    DWORD count;

    memset(registration, 0, sizeof *registration);
    copy_wide(path, capacity, dll);
    count = GetFullPathNameW(path, capacity, registration->library, NULL);
    if (count == 0 || count >= capacity)
        copy_wide(registration->library, capacity, dll);
    registration->is_relative = !is_full_path(registration->library);
    registration->gets_metadata = true;
    memcpy(registration->open, names[0], strlen(names[0]) + 1);
    memcpy(registration->collect, names[1], strlen(names[1]) + 1);
    memcpy(registration->close, names[2], strlen(names[2]) + 1);
    registration->open_limit_ms = default_limit_ms();
    registration->collect_limit_ms = registration->open_limit_ms;
}

static void set_export(char *to, prfdata_text name)
{
    wchar_t wide[PRFDATA_REGISTRATION_EXPORT_CHARS];

    if (name.count == 0)
        return;
    copy_wide(wide, PRFDATA_REGISTRATION_EXPORT_CHARS, name);
    copy_narrow(to, PRFDATA_REGISTRATION_EXPORT_CHARS, wide);
}

void prfdata_registration_set_exports(prfdata_registration *registration, prfdata_text open,
                                      prfdata_text collect, prfdata_text close)
{
    set_export(registration->open, open);
    set_export(registration->collect, collect);
    set_export(registration->close, close);
}

void prfdata_registration_set_context(prfdata_registration *registration, prfdata_text context)
{
    registration->has_context = true;
    memset(registration->context, 0, sizeof registration->context);
    copy_wide(registration->context, PRFDATA_REGISTRATION_PATH_CHARS - 1, context);
}

void prfdata_registration_set_titles(prfdata_registration *registration, uint32_t first,
                                     uint32_t last)
{
    registration->titles.first_counter = first;
    registration->titles.last_counter = last;
    registration->titles.first_help = first != 0 ? first + 1 : 0;
    registration->titles.last_help = last != 0 ? last + 1 : 0;
}

void prfdata_registration_set_limit(prfdata_registration *registration, uint32_t seconds)
{
    registration->open_limit_ms = seconds < MOST_MS / 1000 ? seconds * 1000 : MOST_MS;
    registration->collect_limit_ms = registration->open_limit_ms;
}
