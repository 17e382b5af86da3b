/* SPDX-License-Identifier: MIT */
/*
 * The provider DLL: Open, Collect and Close as perflib calls them. Windows only. There is no
 * DllMain. Each service registers a copy of this DLL under its own name, because Collect has no
 * context argument. What the calls do is in collect.c.
 */
#include <windows.h>

#include <stdlib.h>
#include <string.h>

#include "provider/collect.h"
#include "provider/event_log.h"
#include "core/os.h"

#include <prfdata/map.h>

static struct {
    prfdata_os_lock lock; /* never held across a system call */
    uint32_t open_count;
    uint32_t use_count;  /* Collects that run */
    uint32_t hold_count; /* references of this module that are ours */
    prfdata_provider *provider;
} state;

/* ---- This module ---- */

static HMODULE this_module_handle(DWORD flags)
{
    HMODULE module = NULL;

    return GetModuleHandleExW(flags | GET_MODULE_HANDLE_EX_FLAG_FROM_ADDRESS,
                              (const WCHAR *)(const void *)&state, &module)
               ? module
               : NULL;
}

/*
 * Pin the DLL from Open to Close, because the handler of faults is in it: in a program that unloads
 * the DLL without Close, the next exception would call code that is gone.
 * Returns how many references were taken.
 */
static uint32_t hold_module(void)
{
    return this_module_handle(0) != NULL;
}

/* For Close only: its caller has a reference of its own, so the code stays until it returns. */
static void release_module(uint32_t hold_count)
{
    HMODULE module = this_module_handle(GET_MODULE_HANDLE_EX_FLAG_UNCHANGED_REFCOUNT);

    for (; module && hold_count > 0; hold_count--)
        FreeLibrary(module);
}

/* ---- Which service is this? ---- */

/* Turn UTF-16 into a service name; false if it cannot be one. */
static bool wide_to_service(const WCHAR *text, size_t chars, char *service)
{
    if (chars == 0 || chars > PRFDATA_MAX_SERVICE_CHARS)
        return false;
    for (size_t i = 0; i < chars; i++) {
        if (text[i] < ' ' || text[i] > '~' || text[i] == '\\' || text[i] == '/')
            return false;
        service[i] = (char)text[i];
    }
    service[chars] = '\0';
    return true;
}

/* Linkage\Export may be the binding of a network driver: then it is not a service name of ours. */
static bool service_from_export(const WCHAR *export, char *service)
{
    void *bytes;
    size_t size;

    if (!export ||
        !wide_to_service(export, wcsnlen(export, PRFDATA_MAX_SERVICE_CHARS + 1), service))
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
    const size_t suffix_chars = sizeof suffix / sizeof suffix[0] - 1;
    WCHAR path[1024];
    const WCHAR *name;
    HMODULE module = this_module_handle(GET_MODULE_HANDLE_EX_FLAG_UNCHANGED_REFCOUNT);
    DWORD chars;

    if (!module)
        return false;
    chars = GetModuleFileNameW(module, path, sizeof path / sizeof path[0]);
    if (chars == 0 || chars >= sizeof path / sizeof path[0])
        return false;
    name = wcsrchr(path, L'\\');
    name = name ? name + 1 : path;
    chars = (DWORD)wcslen(name);
    if (chars <= suffix_chars ||
        CompareStringOrdinal(name + chars - suffix_chars, -1, suffix, -1, TRUE) != CSTR_EQUAL)
        return false;
    return wide_to_service(name, chars - suffix_chars, service);
}

/* ---- The three exports ---- */

static prfdata_provider *make_module_provider(const WCHAR *export)
{
    char service[PRFDATA_MAX_SERVICE_CHARS + 1];
    prfdata_provider *provider = NULL;

    if ((service_from_export(export, service) || service_from_module(service)) &&
        prfdata_provider_open(service, &provider) == ERROR_SUCCESS)
        prfdata_event_log_attach(provider);
    return provider;
}

/* Remove the provider if it is no longer used. The caller holds the lock, and then frees it. */
static prfdata_provider *take_unused_provider(void)
{
    prfdata_provider *unused = NULL;

    if (state.open_count == 0 && state.use_count == 0) {
        unused = state.provider;
        state.provider = NULL;
    }
    return unused;
}

/*
 * PM_OPEN_PROC. Always succeeds: after a failure perflib would not call the provider again in this
 * process, and might disable it for the machine (event 1008).
 */
DWORD APIENTRY PrfDataOpen(LPWSTR context);
DWORD APIENTRY PrfDataOpen(LPWSTR context)
{
    prfdata_provider *made = NULL;
    uint32_t held = 0;
    bool have_one;

    prfdata_os_lock_enter(&state.lock);
    have_one = state.provider != NULL;
    state.open_count++;
    prfdata_os_lock_leave(&state.lock);
    if (!have_one) {
        held = hold_module();
        made = make_module_provider(context);
    }
    prfdata_os_lock_enter(&state.lock);
    state.hold_count += held;
    if (!state.provider && state.open_count > 0) {
        state.provider = made;
        made = NULL;
    }
    prfdata_os_lock_leave(&state.lock);
    prfdata_provider_close(made); /* another thread has opened it */
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
    provider = take_unused_provider();
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
    uint32_t held = 0;

    prfdata_os_lock_enter(&state.lock);
    if (state.open_count > 0)
        state.open_count--;
    unused = take_unused_provider();
    if (state.open_count == 0 &&
        state.use_count == 0) { /* else the last Collect or a later Close does */
        held = state.hold_count;
        state.hold_count = 0;
    }
    prfdata_os_lock_leave(&state.lock);
    prfdata_provider_close(unused);
    release_module(held);
    return ERROR_SUCCESS;
}
