/* SPDX-License-Identifier: MIT */
/*
 * Publishes the counters of the remote-access sample: a console program for Windows that simulates
 * ports, counts the events on them, and prints a table to compare with the values in readers.
 */
#include <windows.h>

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <wchar.h>

#include <prfdata/prfdata.h>

#include "frame_times.h"
#include "ras_counters.h"

enum { EXIT_USAGE = 2, MOST_STEPS = 1000000 };

static const char help[] =
    "Simulates remote access: ports connect, exchange frames, have errors and disconnect.\n"
    "Publishes the objects RAS Port, RAS Total and RAS Frames of the service RasSample.\n"
    "\n"
    "  installer -Install -Writers Users RasSample   first, as administrator\n"
    "  ras                         4 ports, 10 steps per second, until Ctrl+C\n"
    "  ras -ports 8 -steps 100     8 ports, 100 steps per second\n"
    "  ras -steps 1000 -hold       1000 steps at once, then 1000 more for each Enter; ends at the\n"
    "                              end of standard input, or with Ctrl+C\n"
    "  ras -seed 7                 a different sequence of events\n"
    "\n"
    "  -ports 1 to 64; -steps 1 to 1000000; -seed any number of up to 64 bits, default 1\n"
    "\n"
    "The table has a column per port, the total, and the counter's name; times are in us and of\n"
    "the whole run, where counters show the last minute, within 6.25 %. It shows this run only;\n"
    "readers also see what earlier runs counted, until the service is uninstalled.\n"
    "Exit codes: 0 done, 2 wrong command line.\n";

typedef struct ras_arguments {
    uint32_t ports;
    uint32_t steps;
    uint64_t seed;
    bool hold;
    bool help;
} ras_arguments;

static HANDLE stopped; /* an event that Ctrl+C sets */

static bool parse_number_between(const wchar_t *text, uint64_t least, uint64_t most,
                                 uint64_t *number)
{
    wchar_t *end;

    if (!text || *text < L'0' || *text > L'9' || wcslen(text) > 20)
        return false;
    *number = wcstoull(text, &end, 10);
    return *end == 0 && *number >= least && *number <= most;
}

static bool is_ras_option(const wchar_t *argument, const wchar_t *name)
{
    if (*argument != L'-' && *argument != L'/')
        return false;
    argument += argument[0] == L'-' && argument[1] == L'-' ? 2 : 1;
    return _wcsicmp(argument, name) == 0;
}

/* Parse the option at `argv[0]` and skip its value. Returns whether both are valid. */
static bool parse_ras_option(ras_arguments *parsed, wchar_t ***argv)
{
    const wchar_t *option = (*argv)[0];
    uint64_t number;

    if (is_ras_option(option, L"hold")) {
        parsed->hold = true;
        return true;
    }
    if (is_ras_option(option, L"?") || is_ras_option(option, L"h") ||
        is_ras_option(option, L"help")) {
        parsed->help = true;
        return true;
    }
    ++*argv;
    if (is_ras_option(option, L"ports") && parse_number_between(**argv, 1, RAS_MAX_PORTS, &number))
        parsed->ports = (uint32_t)number;
    else if (is_ras_option(option, L"steps") &&
             parse_number_between(**argv, 1, MOST_STEPS, &number))
        parsed->steps = (uint32_t)number;
    else if (is_ras_option(option, L"seed") && parse_number_between(**argv, 0, UINT64_MAX, &number))
        parsed->seed = number;
    else
        return false;
    return true;
}

static frame_times times;

static void count_and_record_frame(uint32_t port, uint32_t bytes)
{
    frame_times_add(&times, port, bytes);
    ras_counters_record_frame(port, bytes);
}

static void print_time_row(const simulation *made, uint32_t share, const wchar_t *name)
{
    for (uint32_t port = 0; port < made->port_count; port++)
        printf("%11llu ", (unsigned long long)frame_times_percentile(&times, port, share) / 10);
    printf("%12llu  %ls\n",
           (unsigned long long)frame_times_percentile(&times, RAS_ALL_PORTS, share) / 10, name);
}

static void print_counter_row(const simulation *made, uint32_t position, const wchar_t *name)
{
    for (uint32_t port = 0; port < made->port_count; port++) {
        if (position < RAS_PORT_COUNTERS)
            printf("%11llu ", (unsigned long long)ras_counters_known(made, port, position));
        else
            printf("%11s ", "-");
    }
    printf("%12llu  %ls\n", (unsigned long long)ras_counters_known(made, RAS_ALL_PORTS, position),
           name);
}

/* Print a column per port and a row per counter. The rows are the counters of RAS Total, which
 * include those of RAS Port. */
static void print_table(const simulation *made)
{
    const prfdata_map_entry *entry = ras_map.entries;
    const prfdata_map_entry *end = entry + ras_map.entry_count;

    for (uint32_t port = 1; port <= made->port_count; port++)
        printf("%*sCOM%u ", port < 10 ? 7 : 6, "", (unsigned)port);
    printf("%12s  Counter\n", "Total");
    print_time_row(made, 5000, L"Frame Time p50");
    print_time_row(made, 9500, L"Frame Time p95");
    print_time_row(made, 9900, L"Frame Time p99");
    print_time_row(made, 10000, L"Frame Time max");
    for (; entry < end; entry++)
        if (entry->kind == PRFDATA_ENTRY_COUNTER && entry->id >= RAS_TOTAL_BYTES_TRANSMITTED &&
            entry->id <= RAS_TOTAL_CONNECTIONS)
            print_counter_row(made, entry->id - RAS_TOTAL_BYTES_TRANSMITTED, entry->name);
    fflush(stdout);
}

/*
 * Say whether the counters are published. If they are not, print the text of prfdata_status, as a
 * program that logs would do.
 */
static void say_publishing(uint32_t status)
{
    char why[PRFDATA_STATUS_BYTES];

    if (status == ERROR_SUCCESS) {
        fputs("Publishing as service RasSample.\n", stderr);
    } else {
        prfdata_status(NULL, why, sizeof why);
        fprintf(stderr, "%s\n", why);
    }
    if (status == ERROR_FILE_NOT_FOUND || status == ERROR_ACCESS_DENIED)
        fputs("Run, as administrator, installer -Install -Writers Users RasSample\n", stderr);
    fflush(stderr); /* some C libraries buffer standard error when it is a file */
}

static void run_simulation(simulation *made, uint64_t steps)
{
    for (; steps > 0; steps--)
        simulation_step(made);
    ras_counters_publish(made);
}

static void run_held(simulation *made, uint32_t steps)
{
    int character = '\n';

    for (; character != EOF; character = getchar()) {
        if (character != '\n')
            continue;
        run_simulation(made, steps);
        print_table(made);
    }
}

static BOOL WINAPI stop_running(DWORD event)
{
    (void)event;
    SetEvent(stopped);
    return TRUE;
}

static void run_live(simulation *made, uint32_t steps_per_second)
{
    uint64_t started_ms = GetTickCount64();
    uint64_t done = 0;

    stopped = CreateEventW(NULL, TRUE, FALSE, NULL);
    SetConsoleCtrlHandler(stop_running, TRUE);
    while (WaitForSingleObject(stopped, 10) == WAIT_TIMEOUT) {
        uint64_t due = (GetTickCount64() - started_ms) * steps_per_second / 1000;

        run_simulation(made, due - done);
        done = due;
    }
    print_table(made);
}

int wmain(int argc, wchar_t **argv);
int wmain(int argc, wchar_t **argv)
{
    ras_arguments parsed = {.ports = 4, .steps = 10, .seed = 1};
    simulation made;

    (void)argc;
    while (*++argv) {
        const wchar_t *option = *argv;

        if (parse_ras_option(&parsed, &argv))
            continue;
        fprintf(stderr, "Wrong option or value: %ls %ls\n\n%s", option, *argv ? *argv : L"", help);
        return EXIT_USAGE;
    }
    if (parsed.help) {
        fputs(help, stdout);
        return EXIT_SUCCESS;
    }

    simulation_init(&made, parsed.ports, parsed.seed);
    made.frame_done = count_and_record_frame;
    say_publishing(ras_counters_open(parsed.ports));
    if (parsed.hold)
        run_held(&made, parsed.steps);
    else
        run_live(&made, parsed.steps);
    ras_counters_close();
    return EXIT_SUCCESS;
}
