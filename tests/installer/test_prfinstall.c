/* SPDX-License-Identifier: MIT */
/* Tests the ready-made installer with map files, and the ready-made provider. The test runs the
 * programs with the real registry, and counts with the same map files. Windows only. */
#include "support/test.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#include <windows.h>
#include <winperf.h>

#include <prfdata/map_file.h>
#include <prfdata/version.h>

#include "support/console.h"
#include "support/installer/places.h"
#include "support/program_run.h"
#include "support/provider/collecting.h"

#define SERVICE "PrfDataTestFiles"
#define KEY     L"SYSTEM\\CurrentControlSet\\Services\\PrfDataTestFiles"
#define PERFKEY KEY L"\\Performance"
#define PROGRAM "prfinstall"

enum { QUEUES_ID = 1, JOBS_ID = 2, WAIT_MS = 60000, WAIT_STEP_MS = 20 };

/* Version 2 has one more counter before Jobs, and another name of the object. */
#define HEAD(name)                                                                                 \
    "[info]\ndrivername=" SERVICE "\n[object QUEUES]\nid=1\nname=" name "\nhelp=Of a test.\n"      \
    "instances=8\ntotal=yes\n"
#define JOBS  "[counter JOBS]\nid=2\nname=Jobs/sec\nhelp=Done.\ntype=PERF_COUNTER_BULK_COUNT\n"
#define DEPTH "[counter DEPTH]\nid=3\nname=Depth\nhelp=Waiting.\ntype=PERF_COUNTER_LARGE_RAWCOUNT\n"

static const char version_1[] = HEAD("Test Queues of a File") JOBS;
static const char version_2[] = HEAD("Test Queues of Files") DEPTH JOBS;

extern const prfdata_map things_map;

static char path[MAX_PATH];
static char arguments[MAX_PATH * 2];
static program_run run;

/* ---- Running it ---- */

static void write_map_file(const char *text)
{
    FILE *file = fopen(path, "wb");

    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
}

static const char *with_map_file(const char *command)
{
    assert_in_range(snprintf(arguments, sizeof arguments, "%s -Map \"%s\"", command, path), 1,
                    sizeof arguments - 1);
    return arguments;
}

static int set_up(void **state)
{
    (void)state;
    program_run_temporary_path("installer of a file.prfmap", path);
    write_map_file(version_1);
    program_run_make(&run, PROGRAM, with_map_file("-Uninstall -Any"));
    program_run_free(&run);
    return has_key(KEY);
}

static int tear_down(void **state)
{
    (void)state;
    write_map_file(version_1);
    program_run_make(&run, PROGRAM, with_map_file("-Uninstall -Any"));
    program_run_free(&run);
    DeleteFileA(path);
    return has_key(KEY);
}

/* ---- The command line ---- */

static void test_prfinstall_help_fits_a_console(void **state)
{
    program_run help;

    (void)state;
    program_run_make(&help, PROGRAM, "-?");
    assert_int_equal(help.exit_code, 0);
    assert_non_null(strstr(help.out, "  -Map FILE  "));
    assert_non_null(strstr(help.out, "prfinstall -Status MyService"));
    assert_fits_console(help.out);
    program_run_free(&help);
}

static void test_prfinstall_needs_a_map(void **state)
{
    (void)state;
    PROGRAM_RUN_EXPECT(PROGRAM, "-Version", 0, "PrfData " PRFDATA_VERSION "\r\n");
    PROGRAM_RUN_EXPECT(PROGRAM, "-Install", 2, "A map is missing: -Map FILE, or the name of a");
    PROGRAM_RUN_EXPECT(PROGRAM, "-Install -Map", 2, "A value is missing after -Map");
    PROGRAM_RUN_EXPECT(PROGRAM, with_map_file("-Status Nobody"), 2,
                       "The map files have no service Nobody");
    snprintf(arguments, sizeof arguments, "-Check \"%s\"", path);
    PROGRAM_RUN_EXPECT(PROGRAM, arguments, 2, "-Map is missing before the map file ");
    PROGRAM_RUN_EXPECT("test-installer", with_map_file("-Check"), 2,
                       "This installer has built-in maps");
}

static void test_prfinstall_checks_a_map_file(void **state)
{
    (void)state;
    PROGRAM_RUN_EXPECT(PROGRAM, with_map_file("-Check"), 0,
                       SERVICE ": Map: valid (objects: 1, counters: 1)");
    PROGRAM_RUN_EXPECT(PROGRAM, with_map_file("-Emit Prometheus"), 0, SERVICE);
    PROGRAM_RUN_EXPECT(PROGRAM, with_map_file("-Emit C"), 0, "PRFDATA_MAP_END(\"" SERVICE "\")");
}

/* With each of the commands, an invalid file leads to lines about its mistakes, and nothing is
 * changed. */
static void test_prfinstall_wrong_map_file_changes_nothing(void **state)
{
    static const char *const commands[] = {"-Check", "-Install", "-Status", "-Emit Grafana"};

    (void)state;
    write_map_file(HEAD("Test Queues of a File") "max=1\n" JOBS "scale=x\n");
    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++)
        PROGRAM_RUN_EXPECT(PROGRAM, with_map_file(commands[i]), 1,
                           ".prfmap:9: ", ".prfmap:15: scale=\"x\" is invalid; it must be ");
    assert_false(has_key(KEY));
    DeleteFileA(path);
    PROGRAM_RUN_EXPECT(PROGRAM, with_map_file("-Status"), 1, ": There is no such file.");
}

/* ---- Other products' .ini files ---- */

static void write_temporary_file(const char *name, const char *text, char place[MAX_PATH])
{
    FILE *file;

    program_run_temporary_path(name, place);
    file = fopen(place, "wb");
    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
}

static void convert_to_map_file(const char *ini, const char *more)
{
    assert_in_range(snprintf(arguments, sizeof arguments, "-Convert \"%s\"%s%s%s", ini, more,
                             *more ? path : "", *more ? "\"" : ""),
                    1, sizeof arguments - 1);
}

/* The converted file is a valid map file when a person has filled it in. */
static void test_prfinstall_converts_an_ini_file(void **state)
{
    static const char ini_text[] =
        "[info]\r\ndrivername=" SERVICE "\r\nsymbolfile=%s\r\n[objects]\r\nQ_009_NAME=\r\n"
        "[text]\r\nQ_009_NAME=Q\r\nQ_009_HELP=Queues.\r\nQ_JOBS_009_NAME=# jobs\r\n";
    char header[MAX_PATH], ini[MAX_PATH], text[1024], *made, *open;

    (void)state;
    write_temporary_file("legacy.h", "#define Q 0\r\n#define Q_JOBS 2\r\n", header);
    snprintf(text, sizeof text, ini_text, strrchr(header, '\\') + 1);
    write_temporary_file("legacy.ini", text, ini);
    convert_to_map_file(ini, "");
    PROGRAM_RUN_EXPECT(PROGRAM, arguments, 0, "\n[counter Q_JOBS]\nid=2\n", "\nname=jobs\n",
                       ".ini:9: \"# jobs\" cannot be a name in a map",
                       "Objects: 1, counters: 1. Fill in what is marked with a ?: 2 lines.");

    convert_to_map_file(ini, " -o \""); /* an existing map file is the user's and is not replaced */
    PROGRAM_RUN_EXPECT(PROGRAM, arguments, 1, " is there, and this command did not write it.");
    PROGRAM_RUN_EXPECT(PROGRAM, with_map_file("-Check"), 0, "Map: valid");
    DeleteFileA(path);
    convert_to_map_file(ini, " -o \"");
    PROGRAM_RUN_EXPECT(PROGRAM, arguments, 0, "Fill in what is marked with a ?: 2 lines.");
    PROGRAM_RUN_EXPECT(PROGRAM, with_map_file("-Check"), 1, "instances=\"?\" is invalid; ",
                       "type=\"?\" is invalid; ");

    made = program_run_read_file(path);
    open = strstr(made, "instances=?");
    assert_non_null(open);
    open[strlen("instances=")] = '8';
    open = strstr(made, "type=?");
    assert_non_null(open);
    *open = ';'; /* turns the line into a comment; the type is appended below */
    open = calloc(1, strlen(made) + 64);
    assert_non_null(open);
    sprintf(open, "%s\ntype=PERF_COUNTER_RAWCOUNT\n", made);
    write_map_file(open);
    free(open);
    free(made);
    PROGRAM_RUN_EXPECT(PROGRAM, with_map_file("-Check"), 0,
                       SERVICE ": Map: valid (objects: 1, counters: 1)");

    DeleteFileA(header);
    convert_to_map_file(ini, "");
    PROGRAM_RUN_EXPECT(
        PROGRAM, arguments, 1, "legacy.h: There is no such file.",
        "The header that symbolfile= names contains the offsets: put it next to the .ini.");
    DeleteFileA(ini);
    PROGRAM_RUN_EXPECT(PROGRAM, arguments, 1, "legacy.ini: There is no such file.");
}

/* ---- Installing ---- */

/* The service's DLL is a copy of the ready-made one with the service's name. */
static void test_prfinstall_registers_the_ready_made_provider(void **state)
{
    char library[MAX_PATH];
    DWORD size = sizeof library;

    (void)state;
    PROGRAM_RUN_EXPECT(PROGRAM, with_map_file("-Install -AllowUserWritableDll"), 0,
                       "\\PrfDataProvider.dll (", SERVICE ": Installed");
    assert_int_equal(RegGetValueA(HKEY_LOCAL_MACHINE,
                                  "SYSTEM\\CurrentControlSet\\Services\\" SERVICE "\\Performance",
                                  "Library", RRF_RT_REG_SZ, NULL, library, &size),
                     0);
    assert_non_null(strstr(library, "\\" SERVICE "Prf-"));
    PROGRAM_RUN_EXPECT(PROGRAM, with_map_file("-Install"), 0,
                       "Already installed, nothing to change");
    PROGRAM_RUN_EXPECT(PROGRAM, with_map_file("-Uninstall"), 0, SERVICE ": Uninstalled");
    assert_true(GetFileAttributesA(library) == INVALID_FILE_ATTRIBUTES);
    assert_false(has_key(KEY));
}

/* The commands that -Status prints name the service, not a file. */
static void test_prfinstall_knows_installed_services_without_their_files(void **state)
{
    (void)state;
    PROGRAM_RUN_EXPECT(PROGRAM, "-Status " SERVICE, 5, SERVICE ": Not installed");
    PROGRAM_RUN_EXPECT(PROGRAM, "-Install " SERVICE, 1, SERVICE ": Not installed");
    PROGRAM_RUN_EXPECT(PROGRAM, "-Status ..\\" SERVICE, 5, "Not installed");
    PROGRAM_RUN_EXPECT(PROGRAM, with_map_file("-Install -AllowUserWritableDll"), 0, "Installed");
    DeleteFileA(path);
    PROGRAM_RUN_EXPECT(PROGRAM, "-Status prfdatatestfiles", 0, "Performance Counters (Enabled)");
    PROGRAM_RUN_EXPECT(PROGRAM, "-Install " SERVICE, 0, "Already installed, nothing to change");
    PROGRAM_RUN_EXPECT(PROGRAM, "-Check " SERVICE, 0, "Map: valid (objects: 1, counters: 1)");
    assert_int_equal(RegDeleteKeyValueW(HKEY_LOCAL_MACHINE, PERFKEY, L"Regions"), 0);
    PROGRAM_RUN_EXPECT(PROGRAM, "-Status " SERVICE, 6, "prfinstall -Install " SERVICE);
    PROGRAM_RUN_EXPECT(PROGRAM, "-Repair " SERVICE, 0, "Run: prfinstall -Install " SERVICE);
    assert_int_equal(RegDeleteKeyValueW(HKEY_LOCAL_MACHINE, PERFKEY, L"Maps"), 0);
    PROGRAM_RUN_EXPECT(PROGRAM, "-Status " SERVICE, 6, "-Map names its map file");
    write_map_file(version_1);
    PROGRAM_RUN_EXPECT(PROGRAM, with_map_file("-Repair"), 0, "Nothing is wrong now");
    PROGRAM_RUN_EXPECT(PROGRAM, "-Uninstall " SERVICE, 0, SERVICE ": Uninstalled");
}

/* The command reports a service that is not installed, and continues with the other services. */
static void test_prfinstall_takes_each_named_service_alone(void **state)
{
    (void)state;
    PROGRAM_RUN_EXPECT(PROGRAM, with_map_file("-Install -AllowUserWritableDll"), 0, "Installed");
    PROGRAM_RUN_EXPECT(PROGRAM, "-Status Nobody " SERVICE, 5, "Nobody: Not installed",
                       "Performance Counters (Enabled)");
    PROGRAM_RUN_EXPECT(PROGRAM, "-Emit Markdown " SERVICE " Nobody", 5, "Nobody: Not installed");
    PROGRAM_RUN_EXPECT(PROGRAM, "-Uninstall Nobody " SERVICE, 5, "Nobody: Not installed",
                       SERVICE ": Uninstalled");
    assert_false(has_key(KEY));
}

static void test_prfinstall_takes_a_service_that_is_named_twice_once(void **state)
{
    (void)state;
    PROGRAM_RUN_EXPECT(PROGRAM, with_map_file("-Install -AllowUserWritableDll"), 0, "Installed");
    PROGRAM_RUN_EXPECT(PROGRAM, "-Uninstall " SERVICE " prfdatatestfiles", 0,
                       SERVICE ": Uninstalled");
    assert_false(has_key(KEY));
}

/* A map in C and the map file that is written from it are the same map. Neither is an upgrade of
 * the other. */
static void test_prfinstall_map_file_and_c_map_are_one(void **state)
{
    const size_t size = prfdata_map_file_write(&things_map, PRFDATA_MAP_FILE_TEXT, NULL, 0);
    char *text = malloc(size + 1);

    (void)state;
    assert_non_null(text);
    prfdata_map_file_write(&things_map, PRFDATA_MAP_FILE_TEXT, text, size + 1);
    write_map_file(text);
    free(text);
    PROGRAM_RUN_EXPECT("test-installer", "-Install -AllowUserWritableDll PrfDataTestThings", 0,
                       "Installed");
    PROGRAM_RUN_EXPECT(PROGRAM, with_map_file("-Status"), 0, "Performance Counters (Enabled)");
    program_run_make(&run, PROGRAM, with_map_file("-Install -AllowUserWritableDll"));
    assert_int_equal(run.exit_code, 0);
    assert_null(strstr(run.out, "Maps"));
    assert_non_null(strstr(run.out, "Titles unchanged"));
    program_run_free(&run);
    PROGRAM_RUN_EXPECT("test-installer", "-Status PrfDataTestThings", 0, "(Enabled)");
    PROGRAM_RUN_EXPECT("test-installer", "-Uninstall PrfDataTestThings", 0, "Uninstalled");
}

/* ---- An upgrade ---- */

static prfdata_publisher *publish_jobs(int64_t jobs)
{
    prfdata_publisher *publisher;
    prfdata_instance mail;
    prfdata_handle handle;
    wchar_t wide[MAX_PATH];

    MultiByteToWideChar(CP_ACP, 0, path, -1, wide, MAX_PATH);
    assert_int_equal(prfdata_open_file(wide, &publisher), ERROR_SUCCESS);
    assert_int_equal(prfdata_instance_add(publisher, QUEUES_ID, L"mail", NULL, &mail), 0);
    assert_int_equal(prfdata_resolve(publisher, JOBS_ID, &mail, &handle), ERROR_SUCCESS);
    prfdata_add(handle, jobs);
    return publisher;
}

/* Return the jobs of all queues if Jobs is the counter at `position`. */
static uint64_t jobs_shown(prfdata_provider *provider, uint32_t position)
{
    PERF_OBJECT_TYPE object = {0};
    uint64_t jobs = 0;
    uint32_t title;
    collected taken;

    collected_take(&taken, provider, "Global");
    if (taken.reply.size >= sizeof object)
        memcpy(&object, taken.reply.bytes, sizeof object);
    title = object.ObjectNameTitleIndex; /* the first installation had other titles */
    if (!perf_reader_value(&taken.reply, title, "", "_Total", position, &jobs))
        jobs = UINT64_MAX; /* the provider does not show the jobs yet */
    collected_free(&taken);
    return jobs;
}

static void expect_jobs(prfdata_provider *provider, uint32_t position, uint64_t jobs)
{
    for (int waited = 0; jobs_shown(provider, position) != jobs && waited < WAIT_MS;
         waited += WAIT_STEP_MS)
        Sleep(WAIT_STEP_MS);
    assert_int_equal(jobs_shown(provider, position), jobs);
}

static void test_prfinstall_upgrade_of_a_map_file_keeps_the_counts(void **state)
{
    prfdata_publisher *first, *second;
    prfdata_provider *provider;

    (void)state;
    PROGRAM_RUN_EXPECT(PROGRAM, with_map_file("-Install -AllowUserWritableDll"), 0, "Installed");
    first = publish_jobs(5);
    assert_int_equal(prfdata_provider_open(SERVICE, &provider), ERROR_SUCCESS);
    prfdata_provider_set_refresh(provider, 0);
    expect_jobs(provider, 0, 5);

    write_map_file(version_2);
    PROGRAM_RUN_EXPECT(PROGRAM, with_map_file("-Status"), 6, "another version than the");
    PROGRAM_RUN_EXPECT(PROGRAM, with_map_file("-Install -AllowUserWritableDll"), 0, "Installed");
    second = publish_jobs(2);
    expect_jobs(provider, 1, 7);
    prfdata_close_and_unmap(first);
    expect_jobs(provider, 1, 7);
    prfdata_close_and_unmap(second);
    prfdata_provider_close(provider);
}

#define TEST(function) cmocka_unit_test_setup_teardown(function, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_prfinstall_help_fits_a_console),
        TEST(test_prfinstall_needs_a_map),
        TEST(test_prfinstall_checks_a_map_file),
        TEST(test_prfinstall_wrong_map_file_changes_nothing),
        TEST(test_prfinstall_converts_an_ini_file),
        TEST(test_prfinstall_registers_the_ready_made_provider),
        TEST(test_prfinstall_knows_installed_services_without_their_files),
        TEST(test_prfinstall_takes_each_named_service_alone),
        TEST(test_prfinstall_takes_a_service_that_is_named_twice_once),
        TEST(test_prfinstall_map_file_and_c_map_are_one),
        TEST(test_prfinstall_upgrade_of_a_map_file_keeps_the_counts),
    };

    return cmocka_run_group_tests_name("prfinstall", tests, NULL, NULL);
}
