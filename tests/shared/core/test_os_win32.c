/* SPDX-License-Identifier: MIT */
/* Tests what only Windows has: kinds of paths and values, share modes, tokens. Windows refuses to
 * truncate a mapped file, so a Linux program truncates it without Wine's knowledge. */
#include "support/test.h"

#include <stdio.h>
#include <string.h>

#include <windows.h>

#include "support/linux_shell.h"
#include "support/os_folder.h"
#include "support/service.h"
#include "system/os.h"

#define SERVICE "PrfDataTestOsWin32"
#define SIZE    12288u

static const prfdata_os_name name = {"b0b0b0b0b0b0b0b0-00000000000000a1.region"};
static const prfdata_os_region none = PRFDATA_OS_REGION_NONE;

static int set_up(void **state)
{
    (void)state;
    os_folder_begin(SERVICE, &name);
    return 0;
}

static prfdata_os_region create(void)
{
    prfdata_os_region region = none;

    assert_int_equal(prfdata_os_region_create(folder, &name, SIZE, &region), ERROR_SUCCESS);
    return region;
}

static prfdata_os_region attach(void)
{
    prfdata_os_region region = none;

    assert_int_equal(prfdata_os_region_attach(folder, &name, SIZE, &region), ERROR_SUCCESS);
    return region;
}

static HANDLE open_sharing(DWORD access, DWORD share)
{
    HANDLE file = CreateFileA(region_path, access, share, NULL, OPEN_EXISTING, 0, NULL);

    assert_true(file != INVALID_HANDLE_VALUE);
    return file;
}

/* ---- Changes that Wine does not notice ---- */

/* Let a Linux shell change the region's file, which it knows as "$1". Returns false if this is not
 * Wine. */
static bool run_in_linux_shell(const char *script)
{
    wchar_t wide[520];

    assert_true(MultiByteToWideChar(CP_UTF8, 0, region_path, -1, wide, 520) > 0);
    return linux_shell_run(script, wide, NULL);
}

/* ---- Settings ---- */

static void test_os_win32_values_of_other_types_are_invalid(void **state)
{
    uint32_t value = 7;
    void *bytes = &value;
    size_t size = 7;

    (void)state;
    /* This text has 4 bytes, the size of a number. */
    prfdata_test_service_set_text(&service, "Text", "x");
    prfdata_test_service_set_bytes(&service, "Bytes", "1234", 4);
    prfdata_test_service_set_number(&service, "Number", 1);
    assert_int_equal(prfdata_os_setting_number(SERVICE, "Text", &value), ERROR_INVALID_DATA);
    assert_int_equal(prfdata_os_setting_number(SERVICE, "Bytes", &value), ERROR_INVALID_DATA);
    assert_int_equal(prfdata_os_setting_bytes(SERVICE, "Text", 99, &bytes, &size),
                     ERROR_INVALID_DATA);
    assert_int_equal(prfdata_os_setting_bytes(SERVICE, "Number", 99, &bytes, &size),
                     ERROR_INVALID_DATA);
    assert_int_equal(value, 7);
    assert_ptr_equal(bytes, &value);
    assert_int_equal(size, 7);
}

static void test_os_win32_service_names_are_no_paths(void **state)
{
    prfdata_test_service nested = service;
    char long_name[300];
    uint32_t value;

    (void)state;
    /* The key exists, so only the name can cause the error. */
    snprintf(nested.name, sizeof(nested.name), "%s\\Performance", SERVICE);
    prfdata_test_service_set_number(&nested, "Number", 1);
    assert_int_equal(prfdata_os_setting_number(nested.name, "Number", &value),
                     ERROR_FILE_NOT_FOUND);
    memset(long_name, 'x', sizeof(long_name));
    long_name[sizeof(long_name) - 1] = 0;
    assert_int_equal(prfdata_os_setting_number(long_name, "Number", &value), ERROR_FILE_NOT_FOUND);
    assert_int_equal(prfdata_os_setting_number(SERVICE, long_name, &value), ERROR_FILE_NOT_FOUND);
}

static HKEY open_key(void)
{
    HKEY key;

    assert_int_equal(RegOpenKeyExA(HKEY_LOCAL_MACHINE,
                                   "SYSTEM\\CurrentControlSet\\Services\\" SERVICE "\\Performance",
                                   0, KEY_SET_VALUE, &key),
                     ERROR_SUCCESS);
    return key;
}

static void test_os_win32_numbers_have_four_bytes(void **state)
{
    static const BYTE bytes[8] = {1};
    uint32_t value = 7;
    HKEY key = open_key();

    (void)state;
    for (DWORD size = 0; size <= sizeof(bytes); size++) {
        assert_int_equal(RegSetValueExA(key, "Number", 0, REG_DWORD, bytes, size), ERROR_SUCCESS);
        assert_int_equal(prfdata_os_setting_number(SERVICE, "Number", &value),
                         size == 4 ? ERROR_SUCCESS : ERROR_INVALID_DATA);
        assert_int_equal(value, size < 4 ? 7 : 1);
    }
    RegCloseKey(key);
}

/* ---- The regions folder ---- */

static uint32_t open_with_regions(const char *regions)
{
    prfdata_os_directory *directory = NULL;
    uint32_t status;

    prfdata_test_service_set_text(&service, "Regions", regions);
    status = prfdata_os_directory_open(SERVICE, &directory);
    prfdata_os_directory_close(directory);
    return status;
}

static void test_os_win32_regions_is_a_plain_path_with_a_drive(void **state)
{
    static const char *const prefixes[] = {"\\\\?\\",         "\\\\.\\", "\\??\\",
                                           "\\\\localhost\\", "\\",      " "};
    char regions[600];
    char *colon;

    (void)state;
    for (size_t i = 0; i < sizeof(prefixes) / sizeof(prefixes[0]); i++) {
        snprintf(regions, sizeof(regions), "%s%s", prefixes[i], service.folder);
        assert_int_equal(open_with_regions(regions), ERROR_INVALID_DATA);
    }
    assert_int_equal(open_with_regions("CX\\regions"), ERROR_INVALID_DATA);
    snprintf(regions, sizeof(regions), "%s\\..\\x", service.folder);
    assert_int_equal(open_with_regions(regions), ERROR_INVALID_DATA);
    snprintf(regions, sizeof(regions), "%s:stream", service.folder);
    assert_int_equal(open_with_regions(regions), ERROR_INVALID_DATA);
    snprintf(regions, sizeof(regions), "%s", service.folder);
    colon = strchr(regions, ':');
    memmove(colon + 1, colon + 2, strlen(colon + 2) + 1); /* C:Users is a relative path */
    assert_int_equal(open_with_regions(regions), ERROR_INVALID_DATA);
    snprintf(regions, sizeof(regions), "%s", service.folder);
    *strrchr(regions, '\\') = '/';
    assert_int_equal(open_with_regions(regions), ERROR_INVALID_DATA);

    snprintf(regions, sizeof(regions), "%s\\", service.folder);
    assert_int_equal(open_with_regions(regions), ERROR_SUCCESS);
}

static void test_os_win32_regions_has_type_and_length_checked(void **state)
{
    prfdata_os_directory *directory = NULL;
    wchar_t long_path[2048] = L"C:\\";
    HKEY key = open_key();

    (void)state;
    prfdata_test_service_set_bytes(&service, "Regions", L"C:\\", 8);
    assert_int_equal(prfdata_os_directory_open(SERVICE, &directory), ERROR_INVALID_DATA);
    prfdata_test_service_set_number(&service, "Regions", 1);
    assert_int_equal(prfdata_os_directory_open(SERVICE, &directory), ERROR_INVALID_DATA);

    for (size_t i = 3; i < 2047; i++)
        long_path[i] = L'x';
    /* Tries every length around the limit, without a NUL at the end. */
    for (DWORD chars = 1010; chars < 1030; chars++) {
        assert_int_equal(RegSetValueExW(key, L"Regions", 0, REG_SZ, (BYTE *)long_path,
                                        chars * (DWORD)sizeof(wchar_t)),
                         ERROR_SUCCESS);
        assert_true(prfdata_os_directory_open(SERVICE, &directory) != ERROR_SUCCESS);
    }
    /* A text with a NUL in the middle. */
    assert_int_equal(RegSetValueExW(key, L"Regions", 0, REG_SZ, (BYTE *)L"C:\\\0\\x", 14),
                     ERROR_SUCCESS);
    assert_int_equal(prfdata_os_directory_open(SERVICE, &directory), ERROR_INVALID_DATA);
    RegCloseKey(key);
    assert_null(directory);
}

static void test_os_win32_regions_may_be_any_text(void **state)
{
    prfdata_os_directory *directory = NULL;
    prfdata_os_region region = none;
    wchar_t wide[520];
    char regions[600];

    (void)state;
    snprintf(regions, sizeof(regions), "%s\\Z\xc3\xa4hler \xe6\x80\xa7\xe8\x83\xbd",
             service.folder);
    assert_true(MultiByteToWideChar(CP_UTF8, 0, regions, -1, wide, 520) > 0);
    assert_true(CreateDirectoryW(wide, NULL));
    prfdata_test_service_set_text(&service, "Regions", regions);
    assert_int_equal(prfdata_os_directory_open(SERVICE, &directory), ERROR_SUCCESS);
    assert_int_equal(prfdata_os_region_create(directory, &name, SIZE, &region), ERROR_SUCCESS);
    prfdata_os_region_delete(directory, &name, &region);
    prfdata_os_directory_close(directory);
    assert_true(RemoveDirectoryW(wide));
}

/* ---- Regions ---- */

static void test_os_win32_created_files_are_allocated(void **state)
{
    prfdata_os_region region = create();
    FILE_STANDARD_INFO about;

    (void)state;
    assert_true(GetFileInformationByHandleEx((HANDLE)region.owner, FileStandardInfo, &about,
                                             sizeof(about)));
    assert_true(about.AllocationSize.QuadPart >= SIZE);
    assert_true(about.EndOfFile.QuadPart == SIZE);
    prfdata_os_region_close(&region);
}

static void test_os_win32_owner_is_not_inheritable(void **state)
{
    prfdata_os_region region = create();
    DWORD flags;

    (void)state;
    assert_true(GetHandleInformation((HANDLE)region.owner, &flags));
    assert_int_equal(flags & HANDLE_FLAG_INHERIT, 0);
    prfdata_os_region_close(&region);
}

static void test_os_win32_owner_shares_reading_only(void **state)
{
    prfdata_os_region region = create();

    (void)state;
    assert_true(CreateFileA(region_path, GENERIC_WRITE, FILE_SHARE_READ | FILE_SHARE_WRITE, NULL,
                            OPEN_EXISTING, 0, NULL) == INVALID_HANDLE_VALUE);
    assert_int_equal(GetLastError(), ERROR_SHARING_VIOLATION);
    assert_true(CreateFileA(region_path, DELETE,
                            FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE, NULL,
                            OPEN_EXISTING, 0, NULL) == INVALID_HANDLE_VALUE);
    assert_int_equal(GetLastError(), ERROR_SHARING_VIOLATION);
    CloseHandle(open_sharing(GENERIC_READ, FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE));
    prfdata_os_region_close(&region);
}

static void test_os_win32_views_are_as_long_as_the_file_and_protected(void **state)
{
    prfdata_os_region region = create(), view = attach();
    MEMORY_BASIC_INFORMATION about;

    (void)state;
    assert_true(VirtualQuery(view.bytes, &about, sizeof(about)) == sizeof(about));
    assert_int_equal(about.RegionSize, SIZE);
    assert_int_equal(about.Protect, PAGE_READONLY);
    assert_ptr_equal(about.AllocationBase, view.bytes);
    assert_true(VirtualQuery(region.bytes, &about, sizeof(about)) == sizeof(about));
    assert_int_equal(about.Protect, PAGE_READWRITE);
    prfdata_os_region_close(&view);
    prfdata_os_region_close(&region);
}

/* Wine counts no handles, but gives a new handle the lowest number that is free. */
static DWORD count_handles(void)
{
    DWORD count = 0;
    HANDLE event;

    if (GetProcessHandleCount(GetCurrentProcess(), &count) && count > 0)
        return count;
    event = CreateEventW(NULL, FALSE, FALSE, NULL);
    assert_non_null(event);
    count = (DWORD)(ULONG_PTR)event;
    CloseHandle(event);
    return count;
}

/* WMI ends a host of providers that has more than 4,096 handles (learn.microsoft.com, "Troubleshoot
 * WmiPrvse.exe quota exceeded issues"), and a provider may have 1,024 regions. */
static void test_os_win32_view_keeps_no_handle(void **state)
{
    prfdata_os_region owner = create(), view;
    const DWORD before = count_handles();

    (void)state;
    view = attach();
    assert_int_equal(count_handles(), before);
    prfdata_os_region_close(&view);
    prfdata_os_region_close(&owner);
}

/* A reader has no write access, so it cannot look like a living owner. */
static void test_os_win32_reader_who_shares_nothing_does_not_look_alive(void **state)
{
    prfdata_os_region region = create();
    HANDLE reader;
    bool alive = true;

    (void)state;
    prfdata_os_region_close(&region);
    reader = open_sharing(GENERIC_READ, 0);
    assert_int_equal(prfdata_os_region_probe(folder, &name, NULL, &alive), ERROR_SHARING_VIOLATION);
    assert_true(alive);
    CloseHandle(reader);
    reader = open_sharing(GENERIC_READ, FILE_SHARE_READ);
    assert_int_equal(prfdata_os_region_probe(folder, &name, NULL, &alive), ERROR_SUCCESS);
    assert_false(alive);
    assert_int_equal(os_folder_take(&name), ERROR_SHARING_VIOLATION);
    CloseHandle(reader);
    assert_int_equal(os_folder_take(&name), ERROR_SUCCESS);
}

static void test_os_win32_take_knows_its_own_files_while_impersonating(void **state)
{
    prfdata_os_region region = create();

    (void)state;
    prfdata_os_region_close(&region);
    assert_true(ImpersonateSelf(SecurityImpersonation));
    assert_int_equal(os_folder_take(&name), ERROR_SUCCESS);
    assert_true(RevertToSelf());
}

static bool owner_is_user(void)
{
    union {
        SECURITY_DESCRIPTOR_RELATIVE descriptor;
        TOKEN_USER user;
        unsigned char bytes[512];
    } file, token_user;
    PSID owner;
    HANDLE token;
    BOOL defaulted;
    DWORD size;

    assert_true(
        GetFileSecurityA(region_path, OWNER_SECURITY_INFORMATION, &file, sizeof(file), &size));
    assert_true(GetSecurityDescriptorOwner(&file, &owner, &defaulted));
    assert_true(OpenProcessToken(GetCurrentProcess(), TOKEN_QUERY, &token));
    assert_true(GetTokenInformation(token, TokenUser, &token_user, sizeof(token_user), &size));
    CloseHandle(token);
    return EqualSid(owner, token_user.user.User.Sid);
}

static void test_os_win32_take_refuses_files_of_other_accounts(void **state)
{
    prfdata_os_region region = create();

    (void)state;
    prfdata_os_region_close(&region);
    assert_int_equal(os_folder_take(&name), ERROR_SUCCESS);
    /* Wine does not let a Windows program give files to other accounts. On Linux only root can do
     * that. */
    if (!run_in_linux_shell("chown 65534 \"$1\"") || owner_is_user())
        skip();
    assert_int_equal(os_folder_take(&name), ERROR_ACCESS_DENIED);
}

/* ---- Guard ---- */

static void test_os_win32_truncated_file_is_caught(void **state)
{
    prfdata_os_region region = create(), view = attach();

    (void)state;
    assert_true(prfdata_os_guarded(&view, os_folder_read_last, &view));
    assert_false(prfdata_test_service_truncate_file(&service, name.text, 4096));
    if (run_in_linux_shell("truncate --size=4096 \"$1\"")) {
        assert_false(prfdata_os_guarded(&view, os_folder_read_last, &view));
        assert_false(prfdata_os_guarded(&view, os_folder_read_last, &view));
    }
    prfdata_os_region_close(&view);
    prfdata_os_region_close(&region);
}

/* ---- Accounts ---- */

typedef struct called {
    volatile LONG calls;
    DWORD thread;
    bool has_token;
    uint32_t opened; /* the result of opening the folder */
} called;

static void note_call(void *context)
{
    called *noted = context;
    prfdata_os_directory *own = NULL;
    HANDLE token = NULL;

    noted->thread = GetCurrentThreadId();
    noted->has_token = OpenThreadToken(GetCurrentThread(), TOKEN_QUERY, TRUE, &token) ||
                       GetLastError() != ERROR_NO_TOKEN;
    if (token)
        CloseHandle(token);
    noted->opened = prfdata_os_directory_open(SERVICE, &own);
    prfdata_os_directory_close(own);
    InterlockedIncrement(&noted->calls);
}

static void test_os_win32_call_as_process_is_on_this_thread_without_a_token(void **state)
{
    called noted = {0};

    (void)state;
    assert_int_equal(prfdata_os_call_as_process(note_call, &noted), ERROR_SUCCESS);
    assert_int_equal(noted.calls, 1);
    assert_int_equal(noted.thread, GetCurrentThreadId());
}

static void test_os_win32_call_as_process_is_on_another_thread_while_impersonating(void **state)
{
    called noted = {0};
    HANDLE token = NULL;
    uint32_t status;

    (void)state;
    assert_true(ImpersonateSelf(SecurityImpersonation));
    status = prfdata_os_call_as_process(note_call, &noted);
    /* The thread still has its token. */
    assert_true(OpenThreadToken(GetCurrentThread(), TOKEN_QUERY, TRUE, &token));
    CloseHandle(token);
    assert_true(RevertToSelf());
    assert_int_equal(status, ERROR_SUCCESS);
    assert_int_equal(noted.calls, 1);
    assert_true(noted.thread != GetCurrentThreadId());
    assert_false(noted.has_token);
    assert_int_equal(noted.opened, ERROR_SUCCESS);
}

/* While this thread holds the loader lock, as in DllMain, no other thread can begin. */
static void test_os_win32_call_as_process_is_given_up_under_the_loader_lock(void **state)
{
    typedef LONG NTAPI lock_loader(ULONG flags, ULONG * disposition, ULONG_PTR * cookie);
    typedef LONG NTAPI unlock_loader(ULONG flags, ULONG_PTR cookie);
    HMODULE ntdll = GetModuleHandleW(L"ntdll.dll");
    lock_loader *lock = (lock_loader *)(void (*)(void))GetProcAddress(ntdll, "LdrLockLoaderLock");
    unlock_loader *unlock =
        (unlock_loader *)(void (*)(void))GetProcAddress(ntdll, "LdrUnlockLoaderLock");
    static called noted;
    ULONG_PTR cookie;
    uint32_t status;

    (void)state;
    assert_non_null(lock);
    assert_non_null(unlock);
    assert_true(ImpersonateSelf(SecurityImpersonation));
    assert_int_equal(lock(0, NULL, &cookie), 0);
    status = prfdata_os_call_as_process(note_call, &noted);
    assert_int_equal(unlock(0, cookie), 0);
    assert_true(RevertToSelf());
    assert_int_equal(status, ERROR_TIMEOUT);
    Sleep(500); /* now the other thread begins and ends */
    assert_int_equal(noted.calls, 0);
}

#define INSTALLED(test) cmocka_unit_test_setup_teardown(test, set_up, os_folder_end)

int main(void)
{
    const struct CMUnitTest tests[] = {
        INSTALLED(test_os_win32_values_of_other_types_are_invalid),
        INSTALLED(test_os_win32_numbers_have_four_bytes),
        INSTALLED(test_os_win32_service_names_are_no_paths),
        INSTALLED(test_os_win32_regions_is_a_plain_path_with_a_drive),
        INSTALLED(test_os_win32_regions_has_type_and_length_checked),
        INSTALLED(test_os_win32_regions_may_be_any_text),
        INSTALLED(test_os_win32_created_files_are_allocated),
        INSTALLED(test_os_win32_owner_is_not_inheritable),
        INSTALLED(test_os_win32_owner_shares_reading_only),
        INSTALLED(test_os_win32_views_are_as_long_as_the_file_and_protected),
        INSTALLED(test_os_win32_view_keeps_no_handle),
        INSTALLED(test_os_win32_reader_who_shares_nothing_does_not_look_alive),
        INSTALLED(test_os_win32_take_knows_its_own_files_while_impersonating),
        INSTALLED(test_os_win32_take_refuses_files_of_other_accounts),
        INSTALLED(test_os_win32_truncated_file_is_caught),
        INSTALLED(test_os_win32_call_as_process_is_on_this_thread_without_a_token),
        INSTALLED(test_os_win32_call_as_process_is_on_another_thread_while_impersonating),
        INSTALLED(test_os_win32_call_as_process_is_given_up_under_the_loader_lock),
    };

    return cmocka_run_group_tests_name("os_win32", tests, NULL, NULL);
}
