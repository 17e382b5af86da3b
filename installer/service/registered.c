/* SPDX-License-Identifier: MIT */
/*
 * Reads the registration of a service. Other programs may have changed the key, so each value may
 * be missing or invalid. An invalid value counts as absent. If the value Maps is damaged, the maps
 * that can be decoded are used. install_registry.c writes the values. Windows only.
 */
#include "service/registered.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#include "windows/directory.h"

static prfdata_install_arch read_arch(const prfdata_service_key *key)
{
    wchar_t text[16];

    prfdata_service_key_text(key, PRFDATA_VALUE_ARCH, text, sizeof text / sizeof text[0]);
    if (_wcsicmp(text, L"x86") == 0)
        return PRFDATA_ARCH_X86;
    return _wcsicmp(text, L"native") == 0 ? PRFDATA_ARCH_NATIVE : PRFDATA_ARCH_DEFAULT;
}

static void read_writers(prfdata_registered *registered, const prfdata_service_key *key)
{
    wchar_t sddl[PRFDATA_ACCESS_LIST_SDDL_CHARS];

    prfdata_service_key_text(key, PRFDATA_VALUE_WRITERS, registered->writers,
                             sizeof registered->writers / sizeof registered->writers[0]);
    if (prfdata_access_list_regions_sddl(registered->writers, sddl) != ERROR_SUCCESS)
        registered->writers[0] = 0;
}

static bool is_usual_data_path(const wchar_t *path)
{
    wchar_t usual[MAX_PATH];
    size_t chars;

    if (prfdata_directory_program_data(usual) != 0)
        return false;
    chars = wcslen(usual);
    return _wcsnicmp(path, usual, chars) == 0 && _wcsicmp(path + chars, L"\\PrfData") == 0;
}

/*
 * Find the data folder in the value Regions (`<data folder>\<service>`). `data_path` becomes "" for
 * the default data folder, or if Regions has another form.
 */
static void find_data_path(prfdata_registered *registered, const wchar_t *service)
{
    wchar_t *last;

    wcscpy(registered->data_path, registered->regions);
    last = wcsrchr(registered->data_path, L'\\');
    if (last && _wcsicmp(last + 1, service) == 0)
        *last = 0;
    if (!last || *last || is_usual_data_path(registered->data_path))
        registered->data_path[0] = 0;
}

void prfdata_registered_complete(const prfdata_registered *registered,
                                 prfdata_install_options *options)
{
    if (!options->writers && registered->writers[0])
        options->writers = registered->writers;
    if (options->arch == PRFDATA_ARCH_DEFAULT)
        options->arch = registered->arch;
    if (!options->data_path && registered->data_path[0])
        options->data_path = registered->data_path;
}

/*
 * Returns whether an earlier PrfData wrote the value in another format. Such a value is treated
 * like a damaged one: salvage_maps() takes the maps that it can decode.
 */
static bool is_earlier_format(const prfdata_value *value)
{
    const prfdata_bytes bytes = {value->data, value->size};

    return prfdata_bytes_get16(bytes, 4) < PRFDATA_MAPS_MAJOR;
}

/*
 * Find the maps that can be decoded in a damaged value. The current map is the first in the value;
 * if it can be decoded, `present` becomes its model.
 */
static uint32_t salvage_maps(const prfdata_value *value, prfdata_maps *maps,
                             prfdata_model **present)
{
    const prfdata_maps_entry *first = &maps->entries[0];

    prfdata_maps_salvage(value->data, value->size, maps);
    if (maps->count > 0 && first->bytes == (const uint8_t *)value->data + PRFDATA_MAPS_HEADER + 4 &&
        prfdata_model_from_bytes(first->bytes, first->size, present) == ERROR_NOT_ENOUGH_MEMORY)
        return ERROR_NOT_ENOUGH_MEMORY;
    return ERROR_INVALID_DATA;
}

uint32_t prfdata_registered_maps(const prfdata_value_list *values, prfdata_maps *maps,
                                 prfdata_model **present)
{
    const prfdata_value *value = prfdata_service_key_find(values, PRFDATA_VALUE_MAPS);
    uint32_t status;

    *present = NULL;
    memset(maps, 0, sizeof *maps);
    if (!value)
        return ERROR_FILE_NOT_FOUND;
    if (value->type != REG_BINARY)
        return ERROR_INVALID_DATA;
    status = prfdata_maps_parse(value->data, value->size, maps);
    if (status == ERROR_REVISION_MISMATCH && is_earlier_format(value))
        status = ERROR_INVALID_DATA;
    if (!status)
        status = prfdata_maps_decode_current(maps, prfdata_model_from_bytes, present);
    if (status == ERROR_INVALID_DATA)
        return salvage_maps(value, maps, present);
    if (status)
        memset(maps, 0, sizeof *maps);
    return status;
}

uint32_t prfdata_registered_read(prfdata_registered *registered, const prfdata_service_key *key)
{
    prfdata_model *present;
    uint32_t status;

    registered->map_status = ERROR_FILE_NOT_FOUND;
    if (!key->performance || !key->ours)
        return ERROR_SUCCESS;
    status = prfdata_service_key_save(key, &registered->values);
    if (status)
        return status;
    prfdata_service_key_text(key, L"Library", registered->dll, MAX_PATH);
    prfdata_service_key_text(key, L"Regions", registered->regions, MAX_PATH);
    read_writers(registered, key);
    registered->arch = read_arch(key);
    find_data_path(registered, key->service);
    registered->map_status =
        prfdata_registered_maps(&registered->values, &registered->maps, &present);
    registered->model = registered->map_status ? NULL : present;
    registered->salvaged = registered->map_status ? present : NULL;
    return registered->map_status == ERROR_NOT_ENOUGH_MEMORY ? ERROR_NOT_ENOUGH_MEMORY
                                                             : ERROR_SUCCESS;
}

const prfdata_model *prfdata_registered_present(const prfdata_registered *registered)
{
    return registered->model ? registered->model : registered->salvaged;
}

bool prfdata_registered_is_map(const prfdata_registered *registered, const void *bytes, size_t size)
{
    const prfdata_maps_entry *present = &registered->maps.entries[0];

    return registered->maps.count > 0 && present->size == size &&
           memcmp(present->bytes, bytes, size) == 0;
}

void prfdata_registered_free(prfdata_registered *registered)
{
    prfdata_service_key_free_values(&registered->values);
    prfdata_model_free(registered->model);
    prfdata_model_free(registered->salvaged);
    registered->model = NULL;
    registered->salvaged = NULL;
}

/* Move the model to the caller, who then owns it. */
static uint32_t take_registered_model(prfdata_registered *registered, const char *service,
                                      prfdata_model **model)
{
    if (!registered->values.count)
        return ERROR_FILE_NOT_FOUND;
    if (registered->map_status == ERROR_REVISION_MISMATCH)
        return ERROR_REVISION_MISMATCH;
    if (!registered->model || _stricmp(registered->model->map->service, service) != 0)
        return ERROR_INVALID_DATA;
    *model = registered->model;
    registered->model = NULL;
    return ERROR_SUCCESS;
}

uint32_t prfdata_registered_find_model(const wchar_t *service, prfdata_model **model)
{
    prfdata_registered registered = {0};
    prfdata_service_key key;
    char name[PRFDATA_MAX_SERVICE_CHARS + 1];
    uint32_t status;

    for (const wchar_t *at = service; *at; at++)
        if (*at < L' ' || *at > L'~' || *at == L'\\')
            return ERROR_FILE_NOT_FOUND; /* no service of PrfData has this character */
    if (!service[0] || wcslen(service) > PRFDATA_MAX_SERVICE_CHARS)
        return ERROR_FILE_NOT_FOUND;
    (void)snprintf(name, sizeof name, "%ls", service);
    status = prfdata_service_key_open(&key, name, false);
    if (status)
        return status;
    status = prfdata_registered_read(&registered, &key);
    if (!status)
        status = take_registered_model(&registered, name, model);
    prfdata_registered_free(&registered);
    prfdata_service_key_close(&key);
    return status;
}

static unsigned long count_counters(const prfdata_model *model)
{
    unsigned long count = 0;

    for (uint32_t i = 0; i < model->object_count; i++)
        count += model->objects[i].counter_count;
    return count;
}

void prfdata_registered_text(const prfdata_registered *registered, wchar_t *text)
{
    const prfdata_model *present = prfdata_registered_present(registered);
    const wchar_t *dll = registered->dll[0] ? registered->dll : L"no DLL";

    if (present)
        (void)swprintf(text, PRFDATA_REPORT_CHARS, L"%ls, objects %lu, counters %lu", dll,
                       (unsigned long)present->object_count, count_counters(present));
    else
        (void)swprintf(text, PRFDATA_REPORT_CHARS, L"%ls, with a map of a later format", dll);
    text[PRFDATA_REPORT_CHARS - 1] = 0;
}
