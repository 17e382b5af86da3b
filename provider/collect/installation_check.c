/* SPDX-License-Identifier: MIT */
/*
 * Checks the registry key: reads the values if they may have changed, and decides whether the
 * installation stays, is replaced, hidden or dropped. installation.c creates installations; basis.c
 * decides when to check, and applies the result.
 */
#include "base/bytes.h"
#include "collect/basis.h"
#include "map/maps.h"

#define SETTLE_MS        100  /* more than one tick of the clock that stamps come from */
#define MAX_FOLDER_BYTES 2048 /* limit for the value Regions; the installer writes far less */

/*
 * Hides the installation while its values are missing or invalid, for instance during an upgrade.
 * Drops it after PRFDATA_INSTALLATION_KEEP_MS.
 */
static void hide_installation(uint64_t now, prfdata_basis *made)
{
    if (made->hidden_ms == 0)
        made->hidden_ms = now;
    if (now - made->hidden_ms >= PRFDATA_INSTALLATION_KEEP_MS)
        made->installation = NULL;
}

static void notice_wrong_values(prfdata_provider *provider, uint32_t error)
{
    if (error == ERROR_INVALID_PARAMETER)
        prfdata_events_notice(&provider->events, PRFDATA_EVENT_TITLES_INVALID, L"", 0);
    else if (error == ERROR_REVISION_MISMATCH)
        prfdata_events_notice(&provider->events, PRFDATA_EVENT_MAP_VERSION, L"", 0);
    else if (error != ERROR_NOT_ENOUGH_MEMORY)
        prfdata_events_notice(&provider->events, PRFDATA_EVENT_MAP_INVALID, L"", error);
}

/* Whether two installations have the same title indexes. */
static bool has_same_numbers(const prfdata_installation *a, const prfdata_installation *b)
{
    return a->first_counter == b->first_counter && a->first_help == b->first_help;
}

static bool has_same_values(const prfdata_installation *a, const prfdata_installation *b)
{
    return has_same_numbers(a, b) && prfdata_installation_same_folder(a, b) &&
           a->resets == b->resets && a->regions_mib == b->regions_mib &&
           prfdata_bytes_same(a->maps, a->maps_bytes, b->maps, b->maps_bytes);
}

/*
 * Gives `made` the installation `found`, unless the installation of `made` has the same values
 * already. Returns an error if the values are invalid or memory is exhausted. If the map has a
 * newer format than this provider knows, but the title indexes are unchanged, keeps the former
 * installation without an error.
 */
static uint32_t show_values(prfdata_provider *provider, prfdata_installation *found,
                            prfdata_basis *made)
{
    const prfdata_installation *former = made->installation;
    uint32_t error;

    if (former && has_same_values(former, found))
        return ERROR_SUCCESS;
    error = prfdata_installation_complete(provider, former, found);
    if (!error)
        made->installation = found;
    else if (!former || error == ERROR_REVISION_MISMATCH)
        notice_wrong_values(provider, error);
    if (error == ERROR_REVISION_MISMATCH && former && has_same_numbers(former, found))
        return ERROR_SUCCESS;
    return error;
}

/* Whether a failure concerns only this thread or this moment. Such a failure changes nothing. */
static bool is_no_news(uint32_t error)
{
    return error == ERROR_ACCESS_DENIED || error == ERROR_NOT_ENOUGH_MEMORY;
}

/*
 * Shows the values that were read. If one could not be read, `name` and `error` say which and why.
 * If only the former installation has the value Regions, the counters are probably being installed.
 * This counts as a failure, too. A failure hides the installation, unless is_no_news() is true.
 * Returns false after a failure. The next check must then read the values again.
 */
static bool use_values(prfdata_provider *provider, uint32_t error, const char *name, uint64_t now,
                       prfdata_installation *found, prfdata_basis *made)
{
    const bool is_installed = made->installation != NULL;

    if (error && !is_installed)
        prfdata_events_notice_ascii(&provider->events, PRFDATA_EVENT_VALUE_MISSING, name, error);
    if (!error && is_installed && made->installation->folder && !found->folder)
        error = ERROR_FILE_NOT_FOUND;
    else if (!error)
        error = show_values(provider, found, made);
    if (!error)
        made->hidden_ms = 0;
    else if (!is_no_news(error) && is_installed)
        hide_installation(now, made);
    return !error;
}

/* Replaces an error that means a missing value by ERROR_SUCCESS. A value of another type, or above
 * its size limit, counts as missing. */
static uint32_t without_missing(uint32_t error)
{
    return error == ERROR_FILE_NOT_FOUND || error == ERROR_INVALID_DATA ? ERROR_SUCCESS : error;
}

/*
 * Reads the values into `found`. If one cannot be read, sets `name` to its name and returns the
 * system's error. It is no error if Resets, Regions MiB or Regions is missing. A missing number is
 * read as 0; if Regions is missing, `folder` is NULL.
 */
static uint32_t read_into(const char *service, prfdata_installation *found, const char **name)
{
    uint32_t error;

    *name = "Maps";
    error = prfdata_os_setting_bytes(service, *name, PRFDATA_MAX_MAPS_BYTES, &found->maps,
                                     &found->maps_bytes);
    if (!error) {
        *name = "First Counter";
        error = prfdata_os_setting_number(service, *name, &found->first_counter);
    }
    if (!error) {
        *name = "First Help";
        error = prfdata_os_setting_number(service, *name, &found->first_help);
    }
    if (!error) {
        *name = "Resets";
        error = without_missing(prfdata_os_setting_number(service, *name, &found->resets));
    }
    if (!error) {
        *name = "Regions MiB";
        error = without_missing(prfdata_os_setting_number(service, *name, &found->regions_mib));
    }
    if (!error) {
        *name = "Regions";
        error = without_missing(prfdata_os_setting_folder(service, MAX_FOLDER_BYTES, &found->folder,
                                                          &found->folder_bytes));
    }
    return error;
}

/*
 * Reads the values, and uses them. If all could be read, but the stamp changed meanwhile, some of
 * them may be old and some new. Then nothing changes, and the next check reads again, because the
 * basis still has the older stamp. Two changes within one tick of the clock may leave the same
 * stamp. So after any change, the next checks read the values again until the clock has certainly
 * moved.
 */
static void read_values(prfdata_provider *provider, uint64_t stamp, prfdata_basis *made)
{
    const uint64_t now = prfdata_refresh_now_ms();
    const bool has_changed = stamp != made->stamp;
    prfdata_installation *found = prfdata_installation_make(provider);
    uint64_t stamp_after;
    const char *name;
    uint32_t error;

    if (!found)
        return;
    error = read_into(provider->service, found, &name);
    if (error || prfdata_os_settings_stamp(provider->service, &stamp_after) ||
        stamp_after == stamp) {
        if (has_changed)
            made->changed_ms = now;
        made->must_read = !use_values(provider, error, name, now, found, made) || has_changed ||
                          now - made->changed_ms < SETTLE_MS;
        made->stamp = stamp;
    }
    if (made->installation != found)
        prfdata_installation_release(provider, found);
}

static void check_key(prfdata_provider *provider, prfdata_basis *made)
{
    uint64_t stamp = made->stamp;
    const uint32_t error = prfdata_os_settings_stamp(provider->service, &stamp);

    if (!made->installation)
        read_values(provider, stamp, made);
    else if (error == ERROR_FILE_NOT_FOUND)
        made->installation = NULL; /* the counters were uninstalled */
    else if (!error && (made->must_read || stamp != made->stamp))
        read_values(provider, stamp, made);
}

void prfdata_installation_check(prfdata_provider *provider, const prfdata_basis *former,
                                prfdata_basis *made)
{
    if (former) {
        prfdata_basis_copy_key(former, made);
        made->installation = former->installation;
    }
    if (!provider->is_given)
        check_key(provider, made);
    if (former && made->installation == former->installation)
        prfdata_installation_retain(provider, made->installation);
}
