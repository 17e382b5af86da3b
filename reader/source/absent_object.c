/* SPDX-License-Identifier: MIT */
/*
 * Finds the reason why an object is not shown, by reading the Performance keys of all services. It
 * finds only reasons that can be seen without calling a provider; the installer's -Status examines
 * more. Windows only.
 */
#include "source/absent_object.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#include <windows.h>

#include "base/wide_format.h"
#include "map/maps.h"
#include "source/registration.h"
#include "text/words.h"

#define SERVICES_KEY L"SYSTEM\\CurrentControlSet\\Services"

enum { PATH_CHARS = 1024, SERVICE_CHARS = 256 };

/* Read a REG_SZ, or a REG_EXPAND_SZ, which the registry expands and returns as a REG_SZ. */
static bool read_owner_text(HKEY key, const wchar_t *name, wchar_t *text)
{
    DWORD size = PATH_CHARS * sizeof *text;

    text[0] = 0;
    return RegGetValueW(key, NULL, name, RRF_RT_REG_SZ, NULL, text, &size) == ERROR_SUCCESS;
}

static bool read_owner_number(HKEY key, const wchar_t *name, DWORD *number)
{
    DWORD size = sizeof *number;

    return RegGetValueW(key, NULL, name, RRF_RT_REG_DWORD, NULL, number, &size) == ERROR_SUCCESS;
}

static bool is_object_of_model(const prfdata_model *model, prfdata_text object)
{
    for (uint32_t i = 0; i < model->object_count; i++) {
        const wchar_t *name = model->objects[i].entry->name;
        const prfdata_text text = {(const uint16_t *)name, wcslen(name)};

        if (prfdata_text_equal(text, object))
            return true;
    }
    return false;
}

static bool is_object_of_key(HKEY key, prfdata_text object, void *bytes)
{
    prfdata_model *model = NULL;
    DWORD size = PRFDATA_MAX_MAPS_BYTES;
    bool is_its;

    if (RegGetValueW(key, NULL, L"Maps", RRF_RT_REG_BINARY, NULL, bytes, &size) != ERROR_SUCCESS ||
        prfdata_maps_current(bytes, size, &model) != ERROR_SUCCESS)
        return false;
    is_its = is_object_of_model(model, object);
    prfdata_model_free(model);
    return is_its;
}

static HKEY open_performance_key(HKEY services, const wchar_t *service)
{
    wchar_t path[SERVICE_CHARS + 16];
    HKEY key;

    if (prfdata_wide_format(path, sizeof path / sizeof path[0], L"%ls\\Performance", service) < 0 ||
        RegOpenKeyExW(services, path, 0, KEY_QUERY_VALUE, &key) != ERROR_SUCCESS)
        return NULL;
    return key;
}

/* Return the Performance key of the service and put the service's name into `service`. NULL: no
 * service has the object. */
static HKEY find_owner_key(HKEY services, prfdata_text object, void *bytes, wchar_t *service)
{
    for (DWORD i = 0;; i++) {
        DWORD chars = SERVICE_CHARS;
        HKEY key;

        if (RegEnumKeyExW(services, i, service, &chars, NULL, NULL, NULL, NULL) != ERROR_SUCCESS)
            return NULL;
        key = open_performance_key(services, service);
        if (!key)
            continue;
        if (is_object_of_key(key, object, bytes))
            return key;
        RegCloseKey(key);
    }
}

/* Return the machine type of a program file; 0 if it cannot be read. */
static uint16_t machine_of_file(const wchar_t *path)
{
    unsigned char head[4096];
    uint32_t at = 0;
    uint16_t machine = 0;
    DWORD size = 0;
    HANDLE file = CreateFileW(path, GENERIC_READ, FILE_SHARE_READ | FILE_SHARE_DELETE, NULL,
                              OPEN_EXISTING, 0, NULL);

    if (file == INVALID_HANDLE_VALUE)
        return 0;
    if (ReadFile(file, head, sizeof head, &size, NULL) && size >= 0x40)
        memcpy(&at, head + 0x3C, sizeof at);
    if (size >= 6 && at > 0 && at <= size - 6)
        memcpy(&machine, head + at + 4, sizeof machine);
    CloseHandle(file);
    return machine;
}

/* Returns whether this reader is a 32-bit one and the DLL is not. 64-bit readers reach a 32-bit DLL
 * through perfhost.exe. */
static bool is_of_other_bitness(const wchar_t *library)
{
    uint16_t machine = machine_of_file(library);

    return machine != 0 && sizeof(void *) == 4 && machine != IMAGE_FILE_MACHINE_I386;
}

static prfdata_word why_not_shown(HKEY key)
{
    wchar_t library[PATH_CHARS];
    DWORD number = 0;

    if (read_owner_number(key, L"Disable Performance Counters", &number) &&
        prfdata_registration_value_disables(number))
        return PRFDATA_WORD_ABSENT_DISABLED;
    if (!read_owner_text(key, L"Library", library))
        return PRFDATA_WORD_ABSENT_NO_DLL;
    if (GetFileAttributesW(library) == INVALID_FILE_ATTRIBUTES)
        return PRFDATA_WORD_ABSENT_DLL_MISSING;
    if (is_of_other_bitness(library))
        return PRFDATA_WORD_ABSENT_DLL_64_BIT;
    if (!read_owner_number(key, L"First Counter", &number))
        return PRFDATA_WORD_ABSENT_NO_TITLES;
    return PRFDATA_WORD_ABSENT_NOT_SHOWN;
}

static void put_wide(prfdata_output *output, const wchar_t *text)
{
    prfdata_output_put_text(output, (prfdata_text){(const uint16_t *)text, wcslen(text)});
}

/* Put the name of the installer, which is its registered path without folder and .exe. */
static void put_installer_name(prfdata_output *output, HKEY key)
{
    wchar_t path[PATH_CHARS];
    wchar_t *name, *end;

    if (!read_owner_text(key, L"Installer", path)) {
        prfdata_output_put_string(output, prfdata_words_get(PRFDATA_WORD_ABSENT_INSTALLER));
        return;
    }
    name = wcsrchr(path, L'\\');
    name = name ? name + 1 : path;
    end = wcsrchr(name, L'.');
    if (end && _wcsicmp(end, L".exe") == 0)
        *end = 0;
    put_wide(output, name);
}

static void put_explanation(prfdata_output *output, HKEY key, const wchar_t *service)
{
    prfdata_output_put_string(output, prfdata_words_get(PRFDATA_WORD_ABSENT_ONE_OF));
    put_wide(output, service);
    prfdata_output_format(output, ", %s; `", prfdata_words_get(why_not_shown(key)));
    put_installer_name(output, key);
    prfdata_output_put_string(output, " -Status ");
    if (wcschr(service, L' '))
        prfdata_output_put_string(output, "\"");
    put_wide(output, service);
    if (wcschr(service, L' '))
        prfdata_output_put_string(output, "\"");
    prfdata_output_format(output, "`%s", prfdata_words_get(PRFDATA_WORD_ABSENT_SAYS_MORE));
}

bool prfdata_absent_object_explain(prfdata_text object, prfdata_output *output)
{
    void *bytes = malloc(PRFDATA_MAX_MAPS_BYTES);
    wchar_t service[SERVICE_CHARS];
    HKEY services = NULL;
    HKEY key = NULL;

    if (bytes && RegOpenKeyExW(HKEY_LOCAL_MACHINE, SERVICES_KEY, 0, KEY_ENUMERATE_SUB_KEYS,
                               &services) == ERROR_SUCCESS)
        key = find_owner_key(services, object, bytes, service);
    if (key) {
        put_explanation(output, key, service);
        RegCloseKey(key);
    }
    if (services)
        RegCloseKey(services);
    free(bytes);
    return key != NULL;
}
