/* SPDX-License-Identifier: MIT */
/* Tests uninstalling in the real registry and the real file system: what is removed, what is left
 * because another program or version owns it, and what is in use. Windows only. */
#include "support/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <prfdata/prfdata.h>

#include "region/region.h"
#include "support/installer/install_scene.h"
#include "system/os_name.h"
#include "titles/service_key.h"
#include "windows/wine.h"

/* ---- What is removed, and what belongs to others ---- */

static void test_uninstall_keeps_a_service_that_was_there_before(void **state)
{
    const wchar_t *before;

    (void)state;
    set_text(KEY, L"ImagePath", L"C:\\service.exe");
    before = dump_service();
    assert_done(install());
    assert_int_equal(number_of(PERFKEY, PRFDATA_SERVICE_KEY_MARKER), PRFDATA_CREATED_PERFORMANCE);
    assert_done(uninstall());
    assert_same_text(dump_service(), before);
}

static void test_uninstall_keeps_a_service_that_others_use_now(void **state)
{
    (void)state;
    assert_done(install());
    set_text(KEY, L"ImagePath", L"C:\\service.exe");
    assert_done(uninstall());
    assert_true(text_is(KEY, L"ImagePath", L"C:\\service.exe"));
    assert_false(has_key(PERFKEY));
    assert_false(has_key(KEY L"\\Linkage"));
}

static void test_uninstall_keeps_a_linkage_that_others_use_too(void **state)
{
    (void)state;
    assert_done(install());
    set_text(KEY L"\\Linkage", L"Bind", L"\\Device\\Other");
    assert_done(uninstall());
    assert_reported(L"Linkage left");
    assert_true(text_is(KEY L"\\Linkage", L"Bind", L"\\Device\\Other"));
    assert_false(text_is(KEY L"\\Linkage", PRFDATA_SERVICE_KEY_MARKER, L""));
    assert_false(has_key(PERFKEY));
}

/* An administrator has deleted the Performance key by hand. */
static void test_uninstall_without_a_performance_key_removes_the_rest(void **state)
{
    const wchar_t *before;

    (void)state;
    set_text(KEY, L"ImagePath", L"C:\\service.exe");
    before = dump_service();
    assert_done(install());
    assert_int_equal(RegDeleteKeyW(HKEY_LOCAL_MACHINE, PERFKEY), 0);
    assert_true(has_key(KEY L"\\Linkage"));
    assert_true(has_key(SOURCE));
    assert_done(uninstall());
    assert_same_text(dump_service(), before);
    assert_false(has_key(SOURCE));
}

static void test_uninstall_without_a_performance_key_keeps_the_linkage_of_others(void **state)
{
    (void)state;
    assert_done(install());
    assert_int_equal(RegDeleteKeyW(HKEY_LOCAL_MACHINE, KEY L"\\Linkage"), 0);
    set_text(KEY L"\\Linkage", L"Export", L"\\Device\\Other");
    assert_int_equal(RegDeleteKeyW(HKEY_LOCAL_MACHINE, PERFKEY), 0);
    assert_done(uninstall());
    assert_true(text_is(KEY L"\\Linkage", L"Export", L"\\Device\\Other"));
}

static void test_uninstall_refuses_foreign_keys_below_ours(void **state)
{
    (void)state;
    assert_done(install());
    set_text(PERFKEY L"\\Other", L"Value", L"x");
    assert_unchanged_by(uninstall, ERROR_DIR_NOT_EMPTY);
    assert_done(status());
}

static void test_uninstall_removes_everything(void **state)
{
    DWORD last = number_of(PERFLIB, L"Last Counter");

    (void)state;
    assert_done(install());
    assert_done(uninstall());
    assert_nothing_left();
    if (prfdata_wine_is_here() && last > 0)
        assert_int_equal(number_of(PERFLIB, L"Last Counter"), last);
    assert_int_equal(status(), ERROR_FILE_NOT_FOUND);
    assert_reported(L"(Not Installed)");
    assert_int_equal(uninstall(), ERROR_FILE_NOT_FOUND);
}

static void test_uninstall_removes_region_files_only(void **state)
{
    wchar_t path[MAX_PATH];

    (void)state;
    assert_done(install());
    write_file_in(regions, OF_BOOT L"0123456789abcdef.region");
    write_file_in(regions, OF_BOOT L"0123456789ABCDE0.region");
    write_file_in(regions, OF_BOOT L"0123456789abcdef.region.txt");
    path_in(path, regions, OF_BOOT L"fedcba9876543210.region");
    assert_true(CreateDirectoryW(path, NULL));
    assert_int_equal(uninstall(), ERROR_SHARING_VIOLATION);
    assert_reported(L"Regions removed: 1");
    assert_false(exists_in(regions, OF_BOOT L"0123456789abcdef.region"));
    assert_true(exists_in(regions, OF_BOOT L"0123456789ABCDE0.region"));
    assert_true(exists_in(regions, OF_BOOT L"0123456789abcdef.region.txt"));
    assert_true(exists(path));
    assert_false(has_key(KEY));
}

static void test_uninstall_does_not_follow_a_planted_link(void **state)
{
    wchar_t goal[MAX_PATH];

    (void)state;
    assert_done(install());
    path_in(goal, data, L"goal");
    assert_true(CreateDirectoryW(goal, NULL));
    write_file_in(goal, OF_BOOT L"0123456789abcdef.region");
    assert_true(RemoveDirectoryW(regions));
    make_link(regions, goal);
    assert_int_equal(uninstall(), ERROR_SHARING_VIOLATION);
    assert_true(exists_in(goal, OF_BOOT L"0123456789abcdef.region"));
    assert_false(has_key(KEY));
    remove_link(regions);
}

/* ---- Regions ---- */

enum { QUEUE_ID = 100, JOBS_ID = 102 };

static prfdata_publisher *publish(void)
{
    prfdata_publisher *publisher;
    prfdata_instance mail;
    prfdata_handle jobs;

    assert_int_equal(prfdata_open(&sample.map, &publisher), ERROR_SUCCESS);
    assert_int_equal(prfdata_instance_add(publisher, QUEUE_ID, L"mail", NULL, &mail), 0);
    assert_int_equal(prfdata_resolve(publisher, JOBS_ID, &mail, &jobs), ERROR_SUCCESS);
    prfdata_add(jobs, 100);
    return publisher;
}

/* Get the path of the only file in the regions folder. */
static void find_region(wchar_t *path)
{
    WIN32_FIND_DATAW found;
    HANDLE search;

    path_in(path, regions, L"*.region");
    search = FindFirstFileW(path, &found);
    assert_true(search != INVALID_HANDLE_VALUE);
    path_in(path, regions, found.cFileName);
    assert_false(FindNextFileW(search, &found));
    FindClose(search);
}

/* Map a file as a provider does. */
static const prfdata_region_header *map_as_reader(const wchar_t *path)
{
    HANDLE file =
        CreateFileW(path, GENERIC_READ, FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE,
                    NULL, OPEN_EXISTING, 0, NULL);
    const void *view;
    HANDLE section;

    assert_true(file != INVALID_HANDLE_VALUE);
    section = CreateFileMappingW(file, NULL, PAGE_READONLY, 0, 0, NULL);
    assert_non_null(section);
    view = MapViewOfFile(section, FILE_MAP_READ, 0, 0, 0);
    assert_non_null(view);
    CloseHandle(section);
    CloseHandle(file);
    return view;
}

/* Returns whether Windows will delete the file at its next start. */
static bool is_deleted_at_restart(const wchar_t *path)
{
    static wchar_t list[65536];
    DWORD size = sizeof list;

    memset(list, 0, sizeof list);
    if (RegGetValueW(HKEY_LOCAL_MACHINE, L"SYSTEM\\CurrentControlSet\\Control\\Session Manager",
                     L"PendingFileRenameOperations", RRF_RT_REG_MULTI_SZ, NULL, list, &size) != 0)
        return false;
    /* The list has pairs: a file as \??\C:\..., and its new name, which is empty. RegGetValueW may
     * stop at an empty text, so the whole buffer is searched. */
    for (size_t i = 0; i + wcslen(path) < size / sizeof *list; i++)
        if (_wcsnicmp(list + i, path, wcslen(path)) == 0)
            return true;
    return false;
}

/* A reader has mapped the region of an ended program. The region becomes invalid at once, and is
 * deleted later. */
static void test_uninstall_voids_a_region_that_a_reader_has_open(void **state)
{
    const prfdata_region_header *header;
    uint64_t structure;
    wchar_t path[MAX_PATH];

    (void)state;
    assert_done(install());
    prfdata_close_and_unmap(publish());
    find_region(path);
    header = map_as_reader(path);
    structure = header->structure;
    assert_int_not_equal(header->state, PRFDATA_REGION_BUILDING);
    assert_done(uninstall());
    assert_reported(L"Regions that readers have open: 1; they are no longer shown, and Windows");
    assert_reported(L"Folder left: ");
    assert_int_equal(header->state, PRFDATA_REGION_BUILDING);
    assert_true(header->structure > structure && header->structure % 2 == 0);
    assert_true(exists(path));
    assert_true(is_deleted_at_restart(path));
    assert_false(has_key(KEY));

    /* If the counters are installed again before a restart, no program takes over the region that
     * the uninstallation left. The next program that publishes may delete it. */
    assert_done(install());
    UnmapViewOfFile(header);
    prfdata_close_and_unmap(publish());
    assert_false(exists(path));
    assert_done(uninstall());
    assert_nothing_left();
}

static void test_uninstall_names_the_process_that_publishes(void **state)
{
    prfdata_publisher *publisher;
    wchar_t path[MAX_PATH], text[64];

    (void)state;
    assert_done(install());
    publisher = publish();
    find_region(path);
    assert_int_equal(uninstall(), ERROR_SHARING_VIOLATION);
    assert_true(swprintf(text, 64, L"process %lu, ", (unsigned long)GetCurrentProcessId()) > 0);
    assert_reported(text);
    assert_reported(L"test_uninstall.exe publishes in it");
    assert_reported(path);
    assert_reported(L"uninstall again");
    assert_true(exists(path));
    assert_false(has_key(KEY));
    prfdata_close_and_unmap(publisher);
    assert_done(uninstall());
    assert_nothing_left();
}

/* A reader of an ended program's region is not a publisher, even if the reader does not let others
 * write to the file. */
static void test_uninstall_does_not_take_a_reader_for_a_publisher(void **state)
{
    wchar_t path[MAX_PATH];
    HANDLE reader;

    (void)state;
    assert_done(install());
    prfdata_close_and_unmap(publish());
    find_region(path);
    reader = CreateFileW(path, GENERIC_READ, FILE_SHARE_READ | FILE_SHARE_DELETE, NULL,
                         OPEN_EXISTING, 0, NULL);
    assert_true(reader != INVALID_HANDLE_VALUE);
    assert_int_equal(uninstall(), ERROR_SHARING_VIOLATION);
    assert_reported(path);
    assert_reported(L" (32)\n");
    assert_null(wcsstr(report, L"publishes in it"));
    CloseHandle(reader);
    assert_done(uninstall());
    assert_nothing_left();
}

/* A process has one region open, which therefore stays. Another region is too short for a header
 * and nobody has it open, so it is removed. */
static void test_uninstall_leaves_a_region_in_use_for_next_time(void **state)
{
    wchar_t path[MAX_PATH];
    HANDLE owner;

    (void)state;
    assert_done(install());
    path_in(path, regions, OF_BOOT L"00000000000000aa.region");
    owner =
        CreateFileW(path, GENERIC_READ | GENERIC_WRITE, FILE_SHARE_READ, NULL, CREATE_NEW, 0, NULL);
    assert_true(owner != INVALID_HANDLE_VALUE);
    write_file_in(regions, OF_BOOT L"00000000000000bb.region");
    assert_int_equal(uninstall(), ERROR_SHARING_VIOLATION);
    assert_reported(L"Region left: ");
    assert_reported(OF_BOOT L"00000000000000aa.region: a program has it open for writing");
    assert_true(exists(path));
    assert_false(exists_in(regions, OF_BOOT L"00000000000000bb.region"));
    assert_false(has_key(KEY));

    CloseHandle(owner);
    assert_done(uninstall());
    assert_nothing_left();
}

/* ---- The DLL ---- */

/* A loaded DLL cannot be deleted. It is renamed, so that its name can be used again, and deleted
 * later. */
static void test_uninstall_moves_a_dll_in_use_aside(void **state)
{
    wchar_t copy[MAX_PATH];
    const wchar_t *moved;
    HMODULE loaded;

    (void)state;
    assert_done(install());
    wcscpy(copy, registered_copy(provider));
    loaded = LoadLibraryW(copy);
    assert_non_null(loaded);
    assert_done(uninstall());
    assert_reported(L"DLL in use: ");
    assert_reported(L"Windows deletes it at its next restart");
    assert_false(exists(copy));
    assert_int_equal(count_dll_copies(), 1);
    assert_false(has_key(KEY));
    moved = wcsstr(report, L"DLL in use: ") + wcslen(L"DLL in use: ");
    *wcschr(moved, L';') = 0;
    assert_true(exists(moved));
    assert_true(is_deleted_at_restart(moved));
    assert_false(is_deleted_at_restart(copy));

    /* Copies the DLL again under its former name, next to the loaded copy, which was renamed. */
    assert_done(install());
    assert_same_text(registered_copy(provider), copy);
    assert_int_equal(count_dll_copies(), 2);
    FreeLibrary(loaded);
    assert_done(install());
    assert_reported(L"DLL removed: ");
    assert_int_equal(count_dll_copies(), 1);
    assert_done(uninstall());
    assert_nothing_left();
}

/* ---- Another version of the map ---- */

static void change_map(void)
{
    prfdata_map_entry counter = sample_map_counter(900, PERF_COUNTER_RAWCOUNT);

    sample_map_insert(&sample, JOBS, &counter);
}

/* An MSI may remove version 1 after it has installed version 2. */
static void test_uninstall_leaves_what_another_version_registered(void **state)
{
    const wchar_t *before;

    (void)state;
    change_map();
    assert_done(install()); /* version 2 */
    sample_map_init(&sample);
    sample.map.service = SERVICE;
    before = dump_service();
    assert_done(uninstall()); /* the installer of version 1 runs */
    assert_reported(L"Left: another version of the map is registered");
    assert_reported(registered_copy(provider));
    assert_reported(L"objects 3, counters 7");
    assert_reported(L"-Uninstall -Any");
    assert_int_equal(step_count[PRFDATA_STEP_DONE], 0);
    assert_int_equal(step_count[PRFDATA_STEP_FAILED], 0);
    assert_same_text(dump_service(), before);
    assert_true(exists_in(data, WSERVICE L".ini"));
    assert_int_equal(count_dll_copies(), 1);
    change_map();
    assert_installed();

    sample_map_init(&sample);
    sample.map.service = SERVICE;
    options.any = true;
    assert_done(uninstall());
    assert_reported(L"Uninstalled");
    assert_nothing_left();
}

static void test_uninstall_leaves_a_map_that_differs_in_a_text_only(void **state)
{
    (void)state;
    assert_done(install());
    sample.entries[DEPTH].help = L"Jobs that wait.";
    assert_done(uninstall());
    assert_reported(L"Left: another version");
    assert_true(has_key(PERFKEY));
}

/* The two versions have their DLLs in different folders. After version 2 is registered, no reader
 * needs the copies in the folder of version 1, so they are removed. */
static void test_uninstall_removes_own_copies_beside_another_version(void **state)
{
    wchar_t other[MAX_PATH], copy[MAX_PATH], other_copy[MAX_PATH];

    (void)state;
    assert_done(install()); /* version 1 */
    wcscpy(copy, registered_copy(provider));
    assert_true(swprintf(other, MAX_PATH, L"%ls 2", data) > 0);
    assert_true(CreateDirectoryW(other, NULL));
    wcscat(other, L"\\provider.dll");
    assert_true(CopyFileW(provider, other, FALSE));
    change_map();
    options.provider_path = other;
    assert_done(install()); /* installs version 2 in another folder */
    wcscpy(other_copy, registered_copy(other));
    assert_false(exists(copy));
    /* Put the copy back, as if it had been in use and could not be deleted. */
    assert_true(CopyFileW(provider, copy, FALSE));

    sample_map_init(&sample);
    sample.map.service = SERVICE;
    options.provider_path = provider;
    assert_done(uninstall()); /* the installer of version 1 runs */
    assert_reported(L"Left: another version");
    assert_false(exists(copy));
    assert_same_text(registered_copy(other), other_copy);
    options.any = true;
    assert_done(uninstall());
    assert_nothing_left();
    *wcsrchr(other, L'\\') = 0;
    remove_tree(other);
}

/* If a registration has no map, or a damaged one, it belongs to no version. */
static void test_uninstall_removes_a_registration_with_a_damaged_map(void **state)
{
    (void)state;
    assert_done(install());
    delete_value(PERFKEY, MAP_VALUE);
    assert_done(uninstall());
    assert_nothing_left();
    assert_done(install());
    set_text(PERFKEY, MAP_VALUE, L"text");
    assert_done(uninstall());
    assert_nothing_left();
}

/* A reader has loaded a damaged copy, which is replaced by a valid one. */
static void test_install_says_the_truth_about_a_damaged_copy_that_is_loaded(void **state)
{
    wchar_t copy[MAX_PATH], left[MAX_PATH];
    const wchar_t *moved;
    HMODULE loaded;
    HANDLE file;
    DWORD done;

    (void)state;
    assert_done(install());
    wcscpy(copy, registered_copy(provider));
    file = CreateFileW(copy, FILE_APPEND_DATA, 0, NULL, OPEN_EXISTING, 0, NULL);
    assert_true(file != INVALID_HANDLE_VALUE);
    assert_true(WriteFile(file, "x", 1, &done, NULL));
    CloseHandle(file);
    loaded = LoadLibraryW(copy);
    assert_non_null(loaded);
    assert_done(install());
    assert_reported(L"The next -Install or -Uninstall from that folder deletes it");
    moved = wcsstr(report, L"DLL in use: ") + wcslen(L"DLL in use: ");
    *wcschr(moved, L';') = 0;
    wcscpy(left, moved);
    assert_true(exists(left));
    /* A file that is deleted at the restart would make setup programs report a pending restart. */
    assert_false(is_deleted_at_restart(left));
    assert_false(is_deleted_at_restart(copy));

    /* Now a reader still has the copy loaded when the counters are removed. No later command would
     * delete the copy, so Windows does it at the restart. */
    assert_done(uninstall());
    assert_true(exists(left));
    assert_true(is_deleted_at_restart(left));
    FreeLibrary(loaded);
}

#define TEST(function) cmocka_unit_test_setup_teardown(function, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_uninstall_keeps_a_service_that_was_there_before),
        TEST(test_uninstall_keeps_a_service_that_others_use_now),
        TEST(test_uninstall_keeps_a_linkage_that_others_use_too),
        TEST(test_uninstall_without_a_performance_key_removes_the_rest),
        TEST(test_uninstall_without_a_performance_key_keeps_the_linkage_of_others),
        TEST(test_uninstall_refuses_foreign_keys_below_ours),
        TEST(test_uninstall_removes_everything),
        TEST(test_uninstall_removes_region_files_only),
        TEST(test_uninstall_does_not_follow_a_planted_link),
        TEST(test_uninstall_voids_a_region_that_a_reader_has_open),
        TEST(test_uninstall_names_the_process_that_publishes),
        TEST(test_uninstall_does_not_take_a_reader_for_a_publisher),
        TEST(test_uninstall_leaves_a_region_in_use_for_next_time),
        TEST(test_uninstall_moves_a_dll_in_use_aside),
        TEST(test_uninstall_leaves_what_another_version_registered),
        TEST(test_uninstall_leaves_a_map_that_differs_in_a_text_only),
        TEST(test_uninstall_removes_own_copies_beside_another_version),
        TEST(test_uninstall_removes_a_registration_with_a_damaged_map),
        TEST(test_install_says_the_truth_about_a_damaged_copy_that_is_loaded),
    };

    return cmocka_run_group_tests_name("uninstall", tests, NULL, NULL);
}
