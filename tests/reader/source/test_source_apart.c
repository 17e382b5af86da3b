/* SPDX-License-Identifier: MIT */
/* Tests a source that asks providers in another process, with providers that crash, hang or are
 * slow. This program is also the other process. The provider is tests/providers/unsteady.c, which
 * has two objects and behaves as a file says. It is registered as one service, in one test as
 * two. */
#include "support/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#include <windows.h>
#include <tlhelp32.h>

#include <prfdata/error.h>

#include "os/stop.h"
#include "source/child.h"
#include "source/session.h"
#include "system/os.h"

#define SERVICES L"SYSTEM\\CurrentControlSet\\Services\\"
#define FIRST    L"PrfDataTestApart"
#define SECOND   L"PrfDataTestApartToo"

enum {
    LONG_MS = 60000,      /* only ends a test that hangs */
    SLOW_LIMIT_MS = 5500, /* enough time for one of two slow answers, but not for both */
    /* Time limit for a provider that hangs. The first answer of a process may take
     * PRFDATA_WORKERS_FIRST_MS. */
    LIMIT_MS = 2500,
    SHORT_MS = 800, /* after so short a deadline, a silent provider is not left out */
    NEVER_MS = 0x7FFFFFFF
};

#define BOTH "7720000 7720010"
enum { FIRST_OBJECT = 7720000, SECOND_OBJECT = 7720010 };

static wchar_t mood_path[MAX_PATH];
/* This file has a byte for each question about the first object. */
static wchar_t asked_path[MAX_PATH];

/* ---- Providers ---- */

static void set_mood(const char *mood)
{
    FILE *file = _wfopen(mood_path, L"wb");

    assert_non_null(file);
    assert_int_equal(fwrite(mood, 1, strlen(mood), file), strlen(mood));
    assert_int_equal(fclose(file), 0);
}

/* Return how often the first object was asked for since the last call. */
static unsigned count_questions(void)
{
    FILE *file = _wfopen(asked_path, L"rb");
    unsigned count = 0;

    if (!file)
        return 0;
    while (fgetc(file) != EOF)
        count++;
    assert_int_equal(fclose(file), 0);
    assert_true(DeleteFileW(asked_path));
    return count;
}

/* Return how many processes started by this one still run. */
static unsigned count_processes(void)
{
    HANDLE list = CreateToolhelp32Snapshot(TH32CS_SNAPPROCESS, 0);
    PROCESSENTRY32W process = {.dwSize = sizeof process};
    unsigned count = 0;

    assert_ptr_not_equal(list, INVALID_HANDLE_VALUE);
    for (BOOL more = Process32FirstW(list, &process); more; more = Process32NextW(list, &process))
        count += process.th32ParentProcessID == GetCurrentProcessId() ? 1 : 0;
    CloseHandle(list);
    return count;
}

static void set_apart_value(HKEY key, const wchar_t *name, const wchar_t *text)
{
    assert_int_equal(RegSetValueExW(key, name, 0, REG_SZ, (const BYTE *)text,
                                    (DWORD)((wcslen(text) + 1) * sizeof *text)),
                     ERROR_SUCCESS);
}

static void register_apart(const wchar_t *service, DWORD title)
{
    static const wchar_t *const calls[] = {L"Open", L"Collect", L"Close"};
    const DWORD numbers[] = {title, title + 2};
    wchar_t text[MAX_PATH];
    HKEY key;

    swprintf(text, MAX_PATH, SERVICES L"%ls\\Performance", service);
    assert_int_equal(
        RegCreateKeyExW(HKEY_LOCAL_MACHINE, text, 0, NULL, 0, KEY_ALL_ACCESS, NULL, &key, NULL),
        ERROR_SUCCESS);
    assert_true(GetModuleFileNameW(NULL, text, MAX_PATH) > 0);
    wcscpy(wcsrchr(text, L'\\') + 1, L"prfdata-unsteady.dll");
    set_apart_value(key, L"Library", text);
    for (size_t i = 0; i < 3; i++) {
        swprintf(text, MAX_PATH, L"Unsteady%ls", calls[i]);
        set_apart_value(key, calls[i], text);
    }
    for (size_t i = 0; i < 2; i++)
        assert_int_equal(RegSetValueExW(key, i == 0 ? L"First Counter" : L"Last Counter", 0,
                                        REG_DWORD, (const BYTE *)&numbers[i], sizeof numbers[i]),
                         ERROR_SUCCESS);
    RegCloseKey(key);
}

static int install_apart(void **state)
{
    wchar_t folder[MAX_PATH];

    (void)state;
    assert_in_range(GetTempPathW(MAX_PATH, folder), 1, MAX_PATH - 40);
    swprintf(mood_path, MAX_PATH, L"%lsprfdata-apart-mood", folder);
    swprintf(asked_path, MAX_PATH, L"%ls-asked", mood_path);
    assert_true(SetEnvironmentVariableW(L"PRFDATA_TEST_MOOD", mood_path));
    register_apart(FIRST, FIRST_OBJECT);
    return 0;
}

static int uninstall_apart(void **state)
{
    (void)state;
    (void)RegDeleteTreeW(HKEY_LOCAL_MACHINE, SERVICES FIRST);
    (void)RegDeleteTreeW(HKEY_LOCAL_MACHINE, SERVICES SECOND);
    (void)DeleteFileW(mood_path);
    (void)DeleteFileW(asked_path);
    return 0;
}

/* ---- Reading ---- */

typedef struct apart_reader {
    prfdata_session session;
    prfdata_messages messages;
} apart_reader;

static void open_apart(apart_reader *r, const char *mood, uint32_t limit_ms, uint32_t again_ms)
{
    const prfdata_source_apart how = {limit_ms, again_ms, NULL};
    prfdata_source *source = NULL;

    memset(r, 0, sizeof *r);
    set_mood(mood);
    assert_int_equal(prfdata_source_open_apart(&how, &r->messages, &source), ERROR_SUCCESS);
    prfdata_session_open(&r->session, source, &r->messages);
}

static void close_apart_reader(apart_reader *r)
{
    prfdata_session_close(&r->session);
    prfdata_messages_free(&r->messages);
}

/* Take a sample. Returns 1 if it has the first object, plus 2 if it has the second one. */
static unsigned take_apart(apart_reader *r, const char *query, uint32_t expected)
{
    uint16_t chars[40] = {0};
    prfdata_sample *sample = NULL;
    unsigned found = 0;

    for (size_t i = 0; query[i]; i++)
        chars[i] = (uint16_t)(unsigned char)query[i];
    assert_int_equal(prfdata_session_take(&r->session, chars, &sample), expected);
    for (uint32_t i = 0; sample && i < sample->object_count; i++) {
        const uint32_t title = sample->objects[i].wire.header.object_name_title_index;

        found |= title == FIRST_OBJECT ? 1u : 0u;
        found |= title == SECOND_OBJECT ? 2u : 0u;
    }
    if (sample)
        assert_int_equal(sample->damage_count, 0);
    prfdata_sample_free(sample);
    return found;
}

static size_t count_messages(const apart_reader *r, const char *text)
{
    size_t count = 0;

    for (size_t i = 0; i < r->messages.count; i++)
        count += strstr(r->messages.items[i].text, text) ? 1 : 0;
    return count;
}

static void test_source_apart_shows_what_the_system_has(void **state)
{
    apart_reader r;

    (void)state;
    open_apart(&r, "", LONG_MS, NEVER_MS);
    assert_int_equal(take_apart(&r, BOTH, ERROR_SUCCESS), 3);
    /* The provider returns no object for Global. */
    assert_int_equal(take_apart(&r, "Global", ERROR_SUCCESS), 0);
    assert_int_equal(r.messages.count, 0);
    assert_int_equal(r.session.failure, ERROR_SUCCESS);
    close_apart_reader(&r);
}

static void test_source_apart_goes_on_without_a_provider_that_crashes(void **state)
{
    apart_reader r;
    prfdata_output reason = {0};

    (void)state;
    (void)count_questions();
    open_apart(&r, "crash", LONG_MS, NEVER_MS);
    assert_int_equal(take_apart(&r, BOTH, ERROR_SUCCESS), 2);
    assert_int_equal(count_processes(), 1);
    /* The first object was asked for once together with the second object, and once by itself. */
    assert_int_equal(count_questions(), 2);
    assert_int_equal(take_apart(&r, BOTH, ERROR_SUCCESS), 2);
    assert_int_equal(count_questions(), 0);
    assert_int_equal(count_messages(&r, "7720000: the provider "), 2);
    assert_int_equal(count_messages(&r, "prfdata-unsteady.dll of PrfDataTestApart crashed; it is"),
                     2);
    assert_int_equal(r.messages.count, 2);
    assert_int_equal(r.session.failure, ERROR_BROKEN_PIPE);
    set_mood(""); /* the provider no longer crashes, but it is not asked yet */
    assert_int_equal(take_apart(&r, BOTH, ERROR_SUCCESS), 2);
    assert_int_equal(take_apart(&r, "7720010 7720000", ERROR_SUCCESS), 2);
    assert_true(prfdata_source_explain_absence(
        r.session.source, prfdata_text_from_chars((const uint16_t *)L"7720000"), &reason));
    assert_memory_equal(reason.bytes, "its provider crashed", 20);
    prfdata_output_free(&reason);
    close_apart_reader(&r);
}

static void test_source_apart_goes_on_without_a_provider_that_hangs(void **state)
{
    apart_reader r;
    uint64_t began_ms;

    (void)state;
    open_apart(&r, "hang", LIMIT_MS, NEVER_MS);
    assert_int_equal(take_apart(&r, BOTH, ERROR_SUCCESS), 2);
    assert_int_equal(count_messages(&r, "7720000: the provider "), 1);
    assert_int_equal(count_messages(&r, "PrfDataTestApart did not answer within 2.5 s; it is"), 1);
    assert_int_equal(r.session.failure, ERROR_TIMEOUT);
    began_ms = prfdata_os_milliseconds();
    assert_int_equal(take_apart(&r, BOTH, ERROR_SUCCESS), 2);
    /* The provider that hangs is not asked again. */
    assert_in_range(prfdata_os_milliseconds() - began_ms, 0, LIMIT_MS - 1);
    close_apart_reader(&r);
}

/* A provider that hangs delays a sample until its deadline at most, and leaves time for other
 * providers. It is left out of the next sample. */
static void test_source_apart_keeps_the_deadline_of_a_sample(void **state)
{
    enum { BUDGET_MS = 6000 };
    apart_reader r;
    uint64_t began_ms;
    uint64_t took_ms;

    (void)state;
    open_apart(&r, "", LONG_MS, NEVER_MS);
    assert_int_equal(take_apart(&r, BOTH, ERROR_SUCCESS), 3);
    assert_int_equal(r.session.source->left_out, 0);
    set_mood("hang");
    began_ms = prfdata_os_milliseconds();
    r.session.source->deadline_ms = began_ms + BUDGET_MS;
    assert_int_equal(take_apart(&r, BOTH, ERROR_SUCCESS), 2);
    took_ms = prfdata_os_milliseconds() - began_ms;
    assert_in_range(took_ms, BUDGET_MS / 2, BUDGET_MS);
    assert_int_equal(r.session.source->left_out, 1);
    /* The question to all providers gets half of BUDGET_MS. Then the question to the provider that
     * hangs gets half of the remaining time. */
    assert_int_equal(count_messages(&r, "did not answer within 1."), 1);
    began_ms = prfdata_os_milliseconds();
    r.session.source->deadline_ms = began_ms + BUDGET_MS;
    assert_int_equal(take_apart(&r, BOTH, ERROR_SUCCESS), 2);
    assert_in_range(prfdata_os_milliseconds() - began_ms, 0, BUDGET_MS / 2);
    assert_int_equal(r.session.source->left_out, 1);
    close_apart_reader(&r);
}

/* Take a sample with a short deadline. Returns the status. */
static uint32_t take_in_short_time(apart_reader *r, const uint16_t *query)
{
    prfdata_sample *sample = NULL;
    uint32_t status;

    r->session.source->deadline_ms = prfdata_os_milliseconds() + SHORT_MS;
    status = prfdata_session_take(&r->session, query, &sample);
    prfdata_sample_free(sample);
    r->session.source->deadline_ms = 0;
    return status;
}

static void test_source_apart_short_deadline_condemns_no_provider(void **state)
{
    apart_reader r;

    (void)state;
    open_apart(&r, "", LONG_MS, NEVER_MS);
    assert_int_equal(take_apart(&r, BOTH, ERROR_SUCCESS), 3);
    set_mood("hang");
    for (int i = 0; i < 2; i++) {
        const uint32_t status = take_in_short_time(&r, (const uint16_t *)L"7720000 7720010");

        /* If the computer is busy, the other provider has no time, either. */
        assert_true(status == ERROR_SUCCESS || status == ERROR_TIMEOUT);
        assert_in_range(r.session.source->left_out, 1, 2);
    }
    assert_int_equal(count_messages(&r, "it is left out"), 0);
    assert_int_equal(count_messages(&r, "the time for the sample was over"), 2);
    set_mood("");
    assert_int_equal(take_apart(&r, BOTH, ERROR_SUCCESS), 3);
    assert_int_equal(r.session.source->left_out, 0);
    close_apart_reader(&r);
}

/* Suspend a thread during a question. A provider that needed as long for its answer would be left
 * out. */
static DWORD WINAPI delay_thread(void *thread)
{
    Sleep(SHORT_MS / 4);
    (void)SuspendThread(thread);
    Sleep(SHORT_MS * 2);
    (void)ResumeThread(thread);
    return 0;
}

/* On a busy computer, the reader may get no processor for some seconds. This time does not count as
 * time in which the provider could answer. */
static void test_source_apart_delay_of_the_reader_condemns_no_provider(void **state)
{
    apart_reader r;
    HANDLE self;
    HANDLE delay;

    (void)state;
    open_apart(&r, "", LONG_MS, NEVER_MS);
    assert_int_equal(take_apart(&r, BOTH, ERROR_SUCCESS), 3);
    assert_true(DuplicateHandle(GetCurrentProcess(), GetCurrentThread(), GetCurrentProcess(), &self,
                                THREAD_SUSPEND_RESUME, FALSE, 0));
    set_mood("hang");
    delay = CreateThread(NULL, 0, delay_thread, self, 0, NULL);
    assert_non_null(delay);
    assert_int_equal(take_in_short_time(&r, (const uint16_t *)L"7720000"), ERROR_TIMEOUT);
    WaitForSingleObject(delay, INFINITE);
    assert_int_equal(r.session.source->left_out, 1);
    assert_int_equal(count_messages(&r, "it is left out"), 0);
    assert_int_equal(count_messages(&r, "the time for the sample was over"), 1);
    set_mood("");
    assert_int_equal(take_apart(&r, BOTH, ERROR_SUCCESS), 3);
    CloseHandle(delay);
    CloseHandle(self);
    close_apart_reader(&r);
}

static void test_source_apart_has_no_sample_if_nothing_is_left(void **state)
{
    apart_reader r;

    (void)state;
    open_apart(&r, "crash", LONG_MS, NEVER_MS);
    for (size_t i = 1; i < 3; i++) {
        assert_int_equal(take_apart(&r, "7720000", ERROR_BROKEN_PIPE), 0);
        assert_int_equal(r.messages.count, i);
    }
    assert_int_equal(r.session.failure, ERROR_BROKEN_PIPE);
    assert_int_equal(take_apart(&r, BOTH, ERROR_SUCCESS), 2);
    close_apart_reader(&r);
}

/* Each provider alone answers in time, but both together do not. */
static void test_source_apart_adds_slow_providers_up(void **state)
{
    apart_reader r;

    (void)state;
    open_apart(&r, "slow 3000 3000", SLOW_LIMIT_MS, NEVER_MS);
    for (int i = 0; i < 2; i++)
        assert_int_equal(take_apart(&r, BOTH, ERROR_SUCCESS), 3);
    set_mood("");
    for (int i = 0; i < 2; i++)
        assert_int_equal(take_apart(&r, BOTH, ERROR_SUCCESS), 3);
    assert_int_equal(r.messages.count, 0);
    assert_int_equal(r.session.failure, ERROR_SUCCESS);
    close_apart_reader(&r);
}

/* No sample waits for the question whether a provider works again. */
static void test_source_apart_takes_back_what_answers_again(void **state)
{
    static const char *const moods[] = {"crash", "hang"};

    (void)state;
    for (size_t i = 0; i < 2; i++) {
        uint64_t most_ms = 0;
        apart_reader r;

        open_apart(&r, moods[i], i == 0 ? LONG_MS : LIMIT_MS, 10);
        assert_int_equal(take_apart(&r, BOTH, ERROR_SUCCESS), 2);
        for (int samples = 0; samples < 5; samples++) {
            const uint64_t began_ms = prfdata_os_milliseconds();
            uint64_t took_ms;

            assert_int_equal(take_apart(&r, BOTH, ERROR_SUCCESS), 2);
            took_ms = prfdata_os_milliseconds() - began_ms;
            most_ms = took_ms > most_ms ? took_ms : most_ms;
            Sleep(20);
        }
        assert_in_range(most_ms, 0, LIMIT_MS - 1);
        set_mood("");
        for (int samples = 0; take_apart(&r, BOTH, ERROR_SUCCESS) != 3; samples++) {
            assert_in_range(samples, 0, 3000);
            Sleep(20);
        }
        assert_int_equal(count_messages(&r, "PrfDataTestApart answers again"), 1);
        assert_int_equal(take_apart(&r, BOTH, ERROR_SUCCESS), 3);
        close_apart_reader(&r);
    }
}

/* Two services are asked for all of their objects, and one crashes. The objects of the other one
 * are then asked for by title. */
static void test_source_apart_of_all_objects_leaves_one_service_out(void **state)
{
    apart_reader r;

    (void)state;
    register_apart(SECOND, SECOND_OBJECT);
    open_apart(&r, "crash", LONG_MS, NEVER_MS);
    assert_int_equal(take_apart(&r, BOTH, ERROR_SUCCESS), 2);
    assert_int_equal(take_apart(&r, "Global", ERROR_SUCCESS), 2);
    assert_int_equal(count_messages(&r, "it is left out"), 2);
    close_apart_reader(&r);
}

static void test_source_apart_reads_here_if_no_process_starts(void **state)
{
    const prfdata_source_apart how = {LONG_MS, NEVER_MS, L"C:\\prfdata-is-not-there.exe"};
    apart_reader r = {0};
    prfdata_source *source = NULL;

    (void)state;
    set_mood("");
    assert_int_equal(prfdata_source_open_apart(&how, &r.messages, &source), ERROR_SUCCESS);
    prfdata_session_open(&r.session, source, &r.messages);
    for (int i = 0; i < 2; i++)
        assert_int_equal(take_apart(&r, BOTH, ERROR_SUCCESS), 3);
    assert_int_equal(count_messages(&r, "cannot start a process for providers"), 1);
    assert_int_equal(r.messages.items[0].severity, PRFDATA_SEVERITY_WARNING);
    assert_int_equal(r.session.failure, ERROR_SUCCESS);
    close_apart_reader(&r);
}

static DWORD WINAPI request_stop_soon(void *context)
{
    (void)context;
    Sleep(300);
    prfdata_stop_request();
    return 0;
}

/* Ctrl+C comes while a provider hangs. This is the last test, because the request to stop stays. */
static void test_source_apart_does_not_wait_after_a_request_to_stop(void **state)
{
    const uint64_t began_ms = prfdata_os_milliseconds();
    apart_reader r;
    HANDLE thread;

    (void)state;
    prfdata_stop_prepare();
    open_apart(&r, "hang", LONG_MS, NEVER_MS);
    thread = CreateThread(NULL, 0, request_stop_soon, NULL, 0, NULL);
    assert_non_null(thread);
    assert_int_equal(take_apart(&r, BOTH, ERROR_CANCELLED), 0);
    assert_in_range(prfdata_os_milliseconds() - began_ms, 0, LONG_MS / 2);
    assert_true(r.session.is_cancelled);
    assert_int_equal(r.session.failure, ERROR_SUCCESS);
    assert_int_equal(r.messages.count, 0);
    WaitForSingleObject(thread, INFINITE);
    CloseHandle(thread);
    close_apart_reader(&r);
}

int main(int count, char **arguments)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_source_apart_shows_what_the_system_has),
        cmocka_unit_test(test_source_apart_goes_on_without_a_provider_that_crashes),
        cmocka_unit_test(test_source_apart_goes_on_without_a_provider_that_hangs),
        cmocka_unit_test(test_source_apart_keeps_the_deadline_of_a_sample),
        cmocka_unit_test(test_source_apart_short_deadline_condemns_no_provider),
        cmocka_unit_test(test_source_apart_delay_of_the_reader_condemns_no_provider),
        cmocka_unit_test(test_source_apart_has_no_sample_if_nothing_is_left),
        cmocka_unit_test(test_source_apart_adds_slow_providers_up),
        cmocka_unit_test(test_source_apart_takes_back_what_answers_again),
        cmocka_unit_test(test_source_apart_of_all_objects_leaves_one_service_out),
        cmocka_unit_test(test_source_apart_reads_here_if_no_process_starts),
        cmocka_unit_test(test_source_apart_does_not_wait_after_a_request_to_stop),
    };

    if (count == 4 && strcmp(arguments[1], "-provider-process") == 0)
        return prfdata_child_run((uint32_t)strtoul(arguments[2], NULL, 10),
                                 (uint32_t)strtoul(arguments[3], NULL, 10), prfdata_no_subject);
    return cmocka_run_group_tests(tests, install_apart, uninstall_apart);
}
