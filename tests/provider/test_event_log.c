/* SPDX-License-Identifier: MIT */
/* Tests that the DLL of a service has the messages that the event log shows. Windows only.
 *
 * With two arguments, the program is a reader for tests/scripts/55-event-log.sh. With `read`, the
 * reader finds several faults, each more than once. `read-text` does the same, but sets the level
 * of events as a string. With `starve`, the reader has no memory left. The second argument is the
 * level of events. */
#include "support/test.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#include <windows.h>
#include <winperf.h>

#include <prfdata/prfdata.h>

#include "client/publisher.h"
#include "events/events.h"
#include "region/region.h"
#include "support/import_table.h"
#include "support/provider/perf_reader.h"
#include "support/provider/publisher_header.h"
#include "support/sample_map.h"
#include "support/service.h"

#define SERVICE     "PrfDataTestEventLog"
#define FILE_OF_DLL L"PrfDataTestEventLogPrf.dll"
#define PERFLIB     L"SOFTWARE\\Microsoft\\Windows NT\\CurrentVersion\\Perflib"

enum { FIRST_COUNTER = 9500, QUEUE_ID = 100 };

static wchar_t library[MAX_PATH];

static void find_library(void)
{
    DWORD length = GetModuleFileNameW(NULL, library, MAX_PATH);

    assert_in_range(length, 1, MAX_PATH - 64);
    wcscpy(wcsrchr(library, L'\\') + 1, FILE_OF_DLL);
}

/* ---- Messages ---- */

static const struct {
    DWORD message; /* the id with which event viewers ask: its highest bits are the severity */
    bool has_detail;
    bool has_code;
} messages[] = {
    {0xC0000000u | 1001, true, true},   {0xC0000000u | 1002, false, true},
    {0xC0000000u | 1003, false, true},  {0x80000000u | 1004, true, true},
    {0x80000000u | 1005, true, false},  {0x80000000u | 1006, true, false},
    {0x80000000u | 1007, true, false},  {0x80000000u | 1008, true, false},
    {0xC0000000u | 1009, true, false},  {0x80000000u | 1010, true, false},
    {0x80000000u | 1011, true, false},  {0x80000000u | 1012, true, false},
    {0xC0000000u | 1013, false, false}, {0x80000000u | 1014, false, false},
    {0x80000000u | 1015, true, false},  {0x80000000u | 1016, true, false},
    {0xC0000000u | 1017, false, false}, {0x80000000u | 1018, false, false},
    {0x40000000u | 2001, false, false}, {0x80000000u | 1101, true, false},
    {0x80000000u | 1102, true, true},   {0x80000000u | 1103, true, false},
    {0x80000000u | 1104, true, true},   {0x80000000u | 1105, true, false},
    {0x80000000u | 1106, true, true},   {0x80000000u | 1107, true, false},
    {0x80000000u | 1108, true, true},   {0x80000000u | 1109, true, true},
    {0x80000000u | 1110, true, false},  {0x80000000u | 1111, true, true},
    {0x80000000u | 1112, true, false},  {0x40000000u | 2101, true, false},
    {0x40000000u | 2102, true, false},
};

#define MESSAGE_COUNT (sizeof messages / sizeof messages[0])

/* Positions in PRFDATA_EVENTS: first the events of a provider, then those of programs. */
enum {
#define ADD_ORDINAL(name, number, severity, detail, statement, advice) ORDINAL_##name,
    PRFDATA_EVENTS(ADD_ORDINAL) EVENT_COUNT
#undef ADD_ORDINAL
};

static DWORD format(HMODULE module, DWORD message, wchar_t *text, DWORD capacity)
{
    DWORD_PTR inserts[] = {(DWORD_PTR)L"<service>", (DWORD_PTR)L"<detail>", (DWORD_PTR)L"<code>"};

    return FormatMessageW(FORMAT_MESSAGE_FROM_HMODULE | FORMAT_MESSAGE_ARGUMENT_ARRAY, module,
                          message, 0, text, capacity, (va_list *)(void *)inserts);
}

static HMODULE open_as_data(void)
{
    HMODULE module = LoadLibraryExW(library, NULL, LOAD_LIBRARY_AS_DATAFILE);

    assert_non_null(module);
    return module;
}

static void test_event_log_every_condition_has_a_message_that_names_the_service(void **state)
{
    HMODULE module = open_as_data();

    (void)state;
    assert_int_equal(MESSAGE_COUNT, EVENT_COUNT);
    for (size_t i = 0; i < MESSAGE_COUNT; i++) {
        wchar_t text[2048] = L"";

        if (!format(module, messages[i].message, text, 2048))
            fail_msg("no message %08lx", (unsigned long)messages[i].message);
        if (!wcsstr(text, L"<service>") ||
            (wcsstr(text, L"<detail>") != NULL) != messages[i].has_detail ||
            (wcsstr(text, L"<code>") != NULL) != messages[i].has_code)
            fail_msg("%ls", text);
    }
    FreeLibrary(module);
}

static void test_event_log_no_other_number_has_a_message(void **state)
{
    HMODULE module = open_as_data();
    unsigned found = 0;

    (void)state;
    for (DWORD severity = 0; severity < 4; severity++) {
        for (DWORD id = 0; id < 4096; id++) {
            wchar_t text[2048];

            found += format(module, severity << 30 | id, text, 2048) > 0;
        }
    }
    assert_int_equal(found, MESSAGE_COUNT);
    FreeLibrary(module);
}

static void test_event_log_the_dll_says_what_it_is(void **state)
{
    HMODULE module = open_as_data();
    HRSRC resource = FindResourceW(module, MAKEINTRESOURCEW(1), MAKEINTRESOURCEW(16));
    static const wchar_t wanted[] = L"Performance counters of "
                                    L"" SERVICE;
    const unsigned char *bytes;
    DWORD size;
    bool found = false;

    (void)state;
    assert_non_null(resource);
    size = SizeofResource(module, resource);
    bytes = LockResource(LoadResource(module, resource));
    for (DWORD i = 0; i + sizeof wanted <= size && !found; i++)
        found = memcmp(bytes + i, wanted, sizeof wanted) == 0;
    assert_true(found);
    FreeLibrary(module);
}

/* ---- The reader ---- */

static void must(bool condition, const char *what)
{
    if (condition)
        return;
    fprintf(stderr, "%s: %lu\n", what, (unsigned long)GetLastError());
    exit(1);
}

static void read_once(void)
{
    static unsigned char bytes[1 << 20];
    HMODULE module = LoadLibraryW(library);
    PM_OPEN_PROC *open;
    PM_COLLECT_PROC *collect;
    PM_CLOSE_PROC *close;

    must(module != NULL, "LoadLibrary");
    open = (PM_OPEN_PROC *)(void (*)(void))GetProcAddress(module, "PrfDataOpen");
    collect = (PM_COLLECT_PROC *)(void (*)(void))GetProcAddress(module, "PrfDataCollect");
    close = (PM_CLOSE_PROC *)(void (*)(void))GetProcAddress(module, "PrfDataClose");
    must(open && collect && close, "GetProcAddress");
    for (int opens = 0; opens < 2; opens++) {
        must(open(NULL) == ERROR_SUCCESS, "Open");
        for (int collects = 0; collects < 3; collects++) {
            wchar_t query[] = L"Global";
            void *data = bytes;
            DWORD size = sizeof bytes, objects;

            must(collect(query, &data, &size, &objects) == ERROR_SUCCESS, "Collect");
        }
        must(close() == ERROR_SUCCESS, "Close");
    }
    FreeLibrary(module);
}

/* Reads through a DLL that is loaded and unloaded each time, so its static variables are lost. */
static void read_often(void)
{
    for (int i = 0; i < 3; i++)
        read_once();
}

/* Sets the level, and returns the former one. If `level` is 4294967295, deletes the value. Returns
 * 4294967295 if there was no value. `type` is the type of the value. */
static DWORD exchange_level(DWORD type, DWORD level)
{
    DWORD former = MAXDWORD, size = sizeof former;
    HKEY key;

    must(RegCreateKeyExW(HKEY_LOCAL_MACHINE, PERFLIB, 0, NULL, 0, KEY_ALL_ACCESS | KEY_WOW64_64KEY,
                         NULL, &key, NULL) == ERROR_SUCCESS,
         "Perflib");
    if (RegQueryValueExW(key, L"EventLogLevel", NULL, NULL, (BYTE *)&former, &size) != 0)
        former = MAXDWORD;
    if (level == MAXDWORD)
        RegDeleteValueW(key, L"EventLogLevel");
    else
        RegSetValueExW(key, L"EventLogLevel", 0, type, (const BYTE *)&level, sizeof level);
    RegCloseKey(key);
    return former;
}

/* Waits a second, so that the threads that write events can end. */
static void wait_for_threads(void)
{
    for (int i = 0; i < 100; i++)
        Sleep(10);
}

static prfdata_publisher *publish(const sample_map *sample)
{
    prfdata_publisher *publisher;

    must(prfdata_open(&sample->map, &publisher) == ERROR_SUCCESS && publisher->region.bytes,
         "prfdata_open");
    return publisher;
}

static void be_refused(const prfdata_test_service *service)
{
    const char *name = prfdata_test_region_name(0x0123456789abcdef);
    char path[520];
    HANDLE file;

    must(prfdata_test_service_write_file(service, name, "x", 1), "write");
    prfdata_test_service_path(service, name, path, sizeof path);
    file = CreateFileA(path, GENERIC_READ, 0, NULL, OPEN_EXISTING, 0, NULL);
    must(file != INVALID_HANDLE_VALUE, "CreateFile");
    read_often();
    CloseHandle(file);
}

/* Prints the name of the damaged file and that of the full region. */
static int read_wrong_regions(DWORD type, DWORD level)
{
    static sample_map sample;
    prfdata_test_service service;
    prfdata_publisher *damaged, *full;
    prfdata_instance mail;
    DWORD former;

    find_library();
    sample_map_init_as(&sample, SERVICE);
    prfdata_test_service_make(&service, SERVICE, &sample.map, FIRST_COUNTER);
    former = exchange_level(type, level);
    damaged = publish(&sample);
    publisher_header(damaged)->object_count++;
    full = publish(&sample);
    publisher_header(full)->dropped = 1;
    must(prfdata_instance_add(full, QUEUE_ID, L"mail", NULL, &mail) == ERROR_SUCCESS, "add");
    prfdata_begin(&mail);
    be_refused(&service);
    prfdata_end(&mail);
    prfdata_test_service_delete_value(&service, "Maps");
    read_often();
    wait_for_threads();
    printf("%s %s\n", damaged->name.text, full->name.text);
    prfdata_close_and_unmap(damaged);
    prfdata_close_and_unmap(full);
    exchange_level(REG_DWORD, former);
    prfdata_test_service_remove(&service);
    return 0;
}

/* ---- The reader without memory ---- */

enum { HEALTH_TITLE = FIRST_COUNTER + 4, STARVED = 3 };

PRFDATA_DEFINE_OBJECT(STARVING, 100);
PRFDATA_DEFINE_COUNTER(STARVING_JOBS, 101);
PRFDATA_DEFINE_OBJECT(STARVING_HEALTH, 900);

/* clang-format off */
PRFDATA_MAP_BEGIN_AS(starving_map)
    PRFDATA_MAP_OBJ(STARVING, L"Starving", L"S.", PERF_DETAIL_NOVICE, STARVING_JOBS, 8, 6)
    PRFDATA_MAP_CTR(STARVING_JOBS, L"Jobs", L"J.", PERF_DETAIL_NOVICE, 0, PERF_COUNTER_BULK_COUNT)
    PRFDATA_MAP_HEALTH(STARVING_HEALTH, L"Starving", "starving")
PRFDATA_MAP_END_AS(starving_map, SERVICE)
/* clang-format on */

static bool is_starving;

static void *starve_malloc(size_t size)
{
    return is_starving ? NULL : malloc(size);
}

static void *starve_calloc(size_t count, size_t size)
{
    return is_starving ? NULL : calloc(count, size);
}

static void *starve_realloc(void *memory, size_t size)
{
    return is_starving ? NULL : realloc(memory, size);
}

/* Lets a DLL call our functions, which give it no memory while is_starving is set. */
static void take_memory_away(HMODULE module)
{
    must(import_table_replace_in(module, "msvcrt.dll", "malloc",
                                 (import_table_function)starve_malloc) &&
             import_table_replace_in(module, "msvcrt.dll", "calloc",
                                     (import_table_function)starve_calloc) &&
             import_table_replace_in(module, "msvcrt.dll", "realloc",
                                     (import_table_function)starve_realloc),
         "the DLL's functions for memory");
}

/* Collects through the DLL. Collect must succeed even without memory. */
static perf_reply collect_from(HMODULE module)
{
    static unsigned char bytes[1 << 20];
    PM_COLLECT_PROC *collect =
        (PM_COLLECT_PROC *)(void (*)(void))GetProcAddress(module, "PrfDataCollect");
    wchar_t query[] = L"Global";
    void *data = bytes;
    DWORD size = sizeof bytes, objects = 0;

    must(collect(query, &data, &size, &objects) == ERROR_SUCCESS, "Collect");
    return (perf_reply){bytes, size, objects};
}

/*
 * Reads while the provider gets no memory, and afterwards. Prints how many objects and bytes each
 * Collect shows, and then the value of PRFDATA_HEALTH_NO_MEMORY.
 */
static int read_without_memory(DWORD level)
{
    prfdata_test_service service;
    prfdata_publisher *publisher;
    prfdata_instance mail;
    uint64_t told = 0;
    perf_reply reply;
    DWORD former;
    HMODULE module;
    PM_OPEN_PROC *open;
    PM_CLOSE_PROC *close;

    find_library();
    prfdata_test_service_make(&service, SERVICE, &starving_map, FIRST_COUNTER);
    former = exchange_level(REG_DWORD, level);
    module = LoadLibraryW(library);
    must(module != NULL, "LoadLibrary");
    open = (PM_OPEN_PROC *)(void (*)(void))GetProcAddress(module, "PrfDataOpen");
    close = (PM_CLOSE_PROC *)(void (*)(void))GetProcAddress(module, "PrfDataClose");
    take_memory_away(module);
    must(prfdata_open(&starving_map, &publisher) == ERROR_SUCCESS && publisher->region.bytes,
         "prfdata_open");
    must(prfdata_instance_add(publisher, STARVING, L"mail", NULL, &mail) == ERROR_SUCCESS, "add");
    must(open(NULL) == ERROR_SUCCESS, "Open");
    is_starving = true;
    for (int i = 0; i < STARVED; i++) {
        reply = collect_from(module);
        printf("%lu:%lu ", (unsigned long)reply.object_count, (unsigned long)reply.size);
    }
    is_starving = false;
    reply = collect_from(module);
    must(perf_reader_value(&reply, HEALTH_TITLE, NULL, NULL, PRFDATA_HEALTH_NO_MEMORY - 1, &told),
         "the number of the health");
    printf("%lu %lu\n", (unsigned long)reply.object_count, (unsigned long)told);
    must(close() == ERROR_SUCCESS, "Close");
    wait_for_threads();
    FreeLibrary(module);
    prfdata_close_and_unmap(publisher);
    exchange_level(REG_DWORD, former);
    prfdata_test_service_remove(&service);
    return 0;
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_event_log_every_condition_has_a_message_that_names_the_service),
        cmocka_unit_test(test_event_log_no_other_number_has_a_message),
        cmocka_unit_test(test_event_log_the_dll_says_what_it_is),
    };

    if (argc == 3 && strcmp(argv[1], "read") == 0)
        return read_wrong_regions(REG_DWORD, (DWORD)strtoul(argv[2], NULL, 10));
    if (argc == 3 && strcmp(argv[1], "read-text") == 0) /* writes the level as a string */
        return read_wrong_regions(REG_SZ, (unsigned char)argv[2][0]);
    if (argc == 3 && strcmp(argv[1], "starve") == 0)
        return read_without_memory((DWORD)strtoul(argv[2], NULL, 10));
    find_library();
    return cmocka_run_group_tests_name("event_log", tests, NULL, NULL);
}
