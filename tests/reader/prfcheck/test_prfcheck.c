/* SPDX-License-Identifier: MIT */
/* Runs the real prfcheck.exe: its command line, what it prints, registered providers, and our own
 * provider with and without a publisher. test_prfcheck_faults.c tries each fault. */
#include "support/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <windows.h>

#include <prfdata/prfdata.h>

#include "hwinput_map.h"
#include "providers/faults.h"
#include "support/console.h"
#include "support/program_run.h"
#include "support/reader/faulty_run.h"
#include "support/sample_map.h"
#include "support/service.h"
#include "validate/rules.h"

/* A limit that no working program reaches, however slow the machine is. */
#define LIMIT_MS 240000

#define EXPECT_PARTS(arguments, exit_code, ...)                                                    \
    PROGRAM_RUN_EXPECT("prfcheck", arguments, exit_code, __VA_ARGS__)

static void test_prfcheck_gives_up_if_no_buffer_is_enough(void **state)
{
    (void)state;
    FAULTY_RUN_EXPECT("more_always", "", 3,
                      "error more-always: Collect returned ERROR_MORE_DATA even in ",
                      "given up after scenario first: no other can succeed\r\n",
                      "prfcheck: 1 error, 0 warnings, 0 notes; ");
}

/* The provider of fixed.c breaks these rules. All scenarios together find these mistakes and no
 * others. */
static void test_prfcheck_of_fixed_finds_what_it_says(void **state)
{
    static const char *const rules[] = {"value-backwards", "name-twice",  "parent-object",
                                        "counter-size",    "more-wrote",  "query-foreign",
                                        "collect-crash",   "query-old",   "clock-unused",
                                        "clock-rate",      "average-base"};
    char arguments[1024];
    program_run run;

    (void)state;
    snprintf(arguments, sizeof arguments,
             "-dll \"%sprfdata-fixed.dll\" -open FixedOpen -collect FixedCollect -close FixedClose "
             "-first 7710000 -last 7710050 -quick",
             program_run_folder());
    program_run_make(&run, "prfcheck", arguments);
    for (int i = 0; i < PRFDATA_RULE_COUNT; i++) {
        const char *name = prfdata_rules_about((prfdata_rule)i)->name;
        bool is_expected = false;

        for (size_t k = 0; k < sizeof rules / sizeof rules[0]; k++)
            is_expected = is_expected || strcmp(rules[k], name) == 0;
        if (faulty_run_names_rule(run.out, name) != is_expected)
            program_run_fail(&run, name);
    }
    program_run_free(&run);
}

/* prfcheck checks many instances in time, because it repeats slow calls less often. */
static void test_prfcheck_of_a_crowd_is_done_in_time(void **state)
{
    char arguments[1024];

    (void)state;
    SetEnvironmentVariableA("PRFDATA_TEST_GLOBAL", "1");
    SetEnvironmentVariableA("PRFDATA_TEST_INSTANCES", "20000");
    snprintf(arguments, sizeof arguments,
             "-dll \"%sprfdata-crowd.dll\" -open CrowdOpen -collect CrowdCollect -close CrowdClose "
             "-first 7740000 -last 7740006 -quick -v",
             program_run_folder());
    EXPECT_PARTS(
        arguments, 0, "first: 4 calls, 1 objects in 1440184 bytes", "case \"global\": 1 calls\r\n",
        "alignment \"Global\": ", " places next to a multiple of 8\r\n",
        "threads: ", "closed \"Global\": ", "done less often, it takes too long for -quick: ",
        "prfcheck: 0 errors, 0 warnings, 0 notes; ");
    SetEnvironmentVariableA("PRFDATA_TEST_GLOBAL", NULL);
    SetEnvironmentVariableA("PRFDATA_TEST_INSTANCES", NULL);
}

static void test_prfcheck_finding_tells_all(void **state)
{
    (void)state;
    FAULTY_RUN_EXPECT(
        "definition_length", "-only first", 3,
        "error definition-length, byte 4, Perflib event 1019, object 7720000, field "
        "DefinitionLength: "
        "PERF_OBJECT_TYPE.DefinitionLength is 232 bytes, but the definitions take 224. "
        "DefinitionLength must be HeaderLength plus 40 bytes for each counter. "
        "[first: \"Global\", 65536 bytes]\r\n",
        "error definition-length: 3 in all\r\n", "prfcheck: 3 errors, 0 warnings, ");

    FAULTY_RUN_EXPECT("crashes_at_null", "-only null", 4,
                      "error collect-crash, Perflib event 1010: exception 0xC0000005 at "
                      "faulty-crashes_at_null.dll+0x",
                      "[null: NULL, 65536 bytes]\r\n");
}

/* Return wide text in the system's ANSI code page. If that code page lacks a character, the test is
 * skipped. */
static const char *ansi_text(const wchar_t *text, char ansi[MAX_PATH])
{
    const bool is_utf8 = GetACP() == CP_UTF8; /* it has all characters, and takes no flag */
    BOOL lacks_one = FALSE;

    assert_true(WideCharToMultiByte(CP_ACP, is_utf8 ? 0 : WC_NO_BEST_FIT_CHARS, text, -1, ansi,
                                    MAX_PATH, NULL, is_utf8 ? NULL : &lacks_one) > 0);
    if (lacks_one)
        skip();
    return ansi;
}

static void test_prfcheck_names_of_files_are_utf8(void **state)
{
    char path[MAX_PATH];
    char copy[MAX_PATH];
    char ansi[MAX_PATH];
    char arguments[1024];

    (void)state;
    snprintf(arguments, sizeof arguments, "-dll %s",
             ansi_text(L"C:\\nowhere\\Z\u00E4hler.dll", ansi));
    EXPECT_PARTS(arguments, 5, "(the file does not exist): C:\\nowhere\\Z\xC3\xA4hler.dll. ");
    faulty_run_make_copy("none", path);
    assert_in_range(snprintf(copy, sizeof copy, "%.*s\\%s", (int)(strrchr(path, '\\') - path), path,
                             ansi_text(L"faulty-crashes_at_null+\u00E4.dll", ansi)),
                    1, sizeof copy - 1);
    assert_true(MoveFileA(path, copy));
    faulty_run_arguments(copy, "-only null", arguments);
    EXPECT_PARTS(arguments, 4, "exception 0xC0000005 at faulty-crashes_at_null+\xC3\xA4.dll+0x");
    assert_true(DeleteFileA(copy));
    faulty_run_remove_copy("none");
}

static void test_prfcheck_what_does_not_load(void **state)
{
    char path[MAX_PATH];
    char arguments[1024];

    (void)state;
    EXPECT_PARTS("-dll C:\\nowhere\\nothing.dll", 5,
                 "error load, Perflib event 1023: the library could not be loaded: error 126 (the "
                 "file does not exist): "
                 "C:\\nowhere\\nothing.dll. ",
                 "given up after scenario first: no other can succeed\r\nprfcheck: 1 error, ");
    faulty_run_make_copy("none", path);
    snprintf(arguments, sizeof arguments,
             "-dll \"%s\" -open FaultyOpen -collect FaultyCollect -close NoSuchName", path);
    EXPECT_PARTS(arguments, 5,
                 "error close-export, Perflib event 1007: the library exports no function "
                 "NoSuchName");
    snprintf(arguments, sizeof arguments, "-dll \"%s\"", path);
    EXPECT_PARTS(arguments, 5, "error open-export, Perflib event 1005: ",
                 "error collect-export, Perflib event 1006: ");
    faulty_run_remove_copy("none");
    FAULTY_RUN_EXPECT("does_not_load", "", 5,
                      "error load, Perflib event 1023: the library could not be loaded: error 1114 "
                      "(a DllMain returned FALSE): ");
    EXPECT_PARTS("NoServiceOfThisName", 5,
                 "Error: NoServiceOfThisName: no service of this name has counters; a DLL");
}

/* ---- In a build ---- */

/* Write a file of this size that accepts a mistake in its last line. */
static void fill_accepted_file(const char *path, size_t size)
{
    static const char line[] = "\nname-characters";
    FILE *file = fopen(path, "wb");

    assert_non_null(file);
    for (size_t i = strlen(line); i < size; i++)
        fputc('#', file);
    fputs(line, file);
    fclose(file);
}

static void write_accepted(const char *path, const char *bytes, size_t size)
{
    FILE *file = fopen(path, "wb");

    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    fclose(file);
}

/* If some mistakes of a rule are accepted, its other mistakes are still shown. Files of accepted
 * mistakes may be UTF-8 with a byte order mark, or UTF-16, as Windows' editors and PowerShell write
 * them. */
static void test_prfcheck_shows_mistakes_beside_accepted_ones(void **state)
{
    static const char marked[] = "\xEF\xBB\xBFtitle-range:7720004\r\n";
    static const wchar_t wide[] = L"\xFEFFtitle-range:+4\r\n";
    static const char wrong[] = "partial\n\npartial:x\n";
    char list[MAX_PATH];
    char more[2 * MAX_PATH];

    (void)state;
    /* With this range both titles of counter 7720004 are wrong, and so are ten others. */
    FAULTY_RUN_EXPECT("none", "-only first -first 7720000 -last 7720002 -accept title-range:+4", 3,
                      "accepted error title-range, byte 116, ", "\r\nerror title-range, byte ",
                      "\r\nerror title-range: 10 in all\r\n", "; 2 accepted; ");
    program_run_temporary_path("accepted.txt", list);
    snprintf(more, sizeof more, "-only first -first 7720000 -last 7720002 -accept \"@%s\"", list);
    write_accepted(list, marked, sizeof marked - 1);
    FAULTY_RUN_EXPECT("none", more, 3, "; 2 accepted; ");
    write_accepted(list, (const char *)wide, sizeof wide - sizeof *wide);
    FAULTY_RUN_EXPECT("none", more, 3, "; 2 accepted; ");
    write_accepted(list, wrong, sizeof wrong - 1);
    FAULTY_RUN_EXPECT("none", more, 2, "Error: @",
                      ": line 3: neither a rule nor RULE:TITLE nor RULE:+N\r\n");
    DeleteFileA(list);
}

/* An accepted mistake does not fail the build. The same mistake in another place does. */
static void test_prfcheck_accepts_what_it_is_told(void **state)
{
    char list[MAX_PATH];
    char more[2 * MAX_PATH];
    FILE *file;

    (void)state;
    FAULTY_RUN_EXPECT("name_forbidden", "-only first -accept name-characters:+8", 0,
                      "accepted warning name-characters, byte 416, object 7720008, instance "
                      "\"t/w\", field name: ",
                      "prfcheck: 0 errors, 0 warnings, 0 notes; 1 accepted; ");
    FAULTY_RUN_EXPECT("name_forbidden", "-only first -accept name-characters:+12", 1,
                      "\r\nprfcheck: 0 errors, 1 warning, 0 notes; 1 Collect");
    FAULTY_RUN_EXPECT("name_forbidden", "-only first -accept partial -fail error", 0,
                      "\r\nprfcheck: 0 errors, 1 warning, 0 notes; 1 Collect");
    program_run_temporary_path("accepted.txt", list);
    file = fopen(list, "w");
    assert_non_null(file);
    /* Comments may be in any code page. */
    fputs("# known by Andr\xE9\nname-characters # since 2019, \xFC\n\n", file);
    fclose(file);
    snprintf(more, sizeof more, "-only first -accept \"@%s\"", list);
    FAULTY_RUN_EXPECT("name_forbidden", more, 0, "; 1 accepted; ");
    fill_accepted_file(list, 65536);
    FAULTY_RUN_EXPECT("name_forbidden", more, 0, "; 1 accepted; ");
    fill_accepted_file(list, 65537);
    FAULTY_RUN_EXPECT("name_forbidden", more, 2, "Error: @",
                      ": all files of accepted mistakes together may have 65536 bytes");
    DeleteFileA(list);
    FAULTY_RUN_EXPECT("name_forbidden", more, 2, "Error: @", ": the file cannot be read");
    /* The first 259 characters of a longer path are the path of another file. */
    while (strlen(list) < MAX_PATH - 1)
        strcat(list, "a");
    fill_accepted_file(list, 100);
    snprintf(more, sizeof more, "-only first -accept \"@%sa\"", list);
    FAULTY_RUN_EXPECT("name_forbidden", more, 2, "Error: @", "aa: the file cannot be read");
    DeleteFileA(list);
    /* A mistake that ends the process is accepted in the same way. */
    FAULTY_RUN_EXPECT(
        "crashes_when_closed", "-only closed -accept closed-crash", 0,
        "accepted warning closed-crash: ", "prfcheck: 0 errors, 0 warnings, 0 notes; 1 accepted; ");
    FAULTY_RUN_EXPECT("crashes_when_closed", "-only closed -accept partial", 4,
                      "\r\nprfcheck: 0 errors, 1 warning, 0 notes; ");
}

/* With -quick prfcheck gives up after one hang, or after four processes that ended. Processes that
 * end because of accepted mistakes do not count. */
static void test_prfcheck_does_not_give_up_for_accepted_mistakes(void **state)
{
    (void)state;
    FAULTY_RUN_EXPECT("hangs_in_collect", "-quick -limit 1 -only case -accept collect-time", 0,
                      "accepted error collect-time, Perflib event 1015: it did not return in ",
                      "prfcheck: 0 errors, 0 warnings, 0 notes; 1 accepted; ");
    /* Each scenario that calls Collect ends its process. The others see no objects. */
    FAULTY_RUN_EXPECT("crashes_in_collect", "-quick -accept collect-crash", 7,
                      "accepted error collect-crash, ",
                      "note no-objects: ", "prfcheck: 0 errors, 0 warnings, 1 note; 1 accepted; ");
}

/* The crash of a second process does not explain why the first process ends afterwards. */
static void test_prfcheck_accepts_only_the_end_of_a_second_process(void **state)
{
    (void)state;
    FAULTY_RUN_EXPECT("ends_beside_crash", "-quick -only processes -accept open-crash", 4,
                      "accepted error open-crash, ",
                      "\r\nerror process-ended: the process ended with exit code 0x00000000. ",
                      "prfcheck: 1 error, 0 warnings, 0 notes; 1 accepted; ");
}

static void test_prfcheck_output_for_programs(void **state)
{
    char folder[MAX_PATH];
    char path[MAX_PATH + 40];
    char more[2 * MAX_PATH];

    (void)state;
    FAULTY_RUN_EXPECT("name_forbidden", "-only first -f junit", 1,
                      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n  <testsuite ",
                      " failures=\"1\" errors=\"0\" ",
                      "name=\"first\">\n      <failure type=\"name-",
                      "name=\"samples &quot;Global&quot;\">\n      <skipped message=\"not run\"/>",
                      "</testsuites>\n");
    /* With -fail error, a warning is not a failure. The end of the process is an error. */
    FAULTY_RUN_EXPECT("crashes_when_closed", "-only closed -fail error -f junit", 4,
                      " failures=\"0\" errors=\"1\" ", "name=\"broken\">\n      <error message=");
    program_run_temporary_path("replies", folder);
    snprintf(more, sizeof more, "-only first -f json -save \"%s\"", folder);
    FAULTY_RUN_EXPECT("name_forbidden", more, 1, "\"Accepted\":0,", "\"Version\":\"",
                      "\"Options\":\"-dll ", "\"Passed\":[],",
                      "\"Query\":\"\\\"Global\\\"\",\"BufferBytes\":65536,\"Byte\":416,"
                      "\"Object\":7720008,\"ObjectName\":null,\"Counter\":null,"
                      "\"CounterName\":null,\"CounterType\":null,"
                      "\"Instance\":\"t/w\",\"Field\":\"name\",");
    snprintf(path, sizeof path, "%s\\name-characters-1.reply", folder);
    assert_true(DeleteFileA(path)); /* the file exists */
    RemoveDirectoryA(folder);
    snprintf(more, sizeof more, "-only first -save \"%s\\there\"", folder);
    FAULTY_RUN_EXPECT("name_forbidden", more, 6,
                      "Error: ", "\\there: the folder for replies cannot be made: error 3\r\n");
    EXPECT_PARTS("NoServiceOfThisName -f json", 5,
                 "{\"Service\":\"NoServiceOfThisName\",\"Library\":\"\",\"Verdict\":\"not found\",",
                 "\"Findings\":[]}\n");
}

/* The path has 796 bytes, the command line more than 3000. */
static void test_prfcheck_long_texts_are_whole(void **state)
{
    char name[786] = "";
    char library[840];
    char arguments[3100];
    const char *const parts[] = {library, "\"Options\":\"-dll C:\\\\nowhere\\\\aaaa",
                                 " -accept load:1000000\","};
    program_run run;

    (void)state;
    memset(name, 'a', 780);
    strcat(name, "z.dll");
    snprintf(library, sizeof library, "\"Library\":\"C:\\\\nowhere\\\\%s\",\"Verdict\":", name);
    snprintf(arguments, sizeof arguments, "-dll C:\\nowhere\\%s -only first -f json", name);
    while (strlen(arguments) < 3000)
        strcat(arguments, " -accept load:1000000");
    program_run_make(&run, "prfcheck", arguments);
    program_run_check(&run, 5, parts, sizeof parts / sizeof parts[0]);
    program_run_free(&run);
}

/* ---- The command line ---- */

static void test_prfcheck_usage(void **state)
{
    program_run run;

    (void)state;
    program_run_make(&run, "prfcheck", "-?");
    assert_int_equal(run.exit_code, 0);
    assert_non_null(strstr(run.out, "Exit codes:"));
    assert_fits_console(run.out);
    program_run_free(&run);

    EXPECT_PARTS("-version", 0, "prfcheck " PRFDATA_VERSION "\r\n");
    EXPECT_PARTS("", 2, "Error: a service is missing", "prfcheck MyService");
    EXPECT_PARTS("a b", 2, "Error: b: one service at a time");
    EXPECT_PARTS("a -dll b.dll", 2, "Error: a: a service or -dll, not both");
    EXPECT_PARTS("a -nonsense", 2, "Error: -nonsense: no such option");
    EXPECT_PARTS("a -first", 2, "Error: -first: a value is missing after it");
    EXPECT_PARTS("a -first x", 2, "Error: x: a number is expected");
    EXPECT_PARTS("a -first 10 -last 8", 2, "Error: -last is below -first");
    EXPECT_PARTS("a -first 10", 2, "Error: -first and -last are given together, or neither");
    EXPECT_PARTS("a -limit 0", 2, "Error: -limit: 1 to 86400 seconds are expected");
    EXPECT_PARTS("a -open b", 2, "Error: a: the registry names its functions");
    EXPECT_PARTS("a -only nonsense", 2, "Error: nonsense: no such scenario");
}

/* ---- Registered providers ---- */

static void register_dll(const prfdata_test_service *service, const char *dll, const char *prefix,
                         uint32_t last)
{
    static const char *const functions[] = {"Open", "Collect", "Close"};
    char export[64];

    prfdata_test_service_set_number(service, "Last Counter", last);
    prfdata_test_service_set_number(service, "Last Help", last + 1);
    prfdata_test_service_set_text(service, "Library", dll);
    for (size_t i = 0; i < sizeof functions / sizeof functions[0]; i++) {
        snprintf(export, sizeof export, "%s%s", prefix, functions[i]);
        prfdata_test_service_set_text(service, functions[i], export);
    }
}

/* Make a service whose library is `dll`, a copy of faulty.c that adds `higher` to all titles. */
static void make_higher_service(prfdata_test_service *service, const char *name, const char *dll,
                                uint32_t higher)
{
    prfdata_test_service_make(service, name, NULL, FAULTY_FIRST + higher);
    register_dll(service, dll, "Faulty", FAULTY_LAST + higher);
}

static void make_faulty_service(prfdata_test_service *service, const char *name, const char *dll)
{
    make_higher_service(service, name, dll, 0);
}

/* Make a library import NERNEL32.dll, which does not exist, in place of KERNEL32.dll. */
static void break_import(const char *path)
{
    static const char import[] = "KERNEL32.dll";
    static char bytes[4 << 20];
    FILE *file = fopen(path, "r+b");
    size_t size, at = 0;

    assert_non_null(file);
    size = fread(bytes, 1, sizeof bytes, file);
    assert_in_range(size, sizeof import, sizeof bytes - 1);
    while (at < size - sizeof import && memcmp(bytes + at, import, sizeof import) != 0)
        at++;
    assert_memory_equal(bytes + at, import, sizeof import);
    assert_int_equal(fseek(file, (long)at, SEEK_SET), 0);
    assert_int_equal(fputc('N', file), 'N');
    assert_int_equal(fclose(file), 0);
}

static void test_prfcheck_names_the_import_that_is_missing(void **state)
{
    static const char missing[] =
        "error load, Perflib event 1023: error 126: NERNEL32.dll, which the library imports, was "
        "not found. ";
    static const char alone[] = "faulty-import.dll";
    prfdata_test_service service;
    char beside[MAX_PATH];
    char path[MAX_PATH];
    char arguments[1024];

    (void)state;
    faulty_run_make_copy("import", path);
    break_import(path);
    faulty_run_arguments(path, "-only first", arguments);
    EXPECT_PARTS(arguments, 5, missing);

    snprintf(beside, sizeof beside, "%s%s", program_run_folder(), alone);
    assert_true(CopyFileA(path, beside, FALSE));
    make_faulty_service(&service, "FaultyService", alone);
    EXPECT_PARTS("FaultyService -only first", 5, missing);
    prfdata_test_service_remove(&service);
    assert_true(DeleteFileA(beside));
    faulty_run_remove_copy("import");
}

static void test_prfcheck_faults_of_a_registration(void **state)
{
    prfdata_test_service service;
    char path[MAX_PATH];

    (void)state;
    faulty_run_make_copy("none", path);
    make_faulty_service(&service, "FaultyService", path);
    EXPECT_PARTS("FaultyService -quick -only metadata", 0, "prfcheck: 0 errors, 0 warnings, 0 n");
    prfdata_test_service_set_number(&service, "Collect Supports Metadata", 1);
    EXPECT_PARTS("FaultyService -quick -only metadata", 3,
                 "error metadata-unanswered: Collect returned no objects, but 3 for Global. ",
                 "prfcheck: 1 error, ");

    prfdata_test_service_set_number(&service, "Disable Performance Counters", 1);
    EXPECT_PARTS(
        "FaultyService -quick -only first", 1,
        "warning disabled, Perflib event 1017: the value Disable Performance Counters is set for ",
        "-bit readers. ", "prfcheck: 0 errors, 1 warning, 0 notes; 1 Collect, ");
    prfdata_test_service_set_number(&service, "Disable Performance Counters",
                                    sizeof(void *) == 8 ? 2 : 4); /* the other bitness */
    EXPECT_PARTS("FaultyService -quick -only first", 0,
                 "note disabled-for-others, Perflib event 1017: the value Disable Performance "
                 "Counters is set for ",
                 sizeof(void *) == 8 ? " 32-bit readers. " : " 64-bit readers. ",
                 "prfcheck: 0 errors, 0 warnings, 1 note; 1 Collect, ");
    prfdata_test_service_set_number(&service, "Disable Performance Counters", 0);
    EXPECT_PARTS("FaultyService -quick -only first", 0,
                 "prfcheck: 0 errors, 0 warnings, 0 notes; 1 Collect, ");

    prfdata_test_service_set_text(&service, "Object List", "7720000 7720008 7720012");
    EXPECT_PARTS("FaultyService -quick -only object-list", 0, "prfcheck: 0 errors, 0 warnings, 0");
    prfdata_test_service_set_text(&service, "Object List", "7720002 7720008 x 7720012");
    EXPECT_PARTS(
        "FaultyService -quick -only object-list", 1,
        "warning object-list, object 7720000: the value Object List does not name the object. ",
        "warning object-list, object 7720002: the value Object List names the object, but Collect "
        "does "
        "not return it. ",
        "prfcheck: 0 errors, 2 warnings, 0 notes; ");
    prfdata_test_service_set_text(&service, "Object List", "");
    prfdata_test_service_set_number(&service, "Last Counter", FAULTY_FIRST + 2 * 60);
    EXPECT_PARTS("FaultyService -quick -only titles", 1,
                 "warning titles-unused: 53 of the 61 titles from 7720000 on are in no reply. ");
    prfdata_test_service_set_number(&service, "Last Counter", FAULTY_LAST);

    prfdata_test_service_set_text(&service, "Library", "prfdata-faulty.dll"); /* next to prfcheck */
    EXPECT_PARTS("FaultyService -quick -only first", 1,
                 "warning library-path: the value Library is not a full path. ",
                 "prfcheck: 0 errors, 1 warning, 0 notes; 1 Collect, ");
    prfdata_test_service_set_number(&service, "Library", 5);
    EXPECT_PARTS("FaultyService -f json", 5, "{\"Service\":\"FaultyService\",",
                 ",\"Verdict\":\"does not load\",\"Errors\":1,",
                 ",\"Text\":\"the value Library could not be read: error 13\",");
    EXPECT_PARTS("FaultyService", 5,
                 "Error: FaultyService: the value Library could not be read: error 13\r\n");
    EXPECT_PARTS("FaultyService -accept load", 0,
                 "Error: FaultyService: the value Library could not be read: error 13\r\n");
    EXPECT_PARTS("FaultyService -f json -accept load", 0, ",\"Verdict\":\"right\",\"Errors\":0,",
                 ",\"Accepted\":1,");
    prfdata_test_service_remove(&service);
    faulty_run_remove_copy("none");
}

#define QUOTED_KEY "SYSTEM\\CurrentControlSet\\Services\\PrfCheckAll\"Quoted\""

static void make_quoted_service(void)
{
    HKEY key;

    assert_int_equal(RegCreateKeyExA(HKEY_LOCAL_MACHINE, QUOTED_KEY "\\Performance", 0, NULL, 0,
                                     KEY_SET_VALUE, NULL, &key, NULL),
                     0);
    assert_int_equal(RegSetValueExA(key, "Library", 0, REG_SZ, (const BYTE *)"a.dll", 6), 0);
    RegCloseKey(key);
}

static void remove_quoted_service(void)
{
    assert_int_equal(RegDeleteKeyA(HKEY_LOCAL_MACHINE, QUOTED_KEY "\\Performance"), 0);
    assert_int_equal(RegDeleteKeyA(HKEY_LOCAL_MACHINE, QUOTED_KEY), 0);
}

/* Prints one line for each provider, then a table with the worst first. Each row has the command
 * that disables the provider, or enables it if it is switched off. */
static void test_prfcheck_all_says_which_one_it_is(void **state)
{
    static const char *const names[] = {"PrfCheckAllBad", "PrfCheckAllGood", "PrfCheckAllOff"};
    static const char *const faults_of[] = {"crashes_in_collect+100", "none+200",
                                            "crashes_in_open+300"};
    prfdata_test_service services[3];

    (void)state;
    for (size_t i = 0; i < 3; i++) {
        char path[MAX_PATH];

        faulty_run_make_copy(faults_of[i], path);
        make_higher_service(&services[i], names[i], path, 100 * ((uint32_t)i + 1));
    }
    prfdata_test_service_set_number(&services[2], "Disable Performance Counters", 1);
    make_quoted_service();
    EXPECT_PARTS("-all -only first", 4,
                 "Error: PrfCheckAll\"Quoted\": not checked, because its name contains a quotation "
                 "mark\r\n",
                 "PrfCheckAllBad: broken: collect-crash (Perflib event 1010)\r\n",
                 "PrfCheckAllGood: right\r\n", "PrfCheckAllOff: switched off\r\n", "\r\nprovider ",
                 "\r\nPrfCheckAllBad ", " broken ", " 1010 ", "  lodctr /d:\"PrfCheckAllBad\"\r\n",
                 "\r\nPrfCheckAllOff ", " switched off ", "  lodctr /e:\"PrfCheckAllOff\"\r\n",
                 "prfcheck: ", " passed");
    EXPECT_PARTS("-all -f json -only first", 4, "{\"Service\":\"PrfCheckAllBad\",\"Library\":\"",
                 "\"Verdict\":\"broken\",\"Errors\":1,\"Warnings\":0,\"Notes\":0,",
                 "\"Findings\":[{\"Rule\":\"collect-crash\",\"Severity\":\"error\",\"Event\":1010,"
                 "\"Accepted\":false,\"Count\":1,\"Scenario\":\"first\",",
                 "\"Text\":\"exception 0xC0000005 at ", "{\"Service\":\"PrfCheckAllGood\",",
                 "\"Verdict\":\"right\",", "\"Findings\":[]}\n");
    remove_quoted_service();
    EXPECT_PARTS("PrfCheckAllBad -f json -only first", 4, "{\"Service\":\"PrfCheckAllBad\",");
    for (size_t i = 0; i < 3; i++) {
        prfdata_test_service_remove(&services[i]);
        faulty_run_remove_copy(faults_of[i]);
    }
}

/* A server with ten providers. `higher` is added to the titles of a provider. The last title of
 * TwinA is the first one of TwinB. */
static const struct {
    const char *service;
    const char *copy;
    uint32_t higher;
    const char *line; /* the line's text after the provider's name */
    const char *row;  /* its row in the table; NULL: it has no findings */
} ten[] = {
    {"PrfCheckTenAverage", "average_stands+2000", 2000, ": warnings: average-base\r\n",
     "  warnings  "},
    {"PrfCheckTenBilling", "none+2100", 2100, ": right\r\n", NULL},
    {"PrfCheckTenCache", "spins+2200", 2200, ": warnings: processor-use\r\n", "  warnings  "},
    {"PrfCheckTenCrash", "crashes_in_collect+2300", 2300,
     ": broken: collect-crash (Perflib event 1010)\r\n", "  broken  "},
    {"PrfCheckTenIdle", "answers_nothing+2400", 2400, ": not checked: no-objects\r\n",
     "  not checked  "},
    {"PrfCheckTenLate", "late_none+2500", 2500, ": right\r\n", NULL},
    {"PrfCheckTenMissing", "does_not_load+2600", 2600,
     ": does not load: load (Perflib event 1023)\r\n", "  does not load  "},
    {"PrfCheckTenOff", "crashes_in_open+2700", 2700, ": switched off\r\n", "  switched off  "},
    {"PrfCheckTenTwinA", "none+2800", 2800, ": errors: titles-shared\r\n", "  errors  "},
    {"PrfCheckTenTwinB", "none+2814", 2814, ": errors: titles-shared\r\n", "  errors  "},
};

enum { TEN = sizeof ten / sizeof ten[0] };

/* The services in the order of the table's rows, the worst first. */
static const char *const ten_ranked[] = {
    "PrfCheckTenCrash",   "PrfCheckTenTwinA", "PrfCheckTenTwinB", "PrfCheckTenMissing",
    "PrfCheckTenAverage", "PrfCheckTenCache", "PrfCheckTenIdle",  "PrfCheckTenOff"};

static unsigned long count_text(const char *text, const char *part)
{
    unsigned long count = 0;

    for (const char *at = text; (at = strstr(at, part)) != NULL; at += strlen(part))
        count++;
    return count;
}

/* The last line must have the sums of the lines before it. The sums are not constants, because the
 * computer may have other services. */
static void expect_ten_totals(const char *out, const char *table)
{
    const char *last = strstr(table, "\r\nprfcheck: ");
    unsigned long providers = 0;
    unsigned long right = 0;
    unsigned long not_checked = 0;
    char lines[16384];

    assert_in_range(snprintf(lines, sizeof lines, "%.*s", (int)(table - out), out), 1,
                    sizeof lines - 1);
    assert_non_null(last);
    assert_int_equal(sscanf(last, "\r\nprfcheck: %lu providers, %lu passed, %lu not checked",
                            &providers, &right, &not_checked),
                     3);
    assert_int_equal(providers, count_text(lines, "\r\n"));
    assert_int_equal(right, count_text(lines, ": right\r\n"));
    assert_int_equal(not_checked, count_text(lines, ": not checked"));
}

static void expect_ten(const char *out)
{
    const char *table = strstr(out, "\r\nprovider ");
    const char *at = table;
    char text[128];

    assert_non_null(table);
    for (size_t i = 0; i < TEN; i++) {
        snprintf(text, sizeof text, "%s%s", ten[i].service, ten[i].line);
        if (!strstr(out, text))
            fail_msg("no line %s in:\n%s", text, out);
        snprintf(text, sizeof text, "\r\n%s ", ten[i].service);
        assert_int_equal(strstr(table, text) != NULL, ten[i].row != NULL);
        if (ten[i].row) /* the text must be in the provider's own row */
            assert_true(strcspn(strstr(table, text) + 2, "\r") >
                        (size_t)(strstr(strstr(table, text), ten[i].row) - strstr(table, text)));
        snprintf(text, sizeof text, "  lodctr /%c:\"%s\"\r\n",
                 strcmp(ten[i].line, ": switched off\r\n") == 0 ? 'e' : 'd', ten[i].service);
        assert_int_equal(strstr(table, text) != NULL, ten[i].row != NULL);
    }
    for (size_t i = 0; i < sizeof ten_ranked / sizeof ten_ranked[0]; i++) {
        snprintf(text, sizeof text, "\r\n%s ", ten_ranked[i]);
        at = strstr(at, text);
        if (!at)
            fail_msg("%s is not in its place in:\n%s", ten_ranked[i], table);
    }
    expect_ten_totals(out, table);
}

static void test_prfcheck_all_of_ten_are_told_apart(void **state)
{
    prfdata_test_service services[TEN];
    program_run run;

    (void)state;
    for (size_t i = 0; i < TEN; i++) {
        char path[MAX_PATH];

        faulty_run_make_copy(ten[i].copy, path);
        make_higher_service(&services[i], ten[i].service, path, ten[i].higher);
    }
    prfdata_test_service_set_number(&services[7], "Disable Performance Counters", 1);
    program_run_start(&run, "prfcheck", "-all -only clock", 0);
    program_run_finish(&run);
    for (size_t i = 0; i < TEN; i++) {
        prfdata_test_service_remove(&services[i]);
        faulty_run_remove_copy(ten[i].copy);
    }
    expect_ten(run.out);
    assert_int_equal(run.exit_code, 4);
    program_run_free(&run);
}

static void test_prfcheck_all_ends_what_takes_too_long(void **state)
{
    prfdata_test_service services[3];
    char path[MAX_PATH];

    (void)state;
    faulty_run_make_copy("hangs_in_open", path);
    make_higher_service(&services[0], "PrfCheckAllLate", path, 400);
    make_higher_service(&services[1], "PrfCheckAllNone", "C:\\nowhere\\nothing.dll", 500);
    /* Windows does not load this provider, so it does not matter that its Open is not a string. */
    make_higher_service(&services[2], "PrfCheckAllOff", path, 600);
    prfdata_test_service_set_number(&services[2], "Open", 1);
    prfdata_test_service_set_number(&services[2], "Disable Performance Counters", 1);
    EXPECT_PARTS("-all -each 2 -only first", 4, "PrfCheckAllLate: took too long\r\n",
                 "PrfCheckAllNone: does not load: load (Perflib event 1023)",
                 "PrfCheckAllOff: switched off\r\n", "\r\nprovider ", "\r\nPrfCheckAllLate ",
                 " took too long ", "  lodctr /d:\"PrfCheckAllLate\"\r\n", "\r\nPrfCheckAllNone ",
                 " does not load ", "\r\nPrfCheckAllOff ");
    for (size_t i = 0; i < 3; i++)
        prfdata_test_service_remove(&services[i]);
    faulty_run_remove_copy("hangs_in_open");
}

/* Open has a time limit of its own, and Collect and Close share another one. In each row, the limit
 * that must not apply is longer than the test. */
static void test_prfcheck_open_and_collect_have_limits_of_their_own(void **state)
{
    static const struct {
        const char *fault;
        const char *timeout;
        const char *other_timeout;
        const char *rule;
    } waits[] = {
        {"hangs_in_open", "Open Timeout", "Collect Timeout", "open-time"},
        {"hangs_in_collect", "Collect Timeout", "Open Timeout", "collect-time"},
        {"hangs_in_close", "Collect Timeout", "Open Timeout", "close-time"},
    };
    enum { WAITS = sizeof waits / sizeof waits[0] };
    prfdata_test_service services[WAITS];
    program_run runs[WAITS];

    (void)state;
    for (size_t i = 0; i < WAITS; i++) {
        char path[MAX_PATH];
        char arguments[100];

        faulty_run_make_copy(waits[i].fault, path);
        make_faulty_service(&services[i], waits[i].fault, path);
        prfdata_test_service_set_number(&services[i], waits[i].timeout, FAULTY_HANGS_LEAST_MS / 2);
        prfdata_test_service_set_number(&services[i], waits[i].other_timeout, 10 * LIMIT_MS);
        snprintf(arguments, sizeof arguments, "%s -quick -only first", waits[i].fault);
        program_run_start(&runs[i], "prfcheck", arguments, 0);
    }
    for (size_t i = 0; i < WAITS; i++) {
        program_run_finish(&runs[i]);
        prfdata_test_service_remove(&services[i]);
        faulty_run_remove_copy(waits[i].fault);
        if (runs[i].exit_code != 4 || !faulty_run_names_rule(runs[i].out, waits[i].rule) ||
            !faulty_run_waited_long_enough(runs[i].out) ||
            !strstr(runs[i].out, " because 1 process hung\r\n"))
            program_run_fail(&runs[i], waits[i].rule);
        program_run_free(&runs[i]);
    }
}

/* ---- Our own provider ---- */

enum { FIRST_COUNTER = 7730000, TITLES = 24 };

/* Make a service of our provider. `dll` is the path of its library <name>Prf.dll, which is a copy
 * of our DLL. */
static void make_service(prfdata_test_service *service, const prfdata_map *map, const char *dll)
{
    prfdata_test_service_make(service, map->service, map, FIRST_COUNTER);
    register_dll(service, dll, "PrfData", FIRST_COUNTER + TITLES);
    prfdata_test_service_set_number(service, "Collect Supports Metadata", 1);
}

static void hwinput_dll(char path[MAX_PATH])
{
    assert_in_range(snprintf(path, MAX_PATH, "%sHWInputMonPrf.dll", program_run_folder()), 1,
                    MAX_PATH - 1);
}

typedef struct prfcheck_publishing {
    prfdata_publisher *publisher;
    HANDLE stop;
    HANDLE thread;
} prfcheck_publishing;

static void begin_publishing(prfcheck_publishing *p, const prfdata_map *map,
                             LPTHREAD_START_ROUTINE routine)
{
    assert_int_equal(prfdata_open(map, &p->publisher), ERROR_SUCCESS);
    p->stop = CreateEventW(NULL, TRUE, FALSE, NULL);
    assert_non_null(p->stop);
    p->thread = CreateThread(NULL, 0, routine, p, 0, NULL);
    assert_non_null(p->thread);
}

static void end_publishing(prfcheck_publishing *p)
{
    SetEvent(p->stop);
    assert_int_equal(WaitForSingleObject(p->thread, LIMIT_MS), WAIT_OBJECT_0);
    CloseHandle(p->thread);
    CloseHandle(p->stop);
    prfdata_close_and_unmap(p->publisher);
}

static void test_prfcheck_our_provider_without_publisher_clean(void **state)
{
    prfdata_test_service service;
    char dll[MAX_PATH];

    (void)state;
    hwinput_dll(dll);
    make_service(&service, &hwinput_map, dll);
    EXPECT_PARTS("HWInputMon -v -quick", 0, "first: 1 calls, 2 objects in ",
                 "prfcheck: 0 errors, 0 warnings, 0 notes; ");
    prfdata_test_service_remove(&service);
}

static DWORD WINAPI count_input(void *argument)
{
    const prfcheck_publishing *p = argument;
    prfdata_instance left;
    prfdata_handle keys;
    prfdata_handle clicks;

    (void)prfdata_instance_add(p->publisher, PRFOBJ_MOUSECLCKS, L"Left", NULL, &left);
    (void)prfdata_resolve(p->publisher, HWINPUT_KEYSPERSEC, NULL, &keys);
    (void)prfdata_resolve(p->publisher, MOUSECLCKS_CLICKSPERSEC, &left, &clicks);
    while (WaitForSingleObject(p->stop, 1) == WAIT_TIMEOUT) {
        for (int i = 0; i < 1000; i++) {
            prfdata_increment(keys);
            prfdata_increment(clicks);
        }
    }
    return 0;
}

static void test_prfcheck_our_provider_with_publisher_clean(void **state)
{
    prfdata_test_service service;
    prfcheck_publishing p;
    char dll[MAX_PATH];

    (void)state;
    hwinput_dll(dll);
    make_service(&service, &hwinput_map, dll);
    begin_publishing(&p, &hwinput_map, count_input);
    EXPECT_PARTS("HWInputMon -v -quick", 0, "first: 1 calls, 2 objects in ",
                 "prfcheck: 0 errors, 0 warnings, 0 notes; ");
    end_publishing(&p);
    prfdata_test_service_remove(&service);
}

static DWORD WINAPI move_instances(void *argument)
{
    const prfcheck_publishing *p = argument;
    prfdata_instance stays;
    prfdata_handle jobs;

    (void)prfdata_instance_add(p->publisher, 100, L"stays", NULL, &stays);
    (void)prfdata_resolve(p->publisher, 102, &stays, &jobs);
    while (WaitForSingleObject(p->stop, 0) == WAIT_TIMEOUT) {
        prfdata_instance moves;
        prfdata_instance child;
        prfdata_handle taken;

        prfdata_increment(jobs);
        if (prfdata_instance_add(p->publisher, 100, L"moves", NULL, &moves) != ERROR_SUCCESS)
            continue;
        (void)prfdata_instance_add(p->publisher, 300, L"child", &moves, &child);
        (void)prfdata_resolve(p->publisher, 301, &child, &taken);
        prfdata_increment(taken);
        SwitchToThread();
        (void)prfdata_instance_remove(&child);
        (void)prfdata_instance_remove(&moves);
        SwitchToThread();
    }
    return 0;
}

static void test_prfcheck_our_provider_with_moving_instances_clean(void **state)
{
    static sample_map map;
    prfdata_test_service service;
    prfcheck_publishing p;
    char folder[MAX_PATH];
    char from[MAX_PATH];
    char dll[MAX_PATH];

    (void)state;
    sample_map_init(&map);
    assert_in_range(GetTempPathA(MAX_PATH, folder), 1, MAX_PATH - 1);
    hwinput_dll(from);
    snprintf(dll, sizeof dll, "%sMyServicePrf.dll", folder);
    assert_true(CopyFileA(from, dll, FALSE));
    make_service(&service, &map.map, dll);
    begin_publishing(&p, &map.map, move_instances);
    EXPECT_PARTS("MyService -v -seconds 1", 0, "first: ", " calls, 2 objects in ",
                 "prfcheck: 0 errors, 0 warnings, 0 notes; ");
    end_publishing(&p);
    prfdata_test_service_remove(&service);
    DeleteFileA(dll);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_prfcheck_usage),
        cmocka_unit_test(test_prfcheck_what_does_not_load),
        cmocka_unit_test(test_prfcheck_names_the_import_that_is_missing),
        cmocka_unit_test(test_prfcheck_names_of_files_are_utf8),
        cmocka_unit_test(test_prfcheck_finding_tells_all),
        cmocka_unit_test(test_prfcheck_accepts_what_it_is_told),
        cmocka_unit_test(test_prfcheck_shows_mistakes_beside_accepted_ones),
        cmocka_unit_test(test_prfcheck_does_not_give_up_for_accepted_mistakes),
        cmocka_unit_test(test_prfcheck_accepts_only_the_end_of_a_second_process),
        cmocka_unit_test(test_prfcheck_output_for_programs),
        cmocka_unit_test(test_prfcheck_long_texts_are_whole),
        cmocka_unit_test(test_prfcheck_gives_up_if_no_buffer_is_enough),
        cmocka_unit_test(test_prfcheck_of_fixed_finds_what_it_says),
        cmocka_unit_test(test_prfcheck_of_a_crowd_is_done_in_time),
        cmocka_unit_test(test_prfcheck_faults_of_a_registration),
        cmocka_unit_test(test_prfcheck_all_says_which_one_it_is),
        cmocka_unit_test(test_prfcheck_all_of_ten_are_told_apart),
        cmocka_unit_test(test_prfcheck_all_ends_what_takes_too_long),
        cmocka_unit_test(test_prfcheck_open_and_collect_have_limits_of_their_own),
        cmocka_unit_test(test_prfcheck_our_provider_without_publisher_clean),
        cmocka_unit_test(test_prfcheck_our_provider_with_publisher_clean),
        cmocka_unit_test(test_prfcheck_our_provider_with_moving_instances_clean),
    };

    return cmocka_run_group_tests_name("prfcheck", tests, NULL, NULL);
}
