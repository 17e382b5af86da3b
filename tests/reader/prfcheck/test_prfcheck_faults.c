/* SPDX-License-Identifier: MIT */
/* Runs the real prfcheck.exe with each copy of providers/faulty.c. prfcheck must find each fault by
 * its rule and end with its exit code. It must find nothing in the copies that break no rule. This
 * test registers nothing, so other tests may read performance data at the same time. */
#include "support/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <windows.h>

#include "providers/faults.h"
#include "support/program_run.h"
#include "support/reader/faulty_run.h"

/* How many programs run at the same time, in addition to those that wait. */
#define AT_ONCE 5

/* ---- One fault after the other ---- */

typedef struct prfcheck_fault {
    const char *name;
    const char *rule;
    int exit_code;
    const char *scenario;
} prfcheck_fault;

static const prfcheck_fault faults[] = {
#define FAULT(name, rule, exit_code, scenario) {#name, rule, exit_code, scenario},
    FAULTS(FAULT)
#undef FAULT
};

static const size_t fault_count = sizeof faults / sizeof faults[0];

static bool begins(const char *text, const char *with)
{
    return strncmp(text, with, strlen(with)) == 0;
}

/* Returns whether the run mostly waits, so that another fault can be tried at the same time. */
static bool takes_time(const prfcheck_fault *f)
{
    return strstr(f->name, "silent") || begins(f->name, "stuck") || begins(f->name, "hangs") ||
           begins(f->name, "slow") || begins(f->name, "takes");
}

/* Returns whether the output says what keeps a stuck process from continuing. */
static bool explains_stuck(const prfcheck_fault *f, const char *out)
{
    static const char *const reasons[][2] = {
        {"stuck_heap", "the process heap stays locked"},
        {"stuck_killed", "the process heap stays locked"},
        {"stuck_loader", "the loader's lock is still held"},
        {"stuck_ending", "a thread is suspended, does not end or was ended"},
        {"stuck_thread", "a thread is suspended, does not end or was ended"},
    };

    for (size_t i = 0; i < sizeof reasons / sizeof reasons[0]; i++)
        if (strcmp(f->name, reasons[i][0]) == 0)
            return strstr(out, reasons[i][1]) && strstr(out, FAULTY_STUCK_TEXT);
    return !begins(f->name, "stuck");
}

/* The text that prfcheck prints for some faults, in addition to the rule. */
static const char *const texts[][2] = {
    {"second_waits", "error second-process: Open waited "},
    {"second_no_instances", "error second-process, object 7720008: "},
    {"second_ends", "error second-process: a second process ended with exit"},
    {"second_does_not_load", "error second-process: the library could not "},
    {"second_refused", "error second-process: Open returned 183 "},
    {"changes_locale", "thread-state: Collect changed the thread's locale. "},
    {"changes_class", "process-state: Collect changed the priority class. "},
    {"changes_folder", "Collect changed the folder of SetDllDirectory. "},
    {"changes_path", "Collect changed an environment variable. "},
    {"changes_output", "Collect changed a standard handle. "},
    {"writes_output", "Collect changed what is in standard output. "},
    {"changes_directory", "Collect changed the current directory. "},
    {"closes_twice", "warning handle-closed: Collect closed handles that "},
    {"first_empty", "warning first-sample, object 7720000: "},
    {"late_lists_first", "error index-unanswered, object "},
    {"bare_cuts_instances", "error partial, object 77200"},
    {"answers_nothing", "not checked, no objects came: all scenarios; "},
    {"second_unusable", "cannot be read: size-over. "},
    {"leaves_com", "warning thread-state: Collect changed whether COM is "},
    {"changes_thread_mode", "warning thread-state: Collect changed the error "},
    {"changes_error_mode", "warning process-state: Collect changed the error "},
    {"changes_priority", "warning thread-state: Collect changed the thread's "},
    {"more_always", "given up after scenario first: no other can succeed\r\n"},
    {"zero_by_index", "error index-zero, object 77200"},
    {"hits_outgrow_slowly", "warning fraction-above, object 7720000, counter 77200"},
    {"more_by_index", "warning more-fits: Collect returned ERROR_MORE_DATA "},
    {"fewer_instances_by_index", "error index-unanswered, object 7720008: "},
    {"stale_by_index", "error index-zero, object 77200"},
    {"closes_in_thread", "error thread-bound: Close returned "},
    {"opener_must_live", "error thread-bound, object 7720000: "},
    {"writes_late", "error write-late: byte 228 of a reader's "},
    {"writes_old_buffer", "error write-late: byte 228 of a reader's "},
    {"stops_after_many", "error answers-end, object 7720000: "},
    {"leaves_fiber", "Collect changed whether the thread is a fiber. "},
    {"keeps_awake", "Collect changed what the thread keeps awake. "},
    {"leaves_privilege", "Collect changed the enabled privileges. "},
};

static bool has_text(const prfcheck_fault *f, const char *out)
{
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        if (strcmp(f->name, texts[i][0]) == 0 && !strstr(out, texts[i][1]))
            return false;
    return true;
}

static bool is_right(const prfcheck_fault *f, const program_run *r)
{
    /* A slow fault returns before it counts as hung, unless the machine is slow, too. */
    const bool is_late = begins(f->name, "slow") && r->exit_code == 4;

    if ((!begins(f->name, "slow") || strstr(r->err, " takes longer than 5 seconds\r\n")) &&
        (r->exit_code == f->exit_code || is_late) && faulty_run_names_rule(r->out, f->rule) &&
        strstr(r->out, "prfcheck: ") &&
        (!begins(f->name, "hangs") || faulty_run_waited_long_enough(r->out)) &&
        (!begins(f->name, "hangs_in_collect") ||
         faulty_run_says_slowest(r->out, FAULTY_HANGS_LEAST_MS)) &&
        ((!begins(f->name, "takes") && !begins(f->name, "crashes_after_long")) ||
         faulty_run_says_slowest(r->out, FAULTY_LONG_MS - 20)) &&
        (!begins(f->name, "silent") || strstr(r->out, FAULTY_SILENT_TEXT)) &&
        explains_stuck(f, r->out) && has_text(f, r->out))
        return true;
    print_message("%s: expected %s and exit code %d, got %d:\n%s\n", f->name, f->rule, f->exit_code,
                  r->exit_code, r->out);
    return false;
}

static void start_fault(program_run *r, const prfcheck_fault *f)
{
    const char *options = begins(f->name, "hangs")     ? FAULTY_HANGS_OPTIONS
                          : begins(f->name, "slow")    ? FAULTY_SLOW_OPTIONS
                          : begins(f->name, "silent")  ? FAULTY_SILENT_OPTIONS
                          : begins(f->name, "stuck")   ? FAULTY_STUCK_OPTIONS
                          : strstr(f->name, "silent")  ? FAULTY_SECOND_OPTIONS
                          : strstr(f->name, "context") ? "-context One"
                                                       : "";
    char more[100];

    snprintf(more, sizeof more, "%s -only %s %s",
             begins(f->name, "restarts") || begins(f->name, "gets_slower") ||
                     begins(f->name, "places_for_living") || begins(f->name, "forgets_in_second")
                 ? "-seconds 1"
                 : "-quick",
             f->scenario, options);
    faulty_run_start(r, f->name, more);
}

static bool finish_fault(program_run *r, const prfcheck_fault *f)
{
    bool right;

    program_run_finish(r);
    right = is_right(f, r);
    program_run_free(r);
    faulty_run_remove_copy(f->name);
    return right;
}

/* Faults that wait need no processor time, so they run at the same time as the others. They start
 * one after the other, because many processes that start at once delay each other. */
static void test_prfcheck_faults_every_fault_is_found_by_its_rule(void **state)
{
    static program_run runs[sizeof faults / sizeof faults[0]];
    static size_t others[sizeof faults / sizeof faults[0]];
    static size_t slow[sizeof faults / sizeof faults[0]];
    size_t other_count = 0;
    size_t slow_count = 0;
    size_t wrong = 0;

    (void)state;
    for (size_t i = 0; i < fault_count; i++) {
        if (takes_time(&faults[i]))
            slow[slow_count++] = i;
        else
            others[other_count++] = i;
    }
    assert_true(slow_count < other_count);
    for (size_t k = 0; k < other_count + AT_ONCE; k++) {
        if (k < slow_count)
            start_fault(&runs[slow[k]], &faults[slow[k]]);
        if (k >= AT_ONCE && k - AT_ONCE < other_count)
            wrong += !finish_fault(&runs[others[k - AT_ONCE]], &faults[others[k - AT_ONCE]]);
        if (k < other_count)
            start_fault(&runs[others[k]], &faults[others[k]]);
    }
    for (size_t k = 0; k < slow_count; k++)
        wrong += !finish_fault(&runs[slow[k]], &faults[slow[k]]);
    assert_int_equal(wrong, 0);
}

/* ---- Whole checks ---- */

#define PARTS 5

typedef struct whole_check {
    const char *name;
    const char *options;
    int exit_code;
    const char *parts[PARTS]; /* parts of the output; NULL: no more */
} whole_check;

#define CLEAN "prfcheck: 0 errors, 0 warnings, 0 notes; "

static const whole_check whole_checks[] = {
    {"none", "-v -quick", 0, {"first: 1 calls, 3 objects in ", CLEAN}},
    /* If a process ends, only one scenario is lost. */
    {"ends_process",
     "-quick -v",
     4,
     {"metadata \"MetadataGlobal\": ",
      "error process-ended: the process ended with exit code 0x0000004D. A provider must not end "
      "its "
      "reader's process. [metadata]\r\nmetadata \"OLD_MetadataGlobal\": ",
      "closed \"Global\": ", "prfcheck: 1 error, 0 warnings, 0 notes; "}},
    /* If every process ends, prfcheck gives up. */
    {"crashes_in_collect",
     "-quick",
     4,
     {"given up before scenario case because too many processes ended: 4\r\n",
      "prfcheck: 1 error, 0 warnings, 0 notes; "}},
    /* Objects, or instances, come a second after Open. All is checked, and only once. */
    {"late_none", "-quick", 0, {CLEAN}},
    {"bare_none", "-quick", 0, {CLEAN}},
    /* Objects come later than -wait allows. The scenarios that checked nothing run again, and
     * then wait as long as the objects took. */
    {"late_answers_foreign",
     "-wait 0 -v -quick",
     1,
     {"foreign \"Foreign host\": 2 calls, not checked: no objects\r\n", "objects came ",
      " scenarios once more\r\n",
      "warning query-foreign: ", "prfcheck: 0 errors, 1 warning, 0 notes; "}},
    /* If nothing was checked, the provider does not count as valid. */
    {"answers_nothing",
     "-quick -wait 1",
     7,
     {"note no-objects: Collect returned no objects for Global. ",
      "not checked, no objects came: all scenarios; -wait n waits longer than 1 sec",
      "prfcheck: 0 errors, 0 warnings, 1 note; "}},
};

enum { WHOLE_CHECKS = sizeof whole_checks / sizeof whole_checks[0] };

/* The programs wait most of the time, so all of them run at once. */
static void test_prfcheck_faults_whole_checks_say_what_they_must(void **state)
{
    program_run runs[WHOLE_CHECKS];

    (void)state;
    for (size_t i = 0; i < WHOLE_CHECKS; i++)
        faulty_run_start(&runs[i], whole_checks[i].name, whole_checks[i].options);
    for (size_t i = 0; i < WHOLE_CHECKS; i++) {
        size_t count = 0;

        program_run_finish(&runs[i]);
        faulty_run_remove_copy(whole_checks[i].name);
        while (count < PARTS && whole_checks[i].parts[count])
            count++;
        program_run_check(&runs[i], whole_checks[i].exit_code, whole_checks[i].parts, count);
        program_run_free(&runs[i]);
    }
    FAULTY_RUN_EXPECT("answers_nothing", "-only first -wait 0 -f json", 7,
                      "\"Verdict\":\"not checked\",");
}

static void start_lawful(program_run *r, const char *name, const char *scenario)
{
    char more[100];

    snprintf(more, sizeof more, "-only %s", scenario);
    faulty_run_start(r, name, more);
}

static void finish_lawful(program_run *r, const char *name)
{
    program_run_finish(r);
    faulty_run_remove_copy(name);
    if (r->exit_code != 0 || !strstr(r->out, "prfcheck: 0 errors, 0 warnings, 0 notes; "))
        program_run_fail(r, name);
    program_run_free(r);
}

/* Providers whose behaviour is allowed, or cannot be distinguished from allowed behaviour, have no
 * findings. */
static void test_prfcheck_faults_lawful_clean(void **state)
{
    static const char *const lawful[][2] = {
#define LAWFUL_NAMES(name, scenario) {#name, scenario},
        LAWFUL(LAWFUL_NAMES) UNSEEN(LAWFUL_NAMES)
#undef LAWFUL_NAMES
    };
    enum { COUNT = sizeof lawful / sizeof lawful[0] };

    program_run runs[COUNT];

    (void)state;
    for (size_t i = 0; i < COUNT + AT_ONCE; i++) {
        if (i >= AT_ONCE)
            finish_lawful(&runs[i - AT_ONCE], lawful[i - AT_ONCE][0]);
        if (i < COUNT)
            start_lawful(&runs[i], lawful[i][0], lawful[i][1]);
    }
}

/* Open takes 1.5 seconds, so hundreds of repetitions would take minutes. */
static void test_prfcheck_faults_does_not_repeat_a_slow_open(void **state)
{
    (void)state;
    FAULTY_RUN_EXPECT("opens_slowly", "-quick -v -only opens", 0,
                      "opens: 2 calls, not repeated: once "
                      "takes ",
                      "prfcheck: 0 errors, 0 warnings, 0 notes; ");
    FAULTY_RUN_EXPECT("opens_slowly", "-quick -v -only loads", 0,
                      "loads: 2 calls, not repeated: once "
                      "takes ",
                      "prfcheck: 0 errors, 0 warnings, 0 notes; ");
}

static void test_prfcheck_faults_slowest_collect_is_of_any_thread(void **state)
{
    char path[MAX_PATH];
    char arguments[1024];
    program_run run;

    (void)state;
    faulty_run_make_copy("waits_in_threads", path);
    faulty_run_arguments(path, "-quick -only threads", arguments);
    program_run_make(&run, "prfcheck", arguments);
    faulty_run_remove_copy("waits_in_threads");
    if (run.exit_code != 0 || !faulty_run_says_slowest(run.out, FAULTY_WAIT_MS - 10))
        program_run_fail(&run, "the slowest Collect");
    program_run_free(&run);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_prfcheck_faults_every_fault_is_found_by_its_rule),
        cmocka_unit_test(test_prfcheck_faults_whole_checks_say_what_they_must),
        cmocka_unit_test(test_prfcheck_faults_lawful_clean),
        cmocka_unit_test(test_prfcheck_faults_does_not_repeat_a_slow_open),
        cmocka_unit_test(test_prfcheck_faults_slowest_collect_is_of_any_thread),
    };

    return cmocka_run_group_tests_name("prfcheck_faults", tests, NULL, NULL);
}
