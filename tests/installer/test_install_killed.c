/* SPDX-License-Identifier: MIT */
/* Tests installers that are killed, and installers that run at the same time. After a second run
 * there must always be a complete installation or none. A child process installs or uninstalls, and
 * ends itself with TerminateProcess: in its nth step, or before its nth call that changes the
 * registry or a file. Windows only. */
#include "support/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <prfdata/prfdata.h>

#include "service/site.h"
#include "support/installer/install_scene.h"
#include "support/installer/killed_call.h"
#include "support/process.h"
#include "titles/service_key.h"

enum { KILLED = 99, MOST_STEPS = 60, MOST_CALLS = 200 };

static void use_version(int version)
{
    prfdata_map_entry counter = sample_map_counter(900, PERF_COUNTER_RAWCOUNT);

    sample_map_init(&sample);
    sample.map.service = SERVICE;
    if (version == 2)
        sample_map_insert(&sample, JOBS, &counter);
}

/* ---- The child ---- */

static int steps_left;
static bool has_to_wait; /* whether the child waits, instead of ending, when steps_left is 0 */

static void end_in_step(void *context, prfdata_step step, const wchar_t *text)
{
    char line[16];

    (void)context;
    (void)step;
    (void)text;
    if (--steps_left != 0)
        return;
    if (has_to_wait) {
        prfdata_test_process_say("inside");
        prfdata_test_process_hear(line, sizeof line);
    } else {
        TerminateProcess(GetCurrentProcess(), KILLED);
    }
}

/* The arguments are the command, the version of the map, and the step in which to end (0: none). If
 * the command begins with "call-", the child instead ends before a call that changes something, and
 * the third argument is the number of this call. */
static int child_main(char **argv)
{
    void *nothing = NULL;

    scene_init(&nothing);
    use_version(atoi(argv[2]));
    if (strncmp(argv[1], "call-", 5) == 0) {
        killed_call_begin(atoi(argv[3]), KILLED);
        argv[1] += 5;
    } else {
        steps_left = atoi(argv[3]);
    }
    has_to_wait = strcmp(argv[1], "wait") == 0;
    options.step = end_in_step;
    if (strcmp(argv[1], "impatient") == 0) {
        prfdata_site_patience_ms = 100;
        return prfdata_install(&sample.map, &options) == ERROR_TIMEOUT ? 0 : 1;
    }
    if (strcmp(argv[1], "uninstall") == 0)
        return prfdata_uninstall(&sample.map, &options) == ERROR_SUCCESS ? 0 : 1;
    return prfdata_install(&sample.map, &options) == ERROR_SUCCESS ? 0 : 1;
}

static prfdata_test_process *start_child(const char *what, int version, int step)
{
    char numbers[2][8];
    const char *arguments[] = {what, numbers[0], numbers[1], NULL};

    snprintf(numbers[0], sizeof numbers[0], "%d", version);
    snprintf(numbers[1], sizeof numbers[1], "%d", step);
    return prfdata_test_process_start(arguments);
}

/* Returns whether the child was killed. If so, there may be a later step. */
static bool run_child(const char *what, int version, int step)
{
    const int code = prfdata_test_process_wait(start_child(what, version, step));

    if (code != 0 && code != KILLED)
        fail_msg("%s %d, step %d: exit code %d", what, version, step, code);
    return code == KILLED;
}

/* ---- The state after a run that was not killed ---- */

enum { DUMP_CHARS = 20000 };

static wchar_t never_killed[DUMP_CHARS];

/* Return as text: the keys, the numbers of maps and of copies of the DLL, whether the event source
 * names the DLL, and whether the folder of the regions exists. */
static const wchar_t *dump_installation(void)
{
    static wchar_t text[2][DUMP_CHARS];
    static int which;
    static unsigned char bytes[65536];
    wchar_t dll[MAX_PATH];
    DWORD size = sizeof dll, maps_size = sizeof bytes;
    prfdata_maps maps = {0};

    which = !which;
    wcscpy(text[which], dump_service());
    if (RegGetValueW(HKEY_LOCAL_MACHINE, PERFKEY, MAP_VALUE, RRF_RT_REG_BINARY, NULL, bytes,
                     &maps_size) == 0)
        assert_int_equal(prfdata_maps_parse(bytes, maps_size, &maps), ERROR_SUCCESS);
    if (RegGetValueW(HKEY_LOCAL_MACHINE, PERFKEY, L"Library", RRF_RT_REG_SZ, NULL, dll, &size) != 0)
        dll[0] = 0;
    assert_true(swprintf(text[which] + wcslen(text[which]), DUMP_CHARS - wcslen(text[which]),
                         L"maps: %lu, copies: %lu, event source of them: %d, regions folder: %d\n",
                         (unsigned long)maps.count, (unsigned long)count_dll_copies(),
                         text_is(SOURCE, L"EventMessageFile", dll), exists(regions)) > 0);
    return text[which];
}

/* Return how many lines the last call reported. Another run may be killed at each of them. */
static int count_lines(void)
{
    int lines = 0;

    for (size_t i = 0; i <= PRFDATA_STEP_UNDONE; i++)
        lines += (int)step_count[i];
    return lines;
}

/* Install without being killed. Returns how many lines were reported. */
static int install_never_killed(void)
{
    use_version(1);
    assert_done(install());
    wcscpy(never_killed, dump_installation());
    return count_lines();
}

/* Returns whether the line depends on the numbers of titles. Such lines may differ, because a
 * service that is installed again may get numbers after its former ones. assert_installed() checks
 * the numbers, the map and the title files. */
static bool is_number_of_titles(const wchar_t *line)
{
    static const wchar_t *const names[] = {L"  First ", L"  Last ", L"  Object List ", L"  Maps "};

    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (wcsncmp(line, names[i], wcslen(names[i])) == 0)
            return true;
    return false;
}

/* Get the next line of a dump that does not depend on the numbers of titles. Returns false if there
 * is none. */
static bool next_line_of(const wchar_t **at, wchar_t *line)
{
    while (**at) {
        const size_t chars = wcscspn(*at, L"\n");

        assert_true(chars < DUMP_CHARS);
        wmemcpy(line, *at, chars);
        line[chars] = 0;
        *at += chars + ((*at)[chars] != 0);
        if (!is_number_of_titles(line))
            return true;
    }
    line[0] = 0;
    return false;
}

static void assert_as_never_killed(void)
{
    static wchar_t line[DUMP_CHARS], wanted[DUMP_CHARS];
    const wchar_t *at = dump_installation(), *wanted_at = never_killed;
    bool goes_on = true;

    assert_installed();
    while (goes_on) {
        goes_on = next_line_of(&at, line);
        assert_int_equal(next_line_of(&wanted_at, wanted), goes_on);
        assert_same_text(line, wanted);
    }
}

/* Returns whether the key has values. A key without values belongs to nobody yet, because the first
 * value that the installer writes is its marker. */
static bool has_values(const wchar_t *path)
{
    DWORD count = 0;
    HKEY key;

    if (RegOpenKeyExW(HKEY_LOCAL_MACHINE, path, 0, KEY_READ, &key) != 0)
        return false;
    assert_int_equal(
        RegQueryInfoKeyW(key, NULL, NULL, NULL, NULL, NULL, NULL, &count, NULL, NULL, NULL, NULL),
        0);
    RegCloseKey(key);
    return count > 0;
}

/* Expect that -Status finds a complete installation or none, or reports the faults of an incomplete
 * one. */
static void assert_half_is_seen(void)
{
    uint32_t answer;

    use_version(1);
    answer = status();
    if (answer == ERROR_SUCCESS) {
        /* An installer that was killed in prfdata_service_key_touch() left this value, which nobody
         * reads. */
        (void)RegDeleteKeyValueW(HKEY_LOCAL_MACHINE, PERFKEY, L"PrfData Notice");
        assert_as_never_killed();
    } else if (answer == ERROR_FILE_NOT_FOUND)
        assert_false(has_values(PERFKEY));
    else
        assert_reported(L"    Wrong: ");
}

/* ---- Killed ---- */

/* Publish and end, so that there is a region to remove. */
static void publish_once(void)
{
    prfdata_publisher *publisher;

    assert_int_equal(prfdata_open(&sample.map, &publisher), ERROR_SUCCESS);
    prfdata_close_and_unmap(publisher);
}

static void assert_uninstalled_by_version(int version)
{
    use_version(version);
    assert_done(uninstall());
    assert_nothing_left();
}

/* Install, publish and uninstall. Returns whether the uninstallation was killed in this step. */
static bool uninstall_in_child(int step)
{
    use_version(1);
    assert_done(install());
    publish_once();
    return run_child("uninstall", 1, step);
}

static void test_killed_installation_is_completed_by_another(void **state)
{
    const int lines = install_never_killed();
    int step = 1;

    (void)state;
    assert_uninstalled_by_version(1);
    for (; run_child("install", 1, step); step++) {
        assert_half_is_seen();
        assert_done(install());
        assert_as_never_killed();
        assert_uninstalled_by_version(1);
    }
    assert_int_equal(step, lines + 1); /* the installer was killed at each of its lines */
    use_version(1);
    assert_as_never_killed();
}

/* Complete the installation with -Repair. If -Repair finds no installation, use -Install. */
static void assert_mended(void)
{
    uint32_t answer;

    use_version(1);
    answer = repair();
    if (answer == ERROR_FILE_NOT_FOUND)
        answer = install();
    assert_done(answer);
    assert_as_never_killed();
}

static void test_killed_installation_is_mended_by_repair(void **state)
{
    const int lines = install_never_killed();
    int step = 1;

    (void)state;
    assert_uninstalled_by_version(1);
    for (; run_child("install", 1, step); step++) {
        assert_mended();
        assert_uninstalled_by_version(1);
    }
    assert_int_equal(step, lines + 1);
}

static void test_killed_uninstallation_is_taken_back_by_repair(void **state)
{
    int step = 1;
    int lines;

    (void)state;
    (void)install_never_killed();
    publish_once();
    assert_done(uninstall());
    lines = count_lines();
    for (; step < MOST_STEPS && uninstall_in_child(step); step++)
        assert_mended();
    assert_int_equal(step, lines + 1);
}

/* -Install completes one installation, -Repair the next one, and so on. */
static void test_killed_before_any_change_of_an_installation(void **state)
{
    int call = 1;

    (void)state;
    (void)install_never_killed();
    assert_uninstalled_by_version(1);
    for (; call < MOST_CALLS && run_child("call-install", 1, call); call++) {
        assert_half_is_seen();
        if (call % 2 == 0)
            assert_done(install());
        assert_mended();
        assert_uninstalled_by_version(1);
    }
    print_message("changes of an installation: %d\n", call - 1);
    assert_true(call > 30 && call < MOST_CALLS);
}

/* -Uninstall completes the removal, or -Repair undoes it. */
static void test_killed_before_any_change_of_an_uninstallation(void **state)
{
    int call = 1;

    (void)state;
    (void)install_never_killed();
    for (; call < MOST_CALLS; call++) {
        publish_once();
        if (!run_child("call-uninstall", 1, call))
            break;
        assert_half_is_seen();
        if (call % 2 == 0) {
            (void)uninstall();
            assert_nothing_left();
        }
        assert_mended();
    }
    print_message("changes of an uninstallation: %d\n", call - 1);
    assert_true(call > 10 && call < MOST_CALLS);
}

static void test_killed_installation_can_be_uninstalled(void **state)
{
    int step = 1;

    (void)state;
    for (; run_child("install", 1, step); step++) {
        uint32_t answer;

        use_version(1);
        answer = uninstall();
        if (answer != ERROR_FILE_NOT_FOUND) /* otherwise the child ended before its first change */
            assert_done(answer);
        assert_nothing_left();
    }
    assert_true(step > 9);
}

/* The installer of the new version completes the upgrade. The installer of the old version undoes
 * it, like the rollback of an MSI. */
static void test_killed_upgrade_is_completed_or_taken_back(void **state)
{
    int step = 1;

    (void)state;
    for (int version = 1; version <= 2; version++) {
        for (step = 1; step < MOST_STEPS; step++) {
            use_version(1);
            assert_done(install());
            if (!run_child("install", 2, step))
                break;
            use_version(version);
            assert_done(install());
            assert_installed();
            assert_uninstalled_by_version(version);
        }
        assert_true(step > 9 && step < MOST_STEPS);
        assert_uninstalled_by_version(2);
    }
}

static void test_killed_uninstallation_is_completed_by_another(void **state)
{
    int step = 1;

    (void)state;
    (void)install_never_killed();
    for (; step < MOST_STEPS && uninstall_in_child(step); step++) {
        assert_half_is_seen();
        if (has_key(PERFKEY) || exists(data) || count_dll_copies() > 0)
            assert_done(uninstall());
        else
            assert_int_equal(uninstall(), ERROR_FILE_NOT_FOUND);
        assert_nothing_left();
    }
    assert_true(step > 6 && step < MOST_STEPS);
    assert_nothing_left();
}

static void test_killed_uninstallation_can_be_installed_again(void **state)
{
    int step = 1;

    (void)state;
    for (; step < MOST_STEPS && uninstall_in_child(step); step++) {
        use_version(2);
        assert_done(install());
        assert_installed();
        assert_uninstalled_by_version(2);
    }
    assert_true(step > 6 && step < MOST_STEPS);
}

/* ---- Between two steps, where no line is reported ---- */

static void install_and_uninstall_leave_nothing(void)
{
    assert_done(install());
    assert_installed();
    assert_int_equal(number_of(PERFKEY, PRFDATA_SERVICE_KEY_MARKER),
                     PRFDATA_CREATED_PERFORMANCE | PRFDATA_CREATED_SERVICE);
    assert_true(has_key(SOURCE));
    assert_done(uninstall());
    assert_nothing_left();
}

static void test_killed_before_the_marker_does_not_lock_the_next_out(void **state)
{
    (void)state;
    RegCloseKey(make_key(PERFKEY, 0));
    install_and_uninstall_leave_nothing();
    RegCloseKey(make_key(PERFKEY, 0));
    assert_int_equal(uninstall(), ERROR_FILE_NOT_FOUND);
    assert_nothing_left();
    RegCloseKey(make_key(KEY, 0));
    install_and_uninstall_leave_nothing();
    RegCloseKey(make_key(KEY, 0));
    assert_int_equal(uninstall(), ERROR_FILE_NOT_FOUND);
    assert_nothing_left();
}

/* The service's key has a value of another program, so this key is not ours. A Performance key with
 * a subkey of another program is not ours either. */
static void test_killed_before_the_marker_is_not_a_key_with_a_value(void **state)
{
    (void)state;
    set_text(KEY, L"ImagePath", L"C:\\service.exe");
    RegCloseKey(make_key(PERFKEY, 0));
    assert_done(install());
    assert_int_equal(number_of(PERFKEY, PRFDATA_SERVICE_KEY_MARKER), PRFDATA_CREATED_PERFORMANCE);
    assert_done(uninstall());
    assert_true(text_is(KEY, L"ImagePath", L"C:\\service.exe"));
    RegCloseKey(make_key(PERFKEY L"\\Other", 0));
    assert_unchanged_by(install, ERROR_ALREADY_EXISTS);
}

static void test_killed_before_linkage_was_made_or_filled(void **state)
{
    (void)state;
    assert_done(install());
    assert_int_equal(RegDeleteKeyW(HKEY_LOCAL_MACHINE, KEY L"\\Linkage"), 0);
    install_and_uninstall_leave_nothing(); /* because of the marker, the key is ours */
    assert_done(install());
    delete_value(KEY L"\\Linkage", L"Export");
    assert_done(uninstall());
    assert_nothing_left();
}

static void test_killed_before_the_event_source_was_filled(void **state)
{
    (void)state;
    RegCloseKey(make_key(SOURCE, 0));
    install_and_uninstall_leave_nothing();
    assert_done(install());
    assert_int_equal(RegDeleteKeyW(HKEY_LOCAL_MACHINE, SOURCE), 0);
    RegCloseKey(make_key(SOURCE, 0));
    assert_done(uninstall());
    assert_nothing_left();
}

/* ---- The DLL ---- */

static void test_killed_while_the_dll_was_copied(void **state)
{
    wchar_t copy[MAX_PATH], incomplete[MAX_PATH];

    (void)state;
    assert_done(install());
    wcscpy(copy, registered_copy(provider));
    assert_true(swprintf(incomplete, MAX_PATH, L"%ls.new", copy) > 0);
    assert_true(DeleteFileW(copy));
    write_file(incomplete, "MZ", 2);
    assert_done(install());
    assert_int_equal(count_dll_copies(), 1);
    assert_same_text(registered_copy(provider), copy);
    write_file(copy, "MZ", 2); /* as if the disk had lost the rest */
    assert_done(install());
    assert_same_text(registered_copy(provider), copy);
    write_file(incomplete, "MZ", 2);
    assert_done(uninstall());
    assert_nothing_left();
}

/* ---- Two installers at the same time ---- */

static void test_killed_installer_does_not_keep_the_next_waiting(void **state)
{
    prfdata_test_process *first = start_child("wait", 1, 4);
    HANDLE mutex;

    (void)state;
    prfdata_test_process_expect(first, "inside");
    /* This handle keeps the mutex after its owner was killed, so the next installer finds it
     * abandoned. Without the handle there would be no mutex. */
    mutex = OpenMutexW(SYNCHRONIZE, FALSE, L"Global\\PrfDataInstall");
    assert_non_null(mutex);
    prfdata_test_process_kill(first);
    assert_int_equal(prfdata_test_process_wait(start_child("install", 2, 0)), 0);
    CloseHandle(mutex);
    use_version(2);
    assert_installed();
}

static void test_second_installer_waits_for_the_first(void **state)
{
    prfdata_test_process *first = start_child("wait", 1, 4);
    prfdata_test_process *second;

    (void)state;
    prfdata_test_process_expect(first, "inside");
    second = start_child("install", 2, 0);
    prfdata_test_process_tell(first, "go on");
    assert_int_equal(prfdata_test_process_wait(first), 0);
    assert_int_equal(prfdata_test_process_wait(second), 0);
    use_version(2);
    assert_installed();
}

static void test_second_installer_gives_up_after_a_while_and_changes_nothing(void **state)
{
    prfdata_test_process *first = start_child("wait", 1, 4);
    const wchar_t *before;
    uint32_t answers[3];

    (void)state;
    assert_int_equal(prfdata_site_patience_ms, 60000);
    prfdata_test_process_expect(first, "inside");
    before = dump_service();
    assert_int_equal(prfdata_test_process_wait(start_child("impatient", 2, 0)), 0);
    prfdata_site_patience_ms = 100;
    use_version(2);
    answers[0] = install();
    assert_reported(L"Another installer is running: waiting for at most 0 seconds\n");
    assert_reported(L"Nothing was changed: another installer has been running for ");
    answers[1] = uninstall();
    answers[2] = reset();
    prfdata_site_patience_ms = 60000;
    for (int i = 0; i < 3; i++)
        assert_int_equal(answers[i], ERROR_TIMEOUT);
    assert_same_text(dump_service(), before);
    prfdata_test_process_tell(first, "go on");
    assert_int_equal(prfdata_test_process_wait(first), 0);
    use_version(1);
    assert_installed();
}

static void test_repair_changes_nothing_while_another_installer_is_at_work(void **state)
{
    uint32_t answer;
    HANDLE event;

    (void)state;
    assert_done(install());
    set_number(PERFKEY, L"Disable Performance Counters", 1);
    event = CreateEventW(NULL, FALSE, FALSE, L"Global\\PrfDataInstall");
    assert_non_null(event);
    answer = prfdata_repair(&sample.map, &options);
    CloseHandle(event);
    assert_int_equal(answer, ERROR_INVALID_HANDLE);
    assert_int_equal(number_of(PERFKEY, L"Disable Performance Counters"), 1);
    forget_report();
    /* The result does not matter, because -Repair still reports the empty provider. */
    (void)prfdata_repair(&sample.map, &options);
    assert_reported(L"Run: lodctr /E");
    assert_int_equal(number_of(PERFKEY, L"Disable Performance Counters"), 0);
}

/* An object of another kind, which another program has made, has the mutex's name. */
static void test_installer_whose_mutex_is_taken_changes_nothing(void **state)
{
    HANDLE event = CreateEventW(NULL, FALSE, FALSE, L"Global\\PrfDataInstall");

    (void)state;
    assert_non_null(event);
    assert_int_equal(install(), ERROR_INVALID_HANDLE);
    assert_reported(L"another program holds the mutex Global\\PrfDataInstall");
    CloseHandle(event);
    assert_nothing_left();
    assert_done(install());
}

#define TEST(function) cmocka_unit_test_setup_teardown(function, set_up, tear_down)

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        TEST(test_killed_installation_is_completed_by_another),
        TEST(test_killed_installation_is_mended_by_repair),
        TEST(test_killed_uninstallation_is_taken_back_by_repair),
        TEST(test_killed_before_any_change_of_an_installation),
        TEST(test_killed_before_any_change_of_an_uninstallation),
        TEST(test_killed_installation_can_be_uninstalled),
        TEST(test_killed_upgrade_is_completed_or_taken_back),
        TEST(test_killed_uninstallation_is_completed_by_another),
        TEST(test_killed_uninstallation_can_be_installed_again),
        TEST(test_killed_before_the_marker_does_not_lock_the_next_out),
        TEST(test_killed_before_the_marker_is_not_a_key_with_a_value),
        TEST(test_killed_before_linkage_was_made_or_filled),
        TEST(test_killed_before_the_event_source_was_filled),
        TEST(test_killed_while_the_dll_was_copied),
        TEST(test_killed_installer_does_not_keep_the_next_waiting),
        TEST(test_second_installer_waits_for_the_first),
        TEST(test_second_installer_gives_up_after_a_while_and_changes_nothing),
        TEST(test_repair_changes_nothing_while_another_installer_is_at_work),
        TEST(test_installer_whose_mutex_is_taken_changes_nothing),
    };

    if (argc == 4)
        return child_main(argv);
    return cmocka_run_group_tests_name("install killed", tests, NULL, NULL);
}
