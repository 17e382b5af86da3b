/* SPDX-License-Identifier: MIT */
/* Tests which file a publisher gets, even if many publishers want one at the same time or a scanner
 * refuses files. Threads take the part of processes, and share only the folder. */
#ifndef _WIN32
#define _GNU_SOURCE
#endif

#include "support/test.h"

#include <stdlib.h>
#include <string.h>

#ifndef _WIN32
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <sys/file.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>
#endif

#include <prfdata/atomic.h>

#include "client/own_region.h"
#include "support/sample_map.h"
#include "support/service.h"
#include "support/threads.h"

#define SERVICE "PrfDataTestOwnRegion"

/* Each thread that wants a file opens all files one after the other. Wine's server handles one open
 * at a time, so 64 threads would need a minute there. FEW is how many places may still be free
 * after the threads have tried for the first time. */
#ifdef _WIN32
enum { PLACES = 3, WANTED = 6, FEW = 2, OTHERS = PRFDATA_MAX_REGIONS - PLACES };
#else
enum { PLACES = 14, WANTED = 64, FEW = 8, OTHERS = PRFDATA_MAX_REGIONS - PLACES };
#endif

static prfdata_test_service service;
static prfdata_model *model;
static prfdata_region_layout *layout;
static prfdata_os_directory *folder;

static int install(void **state)
{
    static sample_map sample;

    (void)state;
    sample_map_init_as(&sample, SERVICE);
    prfdata_test_service_make(&service, SERVICE, &sample.map, 0);
    assert_int_equal(prfdata_model_make(&sample.map, &model), ERROR_SUCCESS);
    assert_int_equal(prfdata_region_layout_make(model, NULL, &layout), ERROR_SUCCESS);
    assert_int_equal(prfdata_os_directory_open(SERVICE, &folder), ERROR_SUCCESS);
    return 0;
}

static int uninstall(void **state)
{
    (void)state;
    prfdata_os_directory_close(folder);
    free(layout);
    prfdata_model_free(model);
    prfdata_test_service_remove(&service);
    return 0;
}

static uint32_t get_own_region(prfdata_own_region *own)
{
    prfdata_patience patience = {0};

    return prfdata_own_region_get(folder, model, layout, prfdata_os_boot(), &patience, own);
}

/* Make files of a later format. They count towards the limit, but cannot be taken over. */
static void fill_folder(unsigned count)
{
    prfdata_region_header header = {0};

    header.magic = PRFDATA_REGION_MAGIC;
    header.major = PRFDATA_REGION_MAJOR + 1;
    for (unsigned i = 0; i < count; i++)
        assert_true(prfdata_test_service_write_file(&service, prfdata_test_region_name(i), &header,
                                                    sizeof header));
}

typedef struct rush {
    prfdata_os_lock lock;
    /* Number of threads that are ready to begin, and the index of the next thread's region. */
    uint32_t arrived;
    uint32_t errors[WANTED];
    prfdata_own_region owns[WANTED];
} rush;

#ifndef _WIN32
/* Number of threads that are about to create a file. If it is WANTED or more, no thread waits. */
static uint64_t creating = WANTED;

/* Number of files that appear just before the next file is created, as if from other programs. */
static uint32_t others_first;
static uint64_t sleeps;   /* accessed atomically, like the variables above */
static uint64_t slept_ms; /* the sum of the requested pauses; accessed atomically */

/* The parameters' names differ from the header's, which are reserved. */
/* NOLINTNEXTLINE(readability-inconsistent-declaration-parameter-name) */
int nanosleep(const struct timespec *time, struct timespec *left)
{
    prfdata_add64_relaxed(&sleeps, 1);
    prfdata_add64_relaxed(&slept_ms,
                          (uint64_t)time->tv_sec * 1000 + (uint64_t)time->tv_nsec / 1000000);
    return (int)syscall(SYS_nanosleep, time, left);
}

static bool has_own_clock; /* time passes only while the program sleeps */

/* NOLINTNEXTLINE(readability-inconsistent-declaration-parameter-name) */
int clock_gettime(clockid_t clock, struct timespec *now)
{
    if (!has_own_clock)
        return (int)syscall(SYS_clock_gettime, clock, now);
    now->tv_sec = (time_t)(slept_ms / 1000);
    now->tv_nsec = (long)(slept_ms % 1000) * 1000000;
    return 0;
}

/* Call the system's function. The first file is created only when all threads have seen that there
 * is room. */
/* NOLINTNEXTLINE(readability-inconsistent-declaration-parameter-name) */
int openat64(int directory, const char *name, int flags, ...)
{
    va_list rest;
    int mode;

    va_start(rest, flags);
    mode = va_arg(rest, int);
    va_end(rest);
    if ((flags & O_TMPFILE) == O_TMPFILE) {
        const uint32_t others = prfdata_load32_relaxed(&others_first);

        if (others > 0) { /* only a test with a single thread sets this */
            prfdata_store32_relaxed(&others_first, 0);
            fill_folder(others);
        }
        prfdata_add64_relaxed(&creating, 1);
        while (prfdata_load64_relaxed(&creating) < WANTED)
            prfdata_os_sleep(1);
    }
    return (int)syscall(SYS_openat, directory, name, flags, mode);
}
#endif

static void get_at_once(void *context)
{
    rush *all = context;
    uint32_t i;

    prfdata_os_lock_enter(&all->lock);
    i = all->arrived;
    prfdata_store32_relaxed(&all->arrived, i + 1);
    prfdata_os_lock_leave(&all->lock);
    while (prfdata_load32_relaxed(&all->arrived) < WANTED)
        prfdata_os_sleep(1);
    all->errors[i] = get_own_region(&all->owns[i]);
}

/* A publisher waits for at most a second. On a busy machine other publishers may need longer to
 * give up their files, so a publisher that got no file tries again, and gets one of the places that
 * are left. */
static void take_what_is_left(rush *all)
{
    prfdata_os_name names[PRFDATA_MAX_REGIONS];
    size_t count;
    bool more;

    for (uint32_t i = 0; i < WANTED; i++) {
        assert_int_equal(prfdata_os_directory_list(folder, prfdata_os_boot(), names,
                                                   PRFDATA_MAX_REGIONS, &count, &more),
                         ERROR_SUCCESS);
        if (count == PRFDATA_MAX_REGIONS)
            return;
        assert_true(count >= PRFDATA_MAX_REGIONS - FEW);
        if (all->errors[i] == ERROR_NOT_ENOUGH_QUOTA)
            all->errors[i] = get_own_region(&all->owns[i]);
    }
}

static void test_own_region_of_many_at_once_those_that_fit_get_one(void **state)
{
    static rush all;
    prfdata_os_name names[PRFDATA_MAX_REGIONS];
    unsigned got = 0, refused = 0, shown = 0;
    size_t count;
    bool more;

    (void)state;
#ifndef _WIN32
    creating = 0;
#endif
    fill_folder(OTHERS);
    prfdata_test_threads_run(WANTED, get_at_once, &all);
    take_what_is_left(&all);
    assert_int_equal(prfdata_os_directory_list(folder, prfdata_os_boot(), names,
                                               PRFDATA_MAX_REGIONS, &count, &more),
                     ERROR_SUCCESS);
    assert_int_equal(count, PRFDATA_MAX_REGIONS);
    assert_false(more);
    for (size_t i = 0; i < WANTED; i++) {
        if (all.errors[i]) {
            refused += all.errors[i] == ERROR_NOT_ENOUGH_QUOTA;
            continue;
        }
        got++;
        for (size_t j = 0; j < count; j++)
            shown += strcmp(names[j].text, all.owns[i].name.text) == 0;
        prfdata_os_region_delete(folder, &all.owns[i].name, &all.owns[i].region);
    }
    assert_int_equal(got, PLACES);
    assert_int_equal(shown, PLACES);
    assert_int_equal(refused, WANTED - PLACES);
}

#ifndef _WIN32
/* The other publishers wait until this publisher gives up, so it must not wait for them. */
static void test_own_region_that_does_not_fit_gives_up_at_once(void **state)
{
    prfdata_os_name names[PRFDATA_MAX_REGIONS];
    prfdata_own_region own;
    size_t count;
    bool more;

    (void)state;
    others_first = PRFDATA_MAX_REGIONS;
    sleeps = 0;
    assert_int_equal(get_own_region(&own), ERROR_NOT_ENOUGH_QUOTA);
    assert_int_equal(others_first, 0);
    assert_int_equal(sleeps, 0);
    assert_int_equal(prfdata_os_directory_list(folder, prfdata_os_boot(), names,
                                               PRFDATA_MAX_REGIONS, &count, &more),
                     ERROR_SUCCESS);
    assert_int_equal(count, PRFDATA_MAX_REGIONS);
    assert_false(more);
}
#endif

static void test_own_region_names_are_in_the_order_of_creation(void **state)
{
    prfdata_own_region owns[8];

    (void)state;
    for (size_t i = 0; i < 8; i++) {
        assert_int_equal(get_own_region(&owns[i]), ERROR_SUCCESS);
        prfdata_os_sleep(20); /* longer than a tick of the clock */
        if (i > 0)
            assert_true(strcmp(owns[i - 1].name.text, owns[i].name.text) < 0);
    }
    for (size_t i = 0; i < 8; i++)
        prfdata_os_region_delete(folder, &owns[i].name, &owns[i].region);
}

#ifndef _WIN32
/* Make a region without an owner, like one of an ended process. */
static void leave_region(prfdata_os_name *name)
{
    prfdata_own_region own;

    assert_int_equal(get_own_region(&own), ERROR_SUCCESS);
    prfdata_region_format(own.region.bytes, model, layout, prfdata_os_boot(), 1000);
    prfdata_os_region_close(&own.region);
    *name = own.name;
}

static unsigned locks_to_refuse;

/* NOLINTNEXTLINE(readability-inconsistent-declaration-parameter-name) */
int flock(int file, int operation)
{
    if ((operation & LOCK_EX) && locks_to_refuse > 0) {
        locks_to_refuse--;
        errno = EWOULDBLOCK;
        return -1;
    }
    return (int)syscall(SYS_flock, file, operation);
}

/* A scanner refuses to open existing files for this many attempts. The test counts attempts instead
 * of time. */
static unsigned refusals_left;

static bool is_refused_now(void)
{
    if (refusals_left == 0)
        return false;
    refusals_left--;
    return true;
}

/* NOLINTBEGIN(clang-diagnostic-reserved-identifier): the linker wants these names */
uint32_t __real_prfdata_os_region_take(prfdata_os_directory *directory, const prfdata_os_name *name,
                                       prfdata_os_region *region);
uint32_t __wrap_prfdata_os_region_take(prfdata_os_directory *directory, const prfdata_os_name *name,
                                       prfdata_os_region *region);
uint32_t __wrap_prfdata_os_region_take(prfdata_os_directory *directory, const prfdata_os_name *name,
                                       prfdata_os_region *region)
{
    return is_refused_now() ? ERROR_SHARING_VIOLATION
                            : __real_prfdata_os_region_take(directory, name, region);
}

uint32_t __real_prfdata_os_region_probe(prfdata_os_directory *directory,
                                        const prfdata_os_name *name, const prfdata_os_region *view,
                                        bool *alive);
uint32_t __wrap_prfdata_os_region_probe(prfdata_os_directory *directory,
                                        const prfdata_os_name *name, const prfdata_os_region *view,
                                        bool *alive);
uint32_t __wrap_prfdata_os_region_probe(prfdata_os_directory *directory,
                                        const prfdata_os_name *name, const prfdata_os_region *view,
                                        bool *alive)
{
    return is_refused_now() ? ERROR_SHARING_VIOLATION
                            : __real_prfdata_os_region_probe(directory, name, view, alive);
}
/* NOLINTEND(clang-diagnostic-reserved-identifier) */

static void assert_left_region_is_taken(const prfdata_os_name *left)
{
    prfdata_own_region own;

    assert_int_equal(get_own_region(&own), ERROR_SUCCESS);
    assert_string_equal(own.name.text, left->text);
    assert_non_null(own.layout);
    free(own.layout);
    prfdata_os_region_close(&own.region);
}

/* Error 32 does not mean that a region has an owner (docs/region-format.md, "Names and
 * lifetime"). */
static void test_own_region_that_is_refused_for_a_while_is_taken_after_it(void **state)
{
    prfdata_os_name left;

    (void)state;
    leave_region(&left);
    for (unsigned refusals = 1; refusals <= 12; refusals++) {
        refusals_left = refusals;
        assert_left_region_is_taken(&left);
        assert_int_equal(refusals_left, 0);
    }
    assert_int_equal(prfdata_test_service_files(&service, NULL, 0), 1);
}

/* The wait does not get longer if more files are refused, or if they are refused for longer. */
static void test_own_region_that_is_refused_for_ever_costs_a_second(void **state)
{
    enum { FILES = 40 };
    prfdata_own_region owns[FILES], own;

    (void)state;
    for (size_t i = 0; i < FILES; i++)
        assert_int_equal(get_own_region(&owns[i]), ERROR_SUCCESS);
    for (size_t i = 0; i < FILES; i++)
        prfdata_os_region_close(&owns[i].region);
    refusals_left = UINT_MAX;
    slept_ms = 0;
    has_own_clock = true;
    assert_int_equal(get_own_region(&own), ERROR_SUCCESS);
    has_own_clock = false;
    refusals_left = 0;
    assert_int_equal(slept_ms, 1000);
    assert_null(own.layout);
    prfdata_os_region_delete(folder, &own.name, &own.region);
}

/* A program that starts while others run must not wait long. */
static void test_own_region_of_a_living_program_costs_one_pause(void **state)
{
    prfdata_own_region first, second;

    (void)state;
    assert_int_equal(get_own_region(&first), ERROR_SUCCESS);
    sleeps = 0;
    slept_ms = 0;
    assert_int_equal(get_own_region(&second), ERROR_SUCCESS);
    assert_int_equal(sleeps, 1);
    assert_int_equal(slept_ms, 2);
    assert_null(second.layout);
    prfdata_os_region_delete(folder, &first.name, &first.region);
    prfdata_os_region_delete(folder, &second.name, &second.region);
}

/* A provider that probes the file looks like an owner for a moment. */
static void test_own_region_that_is_probed_is_taken_at_the_second_attempt(void **state)
{
    prfdata_own_region own;
    prfdata_os_name left;

    (void)state;
    leave_region(&left);
    locks_to_refuse = 1;
    assert_int_equal(get_own_region(&own), ERROR_SUCCESS);
    assert_int_equal(locks_to_refuse, 0);
    assert_string_equal(own.name.text, left.text);
    assert_non_null(own.layout);
    free(own.layout);
    prfdata_os_region_delete(folder, &own.name, &own.region);
}
#endif

/* The first 64 files cannot be deleted, as if they belonged to other accounts. */
static void test_own_region_sweep_reaches_its_own_files_after_many_others(void **state)
{
    enum { STAY = 64 };
    prfdata_os_region staying[STAY];
    prfdata_os_name names[STAY], goes;

    (void)state;
    for (uint64_t i = 0; i < STAY; i++) {
        const prfdata_os_region none = PRFDATA_OS_REGION_NONE;

        staying[i] = none;
        prfdata_os_name_make(&names[i], 7, i);
        assert_int_equal(prfdata_os_region_create(folder, &names[i], 4096, &staying[i]),
                         ERROR_SUCCESS);
    }
    prfdata_os_name_make(&goes, 7, STAY);
    assert_true(prfdata_test_service_write_file(&service, goes.text, "old", 3));
    for (int i = 0; i < 20; i++) { /* each attempt succeeds with a probability of 64/65 */
        prfdata_own_region own;

        assert_int_equal(get_own_region(&own), ERROR_SUCCESS);
        prfdata_os_region_delete(folder, &own.name, &own.region);
    }
    assert_int_equal(prfdata_test_service_files(&service, NULL, 0), STAY);
    for (size_t i = 0; i < STAY; i++)
        prfdata_os_region_delete(folder, &names[i], &staying[i]);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, install, uninstall)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_own_region_of_many_at_once_those_that_fit_get_one),
        TEST(test_own_region_names_are_in_the_order_of_creation),
#ifndef _WIN32
        TEST(test_own_region_that_does_not_fit_gives_up_at_once),
        TEST(test_own_region_that_is_refused_for_a_while_is_taken_after_it),
        TEST(test_own_region_that_is_refused_for_ever_costs_a_second),
        TEST(test_own_region_of_a_living_program_costs_one_pause),
        TEST(test_own_region_that_is_probed_is_taken_at_the_second_attempt),
#endif
        TEST(test_own_region_sweep_reaches_its_own_files_after_many_others),
    };

    return cmocka_run_group_tests_name("own_region", tests, NULL, NULL);
}
