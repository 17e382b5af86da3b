/* SPDX-License-Identifier: MIT */
/*
 * Runs the second process: loads, opens, asks, closes, and tells the first process each step
 * (second.h). The first process judges the times, in scenario_processes.c.
 */
#include "scenarios/second.h"

static void enter_phase(prfdata_second *second, prfdata_second_phase phase)
{
    static ULONGLONG since_ms;
    const ULONGLONG now_ms = GetTickCount64();

    second->took_ms[second->phase] = (uint32_t)(now_ms - since_ms);
    since_ms = now_ms;
    InterlockedExchange(&second->phase, (LONG)phase);
}

/* Waits without a limit, because the first process ends this one if necessary. */
static void wait_until_it_may_close(const prfdata_second *second)
{
    while (!InterlockedCompareExchange((volatile LONG *)&second->may_close, 0, 0)) {
        prfdata_caller_progress(0);
        Sleep(1);
    }
}

/* Remember only the first rule that a call breaks, because the first process checks all rules
 * itself. If there is no reply here, the first process reports this rule as the reason. */
static void note_broken_rule(void *context, const prfdata_strict_thread *thread,
                             const prfdata_findings_item *finding, uint64_t count)
{
    prfdata_second *second = context;

    (void)thread;
    (void)count;
    if (second->broken_rule == 0)
        second->broken_rule = (uint32_t)finding->rule + 1;
}

/* Ask until the reply has as much as the first process expects, until a Collect fails, or until
 * second->wait_ms have passed. */
static void collect_beside(prfdata_check *check, prfdata_second *second)
{
    const uint64_t begun_ms = GetTickCount64();
    prfdata_strict_result result;

    for (;;) {
        second->has_reply = prfdata_check_ask(check, L"Global", &result) == ERROR_SUCCESS;
        second->collect_status = result.status;
        if (!second->has_reply)
            return;
        prfdata_reply_objects_read(&result.reply, &second->objects);
        second->name_count = (uint32_t)prfdata_validate_names(&result.reply, GetCurrentProcessId(),
                                                              second->names, PRFDATA_SECOND_NAMES);
        if (prfdata_reply_objects_extent(&second->objects) >= second->expected ||
            GetTickCount64() - begun_ms >= second->wait_ms)
            return;
        Sleep(20);
    }
}

void prfdata_second_run(prfdata_check *check, HANDLE section)
{
    prfdata_second *second = MapViewOfFile(section, FILE_MAP_WRITE, 0, 0, sizeof *second);

    if (!second)
        return;
    check->strict.sink = note_broken_rule;
    check->strict.context = second;
    enter_phase(second, PRFDATA_SECOND_LOADS);
    second->load_status = prfdata_strict_load(&check->thread);
    if (second->load_status != ERROR_SUCCESS)
        return;
    enter_phase(second, PRFDATA_SECOND_OPENS);
    second->open_status = prfdata_strict_open(&check->thread);
    if (second->open_status == ERROR_SUCCESS) {
        enter_phase(second, PRFDATA_SECOND_COLLECTS);
        collect_beside(check, second);
        second->slowest_us = check->thread.thread.slowest_us;
    }
    enter_phase(second, PRFDATA_SECOND_STAYS);
    wait_until_it_may_close(second);
    if (second->leaving == PRFDATA_SECOND_KILLED)
        TerminateProcess(GetCurrentProcess(), PRFDATA_SECOND_EXIT_CODE);
    if (second->leaving == PRFDATA_SECOND_EXITING)
        ExitProcess(PRFDATA_SECOND_EXIT_CODE);
    enter_phase(second, PRFDATA_SECOND_CLOSES);
    if (second->open_status == ERROR_SUCCESS)
        (void)prfdata_strict_close(&check->thread);
    prfdata_strict_unload(&check->thread);
    enter_phase(second, PRFDATA_SECOND_ENDS);
}
