/* SPDX-License-Identifier: MIT */
/* Decides which amounts have grown (growth.h); usage.c measures them. */
#include "scenarios/growth.h"

#include <inttypes.h>

/*
 * The smallest growth from one moment to the next that counts as a leak. LEAST_HEAP_BYTES is for
 * each step between the two moments; the other limits are for all of these steps together.
 */
#define LEAST_ITEMS         4u
#define LEAST_HEAP_BYTES    8u
#define LEAST_MEMORY_BYTES  (64u * 1024)
#define LEAST_ADDRESS_BYTES (128u * 1024)

#define LEAST_SLOWER_MS 50u

/* The most steps that are tried. The trial ends earlier after a step that takes longer than
 * LONG_STEP_MS, or as soon as a step shows that there is time for all steps. */
#define MOST_TRIED   5u
#define LONG_STEP_MS 400u

static const struct {
    prfdata_rule rule;
    const char *what;
} kinds[PRFDATA_GROWTH_KINDS] = {
    [PRFDATA_GROWTH_HANDLES] = {PRFDATA_RULE_HANDLE_LEAK, "handles"},
    [PRFDATA_GROWTH_THREADS] = {PRFDATA_RULE_THREAD_LEAK, "threads"},
    [PRFDATA_GROWTH_DRAWING] = {PRFDATA_RULE_GUI_LEAK, "GDI objects"},
    [PRFDATA_GROWTH_WINDOWS] = {PRFDATA_RULE_GUI_LEAK, "USER objects"},
    [PRFDATA_GROWTH_VIEWS] = {PRFDATA_RULE_VIEW_LEAK, "mapped views"},
    [PRFDATA_GROWTH_SLOTS] = {PRFDATA_RULE_TLS_LEAK, "slots"},
    [PRFDATA_GROWTH_ATOMS] = {PRFDATA_RULE_ATOM_LEAK, "atoms"},
    [PRFDATA_GROWTH_HEAPS] = {PRFDATA_RULE_MEMORY_LEAK, "bytes in the heaps"},
    [PRFDATA_GROWTH_MEMORY] = {PRFDATA_RULE_MEMORY_LEAK, "bytes of memory"},
    [PRFDATA_GROWTH_ADDRESS] = {PRFDATA_RULE_MEMORY_LEAK, "bytes of address space"},
};

static uint64_t least_growth(prfdata_growth_kind kind, uint32_t steps)
{
    switch (kind) {
    case PRFDATA_GROWTH_HEAPS:
        return (uint64_t)LEAST_HEAP_BYTES * steps;
    case PRFDATA_GROWTH_MEMORY:
        return LEAST_MEMORY_BYTES;
    case PRFDATA_GROWTH_ADDRESS:
        return LEAST_ADDRESS_BYTES;
    default:
        return LEAST_ITEMS;
    }
}

/* Returns whether an amount has grown between all three moments. Growth that happens only once does
 * not count, because a leak grows from each moment to the next. */
static bool has_grown(const prfdata_growth_usage *at, prfdata_growth_kind kind, uint32_t steps)
{
    const uint64_t least = least_growth(kind, steps);

    return at[1].of[kind] >= at[0].of[kind] + least && at[2].of[kind] >= at[1].of[kind] + least;
}

bool prfdata_growth_is_doubtful(const prfdata_growth_usage *at, uint32_t steps)
{
    for (int kind = 0; kind < PRFDATA_GROWTH_KINDS; kind++) {
        if (has_grown(at, (prfdata_growth_kind)kind, steps))
            return true;
    }
    return false;
}

void prfdata_growth_validate(const prfdata_growth_usage *at, uint32_t steps, const char *step,
                             prfdata_findings *findings)
{
    for (int kind = 0; kind < PRFDATA_GROWTH_KINDS; kind++) {
        if (!has_grown(at, (prfdata_growth_kind)kind, steps))
            continue;
        prfdata_findings_add(findings, kinds[kind].rule, PRFDATA_NO_OFFSET,
                             "%u times %s left %" PRIu64 " %s", (unsigned)steps, step,
                             at[2].of[kind] - at[1].of[kind], kinds[kind].what);
        if (kind == PRFDATA_GROWTH_HEAPS)
            return; /* if the heaps have grown, more memory is expected */
    }
}

bool prfdata_growth_is_slower(uint64_t before_ms, uint64_t now_ms)
{
    return now_ms >= before_ms + before_ms / 5 && now_ms >= before_ms + LEAST_SLOWER_MS;
}

bool prfdata_growth_pace_add(prfdata_growth_pace *pace, uint64_t took_ms)
{
    if (pace->tried == 0 || took_ms < pace->shortest_ms)
        pace->shortest_ms = took_ms;
    pace->tried++;
    return pace->tried < MOST_TRIED && took_ms <= LONG_STEP_MS &&
           pace->shortest_ms * pace->most_steps > pace->most_ms;
}

uint32_t prfdata_growth_pace_steps(const prfdata_growth_pace *pace)
{
    return pace->shortest_ms * pace->most_steps <= pace->most_ms
               ? pace->most_steps
               : (uint32_t)(pace->most_ms / pace->shortest_ms);
}
