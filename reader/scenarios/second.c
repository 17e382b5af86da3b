/* SPDX-License-Identifier: MIT */
/*
 * Loads, opens, asks, closes, and says when (second.h). What that means is judged by the first
 * process, in scenario_processes.c.
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

/* Who waits for it ends it, if it has to. */
static void wait_until_it_may_close(const prfdata_second *second)
{
    while (!InterlockedCompareExchange((volatile LONG *)&second->may_close, 0, 0))
        Sleep(1);
}

void prfdata_second_run(prfdata_check *check, HANDLE section)
{
    prfdata_second *second = MapViewOfFile(section, FILE_MAP_WRITE, 0, 0, sizeof *second);
    prfdata_strict_result result;

    if (!second)
        return;
    enter_phase(second, PRFDATA_SECOND_LOADS);
    second->load_status = prfdata_strict_load(&check->thread);
    if (second->load_status != ERROR_SUCCESS)
        return;
    enter_phase(second, PRFDATA_SECOND_OPENS);
    second->open_status = prfdata_strict_open(&check->thread);
    if (second->open_status == ERROR_SUCCESS) {
        enter_phase(second, PRFDATA_SECOND_COLLECTS);
        second->collect_status = prfdata_check_ask(check, L"Global", &result);
        second->slowest_us = check->thread.thread.slowest_us;
        if (second->collect_status == ERROR_SUCCESS)
            prfdata_reply_objects_read(&result.reply, &second->objects);
    }
    enter_phase(second, PRFDATA_SECOND_STAYS);
    wait_until_it_may_close(second);
    enter_phase(second, PRFDATA_SECOND_CLOSES);
    if (second->open_status == ERROR_SUCCESS)
        (void)prfdata_strict_close(&check->thread);
    prfdata_strict_unload(&check->thread);
    enter_phase(second, PRFDATA_SECOND_ENDS);
}
