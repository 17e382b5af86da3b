/* SPDX-License-Identifier: MIT */
/* Makes and removes the kit's accounts: an ordinary user and a Windows service. Each runs a copy of
 * this program in the kit's folder, which only administrators can change, and writes one line to a
 * file there.
 *
 *     prfdata-kit -Service <file>    does the same as -Access (access.c), as a service */
#include "accounts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#include <lm.h>
#include <ntsecapi.h>
#include <sddl.h>

#define KIT_USER       L"PrfDataKitUser"
#define KIT_NT_SERVICE L"PrfDataKitService"
#define RESULT_SECONDS 30
#define RESTRICTED_SID 3u /* SERVICE_SID_TYPE_RESTRICTED */

/* ---- The service ---- */

static wchar_t *service_file;
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

/* cppcheck-suppress constParameter; Windows declares this type */
static void WINAPI run_service(DWORD count, wchar_t **arguments)
{
    (void)count;
    (void)arguments;
    service_handle = RegisterServiceCtrlHandlerExW(KIT_NT_SERVICE, handle_control, NULL);
    report_state(SERVICE_RUNNING);
    kit_access_main(1, &service_file);
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

/* Makes an empty file that every account may write. */
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

/* Waits until the line is complete, for at most RESULT_SECONDS. */
static bool read_result(const wchar_t *path, access_seen *seen)
{
    for (int i = 0; i < RESULT_SECONDS * 20; i++) {
        char line[ACCESS_TEXT_CHARS] = "";
        FILE *file = _wfopen(path, L"r");

        if (file) {
            bool is_read = fgets(line, sizeof line, file) != NULL;

            fclose(file);
            if (is_read && kit_access_parse(line, seen))
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

static void end_service(SC_HANDLE service)
{
    SERVICE_STATUS_PROCESS status;
    DWORD bytes;

    if (QueryServiceStatusEx(service, SC_STATUS_PROCESS_INFO, (BYTE *)&status, sizeof status,
                             &bytes) &&
        status.dwProcessId != 0)
        kit_kill(OpenProcess(PROCESS_TERMINATE | SYNCHRONIZE, FALSE, status.dwProcessId));
}

/* Waits until the deleted service has stopped, because until then its name cannot be used again. */
static void wait_until_gone(SC_HANDLE manager)
{
    for (int i = 0; i < RESULT_SECONDS * 20; i++) {
        SC_HANDLE service = OpenServiceW(manager, KIT_NT_SERVICE, SERVICE_QUERY_STATUS);

        if (!service)
            return;
        CloseServiceHandle(service);
        Sleep(50);
    }
}

DWORD kit_run_as_service(const kit *k, const wchar_t *account, bool is_restricted,
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
    if (status == ERROR_TIMEOUT)
        end_service(service);
    DeleteService(service);
    CloseServiceHandle(service);
    wait_until_gone(manager);
    CloseServiceHandle(manager);
    return status;
}

/* ---- The user ---- */

/* Functions of netapi32.dll. Not every toolchain has a library for them. */
typedef NET_API_STATUS(WINAPI add_function)(const wchar_t *server, DWORD level, BYTE *user,
                                            DWORD *parameter);
typedef NET_API_STATUS(WINAPI member_function)(const wchar_t *server, const wchar_t *group,
                                               DWORD level, BYTE *members, DWORD count);
typedef NET_API_STATUS(WINAPI delete_function)(const wchar_t *server, const wchar_t *user);

static FARPROC network_function(const char *name)
{
    HMODULE library = LoadLibraryExW(L"netapi32.dll", NULL, LOAD_LIBRARY_SEARCH_SYSTEM32);

    return library ? GetProcAddress(library, name) : NULL;
}

bool kit_is_domain_controller(void)
{
    wchar_t type[16];
    DWORD bytes = sizeof type;

    return RegGetValueW(HKEY_LOCAL_MACHINE, L"SYSTEM\\CurrentControlSet\\Control\\ProductOptions",
                        L"ProductType", RRF_RT_REG_SZ, NULL, type, &bytes) == ERROR_SUCCESS &&
           wcscmp(type, L"LanmanNT") == 0;
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

/* Finds the name of a system group, which depends on the language of Windows. */
static bool find_group_name(DWORD alias, wchar_t group[256])
{
    SID_IDENTIFIER_AUTHORITY authority = SECURITY_NT_AUTHORITY;
    DWORD group_chars = 256, domain_chars = 256;
    wchar_t domain[256];
    SID_NAME_USE use;
    bool is_found;
    PSID sid;

    if (!AllocateAndInitializeSid(&authority, 2, SECURITY_BUILTIN_DOMAIN_RID, alias, 0, 0, 0, 0, 0,
                                  0, &sid))
        return false;
    is_found = LookupAccountSidW(NULL, sid, group, &group_chars, domain, &domain_chars, &use) != 0;
    FreeSid(sid);
    return is_found;
}

static DWORD change_group(const char *function_name, DWORD alias)
{
    static wchar_t name[] = KIT_USER;
    LOCALGROUP_MEMBERS_INFO_3 member = {name};
    wchar_t group[256];
    union {
        FARPROC untyped;
        member_function *typed;
    } change;
    NET_API_STATUS status;

    change.untyped = network_function(function_name);
    if (!change.untyped)
        return ERROR_PROC_NOT_FOUND;
    if (!find_group_name(alias, group))
        return GetLastError();
    status = change.typed(NULL, group, 3, (BYTE *)&member, 1);
    return status == ERROR_MEMBER_IN_ALIAS || status == ERROR_MEMBER_NOT_IN_ALIAS ? NERR_Success
                                                                                  : status;
}

DWORD kit_join_group(DWORD alias)
{
    return change_group("NetLocalGroupAddMembers", alias);
}

DWORD kit_leave_group(DWORD alias)
{
    return change_group("NetLocalGroupDelMembers", alias);
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

DWORD kit_make_user(wchar_t password[KIT_PASSWORD_CHARS + 1])
{
    static const wchar_t letters[] = L"abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789";
    static wchar_t name[] = KIT_USER;
    BYTE random[KIT_PASSWORD_CHARS];
    NET_API_STATUS status;
    USER_INFO_1 user;

    if (!RtlGenRandom(random, sizeof random))
        return ERROR_GEN_FAILURE;
    for (int i = 0; i < KIT_PASSWORD_CHARS; i++)
        password[i] = letters[random[i] % (sizeof letters / sizeof *letters - 1)];
    /* the password has characters of every kind that rules may demand */
    wcscpy(password + KIT_PASSWORD_CHARS - 4, L"aZ7-");
    memset(&user, 0, sizeof user);
    user.usri1_name = name;
    user.usri1_password = password;
    user.usri1_priv = USER_PRIV_USER;
    user.usri1_flags = UF_SCRIPT;
    status = add_user((BYTE *)&user);
    /* Only members of the group Users may log on. */
    return status == NERR_Success ? kit_join_group(DOMAIN_ALIAS_RID_USERS) : status;
}

DWORD kit_remove_accounts(void)
{
    SC_HANDLE manager = OpenSCManagerW(NULL, NULL, SC_MANAGER_CONNECT), service;
    NET_API_STATUS status;

    service = manager ? OpenServiceW(manager, KIT_NT_SERVICE, DELETE | SERVICE_QUERY_STATUS) : NULL;
    if (service) {
        end_service(service);
        DeleteService(service);
        CloseServiceHandle(service);
    }
    if (manager)
        CloseServiceHandle(manager);
    /* The user's memberships are deleted with the user, except perhaps those in groups outside of
     * its domain. */
    kit_leave_group(DOMAIN_ALIAS_RID_MONITORING_USERS);
    kit_leave_group(DOMAIN_ALIAS_RID_LOGGING_USERS);
    status = delete_user(KIT_USER);
    return status == NERR_UserNotFound ? ERROR_SUCCESS : status;
}

DWORD kit_run_as_user(const kit *k, const wchar_t *password, access_seen *seen)
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
    if (!read_result(result, seen)) {
        kit_kill(process.hProcess);
        return ERROR_TIMEOUT;
    }
    CloseHandle(process.hProcess);
    return ERROR_SUCCESS;
}

DWORD kit_look_as_user(const wchar_t *password, DWORD logon, access_seen *seen)
{
    HANDLE token;

    if (!LogonUserW(KIT_USER, L".", password, logon, 0, &token))
        return GetLastError();
    if (!ImpersonateLoggedOnUser(token)) {
        CloseHandle(token);
        return ERROR_BAD_IMPERSONATION_LEVEL;
    }
    kit_access_look(seen);
    seen->event_status = kit_access_try_event();
    RevertToSelf();
    CloseHandle(token);
    return ERROR_SUCCESS;
}
