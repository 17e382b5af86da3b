/* SPDX-License-Identifier: MIT */
/* Tests how -service install checks the protection of the program and of the files that its command
 * names. */
#include <windows.h>

#include "support/test.h"

#include <sddl.h>
#include <string.h>
#include <wchar.h>

#include "prfread/service_protection.h"
#include "windows/access_list.h"
#include "windows/directory.h"

static wchar_t folder[MAX_PATH];
static wchar_t program[MAX_PATH];
static wchar_t paths[MAX_PATH];
static prfdata_messages messages;
static prfdata_options options;

static void set_list(const wchar_t *path, const wchar_t *sddl)
{
    PSECURITY_DESCRIPTOR security;

    assert_true(ConvertStringSecurityDescriptorToSecurityDescriptorW(sddl, SDDL_REVISION_1,
                                                                     &security, NULL));
    assert_true(SetFileSecurityW(path, DACL_SECURITY_INFORMATION, security));
    LocalFree(security);
}

static void make_empty_file(const wchar_t *path)
{
    HANDLE file = CreateFileW(path, GENERIC_WRITE, 0, NULL, CREATE_ALWAYS, 0, NULL);

    assert_true(file != INVALID_HANDLE_VALUE);
    CloseHandle(file);
    set_list(path, prfdata_access_list_data_sddl());
}

static int set_up(void **state)
{
    (void)state;
    assert_int_equal(prfdata_directory_program_data(folder), ERROR_SUCCESS);
    wcscat(folder, L"\\PrfData service test");
    CreateDirectoryW(folder, NULL);
    set_list(folder, prfdata_access_list_data_sddl());
    assert_true(swprintf(program, MAX_PATH, L"%ls\\prfread.exe", folder) > 0);
    assert_true(swprintf(paths, MAX_PATH, L"%ls\\paths.txt", folder) > 0);
    make_empty_file(program);
    make_empty_file(paths);
    memset(&messages, 0, sizeof messages);
    memset(&options, 0, sizeof options);
    options.counter_file = prfdata_text_from_chars((const uint16_t *)paths);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    prfdata_messages_free(&messages);
    DeleteFileW(program);
    DeleteFileW(paths);
    RemoveDirectoryW(folder);
    return 0;
}

static bool is_accepted(void)
{
    return prfdata_service_protection_check((const uint16_t *)program, &options, &messages);
}

static void expect_refused(const wchar_t *file, const char *text)
{
    const prfdata_text subject = prfdata_text_from_chars((const uint16_t *)file);

    assert_false(is_accepted());
    assert_int_equal(messages.count, 1);
    assert_int_equal(messages.items[0].subject.count, subject.count);
    assert_memory_equal(messages.items[0].subject.chars, subject.chars, 2 * subject.count);
    if (!strstr(messages.items[0].text, text))
        fail_msg("%s", messages.items[0].text);
}

static const wchar_t everyone_writes[] = L"D:P(A;;FA;;;SY)(A;;FA;;;BA)(A;;FA;;;WD)";

static void test_service_protection_of_administrators_files_is_enough(void **state)
{
    (void)state;
    assert_true(is_accepted());
    assert_int_equal(messages.count, 0);
}

static void test_service_protection_of_the_program(void **state)
{
    (void)state;
    set_list(program, everyone_writes);
    expect_refused(program, "prfread.exe can be changed by ");
}

static void test_service_protection_of_the_folder(void **state)
{
    (void)state;
    options.counter_file = prfdata_no_subject;
    set_list(folder, L"D:P(A;;FA;;;SY)(A;;FA;;;BA)(A;;0x1200ab;;;WD)"); /* FILE_ADD_FILE */
    expect_refused(program, "PrfData service test can be changed by ");
}

static void test_service_protection_of_files_that_are_named(void **state)
{
    (void)state;
    set_list(paths, everyone_writes);
    expect_refused(paths, "paths.txt can be changed by ");
}

static void name_dll(const wchar_t *name)
{
    options.source = PRFDATA_SOURCE_DLL;
    options.source_name = prfdata_text_from_chars((const uint16_t *)name);
}

static void test_service_protection_of_a_service_is_its_installers(void **state)
{
    (void)state;
    name_dll(L"MyService");
    assert_true(is_accepted());
}

/* Anyone may have put a file with the name of the service into the current folder. For -dll, the
 * name still means the service. */
static void test_service_protection_of_a_service_is_not_that_of_a_file(void **state)
{
    wchar_t former[MAX_PATH];
    bool accepted;

    (void)state;
    assert_true(GetCurrentDirectoryW(MAX_PATH, former) > 0);
    assert_true(SetCurrentDirectoryW(folder));
    make_empty_file(L"MyService");
    set_list(L"MyService", everyone_writes);
    options.counter_file = prfdata_no_subject;
    name_dll(L"MyService");
    accepted = is_accepted();
    assert_true(DeleteFileW(L"MyService"));
    assert_true(SetCurrentDirectoryW(former));
    assert_true(accepted);
    assert_int_equal(messages.count, 0);
}

/* A missing file is refused, because anyone who creates it later decides what the service runs or
 * reads. */
static void test_service_protection_of_a_file_that_is_not_there_refuses(void **state)
{
    wchar_t missing[MAX_PATH];

    (void)state;
    assert_true(swprintf(missing, MAX_PATH, L"%ls\\x.dll", folder) > 0);
    name_dll(missing);
    expect_refused(missing, "does not exist");
    prfdata_messages_free(&messages);
    name_dll(L"x\\x.dll");
    expect_refused(L"x\\x.dll", "does not exist");
    prfdata_messages_free(&messages);
    name_dll(L"x.dll");
    expect_refused(L"x.dll", "does not exist");
    prfdata_messages_free(&messages);
    name_dll(L"c:x.dll");
    expect_refused(L"c:x.dll", "does not exist");
    prfdata_messages_free(&messages);
    options.source = PRFDATA_SOURCE_SYSTEM;
    options.source_name = prfdata_no_subject;
    assert_true(DeleteFileW(paths));
    expect_refused(paths, "does not exist");
    prfdata_messages_free(&messages);
    options.counter_file = prfdata_text_from_chars((const uint16_t *)L"no paths");
    expect_refused(L"no paths", "does not exist");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_service_protection_of_administrators_files_is_enough),
        TEST(test_service_protection_of_the_program),
        TEST(test_service_protection_of_the_folder),
        TEST(test_service_protection_of_files_that_are_named),
        TEST(test_service_protection_of_a_service_is_its_installers),
        TEST(test_service_protection_of_a_service_is_not_that_of_a_file),
        TEST(test_service_protection_of_a_file_that_is_not_there_refuses),
    };

    return cmocka_run_group_tests_name("service_protection", tests, NULL, NULL);
}
