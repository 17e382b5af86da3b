/* SPDX-License-Identifier: MIT */
/* Tests how a program learns that its counts are not published: by its own calls, in the debugger,
 * and in the event log. tests/scripts/55-event-log.sh starts this program with the argument
 * `report` and examines the log. With one more argument, the program registers no event source. */
#include "support/test.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef _WIN32
#include <windows.h>
#endif

#include <prfdata/prfdata.h>

#include "client/status.h"
#include "support/sample_map.h"
#include "support/service.h"
#include "system/os_report.h"

#define SERVICE      "PrfDataTestStatus"
#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static prfdata_test_service service;
static sample_map sample;
static prfdata_publisher *publisher;
static char text[PRFDATA_STATUS_BYTES];

/* ---- The reports ---- */

static char debug_text[2 * PRFDATA_STATUS_BYTES];
static unsigned debug_count;

#ifdef _WIN32

#define PRINT_NARROW 0x40010006u
#define PRINT_WIDE   0x4001000Au

/* OutputDebugString raises exceptions for the debugger: one with wide text, and one with narrow
 * text if no debugger handles the first. Wine raises only the second one. */
static LONG CALLBACK notice_debug_output(EXCEPTION_POINTERS *pointers)
{
    static bool was_wide;
    const EXCEPTION_RECORD *record = pointers->ExceptionRecord;
    const void *line = (const void *)record->ExceptionInformation[1];
    wchar_t wide[PRFDATA_STATUS_BYTES] = L"";

    if (record->ExceptionCode == PRINT_WIDE)
        wcsncat(wide, line, PRFDATA_STATUS_BYTES - 1);
    else if (record->ExceptionCode == PRINT_NARROW && !was_wide)
        MultiByteToWideChar(CP_ACP, 0, line, -1, wide, PRFDATA_STATUS_BYTES);
    was_wide = record->ExceptionCode == PRINT_WIDE;
    if (wide[0]) {
        debug_count++;
        WideCharToMultiByte(CP_UTF8, 0, wide, -1, debug_text, sizeof debug_text, NULL, NULL);
    }
    return EXCEPTION_CONTINUE_SEARCH;
}

static void watch_reports(void)
{
    static void *handler;

    if (!handler)
        handler = AddVectoredExceptionHandler(1, notice_debug_output);
}

#else

typedef struct noticed_event {
    uint32_t number;
    bool is_warning;
    char service[81];
    char detail[PRFDATA_STATUS_BYTES];
    uint32_t code;
} noticed_event;

static noticed_event noticed[8];
static size_t noticed_count;

static void notice_debug_output(const char *line)
{
    debug_count++;
    snprintf(debug_text, sizeof debug_text, "%s", line);
}

static void notice_event(const prfdata_os_event *event)
{
    noticed_event *next = &noticed[noticed_count++];

    assert_true(noticed_count <= COUNT(noticed));
    next->number = event->number;
    next->is_warning = event->is_warning;
    next->code = event->code;
    snprintf(next->service, sizeof next->service, "%s", event->service);
    snprintf(next->detail, sizeof next->detail, "%s", event->detail);
}

static void watch_reports(void)
{
    static const prfdata_os_posix_reports reports = {notice_debug_output, notice_event};

    prfdata_os_posix_set_reports(&reports);
    noticed_count = 0;
}

#endif

static void expect_events(size_t count, uint32_t last_number)
{
#ifdef _WIN32
    (void)count;
    (void)last_number;
#else
    assert_int_equal(noticed_count, count);
    assert_int_equal(noticed[count - 1].number, last_number);
#endif
}

/* ---- Around each test ---- */

static int begin(void **state)
{
    (void)state;
    sample_map_init_as(&sample, SERVICE);
    prfdata_test_service_make(&service, SERVICE, &sample.map, 0);
    debug_text[0] = 0;
    debug_count = 0;
    watch_reports();
    return 0;
}

static int end_status(void **state)
{
    (void)state;
    prfdata_close_and_unmap(publisher);
    publisher = NULL;
    prfdata_test_service_remove(&service);
    return 0;
}

static void open_for(uint32_t expected)
{
    assert_int_equal(prfdata_open(&sample.map, &publisher), expected);
}

static void expect_text(const char *part)
{
    if (!strstr(text, part))
        fail_msg("\"%s\" has no \"%s\"", text, part);
}

static void expect(uint32_t code, const char *part)
{
    assert_int_equal(prfdata_status(publisher, text, sizeof text), code);
    expect_text(part);
    expect_text(SERVICE);
}

/* ---- Texts ---- */

/* This must be the first test, because no prfdata_open() may have failed yet. */
static void test_status_without_a_failure_says_so(void **state)
{
    (void)state;
    assert_int_equal(prfdata_status(NULL, text, sizeof text), ERROR_SUCCESS);
    assert_string_equal(text, "No prfdata_open of this process failed.");
}

static void test_status_published_names_program_and_file(void **state)
{
    char process[32];

    (void)state;
    open_for(ERROR_SUCCESS);
    expect(ERROR_SUCCESS, "are published");
    expect_text(publisher->name.text);
    expect_text("test_client_status");
    snprintf(process, sizeof process, "(process %u)", (unsigned)prfdata_os_process_id());
    expect_text(process);
    assert_int_equal(debug_count, 0);
}

/* ---- Failed look-ups ---- */

/* Expect that the text about the last failed look-up follows the sentence about publishing. The
 * text stays there until the next opening. */
static void expect_lookup(const char *sentence)
{
    expect(ERROR_SUCCESS, "are published");
    expect_text(sentence);
    assert_string_equal(text + strlen(text) - strlen(sentence), sentence);
    if (!strstr(debug_text, sentence))
        fail_msg("the debugger got \"%s\"", debug_text);
}

static void test_status_names_the_look_up_that_failed(void **state)
{
    prfdata_instance queue;
    prfdata_handle handle;
    prfdata_pair pair;

    (void)state;
    open_for(ERROR_SUCCESS);
    assert_int_equal(prfdata_resolve(publisher, 999, NULL, &handle), ERROR_NOT_FOUND);
    expect_lookup(
        " The look-up of a counter or distribution (id 999) failed with error 1168, because "
        "the map has no counter and no distribution with this id. Readers do not see "
        "what the program counts with it.");
    assert_int_equal(prfdata_resolve(publisher, 102, NULL, &handle), ERROR_INVALID_PARAMETER);
    expect_lookup(
        " The look-up of JOBS (id 102) failed with error 87, because it needs an instance of "
        "its object and of this publisher. Readers do not see what the program counts with it.");
    assert_int_equal(prfdata_instance_add(publisher, 100, L"q", NULL, &queue), ERROR_SUCCESS);
    assert_int_equal(prfdata_instance_remove(&queue), ERROR_SUCCESS);
    assert_int_equal(prfdata_resolve(publisher, 102, &queue, &handle), ERROR_NOT_FOUND);
    expect_lookup(" The look-up of JOBS (id 102) failed with error 1168, because its instance was "
                  "removed or could not be added, or it has no data. Readers do not see what the "
                  "program counts with it.");
    assert_int_equal(prfdata_instance_add(publisher, 100, L"q", NULL, &queue), ERROR_SUCCESS);
    assert_int_equal(prfdata_resolve_pair(publisher, 102, &queue, &pair), ERROR_NOT_SUPPORTED);
    expect(ERROR_SUCCESS, "it has neither a base nor a clock");
    prfdata_close(publisher);
    open_for(ERROR_SUCCESS);
    expect(ERROR_SUCCESS, "are published");
    assert_null(strstr(text, "look-up"));
}

/* A program that fails in a loop does not flood the debugger. */
static void test_status_reports_few_look_ups_to_the_debugger(void **state)
{
    prfdata_handle handle;

    (void)state;
    open_for(ERROR_SUCCESS);
    for (uint32_t i = 0; i < 100; i++)
        assert_int_equal(prfdata_resolve(publisher, 999, NULL, &handle), ERROR_NOT_FOUND);
    assert_int_equal(debug_count, 1);
    for (uint32_t i = 0; i < 100; i++)
        assert_int_equal(prfdata_resolve(publisher, 999 + i % 2, NULL, &handle), ERROR_NOT_FOUND);
    assert_int_equal(debug_count, 32);
}

static void test_status_closed_says_so(void **state)
{
    (void)state;
    open_for(ERROR_SUCCESS);
    prfdata_close(publisher);
    expect(ERROR_INVALID_HANDLE, "closed");
    open_for(ERROR_SUCCESS);
    expect(ERROR_SUCCESS, "are published");
}

/* Expect that prfdata_status(), the debugger and the event log each report the private publisher
 * once, with the same message. */
static void expect_failure(uint32_t code, uint32_t number, const char *part)
{
    char last[PRFDATA_STATUS_BYTES];

    open_for(code);
    expect(code, part);
    assert_int_equal(prfdata_status(NULL, last, sizeof last), code);
    assert_string_equal(last, text);
    assert_int_equal(debug_count, 1);
    assert_memory_equal(debug_text, text, strlen(text));
    assert_string_equal(debug_text + strlen(text), "\n");
    expect_events(1, number);
}

static void test_status_not_installed(void **state)
{
    (void)state;
    prfdata_test_service_uninstall(&service);
    expect_failure(ERROR_FILE_NOT_FOUND, 1102, "they are not installed");
}

static void test_status_another_map_is_installed(void **state)
{
    (void)state;
    sample.entries[JOBS].type = PERF_COUNTER_LARGE_RAWCOUNT;
    expect_failure(ERROR_REVISION_MISMATCH, 1103, "its version of them is not installed");
}

static void test_status_switched_off(void **state)
{
    (void)state;
    prfdata_test_service_set_number(&service, "Publish", 0);
    expect_failure(ERROR_SERVICE_DISABLED, 2101, "switched publishing off");
}

static void test_status_folder_is_wrong(void **state)
{
    (void)state;
    prfdata_test_service_set_text(&service, "Regions", "here");
    expect_failure(
        ERROR_INVALID_DATA, 1106,
        "\"Regions\" is not the absolute path of a real folder, or because the folder is "
        "encrypted");
}

static void test_status_every_code_has_a_reason(void **state)
{
    static const struct {
        uint32_t error;
        uint32_t number;
    } rows[] = {
        {ERROR_FILE_NOT_FOUND, 1102},    {ERROR_REVISION_MISMATCH, 1103},
        {ERROR_ACCESS_DENIED, 1104},     {ERROR_DISK_FULL, 1105},
        {ERROR_INVALID_DATA, 1106},      {ERROR_NOT_ENOUGH_QUOTA, 1107},
        {ERROR_TIMEOUT, 1108},           {ERROR_NOT_READY, 1109},
        {ERROR_NOT_ENOUGH_MEMORY, 1110}, {ERROR_GEN_FAILURE, 1111}, /* 1111: any other error */
        {ERROR_SERVICE_DISABLED, 2101},
    };

    (void)state;
    open_for(ERROR_SUCCESS);
    for (size_t i = 0; i < COUNT(rows); i++) {
        assert_int_equal(prfdata_status_reason(rows[i].error), rows[i].number);
        prfdata_status_set(publisher, prfdata_status_reason(rows[i].error), rows[i].error);
        expect(rows[i].error, "because");
    }
}

/* ---- Invalid arguments ---- */

static void test_status_wrong_map_says_symbol_and_rule(void **state)
{
    prfdata_map_mistake mistake;
    char sentence[PRFDATA_STATUS_BYTES];

    (void)state;
    sample.entries[JOBS].default_scale = 99;
    open_for(ERROR_INVALID_PARAMETER);
    assert_null(publisher);
    expect(ERROR_INVALID_PARAMETER, "its map is wrong");
    assert_int_equal(prfdata_map_check(&sample.map, &mistake, 1), 1);
    prfdata_map_mistake_text(&mistake, sentence, sizeof sentence);
    expect_text("JOBS (102, \"Jobs/sec\")");
    expect_text(sentence);
    assert_null(strstr(text, ".."));
    assert_memory_equal(debug_text, text, strlen(text));
    expect_events(1, 1101);
#ifndef _WIN32
    sentence[strlen(sentence) - 1] = 0; /* removes the full stop */
    assert_non_null(strstr(noticed[0].detail, sentence));
#endif
}

static void test_status_no_map_at_all(void **state)
{
    (void)state;
    assert_int_equal(prfdata_open(NULL, &publisher), ERROR_INVALID_PARAMETER);
    assert_int_equal(prfdata_status(NULL, text, sizeof text), ERROR_INVALID_PARAMETER);
    expect_text("its map is wrong");
}

static void test_status_wrong_capacity(void **state)
{
    /* Workers have no instances, so they have no capacity. */
    const prfdata_capacity capacity = {200, 1};

    (void)state;
    assert_int_equal(prfdata_open_with(&sample.map, &capacity, 1, &publisher),
                     ERROR_INVALID_PARAMETER);
    expect(ERROR_INVALID_PARAMETER, "capacity");
    assert_int_equal(debug_count, 1);
#ifndef _WIN32
    assert_int_equal(noticed_count, 0); /* no event, because an administrator cannot do anything */
#endif
}

/* ---- Room ---- */

static void make_long_map(void)
{
    static wchar_t name[PRFDATA_MAX_NAME_CHARS + 1];
    static char symbol[PRFDATA_MAX_SYMBOL_CHARS + 1];
    static char long_service[PRFDATA_MAX_SERVICE_CHARS + 1];

    for (size_t i = 0; i < PRFDATA_MAX_NAME_CHARS; i++)
        name[i] = 0x20AC; /* a character of three bytes */
    memset(symbol, 'S', PRFDATA_MAX_SYMBOL_CHARS);
    memset(long_service, 's', PRFDATA_MAX_SERVICE_CHARS);
    memcpy(long_service, SERVICE, strlen(SERVICE));
    sample.map.service = long_service;
    sample.entries[DEPTH].name = name;
    sample.entries[DEPTH].symbol = symbol;
    /* Now there are two mistakes, and the message has both names. */
    sample.entries[JOBS].name = name;
    sample.entries[JOBS].symbol = symbol;
}

static void test_status_the_longest_text_has_room(void **state)
{
    (void)state;
    make_long_map();
    open_for(ERROR_INVALID_PARAMETER);
    expect(ERROR_INVALID_PARAMETER, "Correct the map; the option -Check of its installer "
                                    "lists every mistake.");
}

static void test_status_is_cut_at_a_character(void **state)
{
    size_t length;

    (void)state;
    make_long_map();
    open_for(ERROR_INVALID_PARAMETER);
    prfdata_status(NULL, text, sizeof text);
    length = strlen(text);
    for (size_t capacity = 0; capacity <= length + 1; capacity++) {
        char *bytes = malloc(capacity ? capacity : 1);
        size_t kept;

        assert_non_null(bytes);
        assert_int_equal(prfdata_status(NULL, capacity ? bytes : NULL, capacity),
                         ERROR_INVALID_PARAMETER);
        kept = capacity ? strlen(bytes) : 0;
        assert_true(capacity == 0 || kept + 3 >= capacity || kept == length);
        assert_true(kept < capacity || capacity == 0);
        assert_memory_equal(bytes, text, kept);
        assert_true(((unsigned char)text[kept] & 0xC0) != 0x80 || capacity == 0);
        free(bytes);
    }
}

static void test_status_of_a_publisher_is_cut_too(void **state)
{
    char short_text[5] = "xxxx";

    (void)state;
    open_for(ERROR_SUCCESS);
    assert_int_equal(prfdata_status(publisher, NULL, 0), ERROR_SUCCESS);
    assert_int_equal(prfdata_status(publisher, short_text, sizeof short_text), ERROR_SUCCESS);
    assert_string_equal(short_text, "The ");
}

/* ---- Later ---- */

static void test_status_follows_retries(void **state)
{
    (void)state;
    prfdata_test_service_set_number(&service, "Publish", 0);
    open_for(ERROR_SERVICE_DISABLED);
    prfdata_test_service_uninstall(&service);
    assert_int_equal(prfdata_retry(publisher), ERROR_FILE_NOT_FOUND);
    expect(ERROR_FILE_NOT_FOUND, "they are not installed");
    expect_events(2, 1102);
    prfdata_test_service_install(&service, &sample.map, 0);
    assert_int_equal(prfdata_retry(publisher), ERROR_SUCCESS);
    expect(ERROR_SUCCESS, "are published");
    expect_text(publisher->name.text);
    expect_events(3, 2102);
    assert_int_equal(prfdata_retry(publisher), ERROR_SUCCESS);
    expect_events(3, 2102);           /* no further event */
    assert_int_equal(debug_count, 1); /* the only message is that of prfdata_open() */
}

static void test_status_each_reason_is_an_event_once(void **state)
{
    (void)state;
    prfdata_test_service_set_number(&service, "Publish", 0);
    for (int i = 0; i < 3; i++) {
        open_for(ERROR_SERVICE_DISABLED);
        assert_int_equal(prfdata_retry(publisher), ERROR_SERVICE_DISABLED);
        prfdata_close_and_unmap(publisher);
    }
    publisher = NULL;
    expect_events(1, 2101);
}

static void test_status_says_that_the_file_is_lost(void **state)
{
    char parent[260];
    size_t end;

    (void)state;
    open_for(ERROR_SUCCESS);
    assert_int_equal(prfdata_retry(publisher), ERROR_SUCCESS);
    /* Install again, with another folder. */
    snprintf(parent, sizeof parent, "%s", service.folder);
    for (end = strlen(parent); parent[end] != '/' && parent[end] != '\\'; end--) {
    }
    parent[end] = 0;
    prfdata_test_service_set_text(&service, "Regions", parent);
    assert_int_equal(prfdata_retry(publisher), ERROR_FILE_NOT_FOUND);
    expect(ERROR_FILE_NOT_FOUND, "no longer in the regions folder");
    expect_events(1, 1112);
    prfdata_test_service_set_text(&service, "Regions", service.folder);
    assert_int_equal(prfdata_retry(publisher), ERROR_SUCCESS);
    expect(ERROR_SUCCESS, "are published");
}

/* After publishing is switched off, readers still see a publisher that has a region. They do not
 * see the publisher while its map is not installed. */
static void test_status_of_what_publishes_follows_the_installation(void **state)
{
    const prfdata_map_entry other = sample.entries[JOBS];

    (void)state;
    open_for(ERROR_SUCCESS);
    prfdata_test_service_set_number(&service, "Publish", 0);
    assert_int_equal(prfdata_retry(publisher), ERROR_SUCCESS);
    expect(ERROR_SUCCESS, "are published");
    prfdata_test_service_uninstall(&service);
    assert_int_equal(prfdata_retry(publisher), ERROR_FILE_NOT_FOUND);
    expect(ERROR_FILE_NOT_FOUND, "they are not installed");
    sample.entries[JOBS].type = PERF_COUNTER_LARGE_RAWCOUNT;
    prfdata_test_service_install(&service, &sample.map, 0);
    sample.entries[JOBS] = other;
    assert_int_equal(prfdata_retry(publisher), ERROR_REVISION_MISMATCH);
    expect(ERROR_REVISION_MISMATCH, "its version of them is not installed");
    prfdata_test_service_uninstall(&service);
    prfdata_test_service_install(&service, &sample.map, 0);
    assert_int_equal(prfdata_retry(publisher), ERROR_SUCCESS);
    expect(ERROR_SUCCESS, "are published");
}

/* ---- For the script ---- */

#ifdef _WIN32

/* Cause events, with or without an event source. Print the text of prfdata_status(). */
static int report(bool has_source)
{
    static const wchar_t source[] =
        L"SYSTEM\\CurrentControlSet\\Services\\EventLog\\Application\\PrfData " SERVICE;
    prfdata_publisher *second;
    HKEY key;

    sample_map_init_as(&sample, SERVICE);
    prfdata_test_service_make(&service, SERVICE, &sample.map, 0);
    if (has_source &&
        RegCreateKeyExW(HKEY_LOCAL_MACHINE, source, 0, NULL, 0, KEY_WRITE, NULL, &key, NULL) == 0)
        RegCloseKey(key);
    prfdata_test_service_set_number(&service, "Publish", 0);
    prfdata_open(&sample.map, &publisher);
    prfdata_open(&sample.map, &second);
    prfdata_test_service_delete_value(&service, "Regions");
    prfdata_test_service_delete_value(&service, "Publish");
    prfdata_retry(publisher);
    prfdata_test_service_uninstall(&service);
    prfdata_test_service_install(&service, &sample.map, 0);
    prfdata_retry(publisher);
    prfdata_status(publisher, text, sizeof text);
    puts(text);
    prfdata_close_and_unmap(publisher);
    prfdata_close_and_unmap(second);
    sample.entries[JOBS].default_scale = 99;
    prfdata_open(&sample.map, &publisher);
    RegDeleteKeyW(HKEY_LOCAL_MACHINE, source);
    prfdata_test_service_remove(&service);
    return 0;
}

#endif

#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end_status)

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        TEST(test_status_without_a_failure_says_so),
        TEST(test_status_published_names_program_and_file),
        TEST(test_status_names_the_look_up_that_failed),
        TEST(test_status_reports_few_look_ups_to_the_debugger),
        TEST(test_status_closed_says_so),
        TEST(test_status_not_installed),
        TEST(test_status_another_map_is_installed),
        TEST(test_status_switched_off),
        TEST(test_status_folder_is_wrong),
        TEST(test_status_every_code_has_a_reason),
        TEST(test_status_wrong_map_says_symbol_and_rule),
        TEST(test_status_no_map_at_all),
        TEST(test_status_wrong_capacity),
        TEST(test_status_the_longest_text_has_room),
        TEST(test_status_is_cut_at_a_character),
        TEST(test_status_of_a_publisher_is_cut_too),
        TEST(test_status_follows_retries),
        TEST(test_status_each_reason_is_an_event_once),
        TEST(test_status_says_that_the_file_is_lost),
        TEST(test_status_of_what_publishes_follows_the_installation),
    };

#ifdef _WIN32
    if (argc >= 2 && strcmp(argv[1], "report") == 0)
        return report(argc == 2);
#endif
    (void)argc;
    (void)argv;
    return cmocka_run_group_tests_name("client_status", tests, NULL, NULL);
}
