/* SPDX-License-Identifier: MIT */
/* Tests titles in every language of the title database. Under Wine loadperf stores no titles, and
 * the titles of a language are in the language's key below Perflib. The tests make the keys of two
 * languages and write the titles that loadperf would write. Most of the tests are skipped on
 * Windows, where the lists of titles belong to the system. */
#include "support/test.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#include <windows.h>

#include <prfdata/install.h>

#include "map/model.h"
#include "support/contains.h"
#include "support/import_table.h"
#include "support/sample_map.h"
#include "titles/title_database.h"
#include "windows/directory.h"
#include "windows/wine.h"

#define SERVICE  "PrfDataTestTitles"
#define WSERVICE L"PrfDataTestTitles"
#define PERFLIB  L"SOFTWARE\\Microsoft\\Windows NT\\CurrentVersion\\Perflib"
#define GERMAN   PERFLIB L"\\007"
#define CHINESE  PERFLIB L"\\804"

enum { LIST_CHARS = 16384 };

static sample_map sample;
static wchar_t data[MAX_PATH];
static wchar_t provider[MAX_PATH];
static prfdata_install_options options;
static wchar_t report[16384];
static size_t done_count; /* number of steps of kind PRFDATA_STEP_DONE in the last report */

/* ---- Installing ---- */

static void record(void *context, prfdata_step step, const wchar_t *text)
{
    (void)context;
    if (step == PRFDATA_STEP_DONE)
        done_count++;
    if (wcslen(report) + wcslen(text) + 2 < sizeof report / sizeof report[0]) {
        wcscat(report, text);
        wcscat(report, L"\n");
    }
}

static void install_titles(void)
{
    report[0] = 0;
    done_count = 0;
    if (prfdata_install(&sample.map, &options) != ERROR_SUCCESS)
        fail_msg("%ls", report);
}

static void assert_reported(const wchar_t *text)
{
    assert_contains_wide(report, text);
}

static bool ini_has(const wchar_t *line)
{
    wchar_t path[MAX_PATH];
    wchar_t *text = calloc(LIST_CHARS, sizeof *text);
    DWORD size = 0;
    HANDLE file;
    bool found;

    assert_non_null(text);
    assert_true(swprintf(path, MAX_PATH, L"%ls\\" WSERVICE L".ini", data) > 0);
    file = CreateFileW(path, GENERIC_READ, FILE_SHARE_READ, NULL, OPEN_EXISTING, 0, NULL);
    assert_true(file != INVALID_HANDLE_VALUE);
    assert_true(ReadFile(file, text, (LIST_CHARS - 1) * sizeof *text, &size, NULL));
    CloseHandle(file);
    found = wcsstr(text, line) != NULL;
    free(text);
    return found;
}

/* ---- The lists of a language ---- */

static void make_language(const wchar_t *path)
{
    HKEY key;

    assert_int_equal(
        RegCreateKeyExW(HKEY_LOCAL_MACHINE, path, 0, NULL, 0, KEY_ALL_ACCESS, NULL, &key, NULL), 0);
    RegCloseKey(key);
}

static void write_list(const wchar_t *path, const wchar_t *name, const wchar_t *list, size_t chars)
{
    assert_int_equal(RegSetKeyValueW(HKEY_LOCAL_MACHINE, path, name, REG_MULTI_SZ, list,
                                     (DWORD)(chars * sizeof *list)),
                     0);
}

static void append_title(wchar_t *list, size_t *used, DWORD index, const wchar_t *text)
{
    int chars = swprintf(list + *used, LIST_CHARS - *used, L"%lu", (unsigned long)index);

    assert_true(chars > 0);
    *used += (size_t)chars + 1;
    chars = swprintf(list + *used, LIST_CHARS - *used, L"%ls", text);
    assert_true(chars > 0);
    *used += (size_t)chars + 1;
}

static prfdata_title_range read_range(void)
{
    prfdata_title_range range = {0};
    prfdata_service_key key = {0};

    assert_int_equal(prfdata_service_key_open(&key, SERVICE, false), ERROR_SUCCESS);
    assert_true(prfdata_title_database_range(&key, &range));
    prfdata_service_key_close(&key);
    return range;
}

/* Write the lists that loadperf would write, without the name of title `without_name` and the help
 * of title `without_help`. */
static void load_language(const wchar_t *path, size_t without_name, size_t without_help)
{
    const prfdata_title_range range = read_range();
    wchar_t *names = calloc(LIST_CHARS, sizeof *names);
    wchar_t *helps = calloc(LIST_CHARS, sizeof *helps);
    size_t used[2] = {0, 0};
    DWORD number = 0;

    assert_non_null(names);
    assert_non_null(helps);
    append_title(names, &used[0], 1, L"1847");
    append_title(names, &used[0], 2, L"System");
    append_title(helps, &used[1], 3, L"Das System.");
    for (uint32_t i = 0; i < sample.map.entry_count; i++) {
        const prfdata_map_entry *entry = &sample.entries[i];

        if (entry->kind == PRFDATA_ENTRY_OPTION || i == JOB_TIME_BASE)
            continue;
        if (number != without_name)
            append_title(names, &used[0], range.first_counter + 2 * number, entry->name);
        if (number != without_help)
            append_title(helps, &used[1], range.first_help + 2 * number, entry->help);
        number++;
    }
    assert_int_equal(range.first_counter + 2 * (number - 1), range.last_counter);
    write_list(path, L"Counter", names, used[0] + 1);
    write_list(path, L"Help", helps, used[1] + 1);
    free(names);
    free(helps);
}

#define ALL_OF_THEM SIZE_MAX

static uint32_t verify(void)
{
    prfdata_service_key key = {0};
    prfdata_model *model = NULL;
    uint32_t status;

    assert_int_equal(prfdata_model_make(&sample.map, &model), ERROR_SUCCESS);
    assert_int_equal(prfdata_service_key_open(&key, SERVICE, false), ERROR_SUCCESS);
    status = prfdata_title_database_verify(&key, model);
    prfdata_service_key_close(&key);
    prfdata_model_free(model);
    return status;
}

/* Return the state of the titles in `language`. `number` gets the title that is missing, counted
 * from 0. */
static prfdata_title_state look_at(const char *language, DWORD *number)
{
    const prfdata_title_range range = read_range();
    prfdata_model *model = NULL;
    prfdata_title_state state;
    DWORD index = 0;

    assert_int_equal(prfdata_model_make(&sample.map, &model), ERROR_SUCCESS);
    state = prfdata_title_database_look(language, &range, model, &index);
    *number = (index - range.first_counter) / 2;
    prfdata_model_free(model);
    return state;
}

/* ---- Before and after ---- */

static int set_up(void **state)
{
    wchar_t program[MAX_PATH];

    (void)state;
    sample_map_init(&sample);
    sample.map.service = SERVICE;
    assert_int_equal(prfdata_directory_program_data(data), ERROR_SUCCESS);
    wcscat(data, L"\\PrfData titles test");
    GetModuleFileNameW(NULL, program, MAX_PATH);
    *wcsrchr(program, L'\\') = 0;
    assert_true(swprintf(provider, MAX_PATH, L"%ls\\empty-provider.dll", program) > 0);
    memset(&options, 0, sizeof options);
    options.data_path = data;
    options.provider_path = provider;
    options.protection = PRFDATA_PROTECTION_WARN;
    options.arch = sizeof(void *) == 4 ? PRFDATA_ARCH_X86 : PRFDATA_ARCH_NATIVE;
    options.step = record;
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    prfdata_uninstall(&sample.map, &options);
    if (prfdata_wine_is_here()) {
        RegDeleteKeyW(HKEY_LOCAL_MACHINE, GERMAN);
        RegDeleteKeyW(HKEY_LOCAL_MACHINE, CHINESE);
        RegDeleteKeyW(HKEY_LOCAL_MACHINE, PERFLIB L"\\Other");
    }
    return 0;
}

/* ---- The tests ---- */

static void test_titles_every_language_of_the_database_is_found(void **state)
{
    prfdata_title_languages languages;

    (void)state;
    if (!prfdata_wine_is_here())
        skip();
    prfdata_title_database_languages(&languages);
    assert_int_equal(languages.count, 0);
    make_language(CHINESE);
    make_language(PERFLIB L"\\Other");
    make_language(GERMAN);
    prfdata_title_database_languages(&languages);
    assert_int_equal(languages.count, 2);
    assert_string_equal(languages.ids[0], "007");
    assert_string_equal(languages.ids[1], "804");
}

static void test_titles_languages_have_names(void **state)
{
    wchar_t name[PRFDATA_TITLE_LANGUAGE_CHARS];

    (void)state;
    prfdata_title_database_name_language("007", name);
    assert_int_equal(wcscmp(name, L"007 (German)"), 0);
    prfdata_title_database_name_language("009", name);
    assert_int_equal(wcscmp(name, L"009 (English)"), 0);
    prfdata_title_database_name_language("FFF", name);
    assert_int_equal(wcscmp(name, L"FFF"), 0);
}

static void test_titles_are_installed_in_every_language(void **state)
{
    (void)state;
    if (!prfdata_wine_is_here())
        skip();
    make_language(GERMAN);
    make_language(CHINESE);
    install_titles();
    assert_true(ini_has(L"\r\n[languages]\r\n009=English\r\n007=English\r\n804=English\r\n"));
    assert_true(ini_has(L"\r\nQUEUES_007_NAME=My Queues\r\n"));
    assert_true(ini_has(L"\r\nQUEUES_804_NAME=My Queues\r\n"));
}

/* If the key of a language has no lists, the system has no titles in that language at all. */
static void test_titles_language_without_a_list_is_no_fault(void **state)
{
    DWORD number;

    (void)state;
    if (!prfdata_wine_is_here())
        skip();
    make_language(GERMAN);
    install_titles();
    assert_int_equal(look_at("007", &number), PRFDATA_TITLES_NO_LIST);
    assert_int_equal(verify(), ERROR_SUCCESS);
    assert_null(wcsstr(report, L"007"));
    install_titles();
    assert_int_equal(done_count, 0);
}

static void test_titles_are_verified_one_by_one_in_each_language(void **state)
{
    const size_t title_count = 8;
    DWORD number;

    (void)state;
    if (!prfdata_wine_is_here())
        skip();
    make_language(GERMAN);
    make_language(CHINESE);
    install_titles();
    load_language(CHINESE, ALL_OF_THEM, ALL_OF_THEM);
    load_language(GERMAN, ALL_OF_THEM, ALL_OF_THEM);
    assert_int_equal(look_at("007", &number), PRFDATA_TITLES_THERE);
    assert_int_equal(look_at("804", &number), PRFDATA_TITLES_THERE);
    assert_int_equal(verify(), ERROR_SUCCESS);
    for (size_t i = 0; i < title_count; i++) {
        load_language(GERMAN, i, ALL_OF_THEM);
        assert_int_equal(look_at("007", &number), PRFDATA_TITLES_NO_NAMES);
        assert_int_equal(number, i);
        assert_int_equal(verify(), ERROR_RESOURCE_LANG_NOT_FOUND);
        load_language(GERMAN, ALL_OF_THEM, i);
        assert_int_equal(look_at("007", &number), PRFDATA_TITLES_NO_HELP);
        assert_int_equal(number, i);
        assert_int_equal(verify(), ERROR_RESOURCE_LANG_NOT_FOUND);
    }
    sample.entries[DEPTH].name = L"Tiefe"; /* makes the list contain another text */
    load_language(GERMAN, ALL_OF_THEM, ALL_OF_THEM);
    sample_map_init(&sample);
    sample.map.service = SERVICE;
    assert_int_equal(look_at("007", &number), PRFDATA_TITLES_NO_NAMES);
    assert_int_equal(look_at("804", &number), PRFDATA_TITLES_THERE);
}

/* A language pack was added after the installation. Installing again loads its titles. */
static void test_titles_of_a_language_that_came_later_are_repaired(void **state)
{
    prfdata_title_range before;

    (void)state;
    if (!prfdata_wine_is_here())
        skip();
    install_titles();
    assert_false(ini_has(L"007"));
    before = read_range();
    make_language(GERMAN);
    write_list(GERMAN, L"Counter", L"2\0System\0", 10);
    write_list(GERMAN, L"Help", L"3\0Das System.\0", 15);
    assert_int_equal(verify(), ERROR_RESOURCE_LANG_NOT_FOUND);

    install_titles();
    assert_reported(L"Earlier titles unloaded");
    assert_reported(L"Titles loaded: ");
    assert_true(ini_has(L"\r\nQUEUES_007_NAME=My Queues\r\n"));
    assert_true(ini_has(L"\r\n007=English\r\n"));
    /* Under Wine, loadperf has stored no titles for German. The installation is still correct, and
     * its report says which titles are missing. */
    assert_reported(L"The language 007 (German) lacks titles, the first is ");
    assert_int_equal(read_range().first_counter, before.first_counter);

    load_language(GERMAN, ALL_OF_THEM, ALL_OF_THEM);
    install_titles();
    assert_int_equal(done_count, 0);
    assert_reported(L"Titles unchanged: ");
    assert_null(wcsstr(report, L"007"));
    load_language(GERMAN, ALL_OF_THEM, 2);
    install_titles();
    assert_reported(L"The language 007 (German) lacks help texts, the first is ");

    /* Loading the titles again did not add the help text to German, so the next installation does
     * not load them again. */
    install_titles();
    assert_null(wcsstr(report, L"Earlier titles unloaded"));
    assert_reported(L"Titles unchanged: ");
    assert_reported(L"The language 007 (German) lacks help texts, the first is ");
    assert_int_equal(done_count, 0);
}

/* Here the last index of the title database is odd. Only loadperf decides with which index it
 * continues then. The installer expects last + 2, and a wrong expectation must not prevent the
 * installation. */
static void test_titles_after_an_odd_end_are_foretold(void **state)
{
    DWORD last = 0, size = sizeof last, first = 0;
    const DWORD odd = 2001;
    uint32_t status;

    (void)state;
    if (!prfdata_wine_is_here())
        skip();
    assert_int_equal(RegGetValueW(HKEY_LOCAL_MACHINE, PERFLIB, L"Last Counter", RRF_RT_REG_DWORD,
                                  NULL, &last, &size),
                     0);
    assert_int_equal(
        RegSetKeyValueW(HKEY_LOCAL_MACHINE, PERFLIB, L"Last Counter", REG_DWORD, &odd, sizeof odd),
        0);
    status = prfdata_title_database_next(NULL, &first);
    assert_int_equal(RegSetKeyValueW(HKEY_LOCAL_MACHINE, PERFLIB, L"Last Counter", REG_DWORD, &last,
                                     sizeof last),
                     0);
    assert_int_equal(status, ERROR_SUCCESS);
    assert_int_equal(first, odd + 2);
}

static LSTATUS(WINAPI *open_key)(HKEY, LPCWSTR, DWORD, REGSAM, PHKEY);
static unsigned writable_opens;

static LSTATUS WINAPI open_key_and_look(HKEY root, LPCWSTR path, DWORD flags, REGSAM access,
                                        PHKEY key)
{
    writable_opens += path && wcscmp(path, PERFLIB) == 0 && (access & KEY_SET_VALUE);
    return open_key(root, path, flags, access, key);
}

/* -Status must not need the right to write. */
static void test_titles_are_read_without_the_right_to_write(void **state)
{
    const prfdata_title_range range = {1848, 1850, 1849, 1851};
    DWORD first = 0;

    (void)state;
    open_key = (LSTATUS(WINAPI *)(HKEY, LPCWSTR, DWORD, REGSAM, PHKEY))(void (*)(
        void))import_table_replace("advapi32.dll", "RegOpenKeyExW",
                                   (import_table_function)(void (*)(void))open_key_and_look);
    assert_int_equal(prfdata_title_database_next(NULL, &first), ERROR_SUCCESS);
    (void)prfdata_title_database_has(&range, NULL);
    assert_int_equal(writable_opens, 0);
}

#define TEST(function) cmocka_unit_test_setup_teardown(function, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_titles_every_language_of_the_database_is_found),
        TEST(test_titles_languages_have_names),
        TEST(test_titles_are_installed_in_every_language),
        TEST(test_titles_language_without_a_list_is_no_fault),
        TEST(test_titles_are_verified_one_by_one_in_each_language),
        TEST(test_titles_of_a_language_that_came_later_are_repaired),
        TEST(test_titles_are_read_without_the_right_to_write),
        TEST(test_titles_after_an_odd_end_are_foretold),
    };

    return cmocka_run_group_tests_name("titles", tests, NULL, NULL);
}
