/* SPDX-License-Identifier: MIT */
/* Asks which programs load and call a provider when services and tools of Windows read counters.
 * The trail of the kit's provider shows these programs. The services and tools need the provider's
 * titles, which only loadperf can load. */
#include "loadperf.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#define PROBE_PATH  L"\\PrfData Kit Probe\\Level"
#define PROBE_CLASS L"Win32_PerfRawData_PrfDataKitProbe_*"

/* winmgmt may end before WMI has made the class, so this waits up to 30 seconds for the class.
 * $class stays empty if there is none. */
#define FIND_CLASS                                                                                 \
    L"winmgmt /resyncperf | Out-Null; $class = $null; "                                            \
    L"for ($i = 0; $i -lt 30 -and -not $class; $i++) { Start-Sleep 1; $class = "                   \
    L"Get-CimClass " PROBE_CLASS L" -ErrorAction SilentlyContinue }; "

enum { OUTPUT_BYTES = 1 << 15 };

/* The programs that had SeCreateGlobalPrivilege in any of the questions. */
static char privileged[600];

static void note_privileges(const kit *k)
{
    for (size_t i = 0; i < k->call_count; i++) {
        size_t used = strlen(privileged);

        if (k->calls[i].has_global && !strstr(privileged, k->calls[i].program) &&
            used + 70 < sizeof privileged)
            snprintf(privileged + used, sizeof privileged - used, "%s ", k->calls[i].program);
    }
}

/* Answers with the programs that have called the provider since kit_set_answer(). */
static void answer_hosts(kit *k, kit_question_id question, int exit_code, const char *output)
{
    char hosts[800];

    kit_read_trail(k, 0);
    note_privileges(k);
    kit_trail_hosts(k->calls, k->call_count, hosts, sizeof hosts);
    if (hosts[0])
        kit_answer(&k->answers, question, KIT_TEXT, "%s", hosts);
    else
        kit_answer(&k->answers, question, exit_code == 0 ? KIT_TEXT : KIT_FAILED,
                   "none; exit code %d: %.300s", exit_code, output);
}

/* Examines the calls by WMI's host that kit_read_trail() has read. */
static void answer_token(kit *k)
{
    const kit_call *seen = NULL;

    for (size_t i = 0; i < k->call_count; i++) {
        if (_stricmp(k->calls[i].program, "WmiPrvSE.exe") == 0 &&
            strcmp(k->calls[i].name, "Collect") == 0)
            seen = &k->calls[i];
    }
    if (seen)
        kit_answer_if(&k->answers, KIT_Q_thread_token, strstr(seen->account, "thread") != NULL,
                      "%s", seen->account);
    else
        kit_answer(&k->answers, KIT_Q_thread_token, KIT_NOT_HERE, "WmiPrvSE.exe did not call");
}

static int run_shell(kit *k, char *output, const wchar_t *line)
{
    wchar_t path[MAX_PATH];

    output[0] = 0;
    if (!kit_find_tool(L"WindowsPowerShell\\v1.0\\powershell.exe", path))
        return -1;
    return kit_run(k, 120, output, OUTPUT_BYTES,
                   L"\"%ls\" -NoProfile -NonInteractive -Command \"$ErrorActionPreference='Stop'; "
                   L"%ls\"",
                   path, line);
}

static void ask_shell(kit *k, kit_question_id question, char *output, const wchar_t *line)
{
    int exit_code;

    kit_set_answer(k, L"right", 0);
    exit_code = run_shell(k, output, line);
    answer_hosts(k, question, exit_code, output);
}

LONG kit_open_remote(HKEY *key)
{
    return RegConnectRegistryW(L"\\\\127.0.0.1", HKEY_PERFORMANCE_DATA, key);
}

/* Reads this computer by its address, as readers on another computer do. */
static void ask_remote(kit *k, char *output)
{
    BYTE *reply = malloc(1 << 20);
    DWORD bytes = 1 << 20, type;
    wchar_t query[16];
    LONG status;
    HKEY key;

    kit_set_answer(k, L"right", 0);
    swprintf(query, 16, L"%lu",
             (unsigned long)kit_service_number(L"PrfDataKitProbe", L"First Counter"));
    status = kit_open_remote(&key);
    if (status == ERROR_SUCCESS) {
        status = RegQueryValueExW(key, query, NULL, &type, reply, &bytes);
        RegCloseKey(key);
    }
    free(reply);
    if (status != ERROR_SUCCESS && status != ERROR_MORE_DATA) {
        kit_answer(&k->answers, KIT_Q_host_remote, KIT_NOT_HERE,
                   "error %ld; is the service Remote Registry running?", (long)status);
        kit_answer(&k->answers, KIT_Q_host_computer, KIT_NOT_HERE, "Remote Registry: error %ld",
                   (long)status);
        return;
    }
    answer_hosts(k, KIT_Q_host_remote, (int)status, "");
    ask_shell(k, KIT_Q_host_computer, output,
              L"Get-Counter '" PROBE_PATH L"' -ComputerName 127.0.0.1 | Out-String");
}

static void ask_collector(kit *k, char *output)
{
    int exit_code;

    kit_set_answer(k, L"right", 0);
    exit_code = kit_run_collector(k, output, OUTPUT_BYTES, PROBE_PATH);
    if (exit_code == KIT_RUN_ABSENT)
        kit_answer_missing(k, KIT_Q_host_collector, "logman.exe is not there");
    else
        answer_hosts(k, KIT_Q_host_collector, exit_code, output);
}

/* Asks how long the typeperf of this bitness needs. */
static void ask_time(kit *k, ULONGLONG by_perfhost)
{
    ULONGLONG began = GetTickCount64();
    wchar_t typeperf[MAX_PATH];
    char output[1000];

    if (!kit_find_tool(L"typeperf.exe", typeperf) ||
        kit_run(k, 60, output, sizeof output, L"\"%ls\" \"" PROBE_PATH L"\" -sc 1", typeperf) == -1)
        kit_answer(&k->answers, KIT_Q_perfhost_time, KIT_FAILED, "typeperf did not start or end");
    else
        kit_answer(&k->answers, KIT_Q_perfhost_time, KIT_TEXT,
                   "typeperf -sc 1: %lu ms, and %lu ms by one of this bitness",
                   (unsigned long)by_perfhost, (unsigned long)(GetTickCount64() - began));
}

/* Uses the typeperf of the other bitness. A 32-bit Windows has none. */
static void ask_perfhost(kit *k, char *output)
{
    ULONGLONG began;
    wchar_t folder[MAX_PATH], path[MAX_PATH + 32];
    int exit_code;

    if (sizeof(void *) == 8) {
        if (!GetSystemWow64DirectoryW(folder, MAX_PATH))
            folder[0] = 0;
    } else {
        wcscpy(folder, L"C:\\Windows"); /* if GetWindowsDirectoryW() fails */
        GetWindowsDirectoryW(folder, MAX_PATH - 16);
        wcscat(folder, L"\\Sysnative");
    }
    swprintf(path, MAX_PATH + 32, L"%ls\\typeperf.exe", folder);
    if (!folder[0] || GetFileAttributesW(path) == INVALID_FILE_ATTRIBUTES) {
        kit_answer_rest(&k->answers, KIT_Q_host_perfhost, KIT_Q_host_perfhost, KIT_NOT_HERE,
                        "no typeperf.exe of the other bitness");
        kit_answer(&k->answers, KIT_Q_perfhost_time, KIT_NOT_HERE,
                   "no typeperf.exe of the other bitness");
        return;
    }
    kit_set_answer(k, L"right", 0);
    began = GetTickCount64();
    exit_code = kit_run(k, 60, output, OUTPUT_BYTES, L"\"%ls\" \"" PROBE_PATH L"\" -sc 1", path);
    began = GetTickCount64() - began;
    answer_hosts(k, KIT_Q_host_perfhost, exit_code, output);
    ask_time(k, began);
    if (exit_code == -1)
        kit_answer(&k->answers, KIT_Q_x86_provider, KIT_FAILED, "typeperf did not start or end");
    else if (sizeof(void *) == 4)
        kit_answer_if(&k->answers, KIT_Q_x86_provider,
                      strstr(output, "42.0000") != NULL || strstr(output, "42,0000") != NULL,
                      "exit code %d: %.300s", exit_code, output);
}

/* Returns whether a process has the provider's DLL loaded. If so, the DLL cannot be opened for
 * writing. */
static bool is_probe_loaded(const kit *k)
{
    HANDLE file =
        CreateFileW(k->probe, GENERIC_WRITE, FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE,
                    NULL, OPEN_EXISTING, 0, NULL);

    if (file == INVALID_HANDLE_VALUE)
        return true;
    CloseHandle(file);
    return false;
}

static void ask_keeps(kit *k, ULONGLONG since)
{
    ULONGLONG passed = GetTickCount64() - since;

    if (passed < 60000)
        Sleep((DWORD)(60000 - passed));
    kit_answer_if(&k->answers, KIT_Q_host_keeps, is_probe_loaded(k), "%lu seconds after the query",
                  (unsigned long)((GetTickCount64() - since) / 1000));
}

void kit_ask_hosts(kit *k, bool has_titles)
{
    char *output = malloc(OUTPUT_BYTES);
    ULONGLONG asked;

    if (!output)
        return;
    if (!has_titles) {
        for (int i = KIT_Q_host_wmi; i <= KIT_Q_host_keeps; i++)
            kit_answer_missing(k, (kit_question_id)i, "loadperf gave the provider no titles");
        kit_answer_missing(k, KIT_Q_x86_provider, "loadperf gave the provider no titles");
        kit_answer_missing(k, KIT_Q_perfhost_time, "loadperf gave the provider no titles");
        kit_answer_missing(k, KIT_Q_host_computer, "loadperf gave the provider no titles");
        kit_answer_missing(k, KIT_Q_thread_token, "loadperf gave the provider no titles");
        free(output);
        return;
    }
    ask_shell(k, KIT_Q_host_wmi, output,
              FIND_CLASS L"Get-CimInstance $class.CimClassName | Out-String");
    asked = GetTickCount64();
    answer_token(k);
    ask_shell(k, KIT_Q_host_adapter, output,
              L"Start-Service WmiApSrv; Start-Sleep 5; Stop-Service WmiApSrv");
    ask_remote(k, output);
    ask_collector(k, output);
    ask_perfhost(k, output);
    kit_answer_rest(&k->answers, KIT_Q_x86_provider, KIT_Q_x86_provider, KIT_NOT_HERE,
                    "this kit's provider has 64 bits: run selftest.cmd REPORT x86, too");
    ask_keeps(k, asked);
    kit_answer(&k->answers, KIT_Q_host_privilege, KIT_TEXT, "%s",
               privileged[0] ? privileged : "none");
    free(output);
}

void kit_ask_averages(kit *k)
{
    char *output = malloc(OUTPUT_BYTES);
    int exit_code;

    if (!output)
        return;
    kit_set_answer(k, L"average", 0);
    exit_code = run_shell(k, output,
                          L"(Get-Counter '" PROBE_PATH L"' -SampleInterval 1 -MaxSamples "
                          L"2)[-1].CounterSamples[0].CookedValue");
    kit_answer(&k->answers, KIT_Q_powershell_average, exit_code == 0 ? KIT_TEXT : KIT_FAILED,
               "about 1 by the lower 4, hundreds by 8: exit code %d, %.200s", exit_code, output);
    exit_code = run_shell(k, output, FIND_CLASS L"(Get-CimInstance $class.CimClassName).Level");
    kit_answer(&k->answers, KIT_Q_wmi_average, exit_code == 0 ? KIT_TEXT : KIT_FAILED,
               "above 4294967296 by 8: exit code %d, %.200s", exit_code, output);
    exit_code = kit_run_sysmon(k, output, OUTPUT_BYTES, PROBE_PATH);
    if (exit_code == KIT_RUN_ABSENT)
        kit_answer(&k->answers, KIT_Q_sysmon_average, KIT_NOT_HERE, "no sysmon.ocx");
    else
        kit_answer(&k->answers, KIT_Q_sysmon_average, exit_code == 0 ? KIT_TEXT : KIT_NOT_HERE,
                   "about 1 by the lower 4, hundreds by 8: exit code %d, %.200s", exit_code,
                   output);
    free(output);
}
