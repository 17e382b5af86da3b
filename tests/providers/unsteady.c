/* SPDX-License-Identifier: MIT */
/*
 * A provider for the test of prfview. It prints whenever it is asked, as some do, and does not
 * answer while the file exists that the environment variable PRFDATA_TEST_HANGS names. Its object
 * has no instances and one counter, which is always 42; no map names them.
 */
#include <stdio.h>
#include <string.h>
#include <wchar.h>

#include <windows.h>
#include <winperf.h>

#define OBJECT  7720000u
#define COUNTER 7720002u
#define VALUE   42u

DWORD APIENTRY UnsteadyOpen(LPWSTR context);
DWORD APIENTRY UnsteadyCollect(LPWSTR query, LPVOID *data, LPDWORD bytes, LPDWORD objects);
DWORD APIENTRY UnsteadyClose(void);

typedef struct unsteady_reply {
    PERF_OBJECT_TYPE object;
    PERF_COUNTER_DEFINITION counter;
    PERF_COUNTER_BLOCK block;
    DWORD value;
} unsteady_reply;

static void print_noise(void)
{
    static const char noise[] = "A provider has been asked.\n";
    DWORD written;

    (void)WriteFile(GetStdHandle(STD_OUTPUT_HANDLE), noise, sizeof noise - 1, &written, NULL);
    (void)fputs(noise, stdout);
    (void)fflush(stdout);
}

static void wait_while_file_exists(void)
{
    wchar_t path[MAX_PATH];
    const DWORD chars = GetEnvironmentVariableW(L"PRFDATA_TEST_HANGS", path, MAX_PATH);

    while (chars > 0 && chars < MAX_PATH && GetFileAttributesW(path) != INVALID_FILE_ATTRIBUTES)
        Sleep(20);
}

static unsteady_reply whole_reply(void)
{
    unsteady_reply reply = {0};

    reply.object.TotalByteLength = sizeof reply;
    reply.object.DefinitionLength = sizeof reply.object + sizeof reply.counter;
    reply.object.HeaderLength = sizeof reply.object;
    reply.object.ObjectNameTitleIndex = OBJECT;
    reply.object.ObjectHelpTitleIndex = OBJECT + 1;
    reply.object.DetailLevel = PERF_DETAIL_NOVICE;
    reply.object.NumCounters = 1;
    reply.object.NumInstances = PERF_NO_INSTANCES;
    reply.counter.ByteLength = sizeof reply.counter;
    reply.counter.CounterNameTitleIndex = COUNTER;
    reply.counter.CounterHelpTitleIndex = COUNTER + 1;
    reply.counter.DetailLevel = PERF_DETAIL_NOVICE;
    reply.counter.CounterType = PERF_COUNTER_RAWCOUNT;
    reply.counter.CounterSize = sizeof reply.value;
    reply.counter.CounterOffset = sizeof reply.block;
    reply.block.ByteLength = sizeof reply.block + sizeof reply.value;
    reply.value = VALUE;
    return reply;
}

DWORD APIENTRY UnsteadyOpen(LPWSTR context)
{
    (void)context;
    return ERROR_SUCCESS;
}

DWORD APIENTRY UnsteadyCollect(LPWSTR query, LPVOID *data, LPDWORD bytes, LPDWORD objects)
{
    const unsteady_reply reply = whole_reply();
    const DWORD room = *bytes;

    *bytes = 0;
    *objects = 0;
    if (!wcsstr(query, L"7720000"))
        return ERROR_SUCCESS;
    print_noise();
    wait_while_file_exists();
    if (room < sizeof reply)
        return ERROR_MORE_DATA; /* a reader asks again with more room */
    *bytes = sizeof reply;
    memcpy(*data, &reply, sizeof reply);
    *data = (BYTE *)*data + sizeof reply;
    *objects = 1;
    return ERROR_SUCCESS;
}

DWORD APIENTRY UnsteadyClose(void)
{
    return ERROR_SUCCESS;
}
