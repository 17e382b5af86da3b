/* SPDX-License-Identifier: MIT */
/* Makes and removes what the kit needs on a machine: a folder and a registered provider. Sets
 * values of Perflib's key, and restores them from a journal in the registry. Windows only. */
#include "kit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#include <aclapi.h>
#include <sddl.h>

#include "loadperf.h"
#include "probe.h"

/* The access list of the folder: other accounts may load the DLL, but create nothing in it. */
#define FOLDER_ACCESS L"D:P(A;OICI;FA;;;SY)(A;OICI;FA;;;BA)(A;OICI;0x1200a9;;;AU)"
/* The access list of the trail: every account may append to it (0x100084: append, attributes,
 * synchronize), and so may the write-restricted service. */
#define TRAIL_ACCESS L"D:P(A;;FA;;;SY)(A;;FA;;;BA)(A;;0x100084;;;AU)(A;;0x100084;;;S-1-5-33)"

enum { DELETE_TRIES = 20 };

static const wchar_t *const perflib_names[] = {L"ExtCounterTestLevel", L"EventLogLevel"};

/* ---- Paths ---- */

bool kit_find(kit *k)
{
    wchar_t data[MAX_PATH], *end;
    DWORD length = GetEnvironmentVariableW(L"ProgramData", data, MAX_PATH);

    if (length == 0 || length > 200 || !GetModuleFileNameW(NULL, k->program, MAX_PATH - 1)) {
        fputs("prfdata-kit: %ProgramData% is missing or too long, or the path of this program is "
              "unknown\n",
              stderr);
        return false;
    }
    wcscpy(k->folder, k->program);
    end = wcsrchr(k->folder, L'\\');
    if (end)
        *end = 0;
    swprintf(k->data, MAX_PATH, L"%ls\\PrfDataKit", data);
    swprintf(k->trail, MAX_PATH, L"%ls\\trail.txt", k->data);
    swprintf(k->probe, MAX_PATH, L"%ls\\prfdata-kit-probe.dll", k->data);
    swprintf(k->product, MAX_PATH, L"%ls\\PrfDataKitPrf.dll", k->data);
    k->is_wine = GetProcAddress(GetModuleHandleW(L"ntdll.dll"), "wine_get_version") != NULL;
    k->calls = calloc(KIT_CALLS, sizeof *k->calls);
    return k->calls != NULL;
}

/* ---- Registry ---- */

static DWORD set_value(const wchar_t *path, const wchar_t *name, DWORD type, const void *value,
                       DWORD bytes)
{
    HKEY key;
    LONG status =
        RegCreateKeyExW(HKEY_LOCAL_MACHINE, path, 0, NULL, 0, KEY_SET_VALUE, NULL, &key, NULL);

    if (status == ERROR_SUCCESS) {
        status = RegSetValueExW(key, name, 0, type, value, bytes);
        RegCloseKey(key);
    }
    return (DWORD)status;
}

static DWORD set_text(const wchar_t *path, const wchar_t *name, const wchar_t *text)
{
    return set_value(path, name, REG_SZ, text, (DWORD)((wcslen(text) + 1) * sizeof *text));
}

static DWORD delete_value(const wchar_t *path, const wchar_t *name)
{
    HKEY key;
    LONG status = RegOpenKeyExW(HKEY_LOCAL_MACHINE, path, 0, KEY_SET_VALUE, &key);

    if (status == ERROR_SUCCESS) {
        status = RegDeleteValueW(key, name);
        RegCloseKey(key);
    }
    return status == ERROR_FILE_NOT_FOUND ? ERROR_SUCCESS : (DWORD)status;
}

DWORD kit_set_number(const wchar_t *name, DWORD value)
{
    return set_value(PROBE_PERFORMANCE, name, REG_DWORD, &value, sizeof value);
}

DWORD kit_delete_value(const wchar_t *name)
{
    return delete_value(PROBE_PERFORMANCE, name);
}

/* ---- Values of the system, and the journal ---- */

/* Records the former REG_DWORD, or the string "absent" if there was none. If a value was recorded
 * earlier, that record stays. */
static DWORD note_perflib(const wchar_t *name)
{
    DWORD value, bytes = sizeof value, type;
    LONG status;

    if (RegGetValueW(HKEY_LOCAL_MACHINE, KIT_JOURNAL, name, RRF_RT_ANY, &type, NULL, NULL) ==
        ERROR_SUCCESS)
        return ERROR_SUCCESS;
    status =
        RegGetValueW(HKEY_LOCAL_MACHINE, KIT_PERFLIB, name, RRF_RT_REG_DWORD, NULL, &value, &bytes);
    if (status == ERROR_FILE_NOT_FOUND)
        return set_text(KIT_JOURNAL, name, L"absent");
    if (status != ERROR_SUCCESS)
        return (DWORD)status;
    return set_value(KIT_JOURNAL, name, REG_DWORD, &value, sizeof value);
}

DWORD kit_set_perflib(const wchar_t *name, DWORD value)
{
    DWORD status = note_perflib(name);

    if (status == ERROR_SUCCESS)
        status = set_value(KIT_PERFLIB, name, REG_DWORD, &value, sizeof value);
    return status;
}

DWORD kit_restore_perflib(const wchar_t *name)
{
    DWORD value = 0, bytes = sizeof value, type = REG_NONE, status;
    wchar_t absent[16];

    if (RegGetValueW(HKEY_LOCAL_MACHINE, KIT_JOURNAL, name, RRF_RT_REG_DWORD, &type, &value,
                     &bytes) == ERROR_SUCCESS) {
        status = set_value(KIT_PERFLIB, name, REG_DWORD, &value, sizeof value);
    } else {
        bytes = sizeof absent;
        if (RegGetValueW(HKEY_LOCAL_MACHINE, KIT_JOURNAL, name, RRF_RT_REG_SZ, &type, absent,
                         &bytes) != ERROR_SUCCESS)
            return ERROR_SUCCESS; /* the kit has not changed this value */
        status = delete_value(KIT_PERFLIB, name);
    }
    return status == ERROR_SUCCESS ? delete_value(KIT_JOURNAL, name) : status;
}

DWORD kit_note_sample(void)
{
    return set_text(KIT_JOURNAL, L"Sample", L"HWInputMon");
}

DWORD kit_note_reader(void)
{
    return set_text(KIT_JOURNAL, L"Reader", L"prfread");
}

/* ---- Files ---- */

static DWORD make_guarded(const wchar_t *path, const wchar_t *access, bool is_folder)
{
    SECURITY_ATTRIBUTES attributes = {sizeof attributes, NULL, FALSE};
    DWORD status = ERROR_SUCCESS;
    HANDLE file;

    if (!ConvertStringSecurityDescriptorToSecurityDescriptorW(
            access, SDDL_REVISION_1, &attributes.lpSecurityDescriptor, NULL))
        return GetLastError();
    if (is_folder) {
        if (!CreateDirectoryW(path, &attributes))
            status = GetLastError();
    } else {
        file = CreateFileW(path, GENERIC_WRITE, 0, &attributes, CREATE_NEW, 0, NULL);
        if (file == INVALID_HANDLE_VALUE)
            status = GetLastError();
        else
            CloseHandle(file);
    }
    LocalFree(attributes.lpSecurityDescriptor);
    return status;
}

static DWORD make_probe_service(const kit *k)
{
    static const wchar_t export_names[] = L"PrfDataKitProbe\0second name\0";
    DWORD status = set_text(PROBE_PERFORMANCE, L"Library", k->probe);

    if (status == ERROR_SUCCESS)
        status = set_text(PROBE_PERFORMANCE, L"Open", L"ProbeOpen");
    if (status == ERROR_SUCCESS)
        status = set_text(PROBE_PERFORMANCE, L"Collect", L"ProbeCollect");
    if (status == ERROR_SUCCESS)
        status = set_text(PROBE_PERFORMANCE, L"Close", L"ProbeClose");
    if (status == ERROR_SUCCESS)
        status = set_text(PROBE_PERFORMANCE, PROBE_VALUE_TRAIL, k->trail);
    if (status == ERROR_SUCCESS)
        status = set_value(PROBE_KEY L"\\Linkage", L"Export", REG_MULTI_SZ, export_names,
                           sizeof export_names);
    return status;
}

/* PerfHost and Remote Registry run as LocalService, and prfread's service under its own account.
 * Below C:\Users only the user may read, and prfread refuses to install a program that the user can
 * replace. So the files are copied. */
static DWORD copy_files(const kit *k)
{
    static const wchar_t *const names[] = {L"prfdata-kit-probe.dll", L"PrfDataKitPrf.dll",
                                           L"prfread.exe"};
    wchar_t source[MAX_PATH], copy[MAX_PATH];

    if (wcslen(k->folder) > 200)
        return ERROR_FILENAME_EXCED_RANGE;
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        swprintf(source, MAX_PATH, L"%ls\\%ls", k->folder, names[i]);
        swprintf(copy, MAX_PATH, L"%ls\\%ls", k->data, names[i]);
        if (!CopyFileW(source, copy, TRUE))
            return GetLastError();
    }
    return ERROR_SUCCESS;
}

DWORD kit_make_scene(kit *k)
{
    DWORD status = set_text(KIT_JOURNAL, L"Program", k->program);

    if (status == ERROR_SUCCESS)
        status = make_guarded(k->data, FOLDER_ACCESS, true);
    /* The journal names only folders that the kit has made, because kit_undo() empties them. */
    if (status == ERROR_SUCCESS)
        status = set_text(KIT_JOURNAL, L"Folder", k->data);
    if (status == ERROR_SUCCESS)
        status = make_guarded(k->trail, TRAIL_ACCESS, false);
    if (status == ERROR_SUCCESS)
        status = copy_files(k);
    if (status == ERROR_SUCCESS)
        status = make_probe_service(k);
    /* At level 2 Perflib writes warnings and errors to the event log. The questions about events
     * need these and no others. */
    return status == ERROR_SUCCESS ? kit_set_perflib(L"EventLogLevel", 2) : status;
}

DWORD kit_set_answer(kit *k, const wchar_t *answer, DWORD number)
{
    DWORD first, bytes = sizeof first, status;
    HANDLE file;

    status = set_text(PROBE_PERFORMANCE, PROBE_VALUE_ANSWER, answer);
    if (status == ERROR_SUCCESS)
        status = kit_set_number(PROBE_VALUE_NUMBER, number);
    /* Most readers need title indexes in the key. If loadperf wrote none, write some. */
    if (status == ERROR_SUCCESS &&
        RegGetValueW(HKEY_LOCAL_MACHINE, PROBE_PERFORMANCE, L"First Counter", RRF_RT_REG_DWORD,
                     NULL, &first, &bytes) != ERROR_SUCCESS) {
        kit_set_number(L"First Counter", PROBE_FIRST);
        kit_set_number(L"First Help", PROBE_FIRST + 1);
        kit_set_number(L"Last Counter", PROBE_FIRST + 6);
        status = kit_set_number(L"Last Help", PROBE_FIRST + 7);
    }
    if (status != ERROR_SUCCESS)
        return status;
    file =
        CreateFileW(k->trail, GENERIC_WRITE, FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE,
                    NULL, TRUNCATE_EXISTING, 0, NULL);
    if (file == INVALID_HANDLE_VALUE)
        return GetLastError();
    CloseHandle(file);
    return ERROR_SUCCESS;
}

static void keep_calls_of(kit *k, unsigned long process)
{
    size_t kept = 0;

    for (size_t i = 0; i < k->call_count; i++) {
        if (process == 0 || k->calls[i].process == process)
            k->calls[kept++] = k->calls[i];
    }
    k->call_count = kept;
}

bool kit_read_trail(kit *k, unsigned long process)
{
    enum { MOST_BYTES = 1 << 20 };
    char *text = calloc(1, MOST_BYTES + 1);
    DWORD bytes = 0;
    HANDLE file;

    k->call_count = 0;
    file =
        CreateFileW(k->trail, GENERIC_READ, FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE,
                    NULL, OPEN_EXISTING, 0, NULL);
    if (text && file != INVALID_HANDLE_VALUE && ReadFile(file, text, MOST_BYTES, &bytes, NULL))
        k->call_count = kit_trail_parse_all(text, k->calls, KIT_CALLS);
    if (k->call_count > KIT_CALLS)
        k->call_count = KIT_CALLS;
    keep_calls_of(k, process);
    if (file != INVALID_HANDLE_VALUE)
        CloseHandle(file);
    free(text);
    return k->call_count > 0;
}

/* ---- Other folders ---- */

static const wchar_t *const folder_notes[] = {L"Programs", L"Profile", L"Domain", L"Open",
                                              L"Sample folder"};

DWORD kit_make_folder(const wchar_t *note, const wchar_t *path, const wchar_t *access)
{
    DWORD status;

    if (access)
        status = make_guarded(path, access, true);
    else
        status = CreateDirectoryW(path, NULL) ? ERROR_SUCCESS : GetLastError();
    if (status == ERROR_SUCCESS)
        status = set_text(KIT_JOURNAL, note, path);
    SetLastError(status);
    return status;
}

DWORD kit_remove_folder(const wchar_t *note)
{
    wchar_t folder[MAX_PATH], path[2 * MAX_PATH];
    DWORD bytes = sizeof folder;
    WIN32_FIND_DATAW found;
    HANDLE search;

    if (RegGetValueW(HKEY_LOCAL_MACHINE, KIT_JOURNAL, note, RRF_RT_REG_SZ, NULL, folder, &bytes) !=
        ERROR_SUCCESS)
        return ERROR_SUCCESS;
    swprintf(path, 2 * MAX_PATH, L"%ls\\*", folder);
    search = FindFirstFileW(path, &found);
    if (search != INVALID_HANDLE_VALUE) {
        do {
            if (wcscmp(found.cFileName, L".") == 0 || wcscmp(found.cFileName, L"..") == 0)
                continue;
            swprintf(path, 2 * MAX_PATH, L"%ls\\%ls", folder, found.cFileName);
            if (!DeleteFileW(path))
                RemoveDirectoryW(path);
        } while (FindNextFileW(search, &found));
        FindClose(search);
    }
    if (!RemoveDirectoryW(folder) && GetLastError() != ERROR_FILE_NOT_FOUND)
        return GetLastError();
    return delete_value(KIT_JOURNAL, note);
}

DWORD kit_copy_sample(const kit *k)
{
    static const wchar_t *const names[] = {L"installer.exe", L"hwinput.exe", L"HWInputMonPrf.dll"};
    wchar_t programs[MAX_PATH - 32], folder[MAX_PATH], from[2 * MAX_PATH], to[2 * MAX_PATH];
    DWORD status;

    /* In a 32-bit program, ProgramFiles names another folder than in selftest.cmd. */
    if (!GetEnvironmentVariableW(L"ProgramW6432", programs, MAX_PATH - 32) &&
        !GetEnvironmentVariableW(L"ProgramFiles", programs, MAX_PATH - 32))
        return ERROR_PATH_NOT_FOUND;
    swprintf(folder, MAX_PATH, L"%ls\\PrfDataKitSample", programs);
    status = kit_make_folder(L"Sample folder", folder, NULL);
    for (size_t i = 0; i < sizeof names / sizeof names[0] && status == ERROR_SUCCESS; i++) {
        swprintf(from, 2 * MAX_PATH, L"%ls\\%ls", k->folder, names[i]);
        swprintf(to, 2 * MAX_PATH, L"%ls\\%ls", folder, names[i]);
        if (!CopyFileW(from, to, TRUE))
            status = GetLastError();
    }
    return status;
}

/* ---- Remote Registry ---- */

static SC_HANDLE open_remote_registry(DWORD access)
{
    SC_HANDLE manager = OpenSCManagerW(NULL, NULL, SC_MANAGER_CONNECT);
    SC_HANDLE service = manager ? OpenServiceW(manager, L"RemoteRegistry", access) : NULL;

    if (manager)
        CloseServiceHandle(manager);
    return service;
}

static DWORD note_remote_registry(SC_HANDLE service)
{
    union {
        QUERY_SERVICE_CONFIGW config;
        BYTE bytes[8192];
    } now;
    SERVICE_STATUS status;
    wchar_t text[32];
    DWORD bytes;

    if (!QueryServiceConfigW(service, &now.config, sizeof now, &bytes) ||
        !QueryServiceStatus(service, &status))
        return GetLastError();
    swprintf(text, 32, L"%lu %lu", (unsigned long)now.config.dwStartType,
             (unsigned long)status.dwCurrentState);
    return set_text(KIT_JOURNAL, L"RemoteRegistry", text);
}

DWORD kit_start_remote_registry(void)
{
    SC_HANDLE service = open_remote_registry(SERVICE_QUERY_CONFIG | SERVICE_CHANGE_CONFIG |
                                             SERVICE_QUERY_STATUS | SERVICE_START);
    DWORD status;

    if (!service)
        return GetLastError();
    status = note_remote_registry(service);
    if (status == ERROR_SUCCESS &&
        (!ChangeServiceConfigW(service, SERVICE_NO_CHANGE, SERVICE_DEMAND_START, SERVICE_NO_CHANGE,
                               NULL, NULL, NULL, NULL, NULL, NULL, NULL) ||
         (!StartServiceW(service, 0, NULL) && GetLastError() != ERROR_SERVICE_ALREADY_RUNNING)))
        status = GetLastError();
    CloseServiceHandle(service);
    return status;
}

static DWORD undo_remote_registry(void)
{
    DWORD start = 0, state = 0, bytes, status = ERROR_SUCCESS;
    unsigned long values[2] = {0, 0};
    SERVICE_STATUS now;
    wchar_t text[32];
    SC_HANDLE service;

    bytes = sizeof text;
    if (RegGetValueW(HKEY_LOCAL_MACHINE, KIT_JOURNAL, L"RemoteRegistry", RRF_RT_REG_SZ, NULL, text,
                     &bytes) != ERROR_SUCCESS ||
        swscanf(text, L"%lu %lu", &values[0], &values[1]) != 2)
        return ERROR_SUCCESS; /* the kit has not started the service */
    start = values[0];
    state = values[1];
    service = open_remote_registry(SERVICE_CHANGE_CONFIG | SERVICE_STOP);
    if (!service)
        return GetLastError();
    if (state != SERVICE_RUNNING)
        ControlService(service, SERVICE_CONTROL_STOP, &now);
    if (!ChangeServiceConfigW(service, SERVICE_NO_CHANGE, start, SERVICE_NO_CHANGE, NULL, NULL,
                              NULL, NULL, NULL, NULL, NULL))
        status = GetLastError();
    CloseServiceHandle(service);
    return status == ERROR_SUCCESS ? delete_value(KIT_JOURNAL, L"RemoteRegistry") : status;
}

/* ---- Undoing ---- */

static void note_left(char *left, size_t capacity, const char *what, DWORD status)
{
    size_t used = strlen(left);

    if (status != ERROR_SUCCESS && status != ERROR_FILE_NOT_FOUND &&
        status != ERROR_PATH_NOT_FOUND && used < capacity)
        snprintf(left + used, capacity - used, "%s%s (error %lu)", used > 0 ? ", " : "", what,
                 (unsigned long)status);
}

static void delete_file_left(const wchar_t *path, char *left, size_t capacity)
{
    char name[MAX_PATH];

    /* A program may soon close the file. Programs that are known to keep it open are ended. */
    for (int i = 0; i < DELETE_TRIES; i++) {
        if (DeleteFileW(path) || GetLastError() == ERROR_FILE_NOT_FOUND)
            return;
        kit_end_hosts();
        Sleep(500);
    }
    snprintf(name, sizeof name, "%ls", path);
    note_left(left, capacity, name, GetLastError());
    MoveFileExW(path, NULL, MOVEFILE_DELAY_UNTIL_REBOOT);
}

/* Returns whether the kit made its folder, as the journal says, and the folder is not a link to
 * another place. */
static bool is_own_folder(const kit *k)
{
    DWORD attributes = GetFileAttributesW(k->data);

    return attributes != INVALID_FILE_ATTRIBUTES && !(attributes & FILE_ATTRIBUTE_REPARSE_POINT) &&
           RegGetValueW(HKEY_LOCAL_MACHINE, KIT_JOURNAL, L"Folder", RRF_RT_REG_SZ, NULL, NULL,
                        NULL) == ERROR_SUCCESS;
}

static void undo_files(const kit *k, char *left, size_t capacity)
{
    wchar_t path[2 * MAX_PATH];
    WIN32_FIND_DATAW found;
    HANDLE search;

    if (!is_own_folder(k)) {
        /* If a run was killed between making the folder and noting it, the folder is empty. */
        RemoveDirectoryW(k->data);
        return;
    }
    swprintf(path, 2 * MAX_PATH, L"%ls\\*", k->data);
    search = FindFirstFileW(path, &found);
    if (search != INVALID_HANDLE_VALUE) {
        do {
            if (found.dwFileAttributes & FILE_ATTRIBUTE_DIRECTORY)
                continue;
            swprintf(path, 2 * MAX_PATH, L"%ls\\%ls", k->data, found.cFileName);
            delete_file_left(path, left, capacity);
        } while (FindNextFileW(search, &found));
        FindClose(search);
    }
    if (!RemoveDirectoryW(k->data))
        note_left(left, capacity, "the kit's folder", GetLastError());
}

/* Removes a data collector set that a killed run left. Its log files are in the kit's folder. */
static void undo_collector(kit *k)
{
    wchar_t logman[MAX_PATH];
    char output[400];

    if (k->is_wine || !is_own_folder(k) || !kit_find_tool(L"logman.exe", logman))
        return;
    kit_run(k, 60, output, sizeof output, L"\"%ls\" stop PrfDataKit", logman);
    kit_run(k, 60, output, sizeof output, L"\"%ls\" delete PrfDataKit", logman);
}

static DWORD undo_sample(kit *k)
{
    char output[400];
    HKEY key;

    if (RegGetValueW(HKEY_LOCAL_MACHINE, KIT_JOURNAL, L"Sample", RRF_RT_REG_SZ, NULL, NULL, NULL) !=
            ERROR_SUCCESS ||
        RegOpenKeyExW(HKEY_LOCAL_MACHINE, KIT_SERVICES L"\\HWInputMon", 0, KEY_QUERY_VALUE, &key) !=
            ERROR_SUCCESS)
        return ERROR_SUCCESS;
    RegCloseKey(key);
    return kit_run(k, 120, output, sizeof output, L"\"%ls\\hwinput.exe\" -Uninstall", k->folder) ==
                   0
               ? ERROR_SUCCESS
               : ERROR_INSTALL_FAILURE;
}

DWORD kit_remove_reader(kit *k)
{
    char output[400];
    HKEY key;

    if (RegOpenKeyExW(HKEY_LOCAL_MACHINE, KIT_SERVICES L"\\prfread", 0, KEY_QUERY_VALUE, &key) ==
        ERROR_SUCCESS) {
        RegCloseKey(key);
        if (kit_run(k, 60, output, sizeof output, L"\"%ls\\prfread.exe\" -service remove",
                    k->data) != 0)
            return ERROR_INSTALL_FAILURE;
    }
    return delete_value(KIT_JOURNAL, L"Reader");
}

static DWORD undo_reader(kit *k)
{
    if (RegGetValueW(HKEY_LOCAL_MACHINE, KIT_JOURNAL, L"Reader", RRF_RT_REG_SZ, NULL, NULL, NULL) !=
        ERROR_SUCCESS)
        return ERROR_SUCCESS;
    return kit_remove_reader(k);
}

/* Removes WMI's classes of titles that no longer exist. */
static void undo_classes(kit *k)
{
    wchar_t winmgmt[MAX_PATH];
    char output[400];

    if (k->is_wine || !is_own_folder(k) || !kit_find_tool(L"wbem\\winmgmt.exe", winmgmt))
        return;
    kit_run(k, 120, output, sizeof output, L"\"%ls\" /resyncperf", winmgmt);
}

void kit_undo(kit *k, char *left, size_t capacity)
{
    char said[300];

    left[0] = 0;
    undo_collector(k);
    note_left(left, capacity, "the sample HWInputMon", undo_sample(k));
    note_left(left, capacity, "prfread's service", undo_reader(k));
    note_left(left, capacity, "the installed service", kit_uninstall_product(said, sizeof said));
    note_left(left, capacity, "titles", kit_unload_all_titles());
    note_left(left, capacity, "the user", kit_remove_accounts());
    for (size_t i = 0; i < sizeof perflib_names / sizeof perflib_names[0]; i++)
        note_left(left, capacity, "a value of Perflib", kit_restore_perflib(perflib_names[i]));
    note_left(left, capacity, "the probe's service",
              (DWORD)RegDeleteTreeW(HKEY_LOCAL_MACHINE, PROBE_KEY));
    note_left(left, capacity, "the service for titles",
              (DWORD)RegDeleteTreeW(HKEY_LOCAL_MACHINE, KIT_SERVICES L"\\" LOAD_SERVICE));
    note_left(left, capacity, "Remote Registry's start type", undo_remote_registry());
    for (size_t i = 0; i < sizeof folder_notes / sizeof folder_notes[0]; i++)
        note_left(left, capacity, "a folder", kit_remove_folder(folder_notes[i]));
    undo_classes(k);
    undo_files(k, left, capacity);
    /* Delete the journal last, because the next run needs it if this run is killed. */
    if (left[0] == 0)
        note_left(left, capacity, "the journal",
                  (DWORD)RegDeleteTreeW(HKEY_LOCAL_MACHINE, KIT_JOURNAL));
}
