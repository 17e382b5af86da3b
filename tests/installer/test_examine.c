/* SPDX-License-Identifier: MIT */
/* Tests examining an installation from a program that is not an installer: with and without a
 * helper, with DLLs that hang or crash, and with programs of an earlier version. Windows only. */
#include "support/test.h"

#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#include <windows.h>
#include <sddl.h>

#include <prfdata/install.h>
#include <prfdata/prfdata.h>

#include "doctor/doctor.h"
#include "doctor/helper.h"
#include "map/maps.h"
#include "region/region.h"
#include "support/installer/install_scene.h"
#include "support/process.h"
#include "system/os_name.h"
#include "windows/access_text.h"
#include "windows/account.h"
#include "windows/system_text.h"
#include "windows/wine.h"

static wchar_t helper[MAX_PATH];

static void name_beside(wchar_t *path, const wchar_t *name)
{
    GetModuleFileNameW(NULL, path, MAX_PATH);
    *wcsrchr(path, L'\\') = 0;
    path_in(path, path, name);
}

static uint32_t status_with_helper(uint32_t timeout_ms)
{
    name_beside(helper, L"test-installer.exe");
    options.helper_path = helper;
    options.helper_timeout_ms = timeout_ms;
    return status();
}

static void install_provider(const wchar_t *name)
{
    name_beside(provider, name);
    options.helper_path = NULL;
    assert_done(install());
}

/* ---- The helper ---- */

/* The environment variable with the exit code that this program returns as the helper
 * for -TryLoad. */
#define LOAD_CODE_VARIABLE L"PRFDATA_TEST_LOAD_CODE"

static int answer_load(void)
{
    wchar_t code[16] = L"";

    GetEnvironmentVariableW(LOAD_CODE_VARIABLE, code, 16);
    return (int)(PRFDATA_HELPER_ANSWER | (wcstoul(code, NULL, 10) & 0xFFFFu));
}

static void report_of_load_code(const wchar_t *code)
{
    GetModuleFileNameW(NULL, helper, MAX_PATH);
    options.helper_path = helper;
    assert_true(SetEnvironmentVariableW(LOAD_CODE_VARIABLE, code));
    (void)status();
    assert_true(SetEnvironmentVariableW(LOAD_CODE_VARIABLE, NULL));
}

/* If a code integrity policy refuses the DLL, installing it again does not help. */
static void test_examine_a_dll_that_a_policy_refuses_is_no_broken_one(void **state)
{
    static const wchar_t *const codes[] = {L"4551", L"577"};

    (void)state;
    assert_done(install());
    for (size_t i = 0; i < 2; i++) {
        report_of_load_code(codes[i]);
        assert_reported(L"Windows refuses to load the DLL: ");
        assert_reported(L"3033 and 3077");
        assert_null(wcsstr(report, L"the DLL cannot be loaded"));
    }
    report_of_load_code(L"126");
    assert_reported(L"the DLL cannot be loaded: ");
    assert_null(wcsstr(report, L"Windows refuses"));
}

static void test_examine_without_a_helper_says_what_is_not_tried(void **state)
{
    (void)state;
    assert_done(install());
    assert_done(status());
    assert_reported(L"    DLL Load: not tried: no installer program was named\n");
    assert_reported(L"    Reader: not tried: no installer program was named\n");
}

/* ---- Shares ---- */

#ifdef TEST_GIVES_FILES

/* NOLINTBEGIN(clang-diagnostic-reserved-identifier): the linker wants these names */
uint32_t __real_prfdata_os_region_look(prfdata_os_directory *directory, const prfdata_os_name *name,
                                       void *head, size_t head_bytes, prfdata_os_account *account);
uint32_t __wrap_prfdata_os_region_look(prfdata_os_directory *directory, const prfdata_os_name *name,
                                       void *head, size_t head_bytes, prfdata_os_account *account);

/* The names of the files that seem to belong to the guest account. If guest_has_others is set, all
 * other files seem to belong to the guest account instead. The test replaces the look-up of the
 * owner, because in Wine all files have one owner. */
static wchar_t of_guest[3][64];
static bool guest_has_others;

uint32_t __wrap_prfdata_os_region_look(prfdata_os_directory *directory, const prfdata_os_name *name,
                                       void *head, size_t head_bytes, prfdata_os_account *account)
{
    const uint32_t result =
        __real_prfdata_os_region_look(directory, name, head, head_bytes, account);
    wchar_t wide[64];
    DWORD bytes = sizeof account->bytes;
    bool is_named = false;

    assert_true(swprintf(wide, 64, L"%hs", name->text) > 0);
    for (int i = 0; i < 3; i++)
        is_named |= wcscmp(wide, of_guest[i]) == 0;
    if (is_named != guest_has_others)
        assert_true(CreateWellKnownSid(WinBuiltinGuestsSid, NULL, account->bytes, &bytes));
    return result;
}
/* NOLINTEND(clang-diagnostic-reserved-identifier) */

static prfdata_publisher *publish_instances_of(const prfdata_map *map, const wchar_t *prefix,
                                               unsigned count)
{
    prfdata_publisher *publisher;

    assert_int_equal(prfdata_open(map, &publisher), ERROR_SUCCESS);
    for (unsigned i = 0; i < count; i++) {
        prfdata_instance instance;
        wchar_t name[256];

        assert_true(swprintf(name, 256, L"%ls%u", prefix, i) > 0);
        assert_int_equal(prfdata_instance_add(publisher, 100, name, NULL, &instance), 0);
    }
    return publisher;
}

static prfdata_publisher *publish_instances(const wchar_t *prefix, unsigned count)
{
    return publish_instances_of(&sample.map, prefix, count);
}

/* Give all files that exist now, at most three, to the guest account. */
static void give_files_to_guest(void)
{
    WIN32_FIND_DATAW found;
    wchar_t pattern[MAX_PATH];
    HANDLE search;
    int count = 0;

    path_in(pattern, regions, L"*.region");
    search = FindFirstFileW(pattern, &found);
    assert_true(search != INVALID_HANDLE_VALUE);
    do {
        assert_true(count < 3);
        wcscpy(of_guest[count++], found.cFileName);
    } while (FindNextFileW(search, &found));
    FindClose(search);
}

static void test_examine_names_the_account_with_most_instances(void **state)
{
    wchar_t own[PRFDATA_ACCOUNT_CHARS], wanted[2 * PRFDATA_ACCOUNT_CHARS];
    prfdata_publisher *few[3], *many[2];

    (void)state;
    sample.entries[QUEUES].max_instances = 33000;
    assert_done(install());
    for (int i = 0; i < 3; i++)
        few[i] = publish_instances(L"a", 10);
    give_files_to_guest();
    for (int i = 0; i < 2; i++)
        many[i] = publish_instances(i == 0 ? L"a" : L"b", 32780);
    prfdata_account_own_name(own);
    assert_true(swprintf(wanted, 2 * PRFDATA_ACCOUNT_CHARS,
                         L"running programs have 65560 instances of the object My Queues, which "
                         L"do not fit into a reply; %ls has the most (65560)",
                         own) > 0);
    (void)status();
    assert_reported(wanted);
    guest_has_others = true;
    (void)status();
    assert_reported(L"; Guests has the most (65560)");
    guest_has_others = false;
    prfdata_close_and_unmap(many[1]);
    (void)status();
    assert_null(wcsstr(report, L"do not fit into a reply"));
    prfdata_close_and_unmap(many[0]);
    for (int i = 0; i < 3; i++)
        prfdata_close_and_unmap(few[i]);
    memset(of_guest, 0, sizeof of_guest);
}

/* Two programs together have 60,000 instances. With short names, all would fit into a reply. */
static void test_examine_reports_instances_that_do_not_fit_because_of_long_names(void **state)
{
    wchar_t prefixes[2][251];
    prfdata_publisher *publishers[2];

    (void)state;
    sample.entries[QUEUES].max_instances = 30000;
    sample.entries[QUEUES].max_name_chars = 255;
    assert_done(install());
    for (int i = 0; i < 2; i++) {
        wmemset(prefixes[i], i == 0 ? L'a' : L'b', 250);
        prefixes[i][250] = 0;
        publishers[i] = publish_instances(prefixes[i], 30000);
    }
    (void)status();
    assert_reported(L"running programs have 60000 instances of the object My Queues, which do not "
                    L"fit into a reply");
    for (int i = 0; i < 2; i++)
        prfdata_close_and_unmap(publishers[i]);
}

/* Install a version whose queues have 1,000 more counters. `before` gets the former version. A
 * converted copy of one of its queues takes 16,080 bytes. */
static void install_more_counters(sample_map *before)
{
    *before = sample;
    before->map.entries = before->entries;
    for (uint32_t i = 0; i < 1000; i++) {
        const prfdata_map_entry counter = sample_map_counter(5000 + i, PERF_COUNTER_BULK_COUNT);

        sample_map_insert(&sample, QUEUES + 2, &counter);
    }
    sample.entries[QUEUES].max_instances = 16;
    assert_done(install());
}

static void expect_copies(const wchar_t *account, int need_mib, int have_mib)
{
    wchar_t wanted[2 * PRFDATA_ACCOUNT_CHARS];

    assert_true(swprintf(wanted, 2 * PRFDATA_ACCOUNT_CHARS,
                         L"programs of %ls run with an earlier version of the counters; to show "
                         L"their instances, readers need %d MiB, and have %d MiB",
                         account, need_mib, have_mib) > 0);
    (void)status();
    assert_reported(wanted);
}

/* A reader has 256 MiB for the converted copies of all regions that have an earlier map. If the
 * regions of two accounts need more, each account gets half of this memory. */
static void test_examine_names_the_account_with_most_converted_copies(void **state)
{
    wchar_t own[PRFDATA_ACCOUNT_CHARS];
    static sample_map before;
    prfdata_publisher *few, *many;

    (void)state;
    sample.entries[QUEUES].max_instances = 17000;
    assert_done(install());
    install_more_counters(&before);
    many = publish_instances_of(&before.map, L"a", 17000);
    prfdata_account_own_name(own);
    expect_copies(own, 261, 256);
    give_files_to_guest(); /* the file of `many`, not that of `few` */
    few = publish_instances_of(&before.map, L"b", 10);
    expect_copies(L"Guests", 261, 128);
    guest_has_others = true;
    expect_copies(own, 261, 128);
    guest_has_others = false;
    prfdata_close_and_unmap(many);
    (void)status();
    assert_null(wcsstr(report, L"run with an earlier version of the counters"));
    prfdata_close_and_unmap(few);
    memset(of_guest, 0, sizeof of_guest);
}
#endif

/* A reader attaches at most 1,024 regions. An operator must learn which account's files take the
 * places of all others. */
static void test_examine_names_the_account_with_most_files(void **state)
{
    wchar_t own[PRFDATA_ACCOUNT_CHARS], wanted[2 * PRFDATA_ACCOUNT_CHARS];

    (void)state;
    assert_done(install());
    for (uint64_t i = 0; i <= PRFDATA_MAX_REGIONS; i++) {
        prfdata_os_name name;
        wchar_t file[64];

        prfdata_os_name_make(&name, prfdata_os_boot(), 1000 + i);
        assert_true(swprintf(file, 64, L"%hs", name.text) > 0);
        write_file_in(regions, file);
    }
    prfdata_account_own_name(own);
    assert_true(swprintf(wanted, 2 * PRFDATA_ACCOUNT_CHARS, L"most of them by %ls (1025)", own) >
                0);
    (void)status();
    assert_reported(wanted);
}

/* Make a region file of this boot that has this size and no content. */
static void make_large_region(uint32_t mib)
{
    prfdata_os_name name;
    wchar_t file[64], path[MAX_PATH];
    LARGE_INTEGER size;
    HANDLE handle;

    prfdata_os_name_make(&name, prfdata_os_boot(), 1000);
    assert_true(swprintf(file, 64, L"%hs", name.text) > 0);
    path_in(path, regions, file);
    handle = CreateFileW(path, GENERIC_WRITE, 0, NULL, CREATE_ALWAYS, 0, NULL);
    assert_true(handle != INVALID_HANDLE_VALUE);
    size.QuadPart = (LONGLONG)mib << 20;
    assert_true(SetFilePointerEx(handle, size, NULL, FILE_BEGIN) && SetEndOfFile(handle));
    CloseHandle(handle);
}

/* WMI's host has a quota of memory, so readers read regions only up to a limit. A value of the
 * service raises the limit. */
static void test_examine_finds_regions_that_are_too_large(void **state)
{
    const DWORD raised_mib = 300;

    (void)state;
    assert_done(install());
    make_large_region(257);
    (void)status();
    assert_reported(L"take 257 MiB, but readers read only 256 MiB");
    assert_int_equal(RegSetKeyValueW(HKEY_LOCAL_MACHINE, PERFKEY, L"Regions MiB", REG_DWORD,
                                     &raised_mib, sizeof raised_mib),
                     0);
    (void)status();
    assert_null(wcsstr(report, L"but readers read only"));
    make_large_region(301);
    (void)status();
    assert_reported(L"take 301 MiB, but readers read only 300 MiB");
}

static void test_examine_two_services_with_one_object_title_are_a_note(void **state)
{
    sample_map other;

    (void)state;
    sample_map_init_as(&other, "PrfData Test Twice");
    assert_done(install());
    assert_done(status());
    assert_null(wcsstr(report, L" as well"));
    assert_int_equal(prfdata_install(&other.map, &options), ERROR_SUCCESS);
    assert_done(status());
    assert_reported(L"    Note: the service PrfData Test Twice has an object \"");
    assert_int_equal(prfdata_uninstall(&other.map, &options), ERROR_SUCCESS);
    assert_done(status());
    assert_null(wcsstr(report, L" as well"));
}

static void register_library(DWORD type, const wchar_t *path)
{
    HKEY key = make_key(PERFKEY, 0);

    assert_int_equal(RegSetValueExW(key, L"Library", 0, type, (const BYTE *)path,
                                    (DWORD)((wcslen(path) + 1) * sizeof *path)),
                     0);
    RegCloseKey(key);
}

static void test_examine_library_is_expanded_by_its_type(void **state)
{
    wchar_t path[MAX_PATH], place[MAX_PATH];

    (void)state;
    assert_done(install());
    wcscpy(place, registered_copy(provider));
    assert_true(swprintf(path, MAX_PATH, L"%%PRFDATA_TEST_PLACE%%%ls", wcsrchr(place, L'\\')) > 0);
    *wcsrchr(place, L'\\') = 0;
    assert_true(SetEnvironmentVariableW(L"PRFDATA_TEST_PLACE", place));
    register_library(REG_EXPAND_SZ, path);
    assert_done(status());
    register_library(REG_SZ, path);
    assert_int_equal(status(), ERROR_INVALID_DATA);
    assert_reported(L"Wrong: the DLL is missing: %PRFDATA_TEST_PLACE%\\");

    for (int i = 0; i < MAX_PATH - 1; i++) /* each part is short enough, but the path is too long */
        place[i] = i % 2 ? L'\\' : L'x';
    place[MAX_PATH - 1] = 0;
    assert_true(SetEnvironmentVariableW(L"PRFDATA_TEST_PLACE", place));
    register_library(REG_EXPAND_SZ, path);
    assert_int_equal(status(), ERROR_INVALID_DATA);
    assert_reported(L"Wrong: the DLL cannot be read: ");
    assert_reported(L"(206)"); /* ERROR_FILENAME_EXCED_RANGE */
    assert_true(SetEnvironmentVariableW(L"PRFDATA_TEST_PLACE", NULL));
}

static void test_examine_with_a_helper_tries(void **state)
{
    (void)state;
    assert_done(install());
    /* The provider of this test shows nothing. */
    assert_int_equal(status_with_helper(0), ERROR_INVALID_DATA);
    assert_reported(L"    DLL Load: succeeds\n");
    assert_reported(L"    Wrong: a reader gets a reply without the object ");
    assert_int_equal(step_count[PRFDATA_STEP_FAILED], 1);
}

static void test_examine_helper_that_is_none_is_no_fault_of_the_installation(void **state)
{
    wchar_t other[MAX_PATH];

    (void)state;
    assert_done(install());
    options.helper_path = L"C:\\nowhere\\installer.exe";
    assert_done(status());
    assert_reported(L"    DLL Load: not tried: ");
    assert_true(GetSystemDirectoryW(other, MAX_PATH) > 0);
    /* reg.exe is not a helper, so it ends with an exit code that no helper has */
    wcscat(other, L"\\reg.exe");
    options.helper_path = other;
    assert_done(status());
    assert_reported(L"    DLL Load: not tried: ");
    assert_reported(L"    Reader: not tried: ");
}

/* ---- DLLs that hang ---- */

static void test_examine_dll_that_hangs_is_ended(void **state)
{
    (void)state;
    install_provider(L"hang_load-provider.dll");
    assert_int_equal(status_with_helper(2000), ERROR_INVALID_DATA);
    assert_reported(L"    Wrong: loading the DLL did not end within 2 seconds\n");
    assert_reported(L"    Reader: not tried: the map or the DLL has a problem\n");
}

static void test_examine_reader_that_hangs_is_ended(void **state)
{
    (void)state;
    install_provider(L"hang_collect-provider.dll");
    assert_int_equal(status_with_helper(10000), ERROR_INVALID_DATA);
    assert_reported(L"    DLL Load: succeeds\n");
    assert_reported(L"    Wrong: a reader got no answer within 10 seconds\n");
}

/* ---- Versions ---- */

static prfdata_test_process *child;

/* Publish with the first version of the map, in the child process. */
static int publish_first_version(void)
{
    prfdata_publisher *publisher = NULL;
    prfdata_instance instance;
    char line[8];

    sample_map_init(&sample);
    sample.map.service = SERVICE;
    if (prfdata_open(&sample.map, &publisher) != ERROR_SUCCESS ||
        prfdata_instance_add(publisher, 100, L"queue", NULL, &instance) != ERROR_SUCCESS)
        return 2;
    prfdata_test_process_say("published");
    while (prfdata_test_process_hear(line, sizeof line))
        ;
    return 0;
}

static void start_child(void)
{
    static const char *const arguments[] = {"publish", NULL};

    child = prfdata_test_process_start(arguments);
    prfdata_test_process_expect(child, "published");
}

static int stop_child(void **state)
{
    if (child)
        prfdata_test_process_kill(child);
    child = NULL;
    return tear_down(state);
}

static void change_map(void)
{
    const prfdata_map_entry counter = sample_map_counter(900, PERF_COUNTER_RAWCOUNT);

    sample_map_insert(&sample, JOBS, &counter);
}

static void test_examine_program_of_an_earlier_version_is_shown(void **state)
{
    (void)state;
    assert_done(install());
    start_child();
    change_map();
    assert_done(install());
    assert_done(status());
    assert_reported(L"    Earlier Maps: 1\n");
    assert_reported(L": shown, map earlier, objects 3, instances 1, dropped 0, bytes ");
    assert_reported(L"    Regions of Map: earlier, ");
    prfdata_test_process_kill(child);
    child = NULL;
    assert_done(status());
    assert_reported(L"    Ended Programs: 1 regions of this boot, ");
}

static void change_maps_byte(size_t at, unsigned char difference)
{
    static unsigned char bytes[65536];
    DWORD size = sizeof bytes;
    HKEY key;

    assert_int_equal(
        RegGetValueW(HKEY_LOCAL_MACHINE, PERFKEY, L"Maps", RRF_RT_REG_BINARY, NULL, bytes, &size),
        0);
    bytes[at] ^= difference;
    key = make_key(PERFKEY, 0);
    assert_int_equal(RegSetValueExW(key, L"Maps", 0, REG_BINARY, bytes, size), 0);
    RegCloseKey(key);
}

/* Make the bytes of the current map invalid. Those of earlier maps can still be read. */
static void damage_current_map(void)
{
    change_maps_byte(PRFDATA_MAPS_HEADER + 4, 1); /* the map's first byte */
}

static void test_examine_earlier_version_is_one_even_if_the_current_map_is_damaged(void **state)
{
    (void)state;
    assert_done(install());
    start_child();
    change_map();
    assert_done(install());
    damage_current_map();
    assert_int_not_equal(status(), ERROR_SUCCESS);
    assert_reported(L"Wrong: the registered map is damaged: ");
    assert_reported(L": not shown, map earlier, objects 3, instances 1, dropped 0, bytes ");
    assert_reported(L"    Regions of Map: earlier, ");
}

static void test_examine_repair_is_no_upgrade(void **state)
{
    (void)state;
    assert_done(install());
    change_map();
    assert_int_equal(status(), ERROR_REVISION_MISMATCH);
    assert_reported(
        L"    Wrong: the map of this program is another version than the installed one\n");
    set_text(PERFKEY, L"Open", L"OtherOpen");
    assert_int_equal(repair(), ERROR_INVALID_DATA);
    assert_reported(L"Still wrong: the value Open is \"OtherOpen\"");
    assert_reported(L"Still wrong: the map of this program is another version");
    assert_true(text_is(PERFKEY, L"Open", L"OtherOpen"));
}

/* -Install refuses to replace a map of a later version of PrfData, so -Repair does not try it, and
 * no command is suggested. */
static void test_examine_map_of_a_later_format_is_not_repaired(void **state)
{
    (void)state;
    assert_done(install());
    change_maps_byte(5, 0x7F); /* the high byte of major; map-bytes.md, "The value Maps" */
    assert_int_equal(status(), ERROR_INVALID_DATA);
    assert_reported(L"    Wrong: the registered map has a later format\n");
    assert_null(wcsstr(report, L"damaged"));
    assert_null(wcsstr(report, L" -Install "));
    assert_int_equal(repair(), ERROR_INVALID_DATA);
    assert_reported(L"Still wrong: the registered map has a later format\n");
    assert_null(wcsstr(report, L"Run: "));
    assert_null(wcsstr(report, L"-Force"));
}

/* If -Repair has tried a command that did not help, its report does not suggest the command, but
 * explains the finding. */
static void test_examine_repair_that_failed_does_not_advise_what_it_tried(void **state)
{
    wchar_t path[MAX_PATH];

    (void)state;
    assert_done(install());
    delete_value(PERFKEY, L"Open");
    path_in(path, data, WSERVICE L".ini");
    assert_true(DeleteFileW(path));
    assert_true(CreateDirectoryW(path, NULL)); /* -Install cannot replace a folder */
    assert_int_equal(repair(), ERROR_INVALID_DATA);
    assert_true(RemoveDirectoryW(path));
    assert_reported(L"Still wrong: the value Open is \"\"");
    assert_reported(L"\n    Windows calls the functions of the DLL by these names");
    assert_null(wcsstr(wcsstr(report, L"Still wrong"), L" -Install "));
    assert_null(wcsstr(wcsstr(report, L"Still wrong"), L" -Repair "));
}

/* The installer's path has quotation marks, which cmd cannot pass in an argument, so no command can
 * name this program. Instead of a command, the report says what -Repair has done. */
static void test_examine_repair_without_a_command_says_what_it_did(void **state)
{
    (void)state;
    assert_done(install());
    set_text(PERFKEY, L"Open", L"OtherOpen");
    set_text(PERFKEY, L"Installer", L"C:\\an \"installer\".exe");
    set_text(PERFKEY, L"Library Validation Code", L"1");
    forget_report();
    (void)repair();
    assert_reported(L"Installed again\n");
    assert_reported(L"Run: reg delete ");
    assert_null(wcsstr(report, L"Run: \n"));
    assert_true(text_is(PERFKEY, L"Open", L"PrfDataOpen"));
}

static void test_examine_repair_needs_an_installation(void **state)
{
    (void)state;
    assert_int_equal(repair(), ERROR_FILE_NOT_FOUND);
    assert_nothing_left();
    assert_done(install());
    delete_value(PERFKEY, L"PrfData Created");
    set_text(PERFKEY, L"Open", L"OtherOpen");
    assert_int_equal(repair(), ERROR_ALREADY_EXISTS);
    assert_true(text_is(PERFKEY, L"Open", L"OtherOpen"));
}

/* ---- Rights ---- */

#define OURS L"D:P(A;OICI;FA;;;SY)(A;;0x1200ab;;;S-1-5-6)(A;OIIO;0x120089;;;S-1-5-6)"

static void test_examine_rights_that_differ_are_named(void **state)
{
    static const struct {
        const wchar_t *present;
        const wchar_t *said; /* the message; "" if the rights are correct */
    } rows[] = {
        {OURS, L""},
        {L"D:P(A;;0x1200ab;;;S-1-5-6)(A;OIIO;0x120089;;;S-1-5-6)(A;OICI;FA;;;SY)", L""},
        {L"D:P(A;OICI;FA;;;SY)(A;OIIO;0x120089;;;S-1-5-6)", L"missing for "},
        {OURS L"(A;;0x1200ab;;;S-1-5-21-1-2-3-1234)",
         L"too many rights, or others, for S-1-5-21-1-2-3-1234"},
        /* one account's name is the beginning of the other's */
        {OURS L"(A;;FA;;;S-1-5-21-1-2-3-12345)(A;;FA;;;S-1-5-21-1-2-3-1234)",
         L"-12345, too many rights, or others, for S-1-5-21-1-2-3-1234"},
        {L"D:(A;OICI;FA;;;SY)(A;;0x1200ab;;;S-1-5-6)(A;OIIO;0x120089;;;S-1-5-6)",
         L"rights are inherited"},
        {L"D:P(A;OICI;FA;;;SY)(A;;FA;;;S-1-5-6)(A;OIIO;0x120089;;;S-1-5-6)", L"missing for "},
        {L"O:SY", L"everybody has all rights"},
    };
    PSECURITY_DESCRIPTOR wanted = NULL;

    (void)state;
    assert_true(
        ConvertStringSecurityDescriptorToSecurityDescriptorW(OURS, SDDL_REVISION_1, &wanted, NULL));
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        PSECURITY_DESCRIPTOR present = NULL;
        wchar_t text[512];
        bool differ;

        assert_true(ConvertStringSecurityDescriptorToSecurityDescriptorW(
            rows[i].present, SDDL_REVISION_1, &present, NULL));
        differ = prfdata_access_text_differ(wanted, present, text, 512);
        LocalFree(present);
        if (differ != (rows[i].said[0] != 0) || (differ && !wcsstr(text, rows[i].said)))
            fail_msg("%ls: \"%ls\"", rows[i].present, text);
    }
    LocalFree(wanted);
}

/* ---- Texts ---- */

static void test_examine_system_texts_have_their_inserts(void **state)
{
    wchar_t text[300];

    (void)state;
    for (uint32_t code = 0; code < 3000; code++) {
        prfdata_system_text(code, L"C:\\x.dll", text, 300);
        if (wcsstr(text, L"%1"))
            fail_msg("%ls", text);
    }
    prfdata_system_text(ERROR_BAD_EXE_FORMAT, L"C:\\x.dll", text, 300);
    if (!wcsstr(text, L"(193)"))
        fail_msg("%ls", text);
    if (!prfdata_wine_is_here()) /* in Wine the text does not name the file */
        assert_non_null(wcsstr(text, L"C:\\x.dll"));
    for (size_t capacity = 1; capacity < 40; capacity++) {
        text[capacity] = L'?';
        prfdata_system_text(ERROR_ACCESS_DENIED, NULL, text, capacity);
        assert_true(wcslen(text) < capacity);
        assert_true(text[capacity] == L'?');
    }
}

static void test_examine_accounts_have_names(void **state)
{
    static const struct {
        const wchar_t *sid;
        const wchar_t *name; /* the account's name on an English system */
    } rows[] = {{L"S-1-5-18", L"SYSTEM"},
                {L"S-1-5-32-544", L"Administrators"},
                {L"S-1-5-21-1-2-3-1234", L"S-1-5-21-1-2-3-1234"}};
    wchar_t name[PRFDATA_ACCOUNT_CHARS];

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        PSID sid = NULL;

        assert_true(ConvertStringSidToSidW(rows[i].sid, &sid));
        prfdata_account_name(sid, name);
        LocalFree(sid);
        if (_wcsicmp(name, rows[i].name) != 0)
            fail_msg("%ls is %ls", rows[i].sid, name);
    }
    prfdata_account_own_name(name);
    assert_true(name[0] && name[0] != L'?' && wcsncmp(name, L"S-1-", 4) != 0);
}

/* ---- Events ---- */

static void test_examine_events_have_the_texts_of_the_dll(void **state)
{
    static prfdata_event_history history;
    static prfdata_doctor doctor;
    prfdata_event_record *record = &history.entries[0].last;

    (void)state;
    memset(&history, 0, sizeof history);
    memset(&doctor, 0, sizeof doctor);
    name_beside(doctor.dll, L"PrfDataTestThingsPrf.dll");
    doctor.dll_is_safe = true;
    history.count = 2;
    history.entries[0].count = 3;
    wcscpy(record->source, L"PrfData PrfDataTestThings");
    record->event = 0xC00003EB; /* event 1003 with severity error */
    record->string_count = 3;
    wcscpy(record->strings[0], L"MyThings");
    wcscpy(record->strings[2], L"1234");
    history.entries[1].last = *record; /* an event that the DLL does not have */
    history.entries[1].last.event = 0xC0007777;
    prfdata_doctor_events_show(&doctor, &history);
    assert_int_equal(doctor.diagnosis.events.count, 2);
    assert_int_equal(doctor.diagnosis.events.items[0].event_id, 1003);
    assert_int_equal(doctor.diagnosis.events.items[0].count, 3);
    if (!wcsstr(doctor.diagnosis.events.items[0].text,
                L"The performance counters of MyThings have no ") ||
        !wcsstr(doctor.diagnosis.events.items[0].text, L"1234"))
        fail_msg("%ls", doctor.diagnosis.events.items[0].text);
    if (wcscmp(doctor.diagnosis.events.items[1].text, L"MyThings, , 1234") != 0)
        fail_msg("%ls", doctor.diagnosis.events.items[1].text);
    prfdata_diagnosis_free(&doctor.diagnosis);

    /* The DLL is not safe, because another account may change it and could make it format texts in
     * another way. */
    memset(&doctor.diagnosis, 0, sizeof doctor.diagnosis);
    doctor.dll_is_safe = false;
    prfdata_doctor_events_show(&doctor, &history);
    if (wcscmp(doctor.diagnosis.events.items[0].text, L"MyThings, , 1234") != 0)
        fail_msg("%ls", doctor.diagnosis.events.items[0].text);
    prfdata_diagnosis_free(&doctor.diagnosis);
}

#define TEST(function) cmocka_unit_test_setup_teardown(function, set_up, stop_child)

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        TEST(test_examine_a_dll_that_a_policy_refuses_is_no_broken_one),
        TEST(test_examine_without_a_helper_says_what_is_not_tried),
#ifdef TEST_GIVES_FILES
        TEST(test_examine_names_the_account_with_most_instances),
        TEST(test_examine_reports_instances_that_do_not_fit_because_of_long_names),
        TEST(test_examine_names_the_account_with_most_converted_copies),
#endif
        TEST(test_examine_names_the_account_with_most_files),
        TEST(test_examine_finds_regions_that_are_too_large),
        TEST(test_examine_two_services_with_one_object_title_are_a_note),
        TEST(test_examine_library_is_expanded_by_its_type),
        TEST(test_examine_with_a_helper_tries),
        TEST(test_examine_helper_that_is_none_is_no_fault_of_the_installation),
        TEST(test_examine_dll_that_hangs_is_ended),
        TEST(test_examine_reader_that_hangs_is_ended),
        TEST(test_examine_program_of_an_earlier_version_is_shown),
        TEST(test_examine_earlier_version_is_one_even_if_the_current_map_is_damaged),
        TEST(test_examine_repair_is_no_upgrade),
        TEST(test_examine_map_of_a_later_format_is_not_repaired),
        TEST(test_examine_repair_that_failed_does_not_advise_what_it_tried),
        TEST(test_examine_repair_without_a_command_says_what_it_did),
        TEST(test_examine_repair_needs_an_installation),
        TEST(test_examine_rights_that_differ_are_named),
        TEST(test_examine_system_texts_have_their_inserts),
        TEST(test_examine_accounts_have_names),
        TEST(test_examine_events_have_the_texts_of_the_dll),
    };

    if (argc > 1 && strcmp(argv[1], "-TryLoad") == 0)
        return answer_load();
    if (argc > 1)
        return publish_first_version();
    return cmocka_run_group_tests_name("examine", tests, NULL, NULL);
}
