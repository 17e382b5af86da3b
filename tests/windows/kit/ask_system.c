/* SPDX-License-Identifier: MIT */
/* Asks about the state of the system, what its policies and logs say about our files, and whether
 * the programs of the readers run. */
#include "kit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#include "events.h"

enum { OUTPUT_BYTES = 1 << 18 };

/* ---- States ---- */

static void add_number(const wchar_t *key, const wchar_t *name, char *text, size_t capacity)
{
    DWORD number, bytes = sizeof number;
    const size_t used = strlen(text);

    if (RegGetValueW(HKEY_LOCAL_MACHINE, key, name, RRF_RT_REG_DWORD | RRF_SUBKEY_WOW6464KEY, NULL,
                     &number, &bytes) == ERROR_SUCCESS)
        snprintf(text + used, capacity - used, "%ls %lu; ", name, (unsigned long)number);
    else
        snprintf(text + used, capacity - used, "%ls -; ", name);
}

static const char *service_state(const wchar_t *name)
{
    SC_HANDLE manager = OpenSCManagerW(NULL, NULL, SC_MANAGER_CONNECT);
    SC_HANDLE service = manager ? OpenServiceW(manager, name, SERVICE_QUERY_STATUS) : NULL;
    const char *state = "not here";
    SERVICE_STATUS status;

    if (service && QueryServiceStatus(service, &status))
        state = status.dwCurrentState == SERVICE_RUNNING ? "running" : "not running";
    if (service)
        CloseServiceHandle(service);
    if (manager)
        CloseServiceHandle(manager);
    return state;
}

static void ask_state(kit *k)
{
    char text[400] = "";

    add_number(L"SYSTEM\\CurrentControlSet\\Control\\Session Manager\\Power", L"HiberbootEnabled",
               text, sizeof text);
    /* Smart App Control: 0 is off, 1 is on, 2 is evaluating. */
    add_number(L"SYSTEM\\CurrentControlSet\\Control\\CI\\Policy",
               L"VerifiedAndReputablePolicyState", text, sizeof text);
    add_number(L"SOFTWARE\\Policies\\Microsoft\\Windows Defender", L"DisableAntiSpyware", text,
               sizeof text);
    kit_answer(&k->answers, KIT_Q_system_state, KIT_TEXT, "%sDefender's service: %s", text,
               service_state(L"WinDefend"));
}

static void ask_runtime(kit *k)
{
    wchar_t path[MAX_PATH];
    const bool is_here = kit_find_tool(L"VCRUNTIME140.dll", path);

    kit_answer_if(&k->answers, KIT_Q_runtime, is_here, "%s",
                  is_here ? "so this run does not show that programs start without it"
                          : "this program runs without it");
}

static void ask_load(kit *k)
{
    HMODULE module = LoadLibraryExW(k->product, NULL, LOAD_WITH_ALTERED_SEARCH_PATH);
    const DWORD status = module ? ERROR_SUCCESS : GetLastError();

    kit_answer_if(&k->answers, KIT_Q_dll_load, module != NULL,
                  "error %lu; 4551 and 577: a policy refuses it", (unsigned long)status);
    if (module)
        FreeLibrary(module);
}

/* ---- Events ---- */

static void ask_code_integrity(kit *k)
{
    char *output = malloc(OUTPUT_BYTES), named[800] = "";
    wchar_t tool[MAX_PATH];
    unsigned count = 0;
    kit_event event;

    if (!output)
        return;
    if (k->is_wine || !kit_find_tool(L"wevtutil.exe", tool) ||
        kit_run(k, 60, output, OUTPUT_BYTES,
                L"\"%ls\" qe Microsoft-Windows-CodeIntegrity/Operational /f:xml /c:200 /rd:true "
                L"\"/q:*[System[EventID=3033 or EventID=3077]]\"",
                tool) != 0) {
        kit_answer_missing(k, KIT_Q_code_integrity, "CodeIntegrity has no log");
        free(output);
        return;
    }
    for (const char *at = output; (at = kit_event_next(at, &event)) != NULL;) {
        const size_t used = strlen(named);

        if (!strstr(event.data, "PrfData") && !strstr(event.data, "prfdata") &&
            !strstr(event.data, "HWInputMon"))
            continue;
        count++;
        if (used + 300 < sizeof named)
            snprintf(named + used, sizeof named - used, "%u %.200s; ", event.id, event.data);
    }
    kit_answer(&k->answers, KIT_Q_code_integrity, KIT_TEXT, "%u: %s", count, named);
    free(output);
}

/* Finds the newest record that has strings and whose source has a manifest. The names of such
 * sources begin with `begin`. */
static bool find_manifest_event(HANDLE log, char *seen, size_t capacity)
{
    static const wchar_t begin[] = L"Microsoft-Windows-";
    BYTE *records = malloc(OUTPUT_BYTES);
    DWORD bytes = 0, needed = 0;
    bool is_found = false;

    while (records && !is_found &&
           ReadEventLogW(log, EVENTLOG_SEQUENTIAL_READ | EVENTLOG_BACKWARDS_READ, 0, records,
                         OUTPUT_BYTES / 4, &bytes, &needed)) {
        for (DWORD at = 0; at < bytes && !is_found;) {
            const EVENTLOGRECORD *record = (const EVENTLOGRECORD *)(const void *)(records + at);
            const wchar_t *source = (const wchar_t *)(const void *)(record + 1);

            is_found = wcsncmp(source, begin, wcslen(begin)) == 0 && record->NumStrings > 0;
            if (is_found)
                snprintf(
                    seen, capacity, "%ls %lu: %u strings, the first '%.100ls'", source,
                    (unsigned long)(record->EventID & 0xFFFF), record->NumStrings,
                    (const wchar_t *)(const void *)((const BYTE *)record + record->StringOffset));
            at += record->Length ? record->Length : bytes;
        }
    }
    free(records);
    return is_found;
}

static void ask_manifest_strings(kit *k)
{
    HANDLE log = OpenEventLogW(NULL, L"Application");
    char seen[400] = "no event of a source with a manifest has strings";
    bool is_found;

    if (!log || k->is_wine) {
        kit_answer_missing(k, KIT_Q_manifest_strings, "the Application log cannot be read");
    } else {
        is_found = find_manifest_event(log, seen, sizeof seen);
        kit_answer_if(&k->answers, KIT_Q_manifest_strings, is_found, "%s", seen);
    }
    if (log)
        CloseEventLog(log);
}

/* ---- WMI ---- */

static void ask_quota(kit *k)
{
    wchar_t powershell[MAX_PATH];
    char output[700];
    int exit_code;

    if (k->is_wine || !kit_find_tool(L"WindowsPowerShell\\v1.0\\powershell.exe", powershell)) {
        kit_answer_missing(k, KIT_Q_wmi_quota, "there is no PowerShell");
        return;
    }
    exit_code = kit_run(k, 120, output, sizeof output,
                        L"\"%ls\" -NoProfile -NonInteractive -Command \"Get-CimInstance -Namespace "
                        L"root __ProviderHostQuotaConfiguration | Select-Object MemoryPerHost, "
                        L"MemoryAllHosts, HandlesPerHost, ThreadsPerHost, ProcessLimitAllHosts | "
                        L"ConvertTo-Json -Compress\"",
                        powershell);
    kit_answer(&k->answers, KIT_Q_wmi_quota, exit_code == 0 ? KIT_TEXT : KIT_FAILED,
               "exit code %d: %.600s", exit_code, output);
}

/* ---- The service of prfread ---- */

#define SERVICE_PORT L"19182"

/* Waits at most `seconds` for the state. If the service has stopped, it reaches no other state, so
 * the wait ends early. */
static DWORD wait_for_state(SC_HANDLE service, DWORD state, unsigned seconds)
{
    SERVICE_STATUS status = {0};

    for (unsigned i = 0; i < seconds * 10; i++) {
        if (QueryServiceStatus(service, &status) &&
            (status.dwCurrentState == state || status.dwCurrentState == SERVICE_STOPPED))
            break;
        Sleep(100);
    }
    return status.dwCurrentState;
}

/* Gets the service's answer with curl.exe, which Windows has since Windows 10 1803. Returns the
 * result of kit_run(), or -2 if curl.exe is missing. */
static int ask_address(kit *k, char *output, size_t capacity)
{
    wchar_t curl[MAX_PATH];

    output[0] = 0;
    if (!kit_find_tool(L"curl.exe", curl))
        return -2;
    return kit_run(k, 60, output, capacity,
                   L"\"%ls\" -s --max-time 30 http://127.0.0.1:" SERVICE_PORT L"/metrics", curl);
}

static HANDLE open_process_of(SC_HANDLE service)
{
    SERVICE_STATUS_PROCESS status;
    DWORD bytes;

    if (!QueryServiceStatusEx(service, SC_STATUS_PROCESS_INFO, (BYTE *)&status, sizeof status,
                              &bytes) ||
        status.dwProcessId == 0)
        return NULL;
    return OpenProcess(SYNCHRONIZE, FALSE, status.dwProcessId);
}

/* Asks whether the service starts, answers and stops. Under Wine the answer is only an observation,
 * because Wine has neither the service's account nor its privileges. On a busy machine, Wine
 * sometimes fails to start a service. */
static void run_reader(kit *k, SC_HANDLE service)
{
    DWORD started, stopped = 0;
    SERVICE_STATUS status;
    char output[2000];
    HANDLE process;
    int answered;

    if (!StartServiceW(service, 0, NULL)) {
        kit_answer(&k->answers, KIT_Q_service_runs, k->is_wine ? KIT_NOT_HERE : KIT_NO,
                   "it does not start: error %lu", (unsigned long)GetLastError());
        return;
    }
    started = wait_for_state(service, SERVICE_RUNNING, 30);
    process = open_process_of(service);
    answered = ask_address(k, output, sizeof output);
    if (ControlService(service, SERVICE_CONTROL_STOP, &status))
        stopped = wait_for_state(service, SERVICE_STOPPED, 30);
    if (process) {
        WaitForSingleObject(process, 30000); /* it has the product's DLL loaded until it ends */
        CloseHandle(process);
    }
    if (k->is_wine)
        kit_answer(&k->answers, KIT_Q_service_runs, KIT_NOT_HERE, "under Wine: state %lu, then %lu",
                   (unsigned long)started, (unsigned long)stopped);
    kit_answer_if(&k->answers, KIT_Q_service_runs,
                  started == SERVICE_RUNNING && stopped == SERVICE_STOPPED &&
                      (answered == -2 || (answered == 0 && strstr(output, "# TYPE") != NULL)),
                  "state %lu, then %lu; curl %d: %.100s", (unsigned long)started,
                  (unsigned long)stopped, answered, output);
}

/* prfread's service ends at once if no provider of PrfData is installed, so this function installs
 * the product meanwhile. */
static void ask_service(kit *k)
{
    SC_HANDLE manager = OpenSCManagerW(NULL, NULL, SC_MANAGER_CONNECT), service = NULL;
    char output[400] = "";

    service = manager ? OpenServiceW(manager, L"prfread", SERVICE_QUERY_STATUS) : NULL;
    if (service) {
        kit_answer(&k->answers, KIT_Q_service_runs, KIT_NOT_HERE, "a service prfread is here");
    } else if (!manager || !kit_install_product(k, NULL) || kit_note_reader() != ERROR_SUCCESS ||
               kit_run(k, 60, output, sizeof output,
                       L"\"%ls\\prfread.exe\" -service install -serve 127.0.0.1:" SERVICE_PORT,
                       k->data) != 0) {
        kit_answer(&k->answers, KIT_Q_service_runs, KIT_FAILED,
                   "the product or prfread's service is not installed: %s", output);
        (void)kit_remove_reader(k);
    } else {
        service =
            OpenServiceW(manager, L"prfread", SERVICE_QUERY_STATUS | SERVICE_START | SERVICE_STOP);
        if (service)
            run_reader(k, service);
        if (service)
            CloseServiceHandle(service);
        service = NULL;
        (void)kit_remove_reader(k);
    }
    (void)kit_uninstall_product(output, sizeof output);
    if (service)
        CloseServiceHandle(service);
    if (manager)
        CloseServiceHandle(manager);
}

/* ---- prfview ---- */

typedef struct window_search {
    DWORD process;
    HWND window;
} window_search;

static BOOL CALLBACK take_window(HWND window, LPARAM context)
{
    window_search *search = (window_search *)context;
    wchar_t name[32] = L"";
    DWORD process = 0;

    GetWindowThreadProcessId(window, &process);
    GetClassNameW(window, name, 32);
    if (process != search->process || wcscmp(name, L"PrfView") != 0)
        return TRUE;
    search->window = window;
    return FALSE;
}

static HWND find_window(HANDLE process, int tries)
{
    window_search search = {GetProcessId(process), NULL};

    for (int i = 0; i < tries && !search.window; i++) {
        EnumWindows(take_window, (LPARAM)&search);
        if (search.window || WaitForSingleObject(process, 100) == WAIT_OBJECT_0)
            break;
    }
    return search.window;
}

/* Sends the key to the window that has the focus, like the keyboard. */
static void press_tab(HWND window)
{
    GUITHREADINFO info = {.cbSize = sizeof info};
    HWND target = window;

    if (GetGUIThreadInfo(GetWindowThreadProcessId(window, NULL), &info) && info.hwndFocus)
        target = info.hwndFocus;
    PostMessageW(target, WM_KEYDOWN, VK_TAB, 1);
    PostMessageW(target, WM_KEYUP, VK_TAB, (LPARAM)0xC0000001);
}

static void try_window(kit *k, HANDLE process, HWND window)
{
    DWORD exit_code = STILL_ACTIVE;
    DWORD_PTR result;
    bool is_alive = true;

    for (int i = 0; i < 50 && is_alive; i++) {
        press_tab(window);
        is_alive = SendMessageTimeoutW(window, WM_NULL, 0, 0, SMTO_BLOCK, 10000, &result) != 0;
    }
    PostMessageW(window, WM_CLOSE, 0, 0);
    if (WaitForSingleObject(process, 30000) == WAIT_OBJECT_0)
        GetExitCodeProcess(process, &exit_code);
    kit_answer_if(&k->answers, KIT_Q_prfview, is_alive && exit_code == 0,
                  "it %s after 50 tabs; exit code %lu", is_alive ? "answers" : "does not answer",
                  (unsigned long)exit_code);
}

static void ask_prfview(kit *k)
{
    wchar_t command[2 * MAX_PATH];
    PROCESS_INFORMATION process;
    STARTUPINFOW startup = {0};
    HWND window;

    startup.cb = sizeof startup;
    swprintf(command, 2 * MAX_PATH, L"\"%ls\\prfview.exe\"", k->folder);
    if (!CreateProcessW(NULL, command, NULL, NULL, FALSE, 0, NULL, NULL, &startup, &process)) {
        kit_answer(&k->answers, KIT_Q_prfview, KIT_FAILED, "prfview.exe does not start: error %lu",
                   (unsigned long)GetLastError());
        return;
    }
    CloseHandle(process.hThread);
    window = find_window(process.hProcess, k->is_wine ? 100 : 300);
    if (window)
        try_window(k, process.hProcess, window);
    else if (k->is_wine) /* the tests' Wine has no screen */
        kit_answer(&k->answers, KIT_Q_prfview, KIT_NOT_HERE, "it shows no window here");
    else
        kit_answer(&k->answers, KIT_Q_prfview, KIT_NO, "it shows no window in 30 seconds");
    kit_kill(process.hProcess);
}

void kit_ask_system(kit *k)
{
    ask_state(k);
    ask_runtime(k);
    ask_load(k);
    ask_code_integrity(k);
    ask_manifest_strings(k);
    ask_quota(k);
    ask_service(k);
    ask_prfview(k);
}
