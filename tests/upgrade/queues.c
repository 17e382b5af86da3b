/* SPDX-License-Identifier: MIT */
/* Implements the program of docs/upgrading.md, which is built with each version of its map. It
 * knows only the counters, not which version is installed.
 *
 *     queues NAME JOBS        finish this many jobs and end
 *     queues NAME JOBS stay   finish them and stay for more, until it is killed
 *     queues NAME more JOBS   let the program that stays finish this many more jobs, and wait until
 *                             they are done */
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <wchar.h>

#include <windows.h>

#include "queues_map.h"

int wmain(int argument_count, wchar_t **arguments);

typedef struct queue {
    prfdata_publisher *publisher;
    prfdata_handle jobs;
    prfdata_handle rate;
#ifdef QUEUES_HAS_FAILED
    prfdata_handle failed;
#endif
} queue;

/* Semaphores that are released once per job: when a job is wanted, and when it is done. */
typedef struct signals {
    HANDLE wanted;
    HANDLE done;
} signals;

static uint32_t open_queue(queue *opened, const wchar_t *name)
{
    prfdata_instance instance;
    uint32_t status = prfdata_open(&prfdata_default_map, &opened->publisher);

    if (status)
        return status;
    status = prfdata_instance_add(opened->publisher, QUEUES, name, NULL, &instance);
    if (!status)
        status = prfdata_resolve(opened->publisher, QUEUES_JOBS, &instance, &opened->jobs);
    if (!status)
        status = prfdata_resolve(opened->publisher, QUEUES_RATE, &instance, &opened->rate);
#ifdef QUEUES_HAS_FAILED
    if (!status)
        status = prfdata_resolve(opened->publisher, QUEUES_FAILED, &instance, &opened->failed);
#endif
    return status;
}

static void finish_job(queue *at)
{
    prfdata_increment(at->jobs);
    prfdata_increment(at->rate);
#ifdef QUEUES_HAS_FAILED
    if (prfdata_get(at->jobs) % 10 == 0)
        prfdata_increment(at->failed);
#endif
}

static bool open_signals(signals *opened, const wchar_t *name)
{
    wchar_t text[80];

    (void)swprintf(text, sizeof text / sizeof text[0], L"Local\\queues %ls wanted", name);
    opened->wanted = CreateSemaphoreW(NULL, 0, LONG_MAX, text);
    (void)swprintf(text, sizeof text / sizeof text[0], L"Local\\queues %ls done", name);
    opened->done = CreateSemaphoreW(NULL, 0, LONG_MAX, text);
    return opened->wanted && opened->done;
}

static int ask_for_more(const wchar_t *name, long jobs)
{
    signals of_queue;

    if (!open_signals(&of_queue, name) || !ReleaseSemaphore(of_queue.wanted, jobs, NULL))
        return 1;
    for (long i = 0; i < jobs; i++)
        if (WaitForSingleObject(of_queue.done, 60 * 1000) != WAIT_OBJECT_0)
            return 1;
    printf("%ls: %ld more\n", name, jobs);
    return 0;
}

static int stay(queue *at, const signals *of_queue)
{
    while (WaitForSingleObject(of_queue->wanted, INFINITE) == WAIT_OBJECT_0) {
        finish_job(at);
        if (!ReleaseSemaphore(of_queue->done, 1, NULL))
            break;
    }
    return 1;
}

int wmain(int argument_count, wchar_t **arguments)
{
    const bool stays = argument_count == 4 && wcscmp(arguments[3], L"stay") == 0;
    signals of_queue = {0};
    queue opened;
    uint32_t status;

    if (argument_count == 4 && wcscmp(arguments[2], L"more") == 0)
        return ask_for_more(arguments[1], wcstol(arguments[3], NULL, 10));
    if (argument_count != 3 && !stays)
        return 2;
    status = open_queue(&opened, arguments[1]);
    if (status) {
        printf("%ls: counts in private memory (%lu)\n", arguments[1], (unsigned long)status);
        return 1;
    }
    if (stays && !open_signals(&of_queue, arguments[1]))
        return 1;
    for (long jobs = wcstol(arguments[2], NULL, 10); jobs > 0; jobs--)
        finish_job(&opened);
    printf("%ls: %ls jobs, process %lu\n", arguments[1], arguments[2], GetCurrentProcessId());
    fflush(stdout);
    if (stays)
        return stay(&opened, &of_queue);
    prfdata_close(opened.publisher);
    return 0;
}
