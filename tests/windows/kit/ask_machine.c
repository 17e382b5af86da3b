/* SPDX-License-Identifier: MIT */
/*
 * The machine itself: how its start shows in the registry, and what Perflib wrote to the event log
 * while the kit ran.
 */
#include "kit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

enum { OUTPUT_BYTES = 1 << 20 };

static uint64_t file_time(const FILETIME *time)
{
    return (uint64_t)time->dwHighDateTime << 32 | time->dwLowDateTime;
}

/* The time stamp of HKLM\HARDWARE in units of 100 ns; 0: it has none. */
static uint64_t hardware_stamp(void)
{
    FILETIME time = {0, 0};
    HKEY key;

    if (RegOpenKeyExW(HKEY_LOCAL_MACHINE, L"HARDWARE", 0, KEY_QUERY_VALUE, &key) == ERROR_SUCCESS) {
        if (RegQueryInfoKeyW(key, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL,
                             &time) != ERROR_SUCCESS)
            memset(&time, 0, sizeof time);
        RegCloseKey(key);
    }
    return file_time(&time);
}

static void ask_boot(kit *k, const wchar_t *stamp_file)
{
    unsigned long long before = 0, stamp = hardware_stamp();
    FILETIME now;
    FILE *file;

    GetSystemTimeAsFileTime(&now);
    if (stamp == 0)
        kit_answer_missing(k, KIT_Q_boot_stamp, "HKLM\\HARDWARE has no time stamp");
    else
        kit_answer(&k->answers, KIT_Q_boot_stamp, KIT_TEXT,
                   "%llu, %.1f seconds after the start of the system by GetTickCount64", stamp,
                   ((double)stamp - ((double)file_time(&now) - (double)GetTickCount64() * 1e4)) /
                       1e7);
    file = stamp_file ? _wfopen(stamp_file, L"r") : NULL;
    if (file && fscanf(file, "%llu", &before) != 1)
        before = 0;
    if (file)
        fclose(file);
    if (before == 0 || stamp == 0)
        kit_answer(&k->answers, KIT_Q_boot_changes, KIT_NOT_HERE,
                   "needs a restart: prfdata-kit -Stamp FILE before it, -Ask REPORT FILE after it");
    else
        kit_answer_if(&k->answers, KIT_Q_boot_changes, before != stamp, "%llu, now %llu", before,
                      stamp);
}

int kit_stamp_main(const wchar_t *path)
{
    FILE *file = _wfopen(path, L"w");

    if (!file)
        return 2;
    fprintf(file, "%llu\n", (unsigned long long)hardware_stamp());
    return fclose(file) == 0 ? 0 : 2;
}

/* ---- Events ---- */

/* How often each id of "Event ID: n" occurs: "1016 x 1, 2000 x 3". */
static void count_events(const char *text, char *counts, size_t capacity)
{
    enum { MOST_IDS = 40 };
    unsigned ids[MOST_IDS], times[MOST_IDS], used = 0;
    size_t length = 0;

    counts[0] = 0;
    for (const char *at = text; (at = strstr(at, "Event ID:")) != NULL; at++) {
        unsigned id = (unsigned)strtoul(at + 9, NULL, 10), i = 0;

        while (i < used && ids[i] != id)
            i++;
        if (i == used && used < MOST_IDS) {
            ids[used] = id;
            times[used++] = 0;
        }
        if (i < used)
            times[i]++;
    }
    for (unsigned i = 0; i < used && length + 30 < capacity; i++)
        length += (size_t)snprintf(counts + length, capacity - length, "%s%u x %u",
                                   i > 0 ? ", " : "", ids[i], times[i]);
}

static unsigned count_of(const char *text, const char *id)
{
    unsigned count = 0;

    for (const char *at = text; (at = strstr(at, id)) != NULL; at++)
        count++;
    return count;
}

static void ask_events(kit *k)
{
    unsigned milliseconds = (unsigned)(GetTickCount64() - k->began);
    char *output = malloc(OUTPUT_BYTES), counts[800];
    wchar_t tool[MAX_PATH];
    int exit_code;

    if (!output)
        return;
    if (k->is_wine || !kit_find_tool(L"wevtutil.exe", tool)) {
        kit_answer_missing(k, KIT_Q_event_levels, "it keeps no events");
        kit_answer_missing(k, KIT_Q_unaligned_event, "it keeps no events");
        free(output);
        return;
    }
    exit_code =
        kit_run(k, 60, output, OUTPUT_BYTES,
                L"\"%ls\" qe Application /f:text \"/q:*[System[Provider[@Name="
                L"'Microsoft-Windows-Perflib' or @Name='Microsoft-Windows-PerfHost' or "
                L"@Name='Microsoft-Windows-LoadPerf'] and TimeCreated[timediff(@SystemTime) "
                L"<= %u]]]\"",
                tool, milliseconds);
    if (exit_code != 0) {
        kit_answer(&k->answers, KIT_Q_event_levels, KIT_FAILED, "wevtutil: exit code %d",
                   exit_code);
        kit_answer(&k->answers, KIT_Q_unaligned_event, KIT_FAILED, "wevtutil: exit code %d",
                   exit_code);
    } else {
        count_events(output, counts, sizeof counts);
        kit_answer(&k->answers, KIT_Q_event_levels, KIT_TEXT, "%s", counts[0] ? counts : "none");
        kit_answer(&k->answers, KIT_Q_unaligned_event, KIT_TEXT, "%u",
                   count_of(output, "Event ID: 1016"));
    }
    free(output);
}

void kit_ask_machine(kit *k, const wchar_t *stamp_file)
{
    ask_boot(k, stamp_file);
    ask_events(k);
}
