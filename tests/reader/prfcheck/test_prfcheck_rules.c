/* SPDX-License-Identifier: MIT */
/*
 * Runs the real prfcheck.exe with services, to test the rules about the registry and about titles
 * that two services share. It also runs lawful providers in scenarios that faults.h does not list
 * for them.
 */
#include "support/test.h"

#include <stdio.h>
#include <string.h>

#include <windows.h>

#include "providers/faults.h"
#include "support/reader/faulty_run.h"
#include "support/service.h"

/* Number of programs that run at the same time. */
#define AT_ONCE 3

#define CLEAN "prfcheck: 0 errors, 0 warnings, 0 notes; "

typedef struct rule_run {
    const char *name;
    const char *options;
    const char *said;
    unsigned long slowest_ms;
} rule_run;

/* Rows with the same provider are at least AT_ONCE rows apart, because two runs must not use its
 * copy at the same time. */
static const rule_run rule_runs[] = {
    {"none", "-only old", CLEAN, 0},
    {"long_seldom", "-only samples", CLEAN, FAULTY_LONG_MS - 20},
    {"waits_in_threads", "-quick -only threads", CLEAN, FAULTY_WAIT_MS - 10},
    {"none", "-only index-room", CLEAN, 0},
    {"caches", "-quick -only indexes", CLEAN, 0},
    {"late_none", "-only other-threads", CLEAN, 0},
    {"none", "-only large-room", CLEAN, 0},
    {"scratches", "-only late-writes", CLEAN, 0},
    {"late_none", "-only processes", CLEAN, 0},
    {"none", "-quick -only short-threads", CLEAN, 0},
};

enum { RULE_RUNS = sizeof rule_runs / sizeof rule_runs[0] };

static bool finish_rule_run(program_run *run, const rule_run *expected)
{
    bool is_right;

    program_run_finish(run);
    is_right =
        strstr(run->out, expected->said) && faulty_run_says_slowest(run->out, expected->slowest_ms);
    if (!is_right)
        print_message("%s: expected %s, got:\n%s\n", expected->name, expected->said, run->out);
    program_run_free(run);
    faulty_run_remove_copy(expected->name);
    return is_right;
}

static void test_prfcheck_rules_lawful_in_other_scenarios_clean(void **state)
{
    static program_run runs[RULE_RUNS];
    size_t wrong = 0;

    (void)state;
    for (size_t i = 0; i < RULE_RUNS + AT_ONCE; i++) {
        if (i >= AT_ONCE)
            wrong += !finish_rule_run(&runs[i - AT_ONCE], &rule_runs[i - AT_ONCE]);
        if (i < RULE_RUNS)
            faulty_run_start(&runs[i], rule_runs[i].name, rule_runs[i].options);
    }
    assert_int_equal(wrong, 0);
}

static void make_titled_service(prfdata_test_service *service, const char *name, const char *path,
                                uint32_t higher)
{
    prfdata_test_service_make(service, name, NULL, FAULTY_FIRST + higher);
    prfdata_test_service_set_number(service, "Last Counter", FAULTY_LAST + higher);
    prfdata_test_service_set_number(service, "Last Help", FAULTY_LAST + higher + 1);
    prfdata_test_service_set_text(service, "Library", path);
    prfdata_test_service_set_text(service, "Open", "FaultyOpen");
    prfdata_test_service_set_text(service, "Collect", "FaultyCollect");
    prfdata_test_service_set_text(service, "Close", "FaultyClose");
}

static void make_faulty_service(prfdata_test_service *service, const char *path)
{
    make_titled_service(service, "PrfCheckRules", path, 0);
}

/* The provider changes the current directory, but the second process still finds the library. */
static void test_prfcheck_rules_path_is_of_where_it_was_started(void **state)
{
    char path[MAX_PATH];
    char folder[MAX_PATH];
    char before[MAX_PATH];
    char arguments[1024];
    program_run run;

    (void)state;
    faulty_run_make_copy("changes_directory", path);
    snprintf(folder, sizeof folder, "%.*s", (int)(strrchr(path, '\\') - path), path);
    assert_in_range(GetCurrentDirectoryA(MAX_PATH, before), 1, MAX_PATH - 1);
    assert_true(SetCurrentDirectoryA(folder));
    faulty_run_arguments(strrchr(path, '\\') + 1, "-only processes", arguments);
    program_run_start(&run, "prfcheck", arguments, 0);
    assert_true(SetCurrentDirectoryA(before));
    program_run_finish(&run);
    assert_non_null(strstr(run.out, "warning process-state: "));
    assert_null(strstr(run.out, "second-process"));
    assert_int_equal(run.exit_code, 1);
    program_run_free(&run);
    faulty_run_remove_copy("changes_directory");
}

/* A provider that reports an incorrect size is not also blamed for refusing that size. */
static void test_prfcheck_rules_wrong_size_is_not_enough(void **state)
{
    program_run run;

    (void)state;
    faulty_run_start(&run, "size_short", "-quick -only sizes");
    program_run_finish(&run);
    assert_non_null(strstr(run.out, "error pointer-length, "));
    assert_null(strstr(run.out, "more-fits"));
    program_run_free(&run);
    faulty_run_remove_copy("size_short");
}

/* Windows asks a provider for metadata only if the provider declares that it answers. */
static void test_prfcheck_rules_of_metadata_are_for_who_gets_it(void **state)
{
    prfdata_test_service service;
    char path[MAX_PATH];

    (void)state;
    faulty_run_make_copy("answers_metadata", path);
    make_faulty_service(&service, path);
    PROGRAM_RUN_EXPECT("prfcheck", "PrfCheckRules -quick -v -only metadata", 0,
                       "metadata \"MetadataGlobal\": ", "not asked: no Collect Supports Metadata",
                       CLEAN);
    prfdata_test_service_set_number(&service, "Collect Supports Metadata", 1);
    PROGRAM_RUN_EXPECT("prfcheck", "PrfCheckRules -quick -only metadata", 3,
                       "error metadata-instances, ");
    prfdata_test_service_remove(&service);
    faulty_run_remove_copy("answers_metadata");
}

static void test_prfcheck_rules_of_a_registration(void **state)
{
    prfdata_test_service service;
    char path[MAX_PATH];

    (void)state;
    faulty_run_make_copy("none", path);
    make_faulty_service(&service, path);
    prfdata_test_service_set_text(&service, "Object List", "7720000 7720008 7720012");
    PROGRAM_RUN_EXPECT("prfcheck", "PrfCheckRules -quick -only object-list", 0, CLEAN);
    prfdata_test_service_set_text(&service, "Object List", "7720002 7720008 x 7720012");
    PROGRAM_RUN_EXPECT("prfcheck", "PrfCheckRules -quick -only object-list", 1,
                       "warning object-list, object 7720000: the value Object List does not "
                       "name the object. ",
                       "warning object-list, object 7720002: the value Object List names the "
                       "object, but ");
    prfdata_test_service_remove(&service);
    faulty_run_remove_copy("none");
}

/* Each scenario first asks for Global. If replies are large, only the first scenario asks for it,
 * to save time. */
static void test_prfcheck_rules_large_replies_are_asked_for_once(void **state)
{
    char arguments[1024];

    (void)state;
    SetEnvironmentVariableA("PRFDATA_TEST_GLOBAL", "1");
    snprintf(arguments, sizeof arguments,
             "-dll \"%sprfdata-crowd.dll\" -open CrowdOpen -collect CrowdCollect -close CrowdClose "
             "-first 7740000 -last 7740006 -quick -v -only no-room",
             program_run_folder());
    SetEnvironmentVariableA("PRFDATA_TEST_INSTANCES", "100");
    PROGRAM_RUN_EXPECT("prfcheck", arguments, 0, "no-room \"nonsense\": 4 calls\r\n", CLEAN);
    SetEnvironmentVariableA("PRFDATA_TEST_INSTANCES", "20000");
    PROGRAM_RUN_EXPECT("prfcheck", arguments, 0, "no-room \"nonsense\": 3 calls\r\n", CLEAN);
    SetEnvironmentVariableA("PRFDATA_TEST_INSTANCES", NULL);
    SetEnvironmentVariableA("PRFDATA_TEST_GLOBAL", NULL);
}

/* Two services may not share a title, unless one of them is disabled. The titles of a service may
 * begin immediately after the last title of another one. */
static void test_prfcheck_rules_titles_are_of_one_service(void **state)
{
    static const struct {
        const char *service;
        const char *copy;
        uint32_t higher;
    } registered[] = {
        {"PrfCheckRulesAlone", "none+1000", 1000},
        {"PrfCheckRulesNext", "none+1016",
         1016}, /* the title before this one is the last one of PrfCheckRulesAlone */
        {"PrfCheckRulesOff", "none+1000", 1000},
        {"PrfCheckRulesOne", "none+1100", 1100},
        {"PrfCheckRulesTwo", "none+1114", 1114}, /* begins with the last one of PrfCheckRulesOne */
    };
    enum { COUNT = sizeof registered / sizeof registered[0] };
    prfdata_test_service services[COUNT];

    (void)state;
    for (size_t i = 0; i < COUNT; i++) {
        char path[MAX_PATH];

        faulty_run_make_copy(registered[i].copy, path);
        make_titled_service(&services[i], registered[i].service, path, registered[i].higher);
    }
    prfdata_test_service_set_number(&services[2], "Disable Performance Counters", 1);
    PROGRAM_RUN_EXPECT("prfcheck", "-all -only first", 3, "PrfCheckRulesAlone: right\r\n",
                       "PrfCheckRulesNext: right\r\n", "PrfCheckRulesOff: switched off\r\n",
                       "PrfCheckRulesOne: errors: titles-shared\r\n",
                       "PrfCheckRulesTwo: errors: titles-shared\r\n");
    PROGRAM_RUN_EXPECT("prfcheck", "-all -f json -only first", 3,
                       "\"Text\":\"it has 7721100 to 7721114, service PrfCheckRulesTwo has "
                       "7721114 to 7721128\"",
                       "\"Text\":\"it has 7721114 to 7721128, service PrfCheckRulesOne has "
                       "7721100 to 7721114\"");
    for (size_t i = 0; i < COUNT; i++) {
        prfdata_test_service_remove(&services[i]);
        faulty_run_remove_copy(registered[i].copy);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_prfcheck_rules_lawful_in_other_scenarios_clean),
        cmocka_unit_test(test_prfcheck_rules_path_is_of_where_it_was_started),
        cmocka_unit_test(test_prfcheck_rules_wrong_size_is_not_enough),
        cmocka_unit_test(test_prfcheck_rules_of_metadata_are_for_who_gets_it),
        cmocka_unit_test(test_prfcheck_rules_of_a_registration),
        cmocka_unit_test(test_prfcheck_rules_large_replies_are_asked_for_once),
        cmocka_unit_test(test_prfcheck_rules_titles_are_of_one_service),
    };

    return cmocka_run_group_tests_name("prfcheck_rules", tests, NULL, NULL);
}
