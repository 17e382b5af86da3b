/* SPDX-License-Identifier: MIT */
/*
 * Tests what the installer program says about an invalid map: each command prints the messages of
 * -Check, and ends with its own exit code. If a map is valid but probably not as intended, -Install
 * and -Status say so once. The program runs in this process, because prfdata_add_installer() would
 * not build one with an invalid map. Windows only.
 */
#include "support/test.h"

#include <fcntl.h>
#include <io.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <wchar.h>

#include <windows.h>

#include <prfdata/install.h>

#include "support/contains.h"
#include "support/installer/places.h"
#include "support/sample_map.h"
#include "windows/directory.h"

#define SERVICE  "PrfDataTestWrongMap"
#define WSERVICE L"PrfDataTestWrongMap"
#define KEY      L"SYSTEM\\CurrentControlSet\\Services\\" WSERVICE
#define SENTENCE "Map: JOBS (102, \"Jobs(all)\"): the name must not contain \\ ( ) # *, control"
#define OTHER    "Map: QUEUES (100, \"My Queues\"): max_instances is 0; it must be 1 to 65535"

#define NOTE "Map: PRFDATA_MAP_PERCENTILE after ODD_P99 (2): the share is of 10,000"

PRFDATA_DEFINE_OBJECT(ODD, 1);
PRFDATA_DEFINE_COUNTER(ODD_P99, 2);
PRFDATA_DEFINE_DISTRIBUTION(ODD_TIMES, 3);

/* clang-format off */
PRFDATA_MAP_BEGIN_AS(odd_map)
    PRFDATA_MAP_OBJ(ODD, L"Odd", L"Odd.", PERF_DETAIL_NOVICE, ODD_P99, PERF_NO_INSTANCES, 0)
        PRFDATA_MAP_DISTRIBUTION(ODD_TIMES, PRFDATA_UNIT_NUMBER, 1, 1000)
    PRFDATA_MAP_CTR(ODD_P99, L"p99", L"p99.", PERF_DETAIL_NOVICE, 0, PERF_COUNTER_RAWCOUNT)
        PRFDATA_MAP_PERCENTILE(ODD_TIMES, 99)
PRFDATA_MAP_END_AS(odd_map, SERVICE)
/* clang-format on */

static sample_map sample;
static const prfdata_map *used; /* the map of the program that runs */
static char out[32768];
static char err[32768];
static wchar_t place[MAX_PATH];

static int open_output(wchar_t *path, const wchar_t *name)
{
    int file;

    assert_true(swprintf(path, MAX_PATH, L"%lsprfdata-%lu-%ls", place,
                         (unsigned long)GetCurrentProcessId(), name) > 0);
    file = _wopen(path, _O_RDWR | _O_CREAT | _O_TRUNC | _O_BINARY, _S_IREAD | _S_IWRITE);
    assert_true(file >= 0);
    return file;
}

static void read_output(int file, const wchar_t *path, char *text, size_t capacity)
{
    int size;

    assert_int_equal(_lseek(file, 0, SEEK_SET), 0);
    size = _read(file, text, (unsigned)capacity - 1);
    assert_true(size >= 0);
    text[size] = 0;
    _close(file);
    _wremove(path);
}

/* Run the program with up to three arguments. The last ones may be NULL. */
static int run(const wchar_t *first, const wchar_t *second, const wchar_t *third)
{
    const prfdata_map *const maps[] = {used};
    wchar_t *argv[] = {(wchar_t *)L"wrong", (wchar_t *)first, (wchar_t *)second, (wchar_t *)third,
                       NULL};
    wchar_t paths[2][MAX_PATH];
    int files[2] = {open_output(paths[0], L"out"), open_output(paths[1], L"err")};
    int before[2] = {_dup(1), _dup(2)};
    int argc = 1, code;

    while (argv[argc])
        argc++;
    fflush(stdout);
    fflush(stderr);
    assert_int_equal(_dup2(files[0], 1), 0);
    assert_int_equal(_dup2(files[1], 2), 0);
    code = prfdata_installer_main(maps, 1, argc, argv);
    fflush(stdout);
    fflush(stderr);
    _dup2(before[0], 1);
    _dup2(before[1], 2);
    _close(before[0]);
    _close(before[1]);
    read_output(files[0], paths[0], out, sizeof out);
    read_output(files[1], paths[1], err, sizeof err);
    return code;
}

static void break_map(void)
{
    sample.entries[JOBS].name = L"Jobs(all)";
    sample.entries[QUEUES].max_instances = 0;
}

static int set_up(void **state)
{
    (void)state;
    assert_true(GetTempPathW(MAX_PATH, place) > 0);
    sample_map_init(&sample);
    sample.map.service = SERVICE;
    used = &sample.map;
    return 0;
}

static int tear_down(void **state)
{
    const prfdata_install_options options = {.any = true};

    (void)state;
    sample_map_init(&sample);
    sample.map.service = SERVICE;
    prfdata_uninstall(&sample.map, &options);
    return has_key(KEY);
}

static void install_right_map(prfdata_step_function *step)
{
    prfdata_install_options options = {0};
    wchar_t provider[MAX_PATH];

    GetModuleFileNameW(NULL, provider, MAX_PATH);
    wcscpy(wcsrchr(provider, L'\\'), L"\\empty-provider.dll");
    options.provider_path = provider;
    options.protection = PRFDATA_PROTECTION_WARN;
    options.arch = sizeof(void *) == 4 ? PRFDATA_ARCH_X86 : PRFDATA_ARCH_NATIVE;
    options.step = step;
    assert_int_equal(prfdata_install(used, &options), ERROR_SUCCESS);
}

static void test_wrong_map_check_says_all_and_ends_with_1(void **state)
{
    (void)state;
    assert_int_equal(run(L"-Check", NULL, NULL), 0);
    assert_string_equal(out, SERVICE ": Map: valid (objects: 3, counters: 6)\n");
    assert_string_equal(err, "");
    break_map();
    assert_int_equal(run(L"/check", WSERVICE, NULL), PRFDATA_EXIT_FAILED);
    assert_string_equal(out, "");
    assert_contains(err, SERVICE ": " SENTENCE);
    assert_contains(err, SERVICE ": " OTHER);
    assert_false(has_key(KEY));
}

static void test_wrong_map_check_compares_the_providers(void **state)
{
    (void)state;
    assert_int_equal(run(L"-Check", L"-Providers", L"Other,prfdatatestwrongmap"), 0);
    assert_int_equal(run(L"-Check", L"-Providers", L"Other,PrfDataTestRightMap"),
                     PRFDATA_EXIT_FAILED);
    assert_contains(err, SERVICE ": Service: no provider is built for the service of this map. "
                                 "Providers are built for: Other,PrfDataTestRightMap. ");
    assert_int_equal(run(L"-Status", L"-Providers", L"Other"), PRFDATA_EXIT_USAGE);
    assert_contains(err, "-Providers needs -Check");
    assert_int_equal(run(L"-Check", L"-Install", NULL), PRFDATA_EXIT_USAGE);
    assert_int_equal(run(L"-Check", L"-Arch", L"x86"), PRFDATA_EXIT_USAGE);
}

static void test_wrong_map_ini_says_why_and_writes_nothing(void **state)
{
    wchar_t path[MAX_PATH];

    (void)state;
    assert_true(swprintf(path, MAX_PATH, L"%lsprfdata wrong", place) > 0);
    break_map();
    assert_int_equal(run(L"-Ini", path, NULL), PRFDATA_EXIT_FAILED);
    assert_contains(out, SERVICE ": " SENTENCE);
    assert_contains(out, SERVICE ": " OTHER);
    assert_null(strstr(out, "(87)"));
    assert_int_equal(GetFileAttributesW(path), INVALID_FILE_ATTRIBUTES);
}

static void test_wrong_map_install_says_why_and_changes_nothing(void **state)
{
    (void)state;
    break_map();
    assert_int_equal(run(L"-Install", NULL, NULL), PRFDATA_EXIT_FAILED);
    assert_contains(out, SERVICE ": " SENTENCE);
    assert_contains(out, SERVICE ": " OTHER);
    assert_false(has_key(KEY));
}

static void test_wrong_map_status_says_why(void **state)
{
    (void)state;
    install_right_map(NULL);
    break_map();
    assert_int_equal(run(L"-Status", NULL, NULL), PRFDATA_EXIT_BROKEN);
    assert_contains(out, SENTENCE);
    assert_contains(out, OTHER);
    assert_null(strstr(out, "(87)"));
}

static void test_wrong_map_status_without_a_service_says_why(void **state)
{
    (void)state;
    sample.map.service = "no\\service";
    assert_int_equal(run(L"-Status", NULL, NULL), PRFDATA_EXIT_BROKEN);
    assert_contains(out, "Map: the map: the service name \"no\\service\" is not allowed");
}

static size_t note_count; /* number of lines of -Install that begin with NOTE */

static void count_notes(void *context, prfdata_step step, const wchar_t *text)
{
    char line[512];

    (void)context;
    (void)snprintf(line, sizeof line, "%ls", text);
    if (strncmp(line, NOTE, sizeof NOTE - 1) != 0)
        return;
    note_count++;
    assert_int_equal(step, PRFDATA_STEP_SAME);
}

static void test_wrong_map_install_shows_each_note_once(void **state)
{
    (void)state;
    used = &odd_map;
    note_count = 0;
    install_right_map(count_notes);
    assert_int_equal(note_count, 1);
}

static void test_wrong_map_status_shows_each_note_once(void **state)
{
    const char *note;

    (void)state;
    used = &odd_map;
    install_right_map(NULL);
    (void)run(L"-Status", NULL, NULL);
    note = strstr(out, NOTE);
    assert_non_null(note);
    assert_null(strstr(note + 1, NOTE));
    (void)run(L"-Status", L"-f", L"JSON");
    assert_contains(out, "\"own-map-note\"");
    assert_lacks(out, "\"own-map-wrong\"");
}

#define TEST(function) cmocka_unit_test_setup_teardown(function, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_wrong_map_check_says_all_and_ends_with_1),
        TEST(test_wrong_map_check_compares_the_providers),
        TEST(test_wrong_map_ini_says_why_and_writes_nothing),
        TEST(test_wrong_map_install_says_why_and_changes_nothing),
        TEST(test_wrong_map_status_says_why),
        TEST(test_wrong_map_status_without_a_service_says_why),
        TEST(test_wrong_map_install_shows_each_note_once),
        TEST(test_wrong_map_status_shows_each_note_once),
    };

    return cmocka_run_group_tests_name("wrong_map", tests, NULL, NULL);
}
