/* SPDX-License-Identifier: MIT */
/*
 * Decides which installation is current. Each check reads the registry without holding a lock, then
 * takes a lock to apply the result: the installation is replaced if the values changed, and hidden
 * while they cannot be read. installation.c creates installations; basis.c decides when to check.
 */
#include "collect/installation.h"

#include <string.h>

#define SETTLE_MS 100 /* more than one tick of the clock that stamps come from */

/* ---- The current installation ---- */

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

/*
 * Makes `installation` current; it is NULL or has a reference for the store. Returns the old one,
 * which running Collects continue to use.
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

/* ---- Applying a check: the caller holds `deciding` ---- */

/* The result of one check of the registry. */
struct installation_look {
    uint64_t look_count; /* the store's look_count when the check began */
    uint64_t now;
    bool must_read; /* the values are read even if the stamp is unchanged */
    uint64_t stamp; /* first the known stamp, then the one that was found */
    uint32_t stamp_error;
    bool has_read; /* the values were read, and they are consistent */
    uint32_t error;
    const char *name; /* of the value that could not be read */
    prfdata_installed_values values;
    prfdata_installation *dropped; /* gets the installation that was replaced */
};

/*
 * The values are missing or invalid, as they are while the counters are being installed again.
 * Shows nothing, and keeps the installation for PRFDATA_INSTALLATION_KEEP_MS.
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
 * Whether the map has a newer format than this provider understands while the title indexes are
 * unchanged. A reader that still has the old DLL loaded then keeps showing the old map.
 */
static bool outlives_later_map(const prfdata_installation_store *store,
                               const prfdata_installed_values *values, uint32_t error)
{
    return error == ERROR_REVISION_MISMATCH && store->installation &&
           prfdata_installed_values_same_numbers(&store->installation->values, values);
}

/* Makes the values the current ones. Returns what is invalid about them. */
static uint32_t show_values(prfdata_installation_store *store, struct installation_look *look)
{
    prfdata_installed_values *values = &look->values;
    prfdata_installation *made;
    uint32_t error = ERROR_SUCCESS;

    if (store->installation &&
        prfdata_installed_values_same(&store->installation->values, values)) {
        set_hidden(store, false);
        return ERROR_SUCCESS;
    }
    error = prfdata_installation_make(store, values, &made);
    if (!error) {
        made->values = *values;
        memset(values, 0, sizeof *values); /* the installation owns them now */
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

/* Some failures concern only this thread or this moment, and change nothing. */
static bool is_no_news(uint32_t error)
{
    return error == ERROR_ACCESS_DENIED || error == ERROR_NOT_ENOUGH_MEMORY;
}

/* Whether the value Regions existed and is now missing: an installation is in progress. */
static bool lacks_folder(const prfdata_installation_store *store,
                         const prfdata_installed_values *values)
{
    return store->installation && store->installation->values.folder && !values->folder;
}

/* Returns false if the next check must read the values again. */
static bool use_values(prfdata_installation_store *store, struct installation_look *look)
{
    uint32_t error = look->error;

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
 * Applies a check. Two changes within one tick of the clock may leave the same stamp. So after any
 * change, the next checks read the values again until the clock has certainly moved.
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

/* ---- Checking: no lock is held during system calls ---- */

static void begin_look(prfdata_installation_store *store, struct installation_look *look)
{
    prfdata_os_lock_enter(&store->deciding);
    look->look_count = store->look_count;
    look->must_read = store->must_read || !store->installation;
    look->stamp = store->stamp;
    prfdata_os_lock_leave(&store->deciding);
}

/*
 * Reads the stamp and, if needed, the values. If the stamp changed while they were read, some
 * values may be old and some new, and this check changes nothing. The next check reads again,
 * because the store still has the older stamp.
 */
static void read_settings(const prfdata_installation_store *store, struct installation_look *look)
{
    const uint64_t known_stamp = look->stamp;
    uint64_t stamp_after;

    look->stamp_error = prfdata_os_settings_stamp(store->service, &look->stamp);
    if (!look->must_read && (look->stamp_error || look->stamp == known_stamp))
        return;
    look->error = prfdata_installed_values_read(store->service, &look->values, &look->name);
    look->has_read = look->error || prfdata_os_settings_stamp(store->service, &stamp_after) ||
                     stamp_after == look->stamp;
}

/* Applies the check, or discards it if another thread completed one in the meantime. */
static void end_look(prfdata_installation_store *store, struct installation_look *look)
{
    prfdata_os_lock_enter(&store->deciding);
    if (store->look_count == look->look_count) {
        store->look_count++;
        use_look(store, look);
    }
    prfdata_os_lock_leave(&store->deciding);
    prfdata_installed_values_free(&look->values);
    prfdata_installation_release(store, look->dropped);
}

static void look_for_changes(prfdata_installation_store *store, uint64_t now)
{
    struct installation_look look = {.now = now};

    begin_look(store, &look);
    read_settings(store, &look);
    end_look(store, &look);
}

/* ---- For the users of the store ---- */

uint32_t prfdata_installation_set(prfdata_installation_store *store, const void *maps,
                                  size_t maps_bytes, uint32_t first_counter, uint32_t first_help)
{
    const prfdata_installed_values values = {
        .maps = (void *)(uintptr_t)maps, /* only read */
        .maps_bytes = maps_bytes,
        .first_counter = first_counter,
        .first_help = first_help,
    };
    const uint32_t error = prfdata_installation_make(store, &values, &store->installation);

    store->is_given = true;
    if (!error)
        /* the other values are not used */
        store->installation->values.first_counter = first_counter;
    return error;
}

prfdata_installation *prfdata_installation_refresh(prfdata_installation_store *store)
{
    if (!store->is_given)
        look_for_changes(store, prfdata_due_now_ms());
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
