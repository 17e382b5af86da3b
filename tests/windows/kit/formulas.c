/* SPDX-License-Identifier: MIT */
/* Compares our formulas with PDH's for the same raw values: for some counters that every Windows
 * has, and for at most two counters of each type that this Windows has. */
#include "kit.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#include <pdh.h>
#include <pdhmsg.h>

#include "compute/compute.h"

/* Converts PDH's raw value to ours. PDH's second value is a base or a time, depending on the
 * type. */
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

/* Counters of Windows with as many different types as possible. */
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

static DWORD type_of(PDH_HCOUNTER counter)
{
    DWORD type = 0, bytes = sizeof(PDH_COUNTER_INFO_W) + 4096;
    PDH_COUNTER_INFO_W *info = calloc(1, bytes);

    if (info && PdhGetCounterInfoW(counter, FALSE, &bytes, info) == ERROR_SUCCESS)
        type = info->dwType;
    free(info);
    return type;
}

/* Returns 1 if PDH and we agree on a counter, 0 if not, and -1 if PDH has no value. */
static int validate_formula(PDH_HCOUNTER counter, const PDH_RAW_COUNTER *older, const wchar_t *path)
{
    prfdata_compute_raw one, two;
    const DWORD type = type_of(counter);
    prfdata_compute_value ours = {0};
    PDH_FMT_COUNTERVALUE theirs;
    PDH_RAW_COUNTER newer;
    LONGLONG frequency = 0;
    uint32_t status;

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

int kit_print_formulas(void)
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
        int verdict =
            counters[i] ? validate_formula(counters[i], &older[i], windows_counters[i]) : -1;

        compared += verdict >= 0;
        agreed += verdict == 1;
    }
    printf("agreed %u of %u\n", agreed, compared);
    PdhCloseQuery(query);
    return 0;
}

enum { MOST_TYPES = 80, OF_EACH = 2, MOST_SECONDS = 90, LIST_CHARS = 1 << 20 };

typedef struct type_sample {
    DWORD type;
    unsigned count;
    PDH_HCOUNTER counters[OF_EACH];
    wchar_t paths[OF_EACH][300];
    PDH_RAW_COUNTER older[OF_EACH];
} type_sample;

typedef struct type_list {
    PDH_HQUERY query;
    ULONGLONG began;
    unsigned count;
    type_sample types[MOST_TYPES];
} type_list;

static type_sample *find_type(type_list *list, DWORD type)
{
    for (unsigned i = 0; i < list->count; i++) {
        if (list->types[i].type == type)
            return &list->types[i];
    }
    if (list->count == MOST_TYPES)
        return NULL;
    list->types[list->count].type = type;
    return &list->types[list->count++];
}

/* Adds the counter if there are not enough of its type yet. */
static void add_counter(type_list *list, const wchar_t *path)
{
    PDH_HCOUNTER counter;
    type_sample *sample;

    if (PdhAddCounterW(list->query, path, 0, &counter) != ERROR_SUCCESS)
        return;
    sample = find_type(list, type_of(counter));
    if (!sample || sample->count == OF_EACH) {
        PdhRemoveCounter(counter);
        return;
    }
    swprintf(sample->paths[sample->count], 300, L"%.299ls", path);
    sample->counters[sample->count++] = counter;
}

/* Adds all counters of an object, for its first instance. */
static void add_object(type_list *list, const wchar_t *object, wchar_t *counters,
                       wchar_t *instances)
{
    DWORD counter_chars = LIST_CHARS, instance_chars = LIST_CHARS;
    wchar_t path[1200];

    counters[0] = instances[0] = 0;
    if (PdhEnumObjectItemsW(NULL, NULL, object, counters, &counter_chars, instances,
                            &instance_chars, PERF_DETAIL_WIZARD, 0) != ERROR_SUCCESS)
        return;
    for (wchar_t *at = counters; *at; at += wcslen(at) + 1) {
        if (GetTickCount64() - list->began > MOST_SECONDS * 1000ULL)
            return;
        if (instances[0])
            swprintf(path, 1200, L"\\%.300ls(%.300ls)\\%.300ls", object, instances, at);
        else
            swprintf(path, 1200, L"\\%.300ls\\%.300ls", object, at);
        add_counter(list, path);
    }
}

static bool add_all_objects(type_list *list)
{
    wchar_t *objects = calloc(LIST_CHARS, sizeof *objects);
    wchar_t *counters = calloc(LIST_CHARS, sizeof *counters);
    wchar_t *instances = calloc(LIST_CHARS, sizeof *instances);
    DWORD chars = LIST_CHARS;
    bool is_read =
        objects && counters && instances &&
        PdhEnumObjectsW(NULL, NULL, objects, &chars, PERF_DETAIL_WIZARD, TRUE) == ERROR_SUCCESS;

    for (wchar_t *at = objects; is_read && *at; at += wcslen(at) + 1)
        add_object(list, at, counters, instances);
    free(objects);
    free(counters);
    free(instances);
    return is_read;
}

static void note_older(type_sample *sample)
{
    for (unsigned i = 0; i < sample->count; i++) {
        if (PdhGetRawCounterValue(sample->counters[i], NULL, &sample->older[i]) != ERROR_SUCCESS)
            sample->counters[i] = NULL;
    }
}

int kit_print_types(void)
{
    static type_list list;
    unsigned agreed = 0, compared = 0;

    list.began = GetTickCount64();
    if (PdhOpenQueryW(NULL, 0, &list.query) != ERROR_SUCCESS || !add_all_objects(&list))
        return 1;
    PdhCollectQueryData(list.query);
    for (unsigned i = 0; i < list.count; i++)
        note_older(&list.types[i]);
    Sleep(1000);
    PdhCollectQueryData(list.query);
    for (unsigned i = 0; i < list.count; i++) {
        const type_sample *sample = &list.types[i];

        for (unsigned j = 0; j < sample->count; j++) {
            int verdict =
                sample->counters[j]
                    ? validate_formula(sample->counters[j], &sample->older[j], sample->paths[j])
                    : -1;

            compared += verdict >= 0;
            agreed += verdict == 1;
        }
    }
    printf("%u types:", list.count);
    for (unsigned i = 0; i < list.count; i++)
        printf(" %lx", (unsigned long)list.types[i].type);
    printf("; agreed %u of %u\n", agreed, compared);
    PdhCloseQuery(list.query);
    return 0;
}
