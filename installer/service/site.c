/* SPDX-License-Identifier: MIT */
/* Opens the folders of a service, and lets one installer run at a time. Windows only. */
#include "service/site.h"

#include <sddl.h>
#include <stdio.h>
#include <stdlib.h>
#include <wchar.h>

#include "windows/file_handle.h"
#include "windows/wine.h"

/* Installations run one at a time, because the title database allows only that. */
#define TURN_NAME L"Global\\PrfDataInstall"

DWORD prfdata_site_patience_ms = 60000;

bool prfdata_site_has_service(const prfdata_map *map)
{
    size_t count = prfdata_map_check(map, NULL, 0);
    prfdata_map_mistake *mistakes;
    bool right = true;

    if (count == 0)
        return true;
    mistakes = calloc(count, sizeof *mistakes);
    if (!mistakes)
        return false;
    prfdata_map_check(map, mistakes, count);
    for (size_t i = 0; i < count; i++) {
        if (mistakes[i].rule == PRFDATA_MAP_RULE_MAP ||
            mistakes[i].rule == PRFDATA_MAP_RULE_SERVICE_NAME)
            right = false;
    }
    free(mistakes);
    return right;
}

uint32_t prfdata_site_check_service(const prfdata_map *map, const prfdata_report *report)
{
    if (prfdata_site_has_service(map))
        return ERROR_SUCCESS;
    prfdata_report_line(report, PRFDATA_STEP_FAILED, L"The map's service name is not valid");
    return ERROR_INVALID_PARAMETER;
}

bool prfdata_site_is_elevated(void)
{
    union {
        SID sid;
        BYTE bytes[SECURITY_MAX_SID_SIZE];
    } administrators;
    DWORD size = sizeof administrators;
    BOOL member = FALSE;

    return CreateWellKnownSid(WinBuiltinAdministratorsSid, NULL, &administrators, &size) &&
           CheckTokenMembership(NULL, &administrators, &member) && member;
}

uint32_t prfdata_site_check_elevation(const prfdata_report *report)
{
    if (prfdata_site_is_elevated())
        return ERROR_SUCCESS;
    prfdata_report_line(report, PRFDATA_STEP_FAILED, L"This needs an elevated prompt");
    return ERROR_ACCESS_DENIED;
}

/*
 * A 32-bit installer is refused on 64-bit Windows, because it is not documented whether 32-bit and
 * 64-bit programs use the same lists of titles. Wine has only one list.
 */
uint32_t prfdata_site_check_bitness(const prfdata_report *report)
{
    BOOL is_wow64 = FALSE;

    if (!IsWow64Process(GetCurrentProcess(), &is_wow64) || !is_wow64 || prfdata_wine_is_here())
        return ERROR_SUCCESS;
    prfdata_report_line(report, PRFDATA_STEP_FAILED,
                        L"This is a 32-bit installer on 64-bit Windows, which may keep other lists "
                        L"of titles for 32-bit programs. Run the 64-bit installer; its option "
                        L"-Arch x86 registers the 32-bit DLL");
    return ERROR_EXE_MACHINE_TYPE_MISMATCH;
}

/*
 * Only administrators and SYSTEM may open the mutex, so that no other program can keep installers
 * waiting.
 */
static uint32_t open_turn(HANDLE *turn)
{
    SECURITY_ATTRIBUTES security = {sizeof security, NULL, FALSE};
    uint32_t status = ERROR_SUCCESS;

    if (!ConvertStringSecurityDescriptorToSecurityDescriptorW(
            L"D:P(A;;GA;;;SY)(A;;GA;;;BA)", SDDL_REVISION_1, &security.lpSecurityDescriptor, NULL))
        return GetLastError();
    *turn = CreateMutexW(&security, FALSE, TURN_NAME);
    if (!*turn)
        status = GetLastError();
    LocalFree(security.lpSecurityDescriptor);
    return status;
}

/* Returns whether this thread now owns the mutex. The previous owner may have been killed. */
static bool has_turn(HANDLE turn, DWORD patience_ms)
{
    const DWORD answer = WaitForSingleObject(turn, patience_ms);

    return answer == WAIT_OBJECT_0 || answer == WAIT_ABANDONED;
}

uint32_t prfdata_site_enter(const prfdata_report *report, HANDLE *turn)
{
    HANDLE opened = NULL;
    uint32_t status = open_turn(&opened);

    prfdata_file_handle_renew_patience();
    if (status) /* another program can have created an object with the mutex's name */
        return prfdata_report_error(
            report, status, L"Nothing was changed: another program holds the mutex %ls", TURN_NAME);
    if (has_turn(opened, 0)) {
        *turn = opened;
        return ERROR_SUCCESS;
    }
    prfdata_report_line(report, PRFDATA_STEP_SAME,
                        L"Another installer is running: waiting for at most %lu seconds",
                        (unsigned long)(prfdata_site_patience_ms / 1000));
    if (has_turn(opened, prfdata_site_patience_ms)) {
        *turn = opened;
        return ERROR_SUCCESS;
    }
    CloseHandle(opened);
    prfdata_report_line(report, PRFDATA_STEP_FAILED,
                        L"Nothing was changed: another installer has been running for %lu seconds. "
                        L"Wait until it has ended, or end it, and try again",
                        (unsigned long)(prfdata_site_patience_ms / 1000));
    return ERROR_TIMEOUT;
}

void prfdata_site_leave(HANDLE turn)
{
    ReleaseMutex(turn);
    CloseHandle(turn);
}

/* Cut the last name off a path: "C:\a\b" becomes "C:\a" and "b", "C:\a" becomes "C:\" and "a". */
static uint32_t split_path(wchar_t *path, wchar_t *name)
{
    size_t length = wcslen(path);
    wchar_t *separator;

    while (length > 3 && path[length - 1] == L'\\')
        path[--length] = 0;
    separator = wcsrchr(path, L'\\');
    if (length < 4 || path[1] != L':' || !separator || !separator[1])
        return ERROR_INVALID_NAME;
    wcscpy(name, separator + 1);
    if (separator == path + 2)
        separator++;
    *separator = 0;
    return ERROR_SUCCESS;
}

uint32_t prfdata_site_open_root(prfdata_site *site, const wchar_t *data_path, wchar_t *name)
{
    wchar_t path[MAX_PATH];
    uint32_t status = ERROR_SUCCESS;

    if (data_path) {
        DWORD length = GetFullPathNameW(data_path, MAX_PATH, path, NULL);

        if (length == 0 || length >= MAX_PATH)
            return ERROR_FILENAME_EXCED_RANGE;
        status = split_path(path, name);
    } else {
        wcscpy(name, L"PrfData");
        status = prfdata_directory_program_data(path);
    }
    return status ? status : prfdata_directory_open_root(&site->root, path);
}

uint32_t prfdata_site_open(prfdata_site *site, const wchar_t *data_path,
                           const wchar_t *regions_path, const wchar_t *service)
{
    wchar_t path[MAX_PATH];
    wchar_t data_name[MAX_PATH], regions_name[MAX_PATH];
    uint32_t status;

    wcscpy(regions_name, service);
    if (regions_path[0]) {
        if (wcslen(regions_path) >= MAX_PATH)
            return ERROR_FILENAME_EXCED_RANGE;
        wcscpy(path, regions_path);
        status = split_path(path, regions_name);
        if (status)
            return status;
        data_path = path;
    }
    status = prfdata_site_open_root(site, data_path, data_name);
    if (!status)
        status = prfdata_directory_open(&site->data, &site->root, data_name, 0);
    if (!status)
        status = prfdata_directory_open(&site->regions, &site->data, regions_name, 0);
    return status == ERROR_PATH_NOT_FOUND ? ERROR_FILE_NOT_FOUND : status;
}

void prfdata_site_close(prfdata_site *site)
{
    prfdata_directory_close(&site->regions);
    prfdata_directory_close(&site->data);
    prfdata_directory_close(&site->root);
}

uint32_t prfdata_site_report_folder(const prfdata_report *report, uint32_t status,
                                    const wchar_t *parent, const wchar_t *name)
{
    switch (status) {
    case ERROR_DIRECTORY:
        prfdata_report_line(report, PRFDATA_STEP_FAILED,
                            L"Not a folder: %ls\\%ls is a file or a link. Remove it", parent, name);
        return status;
    case ERROR_INVALID_OWNER:
        prfdata_report_line(report, PRFDATA_STEP_FAILED,
                            L"Not a folder of PrfData: %ls\\%ls belongs neither to Administrators "
                            L"nor to SYSTEM. Find out what it is, and remove it",
                            parent, name);
        return status;
    default:
        return prfdata_report_error(report, status, L"Folder %ls\\%ls", parent, name);
    }
}
