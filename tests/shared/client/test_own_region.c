/* SPDX-License-Identifier: MIT */
/*
 * Which file a publisher gets, where many want one at once. Threads stand for processes: nothing
 * here is shared between them but the folder.
 */
#ifndef _WIN32
#define _GNU_SOURCE
#endif

#include "support/test.h"

#include <stdlib.h>
#include <string.h>

#ifndef _WIN32
#include <fcntl.h>
#include <stdarg.h>
#include <sys/syscall.h>
#include <unistd.h>
#endif

#include <prfdata/atomic.h>

#include "client/own_region.h"
#include "support/sample_map.h"
#include "support/service.h"
#include "support/threads.h"

#define SERVICE "PrfDataTestOwnRegion"

enum { PLACES = 14, WANTED = 64, OTHERS = PRFDATA_MAX_REGIONS - PLACES };

static prfdata_test_service service;
static prfdata_model *model;
static prfdata_region_layout *layout;
static prfdata_os_directory *folder;

static int install(void **state)
{
    static sample_map sample;

    (void)state;
    sample_map_init(&sample);
    sample.map.service = SERVICE;
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

/* Regions of a later version: they are left alone, and count. */
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
    uint32_t arrived; /* threads that are ready to begin; the index of the next one's region */
    uint32_t errors[WANTED];
    prfdata_own_region owns[WANTED];
} rush;

#ifndef _WIN32
static uint64_t creating = WANTED; /* files that were about to be made: from WANTED on none waits */

/* The system's, but the first file is made only when all threads have seen that there is room. */
/* NOLINTNEXTLINE(readability-inconsistent-declaration-parameter-name): those are reserved */
int openat64(int directory, const char *name, int flags, ...)
{
    va_list rest;
    int mode;

    va_start(rest, flags);
    mode = va_arg(rest, int);
    va_end(rest);
    if ((flags & O_TMPFILE) == O_TMPFILE) {
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
    all->errors[i] =
        prfdata_own_region_get(folder, model, layout, prfdata_os_boot(), &all->owns[i]);
}

static void test_own_region_of_64_at_once_those_that_fit_get_one(void **state)
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

static void test_own_region_names_are_in_the_order_of_creation(void **state)
{
    prfdata_own_region first, second;

    (void)state;
    assert_int_equal(prfdata_own_region_get(folder, model, layout, prfdata_os_boot(), &first),
                     ERROR_SUCCESS);
    prfdata_os_sleep(20); /* more than the clock's step */
    assert_int_equal(prfdata_own_region_get(folder, model, layout, prfdata_os_boot(), &second),
                     ERROR_SUCCESS);
    assert_true(strcmp(first.name.text, second.name.text) < 0);
    prfdata_os_region_delete(folder, &first.name, &first.region);
    prfdata_os_region_delete(folder, &second.name, &second.region);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, install, uninstall)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_own_region_of_64_at_once_those_that_fit_get_one),
        TEST(test_own_region_names_are_in_the_order_of_creation),
    };

    return cmocka_run_group_tests_name("own_region", tests, NULL, NULL);
}
