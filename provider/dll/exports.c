/* SPDX-License-Identifier: MIT */
/*
 * Exports Open, Collect and Close as perflib calls them. There is no DllMain. Each service
 * registers a copy of this DLL under its own name, because Collect has no context argument.
 * provider.c implements the calls. Windows only.
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
    uint32_t use_count; /* running Collects */
    /* a reference to the module that is held while a Collect runs after Close; or NULL */
    HMODULE held;
    prfdata_provider *provider;
    /* [0]: the last Collect that ended; [1]: the last one that ended on another thread */
    struct {
        DWORD thread;
        uint64_t at_ms;
    } ended[2];
} state;

static HMODULE this_module_handle(DWORD flags)
{
    HMODULE module = NULL;

    return GetModuleHandleExW(flags | GET_MODULE_HANDLE_EX_FLAG_FROM_ADDRESS,
                              (const WCHAR *)(const void *)&state, &module)
               ? module
               : NULL;
}

/*
 * The functions below keep the DLL loaded while its code is needed. The process that loaded the DLL
 * may unload it after Close, even if another thread is still inside Collect. In this case Close
 * takes a reference to the module. The Collect that ends last gives the reference to a new thread,
 * which releases it a second later. The Collect cannot release the reference itself, because
 * FreeLibrary would return to unmapped code. If a Collect of another thread has just ended, it may
 * still be returning to its caller, so Close takes a reference in this case, too.
 */
enum { RETURN_MS = 1000 }; /* the time that Collect may take to return to its caller */

static DWORD WINAPI free_module_later(void *module)
{
    Sleep(RETURN_MS);
    FreeLibraryAndExitThread(module, 0);
}

/*
 * If no thread can be created, the module stays loaded, which is better than returning into
 * unmapped code.
 */
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

/*
 * Whether another thread may still be executing the last instructions of its Collect. The caller
 * holds the lock.
 */
static bool has_another_just_ended(void)
{
    const DWORD thread = GetCurrentThreadId();

    for (int i = 0; i < 2; i++)
        if (state.ended[i].thread != 0 && state.ended[i].thread != thread &&
            prfdata_os_milliseconds() - state.ended[i].at_ms < RETURN_MS)
            return true;
    return false;
}

/*
 * Takes a reference to the module for a Close that found a running Collect, or one that had just
 * ended.
 */
static void hold_module(void)
{
    HMODULE module = this_module_handle(0);

    prfdata_os_lock_enter(&state.lock);
    if (state.use_count > 0 && !state.held) {
        state.held = module;
        module = NULL;
    }
    prfdata_os_lock_leave(&state.lock);
    give_module_back(module); /* unused if no Collect runs, or if another Close has set `held` */
}

/*
 * Returns the module reference that the caller must release. NULL: there is none, or a Collect is
 * still running. The caller holds the lock.
 */
static HMODULE take_held_module(void)
{
    HMODULE module = NULL;

    if (state.use_count == 0) {
        module = state.held;
        state.held = NULL;
    }
    return module;
}

/* Returns false if the string cannot be a service name. */
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

/*
 * Whether the value Linkage\Export names a service of PrfData. In the key of a network driver, the
 * value contains the driver's bindings instead.
 */
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

/*
 * Returns how many chars of `name` precede the `-<16 hexadecimal digits>` of an installed copy. If
 * `name` has no such end, returns `chars`.
 */
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

/* Whether `name`, which has `chars` chars, ends with `suffix`, ignoring case. */
static bool has_suffix(const WCHAR *name, size_t chars, const WCHAR *suffix)
{
    const size_t suffix_chars = wcslen(suffix);

    return chars > suffix_chars &&
           CompareStringOrdinal(name + chars - suffix_chars, (int)suffix_chars, suffix,
                                (int)suffix_chars, TRUE) == CSTR_EQUAL;
}

/*
 * Gets the service from the name of this DLL, which is <service>Prf.dll, or, in a copy that the
 * installer made, <service>Prf-<16 hexadecimal digits>.dll.
 */
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
 * Removes the provider if it is closed and only `users` Collects use it. Returns the provider, or
 * NULL. The caller holds the lock, and frees the provider after leaving the lock.
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
 * PM_OPEN_PROC. Returns ERROR_SUCCESS even after a failure. After an error, perflib would not call
 * the provider again in this process, and might disable it for the whole computer (Perflib's event
 * 1008).
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
    prfdata_provider_close(made); /* unused: another thread has opened or closed the provider */
    return ERROR_SUCCESS;
}

/*
 * Decrements the count of running Collects, as the last step of a Collect. If the provider was
 * closed meanwhile and no other Collect is running, frees the provider first, because Close keeps
 * the DLL loaded while the count is not 0. Returns the module reference that the caller must
 * release, or NULL.
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

/* PM_COLLECT_PROC. `query` may be NULL; `*objects` is uninitialised. */
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
    /* These writes may fault in the caller's memory. end_collect() comes after them, so after
     * a fault the Collect still counts as running, and the DLL stays loaded. */
    *data_bytes = bytes;
    *objects = count;
    give_module_back(end_collect());
    return status;
}

/* PM_CLOSE_PROC. The last Close frees the provider, unless Collects are running. In that case the
 * Collect that ends last frees the provider. */
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
