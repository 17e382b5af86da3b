/* SPDX-License-Identifier: MIT */
/* The scenario of many threads that call at once. */
#include "scenarios/scenarios.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#define THREADS     8u
#define LEAST_CALLS 20u /* of each thread, unless they take too long; */
#define LARGE_CALLS 2u  /* of large replies */
#define QUICK_MS    1000u
#define PATIENT_MS  10000u

typedef struct calling_thread {
    prfdata_check *check;
    volatile LONG *go_on; /* until it is 0 */
    bool opens;           /* Opens and Closes meanwhile */
    bool is_brief;        /* calls twice */
    prfdata_strict_thread thread;
    uint32_t index;                      /* that it asks for now and then; 0: never */
    uint32_t missing;                    /* object in an answer that should have it; 0: none */
    const prfdata_reply_objects *global; /* what Global should give */
} calling_thread;

/* The first object that an answer lacks; 0: none. */
static uint32_t find_lacking_title(const calling_thread *w, uint32_t index,
                                   const prfdata_judge_reply *reply)
{
    prfdata_reply_objects set;

    prfdata_reply_objects_read(reply, &set);
    if (index == 0)
        return prfdata_reply_objects_first_missing(w->global, &set);
    return prfdata_reply_objects_has(&set, index) ? 0 : index;
}

/* Call in the thread's way once. */
static void call_beside_others(calling_thread *w, prfdata_history *history, uint32_t index)
{
    prfdata_strict_result result;
    wchar_t query[16] = L"Global";

    if (index != 0)
        (void)swprintf(query, 16, L"%u", (unsigned)index);
    if (w->opens)
        (void)prfdata_strict_open(&w->thread);
    if (prfdata_check_collect_whole(&w->thread, history, query, &result) == ERROR_SUCCESS &&
        w->missing == 0)
        w->missing = find_lacking_title(w, index, &result.reply);
    if (w->opens)
        (void)prfdata_strict_close(&w->thread);
    w->thread.thread.query = NULL;
}

static DWORD WINAPI run_calling_thread(void *argument)
{
    calling_thread *w = argument;
    const uint32_t least = w->is_brief ? LARGE_CALLS : LEAST_CALLS;
    const uint64_t begun_ms = GetTickCount64();
    prfdata_history history;

    memset(&history, 0, sizeof history);
    history.gone = &w->check->gone;
    history.is_beside_others = true;
    if (prfdata_strict_join(&w->check->strict, &w->thread) != ERROR_SUCCESS)
        return 0;
    for (uint32_t i = 0;
         InterlockedCompareExchange(w->go_on, 0, 0) ||
         (i < least && GetTickCount64() - begun_ms < (w->check->quick ? QUICK_MS : PATIENT_MS));
         i++)
        call_beside_others(w, &history, i % 4 == 3 ? w->index : 0);
    prfdata_strict_leave(&w->thread);
    prfdata_history_forget(&history);
    return 0;
}

/* Start the threads, the last of which opens and closes too. Returns how many there are. */
static uint32_t start_calling_threads(prfdata_check *check, const prfdata_reply_objects *global,
                                      volatile LONG *go_on, calling_thread *callers,
                                      HANDLE *threads)
{
    uint32_t started = 0;

    for (uint32_t i = 0; i < THREADS; i++) {
        callers[i].check = check;
        callers[i].go_on = go_on;
        callers[i].opens = i == THREADS - 1;
        callers[i].is_brief = check->does_less;
        callers[i].global = global;
        if (global->count > 0)
            callers[i].index = global->items[i % global->count];
        threads[started] = CreateThread(NULL, 0, run_calling_thread, &callers[i], 0, NULL);
        started += threads[started] != NULL;
    }
    return started;
}

/* What was missing counts if it was there before and is there now: it was not taken away. */
static void judge_lacking_titles(prfdata_check *check, const calling_thread *callers)
{
    prfdata_check_ask_global(check);
    for (uint32_t i = 0; i < THREADS; i++) {
        if (callers[i].missing != 0 &&
            prfdata_reply_objects_has(&check->global, callers[i].missing)) {
            check->thread.thread.query = NULL;
            prfdata_check_find(&check->thread, PRFDATA_RULE_THREADS_UNANSWERED,
                               "object %u was missing in an answer beside others",
                               callers[i].missing);
            return;
        }
    }
}

static void call_by_threads(prfdata_check *check, calling_thread *callers)
{
    const prfdata_reply_objects global = check->global;
    volatile LONG go_on = 1;
    HANDLE threads[THREADS];
    const uint32_t started = start_calling_threads(check, &global, &go_on, callers, threads);

    Sleep(check->quick ? 100 : check->seconds * 1000);
    InterlockedExchange(&go_on, 0);
    if (started > 0)
        (void)WaitForMultipleObjects(started, threads, TRUE, INFINITE);
    for (uint32_t i = 0; i < started; i++)
        CloseHandle(threads[i]);
    for (uint32_t i = 0; i < THREADS; i++)
        prfdata_check_count(check, &callers[i].thread);
    judge_lacking_titles(check, callers);
    (void)snprintf(check->did, sizeof check->did, "%u threads, one opens and closes",
                   (unsigned)started);
}

static void run_threads(prfdata_check *check, const wchar_t *query)
{
    calling_thread *callers = calloc(THREADS, sizeof *callers);

    (void)query;
    if (callers && prfdata_check_make_ready(check)) {
        check->does_less = check->quick && prfdata_check_is_large(check);
        call_by_threads(check, callers);
    }
    free(callers);
}

static const prfdata_scenario threads_list[] = {
    {"threads", run_threads, NULL},
};

const prfdata_scenario_group prfdata_scenario_threads = {
    threads_list,
    sizeof threads_list / sizeof threads_list[0],
};
