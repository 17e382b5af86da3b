/* SPDX-License-Identifier: MIT */
/*
 * Shows a diagnosis to programs: one object of JSON in one line (RFC 8259). docs/doctor.md lists
 * the fields. Later versions may add fields, but keep these. Portable.
 */
#include <stdio.h>
#include <stdlib.h>

#include <prfdata/version.h>

#include "diagnosis/diagnosis.h"
#include "names/names.h"
#include "report/quoted_text.h"

/* ---- Members: `name` needs no escapes ---- */

static void put_json_name(prfdata_quoted_text *json, const char *name)
{
    if (json->used > 0 && json->bytes[json->used - 1] != '{')
        prfdata_quoted_text_put(json, ",");
    prfdata_quoted_text_put(json, "\"");
    prfdata_quoted_text_put(json, name);
    prfdata_quoted_text_put(json, "\":");
}

static void put_json_text_member(prfdata_quoted_text *json, const char *name, const wchar_t *text)
{
    put_json_name(json, name);
    prfdata_quoted_text_put_quoted_wide(json, text ? text : L"");
}

static void put_json_word(prfdata_quoted_text *json, const char *name, const char *word)
{
    put_json_name(json, name);
    prfdata_quoted_text_put(json, "\"");
    prfdata_quoted_text_put(json, word);
    prfdata_quoted_text_put(json, "\"");
}

static void put_json_number_member(prfdata_quoted_text *json, const char *name, uint64_t number)
{
    put_json_name(json, name);
    prfdata_quoted_text_format(json, "%llu", (unsigned long long)number);
}

static void put_json_bool(prfdata_quoted_text *json, const char *name, bool value)
{
    put_json_name(json, name);
    prfdata_quoted_text_put(json, value ? "true" : "false");
}

/*
 * A hash is put as text, because most programs read the numbers of JSON exactly only up to 53 bits.
 */
static void put_json_hash(prfdata_quoted_text *json, const char *name, uint64_t hash)
{
    char text[17];

    snprintf(text, sizeof text, "%08x%08x", (unsigned)(hash >> 32), (unsigned)hash);
    put_json_word(json, name, text);
}

static void begin_json_list(prfdata_quoted_text *json, const char *name)
{
    put_json_name(json, name);
    prfdata_quoted_text_put(json, "[");
}

static void begin_json_item(prfdata_quoted_text *json, size_t index)
{
    if (index > 0)
        prfdata_quoted_text_put(json, ",");
    prfdata_quoted_text_put(json, "{");
}

static void put_json_facts(prfdata_quoted_text *json, const prfdata_diagnosis *diagnosis)
{
    put_json_name(json, "facts");
    prfdata_quoted_text_put(json, "{");
    for (size_t i = 0; i < diagnosis->facts.count; i++) {
        const prfdata_fact *fact = &diagnosis->facts.items[i];

        if (fact->has_number)
            put_json_number_member(json, prfdata_diagnosis_fact_name(fact->id), fact->number);
        else
            put_json_text_member(json, prfdata_diagnosis_fact_name(fact->id), fact->text);
    }
    prfdata_quoted_text_put(json, "}");
}

static void put_json_languages(prfdata_quoted_text *json, const prfdata_diagnosis *diagnosis)
{
    begin_json_list(json, "languages");
    for (size_t i = 0; i < diagnosis->languages.count; i++) {
        begin_json_item(json, i);
        put_json_text_member(json, "language", diagnosis->languages.items[i].language);
        put_json_bool(json, "titles", diagnosis->languages.items[i].has_titles);
        prfdata_quoted_text_put(json, "}");
    }
    prfdata_quoted_text_put(json, "]");
}

static void put_json_maps(prfdata_quoted_text *json, const prfdata_diagnosis *diagnosis)
{
    begin_json_list(json, "maps");
    for (size_t i = 0; i < diagnosis->maps.count; i++) {
        const prfdata_diagnosis_map *map = &diagnosis->maps.items[i];

        begin_json_item(json, i);
        put_json_word(json, "version", prfdata_diagnosis_version_name(map->version));
        put_json_hash(json, "hash", map->hash);
        put_json_number_member(json, "live", map->live_count);
        put_json_number_member(json, "ended", map->ended_count);
        prfdata_quoted_text_put(json, "}");
    }
    prfdata_quoted_text_put(json, "]");
}

static void put_json_process(prfdata_quoted_text *json, const prfdata_diagnosis_process *process)
{
    put_json_number_member(json, "process", process->process_id);
    put_json_bool(json, "said", process->is_said);
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

static void put_json_processes(prfdata_quoted_text *json, const prfdata_diagnosis *diagnosis)
{
    begin_json_list(json, "processes");
    for (size_t i = 0; i < diagnosis->processes.count; i++) {
        begin_json_item(json, i);
        put_json_process(json, &diagnosis->processes.items[i]);
        prfdata_quoted_text_put(json, "}");
    }
    prfdata_quoted_text_put(json, "]");
}

static void put_json_ended(prfdata_quoted_text *json, const prfdata_diagnosis *diagnosis)
{
    begin_json_list(json, "ended");
    for (size_t i = 0; i < diagnosis->ended.count; i++) {
        const prfdata_diagnosis_ended *ended = &diagnosis->ended.items[i];

        begin_json_item(json, i);
        put_json_text_member(json, "account", ended->account);
        put_json_bool(json, "this_boot", ended->is_this_boot);
        put_json_number_member(json, "files", ended->file_count);
        put_json_number_member(json, "bytes", ended->bytes);
        prfdata_quoted_text_put(json, "}");
    }
    prfdata_quoted_text_put(json, "]");
}

static void put_json_events(prfdata_quoted_text *json, const prfdata_diagnosis *diagnosis)
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
        prfdata_quoted_text_put(json, "}");
    }
    prfdata_quoted_text_put(json, "]");
}

static void put_json_findings(prfdata_quoted_text *json, const prfdata_diagnosis *diagnosis)
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
        prfdata_quoted_text_put(json, "}");
    }
    prfdata_quoted_text_put(json, "]");
}

static void put_json_diagnosis(prfdata_quoted_text *json, const prfdata_diagnosis *diagnosis)
{
    static const char *const states[] = {"not-installed", "foreign", "installed"};

    prfdata_quoted_text_put(json, "{");
    put_json_text_member(json, "service", diagnosis->service);
    put_json_word(json, "prfdata", PRFDATA_VERSION);
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
    prfdata_quoted_text_put(json, "}");
}

static wchar_t *widen_json(const prfdata_quoted_text *json)
{
    wchar_t *wide = json->has_failed ? NULL : malloc((json->used + 1) * sizeof *wide);

    if (wide && prfdata_names_wide_from_utf8(json->bytes, json->used, wide) == SIZE_MAX)
        wide[0] = 0;
    return wide;
}

uint32_t prfdata_diagnosis_json(const prfdata_diagnosis *diagnosis, prfdata_step_function *step,
                                void *context)
{
    prfdata_quoted_text json = {0};
    wchar_t *line;

    put_json_diagnosis(&json, diagnosis);
    line = widen_json(&json);
    prfdata_quoted_text_free(&json);
    if (!line)
        return ERROR_NOT_ENOUGH_MEMORY;
    if (step)
        step(context, PRFDATA_STEP_SAME, line);
    free(line);
    return ERROR_SUCCESS;
}
