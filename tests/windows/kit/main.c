/* SPDX-License-Identifier: MIT */
/* Asks a Windows what PrfData needs to know about it, and reports what it saw (prfdata-kit.exe).
 *
 *     prfdata-kit [-Ask [report]]   asks every question; needs an elevated prompt. -After file:
 *                                   compare with this file, which -Stamp wrote before a restart.
 *                                   -RemoteRegistry: start that service for the run. -Parts names:
 *                                   only these parts of parts.c. -Silence seconds: end a part that
 *                                   gives no answer for this long
 *     prfdata-kit -Undo             removes what a killed run left
 *     prfdata-kit -Stamp file       writes the two numbers of this start of the system (boot.h)
 *     prfdata-kit -Level number     copies the sample to Program Files and sets Perflib's
 *                                   EventLogLevel, both until -Undo: for selftest.cmd
 *     prfdata-kit -Limit seconds command    ends the command after that time: for selftest.cmd
 *
 * Exit codes: 0 if PrfData can work with every answer; 1 if it cannot work with some answer, or
 * asking failed; 2 if the kit could not begin; 3 if something is left, which -Undo prints. */
#include "kit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#include "ask_boot.h"
#include "boot.h"
#include "loadperf.h"
#include "product.h"

enum { EXIT_NOT_BEGUN = 2, EXIT_LEFT = 3, SILENCE_SECONDS = 300, UNDO_SECONDS = 600 };

int wmain(int count, wchar_t **arguments);

static bool may_begin(void)
{
    HKEY key;

    if (RegCreateKeyExW(HKEY_LOCAL_MACHINE, KIT_JOURNAL, 0, NULL, 0, KEY_ALL_ACCESS, NULL, &key,
                        NULL) != ERROR_SUCCESS) {
        fputs("prfdata-kit: please run this from an elevated prompt: \"Run as administrator\"\n",
              stderr);
        return false;
    }
    RegCloseKey(key);
    return true;
}

/* Undoes everything in this process. */
static int undo(kit *k)
{
    char left[1000];

    kit_undo(k, left, sizeof left);
    if (left[0] == 0)
        return 0;
    printf("prfdata-kit: these are left: %s\n", left);
    return EXIT_LEFT;
}

static void print_line(void *context, const char *line)
{
    (void)context;
    fprintf(stderr, "%s\n", line);
}

/* Undoes everything in a separate process, because undoing may hang. */
static int undo_all(kit *k)
{
    int result;

    k->is_undoing = true;
    result = kit_follow(k, UNDO_SECONDS, print_line, NULL, L"\"%ls\" -UndoHere", k->program);
    k->is_undoing = false;
    if (result == 0)
        return 0;
    if (result != EXIT_LEFT)
        fprintf(stderr,
                "prfdata-kit: not everything could be restored (%d): please run prfdata-kit "
                "-Undo\n",
                result);
    return EXIT_LEFT;
}

/* Compares the snapshots for up to ten seconds, because processes and services end in the
 * background. */
static void ask_what_is_left(kit *k, int undone)
{
    enum { TRIES = 20 };
    char lines[900] = "no snapshot";
    wchar_t *after = NULL;

    for (int i = 0; i < TRIES && lines[0]; i++) {
        if (i > 0)
            Sleep(500);
        free(after);
        after = kit_take_snapshot();
        if (!k->before || !after)
            break;
        kit_compare_snapshots(k->before, after, lines, sizeof lines);
    }
    if (!k->before || !after)
        kit_answer(&k->answers, KIT_Q_nothing_left, KIT_FAILED, "%s", lines);
    else
        kit_answer_if(&k->answers, KIT_Q_nothing_left, undone == 0 && lines[0] == 0, "%s",
                      lines[0] ? lines
                               : "services, event sources, software, Perflib, users, profiles, "
                                 "tasks, files");
    free(after);
}

/* Asks what other programs have kept of the kit's counters. */
static void ask_names_left(kit *k)
{
    static const wchar_t *const titles[] = {L"PrfData Kit Probe", L"PrfData Kit Orders", L"Loaded"};
    wchar_t powershell[MAX_PATH];
    char left[200] = "", output[600];
    int exit_code;

    if (k->is_wine || !kit_find_tool(L"WindowsPowerShell\\v1.0\\powershell.exe", powershell)) {
        kit_answer_missing(k, KIT_Q_titles_left, "loadperf gave none");
        kit_answer_missing(k, KIT_Q_classes_left, "there is no PowerShell");
        return;
    }
    for (size_t i = 0; i < sizeof titles / sizeof titles[0]; i++) {
        size_t used = strlen(left);

        if (kit_find_index(L"Counter 009", titles[i]) != 0)
            snprintf(left + used, sizeof left - used, "'%ls' is there; ", titles[i]);
    }
    kit_answer_if(&k->answers, KIT_Q_titles_left, left[0] == 0, "%s", left[0] ? left : "all");
    exit_code = kit_run(k, 120, output, sizeof output,
                        L"\"%ls\" -NoProfile -NonInteractive -Command \"@(Get-CimClass "
                        L"Win32_Perf*PrfDataKit* -ErrorAction SilentlyContinue).Count\"",
                        powershell);
    kit_answer_if(&k->answers, KIT_Q_classes_left, exit_code == 0 && output[0] == '0',
                  "exit code %d, classes: %.200s", exit_code, output);
}

/* Perflib's Last Counter and Last Help. 0: the value is missing. */
typedef struct last_titles {
    DWORD counter;
    DWORD help;
} last_titles;

static last_titles read_last_titles(void)
{
    last_titles last = {0, 0};
    DWORD bytes = sizeof last.counter;

    if (RegGetValueW(HKEY_LOCAL_MACHINE, KIT_PERFLIB, L"Last Counter", RRF_RT_REG_DWORD, NULL,
                     &last.counter, &bytes) != ERROR_SUCCESS)
        last.counter = 0;
    bytes = sizeof last.help;
    if (RegGetValueW(HKEY_LOCAL_MACHINE, KIT_PERFLIB, L"Last Help", RRF_RT_REG_DWORD, NULL,
                     &last.help, &bytes) != ERROR_SUCCESS)
        last.help = 0;
    return last;
}

static void ask_last_titles(kit *k, const last_titles *before)
{
    last_titles after = read_last_titles();

    kit_answer_if(&k->answers, KIT_Q_last_counter,
                  after.counter == before->counter && after.help == before->help,
                  "%lu and %lu, before %lu and %lu", (unsigned long)after.counter,
                  (unsigned long)after.help, (unsigned long)before->counter,
                  (unsigned long)before->help);
}

/* ---- A run ---- */

static kit the_kit;

/* Called on a thread of the system after Ctrl+C. The children have no console, so only this process
 * is told. */
static BOOL WINAPI stop_kit(DWORD event)
{
    if (event != CTRL_C_EVENT && event != CTRL_BREAK_EVENT)
        return FALSE;
    InterlockedExchange(&the_kit.is_stopped, 1);
    return TRUE;
}

typedef struct kit_options {
    const wchar_t *report;
    const wchar_t *parts;
    DWORD silence;
    bool starts_remote_registry;
} kit_options;

static const char *ask_questions(kit *k, const kit_options *options)
{
    static char reason[200];
    DWORD status = kit_make_scene(k);

    if (status == ERROR_SUCCESS && options->starts_remote_registry) {
        const DWORD started = kit_start_remote_registry();

        /* This is not written to the report, because a report must begin with an answer. */
        if (started != ERROR_SUCCESS)
            fprintf(stderr, "prfdata-kit: Remote Registry does not start: error %lu\n",
                    (unsigned long)started);
    }
    if (status == ERROR_SUCCESS)
        return kit_ask_parts(k, options->parts, options->silence);
    snprintf(reason, sizeof reason, "the folder or the provider could not be made: error %lu",
             (unsigned long)status);
    return reason;
}

FILE *kit_create_file(const wchar_t *path)
{
    FILE *file = NULL;
    bool is_own = true;

    if (GetFileAttributesW(path) != INVALID_FILE_ATTRIBUTES) {
        file = _wfopen(path, L"r");
        is_own = file && kit_answers_wrote(file);
    }
    if (file)
        fclose(file);
    if (!is_own) {
        fprintf(stderr,
                "prfdata-kit: %ls is there, and the kit did not write it. Name another file\n",
                path);
        return NULL;
    }
    file = _wfopen(path, L"w");
    if (!file)
        fprintf(stderr, "prfdata-kit: %ls cannot be written\n", path);
    return file;
}

static int ask(kit *k, const kit_options *options)
{
    const char *reason;
    last_titles last;
    int undone;

    SetConsoleCtrlHandler(stop_kit, TRUE);
    if (!may_begin() || undo_all(k) != 0)
        return EXIT_NOT_BEGUN;
    k->answers.report = options->report ? kit_create_file(options->report) : stdout;
    if (!k->answers.report)
        return EXIT_NOT_BEGUN;
    k->before = kit_take_snapshot();
    kit_note_events(k);
    kit_note_boot();
    last = read_last_titles();
    reason = ask_questions(k, options);
    undone = undo_all(k);
    ask_what_is_left(k, undone);
    ask_last_titles(k, &last);
    ask_names_left(k);
    return kit_answers_end(&k->answers, reason) | undone;
}

/* -Ask [report] [-RemoteRegistry] [-After stamp] [-Parts names] [-Silence seconds] */
static bool read_options(int count, wchar_t **arguments, kit_options *options)
{
    int i = 0;

    if (count > 0 && arguments[0][0] != L'-')
        options->report = arguments[i++];
    if (i < count && wcscmp(arguments[i], L"-RemoteRegistry") == 0) {
        options->starts_remote_registry = true;
        i++;
    }
    for (; i + 1 < count; i += 2) {
        if (wcscmp(arguments[i], L"-After") == 0)
            the_kit.stamp_file = arguments[i + 1];
        else if (wcscmp(arguments[i], L"-Parts") == 0)
            options->parts = arguments[i + 1];
        else if (wcscmp(arguments[i], L"-Silence") == 0)
            options->silence = wcstoul(arguments[i + 1], NULL, 10);
        else
            return false;
    }
    return i == count;
}

/* Runs the task of one of the kit's own processes. Returns -1 if the word names none. */
static int run_child(const wchar_t *word, int count, wchar_t **arguments)
{
    if (wcscmp(word, L"-Part") == 0)
        return kit_part_main(&the_kit, count, arguments);
    if (wcscmp(word, L"-Read") == 0)
        return kit_reader_main(count, arguments);
    if (wcscmp(word, L"-Publish") == 0)
        return kit_publisher_main(count, arguments);
    if (wcscmp(word, L"-Pdh") == 0)
        return kit_pdh_main(count, arguments);
    if (wcscmp(word, L"-Access") == 0)
        return kit_access_main(count, arguments);
    if (wcscmp(word, L"-Service") == 0)
        return kit_service_main(count, arguments);
    if (wcscmp(word, L"-Boot") == 0)
        return kit_boot_main();
    if (wcscmp(word, L"-UndoHere") == 0)
        return undo(&the_kit);
    return -1;
}

int wmain(int count, wchar_t **arguments)
{
    kit_options options = {NULL, NULL, SILENCE_SECONDS, false};
    const wchar_t *word = count > 1 ? arguments[1] : L"-Ask";
    int rest = count > 2 ? count - 2 : 0, result;

    if (wcscmp(word, L"-Limit") == 0)
        return kit_limit_main();
    if (!kit_find(&the_kit))
        return EXIT_NOT_BEGUN;
    result = run_child(word, rest, arguments + 2);
    if (result != -1)
        return result;
    if (wcscmp(word, L"-Stamp") == 0 && count == 3)
        return kit_stamp_main(arguments[2]);
    if (wcscmp(word, L"-Level") == 0 && count == 3)
        return may_begin() ? kit_begin_script(&the_kit, wcstoul(arguments[2], NULL, 10))
                           : EXIT_NOT_BEGUN;
    if (wcscmp(word, L"-Undo") == 0 && count == 2)
        return may_begin() ? undo_all(&the_kit) : EXIT_NOT_BEGUN;
    if (wcscmp(word, L"-Ask") == 0 && read_options(rest, arguments + 2, &options))
        return ask(&the_kit, &options);
    fputs("usage: prfdata-kit [-Ask [report] [-RemoteRegistry] [-After stamp] [-Parts names] "
          "[-Silence seconds]]\n"
          "       prfdata-kit -Undo | -Stamp file | -Level number | -Limit seconds command\n",
          stderr);
    return EXIT_NOT_BEGUN;
}
