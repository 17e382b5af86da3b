/* SPDX-License-Identifier: MIT */
/* Tests the copies of a provider DLL: which are repaired, and which are deleted because nothing
 * uses them. */
#include <windows.h>

#include "support/test.h"

#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#include "service/dll_copy.h"
#include "support/installer/places.h"
#include "windows/file_handle.h"
#include "windows/plain_file.h"

#define SERVICE L"Copied"
#define DIGITS  L"0123456789abcdef"

static wchar_t folder[MAX_PATH];

static int set_up(void **state)
{
    wchar_t temporary[MAX_PATH];

    (void)state;
    assert_true(GetTempPathW(MAX_PATH, temporary) > 0);
    assert_true(swprintf(folder, MAX_PATH, L"%lsprfdata-copies-%lu", temporary,
                         (unsigned long)GetCurrentProcessId()) > 0);
    assert_true(CreateDirectoryW(folder, NULL));
    return 0;
}

static int tear_down(void **state)
{
    wchar_t path[MAX_PATH];
    WIN32_FIND_DATAW found;
    HANDLE search;

    (void)state;
    path_in(path, folder, L"*");
    search = FindFirstFileW(path, &found);
    do {
        path_in(path, folder, found.cFileName);
        if (found.cFileName[0] != L'.' && !DeleteFileW(path))
            RemoveDirectoryW(path);
    } while (FindNextFileW(search, &found));
    FindClose(search);
    RemoveDirectoryW(folder);
    return 0;
}

static void expect_bytes(const wchar_t *path, const char *bytes)
{
    void *found = NULL;
    size_t size = 0;

    assert_int_equal(prfdata_plain_file_read(path, 0, 100, &found, &size), ERROR_SUCCESS);
    assert_int_equal(size, strlen(bytes));
    assert_memory_equal(found, bytes, size);
    free(found);
}

static prfdata_dll_copy_change make_copy(const wchar_t *path, const char *bytes)
{
    prfdata_dll_copy_change change;

    assert_int_equal(prfdata_dll_copy_make(path, bytes, strlen(bytes), &change), ERROR_SUCCESS);
    expect_bytes(path, bytes);
    return change;
}

/* The test changes each byte of the copy in turn, and then cuts off the last byte. Each time the
 * copy must be repaired, because perflib would load the damaged file. */
static void test_dll_copy_with_a_damaged_byte_is_repaired(void **state)
{
    static const char bytes[] = "the bytes of a DLL";
    wchar_t path[MAX_PATH];

    (void)state;
    path_in(path, folder, SERVICE L"Prf-" DIGITS L".dll");
    assert_int_equal(make_copy(path, bytes), PRFDATA_DLL_COPY_MADE);
    assert_int_equal(make_copy(path, bytes), PRFDATA_DLL_COPY_SAME);
    for (size_t i = 0; i < sizeof bytes - 1; i++) {
        char damaged[sizeof bytes];

        memcpy(damaged, bytes, sizeof bytes);
        damaged[i] ^= 1;
        write_file(path, damaged, sizeof bytes - 1);
        assert_int_equal(make_copy(path, bytes), PRFDATA_DLL_COPY_REPAIRED);
    }
    write_file(path, bytes, sizeof bytes - 2);
    assert_int_equal(make_copy(path, bytes), PRFDATA_DLL_COPY_REPAIRED);
}

static unsigned count_copies(void)
{
    wchar_t path[MAX_PATH];
    WIN32_FIND_DATAW found;
    unsigned count = 0;
    HANDLE search;

    path_in(path, folder, SERVICE L"Prf-*");
    search = FindFirstFileW(path, &found);
    if (search == INVALID_HANDLE_VALUE)
        return 0;
    do
        count += found.dwFileAttributes & FILE_ATTRIBUTE_DIRECTORY ? 0 : 1;
    while (FindNextFileW(search, &found));
    FindClose(search);
    return count;
}

/* A folder has the name under which the copy would be written, so writing fails, as on a full disk.
 * The damaged copy stays, because it may be registered. */
static void test_dll_copy_that_cannot_be_replaced_stays(void **state)
{
    prfdata_dll_copy_change change = PRFDATA_DLL_COPY_SAME;
    wchar_t path[MAX_PATH];
    wchar_t incomplete[MAX_PATH];

    (void)state;
    path_in(path, folder, SERVICE L"Prf-" DIGITS L".dll");
    path_in(incomplete, folder, SERVICE L"Prf-" DIGITS L".dll.new");
    write_file(path, "damaged", 7);
    assert_true(CreateDirectoryW(incomplete, NULL));
    assert_int_not_equal(prfdata_dll_copy_make(path, "right", 5, &change), ERROR_SUCCESS);
    assert_true(RemoveDirectoryW(incomplete));
    assert_int_equal(change, PRFDATA_DLL_COPY_SAME);
    expect_bytes(path, "damaged");
    assert_int_equal(count_copies(), 1);
}

static HANDLE open_as_scanner(const wchar_t *path)
{
    HANDLE file =
        CreateFileW(path, GENERIC_READ, FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE,
                    NULL, OPEN_EXISTING, 0, NULL);

    assert_ptr_not_equal(file, INVALID_HANDLE_VALUE);
    return file;
}

/* A scanner has the damaged copy open, and allows its deletion. A deleted copy would keep its name
 * until the scanner closes it. Under Wine, a new file of this name would then vanish. So the
 * damaged copy is renamed first. */
static void test_dll_copy_that_is_open_is_replaced(void **state)
{
    wchar_t path[MAX_PATH];
    HANDLE open;

    (void)state;
    path_in(path, folder, SERVICE L"Prf-" DIGITS L".dll");
    write_file(path, "damaged", 7);
    open = open_as_scanner(path);
    assert_int_equal(make_copy(path, "right"), PRFDATA_DLL_COPY_REPAIRED);
    CloseHandle(open);
    expect_bytes(path, "right");
    assert_int_equal(count_copies(), 1);
}

static DWORD WINAPI close_soon(void *file)
{
    Sleep(100);
    CloseHandle(file);
    return 0;
}

/* A scanner closes the damaged copy after 100 ms. Making the copy waits for that, so no renamed
 * copy is left in the folder. */
static void test_dll_copy_waits_for_the_end_of_the_replaced_one(void **state)
{
    wchar_t path[MAX_PATH];
    HANDLE thread;

    (void)state;
    path_in(path, folder, SERVICE L"Prf-" DIGITS L".dll");
    write_file(path, "damaged", 7);
    prfdata_file_handle_renew_patience();
    thread = CreateThread(NULL, 0, close_soon, open_as_scanner(path), 0, NULL);
    assert_non_null(thread);
    assert_int_equal(make_copy(path, "right"), PRFDATA_DLL_COPY_REPAIRED);
    assert_int_equal(count_copies(), 1);
    WaitForSingleObject(thread, INFINITE);
    CloseHandle(thread);
}

static void test_dll_copy_sweep_removes_copies_and_nothing_else(void **state)
{
    static const wchar_t *const ours[] = {
        SERVICE L"Prf-" DIGITS L".dll", L"copiedPRF-" DIGITS L".DLL",
        SERVICE L"Prf-1123456789abcdef.dll.new", SERVICE L"Prf-2123456789abcdef-" DIGITS L".old"};
    static const wchar_t *const others[] = {
        SERVICE L"Prf.dll",
        SERVICE L"Prf-" DIGITS L".pdb",
        SERVICE L"Prf-" DIGITS L".old",
        SERVICE L"Prf-" DIGITS L"-" DIGITS L".dll",
        SERVICE L"Prf-" DIGITS L".dll.config",
        SERVICE L"Prf-" DIGITS,
        SERVICE L"Prf-0123456789abcde.dll",
        SERVICE L"Prf-0123456789abcdeg.dll",
        SERVICE L"2Prf-" DIGITS L".dll",
        SERVICE L"Prf-3123456789abcdef.dll", /* this copy is registered */
    };
    const size_t our_count = sizeof ours / sizeof ours[0];
    const size_t other_count = sizeof others / sizeof others[0];
    const prfdata_report silent = {0};
    wchar_t place[MAX_PATH];
    wchar_t keep[MAX_PATH];

    (void)state;
    path_in(place, folder, SERVICE L"Prf.dll");
    path_in(keep, folder, others[other_count - 1]);
    for (size_t i = 0; i < our_count; i++)
        write_file_in(folder, ours[i]);
    for (size_t i = 0; i < other_count; i++)
        write_file_in(folder, others[i]);
    assert_int_equal(prfdata_dll_copy_sweep(SERVICE, place, keep, false, &silent), our_count - 1);
    for (size_t i = 0; i < our_count; i++)
        assert_false(exists_in(folder, ours[i]));
    for (size_t i = 0; i < other_count; i++) {
        if (!exists_in(folder, others[i]))
            fail_msg("%ls is gone", others[i]);
    }
}

static void test_dll_copy_path_that_is_too_long_is_refused(void **state)
{
    wchar_t dll[MAX_PATH], path[MAX_PATH];

    (void)state;
    for (size_t i = 0; i < MAX_PATH - 1; i++)
        dll[i] = L'x';
    dll[MAX_PATH - 1] = 0;
    wmemcpy(dll, L"C:\\", 3);
    /* The registered name is "<service>Prf-<16 digits>.dll". */
    for (size_t folder_chars = MAX_PATH - 60; folder_chars < MAX_PATH - 4; folder_chars++) {
        const size_t chars = folder_chars + wcslen(SERVICE) + wcslen(L"Prf-.dll") + 16;

        dll[folder_chars - 1] = L'\\';
        dll[folder_chars] = 0;
        assert_int_equal(prfdata_dll_copy_path(SERVICE, dll, "x", 1, path),
                         chars < MAX_PATH ? ERROR_SUCCESS : ERROR_FILENAME_EXCED_RANGE);
        if (chars < MAX_PATH)
            assert_int_equal(wcslen(path), chars);
        dll[folder_chars - 1] = L'x';
        dll[folder_chars] = L'x';
    }
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_dll_copy_with_a_damaged_byte_is_repaired),
        TEST(test_dll_copy_that_cannot_be_replaced_stays),
        TEST(test_dll_copy_that_is_open_is_replaced),
        TEST(test_dll_copy_waits_for_the_end_of_the_replaced_one),
        TEST(test_dll_copy_path_that_is_too_long_is_refused),
        TEST(test_dll_copy_sweep_removes_copies_and_nothing_else),
    };

    return cmocka_run_group_tests_name("dll_copy", tests, NULL, NULL);
}
