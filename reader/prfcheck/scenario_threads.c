/* SPDX-License-Identifier: MIT */
/* The scenario of many threads that call at once. Knows Windows. */
#include "prfcheck/scenarios.h"

#include <stdio.h>
#include <stdlib.h>
#include <wchar.h>

#define THREADS 4u

typedef struct calling_thread {
    prfdata_check *check;
    volatile LONG *go_on; /* until it is 0 */
    uint32_t least;       /* calls in any case */
    bool opens;           /* Opens and Closes meanwhile */
    prfdata_strict_thread thread;
    wchar_t index[16];
} calling_thread;

static DWORD WINAPI run_calling_thread(void *argument)
{
    calling_thread *w = argument;
    prfdata_history history = {NULL, {NULL, 0, 0}};
    prfdata_strict_result result;

    if (prfdata_strict_join(&w->check->strict, &w->thread) != ERROR_SUCCESS)
        return 0;
    for (uint32_t i = 0; i < w->least || InterlockedCompareExchange(w->go_on, 0, 0); i++) {
        const bool by_index = i % 4 == 3 && w->index[0];

        if (w->opens)
            (void)prfdata_strict_open(&w->thread);
        (void)prfdata_check_collect_whole(&w->thread, &history, by_index ? w->index : L"Global",
                                          &result);
        if (w->opens)
            (void)prfdata_strict_close(&w->thread);
    }
    prfdata_strict_leave(&w->thread);
    prfdata_history_forget(&history);
    return 0;
}

static void run_threads(prfdata_check *check, const wchar_t *query)
{
    volatile LONG go_on = 1;
    const uint32_t count = THREADS + 1;
    HANDLE threads[THREADS + 1];
    calling_thread *callers = calloc(count, sizeof *callers);
    uint32_t started = 0;

    (void)query;
    if (!callers || !prfdata_check_make_ready(check))
        goto free_callers;
    for (uint32_t i = 0; i < count; i++) {
        callers[i].check = check;
        callers[i].go_on = &go_on;
        callers[i].least = 20;
        callers[i].opens = i == THREADS;
        if (check->global.count > 0)
            (void)swprintf(callers[i].index, 16, L"%u",
                           (unsigned)check->global.items[i % check->global.count]);
        threads[started] = CreateThread(NULL, 0, run_calling_thread, &callers[i], 0, NULL);
        started += threads[started] != NULL;
    }
    Sleep(check->quick ? 100 : check->seconds * 1000);
    InterlockedExchange(&go_on, 0);
    if (started > 0)
        (void)WaitForMultipleObjects(started, threads, TRUE, INFINITE);
    for (uint32_t i = 0; i < started; i++)
        CloseHandle(threads[i]);
    for (uint32_t i = 0; i < count; i++)
        check->calls += callers[i].thread.thread.calls;
    (void)snprintf(check->did, sizeof check->did, "%u threads, one opens and closes",
                   (unsigned)started);
free_callers:
    free(callers);
}

static const prfdata_scenario threads_list[] = {
    {"threads", run_threads, NULL},
};

const prfdata_scenario_group prfdata_scenario_threads = {
    threads_list,
    sizeof threads_list / sizeof threads_list[0],
};
