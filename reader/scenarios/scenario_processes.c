/* SPDX-License-Identifier: MIT */
/* Asks in a second process while the first one has the provider open, like an agent that runs
 * together with PerfMon. The second process must get what the first one gets, and must not wait for
 * it. */
#include "scenarios/scenarios.h"

#include <stdio.h>
#include <string.h>

#include "scenarios/second.h"
#include "scenarios/self.h"

/*
 * A second process seems to wait for the first one if it stays in a phase longer than this, plus
 * three times the time that the first one needed to become ready. The first process then closes the
 * provider.
 */
#define PATIENCE_MS 1000u
/* If the second process continues within this time after the first one has closed the provider, the
 * second one probably waited for the first one. is_quick_alone() confirms this. */
#define RELEASE_MS 3000u
/* The longest time that a process may take to end after its work is done. */
#define END_MS 10000u
/* A meeting is one run of a second process. A mistake counts only if it occurs in this many further
 * meetings. LACKING_MEETINGS is for SECOND_LACKS and the mistakes after it. */
#define MEETINGS         1
#define LACKING_MEETINGS 5

/* A mistake that a meeting shows. It counts only if it occurs again, because a busy system also
 * delays processes. */
typedef enum second_mistake {
    SECOND_RIGHT,
    SECOND_WAITED,
    SECOND_SILENT,
    SECOND_ENDED,
    SECOND_REMAINS,
    SECOND_LOAD_FAILED,
    SECOND_OPEN_FAILED,
    SECOND_COLLECT_FAILED,
    SECOND_UNUSABLE,
    SECOND_LACKS, /* for this and all following mistakes, meeting.number is the title of an
                     object */
    FIRST_LACKS,
    NAMES_DIFFER,
    NAMES_NUMBERED
} second_mistake;

typedef enum meeting_kind {
    MEETING_TOGETHER, /* the first process has the provider open */
    MEETING_ALONE,    /* the first process has closed the provider */
    MEETING_LEAVER,   /* the first process has the provider open, and the second one ends without
                         Close */
    MEETING_EXIT      /* like MEETING_LEAVER, but DllMain is called at the end */
} meeting_kind;

typedef struct meeting {
    meeting_kind kind;
    prfdata_check *check;
    prfdata_second *second; /* shared */
    HANDLE section;
    HANDLE process;
    uint64_t patience_ms;
    uint32_t opened_ms; /* time in which the first process closed, opened and collected */
    LONG phase;         /* phase of the second process */
    uint64_t since_ms;  /* when that phase began */
    /* When the first process closed the provider to let the second one continue; 0: not in this
     * phase. */
    uint64_t released_ms;
    LONG waited_in; /* the phase in which the second process waited for the first one */
    second_mistake mistake;
    uint32_t number; /* belongs to the mistake: a status, an exit code, a rule, a title or a time */
} meeting;

/* The first process got these objects before the second process of the present meeting started. The
 * set is not in `meeting`, because it is too large for a stack. */
static prfdata_reply_objects objects_before;

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

/* ---- What the second process does ---- */

/* Note the phase of the second process. If the phase changes within RELEASE_MS after the first
 * process has closed the provider, the second process seems to have waited for the first one. */
static void follow_phase(meeting *m)
{
    const LONG phase = m->second->phase;
    const uint64_t now_ms = GetTickCount64();

    if (phase == m->phase)
        return;
    if (m->released_ms != 0 && now_ms - m->released_ms < RELEASE_MS) {
        m->waited_in = m->phase;
        set_mistake(m, SECOND_WAITED, (uint32_t)(now_ms - m->since_ms));
    }
    m->phase = phase;
    m->since_ms = now_ms;
    m->released_ms = 0;
}

/* Returns whether the second process seems to wait for the first one. Two times do not count: the
 * time to start and to load the library, and the time until the second process notices that it may
 * close. */
static bool seems_to_wait(const meeting *m)
{
    return m->check->is_open && m->phase >= PRFDATA_SECOND_OPENS &&
           m->phase != PRFDATA_SECOND_STAYS && GetTickCount64() - m->since_ms > m->patience_ms;
}

static void release_second(meeting *m)
{
    prfdata_check_close(m->check);
    prfdata_check_unload(m->check);
    m->released_ms = GetTickCount64();
}

/* Returns whether the second process has been in its phase for too long. The watchdog in the second
 * process ends that process earlier, unless the provider has stopped the watchdog. */
static bool is_silent(const meeting *m)
{
    const prfdata_registration *registration = m->check->strict.caller.registration;

    return GetTickCount64() - m->since_ms > m->check->silence_ms +
                                                2ull * registration->open_limit_ms +
                                                2ull * registration->collect_limit_ms;
}

static void end_silent_second(meeting *m)
{
    set_mistake(m, SECOND_SILENT, (uint32_t)((GetTickCount64() - m->since_ms) / 1000));
    TerminateProcess(m->process, PRFDATA_SECOND_EXIT_CODE);
}

/* Report that the second process has ended too early. If the reason was a fault or a hang, that
 * process has reported it itself. */
static void validate_early_end(meeting *m)
{
    DWORD exit_code = PRFDATA_SECOND_EXIT_CODE;

    (void)GetExitCodeProcess(m->process, &exit_code);
    if (exit_code != PRFDATA_SECOND_EXIT_CODE)
        set_mistake(m, SECOND_ENDED, exit_code);
    else if (m->second->load_status != ERROR_SUCCESS)
        set_mistake(m, SECOND_LOAD_FAILED, m->second->load_status);
}

/* Wait until the second process has reached a phase. Returns false if it ends or hangs before. */
static bool wait_for_phase(meeting *m, prfdata_second_phase wanted)
{
    m->since_ms = GetTickCount64();
    for (;;) {
        const bool is_over = has_ended(m);

        follow_phase(m);
        if (m->phase >= (LONG)wanted)
            return true;
        if (is_over) {
            validate_early_end(m);
            return false;
        }
        if (seems_to_wait(m))
            release_second(m);
        if (is_silent(m)) {
            end_silent_second(m);
            return false;
        }
        prfdata_caller_progress(0);
        Sleep(1);
    }
}

/* ---- Both together ---- */

static void compare_names(meeting *m)
{
    prfdata_strict_result result;
    const prfdata_validate_name *names = m->second->names;
    const uint32_t count = m->second->name_count;
    uint32_t title;

    if (count > PRFDATA_SECOND_NAMES ||
        prfdata_check_ask(m->check, L"Global", &result) != ERROR_SUCCESS)
        return;
    title = prfdata_validate_names_numbered(&result.reply, GetCurrentProcessId(), names, count);
    if (title != 0)
        set_mistake(m, NAMES_NUMBERED, title);
    title = prfdata_validate_names_other(&result.reply, names, count);
    if (title != 0)
        set_mistake(m, NAMES_DIFFER, title);
}

/* Compare what the two processes get. Ask in the first process while both processes have the
 * provider open. Then let the second process close the provider, and ask again. */
static void compare_answers(meeting *m)
{
    static prfdata_reply_objects beside; /* too large for a stack */
    prfdata_check *check = m->check;
    uint32_t title;

    if (check->is_open)
        prfdata_check_ask_global(check);
    beside = check->global;
    InterlockedExchange(&m->second->may_close, 1);
    if (!wait_for_phase(m, PRFDATA_SECOND_ENDS) || !check->is_open)
        return;
    prfdata_check_ask_global(check);
    title = prfdata_reply_objects_first_lost(&objects_before, &m->second->objects, &check->global);
    if (title != 0)
        set_mistake(m, SECOND_LACKS, title);
    title = prfdata_reply_objects_first_lost(&objects_before, &beside, &check->global);
    if (title != 0)
        set_mistake(m, FIRST_LACKS, title);
    compare_names(m);
}

/* Let the second process end while it has the provider open. */
static void follow_exit(meeting *m)
{
    InterlockedExchange(&m->second->may_close, 1);
    prfdata_caller_progress(END_MS);
    if (WaitForSingleObject(m->process, END_MS) == WAIT_TIMEOUT)
        set_mistake(m, SECOND_REMAINS, END_MS / 1000);
    else
        validate_early_end(m);
}

static void follow_second(meeting *m)
{
    if (!wait_for_phase(m, PRFDATA_SECOND_STAYS))
        return;
    if (m->kind == MEETING_EXIT) {
        follow_exit(m);
        return;
    }
    if (m->second->open_status != ERROR_SUCCESS)
        set_mistake(m, SECOND_OPEN_FAILED, m->second->open_status);
    else if (m->second->collect_status != ERROR_SUCCESS)
        set_mistake(m, SECOND_COLLECT_FAILED, m->second->collect_status);
    else if (!m->second->has_reply && m->second->broken_rule != 0 && m->check->global.count > 0)
        set_mistake(m, SECOND_UNUSABLE, m->second->broken_rule - 1);
    compare_answers(m);
}

/* Make the memory that the second process inherits, and start the process. */
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
        m->second->expected = prfdata_reply_objects_extent(&m->check->global);
        m->second->leaving = m->kind == MEETING_LEAVER ? PRFDATA_SECOND_KILLED
                             : m->kind == MEETING_EXIT ? PRFDATA_SECOND_EXITING
                                                       : PRFDATA_SECOND_CLOSING;
        m->second->wait_ms = prfdata_check_patience_ms(m->check);
        /* The second process must not inherit handles of the provider, because both processes would
         * then hold a lock or a file. */
        HANDLE inherited_ones[] = {m->section, m->check->pipe};

        (void)swprintf(more, 64, L" -beside %u -from %u", (unsigned)(uintptr_t)m->section,
                       (unsigned)m->check->index);
        m->process = prfdata_self_start(more, inherited_ones, 2, &error);
    }
    if (!m->process)
        (void)snprintf(m->check->did, sizeof m->check->did, "no second process: error %u",
                       (unsigned)(error ? error : GetLastError()));
    return m->process != NULL;
}

/* Wait until the second process ends. If that takes too long, end the process, but do not wait any
 * longer, because a driver may hold a process forever. */
static void end_meeting(meeting *m)
{
    if (m->process) {
        prfdata_caller_progress(END_MS);
        if (WaitForSingleObject(m->process, END_MS) == WAIT_TIMEOUT)
            TerminateProcess(m->process, PRFDATA_SECOND_EXIT_CODE);
        CloseHandle(m->process);
    }
    if (m->section)
        CloseHandle(m->section);
}

static void say_times(const meeting *m)
{
    const uint32_t *took_ms = m->second->took_ms;

    (void)snprintf(m->check->did, sizeof m->check->did,
                   "Open and Collect took %u ms, in a second process %u ms and %u ms, its Close "
                   "%u ms",
                   (unsigned)m->opened_ms, (unsigned)took_ms[PRFDATA_SECOND_OPENS],
                   (unsigned)took_ms[PRFDATA_SECOND_COLLECTS],
                   (unsigned)took_ms[PRFDATA_SECOND_CLOSES]);
}

static bool meet(prfdata_check *check, meeting *m, meeting_kind kind)
{
    const uint64_t begun_ms = GetTickCount64();
    bool is_started;

    memset(m, 0, sizeof *m);
    m->check = check;
    prfdata_check_close(check);
    m->kind = kind;
    if (kind == MEETING_ALONE)
        prfdata_check_unload(check);
    else if (!prfdata_check_make_ready(check))
        return false;
    objects_before = check->global;
    m->opened_ms = (uint32_t)(GetTickCount64() - begun_ms);
    m->patience_ms = PATIENCE_MS + 3ull * m->opened_ms;
    is_started = start_second(m);
    if (is_started) {
        follow_second(m);
        if (m->second->slowest_us > check->slowest_us)
            check->slowest_us = m->second->slowest_us;
    }
    end_meeting(m);
    return is_started;
}

static void forget_meeting(meeting *m)
{
    if (m->second)
        UnmapViewOfFile(m->second);
    m->second = NULL;
}

/* ---- Confirming and reporting mistakes ---- */

static void report_mistake(const meeting *m)
{
    static const char *const names[PRFDATA_SECOND_PHASES] = {
        "starting", "loading", "Open", "Collect", "staying", "Close", "ending"};
    static const char *const texts[] = {
        [SECOND_SILENT] = "a second process did nothing for %u seconds and was ended",
        [SECOND_ENDED] = "a second process ended with exit code %u",
        [SECOND_LOAD_FAILED] = "the library could not be loaded in a second process: error %u",
        [SECOND_OPEN_FAILED] = "Open returned %u in a second process",
        [SECOND_COLLECT_FAILED] = "Collect returned %u in a second process",
        [SECOND_LACKS] = "the object, or its instances, was missing in a second process",
        [FIRST_LACKS] =
            "the object, or its instances, was missing as long as a second process was open",
        [NAMES_DIFFER] = "no instance has the same name in a second process",
        [NAMES_NUMBERED] = "the name of an instance contains the number of the reader's process",
    };
    prfdata_strict_thread *thread = &m->check->thread;

    if (m->mistake == SECOND_UNUSABLE) {
        prfdata_findings_add(&thread->findings, PRFDATA_RULE_SECOND_PROCESS, PRFDATA_NO_OFFSET,
                             "Collect's reply in a second process cannot be read: %s",
                             prfdata_rules_about((prfdata_rule)m->number)->name);
        prfdata_strict_flush(thread);
        return;
    }
    if (m->mistake >= SECOND_LACKS) {
        prfdata_check_find_object(thread, PRFDATA_RULE_SECOND_PROCESS, texts[m->mistake],
                                  m->number);
        return;
    }
    if (m->mistake != SECOND_WAITED) {
        prfdata_check_find(thread, PRFDATA_RULE_SECOND_PROCESS, texts[m->mistake], m->number);
        return;
    }
    prfdata_findings_add(&thread->findings, PRFDATA_RULE_SECOND_PROCESS, PRFDATA_NO_OFFSET,
                         "%s waited %u ms in a second process, until the first one had closed",
                         names[m->waited_in], (unsigned)m->number);
    prfdata_strict_flush(thread);
}

static bool is_same_mistake(const meeting *a, const meeting *b)
{
    const bool is_time = a->mistake == SECOND_WAITED || a->mistake == SECOND_SILENT;

    return a->mistake == b->mistake && (is_time || a->number == b->number);
}

/*
 * In the meeting `waited`, a second process seemed to wait in a phase. Start a second process that
 * works alone. Returns whether it needs less than half as long for that phase. If it does, the
 * earlier process did wait.
 */
static bool is_quick_alone(const meeting *waited)
{
    meeting alone;
    bool is_quick = false;

    if (meet(waited->check, &alone, MEETING_ALONE))
        is_quick = alone.mistake == SECOND_RIGHT &&
                   alone.second->took_ms[waited->waited_in] < waited->number / 2;
    forget_meeting(&alone);
    return is_quick;
}

/*
 * Returns whether the same mistake occurs in each of the further meetings. `m` becomes the last of
 * them. A mistake about an object needs more meetings, because objects and instances may come and
 * go.
 */
static bool is_lasting(meeting *m)
{
    const bool may_be_chance = m->mistake >= SECOND_LACKS;

    for (int i = 0; i < (may_be_chance ? LACKING_MEETINGS : MEETINGS); i++) {
        const meeting last = *m;

        forget_meeting(m);
        if (!meet(last.check, m, last.kind) || !is_same_mistake(&last, m))
            return false;
    }
    return true;
}

#define LOOKS_AFTER 5 /* searches for missing objects after a second process has left */
#define LOOK_MS     100u

/* Check that nothing is missing after a second process has ended without Close, like a process that
 * crashes or is killed. */
static void validate_leaver(prfdata_check *check)
{
    uint32_t missing = 0;
    meeting m;

    if (meet(check, &m, MEETING_LEAVER)) {
        /* The provider is no longer open if the second process seemed to wait for this one. */
        for (int i = 0; i < LOOKS_AFTER && check->is_open; i++) {
            if (i > 0)
                Sleep(LOOK_MS);
            prfdata_check_ask_global(check);
            missing = prfdata_reply_objects_first_missing(&objects_before, &check->global);
            if (missing == 0)
                break;
        }
    }
    forget_meeting(&m);
    if (missing != 0)
        prfdata_check_find_object(
            &check->thread, PRFDATA_RULE_SECOND_PROCESS,
            "the object is missing since a second process ended without Close", missing);
}

/* Check that a second process can end while it has the provider open. The system ends all other
 * threads of the process before it calls DllMain. run_processes() reports all other mistakes. */
static void validate_exit(prfdata_check *check)
{
    meeting m;

    if (meet(check, &m, MEETING_EXIT) &&
        (m.mistake == SECOND_ENDED || m.mistake == SECOND_REMAINS) && is_lasting(&m))
        prfdata_check_find(&check->thread, PRFDATA_RULE_READER_EXIT,
                           m.mistake == SECOND_REMAINS
                               ? "a second process that ended itself was still there after %u "
                                 "seconds"
                               : "a second process that ended itself has the exit code %u",
                           m.number);
    forget_meeting(&m);
}

static void run_processes(prfdata_check *check, const wchar_t *query)
{
    bool is_right = false;
    meeting m;

    (void)query;
    if (meet(check, &m, MEETING_TOGETHER)) {
        is_right = m.mistake == SECOND_RIGHT;
        say_times(&m);
        if (m.mistake != SECOND_RIGHT && is_lasting(&m) &&
            (m.mistake != SECOND_WAITED || is_quick_alone(&m)))
            report_mistake(&m);
    }
    forget_meeting(&m);
    if (!is_right)
        return;
    validate_leaver(check);
    validate_exit(check);
}

static const prfdata_scenario processes_list[] = {
    {"processes", run_processes, NULL},
};

const prfdata_scenario_group prfdata_scenario_processes = {
    processes_list,
    sizeof processes_list / sizeof processes_list[0],
};
