/* SPDX-License-Identifier: MIT */
/* Runs the parts of a run, each in its own process. If a part hangs or crashes, only its answers
 * are missing, and the report is still written.
 *
 *     prfdata-kit -Part <name> [stamp]    asks the questions of one part, prints their lines
 *
 * The environment variable PRFDATA_KIT_HANGS names a part that hangs and is soon ended. The kit's
 * own test uses it. */
#include "kit.h"

#include <stdio.h>
#include <string.h>
#include <wchar.h>

#include "loadperf.h"

enum { REASON_CHARS = 600, HANG_SECONDS = 2 };

typedef struct kit_part {
    const wchar_t *name;
    void (*ask)(kit *k);
} kit_part;

/* ---- In the child process ---- */

static void ask_loadperf_and_titles(kit *k)
{
    kit_ask_loadperf(k);
    kit_load_probe_titles(k); /* the next parts need the titles */
}

static void ask_pdh(kit *k)
{
    kit_ask_pdh(k, kit_has_probe_titles());
}

static void ask_hosts(kit *k)
{
    kit_ask_hosts(k, kit_has_probe_titles());
}

static void ask_unload(kit *k)
{
    if (kit_has_probe_titles())
        kit_ask_unload(k);
    else
        kit_answer_missing(k, KIT_Q_unload_in_use, "loadperf gave the provider no titles");
}

static const kit_part parts[] = {{L"calls", kit_ask_calls},
                                 {L"replies", kit_ask_replies},
                                 {L"product", kit_ask_product},
                                 {L"install", kit_ask_install},
                                 {L"files", kit_ask_files},
                                 {L"system", kit_ask_system},
                                 {L"loadperf", ask_loadperf_and_titles},
                                 {L"pdh", ask_pdh},
                                 {L"hosts", ask_hosts},
                                 {L"unload", ask_unload},
                                 {L"machine", kit_ask_machine}};

enum { PARTS = sizeof parts / sizeof parts[0] };

static bool is_hanging(const wchar_t *part)
{
    wchar_t name[32];
    DWORD chars = GetEnvironmentVariableW(L"PRFDATA_KIT_HANGS", name, 32);

    return chars > 0 && chars < 32 && wcscmp(name, part) == 0;
}

int kit_part_main(kit *k, int count, wchar_t **arguments)
{
    if (count < 1)
        return 2;
    k->answers.report = stdout;
    k->stamp_file = count > 1 ? arguments[1] : NULL;
    for (int i = 0; i < PARTS; i++) {
        if (wcscmp(parts[i].name, arguments[0]) != 0)
            continue;
        while (is_hanging(parts[i].name))
            Sleep(1000);
        parts[i].ask(k);
        return 0;
    }
    return 2;
}

/* ---- In the parent process ---- */

static void take_line(void *context, const char *line)
{
    kit *k = context;

    if (kit_answers_take(&k->answers, line))
        return;
    fprintf(k->answers.report, "%s\n", line);
    fflush(k->answers.report);
}

static void note_reason(char *reason, const wchar_t *part, int result, DWORD silence)
{
    size_t used = strlen(reason);
    char why[64];

    if (result == KIT_RUN_LATE)
        snprintf(why, sizeof why, "ended after %lu s without an answer", (unsigned long)silence);
    else if (result == KIT_RUN_STOPPED)
        snprintf(why, sizeof why, "stopped by Ctrl+C");
    else if (result == KIT_RUN_NONE)
        snprintf(why, sizeof why, "not started");
    else
        snprintf(why, sizeof why, "exit code 0x%x", (unsigned)result);
    snprintf(reason + used, REASON_CHARS - used, "%spart %ls: %s",
             used > 0 ? "; " : "nothing asked it; ", part, why);
}

/* Returns whether the list, which is separated by commas, has the name. NULL stands for all
 * names. */
static bool has_part(const wchar_t *list, const wchar_t *name)
{
    size_t length = wcslen(name);

    for (const wchar_t *at = list; at && *at; at += wcscspn(at, L",")) {
        at += *at == L',';
        if (wcsncmp(at, name, length) == 0 && (at[length] == 0 || at[length] == L','))
            return true;
    }
    return list == NULL;
}

const char *kit_ask_parts(kit *k, const wchar_t *list, DWORD silence)
{
    static char reason[REASON_CHARS];

    for (int i = 0; i < PARTS && !k->is_stopped; i++) {
        const DWORD limit = is_hanging(parts[i].name) ? HANG_SECONDS : silence;
        int result;

        if (!has_part(list, parts[i].name))
            continue;
        result = kit_follow(k, limit, take_line, k,
                            k->stamp_file ? L"\"%ls\" -Part %ls \"%ls\"" : L"\"%ls\" -Part %ls",
                            k->program, parts[i].name, k->stamp_file);
        if (result != 0)
            note_reason(reason, parts[i].name, result, limit);
    }
    return reason;
}
