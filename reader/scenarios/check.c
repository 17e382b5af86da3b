/* SPDX-License-Identifier: MIT */
/* Takes the steps that all scenarios need: load, open, ask, check, close, unload (check.h). */
#include "scenarios/check.h"

#include <stdio.h>
#include <string.h>
#include <wchar.h>

#include "scenarios/modules.h"

#define FIRST_CAPACITY 65536u
#define OTHERS_MS      20u   /* time for other threads to record that an instance was missing */
#define LATE_MS        1000u /* prfdata_check_patience_ms() adds this to twice check->late_ms */
#define LOOK_MS        50u   /* pause between two checks whether objects have come */

/* Times after which a scenario no longer repeats itself, with and without -quick. */
#define QUICK_MS   10000u
#define PATIENT_MS 60000u

/* Replies with more bytes than this are large. If replies are large, the scenarios share a limited
 * processor time (allowance.h). */
#define LARGE_BYTES 65536u

/* If no buffer was large enough for a query, larger buffers than this are not tried for later
 * queries, because that would take minutes. */
#define DOUBTED_CAPACITY (1024u * 1024)

/* ---- Asking ---- */

void prfdata_check_find(prfdata_strict_thread *thread, prfdata_rule rule, const char *text,
                        uint32_t number)
{
    prfdata_findings_add(&thread->findings, rule, PRFDATA_NO_OFFSET, text, (unsigned)number);
    prfdata_strict_flush(thread);
}

void prfdata_check_find_object(prfdata_strict_thread *thread, prfdata_rule rule, const char *text,
                               uint32_t title)
{
    prfdata_findings_add_about(&thread->findings, rule, title, 0, "%s", text);
    prfdata_strict_flush(thread);
}

static bool is_metadata(const wchar_t *query)
{
    return query &&
           (_wcsnicmp(query, L"Metadata", 8) == 0 || _wcsnicmp(query, L"OLD_Metadata", 12) == 0);
}

bool prfdata_check_may_ask(prfdata_check *check, const wchar_t *query)
{
    if (!is_metadata(query) || check->strict.caller.registration->gets_metadata)
        return true;
    (void)snprintf(check->did, sizeof check->did, "not asked: no Collect Supports Metadata");
    return false;
}

static prfdata_validate_titles make_validate_titles(const prfdata_registration *registration)
{
    const prfdata_validate_titles titles = {
        .first_counter = registration->titles.first_counter,
        .last_counter = registration->titles.last_counter,
        .first_help = registration->titles.first_help,
        .last_help = registration->titles.last_help,
    };

    return titles;
}

/* Check a reply. `last` is the previous reply; NULL: there is none. */
static void validate_reply(prfdata_strict_thread *thread, const prfdata_history *history,
                           const wchar_t *query, const prfdata_validate_reply *last,
                           const prfdata_validate_reply *reply)
{
    const prfdata_validate_titles titles =
        make_validate_titles(thread->strict->caller.registration);
    const prfdata_validate_known known = prfdata_history_known(history, query);

    (void)prfdata_validate_structure(reply, &titles, is_metadata(query), &thread->findings);
    if (last)
        (void)prfdata_validate_change(last, reply, &known, &thread->findings);
    prfdata_findings_place(&thread->findings, reply);
}

uint32_t prfdata_check_collect(prfdata_strict_thread *thread, prfdata_history *history,
                               const wchar_t *query, uint32_t capacity, prfdata_caller_place place,
                               uint32_t shift, prfdata_strict_result *result)
{
    const bool metadata = is_metadata(query);
    const uint64_t since = prfdata_validate_gone_moment(history->gone);
    const prfdata_validate_reply *last;
    uint32_t status = prfdata_strict_collect(thread, query, capacity, place, shift, result);

    if (status != ERROR_SUCCESS)
        return status;
    last = metadata ? NULL : prfdata_history_find(history, query);
    validate_reply(thread, history, query, last, &result->reply);
    if (thread->findings.totals[PRFDATA_RULE_VALUE_BACKWARDS] > 0 && history->is_beside_others) {
        /* A value may fall if its instance was missing in between. Another thread may have found
         * the instance missing, but not recorded this yet. */
        Sleep(OTHERS_MS);
        prfdata_findings_init(&thread->findings);
        validate_reply(thread, history, query, last, &result->reply);
    }
    result->is_size_wrong =
        result->is_size_wrong || thread->findings.totals[PRFDATA_RULE_OBJECT_LENGTH] > 0;
    if (last && history->run)
        (void)prfdata_validate_run_add(history->run, last, &result->reply);
    if (!metadata && result->reply.size > 0)
        prfdata_history_remember(history, query, &result->reply, since);
    prfdata_strict_flush(thread);
    return ERROR_SUCCESS;
}

uint32_t prfdata_check_collect_whole(prfdata_strict_thread *thread, prfdata_history *history,
                                     const wchar_t *query, prfdata_strict_result *result)
{
    const uint32_t most =
        thread->strict->wants_more_always ? DOUBTED_CAPACITY : PRFDATA_STRICT_MOST_BYTES;
    const uint32_t ample = (uint32_t)thread->strict->ample;
    uint32_t capacity = ample > FIRST_CAPACITY ? ample : FIRST_CAPACITY;
    uint32_t status;

    while ((status = prfdata_check_collect(thread, history, query, capacity, PRFDATA_PLACE_PATTERNS,
                                           0, result)) == ERROR_MORE_DATA) {
        if (capacity == most) {
            InterlockedExchange(&thread->strict->wants_more_always, 1);
            prfdata_check_find(thread, PRFDATA_RULE_MORE_ALWAYS,
                               "Collect returned ERROR_MORE_DATA even in %u bytes", capacity);
            break;
        }
        capacity *= 4;
        if (capacity > most)
            capacity = most;
    }
    if (status == ERROR_SUCCESS && capacity > ample)
        InterlockedExchange(&thread->strict->ample, (LONG)capacity);
    return status;
}

uint32_t prfdata_check_ask(prfdata_check *check, const wchar_t *query,
                           prfdata_strict_result *result)
{
    return prfdata_check_collect_whole(&check->thread, &check->history, query, result);
}

void prfdata_check_ask_titles(prfdata_check *check, const wchar_t *query,
                              prfdata_reply_objects *set)
{
    prfdata_strict_result result;

    set->count = 0;
    if (prfdata_check_ask(check, query, &result) == ERROR_SUCCESS)
        prfdata_reply_objects_read(&result.reply, set);
}

/* Note everything that has come, because it is expected from now on. */
static void note_seen(prfdata_check *check)
{
    const uint32_t before = prfdata_reply_objects_extent(&check->seen);
    uint32_t extent;

    prfdata_reply_objects_add(&check->seen, &check->global);
    extent = prfdata_reply_objects_extent(&check->seen);
    if (extent <= before)
        return;
    if (check->is_asked)
        check->late_ms = (uint32_t)(GetTickCount64() - check->opened_ms) + 1;
    if (extent > check->expected)
        check->expected = extent;
}

void prfdata_check_ask_global(prfdata_check *check)
{
    prfdata_strict_result result;
    uint32_t status;

    check->global.count = 0;
    check->needed = 0;
    status = prfdata_check_ask(check, L"Global", &result);
    if (status == ERROR_SUCCESS) {
        prfdata_reply_objects_read(&result.reply, &check->global);
        check->needed = (uint32_t)result.reply.size;
        check->is_size_wrong = result.is_size_wrong;
        note_seen(check);
    }
    check->is_asked = true;
    if (status == ERROR_MORE_DATA)
        check->is_hopeless = true;
}

/* ---- Loaded and open ---- */

void prfdata_check_load(prfdata_check *check)
{
    const prfdata_registration *registration = check->strict.caller.registration;

    if (check->is_loaded)
        return;
    if (registration->is_relative)
        prfdata_check_find(&check->thread, PRFDATA_RULE_LIBRARY_PATH,
                           "the value Library is not a full path", 0);
    if (registration->is_disabled)
        prfdata_check_find(&check->thread, PRFDATA_RULE_DISABLED,
                           sizeof(void *) == 8
                               ? "the value Disable Performance Counters is set for 64-bit readers"
                               : "the value Disable Performance Counters is set for 32-bit readers",
                           0);
    else if (registration->is_disabled_for_others)
        prfdata_check_find(&check->thread, PRFDATA_RULE_DISABLED_FOR_OTHERS,
                           sizeof(void *) == 8
                               ? "the value Disable Performance Counters is set for 32-bit readers"
                               : "the value Disable Performance Counters is set for 64-bit readers",
                           0);
    prfdata_modules_note();
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
    check->is_asked = false;
    check->opened_ms = GetTickCount64();
    prfdata_history_forget(&check->history);
}

void prfdata_check_close(prfdata_check *check)
{
    if (check->is_open)
        (void)prfdata_strict_close(&check->thread);
    check->is_open = false;
    prfdata_history_forget(&check->history);
}

/*
 * Returns whether more objects may still come. Until the first wait has ended, also returns true if
 * an object that may have instances has none, because its first instances may still come.
 */
static bool may_more_come(const prfdata_check *check)
{
    return prfdata_reply_objects_extent(&check->global) < check->expected ||
           (!check->has_waited && prfdata_reply_objects_lack_instances(&check->global));
}

/* Waits for objects. If they do not come within check->wait_ms, no later scenario waits for
 * them. */
static void wait_for_objects(prfdata_check *check)
{
    const uint64_t begun_ms = GetTickCount64();
    uint32_t extent;

    while (may_more_come(check) && !check->is_hopeless &&
           GetTickCount64() - begun_ms < check->wait_ms) {
        Sleep(LOOK_MS);
        prfdata_check_ask_global(check);
    }
    check->has_waited = true;
    extent = prfdata_reply_objects_extent(&check->global);
    if (extent < check->expected)
        check->expected = extent;
}

/* Returns whether the scenario can use the last reply to Global. It can if it has asked for Global
 * since Open. If replies are large and nothing more is expected, it can also use a reply that an
 * earlier scenario got since Open. */
static bool is_global_known(const prfdata_check *check)
{
    return check->is_asked &&
           (check->is_ready || (prfdata_check_is_large(check) && !may_more_come(check)));
}

bool prfdata_check_make_ready(prfdata_check *check)
{
    prfdata_check_open(check);
    if (!check->is_open)
        return false;
    if (!is_global_known(check)) {
        prfdata_check_ask_global(check);
        wait_for_objects(check);
    }
    if (!check->is_ready)
        check->saw = prfdata_reply_objects_extent(&check->global);
    check->is_ready = true;
    return true;
}

void prfdata_check_look(prfdata_check *check)
{
    if (check->seen.count == 0)
        (void)prfdata_check_make_ready(check);
}

uint64_t prfdata_check_processor_ms(void)
{
    FILETIME begun;
    FILETIME ended;
    FILETIME of_system;
    FILETIME of_user;
    ULARGE_INTEGER system;
    ULARGE_INTEGER user;

    if (!GetProcessTimes(GetCurrentProcess(), &begun, &ended, &of_system, &of_user))
        return 0;
    system.LowPart = of_system.dwLowDateTime;
    system.HighPart = of_system.dwHighDateTime;
    user.LowPart = of_user.dwLowDateTime;
    user.HighPart = of_user.dwHighDateTime;
    return (system.QuadPart + user.QuadPart) / 10000;
}

bool prfdata_check_is_large(const prfdata_check *check)
{
    return check->needed > LARGE_BYTES;
}

bool prfdata_check_begin_share(prfdata_check *check, uint32_t shares)
{
    const uint64_t now_ms = prfdata_check_processor_ms();

    prfdata_allowance_begin(&check->allowance, shares, now_ms);
    return !prfdata_check_is_large(check) || !prfdata_allowance_is_spent(&check->allowance, now_ms);
}

bool prfdata_check_has_time(prfdata_check *check)
{
    const uint64_t most_ms = check->quick ? QUICK_MS : PATIENT_MS;
    const uint64_t taken_ms = GetTickCount64() - check->begun_ms;
    const bool has_time =
        taken_ms < most_ms && prfdata_check_limit_time(check, most_ms - taken_ms) > 0;

    check->does_less = check->does_less || !has_time;
    return has_time;
}

uint64_t prfdata_check_limit_time(const prfdata_check *check, uint64_t most_ms)
{
    uint64_t left_ms;

    if (!prfdata_check_is_large(check))
        return most_ms;
    left_ms = prfdata_allowance_left_ms(&check->allowance, prfdata_check_processor_ms());
    return left_ms < most_ms ? left_ms : most_ms;
}

uint32_t prfdata_check_patience_ms(const prfdata_check *check)
{
    return check->late_ms > 0 ? LATE_MS + 2 * check->late_ms : 0;
}

void prfdata_check_count(prfdata_check *check, const prfdata_strict_thread *thread)
{
    check->calls += thread->thread.calls;
    if (thread->thread.slowest_us > check->slowest_us)
        check->slowest_us = thread->thread.slowest_us;
}
