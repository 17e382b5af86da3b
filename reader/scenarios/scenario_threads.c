/* SPDX-License-Identifier: MIT */
/* Calls the provider from many threads: at the same time, one after the other, and while
 * impersonating. */
#include "scenarios/scenarios.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#define THREADS     8u
#define LEAST_CALLS 20u /* fewest calls of each thread, unless they take too long */
#define LARGE_CALLS 2u  /* as LEAST_CALLS, for large replies with -quick */
#define QUICK_MS    1000u
#define PATIENT_MS  10000u

typedef struct calling_thread {
    prfdata_check *check;
    /*
     * How long the thread makes calls. If it has made too few calls by then, it continues, but not
     * longer than QUICK_MS or PATIENT_MS. These limits are needed, because the thread must end even
     * if the thread that started it hangs.
     */
    uint32_t lasts_ms;
    bool opens;    /* the thread also opens and closes */
    bool is_brief; /* replies are large and -quick was given, so a few calls are enough */
    prfdata_strict_thread thread;
    /* A title index for which the thread sometimes asks; 0: it never does. */
    uint32_t index;
    /* Object that is missing in a reply that should have it; 0: none. */
    uint32_t missing;
    const prfdata_reply_objects *global; /* the objects that Global should return */
} calling_thread;

static uint32_t find_lacking_title(const calling_thread *w, uint32_t index,
                                   const prfdata_validate_reply *reply)
{
    prfdata_reply_objects set;

    prfdata_reply_objects_read(reply, &set);
    if (index == 0)
        return prfdata_reply_objects_first_missing(w->global, &set);
    return prfdata_reply_objects_has(&set, index) ? 0 : index;
}

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
         GetTickCount64() - begun_ms < w->lasts_ms ||
         (i < least && GetTickCount64() - begun_ms < (w->check->quick ? QUICK_MS : PATIENT_MS));
         i++)
        call_beside_others(w, &history, i % 4 == 3 ? w->index : 0);
    prfdata_strict_leave(&w->thread);
    prfdata_history_forget(&history);
    return 0;
}

static uint32_t start_calling_threads(prfdata_check *check, const prfdata_reply_objects *global,
                                      uint32_t lasts_ms, calling_thread *callers, HANDLE *threads)
{
    uint32_t started = 0;

    for (uint32_t i = 0; i < THREADS; i++) {
        callers[i].check = check;
        callers[i].lasts_ms = lasts_ms;
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

/* Report the first object that a thread found missing. An object counts only if it was there before
 * and is there now. */
static void validate_lacking_titles(prfdata_check *check, const calling_thread *callers)
{
    prfdata_check_ask_global(check);
    for (uint32_t i = 0; i < THREADS; i++) {
        if (callers[i].missing != 0 &&
            prfdata_reply_objects_has(&check->global, callers[i].missing)) {
            check->thread.thread.query = NULL;
            prfdata_check_find_object(
                &check->thread, PRFDATA_RULE_THREADS_UNANSWERED,
                "the object was missing in a reply while other threads collected",
                callers[i].missing);
            return;
        }
    }
}

static void call_by_threads(prfdata_check *check, calling_thread *callers)
{
    const prfdata_reply_objects global = check->global;
    const uint32_t lasts_ms = check->quick ? 100 : check->seconds * 1000;
    HANDLE threads[THREADS];
    uint32_t started;

    prfdata_caller_progress(lasts_ms);
    started = start_calling_threads(check, &global, lasts_ms, callers, threads);
    if (started > 0)
        (void)WaitForMultipleObjects(started, threads, TRUE, INFINITE);
    for (uint32_t i = 0; i < started; i++)
        CloseHandle(threads[i]);
    for (uint32_t i = 0; i < THREADS; i++)
        prfdata_check_count(check, &callers[i].thread);
    validate_lacking_titles(check, callers);
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

/* ---- One thread after the other ---- */

#define LOOK_MS 50u /* pause between two checks whether objects have come */

/* The whole work of a thread: one Open, one Close, or Collects until all objects have come. */
typedef struct single_call {
    prfdata_check *check;
    void (*make)(struct single_call *call);
    prfdata_strict_thread thread;
    uint32_t status;
    prfdata_reply_objects objects;
} single_call;

static void open_once(single_call *call)
{
    call->status = prfdata_strict_open(&call->thread);
}

/* Collect until all objects have come, at most as long as they may take after Open. */
static void ask_once(single_call *call)
{
    const uint64_t begun_ms = GetTickCount64();
    const uint32_t patience_ms = prfdata_check_patience_ms(call->check);
    prfdata_strict_result result;
    prfdata_history history;

    memset(&history, 0, sizeof history);
    history.gone = &call->check->gone;
    do {
        if (begun_ms != GetTickCount64())
            Sleep(LOOK_MS);
        call->objects.count = 0;
        call->status = prfdata_check_collect_whole(&call->thread, &history, L"Global", &result);
        if (call->status == ERROR_SUCCESS)
            prfdata_reply_objects_read(&result.reply, &call->objects);
    } while (prfdata_reply_objects_extent(&call->objects) < call->check->expected &&
             GetTickCount64() - begun_ms <
                 (patience_ms > call->check->wait_ms ? patience_ms : call->check->wait_ms));
    prfdata_history_forget(&history);
}

static void close_once(single_call *call)
{
    call->status = prfdata_strict_close(&call->thread);
}

static DWORD WINAPI run_single_call(void *argument)
{
    single_call *call = argument;

    if (prfdata_strict_join(&call->check->strict, &call->thread) != ERROR_SUCCESS)
        return 0;
    call->make(call);
    call->thread.thread.query = NULL;
    prfdata_strict_leave(&call->thread);
    prfdata_check_count(call->check, &call->thread);
    return 0;
}

static uint32_t call_in_thread(prfdata_check *check, single_call *call,
                               void (*make)(single_call *call))
{
    HANDLE thread;

    memset(call, 0, sizeof *call);
    call->check = check;
    call->make = make;
    call->status = ERROR_NOT_ENOUGH_MEMORY;
    thread = CreateThread(NULL, 0, run_single_call, call, 0, NULL);
    if (thread) {
        /* No limit is needed, because prfcheck ends this process if the call hangs. */
        WaitForSingleObject(thread, INFINITE);
        CloseHandle(thread);
    }
    return call->status;
}

/* Open in one thread, collect in another one, and close in a third, because Windows calls a
 * provider in the threads of its readers. */
static void run_other_threads(prfdata_check *check, const wchar_t *query)
{
    static prfdata_reply_objects before; /* a second set would be too large for the stack */
    single_call *call = calloc(1, sizeof *call);
    uint32_t missing = 0;

    (void)query;
    if (!call || !prfdata_check_make_ready(check))
        goto free_call;
    before = check->global;
    prfdata_check_close(check);
    if (call_in_thread(check, call, open_once) != ERROR_SUCCESS)
        goto free_call;
    if (call_in_thread(check, call, ask_once) == ERROR_SUCCESS)
        missing = prfdata_reply_objects_first_missing(&before, &call->objects);
    if (call_in_thread(check, call, close_once) != ERROR_SUCCESS)
        prfdata_check_find(&check->thread, PRFDATA_RULE_THREAD_BOUND,
                           "Close returned error %u in another thread than that of Open",
                           call->status);
    if (missing != 0)
        prfdata_check_find_object(&check->thread, PRFDATA_RULE_THREAD_BOUND,
                                  "the object was missing after the thread of Open had ended",
                                  missing);
free_call:
    free(call);
}

/* ---- Two readers with a buffer each ---- */

/* Pause before a reader checks whether its buffer has changed since its Collect. */
#define LATE_WRITE_MS 200u

/* A reader that checks its buffer after another reader has collected. */
typedef struct waiting_reader {
    prfdata_check *check;
    HANDLE has_asked;
    HANDLE may_look;
    prfdata_strict_thread thread;
    bool is_changed;
    uint32_t changed; /* offset of the changed byte from the beginning of the buffer, modulo 2^32,
                         because the byte may be before the buffer */
} waiting_reader;

static void compare_room(waiting_reader *w, const unsigned char *copy)
{
    const prfdata_caller_thread *thread = &w->thread.thread;

    for (size_t i = 0; i < thread->bytes && !w->is_changed; i++) {
        w->is_changed = thread->memory[i] != copy[i];
        w->changed = (uint32_t)(thread->memory + i - thread->entry);
    }
}

static DWORD WINAPI run_waiting_reader(void *argument)
{
    waiting_reader *w = argument;
    prfdata_strict_thread *thread = &w->thread;
    prfdata_strict_result result;
    unsigned char *copy = NULL;

    if (prfdata_strict_join(&w->check->strict, thread) != ERROR_SUCCESS) {
        SetEvent(w->has_asked);
        return 0;
    }
    if (prfdata_strict_collect(thread, L"Global", 2 * w->check->needed + 65536,
                               PRFDATA_PLACE_PATTERNS, 0, &result) == ERROR_SUCCESS)
        copy = malloc(thread->thread.bytes);
    if (copy)
        memcpy(copy, thread->thread.memory, thread->thread.bytes);
    SetEvent(w->has_asked);
    WaitForSingleObject(w->may_look, INFINITE);
    if (copy)
        compare_room(w, copy);
    free(copy);
    thread->thread.query = NULL;
    prfdata_strict_leave(thread);
    prfdata_check_count(w->check, thread);
    return 0;
}

static void meet_waiting_reader(waiting_reader *w)
{
    HANDLE thread = CreateThread(NULL, 0, run_waiting_reader, w, 0, NULL);

    if (!thread)
        return;
    /* No limit is needed, because prfcheck ends this process if the call hangs. */
    WaitForSingleObject(w->has_asked, INFINITE);
    prfdata_check_ask_global(w->check);
    Sleep(LATE_WRITE_MS);
    SetEvent(w->may_look);
    WaitForSingleObject(thread, INFINITE);
    CloseHandle(thread);
}

static void run_late_writes(prfdata_check *check, const wchar_t *query)
{
    waiting_reader *w = calloc(1, sizeof *w);

    if (!w || !prfdata_check_make_ready(check))
        goto free_reader;
    w->check = check;
    w->has_asked = CreateEventW(NULL, TRUE, FALSE, NULL);
    w->may_look = CreateEventW(NULL, TRUE, FALSE, NULL);
    if (w->has_asked && w->may_look)
        meet_waiting_reader(w);
    check->thread.thread.query = query;
    if (w->is_changed)
        prfdata_check_find(&check->thread, PRFDATA_RULE_WRITE_LATE,
                           "byte %u of a reader's buffer changed after its Collect, while another "
                           "reader collected",
                           w->changed);
    if (w->has_asked)
        CloseHandle(w->has_asked);
    if (w->may_look)
        CloseHandle(w->may_look);
free_reader:
    free(w);
}

/* ---- A reader that impersonates ---- */

/* The numbers of tries. A mistake is reported only if objects are missing in each try, because
 * objects may come and go. There are fewer openings, because each opening also waits for objects
 * that come later. */
#define IMPERSONATIONS 12
#define OPENINGS       4

/* Returns false if the thread cannot impersonate. */
static bool ask_impersonating(prfdata_check *check, const wchar_t *query,
                              prfdata_reply_objects *set, bool *keeps_identity)
{
    prfdata_strict_result result;
    HANDLE token = NULL;

    if (!ImpersonateSelf(SecurityImpersonation)) {
        (void)snprintf(check->did, sizeof check->did, "not impersonated: error %lu",
                       (unsigned long)GetLastError());
        return false;
    }
    prfdata_check_ask_titles(check, query, set);
    (void)prfdata_check_ask(check, L"Global", &result); /* compares values with earlier ones */
    *keeps_identity = OpenThreadToken(GetCurrentThread(), TOKEN_QUERY, TRUE, &token);
    if (token)
        CloseHandle(token);
    RevertToSelf();
    return true;
}

/* Open while the thread impersonates, and then collect without impersonating. Returns an object
 * that is missing after this Open, but not after an Open without impersonating; 0: none. */
static uint32_t find_lost_by_opening(prfdata_check *check)
{
    static prfdata_reply_objects before; /* too large for the stack */
    static prfdata_reply_objects after;
    const uint32_t expected = check->expected;
    bool is_open;

    before = check->global;
    prfdata_check_close(check);
    if (!ImpersonateSelf(SecurityImpersonation))
        return 0;
    prfdata_check_open(check);
    RevertToSelf();
    is_open = check->is_open;
    check->is_hopeless = false; /* if Open failed, it may succeed the next time */
    check->is_ready = false;
    if (!is_open || !prfdata_check_make_ready(check))
        return 0;
    after = check->global;
    check->expected = expected;
    if (prfdata_reply_objects_first_missing(&before, &after) == 0)
        return 0;
    prfdata_check_close(check);
    check->is_ready = false;
    return prfdata_check_make_ready(check)
               ? prfdata_reply_objects_first_lost(&before, &after, &check->global)
               : 0;
}

/* Check an Open while the thread impersonates. A reader may call Open while impersonating its first
 * client, and Collect while impersonating other clients. */
static void validate_opening(prfdata_check *check)
{
    const uint32_t saw = check->saw;
    uint32_t missing = 0;

    for (int i = 0; i < OPENINGS && (i == 0 || missing != 0); i++)
        missing = find_lost_by_opening(check);
    check->saw = saw; /* restore what the openings have changed */
    if (missing != 0)
        prfdata_check_find_object(&check->thread, PRFDATA_RULE_IMPERSONATION,
                                  "the object was missing after a thread that impersonates had "
                                  "called Open",
                                  missing);
}

/*
 * Ask while impersonating, because a reader in a service calls with the identity of the service's
 * client.
 */
static void run_impersonating(prfdata_check *check, const wchar_t *query)
{
    static prfdata_reply_objects before; /* a second set would be too large for the stack */
    prfdata_reply_objects set;
    bool keeps_identity = true;
    uint32_t missing = 0;

    if (!prfdata_check_make_ready(check))
        return;
    for (int i = 0; i < IMPERSONATIONS && keeps_identity && (i == 0 || missing != 0); i++) {
        before = check->global;
        if (!ask_impersonating(check, query, &set, &keeps_identity))
            return;
        prfdata_check_ask_global(check);
        missing = prfdata_reply_objects_first_lost(&before, &set, &check->global);
    }
    check->thread.thread.query = query;
    if (missing != 0)
        prfdata_check_find_object(&check->thread, PRFDATA_RULE_IMPERSONATION,
                                  "the object was missing while the thread impersonated", missing);
    if (!keeps_identity)
        prfdata_check_find(&check->thread, PRFDATA_RULE_IMPERSONATION,
                           "Collect ended the impersonation of its reader's thread", 0);
    if (missing == 0 && keeps_identity)
        validate_opening(check);
}

static const prfdata_scenario threads_list[] = {
    {"threads", run_threads, NULL},
    {"other-threads", run_other_threads, NULL},
    {"late-writes", run_late_writes, L"Global"},
    {"impersonation", run_impersonating, L"GLOBAL"},
};

const prfdata_scenario_group prfdata_scenario_threads = {
    threads_list,
    sizeof threads_list / sizeof threads_list[0],
};
