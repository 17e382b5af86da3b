/* SPDX-License-Identifier: MIT */
/* Stores the results of -Status. Their texts are in fact_table.h and finding_table.h. */
#include "diagnosis/diagnosis.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "names/hidden.h"
#include "names/wide_text.h"

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
    prfdata_diagnosis_severity severity;
    prfdata_fix fix;
    const wchar_t *what;
    const wchar_t *why;
} finding_rows[] = {
#define ROW(NAME, id, severity, fix, what, why)                                                    \
    {id, PRFDATA_DIAGNOSIS_##severity, PRFDATA_FIX_##fix, what, why},
    PRFDATA_FINDINGS(ROW)
#undef ROW
};

static const struct {
    const wchar_t *command;
    bool is_safe;
} fix_rows[] = {
#define ROW(NAME, command, is_safe) {command, is_safe},
    PRFDATA_FIXES(ROW)
#undef ROW
};

static wchar_t *copy_diagnosis_text(prfdata_diagnosis *diagnosis, const wchar_t *text)
{
    size_t chars = wcslen(text) + 1;
    wchar_t *copy = malloc(chars * sizeof *copy);

    if (copy)
        wmemcpy(copy, text, chars);
    else
        diagnosis->has_failed = true;
    return copy;
}

static void format_diagnosis_text(wchar_t *text, const wchar_t *format, va_list arguments)
{
    text[0] = 0;
    (void)vswprintf(text, TEXT_CHARS, format, arguments);
    text[TEXT_CHARS - 1] = 0; /* a longer text is cut */
}

/* Append an item of zeros. `item` gets the address of the item; NULL if memory is exhausted. */
#define ADD_ITEM(diagnosis, list, item)                                                            \
    do {                                                                                           \
        (item) = prfdata_array_reserve((diagnosis)->list.items, &(diagnosis)->list.capacity,       \
                                       (diagnosis)->list.count + 1, sizeof *(item));               \
        if (item) {                                                                                \
            (diagnosis)->list.items = (item);                                                      \
            (item) += (diagnosis)->list.count++;                                                   \
            memset((item), 0, sizeof *(item));                                                     \
        } else {                                                                                   \
            (diagnosis)->has_failed = true;                                                        \
        }                                                                                          \
    } while (0)

static prfdata_fact *add_fact_text(prfdata_diagnosis *diagnosis, prfdata_fact_id id,
                                   const wchar_t *format, va_list arguments)
{
    wchar_t text[TEXT_CHARS];
    prfdata_fact *fact;

    ADD_ITEM(diagnosis, facts, fact);
    if (!fact)
        return NULL;
    format_diagnosis_text(text, format, arguments);
    fact->id = id;
    fact->text = copy_diagnosis_text(diagnosis, text);
    return fact;
}

void prfdata_diagnosis_add_fact(prfdata_diagnosis *diagnosis, prfdata_fact_id id,
                                const wchar_t *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    (void)add_fact_text(diagnosis, id, format, arguments);
    va_end(arguments);
}

void prfdata_diagnosis_add_number(prfdata_diagnosis *diagnosis, prfdata_fact_id id, uint64_t number,
                                  const wchar_t *format, ...)
{
    prfdata_fact *fact;
    va_list arguments;

    va_start(arguments, format);
    fact = add_fact_text(diagnosis, id, format, arguments);
    va_end(arguments);
    if (fact) {
        fact->has_number = true;
        fact->number = number;
    }
}

/* The texts for the words in braces in a command. */
typedef struct command_words {
    const wchar_t *program;
    const wchar_t *service;
    const wchar_t *subject; /* NULL: none */
    uint32_t process_id;
} command_words;

static bool is_plain_char(wchar_t c)
{
    return (c >= L'0' && c <= L'9') || (c >= L'A' && c <= L'Z') || (c >= L'a' && c <= L'z') ||
           (c < 0x80 && wcschr(L"-_.:\\/$", c));
}

/*
 * Returns whether a word can stand in a command line that a person copies from the screen. It must
 * not be empty, and must have no quotation marks or hidden characters. A quotation mark would end
 * the argument. A hidden character is shown in another form.
 */
static bool can_be_argument(const wchar_t *word)
{
    wchar_t shown[TEXT_CHARS];

    prfdata_hidden_show(word, shown, TEXT_CHARS);
    return word[0] && !wcschr(word, L'"') && wcscmp(word, shown) == 0;
}

/*
 * Double the backslashes at the end, because a quote follows. A program reads \" as a quote in the
 * argument. It reads \\" as a backslash and the end of the argument (learn.microsoft.com, "Parsing
 * C command-line arguments").
 */
static void double_last_backslashes(wchar_t *text)
{
    const size_t length = wcslen(text);

    for (size_t i = length; i > 0 && text[i - 1] == L'\\'; i--)
        prfdata_wide_text_append(text, TEXT_CHARS, L"\\");
}

/*
 * Append a word to a text that has an open quote. Between quotes, cmd expands only %NAME%, so each
 * percent sign stands outside of the quotes, after a caret.
 */
static void append_in_quotes(wchar_t *text, const wchar_t *word)
{
    for (; *word; word++) {
        const wchar_t one[2] = {*word, 0};

        if (*word == L'%')
            double_last_backslashes(text);
        prfdata_wide_text_append(text, TEXT_CHARS, *word == L'%' ? L"\"^%\"" : one);
    }
}

/* Append a word that cmd passes on as one argument. */
static void append_argument(wchar_t *text, const wchar_t *word)
{
    bool is_plain = true;

    for (const wchar_t *c = word; *c; c++)
        is_plain = is_plain && is_plain_char(*c);
    if (is_plain) {
        prfdata_wide_text_append(text, TEXT_CHARS, word);
        return;
    }
    prfdata_wide_text_append(text, TEXT_CHARS, L"\"");
    append_in_quotes(text, word);
    double_last_backslashes(text);
    prfdata_wide_text_append(text, TEXT_CHARS, L"\"");
}

/* Append a word as an argument. Returns whether the word can be an argument. */
static bool append_checked(wchar_t *text, const wchar_t *word)
{
    append_argument(text, word);
    return can_be_argument(word);
}

static bool append_old_name(wchar_t *text, const wchar_t *subject)
{
    const wchar_t *last = wcsrchr(subject, L'\\');
    wchar_t name[TEXT_CHARS] = L"";

    prfdata_wide_text_append(name, TEXT_CHARS, last ? last + 1 : subject);
    prfdata_wide_text_append(name, TEXT_CHARS, L".old");
    return append_checked(text, name);
}

static bool append_command_word(wchar_t *text, const wchar_t *word, size_t chars,
                                const command_words *words)
{
    const wchar_t *subject = words->subject ? words->subject : L"";
    wchar_t number[16];

    if (wcsncmp(word, L"program", chars) == 0)
        return append_checked(text, words->program);
    if (wcsncmp(word, L"service", chars) == 0)
        return append_checked(text, words->service);
    if (wcsncmp(word, L"subject", chars) == 0)
        return append_checked(text, subject);
    if (wcsncmp(word, L"old", chars) == 0)
        return append_old_name(text, subject);
    if (wcsncmp(word, L"bare", chars) == 0) {
        append_in_quotes(text, words->service);
        return can_be_argument(words->service);
    }
    (void)swprintf(number, 16, L"%lu", (unsigned long)words->process_id);
    prfdata_wide_text_append(text, TEXT_CHARS, number);
    return true;
}

/*
 * Make a command that cmd understands exactly, even if a name in the command contains special
 * characters. If that is impossible, or if the command is too long, `text` is "".
 */
static void make_command(wchar_t *text, const wchar_t *pattern, const command_words *words)
{
    bool is_exact = true;

    text[0] = 0;
    while (*pattern) {
        wchar_t one[2] = {*pattern, 0};
        const wchar_t *end = *pattern == L'{' ? wcschr(pattern, L'}') : NULL;

        if (end) {
            is_exact &= append_command_word(text, pattern + 1, (size_t)(end - pattern - 1), words);
            pattern = end + 1;
        } else {
            prfdata_wide_text_append(text, TEXT_CHARS, one);
            pattern++;
        }
    }
    if (!is_exact || wcslen(text) + 1 == TEXT_CHARS) /* the text may have been cut */
        text[0] = 0;
}

static void add_finding_text(prfdata_diagnosis *diagnosis, prfdata_finding_id id,
                             const command_words *words, va_list arguments)
{
    prfdata_fix fix = finding_rows[id].fix;
    wchar_t text[TEXT_CHARS];
    prfdata_finding *finding;

    ADD_ITEM(diagnosis, findings, finding);
    if (!finding)
        return;
    finding->id = id;
    finding->severity = finding_rows[id].severity;
    finding->fix = fix;
    finding->is_safe = fix_rows[fix].is_safe;
    finding->why = finding_rows[id].why;
    format_diagnosis_text(text, finding_rows[id].what, arguments);
    finding->what = copy_diagnosis_text(diagnosis, text);
    text[0] = 0;
    if (fix != PRFDATA_FIX_END_PROGRAM || words->process_id != 0)
        make_command(text, fix_rows[fix].command, words);
    finding->command = copy_diagnosis_text(diagnosis, text);
}

void prfdata_diagnosis_add_finding(prfdata_diagnosis *diagnosis, prfdata_finding_id id,
                                   const wchar_t *subject, ...)
{
    const command_words words = {diagnosis->program, diagnosis->service, subject, 0};
    va_list arguments;

    va_start(arguments, subject);
    add_finding_text(diagnosis, id, &words, arguments);
    va_end(arguments);
}

void prfdata_diagnosis_add_process_finding(prfdata_diagnosis *diagnosis, prfdata_finding_id id,
                                           uint32_t process_id, ...)
{
    const command_words words = {diagnosis->program, diagnosis->service, NULL, process_id};
    va_list arguments;

    va_start(arguments, process_id);
    add_finding_text(diagnosis, id, &words, arguments);
    va_end(arguments);
}

void prfdata_diagnosis_add_language(prfdata_diagnosis *diagnosis, const wchar_t *language,
                                    bool has_titles)
{
    prfdata_diagnosis_language *item;

    ADD_ITEM(diagnosis, languages, item);
    if (!item)
        return;
    item->language = copy_diagnosis_text(diagnosis, language);
    item->has_titles = has_titles;
}

void prfdata_diagnosis_add_process(prfdata_diagnosis *diagnosis,
                                   const prfdata_diagnosis_process *process)
{
    prfdata_diagnosis_process *item;

    ADD_ITEM(diagnosis, processes, item);
    if (!item)
        return;
    *item = *process;
    item->program = copy_diagnosis_text(diagnosis, process->program);
    item->account = copy_diagnosis_text(diagnosis, process->account);
    item->file = copy_diagnosis_text(diagnosis, process->file);
}

void prfdata_diagnosis_count_map(prfdata_diagnosis *diagnosis, prfdata_map_version version,
                                 uint64_t hash, bool is_live)
{
    prfdata_diagnosis_map *item = NULL;

    for (size_t i = 0; i < diagnosis->maps.count; i++) {
        if (diagnosis->maps.items[i].hash == hash && diagnosis->maps.items[i].version == version)
            item = &diagnosis->maps.items[i];
    }
    if (!item) {
        ADD_ITEM(diagnosis, maps, item);
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

void prfdata_diagnosis_count_ended(prfdata_diagnosis *diagnosis, const wchar_t *account,
                                   bool is_this_boot, uint64_t bytes)
{
    prfdata_diagnosis_ended *item = NULL;

    for (size_t i = 0; i < diagnosis->ended.count; i++) {
        prfdata_diagnosis_ended *at = &diagnosis->ended.items[i];

        if (at->account && wcscmp(at->account, account) == 0 && at->is_this_boot == is_this_boot)
            item = at;
    }
    if (!item) {
        ADD_ITEM(diagnosis, ended, item);
        if (!item)
            return;
        item->account = copy_diagnosis_text(diagnosis, account);
        item->is_this_boot = is_this_boot;
    }
    item->file_count++;
    item->bytes += bytes;
}

void prfdata_diagnosis_add_event(prfdata_diagnosis *diagnosis, const prfdata_diagnosis_event *event)
{
    prfdata_diagnosis_event *item;

    ADD_ITEM(diagnosis, events, item);
    if (!item)
        return;
    *item = *event;
    item->source = copy_diagnosis_text(diagnosis, event->source);
    item->text = copy_diagnosis_text(diagnosis, event->text);
}

bool prfdata_diagnosis_has(const prfdata_diagnosis *diagnosis, prfdata_finding_id id)
{
    for (size_t i = 0; i < diagnosis->findings.count; i++) {
        if (diagnosis->findings.items[i].id == id)
            return true;
    }
    return false;
}

size_t prfdata_diagnosis_wrong_count(const prfdata_diagnosis *diagnosis)
{
    size_t count = 0;

    for (size_t i = 0; i < diagnosis->findings.count; i++) {
        if (diagnosis->findings.items[i].severity == PRFDATA_DIAGNOSIS_WRONG)
            count++;
    }
    return count;
}

const char *prfdata_diagnosis_fact_name(prfdata_fact_id id)
{
    return fact_rows[id].name;
}

const wchar_t *prfdata_diagnosis_fact_label(prfdata_fact_id id)
{
    return fact_rows[id].label;
}

const char *prfdata_diagnosis_finding_name(prfdata_finding_id id)
{
    return finding_rows[id].name;
}

const char *prfdata_diagnosis_severity_name(prfdata_diagnosis_severity severity)
{
    return severity == PRFDATA_DIAGNOSIS_WRONG ? "wrong" : "note";
}

const char *prfdata_diagnosis_version_name(prfdata_map_version version)
{
    static const char *const names[] = {"present", "earlier", "unknown"};

    return names[version];
}

static void free_diagnosis_processes(prfdata_diagnosis *diagnosis)
{
    for (size_t i = 0; i < diagnosis->processes.count; i++) {
        free(diagnosis->processes.items[i].program);
        free(diagnosis->processes.items[i].account);
        free(diagnosis->processes.items[i].file);
    }
    free(diagnosis->processes.items);
}

static void free_diagnosis_events(prfdata_diagnosis *diagnosis)
{
    for (size_t i = 0; i < diagnosis->events.count; i++) {
        free(diagnosis->events.items[i].source);
        free(diagnosis->events.items[i].text);
    }
    free(diagnosis->events.items);
}

static void free_diagnosis_findings(prfdata_diagnosis *diagnosis)
{
    for (size_t i = 0; i < diagnosis->findings.count; i++) {
        free(diagnosis->findings.items[i].what);
        free(diagnosis->findings.items[i].command);
    }
    free(diagnosis->findings.items);
}

void prfdata_diagnosis_free(prfdata_diagnosis *diagnosis)
{
    for (size_t i = 0; i < diagnosis->facts.count; i++)
        free(diagnosis->facts.items[i].text);
    for (size_t i = 0; i < diagnosis->languages.count; i++)
        free(diagnosis->languages.items[i].language);
    for (size_t i = 0; i < diagnosis->ended.count; i++)
        free(diagnosis->ended.items[i].account);
    free(diagnosis->facts.items);
    free(diagnosis->languages.items);
    free(diagnosis->ended.items);
    free(diagnosis->maps.items);
    free_diagnosis_processes(diagnosis);
    free_diagnosis_events(diagnosis);
    free_diagnosis_findings(diagnosis);
    memset(diagnosis, 0, sizeof *diagnosis);
}
