/* SPDX-License-Identifier: MIT */
/*
 * Repeats a step, and compares how much memory, how many handles and so on the process has before
 * and afterwards. Also checks whether calls get slower, whether many threads get an answer, how
 * long threads need to start, and whether DLLs stay loaded.
 */
#include "scenarios/scenarios.h"

#include <stdio.h>
#include <string.h>
#include <wchar.h>

#include "scenarios/modules.h"
#include "scenarios/usage.h"

#define THIRDS PRFDATA_GROWTH_MOMENTS
/* Fewest steps in each third of a measurement; growth cannot be judged from fewer. */
#define LEAST_STEPS 4u
/* If something has grown, a third of the steps is repeated, at most this many times. */
#define DOUBTS 4
/* The longest time for all thirds together, or for starting many threads, with and without -quick.
 * Repeated thirds take additional time. */
#define QUICK_MS   5000u
#define PATIENT_MS 10000u

/* After a Close, a thread of the provider may run this long and hold the library. A thread of
 * PrfData's provider does so for 1 s. */
#define ENDS_LATER_MS  3000u
#define MODULE_GOES_MS 3000u /* time after FreeLibrary in which a DLL must be unloaded */

#define ANSWER_MS 100u /* pause between two searches for missing objects */

#define PATH_CHARS 1024u

/* Collect without checking the reply, because other scenarios check replies, and checking a large
 * reply takes longer than the Collect. */
static void collect_once(prfdata_check *check, const wchar_t *query, uint32_t capacity)
{
    prfdata_strict_result result;

    (void)prfdata_strict_collect(&check->thread, query, capacity, PRFDATA_PLACE_PATTERNS, 0,
                                 &result);
}

static uint32_t ample_capacity(const prfdata_check *check)
{
    return 2 * check->needed + 65536;
}

/* The title index of System, an object that no provider except those of Windows has. */
#define FOREIGN_TITLE L"2"

static void collect_in_all_ways(prfdata_check *check)
{
    wchar_t title[16];

    (void)swprintf(title, 16, L"%u",
                   check->global.count > 0 ? (unsigned)check->global.items[0] : 0);
    collect_once(check, title, ample_capacity(check));
    collect_once(check, FOREIGN_TITLE, ample_capacity(check)); /* the most common call */
    collect_once(check, L"Global", 8);
    collect_once(check, L"Global", ample_capacity(check));
}

static void open_and_close(prfdata_check *check)
{
    prfdata_check_open(check);
    if (check->is_open) {
        collect_once(check, L"Global", ample_capacity(check));
        /* Another reader of the process opens and closes while this one has the provider open. */
        if (prfdata_strict_open(&check->thread) == ERROR_SUCCESS)
            (void)prfdata_strict_close(&check->thread);
    }
    prfdata_check_close(check);
}

static void load_and_unload(prfdata_check *check)
{
    open_and_close(check);
    prfdata_check_unload(check);
}

/* Collect in this thread, which has not collected before. Returns the size of the reply;
 * UINT32_MAX: there is no reply. */
static uint32_t collect_in_new_thread(prfdata_check *check)
{
    prfdata_strict_thread thread;
    prfdata_strict_result result;
    uint32_t bytes = UINT32_MAX;

    if (prfdata_strict_join(&check->strict, &thread) != ERROR_SUCCESS)
        return bytes;
    thread.thread.never_looks = true;
    if (prfdata_strict_collect(&thread, L"Global", ample_capacity(check), PRFDATA_PLACE_PATTERNS, 0,
                               &result) == ERROR_SUCCESS)
        bytes = (uint32_t)result.reply.size;
    prfdata_strict_leave(&thread);
    prfdata_check_count(check, &thread);
    return bytes;
}

static DWORD WINAPI run_short_thread(void *check)
{
    (void)collect_in_new_thread(check);
    return 0;
}

static void collect_in_short_thread(prfdata_check *check)
{
    HANDLE thread = CreateThread(NULL, 0, run_short_thread, check, 0, NULL);

    if (!thread)
        return;
    /* No limit is needed, because prfcheck ends this process if the call hangs. */
    WaitForSingleObject(thread, INFINITE);
    CloseHandle(thread);
}

/* Return how often the step should be done from one moment to the next. Does the step a few times
 * to measure it. */
static uint32_t count_affordable_steps(prfdata_check *check, void (*step)(prfdata_check *check),
                                       uint32_t most, uint32_t *tried)
{
    const uint64_t most_ms =
        prfdata_check_limit_time(check, check->quick ? QUICK_MS : PATIENT_MS) / THIRDS;
    prfdata_growth_pace pace = {most_ms, most, 0, 0};
    uint64_t begun_ms;

    do {
        begun_ms = GetTickCount64();
        step(check);
    } while (prfdata_growth_pace_add(&pace, GetTickCount64() - begun_ms) && !check->is_hopeless);
    *tried = pace.tried;
    return prfdata_growth_pace_steps(&pace);
}

/* Repeat the step. Returns the processor time of all steps, because their duration depends on how
 * busy the machine is. */
static uint64_t repeat_step(prfdata_check *check, void (*step)(prfdata_check *check),
                            uint32_t count)
{
    const uint64_t before_ms = prfdata_check_processor_ms();

    for (uint32_t i = 0; i < count && !check->is_hopeless; i++)
        step(check);
    return prfdata_check_processor_ms() - before_ms;
}

/*
 * If an amount has grown, repeat a third of the steps as long as an amount grows, at most DOUBTS
 * times. A heap allocates blocks of common sizes in groups, and counts the free blocks of a group
 * as used (in Wine, a group has 31 blocks of 512 bytes). Such growth ends, but a leak does not.
 * Returns how often the step was done here.
 */
static uint32_t doubt_growth(prfdata_check *check, void (*step)(prfdata_check *check),
                             uint32_t count, prfdata_growth_usage *at)
{
    uint32_t doubt;

    for (doubt = 0; doubt < DOUBTS; doubt++) {
        if (check->is_hopeless || !prfdata_growth_is_doubtful(at, count))
            break;
        (void)repeat_step(check, step, count);
        at[0] = at[1];
        at[1] = at[2];
        at[2] = prfdata_usage_now();
    }
    /* Wait, because threads may be about to end and to release everything that they have. */
    if (!check->is_hopeless && prfdata_growth_is_doubtful(at, count)) {
        prfdata_caller_progress(ENDS_LATER_MS);
        Sleep(ENDS_LATER_MS);
        at[2] = prfdata_usage_now();
    }
    return doubt * count;
}

/* On a busy machine, one measurement is often slower than the one before it by chance, but hardly
 * three in a row. */
#define MORE_MEASUREMENTS 2u

/*
 * Checks whether the steps take longer each time. This happens if each Collect searches a list that
 * grows. The first third is not compared, because a provider may take long for what it makes only
 * once.
 */
static void validate_slower(prfdata_check *check, void (*step)(prfdata_check *check),
                            uint32_t count, const uint64_t *took_ms)
{
    uint64_t before_ms = took_ms[1];
    uint64_t now_ms = took_ms[2];

    for (uint32_t more = 0; prfdata_growth_is_slower(before_ms, now_ms); more++) {
        if (more == MORE_MEASUREMENTS) {
            prfdata_findings_add(&check->thread.findings, PRFDATA_RULE_COLLECT_SLOWER,
                                 PRFDATA_NO_OFFSET,
                                 "%u calls took %u ms of processor time; as many took %u ms before",
                                 (unsigned)count, (unsigned)now_ms, (unsigned)before_ms);
            break;
        }
        before_ms = now_ms;
        now_ms = repeat_step(check, step, count);
    }
    prfdata_strict_flush(&check->thread);
}

#define ANSWER_ROUNDS 5 /* tries for objects that come and go */

static void validate_answers(prfdata_check *check, const prfdata_reply_objects *before,
                             const char *what)
{
    const bool was_open = check->is_open;
    const uint32_t saw = check->saw;
    const uint64_t begun_ms = GetTickCount64();
    uint32_t missing = 0;

    for (int round = 0;
         round < ANSWER_ROUNDS || GetTickCount64() - begun_ms < prfdata_check_patience_ms(check);
         round++) {
        if (round > 0)
            Sleep(ANSWER_MS);
        check->is_ready = false;
        if (!prfdata_check_make_ready(check))
            return;
        prfdata_check_ask_global(check);
        missing = prfdata_reply_objects_first_missing(before, &check->global);
        if (missing == 0)
            break;
    }
    if (missing != 0) {
        prfdata_findings_add_about(&check->thread.findings, PRFDATA_RULE_ANSWERS_END, missing, 0,
                                   "the object is missing after many calls (%s)", what);
        prfdata_strict_flush(&check->thread);
    }
    check->saw = saw; /* restore what prfdata_check_make_ready() has changed */
    if (!was_open)
        prfdata_check_close(check);
}

static void repeat_and_measure(prfdata_check *check, void (*step)(prfdata_check *check),
                               uint32_t most, const char *what)
{
    const uint64_t begun_ms = GetTickCount64();
    uint32_t tried;
    const uint32_t count = count_affordable_steps(check, step, most, &tried);
    static prfdata_reply_objects before; /* too large for a stack */
    prfdata_growth_usage at[THIRDS];
    uint64_t took_ms[THIRDS];
    uint32_t repeated;

    check->does_less = count < (prfdata_check_is_large(check) ? most : LEAST_STEPS);
    if (count < LEAST_STEPS) {
        (void)snprintf(check->did, sizeof check->did, "not repeated: once takes %u ms",
                       (unsigned)((GetTickCount64() - begun_ms) / tried));
        return;
    }
    before = check->global;
    /* The growth during the first third is not measured, because the provider then also makes
     * things that it makes only once. */
    for (size_t third = 0; third < THIRDS; third++) {
        took_ms[third] = repeat_step(check, step, count);
        at[third] = prfdata_usage_now();
    }
    repeated = doubt_growth(check, step, count, at);
    prfdata_growth_validate(at, count, what, &check->thread.findings);
    prfdata_strict_flush(&check->thread);
    if (step == collect_in_all_ways)
        validate_slower(check, step, count, took_ms);
    if (!check->is_hopeless)
        validate_answers(check, &before, what);
    (void)snprintf(check->did, sizeof check->did, "%u times",
                   (unsigned)(count * THIRDS + repeated + tried));
}

/* Measure growth. The states of thread and process are compared only around every 16th Collect of
 * collect_in_all_ways(), because comparing them takes longer than most calls. */
static void measure_growth(prfdata_check *check, void (*step)(prfdata_check *check), uint32_t most,
                           const char *what)
{
    prfdata_caller_thread *thread = &check->thread.thread;

    thread->looks_often = false;
    thread->never_looks = step != collect_in_all_ways;
    repeat_and_measure(check, step, most, what);
    thread->looks_often = true;
    thread->never_looks = false;
}

static void run_collects(prfdata_check *check, const wchar_t *query)
{
    (void)query;
    if (prfdata_check_make_ready(check))
        measure_growth(check, collect_in_all_ways, check->quick ? 48 : 375, "Collect");
}

/* ---- Many threads that stay ---- */

/* Number of threads. Providers have had places for 64 or 256 threads. */
#define QUICK_CROWD   70u
#define PATIENT_CROWD 300u

/* The provider has no place left if this many new threads in a row get nothing. */
#define NEW_THREADS 5u

/* Threads that collect once, one after the other, and stay until the last one has collected. */
typedef struct crowd {
    prfdata_check *check;
    HANDLE has_collected; /* the newest thread has collected */
    HANDLE may_end;
    uint32_t bytes; /* result of collect_in_new_thread() in the newest thread */
    HANDLE threads[PATIENT_CROWD];
    uint32_t count;
} crowd;

static DWORD WINAPI run_thread_of_crowd(void *argument)
{
    crowd *c = argument;

    c->bytes = collect_in_new_thread(c->check);
    SetEvent(c->has_collected);
    WaitForSingleObject(c->may_end, INFINITE);
    return 0;
}

/* Start another thread of the crowd. Returns whether it got an empty reply. */
static bool lets_thread_go_empty(crowd *c)
{
    HANDLE thread;

    c->bytes = UINT32_MAX;
    thread = CreateThread(NULL, 0, run_thread_of_crowd, c, 0, NULL);
    if (!thread)
        return false;
    c->threads[c->count++] = thread;
    /* No time limit is needed, because prfcheck ends this process if the call hangs. Also wait for
     * the thread, because a provider may end it before it sets the event. */
    (void)WaitForMultipleObjects(2, (HANDLE[]){c->has_collected, thread}, FALSE, INFINITE);
    return c->bytes == 0;
}

/* Start threads until NEW_THREADS of them in a row get nothing, or until the limit of time or
 * threads is reached. Returns how many of the last threads got nothing. */
static uint32_t gather_crowd(crowd *c)
{
    const uint64_t begun_ms = GetTickCount64();
    const uint64_t most_ms =
        prfdata_check_limit_time(c->check, c->check->quick ? QUICK_MS : PATIENT_MS);
    const uint32_t most = c->check->quick ? QUICK_CROWD : PATIENT_CROWD;
    uint32_t empty = 0;

    while (c->count < most && empty < NEW_THREADS && GetTickCount64() - begun_ms < most_ms)
        empty = lets_thread_go_empty(c) ? empty + 1 : 0;
    return empty;
}

/* Checks whether a provider with a fixed number of places for threads has none left for the next
 * threads. The threads stay, because the system may give the id of an ended thread to a new one. */
static void validate_crowd(prfdata_check *check)
{
    static crowd c; /* too large for a stack */
    uint32_t empty = 0;

    memset(&c, 0, sizeof c);
    c.check = check;
    c.has_collected = CreateEventW(NULL, FALSE, FALSE, NULL);
    c.may_end = CreateEventW(NULL, TRUE, FALSE, NULL);
    if (c.has_collected && c.may_end)
        empty = gather_crowd(&c);
    if (empty == NEW_THREADS)
        prfdata_check_ask_global(check);
    if (empty == NEW_THREADS && check->global.count > 0)
        prfdata_findings_add(
            &check->thread.findings, PRFDATA_RULE_THREADS_UNANSWERED, PRFDATA_NO_OFFSET,
            "%u new threads got no objects after many others had collected, of which %u had not "
            "ended; the first thread gets %u",
            NEW_THREADS, (unsigned)(c.count - empty), (unsigned)check->global.count);
    prfdata_strict_flush(&check->thread);
    if (c.may_end)
        SetEvent(c.may_end);
    for (uint32_t i = 0; i < c.count; i++) {
        WaitForSingleObject(c.threads[i], INFINITE);
        prfdata_caller_progress(0);
        CloseHandle(c.threads[i]);
    }
    if (c.has_collected)
        CloseHandle(c.has_collected);
    if (c.may_end)
        CloseHandle(c.may_end);
}

/* ---- Threads that do not collect ---- */

#define STARTS        5
#define LONG_START_MS 20u /* a thread may take this long to start */

static DWORD WINAPI do_nothing(void *unused)
{
    (void)unused;
    return 0;
}

/* Return the shortest time in which one of a few threads that do nothing starts and ends. */
static uint32_t find_shortest_start_ms(void)
{
    uint64_t shortest = UINT32_MAX;
    LARGE_INTEGER frequency;

    QueryPerformanceFrequency(&frequency);
    for (int i = 0; i < STARTS; i++) {
        LARGE_INTEGER begun;
        LARGE_INTEGER ended;
        uint64_t took;
        HANDLE thread;

        QueryPerformanceCounter(&begun);
        thread = CreateThread(NULL, 0, do_nothing, NULL, 0, NULL);
        if (!thread)
            break;
        WaitForSingleObject(thread, INFINITE);
        CloseHandle(thread);
        QueryPerformanceCounter(&ended);
        took = (uint64_t)(ended.QuadPart - begun.QuadPart) * 1000 / (uint64_t)frequency.QuadPart;
        if (took < shortest)
            shortest = took;
    }
    return (uint32_t)shortest;
}

/*
 * Checks how long threads need to start. If they need long, the reason may be a busy computer, so
 * this is measured again without the library, and then once more with it.
 */
static void validate_thread_start(prfdata_check *check)
{
    uint32_t loaded_ms = find_shortest_start_ms();
    uint32_t alone_ms;

    if (loaded_ms < LONG_START_MS)
        return;
    prfdata_check_close(check);
    prfdata_check_unload(check);
    alone_ms = find_shortest_start_ms();
    if (loaded_ms / 2 <= alone_ms || !prfdata_check_make_ready(check))
        return;
    loaded_ms = find_shortest_start_ms();
    if (loaded_ms >= LONG_START_MS && loaded_ms / 2 > alone_ms)
        prfdata_findings_add(&check->thread.findings, PRFDATA_RULE_THREAD_START, PRFDATA_NO_OFFSET,
                             "a thread that does nothing takes %u ms to start and end, but %u ms "
                             "if the library is not loaded",
                             (unsigned)loaded_ms, (unsigned)alone_ms);
    prfdata_strict_flush(&check->thread);
}

static void run_short_threads(prfdata_check *check, const wchar_t *query)
{
    (void)query;
    if (!prfdata_check_make_ready(check))
        return;
    measure_growth(check, collect_in_short_thread, check->quick ? 12 : 80,
                   "a thread that collects and ends");
    if (check->is_open && !check->is_hopeless)
        validate_crowd(check);
    if (!check->is_hopeless)
        validate_thread_start(check);
}

static void run_opens(prfdata_check *check, const wchar_t *query)
{
    (void)query;
    prfdata_check_look(check);
    prfdata_check_close(check);
    measure_growth(check, open_and_close, check->quick ? 16 : 100, "Open, Collect, Close");
}

/* Returns whether the library is still loaded after MODULE_GOES_MS. A provider may keep itself
 * loaded until its own thread or another Collect returns. */
static bool is_loaded_for_good(const wchar_t *path)
{
    const uint64_t begun_ms = GetTickCount64();

    while (GetModuleHandleW(path)) {
        if (GetTickCount64() - begun_ms >= MODULE_GOES_MS)
            return true;
        prfdata_caller_progress(0);
        Sleep(10);
    }
    return false;
}

/* Get the library's path as the loader spells it, because other libraries may have the same
 * name. */
static bool find_library_path(prfdata_check *check, wchar_t *path)
{
    DWORD chars = 0;

    prfdata_check_load(check);
    if (check->is_loaded)
        chars = GetModuleFileNameW(check->strict.caller.module, path, PATH_CHARS);
    prfdata_check_unload(check);
    return chars > 0 && chars < PATH_CHARS;
}

static void validate_helpers(prfdata_check *check, const wchar_t *library)
{
    wchar_t path[PATH_CHARS];
    const wchar_t *name;
    char shown[101];

    if (!prfdata_modules_find_new(library, path, PATH_CHARS) || !is_loaded_for_good(path))
        return;
    name = wcsrchr(path, L'\\');
    name = name ? name + 1 : path;
    prfdata_text_to_utf8(prfdata_text_from_chars((const uint16_t *)name), shown, sizeof shown);
    prfdata_findings_add(&check->thread.findings, PRFDATA_RULE_MODULE_STAYS, PRFDATA_NO_OFFSET,
                         "%s, which came with the library, is still loaded %u seconds after "
                         "FreeLibrary",
                         shown, MODULE_GOES_MS / 1000);
    prfdata_strict_flush(&check->thread);
}

static void run_loads(prfdata_check *check, const wchar_t *query)
{
    wchar_t path[PATH_CHARS];

    (void)query;
    prfdata_check_look(check);
    prfdata_check_close(check);
    prfdata_check_unload(check);
    measure_growth(check, load_and_unload, check->quick ? 8 : 40, "loading and unloading");
    if (check->is_hopeless || !find_library_path(check, path))
        return;
    if (!is_loaded_for_good(path))
        validate_helpers(check, path);
    else
        prfdata_check_find(&check->thread, PRFDATA_RULE_MODULE_STAYS,
                           "the library is still loaded %u seconds after FreeLibrary",
                           MODULE_GOES_MS / 1000);
}

static const prfdata_scenario growth_list[] = {
    {"collects", run_collects, NULL},
    {"short-threads", run_short_threads, NULL},
    {"opens", run_opens, NULL},
    {"loads", run_loads, NULL},
};

const prfdata_scenario_group prfdata_scenario_growth = {
    growth_list,
    sizeof growth_list / sizeof growth_list[0],
};
