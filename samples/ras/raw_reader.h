/* SPDX-License-Identifier: MIT */
/*
 * Reads the performance counters of any provider with only the Win32 API: finds the indexes of
 * titles, queries objects by index, walks the structures of winperf.h, and computes rates from two
 * samples. It is an example to copy and depends on nothing else of PrfData.
 *
 * - A reply is data that a provider wrote. Every length and offset in it is checked before it is
 *   used.
 * - Several services may have objects of the same name; only the indexes are unique. The indexes of
 *   a service are those from its value `First Counter` to its value `Last Counter`.
 * - Windows' RAS objects have only values of 4 bytes, and no bases. So this reader skips values of
 *   another size, and bases.
 *
 * Functions return Win32 error codes. ERROR_INVALID_DATA means that a reply is damaged.
 * Windows only.
 */
#ifndef RAS_RAW_READER_H
#define RAS_RAW_READER_H

#include <windows.h>
#include <winperf.h>

typedef struct raw_titles {
    wchar_t *list; /* index, NUL, name, NUL and so on, up to an empty index */
} raw_titles;

/* Read all English names of objects and counters. Release with raw_titles_free(). */
DWORD raw_titles_read(raw_titles *titles);
void raw_titles_free(raw_titles *titles);

/* Find the first and the last title index of a service's objects and counters. */
DWORD raw_titles_of_service(const wchar_t *service, DWORD *first, DWORD *last);

/* Return the index of the title `name` from `first` to `last`; 0 if there is none. */
DWORD raw_titles_index(const raw_titles *titles, const wchar_t *name, DWORD first, DWORD last);

/* Return the name at an index, within the list; NULL if there is none. */
const wchar_t *raw_titles_name(const raw_titles *titles, DWORD index);

typedef struct raw_sample {
    BYTE *bytes;          /* the reply */
    DWORD objects_offset; /* offset of the first PERF_OBJECT_TYPE in `bytes` */
    DWORD objects_bytes;
    DWORD object_count;
    LONGLONG ticks;            /* PerfTime: when the sample was taken */
    LONGLONG ticks_per_second; /* PerfFreq */
} raw_sample;

/*
 * Query HKEY_PERFORMANCE_DATA.
 *
 * query   Title indexes of objects, separated by blanks, such as L"780 906".
 * sample  On success the reply; release it with raw_sample_free().
 *
 * The system keeps the providers loaded until RegCloseKey(HKEY_PERFORMANCE_DATA).
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

/* Load a provider DLL and call its Open. The service's registry key names the DLL's functions. */
DWORD raw_dll_open(const wchar_t *path, const wchar_t *service, raw_dll *dll);
void raw_dll_close(raw_dll *dll);

/* Collect all objects of the provider. Release the sample with raw_sample_free(). */
DWORD raw_sample_collect(const raw_dll *dll, raw_sample *sample);

void raw_sample_free(raw_sample *sample);

typedef struct raw_value {
    DWORD object;            /* title index */
    const wchar_t *instance; /* L"": the object has no instances; valid during the call */
    DWORD counter;           /* title index */
    DWORD type;              /* PERF_COUNTER_... */
    DWORD value;
} raw_value;

/*
 * Call `each` for every value of 4 bytes, except those that readers do not show, such as bases. If
 * the reply is damaged, the function has called `each` for the values before the damage, and
 * returns ERROR_INVALID_DATA.
 */
DWORD raw_sample_walk(const raw_sample *sample, void (*each)(void *context, const raw_value *value),
                      void *context);

/* Returns whether a sample whose walk failed has the form of Wine's HKEY_PERFORMANCE_DATA: its
 * objects are sizeof(PERF_DATA_BLOCK) bytes after the place that the header names. */
BOOL raw_sample_is_misplaced(const raw_sample *sample);

/* Find the value of `like`'s counter and instance in `sample`. If there is none, return
 * ERROR_NOT_FOUND. */
DWORD raw_sample_value(const raw_sample *sample, const raw_value *like, DWORD *value);

/*
 * Compute the rate per second of a PERF_COUNTER_COUNTER from two samples. The counter may have
 * wrapped once between them. Returns 0 if no time has passed.
 */
double raw_rate(const raw_sample *older, DWORD older_value, const raw_sample *newer,
                DWORD newer_value);

#endif
