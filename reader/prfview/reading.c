/* SPDX-License-Identifier: MIT */
/*
 * When to take a sample, of what, and what to do with an object whose provider hangs: the objects
 * of the query are asked one by one then, and those that do not answer are left out until they are
 * wanted again. Knows Windows.
 */
#include "prfview/reading.h"

#include <stdlib.h>
#include <string.h>

#include "core/os.h"
#include "prfview/child.h"

struct prfdata_reading {
    HWND window;
    HANDLE thread;
    HANDLE wake;
    CRITICAL_SECTION lock; /* of what follows, up to `is_over` */
    prfdata_title_set wanted;
    bool is_changed; /* wanted is */
    bool refreshes;
    bool reads_all;
    bool is_paused;
    uint32_t interval_ms;
    bool is_over;

    volatile LONG waits_since; /* in ms, coarse; 0: the thread does not wait for an answer */

    /* The thread's, and until PRFDATA_READING_READY nobody else's. */
    prfdata_source *source;
    prfdata_session session;
    prfdata_name_table objects;
    prfdata_title_set asked;   /* wanted, without those that hang; their parents, too */
    prfdata_title_set hanging; /* until they are not wanted any more, or all are asked again */
    uint64_t began_ms;         /* when the last sample did */
    uint16_t *query;           /* of `asked` and parents; NULL: make it again */
};

/* What the thread has to do. */
typedef struct reading_task {
    bool samples;
    bool reads_all;
    bool is_over;
} reading_task;

/* ---- The thread ---- */

static void forget_query(prfdata_reading *r)
{
    free(r->query);
    r->query = NULL;
}

/* When the next sample is due: an interval after the one that began last. */
static uint64_t due_time_ms(const prfdata_reading *r)
{
    return r->began_ms + r->interval_ms;
}

/* What is asked for is what is wanted, without what hangs. */
static void choose_asked_objects(prfdata_reading *r)
{
    if (r->refreshes)
        r->hanging.count = 0;
    prfdata_title_set_keep(&r->hanging, &r->wanted);
    (void)prfdata_title_set_copy_without(&r->asked, &r->wanted, &r->hanging);
    forget_query(r);
}

static reading_task next_task(prfdata_reading *r)
{
    const uint64_t now_ms = prfdata_os_milliseconds();
    reading_task task = {0};

    EnterCriticalSection(&r->lock);
    if (r->is_changed || r->refreshes)
        choose_asked_objects(r);
    task.samples = (r->is_changed || r->refreshes || (!r->is_paused && now_ms >= due_time_ms(r))) &&
                   r->asked.count > 0;
    task.reads_all = r->reads_all;
    task.is_over = r->is_over;
    r->is_changed = r->refreshes = r->reads_all = false;
    LeaveCriticalSection(&r->lock);
    return task;
}

/* Wait for something to do. */
static void wait_for_task(prfdata_reading *r)
{
    const uint64_t now_ms = prfdata_os_milliseconds();
    DWORD wait_ms = 0;

    EnterCriticalSection(&r->lock);
    if (r->is_paused || r->asked.count == 0)
        wait_ms = INFINITE;
    else if (due_time_ms(r) > now_ms)
        wait_ms = (DWORD)(due_time_ms(r) - now_ms);
    LeaveCriticalSection(&r->lock);
    WaitForSingleObject(r->wake, wait_ms);
}

static void report_reading_failure(const prfdata_reading *r, uint32_t status, const uint16_t *query)
{
    const size_t count = query ? prfdata_text_from_chars(query).count : 0;
    wchar_t *copy = query ? calloc(count + 1, sizeof *copy) : NULL;

    for (size_t i = 0; copy && i < count; i++)
        copy[i] = query[i];
    if (!PostMessageW(r->window, PRFDATA_READING_FAILED, status, (LPARAM)copy))
        free(copy);
}

static void send_sample(const prfdata_reading *r, UINT message, prfdata_sample *sample,
                        uint64_t since)
{
    const uint64_t us = (prfdata_os_ticks() - since) * 1000000 / prfdata_os_ticks_per_second();

    if (!PostMessageW(r->window, message, (WPARAM)us, (LPARAM)sample))
        prfdata_sample_free(sample);
}

static void set_waiting(prfdata_reading *r, bool is_waiting)
{
    const uint32_t now = (uint32_t)prfdata_os_milliseconds();

    InterlockedExchange(&r->waits_since, is_waiting ? (LONG)(now | 1) : 0);
}

/* Find the objects that do not answer, each by itself, and leave them out. */
static void find_hanging_objects(prfdata_reading *r, uint32_t failure)
{
    const bool is_known = r->asked.count == 1;
    size_t kept = 0;

    for (size_t i = 0; i < r->asked.count; i++) {
        prfdata_title_set one = {.items = &r->asked.items[i], .count = 1, .capacity = 1};
        uint16_t *query = prfdata_title_set_query(&one);
        void *bytes = NULL;
        size_t size = 0;
        uint32_t status = is_known ? failure : ERROR_NOT_ENOUGH_MEMORY;

        if (query && !is_known)
            status = prfdata_source_take(r->source, query, &bytes, &size);
        free(bytes);
        if (status == ERROR_CANCELLED) {
            free(query);
            return;
        }
        if (status == ERROR_TIMEOUT || status == ERROR_BROKEN_PIPE) {
            (void)prfdata_title_set_add(&r->hanging, r->asked.items[i]);
            report_reading_failure(r, status, query);
        } else {
            r->asked.items[kept++] = r->asked.items[i];
        }
        free(query);
    }
    r->asked.count = kept;
}

/* Parents are not asked for while something hangs: it may be one of them. */
static uint32_t take_asked_objects(prfdata_reading *r, prfdata_sample **sample)
{
    if (r->hanging.count == 0)
        return prfdata_session_take_first(&r->session, &r->asked, &r->query, sample);
    if (!r->query)
        r->query = prfdata_title_set_query(&r->asked);
    return r->query ? prfdata_session_take(&r->session, r->query, sample) : ERROR_NOT_ENOUGH_MEMORY;
}

static void take_reading_sample(prfdata_reading *r)
{
    const uint64_t since = prfdata_os_ticks();
    prfdata_sample *sample = NULL;
    uint32_t status;

    set_waiting(r, true);
    status = take_asked_objects(r, &sample);
    if (status == ERROR_SUCCESS) {
        set_waiting(r, false);
        send_sample(r, PRFDATA_READING_SAMPLE, sample, since);
        return;
    }
    forget_query(r);
    if (status == ERROR_TIMEOUT || status == ERROR_BROKEN_PIPE)
        find_hanging_objects(r, status);
    else
        report_reading_failure(r, status, NULL);
    set_waiting(r, false);
}

static void take_all_objects(prfdata_reading *r)
{
    static const uint16_t global[] = {'G', 'l', 'o', 'b', 'a', 'l', 0};
    const uint64_t since = prfdata_os_ticks();
    prfdata_sample *sample = NULL;
    uint32_t status;

    set_waiting(r, true);
    status = prfdata_session_take(&r->session, global, &sample);
    set_waiting(r, false);
    if (status == ERROR_SUCCESS)
        send_sample(r, PRFDATA_READING_ALL, sample, since);
    else
        report_reading_failure(r, status, global);
}

static void load_reading_helps(prfdata_reading *r)
{
    prfdata_titles *helps = calloc(1, sizeof *helps);

    if (!helps)
        return;
    (void)prfdata_source_load_helps(r->source, helps);
    if (!PostMessageW(r->window, PRFDATA_READING_HELPS, 0, (LPARAM)helps)) {
        prfdata_titles_free(helps);
        free(helps);
    }
}

static DWORD WINAPI run_reading(void *context)
{
    prfdata_reading *r = context;
    bool has_helps = false;

    prfdata_session_open(&r->session, r->source, NULL);
    (void)prfdata_source_load_objects(r->source, &r->objects, &(bool){false});
    PostMessageW(r->window, PRFDATA_READING_READY, 0, 0);
    for (;;) {
        const reading_task task = next_task(r);

        if (task.is_over)
            return 0;
        if (task.reads_all)
            take_all_objects(r);
        if (task.samples) {
            r->began_ms = prfdata_os_milliseconds();
            take_reading_sample(r);
        }
        if (!has_helps)
            load_reading_helps(r);
        has_helps = true;
        wait_for_task(r);
    }
}

/* ---- The window's side ---- */

prfdata_reading *prfdata_reading_start(HWND window, uint32_t interval_ms)
{
    prfdata_reading *r = calloc(1, sizeof *r);

    if (!r)
        return NULL;
    r->window = window;
    r->interval_ms = interval_ms;
    InitializeCriticalSection(&r->lock);
    r->wake = CreateEventW(NULL, FALSE, FALSE, NULL);
    if (r->wake && prfdata_child_open_source(NULL, &r->source) == ERROR_SUCCESS)
        r->thread = CreateThread(NULL, 0, run_reading, r, 0, NULL);
    if (r->thread)
        return r;
    prfdata_source_close(r->source);
    if (r->wake)
        CloseHandle(r->wake);
    DeleteCriticalSection(&r->lock);
    free(r);
    return NULL;
}

/* Messages of a thread that has ended may still be in the queue. */
static void free_messages(HWND window)
{
    MSG message;

    while (
        PeekMessageW(&message, window, PRFDATA_READING_READY, PRFDATA_READING_FAILED, PM_REMOVE)) {
        if (message.message == PRFDATA_READING_SAMPLE || message.message == PRFDATA_READING_ALL)
            prfdata_sample_free((prfdata_sample *)message.lParam);
        if (message.message == PRFDATA_READING_HELPS)
            prfdata_titles_free((prfdata_titles *)message.lParam);
        if (message.message == PRFDATA_READING_HELPS || message.message == PRFDATA_READING_FAILED)
            free((void *)message.lParam);
    }
}

void prfdata_reading_stop(prfdata_reading *reading)
{
    if (!reading)
        return;
    EnterCriticalSection(&reading->lock);
    reading->is_over = true;
    LeaveCriticalSection(&reading->lock);
    SetEvent(reading->wake);
    prfdata_child_interrupt(reading->source);
    WaitForSingleObject(reading->thread, INFINITE);
    CloseHandle(reading->thread);
    free_messages(reading->window);
    prfdata_session_close(&reading->session); /* with the source */
    prfdata_name_table_free(&reading->objects);
    prfdata_title_set_free(&reading->wanted);
    prfdata_title_set_free(&reading->asked);
    prfdata_title_set_free(&reading->hanging);
    free(reading->query);
    CloseHandle(reading->wake);
    DeleteCriticalSection(&reading->lock);
    free(reading);
}

const prfdata_session *prfdata_reading_session(const prfdata_reading *reading)
{
    return &reading->session;
}

const prfdata_name_table *prfdata_reading_objects(const prfdata_reading *reading)
{
    return &reading->objects;
}

void prfdata_reading_want(prfdata_reading *reading, const uint32_t *titles, size_t count)
{
    bool is_same;

    EnterCriticalSection(&reading->lock);
    is_same = count == reading->wanted.count;
    for (size_t i = 0; is_same && i < count; i++)
        is_same = prfdata_title_set_has(&reading->wanted, titles[i]);
    if (!is_same) {
        reading->wanted.count = 0;
        for (size_t i = 0; i < count; i++)
            (void)prfdata_title_set_add(&reading->wanted, titles[i]);
        reading->is_changed = true;
    }
    LeaveCriticalSection(&reading->lock);
    if (!is_same)
        SetEvent(reading->wake);
}

void prfdata_reading_set_interval(prfdata_reading *reading, uint32_t interval_ms)
{
    EnterCriticalSection(&reading->lock);
    reading->interval_ms = interval_ms;
    LeaveCriticalSection(&reading->lock);
    SetEvent(reading->wake);
}

void prfdata_reading_pause(prfdata_reading *reading, bool is_paused)
{
    EnterCriticalSection(&reading->lock);
    reading->is_paused = is_paused;
    LeaveCriticalSection(&reading->lock);
    SetEvent(reading->wake);
}

void prfdata_reading_refresh(prfdata_reading *reading)
{
    EnterCriticalSection(&reading->lock);
    reading->refreshes = true;
    LeaveCriticalSection(&reading->lock);
    SetEvent(reading->wake);
}

void prfdata_reading_read_all(prfdata_reading *reading)
{
    EnterCriticalSection(&reading->lock);
    reading->reads_all = true;
    LeaveCriticalSection(&reading->lock);
    SetEvent(reading->wake);
}

uint32_t prfdata_reading_waits_ms(const prfdata_reading *reading)
{
    const uint32_t since =
        (uint32_t)InterlockedCompareExchange((volatile LONG *)&reading->waits_since, 0, 0);

    return since == 0 ? 0 : (uint32_t)prfdata_os_milliseconds() - since + 1;
}
