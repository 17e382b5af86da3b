/* SPDX-License-Identifier: MIT */
/* Asks whether readers show the product's counters: programs of Windows, prfread and prfcheck. Two
 * publishers run meanwhile. */
#include "kit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#include <pdh.h>

#include "csv.h"
#include "loadperf.h"
#include "product.h"

#define WIDEN_(text) L##text
#define WIDEN(text)  WIDEN_(text)
#define WIDE_PATH    WIDEN(PRODUCT_PATH)

enum { OUTPUT_BYTES = 1 << 16 };

static bool is_file(const wchar_t *path)
{
    return GetFileAttributesW(path) != INVALID_FILE_ATTRIBUTES;
}

static void ask_typeperf(kit *k, kit_question_id question, const wchar_t *program, unsigned orders)
{
    char *output = malloc(OUTPUT_BYTES);
    double value = -1;
    int exit_code;

    if (!output)
        return;
    exit_code =
        kit_run(k, 60, output, OUTPUT_BYTES, L"\"%ls\" \"%hs\" -sc 1", program, PRODUCT_PATH);
    if (exit_code == -1)
        kit_answer(&k->answers, question, KIT_FAILED, "typeperf did not start or end");
    else
        kit_answer_if(&k->answers, question,
                      kit_csv_last(output, PRODUCT_PATH, &value) && value == (double)orders,
                      "exit code %d, value %g of %u", exit_code, value, orders);
    free(output);
}

static void ask_typeperfs(kit *k, unsigned orders)
{
    wchar_t path[MAX_PATH], folder[MAX_PATH], other[MAX_PATH + 32];

    if (kit_find_tool(L"typeperf.exe", path))
        ask_typeperf(k, KIT_Q_typeperf, path, orders);
    else
        kit_answer_missing(k, KIT_Q_typeperf, "typeperf.exe is not there");
    if (!GetSystemWow64DirectoryW(folder, MAX_PATH))
        folder[0] = 0;
    swprintf(other, MAX_PATH + 32, L"%ls\\typeperf.exe", folder);
    if (folder[0] && is_file(other))
        ask_typeperf(k, KIT_Q_typeperf_32, other, orders);
    else
        kit_answer(&k->answers, KIT_Q_typeperf_32, KIT_NOT_HERE, "no 32-bit typeperf.exe");
}

/* Runs a line of PowerShell. If there is no PowerShell, answers the question and returns false. */
static bool run_powershell(kit *k, kit_question_id question, char *output, int *exit_code,
                           const wchar_t *line)
{
    wchar_t path[MAX_PATH];

    if (!kit_find_tool(L"WindowsPowerShell\\v1.0\\powershell.exe", path) || k->is_wine) {
        kit_answer_missing(k, question, "there is no PowerShell");
        return false;
    }
    *exit_code = kit_run(k, 120, output, OUTPUT_BYTES,
                         L"\"%ls\" -NoProfile -NonInteractive -Command \"%ls\"", path, line);
    if (*exit_code != -1)
        return true;
    kit_answer(&k->answers, question, KIT_FAILED, "PowerShell did not start or end");
    return false;
}

/* Runs a line that prints one number, which must be the number of orders. */
static void ask_powershell(kit *k, kit_question_id question, const wchar_t *line, unsigned orders)
{
    char *output = malloc(OUTPUT_BYTES), *end;
    unsigned long long value;
    int exit_code;

    if (!output)
        return;
    if (run_powershell(k, question, output, &exit_code, line)) {
        value = strtoull(output, &end, 10);
        kit_answer_if(&k->answers, question, exit_code == 0 && end != output && value == orders,
                      "exit code %d, expected %u, printed %.300s", exit_code, orders, output);
    }
    free(output);
}

static void ask_wmi(kit *k, unsigned orders)
{
    wchar_t path[MAX_PATH];
    char output[1000];
    int exit_code;

    if (k->is_wine || !kit_find_tool(L"wbem\\winmgmt.exe", path)) {
        kit_answer_missing(k, KIT_Q_wmi, "winmgmt.exe makes no classes of counters");
        return;
    }
    exit_code = kit_run(k, 120, output, sizeof output, L"\"%ls\" /resyncperf", path);
    if (exit_code != 0) {
        kit_answer(&k->answers, KIT_Q_wmi, KIT_FAILED, "winmgmt /resyncperf: exit code %d",
                   exit_code);
        return;
    }
    ask_powershell(k, KIT_Q_wmi,
                   L"$c = $null; for ($i = 0; $i -lt 30 -and -not $c; $i++) { Start-Sleep 1; $c = "
                   L"Get-CimClass Win32_PerfRawData_PrfDataKit_* -ErrorAction SilentlyContinue }; "
                   L"$ErrorActionPreference='Stop'; (Get-CimInstance $c.CimClassName).Taken",
                   orders);
}

/* Asks PerfMon's control. A control that cannot be hosted here says nothing about our values. */
static void ask_sysmon(kit *k, unsigned orders)
{
    char *output = malloc(OUTPUT_BYTES);
    int exit_code;

    if (!output)
        return;
    exit_code = k->is_wine ? KIT_RUN_ABSENT : kit_run_sysmon(k, output, OUTPUT_BYTES, WIDE_PATH);
    if (exit_code == KIT_RUN_ABSENT)
        kit_answer(&k->answers, KIT_Q_sysmon, KIT_NOT_HERE, "no sysmon.ocx");
    else if (exit_code != 0)
        kit_answer(&k->answers, KIT_Q_sysmon, KIT_NOT_HERE, "exit code %d: %.300s", exit_code,
                   output);
    else
        kit_answer_if(&k->answers, KIT_Q_sysmon, strtod(output, NULL) == (double)orders,
                      "%.100s of %u", output, orders);
    free(output);
}

/* Lets a service of Windows record the counters, with the account of the system. */
static void ask_collector(kit *k, unsigned orders)
{
    char *output = malloc(OUTPUT_BYTES);
    double value = -1;
    int exit_code;

    if (!output)
        return;
    exit_code = k->is_wine ? KIT_RUN_ABSENT : kit_run_collector(k, output, OUTPUT_BYTES, WIDE_PATH);
    if (exit_code == KIT_RUN_ABSENT)
        kit_answer_missing(k, KIT_Q_collector, "logman.exe is not there");
    else if (exit_code != 0)
        kit_answer(&k->answers, KIT_Q_collector, KIT_FAILED, "exit code %d: %.300s", exit_code,
                   output);
    else
        kit_answer_if(&k->answers, KIT_Q_collector,
                      kit_csv_last(output, PRODUCT_PATH, &value) && value == (double)orders,
                      "value %g of %u", value, orders);
    free(output);
}

/* Reads as a reader on another computer does. */
static void ask_remote(kit *k, unsigned orders)
{
    wchar_t typeperf[MAX_PATH];
    double value = -1;
    char output[2000];
    int exit_code;
    LONG status;
    HKEY key;

    if (k->is_wine || !kit_find_tool(L"typeperf.exe", typeperf)) {
        kit_answer_missing(k, KIT_Q_remote, "typeperf.exe is not there");
        return;
    }
    status = kit_open_remote(&key);
    if (status != ERROR_SUCCESS) {
        kit_answer(&k->answers, KIT_Q_remote, KIT_NOT_HERE,
                   "error %ld; is the service Remote Registry running?", (long)status);
        return;
    }
    RegCloseKey(key);
    exit_code = kit_run(k, 60, output, sizeof output,
                        L"\"%ls\" \"\\\\127.0.0.1" WIDE_PATH L"\" -sc 1", typeperf);
    kit_answer_if(&k->answers, KIT_Q_remote,
                  kit_csv_last(output, PRODUCT_PATH, &value) && value == (double)orders,
                  "exit code %d, value %g of %u", exit_code, value, orders);
}

/* ---- Our readers ---- */

/* Our counter, and counters of Windows that two readers should show about equally at the same
 * time. */
static const char *const beside[] = {
    PRODUCT_PATH,
    "\\Memory\\Commit Limit",
    "\\Memory\\Committed Bytes",
    "\\Memory\\% Committed Bytes In Use",
    "\\Memory\\Available Bytes",
    "\\Memory\\Cache Bytes",
    "\\Memory\\Pool Paged Bytes",
    "\\Memory\\Pool Nonpaged Bytes",
    "\\Memory\\System Driver Total Bytes",
    "\\System\\Processes",
    "\\System\\Threads",
    "\\System\\System Up Time",
    "\\System\\% Registry Quota In Use",
    "\\Objects\\Semaphores",
    "\\Objects\\Events",
    "\\Objects\\Sections",
    "\\Process(_Total)\\Handle Count",
    "\\Process(_Total)\\Working Set",
    "\\Process(_Total)\\Virtual Bytes",
    "\\LogicalDisk(_Total)\\% Free Space",
    "\\LogicalDisk(_Total)\\Free Megabytes",
};

enum { BESIDE = sizeof beside / sizeof beside[0], PATHS_CHARS = 3500, NAME_CHARS = 200 };

/* Finds the local name of a title of Windows, or the English one if there is no other. */
static void find_local_name(const wchar_t *english, wchar_t name[NAME_CHARS])
{
    DWORD index = kit_find_index(L"Counter 009", english), chars = NAME_CHARS;

    if (index == 0 || PdhLookupPerfNameByIndexW(NULL, index, name, &chars) != ERROR_SUCCESS)
        swprintf(name, NAME_CHARS, L"%ls", english);
}

/* Appends a path \Object\Counter or \Object(instance)\Counter in the user's language, because
 * typeperf knows no other. */
static void append_local_path(const char *path, wchar_t *paths, size_t *used)
{
    const char *end = path + 1 + strcspn(path + 1, "(\\"), *counter = strrchr(path, '\\') + 1;
    wchar_t english[NAME_CHARS], object[NAME_CHARS], name[NAME_CHARS];

    swprintf(english, NAME_CHARS, L"%.*hs", (int)(end - path - 1), path + 1);
    find_local_name(english, object);
    swprintf(english, NAME_CHARS, L"%hs", counter);
    find_local_name(english, name);
    *used += (size_t)swprintf(paths + *used, PATHS_CHARS - *used, L" \"\\%ls%.*hs\\%ls\"", object,
                              (int)(counter - 1 - end), end, name);
}

/* Our counter must be the same in both outputs. Counters of Windows change meanwhile, so their
 * differences are only reported. */
static void compare_outputs(kit *k, const char *theirs, const char *ours)
{
    char differing[700] = "";
    unsigned agreed = 0, compared = 0;
    bool is_ours_right = false;
    size_t used = 0;

    for (int i = 0; i < BESIDE; i++) {
        double one = 0, other = 0;
        bool has = kit_csv_columns(theirs) == BESIDE
                       ? kit_csv_last_at(theirs, (size_t)i + 1, &other)
                       : kit_csv_last(theirs, beside[i], &other);
        bool is_same = has && kit_csv_last(ours, beside[i], &one) &&
                       kit_values_agree(one, other, i == 0 ? 0 : 0.05);

        if (i == 0)
            is_ours_right = is_same;
        compared += has;
        agreed += is_same;
        if (has && !is_same && used + 150 < sizeof differing)
            used += (size_t)snprintf(differing + used, sizeof differing - used, "; %s %g, %g",
                                     beside[i], other, one);
    }
    if (compared < 2)
        kit_answer(&k->answers, KIT_Q_prfread, KIT_FAILED,
                   "typeperf printed none of Windows' own counters by these names");
    else
        kit_answer_if(&k->answers, KIT_Q_prfread, is_ours_right && agreed + 2 >= compared,
                      "%u of %u values agree within 5 %%; typeperf, prfread%s", agreed, compared,
                      differing[0] ? differing : ": all");
}

static void ask_prfread(kit *k)
{
    char *ours = malloc(OUTPUT_BYTES), *theirs = malloc(OUTPUT_BYTES);
    static wchar_t paths[PATHS_CHARS], local[PATHS_CHARS];
    size_t used = 0, local_used = 0;
    wchar_t typeperf[MAX_PATH];

    for (int i = 0; i < BESIDE; i++) {
        used += (size_t)swprintf(paths + used, PATHS_CHARS - used, L" \"%hs\"", beside[i]);
        append_local_path(beside[i], local, &local_used);
    }
    if (!kit_find_tool(L"typeperf.exe", typeperf))
        kit_answer_missing(k, KIT_Q_prfread, "typeperf.exe is not there");
    else if (!ours || !theirs ||
             kit_run(k, 60, theirs, OUTPUT_BYTES, L"\"%ls\"%ls -sc 1", typeperf, local) == -1 ||
             kit_run(k, 60, ours, OUTPUT_BYTES, L"\"%ls\\prfread.exe\"%ls -sc 1", k->folder,
                     paths) == -1)
        kit_answer(&k->answers, KIT_Q_prfread, KIT_FAILED, "one of the two did not start or end");
    else
        compare_outputs(k, theirs, ours);
    free(ours);
    free(theirs);
}

static const char *last_line(char *output)
{
    char *end = output + strlen(output), *line;

    while (end > output && (end[-1] == '\n' || end[-1] == '\r'))
        *--end = 0;
    line = strrchr(output, '\n');
    return line ? line + 1 : output;
}

static void ask_prfcheck_ours(kit *k)
{
    char *output = malloc(OUTPUT_BYTES);
    const char *sums;
    int exit_code;

    if (!output)
        return;
    exit_code = kit_run(k, 180, output, OUTPUT_BYTES,
                        L"\"%ls\\prfcheck.exe\" PrfDataKit -quick -seconds 1", k->folder);
    sums = last_line(output);
    if (exit_code == 0)
        kit_answer(&k->answers, KIT_Q_prfcheck_ours, KIT_YES, "exit code 0: %.300s", sums);
    else /* the output begins with what prfcheck found */
        kit_answer(&k->answers, KIT_Q_prfcheck_ours,
                   exit_code == -1 || exit_code == 2 || exit_code >= 5 ? KIT_FAILED : KIT_NO,
                   "exit code %d: %.300s; %.500s", exit_code, sums, output);
    free(output);
}

/* Checks at most ten providers of Windows, and begins no check after three minutes. */
static void ask_prfcheck_theirs(kit *k)
{
    static const wchar_t *const services[] = {
        L"PerfOS",  L"PerfDisk",     L"PerfProc", L"PerfNet",  L"Tcpip",
        L"Lsa",     L"BITS",         L"ESENT",    L"MSDTC",    L"TermService",
        L"Spooler", L"RemoteAccess", L"usbhub",   L"WmiApRpl", L".NETFramework"};
    char *output = malloc(OUTPUT_BYTES), said[900] = "";
    ULONGLONG end = GetTickCount64() + 180000;
    size_t used = 0;
    unsigned count = 0;

    for (size_t i = 0;
         output && count < 10 && i < sizeof services / sizeof services[0] && GetTickCount64() < end;
         i++) {
        int exit_code = kit_run(k, 60, output, OUTPUT_BYTES,
                                L"\"%ls\\prfcheck.exe\" %ls -quick -seconds 1 -limit 5", k->folder,
                                services[i]);

        if (exit_code == 5) /* there is no such provider, or it has no DLL */
            continue;
        count++;
        if (used < sizeof said - 100)
            used += (size_t)snprintf(said + used, sizeof said - used, "%ls %d, ", services[i],
                                     exit_code);
    }
    if (count == 0)
        kit_answer_missing(k, KIT_Q_prfcheck_theirs, "none of them is registered");
    else
        kit_answer(&k->answers, KIT_Q_prfcheck_theirs, KIT_TEXT,
                   "exit codes: %s-1: not done in 60 s", said);
    free(output);
}

void kit_ask_readers(kit *k, unsigned orders)
{
    ask_typeperfs(k, orders);
    ask_powershell(k, KIT_Q_get_counter,
                   L"(Get-Counter '\\PrfData Kit Orders\\Taken' -ErrorAction "
                   L"Stop).CounterSamples[0].RawValue",
                   orders);
    ask_wmi(k, orders);
    kit_answer(&k->answers, KIT_Q_perfmon, KIT_NOT_HERE,
               "only a person can see it: docs/windows-kit.md says how");
    ask_sysmon(k, orders);
    ask_collector(k, orders);
    ask_remote(k, orders);
    ask_prfread(k);
    ask_prfcheck_ours(k);
    ask_prfcheck_theirs(k);
}
