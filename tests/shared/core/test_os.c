/* SPDX-License-Identifier: MIT */
/* Tests the contract of os.h on both systems. test_os_posix.c and test_os_win32.c test what only
 * one system has, and test_guard.c tests guards. Owners that end are child processes, which are
 * this program again (child_main). */
#ifndef _WIN32
#define _GNU_SOURCE
#endif

#include "support/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef _WIN32
#include <windows.h>
#else
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <sys/stat.h>
#include <unistd.h>
#endif

#include "support/os_folder.h"
#include "support/process.h"
#include "support/service.h"
#include "system/os.h"

#define SERVICE "PrfDataTestOs"
#define PAGE    4096u
#define SIZE    (3 * PAGE)

#define BOOT    0xb0b0b0b0b0b0b0b0u
#define OF_BOOT "b0b0b0b0b0b0b0b0-"

static const prfdata_os_name first = {OF_BOOT "00000000000000a1.region"};
static const prfdata_os_name second = {OF_BOOT "00000000000000b2.region"};
static const prfdata_os_name third = {OF_BOOT "ffffffffffffffff.region"};
static const prfdata_os_region none = PRFDATA_OS_REGION_NONE;

static int install(void **state)
{
    (void)state;
    os_folder_begin(SERVICE, NULL);
    return 0;
}

/* ---- Differences between the systems ---- */

static void yield(void)
{
#ifdef _WIN32
    SwitchToThread();
#else
    sched_yield();
#endif
}

typedef struct os_thread {
    void (*run)(void *context);
    void *context;
#ifdef _WIN32
    HANDLE handle;
#else
    pthread_t handle;
#endif
} os_thread;

#ifdef _WIN32
static DWORD WINAPI thread_main(void *argument)
{
    os_thread *self = argument;

    self->run(self->context);
    return 0;
}
#else
static void *thread_main(void *argument)
{
    os_thread *self = argument;

    self->run(self->context);
    return NULL;
}
#endif

static void thread_start(os_thread *self, void (*run)(void *context), void *context)
{
    self->run = run;
    self->context = context;
#ifdef _WIN32
    self->handle = CreateThread(NULL, 0, thread_main, self, 0, NULL);
    assert_non_null(self->handle);
#else
    assert_int_equal(pthread_create(&self->handle, NULL, thread_main, self), 0);
#endif
}

static void thread_wait(os_thread *self)
{
#ifdef _WIN32
    assert_int_equal(WaitForSingleObject(self->handle, INFINITE), WAIT_OBJECT_0);
    CloseHandle(self->handle);
#else
    assert_int_equal(pthread_join(self->handle, NULL), 0);
#endif
}

/* ---- Time, process, last restart ---- */

static void test_os_ticks_do_not_go_backwards(void **state)
{
    uint64_t before = prfdata_os_ticks();

    (void)state;
    assert_true(before > 0);
    assert_true(prfdata_os_ticks_per_second() >= 1000000);
    for (int i = 0; i < 1000; i++) {
        uint64_t now = prfdata_os_ticks();

        assert_true(now >= before);
        before = now;
    }
}

static void test_os_milliseconds_and_ticks_tell_the_same_time(void **state)
{
    uint64_t ticks = prfdata_os_ticks(), milliseconds = prfdata_os_milliseconds();
    uint64_t per_millisecond = prfdata_os_ticks_per_second() / 1000;

    (void)state;
    while (prfdata_os_milliseconds() < milliseconds + 100) {
    }
    /* The lower bound is generous, because a tick of the clock may be 16 ms. An upper bound would
     * depend on the machine. */
    assert_true(prfdata_os_ticks() - ticks >= 80 * per_millisecond);
}

static void test_os_random_numbers_differ(void **state)
{
    uint64_t ones = 0, zeros = 0;

    (void)state;
    for (int i = 0; i < 64; i++) {
        uint64_t value = prfdata_os_random();

        ones |= value;
        zeros |= ~value;
    }
    assert_true(ones == UINT64_MAX && zeros == UINT64_MAX);
}

static void test_os_boot_is_the_same_in_another_process(void **state)
{
    const char *arguments[] = {"boot", NULL};
    prfdata_test_process *child = prfdata_test_process_start(arguments);
    char expected[64];

    (void)state;
    assert_true(prfdata_os_boot() != 0);
    snprintf(expected, sizeof(expected), "%016llx", (unsigned long long)prfdata_os_boot());
    prfdata_test_process_expect(child, expected);
    assert_int_equal(prfdata_test_process_wait(child), 0);
}

static void test_os_process_id_is_another_one_in_another_process(void **state)
{
    const char *arguments[] = {"id", NULL};
    prfdata_test_process *child = prfdata_test_process_start(arguments);
    char line[64];

    (void)state;
    assert_true(prfdata_test_process_read_line(child, line, sizeof(line)));
    assert_true(strtoul(line, NULL, 10) != 0);
    assert_true(strtoul(line, NULL, 10) != prfdata_os_process_id());
    assert_int_equal(prfdata_test_process_wait(child), 0);
}

/* ---- Lock ---- */

typedef struct crossing {
    prfdata_os_lock lock;
    unsigned inside;
    unsigned crossings;
    unsigned wrong;
} crossing;

static void cross_under_lock(void *context)
{
    crossing *shared = context;

    for (int i = 0; i < 1000; i++) {
        prfdata_os_lock_enter(&shared->lock);
        shared->inside++;
        yield(); /* gives other threads the chance to enter */
        shared->wrong += shared->inside != 1;
        shared->inside--;
        shared->crossings++;
        prfdata_os_lock_leave(&shared->lock);
    }
}

static void test_os_lock_lets_one_thread_in(void **state)
{
    static crossing shared; /* zeroed memory is an open lock */
    os_thread threads[4];

    (void)state;
    for (int i = 0; i < 4; i++)
        thread_start(&threads[i], cross_under_lock, &shared);
    for (int i = 0; i < 4; i++)
        thread_wait(&threads[i]);
    assert_int_equal(shared.crossings, 4000);
    assert_int_equal(shared.wrong, 0);
}

typedef struct trying {
    prfdata_os_lock *lock;
    bool entered;
} trying;

static void try_lock(void *context)
{
    trying *attempt = context;

    attempt->entered = prfdata_os_lock_try(attempt->lock);
}

static void test_os_lock_try_refuses_a_held_lock(void **state)
{
    static prfdata_os_lock lock;
    trying attempt = {&lock, true};
    os_thread other;

    (void)state;
    assert_true(prfdata_os_lock_try(&lock));
    thread_start(&other, try_lock, &attempt);
    thread_wait(&other);
    assert_false(attempt.entered);
    prfdata_os_lock_leave(&lock);
    assert_true(prfdata_os_lock_try(&lock));
    prfdata_os_lock_leave(&lock);
}

/* ---- Settings ---- */

static void test_os_setting_number_is_read(void **state)
{
    uint32_t value = 7;

    (void)state;
    prfdata_test_service_set_number(&service, "First Counter", UINT32_MAX);
    assert_int_equal(prfdata_os_setting_number(SERVICE, "First Counter", &value), ERROR_SUCCESS);
    assert_int_equal(value, UINT32_MAX);
    prfdata_test_service_set_number(&service, "First Counter", 0);
    assert_int_equal(prfdata_os_setting_number(SERVICE, "First Counter", &value), ERROR_SUCCESS);
    assert_int_equal(value, 0);
}

static void test_os_setting_number_failure_leaves_the_value_alone(void **state)
{
    static const char *const wrong[] = {
        "", "x", "12x", "-1", " 1", "4294967296", "00000000000000000000001"};
    uint32_t value = 7;

    (void)state;
    assert_int_equal(prfdata_os_setting_number(SERVICE, "Nothing", &value), ERROR_FILE_NOT_FOUND);
    assert_int_equal(prfdata_os_setting_number("PrfDataTestNone", "First Counter", &value),
                     ERROR_FILE_NOT_FOUND);
    for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
        prfdata_test_service_set_text(&service, "Text", wrong[i]);
        assert_int_equal(prfdata_os_setting_number(SERVICE, "Text", &value), ERROR_INVALID_DATA);
    }
    assert_int_equal(value, 7);
}

static void test_os_setting_bytes_are_read_up_to_the_limit(void **state)
{
    unsigned char pattern[300];
    void *bytes = NULL;
    size_t size = 0;

    (void)state;
    for (size_t i = 0; i < sizeof(pattern); i++)
        pattern[i] = (unsigned char)(i * 7);
    prfdata_test_service_set_bytes(&service, "Maps", pattern, sizeof(pattern));
    assert_int_equal(prfdata_os_setting_bytes(SERVICE, "Maps", sizeof(pattern) - 1, &bytes, &size),
                     ERROR_INVALID_DATA);
    assert_null(bytes);
    assert_int_equal(prfdata_os_setting_bytes(SERVICE, "Maps", sizeof(pattern), &bytes, &size),
                     ERROR_SUCCESS);
    assert_int_equal(size, sizeof(pattern));
    assert_memory_equal(bytes, pattern, sizeof(pattern));
    free(bytes);
}

static void test_os_setting_bytes_may_be_empty(void **state)
{
    void *bytes = NULL;
    size_t size = 7;

    (void)state;
    prfdata_test_service_set_bytes(&service, "Maps", "", 0);
    assert_int_equal(prfdata_os_setting_bytes(SERVICE, "Maps", 0, &bytes, &size), ERROR_SUCCESS);
    assert_int_equal(size, 0);
    free(bytes);
}

static void test_os_setting_bytes_failure_leaves_the_arguments_alone(void **state)
{
    void *bytes = &service;
    size_t size = 7;

    (void)state;
    assert_int_equal(prfdata_os_setting_bytes(SERVICE, "Nothing", 100, &bytes, &size),
                     ERROR_FILE_NOT_FOUND);
    assert_int_equal(prfdata_os_setting_bytes("PrfDataTestNone", "Maps", 100, &bytes, &size),
                     ERROR_FILE_NOT_FOUND);
    assert_ptr_equal(bytes, &service);
    assert_int_equal(size, 7);
}

/* ---- The regions folder ---- */

static uint32_t open_with_regions(const char *path)
{
    prfdata_os_directory *directory = NULL;
    uint32_t status;

    prfdata_test_service_set_text(&service, "Regions", path);
    status = prfdata_os_directory_open(SERVICE, &directory);
    assert_true((status == ERROR_SUCCESS) == (directory != NULL));
    prfdata_os_directory_close(directory);
    return status;
}

static void test_os_directory_must_be_installed(void **state)
{
    prfdata_os_directory *directory = NULL;

    (void)state;
    assert_int_equal(prfdata_os_directory_open("PrfDataTestNone", &directory),
                     ERROR_FILE_NOT_FOUND);
    prfdata_test_service_delete_value(&service, "Regions");
    assert_int_equal(prfdata_os_directory_open(SERVICE, &directory), ERROR_FILE_NOT_FOUND);
    assert_null(directory);
}

static void test_os_directory_must_exist(void **state)
{
    char path[520], deeper[560];

    (void)state;
    prfdata_test_service_path(&service, "missing", path, sizeof(path));
    assert_int_equal(open_with_regions(path), ERROR_FILE_NOT_FOUND);
    snprintf(deeper, sizeof(deeper), "%s%cdeeper", path, path[strlen(service.folder)]);
    assert_int_equal(open_with_regions(deeper), ERROR_FILE_NOT_FOUND);
    assert_int_equal(open_with_regions(service.folder), ERROR_SUCCESS);
}

static void test_os_directory_is_an_absolute_path(void **state)
{
    static const char *const paths[] = {"", "regions", ".", "../regions", "./regions"};

    (void)state;
    for (size_t i = 0; i < sizeof(paths) / sizeof(paths[0]); i++)
        assert_int_equal(open_with_regions(paths[i]), ERROR_INVALID_DATA);
}

static void test_os_directory_is_not_a_file(void **state)
{
    char path[520];

    (void)state;
    assert_true(prfdata_test_service_write_file(&service, "file", "x", 1));
    prfdata_test_service_path(&service, "file", path, sizeof(path));
    assert_int_equal(open_with_regions(path), ERROR_INVALID_DATA);
}

static void test_os_directory_close_takes_null(void **state)
{
    (void)state;
    prfdata_os_directory_close(NULL);
}

static void write_empty(const char *name)
{
    assert_true(prfdata_test_service_write_file(&service, name, "", 0));
}

static void test_os_list_is_sorted_and_has_region_names_only(void **state)
{
    static const char *const foreign[] = {OF_BOOT "00000000000000A1.region",
                                          OF_BOOT "00000000000000a1.regio",
                                          OF_BOOT "00000000000000a1.backup",
                                          OF_BOOT "00000000000000a1.regionx",
                                          OF_BOOT "00000000000000g1.region",
                                          OF_BOOT "0000000000000a1.region",
                                          OF_BOOT "000000000000000a1.region",
                                          OF_BOOT "00000000000000a1.region.new",
                                          OF_BOOT,
                                          "b0b0b0b0b0b0b0b000000000000000a12.region",
                                          "00000000000000a1.region",
                                          "readme.txt",
                                          "x"};
    prfdata_os_name names[8];
    size_t count = 0;
    bool more = true;

    (void)state;
    for (size_t i = 0; i < sizeof(foreign) / sizeof(foreign[0]); i++)
        write_empty(foreign[i]);
    write_empty(third.text);
    /* The first of the foreign names is refused because of its capital letter. */
    write_empty(OF_BOOT "0123456789abcdef.region");
    write_empty(second.text);
    assert_int_equal(prfdata_os_directory_list(folder, BOOT, names, 8, &count, &more),
                     ERROR_SUCCESS);
    assert_int_equal(count, 3);
    assert_false(more);
    assert_string_equal(names[0].text, second.text);
    assert_string_equal(names[1].text, OF_BOOT "0123456789abcdef.region");
    assert_string_equal(names[2].text, third.text);
}

static void test_os_list_has_the_lowest_names_and_says_when_there_are_more(void **state)
{
    const prfdata_os_name *const sorted[] = {&first, &second, &third};
    prfdata_os_name names[4];
    size_t count;
    bool more;

    (void)state;
    write_empty(third.text);
    write_empty(first.text);
    write_empty(second.text);
    for (size_t capacity = 0; capacity <= 4; capacity++) {
        memset(names, 'x', sizeof(names));
        assert_int_equal(prfdata_os_directory_list(folder, BOOT, names, capacity, &count, &more),
                         ERROR_SUCCESS);
        assert_int_equal(count, capacity < 3 ? capacity : 3);
        assert_int_equal(more, capacity < 3);
        for (size_t i = 0; i < count; i++)
            assert_string_equal(names[i].text, sorted[i]->text);
        if (capacity < 4) /* the call has written nothing after the last name */
            assert_int_equal(names[capacity].text[0], 'x');
    }
}

static void test_os_list_looks_at_16_entries_per_name_at_most(void **state)
{
    prfdata_os_name names[2];
    char name[64];
    size_t count;
    bool more;

    (void)state;
    for (int i = 0; i < 32; i++) {
        snprintf(name, sizeof(name), OF_BOOT "foreign-%08d.region", i);
        write_empty(name);
    }
    assert_int_equal(prfdata_os_directory_list(folder, BOOT, names, 2, &count, &more),
                     ERROR_SUCCESS);
    assert_int_equal(count, 0);
    assert_false(more);
    write_empty(OF_BOOT "foreign-one-more.region");
    assert_int_equal(prfdata_os_directory_list(folder, BOOT, names, 2, &count, &more),
                     ERROR_SUCCESS);
    assert_int_equal(count, 0);
    assert_true(more);
}

static void test_os_list_is_not_filled_by_other_boots_and_other_files(void **state)
{
    prfdata_os_name names[2];
    char name[64];
    size_t count;
    bool more;

    (void)state;
    for (int i = 0; i < 200; i++) {
        snprintf(name, sizeof(name), "b0b0b0b0b0b0b0b1-%016x.region", i);
        write_empty(name);
        snprintf(name, sizeof(name), "0000000000000000-%016x.region", i);
        write_empty(name);
        snprintf(name, sizeof(name), "%016x.region", i);
        write_empty(name);
    }
    write_empty(first.text);
    write_empty(third.text);
    assert_int_equal(prfdata_os_directory_list(folder, BOOT, names, 2, &count, &more),
                     ERROR_SUCCESS);
    assert_int_equal(count, 2);
    assert_false(more);
    assert_string_equal(names[0].text, first.text);
    assert_string_equal(names[1].text, third.text);
}

/* Check that each file is in one of the partial lists, and that the position says when all files
 * have been listed. The numbers of the files are multiples of `step`. */
static void expect_every_file_in_parts(unsigned step)
{
    enum { FILES = 120, ROOM = 50 };
    bool seen[FILES] = {false};
    prfdata_os_name names[FILES + 1];
    uint64_t position = 0;
    unsigned parts = 0;
    char name[64];
    size_t count;

    for (unsigned i = 0; i < FILES; i++) {
        snprintf(name, sizeof(name), OF_BOOT "%016x.region", i * step);
        write_empty(name);
        snprintf(name, sizeof(name), "foreign-%u", i);
        write_empty(name);
    }
    assert_int_equal(
        prfdata_os_directory_list_part(folder, BOOT, &position, names, FILES + 1, &count),
        ERROR_SUCCESS);
    assert_int_equal(count, FILES);
    assert_int_equal(position, 0);
    do {
        assert_true(parts++ < 80);
        assert_int_equal(
            prfdata_os_directory_list_part(folder, BOOT, &position, names, ROOM, &count),
            ERROR_SUCCESS);
        assert_true(count <= ROOM);
        for (size_t i = 0; i < count; i++) {
            const unsigned number = (unsigned)strtoul(names[i].text + 17, NULL, 16) / step;

            assert_true(number < FILES);
            assert_true(i == 0 || strcmp(names[i - 1].text, names[i].text) < 0);
            seen[number] = true;
        }
    } while (position != 0);
    assert_true(parts > 1);
    for (unsigned i = 0; i < FILES; i++)
        assert_true(seen[i]);
}

static void test_os_list_in_parts_has_every_file(void **state)
{
    (void)state;
    expect_every_file_in_parts(1);
}

static void test_os_list_in_parts_has_every_file_if_last_digits_are_equal(void **state)
{
    (void)state;
    expect_every_file_in_parts(0x100);
}

#ifndef _WIN32 /* Windows has the same rule, but not link() */
/* Writing to such a region would write to a file in another place. */
static void test_os_file_with_a_second_name_is_not_taken(void **state)
{
    prfdata_os_region region = PRFDATA_OS_REGION_NONE;
    char from[520], to[520];

    (void)state;
    assert_int_equal(prfdata_os_region_create(folder, &first, 4096, &region), ERROR_SUCCESS);
    prfdata_os_region_close(&region);
    prfdata_test_service_path(&service, first.text, from, sizeof(from));
    prfdata_test_service_path(&service, "elsewhere", to, sizeof(to));
    assert_int_equal(link(from, to), 0);
    assert_int_equal(prfdata_os_region_take(folder, &first, &region), ERROR_ACCESS_DENIED);
    assert_int_equal(unlink(to), 0);
    assert_int_equal(prfdata_os_region_take(folder, &first, &region), ERROR_SUCCESS);
    prfdata_os_region_close(&region);
}
#endif

static void test_os_account_of_a_file_that_we_made_is_our_own(void **state)
{
    const prfdata_os_account unknown = {{0}};
    prfdata_os_account found;
    char head[4], text[PRFDATA_OS_ACCOUNT_CHARS];

    (void)state;
    write_empty(first.text);
    memset(head, 'x', sizeof(head));
    assert_int_equal(prfdata_os_region_look(folder, &first, head, sizeof(head), &found),
                     ERROR_SUCCESS);
    assert_true(prfdata_os_account_is_own(&found));
    assert_false(prfdata_os_account_is_own(&unknown));
    assert_false(prfdata_os_account_is(&found, &unknown));
    assert_memory_equal(head, "\0\0\0\0", sizeof(head));
    prfdata_os_account_write(&unknown, text);
    assert_string_equal(text, "?");
    prfdata_os_account_write(&found, text);
#ifdef _WIN32
    assert_memory_equal(text, "S-1-5-", 6);
#else
    assert_int_equal(strtoul(text, NULL, 10), geteuid());
#endif
    assert_int_equal(prfdata_os_region_look(folder, &second, head, sizeof(head), &found),
                     ERROR_FILE_NOT_FOUND);
}

static void test_os_list_of_more_than_fit_has_the_lowest_in_any_order_of_the_folder(void **state)
{
    prfdata_os_name names[50];
    char name[64];
    size_t count;
    bool more;

    (void)state;
    for (unsigned i = 0; i < 300; i++) {
        snprintf(name, sizeof(name), OF_BOOT "%016x.region", (i * 7919u + 150u) % 300u);
        write_empty(name);
    }
    assert_int_equal(prfdata_os_directory_list(folder, BOOT, names, 50, &count, &more),
                     ERROR_SUCCESS);
    assert_int_equal(count, 50);
    assert_true(more);
    for (unsigned i = 0; i < 50; i++) {
        snprintf(name, sizeof(name), OF_BOOT "%016x.region", i);
        assert_string_equal(names[i].text, name);
    }
}

static void test_os_list_others_has_all_boots_but_one(void **state)
{
    static const char *const others[] = {"0000000000000000-ffffffffffffffff.region",
                                         "b0b0b0b0b0b0b0b1-0000000000000000.region",
                                         "ffffffffffffffff-0000000000000000.region"};
    prfdata_os_name names[4];
    size_t count;
    bool more;

    (void)state;
    write_empty(first.text);
    write_empty("b0b0b0b0b0b0b0b1-000000000000000G.region");
    write_empty("0000000000000000.region");
    write_empty("readme.txt");
    for (size_t i = 3; i > 0; i--)
        write_empty(others[i - 1]);
    assert_int_equal(prfdata_os_directory_list_others(folder, BOOT, names, 4, &count, &more),
                     ERROR_SUCCESS);
    assert_int_equal(count, 3);
    assert_false(more);
    for (size_t i = 0; i < 3; i++)
        assert_string_equal(names[i].text, others[i]);
    assert_int_equal(prfdata_os_directory_list_others(folder, BOOT, names, 2, &count, &more),
                     ERROR_SUCCESS);
    assert_int_equal(count, 2);
    assert_true(more);
}

static void test_os_list_of_many_files_is_complete(void **state)
{
    prfdata_os_name names[301];
    char name[64];
    size_t count;
    bool more;

    (void)state;
    for (unsigned i = 0; i < 300; i++) { /* more than a call of the system returns */
        snprintf(name, sizeof(name), OF_BOOT "%016x.region", i * 7919u % 300u);
        write_empty(name);
    }
    assert_int_equal(prfdata_os_directory_list(folder, BOOT, names, 301, &count, &more),
                     ERROR_SUCCESS);
    assert_int_equal(count, 300);
    assert_false(more);
    for (unsigned i = 0; i < 300; i++) {
        snprintf(name, sizeof(name), OF_BOOT "%016x.region", i);
        assert_string_equal(names[i].text, name);
    }
}

/* ---- Regions ---- */

static void assert_none(const prfdata_os_region *region)
{
    assert_null(region->bytes);
    assert_int_equal(region->size, 0);
    assert_int_equal(region->owner, -1);
}

static prfdata_os_region create(const prfdata_os_name *name)
{
    prfdata_os_region region = none;

    assert_int_equal(prfdata_os_region_create(folder, name, SIZE, &region), ERROR_SUCCESS);
    return region;
}

static prfdata_os_region attach(const prfdata_os_name *name)
{
    prfdata_os_region region = none;

    assert_int_equal(prfdata_os_region_attach(folder, name, SIZE, &region), ERROR_SUCCESS);
    return region;
}

static uint32_t take(const prfdata_os_name *name)
{
    prfdata_os_region region = none;
    uint32_t status = prfdata_os_region_take(folder, name, &region);

    if (status != ERROR_SUCCESS)
        assert_none(&region);
    prfdata_os_region_close(&region);
    return status;
}

static uint32_t attach_status(const prfdata_os_name *name, uint64_t limit)
{
    prfdata_os_region region = none;
    uint32_t status = prfdata_os_region_attach(folder, name, limit, &region);

    if (status != ERROR_SUCCESS)
        assert_none(&region);
    prfdata_os_region_close(&region);
    return status;
}

static bool probe(const prfdata_os_name *name)
{
    bool alive = false, untouched = true;

    assert_int_equal(prfdata_os_region_probe(folder, name, NULL, &alive), ERROR_SUCCESS);
    assert_int_equal(prfdata_os_region_probe(folder, name, NULL, &untouched), ERROR_SUCCESS);
    assert_int_equal(alive, untouched); /* the function sets it, whatever its value was */
    return alive;
}

static size_t file_count(void)
{
    return prfdata_test_service_files(&service, NULL, 0);
}

static void test_os_create_makes_zeros_in_a_file_of_this_size(void **state)
{
    static const unsigned char zeros[SIZE];
    prfdata_os_region region = create(&first);
    prfdata_test_file file;

    (void)state;
    assert_int_equal(region.size, SIZE);
    assert_int_equal((uintptr_t)region.bytes % PAGE, 0);
    assert_memory_equal(region.bytes, zeros, SIZE);
    assert_int_equal(prfdata_test_service_files(&service, &file, 1), 1);
    assert_string_equal(file.name, first.text);
    assert_int_equal(file.size, SIZE);
    prfdata_os_region_close(&region);
    assert_none(&region);
    assert_int_equal(file_count(), 1);
}

static void test_os_create_takes_sizes_that_are_no_pages(void **state)
{
    prfdata_os_region region = none;
    prfdata_os_region view;

    (void)state;
    assert_int_equal(prfdata_os_region_create(folder, &first, PAGE + 8, &region), ERROR_SUCCESS);
    assert_int_equal(region.size, PAGE + 8);
    region.bytes[PAGE + 7] = 42;
    view = attach(&first);
    assert_int_equal(view.size, PAGE + 8);
    assert_int_equal(view.bytes[PAGE + 7], 42);
    prfdata_os_region_close(&view);
    prfdata_os_region_close(&region);
}

static void test_os_create_leaves_existing_files_alone(void **state)
{
    prfdata_os_region region = create(&first), other = none;

    (void)state;
    region.bytes[0] = 42;
    assert_int_equal(prfdata_os_region_create(folder, &first, PAGE, &other), ERROR_FILE_EXISTS);
    assert_none(&other);
    prfdata_os_region_close(&region);
    assert_int_equal(prfdata_os_region_create(folder, &first, PAGE, &other), ERROR_FILE_EXISTS);
    region = attach(&first);
    assert_int_equal(region.bytes[0], 42);
    prfdata_os_region_close(&region);
}

static void test_os_create_that_fails_leaves_nothing(void **state)
{
    prfdata_os_region region = none;

    (void)state;
    assert_true(prfdata_os_region_create(folder, &first, (uint64_t)1 << 55, &region) !=
                ERROR_SUCCESS);
    assert_int_equal(prfdata_os_region_create(folder, &first, UINT64_MAX, &region),
                     ERROR_DISK_FULL);
    assert_int_equal(prfdata_os_region_create(folder, &first, 0, &region), ERROR_INVALID_PARAMETER);
    assert_none(&region);
    assert_int_equal(file_count(), 0);
}

static void test_os_region_names_are_checked(void **state)
{
    static const prfdata_os_name wrong[] = {
        {""},
        {"readme.txt"},
        {OF_BOOT "../000000000000a.region"},
        {OF_BOOT "..\\000000000000a.region"},
        {"../000000000000a-000000000000000a.region"},
        {"00000000000000a1.region"},
        {OF_BOOT "0123456789ABCDEF.region"},
        {{'0', '1', '2', '3', '4', '5', '6', '7', '8', '9', 'a', 'b', 'c', 'd',
          'e', 'f', '-', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9', 'a',
          'b', 'c', 'd', 'e', 'f', '.', 'r', 'e', 'g', 'i', 'o', 'n', 'x'}}};
    prfdata_os_region region = none;
    bool alive;

    (void)state;
    for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
        assert_int_equal(prfdata_os_region_create(folder, &wrong[i], SIZE, &region),
                         ERROR_INVALID_PARAMETER);
        assert_int_equal(prfdata_os_region_take(folder, &wrong[i], &region),
                         ERROR_INVALID_PARAMETER);
        assert_int_equal(prfdata_os_region_attach(folder, &wrong[i], SIZE, &region),
                         ERROR_INVALID_PARAMETER);
        assert_int_equal(prfdata_os_region_probe(folder, &wrong[i], NULL, &alive),
                         ERROR_INVALID_PARAMETER);
    }
    assert_int_equal(file_count(), 0);
}

static void test_os_take_of_an_owned_region_is_refused(void **state)
{
    prfdata_os_region region = create(&first);

    (void)state;
    assert_int_equal(take(&first), ERROR_SHARING_VIOLATION);
    prfdata_os_region_close(&region);
    assert_int_equal(take(&first), ERROR_SUCCESS);
    assert_int_equal(take(&first), ERROR_SUCCESS);
}

static void test_os_take_keeps_the_bytes_and_makes_an_owner(void **state)
{
    prfdata_os_region region = create(&first);

    (void)state;
    region.bytes[SIZE - 1] = 42;
    prfdata_os_region_close(&region);
    assert_int_equal(prfdata_os_region_take(folder, &first, &region), ERROR_SUCCESS);
    assert_int_equal(region.size, SIZE);
    assert_int_equal(region.bytes[SIZE - 1], 42);
    region.bytes[0] = 43;
    assert_true(probe(&first));
    assert_int_equal(take(&first), ERROR_SHARING_VIOLATION);
    prfdata_os_region_close(&region);
    region = attach(&first);
    assert_int_equal(region.bytes[0], 43);
    prfdata_os_region_close(&region);
}

static void test_os_take_of_an_empty_file_has_no_view(void **state)
{
    prfdata_os_region region = none;

    (void)state;
    write_empty(first.text);
    assert_int_equal(prfdata_os_region_take(folder, &first, &region), ERROR_SUCCESS);
    assert_null(region.bytes);
    assert_int_equal(region.size, 0);
    assert_true(region.owner != -1);
    assert_true(probe(&first));
    prfdata_os_region_delete(folder, &first, &region);
    assert_none(&region);
    assert_int_equal(file_count(), 0);
}

static void test_os_missing_files_are_not_found(void **state)
{
    bool alive = true;

    (void)state;
    assert_int_equal(take(&first), ERROR_FILE_NOT_FOUND);
    assert_int_equal(attach_status(&first, SIZE), ERROR_FILE_NOT_FOUND);
    assert_int_equal(prfdata_os_region_probe(folder, &first, NULL, &alive), ERROR_FILE_NOT_FOUND);
    assert_true(alive);
    assert_int_equal(file_count(), 0);
}

static void make_folder(const prfdata_os_name *name)
{
    char path[520];

    prfdata_test_service_path(&service, name->text, path, sizeof(path));
#ifdef _WIN32
    assert_true(CreateDirectoryA(path, NULL));
#else
    assert_int_equal(mkdir(path, 0755), 0);
#endif
}

static void test_os_directories_are_no_regions(void **state)
{
    bool alive = true;

    (void)state;
    make_folder(&first);
    assert_int_equal(take(&first), ERROR_ACCESS_DENIED);
    assert_int_equal(attach_status(&first, SIZE), ERROR_INVALID_DATA);
    assert_int_equal(prfdata_os_region_probe(folder, &first, NULL, &alive), ERROR_ACCESS_DENIED);
    assert_true(alive);
}

static void rename_file(const prfdata_os_name *from, const prfdata_os_name *to)
{
    char old_path[520], new_path[520];

    prfdata_test_service_path(&service, from->text, old_path, sizeof(old_path));
    prfdata_test_service_path(&service, to->text, new_path, sizeof(new_path));
    assert_int_equal(rename(old_path, new_path), 0);
}

/* A view belongs to a file, not to a name. If another file gets the name, an owner of that file is
 * not the owner of the view's file. */
static void test_os_probe_knows_the_file_of_a_view_from_another_of_its_name(void **state)
{
    prfdata_os_region region = create(&first), other = create(&second), view = attach(&first);
    bool alive = false;

    (void)state;
    assert_int_equal(prfdata_os_region_probe(folder, &first, &view, &alive), ERROR_SUCCESS);
    assert_true(alive);
    assert_int_equal(prfdata_os_region_probe(folder, &second, &view, &alive), ERROR_FILE_NOT_FOUND);
    prfdata_os_region_close(&region);
    prfdata_os_region_close(&other);
    assert_int_equal(prfdata_os_region_probe(folder, &first, &view, &alive), ERROR_SUCCESS);
    assert_false(alive);
    rename_file(&first, &third);
    rename_file(&second, &first);
    alive = true;
    assert_int_equal(prfdata_os_region_probe(folder, &first, &view, &alive), ERROR_FILE_NOT_FOUND);
    assert_true(alive);
    assert_int_equal(prfdata_os_region_probe(folder, &third, &view, &alive), ERROR_SUCCESS);
    assert_false(alive);
    prfdata_os_region_close(&view);
}

static void test_os_probe_knows_the_file_of_a_view_from_a_folder_of_its_name(void **state)
{
    prfdata_os_region region = create(&first), view = attach(&first);
    bool alive = true;

    (void)state;
    prfdata_os_region_close(&region);
    rename_file(&first, &second);
    make_folder(&first);
    assert_int_equal(prfdata_os_region_probe(folder, &first, NULL, &alive), ERROR_ACCESS_DENIED);
    assert_int_equal(prfdata_os_region_probe(folder, &first, &view, &alive), ERROR_FILE_NOT_FOUND);
    assert_true(alive);
    prfdata_os_region_close(&view);
}

static void test_os_attach_sees_what_the_owner_writes(void **state)
{
    prfdata_os_region region = create(&first), view = attach(&first);

    (void)state;
    assert_int_equal(view.size, SIZE);
    assert_int_equal(view.owner, -1);
    assert_int_equal((uintptr_t)view.bytes % PAGE, 0);
    assert_int_equal(view.bytes[5], 0);
    region.bytes[5] = 42;
    assert_int_equal(view.bytes[5], 42);
    prfdata_os_region_close(&region);
    assert_int_equal(view.bytes[5], 42);
    prfdata_os_region_close(&view);
    assert_none(&view);
}

static void test_os_attach_limits_the_size(void **state)
{
    prfdata_os_region region = create(&first);

    (void)state;
    assert_int_equal(attach_status(&first, SIZE - 1), ERROR_INVALID_DATA);
    assert_int_equal(attach_status(&first, 0), ERROR_INVALID_DATA);
    assert_int_equal(attach_status(&first, SIZE), ERROR_SUCCESS);
    assert_int_equal(attach_status(&first, UINT64_MAX), ERROR_SUCCESS);
    prfdata_os_region_close(&region);
}

static void test_os_attach_refuses_an_empty_file(void **state)
{
    (void)state;
    write_empty(first.text);
    assert_int_equal(attach_status(&first, SIZE), ERROR_INVALID_DATA);
}

static void test_os_attach_does_not_disturb_owner_or_taker(void **state)
{
    prfdata_os_region region = create(&first), view = attach(&first);

    (void)state;
    assert_true(probe(&first));
    assert_int_equal(take(&first), ERROR_SHARING_VIOLATION);
    prfdata_os_region_close(&region);
    assert_false(probe(&first));
    assert_int_equal(take(&first), ERROR_SUCCESS);
    prfdata_os_region_close(&view);
}

static void test_os_probe_follows_the_owner(void **state)
{
    prfdata_os_region region = create(&first), other = create(&second);

    (void)state;
    assert_true(probe(&first));
    prfdata_os_region_close(&region);
    assert_false(probe(&first));
    assert_true(probe(&second));
    prfdata_os_region_close(&other);
    write_empty(third.text);
    assert_false(probe(&third));
}

static void test_os_delete_removes_the_file(void **state)
{
    prfdata_os_region region = create(&first), other = create(&second);

    (void)state;
    prfdata_os_region_delete(folder, &first, &region);
    assert_none(&region);
    assert_int_equal(attach_status(&first, SIZE), ERROR_FILE_NOT_FOUND);
    assert_true(probe(&second));
    prfdata_os_region_delete(folder, &second, &other);
    assert_int_equal(file_count(), 0);
    region = create(&first); /* the name can be used again */
    prfdata_os_region_close(&region);
}

static void test_os_remove_deletes_only_a_file_without_owner(void **state)
{
    prfdata_os_region region = create(&first);

    (void)state;
    assert_int_equal(prfdata_os_region_remove(folder, &first), ERROR_SHARING_VIOLATION);
    assert_true(probe(&first));
    prfdata_os_region_close(&region);
    write_empty(second.text);
    assert_int_equal(prfdata_os_region_remove(folder, &first), ERROR_SUCCESS);
    assert_int_equal(prfdata_os_region_remove(folder, &first), ERROR_FILE_NOT_FOUND);
    assert_int_equal(prfdata_os_region_remove(folder, &second), ERROR_SUCCESS); /* an empty file */
    make_folder(&third);
    assert_int_equal(prfdata_os_region_remove(folder, &third), ERROR_ACCESS_DENIED);
    assert_int_equal(file_count(), 1);
}

static void test_os_close_of_none_does_nothing(void **state)
{
    prfdata_os_region region = none;

    (void)state;
    prfdata_os_region_close(&region);
    assert_none(&region);
}

/* ---- Regions and other processes ---- */

static prfdata_test_process *start_owner(void)
{
    const char *arguments[] = {"own", first.text, NULL};
    prfdata_test_process *owner = prfdata_test_process_start(arguments);

    prfdata_test_process_expect(owner, "owned");
    return owner;
}

static void test_os_owner_in_another_process_is_seen(void **state)
{
    prfdata_test_process *owner = start_owner();
    prfdata_os_region view = attach(&first);

    (void)state;
    assert_true(probe(&first));
    assert_int_equal(take(&first), ERROR_SHARING_VIOLATION);
    assert_int_equal(view.bytes[0], 1);
    prfdata_test_process_tell(owner, "write");
    prfdata_test_process_expect(owner, "written");
    assert_int_equal(view.bytes[0], 2);
    prfdata_os_region_close(&view);
    assert_int_equal(prfdata_test_process_wait(owner), 0);
    assert_false(probe(&first));
}

static void test_os_killed_owner_leaves_a_region_to_take(void **state)
{
    prfdata_test_process *owner = start_owner();
    prfdata_os_region region = none, view = attach(&first);

    (void)state;
    assert_true(probe(&first));
    prfdata_test_process_kill(owner);
    assert_false(probe(&first));
    assert_int_equal(view.bytes[0], 1);
    assert_int_equal(prfdata_os_region_take(folder, &first, &region), ERROR_SUCCESS);
    assert_int_equal(region.bytes[0], 1);
    assert_true(probe(&first));
    prfdata_os_region_close(&region);
    prfdata_os_region_close(&view);
}

static void test_os_owner_in_this_process_is_seen_by_others(void **state)
{
    const char *arguments[] = {"look", first.text, NULL};
    prfdata_os_region region = create(&first);
    prfdata_test_process *child = prfdata_test_process_start(arguments);

    (void)state;
    prfdata_test_process_expect(child, "take 32 probe 0 alive");
    prfdata_os_region_close(&region);
    prfdata_test_process_tell(child, "again");
    prfdata_test_process_expect(child, "take 0 probe 0 dead");
    assert_int_equal(prfdata_test_process_wait(child), 0);
}

static void test_os_children_do_not_inherit_ownership(void **state)
{
    const char *arguments[] = {"wait", NULL};
    prfdata_os_region region = create(&first);
    prfdata_test_process *child = prfdata_test_process_start(arguments);

    (void)state;
    prfdata_test_process_expect(child, "waiting");
    prfdata_os_region_close(&region);
    assert_false(probe(&first));
    assert_int_equal(take(&first), ERROR_SUCCESS);
    assert_int_equal(prfdata_test_process_wait(child), 0);
}

/* A new region has its owner from the beginning, so another process can never take it. */
static void test_os_new_regions_are_owned_from_the_first_moment(void **state)
{
    const char *arguments[] = {"churn", NULL};
    prfdata_test_process *child = prfdata_test_process_start(arguments);
    prfdata_os_name names[4];
    size_t count;
    bool more, done = false;

    (void)state;
    prfdata_test_process_expect(child, "ready");
    prfdata_test_process_tell(child, "go");
    while (!done) {
        assert_int_equal(prfdata_os_directory_list(folder, BOOT, names, 4, &count, &more),
                         ERROR_SUCCESS);
        for (size_t i = 0; i < count; i++) {
            done = done || strcmp(names[i].text, third.text) == 0;
            assert_true(take(&names[i]) != ERROR_SUCCESS);
        }
    }
    prfdata_test_process_expect(child, "done");
    assert_int_equal(prfdata_test_process_wait(child), 0);
}

/* ---- Read-only views ---- */

static void test_os_attached_views_cannot_be_written(void **state)
{
    const char *arguments[] = {"write", NULL};
    prfdata_os_region region = create(&first);
    prfdata_test_process *child = prfdata_test_process_start(arguments);
    char line[64];

    (void)state;
    prfdata_test_process_expect(child, "ready");
    assert_false(prfdata_test_process_read_line(child, line, sizeof(line)));
    assert_int_not_equal(prfdata_test_process_wait(child), 0);
    prfdata_os_region_close(&region);
}

/* ---- The child processes ---- */

static void child_must(bool condition, const char *what)
{
    if (condition)
        return;
    prfdata_test_process_say(what);
    exit(1);
}

static int child_own(const char *name_text)
{
    prfdata_os_region region = none;
    prfdata_os_name name;
    char line[64];

    strcpy(name.text, name_text);
    child_must(prfdata_os_region_create(folder, &name, SIZE, &region) == ERROR_SUCCESS, "create");
    region.bytes[0] = 1;
    prfdata_test_process_say("owned");
    while (prfdata_test_process_hear(line, sizeof(line))) {
        region.bytes[0]++;
        prfdata_test_process_say("written");
    }
    prfdata_os_region_close(&region);
    return 0;
}

static int child_look(const char *name_text)
{
    prfdata_os_name name;
    char line[64];

    strcpy(name.text, name_text);
    do {
        prfdata_os_region region = none;
        bool alive = false;
        uint32_t probed = prfdata_os_region_probe(folder, &name, NULL, &alive);
        uint32_t taken = prfdata_os_region_take(folder, &name, &region);

        prfdata_os_region_close(&region);
        snprintf(line, sizeof(line), "take %u probe %u %s", (unsigned)taken, (unsigned)probed,
                 alive ? "alive" : "dead");
        prfdata_test_process_say(line);
    } while (prfdata_test_process_hear(line, sizeof(line)));
    return 0;
}

static int child_wait(void)
{
    char line[64];

    prfdata_test_process_say("waiting");
    while (prfdata_test_process_hear(line, sizeof(line))) {
    }
    return 0;
}

static int child_churn(void)
{
    prfdata_os_region region = none;
    char line[64];

    prfdata_test_process_say("ready");
    child_must(prfdata_test_process_hear(line, sizeof(line)), "no parent");
    for (int i = 0; i < 300; i++) {
        child_must(prfdata_os_region_create(folder, &first, SIZE, &region) == ERROR_SUCCESS,
                   "create");
        prfdata_os_region_delete(folder, &first, &region);
    }
    child_must(prfdata_os_region_create(folder, &third, SIZE, &region) == ERROR_SUCCESS, "last");
    prfdata_test_process_say("done");
    while (prfdata_test_process_hear(line, sizeof(line))) {
    }
    prfdata_os_region_close(&region);
    return 0;
}

static int child_write(void)
{
    prfdata_os_region view = attach(&first);

    prfdata_test_process_hide_crash();
    prfdata_test_process_say("ready");
    *(volatile uint8_t *)view.bytes = 1;
    prfdata_test_process_say("no crash");
    return 0;
}

static int child_main(int argument_count, char **arguments)
{
    const char *what = arguments[1], *with = argument_count > 2 ? arguments[2] : "";
    char line[64];

    if (strcmp(what, "wait") == 0)
        return child_wait();
    if (strcmp(what, "boot") == 0 || strcmp(what, "id") == 0) {
        if (*what == 'b')
            snprintf(line, sizeof(line), "%016llx", (unsigned long long)prfdata_os_boot());
        else
            snprintf(line, sizeof(line), "%lu", (unsigned long)prfdata_os_process_id());
        prfdata_test_process_say(line);
        return 0;
    }
    prfdata_test_service_join(&service, SERVICE);
    child_must(prfdata_os_directory_open(SERVICE, &folder) == ERROR_SUCCESS, "folder");
    if (strcmp(what, "own") == 0)
        return child_own(with);
    if (strcmp(what, "look") == 0)
        return child_look(with);
    if (strcmp(what, "churn") == 0)
        return child_churn();
    return child_write();
}

#define INSTALLED(test) cmocka_unit_test_setup_teardown(test, install, os_folder_end)

int main(int argument_count, char **arguments)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_os_ticks_do_not_go_backwards),
        cmocka_unit_test(test_os_milliseconds_and_ticks_tell_the_same_time),
        cmocka_unit_test(test_os_random_numbers_differ),
        cmocka_unit_test(test_os_boot_is_the_same_in_another_process),
        cmocka_unit_test(test_os_process_id_is_another_one_in_another_process),
        cmocka_unit_test(test_os_lock_lets_one_thread_in),
        cmocka_unit_test(test_os_lock_try_refuses_a_held_lock),
        INSTALLED(test_os_setting_number_is_read),
        INSTALLED(test_os_setting_number_failure_leaves_the_value_alone),
        INSTALLED(test_os_setting_bytes_are_read_up_to_the_limit),
        INSTALLED(test_os_setting_bytes_may_be_empty),
        INSTALLED(test_os_setting_bytes_failure_leaves_the_arguments_alone),
        INSTALLED(test_os_directory_must_be_installed),
        INSTALLED(test_os_directory_must_exist),
        INSTALLED(test_os_directory_is_an_absolute_path),
        INSTALLED(test_os_directory_is_not_a_file),
        cmocka_unit_test(test_os_directory_close_takes_null),
        INSTALLED(test_os_list_is_sorted_and_has_region_names_only),
        INSTALLED(test_os_list_has_the_lowest_names_and_says_when_there_are_more),
        INSTALLED(test_os_list_looks_at_16_entries_per_name_at_most),
        INSTALLED(test_os_list_is_not_filled_by_other_boots_and_other_files),
        INSTALLED(test_os_list_of_more_than_fit_has_the_lowest_in_any_order_of_the_folder),
        INSTALLED(test_os_list_in_parts_has_every_file),
        INSTALLED(test_os_list_in_parts_has_every_file_if_last_digits_are_equal),
        INSTALLED(test_os_account_of_a_file_that_we_made_is_our_own),
#ifndef _WIN32
        INSTALLED(test_os_file_with_a_second_name_is_not_taken),
#endif
        INSTALLED(test_os_list_others_has_all_boots_but_one),
        INSTALLED(test_os_list_of_many_files_is_complete),
        INSTALLED(test_os_create_makes_zeros_in_a_file_of_this_size),
        INSTALLED(test_os_create_takes_sizes_that_are_no_pages),
        INSTALLED(test_os_create_leaves_existing_files_alone),
        INSTALLED(test_os_create_that_fails_leaves_nothing),
        INSTALLED(test_os_region_names_are_checked),
        INSTALLED(test_os_take_of_an_owned_region_is_refused),
        INSTALLED(test_os_take_keeps_the_bytes_and_makes_an_owner),
        INSTALLED(test_os_take_of_an_empty_file_has_no_view),
        INSTALLED(test_os_missing_files_are_not_found),
        INSTALLED(test_os_directories_are_no_regions),
        INSTALLED(test_os_probe_knows_the_file_of_a_view_from_another_of_its_name),
        INSTALLED(test_os_probe_knows_the_file_of_a_view_from_a_folder_of_its_name),
        INSTALLED(test_os_attach_sees_what_the_owner_writes),
        INSTALLED(test_os_attach_limits_the_size),
        INSTALLED(test_os_attach_refuses_an_empty_file),
        INSTALLED(test_os_attach_does_not_disturb_owner_or_taker),
        INSTALLED(test_os_probe_follows_the_owner),
        INSTALLED(test_os_delete_removes_the_file),
        INSTALLED(test_os_remove_deletes_only_a_file_without_owner),
        cmocka_unit_test(test_os_close_of_none_does_nothing),
        INSTALLED(test_os_owner_in_another_process_is_seen),
        INSTALLED(test_os_killed_owner_leaves_a_region_to_take),
        INSTALLED(test_os_owner_in_this_process_is_seen_by_others),
        INSTALLED(test_os_children_do_not_inherit_ownership),
        INSTALLED(test_os_new_regions_are_owned_from_the_first_moment),
        INSTALLED(test_os_attached_views_cannot_be_written),
    };

    if (argument_count > 1)
        return child_main(argument_count, arguments);
    return cmocka_run_group_tests_name("os", tests, NULL, NULL);
}
