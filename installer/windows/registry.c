/* SPDX-License-Identifier: MIT */
/*
 * Reads and writes values of registry keys. Other programs may have written the values, so a value
 * may have any type and size, and a text may lack its NUL. Windows only.
 */
#include "windows/registry.h"

#include <stdlib.h>
#include <string.h>

uint32_t prfdata_registry_number(HKEY key, const wchar_t *name, DWORD *number)
{
    DWORD value, type;
    DWORD size = sizeof value;
    uint32_t status = (uint32_t)RegQueryValueExW(key, name, NULL, &type, (BYTE *)&value, &size);

    if (status == ERROR_MORE_DATA || (!status && (type != REG_DWORD || size != sizeof value)))
        return ERROR_INVALID_DATA;
    if (!status)
        *number = value;
    return status;
}

uint32_t prfdata_registry_set_number(HKEY key, const wchar_t *name, DWORD number)
{
    return (uint32_t)RegSetValueExW(key, name, 0, REG_DWORD, (const BYTE *)&number, sizeof number);
}

bool prfdata_registry_text(HKEY key, const wchar_t *name, wchar_t *text, size_t capacity)
{
    DWORD type;
    DWORD size = (DWORD)((capacity - 1) * sizeof *text);

    memset(text, 0, capacity * sizeof *text);
    if (RegQueryValueExW(key, name, NULL, &type, (BYTE *)text, &size) == 0 &&
        (type == REG_SZ || type == REG_EXPAND_SZ))
        return true;
    text[0] = 0;
    return false;
}

uint32_t prfdata_registry_path(HKEY key, const wchar_t *name, wchar_t *path)
{
    wchar_t expanded[MAX_PATH];
    DWORD type = REG_SZ;
    DWORD chars;

    if (!prfdata_registry_text(key, name, path, MAX_PATH))
        return ERROR_FILE_NOT_FOUND;
    (void)RegQueryValueExW(key, name, NULL, &type, NULL, NULL);
    if (type != REG_EXPAND_SZ)
        return ERROR_SUCCESS;
    chars = ExpandEnvironmentStringsW(path, expanded, MAX_PATH);
    if (chars == 0 || chars > MAX_PATH)
        return ERROR_FILENAME_EXCED_RANGE;
    wcscpy(path, expanded);
    return ERROR_SUCCESS;
}

uint32_t prfdata_registry_value(HKEY key, const wchar_t *name, DWORD *type, BYTE **data,
                                DWORD *size)
{
    BYTE *memory;
    uint32_t status = (uint32_t)RegQueryValueExW(key, name, NULL, type, NULL, size);

    if (status)
        return status;
    memory = malloc(*size ? *size : 1);
    if (!memory)
        return ERROR_NOT_ENOUGH_MEMORY;
    status = (uint32_t)RegQueryValueExW(key, name, NULL, type, memory, size);
    if (status)
        free(memory);
    else
        *data = memory;
    return status;
}

bool prfdata_registry_has(HKEY key, const wchar_t *name, DWORD type, const void *data, size_t size)
{
    BYTE *found;
    DWORD found_type, found_size;
    bool same;

    if (prfdata_registry_value(key, name, &found_type, &found, &found_size) != ERROR_SUCCESS)
        return false;
    same = found_type == type && found_size == size && memcmp(found, data, size) == 0;
    free(found);
    return same;
}

bool prfdata_registry_count(HKEY key, DWORD *subkeys, DWORD *values)
{
    return RegQueryInfoKeyW(key, NULL, NULL, NULL, subkeys, NULL, NULL, values, NULL, NULL, NULL,
                            NULL) == 0;
}

bool prfdata_registry_is_empty(HKEY key)
{
    DWORD subkeys, values;

    return prfdata_registry_count(key, &subkeys, &values) && subkeys == 0 && values == 0;
}
