/* SPDX-License-Identifier: MIT */
/* Tests the replacement of a file: while readers hold the file open, when the disk is full, and
 * after a run that was killed. Only one test waits in real time. In the other tests, a function of
 * the test is called in place of the wait. */
#ifndef _WIN32
#define _GNU_SOURCE /* RLIMIT_FSIZE, mkdtemp */
#endif
#include "support/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef _WIN32
#include <windows.h>
#else
#include <dirent.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>
#endif

#ifdef _WIN32
#include "support/import_table.h"
#endif
#include "system/os.h"
#include "system/replace_file.h"

enum { NAME_CHARS = 300 };

typedef struct replace_fixture {
    char folder[200];
    char file[NAME_CHARS];
    prfdata_path_char path[NAME_CHARS];
    unsigned waits;      /* number of waits that were requested */
    unsigned gives_up;   /* gives up after this many waits */
    unsigned lets_go_at; /* the reader closes the file at this wait */
#ifdef _WIN32
    HANDLE holder;
#endif
} replace_fixture;

static void set_path(replace_fixture *f, const char *name)
{
    snprintf(f->file, sizeof f->file, "%s/%s", f->folder, name);
    for (size_t i = 0; i <= strlen(f->file); i++)
        f->path[i] = (prfdata_path_char)f->file[i];
}

static int set_up_replacing(void **state)
{
    replace_fixture *f = calloc(1, sizeof *f);
    const char *folder = getenv("TEMP");

    assert_non_null(f);
    snprintf(f->folder, sizeof f->folder, "%s/replace-%u", folder ? folder : "/tmp",
             (unsigned)prfdata_os_process_id());
#ifdef _WIN32
    assert_true(CreateDirectoryA(f->folder, NULL));
#else
    assert_int_equal(mkdir(f->folder, 0700), 0);
#endif
    set_path(f, "q.prom");
    *state = f;
    return 0;
}

/* Call `visit` for each file of the folder. Returns the number of files. */
static unsigned visit_files(const replace_fixture *f, void (*visit)(const char *path))
{
    unsigned count = 0;
    char path[2 * NAME_CHARS];
#ifdef _WIN32
    WIN32_FIND_DATAA found;
    HANDLE search;

    snprintf(path, sizeof path, "%s/*", f->folder);
    search = FindFirstFileA(path, &found);
    assert_true(search != INVALID_HANDLE_VALUE);
    do {
        if (found.dwFileAttributes & FILE_ATTRIBUTE_DIRECTORY)
            continue;
        snprintf(path, sizeof path, "%s/%s", f->folder, found.cFileName);
        count++;
        if (visit)
            visit(path);
    } while (FindNextFileA(search, &found));
    FindClose(search);
#else
    DIR *folder = opendir(f->folder);
    const struct dirent *entry;

    assert_non_null(folder);
    while ((entry = readdir(folder)) != NULL) {
        if (entry->d_name[0] == '.')
            continue;
        snprintf(path, sizeof path, "%s/%s", f->folder, entry->d_name);
        count++;
        if (visit)
            visit(path);
    }
    closedir(folder);
#endif
    return count;
}

static void remove_path(const char *path)
{
    (void)remove(path);
}

static int tear_down_replacing(void **state)
{
    replace_fixture *f = *state;

    (void)visit_files(f, remove_path);
#ifdef _WIN32
    assert_true(RemoveDirectoryA(f->folder));
#else
    assert_int_equal(rmdir(f->folder), 0);
#endif
    free(f);
    return 0;
}

static void write_old(const replace_fixture *f, const char *text)
{
    FILE *file = fopen(f->file, "wb");

    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

static void expect_replaced_text(const replace_fixture *f, const char *wanted)
{
    char text[64];
    FILE *file = fopen(f->file, "rb");
    size_t size;

    assert_non_null(file);
    size = fread(text, 1, sizeof text - 1, file);
    fclose(file);
    text[size] = 0;
    assert_string_equal(text, wanted);
}

/* ---- Files that exist already ---- */

static void test_replace_file_makes_one_and_replaces_it(void **state)
{
    replace_fixture *f = *state;

    assert_int_equal(prfdata_replace_file(f->path, true, "one", 3), ERROR_SUCCESS);
    expect_replaced_text(f, "one");
    assert_int_equal(prfdata_replace_file(f->path, true, "three", 5), ERROR_SUCCESS);
    expect_replaced_text(f, "three");
    assert_int_equal(prfdata_replace_file(f->path, false, "four", 4), ERROR_FILE_EXISTS);
    expect_replaced_text(f, "three");
    assert_int_equal(visit_files(f, NULL), 1);
    remove(f->file);
    assert_int_equal(prfdata_replace_file(f->path, false, "", 0), ERROR_SUCCESS);
    expect_replaced_text(f, "");
    assert_int_equal(visit_files(f, NULL), 1);
}

/* A killed run has left its temporary file, perhaps one with the number of this process. */
static void test_replace_file_leftovers_are_no_obstacle(void **state)
{
    replace_fixture *f = *state;
    char name[64];

    for (int i = 0; i < 3; i++) {
        snprintf(name, sizeof name, "q.prom.%0*x.tmp", 1 + 7 * i,
                 i == 0 ? (unsigned)prfdata_os_process_id() : (unsigned)i);
        set_path(f, name);
        write_old(f, "half");
    }
    snprintf(name, sizeof name, "q.prom.%u.tmp", (unsigned)prfdata_os_process_id());
    set_path(f, name);
    write_old(f, "half");
    set_path(f, "q.prom");
    for (int i = 0; i < 100; i++)
        assert_int_equal(prfdata_replace_file(f->path, true, "new", 3), ERROR_SUCCESS);
    expect_replaced_text(f, "new");
    assert_int_equal(visit_files(f, NULL), 5);
}

static void test_replace_file_without_folder_fails_at_once(void **state)
{
    replace_fixture *f = *state;

    set_path(f, "none/q.prom");
    assert_int_not_equal(prfdata_replace_file(f->path, true, "new", 3), ERROR_SUCCESS);
    assert_int_not_equal(prfdata_replace_file(f->path, false, "new", 3), ERROR_SUCCESS);
    assert_int_equal(visit_files(f, NULL), 0);
}

/* ---- Readers that hold the file ---- */

#ifdef _WIN32
static bool hold_on(void *context)
{
    replace_fixture *f = context;

    f->waits++;
    expect_replaced_text(f, "old");
    if (f->waits == f->lets_go_at)
        CloseHandle(f->holder);
    return f->gives_up == 0 || f->waits < f->gives_up;
}

/* Let a reader hold the file for `lets_go_at` waits, or permanently if that is 0. */
static void hold_file(replace_fixture *f, DWORD share, unsigned lets_go_at)
{
    f->waits = 0;
    f->gives_up = 0;
    f->lets_go_at = lets_go_at;
    f->holder = CreateFileW(f->path, GENERIC_READ, share, NULL, OPEN_EXISTING, 0, NULL);
    assert_true(f->holder != INVALID_HANDLE_VALUE);
}

/* Every share mode that allows reading. With the other modes, the test itself could not read the
 * file. */
static const DWORD shares[] = {
    FILE_SHARE_READ,
    FILE_SHARE_READ | FILE_SHARE_WRITE,
    FILE_SHARE_READ | FILE_SHARE_DELETE,
    FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE,
};

static void test_replace_file_waits_for_a_reader(void **state)
{
    replace_fixture *f = *state;

    for (size_t i = 0; i < sizeof shares / sizeof shares[0]; i++) {
        remove(f->file);
        write_old(f, "old");
        hold_file(f, shares[i], 3);
        assert_int_equal(prfdata_replace_file_with(f->path, true, "new", 3, hold_on, f),
                         ERROR_SUCCESS);
        expect_replaced_text(f, "new");
        assert_int_equal(visit_files(f, NULL), 1);
        /* If the reader shares deletion, the system may free the name of the file at once. */
        if (shares[i] & FILE_SHARE_DELETE)
            assert_true(f->waits == 0 || f->waits == 3);
        else
            assert_int_equal(f->waits, 3);
        if (f->waits == 0)
            CloseHandle(f->holder);
    }
}

static void test_replace_file_leaves_one_that_is_held(void **state)
{
    replace_fixture *f = *state;

    for (size_t i = 0; i < 2; i++) {
        remove(f->file);
        write_old(f, "old");
        hold_file(f, shares[i], 0);
        f->gives_up = 5;
        assert_int_not_equal(prfdata_replace_file_with(f->path, true, "new", 3, hold_on, f),
                             ERROR_SUCCESS);
        assert_int_equal(f->waits, 5);
        expect_replaced_text(f, "old");
        assert_int_equal(visit_files(f, NULL), 1);
        CloseHandle(f->holder);
    }
}

/* With the real clock the call gives up after a second, not after ten. */
static void test_replace_file_gives_up_after_a_second(void **state)
{
    replace_fixture *f = *state;
    uint64_t begun_ms = prfdata_os_milliseconds();

    write_old(f, "old");
    hold_file(f, FILE_SHARE_READ, 0);
    assert_int_not_equal(prfdata_replace_file(f->path, true, "new", 3), ERROR_SUCCESS);
    begun_ms = prfdata_os_milliseconds() - begun_ms;
    assert_true(begun_ms >= 900 && begun_ms < 10000);
    CloseHandle(f->holder);
    assert_int_equal(prfdata_replace_file(f->path, true, "new", 3), ERROR_SUCCESS);
}

/* The call does not wait after an error that no reader causes. */
static void test_replace_file_does_not_wait_for_a_folder(void **state)
{
    replace_fixture *f = *state;

    assert_true(CreateDirectoryA(f->file, NULL));
    assert_int_not_equal(prfdata_replace_file_with(f->path, true, "new", 3, hold_on, f),
                         ERROR_SUCCESS);
    assert_int_equal(f->waits, 0);
    assert_true(RemoveDirectoryA(f->file));
    write_old(f, "old");
    assert_true(SetFileAttributesA(f->file, FILE_ATTRIBUTE_READONLY));
    /* Windows refuses to replace a read-only file, Wine does not. */
    (void)prfdata_replace_file_with(f->path, true, "new", 3, hold_on, f);
    assert_int_equal(f->waits, 0);
    assert_true(SetFileAttributesA(f->file, FILE_ATTRIBUTE_NORMAL));
}

static DWORD(WINAPI *get_attributes)(LPCWSTR path);
static DWORD more_attributes;

static DWORD WINAPI get_more_attributes(LPCWSTR path)
{
    const DWORD found = get_attributes(path);

    return found == INVALID_FILE_ATTRIBUTES ? found : found | more_attributes;
}

static uint64_t index_of_file(const replace_fixture *f)
{
    BY_HANDLE_FILE_INFORMATION about;
    HANDLE file = CreateFileW(f->path, 0, 0, NULL, OPEN_EXISTING, 0, NULL);

    assert_true(GetFileInformationByHandle(file, &about));
    CloseHandle(file);
    return (uint64_t)about.nFileIndexHigh << 32 | about.nFileIndexLow;
}

/* If the content of a file in OneDrive's folder is not on the disk, the call replaces the content
 * and not the file. A new file would need attributes that only the system may set. */
static void test_replace_file_keeps_one_that_is_stored_elsewhere(void **state)
{
    static const DWORD elsewhere[] = {FILE_ATTRIBUTE_OFFLINE, 0x00040000u, 0x00400000u};
    replace_fixture *f = *state;
    uint64_t before;

    write_old(f, "old");
    get_attributes = (DWORD(WINAPI *)(LPCWSTR))(void (*)(void))import_table_replace(
        "kernel32.dll", "GetFileAttributesW",
        (import_table_function)(void (*)(void))get_more_attributes);
    before = index_of_file(f);
    for (size_t i = 0; i < sizeof elsewhere / sizeof elsewhere[0]; i++) {
        more_attributes = elsewhere[i];
        assert_int_equal(prfdata_replace_file(f->path, true, "new", 3), ERROR_SUCCESS);
        more_attributes = 0;
        expect_replaced_text(f, "new");
        assert_int_equal(index_of_file(f), before);
        assert_int_equal(visit_files(f, NULL), 1);
    }
    assert_int_equal(prfdata_replace_file(f->path, true, "newest", 6), ERROR_SUCCESS);
    assert_int_not_equal(index_of_file(f), before);
}

static void test_replace_file_writes_to_devices(void **state)
{
    (void)state;
    assert_int_equal(prfdata_replace_file(L"NUL", true, "new", 3), ERROR_SUCCESS);
    assert_int_equal(prfdata_replace_file(L"\\\\.\\NUL", true, "new", 3), ERROR_SUCCESS);
    assert_int_equal(prfdata_replace_file(L"NUL", false, "new", 3), ERROR_SUCCESS);
}
#else
static void test_replace_file_leaves_a_reader_the_old_one(void **state)
{
    replace_fixture *f = *state;
    char text[8] = "";
    FILE *reader;

    write_old(f, "old");
    reader = fopen(f->file, "rb");
    assert_non_null(reader);
    assert_int_equal(prfdata_replace_file(f->path, true, "new", 3), ERROR_SUCCESS);
    assert_int_equal(fread(text, 1, sizeof text - 1, reader), 3);
    assert_string_equal(text, "old");
    fclose(reader);
    expect_replaced_text(f, "new");
}

/* Replace the file while no file can become longer than `limit` bytes. */
static uint32_t replace_limited(const replace_fixture *f, bool overwrite, rlim_t limit)
{
    static const char bytes[5000];
    struct rlimit before;
    struct rlimit small;
    uint32_t status;

    signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    small = before;
    small.rlim_cur = limit;
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
    status = prfdata_replace_file(f->path, overwrite, bytes, sizeof bytes);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
    return status;
}

static void test_replace_file_without_room_leaves_the_old_one(void **state)
{
    replace_fixture *f = *state;

    for (rlim_t limit = 0; limit < 5000; limit += 1111) {
        assert_int_equal(replace_limited(f, false, limit), ERROR_DISK_FULL);
        assert_int_equal(replace_limited(f, true, limit), ERROR_DISK_FULL);
        assert_int_equal(visit_files(f, NULL), 0);
    }
    write_old(f, "old");
    for (rlim_t limit = 0; limit < 5000; limit += 1111) {
        assert_int_equal(replace_limited(f, true, limit), ERROR_DISK_FULL);
        expect_replaced_text(f, "old");
        assert_int_equal(visit_files(f, NULL), 1);
    }
}

static void test_replace_file_full_device_is_reported(void **state)
{
    (void)state;
    assert_int_equal(prfdata_replace_file("/dev/full", true, "new", 3), ERROR_DISK_FULL);
    assert_int_equal(prfdata_replace_file("/dev/null", true, "new", 3), ERROR_SUCCESS);
    assert_int_equal(prfdata_replace_file("/dev/null", false, "new", 3), ERROR_SUCCESS);
}

static void expect_content(const char *path, const char *content)
{
    char bytes[100] = "";
    FILE *file = fopen(path, "rb");

    assert_non_null(file);
    assert_int_equal(fread(bytes, 1, sizeof bytes - 1, file), strlen(content));
    assert_int_equal(fclose(file), 0);
    assert_string_equal(bytes, content);
}

/* /dev/stdout may be a pipe, which is not a file in a folder. */
static void test_replace_file_writes_to_a_pipe(void **state)
{
    char path[40];
    char bytes[8] = "";
    int ends[2];

    (void)state;
    assert_int_equal(pipe(ends), 0);
    snprintf(path, sizeof path, "/proc/self/fd/%d", ends[1]);
    for (int overwrite = 0; overwrite < 2; overwrite++) {
        assert_int_equal(prfdata_replace_file(path, overwrite, "new\n", 4), ERROR_SUCCESS);
        assert_int_equal(read(ends[0], bytes, sizeof bytes), 4);
        assert_string_equal(bytes, "new\n");
    }
    close(ends[0]);
    close(ends[1]);
}

static void test_replace_file_keeps_links_and_owner(void **state)
{
    replace_fixture *f = *state;
    char link_path[NAME_CHARS + 8];
    struct stat found;

    set_path(f, "linked");
    snprintf(link_path, sizeof link_path, "%s-too", f->file);
    assert_int_equal(prfdata_replace_file(f->path, false, "old and long", 12), ERROR_SUCCESS);
    assert_int_equal(link(f->file, link_path), 0);
    assert_int_equal(prfdata_replace_file(f->path, true, "new", 3), ERROR_SUCCESS);
    expect_content(link_path, "new");
    expect_content(f->file, "new");
    assert_int_equal(stat(f->file, &found), 0);
    assert_int_equal(found.st_nlink, 2);
    assert_int_equal(unlink(link_path), 0);
    assert_int_equal(chmod(f->file, 0666), 0); /* more rights than the umask allows */
    if (geteuid() == 0)
        assert_int_equal(chown(f->file, 12345, 23456), 0);
    assert_int_equal(stat(f->file, &found), 0);
    {
        const ino_t before = found.st_ino;
        const uid_t owner = found.st_uid;
        const gid_t group = found.st_gid;

        assert_int_equal(prfdata_replace_file(f->path, true, "newest", 6), ERROR_SUCCESS);
        assert_int_equal(stat(f->file, &found), 0);
        assert_true(found.st_ino != before); /* it is a new file */
        assert_int_equal(found.st_uid, owner);
        assert_int_equal(found.st_gid, group);
        assert_int_equal(found.st_mode & 07777, 0666);
    }
    expect_content(f->file, "newest");
    assert_int_equal(unlink(f->file), 0);
}

/* The new file gets the extended attributes of the old file. */
static void test_replace_file_keeps_attributes(void **state)
{
    replace_fixture *f = *state;
    char value[8] = "";

    write_old(f, "old");
    if (setxattr(f->file, "user.prfdata", "kept", 4, 0) != 0)
        skip(); /* the file system has no such attributes */
    assert_int_equal(prfdata_replace_file(f->path, true, "new", 3), ERROR_SUCCESS);
    expect_replaced_text(f, "new");
    assert_int_equal(getxattr(f->file, "user.prfdata", value, sizeof value), 4);
    assert_memory_equal(value, "kept", 4);
}

static void test_replace_file_keeps_mode_and_link(void **state)
{
    replace_fixture *f = *state;
    char link_path[NAME_CHARS];
    struct stat found;

    write_old(f, "old");
    assert_int_equal(chmod(f->file, 0640), 0);
    strcpy(link_path, f->file);
    strcat(link_path, ".link");
    assert_int_equal(symlink(f->file, link_path), 0);
    assert_int_equal(prfdata_replace_file(link_path, true, "new", 3), ERROR_SUCCESS);
    assert_int_equal(lstat(link_path, &found), 0);
    assert_true(S_ISLNK(found.st_mode));
    assert_int_equal(stat(f->file, &found), 0);
    assert_int_equal(found.st_mode & 0777, 0640);
    expect_replaced_text(f, "new");
    remove(f->file); /* now the link leads to nothing */
    assert_int_not_equal(prfdata_replace_file(link_path, true, "new", 3), ERROR_SUCCESS);
    assert_int_equal(lstat(link_path, &found), 0);
    assert_true(S_ISLNK(found.st_mode));
}
#endif

int main(void)
{
#define REPLACE_TEST(name)                                                                         \
    cmocka_unit_test_setup_teardown(name, set_up_replacing, tear_down_replacing)
    const struct CMUnitTest tests[] = {
        REPLACE_TEST(test_replace_file_makes_one_and_replaces_it),
        REPLACE_TEST(test_replace_file_leftovers_are_no_obstacle),
        REPLACE_TEST(test_replace_file_without_folder_fails_at_once),
#ifdef _WIN32
        REPLACE_TEST(test_replace_file_waits_for_a_reader),
        REPLACE_TEST(test_replace_file_leaves_one_that_is_held),
        REPLACE_TEST(test_replace_file_gives_up_after_a_second),
        REPLACE_TEST(test_replace_file_does_not_wait_for_a_folder),
        REPLACE_TEST(test_replace_file_keeps_one_that_is_stored_elsewhere),
        REPLACE_TEST(test_replace_file_writes_to_devices),
#else
        REPLACE_TEST(test_replace_file_leaves_a_reader_the_old_one),
        REPLACE_TEST(test_replace_file_without_room_leaves_the_old_one),
        REPLACE_TEST(test_replace_file_full_device_is_reported),
        REPLACE_TEST(test_replace_file_keeps_attributes),
        REPLACE_TEST(test_replace_file_keeps_mode_and_link),
        REPLACE_TEST(test_replace_file_writes_to_a_pipe),
        REPLACE_TEST(test_replace_file_keeps_links_and_owner),
#endif
    };

    return cmocka_run_group_tests_name("replace_file", tests, NULL, NULL);
}
