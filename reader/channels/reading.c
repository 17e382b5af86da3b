/* SPDX-License-Identifier: MIT */
/*
 * Runs a thread and a process for each worker. source/workers.h decides what to ask for and when. A
 * worker asks for no further sample until the window has shown the previous one.
 */
#include "channels/reading.h"

#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#include "source/child.h"
#include "source/providers.h"
#include "source/workers.h"
#include "system/os.h"

#define STACK_BYTES      (256u << 10)
#define TITLES_MS        2000u /* how often titles are checked, even if nothing is asked for */
#define CONNECT_AGAIN_MS 10000u
#define REMOTE_ALL_MS    60000u                /* time to ask another computer for everything */
#define ALL_WORKER       (PRFDATA_WORKERS - 1) /* this worker also asks for all objects */

typedef struct reading_worker {
    prfdata_reading *reading;
    uint32_t number;
    HANDLE thread;
    HANDLE wake;
    prfdata_session session;
    bool is_in_flight; /* one of its samples is on the way to the window; protected by the lock */
    /*
     * The answer that the worker waits for. `ms` is roughly the time when the wait began; 0: the
     * worker does not wait. Protected by the lock.
     */
    prfdata_reading_wait wait;
} reading_worker;

struct prfdata_reading {
    HWND window;
    CRITICAL_SECTION lock;   /* protects the fields below, up to `is_over` */
    prfdata_workers workers; /* a worker's thread uses its own question without the lock */
    bool reads_all;
    bool is_paused;
    uint32_t interval_ms;
    bool is_over;
    /* Module in which a provider crashed last; also protected by the lock. */
    wchar_t fault[MAX_PATH];

    reading_worker each[PRFDATA_WORKERS];
    /* Worker 0 fills this before PRFDATA_READING_READY; afterwards only the window reads it. */
    prfdata_name_table objects;
};

typedef struct reading_task {
    bool asks;
    bool reads_all;
    bool is_over;
} reading_task;

/* ---- Messages ---- */

static void post(const prfdata_reading *r, UINT message, WPARAM wparam, LPARAM lparam)
{
    (void)PostMessageW(r->window, message, wparam, lparam);
}

void prfdata_reading_free_answer(prfdata_reading_answer *answer)
{
    prfdata_sample_free(answer->sample);
    prfdata_title_set_free(&answer->asked);
    free(answer);
}

static void set_in_flight(reading_worker *a, bool is_in_flight)
{
    EnterCriticalSection(&a->reading->lock);
    a->is_in_flight = is_in_flight;
    LeaveCriticalSection(&a->reading->lock);
}

/* Send a sample to the window, which takes ownership. If there is no memory, the sample is lost. */
static void send_answer(reading_worker *a, UINT message, prfdata_sample *sample, uint64_t since)
{
    const prfdata_workers_question *question = &a->reading->workers.questions[a->number];
    prfdata_reading_answer *answer = calloc(1, sizeof *answer);

    if (!answer) {
        prfdata_sample_free(sample);
        return;
    }
    answer->worker = a->number;
    answer->sample = sample;
    answer->took_us = (prfdata_os_ticks() - since) * 1000000 / prfdata_os_ticks_per_second();
    (void)prfdata_title_set_copy(&question->asked, &answer->asked);
    if (message == PRFDATA_READING_SAMPLE) {
        answer->is_first = question->is_first;
        set_in_flight(a, true);
    }
    if (PostMessageW(a->reading->window, message, 0, (LPARAM)answer))
        return;
    /* The message was not sent, for instance because the window's queue is full. */
    prfdata_reading_free_answer(answer);
    if (message == PRFDATA_READING_SAMPLE)
        set_in_flight(a, false);
}

static void report_states(const reading_worker *a, uint32_t status)
{
    const prfdata_reading *r = a->reading;
    const prfdata_title_set *asked = &r->workers.questions[a->number].asked;

    for (size_t i = 0; i < asked->count; i++) {
        const prfdata_workers_object *object = prfdata_workers_find(&r->workers, asked->items[i]);

        if (object && object->state == PRFDATA_WORKERS_SILENT)
            post(r, PRFDATA_READING_FAILED, status, (LPARAM)object->title);
        else if (object && object->state == PRFDATA_WORKERS_ALONE)
            post(r, PRFDATA_READING_LATE, object->title, 0);
    }
}

/* ---- The threads ---- */

static bool is_reading_over(prfdata_reading *r)
{
    bool is_over;

    EnterCriticalSection(&r->lock);
    is_over = r->is_over;
    LeaveCriticalSection(&r->lock);
    return is_over;
}

static void wake_all(const prfdata_reading *r)
{
    for (uint32_t i = 0; i < PRFDATA_WORKERS; i++)
        SetEvent(r->each[i].wake);
}

static reading_task next_task(reading_worker *a)
{
    prfdata_reading *r = a->reading;
    reading_task task = {0};

    EnterCriticalSection(&r->lock);
    task.is_over = r->is_over;
    task.reads_all = r->reads_all && a->number == ALL_WORKER;
    if (task.reads_all)
        r->reads_all = false;
    task.asks =
        !a->is_in_flight && prfdata_workers_begin(&r->workers, a->number, prfdata_os_milliseconds(),
                                                  r->interval_ms, r->is_paused);
    LeaveCriticalSection(&r->lock);
    return task;
}

/* If no object is asked for on its own, ends the worker's process before the wait. Worker 0 keeps
 * its process. */
static void wait_for_task(reading_worker *a)
{
    prfdata_reading *r = a->reading;
    DWORD wait_ms = INFINITE;
    bool is_idle;

    EnterCriticalSection(&r->lock);
    if (!a->is_in_flight)
        wait_ms = prfdata_workers_wait_ms(&r->workers, a->number, prfdata_os_milliseconds(),
                                          r->is_paused);
    if (a->number == 0 && wait_ms > TITLES_MS)
        wait_ms = TITLES_MS;
    is_idle = !prfdata_workers_has(&r->workers, PRFDATA_WORKERS_ALONE);
    LeaveCriticalSection(&r->lock);
    if (is_idle && a->number > 0)
        prfdata_child_rest(a->session.source);
    WaitForSingleObject(a->wake, wait_ms);
}

static void set_wait(reading_worker *a, const prfdata_reading_wait *wait)
{
    EnterCriticalSection(&a->reading->lock);
    a->wait = *wait;
    LeaveCriticalSection(&a->reading->lock);
}

/* Start the wait that the window shows, unless the provider is known to be slow. */
static void begin_waiting(reading_worker *a)
{
    const prfdata_workers *workers = &a->reading->workers;
    const prfdata_title_set *asked = &workers->questions[a->number].asked;
    prfdata_reading_wait wait = {.ms = (uint32_t)prfdata_os_milliseconds() | 1};
    const prfdata_workers_object *object;

    EnterCriticalSection(&a->reading->lock);
    object = prfdata_workers_find(workers, asked->items[0]);
    /* If the question has one title, or if this is not worker 0, one object is asked for. Its title
     * comes first, and the other titles are those of its parents. */
    if (asked->count == 1 || a->number > 0)
        wait.title = asked->items[0];
    if (!object || !object->is_slow)
        a->wait = wait;
    LeaveCriticalSection(&a->reading->lock);
}

static void end_waiting(reading_worker *a)
{
    const prfdata_reading_wait none = {0};

    set_wait(a, &none);
}

static uint32_t ask(reading_worker *a, prfdata_sample **sample)
{
    prfdata_workers_question *question = &a->reading->workers.questions[a->number];
    uint16_t *query = NULL;
    uint32_t status = ERROR_NOT_ENOUGH_MEMORY;

    question->is_first = prfdata_child_is_new(a->session.source);
    if (a->number == 0)
        prfdata_child_set_limit(a->session.source, PRFDATA_WORKERS_PATIENCE_MS,
                                PRFDATA_WORKERS_FIRST_MS);
    else
        prfdata_child_set_limit(a->session.source, PRFDATA_WORKERS_LIMIT_MS,
                                PRFDATA_WORKERS_LIMIT_MS);
    if (question->takes_parents) {
        status = prfdata_session_take_first(&a->session, &question->asked, &query, sample);
    } else {
        query = prfdata_title_set_query(&question->asked);
        if (query)
            status = prfdata_session_take(&a->session, query, sample);
    }
    free(query);
    return status;
}

/* If the titles have changed, only tell the window. The window borrows the names, so it must
 * release them before they are loaded again. */
static void look_at_titles(reading_worker *a)
{
    prfdata_titles found;

    if (!prfdata_session_find_changed_titles(&a->session, &found))
        return;
    prfdata_titles_free(&found);
    post(a->reading, PRFDATA_READING_STALE, 0, 0);
}

static void ask_question(reading_worker *a)
{
    prfdata_reading *r = a->reading;
    const uint64_t since = prfdata_os_ticks();
    prfdata_sample *sample = NULL;
    uint32_t status;

    begin_waiting(a);
    status = ask(a, &sample);
    /* Check the titles after taking the sample, because it may contain objects that were just
     * installed. */
    if (a->number == 0)
        look_at_titles(a);
    end_waiting(a);
    EnterCriticalSection(&r->lock);
    if (status == ERROR_BROKEN_PIPE)
        prfdata_child_fault(a->session.source, r->fault);
    if (prfdata_workers_end(&r->workers, a->number, prfdata_os_milliseconds(), r->interval_ms,
                            status))
        report_states(a, status);
    wake_all(r);
    LeaveCriticalSection(&r->lock);
    if (status == ERROR_SUCCESS)
        send_answer(a, PRFDATA_READING_SAMPLE, sample, since);
    else if (status != ERROR_TIMEOUT && status != ERROR_BROKEN_PIPE && status != ERROR_CANCELLED)
        post(r, PRFDATA_READING_FAILED, status, 0);
}

static void report_provider(const prfdata_reading *r, uint32_t status, const wchar_t *name)
{
    wchar_t *copy = _wcsdup(name);

    if (copy && !PostMessageW(r->window, PRFDATA_READING_PROVIDER, status, (LPARAM)copy))
        free(copy);
}

/* If `asked` is empty, ask for all objects. */
static void take_objects_once(reading_worker *a, const prfdata_title_set *asked,
                              const wchar_t *name, uint32_t limit_ms)
{
    prfdata_title_set *of_answer = &a->reading->workers.questions[a->number].asked;
    const uint64_t since = prfdata_os_ticks();
    uint16_t *query = prfdata_title_set_query(asked);
    prfdata_sample *sample = NULL;
    uint32_t status = ERROR_NOT_ENOUGH_MEMORY;

    if (query && prfdata_title_set_copy(asked, of_answer)) {
        prfdata_reading_wait wait = {.ms = (uint32_t)prfdata_os_milliseconds() | 1};

        wcsncpy(wait.service, name, PRFDATA_PROVIDERS_CHARS - 1);
        prfdata_child_set_limit(a->session.source, limit_ms, limit_ms);
        set_wait(a, &wait);
        status = prfdata_session_take(&a->session, query, &sample);
        end_waiting(a);
    }
    free(query);
    EnterCriticalSection(&a->reading->lock);
    if (status == ERROR_BROKEN_PIPE)
        prfdata_child_fault(a->session.source, a->reading->fault);
    LeaveCriticalSection(&a->reading->lock);
    if (status == ERROR_SUCCESS)
        send_answer(a, PRFDATA_READING_ALL, sample, since);
    else if (status != ERROR_CANCELLED)
        report_provider(a->reading, status, name);
}

/* Ask each provider of this computer separately. Ask another computer for everything at once,
 * because its providers are not known. */
static void take_all_objects(reading_worker *a)
{
    const prfdata_session *session = &a->reading->each[0].session;
    prfdata_providers providers = {0};
    wchar_t name[PRFDATA_PROVIDERS_CHARS] = L"";
    prfdata_title_set asked = {0};

    if (session->source->kind->computer) {
        swprintf(name, PRFDATA_PROVIDERS_CHARS, L"%.*ls", (int)session->computer.count,
                 (const wchar_t *)session->computer.chars);
        take_objects_once(a, &asked, name, REMOTE_ALL_MS);
        return;
    }
    while (!is_reading_over(a->reading) &&
           prfdata_providers_next(&providers, &session->titles.english, name, &asked))
        take_objects_once(a, &asked, name, PRFDATA_WORKERS_LIMIT_MS);
    prfdata_title_set_free(&asked);
}

static void load_reading_helps(const reading_worker *a)
{
    prfdata_titles *helps = calloc(1, sizeof *helps);

    if (!helps)
        return;
    (void)prfdata_source_load_helps(a->session.source, helps);
    if (!PostMessageW(a->reading->window, PRFDATA_READING_HELPS, 0, (LPARAM)helps)) {
        prfdata_titles_free(helps);
        free(helps);
    }
}

/* Connect to another computer, which may not be reachable yet. Returns false when the thread must
 * end. */
static bool reach_computer(const reading_worker *a)
{
    uint32_t status;

    prfdata_child_set_limit(a->session.source, PRFDATA_WORKERS_LIMIT_MS, PRFDATA_WORKERS_LIMIT_MS);
    while ((status = prfdata_child_connect(a->session.source)) != ERROR_SUCCESS) {
        if (is_reading_over(a->reading))
            return false;
        post(a->reading, PRFDATA_READING_FAILED, status, PRFDATA_READING_COMPUTER);
        WaitForSingleObject(a->wake, CONNECT_AGAIN_MS);
    }
    return true;
}

static DWORD WINAPI run_worker(void *context)
{
    reading_worker *a = context;
    bool has_helps = a->number > 0;
    bool is_all; /* not used */

    if (a->number == 0) {
        if (!reach_computer(a))
            return 0;
        prfdata_session_open(&a->session, a->session.source, NULL);
        (void)prfdata_source_load_objects(a->session.source, &a->reading->objects, &is_all);
        (void)prfdata_source_load_ids(a->session.source, &a->session.titles);
        post(a->reading, PRFDATA_READING_READY, 0, 0);
    }
    for (;;) {
        const reading_task task = next_task(a);

        if (task.is_over)
            return 0;
        if (task.asks)
            ask_question(a);
        else if (a->number == 0)
            look_at_titles(a);
        if (task.reads_all) {
            take_all_objects(a);
            post(a->reading, PRFDATA_READING_ALL_READ, 0, 0);
        }
        if (!has_helps)
            load_reading_helps(a);
        has_helps = true;
        wait_for_task(a);
    }
}

/* ---- Functions for the window ---- */

static bool start_worker(prfdata_reading *r, prfdata_text computer, uint32_t number)
{
    reading_worker *a = &r->each[number];

    a->reading = r;
    a->number = number;
    a->wake = CreateEventW(NULL, FALSE, FALSE, NULL);
    if (!a->wake || prfdata_child_open_source(computer, &a->session.source) != ERROR_SUCCESS)
        return false;
    a->thread =
        CreateThread(NULL, STACK_BYTES, run_worker, a, STACK_SIZE_PARAM_IS_A_RESERVATION, NULL);
    return a->thread != NULL;
}

prfdata_reading *prfdata_reading_start(HWND window, prfdata_text computer, uint32_t interval_ms)
{
    prfdata_reading *r = calloc(1, sizeof *r);

    if (!r)
        return NULL;
    r->window = window;
    r->interval_ms = interval_ms;
    InitializeCriticalSection(&r->lock);
    for (uint32_t i = 0; i < PRFDATA_WORKERS; i++) {
        if (!start_worker(r, computer, i)) {
            prfdata_reading_stop(r);
            return NULL;
        }
    }
    return r;
}

/* Remove and release the threads' messages that are still in the queue. The threads have ended. */
static void free_messages(HWND window)
{
    MSG message;

    while (PeekMessageW(&message, window, PRFDATA_READING_READY, PRFDATA_READING_ALL_READ,
                        PM_REMOVE)) {
        if (message.message == PRFDATA_READING_SAMPLE || message.message == PRFDATA_READING_ALL)
            prfdata_reading_free_answer((prfdata_reading_answer *)message.lParam);
        if (message.message == PRFDATA_READING_PROVIDER)
            free((void *)message.lParam);
        if (message.message == PRFDATA_READING_HELPS) {
            prfdata_titles_free((prfdata_titles *)message.lParam);
            free((void *)message.lParam);
        }
    }
}

static void end_worker(reading_worker *a)
{
    if (!a->thread)
        return;
    SetEvent(a->wake);
    prfdata_child_interrupt(a->session.source);
    WaitForSingleObject(a->thread, INFINITE);
    CloseHandle(a->thread);
    a->thread = NULL;
}

static void close_worker(reading_worker *a)
{
    prfdata_session_close(&a->session); /* also closes the source */
    if (a->wake)
        CloseHandle(a->wake);
}

void prfdata_reading_end(prfdata_reading *reading)
{
    EnterCriticalSection(&reading->lock);
    reading->is_over = true;
    LeaveCriticalSection(&reading->lock);
    for (uint32_t i = 0; i < PRFDATA_WORKERS; i++)
        end_worker(&reading->each[i]);
    free_messages(reading->window);
}

void prfdata_reading_stop(prfdata_reading *reading)
{
    if (!reading)
        return;
    prfdata_reading_end(reading);
    for (uint32_t i = 0; i < PRFDATA_WORKERS; i++)
        close_worker(&reading->each[i]);
    prfdata_name_table_free(&reading->objects);
    prfdata_workers_free(&reading->workers);
    DeleteCriticalSection(&reading->lock);
    free(reading);
}

const prfdata_session *prfdata_reading_session(const prfdata_reading *reading)
{
    return &reading->each[0].session;
}

const prfdata_name_table *prfdata_reading_objects(const prfdata_reading *reading)
{
    return &reading->objects;
}

void prfdata_reading_taken(prfdata_reading *reading, uint32_t worker)
{
    set_in_flight(&reading->each[worker], false);
    SetEvent(reading->each[worker].wake);
}

void prfdata_reading_want(prfdata_reading *reading, const uint32_t *titles, size_t count)
{
    bool is_changed;

    EnterCriticalSection(&reading->lock);
    is_changed = prfdata_workers_want(&reading->workers, titles, count);
    LeaveCriticalSection(&reading->lock);
    if (is_changed)
        wake_all(reading);
}

void prfdata_reading_set_interval(prfdata_reading *reading, uint32_t interval_ms)
{
    EnterCriticalSection(&reading->lock);
    reading->interval_ms = interval_ms;
    prfdata_workers_set_interval(&reading->workers, prfdata_os_milliseconds(), interval_ms);
    LeaveCriticalSection(&reading->lock);
    wake_all(reading);
}

void prfdata_reading_pause(prfdata_reading *reading, bool is_paused)
{
    EnterCriticalSection(&reading->lock);
    reading->is_paused = is_paused;
    LeaveCriticalSection(&reading->lock);
    wake_all(reading);
}

void prfdata_reading_refresh(prfdata_reading *reading)
{
    EnterCriticalSection(&reading->lock);
    prfdata_workers_refresh(&reading->workers);
    LeaveCriticalSection(&reading->lock);
    wake_all(reading);
}

void prfdata_reading_ask_again(prfdata_reading *reading, uint32_t title)
{
    EnterCriticalSection(&reading->lock);
    prfdata_workers_ask_again(&reading->workers, title);
    LeaveCriticalSection(&reading->lock);
    wake_all(reading);
}

void prfdata_reading_read_all(prfdata_reading *reading)
{
    EnterCriticalSection(&reading->lock);
    reading->reads_all = true;
    LeaveCriticalSection(&reading->lock);
    wake_all(reading);
}

void prfdata_reading_fault(prfdata_reading *reading, wchar_t name[MAX_PATH])
{
    const wchar_t *slash;

    EnterCriticalSection(&reading->lock);
    slash = wcsrchr(reading->fault, L'\\');
    wcscpy(name, slash ? slash + 1 : reading->fault);
    LeaveCriticalSection(&reading->lock);
}

void prfdata_reading_get_wait(prfdata_reading *reading, prfdata_reading_wait *wait)
{
    const uint32_t now = (uint32_t)prfdata_os_milliseconds();

    *wait = (prfdata_reading_wait){0};
    EnterCriticalSection(&reading->lock);
    for (uint32_t i = 0; i < PRFDATA_WORKERS; i++) {
        const prfdata_reading_wait *of_worker = &reading->each[i].wait;
        const uint32_t ms = of_worker->ms == 0 || of_worker->ms > now ? 0 : now - of_worker->ms + 1;

        if (ms <= wait->ms)
            continue;
        *wait = *of_worker;
        wait->ms = ms;
    }
    LeaveCriticalSection(&reading->lock);
}
