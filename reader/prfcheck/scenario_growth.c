/* SPDX-License-Identifier: MIT */
/* Scenarios that repeat a step and look at what the process has afterwards. Knows Windows. */
#include "prfcheck/scenarios.h"

#include <stdio.h>
#include <wchar.h>

#include "prfcheck/usage.h"

#define THIRDS      3
#define LEAST_STEPS 4u     /* of a third: fewer say nothing about growth */
#define DOUBTS      4      /* as many steps as a third, that often, where memory has grown */
#define QUICK_MS    10000u /* that a scenario may take with -quick, and else: */
#define PATIENT_MS  60000u

/* A quantity before and after two thirds of all steps: what is left by every step grows in both. */
static bool has_grown(uint64_t before, uint64_t between, uint64_t after, uint64_t least)
{
    return between >= before + least && after >= between + least;
}

/* `step` is what one step is called. */
static void judge_counted_growth(prfdata_check *check, const prfdata_usage *at, uint32_t count,
                                 const char *step)
{
    prfdata_findings *findings = &check->thread.findings;
    const struct {
        prfdata_rule rule;
        const char *what;
        uint64_t numbers[3];
    } counted[] = {
        {PRFDATA_RULE_HANDLE_LEAK, "handles", {at[0].handles, at[1].handles, at[2].handles}},
        {PRFDATA_RULE_VIEW_LEAK, "mapped views", {at[0].views, at[1].views, at[2].views}},
        {PRFDATA_RULE_TLS_LEAK, "slots", {at[0].slots, at[1].slots, at[2].slots}},
    };

    for (size_t i = 0; i < sizeof counted / sizeof counted[0]; i++) {
        const uint64_t *n = counted[i].numbers;

        if (has_grown(n[0], n[1], n[2], count))
            prfdata_findings_add(findings, counted[i].rule, PRFDATA_NO_OFFSET,
                                 "%u times %s left %u %s", (unsigned)count, step,
                                 (unsigned)(n[2] - n[1]), counted[i].what);
    }
}

static bool have_heaps_grown(const prfdata_usage *at, uint32_t count)
{
    return has_grown(at[0].heap_bytes, at[1].heap_bytes, at[2].heap_bytes, (uint64_t)count * 8);
}

static bool has_memory_grown(const prfdata_usage *at, uint32_t count)
{
    return has_grown(at[0].private_bytes, at[1].private_bytes, at[2].private_bytes,
                     (uint64_t)count * 4096);
}

static void judge_memory_growth(prfdata_check *check, const prfdata_usage *at, uint32_t count,
                                const char *step)
{
    prfdata_findings *findings = &check->thread.findings;

    if (have_heaps_grown(at, count))
        prfdata_findings_add(findings, PRFDATA_RULE_MEMORY_LEAK, PRFDATA_NO_OFFSET,
                             "%u times %s left %u bytes in the heaps", (unsigned)count, step,
                             (unsigned)(at[2].heap_bytes - at[1].heap_bytes));
    else if (has_memory_grown(at, count))
        prfdata_findings_add(findings, PRFDATA_RULE_MEMORY_LEAK, PRFDATA_NO_OFFSET,
                             "%u times %s left %u KiB of memory", (unsigned)count, step,
                             (unsigned)((at[2].private_bytes - at[1].private_bytes) / 1024));
}

static void collect_global_once(prfdata_check *check)
{
    prfdata_strict_result result;

    (void)prfdata_check_ask(check, L"Global", &result);
}

static void open_and_close(prfdata_check *check)
{
    prfdata_check_open(check);
    if (check->is_open)
        collect_global_once(check);
    prfdata_check_close(check);
}

static void load_and_unload(prfdata_check *check)
{
    open_and_close(check);
    prfdata_check_unload(check);
}

/* How many steps fit into the time, if they take as long as the first one, which is done here. */
static uint32_t count_affordable_steps(prfdata_check *check, void (*step)(prfdata_check *check),
                                       uint32_t count)
{
    const uint64_t most_ms = check->quick ? QUICK_MS : PATIENT_MS;
    const uint64_t begun_ms = GetTickCount64();
    uint64_t step_ms;

    step(check);
    step_ms = GetTickCount64() - begun_ms;
    return step_ms * count * THIRDS <= most_ms ? count : (uint32_t)(most_ms / THIRDS / step_ms);
}

static void repeat_step(prfdata_check *check, void (*step)(prfdata_check *check), uint32_t count)
{
    for (uint32_t i = 0; i < count && !check->is_hopeless; i++)
        step(check);
}

/*
 * Repeat the step where memory has grown, for as long as it goes on growing. A heap takes a group
 * of blocks at once for a size that it is often asked for, and counts the free ones among them as
 * used (in Wine 31 of 512 bytes); that ends, a leak does not. Returns how often the step was
 * repeated.
 */
static uint32_t doubt_growth(prfdata_check *check, void (*step)(prfdata_check *check),
                             uint32_t count, prfdata_usage *at)
{
    uint32_t doubt;

    for (doubt = 0; doubt < DOUBTS; doubt++) {
        if (check->is_hopeless || (!have_heaps_grown(at, count) && !has_memory_grown(at, count)))
            break;
        repeat_step(check, step, count);
        at[0] = at[1];
        at[1] = at[2];
        at[2] = prfdata_usage_now();
    }
    return doubt * count;
}

static void measure_growth(prfdata_check *check, void (*step)(prfdata_check *check), uint32_t most,
                           const char *what)
{
    const uint64_t begun_ms = GetTickCount64();
    const uint32_t count = count_affordable_steps(check, step, most);
    prfdata_usage at[THIRDS];
    uint32_t repeated;

    if (count < LEAST_STEPS) {
        (void)snprintf(check->did, sizeof check->did, "not repeated: once takes %u ms",
                       (unsigned)(GetTickCount64() - begun_ms));
        return;
    }
    for (size_t third = 0; third < THIRDS; third++) { /* the first is for what is made once */
        repeat_step(check, step, count);
        at[third] = prfdata_usage_now();
    }
    judge_counted_growth(check, at, count, what);
    repeated = doubt_growth(check, step, count, at);
    judge_memory_growth(check, at, count, what);
    prfdata_strict_flush(&check->thread);
    (void)snprintf(check->did, sizeof check->did, "%u times",
                   (unsigned)(count * THIRDS + repeated + 1));
}

static void run_collects(prfdata_check *check, const wchar_t *query)
{
    (void)query;
    if (prfdata_check_make_ready(check))
        measure_growth(check, collect_global_once, check->quick ? 64 : 500, "Collect");
}

static void run_opens(prfdata_check *check, const wchar_t *query)
{
    (void)query;
    prfdata_check_close(check);
    measure_growth(check, open_and_close, check->quick ? 16 : 100, "Open, Collect, Close");
}

static void run_loads(prfdata_check *check, const wchar_t *query)
{
    const wchar_t *path = check->strict.caller.registration->library;
    const wchar_t *name = wcsrchr(path, L'\\');

    (void)query;
    prfdata_check_close(check);
    prfdata_check_unload(check);
    measure_growth(check, load_and_unload, check->quick ? 8 : 40, "loading and unloading");
    if (!check->is_hopeless && GetModuleHandleW(name ? name + 1 : path))
        prfdata_check_find(&check->thread, PRFDATA_RULE_MODULE_STAYS, "the library is still loaded",
                           0);
}

static const prfdata_scenario growth_list[] = {
    {"collects", run_collects, NULL},
    {"opens", run_opens, NULL},
    {"loads", run_loads, NULL},
};

const prfdata_scenario_group prfdata_scenario_growth = {
    growth_list,
    sizeof growth_list / sizeof growth_list[0],
};
