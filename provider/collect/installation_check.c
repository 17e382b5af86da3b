/* SPDX-License-Identifier: MIT */
/*
 * Checks the registry key: reads the values if they may have changed, and decides whether the
 * installation stays, is replaced, or is hidden while the values cannot be read. installation.c
 * creates installations; basis.c decides when to check, and applies the result.
 */
#include "collect/installation.h"

#include <string.h>

#define SETTLE_MS 100 /* more than one tick of the clock that stamps come from */

/* One check of the registry. */
struct installation_look {
    prfdata_installation_store *store;
    prfdata_installation_key *key;
    prfdata_installation *former; /* NULL: there is none */
    prfdata_installation *next;   /* the one that the next basis is for; NULL: none */
    uint64_t now;
    uint64_t stamp;
    uint32_t stamp_error;
    bool has_read; /* the values were read, and they are consistent */
    uint32_t error;
    const char *name; /* name of the value that could not be read */
    prfdata_installed_values values;
};

/* ---- Using the values ---- */

/*
 * The values are missing or invalid, as they are while the counters are being installed again.
 * Shows nothing, and keeps the installation for PRFDATA_INSTALLATION_KEEP_MS.
 */
static void hide_installation(struct installation_look *look)
{
    prfdata_installation_key *key = look->key;

    if (!key->is_hidden)
        key->hidden_ms = look->now;
    key->is_hidden = true;
    if (look->now - key->hidden_ms >= PRFDATA_INSTALLATION_KEEP_MS)
        look->next = NULL;
}

static void notice_wrong_values(const prfdata_installation_store *store, uint32_t error)
{
    if (error == ERROR_INVALID_PARAMETER)
        prfdata_events_notice(store->regions.events, PRFDATA_EVENT_TITLES_INVALID, L"", 0);
    else if (error == ERROR_REVISION_MISMATCH)
        prfdata_events_notice(store->regions.events, PRFDATA_EVENT_MAP_VERSION, L"", 0);
    else if (error != ERROR_NOT_ENOUGH_MEMORY)
        prfdata_events_notice(store->regions.events, PRFDATA_EVENT_MAP_INVALID, L"", error);
}

/*
 * Whether the map has a newer format than this provider understands while the title indexes are
 * unchanged. A reader that still has the old DLL loaded then keeps showing the old map.
 */
static bool outlives_later_map(const struct installation_look *look, uint32_t error)
{
    return error == ERROR_REVISION_MISMATCH && look->former &&
           prfdata_installed_values_same_numbers(&look->former->values, &look->values);
}

/* Makes an installation from the values, unless they are the same. Returns what is invalid. */
static uint32_t show_values(struct installation_look *look)
{
    prfdata_installed_values *values = &look->values;
    uint32_t error = ERROR_SUCCESS;

    if (!look->former || !prfdata_installed_values_same(&look->former->values, values)) {
        error = prfdata_installation_make(look->store, look->former, values, &look->next);
        if (!error) {
            look->next->values = *values;
            memset(values, 0, sizeof *values); /* the installation owns them now */
        } else if (!look->former || error == ERROR_REVISION_MISMATCH) {
            notice_wrong_values(look->store, error);
        }
        if (outlives_later_map(look, error))
            error = ERROR_SUCCESS;
    }
    if (!error)
        look->key->is_hidden = false;
    return error;
}

/* Whether a failure concerns only this thread or this moment. Such a failure changes nothing. */
static bool is_no_news(uint32_t error)
{
    return error == ERROR_ACCESS_DENIED || error == ERROR_NOT_ENOUGH_MEMORY;
}

/*
 * Whether the value Regions existed and is now missing, which means that an installation is in
 * progress.
 */
static bool lacks_folder(const struct installation_look *look)
{
    return look->former && look->former->values.folder && !look->values.folder;
}

/* Returns false if the next check must read the values again. */
static bool use_values(struct installation_look *look)
{
    uint32_t error = look->error;

    if (error && !look->former)
        prfdata_events_notice_ascii(look->store->regions.events, PRFDATA_EVENT_VALUE_MISSING,
                                    look->name, error);
    if (!error && lacks_folder(look))
        error = ERROR_FILE_NOT_FOUND;
    else if (!error)
        error = show_values(look);
    if (error && !is_no_news(error) && look->former)
        hide_installation(look);
    return !error;
}

/*
 * Two changes within one tick of the clock may leave the same stamp. So after any change, the next
 * checks read the values again until the clock has certainly moved.
 */
static void use_look(struct installation_look *look)
{
    prfdata_installation_key *key = look->key;
    const bool has_changed = look->stamp != key->stamp;

    if (look->stamp_error && look->former) {
        if (look->stamp_error == ERROR_FILE_NOT_FOUND) /* uninstalled */
            look->next = NULL;
        return;
    }
    if (!look->has_read)
        return;
    if (has_changed)
        key->changed_ms = look->now;
    key->must_read = !use_values(look) || has_changed || look->now - key->changed_ms < SETTLE_MS;
    key->stamp = look->stamp;
}

/* ---- Reading the values ---- */

/*
 * Reads the stamp and, if needed, the values. If the stamp changed while they were read, some
 * values may be old and some new, and this check changes nothing. The next check reads again,
 * because the key still has the older stamp.
 */
static void read_settings(struct installation_look *look)
{
    const bool must_read = look->key->must_read || !look->former;
    uint64_t stamp_after;

    look->stamp = look->key->stamp;
    look->stamp_error = prfdata_os_settings_stamp(look->store->service, &look->stamp);
    if (!must_read && (look->stamp_error || look->stamp == look->key->stamp))
        return;
    look->error = prfdata_installed_values_read(look->store->service, &look->values, &look->name);
    look->has_read = look->error || prfdata_os_settings_stamp(look->store->service, &stamp_after) ||
                     stamp_after == look->stamp;
}

prfdata_installation *prfdata_installation_check(prfdata_installation_store *store,
                                                 prfdata_installation_key *key,
                                                 prfdata_installation *former)
{
    struct installation_look look = {
        .store = store, .key = key, .former = former, .next = former, .now = prfdata_due_now_ms()};

    if (!store->is_given) {
        read_settings(&look);
        use_look(&look);
        prfdata_installed_values_free(&look.values);
    }
    if (!look.next)
        key->is_hidden = false;
    else if (look.next == former)
        prfdata_installation_retain(store, former);
    return look.next;
}
