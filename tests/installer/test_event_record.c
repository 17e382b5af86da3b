/* SPDX-License-Identifier: MIT */
/* Tests reading records of the event log, whole and damaged ones. The test makes them by hand from
 * Microsoft's "EVENTLOGRECORD structure". */
#include "support/test.h"

#include <stdlib.h>
#include <string.h>

#include "base/bytes.h"
#include "diagnosis/event_record.h"

enum { BUFFER_BYTES = 4096 };

static unsigned char bytes[BUFFER_BYTES];
static size_t used;

static void put16(size_t offset, unsigned value)
{
    prfdata_bytes_put(bytes + offset, value, 2);
}

static void put32(size_t offset, uint32_t value)
{
    prfdata_bytes_put(bytes + offset, value, 4);
}

static void put_record_text(const char *text)
{
    do {
        put16(used, (unsigned char)*text);
        used += 2;
    } while (*text++);
}

/* Append a record. NULL ends the list of texts. */
static void add_record(uint32_t event, uint32_t time, const char *source, const char *const *texts)
{
    size_t start = used;
    unsigned count = 0;

    used += 56;
    put_record_text(source);
    put_record_text("COMPUTER");
    put32(start + 36, (uint32_t)(used - start));
    for (; texts[count]; count++)
        put_record_text(texts[count]);
    used = (used + 4 + 3) & ~(size_t)3; /* the record ends with its length */
    put32(used - 4, (uint32_t)(used - start));
    put32(start, (uint32_t)(used - start));
    put32(start + 4, 0x654C664C);
    put32(start + 12, time);
    put32(start + 16, time + 1);
    put32(start + 20, event);
    put16(start + 26, count);
}

#define TEXTS(...) ((const char *const[]){__VA_ARGS__, NULL})

static int set_up(void **state)
{
    (void)state;
    memset(bytes, 0, sizeof bytes);
    used = 0;
    return 0;
}

static void assert_text(const wchar_t *text, const wchar_t *wanted)
{
    if (wcscmp(text, wanted) != 0)
        fail_msg("\"%ls\" is not \"%ls\"", text, wanted);
}

static void test_event_record_has_number_time_source_and_strings(void **state)
{
    prfdata_event_record record;

    (void)state;
    add_record(0xC00003FF, 1700000000, "Perflib", TEXTS("C:\\a.dll", "126"));
    assert_true(prfdata_event_record_read(bytes, used, &record));
    assert_int_equal(record.record_bytes, used);
    assert_int_equal(record.event, 0xC00003FF);
    assert_int_equal(record.time, 1700000000);
    assert_text(record.source, L"Perflib");
    assert_int_equal(record.string_count, 2);
    assert_text(record.strings[0], L"C:\\a.dll");
    assert_text(record.strings[1], L"126");
}

/* Each size has its own allocation, so that the sanitizer notices the first byte after it. */
static void test_event_record_cut_anywhere_is_refused(void **state)
{
    prfdata_event_record record;

    (void)state;
    add_record(1008, 1, "Perflib", TEXTS("MyService", "x.dll", "5"));
    for (size_t size = 0; size < used; size++) {
        unsigned char *part = malloc(size ? size : 1);

        assert_non_null(part);
        memcpy(part, bytes, size);
        record.event = 77;
        assert_false(prfdata_event_record_read(part, size, &record));
        assert_int_equal(record.event, 77);
        free(part);
    }
}

/* A reader that trusts a record's length and offsets would read beyond the record's end. */
static void test_event_record_every_damage_stays_within_its_bytes(void **state)
{
    static const size_t offsets[] = {0, 4, 26, 36};
    static const uint32_t values[] = {0,  1,   55,         56,         57,
                                      60, 100, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF};

    (void)state;
    for (size_t i = 0; i < sizeof offsets / sizeof offsets[0]; i++) {
        for (size_t k = 0; k < sizeof values / sizeof values[0]; k++) {
            prfdata_event_record record;
            unsigned char *copy;

            set_up(NULL);
            add_record(1008, 1, "Perflib", TEXTS("MyService", "x.dll"));
            put32(offsets[i], values[k]);
            copy = malloc(used);
            assert_non_null(copy);
            memcpy(copy, bytes, used);
            if (prfdata_event_record_read(copy, used, &record))
                assert_true(record.record_bytes <= used && record.string_count <= 5);
            free(copy);
        }
    }
}

static void test_event_record_strings_stand_after_the_head(void **state)
{
    prfdata_event_record record;

    (void)state;
    add_record(1008, 1, "Perflib", TEXTS("MyService"));
    put32(36, 12);
    assert_false(prfdata_event_record_read(bytes, used, &record));
    put32(36, 56); /* now the offset of the strings is that of the source */
    assert_true(prfdata_event_record_read(bytes, used, &record));
    assert_text(record.strings[0], L"Perflib");
}

static void test_event_record_long_texts_and_many_are_cut(void **state)
{
    char text[400];
    prfdata_event_record record;

    (void)state;
    memset(text, 'x', sizeof text - 1);
    text[sizeof text - 1] = 0;
    add_record(1, 1, "Perflib", TEXTS(text, "2", "3", "4", "5", "6", "7"));
    assert_true(prfdata_event_record_read(bytes, used, &record));
    assert_int_equal(wcslen(record.strings[0]), 259);
    assert_int_equal(record.string_count, 5);
    assert_text(record.strings[4], L"5");
}

static prfdata_event_history *make_history(void)
{
    prfdata_event_history *history = calloc(1, sizeof *history);

    assert_non_null(history);
    history->service = L"MyService";
    history->library = L"C:\\Program Files\\My\\MyServicePrf.dll";
    return history;
}

static void test_event_history_takes_what_concerns_the_service(void **state)
{
    static const struct {
        const char *source;
        const char *text;
        bool wanted;
    } rows[] = {
        {"Perflib", "MyService", true},
        {"Microsoft-Windows-Perflib", "MYSERVICE", true},
        /* A record of Perflib's event 1022 names the DLL and not the service. */
        {"perflib", "c:\\program files\\my\\myserviceprf.dll", true},
        {"Perflib", "MyService2", false},
        {"Perflib", "MyServic", false},
        {"Perflib2", "MyService", false},
        {"LoadPerf", "MyService", false},
        {"PrfData MyService", "anything", true},
        {"PrfData myservice", "anything", true},
        {"PrfData MyService2", "MyService", false},
        {"PrfData", "MyService", false},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        prfdata_event_history *history = make_history();
        prfdata_event_record record;

        set_up(NULL);
        add_record(1008, 1, rows[i].source, TEXTS("5", rows[i].text));
        assert_true(prfdata_event_record_read(bytes, used, &record));
        if (prfdata_event_history_wants(history, &record) != rows[i].wanted)
            fail_msg("%s, %s", rows[i].source, rows[i].text);
        free(history);
    }
}

static void test_event_history_without_a_library_takes_no_empty_text(void **state)
{
    prfdata_event_history *history = make_history();
    prfdata_event_record record;

    (void)state;
    history->library = L"";
    add_record(1023, 1, "Perflib", TEXTS("", "126"));
    assert_true(prfdata_event_record_read(bytes, used, &record));
    assert_false(prfdata_event_history_wants(history, &record));
    free(history);
}

static void test_event_history_keeps_the_last_of_each_number(void **state)
{
    prfdata_event_history *history = make_history();

    (void)state;
    add_record(0x800003F0, 200, "Perflib", TEXTS("MyService", "x.dll", "2"));
    add_record(0x800003F0, 300, "Perflib", TEXTS("MyService", "x.dll", "3"));
    add_record(0x800003F0, 400, "Perflib", TEXTS("Another", "x.dll", "4"));
    add_record(0xC00003F9, 100, "Perflib", TEXTS("x.dll", "MyService"));
    add_record(0x800003F0, 250, "Perflib", TEXTS("MyService", "x.dll", "25"));
    add_record(0x800003F0, 50, "PrfData MyService", TEXTS("MyService", "file", "5"));
    prfdata_event_history_note_all(history, bytes, used);
    assert_int_equal(history->count, 3);
    assert_int_equal(history->entries[0].last.time, 300);
    assert_int_equal(history->entries[0].count, 3);
    assert_text(history->entries[0].last.strings[2], L"3");
    assert_int_equal(history->entries[1].last.event, 0xC00003F9);
    assert_true(prfdata_event_record_is_own(&history->entries[2].last));
    free(history);
}

static void test_event_history_ends_at_a_damaged_record(void **state)
{
    prfdata_event_history *history = make_history();
    size_t second;

    (void)state;
    add_record(1, 1, "Perflib", TEXTS("MyService"));
    second = used;
    add_record(2, 1, "Perflib", TEXTS("MyService"));
    put32(second, 0);
    prfdata_event_history_note_all(history, bytes, used);
    assert_int_equal(history->count, 1);
    free(history);
}

static void test_event_history_is_bounded(void **state)
{
    prfdata_event_history *history = make_history();

    (void)state;
    for (uint32_t i = 0; i < 1000; i++) {
        set_up(NULL);
        add_record(i, 1, "Perflib", TEXTS("MyService"));
        prfdata_event_history_note_all(history, bytes, used);
    }
    assert_int_equal(history->count, PRFDATA_EVENT_HISTORY_ENTRIES);
    free(history);
}

static void test_event_record_text_says_what_the_number_means(void **state)
{
    prfdata_event_record record;
    wchar_t text[100];

    (void)state;
    add_record(0xC00003FF, 1, "Perflib", TEXTS("C:\\a.dll", "126"));
    assert_true(prfdata_event_record_read(bytes, used, &record));
    prfdata_event_record_text(&record, text, 100);
    assert_text(text, L"the DLL could not be loaded: C:\\a.dll, 126");
    record.event = 3999;
    prfdata_event_record_text(&record, text, 100);
    assert_text(text, L"C:\\a.dll, 126");
    for (size_t capacity = 1; capacity < 60; capacity++) {
        text[capacity] = L'?';
        record.event = 1023;
        prfdata_event_record_text(&record, text, capacity);
        assert_true(wcslen(text) < capacity);
        assert_true(text[capacity] == L'?');
    }
}

#define TEST(function) cmocka_unit_test_setup(function, set_up)

int main(void)
{
    static const struct CMUnitTest tests[] = {
        TEST(test_event_record_has_number_time_source_and_strings),
        TEST(test_event_record_cut_anywhere_is_refused),
        TEST(test_event_record_every_damage_stays_within_its_bytes),
        TEST(test_event_record_strings_stand_after_the_head),
        TEST(test_event_record_long_texts_and_many_are_cut),
        TEST(test_event_history_takes_what_concerns_the_service),
        TEST(test_event_history_without_a_library_takes_no_empty_text),
        TEST(test_event_history_keeps_the_last_of_each_number),
        TEST(test_event_history_ends_at_a_damaged_record),
        TEST(test_event_history_is_bounded),
        TEST(test_event_record_text_says_what_the_number_means),
    };

    return cmocka_run_group_tests_name("event_record", tests, NULL, NULL);
}
