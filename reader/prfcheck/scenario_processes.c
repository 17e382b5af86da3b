/* SPDX-License-Identifier: MIT */
/*
 * The scenario of two processes: PerfMon is open, and an agent asks. The second one must get what
 * the first one gets, and not wait for it. Knows Windows.
 */
#include "prfcheck/scenarios.h"

#include <stdio.h>
#include <string.h>

#include "prfcheck/second.h"
#include "prfcheck/self.h"

/* So long a second process may be in a phase before it counts as waiting, and what Open takes. */
#define PATIENCE_MS 1000u
/* It went on because the first one closed if it does so within this time. */
#define RELEASE_MS 1000u

/* What is wrong; it must be so twice, since a busy system delays a process, too. */
typedef enum second_mistake {
    SECOND_RIGHT,
    SECOND_WAITED,
    SECOND_OPEN_FAILED,
    SECOND_COLLECT_FAILED,
    SECOND_LACKS,
    FIRST_LACKS
} second_mistake;

typedef struct meeting {
    prfdata_check *check;
    prfdata_second *second; /* shared */
    HANDLE section;
    HANDLE process;
    uint32_t patience_ms;
    prfdata_second_phase waited_in;
    uint32_t waited_ms;
    second_mistake mistake;
    uint32_t number; /* a status or a title */
} meeting;

static bool has_ended(const meeting *m)
{
    return WaitForSingleObject(m->process, 0) != WAIT_TIMEOUT;
}

static void set_mistake(meeting *m, second_mistake mistake, uint32_t number)
{
    if (m->mistake != SECOND_RIGHT)
        return;
    m->mistake = mistake;
    m->number = number;
}

/* Close in the first process. If the second one goes on then, it waited for that. */
static void release_second(meeting *m, LONG phase, uint64_t since_ms)
{
    const uint64_t released_ms = GetTickCount64();

    prfdata_check_close(m->check);
    prfdata_check_unload(m->check);
    while (m->second->phase == phase && !has_ended(m))
        Sleep(1);
    m->waited_in = (prfdata_second_phase)phase;
    m->waited_ms = (uint32_t)(GetTickCount64() - since_ms);
    if (m->second->phase != phase && GetTickCount64() - released_ms < RELEASE_MS)
        set_mistake(m, SECOND_WAITED, m->waited_ms);
}

/* Wait until the second process has come to a phase. Returns false if it ended before. */
static bool wait_for_phase(meeting *m, prfdata_second_phase wanted)
{
    LONG phase = m->second->phase;
    uint64_t since_ms = GetTickCount64();

    while (m->second->phase < (LONG)wanted) {
        if (has_ended(m))
            return m->second->phase >= (LONG)wanted;
        if (m->second->phase != phase) {
            phase = m->second->phase;
            since_ms = GetTickCount64();
        }
        /* How long a process takes to start says nothing about the provider. */
        if (m->check->is_open && phase >= PRFDATA_SECOND_OPENS &&
            GetTickCount64() - since_ms > m->patience_ms)
            release_second(m, phase, since_ms);
        Sleep(1);
    }
    return true;
}

/* What one process has before and after the other one, and the other one lacks. */
static uint32_t find_lacking(const prfdata_reply_objects *before,
                             const prfdata_reply_objects *beside,
                             const prfdata_reply_objects *after)
{
    for (size_t i = 0; i < before->count; i++) {
        if (prfdata_reply_objects_has(after, before->items[i]) &&
            !prfdata_reply_objects_has(beside, before->items[i]))
            return before->items[i];
    }
    return 0;
}

/* Both are open: ask in the first one, let the second one close, ask again. */
static void compare_answers(meeting *m)
{
    static prfdata_reply_objects before; /* three sets are more than a stack should hold */
    static prfdata_reply_objects beside;
    prfdata_check *check = m->check;
    uint32_t title;

    before = check->global;
    if (check->is_open)
        prfdata_check_ask_global(check);
    beside = check->global;
    InterlockedExchange(&m->second->may_close, 1);
    if (!wait_for_phase(m, PRFDATA_SECOND_ENDS) || !check->is_open)
        return;
    prfdata_check_ask_global(check);
    title = find_lacking(&before, &m->second->objects, &check->global);
    if (title != 0)
        set_mistake(m, SECOND_LACKS, title);
    title = find_lacking(&before, &beside, &check->global);
    if (title != 0)
        set_mistake(m, FIRST_LACKS, title);
}

static void follow_second(meeting *m)
{
    if (!wait_for_phase(m, PRFDATA_SECOND_STAYS))
        return;
    if (m->second->open_status != ERROR_SUCCESS)
        set_mistake(m, SECOND_OPEN_FAILED, m->second->open_status);
    else if (m->second->collect_status != ERROR_SUCCESS)
        set_mistake(m, SECOND_COLLECT_FAILED, m->second->collect_status);
    compare_answers(m);
}

/* Memory that the second process inherits, and the process. Returns false if there is none. */
static bool start_second(meeting *m)
{
    SECURITY_ATTRIBUTES inherited = {sizeof inherited, NULL, TRUE};
    wchar_t more[64];
    DWORD error = 0;

    m->section = CreateFileMappingW(INVALID_HANDLE_VALUE, &inherited, PAGE_READWRITE, 0,
                                    sizeof *m->second, NULL);
    if (m->section)
        m->second = MapViewOfFile(m->section, FILE_MAP_WRITE, 0, 0, sizeof *m->second);
    if (m->second) {
        (void)swprintf(more, 64, L" -beside %u -from %u", (unsigned)(uintptr_t)m->section,
                       (unsigned)m->check->index);
        m->process = prfdata_self_start(more, &error);
    }
    if (!m->process)
        (void)snprintf(m->check->did, sizeof m->check->did, "no second process: error %u",
                       (unsigned)(error ? error : GetLastError()));
    return m->process != NULL;
}

static void end_meeting(meeting *m)
{
    if (m->process) {
        (void)WaitForSingleObject(m->process, INFINITE); /* it has a watchdog of its own */
        CloseHandle(m->process);
    }
    if (m->second)
        UnmapViewOfFile(m->second);
    if (m->section)
        CloseHandle(m->section);
}

/* Returns false if there was no second process. */
static bool meet(prfdata_check *check, meeting *m)
{
    const uint64_t begun_ms = GetTickCount64();
    bool is_started;

    memset(m, 0, sizeof *m);
    m->check = check;
    prfdata_check_close(check);
    if (!prfdata_check_make_ready(check))
        return false;
    m->patience_ms = PATIENCE_MS + 3 * (uint32_t)(GetTickCount64() - begun_ms);
    is_started = start_second(m);
    if (is_started) {
        follow_second(m);
        (void)snprintf(check->did, sizeof check->did,
                       "in a second process Open took %u ms, Collect %u ms, Close %u ms",
                       (unsigned)m->second->took_ms[PRFDATA_SECOND_OPENS],
                       (unsigned)m->second->took_ms[PRFDATA_SECOND_COLLECTS],
                       (unsigned)m->second->took_ms[PRFDATA_SECOND_CLOSES]);
    }
    end_meeting(m);
    return is_started;
}

static void report_mistake(const meeting *m)
{
    static const char *const names[PRFDATA_SECOND_PHASES] = {
        "starting", "loading", "Open", "Collect", "staying", "Close", "ending"};
    static const char *const texts[] = {
        [SECOND_OPEN_FAILED] = "Open returned %u in a second process",
        [SECOND_COLLECT_FAILED] = "Collect returned %u in a second process",
        [SECOND_LACKS] = "object %u was missing in a second process",
        [FIRST_LACKS] = "object %u was missing as long as a second process was open",
    };
    prfdata_strict_thread *thread = &m->check->thread;

    if (m->mistake != SECOND_WAITED) {
        prfdata_check_find(thread, PRFDATA_RULE_SECOND_PROCESS, texts[m->mistake], m->number);
        return;
    }
    prfdata_findings_add(&thread->findings, PRFDATA_RULE_SECOND_PROCESS, PRFDATA_NO_OFFSET,
                         "%s waited %u ms in a second process, until the first one had closed",
                         names[m->waited_in], (unsigned)m->number);
    prfdata_strict_flush(thread);
}

static void run_processes(prfdata_check *check, const wchar_t *query)
{
    meeting first;
    meeting again;

    (void)query;
    if (!meet(check, &first) || first.mistake == SECOND_RIGHT)
        return;
    if (meet(check, &again) && again.mistake == first.mistake)
        report_mistake(&again);
}

static const prfdata_scenario processes_list[] = {
    {"processes", run_processes, NULL},
};

const prfdata_scenario_group prfdata_scenario_processes = {
    processes_list,
    sizeof processes_list / sizeof processes_list[0],
};
