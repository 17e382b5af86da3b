/* SPDX-License-Identifier: MIT */
/*
 * Registers the service and removes it: the service manager's entry, the membership in Performance
 * Monitor Users, and the event source. service_run.c runs the service.
 *
 * Windows makes an account for this service only. The account has no password, no rights of other
 * accounts, and no access to data that only the system's own services may read. As a member of
 * Performance Monitor Users, an account without an interactive logon may read HKEY_PERFORMANCE_DATA
 * (documented for Performance Monitor Users; untested, because Wine has no accounts). Windows only.
 */
#include <windows.h>
#include <lm.h>
#include <sddl.h>

#include "prfread/service.h"

#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#include <prfdata/error.h>

#include "names/names.h"
#include "prfread/service_command.h"
#include "prfread/service_protection.h"
#include "windows/wine.h"
#include "windows/writers.h"

#define WIDE_OF(text) L##text
#define WIDE(text)    WIDE_OF(text)
#define NAME          WIDE(PRFDATA_SERVICE_NAME)
#define ACCOUNT       L"NT SERVICE\\" NAME

enum {
    PATH_CHARS = 1024,
    STOP_LIMIT_MS = 30000,
    STOP_POLL_MS = 100,
    FORGET_FAILURES_SECONDS = 86400
};

static const prfdata_text no_text = {NULL, 0};

static prfdata_exit_code fail_service(prfdata_messages *messages, uint32_t status, const char *what)
{
    switch (status) {
    case ERROR_ACCESS_DENIED:
        prfdata_messages_add(messages, PRFDATA_SEVERITY_ERROR, no_text,
                             "services are installed and removed at an elevated prompt: start it "
                             "by \"Run as administrator\"");
        break;
    case ERROR_SERVICE_EXISTS:
        prfdata_messages_add(messages, PRFDATA_SEVERITY_ERROR, no_text,
                             "there is a service " PRFDATA_SERVICE_NAME
                             " already; prfread -service remove removes it");
        break;
    case ERROR_SERVICE_DOES_NOT_EXIST:
        prfdata_messages_add(messages, PRFDATA_SEVERITY_ERROR, no_text,
                             "there is no service " PRFDATA_SERVICE_NAME);
        break;
    case ERROR_SERVICE_MARKED_FOR_DELETE:
        prfdata_messages_add(messages, PRFDATA_SEVERITY_ERROR, no_text,
                             "the former service " PRFDATA_SERVICE_NAME
                             " is removed when no program has it open. Close services.msc and "
                             "similar programs, and try again");
        break;
    default:
        prfdata_messages_add_system(messages, no_text, status, "%s", what);
    }
    return PRFDATA_EXIT_SYSTEM;
}

static void warn_of_service(prfdata_messages *messages, uint32_t status, const char *what)
{
    prfdata_messages_put(messages, &(prfdata_message){.severity = PRFDATA_SEVERITY_WARNING,
                                                      .problem = what,
                                                      .text = what,
                                                      .system_error = status});
}

/* ---- The command line ---- */

/* Implements prfdata_service_command_complete. */
static bool put_complete_path(prfdata_text file, bool must_exist, prfdata_output *path)
{
    wchar_t complete[PATH_CHARS];
    wchar_t *given = malloc((file.count + 1) * sizeof *given);
    DWORD chars = 0;

    if (given) {
        memcpy(given, file.chars, file.count * sizeof *given);
        given[file.count] = 0;
        chars = GetFullPathNameW(given, PATH_CHARS, complete, NULL);
    }
    free(given);
    if (chars == 0 || chars >= PATH_CHARS ||
        (must_exist && GetFileAttributesW(complete) == INVALID_FILE_ATTRIBUTES))
        return false;
    prfdata_arguments_put_quoted(path, prfdata_text_from_chars((const uint16_t *)complete));
    return true;
}

/* Returns whether the service manager would leave the line unchanged. The service manager expands
 * %NAME%, and a counter's name may contain percent signs, such as "% Busy". */
static bool is_line_fixed(const wchar_t *line)
{
    const DWORD chars = ExpandEnvironmentStringsW(line, NULL, 0);
    wchar_t *expanded = chars > 0 ? malloc(chars * sizeof *expanded) : NULL;
    bool is_fixed = false;

    if (expanded && ExpandEnvironmentStringsW(line, expanded, chars) <= chars)
        is_fixed = wcscmp(line, expanded) == 0;
    free(expanded);
    return is_fixed;
}

/* Make the command line in UTF-16; release it with free(). Returns NULL on failure, which is
 * reported. */
static wchar_t *make_service_line(const wchar_t *program, size_t count,
                                  const uint16_t *const *arguments, const prfdata_options *options,
                                  prfdata_messages *messages)
{
    prfdata_output line = {0};
    wchar_t *chars = NULL;

    if (!prfdata_service_command_put(&line, prfdata_text_from_chars((const uint16_t *)program),
                                     count, arguments, options, put_complete_path, messages)) {
        prfdata_output_free(&line);
        return NULL;
    }
    if (!line.failed)
        chars = calloc(line.used + 1, sizeof *chars);
    if (!chars || prfdata_names_wide_from_utf8(line.bytes, line.used, chars) == SIZE_MAX) {
        (void)fail_service(messages, ERROR_NOT_ENOUGH_MEMORY, "cannot make the command line");
        free(chars);
        chars = NULL;
    } else if (!is_line_fixed(chars)) {
        prfdata_messages_add(messages, PRFDATA_SEVERITY_ERROR, no_text,
                             "the service manager would replace a part between two %% signs, which "
                             "is the name of a variable. Put the counter paths into a file, for "
                             "-cf");
        free(chars);
        chars = NULL;
    }
    prfdata_output_free(&line);
    return chars;
}

/* ---- Membership ---- */

/* Find the local name of Performance Monitor Users, S-1-5-32-558. */
static uint32_t find_group_name(wchar_t *name, DWORD name_chars)
{
    SID_IDENTIFIER_AUTHORITY authority = {SECURITY_NT_AUTHORITY};
    wchar_t domain[256];
    DWORD domain_chars = 256;
    SID_NAME_USE use;
    uint32_t status = ERROR_SUCCESS;
    PSID group;

    if (!AllocateAndInitializeSid(&authority, 2, SECURITY_BUILTIN_DOMAIN_RID,
                                  DOMAIN_ALIAS_RID_MONITORING_USERS, 0, 0, 0, 0, 0, 0, &group))
        return GetLastError();
    if (!LookupAccountSidW(NULL, group, name, &name_chars, domain, &domain_chars, &use))
        status = GetLastError();
    FreeSid(group);
    return status;
}

/*
 * Find the SID of the service's account; LocalFree() releases it.
 */
static uint32_t find_account(PSID *sid)
{
    wchar_t spelling[PRFDATA_ACCESS_LIST_SDDL_CHARS], unknown[PRFDATA_WRITER_CHARS];
    uint32_t status = prfdata_writers_resolve(ACCOUNT, spelling, unknown, NULL, NULL);

    if (status == ERROR_SUCCESS && !ConvertStringSidToSidW(spelling, sid))
        status = GetLastError();
    return status;
}

typedef NET_API_STATUS(NET_API_FUNCTION *change_members)(LPCWSTR server, LPCWSTR group, DWORD level,
                                                         LPBYTE members, DWORD count);

/*
 * Add the account to the group, or remove the account. Loads netapi32.dll only now, because nothing
 * else in prfread needs the DLL.
 *
 * function  The name of the DLL's function that adds or removes.
 */
static uint32_t change_membership(const char *function)
{
    LOCALGROUP_MEMBERS_INFO_0 member;
    wchar_t group[256];
    uint32_t status = find_group_name(group, 256);
    change_members change = NULL;
    HMODULE library;

    if (status == ERROR_SUCCESS)
        status = find_account(&member.lgrmi0_sid);
    if (status != ERROR_SUCCESS)
        return status;
    library = LoadLibraryExW(L"netapi32.dll", NULL, LOAD_LIBRARY_SEARCH_SYSTEM32);
    if (library)
        change = (change_members)(void (*)(void))GetProcAddress(library, function);
    status = change ? (uint32_t)change(NULL, group, 0, (LPBYTE)&member, 1) : ERROR_PROC_NOT_FOUND;
    if (library)
        FreeLibrary(library);
    LocalFree(member.lgrmi0_sid);
    return status;
}

/* ---- Installing ---- */

/* Set what CreateService does not set. If any of this fails, the service can still answer. */
static void configure_service(SC_HANDLE service, prfdata_messages *messages)
{
    wchar_t text[] = L"Answers Prometheus with performance counters, as prfread -serve does.";
    /* The system repeats the last action, and reports each restart as an event. */
    SC_ACTION actions[] = {
        {SC_ACTION_RESTART, 10000}, {SC_ACTION_RESTART, 60000}, {SC_ACTION_RESTART, 600000}};
    SERVICE_DESCRIPTIONW description = {text};
    SERVICE_DELAYED_AUTO_START_INFO delayed = {TRUE};
    SERVICE_FAILURE_ACTIONSW recovery = {.dwResetPeriod = FORGET_FAILURES_SECONDS,
                                         .cActions = sizeof actions / sizeof actions[0],
                                         .lpsaActions = actions};
    SERVICE_FAILURE_ACTIONS_FLAG also_errors = {TRUE};
    wchar_t privileges[] = L"SeChangeNotifyPrivilege\0"; /* a list, ended by a second NUL */
    SERVICE_REQUIRED_PRIVILEGES_INFOW required = {privileges};

    if (!ChangeServiceConfig2W(service, SERVICE_CONFIG_DESCRIPTION, &description))
        warn_of_service(messages, GetLastError(), "could not set the description of the service");
    if (!ChangeServiceConfig2W(service, SERVICE_CONFIG_DELAYED_AUTO_START_INFO, &delayed))
        warn_of_service(messages, GetLastError(), "could not set the delayed start of the service");
    if (!ChangeServiceConfig2W(service, SERVICE_CONFIG_FAILURE_ACTIONS, &recovery) ||
        !ChangeServiceConfig2W(service, SERVICE_CONFIG_FAILURE_ACTIONS_FLAG, &also_errors))
        warn_of_service(messages, GetLastError(),
                        "could not set the restart of the service after a failure");
    /* By default a service has all privileges of its account, including impersonating its
     * clients. */
    if (!ChangeServiceConfig2W(service, SERVICE_CONFIG_REQUIRED_PRIVILEGES_INFO, &required))
        warn_of_service(messages, GetLastError(), "could not limit the privileges of the service");
}

static prfdata_exit_code create_service(const wchar_t *program, const wchar_t *line,
                                        prfdata_messages *messages)
{
    SC_HANDLE manager = OpenSCManagerW(NULL, NULL, SC_MANAGER_CONNECT | SC_MANAGER_CREATE_SERVICE);
    SC_HANDLE service;
    uint32_t status;

    if (!manager)
        return fail_service(messages, GetLastError(), "cannot open the service manager");
    service = CreateServiceW(manager, NAME, L"prfread (performance counters for Prometheus)",
                             SERVICE_CHANGE_CONFIG | SERVICE_START, SERVICE_WIN32_OWN_PROCESS,
                             SERVICE_AUTO_START, SERVICE_ERROR_NORMAL, line, NULL, NULL, NULL,
                             ACCOUNT, NULL);
    status = service ? ERROR_SUCCESS : GetLastError();
    CloseServiceHandle(manager);
    if (!service)
        return fail_service(messages, status, "cannot create the service");
    configure_service(service, messages);
    CloseServiceHandle(service);
    status = prfdata_service_log_register((const uint16_t *)program);
    if (status != ERROR_SUCCESS)
        warn_of_service(messages, status, "could not register the texts of its events");
    status = change_membership("NetLocalGroupAddMembers");
    if (status != ERROR_SUCCESS && status != ERROR_MEMBER_IN_ALIAS)
        warn_of_service(messages, status,
                        "the account NT SERVICE\\" PRFDATA_SERVICE_NAME
                        " could not be added to the group Performance Monitor Users; without it "
                        "the service cannot read counters");
    return PRFDATA_EXIT_OK;
}

/*
 * Returns whether the files are protected. Under Wine, where the user owns all files, an
 * unprotected file is only reported.
 */
static bool is_protected(const wchar_t *program, const prfdata_options *options,
                         prfdata_messages *messages)
{
    prfdata_messages found = {0};
    const bool is_safe =
        prfdata_service_protection_check((const uint16_t *)program, options, &found);

    for (size_t i = 0; i < found.count; i++) {
        if (prfdata_wine_is_here())
            found.items[i].severity = PRFDATA_SEVERITY_WARNING;
        prfdata_messages_put(messages, &found.items[i]);
    }
    prfdata_messages_free(&found);
    return is_safe || prfdata_wine_is_here();
}

prfdata_exit_code prfdata_service_install(size_t count, const uint16_t *const *arguments,
                                          const prfdata_options *options,
                                          prfdata_messages *messages)
{
    wchar_t program[PATH_CHARS];
    const DWORD chars = GetModuleFileNameW(NULL, program, PATH_CHARS);
    prfdata_exit_code exit_code;
    wchar_t *line;

    if (chars == 0 || chars >= PATH_CHARS)
        return fail_service(messages, ERROR_FILENAME_EXCED_RANGE, "cannot tell where prfread is");
    line = make_service_line(program, count, arguments, options, messages);
    if (!line)
        return PRFDATA_EXIT_SYSTEM;
    if (!is_protected(program, options, messages)) {
        free(line);
        return PRFDATA_EXIT_SYSTEM;
    }
    exit_code = create_service(program, line, messages);
    free(line);
    if (exit_code == PRFDATA_EXIT_OK)
        prfdata_messages_add(messages, PRFDATA_SEVERITY_HINT, no_text,
                             "The service " PRFDATA_SERVICE_NAME
                             " is installed. It starts a few minutes after Windows. To start it "
                             "now, run: net start " PRFDATA_SERVICE_NAME);
    return exit_code;
}

/* ---- Removing ---- */

static bool is_own_service(SC_HANDLE service, prfdata_messages *messages)
{
    QUERY_SERVICE_CONFIGW *config;
    DWORD bytes = 0;
    bool is_own = false;

    (void)QueryServiceConfigW(service, NULL, 0, &bytes);
    config = malloc(bytes + sizeof *config);
    if (config && QueryServiceConfigW(service, config, bytes, &bytes)) {
        const prfdata_text line =
            prfdata_text_from_chars((const uint16_t *)config->lpBinaryPathName);

        is_own = prfdata_service_command_is_ours(line);
        if (!is_own)
            prfdata_messages_add(messages, PRFDATA_SEVERITY_ERROR, line,
                                 "the service " PRFDATA_SERVICE_NAME
                                 " runs another program than prfread, so it was not changed");
    } else {
        (void)fail_service(messages, GetLastError(), "cannot read how the service is registered");
    }
    free(config);
    return is_own;
}

/* Stop the service and wait for its end. Returns ERROR_SUCCESS even if it was not running. */
static uint32_t stop_service(SC_HANDLE service)
{
    SERVICE_STATUS status;

    if (!ControlService(service, SERVICE_CONTROL_STOP, &status) &&
        GetLastError() != ERROR_SERVICE_NOT_ACTIVE &&
        GetLastError() != ERROR_SERVICE_CANNOT_ACCEPT_CTRL)
        return GetLastError();
    for (DWORD waited = 0; waited < STOP_LIMIT_MS; waited += STOP_POLL_MS) {
        if (!QueryServiceStatus(service, &status))
            return GetLastError();
        if (status.dwCurrentState == SERVICE_STOPPED)
            return ERROR_SUCCESS;
        /* The service has now started, so it can be stopped. */
        if (status.dwCurrentState == SERVICE_RUNNING)
            (void)ControlService(service, SERVICE_CONTROL_STOP, &status);
        Sleep(STOP_POLL_MS);
    }
    return ERROR_SERVICE_REQUEST_TIMEOUT;
}

static prfdata_exit_code remove_own_service(SC_HANDLE service, prfdata_messages *messages)
{
    uint32_t status = stop_service(service);

    if (status != ERROR_SUCCESS)
        return fail_service(messages, status, "the service does not stop");
    /*
     * First remove the account from the group, because this needs the account's name, and deleting
     * the service deletes the account.
     */
    status = change_membership("NetLocalGroupDelMembers");
    if (status != ERROR_SUCCESS && status != ERROR_MEMBER_NOT_IN_ALIAS)
        warn_of_service(messages, status,
                        "the account NT SERVICE\\" PRFDATA_SERVICE_NAME
                        " could not be removed from the group Performance Monitor Users");
    if (!DeleteService(service))
        return fail_service(messages, GetLastError(), "cannot remove the service");
    status = prfdata_service_log_remove();
    if (status != ERROR_SUCCESS && status != ERROR_FILE_NOT_FOUND)
        warn_of_service(messages, status, "the event source could not be removed");
    prfdata_messages_add(messages, PRFDATA_SEVERITY_HINT, no_text,
                         "The service " PRFDATA_SERVICE_NAME " is removed.");
    return PRFDATA_EXIT_OK;
}

prfdata_exit_code prfdata_service_remove(prfdata_messages *messages)
{
    SC_HANDLE manager = OpenSCManagerW(NULL, NULL, SC_MANAGER_CONNECT);
    prfdata_exit_code exit_code = PRFDATA_EXIT_SYSTEM;
    SC_HANDLE service;
    uint32_t status;

    if (!manager)
        return fail_service(messages, GetLastError(), "cannot open the service manager");
    service = OpenServiceW(manager, NAME,
                           SERVICE_QUERY_CONFIG | SERVICE_QUERY_STATUS | SERVICE_STOP | DELETE);
    status = service ? ERROR_SUCCESS : GetLastError();
    CloseServiceHandle(manager);
    if (!service)
        return fail_service(messages, status, "cannot open the service");
    if (is_own_service(service, messages))
        exit_code = remove_own_service(service, messages);
    CloseServiceHandle(service);
    return exit_code;
}
