/* SPDX-License-Identifier: MIT */
/* Tests another computer as a source. Under Wine and without a network only this computer answers
 * RegConnectRegistry, so effects of a network are not tested. */
#include "support/test.h"

#include <stdlib.h>
#include <string.h>

#include <prfdata/error.h>

#include <windows.h>

#include "os/system.h"
#include "source/session.h"
#include "source/slow_call.h"
#include "support/import_table.h"
#include "support/reader/ascii_text.h"

static uint16_t own_chars[256];
static prfdata_text own;
static prfdata_messages messages;

/* The system's function, and the function that a test puts in its place. */
static LSTATUS(WINAPI *connect_registry)(LPCWSTR computer, HKEY key, PHKEY connected);
static LSTATUS(WINAPI *connecting)(LPCWSTR computer, HKEY key, PHKEY connected);

static LSTATUS WINAPI call_connect(LPCWSTR computer, HKEY key, PHKEY connected)
{
    return connecting(computer, key, connected);
}

static int replace_connect(void **state)
{
    (void)state;
    connect_registry = (LSTATUS(WINAPI *)(LPCWSTR, HKEY, PHKEY))import_table_replace(
        "advapi32.dll", "RegConnectRegistryW", (import_table_function)call_connect);
    return 0;
}

static int set_up(void **state)
{
    (void)state;
    connecting = connect_registry;
    memset(&messages, 0, sizeof messages);
    own.chars = own_chars;
    own.count = prfdata_system_computer(own_chars, 256);
    assert_in_range(own.count, 1, 256);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    prfdata_messages_free(&messages);
    return 0;
}

static void test_source_computer_gives_samples_and_titles(void **state)
{
    static const uint16_t global[] = {'G', 'l', 'o', 'b', 'a', 'l', 0};
    prfdata_source *source = NULL;
    prfdata_source_titles titles;
    prfdata_session session;
    uint16_t chars[16];
    void *bytes = NULL;
    size_t size = 0;

    (void)state;
    assert_int_equal(prfdata_source_open_computer(own, &messages, &source), ERROR_SUCCESS);
    prfdata_session_open(&session, source, &messages);
    assert_true(prfdata_text_equal(session.computer, own));
    assert_true(prfdata_session_is_here(&session, own));
    assert_false(prfdata_session_is_here(&session, ascii_text("localhost", chars)));
    assert_true(session.titles.english.count > 0);
    assert_int_equal(prfdata_source_take(source, global, &bytes, &size), ERROR_SUCCESS);
    assert_in_range(size, 88, UINT32_MAX);
    assert_memory_equal(bytes, "P\0E\0R\0F\0", 8);
    assert_int_equal(prfdata_source_find_service(source, ascii_text("no such", chars), &titles),
                     ERROR_FILE_NOT_FOUND);
    free(bytes);
    prfdata_session_close(&session);
    assert_int_equal(messages.count, 0);
}

static void test_source_computer_that_does_not_answer_is_named(void **state)
{
    prfdata_source *source = NULL;
    uint16_t chars[32];
    uint16_t many[300];

    (void)state;
    assert_int_not_equal(
        prfdata_source_open_computer(ascii_text("prfdata-is-not-there", chars), &messages, &source),
        ERROR_SUCCESS);
    for (size_t i = 0; i < 300; i++)
        many[i] = 'x';
    assert_int_equal(prfdata_source_open_computer((prfdata_text){many, 300}, &messages, &source),
                     ERROR_BAD_NETPATH);
    assert_null(source);
    assert_int_equal(messages.count, 2);
    for (size_t i = 0; i < 2; i++) {
        assert_non_null(strstr(messages.items[i].text, "Remote Registry"));
        assert_int_not_equal(messages.items[i].system_error, 0);
    }
    assert_true(ascii_text_is(messages.items[0].subject, "prfdata-is-not-there"));
}

/* ---- A computer that refuses HKEY_LOCAL_MACHINE ---- */

/* Remote Registry checks the access list of the key winreg for HKEY_LOCAL_MACHINE. Performance data
 * may be read without that access. */
static LSTATUS WINAPI connect_for_data_only(LPCWSTR computer, HKEY key, PHKEY connected)
{
    return key == HKEY_LOCAL_MACHINE ? ERROR_ACCESS_DENIED
                                     : connect_registry(computer, key, connected);
}

static void test_source_computer_that_refuses_its_registry_is_read(void **state)
{
    static const uint16_t global[] = {'G', 'l', 'o', 'b', 'a', 'l', 0};
    prfdata_name_table objects = {0};
    prfdata_source_titles titles;
    prfdata_source *source = NULL;
    prfdata_session session;
    uint16_t chars[16];
    void *bytes = NULL;
    size_t size = 0;
    bool is_all;

    (void)state;
    connecting = connect_for_data_only;
    assert_int_equal(prfdata_source_open_computer(own, &messages, &source), ERROR_SUCCESS);
    prfdata_session_open(&session, source, &messages);
    assert_true(session.titles.english.count > 0);
    assert_int_equal(prfdata_session_load_helps(&session), ERROR_SUCCESS);
    assert_int_equal(prfdata_source_take(source, global, &bytes, &size), ERROR_SUCCESS);
    free(bytes);
    assert_int_equal(prfdata_source_load_objects(source, &objects, &is_all), ERROR_SUCCESS);
    assert_int_equal(objects.count, 0);
    assert_false(is_all);
    assert_int_equal(prfdata_source_titles_stamp(source), 0);
    assert_int_equal(prfdata_source_find_service(source, ascii_text("Tcpip", chars), &titles),
                     ERROR_FILE_NOT_FOUND);
    prfdata_session_close(&session);
    assert_int_equal(messages.count, 0);
}

/* ---- A computer that takes long ---- */

enum { MOST_PAUSES = 2000, PAUSE_MS = 10 };

/* Wait, as Windows does for a computer that is switched off. Return after the message that the
 * connection takes long, or after MOST_PAUSES * PAUSE_MS milliseconds. */
static LSTATUS WINAPI connect_until_it_is_said(LPCWSTR computer, HKEY key, PHKEY connected)
{
    const volatile size_t *count = &messages.count;

    (void)computer;
    (void)key;
    (void)connected;
    for (int i = 0; i < MOST_PAUSES && *count == 0; i++)
        Sleep(PAUSE_MS);
    return ERROR_BAD_NETPATH;
}

static void test_source_computer_that_takes_long_is_said_meanwhile(void **state)
{
    const uint32_t limit_ms = prfdata_slow_call_limit_ms;
    prfdata_source *source = NULL;
    uint16_t chars[8];

    (void)state;
    assert_int_equal(limit_ms, 5000);
    prfdata_slow_call_limit_ms = 0;
    connecting = connect_until_it_is_said;
    assert_int_equal(prfdata_source_open_computer(ascii_text("silent", chars), &messages, &source),
                     ERROR_BAD_NETPATH);
    prfdata_slow_call_limit_ms = limit_ms;
    assert_int_equal(messages.count, 2);
    assert_string_equal(messages.items[0].text, "Waiting: silent has not answered for 0 seconds");
    assert_int_equal(messages.items[0].severity, PRFDATA_SEVERITY_HINT);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_source_computer_gives_samples_and_titles),
        TEST(test_source_computer_that_does_not_answer_is_named),
        TEST(test_source_computer_that_refuses_its_registry_is_read),
        TEST(test_source_computer_that_takes_long_is_said_meanwhile),
    };

    return cmocka_run_group_tests_name("source_computer", tests, replace_connect, NULL);
}
