/* SPDX-License-Identifier: MIT */
/* What all scenarios do: load, open, ask, and judge each reply. Knows no scenario. Knows Windows.
 */
#include "prfcheck/check.h"

#include <string.h>
#include <wchar.h>

#define FIRST_CAPACITY 65536u

/* After so long a scenario ends that only repeats itself: a slow provider shows no more by it. */
#define QUICK_MS   60000u
#define PATIENT_MS 300000u

/* ---- Asking ---- */

void prfdata_check_find(prfdata_strict_thread *thread, prfdata_rule rule, const char *text,
                        uint32_t number)
{
    prfdata_findings_add(&thread->findings, rule, PRFDATA_NO_OFFSET, text, (unsigned)number);
    prfdata_strict_flush(thread);
}

static bool is_metadata(const wchar_t *query)
{
    return query &&
           (_wcsnicmp(query, L"Metadata", 8) == 0 || _wcsnicmp(query, L"OLD_Metadata", 12) == 0);
}

/* The title indexes that the registry gives the service, for the judge. */
static prfdata_judge_titles make_judge_titles(const prfdata_registration *registration)
{
    const prfdata_judge_titles titles = {
        .first_counter = registration->titles.first_counter,
        .last_counter = registration->titles.last_counter,
        .first_help = registration->titles.first_help,
        .last_help = registration->titles.last_help,
    };

    return titles;
}

uint32_t prfdata_check_collect(prfdata_strict_thread *thread, prfdata_history *history,
                               const wchar_t *query, uint32_t capacity, prfdata_caller_place place,
                               uint32_t shift, prfdata_strict_result *result)
{
    const prfdata_judge_titles titles = make_judge_titles(thread->strict->caller.registration);
    const bool metadata = is_metadata(query);
    uint32_t status = prfdata_strict_collect(thread, query, capacity, place, shift, result);

    if (status != ERROR_SUCCESS)
        return status;
    (void)prfdata_judge_structure(&result->reply, &titles, metadata, &thread->findings);
    if (!metadata) {
        const prfdata_judge_reply *last = prfdata_history_find(history, query);

        if (last)
            (void)prfdata_judge_change(last, &result->reply, &thread->findings);
        if (result->reply.size > 0)
            prfdata_history_remember(history, query, &result->reply);
    }
    prfdata_strict_flush(thread);
    return ERROR_SUCCESS;
}

uint32_t prfdata_check_collect_whole(prfdata_strict_thread *thread, prfdata_history *history,
                                     const wchar_t *query, prfdata_strict_result *result)
{
    uint32_t capacity = FIRST_CAPACITY;
    uint32_t status;

    while ((status = prfdata_check_collect(thread, history, query, capacity, PRFDATA_PLACE_PATTERNS,
                                           0, result)) == ERROR_MORE_DATA) {
        if (capacity == PRFDATA_STRICT_MOST_BYTES) {
            prfdata_check_find(thread, PRFDATA_RULE_MORE_ALWAYS,
                               "ERROR_MORE_DATA even with %u bytes", capacity);
            break;
        }
        capacity *= 4;
        if (capacity > PRFDATA_STRICT_MOST_BYTES)
            capacity = PRFDATA_STRICT_MOST_BYTES;
    }
    return status;
}

uint32_t prfdata_check_ask(prfdata_check *check, const wchar_t *query,
                           prfdata_strict_result *result)
{
    return prfdata_check_collect_whole(&check->thread, &check->history, query, result);
}

void prfdata_check_ask_titles(prfdata_check *check, const wchar_t *query, prfdata_titles *set)
{
    prfdata_strict_result result;

    set->count = 0;
    if (prfdata_check_ask(check, query, &result) == ERROR_SUCCESS)
        prfdata_titles_read(&result.reply, set);
}

void prfdata_check_ask_global(prfdata_check *check)
{
    prfdata_strict_result result;

    check->global.count = 0;
    check->needed = 0;
    if (prfdata_check_ask(check, L"Global", &result) == ERROR_SUCCESS) {
        prfdata_titles_read(&result.reply, &check->global);
        check->needed = (uint32_t)result.reply.size;
    }
}

/* ---- Loaded and open ---- */

void prfdata_check_load(prfdata_check *check)
{
    const prfdata_registration *registration = check->strict.caller.registration;

    if (check->is_loaded)
        return;
    if (registration->is_relative)
        prfdata_check_find(&check->thread, PRFDATA_RULE_LIBRARY_PATH, "Library is not a full path",
                           0);
    if (registration->is_disabled)
        prfdata_check_find(&check->thread, PRFDATA_RULE_DISABLED,
                           "Disable Performance Counters is not 0", 0);
    check->is_loaded = prfdata_strict_load(&check->thread) == ERROR_SUCCESS;
    if (!check->is_loaded)
        check->is_hopeless = true;
}

void prfdata_check_unload(prfdata_check *check)
{
    if (check->is_loaded)
        prfdata_strict_unload(&check->thread);
    check->is_loaded = false;
}

void prfdata_check_open(prfdata_check *check)
{
    prfdata_check_load(check);
    if (!check->is_loaded || check->is_open)
        return;
    if (prfdata_strict_open(&check->thread) != ERROR_SUCCESS) {
        check->is_hopeless = true;
        return;
    }
    check->is_open = true;
    prfdata_history_forget(&check->history);
}

void prfdata_check_close(prfdata_check *check)
{
    if (check->is_open)
        (void)prfdata_strict_close(&check->thread);
    check->is_open = false;
    prfdata_history_forget(&check->history);
}

bool prfdata_check_make_ready(prfdata_check *check)
{
    const bool was_open = check->is_open;

    prfdata_check_open(check);
    if (check->is_open && !was_open)
        prfdata_check_ask_global(check);
    return check->is_open;
}

bool prfdata_check_has_time(const prfdata_check *check)
{
    return GetTickCount64() - check->begun_ms < (check->quick ? QUICK_MS : PATIENT_MS);
}
