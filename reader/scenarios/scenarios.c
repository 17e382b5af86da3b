/* SPDX-License-Identifier: MIT */
/* Holds the list of all scenarios, in their order. The files scenario_*.c have the scenarios. */
#include "scenarios/scenarios.h"

#include <string.h>

/* The group of queries must stay first, because its first scenario finds out what Global
 * returns. */
static const prfdata_scenario_group *const groups[] = {
    &prfdata_scenario_queries, &prfdata_scenario_indexes,   &prfdata_scenario_titles,
    &prfdata_scenario_buffers, &prfdata_scenario_clock,     &prfdata_scenario_stack,
    &prfdata_scenario_threads, &prfdata_scenario_processes, &prfdata_scenario_growth,
    &prfdata_scenario_closing,
};

enum { GROUPS = sizeof groups / sizeof groups[0] };

size_t prfdata_scenarios_count(void)
{
    size_t count = 0;

    for (size_t i = 0; i < GROUPS; i++)
        count += groups[i]->count;
    return count;
}

/* Return the scenario at a position of the whole list. */
static const prfdata_scenario *find_scenario(size_t index)
{
    size_t group = 0;

    while (index >= groups[group]->count)
        index -= groups[group++]->count;
    return &groups[group]->items[index];
}

const char *prfdata_scenarios_name(size_t index)
{
    return find_scenario(index)->name;
}

const wchar_t *prfdata_scenarios_query(size_t index)
{
    return find_scenario(index)->query;
}

/*
 * Shares of the time for large replies, for the scenarios that repeat many calls. All other
 * scenarios have one share.
 */
static const struct {
    const char *name;
    uint32_t shares;
} repeated[] = {
    {"samples", 8},        {"indexes", 8}, {"sizes", 8},      {"page-after", 3}, {"alignment", 6},
    {"page-before", 3},    {"fills", 3},   {"index-room", 3}, {"threads", 6},    {"collects", 12},
    {"short-threads", 10}, {"opens", 10},  {"loads", 10},
};

uint32_t prfdata_scenarios_shares(size_t index)
{
    for (size_t i = 0; i < sizeof repeated / sizeof repeated[0]; i++) {
        if (strcmp(repeated[i].name, find_scenario(index)->name) == 0)
            return repeated[i].shares;
    }
    return 1;
}

bool prfdata_scenarios_run(size_t index, prfdata_check *check)
{
    const prfdata_scenario *scenario = find_scenario(index);

    check->index = (uint32_t)index;
    check->name = scenario->name;
    check->did[0] = '\0';
    check->begun_ms = GetTickCount64();
    check->is_cut = false;
    check->is_refused = false;
    check->does_less = false;
    check->is_ready = false;
    /* This is a first value, until prfdata_check_make_ready() sets it. */
    check->saw = prfdata_reply_objects_extent(&check->seen);
    check->thread.thread.query = scenario->query;
    if (!prfdata_check_begin_share(check, prfdata_scenarios_shares(index)))
        return false;
    scenario->run(check, scenario->query);
    prfdata_strict_flush(&check->thread);
    return true;
}

void prfdata_scenarios_finish(prfdata_check *check)
{
    prfdata_check_close(check);
    prfdata_check_unload(check);
}
