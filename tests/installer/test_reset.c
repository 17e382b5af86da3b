/* SPDX-License-Identifier: MIT */
/* Tests setting counts to zero: what a provider shows before and after, with ended programs and
 * running ones. Windows only. */
#include "support/test.h"

#include <stdio.h>
#include <string.h>

#include <windows.h>
#include <winternl.h>

#include <prfdata/prfdata.h>

#include "support/import_table.h"
#include "support/installer/install_scene.h"
#include "support/provider/collecting.h"
#include "system/os_name.h"

enum { QUEUE_ID = 100, JOBS_ID = 102, JOBS_AT = 1 };

static prfdata_provider *provider_that_runs;

static prfdata_publisher *count_jobs(const wchar_t *instance, int64_t jobs)
{
    prfdata_publisher *publisher;
    prfdata_instance added;
    prfdata_handle handle;

    assert_int_equal(prfdata_open(&sample.map, &publisher), ERROR_SUCCESS);
    assert_int_equal(prfdata_instance_add(publisher, QUEUE_ID, instance, NULL, &added), 0);
    assert_int_equal(prfdata_resolve(publisher, JOBS_ID, &added, &handle), ERROR_SUCCESS);
    prfdata_add(handle, jobs);
    return publisher;
}

static long jobs_of(prfdata_provider *asked, const char *instance)
{
    const DWORD title = number_of(PERFKEY, L"First Counter");
    collected taken;
    uint64_t jobs;
    char query[16];

    snprintf(query, sizeof query, "%lu", (unsigned long)title);
    collected_take(&taken, asked, query);
    jobs = collected_value(&taken, title, "", instance, JOBS_AT);
    collected_free(&taken);
    return (long)jobs;
}

static long jobs_shown_to_a_new_reader(const char *instance)
{
    prfdata_provider *asked;
    long jobs;

    assert_int_equal(prfdata_provider_open(SERVICE, &asked), ERROR_SUCCESS);
    jobs = jobs_of(asked, instance);
    prfdata_provider_close(asked);
    return jobs;
}

static int set_up_reader(void **state)
{
    set_up(state);
    assert_done(install());
    assert_int_equal(prfdata_provider_open(SERVICE, &provider_that_runs), ERROR_SUCCESS);
    prfdata_provider_set_refresh(provider_that_runs, 0);
    return 0;
}

static int tear_down_reader(void **state)
{
    prfdata_provider_close(provider_that_runs);
    return tear_down(state);
}

static void test_reset_ended_programs_count_nothing_and_running_ones_go_on(void **state)
{
    prfdata_publisher *ended = count_jobs(L"mail", 100);
    prfdata_publisher *running = count_jobs(L"mail", 7);
    wchar_t text[64];

    (void)state;
    assert_int_equal(jobs_of(provider_that_runs, "_Total"), 107);
    prfdata_close_and_unmap(ended);
    assert_int_equal(jobs_of(provider_that_runs, "_Total"), 107);

    assert_done(reset());
    assert_reported(L"Reset: the counts of ended programs are zero");
    assert_reported(L"Programs that run keep what they counted: regions 1");
    assert_true(swprintf(text, 64, L"process %lu, ", (unsigned long)GetCurrentProcessId()) > 0);
    assert_reported(text);
    assert_int_equal(number_of(PERFKEY, L"Resets"), 1);
    assert_int_equal(jobs_shown_to_a_new_reader("_Total"), 7);
    /* This provider had mapped the region of the ended program. It keeps showing the counts of
     * ended programs, but not those from before a reset. */
    assert_int_equal(jobs_of(provider_that_runs, "_Total"), 7);
    assert_int_equal(jobs_of(provider_that_runs, "mail"), 7);
    prfdata_close_and_unmap(running);
}

/* A region that a reader has mapped stays as a file, but no program uses it again. */
static void test_reset_what_a_reader_holds_does_not_come_back(void **state)
{
    prfdata_publisher *again;

    (void)state;
    prfdata_close_and_unmap(count_jobs(L"mail", 100));
    assert_int_equal(jobs_of(provider_that_runs, "_Total"), 100);
    assert_done(reset());
    assert_reported(L"Regions that readers have open: 1");
    assert_int_equal(step_count[PRFDATA_STEP_FAILED], 0);
    again = count_jobs(L"mail", 3);
    assert_int_equal(jobs_of(provider_that_runs, "_Total"), 3);
    assert_int_equal(jobs_shown_to_a_new_reader("_Total"), 3);
    prfdata_close_and_unmap(again);
}

/* An account that may publish gave the name of a region to another file, as a link. Nothing is
 * written into that file. */
static void test_reset_does_not_write_into_a_file_that_has_another_name(void **state)
{
    unsigned char bytes[4096];
    wchar_t other[MAX_PATH], link[MAX_PATH];

    (void)state;
    memset(bytes, 0xA5, sizeof bytes);
    path_in(other, data, L"other");
    path_in(link, regions, OF_BOOT L"0123456789abcdef.region");
    write_file(other, bytes, sizeof bytes);
    assert_true(CreateHardLinkW(link, other, NULL));
    assert_done(reset());
    assert_reported(L"Regions removed: 1");
    assert_false(exists(link));
    assert_true(file_is(data, L"other", bytes, sizeof bytes));
    assert_true(DeleteFileW(other));
}

/* An account may set the attributes of its files. The file of an ended program is read-only. */
static void test_reset_removes_a_file_that_is_read_only(void **state)
{
    WIN32_FIND_DATAW found;
    wchar_t pattern[MAX_PATH], file[MAX_PATH];
    HANDLE search;

    (void)state;
    prfdata_close_and_unmap(count_jobs(L"mail", 100));
    path_in(pattern, regions, L"*.region");
    search = FindFirstFileW(pattern, &found);
    assert_true(search != INVALID_HANDLE_VALUE);
    FindClose(search);
    path_in(file, regions, found.cFileName);
    assert_true(SetFileAttributesW(file, FILE_ATTRIBUTE_READONLY));
    assert_done(reset());
    assert_reported(L"Regions removed: 1");
    assert_int_equal(jobs_shown_to_a_new_reader("_Total"), 0);
    assert_false(exists(file));
}

/* ---- A file whose owner denies everything ---- */

#define ACCESS_DENIED ((NTSTATUS)0xC0000022L)

typedef NTSTATUS(NTAPI *region_open_function)(PHANDLE, ACCESS_MASK, POBJECT_ATTRIBUTES,
                                              PIO_STATUS_BLOCK, PLARGE_INTEGER, ULONG, ULONG, ULONG,
                                              ULONG, PVOID, ULONG);

static region_open_function real_create_file;
static bool denies;

static bool is_region(const UNICODE_STRING *name)
{
    static const wchar_t end[] = L".region";
    const size_t chars = name->Length / sizeof(wchar_t);

    return chars > 7 && wmemcmp(name->Buffer + chars - 7, end, 7) == 0;
}

/* Stands in for a system that checks access lists, which Wine does not do for root. An access list
 * with no entry at all leaves the rights that the folder gives: to delete, and to read
 * attributes. */
static NTSTATUS NTAPI create_file(PHANDLE file, ACCESS_MASK access, POBJECT_ATTRIBUTES attributes,
                                  PIO_STATUS_BLOCK result, PLARGE_INTEGER size, ULONG flags,
                                  ULONG share, ULONG disposition, ULONG how, PVOID extended,
                                  ULONG extended_size)
{
    if (denies && is_region(attributes->ObjectName) &&
        (access & ~(ACCESS_MASK)(DELETE | FILE_READ_ATTRIBUTES)))
        return ACCESS_DENIED;
    return real_create_file(file, access, attributes, result, size, flags, share, disposition, how,
                            extended, extended_size);
}

static uint32_t run_denied(uint32_t (*run)(void))
{
    uint32_t status;

    if (!real_create_file)
        real_create_file = (region_open_function)(void (*)(void))import_table_replace(
            "ntdll.dll", "NtCreateFile", (import_table_function)(void (*)(void))create_file);
    denies = true;
    status = run();
    denies = false;
    return status;
}

/* The owner of a region may give it an access list of its own. Rights on the folder are enough to
 * delete the file. */
static void test_reset_removes_a_file_whose_owner_denies_everything(void **state)
{
    (void)state;
    prfdata_close_and_unmap(count_jobs(L"mail", 100));
    assert_done(run_denied(reset));
    assert_reported(L"Regions removed: 1");
    assert_int_equal(jobs_shown_to_a_new_reader("_Total"), 0);
}

static void test_reset_leaves_a_program_whose_file_denies_everything(void **state)
{
    prfdata_publisher *running = count_jobs(L"mail", 7);

    (void)state;
    assert_done(run_denied(reset));
    assert_reported(L"Programs that run keep what they counted: regions 1");
    assert_int_equal(jobs_shown_to_a_new_reader("_Total"), 7);
    prfdata_close_and_unmap(running);
    assert_done(run_denied(uninstall));
    assert_false(exists(regions));
}

static void test_reset_counts_each_time(void **state)
{
    (void)state;
    assert_done(reset());
    assert_done(reset());
    assert_int_equal(number_of(PERFKEY, L"Resets"), 2);
    set_text(PERFKEY, L"Resets", L"text"); /* the value is invalid, so it begins with 1 again */
    assert_done(reset());
    assert_int_equal(number_of(PERFKEY, L"Resets"), 1);
    assert_done(install());
    assert_int_equal(number_of(PERFKEY, L"Resets"), 1);
}

/* Any version may reset the counts, because they belong to the service. */
static void test_reset_does_not_ask_for_the_version_of_the_map(void **state)
{
    prfdata_map_entry counter = sample_map_counter(900, PERF_COUNTER_RAWCOUNT);

    (void)state;
    sample_map_insert(&sample, JOBS, &counter);
    assert_done(reset());
}

static void test_reset_needs_a_registration_that_is_ours(void **state)
{
    (void)state;
    delete_value(PERFKEY, L"Regions");
    assert_unchanged_by(reset, ERROR_INVALID_DATA);
    assert_reported(L"Run -Install");
    assert_done(uninstall());
    assert_int_equal(reset(), ERROR_FILE_NOT_FOUND);
    set_text(PERFKEY, L"Library", L"other.dll");
    assert_unchanged_by(reset, ERROR_ALREADY_EXISTS);
    sample.map.service = "..\\Tcpip";
    assert_int_equal(reset(), ERROR_INVALID_PARAMETER);
    sample.map.service = SERVICE;
}

#define TEST(function) cmocka_unit_test_setup_teardown(function, set_up_reader, tear_down_reader)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_reset_ended_programs_count_nothing_and_running_ones_go_on),
        TEST(test_reset_what_a_reader_holds_does_not_come_back),
        TEST(test_reset_does_not_write_into_a_file_that_has_another_name),
        TEST(test_reset_removes_a_file_that_is_read_only),
        TEST(test_reset_removes_a_file_whose_owner_denies_everything),
        TEST(test_reset_leaves_a_program_whose_file_denies_everything),
        TEST(test_reset_counts_each_time),
        TEST(test_reset_does_not_ask_for_the_version_of_the_map),
        TEST(test_reset_needs_a_registration_that_is_ours),
    };

    return cmocka_run_group_tests_name("reset", tests, NULL, NULL);
}
