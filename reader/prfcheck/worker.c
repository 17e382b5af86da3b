/* SPDX-License-Identifier: MIT */
/* Runs scenarios in a separate process of prfcheck, or works as the second process of a scenario
 * (scenarios/second.h). Sends the findings through a pipe to follow.c. Ends the process if a call
 * faults or does not return, or if no thread makes progress. */
#include "prfcheck/worker.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#include "prfcheck/mistakes.h"
#include "scenarios/scenarios.h"
#include "scenarios/second.h"
#include "source/watched.h"

#define MOST_WAIT_SECONDS 86400u /* the longest time to wait for objects */

/* The processor time that scenarios may use for large replies (allowance.h). Scenarios also wait,
 * so the whole check of a provider with large replies takes about 5 seconds with -quick, and about
 * 60 seconds without it. */
#define QUICK_LARGE_MS   2500u
#define PATIENT_LARGE_MS 42000u

/*
 * The state of the worker. A process has only one, because the handler of faults has no context
 * argument.
 */
static struct {
    HANDLE pipe;
    SRWLOCK lock; /* protects the pipe */
    volatile LONG scenario;
    bool is_second; /* this is the second process of the scenario */
    SRWLOCK mistakes_lock;
    /* Mistakes that were sent. `times` of each one counts its findings that were not sent yet. */
    prfdata_mistakes mistakes;
    wchar_t save_folder[MAX_PATH]; /* -save; "": none */
    volatile LONG saved;
    prfdata_check check;
} state;

/* ---- Messages ---- */

static void send_worker_message(const prfdata_worker_message *message)
{
    DWORD written;

    AcquireSRWLockExclusive(&state.lock);
    if (!WriteFile(state.pipe, message, sizeof *message, &written, NULL))
        /* Nobody reads the pipe any longer. */
        TerminateProcess(GetCurrentProcess(), PRFDATA_SECOND_EXIT_CODE);
    ReleaseSRWLockExclusive(&state.lock);
}

static prfdata_worker_message make_worker_message(prfdata_worker_kind kind)
{
    prfdata_worker_message message;

    memset(&message, 0, sizeof message);
    message.kind = kind;
    message.scenario = (uint32_t)state.scenario;
    message.is_second = state.is_second;
    message.count = 1;
    message.slowest_us = state.check.thread.thread.slowest_us;
    if (state.check.slowest_us > message.slowest_us)
        message.slowest_us = state.check.slowest_us;
    return message;
}

/* Return the longest time of the thread's Collects, including one that still runs. */
static uint32_t slowest_of_thread(const prfdata_strict_thread *thread)
{
    const uint32_t lasted_ms = (uint32_t)GetTickCount() - (uint32_t)thread->thread.since_ms;
    const uint32_t lasted_us = lasted_ms < UINT32_MAX / 1000 ? 1000 * lasted_ms : UINT32_MAX;

    return thread->thread.phase == PRFDATA_CALLER_COLLECT && lasted_us > thread->thread.slowest_us
               ? lasted_us
               : thread->thread.slowest_us;
}

static void put_message_query(prfdata_worker_message *message, const prfdata_strict_thread *thread)
{
    const wchar_t *query = thread->thread.query;
    const size_t most = 40;
    size_t used = 0;

    message->capacity = thread->thread.capacity;
    if (!query) {
        (void)snprintf(message->query, sizeof message->query, "NULL");
        return;
    }
    message->query[used++] = '"';
    for (size_t i = 0; i < most && query[i]; i++)
        message->query[used++] = query[i] < 0x20 || query[i] > 0x7E ? '?' : (char)query[i];
    (void)snprintf(message->query + used, sizeof message->query - used, "%s\"",
                   wcslen(query) > most ? "..." : "");
}

static void send_finding(prfdata_worker_kind kind, const prfdata_strict_thread *thread,
                         const prfdata_findings_item *finding, uint64_t count)
{
    prfdata_worker_message message = make_worker_message(kind);

    message.rule = finding->rule;
    message.offset = finding->offset;
    message.count = count;
    message.spot = finding->spot;
    memcpy(message.text, finding->text, sizeof message.text);
    if (thread && slowest_of_thread(thread) > message.slowest_us)
        message.slowest_us = slowest_of_thread(thread);
    if (thread && (thread->thread.calls > 0 || thread->thread.phase == PRFDATA_CALLER_COLLECT))
        put_message_query(&message, thread);
    send_worker_message(&message);
}

/* ---- Saved replies ---- */

/* Save the thread's last reply as FOLDER\<rule>-<number>.reply. */
static void save_reply(const prfdata_strict_thread *thread, prfdata_rule rule, size_t number)
{
    wchar_t path[MAX_PATH + 64];
    DWORD written;
    HANDLE file;

    if (!state.save_folder[0] || !thread || thread->reply_bytes == 0)
        return;
    (void)swprintf(path, sizeof path / sizeof path[0], L"%ls\\%hs-%u.reply", state.save_folder,
                   prfdata_rules_about(rule)->name, (unsigned)number);
    file = CreateFileW(path, GENERIC_WRITE, 0, NULL, CREATE_ALWAYS, FILE_ATTRIBUTE_NORMAL, NULL);
    if (file == INVALID_HANDLE_VALUE)
        return;
    (void)WriteFile(file, thread->thread.entry, thread->reply_bytes, &written, NULL);
    CloseHandle(file);
}

/* Keep the full path of the folder, because the provider may change the current folder. */
static void begin_saving(prfdata_text folder)
{
    wchar_t given[MAX_PATH];

    if (folder.count == 0 || folder.count >= MAX_PATH)
        return;
    (void)swprintf(given, MAX_PATH, L"%.*ls", (int)folder.count, (const wchar_t *)folder.chars);
    if (GetFullPathNameW(given, MAX_PATH, state.save_folder, NULL) >= MAX_PATH)
        state.save_folder[0] = 0;
}

/*
 * Send the first finding of each mistake. Only count its further findings, because they would fill
 * the pipe.
 */
static void take_finding_of_call(void *context, const prfdata_strict_thread *thread,
                                 const prfdata_findings_item *finding, uint64_t count)
{
    bool is_new;

    (void)context;
    AcquireSRWLockExclusive(&state.mistakes_lock);
    is_new = prfdata_mistakes_add(&state.mistakes, finding, count) != NULL;
    if (is_new)
        state.mistakes.items[state.mistakes.count - 1].times = 0;
    ReleaseSRWLockExclusive(&state.mistakes_lock);
    if (!is_new)
        return;
    send_finding(PRFDATA_WORKER_FINDING, thread, finding, count);
    if (finding->offset != PRFDATA_NO_OFFSET)
        save_reply(thread, finding->rule, (size_t)InterlockedIncrement(&state.saved));
}

/* Send for each mistake how many of its findings were counted but not sent. */
static void send_sums(void)
{
    AcquireSRWLockExclusive(&state.mistakes_lock);
    for (size_t i = 0; i < state.mistakes.count; i++) {
        prfdata_mistake *mistake = &state.mistakes.items[i];
        prfdata_worker_message message = make_worker_message(PRFDATA_WORKER_MORE);

        message.mistake = mistake->id;
        message.count = mistake->times;
        mistake->times = 0;
        if (message.count > 0)
            send_worker_message(&message);
    }
    ReleaseSRWLockExclusive(&state.mistakes_lock);
}

static void end_worker(void)
{
    TerminateProcess(GetCurrentProcess(),
                     PRFDATA_SECOND_EXIT_CODE); /* without calling the provider's DllMain */
}

/* Send a finding about the fault, and end the process. The system calls this handler only for
 * faults that the provider does not handle itself. */
static LONG WINAPI handle_worker_fault(EXCEPTION_POINTERS *fault)
{
    prfdata_findings_item finding;
    const prfdata_strict_thread *thread;

    memset(&finding, 0, sizeof finding);
    thread = prfdata_strict_explain(fault->ExceptionRecord, &finding);
    send_finding(PRFDATA_WORKER_FATAL, thread, &finding, 1);
    end_worker();
    return EXCEPTION_EXECUTE_HANDLER;
}

/* ---- The watchdog ---- */

/*
 * If the watchdog's Sleep() lasts longer than this, the computer slept or is busy. All threads were
 * then delayed, so the delay counts as progress.
 */
#define DELAYED_MS 1000u

/* If the lock of the heap or of the loader is not free after this time, the provider has left it
 * locked. The time is long enough for a busy computer. */
#define PROBE_MS 2000u
#define LOOK_MS  50u

/* The progress of probe_locks(), which stops at a lock that a provider has left locked. */
typedef enum probe_step { PROBE_BEGUN, PROBE_HAS_HEAP, PROBE_HAS_LOADER } probe_step;

static struct {
    HANDLE begins;
    volatile LONG step;
} probe;

/* Takes the locks that a provider can leave locked. */
static DWORD WINAPI probe_locks(void *unused)
{
    void *memory;
    HMODULE module;

    (void)unused;
    WaitForSingleObject(probe.begins, INFINITE);
    memory = HeapAlloc(GetProcessHeap(), 0, 64);
    if (memory)
        HeapFree(GetProcessHeap(), 0, memory);
    InterlockedExchange(&probe.step, PROBE_HAS_HEAP);
    module = LoadLibraryW(L"kernel32.dll");
    if (module)
        FreeLibrary(module);
    InterlockedExchange(&probe.step, PROBE_HAS_LOADER);
    return 0;
}

static void send_alive(void)
{
    prfdata_worker_message alive = make_worker_message(PRFDATA_WORKER_ALIVE);

    send_worker_message(&alive);
}

/* Let the probe try to take the locks, for at most PROBE_MS. probe.step then says which locks it
 * got. */
static void run_probe(void)
{
    SetEvent(probe.begins);
    for (uint32_t waited_ms = 0; waited_ms < PROBE_MS && probe.step != PROBE_HAS_LOADER;
         waited_ms += LOOK_MS) {
        send_alive();
        Sleep(LOOK_MS);
    }
}

static void explain_stuck(uint64_t stuck_ms, prfdata_findings_item *finding)
{
    static const char *const reasons[] = {
        [PROBE_BEGUN] = "the process heap stays locked",
        [PROBE_HAS_HEAP] = "the loader's lock is still held (by DllMain, for example)",
        [PROBE_HAS_LOADER] = "a thread is suspended, does not end or was ended",
    };

    run_probe();
    finding->rule = PRFDATA_RULE_PROCESS_SILENT;
    finding->offset = PRFDATA_NO_OFFSET;
    (void)snprintf(finding->text, sizeof finding->text,
                   "after a call of the provider %s, so no scenario has continued for %u seconds",
                   reasons[probe.step], (unsigned)(stuck_ms / 1000));
}

/* Returns whether the process must end, because a call hangs, or because nothing happens between
 * calls. */
static bool must_end(prfdata_findings_item *finding, const prfdata_strict_thread **thread)
{
    uint64_t stuck_ms;

    memset(finding, 0, sizeof *finding);
    *thread = prfdata_strict_overdue(finding);
    if (*thread)
        return true;
    stuck_ms = prfdata_caller_stuck_ms();
    if (stuck_ms < state.check.silence_ms)
        return false;
    explain_stuck(stuck_ms, finding);
    return true;
}

static DWORD WINAPI watch_calls(void *awake)
{
    prfdata_findings_item finding;

    /* Let the C library allocate its thread data now, because the heap may be locked later. */
    (void)snprintf(finding.text, sizeof finding.text, "%u %s", 0u, "");
    SetEvent(awake);
    for (uint32_t i = 0; state.pipe; i++) {
        const prfdata_strict_thread *thread;
        const ULONGLONG looked_ms = GetTickCount64();

        Sleep(LOOK_MS);
        if (GetTickCount64() - looked_ms > DELAYED_MS)
            prfdata_caller_progress(0);
        if (must_end(&finding, &thread)) {
            send_finding(PRFDATA_WORKER_FATAL, thread, &finding, 1);
            end_worker();
        }
        if (i % 20 == 0)
            send_alive();
    }
    return 0;
}

/* ---- The scenarios ---- */

bool prfdata_worker_wants(const prfdata_check_options *options, uint32_t scenario)
{
    if (options->again.count > 0)
        return scenario < options->again.count && options->again.chars[scenario] == '1';
    return options->only.count == 0 ||
           prfdata_text_equal_ascii(options->only, prfdata_scenarios_name(scenario));
}

static void run_scenario(uint32_t index)
{
    const uint64_t before = state.check.thread.thread.calls + state.check.calls;
    prfdata_worker_message message;
    bool is_done;

    InterlockedExchange(&state.scenario, (LONG)index);
    prfdata_caller_progress(0);
    message = make_worker_message(PRFDATA_WORKER_BEGIN);
    send_worker_message(&message);
    is_done = prfdata_scenarios_run(index, &state.check);
    send_sums();
    message = make_worker_message(PRFDATA_WORKER_END);
    message.part = !is_done                ? PRFDATA_COVERAGE_LEFT_OUT
                   : state.check.does_less ? PRFDATA_COVERAGE_LESS
                                           : PRFDATA_COVERAGE_WHOLE;
    message.calls = state.check.thread.thread.calls + state.check.calls - before;
    message.saw = state.check.saw;
    message.seen = prfdata_reply_objects_extent(&state.check.seen);
    message.late_ms = state.check.late_ms;
    memcpy(message.text, state.check.did, sizeof state.check.did);
    send_worker_message(&message);
}

static void run_all_scenarios(const prfdata_check_options *options)
{
    prfdata_worker_message message;

    for (uint32_t i = options->from; i < prfdata_scenarios_count(); i++) {
        if (prfdata_worker_wants(options, i))
            state.check.allowance.shares_left += prfdata_scenarios_shares(i);
    }
    for (uint32_t i = options->from; i < prfdata_scenarios_count(); i++) {
        if (!state.check.is_hopeless && prfdata_worker_wants(options, i))
            run_scenario(i);
    }
    if (!state.check.is_hopeless)
        prfdata_scenarios_finish(&state.check);
    send_sums();
    message = make_worker_message(state.check.is_hopeless ? PRFDATA_WORKER_HOPELESS
                                                          : PRFDATA_WORKER_DONE);
    send_worker_message(&message);
}

static bool start_thread(LPTHREAD_START_ROUTINE routine, void *argument)
{
    HANDLE thread = CreateThread(NULL, 0, routine, argument, 0, NULL);

    if (thread)
        CloseHandle(thread);
    return thread != NULL;
}

/*
 * Start the watchdog. Call this before the provider's library is loaded, because no thread can
 * start while a library loads.
 */
static bool start_watchdog(void)
{
    HANDLE awake = CreateEventW(NULL, TRUE, FALSE, NULL);
    bool is_started;

    probe.begins = CreateEventW(NULL, TRUE, FALSE, NULL);
    is_started = awake && probe.begins && start_thread(probe_locks, NULL) &&
                 start_thread(watch_calls, awake);
    if (is_started)
        WaitForSingleObject(awake, INFINITE);
    if (awake)
        CloseHandle(awake);
    return is_started;
}

int prfdata_worker_run(const prfdata_check_options *options,
                       const prfdata_registration *registration)
{
    prfdata_check *check = &state.check;

    state.pipe = (HANDLE)(uintptr_t)options->pipe;
    state.is_second = options->is_beside;
    begin_saving(options->save);
    check->strict.caller.registration = registration;
    check->strict.sink = take_finding_of_call;
    check->strict.caller.filter = handle_worker_fault;
    check->history.gone = &check->gone;
    check->quick = options->quick;
    check->allowance.total_ms = options->quick ? QUICK_LARGE_MS : PATIENT_LARGE_MS;
    check->seconds = options->seconds != 0 ? options->seconds : 2;
    check->pipe = state.pipe;
    check->silence_ms = options->silence * 1000ull;
    check->wait_ms =
        options->wait < MOST_WAIT_SECONDS ? options->wait * 1000 : MOST_WAIT_SECONDS * 1000;
    check->expected = options->expect != 0 ? options->expect : 1;
    prfdata_watched_begin_output();
    SetErrorMode(SEM_FAILCRITICALERRORS | SEM_NOGPFAULTERRORBOX | SEM_NOOPENFILEERRORBOX);
    SetUnhandledExceptionFilter(handle_worker_fault);
    prfdata_caller_progress(0);
    if (prfdata_caller_init() != ERROR_SUCCESS ||
        prfdata_strict_join(&check->strict, &check->thread) != ERROR_SUCCESS || !start_watchdog())
        return 1;
    check->thread.thread.looks_often = true;
    InterlockedExchange(&state.scenario, (LONG)options->from);
    if (options->is_beside)
        prfdata_second_run(check, (HANDLE)(uintptr_t)options->beside);
    else
        run_all_scenarios(options);
    end_worker(); /* the report is complete, and the library could prevent a normal exit */
    return 0;
}
