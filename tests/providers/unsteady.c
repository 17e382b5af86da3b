/* SPDX-License-Identifier: MIT */
/* Implements a provider for tests of readers. It prints whenever it is asked for an object, as some
 * providers do. Its two objects have no instances and one counter each, which is always 42. No map
 * names these objects. The provider behaves as if they belonged to two providers. The environment
 * variable PRFDATA_TEST_MOOD names a file that says how the provider behaves:
 *
 *   hang             a question for the first object waits while the file says hang
 *   crash            a question for the first object crashes the process
 *   slow <a> <b>     an answer takes <a> ms if it has the first object, plus <b> ms if it has the
 *                    second object
 *
 * While the file says hang, questions for the titles 7720100 to 7720199 also wait, as if more
 * providers hung. No objects have these titles.
 *
 * Each question for the first object adds a byte to a second file. The name of the second file is
 * the name of the first file with "-asked" appended. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#include <windows.h>
#include <winperf.h>

#define FIRST_OBJECT  7720000u /* its counter's title is 2 more */
#define SECOND_OBJECT 7720010u
#define VALUE         42u

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

/* Opens the file that PRFDATA_TEST_MOOD names, with `suffix` appended. Returns NULL if there is no
 * such file or variable. */
static FILE *open_mood(const wchar_t *suffix, const wchar_t *how)
{
    wchar_t path[MAX_PATH];
    const DWORD chars = GetEnvironmentVariableW(L"PRFDATA_TEST_MOOD", path, MAX_PATH);

    if (chars == 0 || chars + wcslen(suffix) >= MAX_PATH)
        return NULL;
    wcscat(path, suffix);
    return _wfopen(path, how);
}

static void read_mood(char mood[64])
{
    FILE *file = open_mood(L"", L"rb");
    size_t size = 0;

    if (file) {
        size = fread(mood, 1, 63, file);
        (void)fclose(file);
    }
    mood[size] = 0;
}

static void count_question(void)
{
    FILE *file = open_mood(L"-asked", L"ab");

    if (file) {
        (void)fputc('.', file);
        (void)fclose(file);
    }
}

static void wait_while_hanging(void)
{
    char mood[64];

    for (read_mood(mood); strncmp(mood, "hang", 4) == 0; read_mood(mood))
        Sleep(20);
}

static void behave(BOOL asks_first, BOOL asks_second)
{
    static volatile int *const nowhere = NULL;
    char mood[64];
    char *at = mood + 5;
    DWORD first;
    DWORD second;

    read_mood(mood);
    if (strncmp(mood, "crash", 5) == 0 && asks_first)
        *nowhere = 0;
    if (strncmp(mood, "hang", 4) == 0 && asks_first)
        wait_while_hanging();
    if (strncmp(mood, "slow ", 5) != 0)
        return;
    first = strtoul(at, &at, 10);
    second = strtoul(at, &at, 10);
    Sleep((asks_first ? first : 0) + (asks_second ? second : 0));
}

static unsteady_reply whole_reply(DWORD title)
{
    unsteady_reply reply = {0};

    reply.object.TotalByteLength = sizeof reply;
    reply.object.DefinitionLength = sizeof reply.object + sizeof reply.counter;
    reply.object.HeaderLength = sizeof reply.object;
    reply.object.ObjectNameTitleIndex = title;
    reply.object.ObjectHelpTitleIndex = title + 1;
    reply.object.DetailLevel = PERF_DETAIL_NOVICE;
    reply.object.NumCounters = 1;
    reply.object.NumInstances = PERF_NO_INSTANCES;
    reply.counter.ByteLength = sizeof reply.counter;
    reply.counter.CounterNameTitleIndex = title + 2;
    reply.counter.CounterHelpTitleIndex = title + 3;
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
    const BOOL asks_first = wcsstr(query, L"7720000") != NULL;
    const BOOL asks_second = wcsstr(query, L"7720010") != NULL;
    const BOOL asks_others = wcsstr(query, L"77201") != NULL;
    unsteady_reply replies[2];
    const DWORD room = *bytes;
    DWORD count = 0;

    *bytes = 0;
    *objects = 0;
    if (!asks_first && asks_others)
        wait_while_hanging();
    if (!asks_first && !asks_second)
        return ERROR_SUCCESS;
    print_noise();
    if (asks_first)
        count_question();
    behave(asks_first, asks_second);
    if (asks_first)
        replies[count++] = whole_reply(FIRST_OBJECT);
    if (asks_second)
        replies[count++] = whole_reply(SECOND_OBJECT);
    if (room < count * sizeof replies[0])
        return ERROR_MORE_DATA;
    *bytes = count * (DWORD)sizeof replies[0];
    memcpy(*data, replies, *bytes);
    *data = (BYTE *)*data + *bytes;
    *objects = count;
    return ERROR_SUCCESS;
}

DWORD APIENTRY UnsteadyClose(void)
{
    return ERROR_SUCCESS;
}
