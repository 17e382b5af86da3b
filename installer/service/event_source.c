/* SPDX-License-Identifier: MIT */
/*
 * Creates and removes the key of the event source. The event log service notices new keys itself.
 * Windows only.
 */
#include "service/event_source.h"

#include <stdio.h>
#include <wchar.h>

#include "windows/registry.h"

#define MESSAGE_FILE L"EventMessageFile"

#define APPLICATION L"SYSTEM\\CurrentControlSet\\Services\\EventLog\\Application\\"

enum { PATH_CHARS = sizeof APPLICATION / sizeof(wchar_t) + PRFDATA_EVENT_SOURCE_CHARS };

static const DWORD types = EVENTLOG_ERROR_TYPE | EVENTLOG_WARNING_TYPE | EVENTLOG_INFORMATION_TYPE;

/*
 * The name begins with "PrfData " because applications often name their own source like the
 * service.
 */
void prfdata_event_source_name(const wchar_t *service, wchar_t *name)
{
    (void)swprintf(name, PRFDATA_EVENT_SOURCE_CHARS, L"PrfData %ls", service);
}

static void make_source_path(const wchar_t *service, wchar_t *path)
{
    wcscpy(path, APPLICATION);
    prfdata_event_source_name(service, path + wcslen(path));
}

static uint32_t open_event_source(const wchar_t *service, REGSAM access, HKEY *key)
{
    wchar_t path[PATH_CHARS];

    make_source_path(service, path);
    return (uint32_t)RegOpenKeyExW(HKEY_LOCAL_MACHINE, path, 0, access, key);
}

static uint32_t write_message_file(HKEY key, const wchar_t *file)
{
    return (uint32_t)RegSetValueExW(key, MESSAGE_FILE, 0, REG_EXPAND_SZ, (const BYTE *)file,
                                    (DWORD)((wcslen(file) + 1) * sizeof *file));
}

static bool is_source_right(HKEY key, const wchar_t *dll)
{
    wchar_t file[MAX_PATH];
    DWORD number;

    return prfdata_registry_text(key, MESSAGE_FILE, file, MAX_PATH) && wcscmp(file, dll) == 0 &&
           prfdata_registry_number(key, L"TypesSupported", &number) == ERROR_SUCCESS &&
           number == types;
}

prfdata_event_source_state prfdata_event_source_look(const wchar_t *service, const wchar_t *dll)
{
    prfdata_event_source_state state = PRFDATA_EVENT_SOURCE_FOREIGN;
    DWORD number;
    HKEY key;
    uint32_t status = open_event_source(service, KEY_READ, &key);

    if (status)
        return status == ERROR_FILE_NOT_FOUND ? PRFDATA_EVENT_SOURCE_NONE
                                              : PRFDATA_EVENT_SOURCE_FOREIGN;
    if (prfdata_registry_number(key, PRFDATA_SERVICE_KEY_MARKER, &number) == ERROR_SUCCESS)
        state = is_source_right(key, dll) ? PRFDATA_EVENT_SOURCE_OURS : PRFDATA_EVENT_SOURCE_WRONG;
    else if (prfdata_registry_is_empty(key)) /* an installer ended before it wrote the marker */
        state = PRFDATA_EVENT_SOURCE_WRONG;
    RegCloseKey(key);
    return state;
}

uint32_t prfdata_event_source_save(const wchar_t *service, prfdata_value_list *list)
{
    HKEY key;
    uint32_t status = open_event_source(service, KEY_READ, &key);

    if (status)
        return status;
    status = prfdata_service_key_save_values(key, list);
    RegCloseKey(key);
    return status;
}

uint32_t prfdata_event_source_register(const wchar_t *service, const wchar_t *dll,
                                       prfdata_event_source_change *change)
{
    wchar_t path[PATH_CHARS];
    DWORD disposition = 0;
    HKEY key;
    uint32_t status;

    make_source_path(service, path);
    status = (uint32_t)RegCreateKeyExW(HKEY_LOCAL_MACHINE, path, 0, NULL, 0, KEY_READ | KEY_WRITE,
                                       NULL, &key, &disposition);
    if (status)
        return status;
    if (disposition == REG_CREATED_NEW_KEY || prfdata_registry_is_empty(key)) {
        change->is_created = true;
        status = prfdata_registry_set_number(key, PRFDATA_SERVICE_KEY_MARKER, 1);
    } else {
        change->is_repaired = true;
        prfdata_registry_text(key, MESSAGE_FILE, change->former_file, MAX_PATH);
    }
    if (!status)
        status = prfdata_registry_set_number(key, L"TypesSupported", types);
    if (!status)
        status = write_message_file(key, dll);
    RegCloseKey(key);
    return status;
}

static uint32_t delete_event_source(const wchar_t *service)
{
    wchar_t path[PATH_CHARS];

    make_source_path(service, path);
    return (uint32_t)RegDeleteKeyW(HKEY_LOCAL_MACHINE, path);
}

bool prfdata_event_source_undo(const wchar_t *service, const prfdata_event_source_change *change)
{
    HKEY key;
    bool undone;

    if (change->is_created)
        return delete_event_source(service) == ERROR_SUCCESS;
    if (!change->is_repaired || open_event_source(service, KEY_SET_VALUE, &key) != ERROR_SUCCESS)
        return false;
    undone = change->former_file[0] ? write_message_file(key, change->former_file) == ERROR_SUCCESS
                                    : RegDeleteValueW(key, MESSAGE_FILE) == ERROR_SUCCESS;
    RegCloseKey(key);
    return undone;
}

uint32_t prfdata_event_source_remove(const wchar_t *service)
{
    switch (prfdata_event_source_look(service, L"")) {
    case PRFDATA_EVENT_SOURCE_OURS:
    case PRFDATA_EVENT_SOURCE_WRONG:
        return delete_event_source(service);
    default:
        return ERROR_FILE_NOT_FOUND;
    }
}
