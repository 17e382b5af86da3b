/* SPDX-License-Identifier: MIT */
/* Pauses between two replies, and checks whether the clocks of objects run as fast as the objects
 * say, whether all objects are still there, and whether the provider keeps the processor busy. */
#include "scenarios/scenarios.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The pauses with -quick. The slow pause is used if a counter of the reply can be checked only
 * after a second, or if there is no object or no reply yet. */
#define QUICK_PAUSE_MS 500u
#define SLOW_PAUSE_MS  1100u
#define PAUSES         2 /* further pauses after a pause in which an object was lost */

/* A clock that seems wrong is watched again, for these times in turn. A provider may have kept its
 * reply for a while, or another program may have set the clock between two replies. */
static const uint32_t watches_ms[] = {1000, 2000};

enum { WATCHES = sizeof watches_ms / sizeof watches_ms[0] };

/* A reply, and the time before and after its Collect. */
typedef struct timed_reply {
    prfdata_validate_reply reply; /* its bytes are released by free() */
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

/* ---- While no reader asks ---- */

/* The measurement ends when a thread that never waits has had this much processor time. */
#define TURN_MS 100u
/* If that thread needs longer than this for TURN_MS, the provider is not checked. */
#define TURN_MOST_MS 5000u
#define TURNS        3

static DWORD WINAPI take_turn(void *goes_on)
{
    while (InterlockedCompareExchange(goes_on, 0, 0))
        ;
    return 0;
}

static uint64_t processor_ms_of(HANDLE thread)
{
    FILETIME created;
    FILETIME exited;
    FILETIME kernel;
    FILETIME user;

    if (!GetThreadTimes(thread, &created, &exited, &kernel, &user))
        return 0;
    return ((((uint64_t)kernel.dwHighDateTime + user.dwHighDateTime) << 32) + kernel.dwLowDateTime +
            user.dwLowDateTime) /
           10000;
}

/*
 * Returns whether the provider's threads take more than half as much processor time as a thread
 * that never waits. All these threads run at the same time, so a busy computer makes no difference.
 */
static bool is_processor_busy(void)
{
    volatile LONG goes_on = 1;
    const uint64_t begun_ms = GetTickCount64();
    const uint64_t before_ms = prfdata_check_processor_ms();
    HANDLE thread = CreateThread(NULL, 0, take_turn, (void *)&goes_on, 0, NULL);
    uint64_t own_ms = 0;
    uint64_t all_ms;

    if (!thread)
        return false;
    prfdata_caller_progress(TURN_MOST_MS);
    while (own_ms < TURN_MS && GetTickCount64() - begun_ms < TURN_MOST_MS) {
        Sleep(20);
        own_ms = processor_ms_of(thread);
    }
    all_ms = prfdata_check_processor_ms() - before_ms;
    InterlockedExchange(&goes_on, 0);
    WaitForSingleObject(thread, INFINITE);
    CloseHandle(thread);
    return own_ms >= TURN_MS && all_ms > own_ms && (all_ms - own_ms) * 2 > own_ms;
}

static void validate_processor_use(prfdata_check *check)
{
    for (int i = 0; i < TURNS; i++) {
        if (!is_processor_busy())
            return;
    }
    prfdata_check_find(&check->thread, PRFDATA_RULE_PROCESSOR_USE,
                       "a thread of the provider never waits, although nothing was asked for %u ms "
                       "of processor time",
                       TURNS * TURN_MS);
}

static prfdata_reply_objects after_pause; /* the objects of the first reply after the last pause */
static uint64_t idle_processor_ms; /* processor time that the process used in the last pause */

/* Ask the provider, pause, and ask it again. Returns an object that is missing only after the
 * pause; 0: none. */
static uint32_t find_lost_in_pause(prfdata_check *check, uint32_t pause_ms)
{
    static prfdata_reply_objects before;

    prfdata_check_ask_global(check);
    before = check->global;
    prfdata_caller_progress(pause_ms);
    Sleep(pause_ms);
    prfdata_check_ask_global(check);
    return prfdata_reply_objects_first_missing(&before, &check->global);
}

/*
 * Returns whether the object comes back when the provider is opened again. An object that
 * disappeared because of the pause comes back. An object whose program has ended does not.
 */
static bool comes_back(prfdata_check *check, uint32_t title)
{
    if (prfdata_reply_objects_has(&check->global, title))
        return false;
    prfdata_check_close(check);
    if (!prfdata_check_make_ready(check))
        return false;
    prfdata_check_ask_global(check);
    return prfdata_reply_objects_has(&check->global, title);
}

/*
 * Reports the object whose title is `missing`, because a pause has made it vanish; 0: none. Repeats
 * the pause first, because the object's program may have ended by chance.
 */
static void validate_pause(prfdata_check *check, uint32_t missing, uint32_t pause_ms)
{
    bool is_lost = missing != 0;

    for (int i = 0; i < PAUSES && is_lost; i++)
        is_lost = find_lost_in_pause(check, pause_ms) == missing || comes_back(check, missing);
    if (is_lost)
        prfdata_check_find_object(&check->thread, PRFDATA_RULE_ANSWERS_END,
                                  "the object is missing after a reader has paused", missing);
}

/*
 * Returns whether the clocks are correct. If they are not, the thread keeps the findings without
 * handing them to the sink.
 */
static bool watch_clocks(prfdata_check *check, const wchar_t *query, uint32_t watch_ms)
{
    prfdata_findings *findings = &check->thread.findings;
    timed_reply older = {{NULL, 0, 0}, 0, 0};
    timed_reply newer = {{NULL, 0, 0}, 0, 0};

    prfdata_findings_init(findings);
    if (take_timed_reply(check, query, &older)) {
        const uint64_t before_ms = prfdata_check_processor_ms();

        prfdata_caller_progress(watch_ms);
        Sleep(watch_ms);
        idle_processor_ms = prfdata_check_processor_ms() - before_ms;
        if (take_timed_reply(check, query, &newer)) {
            const prfdata_validate_watch times = {newer.before_us - older.after_us,
                                                  newer.after_us - older.before_us,
                                                  get_counter_frequency()};

            prfdata_reply_objects_read(&newer.reply, &after_pause);
            (void)prfdata_validate_clock(&older.reply, &newer.reply, &times, findings);
            prfdata_findings_place(findings, &newer.reply);
        }
    }
    free((void *)older.reply.bytes);
    free((void *)newer.reply.bytes);
    return prfdata_findings_total(findings) == 0;
}

/* Return how long to pause. A reader may pause for seconds, so the pause is long unless -quick is
 * given. */
static uint32_t choose_pause_ms(const prfdata_check *check, const wchar_t *query)
{
    const prfdata_validate_reply *last = prfdata_history_find(&check->history, query);

    if (!check->quick)
        return check->seconds * 1000;
    return check->global.count > 0 && last && !prfdata_validate_clock_is_slow(last) ? QUICK_PAUSE_MS
                                                                                    : SLOW_PAUSE_MS;
}

static void run_clock(prfdata_check *check, const wchar_t *query)
{
    static prfdata_reply_objects before;
    uint32_t pause_ms;
    bool is_right;
    size_t again = 0;
    uint32_t missing;

    if (!prfdata_check_make_ready(check))
        return;
    pause_ms = choose_pause_ms(check, query);
    before = after_pause = check->global;
    is_right = watch_clocks(check, query, pause_ms);
    missing = prfdata_reply_objects_first_missing(&before, &after_pause);
    while (again < WATCHES && !is_right)
        is_right = watch_clocks(check, query, watches_ms[again++]);
    prfdata_strict_flush(&check->thread);
    validate_pause(check, missing, pause_ms);
    if (idle_processor_ms > 0)
        validate_processor_use(check);
    (void)snprintf(check->did, sizeof check->did, "watched %u times", (unsigned)again + 1);
}

static const prfdata_scenario clock_list[] = {
    {"clock", run_clock, L"Global"},
};

const prfdata_scenario_group prfdata_scenario_clock = {
    clock_list,
    sizeof clock_list / sizeof clock_list[0],
};
