/* SPDX-License-Identifier: MIT */
/*
 * Writes the result of a provider as one line, as a row of a table, as JSON and as JUnit's XML.
 * Portable; prints nothing itself.
 */
#ifndef PRFDATA_READER_SURVEY_H
#define PRFDATA_READER_SURVEY_H

#include <stdbool.h>

#include "block/name_table.h"
#include "prfcheck/mistakes.h"
#include "text/output.h"

#define PRFDATA_SURVEY_NAME_BYTES 768  /* size of a service's key, in UTF-8 */
#define PRFDATA_SURVEY_PATH_BYTES 3072 /* size of a library's path, in UTF-8 */

/* The verdict about a provider, from the least harmful one to the most harmful one. */
typedef enum prfdata_survey_verdict {
    PRFDATA_SURVEY_RIGHT,
    PRFDATA_SURVEY_OFF,         /* Windows does not load it, so it was not loaded here either */
    PRFDATA_SURVEY_NOT_CHECKED, /* nothing is wrong, but some scenario saw no objects */
    PRFDATA_SURVEY_WARNINGS,
    PRFDATA_SURVEY_NO_LOAD,
    PRFDATA_SURVEY_NOT_FOUND, /* there is no service of this name */
    PRFDATA_SURVEY_ERRORS,
    PRFDATA_SURVEY_LATE,  /* the provider's time was over before all scenarios had run */
    PRFDATA_SURVEY_BROKEN /* the provider faulted, hung or ended its process */
} prfdata_survey_verdict;

/* How a scenario ended. */
typedef enum prfdata_survey_part {
    PRFDATA_SURVEY_NOT_RUN, /* it did not begin, or did not end */
    PRFDATA_SURVEY_RAN,
    PRFDATA_SURVEY_UNSEEN, /* it ran and never saw an object, so it checked nothing */
    PRFDATA_SURVEY_NO_TIME /* it was left out, because large replies or slow calls left no time */
} prfdata_survey_part;

typedef struct prfdata_survey_scenario {
    const char *name; /* borrowed */
    char query[48];   /* the scenario's query, in quotes; "": it has several, or none */
    prfdata_survey_part part;
} prfdata_survey_scenario;

/* The circumstances of a check, the same for all providers. Strings are UTF-8 and borrowed. */
typedef struct prfdata_survey_about {
    const char *version; /* version of prfcheck */
    const char *date;    /* "2026-11-29T06:00:00Z", when the check began */
    const char *options; /* the command line after the program's name */
    bool fails_warnings; /* a warning fails the check, too */
} prfdata_survey_about;

typedef struct prfdata_survey_row {
    char service[PRFDATA_SURVEY_NAME_BYTES]; /* "": it is a DLL without a service */
    char library[PRFDATA_SURVEY_PATH_BYTES];
    prfdata_survey_verdict verdict;
    /*
     * The most severe broken rule; if there are several, the first of them in rules.h;
     * PRFDATA_RULE_COUNT: none.
     */
    prfdata_rule worst;
    uint64_t totals[3]; /* number of mistakes by severity, without accepted ones */
    uint64_t accepted;
    uint32_t not_checked; /* number of scenarios that never saw an object */
    uint32_t left_out;    /* number of scenarios for which there was no time */
    uint64_t calls;
    uint32_t slowest_us;
    uint32_t took_ms;                         /* duration of the whole check */
    const prfdata_survey_scenario *scenarios; /* borrowed; NULL: not known */
    size_t scenario_count;
    const prfdata_name_table *names; /* names of titles; borrowed; NULL: none is known */
} prfdata_survey_row;

/* Set the members totals, accepted and worst of a row. */
void prfdata_survey_count(prfdata_survey_row *row, const prfdata_mistakes *mistakes);

/*
 * Put a finding, without the end of its line: "error object-length, byte 64, Perflib event 1003,
 * object 2 "System": text. The rule. [scenario: "Global", 128 bytes]".
 *
 * scenario  The name of the scenario.
 * names     The names of titles; NULL: none is known.
 */
void prfdata_survey_put_finding(prfdata_output *output, const prfdata_mistake *mistake,
                                const char *scenario, const prfdata_name_table *names);

/* Put a line such as "MyService: broken: collect-crash (Perflib event 1010), memory-leak". */
void prfdata_survey_put_line(prfdata_output *output, const prfdata_survey_row *row,
                             const prfdata_mistakes *mistakes);

/*
 * Put a row for each provider whose verdict is not PRFDATA_SURVEY_RIGHT, the worst first. Each row
 * has the command that switches the provider off, or on if it is off. Then put how many providers
 * passed. Sorts the rows.
 */
void prfdata_survey_put_table(prfdata_output *output, prfdata_survey_row *rows, size_t count);

/* Put a line of JSON: {"Service":"MyService",...,"Findings":[{"Rule":"collect-crash",...}]} */
void prfdata_survey_put_json(prfdata_output *output, const prfdata_survey_about *about,
                             const prfdata_survey_row *row, const prfdata_mistakes *mistakes);

/*
 * Put a suite of JUnit's XML. Each scenario is a test case. The case fails if the scenario found
 * errors, or warnings if these fail the check; accepted mistakes do not count. If the case does not
 * fail, but its scenario did not run or saw no object, the case is skipped. If the check failed for
 * a reason that no case shows, one more case has an error. Put prfdata_survey_put_junit_begin() and
 * _end() around all suites.
 */
void prfdata_survey_put_junit_begin(prfdata_output *output);
void prfdata_survey_put_junit(prfdata_output *output, const prfdata_survey_about *about,
                              const prfdata_survey_row *row, const prfdata_mistakes *mistakes);
void prfdata_survey_put_junit_end(prfdata_output *output);

#endif
