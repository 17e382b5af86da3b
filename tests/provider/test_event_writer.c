/* SPDX-License-Identifier: MIT */
/* Tests on which thread a provider writes its events, and that it tries again if the log refuses
 * one. The test replaces the functions of the event log. Windows only. */
#include <windows.h>

#include "support/test.h"

#include <stdio.h>
#include <wchar.h>

#include <prfdata/atomic.h>

#include "collect/request.h"
#include "dll/event_log.h"
#include "support/import_table.h"
#include "support/service.h"

#define SERVICE "PrfDataTestEventWriter"
#define PERFLIB L"SOFTWARE\\Microsoft\\Windows NT\\CurrentVersion\\Perflib"

static prfdata_test_service service;
static prfdata_provider *provider;
static DWORD reader_thread;
static uint32_t refusals_left; /* accessed atomically, like the next three */
static uint32_t tried, written, wrong_threads;
static uint64_t clock_ms = 1000000;                   /* atomic */
static wchar_t too_large[PRFDATA_EVENT_DETAIL_CHARS]; /* detail of the last event TOO_LARGE */

static ULONGLONG WINAPI own_clock(void)
{
    return prfdata_load64_relaxed(&clock_ms);
}

static HANDLE WINAPI register_source(LPCWSTR server, LPCWSTR name)
{
    HANDLE token;

    (void)server;
    assert_int_equal(wcscmp(name, L"PrfData "
                                  L"" SERVICE),
                     0);
    if (GetCurrentThreadId() == reader_thread ||
        OpenThreadToken(GetCurrentThread(), TOKEN_QUERY, TRUE, &token))
        prfdata_store32_relaxed(&wrong_threads, 1);
    prfdata_store32_release(&tried, prfdata_load32_relaxed(&tried) + 1);
    if (prfdata_load32_relaxed(&refusals_left) > 0) {
        prfdata_store32_relaxed(&refusals_left, prfdata_load32_relaxed(&refusals_left) - 1);
        SetLastError(ERROR_ACCESS_DENIED);
        return NULL;
    }
    return &service;
}

static BOOL WINAPI report(HANDLE source, WORD type, WORD category, DWORD id, PSID user, WORD count,
                          DWORD bytes, LPCWSTR *strings, LPVOID data)
{
    (void)source;
    (void)type;
    (void)category;
    (void)user;
    (void)count;
    (void)bytes;
    (void)data;
    if ((id & 0xFFFF) == PRFDATA_EVENT_TOO_LARGE)
        wcscpy(too_large, strings[1]);
    else
        assert_int_equal(id & 0xFFFF, PRFDATA_EVENT_VALUE_MISSING);
    prfdata_store32_release(&written, prfdata_load32_relaxed(&written) + 1);
    return TRUE;
}

static BOOL WINAPI deregister_source(HANDLE source)
{
    (void)source;
    return TRUE;
}

#define REPLACE(dll, name, own)                                                                    \
    import_table_replace(dll, name, (import_table_function)(void (*)(void))(own))

/* Waits at most ten seconds for another thread. */
static void wait_until(const uint32_t *number, uint32_t wanted)
{
    for (int i = 0; i < 1000 && prfdata_load32_acquire(number) < wanted; i++)
        SleepEx(10, FALSE);
    assert_int_equal(prfdata_load32_acquire(number), wanted);
}

static bool is_marked(void)
{
    wchar_t name[100];

    swprintf(name, 100, L"PrfData %hs event %u", SERVICE, (unsigned)PRFDATA_EVENT_VALUE_MISSING);
    return FindAtomW(name) != 0;
}

static void collect_once(void)
{
    static unsigned char buffer[1 << 16];
    void *at = buffer;
    uint32_t bytes = sizeof buffer, objects;

    assert_int_equal(
        prfdata_provider_collect(provider, (const uint16_t *)L"Global", &at, &bytes, &objects),
        ERROR_SUCCESS);
    prfdata_event_log_retry(); /* PrfDataCollect calls this */
}

static void test_event_writer_uses_a_thread_without_token_until_the_log_takes_it(void **state)
{
    DWORD level = 2;
    HKEY key;

    (void)state;
    assert_int_equal(RegCreateKeyExW(HKEY_LOCAL_MACHINE, PERFLIB, 0, NULL, 0,
                                     KEY_ALL_ACCESS | KEY_WOW64_64KEY, NULL, &key, NULL),
                     0);
    assert_int_equal(
        RegSetValueExW(key, L"EventLogLevel", 0, REG_DWORD, (const BYTE *)&level, sizeof level), 0);
    REPLACE("kernel32.dll", "GetTickCount64", own_clock);
    REPLACE("advapi32.dll", "RegisterEventSourceW", register_source);
    REPLACE("advapi32.dll", "ReportEventW", report);
    REPLACE("advapi32.dll", "DeregisterEventSource", deregister_source);
    reader_thread = GetCurrentThreadId();
    /* The value Maps is missing, which causes event 1001. */
    prfdata_test_service_make(&service, SERVICE, NULL, 9900);

    /* This thread now has a token of its own, like a thread of WMI, which has the token
     * of a client. */
    assert_true(ImpersonateSelf(SecurityImpersonation));
    prfdata_store32_relaxed(&refusals_left, 2);
    assert_int_equal(prfdata_provider_open(SERVICE, &provider), ERROR_SUCCESS);
    prfdata_event_log_attach(provider);
    wait_until(&tried, 1);
    for (int i = 0; i < 20; i++)
        collect_once(); /* the next attempt comes only after a pause */
    assert_int_equal(prfdata_load32_relaxed(&tried), 1);
    assert_false(is_marked());
    for (uint32_t i = 2; i <= 3; i++) {
        SleepEx(50, FALSE); /* gives the other thread time to record its failure */
        prfdata_store64_relaxed(&clock_ms, prfdata_load64_relaxed(&clock_ms) + 100000);
        collect_once();
        wait_until(&tried, i);
    }
    wait_until(&written, 1);
    for (int i = 0; i < 1000 && !is_marked(); i++)
        SleepEx(10, FALSE);
    assert_true(is_marked());
    prfdata_store64_relaxed(&clock_ms, prfdata_load64_relaxed(&clock_ms) + 1000000);
    collect_once();
    assert_int_equal(prfdata_load32_relaxed(&tried), 3);
    assert_int_equal(prfdata_load32_relaxed(&wrong_threads), 0);
    assert_true(RevertToSelf());

    /* In place of the %1 in this object's name, event viewers would show the service's name. So the
     * provider replaces the percent sign. */
    prfdata_events_notice(&provider->events, PRFDATA_EVENT_TOO_LARGE, L"50%1", 0);
    collect_once();
    wait_until(&written, 2);
    assert_int_equal(wcscmp(too_large, L"50\xFF05"
                                       L"1"),
                     0);

    prfdata_provider_close(provider);
    RegDeleteValueW(key, L"EventLogLevel");
    RegCloseKey(key);
    prfdata_test_service_remove(&service);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_event_writer_uses_a_thread_without_token_until_the_log_takes_it),
    };

    return cmocka_run_group_tests_name("event_writer", tests, NULL, NULL);
}
