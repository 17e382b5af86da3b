/* SPDX-License-Identifier: MIT */
/*
 * Loading what the installer stored, and keeping it for the Collects that use it. Knows neither
 * queries nor replies.
 */
#include "provider/installation.h"

#include <stdlib.h>
#include <string.h>

static void unload_installation(prfdata_installation *installation)
{
    if (!installation)
        return;
    if (installation->regions.model)
        prfdata_regions_done(&installation->regions);
    free(installation->template);
    prfdata_model_free(installation->model);
    free(installation);
}

/* ---- Loading ---- */

static uint32_t load_setting_number(const prfdata_installation_store *store, const char *name,
                                    uint32_t *value)
{
    uint32_t error = prfdata_os_setting_number(store->service, name, value);

    if (error)
        prfdata_events_notice_ascii(store->events, PRFDATA_EVENT_VALUE_MISSING, name, error);
    return error;
}

/* Key names are compared ignoring case; a service name is ASCII. */
static bool same_service(const char *a, const char *b)
{
    while (*a && *b && (*a | 0x20) == (*b | 0x20)) {
        a++;
        b++;
    }
    return *a == *b;
}

static uint32_t decode_model(const prfdata_installation_store *store, const void *bytes,
                             size_t size, prfdata_model **model)
{
    uint32_t error = prfdata_model_from_bytes(bytes, size, model);

    if (error || same_service((*model)->map->service, store->service))
        return error;
    prfdata_model_free(*model);
    return ERROR_INVALID_NAME;
}

static uint32_t load_model(const prfdata_installation_store *store, prfdata_model **model)
{
    void *bytes;
    size_t size;
    uint32_t error =
        prfdata_os_setting_bytes(store->service, "Map", PRFDATA_MAX_MAP_BYTES, &bytes, &size);

    if (error) {
        prfdata_events_notice_ascii(store->events, PRFDATA_EVENT_VALUE_MISSING, "Map", error);
        return error;
    }
    error = decode_model(store, bytes, size, model);
    free(bytes);
    if (error && error != ERROR_NOT_ENOUGH_MEMORY)
        prfdata_events_notice(store->events, PRFDATA_EVENT_MAP_INVALID, L"", error);
    return error;
}

/* Takes ownership of the model, also on failure. Returns NULL if memory is exhausted. */
static prfdata_installation *make_installation(const prfdata_installation_store *store,
                                               prfdata_model *model, uint32_t first_counter,
                                               uint32_t first_help)
{
    prfdata_installation *installation = calloc(1, sizeof *installation);

    if (!installation) {
        prfdata_model_free(model);
        return NULL;
    }
    installation->references = 1;
    installation->model = model;
    if (prfdata_regions_init(&installation->regions, store->service, model) ||
        prfdata_template_make(model, first_counter, first_help, &installation->template)) {
        unload_installation(installation);
        return NULL;
    }
    installation->regions.refresh_ms = store->refresh_ms;
    installation->regions.events = store->events;
    return installation;
}

static bool are_titles_right(const prfdata_installation_store *store, const prfdata_model *model,
                             uint32_t first_counter, uint32_t first_help)
{
    if (prfdata_model_titles_fit(model, first_counter, first_help))
        return true;
    prfdata_events_notice(store->events, PRFDATA_EVENT_TITLES_INVALID, L"", 0);
    return false;
}

/* Returns NULL if the service is not installed, or its values are wrong. */
static prfdata_installation *load_installation(const prfdata_installation_store *store)
{
    prfdata_model *model;
    uint32_t first_counter;
    uint32_t first_help;

    if (load_model(store, &model))
        return NULL;
    if (load_setting_number(store, "First Counter", &first_counter) ||
        load_setting_number(store, "First Help", &first_help) ||
        !are_titles_right(store, model, first_counter, first_help)) {
        prfdata_model_free(model);
        return NULL;
    }
    return make_installation(store, model, first_counter, first_help);
}

uint32_t prfdata_installation_set(prfdata_installation_store *store, const void *map,
                                  size_t map_bytes, uint32_t first_counter, uint32_t first_help)
{
    prfdata_model *model;
    uint32_t error = decode_model(store, map, map_bytes, &model);

    if (error)
        return error;
    if (!prfdata_model_titles_fit(model, first_counter, first_help)) {
        prfdata_model_free(model);
        return ERROR_INVALID_PARAMETER;
    }
    store->installation = make_installation(store, model, first_counter, first_help);
    return store->installation ? ERROR_SUCCESS : ERROR_NOT_ENOUGH_MEMORY;
}

/* ---- The store ---- */

static prfdata_installation *reference_installation(prfdata_installation_store *store)
{
    prfdata_installation *installation;

    prfdata_os_lock_enter(&store->lock);
    installation = store->installation;
    if (installation)
        installation->references++;
    prfdata_os_lock_leave(&store->lock);
    return installation;
}

/* The caller holds `loading`. */
static void load_if_due(prfdata_installation_store *store)
{
    const uint64_t now = prfdata_os_milliseconds() + 1;
    prfdata_installation *loaded;

    if (store->loaded_ms != 0 && now < store->loaded_ms + store->refresh_ms)
        return;
    store->loaded_ms = now;
    loaded = load_installation(store);
    prfdata_os_lock_enter(&store->lock);
    store->installation = loaded;
    prfdata_os_lock_leave(&store->lock);
}

prfdata_installation *prfdata_installation_acquire(prfdata_installation_store *store)
{
    prfdata_installation *found = reference_installation(store);

    if (found || !prfdata_os_lock_try(&store->loading))
        return found;
    found = reference_installation(store); /* another thread may have loaded it meanwhile */
    if (!found) {
        load_if_due(store);
        found = reference_installation(store);
    }
    prfdata_os_lock_leave(&store->loading);
    return found;
}

void prfdata_installation_release(prfdata_installation_store *store,
                                  prfdata_installation *installation)
{
    bool is_last;

    if (!installation)
        return;
    prfdata_os_lock_enter(&store->lock);
    is_last = --installation->references == 0;
    prfdata_os_lock_leave(&store->lock);
    if (is_last)
        unload_installation(installation);
}

void prfdata_installation_set_refresh(prfdata_installation_store *store, uint64_t milliseconds)
{
    store->refresh_ms = milliseconds;
    if (store->installation)
        store->installation->regions.refresh_ms = milliseconds;
}

void prfdata_installation_done(prfdata_installation_store *store)
{
    prfdata_installation_release(store, store->installation);
    store->installation = NULL;
}
