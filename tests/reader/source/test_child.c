/* SPDX-License-Identifier: MIT */
/* Tests the process that asks providers. This program starts itself as that process, as prfview
 * does. Tests of another computer ask this computer under its name, because without a network no
 * other computer answers RegConnectRegistry. */
#include "support/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#include <prfdata/error.h>

#include "os/system.h"
#include "source/child.h"
#include "source/session.h"
#include "support/reader/ascii_text.h"

#define CRASHING L"SYSTEM\\CurrentControlSet\\Services\\PrfDataTestCrashing"

enum { LIMIT_MS = 60000 }; /* only ends a test that hangs */

static const uint16_t global[] = {'G', 'l', 'o', 'b', 'a', 'l', 0};

static prfdata_source *open_child(prfdata_text computer)
{
    prfdata_source *source = NULL;

    assert_int_equal(prfdata_child_open_source(computer, &source), ERROR_SUCCESS);
    prfdata_child_set_limit(source, LIMIT_MS, LIMIT_MS);
    return source;
}

static void assert_takes_a_sample(prfdata_source *source)
{
    void *bytes = NULL;
    size_t size = 0;

    assert_int_equal(prfdata_source_take(source, global, &bytes, &size), ERROR_SUCCESS);
    assert_in_range(size, 88, UINT32_MAX);
    assert_memory_equal(bytes, "P\0E\0R\0F\0", 8);
    free(bytes);
}

static void test_child_asks_this_computer(void **state)
{
    prfdata_source *source = open_child((prfdata_text){0});

    (void)state;
    assert_int_equal(prfdata_child_connect(source), ERROR_SUCCESS);
    assert_true(prfdata_child_is_new(source));
    assert_takes_a_sample(source);
    assert_false(prfdata_child_is_new(source));
    prfdata_child_rest(source);
    assert_true(prfdata_child_is_new(source));
    assert_takes_a_sample(source);
    prfdata_source_close(source);
}

/* Titles, help texts and objects arrive from the process unchanged. */
static void test_child_asks_another_computer_for_all_it_needs(void **state)
{
    uint16_t own_chars[256];
    const prfdata_text own = {own_chars, prfdata_system_computer(own_chars, 256)};
    prfdata_source *source = open_child(own);
    prfdata_source *here = NULL;
    prfdata_source *there = NULL;
    prfdata_name_table objects[2] = {{0}, {0}};
    prfdata_titles expected = {0};
    prfdata_session session;
    bool is_all = true;

    (void)state;
    assert_int_equal(prfdata_child_connect(source), ERROR_SUCCESS);
    assert_int_equal(prfdata_source_open_system(NULL, &here), ERROR_SUCCESS);
    assert_int_equal(prfdata_source_load_titles(here, &expected), ERROR_SUCCESS);
    prfdata_session_open(&session, source, NULL);
    assert_true(prfdata_text_equal(session.computer, own));
    assert_true(expected.english.count > 0);
    assert_true(prfdata_name_table_equal(&session.titles.english, &expected.english));
    assert_int_equal(prfdata_source_load_helps(here, &expected), ERROR_SUCCESS);
    assert_int_equal(prfdata_session_load_helps(&session), ERROR_SUCCESS);
    assert_true(prfdata_name_table_equal(&session.titles.helps, &expected.helps));
    assert_int_equal(prfdata_source_load_objects(here, &objects[0], &is_all), ERROR_SUCCESS);
    assert_int_equal(prfdata_source_load_objects(source, &objects[1], &is_all), ERROR_SUCCESS);
    assert_false(is_all);
    assert_true(prfdata_name_table_equal(&objects[0], &objects[1]));
    assert_int_equal(prfdata_source_open_computer(own, NULL, &there), ERROR_SUCCESS);
    assert_int_equal(prfdata_source_titles_stamp(source), prfdata_source_titles_stamp(there));
    assert_takes_a_sample(source);
    for (size_t i = 0; i < 2; i++)
        prfdata_name_table_free(&objects[i]);
    prfdata_titles_free(&expected);
    prfdata_source_close(here);
    prfdata_source_close(there);
    prfdata_session_close(&session);
}

/* If the process cannot connect to the computer, it does not end. At the next question it tries
 * again. */
static void test_child_of_an_absent_computer_says_why(void **state)
{
    uint16_t chars[32];
    uint16_t many[300];
    prfdata_source *source = open_child(ascii_text("prfdata-is-not-there", chars));
    prfdata_source *none = NULL;

    (void)state;
    for (int i = 0; i < 2; i++) {
        const uint32_t status = prfdata_child_connect(source);

        assert_int_not_equal(status, ERROR_SUCCESS);
        assert_int_not_equal(status, ERROR_TIMEOUT);
        assert_int_not_equal(status, ERROR_BROKEN_PIPE);
        /* The process has not answered yet, so it may take as long as a process that starts. */
        assert_true(prfdata_child_is_new(source));
    }
    prfdata_source_close(source);
    for (size_t i = 0; i < 300; i++)
        many[i] = 'x';
    assert_int_equal(prfdata_child_open_source((prfdata_text){many, 300}, &none),
                     ERROR_BAD_NETPATH);
    assert_null(none);
}

/* Register tests/providers/unsteady.c, which crashes if the file `mood` says so. */
static void register_crashing_provider(const wchar_t *mood)
{
    static const wchar_t *const calls[] = {L"Open", L"Collect", L"Close"};
    wchar_t path[MAX_PATH];
    wchar_t value[MAX_PATH];
    FILE *file = _wfopen(mood, L"wb");
    HKEY key;

    assert_non_null(file);
    assert_int_equal(fwrite("crash", 1, 5, file), 5);
    assert_int_equal(fclose(file), 0);
    assert_true(SetEnvironmentVariableW(L"PRFDATA_TEST_MOOD", mood));
    assert_true(GetModuleFileNameW(NULL, path, MAX_PATH) > 0);
    wcscpy(wcsrchr(path, L'\\') + 1, L"prfdata-unsteady.dll");
    assert_int_equal(RegCreateKeyExW(HKEY_LOCAL_MACHINE, CRASHING L"\\Performance", 0, NULL, 0,
                                     KEY_ALL_ACCESS, NULL, &key, NULL),
                     ERROR_SUCCESS);
    assert_int_equal(RegSetValueExW(key, L"Library", 0, REG_SZ, (const BYTE *)path,
                                    (DWORD)((wcslen(path) + 1) * sizeof *path)),
                     ERROR_SUCCESS);
    for (size_t i = 0; i < 3; i++) {
        swprintf(value, MAX_PATH, L"Unsteady%ls", calls[i]);
        assert_int_equal(RegSetValueExW(key, calls[i], 0, REG_SZ, (const BYTE *)value,
                                        (DWORD)((wcslen(value) + 1) * sizeof *value)),
                         ERROR_SUCCESS);
    }
    RegCloseKey(key);
}

static wchar_t mood_path[MAX_PATH];

static int remove_crashing_provider(void **state)
{
    (void)state;
    (void)RegDeleteTreeW(HKEY_LOCAL_MACHINE, CRASHING);
    (void)DeleteFileW(mood_path);
    return 0;
}

/* The source knows which DLL crashed, until the next question. */
static void test_child_that_crashes_says_in_which_module(void **state)
{
    static const uint16_t query[] = {'7', '7', '2', '0', '0', '0', '0', 0};
    prfdata_source *source = open_child((prfdata_text){0});
    wchar_t folder[MAX_PATH];
    wchar_t path[MAX_PATH];
    void *bytes = NULL;
    size_t size = 0;

    (void)state;
    assert_in_range(GetTempPathW(MAX_PATH, folder), 1, MAX_PATH - 40);
    swprintf(mood_path, MAX_PATH, L"%lsprfdata-child-mood", folder);
    register_crashing_provider(mood_path);
    assert_int_equal(prfdata_source_take(source, query, &bytes, &size), ERROR_BROKEN_PIPE);
    prfdata_child_fault(source, path);
    assert_non_null(wcsstr(path, L"prfdata-unsteady.dll"));
    assert_takes_a_sample(source); /* this question does not include the objects of the DLL */
    prfdata_child_fault(source, path);
    assert_int_equal(path[0], 0);
    prfdata_source_close(source);
}

static void test_child_that_is_interrupted_takes_nothing_more(void **state)
{
    prfdata_source *source = open_child((prfdata_text){0});
    void *bytes = NULL;
    size_t size = 0;

    (void)state;
    assert_takes_a_sample(source);
    prfdata_child_interrupt(source);
    assert_int_equal(prfdata_source_take(source, global, &bytes, &size), ERROR_CANCELLED);
    assert_null(bytes);
    prfdata_source_close(source);
}

/* Run as the process that asks: -provider-process <questions> <answers> [-s <computer>]. While such
 * a process starts, the mouse pointer must not show that a program is starting
 * (learn.microsoft.com, "STARTUPINFOW structure"). */
static int run(int count, char **arguments)
{
    static uint16_t computer[256];
    STARTUPINFOW start;

    GetStartupInfoW(&start);
    if (!(start.dwFlags & STARTF_FORCEOFFFEEDBACK))
        return 1;
    return prfdata_child_run((uint32_t)strtoul(arguments[2], NULL, 10),
                             (uint32_t)strtoul(arguments[3], NULL, 10),
                             count > 5 ? ascii_text(arguments[5], computer) : (prfdata_text){0});
}

int main(int count, char **arguments)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_child_asks_this_computer),
        cmocka_unit_test(test_child_asks_another_computer_for_all_it_needs),
        cmocka_unit_test(test_child_of_an_absent_computer_says_why),
        cmocka_unit_test_teardown(test_child_that_crashes_says_in_which_module,
                                  remove_crashing_provider),
        cmocka_unit_test(test_child_that_is_interrupted_takes_nothing_more),
    };

    if (count > 3 && strcmp(arguments[1], "-provider-process") == 0)
        return run(count, arguments);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
