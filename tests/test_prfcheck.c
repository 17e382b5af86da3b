/* SPDX-License-Identifier: MIT */
/*
 * The real prfcheck.exe against faulty/faulty.c, which has one fault per copy: each must be found
 * by its rule and end with its exit code. Then against what is right: the same DLL without fault,
 * and our own provider with and without a publisher.
 */
#include "test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <windows.h>

#include <prfdata/prfdata.h>

#include "faulty/faults.h"
#include "hwinput_map.h"
#include "sample_map.h"
#include "service.h"

/* As many programs at once: some wait for a time limit. */
#define AT_ONCE 3

/* What no program that works reaches, however slow the machine. */
#define LIMIT_MS 240000

static char program_folder[MAX_PATH]; /* with a backslash at its end */
static char temporary_folder[MAX_PATH];

/* ---- Running prfcheck ---- */

typedef struct run {
    HANDLE process;
    HANDLE file;
    char path[MAX_PATH];
    char *out; /* and what it says on standard error */
    int exit_code;
} run;

static char *read_whole(const char *path)
{
    HANDLE file = CreateFileA(path, GENERIC_READ, FILE_SHARE_READ | FILE_SHARE_WRITE, NULL,
                              OPEN_EXISTING, 0, NULL);
    DWORD size;
    DWORD got = 0;
    char *text;

    assert_true(file != INVALID_HANDLE_VALUE);
    size = GetFileSize(file, NULL);
    text = malloc(size + 1);
    assert_non_null(text);
    assert_true(ReadFile(file, text, size, &got, NULL));
    text[got] = 0;
    CloseHandle(file);
    return text;
}

static void temporary_path(const char *name, const char *extension, char path[MAX_PATH])
{
    assert_in_range(snprintf(path, MAX_PATH, "%sprfcheck-test-%lu-%s%s", temporary_folder,
                             GetCurrentProcessId(), name, extension),
                    1, MAX_PATH - 1);
}

static void start(run *r, const char *name, const char *arguments)
{
    SECURITY_ATTRIBUTES inherited = {sizeof inherited, NULL, TRUE};
    STARTUPINFOA startup;
    PROCESS_INFORMATION process;
    char command[2048];

    temporary_path(name, ".txt", r->path);
    r->file = CreateFileA(r->path, GENERIC_WRITE, FILE_SHARE_READ | FILE_SHARE_WRITE, &inherited,
                          CREATE_ALWAYS, 0, NULL);
    assert_true(r->file != INVALID_HANDLE_VALUE);
    memset(&startup, 0, sizeof startup);
    startup.cb = sizeof startup;
    startup.dwFlags = STARTF_USESTDHANDLES;
    startup.hStdOutput = r->file;
    startup.hStdError = r->file;
    startup.hStdInput = INVALID_HANDLE_VALUE;
    assert_in_range(
        snprintf(command, sizeof command, "\"%sprfcheck.exe\" %s", program_folder, arguments), 1,
        sizeof command - 1);
    assert_true(CreateProcessA(NULL, command, NULL, NULL, TRUE, 0, NULL, NULL, &startup, &process));
    CloseHandle(process.hThread);
    r->process = process.hProcess;
}

static void finish(run *r)
{
    DWORD exit_code = 0;

    if (WaitForSingleObject(r->process, LIMIT_MS) != WAIT_OBJECT_0) {
        TerminateProcess(r->process, 99);
        WaitForSingleObject(r->process, LIMIT_MS);
    }
    assert_true(GetExitCodeProcess(r->process, &exit_code));
    CloseHandle(r->process);
    CloseHandle(r->file);
    r->exit_code = (int)exit_code;
    r->out = read_whole(r->path);
    DeleteFileA(r->path);
}

static run prfcheck(const char *arguments)
{
    run r;

    start(&r, "one", arguments);
    finish(&r);
    return r;
}

static void drop(run *r)
{
    free(r->out);
}

/* cmocka would cut the output. */
static void fail_with(const run *r, const char *arguments, const char *what)
{
    (void)fputs(r->out, stdout);
    fail_msg("prfcheck %s ended with %d, %s is missing", arguments, r->exit_code, what);
}

static void expect_parts(const char *arguments, int exit_code, const char *const *parts,
                         size_t count)
{
    run r = prfcheck(arguments);

    for (size_t i = 0; i < count; i++) {
        if (!strstr(r.out, parts[i]))
            fail_with(&r, arguments, parts[i]);
    }
    if (r.exit_code != exit_code)
        fail_with(&r, arguments, "the right exit code");
    drop(&r);
}

#define EXPECT_PARTS(arguments, exit_code, ...)                                                    \
    do {                                                                                           \
        static const char *const parts_[] = {__VA_ARGS__};                                         \
                                                                                                   \
        expect_parts(arguments, exit_code, parts_, sizeof parts_ / sizeof parts_[0]);              \
    } while (0)

/* ---- One fault after the other ---- */

typedef struct fault {
    const char *name;
    const char *rule;
    int exit_code;
} fault;

static const fault faults[] = {
#define FAULT(name, rule, exit_code) {#name, rule, exit_code},
    FAULTS(FAULT)
#undef FAULT
};

static const size_t fault_count = sizeof faults / sizeof faults[0];

/* A copy of the DLL that has this fault; the folder is made for this run. */
static void make_copy(const char *name, char path[MAX_PATH])
{
    char from[MAX_PATH];
    char folder[MAX_PATH];

    temporary_path("dlls", "", folder);
    CreateDirectoryA(folder, NULL);
    snprintf(from, sizeof from, "%sprfdata-faulty.dll", program_folder);
    assert_in_range(snprintf(path, MAX_PATH, "%s\\faulty-%s.dll", folder, name), 1, MAX_PATH - 1);
    assert_true(CopyFileA(from, path, FALSE));
}

static void remove_copy(const char *name)
{
    char folder[MAX_PATH];
    char path[MAX_PATH + 64];

    temporary_path("dlls", "", folder);
    snprintf(path, sizeof path, "%s\\faulty-%s.dll", folder, name);
    DeleteFileA(path);
    RemoveDirectoryA(folder);
}

static void faulty_arguments(const char *path, const char *more, char arguments[1024])
{
    assert_in_range(
        snprintf(arguments, 1024,
                 "-dll \"%s\" -open FaultyOpen -collect FaultyCollect -close FaultyClose "
                 "-first %u -last %u %s",
                 path, (unsigned)FAULTY_FIRST, (unsigned)FAULTY_LAST, more),
        1, 1023);
}

/* Whether a line of the output is about the rule: "error name, ..." or "error name: ...". */
static bool names_rule(const char *out, const char *rule)
{
    const size_t length = strlen(rule);

    for (const char *at = out; (at = strstr(at, rule)) != NULL; at += length) {
        if (at > out && at[-1] == ' ' && (at[length] == ',' || at[length] == ':'))
            return true;
    }
    return false;
}

static bool is_right(const fault *f, const run *r)
{
    if (r->exit_code == f->exit_code && names_rule(r->out, f->rule) && strstr(r->out, "prfcheck: "))
        return true;
    print_message("%s: expected %s and exit code %d, got %d:\n%s\n", f->name, f->rule, f->exit_code,
                  r->exit_code, r->out);
    return false;
}

static void start_fault(run *r, const fault *f)
{
    char path[MAX_PATH];
    char arguments[1024];

    make_copy(f->name, path);
    /* Only what hangs comes near the limit. */
    faulty_arguments(path, strncmp(f->name, "hangs", 5) == 0 ? "-quick -limit 2" : "-quick",
                     arguments);
    start(r, f->name, arguments);
}

static void test_prfcheck_every_fault_is_found_by_its_rule(void **state)
{
    run runs[AT_ONCE];
    size_t wrong = 0;

    (void)state;
    for (size_t i = 0; i < fault_count + AT_ONCE; i++) {
        run *r = &runs[i % AT_ONCE];

        if (i >= AT_ONCE && i - AT_ONCE < fault_count) {
            finish(r);
            wrong += !is_right(&faults[i - AT_ONCE], r);
            drop(r);
            remove_copy(faults[i - AT_ONCE].name);
        }
        if (i < fault_count)
            start_fault(r, &faults[i]);
    }
    assert_int_equal(wrong, 0);
}

static void test_prfcheck_without_fault_clean(void **state)
{
    char path[MAX_PATH];
    char arguments[1024];

    (void)state;
    make_copy("none", path);
    faulty_arguments(path, "-v -seconds 1", arguments);
    EXPECT_PARTS(arguments, 0, "first: 1 calls, 3 objects in ", "every size from 0 to ",
                 "prfcheck: 0 errors, 0 warnings, 0 notes; ");
    remove_copy("none");
}

/* A finding says what, where, which event and how it came about. */
static void test_prfcheck_finding_tells_all(void **state)
{
    char path[MAX_PATH];
    char arguments[1024];

    (void)state;
    make_copy("definition_length", path);
    faulty_arguments(path, "-only first", arguments);
    EXPECT_PARTS(arguments, 3,
                 "error definition-length, byte 4, Perflib event 1019: "
                 "PERF_OBJECT_TYPE.DefinitionLength is 232, the definitions end at 224. "
                 "DefinitionLength must be HeaderLength and all counter definitions. "
                 "[first: \"Global\", 65536 bytes]\r\n",
                 "error definition-length: 3 in all\r\n", "prfcheck: 3 errors, 0 warnings, ");
    remove_copy("definition_length");

    make_copy("crashes_at_null", path);
    faulty_arguments(path, "-only null", arguments);
    EXPECT_PARTS(arguments, 4,
                 "error collect-crash, Perflib event 1010: exception 0xC0000005 at "
                 "faulty-crashes_at_null.dll+0x",
                 "[null: NULL, 65536 bytes]\r\n");
    remove_copy("crashes_at_null");
}

static void test_prfcheck_what_does_not_load(void **state)
{
    char path[MAX_PATH];
    char arguments[1024];

    (void)state;
    EXPECT_PARTS("-dll C:\\nowhere\\nothing.dll", 5,
                 "error load, Perflib event 1023: the library could not be loaded: error ");
    make_copy("none", path);
    snprintf(arguments, sizeof arguments,
             "-dll \"%s\" -open FaultyOpen -collect FaultyCollect -close NoSuchName", path);
    EXPECT_PARTS(arguments, 5,
                 "error close-export, Perflib event 1007: the library exports no function "
                 "NoSuchName");
    snprintf(arguments, sizeof arguments, "-dll \"%s\"", path);
    EXPECT_PARTS(arguments, 5, "error open-export, Perflib event 1005: ",
                 "error collect-export, Perflib event 1006: ");
    remove_copy("none");
    EXPECT_PARTS("NoServiceOfThisName", 5, "Error: NoServiceOfThisName: the service's Performance");
}

/* ---- The command line ---- */

static void test_prfcheck_usage(void **state)
{
    (void)state;
    EXPECT_PARTS("-?", 0, "prfcheck MyService", "Exit codes: ");
    EXPECT_PARTS("", 1, "Error: a service is missing", "prfcheck MyService");
    EXPECT_PARTS("a b", 1, "Error: b: one service at a time");
    EXPECT_PARTS("a -dll b.dll", 1, "Error: a: a service or -dll, not both");
    EXPECT_PARTS("a -nonsense", 1, "Error: -nonsense: no such option");
    EXPECT_PARTS("a -first", 1, "Error: -first: a value is missing behind it");
    EXPECT_PARTS("a -first x", 1, "Error: x: a number is expected");
    EXPECT_PARTS("a -first 10 -last 8", 1, "Error: -last is below -first");
    EXPECT_PARTS("a -open b", 1, "Error: a: the registry names its functions");
    EXPECT_PARTS("a -only nonsense", 1, "Error: nonsense: no such scenario");
}

/* ---- Our own ---- */

enum { FIRST_COUNTER = 7730000, TITLES = 24 };

/* A service of our provider; `dll` is a copy of it, called <name>Prf.dll. */
static void make_service(prfdata_test_service *service, const prfdata_map *map, const char *dll)
{
    prfdata_test_service_make(service, map->service, map, FIRST_COUNTER);
    prfdata_test_service_set_number(service, "Last Counter", FIRST_COUNTER + TITLES);
    prfdata_test_service_set_number(service, "Last Help", FIRST_COUNTER + TITLES + 1);
    prfdata_test_service_set_number(service, "Collect Supports Metadata", 1);
    prfdata_test_service_set_text(service, "Library", dll);
    prfdata_test_service_set_text(service, "Open", "PrfDataOpen");
    prfdata_test_service_set_text(service, "Collect", "PrfDataCollect");
    prfdata_test_service_set_text(service, "Close", "PrfDataClose");
}

static void hwinput_dll(char path[MAX_PATH])
{
    assert_in_range(snprintf(path, MAX_PATH, "%sHWInputMonPrf.dll", program_folder), 1,
                    MAX_PATH - 1);
}

/* A thread that publishes for as long as prfcheck looks. */
typedef struct publishing {
    prfdata_publisher *publisher;
    HANDLE stop;
    HANDLE thread;
} publishing;

static void begin_publishing(publishing *p, const prfdata_map *map, LPTHREAD_START_ROUTINE routine)
{
    assert_int_equal(prfdata_open(map, &p->publisher), ERROR_SUCCESS);
    p->stop = CreateEventW(NULL, TRUE, FALSE, NULL);
    assert_non_null(p->stop);
    p->thread = CreateThread(NULL, 0, routine, p, 0, NULL);
    assert_non_null(p->thread);
}

static void end_publishing(publishing *p)
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
    EXPECT_PARTS("HWInputMon -v -seconds 1", 0, "first: 1 calls, 2 objects in ",
                 "prfcheck: 0 errors, 0 warnings, 0 notes; ");
    prfdata_test_service_remove(&service);
}

static DWORD WINAPI count_input(void *argument)
{
    const publishing *p = argument;
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
    publishing p;
    char dll[MAX_PATH];

    (void)state;
    hwinput_dll(dll);
    make_service(&service, &hwinput_map, dll);
    begin_publishing(&p, &hwinput_map, count_input);
    EXPECT_PARTS("HWInputMon -v -seconds 1", 0, "first: 1 calls, 2 objects in ",
                 "prfcheck: 0 errors, 0 warnings, 0 notes; ");
    end_publishing(&p);
    prfdata_test_service_remove(&service);
}

/* Instances come and go, with parents and children, while prfcheck looks. */
static DWORD WINAPI move_instances(void *argument)
{
    const publishing *p = argument;
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
    publishing p;
    char from[MAX_PATH];
    char dll[MAX_PATH];

    (void)state;
    sample_map_init(&map);
    hwinput_dll(from);
    snprintf(dll, sizeof dll, "%sMyServicePrf.dll", temporary_folder);
    assert_true(CopyFileA(from, dll, FALSE));
    make_service(&service, &map.map, dll);
    begin_publishing(&p, &map.map, move_instances);
    EXPECT_PARTS("MyService -v -seconds 1", 0, "first: 1 calls, 2 objects in ",
                 "prfcheck: 0 errors, 0 warnings, 0 notes; ");
    end_publishing(&p);
    prfdata_test_service_remove(&service);
    DeleteFileA(dll);
}

static int find_folders(void **state)
{
    char *name;

    (void)state;
    GetModuleFileNameA(NULL, program_folder, MAX_PATH);
    name = strrchr(program_folder, '\\');
    if (!name)
        return 1;
    name[1] = '\0';
    return GetTempPathA(MAX_PATH, temporary_folder) == 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_prfcheck_usage),
        cmocka_unit_test(test_prfcheck_what_does_not_load),
        cmocka_unit_test(test_prfcheck_finding_tells_all),
        cmocka_unit_test(test_prfcheck_without_fault_clean),
        cmocka_unit_test(test_prfcheck_every_fault_is_found_by_its_rule),
        cmocka_unit_test(test_prfcheck_our_provider_without_publisher_clean),
        cmocka_unit_test(test_prfcheck_our_provider_with_publisher_clean),
        cmocka_unit_test(test_prfcheck_our_provider_with_moving_instances_clean),
    };

    return cmocka_run_group_tests_name("prfcheck", tests, find_folders, NULL);
}
