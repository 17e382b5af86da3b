/* SPDX-License-Identifier: MIT */
/*
 * Runs the hardware-input monitor: Jeffrey Richter's sample (Microsoft Systems Journal, August
 * 1998) in C. It counts key presses and releases, mouse moves and clicks, and publishes them as
 * performance counters; its window shows the same numbers.
 *
 *     hwinput              count, publish, show
 *     hwinput -Install     register the counters (elevated)
 *     hwinput -Uninstall   remove them again (elevated)
 *
 * Exit codes are those of an installer, PRFDATA_EXIT_... in <prfdata/install.h>.
 */
#include <windows.h>

#include <shellapi.h>

#include <stdio.h>
#include <string.h>
#include <wchar.h>

#include <prfdata/install.h>

#include "counts.h"
#include "hooks.h"
#include "hwinput_map.h"
#include "say.h"
#include "window.h"

static const wchar_t usage[] =
    L"hwinput counts key presses and releases, mouse moves and clicks, and publishes them\n"
    L"as performance counters of the service HWInputMon.\n"
    L"\n"
    L"  hwinput              count, publish and show the numbers\n"
    L"  hwinput -Install     register the counters (as administrator)\n"
    L"  hwinput -Uninstall   remove them (as administrator)\n"
    L"  hwinput -?           this text\n"
    L"\n"
    L"Exit codes: 0 done, 1 failed, 2 wrong command line, 3 needs an elevated prompt,\n"
    L"4 removed but something in use was left, 5 not installed.";

/* The lines of the report, collected so that one message box can show all of them. */
typedef struct report_text {
    wchar_t text[8192];
    size_t chars;
} report_text;

static void report_line(report_text *report, const wchar_t *line)
{
    size_t line_chars = wcslen(line);
    size_t room = sizeof report->text / sizeof report->text[0] - report->chars;

    if (line_chars + 2 > room)
        return;
    if (report->chars > 0)
        report->text[report->chars++] = L'\n';
    memcpy(report->text + report->chars, line, (line_chars + 1) * sizeof *line);
    report->chars += line_chars;
}

static void report_step(void *context, prfdata_step step, const wchar_t *text)
{
    (void)step;
    report_line(context, text);
}

static int installer_exit_code(uint32_t status)
{
    switch (status) {
    case ERROR_SUCCESS:
        return PRFDATA_EXIT_DONE;
    case ERROR_ACCESS_DENIED:
        return PRFDATA_EXIT_ELEVATE;
    case ERROR_SHARING_VIOLATION:
        return PRFDATA_EXIT_LEFTOVERS;
    }
    return PRFDATA_EXIT_FAILED;
}

static int say_result(report_text *report, uint32_t status, int exit_code)
{
    wchar_t error[256];

    if (exit_code == PRFDATA_EXIT_ELEVATE) {
        report_line(report, L"Please run this as administrator (from an elevated prompt).");
    } else if (report->chars == 0) {
        say_error_text(status, error, sizeof error / sizeof error[0]);
        report_line(report, error);
    }
    say(exit_code != PRFDATA_EXIT_DONE, report->text);
    return exit_code;
}

static int install_counters(void)
{
    report_text report = {.chars = 0};
    /*
     * `arch`: the provider DLL in this program's folder has the bitness of this program. `writers`:
     * the monitor runs as an ordinary user, so Users must be able to publish.
     */
    prfdata_install_options options = {.arch = sizeof(void *) == 4 ? PRFDATA_ARCH_X86
                                                                   : PRFDATA_ARCH_NATIVE,
                                       .writers = L"Users",
                                       .step = report_step,
                                       .context = &report};
    uint32_t status = prfdata_install(&hwinput_map, &options);

    return say_result(&report, status, installer_exit_code(status));
}

static int uninstall_counters(void)
{
    report_text report = {.chars = 0};
    prfdata_install_options options = {.step = report_step, .context = &report};
    uint32_t status = prfdata_uninstall(&hwinput_map, &options);
    int exit_code =
        status == ERROR_FILE_NOT_FOUND ? PRFDATA_EXIT_NOT_INSTALLED : installer_exit_code(status);

    return say_result(&report, status, exit_code);
}

static void describe_publishing(uint32_t status, wchar_t *text, size_t chars)
{
    wchar_t error[256];

    switch (status) {
    case ERROR_SUCCESS:
        swprintf(text, chars, L"Publishing as service HWInputMon.");
        return;
    case ERROR_FILE_NOT_FOUND:
        swprintf(text, chars,
                 L"Not installed, counting privately. Run hwinput -Install as administrator.");
        return;
    case ERROR_REVISION_MISMATCH:
        swprintf(text, chars,
                 L"Another version is installed, counting privately. Run hwinput -Install.");
        return;
    case ERROR_SERVICE_DISABLED:
        swprintf(text, chars, L"Publishing is switched off (value Publish), counting privately.");
        return;
    case ERROR_ACCESS_DENIED:
        swprintf(text, chars, L"This account may not publish, counting privately.");
        return;
    case ERROR_DISK_FULL:
        swprintf(text, chars, L"The disk is full, counting privately.");
        return;
    }
    say_error_text(status, error, sizeof error / sizeof error[0]);
    swprintf(text, chars, L"Counting privately: %ls", error);
}

/* Returns 1 if no other monitor runs in this session. Two would count every event twice. */
static int be_the_only_one(void)
{
    /* The system closes the mutex when the process ends, in whatever way it ends. */
    return CreateMutexW(NULL, FALSE, L"Local\\PrfDataHwinput") &&
           GetLastError() != ERROR_ALREADY_EXISTS;
}

static int run_monitor(HINSTANCE instance, int show)
{
    wchar_t status_text[320];
    wchar_t error[256];
    uint32_t status;
    int exit_code;

    if (!be_the_only_one()) {
        window_activate_other();
        return PRFDATA_EXIT_DONE;
    }

    describe_publishing(counts_open(), status_text, sizeof status_text / sizeof status_text[0]);
    status = hooks_start();
    if (status != ERROR_SUCCESS) {
        say_error_text(status, error, sizeof error / sizeof error[0]);
        swprintf(status_text, sizeof status_text / sizeof status_text[0],
                 L"Nothing is counted, the hooks cannot be set: %ls", error);
    }

    exit_code = window_run(instance, status_text, show);

    hooks_stop();
    counts_close();
    return exit_code;
}

static int is_monitor_option(const wchar_t *argument, const wchar_t *name)
{
    if (*argument != L'-' && *argument != L'/')
        return 0;
    argument += argument[0] == L'-' && argument[1] == L'-' ? 2 : 1;
    return CompareStringOrdinal(argument, -1, name, -1, TRUE) == CSTR_EQUAL;
}

static int run_monitor_option(const wchar_t *argument)
{
    if (is_monitor_option(argument, L"Install"))
        return install_counters();
    if (is_monitor_option(argument, L"Uninstall"))
        return uninstall_counters();
    if (is_monitor_option(argument, L"?") || is_monitor_option(argument, L"h") ||
        is_monitor_option(argument, L"help")) {
        say(0, usage);
        return PRFDATA_EXIT_DONE;
    }
    say(1, usage);
    return PRFDATA_EXIT_USAGE;
}

/* NOLINTNEXTLINE(readability-inconsistent-declaration-parameter-name): other names in Windows */
int WINAPI wWinMain(HINSTANCE instance, HINSTANCE previous, wchar_t *command_line, int show)
{
    int argc = 0;
    wchar_t **argv = CommandLineToArgvW(GetCommandLineW(), &argc);
    int exit_code;

    (void)previous;
    (void)command_line;
    if (!argv || argc <= 1) {
        exit_code = run_monitor(instance, show);
    } else if (argc == 2) {
        exit_code = run_monitor_option(argv[1]);
    } else {
        say(1, usage);
        exit_code = PRFDATA_EXIT_USAGE;
    }
    LocalFree(argv);
    return exit_code;
}
