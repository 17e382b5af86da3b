/* SPDX-License-Identifier: MIT */
/*
 * Reads performance counters with the Win32 API alone, from whatever provider: find the indexes of
 * titles, query objects by index, walk the structures of winperf.h, compute rates of two samples.
 * An example to copy: it depends on nothing else here. Windows only.
 *
 * - A reply is data that some provider wrote. Every length and offset in it is compared with what
 *   there is before it is used.
 * - Several services may have objects of one name; only the indexes are unique. Those of a service
 *   lie between its values `First Counter` and `Last Counter`.
 * - Values of 4 bytes only: all that RAS has.
 *
 * Functions return Win32 error codes; ERROR_INVALID_DATA: a reply or a list is damaged.
 */
#ifndef RAS_RAW_READER_H
#define RAS_RAW_READER_H

#include <windows.h>
#include <winperf.h>

/* ---- Titles ---- */

typedef struct raw_titles {
    wchar_t *list; /* index, NUL, name, NUL and so on; ends with an empty index */
} raw_titles;

/* Read all English names of objects and counters. Release with raw_titles_free(). */
DWORD raw_titles_read(raw_titles *titles);
void raw_titles_free(raw_titles *titles);

/* The first and the last title index of a service's counters and objects. */
DWORD raw_titles_of_service(const wchar_t *service, DWORD *first, DWORD *last);

/* The index of `name` between `first` and `last`; 0: none. */
DWORD raw_titles_index(const raw_titles *titles, const wchar_t *name, DWORD first, DWORD last);

/* The name at an index, in the list; NULL: none. */
const wchar_t *raw_titles_name(const raw_titles *titles, DWORD index);

/* ---- Samples ---- */

typedef struct raw_sample {
    BYTE *bytes;          /* of the reply */
    DWORD objects_offset; /* where the first PERF_OBJECT_TYPE stands in it */
    DWORD objects_bytes;
    DWORD object_count;
    LONGLONG ticks; /* PerfTime and PerfFreq: when it was taken */
    LONGLONG ticks_per_second;
} raw_sample;

/*
 * Ask the system. `query`: title indexes of objects with blanks between, such as L"780 906". The
 * system keeps the providers loaded until RegCloseKey(HKEY_PERFORMANCE_DATA). Release with
 * raw_sample_free().
 */
DWORD raw_sample_query(const wchar_t *query, raw_sample *sample);

typedef DWORD(APIENTRY *raw_open)(LPWSTR);
typedef DWORD(APIENTRY *raw_collect)(LPWSTR, LPVOID *, LPDWORD, LPDWORD);
typedef DWORD(APIENTRY *raw_close)(void);

typedef struct raw_dll {
    HMODULE module;
    raw_open open;
    raw_collect collect;
    raw_close close;
} raw_dll;

/* Load a provider and open it, as the system would: the service's key names its functions. */
DWORD raw_dll_open(const wchar_t *path, const wchar_t *service, raw_dll *dll);
void raw_dll_close(raw_dll *dll);

/* Ask the provider for all that it has. Release with raw_sample_free(). */
DWORD raw_sample_collect(const raw_dll *dll, raw_sample *sample);

void raw_sample_free(raw_sample *sample);

/* ---- Values ---- */

typedef struct raw_value {
    DWORD object;            /* title index */
    const wchar_t *instance; /* L"": the object has no instances; valid during the call */
    DWORD counter;           /* title index */
    DWORD type;              /* PERF_COUNTER_... */
    DWORD value;
} raw_value;

/* Call `each` for every value of 4 bytes. ERROR_INVALID_DATA: those before the damage were told. */
DWORD raw_sample_walk(const raw_sample *sample, void (*each)(void *context, const raw_value *value),
                      void *context);

/* The value that `sample` has for the same counter and instance; ERROR_NOT_FOUND: none. */
DWORD raw_sample_value(const raw_sample *sample, const raw_value *like, DWORD *value);

/*
 * PERF_COUNTER_COUNTER: per second, between two samples. A counter that wrapped in between is no
 * less right. 0 if no time has passed.
 */
double raw_rate(const raw_sample *older, DWORD older_value, const raw_sample *newer,
                DWORD newer_value);

#endif
