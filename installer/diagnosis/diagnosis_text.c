/* SPDX-License-Identifier: MIT */
/*
 * Shows a diagnosis to people. The first lines are those of `lodctr /Q:<service>`, which users
 * know. Portable.
 */
#include <stdio.h>

#include "base/calendar.h"
#include "diagnosis/diagnosis.h"
#include "names/hidden.h"

enum { LINE_CHARS = 1200 };

typedef struct diagnosis_text {
    const prfdata_diagnosis *diagnosis;
    prfdata_step_function *step;
    void *context;
} diagnosis_text;

/*
 * Put a line, and show its invisible characters. Without this, a text that others wrote, such as a
 * file name, could look like further lines or control the terminal.
 */
static void put_diagnosis_line(const diagnosis_text *out, prfdata_step step, const wchar_t *line)
{
    wchar_t shown[LINE_CHARS];

    prfdata_hidden_show(line, shown, LINE_CHARS);
    if (out->step)
        out->step(out->context, step, shown);
}

static void put_labelled(const diagnosis_text *out, prfdata_step step, const wchar_t *label,
                         const wchar_t *text)
{
    wchar_t line[LINE_CHARS] = L"";

    (void)swprintf(line, LINE_CHARS, L"    %ls: %ls", label, text ? text : L"");
    line[LINE_CHARS - 1] = 0;
    put_diagnosis_line(out, step, line);
}

static void put_head_line(const diagnosis_text *out)
{
    const prfdata_diagnosis *diagnosis = out->diagnosis;
    const wchar_t *state = diagnosis->is_disabled ? L"Disabled" : L"Enabled";
    wchar_t line[LINE_CHARS];

    if (diagnosis->state == PRFDATA_DIAGNOSIS_NOT_INSTALLED)
        state = L"Not Installed";
    (void)swprintf(line, LINE_CHARS, L"[%ls] Performance Counters (%ls)", diagnosis->service,
                   state);
    put_diagnosis_line(out, PRFDATA_STEP_SAME, line);
}

static void put_facts(const diagnosis_text *out)
{
    const prfdata_diagnosis *diagnosis = out->diagnosis;

    for (int id = 0; id < PRFDATA_FACT_COUNT; id++) {
        for (size_t i = 0; i < diagnosis->facts.count; i++) {
            if ((int)diagnosis->facts.items[i].id == id)
                put_labelled(out, PRFDATA_STEP_SAME,
                             prfdata_diagnosis_fact_label((prfdata_fact_id)id),
                             diagnosis->facts.items[i].text);
        }
    }
}

static void put_languages(const diagnosis_text *out)
{
    const prfdata_diagnosis *diagnosis = out->diagnosis;

    for (size_t i = 0; i < diagnosis->languages.count; i++) {
        wchar_t text[64];

        (void)swprintf(text, 64, L"%ls: %ls", diagnosis->languages.items[i].language,
                       diagnosis->languages.items[i].has_titles ? L"titles loaded" : L"no titles");
        put_labelled(out, PRFDATA_STEP_SAME, L"Language", text);
    }
}

static void put_map_versions(const diagnosis_text *out)
{
    const prfdata_diagnosis *diagnosis = out->diagnosis;

    for (size_t i = 0; i < diagnosis->maps.count; i++) {
        const prfdata_diagnosis_map *map = &diagnosis->maps.items[i];
        wchar_t text[160];

        (void)swprintf(text, 160, L"%hs, %08x%08x: %lu of programs that run, %lu of ended ones",
                       prfdata_diagnosis_version_name(map->version), (unsigned)(map->hash >> 32),
                       (unsigned)map->hash, (unsigned long)map->live_count,
                       (unsigned long)map->ended_count);
        put_labelled(out, PRFDATA_STEP_SAME, L"Regions of Map", text);
    }
}

static void put_processes(const diagnosis_text *out)
{
    const prfdata_diagnosis *diagnosis = out->diagnosis;

    for (size_t i = 0; i < diagnosis->processes.count; i++) {
        const prfdata_diagnosis_process *process = &diagnosis->processes.items[i];
        wchar_t text[LINE_CHARS] = L"";

        (void)swprintf(
            text, LINE_CHARS - 32,
            L"%ls%lu, %ls, %ls: %ls, map %hs, objects %lu, instances %llu, dropped %llu, "
            L"bytes %llu",
            process->is_said ? L"says it is process " : L"", (unsigned long)process->process_id,
            process->program && process->program[0] ? process->program : L"?",
            process->account ? process->account : L"?", process->is_shown ? L"shown" : L"not shown",
            prfdata_diagnosis_version_name(process->version), (unsigned long)process->object_count,
            (unsigned long long)process->instance_count, (unsigned long long)process->dropped,
            (unsigned long long)process->bytes);
        put_labelled(out, PRFDATA_STEP_SAME, L"Process", text);
    }
}

static void put_ended(const diagnosis_text *out)
{
    const prfdata_diagnosis *diagnosis = out->diagnosis;

    for (size_t i = 0; i < diagnosis->ended.count; i++) {
        const prfdata_diagnosis_ended *ended = &diagnosis->ended.items[i];
        wchar_t text[LINE_CHARS] = L"";

        (void)swprintf(text, LINE_CHARS - 32, L"%lu regions %ls, %ls, bytes %llu",
                       (unsigned long)ended->file_count,
                       ended->is_this_boot ? L"of this boot" : L"from before the last restart",
                       ended->account ? ended->account : L"?", (unsigned long long)ended->bytes);
        put_labelled(out, PRFDATA_STEP_SAME, L"Ended Programs", text);
    }
}

/* Replace line ends and tabs by blanks, because messages of events may have several lines. */
static void put_on_one_line(wchar_t *text)
{
    for (; *text; text++) {
        if (*text == L'\r' || *text == L'\n' || *text == L'\t')
            *text = L' ';
    }
}

static void put_events(const diagnosis_text *out)
{
    const prfdata_diagnosis *diagnosis = out->diagnosis;

    for (size_t i = 0; i < diagnosis->events.count; i++) {
        const prfdata_diagnosis_event *event = &diagnosis->events.items[i];
        wchar_t time[PRFDATA_DIAGNOSIS_TIME_CHARS];
        wchar_t text[LINE_CHARS] = L"";

        prfdata_diagnosis_time(event->time, time);
        (void)swprintf(text, LINE_CHARS - 32, L"%ls %lu, %ls, %lu times: %ls",
                       event->source ? event->source : L"?", (unsigned long)event->event_id, time,
                       (unsigned long)event->count, event->text ? event->text : L"");
        put_on_one_line(text);
        put_labelled(out, PRFDATA_STEP_SAME, L"Last Event", text);
    }
}

static void put_findings(const diagnosis_text *out)
{
    const prfdata_diagnosis *diagnosis = out->diagnosis;

    for (size_t i = 0; i < diagnosis->findings.count; i++) {
        const prfdata_finding *finding = &diagnosis->findings.items[i];
        bool is_wrong = finding->severity == PRFDATA_DIAGNOSIS_WRONG;

        put_labelled(out, is_wrong ? PRFDATA_STEP_FAILED : PRFDATA_STEP_SAME,
                     is_wrong ? L"Wrong" : L"Note", finding->what);
        put_labelled(out, PRFDATA_STEP_SAME, L"    Why", finding->why);
        if (finding->command && finding->command[0])
            put_labelled(out, PRFDATA_STEP_SAME, L"    Fix", finding->command);
    }
}

void prfdata_diagnosis_text(const prfdata_diagnosis *diagnosis, prfdata_step_function *step,
                            void *context)
{
    const diagnosis_text out = {diagnosis, step, context};

    put_head_line(&out);
    put_facts(&out);
    put_languages(&out);
    put_map_versions(&out);
    put_processes(&out);
    put_ended(&out);
    put_events(&out);
    put_findings(&out);
}

void prfdata_diagnosis_time(uint64_t seconds, wchar_t *text)
{
    const prfdata_calendar_date date =
        prfdata_calendar_date_of(seconds / 86400 + PRFDATA_CALENDAR_1601);
    const unsigned clock = (unsigned)(seconds % 86400);

    (void)swprintf(text, PRFDATA_DIAGNOSIS_TIME_CHARS, L"%04u-%02u-%02uT%02u:%02u:%02uZ",
                   (unsigned)date.year % 10000, (unsigned)date.month, (unsigned)date.day,
                   clock / 3600, clock / 60 % 60, clock % 60);
}
