/* SPDX-License-Identifier: MIT */
/*
 * Holds the results of -Status: facts, programs, files, events and findings. The doctor makes them
 * (doctor.h). Portable.
 */
#ifndef PRFDATA_DIAGNOSIS_H
#define PRFDATA_DIAGNOSIS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <wchar.h>

#include <prfdata/install.h>

#include "diagnosis/fact_table.h"
#include "diagnosis/finding_table.h"

typedef enum prfdata_fact_id {
#define ROW(NAME, name, label) PRFDATA_FACT_##NAME,
    PRFDATA_FACTS(ROW)
#undef ROW
        PRFDATA_FACT_COUNT
} prfdata_fact_id;

typedef enum prfdata_finding_id {
#define ROW(NAME, id, severity, fix, what, why) PRFDATA_FINDING_##NAME,
    PRFDATA_FINDINGS(ROW)
#undef ROW
        PRFDATA_FINDING_COUNT
} prfdata_finding_id;

typedef enum prfdata_fix {
#define ROW(NAME, command, is_safe) PRFDATA_FIX_##NAME,
    PRFDATA_FIXES(ROW)
#undef ROW
        PRFDATA_FIX_COUNT
} prfdata_fix;

typedef enum prfdata_diagnosis_severity {
    PRFDATA_DIAGNOSIS_WRONG,
    PRFDATA_DIAGNOSIS_NOTE
} prfdata_diagnosis_severity;

typedef enum prfdata_diagnosis_state {
    PRFDATA_DIAGNOSIS_NOT_INSTALLED,
    PRFDATA_DIAGNOSIS_FOREIGN,
    PRFDATA_DIAGNOSIS_INSTALLED
} prfdata_diagnosis_state;

/* The version of the map that a region has. */
typedef enum prfdata_map_version {
    PRFDATA_MAP_PRESENT,
    PRFDATA_MAP_EARLIER,
    PRFDATA_MAP_UNKNOWN
} prfdata_map_version;

/* The diagnosis owns all texts. */
typedef struct prfdata_fact {
    prfdata_fact_id id;
    wchar_t *text;
    bool has_number; /* JSON shows the number instead of the text */
    uint64_t number;
} prfdata_fact;

typedef struct prfdata_finding {
    prfdata_finding_id id;
    prfdata_diagnosis_severity severity;
    prfdata_fix fix;
    bool is_safe; /* whether -Repair may run the command */
    wchar_t *what;
    const wchar_t *why; /* in static storage */
    wchar_t *command;   /* "" if there is none */
} prfdata_finding;

/* A process that publishes. Its region may contain anything, so process_id (if is_said), map_hash,
 * object_count, instance_count and dropped may be untrue. */
typedef struct prfdata_diagnosis_process {
    uint32_t process_id;
    bool is_said;     /* process_id is what the region says; the system did not confirm it */
    wchar_t *program; /* the path; "" if it is not known */
    wchar_t *account; /* the owner of the region file, as the system names it */
    wchar_t *file;
    prfdata_map_version version;
    uint64_t map_hash;
    uint32_t object_count;
    uint64_t instance_count;
    uint64_t dropped;
    uint64_t bytes;
    bool is_shown;
} prfdata_diagnosis_process;

/* The region files of this boot that have one version of the map. */
typedef struct prfdata_diagnosis_map {
    prfdata_map_version version;
    uint64_t hash;
    uint32_t live_count;
    uint32_t ended_count;
} prfdata_diagnosis_map;

/* The region files that ended programs of one account left. */
typedef struct prfdata_diagnosis_ended {
    wchar_t *account;
    bool is_this_boot;
    uint32_t file_count;
    uint64_t bytes;
} prfdata_diagnosis_ended;

typedef struct prfdata_diagnosis_language {
    wchar_t *language; /* such as "007 (German)" */
    bool has_titles;
} prfdata_diagnosis_language;

/* The newest event with this source and number. */
typedef struct prfdata_diagnosis_event {
    wchar_t *source;
    uint32_t event_id;
    uint64_t time; /* seconds since 1970, UTC */
    uint32_t count;
    wchar_t *text;
} prfdata_diagnosis_event;

#define PRFDATA_DIAGNOSIS_LIST(type, name)                                                         \
    struct {                                                                                       \
        type *items;                                                                               \
        size_t count;                                                                              \
        size_t capacity;                                                                           \
    } name

/* {0} at first. The owner sets the first two fields before it adds anything. */
typedef struct prfdata_diagnosis {
    wchar_t service[PRFDATA_MAX_SERVICE_CHARS + 1];
    wchar_t program[260]; /* the name of the installer program in commands */
    prfdata_diagnosis_state state;
    bool is_disabled;
    bool has_failed; /* the diagnosis is not complete, because memory was exhausted */
    PRFDATA_DIAGNOSIS_LIST(prfdata_fact, facts);
    PRFDATA_DIAGNOSIS_LIST(prfdata_diagnosis_language, languages);
    PRFDATA_DIAGNOSIS_LIST(prfdata_diagnosis_map, maps);
    PRFDATA_DIAGNOSIS_LIST(prfdata_diagnosis_process, processes);
    PRFDATA_DIAGNOSIS_LIST(prfdata_diagnosis_ended, ended);
    PRFDATA_DIAGNOSIS_LIST(prfdata_diagnosis_event, events);
    PRFDATA_DIAGNOSIS_LIST(prfdata_finding, findings);
} prfdata_diagnosis;

/* ---- Adding: if memory is exhausted, has_failed is set ---- */

/*
 * `format` is a format of wprintf, with %ls and %hs for texts. A fact longer than 1,023 chars is
 * cut.
 */
void prfdata_diagnosis_add_fact(prfdata_diagnosis *diagnosis, prfdata_fact_id id,
                                const wchar_t *format, ...);

/* Add a fact that is a number. JSON shows the number; the text shows it as `format` says. */
void prfdata_diagnosis_add_number(prfdata_diagnosis *diagnosis, prfdata_fact_id id, uint64_t number,
                                  const wchar_t *format, ...);

/*
 * Add a finding.
 *
 * subject  The text for {subject} in the command of the fix, or NULL.
 * ...      The arguments of the finding's message.
 */
void prfdata_diagnosis_add_finding(prfdata_diagnosis *diagnosis, prfdata_finding_id id,
                                   const wchar_t *subject, ...);

/* Add a finding about a process. If process_id is 0, the fix END_PROGRAM gets no command. */
void prfdata_diagnosis_add_process_finding(prfdata_diagnosis *diagnosis, prfdata_finding_id id,
                                           uint32_t process_id, ...);

void prfdata_diagnosis_add_language(prfdata_diagnosis *diagnosis, const wchar_t *language,
                                    bool has_titles);

/* The texts of `process` are copied. */
void prfdata_diagnosis_add_process(prfdata_diagnosis *diagnosis,
                                   const prfdata_diagnosis_process *process);

/* Count a region file of this boot. */
void prfdata_diagnosis_count_map(prfdata_diagnosis *diagnosis, prfdata_map_version version,
                                 uint64_t hash, bool is_live);

/* Count a region file that has no writer. */
void prfdata_diagnosis_count_ended(prfdata_diagnosis *diagnosis, const wchar_t *account,
                                   bool is_this_boot, uint64_t bytes);

/* The texts of `event` are copied. */
void prfdata_diagnosis_add_event(prfdata_diagnosis *diagnosis,
                                 const prfdata_diagnosis_event *event);

bool prfdata_diagnosis_has(const prfdata_diagnosis *diagnosis, prfdata_finding_id id);

size_t prfdata_diagnosis_wrong_count(const prfdata_diagnosis *diagnosis);

/*
 * Return the stable name of a fact, a finding, a severity (such as "note") or a map's version, for
 * JSON. The label of a fact is for people.
 */
const char *prfdata_diagnosis_fact_name(prfdata_fact_id id);
const wchar_t *prfdata_diagnosis_fact_label(prfdata_fact_id id);
const char *prfdata_diagnosis_finding_name(prfdata_finding_id id);
const char *prfdata_diagnosis_severity_name(prfdata_diagnosis_severity severity);
const char *prfdata_diagnosis_version_name(prfdata_map_version version);

void prfdata_diagnosis_free(prfdata_diagnosis *diagnosis);

#define PRFDATA_DIAGNOSIS_TIME_CHARS 21 /* 2024-02-29T23:59:59Z */

/* Write seconds since 1970 as ISO 8601; `text` has room for PRFDATA_DIAGNOSIS_TIME_CHARS. */
void prfdata_diagnosis_time(uint64_t seconds, wchar_t *text);

/* Report the diagnosis in lines. Only a line about a WRONG finding is PRFDATA_STEP_FAILED. */
void prfdata_diagnosis_text(const prfdata_diagnosis *diagnosis, prfdata_step_function *step,
                            void *context);

/*
 * Report the diagnosis as one line of JSON.
 * Returns ERROR_SUCCESS or ERROR_NOT_ENOUGH_MEMORY.
 */
uint32_t prfdata_diagnosis_json(const prfdata_diagnosis *diagnosis, prfdata_step_function *step,
                                void *context);

#endif
