/* SPDX-License-Identifier: MIT */
/*
 * Checks the registry key: reads the values if they may have changed, and decides whether the
 * installation stays, is replaced, or is hidden while the values cannot be read. installation.c
 * creates installations; basis.c decides when to check, and applies the result.
 */
#include <string.h>

#include "collect/basis.h"

#define SETTLE_MS 100 /* more than one tick of the clock that stamps come from */

/* ---- Using the values ---- */

/*
 * The values are missing or invalid, as they are while the counters are being installed again.
 * Shows nothing, and keeps the installation for PRFDATA_INSTALLATION_KEEP_MS.
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

/*
 * Makes an installation from the values, and takes ownership of them, unless they are the same as
 * before. Returns what is invalid. It is no error if the map has a newer format than this provider
 * understands while the title indexes are unchanged: a reader that still has the old DLL loaded
 * keeps showing the old map.
 */
static uint32_t show_values(prfdata_provider *provider, prfdata_installed_values *values,
                            prfdata_basis *made)
{
    const prfdata_installation *former = made->installation;
    uint32_t error;

    if (former && prfdata_installed_values_same(&former->values, values))
        return ERROR_SUCCESS;
    error = prfdata_installation_make(provider, former, values, &made->installation);
    if (!error) {
        made->installation->values = *values;
        memset(values, 0, sizeof *values);
    } else if (!former || error == ERROR_REVISION_MISMATCH) {
        notice_wrong_values(provider, error);
    }
    if (error == ERROR_REVISION_MISMATCH && former &&
        prfdata_installed_values_same_numbers(&former->values, values))
        return ERROR_SUCCESS;
    return error;
}

/* Whether a failure concerns only this thread or this moment. Such a failure changes nothing. */
static bool is_no_news(uint32_t error)
{
    return error == ERROR_ACCESS_DENIED || error == ERROR_NOT_ENOUGH_MEMORY;
}

/*
 * Uses the values, or handles the error of reading the one with this name. Returns false if the
 * next check must read the values again. If the value Regions existed and is now missing, an
 * installation is in progress.
 */
static bool use_values(prfdata_provider *provider, uint32_t error, const char *name, uint64_t now,
                       prfdata_installed_values *values, prfdata_basis *made)
{
    const bool is_installed = made->installation != NULL;

    if (error && !is_installed)
        prfdata_events_notice_ascii(&provider->events, PRFDATA_EVENT_VALUE_MISSING, name, error);
    if (!error && is_installed && made->installation->values.folder && !values->folder)
        error = ERROR_FILE_NOT_FOUND;
    else if (!error)
        error = show_values(provider, values, made);
    if (!error)
        made->hidden_ms = 0;
    else if (!is_no_news(error) && is_installed)
        hide_installation(now, made);
    return !error;
}

/* ---- Reading the values ---- */

/*
 * Reads the values, and uses them. If the stamp changed while they were read, some of them may be
 * old and some new. Then nothing changes, and the next check reads again, because the basis still
 * has the older stamp. Two changes within one tick of the clock may leave the same stamp. So after
 * any change, the next checks read the values again until the clock has certainly moved.
 */
static void read_values(prfdata_provider *provider, uint64_t stamp, prfdata_basis *made)
{
    const uint64_t now = prfdata_due_now_ms();
    const bool has_changed = stamp != made->stamp;
    prfdata_installed_values values;
    uint64_t stamp_after;
    const char *name;
    const uint32_t error = prfdata_installed_values_read(provider->service, &values, &name);

    if (error || prfdata_os_settings_stamp(provider->service, &stamp_after) ||
        stamp_after == stamp) {
        if (has_changed)
            made->changed_ms = now;
        made->must_read = !use_values(provider, error, name, now, &values, made) || has_changed ||
                          now - made->changed_ms < SETTLE_MS;
        made->stamp = stamp;
    }
    prfdata_installed_values_free(&values);
}

static void check_key(prfdata_provider *provider, prfdata_basis *made)
{
    uint64_t stamp = made->stamp;
    const uint32_t error = prfdata_os_settings_stamp(provider->service, &stamp);

    if (!made->installation)
        read_values(provider, stamp, made);
    else if (error == ERROR_FILE_NOT_FOUND)
        made->installation = NULL; /* uninstalled */
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
