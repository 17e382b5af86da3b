/* SPDX-License-Identifier: MIT */
/*
 * Who may do what in a service's regions folder: an ordinary user made for this, LocalService, and
 * a write-restricted service. Each runs a copy of this program in the kit's folder, which only
 * administrators can change, and writes one line to a file there:
 *
 *     prfdata-kit -Access <file>     as a user
 *     prfdata-kit -Service <file>    as a service
 *
 * It asks for handles and uses none of them: nothing is written, deleted or renamed.
 */
#include "kit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#include <lm.h>
#include <ntsecapi.h>
#include <sddl.h>

#include "product.h"

#define KIT_USER       L"PrfDataKitUser"
#define KIT_NT_SERVICE L"PrfDataKitService"
#define PASSWORD_CHARS 24
#define SERVICE_TRIES  3
#define RESULT_SECONDS 30
#define RESTRICTED_SID 3u /* SERVICE_SID_TYPE_RESTRICTED */

typedef struct access_seen {
    unsigned regions;
    unsigned readable;
    unsigned writable;
    unsigned meddling;  /* opened for DELETE, WRITE_DAC or WRITE_OWNER */
    unsigned added;     /* 1: a file could be added to the folder */
    unsigned published; /* status of prfdata_open() */
} access_seen;

/* ---- In the other account ---- */

static bool opens(const wchar_t *path, DWORD access)
{
    HANDLE file = CreateFileW(path, access, FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE,
                              NULL, OPEN_EXISTING, FILE_FLAG_OPEN_REPARSE_POINT, NULL);

    if (file == INVALID_HANDLE_VALUE)
        return GetLastError() == ERROR_SHARING_VIOLATION; /* the access list let it pass */
    CloseHandle(file);
    return true;
}

static void look_at_regions(access_seen *seen)
{
    wchar_t folder[MAX_PATH], path[2 * MAX_PATH];
    WIN32_FIND_DATAW found;
    HANDLE search;

    if (!kit_regions_folder(folder))
        return;
    swprintf(path, 2 * MAX_PATH, L"%ls\\*.region", folder);
    search = FindFirstFileW(path, &found);
    if (search == INVALID_HANDLE_VALUE)
        return;
    do {
        swprintf(path, 2 * MAX_PATH, L"%ls\\%ls", folder, found.cFileName);
        seen->regions++;
        seen->readable += opens(path, GENERIC_READ);
        seen->writable += opens(path, FILE_WRITE_DATA);
        seen->meddling += opens(path, DELETE) || opens(path, WRITE_DAC) || opens(path, WRITE_OWNER);
    } while (FindNextFileW(search, &found));
    FindClose(search);
}

static int write_access(const wchar_t *file_name)
{
    access_seen seen = {0, 0, 0, 0, 0, 0};
    prfdata_publisher *publisher;
    FILE *file;

    look_at_regions(&seen);
    seen.published = prfdata_open(&kit_map_1, &publisher);
    if (seen.published == ERROR_SUCCESS)
        prfdata_close_and_unmap(publisher);
    file = _wfopen(file_name, L"r+");
    if (!file)
        return 1;
    fprintf(file, "%u %u %u %u %u.\n", seen.regions, seen.readable, seen.writable, seen.meddling,
            seen.published);
    return fclose(file) == 0 ? 0 : 1;
}

int kit_access_main(int count, wchar_t **arguments)
{
    return count == 1 ? write_access(arguments[0]) : 2;
}

/* ---- The service ---- */

static const wchar_t *service_file;
static SERVICE_STATUS_HANDLE service_handle;

static void report_state(DWORD state)
{
    SERVICE_STATUS status;

    memset(&status, 0, sizeof status);
    status.dwServiceType = SERVICE_WIN32_OWN_PROCESS;
    status.dwCurrentState = state;
    SetServiceStatus(service_handle, &status);
}

static DWORD WINAPI handle_control(DWORD control, DWORD event, void *data, void *context)
{
    (void)control;
    (void)event;
    (void)data;
    (void)context;
    return NO_ERROR;
}

/* cppcheck-suppress constParameter; the type is Windows' */
static void WINAPI run_service(DWORD count, wchar_t **arguments)
{
    (void)count;
    (void)arguments;
    service_handle = RegisterServiceCtrlHandlerExW(KIT_NT_SERVICE, handle_control, NULL);
    report_state(SERVICE_RUNNING);
    write_access(service_file);
    report_state(SERVICE_STOPPED);
}

int kit_service_main(int count, wchar_t **arguments)
{
    static wchar_t name[] = KIT_NT_SERVICE;
    const SERVICE_TABLE_ENTRYW table[] = {{name, run_service}, {NULL, NULL}};

    if (count != 1)
        return 2;
    service_file = arguments[0];
    return StartServiceCtrlDispatcherW(table) ? 0 : 1;
}

/* ---- Running them ---- */

/* A file that every account may write, with nothing in it. */
static bool make_result(const kit *k, wchar_t path[MAX_PATH + 16])
{
    SECURITY_ATTRIBUTES attributes = {sizeof attributes, NULL, FALSE};
    HANDLE file;

    swprintf(path, MAX_PATH + 16, L"%ls\\access.txt", k->data);
    DeleteFileW(path);
    if (!ConvertStringSecurityDescriptorToSecurityDescriptorW(
            L"D:P(A;;FA;;;SY)(A;;FA;;;BA)(A;;0x12019f;;;AU)(A;;0x12019f;;;S-1-5-33)",
            SDDL_REVISION_1, &attributes.lpSecurityDescriptor, NULL))
        return false;
    file = CreateFileW(path, GENERIC_WRITE, 0, &attributes, CREATE_ALWAYS, 0, NULL);
    LocalFree(attributes.lpSecurityDescriptor);
    if (file == INVALID_HANDLE_VALUE)
        return false;
    CloseHandle(file);
    return true;
}

/* Wait until the line is there as a whole. */
static bool read_result(const wchar_t *path, access_seen *seen)
{
    for (int i = 0; i < RESULT_SECONDS * 20; i++) {
        char line[100] = "", dot = 0;
        FILE *file = _wfopen(path, L"r");

        if (file) {
            bool is_read = fgets(line, sizeof line, file) != NULL;

            fclose(file);
            if (is_read &&
                sscanf(line, "%u %u %u %u %u%c", &seen->regions, &seen->readable, &seen->writable,
                       &seen->meddling, &seen->published, &dot) == 6 &&
                dot == '.')
                return true;
        }
        Sleep(50);
    }
    return false;
}

static bool copy_program(const kit *k, wchar_t path[MAX_PATH + 32])
{
    swprintf(path, MAX_PATH + 32, L"%ls\\prfdata-kit.exe", k->data);
    return CopyFileW(k->program, path, FALSE) ||
           GetFileAttributesW(path) != INVALID_FILE_ATTRIBUTES;
}

static DWORD run_as_service(const kit *k, const wchar_t *account, bool is_restricted,
                            access_seen *seen)
{
    wchar_t program[MAX_PATH + 32], result[MAX_PATH + 16], command[3 * MAX_PATH];
    SERVICE_SID_INFO sid = {RESTRICTED_SID};
    SC_HANDLE manager, service;
    DWORD status = ERROR_SUCCESS;

    if (!copy_program(k, program) || !make_result(k, result))
        return GetLastError();
    swprintf(command, 3 * MAX_PATH, L"\"%ls\" -Service \"%ls\"", program, result);
    manager = OpenSCManagerW(NULL, NULL, SC_MANAGER_CREATE_SERVICE);
    if (!manager)
        return GetLastError();
    service = CreateServiceW(manager, KIT_NT_SERVICE, KIT_NT_SERVICE, SERVICE_ALL_ACCESS,
                             SERVICE_WIN32_OWN_PROCESS, SERVICE_DEMAND_START, SERVICE_ERROR_NORMAL,
                             command, NULL, NULL, NULL, account, NULL);
    if (!service) {
        status = GetLastError();
        CloseServiceHandle(manager);
        return status;
    }
    if (is_restricted && !ChangeServiceConfig2W(service, SERVICE_CONFIG_SERVICE_SID_INFO, &sid))
        status = GetLastError();
    else if (!StartServiceW(service, 0, NULL))
        status = GetLastError();
    else if (!read_result(result, seen))
        status = ERROR_TIMEOUT;
    DeleteService(service);
    CloseServiceHandle(service);
    CloseServiceHandle(manager);
    Sleep(500); /* until it has stopped, and the name is free */
    return status;
}

/* ---- The user ---- */

/* netapi32.dll's; not every toolchain has a library for it. */
typedef NET_API_STATUS(WINAPI add_function)(const wchar_t *server, DWORD level, BYTE *user,
                                            DWORD *parameter);
typedef NET_API_STATUS(WINAPI join_function)(const wchar_t *server, const wchar_t *group,
                                             DWORD level, BYTE *members, DWORD count);
typedef NET_API_STATUS(WINAPI delete_function)(const wchar_t *server, const wchar_t *user);

static FARPROC network_function(const char *name)
{
    HMODULE library = LoadLibraryExW(L"netapi32.dll", NULL, LOAD_LIBRARY_SEARCH_SYSTEM32);

    return library ? GetProcAddress(library, name) : NULL;
}

static NET_API_STATUS add_user(BYTE *user)
{
    union {
        FARPROC untyped;
        add_function *typed;
    } add;

    add.untyped = network_function("NetUserAdd");
    return add.untyped ? add.typed(NULL, 1, user, NULL) : ERROR_PROC_NOT_FOUND;
}

/* Only members of Users may log on, whatever the group is called here. */
static NET_API_STATUS add_to_users(wchar_t *name)
{
    SID_IDENTIFIER_AUTHORITY authority = SECURITY_NT_AUTHORITY;
    LOCALGROUP_MEMBERS_INFO_3 member = {name};
    wchar_t group[256], domain[256];
    DWORD group_chars = 256, domain_chars = 256;
    NET_API_STATUS status;
    SID_NAME_USE use;
    PSID users;
    union {
        FARPROC untyped;
        join_function *typed;
    } join;

    join.untyped = network_function("NetLocalGroupAddMembers");
    if (!join.untyped ||
        !AllocateAndInitializeSid(&authority, 2, SECURITY_BUILTIN_DOMAIN_RID,
                                  DOMAIN_ALIAS_RID_USERS, 0, 0, 0, 0, 0, 0, &users))
        return ERROR_PROC_NOT_FOUND;
    if (LookupAccountSidW(NULL, users, group, &group_chars, domain, &domain_chars, &use))
        status = join.typed(NULL, group, 3, (BYTE *)&member, 1);
    else
        status = GetLastError();
    FreeSid(users);
    return status == ERROR_MEMBER_IN_ALIAS ? NERR_Success : status;
}

static NET_API_STATUS delete_user(const wchar_t *name)
{
    union {
        FARPROC untyped;
        delete_function *typed;
    } remove;

    remove.untyped = network_function("NetUserDel");
    return remove.untyped ? remove.typed(NULL, name) : NERR_UserNotFound;
}

static DWORD make_user(wchar_t password[PASSWORD_CHARS + 1])
{
    static const wchar_t letters[] = L"abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789";
    static wchar_t name[] = KIT_USER;
    BYTE random[PASSWORD_CHARS];
    NET_API_STATUS status;
    USER_INFO_1 user;

    if (!RtlGenRandom(random, sizeof random))
        return ERROR_GEN_FAILURE;
    for (int i = 0; i < PASSWORD_CHARS; i++)
        password[i] = letters[random[i] % (sizeof letters / sizeof *letters - 1)];
    wcscpy(password + PASSWORD_CHARS - 4, L"aZ7-"); /* of every kind that rules demand */
    memset(&user, 0, sizeof user);
    user.usri1_name = name;
    user.usri1_password = password;
    user.usri1_priv = USER_PRIV_USER;
    user.usri1_flags = UF_SCRIPT;
    status = add_user((BYTE *)&user);
    return status == NERR_Success ? add_to_users(name) : status;
}

DWORD kit_remove_accounts(void)
{
    SC_HANDLE manager = OpenSCManagerW(NULL, NULL, SC_MANAGER_CONNECT), service;
    NET_API_STATUS status;

    service = manager ? OpenServiceW(manager, KIT_NT_SERVICE, DELETE | SERVICE_STOP) : NULL;
    if (service) {
        DeleteService(service);
        CloseServiceHandle(service);
    }
    if (manager)
        CloseServiceHandle(manager);
    status = delete_user(KIT_USER);
    return status == NERR_UserNotFound ? ERROR_SUCCESS : status;
}

static DWORD run_as_user(const kit *k, const wchar_t *password, access_seen *seen)
{
    wchar_t program[MAX_PATH + 32], result[MAX_PATH + 16], command[3 * MAX_PATH];
    PROCESS_INFORMATION process;
    STARTUPINFOW startup;

    if (!copy_program(k, program) || !make_result(k, result))
        return GetLastError();
    swprintf(command, 3 * MAX_PATH, L"\"%ls\" -Access \"%ls\"", program, result);
    memset(&startup, 0, sizeof startup);
    startup.cb = sizeof startup;
    if (!CreateProcessWithLogonW(KIT_USER, L".", password, 0, NULL, command, CREATE_NO_WINDOW, NULL,
                                 k->data, &startup, &process))
        return GetLastError();
    CloseHandle(process.hThread);
    CloseHandle(process.hProcess);
    return read_result(result, seen) ? ERROR_SUCCESS : ERROR_TIMEOUT;
}

/* ---- Questions ---- */

#define SEEN_FORMAT                                                                                \
    "of %u regions %u readable, %u writable, %u to be deleted or opened; publishing: %u"
#define SEEN(seen)                                                                                 \
    (seen).regions, (seen).readable, (seen).writable, (seen).meddling, (seen).published

static void ask_service(kit *k)
{
    wchar_t account[] = L"NT AUTHORITY\\LocalService";
    access_seen seen = {0, 0, 0, 0, 0, 0};
    DWORD status = ERROR_SERVICE_NOT_ACTIVE;

    /* On a busy machine Wine sometimes fails to start a program. */
    for (int i = 0; i < SERVICE_TRIES && status != ERROR_SUCCESS; i++)
        status = run_as_service(k, k->is_wine ? NULL : account, false, &seen);
    if (status != ERROR_SUCCESS) {
        for (int i = KIT_Q_service_publishes; i <= KIT_Q_restricted_reads; i++)
            kit_answer(&k->answers, (kit_question_id)i, KIT_FAILED, "the service: error %lu",
                       (unsigned long)status);
    } else if (k->is_wine) {
        kit_answer_rest(&k->answers, KIT_Q_service_publishes, KIT_Q_restricted_reads, KIT_NOT_HERE,
                        "Wine's services have the account of whoever started Wine (one ran)");
    } else {
        kit_answer_if(&k->answers, KIT_Q_service_publishes, seen.published == ERROR_SUCCESS,
                      SEEN_FORMAT, SEEN(seen));
        kit_answer_if(&k->answers, KIT_Q_service_meddles, seen.writable > 0 || seen.meddling > 0,
                      SEEN_FORMAT, SEEN(seen));
        memset(&seen, 0, sizeof seen);
        status = run_as_service(k, account, true, &seen);
        if (status == ERROR_SUCCESS) {
            kit_answer_if(&k->answers, KIT_Q_restricted_publishes, seen.published == ERROR_SUCCESS,
                          SEEN_FORMAT, SEEN(seen));
            kit_answer_if(&k->answers, KIT_Q_restricted_reads,
                          seen.regions > 0 && seen.readable == seen.regions, SEEN_FORMAT,
                          SEEN(seen));
        }
        kit_answer_rest(&k->answers, KIT_Q_restricted_publishes, KIT_Q_restricted_reads, KIT_FAILED,
                        "the restricted service did not run");
    }
}

static void ask_user(kit *k)
{
    wchar_t password[PASSWORD_CHARS + 1] = L"";
    access_seen seen = {0, 0, 0, 0, 0, 0};
    DWORD status;

    if (k->is_wine) {
        kit_answer_rest(&k->answers, KIT_Q_user_reads, KIT_Q_user_publishes, KIT_NOT_HERE,
                        "Wine has one account");
        return;
    }
    status = make_user(password);
    if (status == ERROR_SUCCESS)
        status = run_as_user(k, password, &seen);
    if (status == ERROR_SUCCESS) {
        kit_answer_if(&k->answers, KIT_Q_user_reads,
                      seen.regions > 0 && seen.readable == seen.regions, SEEN_FORMAT, SEEN(seen));
        kit_answer_if(&k->answers, KIT_Q_user_writes, seen.published == ERROR_SUCCESS, SEEN_FORMAT,
                      SEEN(seen));
        kit_answer_if(&k->answers, KIT_Q_user_meddles, seen.writable > 0 || seen.meddling > 0,
                      SEEN_FORMAT, SEEN(seen));
        memset(&seen, 0, sizeof seen);
        if (!kit_install_product(k, L"Users"))
            status = ERROR_INSTALL_FAILURE;
        else
            status = run_as_user(k, password, &seen);
        if (status == ERROR_SUCCESS)
            kit_answer_if(&k->answers, KIT_Q_user_publishes, seen.published == ERROR_SUCCESS,
                          SEEN_FORMAT, SEEN(seen));
    }
    for (int i = KIT_Q_user_reads; i <= KIT_Q_user_publishes; i++)
        kit_answer(&k->answers, (kit_question_id)i, KIT_FAILED, "the user's process: error %lu",
                   (unsigned long)status);
}

void kit_ask_accounts(kit *k)
{
    ask_service(k);
    ask_user(k);
    kit_remove_accounts();
}
