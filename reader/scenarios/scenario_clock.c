/* SPDX-License-Identifier: MIT */
/* The scenario about the clocks of objects: do they run as fast as they say? */
#include "scenarios/scenarios.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * How long a clock is watched: again and for longer if it seems wrong. A provider may keep its
 * reply for a while, and a clock that is set by others may be set between two replies.
 */
static const uint32_t watches_ms[] = {250, 1000, 2000};

#define SLOW_WATCH_MS 1000u /* at least, where that takes a second to see */

enum { WATCHES = sizeof watches_ms / sizeof watches_ms[0] };

/* A reply, and when it was asked for by the processor's counter: the moment lies between. */
typedef struct timed_reply {
    prfdata_validate_reply reply; /* its bytes are for free() */
    uint64_t before_us;
    uint64_t after_us;
} timed_reply;

static int64_t get_counter_frequency(void)
{
    LARGE_INTEGER frequency;

    QueryPerformanceFrequency(&frequency);
    return frequency.QuadPart;
}

static uint64_t get_counter_us(void)
{
    LARGE_INTEGER ticks;

    QueryPerformanceCounter(&ticks);
    return (uint64_t)((double)ticks.QuadPart * 1e6 / (double)get_counter_frequency());
}

/* Returns false if there is no reply. */
static bool take_timed_reply(prfdata_check *check, const wchar_t *query, timed_reply *timed)
{
    prfdata_strict_result result;
    unsigned char *copy;
    uint32_t status;

    timed->before_us = get_counter_us();
    status = prfdata_check_ask(check, query, &result);
    timed->after_us = get_counter_us();
    copy = status == ERROR_SUCCESS ? malloc(result.reply.size + 1) : NULL;
    if (!copy)
        return false;
    memcpy(copy, result.reply.bytes, result.reply.size);
    timed->reply = result.reply;
    timed->reply.bytes = copy;
    return true;
}

/* Returns whether the clocks are right; else the findings are the thread's, not yet handed on. */
static bool watch_clocks(prfdata_check *check, const wchar_t *query, uint32_t watch_ms)
{
    prfdata_findings *findings = &check->thread.findings;
    timed_reply older = {{NULL, 0, 0}, 0, 0};
    timed_reply newer = {{NULL, 0, 0}, 0, 0};

    prfdata_findings_init(findings);
    if (take_timed_reply(check, query, &older)) {
        prfdata_caller_progress(watch_ms);
        Sleep(watch_ms);
        if (take_timed_reply(check, query, &newer)) {
            const prfdata_validate_watch times = {newer.before_us - older.after_us,
                                                  newer.after_us - older.before_us,
                                                  get_counter_frequency()};

            (void)prfdata_validate_clock(&older.reply, &newer.reply, &times, findings);
            prfdata_findings_place(findings, &newer.reply);
        }
    }
    free((void *)older.reply.bytes);
    free((void *)newer.reply.bytes);
    return prfdata_findings_total(findings) == 0;
}

/* How long the last reply must be watched at least. */
static uint32_t find_least_watch(const prfdata_check *check, const wchar_t *query)
{
    const prfdata_validate_reply *last = prfdata_history_find(&check->history, query);

    return last && prfdata_validate_clock_is_slow(last) ? SLOW_WATCH_MS : 0;
}

static void run_clock(prfdata_check *check, const wchar_t *query)
{
    bool is_right = false;
    size_t watched = 0;

    if (!prfdata_check_make_ready(check))
        return;
    while (watched < WATCHES &&
           (!is_right || watches_ms[watched - 1] < find_least_watch(check, query)))
        is_right = watch_clocks(check, query, watches_ms[watched++]);
    prfdata_strict_flush(&check->thread);
    (void)snprintf(check->did, sizeof check->did, "watched %u times", (unsigned)watched);
}

static const prfdata_scenario clock_list[] = {
    {"clock", run_clock, L"Global"},
};

const prfdata_scenario_group prfdata_scenario_clock = {
    clock_list,
    sizeof clock_list / sizeof clock_list[0],
};
