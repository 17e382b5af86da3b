/* SPDX-License-Identifier: MIT */
/*
 * Reads the values under Services\<service>\Performance (os.h) from the registry of Windows, and
 * checks the path of the regions folder.
 */
#include "system/os_win32.h"

#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#include <prfdata/map.h>

static uint32_t open_settings(const char *service, HKEY *key)
{
    wchar_t path[64 + PRFDATA_MAX_SERVICE_CHARS] = L"SYSTEM\\CurrentControlSet\\Services\\";
    LSTATUS status;

    if (strchr(service, '\\') ||
        !prfdata_os_append_to_path(path, sizeof(path) / sizeof(path[0]), service) ||
        !prfdata_os_append_to_path(path, sizeof(path) / sizeof(path[0]), "\\Performance"))
        return ERROR_FILE_NOT_FOUND;
    status = RegOpenKeyExW(HKEY_LOCAL_MACHINE, path, 0, KEY_QUERY_VALUE, key);
    return status == ERROR_PATH_NOT_FOUND ? ERROR_FILE_NOT_FOUND : (uint32_t)status;
}

/*
 * Reads a value of one type. `*size` gets the size of the value, even if the value does not fit
 * (ERROR_MORE_DATA). Returns ERROR_INVALID_DATA if the value has another type.
 */
static uint32_t query_setting(HKEY key, const char *name, DWORD type, void *bytes, DWORD *size)
{
    wchar_t wide_name[64] = L"";
    DWORD found_type = REG_NONE;
    LSTATUS status;

    if (!prfdata_os_append_to_path(wide_name, sizeof(wide_name) / sizeof(wide_name[0]), name))
        return ERROR_FILE_NOT_FOUND;
    status = RegQueryValueExW(key, wide_name, NULL, &found_type, bytes, size);
    if ((status == ERROR_SUCCESS || status == ERROR_MORE_DATA) && found_type != type)
        return ERROR_INVALID_DATA;
    return (uint32_t)status;
}

uint32_t prfdata_os_setting_number(const char *service, const char *name, uint32_t *value)
{
    uint32_t number = 0;
    DWORD size = sizeof(number);
    HKEY key;
    uint32_t status = open_settings(service, &key);

    if (status != ERROR_SUCCESS)
        return status;
    status = query_setting(key, name, REG_DWORD, &number, &size);
    RegCloseKey(key);
    if (status == ERROR_MORE_DATA || (status == ERROR_SUCCESS && size != sizeof(number)))
        return ERROR_INVALID_DATA;
    if (status == ERROR_SUCCESS)
        *value = number;
    return status;
}

/*
 * Reads a value of at most `limit` bytes into new memory. Returns ERROR_MORE_DATA if the value grew
 * between the two queries because an installer wrote it.
 */
static uint32_t query_bytes(HKEY key, const char *name, DWORD type, size_t limit, void **bytes,
                            size_t *size)
{
    DWORD room = 0;
    void *content;
    uint32_t status = query_setting(key, name, type, NULL, &room);

    if (status != ERROR_SUCCESS)
        return status;
    if (room > limit)
        return ERROR_INVALID_DATA;
    content = malloc((size_t)room + 1); /* + 1: malloc(0) may return NULL */
    if (!content)
        return ERROR_NOT_ENOUGH_MEMORY;
    status = query_setting(key, name, type, content, &room);
    if (status != ERROR_SUCCESS) {
        free(content);
        return status;
    }
    *bytes = content;
    *size = room;
    return ERROR_SUCCESS;
}

static uint32_t setting_of_type(const char *service, const char *name, DWORD type, size_t limit,
                                void **bytes, size_t *size)
{
    HKEY key;
    uint32_t status = open_settings(service, &key);

    if (status != ERROR_SUCCESS)
        return status;
    status = ERROR_MORE_DATA;
    for (int attempt = 0; attempt < 4 && status == ERROR_MORE_DATA; attempt++)
        status = query_bytes(key, name, type, limit, bytes, size);
    RegCloseKey(key);
    return status;
}

uint32_t prfdata_os_setting_bytes(const char *service, const char *name, size_t limit, void **bytes,
                                  size_t *size)
{
    return setting_of_type(service, name, REG_BINARY, limit, bytes, size);
}

uint32_t prfdata_os_setting_folder(const char *service, size_t limit, void **bytes, size_t *size)
{
    return setting_of_type(service, "Regions", REG_SZ, limit, bytes, size);
}

uint32_t prfdata_os_settings_stamp(const char *service, uint64_t *stamp)
{
    FILETIME written;
    HKEY key;
    uint32_t status = open_settings(service, &key);

    if (status != ERROR_SUCCESS)
        return status;
    status = (uint32_t)RegQueryInfoKeyW(key, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL,
                                        NULL, &written);
    RegCloseKey(key);
    if (status == ERROR_SUCCESS)
        *stamp = (uint64_t)written.dwHighDateTime << 32 | written.dwLowDateTime;
    return status;
}

/*
 * Whether the path is a drive, a colon, and names, each after one backslash. Slashes, other colons,
 * two backslashes in a row, and names that begin with a dot, such as "..", are not allowed, because
 * NtCreateFile does not normalise paths.
 */
static bool is_plain_path(const wchar_t *path)
{
    if (!((path[0] >= L'A' && path[0] <= L'Z') || (path[0] >= L'a' && path[0] <= L'z')) ||
        path[1] != L':' || path[2] != L'\\')
        return false;
    for (const wchar_t *rest = path + 2; *rest; rest++) {
        if (*rest == L'/' || *rest == L':')
            return false;
        if (*rest == L'\\' && (rest[1] == L'\\' || rest[1] == L'.'))
            return false;
    }
    return true;
}

uint32_t prfdata_os_settings_append_regions_path(const char *service, wchar_t *path,
                                                 size_t capacity)
{
    size_t used = wcslen(path);
    wchar_t *text = path + used;
    DWORD size = (DWORD)((capacity - used - 1) * sizeof(wchar_t));
    size_t chars;
    HKEY key;
    uint32_t status = open_settings(service, &key);

    if (status != ERROR_SUCCESS)
        return status;
    status = query_setting(key, "Regions", REG_SZ, text, &size);
    RegCloseKey(key);
    if (status != ERROR_SUCCESS)
        return status == ERROR_MORE_DATA ? ERROR_INVALID_DATA : status;

    chars = size / sizeof(wchar_t);
    text[chars] = 0; /* values may lack the NUL */
    if (chars > 0 && text[chars - 1] == 0)
        chars--;
    if (wcslen(text) != chars || !is_plain_path(text))
        return ERROR_INVALID_DATA;
    if (chars > 3 && text[chars - 1] == L'\\')
        text[chars - 1] = 0;
    return ERROR_SUCCESS;
}
