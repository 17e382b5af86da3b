/* SPDX-License-Identifier: MIT */
/*
 * Reads the counters of remote access twice and prints their values and rates. It uses only the
 * Win32 API (raw_reader.h): it finds the objects by their names, reads samples, and computes the
 * rates. A console program for Windows.
 */
#include <stdio.h>
#include <stdlib.h>
#include <wchar.h>

#include "raw_reader.h"

static const char help[] =
    "Reads RAS Port and RAS Total twice, a second apart; prints values and rates.\n"
    "\n"
    "  ras_reader                       finds the indexes of both objects among the titles of the\n"
    "                                   service RasSample, and queries HKEY_PERFORMANCE_DATA\n"
    "  ras_reader 1960 1996             queries these indexes, for systems whose titles have no "
    "texts\n"
    "  ras_reader -dll RasSamplePrf.dll calls the provider DLL directly\n"
    "  ras_reader -service RemoteAccess reads the objects of Windows' own service\n"
    "  ras_reader -enter                takes the second sample when Enter is pressed\n"
    "\n"
    "The first line shows the time of both samples, and the ticks per second. Exit codes: 0 done,\n"
    "1 failed, 2 wrong command line. Wine has no texts of titles, and puts the objects where no\n"
    "reader finds them: there only -dll reads.\n";

typedef struct ras_reader_arguments {
    const wchar_t *service;
    const wchar_t *dll; /* NULL: through the registry */
    BOOL enter;
    BOOL help;
    wchar_t query[256];
} ras_reader_arguments;

static BOOL add_index(ras_reader_arguments *parsed, const wchar_t *index)
{
    if (wcslen(index) != wcsspn(index, L"0123456789") ||
        wcslen(parsed->query) + wcslen(index) + 2 > sizeof parsed->query / sizeof *parsed->query)
        return FALSE;
    if (parsed->query[0])
        wcscat(parsed->query, L" ");
    wcscat(parsed->query, index);
    return TRUE;
}

static BOOL parse_arguments(ras_reader_arguments *parsed, wchar_t **argv)
{
    while (*++argv) {
        if (_wcsicmp(*argv, L"-enter") == 0)
            parsed->enter = TRUE;
        else if (_wcsicmp(*argv, L"-service") == 0 && argv[1])
            parsed->service = *++argv;
        else if (_wcsicmp(*argv, L"-dll") == 0 && argv[1])
            parsed->dll = *++argv;
        else if (wcscmp(*argv, L"-?") == 0 || wcscmp(*argv, L"/?") == 0)
            parsed->help = TRUE;
        else if (!add_index(parsed, *argv))
            return FALSE;
    }
    return TRUE;
}

typedef struct ras_reading {
    raw_titles titles;
    raw_sample first;
    raw_sample second;
} ras_reading;

static void print_name(const raw_titles *titles, DWORD index)
{
    const wchar_t *name = raw_titles_name(titles, index);

    if (name)
        printf("%ls", name);
    else
        printf("%lu", index);
}

static void print_value(void *context, const raw_value *value)
{
    const ras_reading *r = context;
    DWORD before;

    if (raw_sample_value(&r->first, value, &before) != ERROR_SUCCESS)
        return; /* a new instance: it was not in the first sample */
    printf("%10lu  %10lu  ", before, value->value);
    if (value->type == PERF_COUNTER_COUNTER)
        printf("%14.3f  \\", raw_rate(&r->first, before, &r->second, value->value));
    else
        printf("%14s  \\", "");
    print_name(&r->titles, value->object);
    if (value->instance[0])
        printf("(%ls)", value->instance);
    printf("\\");
    print_name(&r->titles, value->counter);
    printf("\n");
}

static DWORD print_reading(ras_reading *r)
{
    printf("ticks %lld to %lld, %lld per second\n", r->first.ticks, r->second.ticks,
           r->second.ticks_per_second);
    printf("%10s  %10s  %14s\n", "first", "second", "per second");
    return raw_sample_walk(&r->second, print_value, r);
}

static int fail_reading(const char *what, DWORD status)
{
    fprintf(stderr, "ras_reader: %s: error %lu\n", what, status);
    return EXIT_FAILURE;
}

/* Find the title indexes of both objects and make a query from them, such as "780 906". */
static BOOL find_objects(ras_reader_arguments *parsed, const raw_titles *titles)
{
    static const wchar_t *const names[] = {L"RAS Port", L"RAS Total"};
    DWORD first, last;

    if (raw_titles_of_service(parsed->service, &first, &last) != ERROR_SUCCESS) {
        fprintf(stderr, "ras_reader: service %ls has no counters installed\n", parsed->service);
        return FALSE;
    }
    for (int i = 0; i < 2; i++) {
        DWORD index = raw_titles_index(titles, names[i], first, last);
        wchar_t text[16];

        swprintf(text, sizeof text / sizeof *text, L"%lu", index);
        if (index == 0 || !add_index(parsed, text)) {
            fprintf(stderr, "ras_reader: %ls has no title \"%ls\" between %lu and %lu\n",
                    parsed->service, names[i], first, last);
            return FALSE;
        }
    }
    return TRUE;
}

static DWORD take_reading(const ras_reader_arguments *parsed, const raw_dll *dll,
                          raw_sample *sample)
{
    return parsed->dll ? raw_sample_collect(dll, sample) : raw_sample_query(parsed->query, sample);
}

static void wait_between(const ras_reader_arguments *parsed)
{
    if (!parsed->enter) {
        Sleep(1000);
        return;
    }
    fputs("The first sample has been taken. Press Enter to take the second.\n", stderr);
    fflush(stderr);
    (void)getchar();
}

static int fail_walk(const ras_reading *r, DWORD status)
{
    fail_reading("the reply", status);
    if (raw_sample_is_misplaced(&r->second))
        fprintf(stderr,
                "ras_reader: Wine puts the objects %u bytes later than the reply's header says, so "
                "no reader finds them; -dll reads without Wine's registry\n",
                (unsigned)sizeof(PERF_DATA_BLOCK));
    return EXIT_FAILURE;
}

static int read_twice(const ras_reader_arguments *parsed, const raw_dll *dll, ras_reading *r)
{
    DWORD status = take_reading(parsed, dll, &r->first);

    if (status != ERROR_SUCCESS)
        return fail_reading("the first sample", status);
    wait_between(parsed);
    status = take_reading(parsed, dll, &r->second);
    if (status != ERROR_SUCCESS)
        return fail_reading("the second sample", status);
    status = print_reading(r);
    return status == ERROR_SUCCESS ? EXIT_SUCCESS : fail_walk(r, status);
}

static int run_reader(ras_reader_arguments *parsed)
{
    ras_reading r = {{0}, {0}, {0}};
    raw_dll dll;
    DWORD status = raw_titles_read(&r.titles);
    int exit_code = EXIT_FAILURE;

    if (status != ERROR_SUCCESS)
        return fail_reading("the titles", status);
    if (parsed->dll) {
        status = raw_dll_open(parsed->dll, parsed->service, &dll);
        exit_code = status == ERROR_SUCCESS ? read_twice(parsed, &dll, &r)
                                            : fail_reading("the DLL", status);
        if (status == ERROR_SUCCESS)
            raw_dll_close(&dll);
    } else if (parsed->query[0] || find_objects(parsed, &r.titles)) {
        exit_code = read_twice(parsed, NULL, &r);
        RegCloseKey(HKEY_PERFORMANCE_DATA); /* the system unloads the providers */
    }
    raw_sample_free(&r.first);
    raw_sample_free(&r.second);
    raw_titles_free(&r.titles);
    return exit_code;
}

int wmain(int argc, wchar_t **argv);
int wmain(int argc, wchar_t **argv)
{
    ras_reader_arguments parsed = {.service = L"RasSample"};

    (void)argc;
    if (!parse_arguments(&parsed, argv)) {
        fputs(help, stderr);
        return 2;
    }
    if (parsed.help) {
        fputs(help, stdout);
        return EXIT_SUCCESS;
    }
    return run_reader(&parsed);
}
