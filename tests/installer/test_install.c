/* SPDX-License-Identifier: MIT */
/* Tests installing in the real registry and the real file system (under Wine in the prefix of the
 * tests), with the test's own service and data folder. Windows only. */
#include "support/test.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <wchar.h>

#include <windows.h>
#include <sddl.h>

#include <prfdata/install.h>

#include "map/model.h"
#include "service/region_files.h"
#include "support/encoded_map.h"
#include "support/import_table.h"
#include "support/installer/install_scene.h"
#include "support/installer/rights.h"
#include "support/linux_shell.h"
#include "system/os_name.h"
#include "titles/service_key.h"
#include "windows/access_list.h"
#include "windows/directory.h"
#include "windows/wine.h"

/* ---- Installing ---- */

static void test_install_writes_every_value(void **state)
{
    static const wchar_t export[] = WSERVICE L"\0";
    unsigned char bytes[4096];
    unsigned char found[4096];
    wchar_t list[64], text[64];
    size_t size;
    DWORD found_size = sizeof found;
    DWORD first;

    (void)state;
    assert_done(install());
    assert_installed();
    assert_true(text_is(PERFKEY, L"Library", registered_copy(provider)));
    assert_true(text_is(PERFKEY, L"Open", L"PrfDataOpen"));
    assert_true(text_is(PERFKEY, L"Collect", L"PrfDataCollect"));
    assert_true(text_is(PERFKEY, L"Close", L"PrfDataClose"));
    assert_true(text_is(PERFKEY, L"Regions", regions));
    assert_int_equal(number_of(PERFKEY, L"Collect Supports Metadata"), 1);
    assert_int_equal(number_of(PERFKEY, PRFDATA_SERVICE_KEY_MARKER),
                     PRFDATA_CREATED_PERFORMANCE | PRFDATA_CREATED_SERVICE);
    /* The value Publish is missing, so publishing is on, and number_of() returns 0. */
    assert_int_equal(number_of(PERFKEY, L"Publish"), 0);

    assert_int_equal(encode_maps(&sample.map, bytes, sizeof bytes, &size), 0);
    assert_int_equal(RegGetValueW(HKEY_LOCAL_MACHINE, PERFKEY, L"Maps", RRF_RT_REG_BINARY, NULL,
                                  found, &found_size),
                     0);
    assert_int_equal(found_size, size);
    assert_memory_equal(found, bytes, size);

    found_size = sizeof found;
    assert_int_equal(RegGetValueW(HKEY_LOCAL_MACHINE, KEY L"\\Linkage", L"Export",
                                  RRF_RT_REG_MULTI_SZ, NULL, found, &found_size),
                     0);
    assert_int_equal(found_size, sizeof export);
    assert_memory_equal(found, export, sizeof export);

    /* Object List has the title indexes of the three objects. The indexes of their counters are
     * between these. */
    first = number_of(PERFKEY, L"First Counter");
    found_size = sizeof list;
    assert_int_equal(RegGetValueW(HKEY_LOCAL_MACHINE, PERFKEY, L"Object List", RRF_RT_REG_SZ, NULL,
                                  list, &found_size),
                     0);
    (void)swprintf(text, 64, L"%lu %lu %lu", (unsigned long)first, (unsigned long)first + 8,
                   (unsigned long)first + 12);
    assert_same_text(list, text);
}

static void test_install_again_changes_nothing(void **state)
{
    const wchar_t *before;

    (void)state;
    assert_done(install());
    before = dump_service();
    assert_done(install());
    assert_int_equal(step_count[PRFDATA_STEP_DONE], 0);
    assert_reported(L"Already installed, nothing to change");
    assert_same_text(dump_service(), before);
}

static void test_install_again_repairs_what_differs(void **state)
{
    wchar_t path[MAX_PATH];
    const wchar_t *before;

    (void)state;
    assert_done(install());
    before = dump_service();
    delete_value(PERFKEY, L"Open");
    set_text(PERFKEY, L"Library", L"C:\\nowhere.dll");
    delete_value(KEY L"\\Linkage", L"Export");
    path_in(path, data, WSERVICE L".h");
    assert_true(DeleteFileW(path));
    assert_true(RemoveDirectoryW(regions));
    assert_int_not_equal(status(), ERROR_SUCCESS);

    assert_done(install());
    assert_installed();
    assert_same_text(dump_service(), before);
}

/* Windows asks the provider only for the objects that the value Object List names. */
static void test_install_again_corrects_the_object_list(void **state)
{
    static const wchar_t *const wrong[] = {L"", L"2 4", L"%lu %lu", L"%lu %lu %lu 2",
                                           L"%lu %lu %lu x"};
    wchar_t text[64];
    wchar_t *before;
    unsigned long first;

    (void)state;
    assert_done(install());
    before = _wcsdup(dump_service());
    first = number_of(PERFKEY, L"First Counter");
    for (size_t i = 0; i <= sizeof wrong / sizeof wrong[0]; i++) {
        if (i < sizeof wrong / sizeof wrong[0]) {
            (void)swprintf(text, 64, wrong[i], first, first + 8, first + 12);
            set_text(PERFKEY, L"Object List", text);
        } else {
            delete_value(PERFKEY, L"Object List");
        }
        assert_done(install());
        assert_reported(L"Value corrected: Object List");
        assert_reported(L"Installed");
        assert_same_text(dump_service(), before);
    }
    free(before);
    assert_done(install());
    assert_reported(L"Already installed, nothing to change");

    /* Another order of the indexes is valid, too. */
    (void)swprintf(text, 64, L" %lu  %lu %lu ", first + 12, first, first + 8);
    set_text(PERFKEY, L"Object List", text);
    assert_done(install());
    assert_reported(L"Already installed, nothing to change");
    assert_true(text_is(PERFKEY, L"Object List", text));
}

/* Without the maps nobody knows which id had which number, so new titles must not get the numbers
 * of the former ones. */
static void test_install_again_without_maps_numbers_after_the_former_titles(void **state)
{
    prfdata_model *model;
    DWORD first, last;

    (void)state;
    assert_done(install());
    first = number_of(PERFKEY, L"First Counter");
    last = number_of(PERFKEY, L"Last Counter");
    delete_value(PERFKEY, L"Maps");
    assert_int_equal(status(), ERROR_INVALID_DATA);
    assert_done(install());
    assert_installed();
    model = registered_model();
    for (uint32_t i = 0; i < model->object_count; i++)
        assert_true(number_of(PERFKEY, L"First Counter") + model->objects[i].title_offset > last);
    assert_int_equal(number_of(PERFKEY, L"First Counter"), first);
    prfdata_model_free(model);
}

/* If the installer trusted wrong numbers, it would unload titles of Windows and other services. */
static void test_install_wrong_numbers_are_corrected_and_unload_nothing(void **state)
{
    DWORD first, last;

    (void)state;
    if (!prfdata_wine_is_here())
        skip(); /* on Windows the title database belongs to the system */
    assert_done(install());
    first = number_of(PERFKEY, L"First Counter");
    last = number_of(PERFLIB, L"Last Counter");
    set_number(PERFKEY, L"First Counter", 2);
    assert_int_equal(status(), ERROR_INVALID_DATA);
    assert_done(install());
    assert_reported(L"Numbers of the titles corrected");
    assert_int_equal(number_of(PERFKEY, L"First Counter"), first);
    assert_int_equal(number_of(PERFLIB, L"Last Counter"), last);
    assert_installed();
    set_number(PERFKEY, L"First Counter", first - 2);
    set_number(PERFKEY, L"Last Help", 7);
    assert_done(install());
    assert_int_equal(number_of(PERFKEY, L"First Counter"), first);
    assert_int_equal(number_of(PERFLIB, L"Last Counter"), last);
    set_number(PERFKEY, L"First Counter", 2);
    set_number(PERFKEY, L"Last Counter", 2 + last - first);
    set_number(PERFKEY, L"First Help", 3);
    set_number(PERFKEY, L"Last Help", 3 + last - first);
    assert_done(install());
    assert_reported(L"Earlier titles not unloaded");
    assert_int_equal(number_of(PERFKEY, L"First Counter"), last + 2);
    set_number(PERFKEY, L"First Counter", 2);
    assert_done(uninstall());
    assert_int_equal(number_of(PERFLIB, L"Last Counter"), last);
}

static void test_install_again_loads_titles_that_are_gone(void **state)
{
    (void)state;
    assert_done(install());
    delete_value(PERFKEY, L"First Counter");
    assert_int_equal(status(), ERROR_INVALID_DATA);
    assert_done(install());
    assert_installed();
    set_number(PERFKEY, L"Last Counter", number_of(PERFKEY, L"Last Counter") + 2);
    assert_int_equal(status(), ERROR_INVALID_DATA);
    assert_done(install());
    assert_installed();
    set_number(PERFKEY, L"Last Help", number_of(PERFKEY, L"Last Help") - 2);
    assert_int_equal(status(), ERROR_INVALID_DATA);
    assert_done(install());
    assert_installed();
}

/* There are as many titles as before, but one help text is different. */
static void test_install_changed_text_loads_the_titles_again(void **state)
{
    (void)state;
    assert_done(install());
    sample.entries[DEPTH].help = L"Jobs that wait.";
    assert_int_equal(status(), ERROR_REVISION_MISMATCH);
    assert_reported(L"texts in the map of this program");
    assert_done(install());
    assert_reported(L"Earlier titles unloaded");
    assert_installed();
}

static void test_status_names_what_is_wrong(void **state)
{
    static const struct {
        const wchar_t *key;
        const wchar_t *value;
        const wchar_t *text; /* the value's new text; NULL: the value is deleted */
        const wchar_t *reported;
    } damages[] = {
        {PERFKEY, L"Library", NULL, L"Wrong: no DLL is registered"},
        {PERFKEY, L"Library", L"C:\\nowhere.dll", L"Wrong: the DLL is missing"},
        {PERFKEY, L"Open", L"OtherOpen", L"Wrong: the value Open is \"OtherOpen\""},
        {PERFKEY, L"Collect", NULL, L"Wrong: the value Collect is \"\""},
        {PERFKEY, L"Regions", NULL, L"Wrong: no regions folder"},
        {PERFKEY, L"Regions", L"C:\\nowhere\\folder",
         L"Wrong: the value Regions names C:\\nowhere\\folder, which is not a folder of this "
         L"service"},
        {PERFKEY, L"Maps", L"text", L"Wrong: the registered map is damaged"},
        {KEY L"\\Linkage", L"Export", NULL, L"Wrong: Linkage\\Export does not name the service"},
        {SOURCE, L"EventMessageFile", NULL, L"Wrong: the event source PrfData " WSERVICE},
        {SOURCE, L"EventMessageFile", L"C:\\nowhere.dll", L"Wrong: the event source"},
        {SOURCE, L"TypesSupported", NULL, L"Wrong: the event source"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof damages / sizeof damages[0]; i++) {
        assert_done(install());
        if (damages[i].text)
            set_text(damages[i].key, damages[i].value, damages[i].text);
        else
            delete_value(damages[i].key, damages[i].value);
        assert_int_equal(status(), ERROR_INVALID_DATA);
        assert_reported(damages[i].reported);
        assert_int_equal(step_count[PRFDATA_STEP_FAILED], 1);
    }
}

static HANDLE(WINAPI *create_thread)(LPSECURITY_ATTRIBUTES, SIZE_T, LPTHREAD_START_ROUTINE, LPVOID,
                                     DWORD, LPDWORD);
static bool suspends;
static HANDLE suspended;

static HANDLE WINAPI create_suspended(LPSECURITY_ATTRIBUTES access, SIZE_T stack,
                                      LPTHREAD_START_ROUTINE start, LPVOID context, DWORD flags,
                                      LPDWORD id)
{
    HANDLE thread;

    if (!suspends)
        return create_thread(access, stack, start, context, flags, id);
    thread = create_thread(access, stack, start, context, flags | CREATE_SUSPENDED, id);
    assert_true(DuplicateHandle(GetCurrentProcess(), thread, GetCurrentProcess(), &suspended, 0,
                                FALSE, DUPLICATE_SAME_ACCESS));
    return thread;
}

/* If DllMain creates a thread, the thread begins only after DllMain has returned. The test imitates
 * this with a thread that is suspended during the call. */
static void test_status_in_a_thread_with_a_token_names_the_timeout(void **state)
{
    uint32_t found;

    (void)state;
    assert_done(install());
    create_thread = (HANDLE(WINAPI *)(LPSECURITY_ATTRIBUTES, SIZE_T, LPTHREAD_START_ROUTINE, LPVOID,
                                      DWORD, LPDWORD))(void (*)(void))
        import_table_replace("kernel32.dll", "CreateThread",
                             (import_table_function)(void (*)(void))create_suspended);
    assert_true(ImpersonateSelf(SecurityImpersonation));
    suspends = true;
    found = status();
    suspends = false;
    assert_true(RevertToSelf());
    assert_non_null(suspended);
    ResumeThread(suspended);
    WaitForSingleObject(suspended, INFINITE);
    CloseHandle(suspended);
    assert_int_equal(found, ERROR_TIMEOUT);
    assert_reported(L"The files cannot be examined as the account of the process: ");
}

static void test_install_changed_map_replaces_titles(void **state)
{
    prfdata_map_entry counter = sample_map_counter(900, PERF_COUNTER_RAWCOUNT);

    (void)state;
    assert_done(install());
    sample_map_insert(&sample, JOBS, &counter);
    assert_int_equal(status(), ERROR_REVISION_MISMATCH);
    assert_done(install());
    assert_reported(L"Earlier titles unloaded");
    assert_installed();
}

static void test_install_keeps_the_administrators_switches(void **state)
{
    (void)state;
    assert_done(install());
    set_number(PERFKEY, L"Publish", 0);
    set_number(PERFKEY, L"Disable Performance Counters", 1);
    set_number(PERFKEY, L"Open Timeout", 1000);
    assert_done(install());
    assert_reported(L"Publishing is switched off");
    assert_reported(L"lodctr /E:\"" WSERVICE L"\"");
    assert_int_equal(number_of(PERFKEY, L"Open Timeout"), 1000);
    assert_int_equal(status(), ERROR_INVALID_DATA);
    assert_reported(L"(Disabled)");
    assert_reported(L"Publishing: off");
}

static void test_install_in_another_folder_tells_of_the_former(void **state)
{
    wchar_t other[MAX_PATH];

    (void)state;
    assert_done(install());
    (void)swprintf(other, MAX_PATH, L"%ls 2", data);
    options.data_path = other;
    assert_done(install());
    assert_reported(L"Previous regions folder left");
    assert_reported(regions);
    assert_done(status());
    assert_done(uninstall());
    assert_false(exists(other));
}

/* Expect that a command printed the folder, and nothing that a person cannot see. */
static void assert_shown(const wchar_t *shown)
{
    assert_reported(shown);
    for (const wchar_t *c = report; *c; c++) {
        if (*c != L'\n' &&
            (*c < 0x20 || (*c >= 0x7F && *c < 0xA0) || (*c >= 0x200B && *c < 0x2070)))
            fail_msg("%ls", report);
    }
}

/* The folder's name contains U+202E, which reverses the direction of the text after it. */
static void test_install_every_command_shows_what_cannot_be_seen(void **state)
{
    static const wchar_t *const shown = L" \\u202Etxt";
    wchar_t other[MAX_PATH];

    (void)state;
    (void)swprintf(other, MAX_PATH, L"%ls \x202E%ls", data, L"txt");
    options.data_path = other;
    assert_done(install());
    assert_shown(shown);
    assert_done(status());
    assert_shown(shown);
    path_in(other, other, WSERVICE L".ini");
    assert_true(DeleteFileW(other));
    *wcsrchr(other, L'\\') = 0;
    assert_done(repair());
    assert_shown(shown);
    set_text(PERFKEY, L"Open", L"a\x001B[2K\x202E");
    assert_done(repair());
    assert_shown(L"was \"a\\u001B[2K\\u202E\"");
    assert_done(uninstall());
    assert_shown(shown);
    assert_false(exists(other));
}

/* ---- Files and keys that are not ours ---- */

/* Expect that the installer leaves this file, which could have a program's own settings, or titles
 * of another provider. */
static void assert_left_by_installer(const wchar_t *name)
{
    assert_true(CreateDirectoryW(data, NULL));
    write_file_in(data, name);
    assert_int_equal(install(), ERROR_FILE_EXISTS);
    assert_reported(name);
    assert_reported(L" is there, and was not written by PrfData. Move it to another place, or ");
    assert_true(file_is(data, name, "x", 1));
    assert_false(has_key(KEY));
    assert_int_equal(uninstall(), ERROR_FILE_NOT_FOUND);
    assert_reported(L", which was not written by PrfData\n");
    assert_true(file_is(data, name, "x", 1));
    remove_tree(data);
}

/* Files that were copied from some media are read-only. */
static void test_install_replaces_and_removes_title_files_that_are_read_only(void **state)
{
    wchar_t path[MAX_PATH];

    (void)state;
    assert_done(install());
    write_file_in(data, WSERVICE L".ini");
    path_in(path, data, WSERVICE L".ini");
    assert_true(SetFileAttributesW(path, FILE_ATTRIBUTE_READONLY));
    assert_done(install());
    assert_installed();
    assert_true(SetFileAttributesW(path, FILE_ATTRIBUTE_READONLY));
    assert_done(uninstall());
    assert_nothing_left();
}

static void test_install_leaves_title_files_of_others(void **state)
{
    (void)state;
    assert_left_by_installer(WSERVICE L".ini");
    assert_left_by_installer(WSERVICE L".h");
    assert_done(install());
    write_file_in(data, WSERVICE L".ini"); /* a damaged file of our own */
    assert_done(install());
    assert_installed();
}

static void test_install_foreign_performance_key_is_refused_and_untouched(void **state)
{
    (void)state;
    set_text(PERFKEY, L"Library", L"other.dll");
    set_number(PERFKEY, L"First Counter", 5000);
    assert_unchanged_by(install, ERROR_ALREADY_EXISTS);
    assert_reported(L"another installer");
    assert_unchanged_by(uninstall, ERROR_ALREADY_EXISTS);
    assert_unchanged_by(status, ERROR_ALREADY_EXISTS);
    assert_reported(L"DLL Name: other.dll");
    assert_false(exists(data));
}

static void test_install_foreign_linkage_is_left_alone(void **state)
{
    const wchar_t *before;

    (void)state;
    set_text(KEY L"\\Linkage", L"Export", L"\\Device\\Other");
    before = dump_service();
    assert_done(install());
    assert_reported(L"left alone: Linkage");
    assert_true(text_is(KEY L"\\Linkage", L"Export", L"\\Device\\Other"));
    assert_done(status());
    assert_done(uninstall());
    assert_same_text(dump_service(), before);
}

/* The service's own DLL has the texts of the events. */
static void test_install_registers_the_event_source(void **state)
{
    (void)state;
    assert_done(install());
    assert_reported(L"Event source registered: PrfData " WSERVICE);
    assert_true(text_is(SOURCE, L"EventMessageFile", registered_copy(provider)));
    assert_int_equal(number_of(SOURCE, L"TypesSupported"), 7);
    assert_done(status());
    assert_reported(L"Event Source: PrfData " WSERVICE);
    assert_done(install());
    assert_reported(L"Event source unchanged");
    assert_done(uninstall());
    assert_reported(L"Event source removed");
    assert_nothing_left();
}

static void test_install_foreign_event_source_is_left_alone(void **state)
{
    (void)state;
    set_text(SOURCE, L"EventMessageFile", L"C:\\other.dll");
    assert_done(install());
    assert_reported(L"left alone: event source PrfData " WSERVICE);
    assert_done(status());
    assert_done(uninstall());
    assert_true(text_is(SOURCE, L"EventMessageFile", L"C:\\other.dll"));
}

static void name_region(wchar_t *wide, uint64_t boot, uint64_t number)
{
    prfdata_os_name name;

    prfdata_os_name_make(&name, boot, number);
    for (size_t i = 0; i < sizeof name.text; i++)
        wide[i] = (wchar_t)name.text[i];
}

static void test_install_removes_the_regions_of_other_boots(void **state)
{
    const uint64_t boot = prfdata_os_boot();
    wchar_t path[MAX_PATH], earlier[64], later[64], present[64], owned[64];
    HANDLE owner;

    (void)state;
    assert_true(boot != 0);
    name_region(earlier, boot - 1, 1);
    name_region(later, boot + 1, 1);
    name_region(present, boot, 1);
    name_region(owned, boot - 1, 2);
    assert_done(install());
    write_file_in(regions, earlier);
    write_file_in(regions, later);
    write_file_in(regions, present);
    write_file_in(regions, L"readme.txt");
    path_in(path, regions, owned);
    owner =
        CreateFileW(path, GENERIC_READ | GENERIC_WRITE, FILE_SHARE_READ, NULL, CREATE_NEW, 0, NULL);
    assert_true(owner != INVALID_HANDLE_VALUE);
    assert_done(install());
    assert_reported(L"Regions from before the last restart removed: 2");
    assert_false(exists_in(regions, earlier));
    assert_false(exists_in(regions, later));
    assert_true(exists_in(regions, present));
    assert_true(exists_in(regions, L"readme.txt"));
    assert_true(exists(path));
    CloseHandle(owner);
    path_in(path, regions, L"readme.txt");
    assert_true(DeleteFileW(path));
    assert_done(uninstall());
}

/* ---- A failure leaves nothing half done ---- */

static void test_install_bad_provider_leaves_nothing(void **state)
{
    wchar_t path[MAX_PATH];

    (void)state;
    wcscpy(path, provider);
    options.provider_path = path;
    wcscpy(wcsrchr(path, L'\\'), L"\\no such.dll");
    assert_unchanged_by(install, ERROR_FILE_NOT_FOUND);
    wcscpy(wcsrchr(path, L'\\'), L"\\no such\\folder.dll");
    assert_unchanged_by(install, ERROR_PATH_NOT_FOUND);
    wcscpy(path, provider);
    wcscpy(wcsrchr(path, L'\\'), L"\\closeless-provider.dll");
    assert_unchanged_by(install, ERROR_PROC_NOT_FOUND);
    assert_reported(L"does not export PrfDataClose");
    GetModuleFileNameW(NULL, path, MAX_PATH); /* a program is not a DLL */
    assert_unchanged_by(install, ERROR_BAD_EXE_FORMAT);
    assert_reported(L"Not a DLL: ");
    assert_true(GetTempPathW(MAX_PATH, path) > 0);
    wcscat(path, L"prfdata empty.dll");
    CloseHandle(CreateFileW(path, GENERIC_WRITE, 0, NULL, CREATE_ALWAYS, 0, NULL));
    assert_unchanged_by(install, ERROR_BAD_EXE_FORMAT);
    assert_reported(L"prfdata empty.dll is empty, truncated or another kind of file");
    assert_true(DeleteFileW(path));
    assert_nothing_left();
}

static void test_install_provider_of_another_machine_leaves_nothing(void **state)
{
    (void)state;
    options.arch = sizeof(void *) == 8 ? PRFDATA_ARCH_X86 : PRFDATA_ARCH_NATIVE;
    assert_unchanged_by(install, ERROR_BAD_EXE_FORMAT);
    assert_reported(L"Wrong provider");
    assert_nothing_left();
}

/* The folder x86 next to this 64-bit test program, where a DLL for x86 would be, does not exist. */
static void test_install_missing_provider_is_named(void **state)
{
    (void)state;
    if (sizeof(void *) != 8)
        skip();
    options.arch = PRFDATA_ARCH_X86;
    options.provider_path = NULL;
    assert_unchanged_by(install, ERROR_PATH_NOT_FOUND);
    assert_reported(L"The provider DLL is missing: ");
    assert_reported(L"Put one of them into that folder");
    assert_nothing_left();
}

static void test_install_wrong_map_names_every_mistake(void **state)
{
    (void)state;
    sample.entries[DEPTH].name = L"";
    sample.entries[JOBS].help = L"";
    assert_unchanged_by(install, ERROR_INVALID_PARAMETER);
    assert_int_equal(step_count[PRFDATA_STEP_FAILED], 2);
    sample_map_init(&sample);
    sample.map.service = "..\\Tcpip";
    assert_int_equal(install(), ERROR_INVALID_PARAMETER);
    assert_int_equal(uninstall(), ERROR_INVALID_PARAMETER);
    assert_int_equal(status(), ERROR_INVALID_PARAMETER);
    sample.map.service = SERVICE;
    assert_nothing_left();
}

static void test_install_unknown_writers_leave_nothing(void **state)
{
    (void)state;
    options.writers = L"Users,Nobody";
    assert_unchanged_by(install, ERROR_INVALID_PARAMETER);
    assert_nothing_left();
}

static void test_install_file_in_place_of_the_data_folder_is_refused(void **state)
{
    (void)state;
    write_file(data, "mine", 4);
    assert_unchanged_by(install, ERROR_DIRECTORY);
    assert_false(has_key(KEY));
    assert_true(exists(data));
}

static void test_install_link_in_place_of_the_data_folder_is_refused(void **state)
{
    wchar_t goal[MAX_PATH];

    (void)state;
    (void)swprintf(goal, MAX_PATH, L"%ls goal", data);
    CreateDirectoryW(goal, NULL);
    make_link(data, goal);
    assert_unchanged_by(install, ERROR_DIRECTORY);
    assert_false(has_key(KEY));
    assert_false(exists_in(goal, WSERVICE));
    remove_link(data);
    assert_true(RemoveDirectoryW(goal));
}

/* Give the folder to another owner. Returns false if this account may not do that. */
static bool give_away(const wchar_t *folder)
{
    union {
        SECURITY_DESCRIPTOR descriptor;
        BYTE bytes[1024];
    } security;
    union {
        TOKEN_USER user;
        BYTE bytes[256];
    } token_user;
    HANDLE token;
    DWORD size;
    BOOL defaulted;
    PSID owner;

    assert_true(OpenProcessToken(GetCurrentProcess(), TOKEN_QUERY, &token));
    assert_true(GetTokenInformation(token, TokenUser, &token_user, sizeof token_user, &size));
    CloseHandle(token);
    if (!linux_shell_run("chown 65534 \"$1\"", folder, NULL)) {
        assert_true(InitializeSecurityDescriptor(&security, SECURITY_DESCRIPTOR_REVISION));
        SetSecurityDescriptorOwner(&security, token_user.user.User.Sid, FALSE);
        SetFileSecurityW(folder, OWNER_SECURITY_INFORMATION, &security);
    }
    assert_true(
        GetFileSecurityW(folder, OWNER_SECURITY_INFORMATION, &security, sizeof security, &size));
    assert_true(GetSecurityDescriptorOwner(&security, &owner, &defaulted));
    return !prfdata_access_list_trusts_owner(owner);
}

static void test_install_folder_of_another_owner_is_refused(void **state)
{
    (void)state;
    assert_true(CreateDirectoryW(data, NULL));
    if (!give_away(data))
        skip();
    assert_unchanged_by(install, ERROR_INVALID_OWNER);
    assert_reported(L"belongs neither to Administrators nor to SYSTEM");
    assert_false(has_key(KEY));
    assert_false(exists(regions));
}

/* The folder belongs to an administrator, but other accounts may have put files into the folder, or
 * keep the folder open. */
static void test_install_data_folder_that_others_can_change_is_refused(void **state)
{
    (void)state;
    assert_true(CreateDirectoryW(data, NULL));
    if (!linux_shell_run("chmod 777 \"$1\"", data, NULL))
        rights_set_access(data, L"D:P(A;OICI;FA;;;BA)(A;OICI;FA;;;BU)");
    assert_unchanged_by(install, ERROR_ACCESS_DENIED);
    assert_reported(L"Other programs may have created files in it");
    assert_false(has_key(KEY));
    assert_false(exists(regions));
}

static void test_install_file_in_place_of_the_regions_folder_undoes(void **state)
{
    (void)state;
    assert_true(CreateDirectoryW(data, NULL));
    write_file(regions, "mine", 4);
    assert_unchanged_by(install, ERROR_DIRECTORY);
    assert_false(has_key(KEY));
    assert_true(exists(regions));
    assert_false(exists_in(data, WSERVICE L".ini"));
}

static void test_install_link_in_place_of_the_regions_folder_undoes(void **state)
{
    wchar_t goal[MAX_PATH];

    (void)state;
    path_in(goal, data, L"goal");
    assert_true(CreateDirectoryW(data, NULL));
    assert_true(CreateDirectoryW(goal, NULL));
    make_link(regions, goal);
    assert_unchanged_by(install, ERROR_DIRECTORY);
    assert_false(has_key(KEY));
    assert_false(exists_in(data, WSERVICE L".ini"));
    remove_link(regions);
}

static void test_install_unwritable_header_takes_the_ini_back(void **state)
{
    wchar_t path[MAX_PATH];

    (void)state;
    assert_done(install());
    path_in(path, data, WSERVICE L".ini");
    assert_true(DeleteFileW(path));
    path_in(path, data, WSERVICE L".h");
    assert_true(DeleteFileW(path));
    assert_true(CreateDirectoryW(path, NULL));
    assert_unchanged_by(install, ERROR_ACCESS_DENIED);
    assert_reported(L"Title file as before");
    assert_false(exists_in(data, WSERVICE L".ini"));
    assert_true(exists(path));
}

static void make_large_file(const wchar_t *path, LONGLONG size)
{
    const LARGE_INTEGER end = {.QuadPart = size};
    HANDLE file = CreateFileW(path, GENERIC_WRITE, 0, NULL, CREATE_ALWAYS, 0, NULL);

    assert_true(file != INVALID_HANDLE_VALUE);
    assert_true(SetFilePointerEx(file, end, NULL, FILE_BEGIN));
    assert_true(SetEndOfFile(file));
    CloseHandle(file);
}

static LONGLONG size_of_file(const wchar_t *path)
{
    WIN32_FILE_ATTRIBUTE_DATA found;

    assert_true(GetFileAttributesExW(path, GetFileExInfoStandard, &found));
    return (LONGLONG)found.nFileSizeHigh << 32 | found.nFileSizeLow;
}

/* A file that was not read cannot be restored, so the installation must not replace it. */
static void test_install_unreadable_title_file_is_left_alone(void **state)
{
    static const wchar_t *const names[] = {WSERVICE L".ini", WSERVICE L".h"};
    const LONGLONG too_large = 64 * 1024 * 1024 + 1;
    wchar_t path[MAX_PATH];

    (void)state;
    for (size_t i = 0; i < 2; i++) {
        assert_done(install());
        path_in(path, data, names[i]);
        make_large_file(path, too_large);
        assert_unchanged_by(install, ERROR_FILE_TOO_LARGE);
        assert_reported(L" cannot be read: ");
        assert_true(size_of_file(path) == too_large);
        make_large_file(path, too_large - 1);
        assert_done(install());
        assert_installed();
    }
}

/* A permanent key cannot be created below a volatile one. */
static void test_install_refused_key_takes_files_and_folders_back(void **state)
{
    (void)state;
    RegCloseKey(make_key(KEY, REG_OPTION_VOLATILE));
    assert_unchanged_by(install, ERROR_CHILD_MUST_BE_VOLATILE);
    assert_int_equal(step_count[PRFDATA_STEP_UNDONE], 5); /* two files, two folders and the DLL */
    assert_false(exists(data));
}

/* Leave free indexes for only this many titles. Wine only. Returns the argument for
 * restore_indexes(). */
static DWORD exhaust_indexes(DWORD free_titles)
{
    DWORD before = number_of(PERFLIB, L"Last Counter");

    set_number(PERFLIB, L"Last Counter", (9999999 - 2 * free_titles) & ~1ul);
    return before;
}

static void restore_indexes(DWORD before)
{
    if (before == 0)
        delete_value(PERFLIB, L"Last Counter");
    else
        set_number(PERFLIB, L"Last Counter", before);
}

static void test_install_refused_titles_take_everything_back(void **state)
{
    const wchar_t *before = dump_service();
    uint32_t answer;
    DWORD last;

    (void)state;
    if (!prfdata_wine_is_here())
        skip();
    last = exhaust_indexes(2);
    answer = install();
    restore_indexes(last);
    assert_int_equal(answer, ERROR_NO_SYSTEM_RESOURCES);
    assert_reported(L"Titles cannot be loaded");
    assert_same_text(dump_service(), before);
    assert_nothing_left();
}

static void test_install_failure_gives_the_event_source_back(void **state)
{
    DWORD last;

    (void)state;
    if (!prfdata_wine_is_here())
        skip();
    assert_done(install());
    set_text(SOURCE, L"EventMessageFile", L"C:\\earlier.dll");
    /* One number by itself does not prove which titles belong to the service, so delete all except
     * Last Counter. */
    delete_value(PERFKEY, L"First Counter");
    delete_value(PERFKEY, L"First Help");
    delete_value(PERFKEY, L"Last Help");
    last = exhaust_indexes(1);
    assert_int_equal(install(), ERROR_NO_SYSTEM_RESOURCES);
    restore_indexes(last);
    assert_reported(L"Event source as before");
    assert_true(text_is(SOURCE, L"EventMessageFile", L"C:\\earlier.dll"));
    assert_done(install());
    assert_installed();
}

/* The database has room for the titles of the earlier map, but not for those of the new one. */
static void test_install_failed_upgrade_brings_the_earlier_version_back(void **state)
{
    prfdata_map_entry counter = sample_map_counter(900, PERF_COUNTER_RAWCOUNT);
    prfdata_model *model = NULL;
    uint32_t answer;
    DWORD last;

    (void)state;
    if (!prfdata_wine_is_here())
        skip();
    assert_done(install());
    assert_int_equal(prfdata_model_make(&sample.map, &model), ERROR_SUCCESS);
    sample_map_insert(&sample, JOBS, &counter);
    last = exhaust_indexes(model->title_count);
    answer = install();
    prfdata_model_free(model);
    assert_int_equal(answer, ERROR_NO_SYSTEM_RESOURCES);
    assert_reported(L"Earlier titles loaded again");
    sample_map_remove(&sample, JOBS);
    assert_installed(); /* -Status also checks the end of the database */
    restore_indexes(last);
}

/* If there is no room even for the earlier titles, none are registered. */
static void test_install_failed_upgrade_that_cannot_go_back_says_so(void **state)
{
    prfdata_map_entry counter = sample_map_counter(900, PERF_COUNTER_RAWCOUNT);
    uint32_t answer;
    DWORD last;

    (void)state;
    if (!prfdata_wine_is_here())
        skip();
    assert_done(install());
    sample_map_insert(&sample, JOBS, &counter);
    last = exhaust_indexes(1);
    answer = install();
    restore_indexes(last);
    assert_int_equal(answer, ERROR_NO_SYSTEM_RESOURCES);
    assert_reported(L"The earlier titles cannot be loaded again");
    assert_int_equal(number_of(PERFKEY, L"First Counter"), 0);
    sample_map_remove(&sample, JOBS);
    assert_int_equal(status(), ERROR_INVALID_DATA);
    assert_reported(L"Wrong: the titles are not loaded");
    assert_done(install());
    assert_installed();
}

#define LINKAGE KEY L"\\Linkage"

static void set_linkage_access(HKEY linkage, const wchar_t *sddl)
{
    PSECURITY_DESCRIPTOR security;

    assert_true(ConvertStringSecurityDescriptorToSecurityDescriptorW(sddl, SDDL_REVISION_1,
                                                                     &security, NULL));
    assert_int_equal(RegSetKeySecurity(linkage, DACL_SECURITY_INFORMATION, security), 0);
    LocalFree(security);
}

/* Expect that -Install fails when it writes Linkage, which is the step after the values. */
static void assert_install_fails_at_linkage(void)
{
    HKEY key = make_key(LINKAGE, 0);

    set_linkage_access(key, L"D:P(A;;KR;;;WD)");
    assert_int_equal(install(), ERROR_ACCESS_DENIED);
    set_linkage_access(key, L"D:P(A;;KA;;;WD)");
    RegCloseKey(key);
    assert_reported(L"Linkage key");
}

static void test_install_failed_repair_leaves_what_was_there(void **state)
{
    const wchar_t *before;

    (void)state;
    assert_done(install());
    delete_value(LINKAGE, L"Export");
    delete_value(PERFKEY, L"Open");
    set_text(PERFKEY, L"Library", L"C:\\nowhere.dll");
    before = dump_service();
    assert_install_fails_at_linkage();
    assert_reported(L"Values as before");
    assert_same_text(dump_service(), before);
}

static LSTATUS(WINAPI *real_set_value)(HKEY, LPCWSTR, DWORD, DWORD, const BYTE *, DWORD);
static unsigned library_refusals;

static LSTATUS WINAPI set_value_but_library(HKEY key, LPCWSTR name, DWORD zero, DWORD type,
                                            const BYTE *bytes, DWORD size)
{
    if (library_refusals > 0 && wcscmp(name, L"Library") == 0) {
        library_refusals--;
        return ERROR_ACCESS_DENIED;
    }
    return real_set_value(key, name, zero, type, bytes, size);
}

/* Library is written after Object List, as the last value. */
static void test_install_failed_repair_gives_the_object_list_back(void **state)
{
    const wchar_t *before;

    (void)state;
    assert_done(install());
    set_text(PERFKEY, L"Object List", L"2 4");
    set_text(PERFKEY, L"Library", L"C:\\nowhere.dll");
    before = dump_service();
    real_set_value = (LSTATUS(WINAPI *)(HKEY, LPCWSTR, DWORD, DWORD, const BYTE *, DWORD))(void (*)(
        void))import_table_replace("advapi32.dll", "RegSetValueExW",
                                   (import_table_function)(void (*)(void))set_value_but_library);
    library_refusals = 1;
    assert_int_equal(install(), ERROR_ACCESS_DENIED);
    assert_reported(L"Value corrected: Object List");
    assert_reported(L"Values as before");
    assert_same_text(dump_service(), before);
}

static prfdata_step_function *record_step;
static HANDLE held_ini;

/* Hold the .ini open as soon as it is written, so that the installer cannot remove it. */
static void hold_ini(void *context, prfdata_step step, const wchar_t *text)
{
    wchar_t path[MAX_PATH];

    record_step(context, step, text);
    if (wcsncmp(text, L"Title file written", 18) != 0)
        return;
    path_in(path, data, WSERVICE L".ini");
    held_ini = CreateFileW(path, GENERIC_READ, 0, NULL, OPEN_EXISTING, 0, NULL);
    assert_true(held_ini != INVALID_HANDLE_VALUE);
}

static void test_install_title_file_that_cannot_be_restored_is_reported(void **state)
{
    wchar_t path[MAX_PATH];

    (void)state;
    assert_done(install());
    path_in(path, data, WSERVICE L".ini");
    assert_true(DeleteFileW(path));
    path_in(path, data, WSERVICE L".h");
    assert_true(DeleteFileW(path));
    assert_true(CreateDirectoryW(path, NULL));
    record_step = options.step;
    options.step = hold_ini;
    assert_int_equal(install(), ERROR_ACCESS_DENIED);
    options.step = record_step;
    assert_true(CloseHandle(held_ini));
    assert_reported(L"Title file not restored: ");
    assert_null(wcsstr(report, L"Title file as before"));
    assert_true(RemoveDirectoryW(path));
    assert_done(install());
    assert_installed();
}

/* Delete the key as soon as the installer has written its values, as another program might. */
static void delete_key_after_values(void *context, prfdata_step step, const wchar_t *text)
{
    record_step(context, step, text);
    if (wcsncmp(text, L"Values written", 14) == 0)
        assert_int_equal(RegDeleteTreeW(HKEY_LOCAL_MACHINE, PERFKEY), ERROR_SUCCESS);
}

static void test_install_values_that_cannot_be_restored_are_reported(void **state)
{
    (void)state;
    assert_done(install());
    delete_value(LINKAGE, L"Export");
    delete_value(PERFKEY, L"Open");
    record_step = options.step;
    options.step = delete_key_after_values;
    assert_install_fails_at_linkage();
    assert_reported(L"The former values cannot be restored: ");
    assert_null(wcsstr(report, L"Values as before"));
    options.step = record_step;
    assert_done(install());
    assert_installed();
}

/* ---- Rights ---- */

static void test_install_without_elevation_says_so_and_changes_nothing(void **state)
{
    HANDLE token = rights_token_without_administrators(TokenImpersonation);
    uint32_t answers[2];

    (void)state;
    assert_true(SetThreadToken(NULL, token));
    answers[0] = install();
    RevertToSelf();
    assert_int_equal(answers[0], ERROR_ACCESS_DENIED);
    assert_reported(L"needs an elevated prompt");
    assert_nothing_left();

    assert_done(install());
    assert_true(SetThreadToken(NULL, token));
    answers[0] = uninstall();
    answers[1] = status();
    RevertToSelf();
    CloseHandle(token);
    assert_int_equal(answers[0], ERROR_ACCESS_DENIED);
    assert_done(answers[1]);
    assert_installed();
}

/* ---- The place of the DLL ---- */

static wchar_t dll_folder[MAX_PATH], dll[MAX_PATH], dll_link[MAX_PATH];

/* Copy the provider to a folder where only administrators may write. */
static int set_up_dll(void **state)
{
    set_up(state);
    assert_int_equal(prfdata_directory_program_data(dll_folder), ERROR_SUCCESS);
    wcscat(dll_folder, L"\\PrfData install test dll");
    assert_true(swprintf(dll_link, MAX_PATH, L"%ls link", dll_folder) > 0);
    if (exists(dll_link))
        remove_link(dll_link);
    remove_tree(dll_folder);
    path_in(dll, dll_folder, L"provider.dll");
    assert_true(CreateDirectoryW(dll_folder, NULL));
    assert_true(CopyFileW(provider, dll, TRUE));
    rights_set_access(dll, prfdata_access_list_data_sddl());
    rights_set_access(dll_folder, prfdata_access_list_data_sddl());
    options.provider_path = dll;
    options.protection = PRFDATA_PROTECTION_REQUIRED;
    return 0;
}

static int tear_down_dll(void **state)
{
    tear_down(state);
    if (exists(dll_link))
        remove_link(dll_link);
    remove_tree(dll_folder);
    return 0;
}

#define EVERYBODY_WRITES L"O:BAD:P(A;;FA;;;SY)(A;;FA;;;BA)(A;;FA;;;WD)"

static void test_install_protected_dll_is_taken(void **state)
{
    (void)state;
    assert_done(install());
    assert_reported(L"Protected: the DLL");
    assert_done(status());
    assert_reported(L"DLL Protection: administrators only");
}

static void test_install_dll_that_others_can_exchange_is_refused(void **state)
{
    static const wchar_t *const paths[] = {dll, dll_folder};

    (void)state;
    for (int i = 0; i < 2; i++) {
        rights_set_access(paths[i], EVERYBODY_WRITES);
        assert_unchanged_by(install, ERROR_INVALID_ACL);
        assert_reported(paths[i]);
        assert_reported(L" can be changed by ");
        assert_reported(L"for example in Program Files");
        assert_nothing_left();
        rights_set_access(paths[i], prfdata_access_list_data_sddl());
    }
    assert_done(install());
}

static void test_install_copy_that_others_can_exchange_is_refused(void **state)
{
    wchar_t copy[MAX_PATH];

    (void)state;
    assert_done(install());
    wcscpy(copy, registered_copy(dll));
    rights_set_access(copy, EVERYBODY_WRITES);
    assert_unchanged_by(install, ERROR_INVALID_ACL);
    assert_reported(copy);
    assert_reported(L" can be changed by ");
    assert_reported(L"delete the copy, and install again");
    assert_true(DeleteFileW(copy));
    assert_done(install());
    assert_reported(L"DLL copied: ");
}

static void test_install_dll_that_others_can_exchange_may_be_allowed(void **state)
{
    (void)state;
    rights_set_access(dll_folder, EVERYBODY_WRITES);
    options.protection = PRFDATA_PROTECTION_WARN;
    assert_done(install());
    assert_reported(L"Not protected, which is normal under Wine");
    assert_done(status());
    assert_reported(L"DLL Protection: ");
    assert_reported(L" can be changed by ");
}

static void test_install_dll_must_be_protected_by_default_but_under_wine(void **state)
{
    (void)state;
    rights_set_access(dll, EVERYBODY_WRITES);
    options.protection = PRFDATA_PROTECTION_DEFAULT;
    if (prfdata_wine_is_here()) {
        assert_done(install());
        assert_reported(L"Not protected, which is normal under Wine");
    } else {
        assert_unchanged_by(install, ERROR_INVALID_ACL);
    }
}

static void test_install_dll_behind_a_link_is_refused(void **state)
{
    wchar_t path[MAX_PATH];

    (void)state;
    make_link(dll_link, dll_folder);
    path_in(path, dll_link, L"provider.dll");
    options.provider_path = path;
    assert_unchanged_by(install, ERROR_INVALID_ACL);
    assert_reported(L"leads through a link");
    assert_reported(dll);
}

static void test_install_data_folder_that_others_can_exchange_is_refused(void **state)
{
    wchar_t parent[MAX_PATH], path[MAX_PATH];

    (void)state;
    assert_true(swprintf(parent, MAX_PATH, L"%ls parent", dll_folder) > 0);
    remove_tree(parent);
    assert_true(CreateDirectoryW(parent, NULL));
    rights_set_access(parent, EVERYBODY_WRITES);
    path_in(path, parent, L"data");
    options.data_path = path;
    assert_unchanged_by(install, ERROR_INVALID_ACL);
    assert_reported(parent);
    assert_reported(L" can be changed by ");
    assert_false(exists(path));
    rights_set_access(parent, prfdata_access_list_data_sddl());
    assert_done(install());
    assert_done(uninstall());
    remove_tree(parent);
}

/* ---- Folders ---- */

/* The path of the data folder fits into MAX_PATH, but the path of its regions folder does not. */
static void test_install_into_folder_with_too_long_path_is_refused(void **state)
{
    wchar_t path[MAX_PATH];
    const size_t used = wcslen(data);

    (void)state;
    (void)swprintf(path, MAX_PATH, L"%ls", data);
    for (size_t i = used; i < MAX_PATH - 10; i++)
        path[i] = L'x';
    path[MAX_PATH - 10] = 0;
    options.data_path = path;
    assert_unchanged_by(install, ERROR_FILENAME_EXCED_RANGE);
    assert_false(exists(path));
}

#define HEAD L"O:BAG:BAD:P(A;OICI;FA;;;SY)(A;OICI;FA;;;BA)"
#define TAIL                                                                                       \
    L"(A;;0x1200ab;;;S-1-5-33)"                                                                    \
    L"(A;;0x1200a9;;;S-1-5-4)(A;OIIO;0x120089;;;S-1-5-4)"                                          \
    L"(A;;0x1200a9;;;S-1-5-6)(A;OIIO;0x120089;;;S-1-5-6)"                                          \
    L"(A;;0x1200a9;;;S-1-5-32-558)(A;OIIO;0x120089;;;S-1-5-32-558)"                                \
    L"(A;;0x1200a9;;;S-1-5-32-559)(A;OIIO;0x120089;;;S-1-5-32-559)"                                \
    L"(A;OIIO;0x13019f;;;CO)(A;OIIO;0x13019f;;;S-1-3-4)(A;OIIO;0x13019f;;;S-1-5-33)"

static void test_install_access_list_gives_writers_the_folder_only(void **state)
{
    wchar_t sddl[PRFDATA_ACCESS_LIST_SDDL_CHARS];

    (void)state;
    assert_int_equal(prfdata_access_list_regions_sddl(NULL, sddl), ERROR_SUCCESS);
    assert_same_text(sddl, HEAD L"(A;;0x1200ab;;;S-1-5-6)" TAIL);
    assert_int_equal(prfdata_access_list_regions_sddl(L"users", sddl), ERROR_SUCCESS);
    assert_same_text(sddl, HEAD L"(A;;0x1200ab;;;S-1-5-6)(A;;0x1200ab;;;S-1-5-32-545)" TAIL);
    assert_int_equal(prfdata_access_list_regions_sddl(L"S-1-5-19 , S-1-5-20,Services", sddl),
                     ERROR_SUCCESS);
    assert_same_text(sddl, HEAD L"(A;;0x1200ab;;;S-1-5-19)(A;;0x1200ab;;;S-1-5-20)"
                                L"(A;;0x1200ab;;;S-1-5-6)" TAIL);
    assert_same_text(prfdata_access_list_data_sddl(), HEAD L"(A;OICI;0x1200a9;;;AU)");
}

static void test_install_writers_are_known_words_or_sids(void **state)
{
    static const wchar_t *const wrong[] = {L"",     L"WD",      L"Everyone",           L"Users,",
                                           L"S-1-", L"S-1-5-x", L"S-1-5-6)(A;;FA;;;WD"};
    wchar_t sddl[PRFDATA_ACCESS_LIST_SDDL_CHARS];
    wchar_t many[17 * 9 + 1] = L"";

    (void)state;
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
        assert_int_equal(prfdata_access_list_regions_sddl(wrong[i], sddl), ERROR_INVALID_PARAMETER);
    for (int i = 0; i < 17; i++)
        wcscat(many, i > 0 ? L",S-1-5-19" : L"S-1-5-19");
    assert_int_equal(prfdata_access_list_regions_sddl(many, sddl), ERROR_INVALID_PARAMETER);
}

/* The system accepts our text of an access list, and makes a protected list of all its entries. */
static void test_install_access_list_is_what_the_system_takes(void **state)
{
    wchar_t sddl[PRFDATA_ACCESS_LIST_SDDL_CHARS];
    PSECURITY_DESCRIPTOR security;
    SECURITY_DESCRIPTOR_CONTROL control;
    DWORD revision;
    BOOL present, defaulted;
    PACL list;

    (void)state;
    assert_int_equal(prfdata_access_list_regions_sddl(L"Users", sddl), ERROR_SUCCESS);
    assert_true(ConvertStringSecurityDescriptorToSecurityDescriptorW(sddl, SDDL_REVISION_1,
                                                                     &security, NULL));
    assert_true(GetSecurityDescriptorControl(security, &control, &revision));
    assert_true(control & SE_DACL_PROTECTED);
    assert_true(GetSecurityDescriptorDacl(security, &present, &list, &defaulted));
    assert_int_equal(list->AceCount, 16);
    LocalFree(security);
}

/* Collect the `(A;...)` entries between two lines of a page. */
static void entries_of(const char *text, const char *from, const char *to, wchar_t *entries)
{
    const char *begin = strstr(text, from);
    const char *end;
    size_t count = 0;

    assert_non_null(begin);
    end = strstr(begin, to);
    assert_non_null(end);
    for (const char *at = strstr(begin, "`(A;"); at && at < end; at = strstr(at, "`(A;"))
        for (at++; *at != '`'; at++)
            entries[count++] = (wchar_t)(unsigned char)*at;
    entries[count] = 0;
}

static void test_install_access_lists_are_those_that_the_specification_explains(void **state)
{
    static char text[65536];
    static wchar_t entries[65536];
    wchar_t sddl[PRFDATA_ACCESS_LIST_SDDL_CHARS];
    const char *source = getenv("PRFDATA_SOURCE_DIR");
    char path[1024];
    size_t size;
    FILE *file;

    (void)state;
    if (!source)
        skip();
    snprintf(path, sizeof path, "%s/docs/region-format.md", source);
    file = fopen(path, "rb");
    assert_non_null(file);
    size = fread(text, 1, sizeof text - 1, file);
    fclose(file);
    text[size] = 0;
    entries_of(text, "The access list of the regions folder", "The data folder above", entries);
    assert_int_equal(prfdata_access_list_regions_sddl(NULL, sddl), ERROR_SUCCESS);
    assert_same_text(wcschr(sddl, L'('), entries);
    entries_of(text, "The data folder above", "## Conventions", entries);
    assert_same_text(wcschr(prfdata_access_list_data_sddl(), L'('), entries);
    assert_non_null(strstr(text, "`O:BAG:BAD:P`"));
    assert_int_equal(wcsncmp(sddl, L"O:BAG:BAD:P(", 12), 0);
}

static void test_install_folders_are_closed_to_everybody_else(void **state)
{
    static const wchar_t *const folders[] = {data, regions};
    union {
        SID sid;
        BYTE bytes[SECURITY_MAX_SID_SIZE];
    } everyone;
    DWORD size = sizeof everyone;

    (void)state;
    assert_done(install());
    assert_true(CreateWellKnownSid(WinWorldSid, NULL, &everyone, &size));
    for (int i = 0; i < 2; i++) {
        union {
            SECURITY_DESCRIPTOR descriptor;
            BYTE bytes[2048];
        } security;
        BOOL present, defaulted;
        PACL list;

        assert_true(GetFileSecurityW(folders[i], DACL_SECURITY_INFORMATION, &security,
                                     sizeof security, &size));
        assert_true(GetSecurityDescriptorDacl(&security, &present, &list, &defaulted));
        assert_non_null(list);
        for (DWORD k = 0; k < list->AceCount; k++) {
            void *entry;

            assert_true(GetAce(list, k, &entry));
            assert_false(EqualSid(&((ACCESS_ALLOWED_ACE *)entry)->SidStart, &everyone.sid));
        }
    }
}

static void test_install_owner_of_a_folder_is_administrators_or_system(void **state)
{
    static const struct {
        const wchar_t *sid;
        bool trusted;
    } owners[] = {{L"S-1-5-32-544", true}, {L"S-1-5-18", true},     {L"S-1-5-32-545", false},
                  {L"S-1-5-19", false},    {L"S-1-1-0", false},     {L"S-1-5-21-1-2-3-500", false},
                  {L"S-1-3-4", false},     {L"S-1-5-32-551", false}};

    (void)state;
    for (size_t i = 0; i < sizeof owners / sizeof owners[0]; i++) {
        PSID sid;

        assert_true(ConvertStringSidToSidW(owners[i].sid, &sid));
        assert_int_equal(prfdata_access_list_trusts_owner(sid), owners[i].trusted);
        LocalFree(sid);
    }
}

static void test_install_region_names_are_the_documented_ones(void **state)
{
    (void)state;
    assert_true(prfdata_region_files_match(OF_BOOT L"0123456789abcdef.region"));
    assert_false(prfdata_region_files_match(OF_BOOT L"0123456789abcde.region"));
    assert_false(prfdata_region_files_match(OF_BOOT L"0123456789abcdef0.region"));
    assert_false(prfdata_region_files_match(OF_BOOT L"0123456789abcdeF.region"));
    assert_false(prfdata_region_files_match(OF_BOOT L"0123456789abcdef.Region"));
    assert_false(prfdata_region_files_match(OF_BOOT L"0123456789abcdef.region2"));
    assert_false(prfdata_region_files_match(L"0123456789abcdef.region"));
    assert_false(prfdata_region_files_match(L"b0b0b0b0b0b0b0b_-0123456789abcdef.region"));
    assert_false(prfdata_region_files_match(L"B0b0b0b0b0b0b0b0-0123456789abcdef.region"));
    assert_false(prfdata_region_files_match(L""));
}

#define TEST(function)     cmocka_unit_test_setup_teardown(function, set_up, tear_down)
#define DLL_TEST(function) cmocka_unit_test_setup_teardown(function, set_up_dll, tear_down_dll)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_install_writes_every_value),
        TEST(test_install_again_changes_nothing),
        TEST(test_install_again_repairs_what_differs),
        TEST(test_install_again_corrects_the_object_list),
        TEST(test_install_again_without_maps_numbers_after_the_former_titles),
        TEST(test_install_wrong_numbers_are_corrected_and_unload_nothing),
        TEST(test_install_again_loads_titles_that_are_gone),
        TEST(test_install_changed_text_loads_the_titles_again),
        TEST(test_status_names_what_is_wrong),
        TEST(test_status_in_a_thread_with_a_token_names_the_timeout),
        TEST(test_install_changed_map_replaces_titles),
        TEST(test_install_keeps_the_administrators_switches),
        TEST(test_install_every_command_shows_what_cannot_be_seen),
        TEST(test_install_in_another_folder_tells_of_the_former),
        TEST(test_install_leaves_title_files_of_others),
        TEST(test_install_replaces_and_removes_title_files_that_are_read_only),
        TEST(test_install_foreign_performance_key_is_refused_and_untouched),
        TEST(test_install_foreign_linkage_is_left_alone),
        TEST(test_install_registers_the_event_source),
        TEST(test_install_foreign_event_source_is_left_alone),
        TEST(test_install_failure_gives_the_event_source_back),
        TEST(test_install_removes_the_regions_of_other_boots),
        TEST(test_install_bad_provider_leaves_nothing),
        TEST(test_install_provider_of_another_machine_leaves_nothing),
        TEST(test_install_missing_provider_is_named),
        TEST(test_install_wrong_map_names_every_mistake),
        TEST(test_install_unknown_writers_leave_nothing),
        TEST(test_install_file_in_place_of_the_data_folder_is_refused),
        TEST(test_install_link_in_place_of_the_data_folder_is_refused),
        TEST(test_install_folder_of_another_owner_is_refused),
        TEST(test_install_data_folder_that_others_can_change_is_refused),
        TEST(test_install_file_in_place_of_the_regions_folder_undoes),
        TEST(test_install_link_in_place_of_the_regions_folder_undoes),
        TEST(test_install_unwritable_header_takes_the_ini_back),
        TEST(test_install_unreadable_title_file_is_left_alone),
        TEST(test_install_refused_key_takes_files_and_folders_back),
        TEST(test_install_refused_titles_take_everything_back),
        TEST(test_install_failed_upgrade_brings_the_earlier_version_back),
        TEST(test_install_failed_upgrade_that_cannot_go_back_says_so),
        TEST(test_install_failed_repair_leaves_what_was_there),
        TEST(test_install_failed_repair_gives_the_object_list_back),
        TEST(test_install_title_file_that_cannot_be_restored_is_reported),
        TEST(test_install_values_that_cannot_be_restored_are_reported),
        TEST(test_install_without_elevation_says_so_and_changes_nothing),
        DLL_TEST(test_install_protected_dll_is_taken),
        DLL_TEST(test_install_dll_that_others_can_exchange_is_refused),
        DLL_TEST(test_install_copy_that_others_can_exchange_is_refused),
        DLL_TEST(test_install_dll_that_others_can_exchange_may_be_allowed),
        DLL_TEST(test_install_dll_must_be_protected_by_default_but_under_wine),
        DLL_TEST(test_install_dll_behind_a_link_is_refused),
        DLL_TEST(test_install_data_folder_that_others_can_exchange_is_refused),
        TEST(test_install_into_folder_with_too_long_path_is_refused),
        TEST(test_install_access_list_gives_writers_the_folder_only),
        TEST(test_install_writers_are_known_words_or_sids),
        TEST(test_install_access_list_is_what_the_system_takes),
        TEST(test_install_access_lists_are_those_that_the_specification_explains),
        TEST(test_install_folders_are_closed_to_everybody_else),
        TEST(test_install_owner_of_a_folder_is_administrators_or_system),
        TEST(test_install_region_names_are_the_documented_ones),
    };

    return cmocka_run_group_tests_name("install", tests, NULL, NULL);
}
