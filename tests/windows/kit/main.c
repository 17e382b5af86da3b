/* SPDX-License-Identifier: MIT */
/*
 * prfdata-kit.exe: asks a Windows what PrfData needs to know of it, and says what it saw.
 *
 *     prfdata-kit [-Ask [report]]   every question; needs an elevated prompt
 *     prfdata-kit -Undo             removes what a killed run left
 *     prfdata-kit -Stamp file       writes down the time stamp of this start of the system; after
 *                                   a restart `-Ask report file` compares it
 *
 * Exit codes: 0 every answer is one that PrfData can live with, 1 some are not, or asking failed,
 * 2 it could not begin, 3 something was left; -Undo says what.
 */
#include "kit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#include "loadperf.h"
#include "product.h"

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

static int undo_all(kit *k)
{
    char left[1000];

    kit_undo(k, left, sizeof left);
    if (left[0] == 0)
        return 0;
    fprintf(stderr, "prfdata-kit: these are left: %s\n", left);
    return 3;
}

static void ask_all(kit *k, const wchar_t *stamp_file)
{
    DWORD status = kit_make_scene(k);
    bool has_titles;

    if (status != ERROR_SUCCESS) {
        fprintf(k->answers.report, "the folder or the provider could not be made: error %lu\n",
                (unsigned long)status);
        return;
    }
    kit_ask_calls(k);
    kit_ask_replies(k);
    kit_ask_product(k);
    kit_ask_loadperf(k);
    has_titles = kit_load_probe_titles(k);
    kit_ask_pdh(k, has_titles);
    kit_ask_hosts(k, has_titles);
    if (has_titles)
        kit_ask_unload(k);
    else
        kit_answer_missing(k, KIT_Q_unload_in_use, "loadperf gave the provider no titles");
    kit_ask_machine(k, stamp_file);
}

static void ask_what_is_left(kit *k, int undone)
{
    char line[300] = "no snapshot";
    wchar_t *after = kit_take_snapshot();

    if (k->before && after)
        kit_compare_snapshots(k->before, after, line, sizeof line);
    if (!k->before || !after)
        kit_answer(&k->answers, KIT_Q_nothing_left, KIT_FAILED, "%s", line);
    else
        kit_answer_if(&k->answers, KIT_Q_nothing_left, undone == 0 && line[0] == 0, "%s",
                      line[0] ? line : "services, event sources, software, Perflib, ProgramData");
    free(after);
}

/* Perflib's Last Counter and Last Help; 0: absent. */
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

static int ask(kit *k, const wchar_t *report, const wchar_t *stamp_file)
{
    last_titles last;
    int undone;

    if (!may_begin() || undo_all(k) != 0)
        return 2;
    k->answers.report = report ? _wfopen(report, L"w") : stdout;
    if (!k->answers.report) {
        fputs("prfdata-kit: the report cannot be written\n", stderr);
        return 2;
    }
    k->began = GetTickCount64();
    k->before = kit_take_snapshot();
    last = read_last_titles();
    ask_all(k, stamp_file);
    undone = undo_all(k);
    ask_what_is_left(k, undone);
    ask_last_titles(k, &last);
    return kit_answers_end(&k->answers) | undone;
}

int wmain(int count, wchar_t **arguments)
{
    static kit k;

    if (!kit_find(&k))
        return 2;
    if (count > 1 && wcscmp(arguments[1], L"-Read") == 0)
        return kit_reader_main(count - 2, arguments + 2);
    if (count > 1 && wcscmp(arguments[1], L"-Publish") == 0)
        return kit_publisher_main(count - 2, arguments + 2);
    if (count > 1 && wcscmp(arguments[1], L"-Pdh") == 0)
        return kit_pdh_main(count - 2, arguments + 2);
    if (count > 1 && wcscmp(arguments[1], L"-Access") == 0)
        return kit_access_main(count - 2, arguments + 2);
    if (count > 1 && wcscmp(arguments[1], L"-Service") == 0)
        return kit_service_main(count - 2, arguments + 2);
    if (count == 3 && wcscmp(arguments[1], L"-Stamp") == 0)
        return kit_stamp_main(arguments[2]);
    if (count == 2 && wcscmp(arguments[1], L"-Undo") == 0)
        return may_begin() ? undo_all(&k) : 2;
    if (count > 4 || (count > 1 && wcscmp(arguments[1], L"-Ask") != 0)) {
        fputs("usage: prfdata-kit [-Ask [report [stamp]]] | -Undo | -Stamp file\n", stderr);
        return 2;
    }
    return ask(&k, count > 2 ? arguments[2] : NULL, count > 3 ? arguments[3] : NULL);
}
