/* SPDX-License-Identifier: MIT */
/* Asks what PDH does with replies. Each question has its own process (prfdata-kit -Pdh), because
 * PDH and perflib remember much within a process.
 *
 *     prfdata-kit -Pdh items                    counters and instances that PDH lists
 *     prfdata-kit -Pdh value <counter> <n>      the value after n samples, unchanged
 *     prfdata-kit -Pdh capped|scaled <counter> <n>   the same, capped at 100 or scaled
 *     prfdata-kit -Pdh statistics               statistics of 10, 20, an invalid value and 60
 *     prfdata-kit -Pdh statistics wrap          statistics of a rate whose count wraps
 *     prfdata-kit -Pdh formulas|types           our formulas for counters of Windows: formulas.c */
#include "kit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#include <pdh.h>
#include <pdhmsg.h>

#include "loadperf.h"
#include "probe.h"

#define PROBE_OBJECT L"PrfData Kit Probe"

enum { WRAP_STEP = 512 }; /* by how much the counter of the answer `wrap` grows in each sample */

/* "PDH_STATISTICS structure" and "PdhComputeCounterStatistics function". Some pdh.h lack them. */
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

/* Before each sample except the first, waits a second and adds WRAP_STEP to the registry value
 * "Kit Number". Of the answers that are read here, only `wrap` uses this value. */
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
        if (i > 0) {
            Sleep(1000);
            status = (PDH_STATUS)kit_set_number(PROBE_VALUE_NUMBER, (DWORD)i * WRAP_STEP);
        }
        if (status == ERROR_SUCCESS)
            status = PdhCollectQueryData(query);
    }
    if (status == ERROR_SUCCESS)
        status = PdhGetFormattedCounterValue(counter, PDH_FMT_DOUBLE | flags, NULL, &value);
    printf("%lx %.17g\n", (unsigned long)status, value.doubleValue);
    return status == ERROR_SUCCESS ? 0 : 1;
}

/* Prints statistics of levels, or of a rate. The samples of the rate are a second apart, and its
 * count wraps after the second sample. */
static int print_statistics(bool is_rate)
{
    static const LONGLONG level_values[] = {10, 20, 0, 60};
    static const LONGLONG rate_values[] = {0xFFFFFE00, 0xFFFFFF00, 0, 0x100};
    const LONGLONG *levels = is_rate ? rate_values : level_values;
    LARGE_INTEGER frequency;
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
    QueryPerformanceFrequency(&frequency);
    for (int i = 0; i < 4; i++) {
        raw[i].CStatus =
            i == 2 && !is_rate ? (DWORD)PDH_CSTATUS_NO_INSTANCE : PDH_CSTATUS_VALID_DATA;
        raw[i].SecondValue = is_rate ? (i + 1) * frequency.QuadPart : 0;
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

int kit_pdh_main(int count, wchar_t **arguments)
{
    int samples = count > 2 ? (int)wcstol(arguments[2], NULL, 10) : 1;

    if (count < 1)
        return 2;
    if (wcscmp(arguments[0], L"items") == 0)
        return print_items();
    if (wcscmp(arguments[0], L"statistics") == 0)
        return print_statistics(count > 1);
    if (wcscmp(arguments[0], L"formulas") == 0)
        return kit_print_formulas();
    if (wcscmp(arguments[0], L"types") == 0)
        return kit_print_types();
    if (count < 2)
        return 2;
    if (wcscmp(arguments[0], L"capped") == 0)
        return print_value(arguments[1], samples, PDH_FMT_NOSCALE);
    if (wcscmp(arguments[0], L"scaled") == 0)
        return print_value(arguments[1], samples, PDH_FMT_NOCAP100);
    return print_value(arguments[1], samples, PDH_FMT_NOCAP100 | PDH_FMT_NOSCALE);
}

static void ask_items(kit *k, kit_question_id question, const wchar_t *answer)
{
    char output[1000];

    kit_set_answer(k, answer, 0);
    if (kit_run(k, 60, output, sizeof output, L"\"%ls\" -Pdh items", k->program) == -1)
        kit_answer(&k->answers, question, KIT_FAILED,
                   "the process did not start, or did not end in time");
    else
        kit_answer(&k->answers, question, KIT_TEXT, "%s", output);
}

/* Reads the value of a counter. If that fails, answers `failed` and returns false. */
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
        kit_answer(&k->answers, KIT_Q_pdh_wrap, KIT_TEXT, "%g; modulo 2^32 it is about %d", value,
                   WRAP_STEP);
    if (takes_value(k, KIT_Q_pdh_cap, L"right", L"capped \\Other 1", &value))
        kit_answer_if(&k->answers, KIT_Q_pdh_cap, value == 100, "%g", value);
    if (takes_value(k, KIT_Q_pdh_scale, L"right", L"scaled \\Scaled 1", &value))
        kit_answer_if(&k->answers, KIT_Q_pdh_scale, value != 500, "500 with a scale of 2 is %g",
                      value);
    if (takes_value(k, KIT_Q_pdh_average, L"average", L"value \\Level 2", &value))
        kit_answer(&k->answers, KIT_Q_pdh_average, KIT_TEXT, "%s: %g s, 1 s by the lower 4",
                   value < 1.5 ? "4" : "8", value);
}

static void ask_statistics(kit *k, kit_question_id question, const wchar_t *answer,
                           const wchar_t *options)
{
    char output[300];

    kit_set_answer(k, answer, 0);
    if (kit_run(k, 60, output, sizeof output, L"\"%ls\" -Pdh statistics %ls", k->program,
                options) == -1)
        kit_answer(&k->answers, question, KIT_FAILED,
                   "the process did not start, or did not end in time");
    else
        kit_answer(&k->answers, question, KIT_TEXT, "%s", output);
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

/* Asks whether our formulas agree with those of PDH. At least `least` values must be compared. */
static void ask_formulas(kit *k, kit_question_id question, const wchar_t *what, unsigned least)
{
    unsigned agreed = 0, compared = 0;
    char output[2000];
    const char *sums;

    if (kit_run(k, 200, output, sizeof output, L"\"%ls\" -Pdh %ls", k->program, what) != 0 ||
        (sums = strstr(output, "agreed ")) == NULL ||
        sscanf(sums, "agreed %u of %u", &agreed, &compared) != 2)
        kit_answer(&k->answers, question, KIT_FAILED, "it did not end well: %s", output);
    else if (compared < least)
        kit_answer_missing(k, question, "PDH has only %u of the counters: %s", compared, output);
    else
        kit_answer_if(&k->answers, question, agreed == compared, "%s", output);
}

void kit_ask_pdh(kit *k, bool has_titles)
{
    ask_formulas(k, KIT_Q_formulas, L"formulas", 20);
    if (k->is_wine) /* Wine's PDH enumerates nothing */
        kit_answer(&k->answers, KIT_Q_types, KIT_NOT_HERE, "Wine's PDH has two counters");
    else
        ask_formulas(k, KIT_Q_types, L"types", 10);
    if (!has_titles) {
        kit_answer_missing(k, KIT_Q_pdh_numbered, "loadperf gave the provider no titles");
        kit_answer_missing(k, KIT_Q_pdh_statistics_wrap, "loadperf gave the provider no titles");
        kit_answer_missing(k, KIT_Q_sysmon_average, "loadperf gave the provider no titles");
        for (int i = KIT_Q_pdh_odd_names; i <= KIT_Q_pdh_size; i++)
            kit_answer_missing(k, (kit_question_id)i, "loadperf gave the provider no titles");
        return;
    }
    ask_items(k, KIT_Q_pdh_odd_names, L"odd_names");
    ask_items(k, KIT_Q_pdh_unique_ids, L"unique_ids");
    ask_items(k, KIT_Q_pdh_numbered, L"numbered");
    ask_items(k, KIT_Q_pdh_bases, L"fraction");
    ask_items(k, KIT_Q_pdh_total, L"total");
    ask_values(k);
    ask_statistics(k, KIT_Q_pdh_statistics, L"right", L"");
    ask_statistics(k, KIT_Q_pdh_statistics_wrap, L"wrap", L"wrap");
    kit_ask_averages(k);
    ask_size(k);
}
