/* SPDX-License-Identifier: MIT */
/* Implements a provider with many instances, for measurements of prfview and for tests. It reads
 * three environment variables. PRFDATA_TEST_INSTANCES is the number of instances of the object
 * (default 8,000, at most 100,000). PRFDATA_TEST_COUNTERS is the number of counters (3 to 20,
 * default 3). The provider answers Global only if PRFDATA_TEST_GLOBAL is not 0 (default 0). The
 * first counter is how often Collect returned the object in this process. The second counter
 * changes in one of seven instances. The third counter never changes. The other counters are rates
 * that change with each reply. */
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#include <windows.h>
#include <winperf.h>

#define OBJECT          7740000u
#define COUNTER         7740002u /* the first counter; the next ones follow at even titles */
#define COUNTERS_USUAL  3u
#define COUNTERS_MOST   20u
#define NAME_CHARS      16u
#define MOST            100000u
#define USUAL           8000u
#define VALUE_UNCHANGED 1234u
#define RATE            5000u /* the average growth per reply */

DWORD APIENTRY CrowdOpen(LPWSTR context);
DWORD APIENTRY CrowdCollect(LPWSTR query, LPVOID *data, LPDWORD bytes, LPDWORD objects);
DWORD APIENTRY CrowdClose(void);

typedef struct crowd_head {
    PERF_OBJECT_TYPE object;
    PERF_COUNTER_DEFINITION counters[COUNTERS_MOST];
} crowd_head;

typedef struct crowd_instance {
    PERF_INSTANCE_DEFINITION definition;
    wchar_t name[NAME_CHARS];
    PERF_COUNTER_BLOCK block;
    DWORD values[COUNTERS_MOST];
} crowd_instance;

static DWORD instance_count;
static DWORD counter_count;
static DWORD collect_count;

static DWORD environment_number(const wchar_t *name, DWORD other)
{
    wchar_t text[16];
    const DWORD chars = GetEnvironmentVariableW(name, text, 16);

    return chars > 0 && chars < 16 ? (DWORD)wcstoul(text, NULL, 10) : other;
}

/* Wine unloads a provider after each query, so the number is in the process's environment. */
static void count_collect(void)
{
    wchar_t text[16];

    collect_count = environment_number(L"PRFDATA_TEST_COLLECTS", 0) + 1;
    swprintf(text, 16, L"%lu", collect_count);
    SetEnvironmentVariableW(L"PRFDATA_TEST_COLLECTS", text);
}

static void set_crowd_counter(PERF_COUNTER_DEFINITION *counter, DWORD number)
{
    counter->ByteLength = sizeof *counter;
    counter->CounterNameTitleIndex = COUNTER + 2 * number;
    counter->CounterHelpTitleIndex = COUNTER + 2 * number + 1;
    counter->DetailLevel = PERF_DETAIL_NOVICE;
    counter->CounterType = number < COUNTERS_USUAL ? PERF_COUNTER_RAWCOUNT : PERF_COUNTER_COUNTER;
    counter->CounterSize = sizeof(DWORD);
    counter->CounterOffset =
        (DWORD)(offsetof(crowd_instance, values) - offsetof(crowd_instance, block)) +
        number * (DWORD)sizeof(DWORD);
}

static DWORD head_bytes(void)
{
    return (DWORD)offsetof(crowd_head, counters) +
           counter_count * (DWORD)sizeof(PERF_COUNTER_DEFINITION);
}

/* Returns the size of an instance's counter block, which follows the name. With this size, the
 * whole instance has a multiple of 8 bytes. */
static DWORD block_bytes(void)
{
    const DWORD bytes = (DWORD)(offsetof(crowd_instance, values) + counter_count * sizeof(DWORD));

    return (bytes + 7) / 8 * 8 - (DWORD)offsetof(crowd_instance, block);
}

static void set_crowd_head(crowd_head *head, DWORD bytes)
{
    memset(head, 0, head_bytes());
    head->object.TotalByteLength = bytes;
    head->object.DefinitionLength = head_bytes();
    head->object.HeaderLength = sizeof head->object;
    head->object.ObjectNameTitleIndex = OBJECT;
    head->object.ObjectHelpTitleIndex = OBJECT + 1;
    head->object.DetailLevel = PERF_DETAIL_NOVICE;
    head->object.NumCounters = counter_count;
    head->object.NumInstances = (LONG)instance_count;
    for (DWORD i = 0; i < counter_count; i++)
        set_crowd_counter(&head->counters[i], i);
}

/* Turns consecutive numbers into numbers that look random. */
static DWORD scatter(DWORD number)
{
    number = (number ^ number >> 16) * 0x7FEB352Du;
    number = (number ^ number >> 15) * 0x846CA68Bu;
    return number ^ number >> 16;
}

static void set_crowd_instance(crowd_instance *instance, DWORD number)
{
    memset(instance, 0, offsetof(crowd_instance, block) + block_bytes());
    instance->definition.ByteLength = offsetof(crowd_instance, block);
    instance->definition.UniqueID = PERF_NO_UNIQUE_ID;
    instance->definition.NameOffset = offsetof(crowd_instance, name);
    instance->definition.NameLength =
        (DWORD)(sizeof(wchar_t) *
                (1 + (size_t)swprintf(instance->name, NAME_CHARS, L"session %05lu", number)));
    instance->block.ByteLength = block_bytes();
    instance->values[0] = collect_count;
    instance->values[1] = number % 7 == 0 ? collect_count * (number % 100) : number % 100;
    instance->values[2] = VALUE_UNCHANGED;
    for (DWORD i = COUNTERS_USUAL; i < counter_count; i++)
        instance->values[i] = collect_count * RATE +
                              scatter(collect_count * MOST + number * COUNTERS_MOST + i) % RATE;
}

static bool is_crowd_wanted(const wchar_t *query)
{
    static const wchar_t title[] = L"7740000";

    if (!query)
        return false;
    if (_wcsicmp(query, L"Global") == 0 || _wcsicmp(query, L"OLD_Global") == 0)
        return environment_number(L"PRFDATA_TEST_GLOBAL", 0) != 0;
    if (_wcsnicmp(query, L"Foreign", 7) == 0)
        return false;
    while (*query) {
        const size_t length = wcscspn(query, L" ");

        if (length == wcslen(title) && wcsncmp(query, title, length) == 0)
            return true;
        query += length;
        query += wcsspn(query, L" ");
    }
    return false;
}

DWORD APIENTRY CrowdOpen(LPWSTR context)
{
    (void)context;
    instance_count = environment_number(L"PRFDATA_TEST_INSTANCES", USUAL);
    if (instance_count > MOST)
        instance_count = MOST;
    counter_count = environment_number(L"PRFDATA_TEST_COUNTERS", COUNTERS_USUAL);
    if (counter_count < COUNTERS_USUAL || counter_count > COUNTERS_MOST)
        counter_count = COUNTERS_USUAL;
    return ERROR_SUCCESS;
}

DWORD APIENTRY CrowdCollect(LPWSTR query, LPVOID *data, LPDWORD bytes, LPDWORD objects)
{
    const DWORD each = (DWORD)offsetof(crowd_instance, block) + block_bytes();
    const DWORD size = head_bytes() + instance_count * each;
    const DWORD room = *bytes;
    BYTE *instances;

    *bytes = 0;
    *objects = 0;
    if (!is_crowd_wanted(query))
        return ERROR_SUCCESS;
    if (room < size)
        return ERROR_MORE_DATA;
    count_collect();
    set_crowd_head(*data, size);
    instances = (BYTE *)*data + head_bytes();
    for (DWORD i = 0; i < instance_count; i++)
        set_crowd_instance((crowd_instance *)(void *)(instances + (size_t)i * each), i);
    *bytes = size;
    *data = (BYTE *)*data + size;
    *objects = 1;
    return ERROR_SUCCESS;
}

DWORD APIENTRY CrowdClose(void)
{
    return ERROR_SUCCESS;
}
