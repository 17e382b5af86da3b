/* SPDX-License-Identifier: MIT */
/* Tests prfdata_open_file() with real files and a real installation of the same map. */
#include "support/test.h"

#include <stdio.h>
#include <string.h>

#include <prfdata/map_file.h>

#include "client/publisher.h"
#include "support/sample_map.h"
#include "support/service.h"

#define SERVICE        "PrfDataTestOpenFile"
#define FILE_PATH      "open_file_test.prfmap"
#define WIDE_FILE_PATH L"open_file_test.prfmap"

enum { ID_JOBS = 102, ID_QUEUES = 100 };

static prfdata_test_service service;
static sample_map sample;

static void write_file(const char *text)
{
    FILE *file = fopen(FILE_PATH, "wb");

    assert_non_null(file);
    assert_int_equal(fwrite(text, 1, strlen(text), file), strlen(text));
    assert_int_equal(fclose(file), 0);
}

static void write_sample(void)
{
    static char text[16384];

    assert_true(prfdata_map_file_write(&sample.map, PRFDATA_MAP_FILE_TEXT, text, sizeof text) <
                sizeof text);
    write_file(text);
}

static int install(void **state)
{
    (void)state;
    sample_map_init_as(&sample, SERVICE);
    prfdata_test_service_make(&service, SERVICE, &sample.map, 0);
    write_sample();
    return 0;
}

static int uninstall(void **state)
{
    (void)state;
    prfdata_test_service_remove(&service);
    remove(FILE_PATH);
    return 0;
}

static int64_t count_jobs(prfdata_publisher *publisher, int64_t jobs)
{
    prfdata_instance mail;
    prfdata_handle handle;

    assert_int_equal(prfdata_instance_add(publisher, ID_QUEUES, L"mail", NULL, &mail), 0);
    assert_int_equal(prfdata_resolve(publisher, ID_JOBS, &mail, &handle), ERROR_SUCCESS);
    prfdata_add(handle, jobs);
    return prfdata_get(handle);
}

static void test_open_file_publishes_as_the_compiled_map_does(void **state)
{
    prfdata_publisher *publisher;

    (void)state;
    assert_int_equal(prfdata_open_file(WIDE_FILE_PATH, &publisher), ERROR_SUCCESS);
    assert_int_equal(count_jobs(publisher, 3), 3);
    prfdata_close_and_unmap(publisher);
    /* A program with the compiled map takes over the region of the program with the map file. */
    assert_int_equal(prfdata_open(&sample.map, &publisher), ERROR_SUCCESS);
    assert_int_equal(count_jobs(publisher, 4), 7);
    prfdata_close_and_unmap(publisher);
}

static void test_open_file_again_goes_on_with_what_was_closed(void **state)
{
    prfdata_publisher *first, *second;

    (void)state;
    assert_int_equal(prfdata_open_file(WIDE_FILE_PATH, &first), ERROR_SUCCESS);
    assert_int_equal(count_jobs(first, 3), 3);
    prfdata_close(first);
    remove(FILE_PATH);
    write_sample();
    assert_int_equal(prfdata_open_file(WIDE_FILE_PATH, &second), ERROR_SUCCESS);
    assert_int_equal(count_jobs(second, 4), 7);
    prfdata_close_and_unmap(second);
}

/* Maps are never freed, so a program that opens the same map several times must not get a new one
 * each time. */
static void test_open_file_keeps_one_map_for_what_says_the_same(void **state)
{
    prfdata_publisher *first, *second, *third;

    (void)state;
    assert_int_equal(prfdata_open_file(WIDE_FILE_PATH, &first), ERROR_SUCCESS);
    assert_int_equal(prfdata_open_file(WIDE_FILE_PATH, &second), ERROR_SUCCESS);
    sample.entries[QUEUES].help = L"Other help, the same service.";
    write_sample();
    assert_int_equal(prfdata_open_file(WIDE_FILE_PATH, &third), ERROR_SUCCESS);
    assert_ptr_equal(first->model->map, second->model->map);
    assert_ptr_not_equal(first->model->map, third->model->map);
    prfdata_close_and_unmap(first);
    prfdata_close_and_unmap(second);
    prfdata_close_and_unmap(third);
}

static void test_open_file_says_which_line_is_wrong(void **state)
{
    prfdata_publisher *publisher = (prfdata_publisher *)(void *)&service;
    char text[PRFDATA_STATUS_BYTES];

    (void)state;
    write_file("[info]\ndrivername=" SERVICE "\n[object QUEUES]\nid=one\n");
    assert_int_equal(prfdata_open_file(WIDE_FILE_PATH, &publisher), ERROR_INVALID_DATA);
    assert_null(publisher);
    assert_int_equal(prfdata_status(NULL, text, sizeof text), ERROR_INVALID_DATA);
    assert_string_equal(text,
                        "A program does not count the performance counters of the map file "
                        "open_file_test.prfmap, because of its line 4: id=\"one\" is "
                        "invalid; it must be a number from 0 to 4294967295. Correct the file.");
    prfdata_close(publisher);
}

static void test_open_file_says_why_there_is_no_file(void **state)
{
    prfdata_publisher *publisher = (prfdata_publisher *)(void *)&service;
    char text[PRFDATA_STATUS_BYTES];

    (void)state;
    assert_int_equal(prfdata_open_file(L"not there.prfmap", &publisher), ERROR_FILE_NOT_FOUND);
    assert_null(publisher);
    assert_int_equal(prfdata_status(NULL, text, sizeof text), ERROR_FILE_NOT_FOUND);
    assert_non_null(strstr(text, "the map file not there.prfmap, because it cannot read the file "
                                 "(error 2): "));
}

#define TEST(function) cmocka_unit_test_setup_teardown(function, install, uninstall)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_open_file_publishes_as_the_compiled_map_does),
        TEST(test_open_file_again_goes_on_with_what_was_closed),
        TEST(test_open_file_keeps_one_map_for_what_says_the_same),
        TEST(test_open_file_says_which_line_is_wrong),
        TEST(test_open_file_says_why_there_is_no_file),
    };

    return cmocka_run_group_tests_name("open_file", tests, NULL, NULL);
}
