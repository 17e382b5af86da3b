/* SPDX-License-Identifier: MIT */
/*
 * Lists the scenarios that a provider goes through: queries of all forms, buffers of all sizes and
 * at all places, many threads, many loads. Any scenario can be the first one of a process: if a
 * provider ends its process, the next scenario begins in another one.
 */
#ifndef PRFDATA_READER_SCENARIOS_H
#define PRFDATA_READER_SCENARIOS_H

#include "scenarios/check.h"

typedef struct prfdata_scenario {
    const char *name; /* several scenarios may have the same name */
    void (*run)(prfdata_check *check, const wchar_t *query);
    const wchar_t *query; /* the scenario's query; NULL: none, or the query is NULL */
} prfdata_scenario;

/* The scenarios of one theme. Each theme has a file, scenario_<theme>.c. */
typedef struct prfdata_scenario_group {
    const prfdata_scenario *items;
    size_t count;
} prfdata_scenario_group;

extern const prfdata_scenario_group prfdata_scenario_queries;
extern const prfdata_scenario_group prfdata_scenario_indexes;
extern const prfdata_scenario_group prfdata_scenario_titles;
extern const prfdata_scenario_group prfdata_scenario_buffers;
extern const prfdata_scenario_group prfdata_scenario_clock;
extern const prfdata_scenario_group prfdata_scenario_stack;
extern const prfdata_scenario_group prfdata_scenario_threads;
extern const prfdata_scenario_group prfdata_scenario_processes;
extern const prfdata_scenario_group prfdata_scenario_growth;
extern const prfdata_scenario_group prfdata_scenario_closing;

/* Return the number of scenarios, and the name and query of each. `index` is below the number. */
size_t prfdata_scenarios_count(void);
const char *prfdata_scenarios_name(size_t index);
const wchar_t *prfdata_scenarios_query(size_t index);

/* Return the scenario's share of the time for large replies (allowance.h). */
uint32_t prfdata_scenarios_shares(size_t index);

/* Run a scenario; its findings go to the sink of check->strict. Returns false if it was left out
 * because the time for large replies is over. */
bool prfdata_scenarios_run(size_t index, prfdata_check *check);

/* Close and unload the provider. */
void prfdata_scenarios_finish(prfdata_check *check);

#endif
