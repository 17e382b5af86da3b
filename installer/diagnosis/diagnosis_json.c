/* SPDX-License-Identifier: MIT */
/*
 * Shows a diagnosis to programs: one object of JSON in one line (RFC 8259). docs/doctor.md lists
 * the fields; they may only grow. Portable.
 */
#include <stdio.h>
#include <stdlib.h>

#include "core/array.h"
#include "diagnosis/diagnosis.h"

/* A text that grows; it is lost when memory is exhausted. */
typedef struct json_text {
    wchar_t *chars;
    size_t count;
    size_t capacity;
    bool has_failed;
} json_text;

static void put_json_char(json_text *json, wchar_t c)
{
    wchar_t *grown =
        prfdata_array_reserve(json->chars, &json->capacity, json->count + 2, sizeof *grown);

    if (!grown) {
        json->has_failed = true;
        return;
    }
    json->chars = grown;
    json->chars[json->count++] = c;
    json->chars[json->count] = 0;
}

static void put_json_raw(json_text *json, const char *text)
{
    for (; *text; text++)
        put_json_char(json, (wchar_t)(unsigned char)*text);
}

static void put_json_escape(json_text *json, unsigned c)
{
    char text[8];

    snprintf(text, sizeof text, "\\u%04x", c & 0xFFFF);
    put_json_raw(json, text);
}

/* A text of UTF-16 may hold half a pair, which is no character and no UTF-8. */
static bool is_half_pair(const wchar_t *text, const wchar_t *at)
{
    unsigned c = (unsigned)*at;

    if (c >= 0xD800 && c < 0xDC00)
        return (unsigned)at[1] < 0xDC00 || (unsigned)at[1] > 0xDFFF;
    if (c >= 0xDC00 && c < 0xE000)
        return at == text || (unsigned)at[-1] < 0xD800 || (unsigned)at[-1] >= 0xDC00;
    return false;
}

static void put_json_text(json_text *json, const wchar_t *text)
{
    put_json_char(json, L'"');
    for (const wchar_t *at = text ? text : L""; *at; at++) {
        if (*at == L'"' || *at == L'\\') {
            put_json_char(json, L'\\');
            put_json_char(json, *at);
        } else if ((unsigned)*at < 0x20 || is_half_pair(text, at)) {
            put_json_escape(json, (unsigned)*at);
        } else {
            put_json_char(json, *at);
        }
    }
    put_json_char(json, L'"');
}

static void put_json_number(json_text *json, uint64_t number)
{
    char text[24];

    snprintf(text, sizeof text, "%llu", (unsigned long long)number);
    put_json_raw(json, text);
}

/* ---- Members: `name` is a plain one ---- */

/* Begin a member, after a comma if it is not the first one of its object. */
static void put_json_name(json_text *json, const char *name)
{
    if (json->count > 0 && json->chars[json->count - 1] != L'{')
        put_json_char(json, L',');
    put_json_char(json, L'"');
    put_json_raw(json, name);
    put_json_raw(json, "\":");
}

static void put_json_text_member(json_text *json, const char *name, const wchar_t *text)
{
    put_json_name(json, name);
    put_json_text(json, text);
}

static void put_json_word(json_text *json, const char *name, const char *word)
{
    put_json_name(json, name);
    put_json_char(json, L'"');
    put_json_raw(json, word);
    put_json_char(json, L'"');
}

static void put_json_number_member(json_text *json, const char *name, uint64_t number)
{
    put_json_name(json, name);
    put_json_number(json, number);
}

static void put_json_bool(json_text *json, const char *name, bool value)
{
    put_json_name(json, name);
    put_json_raw(json, value ? "true" : "false");
}

/* JSON's numbers are exact up to 53 bits in most programs. */
static void put_json_hash(json_text *json, const char *name, uint64_t hash)
{
    char text[17];

    snprintf(text, sizeof text, "%08x%08x", (unsigned)(hash >> 32), (unsigned)hash);
    put_json_word(json, name, text);
}

/* ---- Lists ---- */

static void begin_json_list(json_text *json, const char *name)
{
    put_json_name(json, name);
    put_json_char(json, L'[');
}

static void begin_json_item(json_text *json, size_t index)
{
    if (index > 0)
        put_json_char(json, L',');
    put_json_char(json, L'{');
}

static void put_json_facts(json_text *json, const prfdata_diagnosis *diagnosis)
{
    put_json_name(json, "facts");
    put_json_char(json, L'{');
    for (size_t i = 0; i < diagnosis->facts.count; i++) {
        const prfdata_fact *fact = &diagnosis->facts.items[i];

        if (fact->has_number)
            put_json_number_member(json, prfdata_diagnosis_fact_name(fact->id), fact->number);
        else
            put_json_text_member(json, prfdata_diagnosis_fact_name(fact->id), fact->text);
    }
    put_json_char(json, L'}');
}

static void put_json_languages(json_text *json, const prfdata_diagnosis *diagnosis)
{
    begin_json_list(json, "languages");
    for (size_t i = 0; i < diagnosis->languages.count; i++) {
        begin_json_item(json, i);
        put_json_text_member(json, "language", diagnosis->languages.items[i].language);
        put_json_bool(json, "titles", diagnosis->languages.items[i].has_titles);
        put_json_char(json, L'}');
    }
    put_json_char(json, L']');
}

static void put_json_maps(json_text *json, const prfdata_diagnosis *diagnosis)
{
    begin_json_list(json, "maps");
    for (size_t i = 0; i < diagnosis->maps.count; i++) {
        const prfdata_diagnosis_map *map = &diagnosis->maps.items[i];

        begin_json_item(json, i);
        put_json_word(json, "version", prfdata_diagnosis_version_name(map->version));
        put_json_hash(json, "hash", map->hash);
        put_json_number_member(json, "live", map->live_count);
        put_json_number_member(json, "ended", map->ended_count);
        put_json_char(json, L'}');
    }
    put_json_char(json, L']');
}

static void put_json_process(json_text *json, const prfdata_diagnosis_process *process)
{
    put_json_number_member(json, "process", process->process_id);
    put_json_text_member(json, "program", process->program);
    put_json_text_member(json, "account", process->account);
    put_json_text_member(json, "file", process->file);
    put_json_word(json, "map", prfdata_diagnosis_version_name(process->version));
    put_json_hash(json, "hash", process->map_hash);
    put_json_number_member(json, "objects", process->object_count);
    put_json_number_member(json, "instances", process->instance_count);
    put_json_number_member(json, "dropped", process->dropped);
    put_json_number_member(json, "bytes", process->bytes);
    put_json_bool(json, "shown", process->is_shown);
}

static void put_json_processes(json_text *json, const prfdata_diagnosis *diagnosis)
{
    begin_json_list(json, "processes");
    for (size_t i = 0; i < diagnosis->processes.count; i++) {
        begin_json_item(json, i);
        put_json_process(json, &diagnosis->processes.items[i]);
        put_json_char(json, L'}');
    }
    put_json_char(json, L']');
}

static void put_json_ended(json_text *json, const prfdata_diagnosis *diagnosis)
{
    begin_json_list(json, "ended");
    for (size_t i = 0; i < diagnosis->ended.count; i++) {
        const prfdata_diagnosis_ended *ended = &diagnosis->ended.items[i];

        begin_json_item(json, i);
        put_json_text_member(json, "account", ended->account);
        put_json_bool(json, "this_boot", ended->is_this_boot);
        put_json_number_member(json, "files", ended->file_count);
        put_json_number_member(json, "bytes", ended->bytes);
        put_json_char(json, L'}');
    }
    put_json_char(json, L']');
}

static void put_json_events(json_text *json, const prfdata_diagnosis *diagnosis)
{
    begin_json_list(json, "events");
    for (size_t i = 0; i < diagnosis->events.count; i++) {
        const prfdata_diagnosis_event *event = &diagnosis->events.items[i];
        wchar_t time[PRFDATA_DIAGNOSIS_TIME_CHARS];

        prfdata_diagnosis_time(event->time, time);
        begin_json_item(json, i);
        put_json_text_member(json, "source", event->source);
        put_json_number_member(json, "event", event->event_id);
        put_json_text_member(json, "time", time);
        put_json_number_member(json, "count", event->count);
        put_json_text_member(json, "text", event->text);
        put_json_char(json, L'}');
    }
    put_json_char(json, L']');
}

static void put_json_findings(json_text *json, const prfdata_diagnosis *diagnosis)
{
    begin_json_list(json, "findings");
    for (size_t i = 0; i < diagnosis->findings.count; i++) {
        const prfdata_finding *finding = &diagnosis->findings.items[i];

        begin_json_item(json, i);
        put_json_word(json, "id", prfdata_diagnosis_finding_name(finding->id));
        put_json_word(json, "severity", prfdata_diagnosis_severity_name(finding->severity));
        put_json_text_member(json, "what", finding->what);
        put_json_text_member(json, "why", finding->why);
        put_json_text_member(json, "command", finding->command);
        put_json_bool(json, "repair", finding->is_safe);
        put_json_char(json, L'}');
    }
    put_json_char(json, L']');
}

static void put_json_diagnosis(json_text *json, const prfdata_diagnosis *diagnosis)
{
    static const char *const states[] = {"not-installed", "foreign", "installed"};

    put_json_char(json, L'{');
    put_json_text_member(json, "service", diagnosis->service);
    put_json_word(json, "state", states[diagnosis->state]);
    put_json_bool(json, "enabled",
                  diagnosis->state == PRFDATA_DIAGNOSIS_INSTALLED && !diagnosis->is_disabled);
    put_json_number_member(json, "wrong", prfdata_diagnosis_wrong_count(diagnosis));
    put_json_facts(json, diagnosis);
    put_json_languages(json, diagnosis);
    put_json_maps(json, diagnosis);
    put_json_processes(json, diagnosis);
    put_json_ended(json, diagnosis);
    put_json_events(json, diagnosis);
    put_json_findings(json, diagnosis);
    put_json_char(json, L'}');
}

uint32_t prfdata_diagnosis_json(const prfdata_diagnosis *diagnosis, prfdata_step_function *step,
                                void *context)
{
    json_text json = {0};
    bool has_failed;

    put_json_diagnosis(&json, diagnosis);
    has_failed = json.has_failed;
    if (!has_failed && step)
        step(context, PRFDATA_STEP_SAME, json.chars);
    free(json.chars);
    return has_failed ? ERROR_NOT_ENOUGH_MEMORY : ERROR_SUCCESS;
}
