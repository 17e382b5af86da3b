/* SPDX-License-Identifier: MIT */
/*
 * The provider DLL: Open, Collect and Close as perflib calls them. There is no DllMain. Each
 * service registers a copy of this DLL under its own name, because Collect has no context argument.
 * What the calls do is in provider.c. Windows only.
 */
#include <windows.h>

#include <stdlib.h>
#include <string.h>

#include "collect/provider.h"
#include "dll/event_log.h"
#include "map/maps.h"
#include "system/os.h"

#include <prfdata/map.h>

static struct {
    prfdata_os_lock lock; /* never held across a system call */
    uint32_t open_count;
    uint32_t use_count; /* Collects that run */
    HMODULE held; /* the module, with a reference that is ours while a Collect runs; or NULL */
    prfdata_provider *provider;
    struct {
        DWORD thread;
        uint64_t at_ms;
    } ended[2]; /* the last Collect that ended, and the last one of another thread than that */
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
 * Nothing pins the DLL between its calls; unloading it is its caller's affair. One case needs help:
 * a Close while another thread is inside Collect, because the DLL is unloaded after Close. Close
 * takes a reference of the module then, and the Collect that ends last gives it back. It cannot do
 * so itself: FreeLibrary would return to code that is gone. So a thread does, a while after it. (A
 * Collect that never returns, because its caller handled an exception in it, keeps the module.)
 * A Collect of another thread that ended a moment ago may still be on its way to its caller: Close
 * also takes a reference then.
 */
enum { RETURN_MS = 1000 }; /* for the way from the end of Collect to its caller */

static DWORD WINAPI free_module_later(void *module)
{
    Sleep(RETURN_MS);
    FreeLibraryAndExitThread(module, 0);
}

/* Without a thread the module stays loaded, which is better than code that is gone. */
static void give_module_back(HMODULE module)
{
    HANDLE thread = module ? CreateThread(NULL, 0, free_module_later, module, 0, NULL) : NULL;

    if (thread)
        CloseHandle(thread);
}

/* The caller holds the lock. */
static void note_end_of_collect(void)
{
    const DWORD thread = GetCurrentThreadId();

    if (state.ended[0].thread != thread)
        state.ended[1] = state.ended[0];
    state.ended[0].thread = thread;
    state.ended[0].at_ms = prfdata_os_milliseconds();
}

/* Whether another thread may still be in the last instructions of its Collect. Under the lock. */
static bool has_another_just_ended(void)
{
    const DWORD thread = GetCurrentThreadId();

    for (int i = 0; i < 2; i++)
        if (state.ended[i].thread != 0 && state.ended[i].thread != thread &&
            prfdata_os_milliseconds() - state.ended[i].at_ms < RETURN_MS)
            return true;
    return false;
}

/* For a Close that found a Collect running, or just ended. */
static void hold_module(void)
{
    HMODULE module = this_module_handle(0);

    prfdata_os_lock_enter(&state.lock);
    if (state.use_count > 0 && !state.held) {
        state.held = module;
        module = NULL;
    }
    prfdata_os_lock_leave(&state.lock);
    give_module_back(module); /* it has ended, or another Close was first */
}

/* What the Collect that ends last has to give back. The caller holds the lock. */
static HMODULE take_held_module(void)
{
    HMODULE module = NULL;

    if (state.use_count == 0) {
        module = state.held;
        state.held = NULL;
    }
    return module;
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
    if (prfdata_os_setting_bytes(service, "Maps", PRFDATA_MAX_MAPS_BYTES, &bytes, &size))
        return false;
    free(bytes);
    return true;
}

/* Returns the chars of `name` before the digits of an installed copy, `-<16 digits>`, or all. */
static size_t chars_without_copy_digits(const WCHAR *name, size_t chars)
{
    enum { DIGITS = 16 };
    const size_t dash = chars > DIGITS ? chars - DIGITS - 1 : chars;

    if (dash == chars || name[dash] != L'-')
        return chars;
    for (size_t i = dash + 1; i < chars; i++)
        if (!((name[i] >= L'0' && name[i] <= L'9') || (name[i] >= L'a' && name[i] <= L'f') ||
              (name[i] >= L'A' && name[i] <= L'F')))
            return chars;
    return dash;
}

/* Whether `name`, of `chars`, ends with `suffix`, ignoring case. */
static bool has_suffix(const WCHAR *name, size_t chars, const WCHAR *suffix)
{
    const size_t suffix_chars = wcslen(suffix);

    return chars > suffix_chars &&
           CompareStringOrdinal(name + chars - suffix_chars, (int)suffix_chars, suffix,
                                (int)suffix_chars, TRUE) == CSTR_EQUAL;
}

/* <folder>\<service>Prf.dll, or the copy that the installer made: <service>Prf-<16 digits>.dll */
static bool service_from_module(char *service)
{
    WCHAR path[1024];
    const WCHAR *name;
    HMODULE module = this_module_handle(GET_MODULE_HANDLE_EX_FLAG_UNCHANGED_REFCOUNT);
    size_t chars;

    if (!module)
        return false;
    chars = GetModuleFileNameW(module, path, sizeof path / sizeof path[0]);
    if (chars == 0 || chars >= sizeof path / sizeof path[0])
        return false;
    name = wcsrchr(path, L'\\');
    name = name ? name + 1 : path;
    chars = wcslen(name);
    if (!has_suffix(name, chars, L".dll"))
        return false;
    chars = chars_without_copy_digits(name, chars - wcslen(L".dll"));
    return has_suffix(name, chars, L"Prf") &&
           wide_to_service(name, chars - wcslen(L"Prf"), service);
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

/*
 * Remove the provider if nobody but `users` Collects uses it. The caller holds the lock, and then
 * frees it.
 */
static prfdata_provider *take_unused_provider(uint32_t users)
{
    prfdata_provider *unused = NULL;

    if (state.open_count == 0 && state.use_count == users) {
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
    bool have_one;

    prfdata_os_lock_enter(&state.lock);
    have_one = state.provider != NULL;
    state.open_count++;
    prfdata_os_lock_leave(&state.lock);
    if (!have_one)
        made = make_module_provider(context);
    prfdata_os_lock_enter(&state.lock);
    if (!state.provider && state.open_count > 0) {
        state.provider = made;
        made = NULL;
    }
    prfdata_os_lock_leave(&state.lock);
    prfdata_provider_close(made); /* another thread has opened it */
    return ERROR_SUCCESS;
}

/*
 * Count a Collect down, as the last thing that it does. Before, it frees what was closed meanwhile:
 * until then a Close sees that its code is needed.
 */
static HMODULE end_collect(void)
{
    HMODULE held = NULL;
    prfdata_provider *unused;

    do {
        prfdata_os_lock_enter(&state.lock);
        unused = take_unused_provider(1);
        if (!unused) {
            note_end_of_collect();
            state.use_count--;
            held = take_held_module();
        }
        prfdata_os_lock_leave(&state.lock);
        prfdata_provider_close(unused);
    } while (unused);
    return held;
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
    prfdata_event_log_retry();
    *data_bytes = bytes; /* the caller's memory, which may fault: this Collect still runs */
    *objects = count;
    give_module_back(end_collect());
    return status;
}

/* PM_CLOSE_PROC. A Collect that runs goes on, and frees the provider when it ends. */
DWORD APIENTRY PrfDataClose(void);
DWORD APIENTRY PrfDataClose(void)
{
    prfdata_provider *unused;
    bool is_in_use;

    prfdata_os_lock_enter(&state.lock);
    if (state.open_count > 0)
        state.open_count--;
    unused = take_unused_provider(0);
    is_in_use =
        state.open_count == 0 && !state.held && (state.use_count > 0 || has_another_just_ended());
    prfdata_os_lock_leave(&state.lock);
    prfdata_provider_close(unused);
    if (is_in_use)
        hold_module();
    return ERROR_SUCCESS;
}
