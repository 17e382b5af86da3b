/* SPDX-License-Identifier: MIT */
/* Tests installing and removing counters while a virus scanner refuses to let the installer open
 * the DLL, files or folders. Windows only. */
#include <windows.h>

#include "support/test.h"

#include <stdlib.h>

#include "support/import_table.h"
#include "support/installer/install_scene.h"
#include "support/installer/places.h"
#include "support/linux_shell.h"
#include "support/scanner.h"
#include "windows/plain_file.h"

static int set_up_scanned(void **state)
{
    scanner_begin_clock();
    return set_up(state);
}

static int tear_down_scanned(void **state)
{
    scanner_scan(0, L"");
    return tear_down(state);
}

/* A scanner opens each DLL for some milliseconds, as it does after a setup program has
 * copied the DLL. */
static void test_scanned_dll_is_installed(void **state)
{
    static const uint32_t scan_times[] = {5, 30, 200};

    (void)state;
    for (size_t i = 0; i < sizeof scan_times / sizeof scan_times[0]; i++) {
        scanner_scan(scan_times[i], L".dll");
        assert_done(install());
        assert_true(scanner_refusals() > 0);
        scanner_scan(scan_times[i], L".dll");
        assert_done(uninstall());
    }
    assert_nothing_left();
}

static void test_scanned_files_and_folders_are_installed(void **state)
{
    (void)state;
    scanner_scan(30, L"");
    assert_done(install());
    scanner_scan(30, L"");
    assert_done(reset());
    scanner_scan(30, L"");
    assert_done(uninstall());
    assert_nothing_left();
}

/* If a scanner refuses every open, an installation waits for one second in all, however many files
 * there are, and then returns the reason. */
static void test_scanned_for_ever_takes_a_second(void **state)
{
    (void)state;
    scanner_scan(INFINITE, L"");
    (void)scanner_slept_ms();
    assert_int_equal(install(), ERROR_SHARING_VIOLATION);
    assert_int_equal(scanner_slept_ms(), 1000);
    scanner_scan(0, L"");
    assert_done(install()); /* the next installation may wait for a second again */
    assert_done(uninstall());
    assert_nothing_left();
}

static const wchar_t *replaced;
static ULONGLONG held_ms, held_since_ms; /* how long, and since when, a scanner has the file open */
static unsigned renames;
static BOOL(WINAPI *set_information)(HANDLE, FILE_INFO_BY_HANDLE_CLASS, LPVOID, DWORD);

/* Stands in for the system's function, and calls it. Expects that the file to replace exists. All
 * renames fail for held_ms. Windows refuses to replace an open file, even if the program that has
 * the file open shares everything (windows-driver-samples, filesys/fastfat/fileinfo.c). Wine would
 * replace the file. */
static BOOL WINAPI set_information_and_look(HANDLE file, FILE_INFO_BY_HANDLE_CLASS kind,
                                            LPVOID bytes, DWORD size)
{
    renames += kind == FileRenameInfo;
    assert_true(!replaced || GetFileAttributesW(replaced) != INVALID_FILE_ATTRIBUTES);
    if (kind == FileRenameInfo && held_ms > 0) {
        if (held_since_ms == 0)
            held_since_ms = GetTickCount64();
        if (GetTickCount64() - held_since_ms < held_ms) {
            SetLastError(ERROR_ACCESS_DENIED);
            return FALSE;
        }
    }
    return set_information(file, kind, bytes, size);
}

static void watch_renames(void)
{
    set_information = (BOOL(WINAPI *)(HANDLE, FILE_INFO_BY_HANDLE_CLASS, LPVOID, DWORD))(void (*)(
        void))import_table_replace("kernel32.dll", "SetFileInformationByHandle",
                                   (import_table_function)(void (*)(void))set_information_and_look);
}

/* An upgrade replaces the title file of the former version while a scanner reads this file. */
static void test_scanned_file_that_is_open_is_replaced_when_it_is_closed(void **state)
{
    static const struct {
        ULONGLONG held_ms;
        uint32_t status;
    } rows[] = {{5, 0}, {30, 0}, {200, 0}, {INFINITE, ERROR_ACCESS_DENIED}};
    wchar_t path[MAX_PATH];

    (void)state;
    watch_renames();
    path_in(path, data, WSERVICE L".ini");
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        uint32_t status;

        assert_done(install());
        write_file(path, "of another version", 18);
        (void)scanner_slept_ms();
        held_ms = rows[i].held_ms;
        held_since_ms = 0;
        status = install();
        held_ms = 0;
        if (status != rows[i].status)
            fail_msg("%u ms: %u: %ls", (unsigned)rows[i].held_ms, (unsigned)status, report);
        assert_in_range(scanner_slept_ms(), 1, 1000);
        assert_done(uninstall());
    }
    assert_nothing_left();
}

static void test_scanned_file_is_there_while_it_is_replaced(void **state)
{
    wchar_t path[MAX_PATH], incomplete[MAX_PATH];
    void *bytes = NULL;
    size_t size = 0;

    (void)state;
    assert_done(install()); /* makes the data folder */
    path_in(path, data, L"file");
    path_in(incomplete, data, L"file.new");
    replaced = path;
    write_file(path, "old", 3);
    assert_true(SetFileAttributesW(path, FILE_ATTRIBUTE_READONLY));
    watch_renames();
    assert_int_equal(prfdata_plain_file_replace(path, incomplete, "newer", 5), ERROR_SUCCESS);
    replaced = NULL;
    assert_true(renames > 0);
    assert_int_equal(prfdata_plain_file_read(path, 0, 100, &bytes, &size), ERROR_SUCCESS);
    assert_int_equal(size, 5);
    assert_memory_equal(bytes, "newer", 5);
    free(bytes);
    assert_false(exists(incomplete));
    assert_true(DeleteFileW(path));
    assert_done(uninstall());
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up_scanned, tear_down_scanned)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_scanned_dll_is_installed),
        TEST(test_scanned_files_and_folders_are_installed),
        TEST(test_scanned_for_ever_takes_a_second),
        TEST(test_scanned_file_that_is_open_is_replaced_when_it_is_closed),
        TEST(test_scanned_file_is_there_while_it_is_replaced),
    };

    return cmocka_run_group_tests_name("scanned", tests, NULL, NULL);
}
