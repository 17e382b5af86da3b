/* SPDX-License-Identifier: MIT */
/* Prints and counts the messages that the processes of one provider send. */
#ifndef PRFDATA_READER_CHECK_REPORT_H
#define PRFDATA_READER_CHECK_REPORT_H

#include "prfcheck/coverage.h"
#include "prfcheck/progress.h"
#include "prfcheck/survey.h"
#include "prfcheck/worker.h"

/* The messages about one provider. Begins with zeros, except for what prfcheck.c sets: options,
 * is_quiet, first_title, names, begun_ms, progress.is_terminal and progress.subject. */
typedef struct prfdata_check_report {
    const prfdata_check_options *options;
    bool is_quiet; /* findings are kept and not printed */
    prfdata_output output;
    prfdata_progress progress;
    prfdata_mistakes mistakes;
    /* number of shown mistakes of each rule: those that are not accepted, and the accepted ones */
    uint32_t shown[PRFDATA_RULE_COUNT];
    uint32_t shown_accepted[PRFDATA_RULE_COUNT];
    uint32_t first_title;            /* first title of the provider; 0: not known */
    const prfdata_name_table *names; /* names of titles; borrowed; NULL: none is known */
    uint64_t begun_ms;               /* GetTickCount64 when the check began */
    uint64_t calls;
    uint32_t slowest_us;
    uint32_t scenario;
    prfdata_coverage coverage;
    uint32_t hangs;       /* number of processes that hung because of mistakes that are not
                             accepted */
    bool is_fatal;        /* a message has said why the current process ends */
    bool is_end_accepted; /* false: a mistake that is not accepted ended the current process */
    bool is_done;         /* all scenarios are done, or no further one can succeed */
    bool is_given_up;     /* no further scenario can succeed, or too many processes ended or hung */
    bool is_broken;       /* a mistake that is not accepted ended a process before its scenarios
                             were done, or too many processes ended or hung */
    bool is_late;         /* the provider's time was over before all scenarios were done */
} prfdata_check_report;

/* Count a message of a worker, and print what users should see of it. */
void prfdata_check_report_take(prfdata_check_report *report, const prfdata_worker_message *message);

/* Add a finding that no worker sends. `kind` is PRFDATA_WORKER_FINDING, or PRFDATA_WORKER_FATAL if
 * the mistake ended a worker or prevents its start. */
void prfdata_check_report_add(prfdata_check_report *report, prfdata_worker_kind kind,
                              prfdata_rule rule, const char *text);

/* Note that the current scenario is still running. Prints a line of progress if one is due. */
void prfdata_check_report_go_on(prfdata_check_report *report);

/* Remove the line of progress before something else is printed. */
void prfdata_check_report_hide_progress(prfdata_check_report *report);

/* Print the content of report->output, unless the report is quiet. */
void prfdata_check_report_write(prfdata_check_report *report);

void prfdata_check_report_end(prfdata_check_report *report);

/* Put the sums of all findings into a row. The caller sets the row's service, library, duration and
 * scenarios. */
void prfdata_check_report_sum(const prfdata_check_report *report, prfdata_survey_row *row);

#endif
