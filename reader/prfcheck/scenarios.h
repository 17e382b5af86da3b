/* SPDX-License-Identifier: MIT */
/*
 * What is done to a provider: queries of all forms, buffers of all sizes and at all places, many
 * threads, many loads. Every scenario can be the first one of a process: if a provider ends its
 * process, the next scenario begins in another one. Knows Windows.
 */
#ifndef PRFDATA_READER_SCENARIOS_H
#define PRFDATA_READER_SCENARIOS_H

#include "prfcheck/strict.h"

#define PRFDATA_SCENARIO_TITLES 1024u

/* The objects of a reply. */
typedef struct prfdata_scenarios_titles {
    uint32_t items[PRFDATA_SCENARIO_TITLES];
    uint32_t parents[PRFDATA_SCENARIO_TITLES]; /* as of prfdata_judge_next_object() */
    uint32_t ends[PRFDATA_SCENARIO_TITLES];    /* of the objects, in the reply */
    size_t count;
} prfdata_scenarios_titles;

/* The last reply of a thread. */
typedef struct prfdata_history {
    unsigned char *bytes;
    prfdata_judge_reply reply;
} prfdata_history;

typedef struct prfdata_check {
    prfdata_strict strict;
    prfdata_strict_thread thread;
    prfdata_history history;
    bool quick;
    uint32_t seconds;
    bool is_loaded;
    bool is_open;
    bool is_hopeless;                /* the provider neither loads nor opens */
    prfdata_scenarios_titles global; /* of the last reply to Global */
    uint32_t needed;                 /* bytes of that reply */
    uint64_t calls;                  /* Collects of other threads */
    const char *name;                /* of the scenario that runs */
    char did[160];                   /* what it did, if that is not obvious */
} prfdata_check;

/* How many scenarios there are, and what they are called; several may share a name. */
size_t prfdata_scenarios_count(void);
const char *prfdata_scenarios_name(size_t index);

/* The query that it is about; NULL: none, or it is NULL. */
const wchar_t *prfdata_scenarios_query(size_t index);

/* Run one; what is found goes to the sink of check->strict. */
void prfdata_scenarios_run(size_t index, prfdata_check *check);

/* Close and unload. */
void prfdata_scenarios_finish(prfdata_check *check);

#endif
