/* SPDX-License-Identifier: MIT */
/*
 * Remembers which services have maps, and makes a hash of the last write times of their keys. All
 * sources that show titles of this computer check the same keys, so the process has one list.
 */
#include "source/service_stamps.h"

#include <stdbool.h>
#include <stdlib.h>
#include <wchar.h>

#include <windows.h>

#include "base/array.h"
#include "base/fnv.h"
#include "system/os.h"

#define SERVICES_KEY L"SYSTEM\\CurrentControlSet\\Services"

enum { PATH_CHARS = 256 + 16 };

typedef struct stamped_service {
    /* Path of the service's Performance key, relative to the Services key. */
    wchar_t path[PATH_CHARS];
} stamped_service;

static struct {
    prfdata_os_lock lock;
    bool is_known;
    stamped_service *items;
    size_t count;
    size_t capacity;
} stamped;

static HKEY open_services(void)
{
    HKEY services;

    return RegOpenKeyExW(HKEY_LOCAL_MACHINE, SERVICES_KEY, 0,
                         KEY_ENUMERATE_SUB_KEYS | KEY_QUERY_VALUE, &services) == ERROR_SUCCESS
               ? services
               : NULL;
}

static bool has_service_maps(HKEY services, const wchar_t *path)
{
    HKEY key;
    bool has_maps;

    if (RegOpenKeyExW(services, path, 0, KEY_QUERY_VALUE, &key) != ERROR_SUCCESS)
        return false;
    has_maps = RegQueryValueExW(key, L"Maps", NULL, NULL, NULL, NULL) == ERROR_SUCCESS;
    RegCloseKey(key);
    return has_maps;
}

static void add_stamped_service(const wchar_t *path)
{
    stamped_service *items =
        prfdata_array_reserve(stamped.items, &stamped.capacity, stamped.count + 1, sizeof *items);

    if (!items)
        return;
    stamped.items = items;
    wcscpy(items[stamped.count++].path, path);
}

/* Make the list of the services that have maps. The caller holds the lock. */
static void find_stamped_services(void)
{
    HKEY services = open_services();

    stamped.count = 0;
    stamped.is_known = true;
    if (!services)
        return;
    for (DWORD i = 0;; i++) {
        wchar_t path[PATH_CHARS];
        DWORD chars = 256; /* the longest name of a key has 255 characters */

        if (RegEnumKeyExW(services, i, path, &chars, NULL, NULL, NULL, NULL) != ERROR_SUCCESS)
            break;
        wcscpy(path + chars, L"\\Performance");
        if (has_service_maps(services, path))
            add_stamped_service(path);
    }
    RegCloseKey(services);
}

void prfdata_service_stamps_find(void)
{
    prfdata_os_lock_enter(&stamped.lock);
    find_stamped_services();
    prfdata_os_lock_leave(&stamped.lock);
}

/* Return when a key was last written; 0: the key cannot be opened. */
static FILETIME write_time(HKEY services, const wchar_t *path)
{
    FILETIME written = {0, 0};
    HKEY key;

    if (RegOpenKeyExW(services, path, 0, KEY_QUERY_VALUE, &key) != ERROR_SUCCESS)
        return written;
    (void)RegQueryInfoKeyW(key, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL,
                           &written);
    RegCloseKey(key);
    return written;
}

uint64_t prfdata_service_stamps_add(uint64_t hash)
{
    HKEY services = open_services();

    if (!services)
        return hash;
    prfdata_os_lock_enter(&stamped.lock);
    if (!stamped.is_known)
        find_stamped_services();
    for (size_t i = 0; i < stamped.count; i++) {
        const FILETIME written = write_time(services, stamped.items[i].path);

        hash = prfdata_fnv_add(hash, &written, sizeof written);
    }
    prfdata_os_lock_leave(&stamped.lock);
    RegCloseKey(services);
    return hash;
}
