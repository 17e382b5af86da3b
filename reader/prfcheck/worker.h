/* SPDX-License-Identifier: MIT */
/* Runs the provider in a separate process. prfcheck starts itself again for that. If a provider
 * faults, hangs or ends its process, only one scenario ends, and prfcheck starts another process
 * for the scenarios after it. */
#ifndef PRFDATA_READER_WORKER_H
#define PRFDATA_READER_WORKER_H

#include "prfcheck/check_options.h"
#include "prfcheck/coverage.h"
#include "source/registration.h"
#include "validate/findings.h"

typedef enum prfdata_worker_kind {
    PRFDATA_WORKER_BEGIN,
    PRFDATA_WORKER_FINDING, /* the scenario has found a mistake */
    /* `count` says how often the scenario has found a mistake again. */
    PRFDATA_WORKER_MORE,
    PRFDATA_WORKER_FATAL,    /* as FINDING, but the process that sends it then ends */
    PRFDATA_WORKER_END,      /* end of the scenario; `text` says what the scenario did */
    PRFDATA_WORKER_DONE,     /* all scenarios have ended */
    PRFDATA_WORKER_HOPELESS, /* the provider does not load, does not open, or finds every buffer too
                                small */
    PRFDATA_WORKER_ALIVE     /* sent from time to time, to show that the worker lives */
} prfdata_worker_kind;

/* A message that the worker sends through its pipe. Messages are written and read as a whole. */
typedef struct prfdata_worker_message {
    prfdata_worker_kind kind;
    uint32_t scenario;
    bool is_second; /* the second process of the scenario sends it */
    prfdata_rule rule;
    uint32_t slowest_us; /* duration of the slowest Collect so far */
    uint64_t offset;     /* offset, rule and spot are set only for a finding */
    prfdata_spot spot;
    uint64_t mistake; /* for MORE: the id of the mistake that was found again */
    uint64_t count;   /* the number of findings that this message stands for */
    uint64_t calls;   /* for END: number of calls of Collect in this scenario */
    uint32_t saw;  /* for END: the extent of the objects that were there when the scenario began */
    uint32_t seen; /* for END: the extent of everything that came so far */
    uint32_t late_ms;           /* for END: the time from Open until the last object came */
    prfdata_coverage_part part; /* for END: the part of the scenario's work that was done */
    char text[200];             /* for a finding, and for END */
    char query[80];    /* the query in quotes, or the word NULL for a null pointer; empty: there is
                          none */
    uint32_t capacity; /* capacity of the buffer for the reply, in bytes */
} prfdata_worker_message;

/* Run the scenarios from `options->from` on, and end the process. If `options->is_beside`, work as
 * the second process of a scenario instead. Returns only if no scenario can begin; the result is
 * the process's exit code. */
int prfdata_worker_run(const prfdata_check_options *options,
                       const prfdata_registration *registration);

/* Returns whether the options ask for this scenario. */
bool prfdata_worker_wants(const prfdata_check_options *options, uint32_t scenario);

#endif
