/* SPDX-License-Identifier: MIT */
/*
 * The provider DLL: Open, Collect and Close as perflib calls them. Windows only. DllMain does
 * nothing (there is none). Each service registers a copy of this DLL under its own name, since
 * Collect has no context argument.
 */
#include <windows.h>

#include <stdlib.h>
#include <string.h>

#include "collect.h"
#include "event_log.h"
#include "os.h"

#include <prfdata/map.h>

static struct {
    prfdata_os_lock lock; /* never held across a system call */
    uint32_t open_count;
    uint32_t use_count; /* Collects that run */
    prfdata_provider *provider;
} state;

/* ---- Which service is this? ---- */

/* Turn UTF-16 into a service name; false if it cannot be one. */
static bool to_service(const WCHAR *text, size_t units, char *service)
{
    if (units == 0 || units > PRFDATA_MAX_SERVICE_CHARS)
        return false;
    for (size_t i = 0; i < units; i++) {
        if (text[i] < ' ' || text[i] > '~' || text[i] == '\\' || text[i] == '/')
            return false;
        service[i] = (char)text[i];
    }
    service[units] = '\0';
    return true;
}

/* Linkage\Export may also be the binding of a network driver: then it names no service of ours. */
static bool service_from_export(const WCHAR *export, char *service)
{
    void *bytes;
    size_t size;

    if (!export || !to_service(export, wcsnlen(export, PRFDATA_MAX_SERVICE_CHARS + 1), service))
        return false;
    if (prfdata_os_setting_bytes(service, "Map", PRFDATA_MAX_MAP_BYTES, &bytes, &size))
        return false;
    free(bytes);
    return true;
}

/* <folder>\<service>Prf.dll */
static bool service_from_module(char *service)
{
    static const WCHAR suffix[] = L"Prf.dll";
    const size_t suffix_units = sizeof suffix / sizeof suffix[0] - 1;
    WCHAR path[1024];
    const WCHAR *name;
    HMODULE module;
    DWORD units;

    if (!GetModuleHandleExW(GET_MODULE_HANDLE_EX_FLAG_FROM_ADDRESS |
                                GET_MODULE_HANDLE_EX_FLAG_UNCHANGED_REFCOUNT,
                            (const WCHAR *)(const void *)&state, &module))
        return false;
    units = GetModuleFileNameW(module, path, sizeof path / sizeof path[0]);
    if (units == 0 || units >= sizeof path / sizeof path[0])
        return false;
    name = wcsrchr(path, L'\\');
    name = name ? name + 1 : path;
    units = (DWORD)wcslen(name);
    if (units <= suffix_units ||
        CompareStringOrdinal(name + units - suffix_units, -1, suffix, -1, TRUE) != CSTR_EQUAL)
        return false;
    return to_service(name, units - suffix_units, service);
}

/* ---- The three exports ---- */

static prfdata_provider *make_provider(const WCHAR *export)
{
    char service[PRFDATA_MAX_SERVICE_CHARS + 1];
    prfdata_provider *provider = NULL;

    if ((service_from_export(export, service) || service_from_module(service)) &&
        prfdata_provider_open(service, &provider) == ERROR_SUCCESS)
        prfdata_event_log_attach(provider);
    return provider;
}

/* Take the provider out if nobody needs it any more. The caller holds the lock, then frees it. */
static prfdata_provider *take_unused(void)
{
    prfdata_provider *unused = NULL;

    if (state.open_count == 0 && state.use_count == 0) {
        unused = state.provider;
        state.provider = NULL;
    }
    return unused;
}

/*
 * PM_OPEN_PROC. Succeeds whatever happens: a failure would switch the provider off for this
 * process, and perhaps for the machine (event 1008).
 */
DWORD APIENTRY PrfDataOpen(LPWSTR context);
DWORD APIENTRY PrfDataOpen(LPWSTR context)
{
    prfdata_provider *made = NULL;
    bool have_one;

    prfdata_os_lock_enter(&state.lock);
    have_one = state.provider != NULL;
    state.open_count++;
    prfdata_os_lock_leave(&state.lock);
    if (!have_one)
        made = make_provider(context);
    prfdata_os_lock_enter(&state.lock);
    if (!state.provider && state.open_count > 0) {
        state.provider = made;
        made = NULL;
    }
    prfdata_os_lock_leave(&state.lock);
    prfdata_provider_close(made); /* another thread was faster */
    return ERROR_SUCCESS;
}

/* PM_COLLECT_PROC. `query` may be NULL; `*objects` comes in with garbage. */
DWORD APIENTRY PrfDataCollect(LPWSTR query, LPVOID *data, LPDWORD data_bytes, LPDWORD objects);
DWORD APIENTRY PrfDataCollect(LPWSTR query, LPVOID *data, LPDWORD data_bytes, LPDWORD objects)
{
    prfdata_provider *provider;
    uint32_t bytes = *data_bytes;
    uint32_t count = 0;
    uint32_t status;

    prfdata_os_lock_enter(&state.lock);
    provider = state.provider;
    state.use_count++;
    prfdata_os_lock_leave(&state.lock);
    status = prfdata_provider_collect(provider, (const uint16_t *)query, data, &bytes, &count);
    prfdata_os_lock_enter(&state.lock);
    state.use_count--;
    provider = take_unused();
    prfdata_os_lock_leave(&state.lock);
    prfdata_provider_close(provider);
    *data_bytes = bytes;
    *objects = count;
    return status;
}

/* PM_CLOSE_PROC. */
DWORD APIENTRY PrfDataClose(void);
DWORD APIENTRY PrfDataClose(void)
{
    prfdata_provider *unused;

    prfdata_os_lock_enter(&state.lock);
    if (state.open_count > 0)
        state.open_count--;
    unused = take_unused();
    prfdata_os_lock_leave(&state.lock);
    prfdata_provider_close(unused);
    return ERROR_SUCCESS;
}
