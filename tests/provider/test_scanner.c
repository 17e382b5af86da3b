/* SPDX-License-Identifier: MIT */
/* Tests a program and a reader while a virus scanner refuses to let them open files
 * (docs/region-format.md, "Names and lifetime"). Windows only. */
#include <windows.h>
#include <winperf.h>

#include "support/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <prfdata/prfdata.h>

#include "collect/provider.h"
#include "support/process.h"
#include "support/sample_map.h"
#include "support/scanner.h"
#include "support/service.h"
#include "system/patience.h"

#define SERVICE "PrfDataTestScanner"

enum { RUNS = 5, LIVING = 3 };

static const uint32_t scan_times[] = {0, 5, 30, 200};
enum { SCAN_TIMES = sizeof scan_times / sizeof scan_times[0] };

static sample_map sample;
static prfdata_test_service service;
static prfdata_test_process *living[LIVING];

static int install(void **state)
{
    (void)state;
    prfdata_test_service_make(&service, SERVICE, &sample.map, 5000);
    scanner_begin_clock();
    return 0;
}

static void end_programs(void)
{
    for (int i = 0; i < LIVING; i++)
        if (living[i])
            prfdata_test_process_kill(living[i]);
    memset(living, 0, sizeof living);
}

static int uninstall(void **state)
{
    (void)state;
    scanner_scan(0, L"");
    end_programs();
    return prfdata_test_service_end(&service);
}

/* ---- The publishing program ---- */

/* Publishes an instance. Then runs until the parent ends or kills this program. */
static int publish(const char *scan_ms)
{
    prfdata_publisher *publisher;
    prfdata_instance queue;
    char line[16];

    scanner_scan((uint32_t)atoi(scan_ms), L".region");
    if (prfdata_open(&sample.map, &publisher) ||
        prfdata_instance_add(publisher, sample.entries[QUEUES].id, L"mail", NULL, &queue))
        return 1;
    prfdata_test_process_say("published");
    (void)prfdata_test_process_hear(line, sizeof line);
    prfdata_close(publisher);
    return 0;
}

static prfdata_test_process *start_program(uint32_t scan_ms)
{
    char text[16];
    const char *arguments[] = {text, NULL};
    prfdata_test_process *program;

    snprintf(text, sizeof text, "%u", (unsigned)scan_ms);
    program = prfdata_test_process_start(arguments);
    prfdata_test_process_expect(program, "published");
    return program;
}

static void start_programs(void)
{
    for (int i = 0; i < LIVING; i++)
        living[i] = start_program(0);
}

static void test_scanner_does_not_make_programs_leave_files(void **state)
{
    (void)state;
    for (int i = 0; i < SCAN_TIMES; i++)
        for (int run = 0; run < RUNS; run++) {
            prfdata_test_process_kill(start_program(scan_times[i]));
            assert_int_equal(prfdata_test_service_files(&service, NULL, 0), 1);
        }
}

/* ---- The reader ---- */

/* Returns how many instances the first object has, or 0 if it is missing. */
static long collect_instances(prfdata_provider *provider)
{
    static unsigned char buffer[1 << 20];
    void *at = buffer;
    uint32_t bytes = sizeof buffer, objects = 0;

    assert_int_equal(
        prfdata_provider_collect(provider, (const uint16_t *)L"Global", &at, &bytes, &objects),
        ERROR_SUCCESS);
    return objects ? (long)((const PERF_OBJECT_TYPE *)(const void *)buffer)->NumInstances : 0;
}

static void test_scanner_does_not_hide_counters_from_the_first_sample(void **state)
{
    (void)state;
    prfdata_test_process_kill(start_program(0));
    start_programs();
    for (int i = 0; i < SCAN_TIMES; i++) {
        prfdata_provider *provider;

        (void)scanner_slept_ms();
        scanner_scan(scan_times[i], L".region");
        assert_int_equal(prfdata_provider_open(SERVICE, &provider), ERROR_SUCCESS);
        assert_int_equal(collect_instances(provider), 2); /* mail and _Total */
        assert_true((scan_times[i] > 0) == (scanner_slept_ms() > 0));
        prfdata_provider_close(provider);
    }
}

/* If all files are always refused, Open waits one second in total. Collect does not wait. */
static void test_scanner_that_never_ends_is_waited_for_once(void **state)
{
    prfdata_provider *provider;

    (void)state;
    start_programs();
    scanner_scan(INFINITE, L".region");
    (void)scanner_slept_ms();
    assert_int_equal(prfdata_provider_open(SERVICE, &provider), ERROR_SUCCESS);
    assert_int_equal(scanner_slept_ms(), PRFDATA_PATIENCE_MS);
    prfdata_provider_set_refresh(provider, 0);
    for (int i = 0; i < 5; i++)
        (void)collect_instances(provider);
    assert_int_equal(scanner_slept_ms(), 0);
    assert_true(scanner_refusals() > 0);
    prfdata_provider_close(provider);
}

/* While files are refused, a reader keeps what it knew about a program, whether the program was
 * running or had ended. */
static void test_scanner_leaves_the_last_answer(void **state)
{
    prfdata_test_process *program = start_program(0);
    prfdata_provider *provider;

    (void)state;
    assert_int_equal(prfdata_provider_open(SERVICE, &provider), ERROR_SUCCESS);
    prfdata_provider_set_refresh(provider, 0);
    assert_int_equal(collect_instances(provider), 2);
    scanner_scan(INFINITE, L".region");
    assert_int_equal(collect_instances(provider), 2);
    prfdata_test_process_kill(program);
    assert_int_equal(collect_instances(provider), 2);
    scanner_scan(0, L"");
    assert_int_equal(collect_instances(provider), 1); /* _Total */
    scanner_scan(INFINITE, L".region");
    assert_int_equal(collect_instances(provider), 1);
    prfdata_provider_close(provider);
}

/* ---- The cost of a refresh: docs/performance.md ---- */

static unsigned opens_of_a_refresh(prfdata_provider *provider)
{
    scanner_scan(0, L"");
    (void)collect_instances(provider);
    return scanner_opens();
}

static void test_scanner_sees_one_open_per_region_and_two_of_the_folder(void **state)
{
    prfdata_provider *provider;

    (void)state;
    scanner_scan(0, L"");
    assert_int_equal(prfdata_provider_open(SERVICE, &provider), ERROR_SUCCESS);
    prfdata_provider_set_refresh(provider, 0);
    assert_int_equal(opens_of_a_refresh(provider), 2);
    start_programs();
    (void)opens_of_a_refresh(provider);
    assert_int_equal(opens_of_a_refresh(provider), 2 + LIVING);
    end_programs();
    (void)opens_of_a_refresh(provider);
    assert_int_equal(opens_of_a_refresh(provider), 2 + LIVING);
    prfdata_provider_close(provider);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, install, uninstall)

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        TEST(test_scanner_does_not_make_programs_leave_files),
        TEST(test_scanner_does_not_hide_counters_from_the_first_sample),
        TEST(test_scanner_that_never_ends_is_waited_for_once),
        TEST(test_scanner_leaves_the_last_answer),
        TEST(test_scanner_sees_one_open_per_region_and_two_of_the_folder),
    };

    sample_map_init_as(&sample, SERVICE);
    if (argc > 1)
        return publish(argv[1]);
    return cmocka_run_group_tests_name("scanner", tests, NULL, NULL);
}
