/* SPDX-License-Identifier: MIT */
#include "support/threads.h"

#include <stdio.h>
#include <stdlib.h>

#ifdef _WIN32
#include <windows.h>
#else
#include <pthread.h>
#include <sched.h>
#endif

#include <prfdata/atomic.h>

enum { MAX_THREADS = 64 };

typedef struct thread_job {
    void (*run)(void *context);
    void *context;
    uint64_t count;
    /* The threads wait until all have started, because otherwise short loops would not overlap. */
    uint64_t ready;
} thread_job;

static void must(int condition)
{
    if (condition)
        return;
    fprintf(stderr, "threads.c: no thread\n");
    abort();
}

static void give_way(void);

static void do_job(thread_job *what)
{
    prfdata_add64_release(&what->ready, 1);
    while (prfdata_load64_acquire(&what->ready) < what->count)
        give_way();
    what->run(what->context);
}

#ifdef _WIN32

typedef HANDLE running_thread;

static void give_way(void)
{
    SwitchToThread();
}

static DWORD WINAPI work(void *argument)
{
    do_job(argument);
    return 0;
}

static running_thread start(thread_job *what)
{
    running_thread started = CreateThread(NULL, 0, work, what, 0, NULL);

    must(started != NULL);
    return started;
}

static void join(running_thread running)
{
    must(WaitForSingleObject(running, INFINITE) == WAIT_OBJECT_0);
    CloseHandle(running);
}

#else

typedef pthread_t running_thread;

static void give_way(void)
{
    sched_yield();
}

static void *work(void *argument)
{
    do_job(argument);
    return NULL;
}

static running_thread start(thread_job *what)
{
    running_thread started;

    must(pthread_create(&started, NULL, work, what) == 0);
    return started;
}

static void join(running_thread running)
{
    must(pthread_join(running, NULL) == 0);
}

#endif

void prfdata_test_threads_run(size_t count, void (*run)(void *context), void *context)
{
    running_thread threads[MAX_THREADS];
    thread_job what = {run, context, count, 0};

    must(count <= MAX_THREADS);
    for (size_t i = 0; i < count; i++)
        threads[i] = start(&what);
    for (size_t i = 0; i < count; i++)
        join(threads[i]);
}
