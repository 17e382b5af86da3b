/* SPDX-License-Identifier: MIT */
/* Tests opening, replacing and removing files that other programs hold: which error a call returns,
 * that no call takes long, and which processes are named. Also tests visiting the entries of a
 * folder. Wine has no oplocks, so tests/scripts/59-oplocks.sh checks the options of the calls in
 * Wine's log. Windows only. */
#include "support/test.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#include <windows.h>
#include <restartmanager.h>
#include <winioctl.h>
#include <winternl.h>

#include "support/import_table.h"
#include "support/installer/places.h"
#include "windows/directory.h"
#include "windows/file_handle.h"
#include "windows/file_users.h"
#include "windows/plain_file.h"

#define SHARE_ALL (FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE)
#define ANY       FILE_FLAG_BACKUP_SEMANTICS

static wchar_t folder[MAX_PATH], file[MAX_PATH];

static int set_up(void **state)
{
    wchar_t place[MAX_PATH];

    (void)state;
    assert_true(GetTempPathW(MAX_PATH, place) > 0);
    assert_true(swprintf(folder, MAX_PATH, L"%lsprfdata-handle-%lu", place,
                         (unsigned long)GetCurrentProcessId()) > 0);
    assert_true(CreateDirectoryW(folder, NULL));
    path_in(file, folder, L"a.file");
    write_file(file, "abc", 3);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    DeleteFileW(file);
    return !RemoveDirectoryW(folder);
}

static void expect_content(const wchar_t *path, const char *wanted)
{
    void *bytes = NULL;
    size_t size = 0;

    assert_int_equal(prfdata_plain_file_read(path, 0, 100, &bytes, &size), ERROR_SUCCESS);
    assert_int_equal(size, strlen(wanted));
    assert_memory_equal(bytes, wanted, size);
    free(bytes);
}

static void test_file_handle_old_file_stays_until_the_new_one_is_whole(void **state)
{
    prfdata_directory directory = {0};
    wchar_t incomplete[MAX_PATH];

    (void)state;
    path_in(incomplete, folder, L"a.file.new");
    assert_int_equal(prfdata_directory_open_root(&directory, folder), ERROR_SUCCESS);
    assert_true(CreateDirectoryW(incomplete, NULL)); /* this folder is in the way of the new file */
    assert_int_not_equal(prfdata_directory_write_file(&directory, L"a.file", "new", 3),
                         ERROR_SUCCESS);
    expect_content(file, "abc");
    assert_true(RemoveDirectoryW(incomplete));

    /* A killed installer leaves an incomplete file. Writing the file replaces it, and removing the
     * file removes it, too. */
    write_file(incomplete, "half", 4);
    assert_int_equal(prfdata_directory_write_file(&directory, L"a.file", "new", 3), ERROR_SUCCESS);
    expect_content(file, "new");
    assert_int_equal(GetFileAttributesW(incomplete), INVALID_FILE_ATTRIBUTES);
    write_file(incomplete, "half", 4);
    assert_int_equal(prfdata_directory_remove_file(&directory, L"a.file"), ERROR_SUCCESS);
    assert_int_equal(GetFileAttributesW(incomplete), INVALID_FILE_ATTRIBUTES);
    assert_int_equal(GetFileAttributesW(file), INVALID_FILE_ATTRIBUTES);
    prfdata_directory_close(&directory);
}

static uint32_t open_and_close(const wchar_t *path, DWORD access, DWORD share, DWORD flags)
{
    HANDLE handle = NULL;
    uint32_t status = prfdata_file_handle_open(path, access, share, flags, &handle);

    if (status == ERROR_SUCCESS)
        assert_true(CloseHandle(handle));
    else
        assert_null(handle);
    return status;
}

static void test_file_handle_answers_as_create_file_does(void **state)
{
    wchar_t missing[MAX_PATH], below_missing[MAX_PATH], unc[MAX_PATH];
    const struct {
        const wchar_t *path;
        DWORD flags;
    } opens[] = {
        {file, 0},
        {file, ANY},
        {file, FILE_FLAG_OPEN_REPARSE_POINT},
        {folder, 0},
        {folder, ANY},
        {missing, 0},
        {missing, ANY},
        {below_missing, 0},
        {L"a.file", 0}, /* a name in the current folder, where no such file exists */
        {unc, 0},
        {L"", ANY},
        {L"C:\\", ANY},
        {L"\\\\?\\C:\\", ANY},
        {L"C:/windows", ANY},
        {L"C:\\windows\\..\\windows\\.", ANY},
    };

    (void)state;
    path_in(missing, folder, L"none");
    path_in(below_missing, folder, L"none\\none");
    /* This computer has no share of this name. In Wine, the shares have the names of drives. */
    assert_true(swprintf(unc, MAX_PATH, L"\\\\127.0.0.1\\none\\a.file") > 0);
    for (size_t i = 0; i < sizeof opens / sizeof opens[0]; i++) {
        uint32_t answer = open_and_close(opens[i].path, GENERIC_READ, SHARE_ALL, opens[i].flags);
        uint32_t wanted = ERROR_SUCCESS;
        HANDLE handle = CreateFileW(opens[i].path, GENERIC_READ, SHARE_ALL, NULL, OPEN_EXISTING,
                                    opens[i].flags, NULL);

        if (handle == INVALID_HANDLE_VALUE)
            wanted = GetLastError();
        else
            CloseHandle(handle);
        if (answer != wanted && !(answer && opens[i].path == unc))
            fail_msg("%ls: %u instead of %u", opens[i].path, (unsigned)answer, (unsigned)wanted);
    }
}

static void test_file_handle_knows_paths_of_the_current_folder(void **state)
{
    wchar_t before[MAX_PATH];

    (void)state;
    assert_true(GetCurrentDirectoryW(MAX_PATH, before) > 0);
    assert_true(SetCurrentDirectoryW(folder));
    assert_int_equal(open_and_close(L"a.file", GENERIC_READ, SHARE_ALL, 0), ERROR_SUCCESS);
    assert_int_equal(open_and_close(L".\\a.file", GENERIC_READ, SHARE_ALL, 0), ERROR_SUCCESS);
    assert_true(SetCurrentDirectoryW(before));
}

static void test_file_handle_long_paths_are_refused(void **state)
{
    wchar_t path[2 * MAX_PATH];

    (void)state;
    wmemset(path, L'x', 2 * MAX_PATH - 1);
    path[2 * MAX_PATH - 1] = 0;
    wmemcpy(path, L"C:\\", 3);
    assert_int_equal(open_and_close(path, GENERIC_READ, SHARE_ALL, 0), ERROR_FILENAME_EXCED_RANGE);
}

static void test_file_handle_in_use_is_a_sharing_violation(void **state)
{
    HANDLE owner = CreateFileW(file, GENERIC_WRITE, FILE_SHARE_READ, NULL, OPEN_EXISTING, 0, NULL);

    (void)state;
    assert_true(owner != INVALID_HANDLE_VALUE);
    assert_int_equal(open_and_close(file, GENERIC_READ, FILE_SHARE_READ, 0),
                     ERROR_SHARING_VIOLATION);
    assert_int_equal(open_and_close(file, DELETE, SHARE_ALL, 0), ERROR_SHARING_VIOLATION);
    assert_int_equal(open_and_close(file, GENERIC_READ, SHARE_ALL, 0), ERROR_SUCCESS);
    CloseHandle(owner);
}

static void test_file_handle_creates_only_what_is_not_there(void **state)
{
    wchar_t path[MAX_PATH];
    HANDLE handle = NULL;

    (void)state;
    path_in(path, folder, L"new");
    assert_int_equal(prfdata_file_handle_create(file, &handle), ERROR_FILE_EXISTS);
    assert_null(handle);
    assert_int_equal(prfdata_file_handle_create(path, &handle), ERROR_SUCCESS);
    assert_int_equal(open_and_close(path, GENERIC_READ, SHARE_ALL, 0), ERROR_SHARING_VIOLATION);
    CloseHandle(handle);
    assert_int_equal(open_and_close(path, GENERIC_READ, SHARE_ALL, 0), ERROR_SUCCESS);
    assert_true(DeleteFileW(path));
}

/* Take an oplock on the file of `owner`. Returns false in Wine, which has no oplocks. */
static bool take_oplock(HANDLE owner, OVERLAPPED *request)
{
    DWORD size;

    return !DeviceIoControl(owner, FSCTL_REQUEST_BATCH_OPLOCK, NULL, 0, NULL, 0, &size, request) &&
           GetLastError() == ERROR_IO_PENDING;
}

static void test_file_handle_does_not_wait_for_an_oplock(void **state)
{
    OVERLAPPED request = {0};
    HANDLE owner = CreateFileW(file, GENERIC_READ | GENERIC_WRITE, SHARE_ALL, NULL, OPEN_EXISTING,
                               FILE_FLAG_OVERLAPPED, NULL);
    bool has_oplock;
    void *bytes = NULL;
    size_t size = 0;

    (void)state;
    assert_true(owner != INVALID_HANDLE_VALUE);
    request.hEvent = CreateEventW(NULL, TRUE, FALSE, NULL);
    assert_non_null(request.hEvent);
    has_oplock = take_oplock(owner, &request);
    if (has_oplock) {
        assert_int_equal(open_and_close(file, GENERIC_READ, SHARE_ALL, 0), ERROR_SHARING_VIOLATION);
        assert_int_equal(prfdata_plain_file_remove(file), ERROR_SHARING_VIOLATION);
        assert_int_equal(prfdata_plain_file_read(file, 0, 100, &bytes, &size),
                         ERROR_SHARING_VIOLATION);
    }
    CloseHandle(owner);
    if (has_oplock)
        WaitForSingleObject(request.hEvent, INFINITE);
    CloseHandle(request.hEvent);
    assert_int_equal(open_and_close(file, GENERIC_READ, SHARE_ALL, 0), ERROR_SUCCESS);
    if (!has_oplock)
        skip();
}

/* ---- The entries of a folder ---- */

static void count_name(void *context, const wchar_t *name)
{
    size_t *count = context;

    assert_true(wcsncmp(name, L"listed ", 7) == 0 || wcscmp(name, L"a.file") == 0 ||
                wcscmp(name, L"a folder") == 0);
    (*count)++;
}

/* There are so many entries that the system returns them in several parts. */
static void test_directory_visits_every_file_or_every_folder(void **state)
{
    enum { FILES = 700 };
    prfdata_directory directory = {0};
    wchar_t path[MAX_PATH];
    size_t count = 0;

    (void)state;
    for (int i = 0; i < FILES; i++) {
        HANDLE handle;

        assert_true(swprintf(path, MAX_PATH, L"%ls\\listed %0100d", folder, i) > 0);
        assert_int_equal(prfdata_file_handle_create(path, &handle), ERROR_SUCCESS);
        CloseHandle(handle);
    }
    path_in(path, folder, L"a folder");
    assert_true(CreateDirectoryW(path, NULL));
    assert_int_equal(prfdata_directory_open_root(&directory, folder), ERROR_SUCCESS);
    for (int again = 0; again < 2; again++) {
        count = 0;
        assert_int_equal(prfdata_directory_visit_files(&directory, count_name, &count),
                         ERROR_SUCCESS);
        assert_int_equal(count, FILES + 1);
        count = 0;
        assert_int_equal(prfdata_directory_visit_folders(&directory, count_name, &count),
                         ERROR_SUCCESS);
        assert_int_equal(count, 1); /* the folder itself and its parent do not count */
    }
    prfdata_directory_close(&directory);
    assert_true(RemoveDirectoryW(path));
    for (int i = 0; i < FILES; i++) {
        assert_true(swprintf(path, MAX_PATH, L"%ls\\listed %0100d", folder, i) > 0);
        assert_int_equal(prfdata_plain_file_remove(path), ERROR_SUCCESS);
    }
}

/* ---- Removing ---- */

/* How many more calls of the kind `pending_call` fail, as if a deleted file still had its name. */
static unsigned pending;
enum { PENDING_OPEN, PENDING_CREATE, PENDING_RENAME, PENDING_FOLDER };
static int pending_call;

static bool is_pending(int call)
{
    if (pending == 0 || call != pending_call)
        return false;
    pending--;
    SetLastError(ERROR_ACCESS_DENIED);
    return true;
}

typedef BOOL(WINAPI *set_information)(HANDLE, FILE_INFO_BY_HANDLE_CLASS, void *, DWORD);
static set_information set_file_information;
static DWORD posix_flags; /* flags of the last call with FileDispositionInfoEx; 0: there was none */
static bool refuses_posix; /* the call fails, as in Windows before 10 and on FAT */

static BOOL WINAPI note_information(HANDLE handle, FILE_INFO_BY_HANDLE_CLASS kind, void *data,
                                    DWORD bytes)
{
    FILE_DISPOSITION_INFO disposition = {TRUE};

    if (kind == FileRenameInfo && is_pending(PENDING_RENAME))
        return FALSE;
    if ((int)kind != 21)
        return set_file_information(handle, kind, data, bytes);
    assert_int_equal(bytes, sizeof posix_flags);
    memcpy(&posix_flags, data, bytes);
    if (refuses_posix) {
        SetLastError(ERROR_INVALID_PARAMETER);
        return FALSE;
    }
    return set_file_information(handle, FileDispositionInfo, &disposition, sizeof disposition);
}

static void replace_set_information(void)
{
    if (!set_file_information)
        set_file_information = (set_information)(void (*)(void))import_table_replace(
            "kernel32.dll", "SetFileInformationByHandle",
            (import_table_function)(void (*)(void))note_information);
}

/* Wine 8 cannot delete with POSIX semantics, so the test replaces the system's function. */
static void test_file_handle_removes_the_name_at_once_if_the_system_can(void **state)
{
    (void)state;
    replace_set_information();
    for (int i = 0; i < 2; i++) {
        refuses_posix = i == 1;
        write_file(file, "abc", 3);
        posix_flags = 0;
        assert_int_equal(prfdata_plain_file_remove(file), ERROR_SUCCESS);
        assert_int_equal(posix_flags, 3); /* delete, with POSIX semantics */
        assert_true(GetFileAttributesW(file) == INVALID_FILE_ATTRIBUTES);
    }
}

/* The file is opened only with rights that the folder gives, and the system is told to ignore the
 * read-only attribute. */
static void test_file_handle_deletes_without_rights_on_the_file(void **state)
{
    HANDLE handle;

    (void)state;
    replace_set_information();
    for (int i = 0; i < 2; i++) {
        refuses_posix = i == 1;
        write_file(file, "abc", 3);
        posix_flags = 0;
        assert_int_equal(prfdata_file_handle_try_delete(file, &handle), ERROR_SUCCESS);
        assert_int_equal(prfdata_file_handle_remove_read_only(handle), ERROR_SUCCESS);
        CloseHandle(handle);
        assert_int_equal(posix_flags, 0x11); /* delete, and ignore the attribute */
        assert_true(GetFileAttributesW(file) == INVALID_FILE_ATTRIBUTES);
    }
}

/* ---- Who has a file open ---- */

/* The Restart Manager of Wine 8 knows no process, so these functions stand in for that of
 * Windows. */
static DWORD using_ids[3];
static UINT using_count;
static bool is_asked;
static unsigned sessions;

static DWORD WINAPI start_session(DWORD *session, DWORD flags, wchar_t *key)
{
    assert_int_equal(flags, 0);
    wcscpy(key, L"0123456789abcdef0123456789abcdef");
    *session = 7;
    sessions++;
    return ERROR_SUCCESS;
}

static DWORD WINAPI add_file(DWORD session, UINT files, LPCWSTR *paths, UINT processes,
                             /* cppcheck-suppress constParameter; Windows declares this type */
                             RM_UNIQUE_PROCESS *ids, UINT services, LPCWSTR *names)
{
    assert_int_equal(session, 7);
    assert_int_equal(files, 1);
    assert_int_equal(wcscmp(paths[0], L"C:\\some.region"), 0);
    assert_true(processes == 0 && services == 0 && !ids && !names);
    return ERROR_SUCCESS;
}

static DWORD WINAPI list_processes(DWORD session, UINT *needed, UINT *count, RM_PROCESS_INFO *users,
                                   DWORD *reasons)
{
    assert_int_equal(session, 7);
    (void)reasons;
    is_asked = true;
    *needed = using_count;
    if (using_count > *count || using_count > 3)
        return ERROR_MORE_DATA;
    for (UINT i = 0; i < using_count; i++)
        users[i].Process.dwProcessId = using_ids[i];
    *count = using_count;
    return ERROR_SUCCESS;
}

static DWORD WINAPI end_session(DWORD session)
{
    assert_int_equal(session, 7);
    sessions--;
    return ERROR_SUCCESS;
}

typedef FARPROC(WINAPI *get_proc_address)(HMODULE, const char *);
static get_proc_address real_get_proc_address;

static FARPROC WINAPI find_manager(HMODULE module, const char *name)
{
    static const struct {
        const char *name;
        void (*function)(void);
    } own[] = {{"RmStartSession", (void (*)(void))start_session},
               {"RmRegisterResources", (void (*)(void))add_file},
               {"RmGetList", (void (*)(void))list_processes},
               {"RmEndSession", (void (*)(void))end_session}};

    for (size_t i = 0; i < sizeof own / sizeof own[0]; i++) {
        if (strcmp(name, own[i].name) == 0)
            return (FARPROC)own[i].function;
    }
    return real_get_proc_address(module, name);
}

/* The owner of a region could have written any process id into it, so the system is asked which
 * processes use the file. */
static void test_file_users_are_those_that_the_system_names(void **state)
{
    static const struct {
        UINT count;
        DWORD ids[3];
        bool is_certain;
        uint32_t process_id;
    } rows[] = {
        {0, {0}, false, 42},        {1, {42}, true, 42},     {1, {43}, true, 43},
        {3, {1, 42, 43}, true, 42}, {2, {1, 43}, false, 42}, {4, {42}, false, 42},
    };

    (void)state;
    if (!real_get_proc_address)
        real_get_proc_address = (get_proc_address)(void (*)(void))import_table_replace(
            "kernel32.dll", "GetProcAddress", (import_table_function)(void (*)(void))find_manager);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        uint32_t process_id = 42;

        using_count = rows[i].count;
        memcpy(using_ids, rows[i].ids, sizeof using_ids);
        is_asked = false;
        if (prfdata_file_users_check(L"C:\\some.region", &process_id) != rows[i].is_certain ||
            process_id != rows[i].process_id)
            fail_msg("row %u: %u", (unsigned)i, (unsigned)process_id);
        assert_true(is_asked);
        assert_int_equal(sessions, 0);
    }
}

/* ---- Deleted files that keep their names ---- */

#define DELETION_IS_PENDING ((NTSTATUS)0xC0000056L)

typedef NTSTATUS(NTAPI *file_creation)(PHANDLE, ACCESS_MASK, POBJECT_ATTRIBUTES, PIO_STATUS_BLOCK,
                                       PLARGE_INTEGER, ULONG, ULONG, ULONG, ULONG, PVOID, ULONG);
static file_creation create_file;
static BOOL(WINAPI *create_folder)(LPCWSTR path, LPSECURITY_ATTRIBUTES attributes);
static DWORD(WINAPI *get_attributes)(LPCWSTR path);
static unsigned pauses;

static NTSTATUS NTAPI create_pending_file(PHANDLE handle, ACCESS_MASK access,
                                          POBJECT_ATTRIBUTES attributes, PIO_STATUS_BLOCK result,
                                          PLARGE_INTEGER size, ULONG flags, ULONG share,
                                          ULONG disposition, ULONG options, PVOID extended,
                                          ULONG extended_size)
{
    if (is_pending(disposition == FILE_CREATE ? PENDING_CREATE : PENDING_OPEN))
        return DELETION_IS_PENDING;
    return create_file(handle, access, attributes, result, size, flags, share, disposition, options,
                       extended, extended_size);
}

static BOOL WINAPI create_pending_folder(LPCWSTR path, LPSECURITY_ATTRIBUTES attributes)
{
    return !is_pending(PENDING_FOLDER) && create_folder(path, attributes);
}

static DWORD WINAPI get_pending_attributes(LPCWSTR path)
{
    if (pending == 0)
        return get_attributes(path);
    SetLastError(ERROR_ACCESS_DENIED);
    return INVALID_FILE_ATTRIBUTES;
}

static void WINAPI count_pause(DWORD milliseconds)
{
    (void)milliseconds;
    pauses++;
}

#define REPLACE(dll, name, own)                                                                    \
    (void (*)(void)) import_table_replace(dll, name, (import_table_function)(void (*)(void))(own))

/* This test must be the last one, because it replaces the functions for good. */
static void test_file_handle_waits_until_a_deleted_name_is_free(void **state)
{
    prfdata_directory parent = {0}, made = {0};

    (void)state;
    create_file = (file_creation)REPLACE("ntdll.dll", "NtCreateFile", create_pending_file);
    replace_set_information();
    create_folder = (BOOL(WINAPI *)(LPCWSTR, LPSECURITY_ATTRIBUTES))REPLACE(
        "kernel32.dll", "CreateDirectoryW", create_pending_folder);
    get_attributes = (DWORD(WINAPI *)(LPCWSTR))REPLACE("kernel32.dll", "GetFileAttributesW",
                                                       get_pending_attributes);
    (void)REPLACE("kernel32.dll", "Sleep", count_pause);
    assert_int_equal(prfdata_directory_open_root(&parent, folder), ERROR_SUCCESS);
    for (int call = PENDING_OPEN; call <= PENDING_RENAME; call++) {
        prfdata_file_handle_renew_patience();
        pending_call = call;
        pending = 3;
        pauses = 0;
        assert_int_equal(prfdata_directory_write_file(&parent, L"a.file", "new", 3), ERROR_SUCCESS);
        assert_int_equal(pending, 0);
        assert_int_equal(pauses, 3);
        expect_content(file, "new");
    }
    pending_call = PENDING_FOLDER;
    pending = 3;
    pauses = 0;
    assert_int_equal(prfdata_directory_make(&made, &parent, L"made", L"D:(A;;FA;;;WD)"),
                     ERROR_SUCCESS);
    assert_int_equal(pauses, 3);
    assert_int_equal(prfdata_directory_remove(&made), ERROR_SUCCESS);

    /* If the deleted file never goes away, the call waits for a second in all. */
    prfdata_file_handle_renew_patience();
    pending_call = PENDING_CREATE;
    pending = 1000;
    pauses = 0;
    assert_int_equal(prfdata_directory_write_file(&parent, L"a.file", "new", 3),
                     ERROR_DELETE_PENDING);
    assert_in_range(pauses, 10, 100);
    pending = 0;
    prfdata_directory_close(&parent);
}

#define TEST(function) cmocka_unit_test_setup_teardown(function, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_file_handle_answers_as_create_file_does),
        TEST(test_file_handle_knows_paths_of_the_current_folder),
        TEST(test_file_handle_long_paths_are_refused),
        TEST(test_file_handle_in_use_is_a_sharing_violation),
        TEST(test_file_handle_creates_only_what_is_not_there),
        TEST(test_file_handle_does_not_wait_for_an_oplock),
        TEST(test_file_handle_old_file_stays_until_the_new_one_is_whole),
        TEST(test_file_handle_removes_the_name_at_once_if_the_system_can),
        TEST(test_file_handle_deletes_without_rights_on_the_file),
        TEST(test_file_users_are_those_that_the_system_names),
        TEST(test_directory_visits_every_file_or_every_folder),
        TEST(test_file_handle_waits_until_a_deleted_name_is_free),
    };

    return cmocka_run_group_tests_name("file_handle", tests, NULL, NULL);
}
