/* SPDX-License-Identifier: MIT */
/* Tests the installer program: its command line, exit codes and output. prfdata_add_installer() has
 * built it from two maps, only one of which has a provider. Windows only. */
#include "support/test.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#include <windows.h>

#include <prfdata/version.h>

#include "support/console.h"
#include "support/contains.h"
#include "support/installer/places.h"
#include "support/installer/rights.h"
#include "titles/service_key.h"
#include "windows/directory.h"

#define KEYS    L"SYSTEM\\CurrentControlSet\\Services\\"
#define THINGS  KEYS L"PrfDataTestThings"
#define OF_BOOT L"b0b0b0b0b0b0b0b0-" /* the names of region files begin with it */

static char out[32768];
static char err[32768];
static wchar_t folder[MAX_PATH]; /* the folder of this program and of the installer */

/* ---- Running it ---- */

static HANDLE open_temporary(wchar_t *path, const wchar_t *name)
{
    SECURITY_ATTRIBUTES inherit = {sizeof inherit, NULL, TRUE};
    wchar_t place[MAX_PATH];
    HANDLE file;

    assert_true(GetTempPathW(MAX_PATH, place) > 0);
    assert_true(swprintf(path, MAX_PATH, L"%lsprfdata-%lu-%ls", place,
                         (unsigned long)GetCurrentProcessId(), name) > 0);
    file = CreateFileW(path, GENERIC_READ | GENERIC_WRITE, FILE_SHARE_READ | FILE_SHARE_WRITE,
                       &inherit, CREATE_ALWAYS, FILE_ATTRIBUTE_TEMPORARY, NULL);
    assert_true(file != INVALID_HANDLE_VALUE);
    return file;
}

static void read_temporary(HANDLE file, const wchar_t *path, char *text, size_t capacity)
{
    DWORD size = 0;

    SetFilePointer(file, 0, NULL, FILE_BEGIN);
    assert_true(ReadFile(file, text, (DWORD)capacity - 1, &size, NULL));
    text[size] = 0;
    CloseHandle(file);
    DeleteFileW(path);
}

/* If this is not NULL, standard output goes to this device and not to a file. */
static const wchar_t *out_device;

static HANDLE open_out(wchar_t *path)
{
    SECURITY_ATTRIBUTES inherit = {sizeof inherit, NULL, TRUE};

    if (!out_device)
        return open_temporary(path, L"out");
    return CreateFileW(out_device, GENERIC_WRITE, FILE_SHARE_READ | FILE_SHARE_WRITE, &inherit,
                       OPEN_EXISTING, 0, NULL);
}

/* Run the installer with this command line. If `token` is not NULL, run it with that token. */
static int run_command(HANDLE token, wchar_t *command)
{
    wchar_t paths[2][MAX_PATH], program[MAX_PATH];
    HANDLE files[2] = {open_out(paths[0]), open_temporary(paths[1], L"err")};
    STARTUPINFOW startup;
    PROCESS_INFORMATION process;
    DWORD code = 0;
    BOOL started;

    memset(&startup, 0, sizeof startup);
    startup.cb = sizeof startup;
    startup.dwFlags = STARTF_USESTDHANDLES;
    startup.hStdOutput = files[0];
    startup.hStdError = files[1];
    assert_true(swprintf(program, MAX_PATH, L"%ls\\test-installer.exe", folder) > 0);
    if (token)
        started = CreateProcessAsUserW(token, program, command, NULL, NULL, TRUE, 0, NULL, NULL,
                                       &startup, &process);
    else
        started =
            CreateProcessW(program, command, NULL, NULL, TRUE, 0, NULL, NULL, &startup, &process);
    assert_true(started);
    WaitForSingleObject(process.hProcess, INFINITE);
    GetExitCodeProcess(process.hProcess, &code);
    CloseHandle(process.hProcess);
    CloseHandle(process.hThread);
    if (out_device)
        CloseHandle(files[0]);
    else
        read_temporary(files[0], paths[0], out, sizeof out);
    read_temporary(files[1], paths[1], err, sizeof err);
    return (int)code;
}

static int run_as(HANDLE token, const wchar_t *arguments)
{
    wchar_t command[2 * MAX_PATH];

    assert_true(swprintf(command, sizeof command / sizeof command[0],
                         L"\"%ls\\test-installer.exe\" %ls", folder, arguments) > 0);
    return run_command(token, command);
}

static void expect(int wanted, const wchar_t *arguments)
{
    int code = run_as(NULL, arguments);

    if (code != wanted)
        fail_msg("%ls: %d instead of %d\n%s%s", arguments, code, wanted, out, err);
}

static void assert_starts(const char *stream, const char *text)
{
    if (strncmp(stream, text, strlen(text)) != 0)
        fail_msg("no \"%s\" at the beginning of\n%s", text, stream);
}

static int set_up(void **state)
{
    (void)state;
    GetModuleFileNameW(NULL, folder, MAX_PATH);
    *wcsrchr(folder, L'\\') = 0;
    run_as(NULL, L"-Uninstall");
    return has_key(THINGS);
}

static int tear_down(void **state)
{
    (void)state;
    run_as(NULL, L"-Uninstall");
    return has_key(THINGS);
}

/* ---- The command line ---- */

static void test_installer_help_tells_everything(void **state)
{
    static const wchar_t *const spellings[] = {L"-?", L"/?", L"-help", L"/HELP", L"--help", L"-h"};

    (void)state;
    for (size_t i = 0; i < sizeof spellings / sizeof spellings[0]; i++) {
        expect(0, spellings[i]);
        assert_contains(out, "-Install ");
        assert_contains(out, "-Writers Users");
        assert_contains(out, "-Arch x86");
        assert_contains(out, "Exit codes:");
        assert_contains(out, "\r\n  PrfDataTestThings\r\n");
        assert_contains(out, "\r\n  PrfDataTestWithout\r\n");
        assert_contains(out, "\r\n  test-installer COMMAND [OPTION...] [SERVICE...]\r\n");
        assert_contains(out, "\r\n  test-installer -Status PrfDataTestThings\r\n");
        assert_string_equal(err, "");
        assert_fits_console(out);
    }
}

/* An application chooses the name of its installer. The help text uses this name, and so does the
 * advice after a mistake. */
static void test_installer_calls_itself_as_it_was_started(void **state)
{
    static const wchar_t *const names[] = {L"myserver_installer", L"C:\\no\\myserver_installer.EXE",
                                           L"../myserver_installer.exe", L".\\myserver_installer",
                                           L"D:myserver_installer.exe"};
    wchar_t command[512];

    (void)state;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        swprintf(command, sizeof command / sizeof command[0], L"%ls -?", names[i]);
        assert_int_equal(run_command(NULL, command), 0);
        assert_contains(out, "\r\n  myserver_installer COMMAND ");
        assert_contains(out, "\r\n  myserver_installer -Status PrfDataTestThings\r\n");
        swprintf(command, sizeof command / sizeof command[0], L"%ls -Instal", names[i]);
        assert_int_equal(run_command(NULL, command), 2);
        assert_contains(err, "\r\nmyserver_installer -? explains how to use it.\r\n");
    }
}

static void test_installer_cuts_a_name_longer_than_a_files(void **state)
{
    wchar_t command[512];
    char wanted[512];

    (void)state;
    wmemset(command, L'x', 300);
    wcscpy(command + 300, L" -?");
    memset(wanted, 'x', 255);
    strcpy(wanted + 255, " COMMAND ");
    assert_int_equal(run_command(NULL, command), 0);
    assert_contains(out, "\r\n  x");
    assert_contains(out, wanted);
    memset(wanted, 'x', 256);
    wanted[256] = 0;
    assert_null(strstr(out, wanted));
}

static void test_installer_wrong_command_lines_end_with_2(void **state)
{
    static const struct {
        const wchar_t *arguments;
        const char *said;
    } wrong[] = {
        {L"", "A command is missing"},
        {L"PrfDataTestThings", "A command is missing"},
        {L"-Instal", "Unknown option: -Instal"},
        {L"-", "Unknown option: -"},
        {L"-Install -Status", "Give one command at a time; this is a second one: -Status"},
        {L"-Install Nobody", "This program has no service Nobody"},
        {L"-Install -Arch", "A value is missing after -Arch"},
        {L"-Install -Arch arm", "-Arch must be native or x86, not arm"},
        {L"-Install -Writers Nobody", "Windows does not know Nobody"},
        {L"-Install -Writers WD", "Windows does not know WD"},
        {L"-Ini", "A value is missing after -Ini"},
        {L"-Status -Arch x86", "-Writers, -Arch, -Force and -AllowUserWritableDll need"},
        {L"-Status -f", "A value is missing after -f"},
        {L"-Status -f XML", "-f must be JSON or text, not XML"},
        {L"-Install -f JSON", "-f needs -Status"},
        {L"-Emit", "A value is missing after -Emit"},
        {L"-Emit Nagios", "-Emit must be one of OpenTelemetry Telegraf"},
        {L"-Emit Nagios", "C Cpp, not Nagios"},
        {L"-Emit MapFile", "write one map: name its service"},
        {L"-Emit Grafana -Check", "Give one command at a time; this is a second one: -Check"},
        {L"-Status -o x", "-o needs -Emit"},
        {L"-Status -y", "-y needs -o or -Ini"},
        {L"-Emit Prometheus -y", "-y needs -o or -Ini"},
        {L"-Convert", "A value is missing after -Convert"},
        {L"-Convert x.ini PrfDataTestThings", "-Convert takes one .ini file"},
        {L"-Convert x.ini -Check", "Give one command at a time; this is a second one: -Check"},
        {L"-Status -Repair", "Give one command at a time; this is a second one: -Repair"},
        {L"-Status -AllowUserWritableDll", "-AllowUserWritableDll need -Install"},
        {L"-Uninstall -Writers Users", "-Writers, -Arch, -Force and -AllowUserWritableDll need"},
        {L"-Status -Force", "-Writers, -Arch, -Force and -AllowUserWritableDll need"},
        {L"-Install -Any", "-Any needs -Uninstall"},
        {L"-Reset -Any", "-Any needs -Uninstall"},
        {L"-Reset -Arch x86", "-Writers, -Arch, -Force and -AllowUserWritableDll need"},
        {L"-Reset -Uninstall", "Give one command at a time; this is a second one: -Uninstall"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        expect(2, wrong[i].arguments);
        assert_contains(err, wrong[i].said);
        assert_contains(err, "\r\ntest-installer -? explains how to use it.\r\n");
        assert_string_equal(out, "");
    }
    assert_false(has_key(THINGS));
}

/* ---- The commands ---- */

static void test_installer_installs_shows_and_uninstalls(void **state)
{
    (void)state;
    expect(5, L"-Status PrfDataTestThings");
    assert_starts(out, "PrfData " PRFDATA_VERSION "\r\n"
                       "[PrfDataTestThings] Performance Counters (Not Installed)\r\n"
                       "    Note: the counters are not installed\r\n"
                       "        Why: ");
    assert_contains(out, "        Fix: test-installer -Install PrfDataTestThings\r\n");
    expect(5, L"-Uninstall PrfDataTestThings");
    assert_string_equal(out, "PrfDataTestThings: Not installed\r\n");

    expect(0, L"-Install -AllowUserWritableDll PrfDataTestThings");
    assert_contains(out, "PrfDataTestThings: Provider: ");
    assert_contains(out, "PrfDataTestThings: Titles loaded: ");
    assert_contains(out, "PrfDataTestThings: Installed\r\n");
    assert_string_equal(err, "");
    expect(0, L"/STATUS prfdatatestthings");
    assert_starts(out, "PrfData " PRFDATA_VERSION "\r\n"
                       "[PrfDataTestThings] Performance Counters (Enabled)\r\n"
                       "    DLL Name: ");
    expect(0, L"/install -WRITERS users PrfDataTestThings");
    expect(0, L"/uninstall PRFDATATESTTHINGS");
    assert_contains(out, "PrfDataTestThings: Uninstalled\r\n");
    assert_false(has_key(THINGS));
}

static void test_installer_resets_the_counts_of_ended_programs(void **state)
{
    wchar_t path[MAX_PATH];
    DWORD resets = 0;
    DWORD size = sizeof resets;
    HANDLE file;

    (void)state;
    expect(5, L"-Reset PrfDataTestThings");
    assert_string_equal(out, "PrfDataTestThings: Not installed\r\n");
    expect(0, L"-Install -AllowUserWritableDll PrfDataTestThings");
    assert_int_equal(prfdata_directory_program_data(path), 0);
    wcscat(path, L"\\PrfData\\PrfDataTestThings\\" OF_BOOT L"00000000000000aa.region");
    file = CreateFileW(path, GENERIC_WRITE, 0, NULL, CREATE_NEW, 0, NULL);
    assert_true(file != INVALID_HANDLE_VALUE);
    CloseHandle(file);
    expect(0, L"-Reset PrfDataTestThings");
    assert_contains(out, "PrfDataTestThings: Regions removed: 1\r\n");
    assert_contains(out, "PrfDataTestThings: Reset: the counts of ended programs are zero.");
    assert_true(GetFileAttributesW(path) == INVALID_FILE_ATTRIBUTES);
    expect(0, L"-Reset PrfDataTestThings");
    assert_int_equal(RegGetValueW(HKEY_LOCAL_MACHINE, THINGS L"\\Performance", L"Resets",
                                  RRF_RT_REG_DWORD, NULL, &resets, &size),
                     0);
    assert_int_equal(resets, 2);
}

/* The lines have lodctr's order, on which users and scripts rely. */
static void test_installer_status_has_lodctrs_lines(void **state)
{
    static const char *const labels[] = {"    DLL Name: ",
                                         "    Open Procedure: PrfDataOpen",
                                         "    Collect Procedure: PrfDataCollect",
                                         "    Close Procedure: PrfDataClose",
                                         "    First Counter ID: 0x",
                                         "    Last Counter ID: 0x",
                                         "    First Help ID: 0x",
                                         "    Last Help ID: 0x"};
    DWORD first = 0;
    DWORD size = sizeof first;
    char line[64];
    const char *at;

    (void)state;
    expect(0, L"-Install -AllowUserWritableDll PrfDataTestThings");
    expect(0, L"-Status PrfDataTestThings");
    at = strstr(out, "[PrfDataTestThings]");
    assert_non_null(at);
    for (size_t i = 0; i < sizeof labels / sizeof labels[0]; i++) {
        at = strchr(at, '\n');
        assert_non_null(at);
        assert_starts(++at, labels[i]);
    }
    assert_int_equal(RegGetValueW(HKEY_LOCAL_MACHINE, THINGS L"\\Performance", L"First Counter",
                                  RRF_RT_REG_DWORD, NULL, &first, &size),
                     0);
    snprintf(line, sizeof line, "    First Counter ID: 0x%08lX (%lu)\r\n", (unsigned long)first,
             (unsigned long)first);
    assert_contains(out, line);
}

/* Without names, a command is run for every map. The first exit code that is not 0 is returned. */
static void test_installer_does_every_map_and_tells_the_first_failure(void **state)
{
    HKEY key;

    (void)state;
    assert_int_equal(RegCreateKeyExW(HKEY_LOCAL_MACHINE, KEYS L"PrfDataTestWithout\\Performance", 0,
                                     NULL, 0, KEY_ALL_ACCESS, NULL, &key, NULL),
                     0);
    RegSetValueExW(key, L"Library", 0, REG_SZ, (const BYTE *)L"x.dll", sizeof L"x.dll");
    RegCloseKey(key); /* the key of another product */
    expect(1, L"-Install -AllowUserWritableDll");
    assert_contains(out, "PrfDataTestThings: Installed\r\n");
    assert_contains(out, "PrfDataTestWithout: ");
    expect(6, L"-Status");
    assert_contains(out, "[PrfDataTestThings] Performance Counters (Enabled)");
    assert_contains(out, "    Wrong: registered by another installer");
    expect(1, L"-AllowUserWritableDll -Install PrfDataTestWithout PrfDataTestThings");
    assert_int_equal(RegDeleteTreeW(HKEY_LOCAL_MACHINE, KEYS L"PrfDataTestWithout"), 0);
}

static void test_installer_broken_registration_ends_with_6(void **state)
{
    DWORD disabled = 1;
    HKEY key;

    (void)state;
    expect(0, L"-Install -AllowUserWritableDll PrfDataTestThings");
    assert_int_equal(
        RegOpenKeyExW(HKEY_LOCAL_MACHINE, THINGS L"\\Performance", 0, KEY_SET_VALUE, &key), 0);
    RegSetValueExW(key, L"Disable Performance Counters", 0, REG_DWORD, (const BYTE *)&disabled,
                   sizeof disabled);
    RegCloseKey(key);
    expect(6, L"-Status PrfDataTestThings");
    assert_starts(out, "PrfData " PRFDATA_VERSION "\r\n"
                       "[PrfDataTestThings] Performance Counters (Disabled)\r\n");
    assert_contains(out, "    Wrong: disabled (1: all readers)\r\n");
    assert_contains(out, "        Fix: lodctr /E:PrfDataTestThings\r\n");
}

static void test_installer_leftovers_end_with_4(void **state)
{
    wchar_t path[MAX_PATH];
    HANDLE owner;

    (void)state;
    expect(0, L"-Install -AllowUserWritableDll PrfDataTestThings");
    assert_int_equal(prfdata_directory_program_data(path), 0);
    wcscat(path, L"\\PrfData\\PrfDataTestThings\\" OF_BOOT L"00000000000000aa.region");
    owner =
        CreateFileW(path, GENERIC_READ | GENERIC_WRITE, FILE_SHARE_READ, NULL, CREATE_NEW, 0, NULL);
    assert_true(owner != INVALID_HANDLE_VALUE);
    expect(4, L"-Uninstall PrfDataTestThings");
    assert_contains(out, "PrfDataTestThings: Region left: ");
    assert_false(has_key(THINGS));
    CloseHandle(owner);
    expect(0, L"-Uninstall PrfDataTestThings");
}

static void test_installer_without_elevation_ends_with_3(void **state)
{
    HANDLE token = rights_token_without_administrators(TokenPrimary);

    (void)state;
    assert_int_equal(run_as(token, L"-Install -AllowUserWritableDll PrfDataTestThings"), 3);
    assert_contains(out, "PrfDataTestThings: This needs an elevated prompt\r\n");
    assert_int_equal(run_as(token, L"-Uninstall PrfDataTestThings"), 3);
    assert_int_equal(run_as(token, L"-Reset PrfDataTestThings"), 3);
    assert_int_equal(run_as(token, L"-Repair PrfDataTestThings"), 3);
    assert_int_equal(run_as(token, L"-Status PrfDataTestThings"), 5);
    assert_int_equal(run_as(token, L"-Check"), 0);
    assert_false(has_key(THINGS));
    CloseHandle(token);
}

/* The DLL for x86 is in the folder x86, next to the installer. */
static void test_installer_x86_takes_the_dll_from_its_folder(void **state)
{
    (void)state;
    if (sizeof(void *) == 4)
        skip();
    expect(1, L"-Install -Arch x86 PrfDataTestThings");
    assert_contains(out, "\\x86\\PrfDataTestThingsPrf.dll");
    assert_false(has_key(THINGS));
}

static void test_installer_ini_writes_both_files(void **state)
{
    wchar_t place[MAX_PATH], arguments[2 * MAX_PATH], path[MAX_PATH];
    static const char header[] = "#define THINGS 0\r\n#define THINGS_COUNT 2\r\n";
    char found[4096];
    DWORD size = 0;
    HANDLE file;

    (void)state;
    assert_true(GetTempPathW(MAX_PATH, place) > 0);
    wcscat(place, L"prfdata ini \u00E4");
    assert_true(swprintf(arguments, 2 * MAX_PATH, L"-INI \"%ls\" PrfDataTestThings", place) > 0);
    expect(0, arguments);
    assert_contains(out, "prfdata ini \xC3\xA4\\PrfDataTestThings.ini\r\n"); /* UTF-8 */
    expect(0, arguments); /* the installer replaces the files that it has written before */
    assert_true(swprintf(path, MAX_PATH, L"%ls\\PrfDataTestThings.h", place) > 0);
    file = CreateFileW(path, GENERIC_READ, 0, NULL, OPEN_EXISTING, FILE_FLAG_DELETE_ON_CLOSE, NULL);
    assert_true(file != INVALID_HANDLE_VALUE);
    assert_true(ReadFile(file, found, sizeof found, &size, NULL));
    CloseHandle(file);
    assert_int_equal(size, sizeof header - 1);
    assert_memory_equal(found, header, size);
    wcscpy(wcsrchr(path, L'.'), L".ini");
    assert_true(DeleteFileW(path));
    assert_true(RemoveDirectoryW(place));
    assert_false(has_key(THINGS));

    expect(1, L"-Ini C:\\no\\such\\folder PrfDataTestThings");
    assert_contains(out, "PrfDataTestThings: Folder C:\\no\\such\\folder: ");
}

/* test_emit.c tests the content of the configurations. */
static void test_installer_emits_of_the_chosen_maps(void **state)
{
    char text[32768];
    wchar_t path[MAX_PATH], arguments[2 * MAX_PATH];
    HANDLE file;

    (void)state;
    expect(0, L"-Emit Prometheus PrfDataTestThings");
    assert_starts(out, "# Written by test-installer -Emit Prometheus.\ngroups:\n"
                       "  - name: \"PrfDataTestThings\"\n");
    assert_null(strstr(out, "PrfDataTestWithout"));
    assert_null(strchr(out, '\r'));
    assert_string_equal(err, "");
    CloseHandle(open_temporary(path, L"rules"));
    swprintf(arguments, 2 * MAX_PATH, L"-Emit prometheus -o \"%ls\" PrfDataTestThings", path);
    strcpy(text, out);
    expect(0, arguments);
    assert_string_equal(out, "");
    file = CreateFileW(path, GENERIC_READ, 0, NULL, OPEN_EXISTING, 0, NULL);
    assert_true(file != INVALID_HANDLE_VALUE);
    read_temporary(file, path, out, sizeof out);
    assert_string_equal(out, text);

    expect(0, L"-Emit Prometheus");
    assert_contains(out, "PrfDataTestWithout");
    expect(1, L"-Emit Prometheus -o C:\\no\\such\\file");
    assert_contains(err, "Cannot write C:\\no\\such\\file: ");
    assert_contains(err, "(3)\r\n"); /* ERROR_PATH_NOT_FOUND */
    assert_string_equal(out, "");
}

/* An old file that a reader has open is not replaced. */
static void test_installer_leaves_a_file_that_it_cannot_replace(void **state)
{
    wchar_t path[MAX_PATH], arguments[2 * MAX_PATH];
    HANDLE file = open_temporary(path, L"rules"); /* without sharing deletion */
    DWORD size;

    (void)state;
    assert_true(WriteFile(file, "old", 3, &size, NULL));
    swprintf(arguments, 2 * MAX_PATH, L"-Emit Prometheus -o \"%ls\"", path);
    expect(1, arguments);
    assert_contains(err, "Cannot write ");
    wcscat(arguments, L" -y");
    expect(1, arguments);
    assert_contains(err, "Cannot write ");
    read_temporary(file, path, out, sizeof out);
    assert_string_equal(out, "old");
}

/* ---- Files of the user ---- */

static void write_user_file(const wchar_t *path, const char *text)
{
    HANDLE file = CreateFileW(path, GENERIC_WRITE, 0, NULL, CREATE_ALWAYS, 0, NULL);
    DWORD size;

    assert_true(file != INVALID_HANDLE_VALUE);
    assert_true(WriteFile(file, text, (DWORD)strlen(text), &size, NULL));
    CloseHandle(file);
}

static bool has_text(const wchar_t *path, const char *text)
{
    char found[65536];
    DWORD size = 0;
    HANDLE file = CreateFileW(path, GENERIC_READ, 0, NULL, OPEN_EXISTING, 0, NULL);

    assert_true(file != INVALID_HANDLE_VALUE);
    assert_true(ReadFile(file, found, sizeof found, &size, NULL));
    CloseHandle(file);
    return size == strlen(text) && memcmp(found, text, size) == 0;
}

static void test_installer_ini_leaves_files_that_it_did_not_write(void **state)
{
    static const char ini_text[] = "[info]\ndrivername=PrfDataTestThings\nsymbolfile=x.h\n";
    wchar_t place[MAX_PATH], arguments[2 * MAX_PATH], ini[MAX_PATH], header[MAX_PATH];

    (void)state;
    assert_true(GetTempPathW(MAX_PATH, place) > 0);
    wcscat(place, L"prfdata ini of the user");
    path_in(ini, place, L"PrfDataTestThings.ini");
    path_in(header, place, L"PrfDataTestThings.h");
    (void)DeleteFileW(ini); /* a test that failed may have left it */
    (void)DeleteFileW(header);
    (void)CreateDirectoryW(place, NULL);
    swprintf(arguments, 2 * MAX_PATH, L"-Ini \"%ls\" PrfDataTestThings", place);

    write_user_file(ini, ini_text); /* neither file is written, although the second one could be */
    expect(1, arguments);
    assert_contains(out, "Nothing was written: ");
    assert_contains(out, "PrfDataTestThings.ini is there, and was not written by PrfData. "
                         "Name another folder, or replace it with -y");
    assert_true(has_text(ini, ini_text));
    assert_true(GetFileAttributesW(header) == INVALID_FILE_ATTRIBUTES);

    assert_true(DeleteFileW(ini));
    write_user_file(header, "#define MINE 1\n");
    expect(1, arguments);
    assert_contains(out, "PrfDataTestThings.h is there, and was not written by PrfData.");
    assert_true(has_text(header, "#define MINE 1\n"));
    assert_true(GetFileAttributesW(ini) == INVALID_FILE_ATTRIBUTES);

    wcscat(arguments, L" -y");
    expect(0, arguments);
    assert_false(has_text(header, "#define MINE 1\n"));
    *wcsstr(arguments, L" -y") = 0;
    expect(0, arguments); /* the files are PrfData's now */
    write_user_file(header, "");
    expect(0, arguments); /* an empty file belongs to nobody */
    assert_false(has_text(header, ""));
    assert_true(DeleteFileW(ini));
    assert_true(DeleteFileW(header));
    assert_true(RemoveDirectoryW(place));
}

static void test_installer_emit_leaves_files_that_it_did_not_write(void **state)
{
    wchar_t place[MAX_PATH], path[MAX_PATH], arguments[2 * MAX_PATH];

    (void)state;
    assert_true(GetTempPathW(MAX_PATH, place) > 0);
    path_in(path, place, L"prfdata rules of the user.yml");
    write_user_file(path, "groups:\n  - name: mine\n");
    swprintf(arguments, 2 * MAX_PATH, L"-Emit Prometheus PrfDataTestThings -o \"%ls\"", path);
    expect(1, arguments);
    assert_contains(err, "prfdata rules of the user.yml is there, and this command did not "
                         "write it. Name another file, or replace it with -y\r\n");
    assert_true(has_text(path, "groups:\n  - name: mine\n"));
    wcscat(arguments, L" -y");
    expect(0, arguments);
    assert_false(has_text(path, "groups:\n  - name: mine\n"));
    *wcsstr(arguments, L" -y") = 0;
    expect(0, arguments);
    /* A configuration of another kind is not replaced. */
    swprintf(arguments, 2 * MAX_PATH, L"-Emit Grafana PrfDataTestThings -o \"%ls\"", path);
    expect(1, arguments);
    assert_true(DeleteFileW(path));
}

/* Standard output is /dev/full, which Wine shows as a file. Writing to it fails like writing to a
 * full disk. */
static void test_installer_full_disk_is_an_error(void **state)
{
    static const wchar_t *const commands[] = {L"-Emit Prometheus", L"-Check", L"-?",
                                              L"-Status PrfDataTestThings"};

    (void)state;
    if (GetFileAttributesW(L"Z:\\dev\\full") == INVALID_FILE_ATTRIBUTES)
        skip();
    expect(0, L"-Install PrfDataTestThings");
    out_device = L"Z:\\dev\\full";
    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++) {
        const int code = run_as(NULL, commands[i]);

        if (code != 1 || !strstr(err, "Cannot write standard output: ") || !strstr(err, "(112)"))
            fail_msg("%ls: %d\n%s", commands[i], code, err);
    }
    out_device = NULL;
}

#define TEST(function) cmocka_unit_test_setup_teardown(function, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_installer_help_tells_everything),
        TEST(test_installer_calls_itself_as_it_was_started),
        TEST(test_installer_cuts_a_name_longer_than_a_files),
        TEST(test_installer_wrong_command_lines_end_with_2),
        TEST(test_installer_installs_shows_and_uninstalls),
        TEST(test_installer_resets_the_counts_of_ended_programs),
        TEST(test_installer_status_has_lodctrs_lines),
        TEST(test_installer_does_every_map_and_tells_the_first_failure),
        TEST(test_installer_broken_registration_ends_with_6),
        TEST(test_installer_leftovers_end_with_4),
        TEST(test_installer_without_elevation_ends_with_3),
        TEST(test_installer_x86_takes_the_dll_from_its_folder),
        TEST(test_installer_ini_writes_both_files),
        TEST(test_installer_emits_of_the_chosen_maps),
        TEST(test_installer_leaves_a_file_that_it_cannot_replace),
        TEST(test_installer_ini_leaves_files_that_it_did_not_write),
        TEST(test_installer_emit_leaves_files_that_it_did_not_write),
        TEST(test_installer_full_disk_is_an_error),
    };

    return cmocka_run_group_tests_name("installer", tests, NULL, NULL);
}
