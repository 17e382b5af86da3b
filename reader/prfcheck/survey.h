/* SPDX-License-Identifier: MIT */
/*
 * The result of a provider, as one line, as one of many in a table, and as JSON: "which provider is
 * it?". Portable; prints nothing itself.
 */
#ifndef PRFDATA_READER_SURVEY_H
#define PRFDATA_READER_SURVEY_H

#include <stdbool.h>

#include "judge/findings.h"
#include "text/output.h"

#define PRFDATA_SURVEY_NAME_BYTES 768 /* of a service's key, in UTF-8 */

/* From the harmless to what breaks the programs that read. */
typedef enum prfdata_survey_verdict {
    PRFDATA_SURVEY_RIGHT,
    PRFDATA_SURVEY_OFF,        /* Windows does not load it; nor was it here */
    PRFDATA_SURVEY_NOT_JUDGED, /* nothing is wrong where no objects came */
    PRFDATA_SURVEY_WARNINGS,
    PRFDATA_SURVEY_NO_LOAD,
    PRFDATA_SURVEY_ERRORS,
    PRFDATA_SURVEY_LATE,  /* its time was over before all scenarios were */
    PRFDATA_SURVEY_BROKEN /* it faulted, hung or ended its process */
} prfdata_survey_verdict;

/* What was found by a rule; total 0: nothing. */
typedef struct prfdata_survey_finding {
    uint64_t total;
    char text[200];       /* of the first one */
    const char *scenario; /* of that; borrowed */
} prfdata_survey_finding;

typedef struct prfdata_survey_row {
    char service[PRFDATA_SURVEY_NAME_BYTES]; /* "": a DLL without a service */
    char library[PRFDATA_SURVEY_NAME_BYTES];
    prfdata_survey_verdict verdict;
    prfdata_rule worst;  /* the gravest, of these the first of rules.h; PRFDATA_RULE_COUNT: none */
    uint64_t totals[3];  /* by severity */
    uint32_t not_judged; /* scenarios that never saw an object */
    uint32_t left_out;   /* scenarios for which there was no time */
    uint64_t calls;
    uint32_t slowest_us;
    uint32_t took_ms; /* the whole check */
} prfdata_survey_row;

/* Set totals and worst of a row: `findings` has one of each rule. */
void prfdata_survey_count(prfdata_survey_row *row, const prfdata_survey_finding *findings);

/* "MyService: broken: collect-crash (Perflib event 1010), memory-leak" */
void prfdata_survey_put_line(prfdata_output *output, const prfdata_survey_row *row,
                             const prfdata_survey_finding *findings);

/* The rows that are not right, the worst first, with what switches each off; sorts the rows. */
void prfdata_survey_put_table(prfdata_output *output, prfdata_survey_row *rows, size_t count);

/* One line of JSON: {"Service":"MyService",...,"Findings":[{"Rule":"collect-crash",...}]} */
void prfdata_survey_put_json(prfdata_output *output, const prfdata_survey_row *row,
                             const prfdata_survey_finding *findings);

#endif
