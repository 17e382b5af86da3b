/* SPDX-License-Identifier: MIT */
/* Implements a simple reader of HKEY_PERFORMANCE_DATA. Each question has its own reader process,
 * because the system remembers much about a provider within a process.
 *
 *     prfdata-kit -Read [<query>] [-service <name>] [-threads <n>] [-times <n>] [-exit] [-hold]
 *
 * Prints the last reply of its first thread: status, bytes, whether the service's first object is
 * in it, its numbers of instances and counters, its first value, milliseconds, and the ids of
 * process and thread. With -exit it does not close the key. With -hold it continues, with the key
 * open, until it is ended or ten minutes have passed. */
#include "kit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#include <winperf.h>

#include "probe.h"

enum { MOST_THREADS = 16, MOST_BYTES = 512 << 20 };

typedef struct kit_reader {
    const wchar_t *query;
    long times;
    DWORD first; /* the object's title index */
    HANDLE start;
    kit_reading reading;
} kit_reader;

/* Returns the title index of a service's first object. The probe has one even without loadperf. */
static DWORD first_counter(const wchar_t *service)
{
    DWORD first = PROBE_FIRST, bytes = sizeof first;
    wchar_t path[200];

    swprintf(path, 200, KIT_SERVICES L"\\%.80ls\\Performance", service);
    if (RegGetValueW(HKEY_LOCAL_MACHINE, path, L"First Counter", RRF_RT_REG_DWORD, NULL, &first,
                     &bytes) != ERROR_SUCCESS)
        first = PROBE_FIRST;
    return first;
}

static DWORD number_at(const BYTE *bytes, DWORD offset)
{
    DWORD number;

    memcpy(&number, bytes + offset, sizeof number);
    return number;
}

/* Reads the first counter of an object without instances. No number in the object is trusted. */
static void take_first_value(const BYTE *object, DWORD bytes, kit_reading *reading)
{
    DWORD definitions = number_at(object, 4), size, offset;

    reading->counters = (long)number_at(object, 32);
    if (reading->counters <= 0 ||
        bytes < sizeof(PERF_OBJECT_TYPE) + sizeof(PERF_COUNTER_DEFINITION))
        return;
    size = number_at(object, sizeof(PERF_OBJECT_TYPE) + 32);
    offset = number_at(object, sizeof(PERF_OBJECT_TYPE) + 36);
    if ((size != 4 && size != 8) || definitions > bytes || offset > bytes - definitions ||
        size > bytes - definitions - offset)
        return;
    reading->value = 0;
    memcpy(&reading->value, object + definitions + offset, size);
}

/* Searches the reply for the object. No number in the reply is trusted. */
static void look_for_object(const BYTE *reply, DWORD bytes, DWORD first, kit_reading *reading)
{
    DWORD at = bytes >= sizeof(PERF_DATA_BLOCK) ? number_at(reply, 24) : bytes;
    DWORD objects = bytes >= sizeof(PERF_DATA_BLOCK) ? number_at(reply, 28) : 0;

    for (; objects > 0 && at < bytes && bytes - at >= sizeof(PERF_OBJECT_TYPE); objects--) {
        const BYTE *object = reply + at;
        DWORD total = number_at(object, 0);

        if (number_at(object, 12) == first) {
            reading->has_object = 1;
            reading->instances = (long)number_at(object, 40);
            take_first_value(object, bytes - at, reading);
            return;
        }
        if (total == 0 || total > bytes - at)
            return;
        at += total;
    }
}

static void read_once(kit_reader *r)
{
    DWORD capacity = 65536, bytes, type;
    BYTE *reply = malloc(capacity);
    ULONGLONG begin = GetTickCount64();
    LONG status = ERROR_MORE_DATA;

    while (reply && status == ERROR_MORE_DATA && capacity < MOST_BYTES) {
        bytes = capacity;
        status = RegQueryValueExW(HKEY_PERFORMANCE_DATA, r->query, NULL, &type, reply, &bytes);
        if (status == ERROR_MORE_DATA) {
            free(reply);
            capacity *= 2;
            reply = malloc(capacity);
        }
    }
    memset(&r->reading, 0, sizeof r->reading);
    r->reading.status = reply ? (unsigned long)status : ERROR_NOT_ENOUGH_MEMORY;
    r->reading.elapsed = (unsigned long)(GetTickCount64() - begin);
    r->reading.process = GetCurrentProcessId();
    r->reading.thread = GetCurrentThreadId();
    if (reply && status == ERROR_SUCCESS) {
        r->reading.bytes = bytes;
        look_for_object(reply, bytes, r->first, &r->reading);
    }
    free(reply);
}

static DWORD WINAPI read_in_thread(void *context)
{
    kit_reader *r = context;

    WaitForSingleObject(r->start, INFINITE);
    for (long i = 0; i < r->times; i++)
        read_once(r);
    return 0;
}

static void read_with_threads(kit_reader *readers, long threads)
{
    HANDLE start = CreateEventW(NULL, TRUE, FALSE, NULL), handles[MOST_THREADS];
    DWORD id;

    for (long i = 0; i < threads; i++) {
        readers[i] = readers[0];
        readers[i].start = start;
        handles[i] = CreateThread(NULL, 0, read_in_thread, &readers[i], 0, &id);
    }
    SetEvent(start);
    for (long i = 0; i < threads; i++) {
        WaitForSingleObject(handles[i], INFINITE);
        CloseHandle(handles[i]);
    }
    CloseHandle(start);
}

static const wchar_t *option_text(int count, wchar_t **arguments, const wchar_t *name,
                                  const wchar_t *otherwise)
{
    for (int i = 0; i + 1 < count; i++) {
        if (wcscmp(arguments[i], name) == 0)
            return arguments[i + 1];
    }
    return otherwise;
}

static long option_number(int count, wchar_t **arguments, const wchar_t *name)
{
    return wcstol(option_text(count, arguments, name, L"1"), NULL, 10);
}

void kit_read_here(const wchar_t *service, kit_reading *reading)
{
    wchar_t number[16];
    kit_reader r;

    memset(&r, 0, sizeof r);
    r.first = first_counter(service);
    swprintf(number, 16, L"%u", (unsigned)r.first);
    r.query = number;
    read_once(&r);
    *reading = r.reading;
}

static bool has_option(int count, wchar_t **arguments, const wchar_t *name)
{
    for (int i = 0; i < count; i++) {
        if (wcscmp(arguments[i], name) == 0)
            return true;
    }
    return false;
}

int kit_reader_main(int count, wchar_t **arguments)
{
    kit_reader readers[MOST_THREADS];
    const kit_reading *seen = &readers[0].reading;
    long threads = option_number(count, arguments, L"-threads");
    wchar_t number[16];

    memset(readers, 0, sizeof readers);
    readers[0].first = first_counter(option_text(count, arguments, L"-service", PROBE_SERVICE));
    swprintf(number, 16, L"%u", (unsigned)readers[0].first);
    readers[0].query = count > 0 && arguments[0][0] != L'-' ? arguments[0] : number;
    readers[0].times = option_number(count, arguments, L"-times");
    if (threads > 1 && threads <= MOST_THREADS) {
        read_with_threads(readers, threads);
    } else {
        for (long i = 0; i < readers[0].times; i++)
            read_once(&readers[0]);
    }
    printf("%lu %lu %d %ld %ld %llu %lu %lu %lu\n", seen->status, seen->bytes, seen->has_object,
           seen->instances, seen->counters, seen->value, seen->elapsed, seen->process,
           seen->thread);
    fflush(stdout);
    if (has_option(count, arguments, L"-hold"))
        Sleep(10 * 60 * 1000); /* ends even if the kit has forgotten this process */
    if (!has_option(count, arguments, L"-exit"))
        RegCloseKey(HKEY_PERFORMANCE_DATA);
    return 0;
}
