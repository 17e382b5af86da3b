/* SPDX-License-Identifier: MIT */
/* Scenarios that repeat a step and look at what the process has afterwards. Knows Windows. */
#include "prfcheck/scenarios.h"

#include <stdio.h>
#include <wchar.h>

#include "prfcheck/usage.h"

static void judge_usage_growth(prfdata_check *check, const prfdata_usage *at, uint32_t count,
                               const char *what)
{
    prfdata_findings *findings = &check->thread.findings;
    const uint64_t handles = at[2].handles - at[1].handles;
    const uint64_t heap = at[2].heap_bytes - at[1].heap_bytes;
    const uint64_t memory = at[2].private_bytes - at[1].private_bytes;

    /* What grows at every call grows in both halves. */
    if (at[1].handles >= at[0].handles + count && at[2].handles >= at[1].handles + count)
        prfdata_findings_add(findings, PRFDATA_RULE_HANDLE_LEAK, PRFDATA_NO_OFFSET,
                             "%u times %s left %u handles", (unsigned)count, what,
                             (unsigned)handles);
    if (at[1].heap_bytes >= at[0].heap_bytes + (uint64_t)count * 8 &&
        at[2].heap_bytes >= at[1].heap_bytes + (uint64_t)count * 8)
        prfdata_findings_add(findings, PRFDATA_RULE_MEMORY_LEAK, PRFDATA_NO_OFFSET,
                             "%u times %s left %u bytes in the heaps", (unsigned)count, what,
                             (unsigned)heap);
    else if (at[1].private_bytes >= at[0].private_bytes + (uint64_t)count * 4096 &&
             at[2].private_bytes >= at[1].private_bytes + (uint64_t)count * 4096)
        prfdata_findings_add(findings, PRFDATA_RULE_MEMORY_LEAK, PRFDATA_NO_OFFSET,
                             "%u times %s left %u KiB of memory", (unsigned)count, what,
                             (unsigned)(memory / 1024));
    prfdata_strict_flush(&check->thread);
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

static void measure_growth(prfdata_check *check, void (*step)(prfdata_check *check), uint32_t count,
                           const char *what)
{
    prfdata_usage at[3];

    for (size_t half = 0; half < 3; half++) { /* the first one is for what is made once */
        for (uint32_t i = 0; i < count && !check->is_hopeless; i++)
            step(check);
        at[half] = prfdata_usage_now();
    }
    judge_usage_growth(check, at, count, what);
    (void)snprintf(check->did, sizeof check->did, "%u times", (unsigned)count * 3);
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
