/* SPDX-License-Identifier: MIT */
/*
 * Loading what the installer stored, keeping it for the Collects that use it, and replacing it when
 * it was installed again. Who uses it is basis.c's affair.
 */
#include "collect/installation.h"

#include <stdlib.h>
#include <string.h>

#include <prfdata/atomic.h>

#define MAX_FOLDER_BYTES 2048 /* of the value Regions; the installer writes far less */
#define SETTLE_MS        100  /* more than a tick of the clock that stamps are taken from */

/* ---- The values ---- */

static void free_values(prfdata_installed_values *values)
{
    free(values->maps);
    free(values->folder);
    memset(values, 0, sizeof *values);
}

static bool same_folder(const prfdata_installed_values *a, const prfdata_installed_values *b)
{
    return prfdata_bytes_same(a->folder, a->folder_bytes, b->folder, b->folder_bytes);
}

static bool same_numbers(const prfdata_installed_values *a, const prfdata_installed_values *b)
{
    return a->first_counter == b->first_counter && a->first_help == b->first_help;
}

static bool same_values(const prfdata_installed_values *a, const prfdata_installed_values *b)
{
    return same_numbers(a, b) && same_folder(a, b) && a->resets == b->resets &&
           prfdata_bytes_same(a->maps, a->maps_bytes, b->maps, b->maps_bytes);
}

/* `name` becomes the value's that cannot be read. On failure `values` is empty. */
static uint32_t read_values(const char *service, prfdata_installed_values *values,
                            const char **name)
{
    uint32_t error;

    memset(values, 0, sizeof *values);
    *name = "Maps";
    error = prfdata_os_setting_bytes(service, *name, PRFDATA_MAX_MAPS_BYTES, &values->maps,
                                     &values->maps_bytes);
    if (!error) {
        *name = "First Counter";
        error = prfdata_os_setting_number(service, *name, &values->first_counter);
    }
    if (!error) {
        *name = "First Help";
        error = prfdata_os_setting_number(service, *name, &values->first_help);
    }
    if (!error) {
        *name = "Resets";
        error = prfdata_os_setting_number(service, *name, &values->resets);
        if (error == ERROR_FILE_NOT_FOUND || error == ERROR_INVALID_DATA) /* never; no number */
            error = ERROR_SUCCESS;
    }
    if (error)
        free_values(values);
    else if (prfdata_os_setting_folder(service, MAX_FOLDER_BYTES, &values->folder,
                                       &values->folder_bytes))
        values->folder = NULL; /* what opens the folder reports it */
    return error;
}

/* ---- Installations ---- */

/* NULL: no memory. */
static prfdata_regions *make_regions(const prfdata_installation_store *store)
{
    prfdata_regions *made = malloc(sizeof *made);

    if (!made)
        return NULL;
    prfdata_regions_init(made, store->service);
    made->references = 1;
    made->refresh_ms = store->refresh_ms;
    made->events = store->events;
    made->health = store->health;
    return made;
}

/* Drop an installation's reference. */
static void release_regions(prfdata_installation_store *store, prfdata_regions *regions)
{
    bool is_last;

    if (!regions)
        return;
    prfdata_os_lock_enter(&store->lock);
    is_last = --regions->references == 0;
    prfdata_os_lock_leave(&store->lock);
    if (!is_last)
        return;
    prfdata_regions_done(regions);
    free(regions);
}

/*
 * The regions of the former installation if it was in this folder: then values go on where they
 * were. Else NULL.
 */
static prfdata_regions *share_former_regions(prfdata_installation_store *store,
                                             const prfdata_installed_values *values)
{
    prfdata_installation *former = store->installation;

    if (!former || former->values.resets != values->resets || !same_folder(&former->values, values))
        return NULL;
    prfdata_os_lock_enter(&store->lock);
    former->regions->references++;
    prfdata_os_lock_leave(&store->lock);
    return former->regions;
}

static void unload_installation(prfdata_installation_store *store,
                                prfdata_installation *installation)
{
    release_regions(store, installation->regions);
    for (uint32_t i = 0; installation->projections && i < installation->version_count; i++)
        prfdata_projection_free(installation->projections[i]);
    free(installation->projections);
    free(installation->template);
    free_values(&installation->values);
    free(installation);
}

/* For regions of each version that is known, also of those that are registered no more. */
static uint32_t make_projections(const prfdata_versions *versions,
                                 prfdata_installation *installation)
{
    const prfdata_model *shown = installation->shape.model;

    installation->projections = calloc(versions->count, sizeof *installation->projections);
    if (!installation->projections)
        return ERROR_NOT_ENOUGH_MEMORY;
    installation->version_count = versions->count;
    for (uint32_t i = 0; i < versions->count; i++) {
        const prfdata_model *other = versions->items[i]->model;

        if (other->hash == shown->hash)
            continue;
        installation->projections[i] = prfdata_projection_make(other, shown);
        if (!installation->projections[i])
            return ERROR_NOT_ENOUGH_MEMORY;
    }
    return ERROR_SUCCESS;
}

bool prfdata_installation_shape_of(const prfdata_installation *installation,
                                   const prfdata_mapping *mapping,
                                   const prfdata_projection **projection)
{
    if (mapping->version->number >= installation->version_count)
        return false;
    *projection = installation->projections[mapping->version->number];
    return true;
}

/* Returns what is wrong with the values: see prfdata_installation_set(). */
static uint32_t fill_installation(prfdata_installation_store *store,
                                  const prfdata_installed_values *values,
                                  prfdata_installation *installation)
{
    uint32_t error = prfdata_versions_meet(&store->versions, store->service, values->maps,
                                           values->maps_bytes, &installation->registered);

    if (error)
        return error;
    installation->shape.model = installation->registered.items[0]->model;
    installation->shape.number = ++store->made_count;
    if (!prfdata_model_titles_fit(installation->shape.model, values->first_counter,
                                  values->first_help))
        return ERROR_INVALID_PARAMETER;
    error = prfdata_template_make(installation->shape.model, values->first_counter,
                                  values->first_help, &installation->template);
    if (!error)
        error = make_projections(&store->versions, installation);
    if (error)
        return error;
    installation->regions = share_former_regions(store, values);
    if (!installation->regions)
        installation->regions = make_regions(store);
    return installation->regions ? ERROR_SUCCESS : ERROR_NOT_ENOUGH_MEMORY;
}

/* The values stay the caller's. */
static uint32_t make_installation(prfdata_installation_store *store,
                                  const prfdata_installed_values *values,
                                  prfdata_installation **installation)
{
    prfdata_installation *made = calloc(1, sizeof *made);
    uint32_t error;

    if (!made)
        return ERROR_NOT_ENOUGH_MEMORY;
    made->references = 1;
    error = fill_installation(store, values, made);
    if (error)
        unload_installation(store, made);
    else
        *installation = made;
    return error;
}

uint32_t prfdata_installation_set(prfdata_installation_store *store, const void *maps,
                                  size_t maps_bytes, uint32_t first_counter, uint32_t first_help)
{
    const prfdata_installed_values values = {
        .maps = (void *)(uintptr_t)maps, /* only read */
        .maps_bytes = maps_bytes,
        .first_counter = first_counter,
        .first_help = first_help,
    };

    store->is_given = true;
    return make_installation(store, &values, &store->installation);
}

/* ---- The store: what is shown now ---- */

static prfdata_installation *reference_installation(prfdata_installation_store *store)
{
    prfdata_installation *installation;

    prfdata_os_lock_enter(&store->lock);
    installation = store->is_hidden ? NULL : store->installation;
    if (installation)
        installation->references++;
    prfdata_os_lock_leave(&store->lock);
    return installation;
}

void prfdata_installation_retain(prfdata_installation_store *store,
                                 prfdata_installation *installation)
{
    prfdata_os_lock_enter(&store->lock);
    installation->references++;
    prfdata_os_lock_leave(&store->lock);
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
        unload_installation(store, installation);
}

/*
 * `installation`: with a reference for the store, or NULL. Running Collects go on with the old,
 * which is returned.
 */
static prfdata_installation *replace_installation(prfdata_installation_store *store,
                                                  prfdata_installation *installation)
{
    prfdata_installation *old;

    prfdata_os_lock_enter(&store->lock);
    old = store->installation;
    store->installation = installation;
    store->is_hidden = false;
    prfdata_os_lock_leave(&store->lock);
    return old;
}

static void set_hidden(prfdata_installation_store *store, bool is_hidden)
{
    prfdata_os_lock_enter(&store->lock);
    store->is_hidden = is_hidden;
    prfdata_os_lock_leave(&store->lock);
}

/* ---- What follows from a look: the caller holds `deciding` ---- */

/* What one look at the settings found. */
struct installation_look {
    uint64_t base; /* the store's look_count when it began */
    uint64_t now;
    bool must_read;        /* as the store says */
    uint64_t known_stamp;  /* the same; of an installation that there is */
    bool has_installation; /* the same */
    uint32_t stamp_error;
    uint64_t stamp;
    bool has_read;
    bool is_mixed; /* some of the values may be old and some new */
    uint32_t error;
    const char *name; /* of the value that cannot be read */
    prfdata_installed_values values;
    prfdata_installation *dropped; /* gets what was replaced */
};

/*
 * The values are missing or wrong, as they are while the counters are installed again: show
 * nothing, and keep what is attached for a while.
 */
static void hide_installation(prfdata_installation_store *store, struct installation_look *look)
{
    if (!store->is_hidden) {
        store->hidden_ms = look->now;
        set_hidden(store, true);
    }
    if (look->now - store->hidden_ms >= PRFDATA_INSTALLATION_KEEP_MS)
        look->dropped = replace_installation(store, NULL);
}

static void notice_wrong_values(const prfdata_installation_store *store, uint32_t error)
{
    if (error == ERROR_INVALID_PARAMETER)
        prfdata_events_notice(store->events, PRFDATA_EVENT_TITLES_INVALID, L"", 0);
    else if (error == ERROR_REVISION_MISMATCH)
        prfdata_events_notice(store->events, PRFDATA_EVENT_MAP_VERSION, L"", 0);
    else if (error != ERROR_NOT_ENOUGH_MEMORY)
        prfdata_events_notice(store->events, PRFDATA_EVENT_MAP_INVALID, L"", error);
}

/*
 * A map of a later format, at the same indexes: an old provider in a reader that runs on shows what
 * it knows.
 */
static bool outlives_later_map(const prfdata_installation_store *store,
                               const prfdata_installed_values *values, uint32_t error)
{
    return error == ERROR_REVISION_MISMATCH && store->installation &&
           same_numbers(&store->installation->values, values);
}

/* Show what the values say. Returns what is wrong with them. */
static uint32_t show_values(prfdata_installation_store *store, struct installation_look *look)
{
    prfdata_installed_values *values = &look->values;
    prfdata_installation *made;
    uint32_t error = ERROR_SUCCESS;

    if (store->installation && same_values(&store->installation->values, values)) {
        set_hidden(store, false);
        return ERROR_SUCCESS;
    }
    error = make_installation(store, values, &made);
    if (!error) {
        made->values = *values;
        memset(values, 0, sizeof *values); /* they are its own now */
        look->dropped = replace_installation(store, made);
        return ERROR_SUCCESS;
    }
    if (!store->installation || error == ERROR_REVISION_MISMATCH)
        notice_wrong_values(store, error);
    if (outlives_later_map(store, values, error)) {
        set_hidden(store, false);
        error = ERROR_SUCCESS;
    }
    return error;
}

/* Some failures concern this thread, or this moment; nothing follows from them. */
static bool is_no_news(uint32_t error)
{
    return error == ERROR_ACCESS_DENIED || error == ERROR_NOT_ENOUGH_MEMORY;
}

/* The folder was known, and is not any more: half of an installation. */
static bool lacks_folder(const prfdata_installation_store *store,
                         const prfdata_installed_values *values)
{
    return store->installation && store->installation->values.folder && !values->folder;
}

/* Returns false if the values have to be read again at the next look. */
static bool use_values(prfdata_installation_store *store, struct installation_look *look)
{
    uint32_t error = look->error;

    if (look->is_mixed)
        return false;
    if (error && !store->installation)
        prfdata_events_notice_ascii(store->events, PRFDATA_EVENT_VALUE_MISSING, look->name, error);
    if (!error && lacks_folder(store, &look->values))
        error = ERROR_FILE_NOT_FOUND;
    else if (!error)
        error = show_values(store, look);
    if (error && !is_no_news(error) && store->installation)
        hide_installation(store, look);
    return !error;
}

/*
 * The stamp may stand still between two changes within one tick of the clock: after any change the
 * values are read once more at the next look, and until the clock has moved on.
 */
static void use_look(prfdata_installation_store *store, struct installation_look *look)
{
    const bool has_changed = look->stamp != store->stamp;

    if (look->stamp_error && store->installation) {
        if (look->stamp_error == ERROR_FILE_NOT_FOUND) /* uninstalled */
            look->dropped = replace_installation(store, NULL);
        return;
    }
    if (!look->has_read)
        return;
    if (has_changed)
        store->changed_ms = look->now;
    store->must_read =
        !use_values(store, look) || has_changed || look->now - store->changed_ms < SETTLE_MS;
    store->stamp = look->stamp;
}

/* ---- Looking: the system is asked while nothing is held that others wait for ---- */

static void begin_look(prfdata_installation_store *store, uint64_t now,
                       struct installation_look *look)
{
    memset(look, 0, sizeof *look);
    look->now = now;
    prfdata_os_lock_enter(&store->deciding);
    look->base = store->look_count;
    look->must_read = store->must_read;
    look->known_stamp = store->stamp;
    look->has_installation = store->installation != NULL;
    prfdata_os_lock_leave(&store->deciding);
}

static void read_settings(const prfdata_installation_store *store, struct installation_look *look)
{
    uint64_t stamp_after;

    look->stamp_error = prfdata_os_settings_stamp(store->service, &look->stamp);
    if (look->has_installation &&
        (look->stamp_error || (look->stamp == look->known_stamp && !look->must_read)))
        return;
    look->has_read = true;
    look->error = read_values(store->service, &look->values, &look->name);
    look->is_mixed = !look->error && !prfdata_os_settings_stamp(store->service, &stamp_after) &&
                     stamp_after != look->stamp;
}

/* Nothing follows if another thread has looked meanwhile. */
static void end_look(prfdata_installation_store *store, struct installation_look *look)
{
    prfdata_os_lock_enter(&store->deciding);
    if (store->look_count == look->base) {
        store->look_count++;
        use_look(store, look);
    }
    prfdata_os_lock_leave(&store->deciding);
    free_values(&look->values);
    prfdata_installation_release(store, look->dropped);
}

static void look_for_changes(prfdata_installation_store *store, uint64_t now)
{
    struct installation_look look;

    begin_look(store, now, &look);
    read_settings(store, &look);
    end_look(store, &look);
}

uint64_t prfdata_installation_due_ms(const prfdata_installation_store *store)
{
    return store->is_given ? UINT64_MAX : prfdata_due_ms(&store->due, store->refresh_ms);
}

prfdata_installation *prfdata_installation_acquire(prfdata_installation_store *store)
{
    const uint64_t now = prfdata_due_now_ms();
    bool is_alone;

    if (!store->is_given && prfdata_due_begin(&store->due, store->refresh_ms, now, &is_alone)) {
        look_for_changes(store, now);
        prfdata_due_end(&store->due, now, is_alone);
    }
    return reference_installation(store);
}

void prfdata_installation_set_refresh(prfdata_installation_store *store, uint64_t milliseconds)
{
    store->refresh_ms = milliseconds;
    if (store->installation)
        store->installation->regions->refresh_ms = milliseconds;
}

void prfdata_installation_done(prfdata_installation_store *store)
{
    prfdata_installation_release(store, store->installation);
    store->installation = NULL;
    prfdata_versions_done(&store->versions);
}
