/* SPDX-License-Identifier: MIT */
/*
 * Creates, fills and removes the keys of a service. Only administrators may write these keys,
 * because the system runs the DLL that a Performance key names. New keys inherit the access list of
 * the key Services, and nothing here sets another one. 32- and 64-bit programs share the key
 * Services. registered.h knows the meaning of the values. Windows only.
 */
#include "titles/service_key.h"

#include <stdlib.h>
#include <wchar.h>

#include "windows/registry.h"

#define SERVICES L"SYSTEM\\CurrentControlSet\\Services"

typedef wchar_t subkey_path[PRFDATA_MAX_SERVICE_CHARS + 16];

static void make_key_path(const prfdata_service_key *key, const wchar_t *subkey, wchar_t *path)
{
    wcscpy(path, key->service);
    if (subkey) {
        wcscat(path, L"\\");
        wcscat(path, subkey);
    }
}

static uint32_t open_subkey(const prfdata_service_key *key, const wchar_t *subkey, REGSAM access,
                            HKEY *opened)
{
    subkey_path path;

    make_key_path(key, subkey, path);
    return (uint32_t)RegOpenKeyExW(key->services, path, 0, access, opened);
}

static uint32_t create_subkey(const prfdata_service_key *key, const wchar_t *subkey, HKEY *opened,
                              bool *created)
{
    subkey_path path;
    DWORD disposition = 0;
    uint32_t status;

    make_key_path(key, subkey, path);
    status = (uint32_t)RegCreateKeyExW(key->services, path, 0, NULL, 0, KEY_READ | KEY_WRITE, NULL,
                                       opened, &disposition);
    *created = !status && disposition == REG_CREATED_NEW_KEY;
    return status;
}

static uint32_t delete_subkey(const prfdata_service_key *key, const wchar_t *subkey)
{
    subkey_path path;

    make_key_path(key, subkey, path);
    return (uint32_t)RegDeleteKeyW(key->services, path);
}

uint32_t prfdata_service_key_open(prfdata_service_key *key, const char *service, bool writable)
{
    prfdata_service_key opened = {0};
    REGSAM access = KEY_READ;
    uint32_t status;

    if (writable)
        access |= KEY_WRITE;
    for (size_t i = 0; i < PRFDATA_MAX_SERVICE_CHARS && service[i]; i++)
        opened.service[i] = (unsigned char)service[i];
    status = (uint32_t)RegOpenKeyExW(HKEY_LOCAL_MACHINE, SERVICES, 0,
                                     writable ? KEY_READ | KEY_CREATE_SUB_KEY : KEY_READ,
                                     &opened.services);
    if (status)
        return status;
    status = open_subkey(&opened, L"Performance", access, &opened.performance);
    if (status == ERROR_FILE_NOT_FOUND)
        status = ERROR_SUCCESS;
    if (status) {
        RegCloseKey(opened.services);
        return status;
    }
    if (opened.performance && prfdata_registry_is_empty(opened.performance)) {
        RegCloseKey(opened.performance);
        opened.performance = NULL;
    }
    opened.ours = prfdata_service_key_number(&opened, PRFDATA_SERVICE_KEY_MARKER, &opened.created);
    *key = opened;
    return ERROR_SUCCESS;
}

static void remove_empty_subkey(const prfdata_service_key *key, const wchar_t *subkey)
{
    HKEY opened;
    bool empty;

    if (open_subkey(key, subkey, KEY_READ, &opened) != 0)
        return;
    empty = prfdata_registry_is_empty(opened);
    RegCloseKey(opened);
    if (empty)
        delete_subkey(key, subkey);
}

static uint32_t mark_created(prfdata_service_key *key, DWORD bits)
{
    DWORD created = key->created | bits;
    uint32_t status = prfdata_service_key_set(key, PRFDATA_SERVICE_KEY_MARKER, REG_DWORD, &created,
                                              sizeof created);

    if (!status)
        key->created = created;
    return status;
}

/* Returns whether the service key is empty, or holds only an empty Performance key. */
static bool is_bare_service(HKEY service)
{
    DWORD subkeys, values;
    HKEY performance;
    bool is_bare;

    if (!prfdata_registry_count(service, &subkeys, &values) || values != 0 || subkeys > 1)
        return false;
    if (subkeys == 0)
        return true;
    if (RegOpenKeyExW(service, L"Performance", 0, KEY_READ, &performance) != 0)
        return false;
    is_bare = prfdata_registry_is_empty(performance);
    RegCloseKey(performance);
    return is_bare;
}

/*
 * Create the service's own key, if there is none. `is_ours` also becomes true for a key that a
 * killed installer may have left.
 */
static uint32_t create_service_key(const prfdata_service_key *key, bool *is_created, bool *is_ours)
{
    HKEY service;
    uint32_t status = create_subkey(key, NULL, &service, is_created);

    if (status)
        return status;
    *is_ours = is_bare_service(service);
    RegCloseKey(service);
    return ERROR_SUCCESS;
}

static uint32_t create_performance_key(prfdata_service_key *key)
{
    bool created;
    uint32_t status = create_subkey(key, L"Performance", &key->performance, &created);

    if (status)
        return status;
    if (created || prfdata_registry_is_empty(key->performance))
        return ERROR_SUCCESS;
    RegCloseKey(key->performance); /* another program created it meanwhile */
    key->performance = NULL;
    return ERROR_ALREADY_EXISTS;
}

uint32_t prfdata_service_key_create(prfdata_service_key *key)
{
    bool is_created, is_service_ours;
    uint32_t status;

    if (key->performance)
        return ERROR_SUCCESS;
    status = create_service_key(key, &is_created, &is_service_ours);
    if (status)
        return status;
    status = create_performance_key(key);
    if (!status) {
        key->ours = true;
        status = mark_created(key, PRFDATA_CREATED_PERFORMANCE |
                                       (is_service_ours ? PRFDATA_CREATED_SERVICE : 0u));
        if (status)
            prfdata_service_key_remove(key);
    }
    if (status && is_created)
        remove_empty_subkey(key, NULL);
    return status;
}

void prfdata_service_key_close(prfdata_service_key *key)
{
    if (key->performance)
        RegCloseKey(key->performance);
    if (key->services)
        RegCloseKey(key->services);
    key->performance = NULL;
    key->services = NULL;
}

bool prfdata_service_key_number(const prfdata_service_key *key, const wchar_t *name, DWORD *number)
{
    return key->performance &&
           prfdata_registry_number(key->performance, name, number) == ERROR_SUCCESS;
}

bool prfdata_service_key_text(const prfdata_service_key *key, const wchar_t *name, wchar_t *text,
                              size_t capacity)
{
    text[0] = 0;
    return key->performance && prfdata_registry_text(key->performance, name, text, capacity);
}

bool prfdata_service_key_has(const prfdata_service_key *key, const wchar_t *name, DWORD type,
                             const void *data, size_t size)
{
    return key->performance && prfdata_registry_has(key->performance, name, type, data, size);
}

uint32_t prfdata_service_key_set(const prfdata_service_key *key, const wchar_t *name, DWORD type,
                                 const void *data, size_t size)
{
    return (uint32_t)RegSetValueExW(key->performance, name, 0, type, data, (DWORD)size);
}

uint32_t prfdata_service_key_delete(const prfdata_service_key *key, const wchar_t *name)
{
    uint32_t status = (uint32_t)RegDeleteValueW(key->performance, name);

    return status == ERROR_FILE_NOT_FOUND ? ERROR_SUCCESS : status;
}

void prfdata_service_key_touch(const prfdata_service_key *key)
{
    static const wchar_t name[] = L"PrfData Notice";
    const DWORD number = 1;

    (void)prfdata_service_key_set(key, name, REG_DWORD, &number, sizeof number);
    (void)prfdata_service_key_delete(key, name);
}

uint32_t prfdata_service_key_save_values(HKEY key, prfdata_value_list *list)
{
    prfdata_value_list saved = {0};
    DWORD count = 0;
    uint32_t status = (uint32_t)RegQueryInfoKeyW(key, NULL, NULL, NULL, NULL, NULL, NULL, &count,
                                                 NULL, NULL, NULL, NULL);

    if (status)
        return status;
    saved.values = calloc(count ? count : 1, sizeof *saved.values);
    if (!saved.values)
        return ERROR_NOT_ENOUGH_MEMORY;
    for (DWORD i = 0; i < count; i++) {
        prfdata_value *value = &saved.values[saved.count];
        DWORD chars = sizeof value->name / sizeof value->name[0];

        status = (uint32_t)RegEnumValueW(key, i, value->name, &chars, NULL, NULL, NULL, NULL);
        if (status == ERROR_MORE_DATA) { /* neither PrfData nor the system uses so long a name */
            status = ERROR_SUCCESS;
            continue;
        }
        if (!status)
            status =
                prfdata_registry_value(key, value->name, &value->type, &value->data, &value->size);
        if (status == ERROR_NO_MORE_ITEMS || status == ERROR_FILE_NOT_FOUND) {
            status = ERROR_SUCCESS; /* a value was deleted meanwhile */
            continue;
        }
        if (status)
            break;
        saved.count++;
    }
    if (status)
        prfdata_service_key_free_values(&saved);
    else
        *list = saved;
    return status;
}

uint32_t prfdata_service_key_save(const prfdata_service_key *key, prfdata_value_list *list)
{
    return prfdata_service_key_save_values(key->performance, list);
}

const prfdata_value *prfdata_service_key_find(const prfdata_value_list *list, const wchar_t *name)
{
    for (size_t i = 0; i < list->count; i++) {
        if (_wcsicmp(list->values[i].name, name) == 0)
            return &list->values[i];
    }
    return NULL;
}

uint32_t prfdata_service_key_restore(const prfdata_service_key *key, const prfdata_value_list *list)
{
    prfdata_value_list present;
    uint32_t status = prfdata_service_key_save(key, &present);

    if (status)
        return status;
    for (size_t i = 0; i < present.count; i++) {
        if (!prfdata_service_key_find(list, present.values[i].name))
            prfdata_service_key_delete(key, present.values[i].name);
    }
    for (size_t i = 0; list->values && i < list->count; i++) {
        const prfdata_value *value = &list->values[i];
        uint32_t set =
            prfdata_service_key_set(key, value->name, value->type, value->data, value->size);

        if (!status)
            status = set;
    }
    prfdata_service_key_free_values(&present);
    return status;
}

void prfdata_service_key_free_values(prfdata_value_list *list)
{
    for (size_t i = 0; i < list->count; i++)
        free(list->values[i].data);
    free(list->values);
    list->values = NULL;
    list->count = 0;
}

/*
 * Make the value Export: a REG_MULTI_SZ that holds only the service's name. One NUL ends the name,
 * another NUL ends the list. Returns the size of the value in bytes.
 */
static size_t export_value(const prfdata_service_key *key, wchar_t *text)
{
    size_t chars = wcslen(key->service);

    wmemcpy(text, key->service, chars);
    text[chars] = 0;
    text[chars + 1] = 0;
    return (chars + 2) * sizeof *text;
}

static bool has_export(const prfdata_service_key *key, HKEY linkage)
{
    wchar_t text[PRFDATA_MAX_SERVICE_CHARS + 2];
    size_t size = export_value(key, text);

    return prfdata_registry_has(linkage, L"Export", REG_MULTI_SZ, text, size);
}

/*
 * Returns whether an installer of PrfData created the key. An empty key was left by an installer
 * that was killed before it wrote the marker.
 */
static bool is_own_linkage(HKEY linkage)
{
    DWORD number;

    return prfdata_registry_number(linkage, PRFDATA_SERVICE_KEY_MARKER, &number) == ERROR_SUCCESS ||
           prfdata_registry_is_empty(linkage);
}

prfdata_linkage prfdata_service_key_linkage(const prfdata_service_key *key)
{
    prfdata_linkage answer = PRFDATA_LINKAGE_FOREIGN;
    HKEY linkage;
    uint32_t status = open_subkey(key, L"Linkage", KEY_READ, &linkage);

    if (status)
        return status == ERROR_FILE_NOT_FOUND ? PRFDATA_LINKAGE_NONE : PRFDATA_LINKAGE_FOREIGN;
    if (is_own_linkage(linkage))
        answer = has_export(key, linkage) ? PRFDATA_LINKAGE_OURS : PRFDATA_LINKAGE_WRONG;
    RegCloseKey(linkage);
    return answer;
}

uint32_t prfdata_service_key_save_linkage(const prfdata_service_key *key, prfdata_value_list *list)
{
    HKEY linkage;
    uint32_t status = open_subkey(key, L"Linkage", KEY_READ, &linkage);

    if (status)
        return status;
    status = prfdata_service_key_save_values(linkage, list);
    RegCloseKey(linkage);
    return status;
}

uint32_t prfdata_service_key_link(const prfdata_service_key *key)
{
    wchar_t text[PRFDATA_MAX_SERVICE_CHARS + 2];
    size_t size = export_value(key, text);
    HKEY linkage;
    bool created;
    uint32_t status = create_subkey(key, L"Linkage", &linkage, &created);

    if (status)
        return status;
    if (!is_own_linkage(linkage))
        status = ERROR_ALREADY_EXISTS;
    if (!status)
        status = prfdata_registry_set_number(linkage, PRFDATA_SERVICE_KEY_MARKER, 1);
    if (!status)
        status = (uint32_t)RegSetValueExW(linkage, L"Export", 0, REG_MULTI_SZ, (const BYTE *)text,
                                          (DWORD)size);
    RegCloseKey(linkage);
    return status;
}

/* Delete PrfData's values. Other programs may have values in the key. */
static void delete_own_values(const prfdata_service_key *key, HKEY linkage)
{
    if (has_export(key, linkage))
        RegDeleteValueW(linkage, L"Export");
    RegDeleteValueW(linkage, PRFDATA_SERVICE_KEY_MARKER);
}

uint32_t prfdata_service_key_unlink(const prfdata_service_key *key)
{
    bool is_own, is_empty = false;
    HKEY linkage;
    uint32_t status = open_subkey(key, L"Linkage", KEY_READ | KEY_WRITE, &linkage);

    if (status)
        return status;
    is_own = is_own_linkage(linkage);
    if (is_own) {
        delete_own_values(key, linkage);
        is_empty = prfdata_registry_is_empty(linkage);
    }
    RegCloseKey(linkage);
    if (!is_own)
        return ERROR_FILE_NOT_FOUND;
    return is_empty ? delete_subkey(key, L"Linkage") : ERROR_DIR_NOT_EMPTY;
}

bool prfdata_service_key_is_removable(const prfdata_service_key *key)
{
    DWORD subkeys, values;

    return prfdata_registry_count(key->performance, &subkeys, &values) && subkeys == 0;
}

uint32_t prfdata_service_key_remove(prfdata_service_key *key)
{
    uint32_t status;

    if (!key->performance || !key->ours)
        return ERROR_SUCCESS;
    if (!prfdata_service_key_is_removable(key))
        return ERROR_DIR_NOT_EMPTY;
    RegCloseKey(key->performance);
    key->performance = NULL;
    key->ours = false;
    status = delete_subkey(key, L"Performance");
    if (!status && (key->created & PRFDATA_CREATED_SERVICE))
        remove_empty_subkey(key, NULL);
    return status;
}

void prfdata_service_key_remove_remains(const prfdata_service_key *key)
{
    remove_empty_subkey(key, L"Performance");
    remove_empty_subkey(key, NULL);
}
