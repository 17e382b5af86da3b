/* SPDX-License-Identifier: MIT */
/*
 * What -Status found, as data: facts, programs, files, events and findings. The text, the JSON and
 * -Repair are made of it. Knows neither how anything is found nor how it is mended. Portable.
 */
#ifndef PRFDATA_CHART_H
#define PRFDATA_CHART_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <wchar.h>

#include <prfdata/install.h>

#include "installer/fact_table.h"
#include "installer/finding_table.h"

typedef enum prfdata_fact_id {
#define ROW(NAME, name, label) PRFDATA_FACT_##NAME,
    PRFDATA_FACTS(ROW)
#undef ROW
        PRFDATA_FACT_COUNT
} prfdata_fact_id;

typedef enum prfdata_finding_id {
#define ROW(NAME, id, severity, cure, what, why) PRFDATA_FINDING_##NAME,
    PRFDATA_FINDINGS(ROW)
#undef ROW
        PRFDATA_FINDING_COUNT
} prfdata_finding_id;

typedef enum prfdata_cure {
#define ROW(NAME, command, is_safe) PRFDATA_CURE_##NAME,
    PRFDATA_CURES(ROW)
#undef ROW
        PRFDATA_CURE_COUNT
} prfdata_cure;

typedef enum prfdata_chart_severity {
    PRFDATA_CHART_WRONG,
    PRFDATA_CHART_NOTE
} prfdata_chart_severity;

typedef enum prfdata_chart_state {
    PRFDATA_CHART_NOT_INSTALLED,
    PRFDATA_CHART_FOREIGN,
    PRFDATA_CHART_INSTALLED
} prfdata_chart_state;

/* Which version of the map a region has. */
typedef enum prfdata_map_version {
    PRFDATA_MAP_PRESENT,
    PRFDATA_MAP_EARLIER,
    PRFDATA_MAP_UNKNOWN
} prfdata_map_version;

/* All texts are the chart's. */
typedef struct prfdata_fact {
    prfdata_fact_id id;
    wchar_t *text;
    bool has_number; /* JSON has the number instead of the text */
    uint64_t number;
} prfdata_fact;

typedef struct prfdata_finding {
    prfdata_finding_id id;
    prfdata_chart_severity severity;
    prfdata_cure cure;
    bool is_safe; /* -Repair may run the cure */
    wchar_t *what;
    const wchar_t *why; /* static */
    wchar_t *command;   /* "": none */
} prfdata_finding;

/* A process that publishes. What its region says may be wrong in every bit: it is checked. */
typedef struct prfdata_chart_process {
    uint32_t process_id; /* as its region says */
    wchar_t *program;    /* the path; "": not known */
    wchar_t *account;    /* the owner of its file, as the system knows him */
    wchar_t *file;
    prfdata_map_version version;
    uint64_t map_hash;
    uint32_t object_count;
    uint64_t instance_count;
    uint64_t dropped;
    uint64_t bytes;
    bool is_shown;
} prfdata_chart_process;

/* The files of one version of the map, of this boot. */
typedef struct prfdata_chart_map {
    prfdata_map_version version;
    uint64_t hash;
    uint32_t live_count;
    uint32_t ended_count;
} prfdata_chart_map;

/* The files that ended programs of one account left. */
typedef struct prfdata_chart_ended {
    wchar_t *account;
    bool is_this_boot;
    uint32_t file_count;
    uint64_t bytes;
} prfdata_chart_ended;

typedef struct prfdata_chart_language {
    wchar_t *language; /* such as "009" */
    bool has_titles;
} prfdata_chart_language;

/* The last event of its number. */
typedef struct prfdata_chart_event {
    wchar_t *source;
    uint32_t event_id;
    uint64_t time; /* seconds since 1970, UTC */
    uint32_t count;
    wchar_t *text;
} prfdata_chart_event;

/* An array that grows. */
#define PRFDATA_CHART_LIST(type, name)                                                             \
    struct {                                                                                       \
        type *items;                                                                               \
        size_t count;                                                                              \
        size_t capacity;                                                                           \
    } name

/* {0} but for the first two fields. */
typedef struct prfdata_chart {
    wchar_t service[PRFDATA_MAX_SERVICE_CHARS + 1];
    wchar_t program[260]; /* how commands call the installer program */
    prfdata_chart_state state;
    bool is_disabled;
    bool has_failed; /* memory was exhausted: the chart is not complete */
    PRFDATA_CHART_LIST(prfdata_fact, facts);
    PRFDATA_CHART_LIST(prfdata_chart_language, languages);
    PRFDATA_CHART_LIST(prfdata_chart_map, maps);
    PRFDATA_CHART_LIST(prfdata_chart_process, processes);
    PRFDATA_CHART_LIST(prfdata_chart_ended, ended);
    PRFDATA_CHART_LIST(prfdata_chart_event, events);
    PRFDATA_CHART_LIST(prfdata_finding, findings);
} prfdata_chart;

/* ---- Adding: where memory is exhausted, has_failed is set ---- */

/* `format` is that of wprintf, with %ls and %hs for texts. Longer facts than 1,023 chars are cut.
 */
void prfdata_chart_add_fact(prfdata_chart *chart, prfdata_fact_id id, const wchar_t *format, ...);

/* A fact that is a number in JSON, and shown as `format` says. */
void prfdata_chart_add_number(prfdata_chart *chart, prfdata_fact_id id, uint64_t number,
                              const wchar_t *format, ...);

/*
 * Add a finding.
 *
 * subject  What the cure's {subject} stands for, or NULL.
 * ...      The arguments of the finding's sentence.
 */
void prfdata_chart_add_finding(prfdata_chart *chart, prfdata_finding_id id, const wchar_t *subject,
                               ...);

/* The same for a finding about a process. */
void prfdata_chart_add_process_finding(prfdata_chart *chart, prfdata_finding_id id,
                                       uint32_t process_id, ...);

void prfdata_chart_add_language(prfdata_chart *chart, const wchar_t *language, bool has_titles);

/* The texts of `process` are copied. */
void prfdata_chart_add_process(prfdata_chart *chart, const prfdata_chart_process *process);

/* Count a region file of this boot. */
void prfdata_chart_count_map(prfdata_chart *chart, prfdata_map_version version, uint64_t hash,
                             bool is_live);

/* Count a region file without writer. */
void prfdata_chart_count_ended(prfdata_chart *chart, const wchar_t *account, bool is_this_boot,
                               uint64_t bytes);

/* The texts of `event` are copied. */
void prfdata_chart_add_event(prfdata_chart *chart, const prfdata_chart_event *event);

/* ---- Asking ---- */

/* Whether there is such a finding. */
bool prfdata_chart_has(const prfdata_chart *chart, prfdata_finding_id id);

/* How many findings are wrong. */
size_t prfdata_chart_wrong_count(const prfdata_chart *chart);

/* The stable names: of a fact, a finding, a severity ("wrong", "note"), a version of a map. */
const char *prfdata_chart_fact_name(prfdata_fact_id id);
const wchar_t *prfdata_chart_fact_label(prfdata_fact_id id);
const char *prfdata_chart_finding_name(prfdata_finding_id id);
const char *prfdata_chart_severity_name(prfdata_chart_severity severity);
const char *prfdata_chart_version_name(prfdata_map_version version);

void prfdata_chart_free(prfdata_chart *chart);

/* ---- Showing ---- */

#define PRFDATA_CHART_TIME_CHARS 21 /* 2024-02-29T23:59:59Z */

/* Write seconds since 1970 as ISO 8601 has them; `text` has room for PRFDATA_CHART_TIME_CHARS. */
void prfdata_chart_time(uint64_t seconds, wchar_t *text);

/* Report the chart in lines. Only a line about something wrong is PRFDATA_STEP_FAILED. */
void prfdata_chart_text(const prfdata_chart *chart, prfdata_step_function *step, void *context);

/*
 * Report the chart as one line of JSON.
 * Returns ERROR_SUCCESS or ERROR_NOT_ENOUGH_MEMORY.
 */
uint32_t prfdata_chart_json(const prfdata_chart *chart, prfdata_step_function *step, void *context);

#endif
