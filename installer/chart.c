/* SPDX-License-Identifier: MIT */
/*
 * Keeps what -Status found. It knows the tables of facts and findings, and nothing of Windows.
 */
#include "installer/chart.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/array.h"

enum { TEXT_CHARS = 1024 };

static const struct {
    const char *name;
    const wchar_t *label;
} fact_rows[] = {
#define ROW(NAME, name, label) {name, label},
    PRFDATA_FACTS(ROW)
#undef ROW
};

static const struct {
    const char *name;
    prfdata_chart_severity severity;
    prfdata_cure cure;
    const wchar_t *what;
    const wchar_t *why;
} finding_rows[] = {
#define ROW(NAME, id, severity, cure, what, why)                                                   \
    {id, PRFDATA_CHART_##severity, PRFDATA_CURE_##cure, what, why},
    PRFDATA_FINDINGS(ROW)
#undef ROW
};

static const struct {
    const wchar_t *command;
    bool is_safe;
} cure_rows[] = {
#define ROW(NAME, command, is_safe) {command, is_safe},
    PRFDATA_CURES(ROW)
#undef ROW
};

/* ---- Texts ---- */

static wchar_t *copy_chart_text(prfdata_chart *chart, const wchar_t *text)
{
    size_t chars = wcslen(text) + 1;
    wchar_t *copy = malloc(chars * sizeof *copy);

    if (copy)
        wmemcpy(copy, text, chars);
    else
        chart->has_failed = true;
    return copy;
}

static void format_chart_text(wchar_t *text, const wchar_t *format, va_list arguments)
{
    text[0] = 0;
    (void)vswprintf(text, TEXT_CHARS, format, arguments);
    text[TEXT_CHARS - 1] = 0; /* what does not fit is cut */
}

/* Make room for one more item: `item` gets it, all zero, or NULL. */
#define ADD_ITEM(chart, list, item)                                                                \
    do {                                                                                           \
        (item) = prfdata_array_reserve((chart)->list.items, &(chart)->list.capacity,               \
                                       (chart)->list.count + 1, sizeof *(item));                   \
        if (item) {                                                                                \
            (chart)->list.items = (item);                                                          \
            (item) += (chart)->list.count++;                                                       \
            memset((item), 0, sizeof *(item));                                                     \
        } else {                                                                                   \
            (chart)->has_failed = true;                                                            \
        }                                                                                          \
    } while (0)

/* ---- Facts ---- */

static prfdata_fact *add_fact_text(prfdata_chart *chart, prfdata_fact_id id, const wchar_t *format,
                                   va_list arguments)
{
    wchar_t text[TEXT_CHARS];
    prfdata_fact *fact;

    ADD_ITEM(chart, facts, fact);
    if (!fact)
        return NULL;
    format_chart_text(text, format, arguments);
    fact->id = id;
    fact->text = copy_chart_text(chart, text);
    return fact;
}

void prfdata_chart_add_fact(prfdata_chart *chart, prfdata_fact_id id, const wchar_t *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    (void)add_fact_text(chart, id, format, arguments);
    va_end(arguments);
}

void prfdata_chart_add_number(prfdata_chart *chart, prfdata_fact_id id, uint64_t number,
                              const wchar_t *format, ...)
{
    prfdata_fact *fact;
    va_list arguments;

    va_start(arguments, format);
    fact = add_fact_text(chart, id, format, arguments);
    va_end(arguments);
    if (fact) {
        fact->has_number = true;
        fact->number = number;
    }
}

/* ---- Commands ---- */

/* What a command's words in braces stand for. */
typedef struct command_words {
    const wchar_t *program;
    const wchar_t *service;
    const wchar_t *subject; /* NULL: none */
    uint32_t process_id;
} command_words;

static void append_text(wchar_t *text, const wchar_t *more)
{
    size_t used = wcslen(text);

    if (used + wcslen(more) < TEXT_CHARS)
        wcscpy(text + used, more);
}

/* With quotes if the command line would otherwise split it. */
static void append_quoted(wchar_t *text, const wchar_t *more)
{
    const wchar_t *quote = wcschr(more, L' ') ? L"\"" : L"";

    append_text(text, quote);
    append_text(text, more);
    append_text(text, quote);
}

static void append_command_word(wchar_t *text, const wchar_t *word, size_t chars,
                                const command_words *words)
{
    const wchar_t *subject = words->subject ? words->subject : L"";
    const wchar_t *name = wcsrchr(subject, L'\\');
    wchar_t number[16];

    if (wcsncmp(word, L"program", chars) == 0)
        append_quoted(text, words->program);
    else if (wcsncmp(word, L"service", chars) == 0)
        append_quoted(text, words->service);
    else if (wcsncmp(word, L"bare", chars) == 0)
        append_text(text, words->service);
    else if (wcsncmp(word, L"subject", chars) == 0)
        append_text(text, subject);
    else if (wcsncmp(word, L"name", chars) == 0)
        append_text(text, name ? name + 1 : subject);
    else if (swprintf(number, 16, L"%lu", (unsigned long)words->process_id) > 0)
        append_text(text, number);
}

static void make_command(wchar_t *text, const wchar_t *pattern, const command_words *words)
{
    text[0] = 0;
    while (*pattern) {
        wchar_t one[2] = {*pattern, 0};
        const wchar_t *end = *pattern == L'{' ? wcschr(pattern, L'}') : NULL;

        if (end) {
            append_command_word(text, pattern + 1, (size_t)(end - pattern - 1), words);
            pattern = end + 1;
        } else {
            append_text(text, one);
            pattern++;
        }
    }
}

/* ---- Findings ---- */

static void add_finding_text(prfdata_chart *chart, prfdata_finding_id id,
                             const command_words *words, va_list arguments)
{
    prfdata_cure cure = finding_rows[id].cure;
    wchar_t text[TEXT_CHARS];
    prfdata_finding *finding;

    ADD_ITEM(chart, findings, finding);
    if (!finding)
        return;
    finding->id = id;
    finding->severity = finding_rows[id].severity;
    finding->cure = cure;
    finding->is_safe = cure_rows[cure].is_safe;
    finding->why = finding_rows[id].why;
    format_chart_text(text, finding_rows[id].what, arguments);
    finding->what = copy_chart_text(chart, text);
    text[0] = 0;
    if (cure != PRFDATA_CURE_END_PROGRAM || words->process_id != 0)
        make_command(text, cure_rows[cure].command, words);
    finding->command = copy_chart_text(chart, text);
}

void prfdata_chart_add_finding(prfdata_chart *chart, prfdata_finding_id id, const wchar_t *subject,
                               ...)
{
    const command_words words = {chart->program, chart->service, subject, 0};
    va_list arguments;

    va_start(arguments, subject);
    add_finding_text(chart, id, &words, arguments);
    va_end(arguments);
}

void prfdata_chart_add_process_finding(prfdata_chart *chart, prfdata_finding_id id,
                                       uint32_t process_id, ...)
{
    const command_words words = {chart->program, chart->service, NULL, process_id};
    va_list arguments;

    va_start(arguments, process_id);
    add_finding_text(chart, id, &words, arguments);
    va_end(arguments);
}

/* ---- Programs, files, events ---- */

void prfdata_chart_add_language(prfdata_chart *chart, const wchar_t *language, bool has_titles)
{
    prfdata_chart_language *item;

    ADD_ITEM(chart, languages, item);
    if (!item)
        return;
    item->language = copy_chart_text(chart, language);
    item->has_titles = has_titles;
}

void prfdata_chart_add_process(prfdata_chart *chart, const prfdata_chart_process *process)
{
    prfdata_chart_process *item;

    ADD_ITEM(chart, processes, item);
    if (!item)
        return;
    *item = *process;
    item->program = copy_chart_text(chart, process->program);
    item->account = copy_chart_text(chart, process->account);
    item->file = copy_chart_text(chart, process->file);
}

void prfdata_chart_count_map(prfdata_chart *chart, prfdata_map_version version, uint64_t hash,
                             bool is_live)
{
    prfdata_chart_map *item = NULL;

    for (size_t i = 0; i < chart->maps.count; i++) {
        if (chart->maps.items[i].hash == hash && chart->maps.items[i].version == version)
            item = &chart->maps.items[i];
    }
    if (!item) {
        ADD_ITEM(chart, maps, item);
        if (!item)
            return;
        item->version = version;
        item->hash = hash;
    }
    if (is_live)
        item->live_count++;
    else
        item->ended_count++;
}

void prfdata_chart_count_ended(prfdata_chart *chart, const wchar_t *account, bool is_this_boot,
                               uint64_t bytes)
{
    prfdata_chart_ended *item = NULL;

    for (size_t i = 0; i < chart->ended.count; i++) {
        prfdata_chart_ended *at = &chart->ended.items[i];

        if (at->account && wcscmp(at->account, account) == 0 && at->is_this_boot == is_this_boot)
            item = at;
    }
    if (!item) {
        ADD_ITEM(chart, ended, item);
        if (!item)
            return;
        item->account = copy_chart_text(chart, account);
        item->is_this_boot = is_this_boot;
    }
    item->file_count++;
    item->bytes += bytes;
}

void prfdata_chart_add_event(prfdata_chart *chart, const prfdata_chart_event *event)
{
    prfdata_chart_event *item;

    ADD_ITEM(chart, events, item);
    if (!item)
        return;
    *item = *event;
    item->source = copy_chart_text(chart, event->source);
    item->text = copy_chart_text(chart, event->text);
}

/* ---- Asking ---- */

bool prfdata_chart_has(const prfdata_chart *chart, prfdata_finding_id id)
{
    for (size_t i = 0; i < chart->findings.count; i++) {
        if (chart->findings.items[i].id == id)
            return true;
    }
    return false;
}

size_t prfdata_chart_wrong_count(const prfdata_chart *chart)
{
    size_t count = 0;

    for (size_t i = 0; i < chart->findings.count; i++) {
        if (chart->findings.items[i].severity == PRFDATA_CHART_WRONG)
            count++;
    }
    return count;
}

const char *prfdata_chart_fact_name(prfdata_fact_id id)
{
    return fact_rows[id].name;
}

const wchar_t *prfdata_chart_fact_label(prfdata_fact_id id)
{
    return fact_rows[id].label;
}

const char *prfdata_chart_finding_name(prfdata_finding_id id)
{
    return finding_rows[id].name;
}

const char *prfdata_chart_severity_name(prfdata_chart_severity severity)
{
    return severity == PRFDATA_CHART_WRONG ? "wrong" : "note";
}

const char *prfdata_chart_version_name(prfdata_map_version version)
{
    static const char *const names[] = {"present", "earlier", "unknown"};

    return names[version];
}

/* ---- Releasing ---- */

static void free_chart_processes(prfdata_chart *chart)
{
    for (size_t i = 0; i < chart->processes.count; i++) {
        free(chart->processes.items[i].program);
        free(chart->processes.items[i].account);
        free(chart->processes.items[i].file);
    }
    free(chart->processes.items);
}

static void free_chart_events(prfdata_chart *chart)
{
    for (size_t i = 0; i < chart->events.count; i++) {
        free(chart->events.items[i].source);
        free(chart->events.items[i].text);
    }
    free(chart->events.items);
}

static void free_chart_findings(prfdata_chart *chart)
{
    for (size_t i = 0; i < chart->findings.count; i++) {
        free(chart->findings.items[i].what);
        free(chart->findings.items[i].command);
    }
    free(chart->findings.items);
}

void prfdata_chart_free(prfdata_chart *chart)
{
    for (size_t i = 0; i < chart->facts.count; i++)
        free(chart->facts.items[i].text);
    for (size_t i = 0; i < chart->languages.count; i++)
        free(chart->languages.items[i].language);
    for (size_t i = 0; i < chart->ended.count; i++)
        free(chart->ended.items[i].account);
    free(chart->facts.items);
    free(chart->languages.items);
    free(chart->ended.items);
    free(chart->maps.items);
    free_chart_processes(chart);
    free_chart_events(chart);
    free_chart_findings(chart);
    memset(chart, 0, sizeof *chart);
}
