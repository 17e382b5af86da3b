/* SPDX-License-Identifier: MIT */
/* Tests prfread -dll, which calls a provider without the system. The providers are
 * tests/providers/fixed.c and faulty ones. */
#include "support/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <windows.h>

#include "support/program_run.h"
#include "support/service.h"

#define FIRST_COUNTER 7710000

#define FIXED  "-open FixedOpen -collect FixedCollect -close FixedClose "
#define FAULTY "-open FaultyOpen -collect FaultyCollect -close FaultyClose "

static char fixed_dll[MAX_PATH + 40];
static char faulty_dll[MAX_PATH + 40];
static char folder[MAX_PATH];

/* ---- A provider without mistakes ---- */

static void test_source_dll_lists_what_global_gives(void **state)
{
    char arguments[1024];

    (void)state;
    snprintf(arguments, sizeof arguments, "-dll \"%s\" " FIXED "-qx", fixed_dll);
    PROGRAM_RUN_EXPECT("prfread", arguments, 0, "\\7710000\\7710002\r\n",
                       "\\7710008(Beta#1)\\7710010\r\n", "\\7710024(Alpha/x)\\7710026\r\n");
}

/* fixed.c adds the same amounts to its values in each call of Collect. prfread calls Collect once
 * for each sample, so the differences are those of one call. */
static void test_source_dll_values_are_those_through_the_system(void **state)
{
    char arguments[1024];

    (void)state;
    snprintf(arguments, sizeof arguments,
             "-dll \"%s\" " FIXED "-sc 1 -si 0.05 \"\\7710008(Beta#1)\\*\"", fixed_dll);
    PROGRAM_RUN_EXPECT("prfread", arguments, 0,
                       "\"102.000000\",\"3.000000\",\"0.000000\",\"75.000000\",\"-1\","
                       "\"2.700000\"\r\n");
}

static void test_source_dll_answer_larger_than_first_buffer(void **state)
{
    char arguments[1024];
    program_run run;
    unsigned lines = 0;

    (void)state;
    snprintf(arguments, sizeof arguments, "-dll \"%s\" " FIXED "-qx 7719100", fixed_dll);
    program_run_make(&run, "prfread", arguments);
    for (const char *at = run.out; (at = strstr(at, "\r\n")) != NULL; at++)
        lines++;
    assert_int_equal(lines, 2000);
    assert_int_equal(run.exit_code, 0);
    program_run_free(&run);
}

static void test_source_dll_block_has_header_of_this_computer(void **state)
{
    char computer[64];
    DWORD chars = sizeof computer;
    char arguments[1024];
    char expected[120];
    const char *parts[3] = {"NumObjectTypes           1\r\n", "SystemTime", expected};

    (void)state;
    assert_true(GetComputerNameA(computer, &chars));
    snprintf(expected, sizeof expected, "\"%s\"", computer);
    snprintf(arguments, sizeof arguments, "-dll \"%s\" " FIXED "-dump 7710000", fixed_dll);
    program_run_expect("prfread", arguments, 0, parts, 3);
}

static void test_source_dll_by_service_or_its_library_needs_no_names(void **state)
{
    prfdata_test_service service;
    char arguments[1024];

    (void)state;
    prfdata_test_service_make(&service, "PrfDataDll", NULL, FIRST_COUNTER);
    prfdata_test_service_set_text(&service, "Library", fixed_dll);
    prfdata_test_service_set_text(&service, "Open", "FixedOpen");
    prfdata_test_service_set_text(&service, "Collect", "FixedCollect");
    prfdata_test_service_set_text(&service, "Close", "FixedClose");
    PROGRAM_RUN_EXPECT("prfread", "-dll PrfDataDll -q 7710000", 0, "\\7710000\\7710002\r\n");
    snprintf(arguments, sizeof arguments, "-dll \"%s\" -q 7710000", fixed_dll);
    PROGRAM_RUN_EXPECT("prfread", arguments, 0, "\\7710000\\7710002\r\n");
    PROGRAM_RUN_EXPECT("prfread", "-dll PrfDataDll -collect Nothing -q", 4,
                       "exports no function Nothing. Name it with -open, -collect or -close");
    /* If the service has no Open value, its Collect and Close values do not count either. */
    prfdata_test_service_delete_value(&service, "Open");
    PROGRAM_RUN_EXPECT("prfread", arguments, 4, "exports no function PrfDataOpen");
    prfdata_test_service_remove(&service);
}

static void test_source_dll_that_is_not_there_is_reported(void **state)
{
    (void)state;
    PROGRAM_RUN_EXPECT("prfread", "-dll NoSuchThing -q", 4,
                       "Error: NoSuchThing: is neither a file nor a service with a Performance "
                       "key\r\n");
}

/* The name of a service never loads a file of the current folder, because this folder may be the
 * Downloads of a user. The loader appends .dll to a name. */
static void test_source_dll_by_service_is_no_file_of_the_current_folder(void **state)
{
    static const char *const names[] = {"PrfDataDll", "PrfDataDll.dll"};
    char before[MAX_PATH];
    char current[MAX_PATH];
    prfdata_test_service service;

    (void)state;
    assert_true(GetCurrentDirectoryA(MAX_PATH, before) > 0);
    assert_true(GetTempPathA(MAX_PATH, current) > 0);
    assert_true(SetCurrentDirectoryA(current));
    for (size_t i = 0; i < 2; i++)
        assert_true(CopyFileA(fixed_dll, names[i], FALSE));
    PROGRAM_RUN_EXPECT("prfread", "-dll PrfDataDll " FIXED "-q 7710000", 4,
                       "Error: PrfDataDll: is neither a file nor a service with a Performance "
                       "key\r\n");
    PROGRAM_RUN_EXPECT("prfread", "-dll .\\PrfDataDll " FIXED "-q 7710000", 0,
                       "\\7710000\\7710002\r\n");
    prfdata_test_service_make(&service, "PrfDataDll", NULL, FIRST_COUNTER);
    prfdata_test_service_set_text(&service, "Library", "prfdata-nowhere.dll");
    prfdata_test_service_set_text(&service, "Open", "FixedOpen");
    prfdata_test_service_set_text(&service, "Collect", "FixedCollect");
    prfdata_test_service_set_text(&service, "Close", "FixedClose");
    PROGRAM_RUN_EXPECT("prfread", "-dll PrfDataDll -q 7710000", 4, "cannot load the DLL");
    prfdata_test_service_set_text(&service, "Library", "PrfDataDll.dll");
    PROGRAM_RUN_EXPECT("prfread", "-dll PrfDataDll -q 7710000", 4, "cannot load the DLL");
    prfdata_test_service_remove(&service);
    for (size_t i = 0; i < 2; i++)
        assert_true(DeleteFileA(names[i]));
    assert_true(SetCurrentDirectoryA(before));
}

static void test_source_dll_damaged_answer_shown_as_far_as_it_goes(void **state)
{
    char arguments[1024];

    (void)state;
    snprintf(arguments, sizeof arguments,
             "-dll \"%s\" " FIXED "-sc 1 -si 0.05 \"\\7719000(*)\\7719002\"", fixed_dll);
    PROGRAM_RUN_EXPECT("prfread", arguments, 5, "\"1.000000\"\r\n",
                       "a provider's data is damaged in 1 places");
}

/* ---- Faulty providers ---- */

/* Expect the fault that the DLL has because of its name. */
static void expect_fault_of(const char *fault, const char *task, int exit_code, const char *part)
{
    char copy[2 * MAX_PATH];
    char arguments[1024];

    snprintf(copy, sizeof copy, "%sfaulty-%s.dll", folder, fault);
    assert_true(CopyFileA(faulty_dll, copy, FALSE));
    snprintf(arguments, sizeof arguments, "-dll \"%s\" " FAULTY "%s", copy, task);
    program_run_expect("prfread", arguments, exit_code, &part, 1);
    assert_true(DeleteFileA(copy));
}

static void expect_fault(const char *fault, int exit_code, const char *part)
{
    expect_fault_of(fault, "-q", exit_code, part);
}

static void test_source_dll_writing_outside_its_buffer_is_reported(void **state)
{
    (void)state;
    expect_fault("writes_after", 5,
                 "the DLL's Collect wrote after its buffer of 65536 bytes, at "
                 "byte 65536\r\n");
    expect_fault("writes_before", 5, "the DLL's Collect wrote before its buffer, byte -1\r\n");
    expect_fault("reads_after", 5, "the DLL's Collect read after its buffer");
}

static void test_source_dll_lying_about_its_answer_is_reported(void **state)
{
    (void)state;
    expect_fault("size_beyond", 5,
                 "Collect says that it wrote 1048576 bytes into a buffer of "
                 "65536\r\n");
    expect_fault("pointer_stays", 5,
                 "Collect says that it wrote 632 bytes, and moved its pointer "
                 "by 0\r\n");
    expect_fault("pointer_beyond", 5, ", and moved its pointer by ");
    expect_fault("object_count", 5,
                 "Collect says that it wrote 4 objects in 632 bytes, but there are "
                 "3 in 632\r\n");
    expect_fault("object_length", 5, "Collect says that it wrote 3 objects");
    expect_fault("more_always", 5, "Collect wants a buffer of more than 256 MiB\r\n");
}

static void test_source_dll_fault_ends_the_program_with_a_reason(void **state)
{
    (void)state;
    expect_fault("crashes_in_open", 5, "the DLL faulted in Open: exception 0xC0000005\r\n");
    expect_fault("crashes_in_collect", 5, "the DLL faulted in Collect: exception 0xC0000005\r\n");
    expect_fault("crashes_in_close", 5, "the DLL faulted in Close: exception 0xC0000005\r\n");
}

static void test_source_dll_failing_to_load_open_or_collect_is_reported(void **state)
{
    (void)state;
    expect_fault_of("other_status", "-q 99999", 4, "Collect failed: error 87");
    expect_fault("does_not_load", 4, "cannot load the DLL: error 1114");
    expect_fault("open_fails", 4, "Open failed: error 2");
    expect_fault("close_fails", 0, "Close failed: error 6");
}

static int find_files(void **state)
{
    (void)state;
    snprintf(fixed_dll, sizeof fixed_dll, "%sprfdata-fixed.dll", program_run_folder());
    snprintf(faulty_dll, sizeof faulty_dll, "%sprfdata-faulty.dll", program_run_folder());
    assert_in_range(GetTempPathA(MAX_PATH, folder), 1, MAX_PATH - 1);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_source_dll_lists_what_global_gives),
        cmocka_unit_test(test_source_dll_values_are_those_through_the_system),
        cmocka_unit_test(test_source_dll_answer_larger_than_first_buffer),
        cmocka_unit_test(test_source_dll_block_has_header_of_this_computer),
        cmocka_unit_test(test_source_dll_by_service_or_its_library_needs_no_names),
        cmocka_unit_test(test_source_dll_that_is_not_there_is_reported),
        cmocka_unit_test(test_source_dll_by_service_is_no_file_of_the_current_folder),
        cmocka_unit_test(test_source_dll_damaged_answer_shown_as_far_as_it_goes),
        cmocka_unit_test(test_source_dll_writing_outside_its_buffer_is_reported),
        cmocka_unit_test(test_source_dll_lying_about_its_answer_is_reported),
        cmocka_unit_test(test_source_dll_fault_ends_the_program_with_a_reason),
        cmocka_unit_test(test_source_dll_failing_to_load_open_or_collect_is_reported),
    };

    return cmocka_run_group_tests_name("source_dll", tests, find_files, NULL);
}
