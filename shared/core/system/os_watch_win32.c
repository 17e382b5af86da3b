/* SPDX-License-Identifier: MIT */
/*
 * Implements os_watch.h: RegNotifyChangeKeyValue signals an event, and the system's thread pool
 * waits for it, so this library needs no thread of its own and no polling. Before Windows 8,
 * REG_NOTIFY_THREAD_AGNOSTIC does not exist, and a notice ends with the thread that asked for it.
 * Therefore only prfdata_os_watch_clock() works on Windows 7.
 */
#include "system/os_watch.h"
#include "system/os_win32.h"

#include <stdlib.h>
#include <string.h>

#include <prfdata/map.h>

#ifndef REG_NOTIFY_THREAD_AGNOSTIC
#define REG_NOTIFY_THREAD_AGNOSTIC 0x10000000
#endif

/*
 * The keys that lead to the settings. Every system has the first key. If a key is deleted, the
 * notice of the key above it reports the deletion. Microsoft does not document whether the notice
 * of the deleted key reports the deletion, too. Therefore all existing keys are watched.
 */
enum { SERVICES_KEY, SERVICE_KEY, PERFORMANCE_KEY, KEYS };

/*
 * Limits the loop in prfdata_os_watch_settings(), which repeats while new keys appear. Several
 * installations in a row could make a key appear each time.
 */
enum { MOST_STEPS = 8 };

struct prfdata_os_watch {
    PTP_WAIT wait;
    HANDLE event;    /* an auto-reset event */
    HKEY keys[KEYS]; /* the notices of these keys signal the event; NULL: not open */
};

static prfdata_os_watch_call *volatile watch_call;

static void CALLBACK be_called(PTP_CALLBACK_INSTANCE instance, void *id, PTP_WAIT wait,
                               TP_WAIT_RESULT result)
{
    (void)instance;
    (void)wait;
    watch_call((uintptr_t)id, result == WAIT_TIMEOUT);
}

prfdata_os_watch *prfdata_os_watch_make(prfdata_os_watch_call *call, uintptr_t id)
{
    prfdata_os_watch *watch = calloc(1, sizeof *watch);
    TP_CALLBACK_ENVIRON environment;
    HMODULE module;

    if (!watch)
        return NULL;
    watch_call = call;
    watch->event = CreateEventW(NULL, FALSE, FALSE, NULL);
    InitializeThreadpoolEnvironment(&environment);
    /*
     * learn.microsoft.com, SetThreadpoolCallbackLibrary: the module stays loaded while a call runs.
     */
    if (GetModuleHandleExW(GET_MODULE_HANDLE_EX_FLAG_FROM_ADDRESS |
                               GET_MODULE_HANDLE_EX_FLAG_UNCHANGED_REFCOUNT,
                           (const wchar_t *)(const void *)&watch_call, &module))
        SetThreadpoolCallbackLibrary(&environment, module);
    if (watch->event)
        watch->wait = CreateThreadpoolWait(be_called, (void *)id, &environment);
    DestroyThreadpoolEnvironment(&environment);
    if (watch->wait)
        return watch;
    if (watch->event)
        CloseHandle(watch->event);
    free(watch);
    return NULL;
}

static LSTATUS open_step(const char *service, int step, HKEY *key)
{
    wchar_t path[64 + PRFDATA_MAX_SERVICE_CHARS] = L"SYSTEM\\CurrentControlSet\\Services";
    const size_t capacity = sizeof path / sizeof path[0];

    if (step >= SERVICE_KEY &&
        (strchr(service, '\\') || !prfdata_os_append_to_path(path, capacity, "\\") ||
         !prfdata_os_append_to_path(path, capacity, service)))
        return ERROR_FILE_NOT_FOUND;
    if (step == PERFORMANCE_KEY && !prfdata_os_append_to_path(path, capacity, "\\Performance"))
        return ERROR_FILE_NOT_FOUND;
    return RegOpenKeyExW(HKEY_LOCAL_MACHINE, path, 0, KEY_NOTIFY, key);
}

/* Ends the wait first and resets the event last, because closing a key signals the event. */
static void forget_keys(prfdata_os_watch *watch)
{
    SetThreadpoolWait(watch->wait, NULL, NULL);
    for (int step = 0; step < KEYS; step++)
        if (watch->keys[step]) {
            RegCloseKey(watch->keys[step]);
            watch->keys[step] = NULL;
        }
    ResetEvent(watch->event);
}

/*
 * Only the notice of the last key reports changed values. The notices of the keys above it report
 * only created and deleted keys, because the values of other services do not matter.
 */
static bool ask_for_notice(prfdata_os_watch *watch, int step)
{
    const DWORD what = REG_NOTIFY_THREAD_AGNOSTIC | REG_NOTIFY_CHANGE_NAME |
                       (step == PERFORMANCE_KEY ? REG_NOTIFY_CHANGE_LAST_SET : 0);

    return RegNotifyChangeKeyValue(watch->keys[step], FALSE, what, watch->event, TRUE) ==
           ERROR_SUCCESS;
}

/*
 * Watch the existing keys, beginning with SERVICES_KEY. Returns the first key that does not exist
 * or cannot be watched; KEYS if all keys are watched.
 */
static int ask_for_notices(prfdata_os_watch *watch, const char *service)
{
    int step = SERVICES_KEY;

    while (step < KEYS && open_step(service, step, &watch->keys[step]) == ERROR_SUCCESS &&
           ask_for_notice(watch, step))
        step++;
    return step;
}

/* Whether a key that was missing exists now. */
static bool has_come(const char *service, int step)
{
    HKEY key;

    if (step == KEYS || open_step(service, step, &key) != ERROR_SUCCESS)
        return false;
    RegCloseKey(key);
    return true;
}

static void start_waiting(prfdata_os_watch *watch, uint32_t milliseconds)
{
    ULARGE_INTEGER relative; /* in units of 100 ns; negative: relative to now */
    FILETIME due;

    relative.QuadPart = 0 - (ULONGLONG)milliseconds * 10000;
    due.dwLowDateTime = relative.LowPart;
    due.dwHighDateTime = relative.HighPart;
    SetThreadpoolWait(watch->wait, watch->event,
                      milliseconds == PRFDATA_OS_WATCH_FOREVER ? NULL : &due);
}

void prfdata_os_watch_settings(prfdata_os_watch *watch, const char *service_name,
                               uint32_t milliseconds)
{
    int step;

    if (!watch)
        return;
    for (int i = 0; i < MOST_STEPS; i++) {
        forget_keys(watch);
        step = ask_for_notices(watch, service_name);
        if (step == SERVICES_KEY)
            return; /* this is Windows 7, or this account may not read the key Services */
        if (!has_come(service_name, step))
            break;
    }
    start_waiting(watch, milliseconds);
}

void prfdata_os_watch_clock(prfdata_os_watch *watch, uint32_t milliseconds)
{
    if (!watch)
        return;
    forget_keys(watch);
    start_waiting(watch, milliseconds);
}

void prfdata_os_watch_end(prfdata_os_watch *watch)
{
    if (!watch)
        return;
    forget_keys(watch);
    CloseThreadpoolWait(watch->wait);
    CloseHandle(watch->event);
    free(watch);
}
