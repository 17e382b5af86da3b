/* SPDX-License-Identifier: MIT */
/*
 * What PDH makes of replies. Each question is asked by a process of its own (prfdata-kit -Pdh),
 * since PDH and perflib remember much within one.
 *
 *     prfdata-kit -Pdh items                    counters and instances that PDH lists
 *     prfdata-kit -Pdh value <counter> <n>      the value after n samples, not capped or scaled
 *     prfdata-kit -Pdh capped|scaled <counter> <n>   the same, capped at 100; scaled
 *     prfdata-kit -Pdh statistics               of 10, 20, an invalid value, 60
 *     prfdata-kit -Pdh formulas                 our formulas for counters of Windows
 */
#include "kit.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#include <pdh.h>
#include <pdhmsg.h>

#include "compute/compute.h"
#include "loadperf.h"

#define PROBE_OBJECT L"PrfData Kit Probe"

/* "PDH_STATISTICS structure" and "PdhComputeCounterStatistics function"; not every pdh.h has them.
 */
typedef struct statistics_of_pdh {
    DWORD format;
    DWORD count;
    PDH_FMT_COUNTERVALUE min;
    PDH_FMT_COUNTERVALUE max;
    PDH_FMT_COUNTERVALUE mean;
} statistics_of_pdh;

typedef PDH_STATUS(WINAPI statistics_function)(PDH_HCOUNTER counter, DWORD format, DWORD first,
                                               DWORD count, PDH_RAW_COUNTER *raw,
                                               statistics_of_pdh *statistics);

/* ---- In the child ---- */

static void print_names(const char *what, const wchar_t *names)
{
    printf("%s:", what);
    for (; names && *names; names += wcslen(names) + 1)
        printf(" [%ls]", names);
    printf("; ");
}

static int print_items(void)
{
    DWORD counter_chars = 1 << 20, instance_chars = 1 << 20;
    wchar_t *counters = calloc(counter_chars, sizeof *counters);
    wchar_t *instances = calloc(instance_chars, sizeof *instances);
    PDH_STATUS status = ERROR_NOT_ENOUGH_MEMORY;

    if (counters && instances)
        status = PdhEnumObjectItemsW(NULL, NULL, PROBE_OBJECT, counters, &counter_chars, instances,
                                     &instance_chars, PERF_DETAIL_WIZARD, 0);
    if (status == ERROR_SUCCESS) {
        print_names("counters", counters);
        print_names("instances", instances);
    }
    printf("status 0x%lx\n", (unsigned long)status);
    free(counters);
    free(instances);
    return status == ERROR_SUCCESS ? 0 : 1;
}

static PDH_STATUS add_path(PDH_HQUERY *query, PDH_HCOUNTER *counter, const wchar_t *path)
{
    PDH_STATUS status = PdhOpenQueryW(NULL, 0, query);

    if (status != ERROR_SUCCESS)
        return status;
    return PdhAddEnglishCounterW(*query, path, 0, counter);
}

static int print_value(const wchar_t *name, int samples, DWORD flags)
{
    PDH_FMT_COUNTERVALUE value = {0};
    PDH_HCOUNTER counter;
    PDH_HQUERY query;
    wchar_t path[300];
    PDH_STATUS status;

    swprintf(path, 300, L"\\" PROBE_OBJECT L"%.200ls", name);
    status = add_path(&query, &counter, path);
    for (int i = 0; i < samples && status == ERROR_SUCCESS; i++) {
        if (i > 0)
            Sleep(1000);
        status = PdhCollectQueryData(query);
    }
    if (status == ERROR_SUCCESS)
        status = PdhGetFormattedCounterValue(counter, PDH_FMT_DOUBLE | flags, NULL, &value);
    printf("%lx %.17g\n", (unsigned long)status, value.doubleValue);
    return status == ERROR_SUCCESS ? 0 : 1;
}

static int print_statistics(void)
{
    static const LONGLONG levels[] = {10, 20, 0, 60};
    PDH_RAW_COUNTER raw[4];
    statistics_of_pdh statistics;
    union {
        FARPROC untyped;
        statistics_function *typed;
    } compute;
    PDH_HCOUNTER counter;
    PDH_HQUERY query;
    PDH_STATUS status = add_path(&query, &counter, L"\\" PROBE_OBJECT L"\\Level");

    memset(raw, 0, sizeof raw);
    memset(&statistics, 0, sizeof statistics);
    for (int i = 0; i < 4; i++) {
        raw[i].CStatus = i == 2 ? (DWORD)PDH_CSTATUS_NO_INSTANCE : PDH_CSTATUS_VALID_DATA;
        raw[i].FirstValue = levels[i];
        raw[i].TimeStamp.dwLowDateTime = (DWORD)i * 10000000;
    }
    compute.untyped = GetProcAddress(GetModuleHandleW(L"pdh.dll"), "PdhComputeCounterStatistics");
    if (status == ERROR_SUCCESS)
        status = compute.untyped ? compute.typed(counter, PDH_FMT_DOUBLE, 0, 4, raw, &statistics)
                                 : (PDH_STATUS)ERROR_PROC_NOT_FOUND;
    printf("status 0x%lx, count %lu, min %g, max %g, mean %g\n", (unsigned long)status,
           (unsigned long)statistics.count, statistics.min.doubleValue, statistics.max.doubleValue,
           statistics.mean.doubleValue);
    return status == ERROR_SUCCESS ? 0 : 1;
}

/* PDH's raw value in our terms: its second value is a base or a time, by the type. */
static prfdata_compute_raw our_raw(const PDH_RAW_COUNTER *raw, DWORD type, LONGLONG frequency)
{
    prfdata_compute_raw ours;

    memset(&ours, 0, sizeof ours);
    ours.type = type;
    ours.value_bytes = (type & 0x300) == 0x100 ? 8 : 4;
    ours.base_bytes = 8;
    ours.value = ours.value_bytes == 4 ? (uint32_t)raw->FirstValue : (uint64_t)raw->FirstValue;
    ours.base = (uint64_t)raw->SecondValue;
    ours.perf_time = ours.time_100ns = ours.object_time = raw->SecondValue;
    ours.perf_freq = ours.object_freq = frequency;
    return ours;
}

/* Windows' own, of as many types as they have. */
static const wchar_t *const windows_counters[] = {
    L"\\Processor(_Total)\\% Processor Time",
    L"\\Processor(_Total)\\Interrupts/sec",
    L"\\Processor(_Total)\\% Idle Time",
    L"\\System\\System Up Time",
    L"\\System\\Context Switches/sec",
    L"\\System\\Processor Queue Length",
    L"\\System\\Processes",
    L"\\System\\Threads",
    L"\\System\\File Read Bytes/sec",
    L"\\System\\% Registry Quota In Use",
    L"\\Memory\\Available Bytes",
    L"\\Memory\\Page Faults/sec",
    L"\\Memory\\% Committed Bytes In Use",
    L"\\Memory\\Commit Limit",
    L"\\Process(_Total)\\Working Set",
    L"\\Process(_Total)\\% User Time",
    L"\\Process(_Total)\\Elapsed Time",
    L"\\LogicalDisk(_Total)\\% Free Space",
    L"\\LogicalDisk(_Total)\\Avg. Disk sec/Read",
    L"\\LogicalDisk(_Total)\\Avg. Disk Bytes/Write",
    L"\\PhysicalDisk(_Total)\\% Disk Time",
    L"\\PhysicalDisk(_Total)\\Avg. Disk Queue Length",
    L"\\PhysicalDisk(_Total)\\Disk Bytes/sec",
    L"\\PhysicalDisk(_Total)\\% Idle Time",
    L"\\TCPv4\\Segments/sec",
    L"\\TCPv4\\Connections Established",
    L"\\Objects\\Semaphores",
    L"\\Paging File(_Total)\\% Usage",
    L"\\Cache\\Copy Read Hits %",
    L"\\Processor Information(_Total)\\% Processor Utility"};

enum { WINDOWS_COUNTERS = sizeof windows_counters / sizeof windows_counters[0] };

/* Whether PDH and we agree on a counter: 1 yes, 0 no, -1 PDH has no value. */
static int judge_formula(PDH_HCOUNTER counter, const PDH_RAW_COUNTER *older, const wchar_t *path)
{
    DWORD type = 0, bytes = sizeof(PDH_COUNTER_INFO_W) + 4096;
    PDH_COUNTER_INFO_W *info = calloc(1, bytes);
    prfdata_compute_raw one, two;
    prfdata_compute_value ours = {0};
    PDH_FMT_COUNTERVALUE theirs;
    PDH_RAW_COUNTER newer;
    LONGLONG frequency = 0;
    uint32_t status;

    if (info && PdhGetCounterInfoW(counter, FALSE, &bytes, info) == ERROR_SUCCESS)
        type = info->dwType;
    free(info);
    if (PdhGetFormattedCounterValue(counter, PDH_FMT_DOUBLE | PDH_FMT_NOCAP100 | PDH_FMT_NOSCALE,
                                    NULL, &theirs) != ERROR_SUCCESS ||
        PdhGetRawCounterValue(counter, NULL, &newer) != ERROR_SUCCESS ||
        PdhGetCounterTimeBase(counter, &frequency) != ERROR_SUCCESS)
        return -1;
    one = our_raw(older, type, frequency);
    two = our_raw(&newer, type, frequency);
    status = prfdata_compute(&one, &two, &ours);
    if (prfdata_compute_idle(type, status, &ours))
        status = PRFDATA_STATUS_OK;
    if (status == PRFDATA_STATUS_OK &&
        fabs(ours.number - theirs.doubleValue) <= 1e-6 * (1 + fabs(theirs.doubleValue)))
        return 1;
    printf("%ls type %08lx PDH %.9g ours %.9g status %x; ", path, (unsigned long)type,
           theirs.doubleValue, ours.number, (unsigned)status);
    return 0;
}

static int print_formulas(void)
{
    PDH_HCOUNTER counters[WINDOWS_COUNTERS];
    PDH_RAW_COUNTER older[WINDOWS_COUNTERS];
    unsigned agreed = 0, compared = 0;
    PDH_HQUERY query;

    if (PdhOpenQueryW(NULL, 0, &query) != ERROR_SUCCESS)
        return 1;
    for (int i = 0; i < WINDOWS_COUNTERS; i++) {
        if (PdhAddEnglishCounterW(query, windows_counters[i], 0, &counters[i]) != ERROR_SUCCESS)
            counters[i] = NULL;
    }
    PdhCollectQueryData(query);
    for (int i = 0; i < WINDOWS_COUNTERS; i++) {
        if (counters[i] && PdhGetRawCounterValue(counters[i], NULL, &older[i]) != ERROR_SUCCESS)
            counters[i] = NULL;
    }
    Sleep(1000);
    PdhCollectQueryData(query);
    for (int i = 0; i < WINDOWS_COUNTERS; i++) {
        int verdict = counters[i] ? judge_formula(counters[i], &older[i], windows_counters[i]) : -1;

        compared += verdict >= 0;
        agreed += verdict == 1;
    }
    printf("agreed %u of %u\n", agreed, compared);
    PdhCloseQuery(query);
    return 0;
}

int kit_pdh_main(int count, wchar_t **arguments)
{
    int samples = count > 2 ? (int)wcstol(arguments[2], NULL, 10) : 1;

    if (count < 1)
        return 2;
    if (wcscmp(arguments[0], L"items") == 0)
        return print_items();
    if (wcscmp(arguments[0], L"statistics") == 0)
        return print_statistics();
    if (wcscmp(arguments[0], L"formulas") == 0)
        return print_formulas();
    if (count < 2)
        return 2;
    if (wcscmp(arguments[0], L"capped") == 0)
        return print_value(arguments[1], samples, PDH_FMT_NOSCALE);
    if (wcscmp(arguments[0], L"scaled") == 0)
        return print_value(arguments[1], samples, PDH_FMT_NOCAP100);
    return print_value(arguments[1], samples, PDH_FMT_NOCAP100 | PDH_FMT_NOSCALE);
}

/* ---- Questions ---- */

static void ask_items(kit *k, kit_question_id question, const wchar_t *answer)
{
    char output[1000];

    kit_set_answer(k, answer, 0);
    if (kit_run(k, 60, output, sizeof output, L"\"%ls\" -Pdh items", k->program) == -1)
        kit_answer(&k->answers, question, KIT_FAILED, "the process did not start or end");
    else
        kit_answer(&k->answers, question, KIT_TEXT, "%s", output);
}

/* The value of a counter; false: answered, as failed. */
static bool takes_value(kit *k, kit_question_id question, const wchar_t *answer,
                        const wchar_t *options, double *value)
{
    unsigned long status = 0;
    char output[200];

    kit_set_answer(k, answer, 0);
    if (kit_run(k, 60, output, sizeof output, L"\"%ls\" -Pdh %ls", k->program, options) == 0 &&
        sscanf(output, "%lx %lf", &status, value) == 2)
        return true;
    kit_answer(&k->answers, question, KIT_FAILED, "PDH gives no value: %s", output);
    return false;
}

static void ask_values(kit *k)
{
    double value;

    if (takes_value(k, KIT_Q_pdh_wrap, L"wrap", L"value \\Level 2", &value))
        kit_answer(&k->answers, KIT_Q_pdh_wrap, KIT_TEXT, "%g; modulo 2^32 it is about 512", value);
    if (takes_value(k, KIT_Q_pdh_cap, L"right", L"capped \\Other 1", &value))
        kit_answer_if(&k->answers, KIT_Q_pdh_cap, value == 100, "%g", value);
    if (takes_value(k, KIT_Q_pdh_scale, L"right", L"scaled \\Scaled 1", &value))
        kit_answer_if(&k->answers, KIT_Q_pdh_scale, value != 500, "500 with a scale of 2 is %g",
                      value);
    if (takes_value(k, KIT_Q_pdh_average, L"average", L"value \\Level 2", &value))
        kit_answer(&k->answers, KIT_Q_pdh_average, KIT_TEXT, "%s: %g s, 1 s by the lower 4",
                   value < 1.5 ? "4" : "8", value);
}

static void ask_statistics(kit *k)
{
    char output[300];

    kit_set_answer(k, L"right", 0);
    if (kit_run(k, 60, output, sizeof output, L"\"%ls\" -Pdh statistics", k->program) == -1)
        kit_answer(&k->answers, KIT_Q_pdh_statistics, KIT_FAILED,
                   "the process did not start or end");
    else
        kit_answer(&k->answers, KIT_Q_pdh_statistics, KIT_TEXT, "%s", output);
}

static void ask_size(kit *k)
{
    unsigned long largest = 0;
    char output[200] = "";

    for (DWORD size = 1u << 20; size <= (64u << 20); size *= 8) {
        kit_set_answer(k, L"large", size);
        if (kit_run(k, 120, output, sizeof output, L"\"%ls\" -Pdh value (n0000000000)\\Level 1",
                    k->program) != 0)
            break;
        largest = size;
    }
    kit_answer(&k->answers, KIT_Q_pdh_size, KIT_TEXT, "%lu bytes gave a value; the last: %s",
               largest, output);
}

static void ask_formulas(kit *k)
{
    unsigned agreed = 0, compared = 0;
    char output[2000];
    const char *sums;

    if (kit_run(k, 120, output, sizeof output, L"\"%ls\" -Pdh formulas", k->program) != 0 ||
        (sums = strstr(output, "agreed ")) == NULL ||
        sscanf(sums, "agreed %u of %u", &agreed, &compared) != 2)
        kit_answer(&k->answers, KIT_Q_formulas, KIT_FAILED, "it did not end well: %s", output);
    else if (compared < 20)
        kit_answer_missing(k, KIT_Q_formulas, "PDH has only %u of the counters: %s", compared,
                           output);
    else
        kit_answer_if(&k->answers, KIT_Q_formulas, agreed == compared, "%s", output);
}

void kit_ask_pdh(kit *k, bool has_titles)
{
    ask_formulas(k);
    if (!has_titles) {
        for (int i = KIT_Q_pdh_odd_names; i <= KIT_Q_pdh_size; i++)
            kit_answer_missing(k, (kit_question_id)i, "loadperf gave the provider no titles");
        return;
    }
    ask_items(k, KIT_Q_pdh_odd_names, L"odd_names");
    ask_items(k, KIT_Q_pdh_unique_ids, L"unique_ids");
    ask_items(k, KIT_Q_pdh_bases, L"fraction");
    ask_items(k, KIT_Q_pdh_total, L"total");
    ask_values(k);
    ask_statistics(k);
    kit_ask_averages(k);
    ask_size(k);
}
