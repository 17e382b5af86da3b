/* SPDX-License-Identifier: MIT */
/* Reads a file as node_exporter's textfile collector does, for tests/scripts/66-textfile.sh.
 * Holds the file open for 3 of each 100 milliseconds, at a random moment. Like Go's os.Open, it
 * does not allow the file's deletion meanwhile. The writer writes the file every TURN_MS
 * milliseconds. The file's content must be whole and at most 2 * TURN_MS milliseconds old.
 *
 *     textfile_reader FILE SECONDS TURN_MS
 *
 * Prints a line about what it saw. The exit code is 0 if all was well, 1 if not, and 2 for a wrong
 * command line. */
#ifndef _WIN32
#define _POSIX_C_SOURCE 200809L /* st_mtim */
#endif
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef _WIN32
#include <windows.h>
#else
#include <fcntl.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#endif

#include "system/os.h"

enum { PERIOD_MS = 100, HOLD_MS = 3, START_MS = 30000, TEXT_BYTES = 65536 };

/* Begins the last line of each file that prfread writes. */
static const char last_metric[] = "\nprfread_title_changes ";

typedef struct textfile_look {
    bool is_open;
    bool is_moved; /* the file could not be opened while the writer moved it to its place */
    int64_t age_ms;
    size_t size;
    char text[TEXT_BYTES];
} textfile_look;

#ifdef _WIN32
static int64_t milliseconds_of(FILETIME time)
{
    return (int64_t)(((uint64_t)time.dwHighDateTime << 32 | time.dwLowDateTime) / 10000);
}

static void look_at_file(const char *path, unsigned number, textfile_look *look)
{
    const DWORD share = FILE_SHARE_READ | (number % 2 ? FILE_SHARE_WRITE : 0);
    HANDLE file = CreateFileA(path, GENERIC_READ, share, NULL, OPEN_EXISTING, 0, NULL);
    FILETIME written = {0, 0};
    FILETIME now;
    DWORD size = 0;

    look->is_open = file != INVALID_HANDLE_VALUE;
    /* The program that moves a file has it open for deletion, which this reader does not share. */
    look->is_moved = !look->is_open && GetLastError() == ERROR_SHARING_VIOLATION;
    look->size = 0;
    if (!look->is_open)
        return;
    GetSystemTimeAsFileTime(&now);
    GetFileTime(file, NULL, NULL, &written);
    look->age_ms = milliseconds_of(now) - milliseconds_of(written);
    prfdata_os_sleep(HOLD_MS);
    if (ReadFile(file, look->text, TEXT_BYTES - 1, &size, NULL))
        look->size = size;
    CloseHandle(file);
}
#else
static int64_t milliseconds_of(struct timespec time)
{
    return (int64_t)time.tv_sec * 1000 + time.tv_nsec / 1000000;
}

static void look_at_file(const char *path, unsigned number, textfile_look *look)
{
    const int file = open(path, O_RDONLY);
    struct timespec now;
    struct stat about;
    ssize_t got;

    (void)number;
    look->is_open = file >= 0;
    look->is_moved = false;
    look->size = 0;
    if (file < 0)
        return;
    clock_gettime(CLOCK_REALTIME, &now);
    if (fstat(file, &about) == 0)
        look->age_ms = milliseconds_of(now) - milliseconds_of(about.st_mtim);
    prfdata_os_sleep(HOLD_MS);
    got = read(file, look->text, TEXT_BYTES - 1);
    look->size = got > 0 ? (size_t)got : 0;
    close(file);
}
#endif

static bool is_whole_look(textfile_look *look)
{
    look->text[look->size] = 0;
    return look->size > 0 && strncmp(look->text, "# TYPE ", 7) == 0 &&
           look->text[look->size - 1] == '\n' && strstr(look->text, last_metric) != NULL;
}

/* Sleeps until `then_ms`. Returns how many milliseconds later the call returned. */
static uint64_t sleep_until(uint64_t then_ms)
{
    uint64_t now_ms;

    while ((now_ms = prfdata_os_milliseconds()) < then_ms)
        prfdata_os_sleep((uint32_t)(then_ms - now_ms));
    return now_ms - then_ms;
}

int main(int argc, char **argv)
{
    static textfile_look look;
    const char *path = argc == 4 ? argv[1] : NULL;
    const uint64_t seconds = path ? strtoul(argv[2], NULL, 10) : 0;
    const int64_t turn_ms = path ? strtol(argv[3], NULL, 10) : 0;
    const uint64_t begun_ms = prfdata_os_milliseconds();
    uint64_t period_ms;
    unsigned looks = 0, torn = 0, absent = 0, moved = 0, stale = 0;
    int64_t oldest_ms = 0;

    if (!path)
        return 2;
    for (look_at_file(path, 1, &look); !look.is_open; look_at_file(path, 1, &look)) {
        if (prfdata_os_milliseconds() - begun_ms > START_MS) {
            printf("FAILED: there is no %s\n", path);
            return 1;
        }
        prfdata_os_sleep(10);
    }
    period_ms = prfdata_os_milliseconds();
    for (; looks < seconds * 1000 / PERIOD_MS; looks++, period_ms += PERIOD_MS) {
        const uint64_t within_ms = prfdata_os_random() % (PERIOD_MS - HOLD_MS);
        const int64_t late_ms = (int64_t)sleep_until(period_ms + within_ms);

        look_at_file(path, looks, &look);
        moved += look.is_moved ? 1 : 0;
        absent += look.is_open || look.is_moved ? 0 : 1;
        if (!look.is_open)
            continue;
        torn += is_whole_look(&look) ? 0 : 1;
        oldest_ms = look.age_ms > oldest_ms ? look.age_ms : oldest_ms;
        stale += look.age_ms > 2 * turn_ms + 2 * late_ms ? 1 : 0;
    }
    printf("%u looks: %u torn, %u without a file, %u older than two turns; oldest %ld ms; %u while "
           "it was moved\n",
           looks, torn, absent, stale, (long)oldest_ms, moved);
    return torn + absent + stale > 0 || moved > looks / 10;
}
