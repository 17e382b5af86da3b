/* SPDX-License-Identifier: MIT */
/* Tests what titles mean while counters are installed repeatedly; tests/scripts/labels.py runs it.
 * The value of each counter contains the counter's id, so an incorrect title is noticed.
 *
 *     labels publish FILE   publish the map's counters until it is killed
 *     labels once SERVICE   a reader that loads the titles and the DLL once, as many programs do:
 *                           read repeatedly until the input ends, and print each value that does
 *                           not belong to the title that was loaded */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#include <windows.h>
#include <winperf.h>

#include <prfdata/map_file.h>
#include <prfdata/prfdata.h>

#include "map/maps.h"
#include "support/must.h"

int wmain(int argument_count, wchar_t **arguments);

enum { ROOM = 1024 * 1024, PAUSE_MS = 20, MOST_TITLES = 20000 };

/* Returns the value of a counter. When the counter of an id begins to accumulate, it is another
 * counter, so the id gets another value. */
static int64_t value_of(uint32_t id, bool accumulates)
{
    return (int64_t)id * 1000 + (accumulates ? 500 : 0);
}

static bool is_accumulating(const prfdata_map *map, uint32_t line)
{
    for (line++; line < map->entry_count && map->entries[line].kind == PRFDATA_ENTRY_OPTION; line++)
        if (map->entries[line].option == PRFDATA_OPTION_ACCUMULATING)
            return true;
    return false;
}

static int publish(const wchar_t *file)
{
    prfdata_publisher *publisher;
    prfdata_map *map;

    MUST(prfdata_map_file_read(file, NULL, NULL, &map) == ERROR_SUCCESS);
    MUST(prfdata_open(map, &publisher) == ERROR_SUCCESS);
    for (uint32_t i = 0; i < map->entry_count; i++) {
        const uint32_t id = map->entries[i].id;
        prfdata_handle handle;

        if (map->entries[i].kind != PRFDATA_ENTRY_COUNTER)
            continue;
        MUST(prfdata_resolve(publisher, id, NULL, &handle) == ERROR_SUCCESS);
        if (is_accumulating(map, i))
            prfdata_add(handle, value_of(id, true));
        else
            prfdata_set(handle, value_of(id, false));
    }
    printf("published\n");
    fflush(stdout);
    Sleep(INFINITE);
    return 0;
}

typedef struct labels_reader {
    PM_COLLECT_PROC *collect;
    DWORD first;                   /* First Counter when the titles were loaded */
    int64_t expected[MOST_TITLES]; /* the expected value for each title; 0: there was no title */
    unsigned char *room;
    unsigned long values;
    unsigned long wrong;
} labels_reader;

static void get_value(const wchar_t *service, const wchar_t *name, DWORD flags, void *data,
                      DWORD size)
{
    wchar_t key[160];

    (void)swprintf(key, 160, L"SYSTEM\\CurrentControlSet\\Services\\%ls\\Performance", service);
    MUST(RegGetValueW(HKEY_LOCAL_MACHINE, key, name, flags, NULL, data, &size) == ERROR_SUCCESS);
}

/* The titles are taken from the map, because Wine stores none. */
static void load_titles(labels_reader *at, const wchar_t *service)
{
    static unsigned char bytes[PRFDATA_MAX_MAPS_BYTES];
    prfdata_model_title title = {0};
    prfdata_model *model;

    get_value(service, L"Maps", RRF_RT_REG_BINARY, bytes, sizeof bytes);
    get_value(service, L"First Counter", RRF_RT_REG_DWORD, &at->first, sizeof at->first);
    MUST(prfdata_maps_current(bytes, prfdata_bytes_get32((prfdata_bytes){bytes, 16}, 8), &model) ==
         ERROR_SUCCESS);
    while (prfdata_model_next_title(model, &title))
        if (title.counter)
            at->expected[prfdata_model_title_offset(&title) / 2] = value_of(
                title.counter->entry->id, title.counter->merging == PRFDATA_MERGING_ACCUMULATE);
    prfdata_model_free(model);
}

static void load_dll(labels_reader *at, const wchar_t *service)
{
    wchar_t path[MAX_PATH];
    wchar_t names[100] = {0};
    HMODULE dll;
    union {
        FARPROC untyped;
        PM_OPEN_PROC *open;
        PM_COLLECT_PROC *collect;
    } function;

    get_value(service, L"Library", RRF_RT_REG_SZ, path, sizeof path);
    dll = LoadLibraryW(path);
    MUST(dll != NULL);
    (void)swprintf(names, 98, L"%ls", service);
    function.untyped = GetProcAddress(dll, "PrfDataOpen");
    MUST(function.untyped && function.open(names) == ERROR_SUCCESS);
    function.untyped = GetProcAddress(dll, "PrfDataCollect");
    MUST(function.untyped != NULL);
    at->collect = function.collect;
    /* cppcheck-suppress resourceLeak; the DLL stays loaded until this program ends */
}

static void check_counter(labels_reader *at, const unsigned char *block,
                          const PERF_COUNTER_DEFINITION *counter)
{
    const DWORD number = (counter->CounterNameTitleIndex - at->first) / 2;
    int64_t value = 0;

    memcpy(&value, block + counter->CounterOffset, counter->CounterSize);
    at->values++;
    if (value == 0 || counter->CounterNameTitleIndex < at->first || number >= MOST_TITLES ||
        at->expected[number] == 0 || at->expected[number] == value)
        return; /* right; or nobody publishes this counter now; or the reader has no name for it */
    at->wrong++;
    printf("wrong: index %lu shows %lld, and was %lld\n", counter->CounterNameTitleIndex,
           (long long)value, (long long)at->expected[number]);
    fflush(stdout);
}

/* Reads all objects once. They have no instances. */
static void read_once(labels_reader *at)
{
    static wchar_t query[] = L"Global";
    void *end = at->room;
    DWORD bytes = ROOM, objects = 0;
    const unsigned char *from = at->room;

    MUST(at->collect(query, &end, &bytes, &objects) == ERROR_SUCCESS);
    for (; objects > 0; objects--) {
        const PERF_OBJECT_TYPE *object = (const void *)from;
        const unsigned char *counter = from + object->HeaderLength;

        for (DWORD i = 0; i < object->NumCounters; i++) {
            check_counter(at, from + object->DefinitionLength, (const void *)counter);
            counter += ((const PERF_COUNTER_DEFINITION *)(const void *)counter)->ByteLength;
        }
        from += object->TotalByteLength;
    }
}

static DWORD WINAPI wait_for_end(void *context)
{
    (void)context;
    while (getchar() != EOF) {
    }
    return 0;
}

static int read_with_first_titles(const wchar_t *service)
{
    HANDLE input = CreateThread(NULL, 0, wait_for_end, NULL, 0, NULL);
    labels_reader *at = calloc(1, sizeof *at);

    MUST(at && input);
    at->room = malloc(ROOM);
    MUST(at->room != NULL);
    load_titles(at, service);
    load_dll(at, service);
    printf("reads\n");
    fflush(stdout);
    while (WaitForSingleObject(input, PAUSE_MS) == WAIT_TIMEOUT)
        read_once(at);
    printf("%lu values, %lu wrong\n", at->values, at->wrong);
    return at->wrong > 0;
}

int wmain(int argument_count, wchar_t **arguments)
{
    if (argument_count == 3 && wcscmp(arguments[1], L"publish") == 0)
        return publish(arguments[2]);
    if (argument_count == 3 && wcscmp(arguments[1], L"once") == 0)
        return read_with_first_titles(arguments[2]);
    return 2;
}
