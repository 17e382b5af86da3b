/* SPDX-License-Identifier: MIT */
/* Implements a reader that runs all the time. It reads the total of a counter repeatedly, and ends
 * with 1 if the total falls, is higher than the goal, or has not reached the goal after two
 * minutes. It does not know the map. It takes the first PERF_COUNTER_LARGE_RAWCOUNT of an object
 * that has the instance `_Total`.
 *
 *     watch SERVICE GOAL   read until the total is GOAL
 *     watch SERVICE        read until the input ends; each of its lines is the next goal, and is
 *                          printed when the total has reached it
 *
 * Each reading is made in two ways: by RegQueryValueEx on HKEY_PERFORMANCE_DATA, and by the DLL
 * that was registered when the reader began. Windows keeps that DLL loaded and open as long as a
 * reader has HKEY_PERFORMANCE_DATA open. Wine loads the registered DLL for each query, so there the
 * first way is a new reader each time, and the second one is the reader that keeps the old DLL. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <wchar.h>

#include <windows.h>
#include <winperf.h>

#include "support/must.h"
#include "support/provider/perf_reader.h"

int wmain(int argument_count, wchar_t **arguments);

enum { ROOM = 1024 * 1024, LIMIT_MS = 120 * 1000, NO_GOAL = -1, ENDED = -2 };
enum { WAYS = 2, BY_SYSTEM = 0, BY_DLL };
/* Offsets in PERF_DATA_BLOCK, PERF_OBJECT_TYPE and PERF_COUNTER_DEFINITION. */
enum { HEADER_LENGTH = 24, OBJECT_TITLE = 12, NUM_COUNTERS = 32, COUNTER_TYPE = 28 };
enum { NUM_OBJECT_TYPES = 28, LARGE_RAWCOUNT = 0x00010100 };

typedef struct watching {
    wchar_t key[160];
    PM_COLLECT_PROC *collect;
    PM_CLOSE_PROC *close;
    unsigned char *room;
    int64_t first[WAYS];
    int64_t last[WAYS]; /* NO_GOAL: nothing has been read yet */
    uint64_t readings[WAYS];
} watching;

static const char *const way_texts[WAYS] = {"by the system", "by the first DLL"};

static LONG64 goal = NO_GOAL; /* set by the thread that reads the input */

static DWORD registered_number(const watching *at, const wchar_t *name)
{
    DWORD number = 0, size = sizeof number;

    RegGetValueW(HKEY_LOCAL_MACHINE, at->key, name, RRF_RT_REG_DWORD, NULL, &number, &size);
    return number;
}

static void open_registered_dll(watching *at)
{
    wchar_t path[MAX_PATH];
    DWORD size = sizeof path;
    HMODULE dll;
    PM_OPEN_PROC *open;

    MUST(RegGetValueW(HKEY_LOCAL_MACHINE, at->key, L"Library", RRF_RT_ANY, NULL, path, &size) == 0);
    dll = LoadLibraryW(path);
    MUST(dll != NULL);
    open = (PM_OPEN_PROC *)(void (*)(void))GetProcAddress(dll, "PrfDataOpen");
    at->collect = (PM_COLLECT_PROC *)(void (*)(void))GetProcAddress(dll, "PrfDataCollect");
    at->close = (PM_CLOSE_PROC *)(void (*)(void))GetProcAddress(dll, "PrfDataClose");
    MUST(open && at->collect && at->close);
    MUST(open(NULL) == ERROR_SUCCESS);
}

static uint32_t number_in(const unsigned char *at)
{
    return (uint32_t)at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

static bool has_total(const perf_reply *reply, uint32_t title, int64_t *value)
{
    const uint32_t counters = perf_reader_object_field(reply, title, NUM_COUNTERS);
    uint64_t found;

    for (uint32_t i = 0; i < counters; i++)
        if (perf_reader_counter_field(reply, title, i, COUNTER_TYPE) == LARGE_RAWCOUNT &&
            perf_reader_value(reply, title, NULL, "_Total", i, &found)) {
            *value = (int64_t)found;
            return true;
        }
    return false;
}

static bool find_total(const perf_reply *reply, uint32_t from, uint32_t to, int64_t *value)
{
    size_t offset = 0;

    if (perf_reader_mistake(reply)) {
        printf("a reply is malformed: %s\n", perf_reader_mistake(reply));
        exit(1);
    }
    for (uint32_t i = 0; i < reply->object_count; i++) {
        const unsigned char *object = reply->bytes + offset;
        const uint32_t title = number_in(object + OBJECT_TITLE);

        if (title >= from && title <= to && has_total(reply, title, value))
            return true;
        offset += number_in(object);
    }
    return false;
}

/* Returns false if the service is not shown now, for instance because it is being installed. */
static bool read_by_system(watching *at, int64_t *value)
{
    const DWORD from = registered_number(at, L"First Counter");
    const DWORD to = registered_number(at, L"Last Counter");
    DWORD size = ROOM;
    perf_reply reply;
    uint32_t header;

    MUST(RegQueryValueExW(HKEY_PERFORMANCE_DATA, L"Global", NULL, NULL, at->room, &size) == 0);
    header = number_in(at->room + HEADER_LENGTH);
    MUST(header <= size);
    reply.bytes = at->room + header;
    reply.size = size - header;
    reply.object_count = number_in(at->room + NUM_OBJECT_TYPES);
    return from > 0 && find_total(&reply, from, to, value);
}

static bool read_by_dll(watching *at, int64_t *value)
{
    wchar_t query[] = L"Global";
    void *end = at->room;
    DWORD size = ROOM;
    DWORD objects = 0;
    perf_reply reply = {at->room, 0, 0};

    MUST(at->collect(query, &end, &size, &objects) == ERROR_SUCCESS);
    reply.size = size;
    reply.object_count = objects;
    return find_total(&reply, 0, UINT32_MAX, value);
}

static void note_total(watching *at, int way, int64_t value, int64_t wanted)
{
    if (value < at->last[way]) {
        printf("%s: the total fell from %lld to %lld\n", way_texts[way], (long long)at->last[way],
               (long long)value);
        exit(1);
    }
    if (wanted >= 0 && value > wanted) {
        printf("%s: the total is %lld, more than %lld\n", way_texts[way], (long long)value,
               (long long)wanted);
        exit(1);
    }
    if (at->last[way] == NO_GOAL)
        at->first[way] = value;
    at->last[way] = value;
    at->readings[way]++;
}

/* Read in both ways. Returns whether both show the goal. */
static bool read_both(watching *at, int64_t wanted)
{
    int64_t value;

    if (read_by_system(at, &value))
        note_total(at, BY_SYSTEM, value, wanted);
    if (read_by_dll(at, &value))
        note_total(at, BY_DLL, value, wanted);
    return wanted >= 0 && at->last[BY_SYSTEM] == wanted && at->last[BY_DLL] == wanted;
}

static void print_summary(const watching *at)
{
    for (int i = 0; i < WAYS; i++)
        printf("%s: from %lld to %lld in %llu readings, and it never fell\n", way_texts[i],
               (long long)at->first[i], (long long)at->last[i],
               (unsigned long long)at->readings[i]);
}

static DWORD WINAPI read_goals(void *context)
{
    char line[64];

    (void)context;
    while (fgets(line, sizeof line, stdin)) {
        while (InterlockedCompareExchange64(&goal, strtoll(line, NULL, 10), NO_GOAL) != NO_GOAL)
            Sleep(1);
    }
    while (InterlockedCompareExchange64(&goal, ENDED, NO_GOAL) != NO_GOAL)
        Sleep(1);
    return 0;
}

/* Returns the exit code. If `is_only_one`, ends when the first goal is reached. A goal may be set
 * before its jobs are done, so a total may be below the goal, but not above it. */
static int watch_goals(watching *at, bool is_only_one)
{
    ULONGLONG since = GetTickCount64();
    int64_t before = NO_GOAL;

    for (;;) {
        const int64_t wanted = InterlockedCompareExchange64(&goal, NO_GOAL, NO_GOAL);

        if (wanted != before)
            since = GetTickCount64();
        before = wanted;
        if (wanted == ENDED)
            return 0;
        if (read_both(at, wanted)) {
            if (is_only_one)
                return 0;
            printf("%lld\n", (long long)wanted);
            fflush(stdout);
            InterlockedExchange64(&goal, NO_GOAL);
        } else if (wanted != NO_GOAL && GetTickCount64() - since > LIMIT_MS) {
            printf("%lld is not reached: %s %lld, %s %lld\n", (long long)wanted,
                   way_texts[BY_SYSTEM], (long long)at->last[BY_SYSTEM], way_texts[BY_DLL],
                   (long long)at->last[BY_DLL]);
            return 1;
        }
        Sleep(5);
    }
}

int wmain(int argument_count, wchar_t **arguments)
{
    static watching at = {.last = {NO_GOAL, NO_GOAL}};
    int exit_code;

    MUST(argument_count == 2 || argument_count == 3);
    (void)swprintf(at.key, sizeof at.key / sizeof at.key[0],
                   L"SYSTEM\\CurrentControlSet\\Services\\%ls\\Performance", arguments[1]);
    at.room = malloc(ROOM);
    MUST(at.room != NULL);
    open_registered_dll(&at);
    if (argument_count == 3)
        goal = wcstoll(arguments[2], NULL, 10);
    else
        MUST(CreateThread(NULL, 0, read_goals, NULL, 0, NULL) != NULL);
    read_both(&at, NO_GOAL);
    printf("it reads %lld\n", (long long)at.last[BY_SYSTEM]);
    fflush(stdout);
    exit_code = watch_goals(&at, argument_count == 3);
    if (exit_code == 0)
        print_summary(&at);
    MUST(at.close() == ERROR_SUCCESS);
    RegCloseKey(HKEY_PERFORMANCE_DATA);
    return exit_code;
}
