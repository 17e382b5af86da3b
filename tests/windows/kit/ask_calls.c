/* SPDX-License-Identifier: MIT */
/* Asks how the system calls a provider, and which of its replies reach a reader. Each reading has a
 * process of its own. The provider's trail shows the calls. */
#include "kit.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <wchar.h>

#include "probe.h"

void kit_answer_missing(kit *k, kit_question_id question, const char *why, ...)
{
    char text[600];
    va_list arguments;

    va_start(arguments, why);
    if (vsnprintf(text, sizeof text, why, arguments) < 0)
        text[0] = 0;
    va_end(arguments);
    kit_answer(&k->answers, question, k->is_wine ? KIT_NOT_HERE : KIT_FAILED, "%s%s",
               k->is_wine ? "under Wine: " : "", text);
}

/* Reads while the provider gives this answer. If the reading fails, answers the question with
 * `failed` and returns false. */
static bool reads(kit *k, kit_question_id question, const wchar_t *answer, DWORD number,
                  const wchar_t *options, kit_reading *reading)
{
    DWORD status = kit_set_answer(k, answer, number);

    if (status != ERROR_SUCCESS)
        kit_answer(&k->answers, question, KIT_FAILED, "the provider could not be set up: error %lu",
                   (unsigned long)status);
    else if (!kit_read(k, reading, options))
        kit_answer(&k->answers, question, KIT_FAILED, "the reader did not end well");
    else
        return true;
    return false;
}

/* Returns whether a valid reply arrives. If not, results of other replies would mean nothing, so
 * the function answers the question with `failed`. */
static bool right_arrives(kit *k, kit_question_id question)
{
    kit_reading reading;

    if (!reads(k, question, L"right", 0, L"", &reading))
        return false;
    if (reading.has_object && reading.value == 42)
        return true;
    kit_answer(&k->answers, question, KIT_FAILED,
               "not even a valid reply arrived: status %lu, %lu bytes", reading.status,
               reading.bytes);
    return false;
}

/* Returns whether the provider is called with these options. If not, the function answers the
 * question with `failed`. */
static bool is_called(kit *k, kit_question_id question, const wchar_t *options,
                      kit_reading *reading)
{
    if (!reads(k, question, L"right", 0, options, reading))
        return false;
    if (kit_read_trail(k, reading->process))
        return true;
    kit_answer(&k->answers, question, KIT_FAILED,
               "the provider was not called (reader: status %lu)", reading->status);
    return false;
}

static const kit_call *find_call(const kit *k, const char *name)
{
    for (size_t i = 0; i < k->call_count; i++) {
        if (strcmp(k->calls[i].name, name) == 0)
            return &k->calls[i];
    }
    return NULL;
}

static const char *text_of(const kit_call *call)
{
    return call->is_null ? "NULL" : call->text;
}

static void ask_linkage(kit *k)
{
    kit_reading reading;
    const kit_call *call;

    if (!is_called(k, KIT_Q_linkage, L"", &reading))
        return;
    call = find_call(k, "Open");
    if (!call)
        kit_answer(&k->answers, KIT_Q_linkage, KIT_FAILED, "Open was not called");
    else
        kit_answer_if(&k->answers, KIT_Q_linkage,
                      strcmp(text_of(call), "PrfDataKitProbe\nsecond name") == 0, "Open got %s",
                      text_of(call));
}

static bool has_query(const kit *k, const char *text)
{
    for (size_t i = 0; i < k->call_count; i++) {
        if (strcmp(k->calls[i].name, "Collect") == 0 && strcmp(text_of(&k->calls[i]), text) == 0)
            return true;
    }
    return false;
}

static void ask_queries(kit *k)
{
    const kit_call *call;
    kit_reading reading;
    char asked[64];
    wchar_t options[80];
    DWORD first = PROBE_FIRST, bytes = sizeof first;

    if (!is_called(k, KIT_Q_query, L"", &reading))
        return;
    if (RegGetValueW(HKEY_LOCAL_MACHINE, PROBE_PERFORMANCE, L"First Counter", RRF_RT_REG_DWORD,
                     NULL, &first, &bytes) != ERROR_SUCCESS)
        first = PROBE_FIRST;
    snprintf(asked, sizeof asked, "%lu  %lu", (unsigned long)first, (unsigned long)first);
    swprintf(options, 80, L"\"%lu  %lu\"", (unsigned long)first, (unsigned long)first);
    if (is_called(k, KIT_Q_query, options, &reading)) {
        call = find_call(k, "Collect");
        kit_answer_if(&k->answers, KIT_Q_query, has_query(k, asked), "asked %s, got %s", asked,
                      call ? text_of(call) : "nothing");
    }
    if (is_called(k, KIT_Q_old_global, L"OLD_Global", &reading)) {
        call = find_call(k, "Collect");
        kit_answer(&k->answers, KIT_Q_old_global, KIT_TEXT, "%s (reader: status %lu)",
                   call ? text_of(call) : "Collect is not called", reading.status);
    }
}

/* Asks whether a provider without title indexes is called. */
static void ask_no_numbers(kit *k)
{
    static const wchar_t *const names[] = {L"First Counter", L"First Help", L"Last Counter",
                                           L"Last Help"};
    kit_reading reading;
    DWORD values[4], bytes;

    if (!right_arrives(k, KIT_Q_no_numbers) || kit_set_answer(k, L"right", 0) != ERROR_SUCCESS)
        return;
    for (int i = 0; i < 4; i++) {
        bytes = sizeof values[i];
        if (RegGetValueW(HKEY_LOCAL_MACHINE, PROBE_PERFORMANCE, names[i], RRF_RT_REG_DWORD, NULL,
                         &values[i], &bytes) != ERROR_SUCCESS)
            values[i] = 0;
        kit_delete_value(names[i]);
    }
    if (!kit_read(k, &reading, L"Global")) {
        kit_answer(&k->answers, KIT_Q_no_numbers, KIT_FAILED, "the reader did not end well");
    } else {
        kit_read_trail(k, reading.process);
        kit_answer_if(&k->answers, KIT_Q_no_numbers,
                      kit_trail_count(k->calls, k->call_count, "Collect") > 0,
                      "%u calls of Open, %u of Collect",
                      (unsigned)kit_trail_count(k->calls, k->call_count, "Open"),
                      (unsigned)kit_trail_count(k->calls, k->call_count, "Collect"));
    }
    for (int i = 0; i < 4; i++)
        kit_set_number(names[i], values[i]);
}

static void ask_object_list(kit *k)
{
    static const wchar_t list[] = L"2";
    kit_reading reading;
    HKEY key;

    if (!right_arrives(k, KIT_Q_object_list))
        return;
    if (RegOpenKeyExW(HKEY_LOCAL_MACHINE, PROBE_PERFORMANCE, 0, KEY_SET_VALUE, &key) !=
        ERROR_SUCCESS) {
        kit_answer(&k->answers, KIT_Q_object_list, KIT_FAILED, "the key could not be opened");
        return;
    }
    RegSetValueExW(key, L"Object List", 0, REG_SZ, (const BYTE *)list, sizeof list);
    if (reads(k, KIT_Q_object_list, L"right", 0, L"", &reading)) {
        kit_read_trail(k, reading.process);
        kit_answer_if(&k->answers, KIT_Q_object_list,
                      kit_trail_count(k->calls, k->call_count, "Collect") > 0,
                      "Object List is 2; %u calls of Collect",
                      (unsigned)kit_trail_count(k->calls, k->call_count, "Collect"));
    }
    RegDeleteValueW(key, L"Object List");
    RegCloseKey(key);
}

static void ask_threads(kit *k)
{
    kit_reading reading;

    if (!reads(k, KIT_Q_threads, L"slow", 300, L"-threads 4", &reading))
        return;
    kit_read_trail(k, reading.process);
    if (kit_trail_count(k->calls, k->call_count, "Collect") < 4)
        kit_answer(&k->answers, KIT_Q_threads, KIT_FAILED, "4 threads asked, %u calls of Collect",
                   (unsigned)kit_trail_count(k->calls, k->call_count, "Collect"));
    else
        kit_answer_if(&k->answers, KIT_Q_threads, kit_trail_overlaps(k->calls, k->call_count),
                      "4 threads, %u calls of 300 ms in %lu ms",
                      (unsigned)kit_trail_count(k->calls, k->call_count, "Collect"),
                      reading.elapsed);
}

static void ask_close(kit *k, kit_question_id question, const wchar_t *options)
{
    kit_reading reading;
    size_t opens, closes;

    if (!is_called(k, question, options, &reading))
        return;
    opens = kit_trail_count(k->calls, k->call_count, "Open");
    closes = kit_trail_count(k->calls, k->call_count, "Close");
    if (opens == 0)
        kit_answer(&k->answers, question, KIT_FAILED, "Open was not called");
    else
        kit_answer_if(&k->answers, question, closes == opens, "%u Open, %u Close", (unsigned)opens,
                      (unsigned)closes);
}

static void ask_late(kit *k)
{
    kit_reading reading;
    const kit_call *call;

    if (!right_arrives(k, KIT_Q_late))
        return;
    kit_set_number(L"Collect Timeout", 500);
    if (reads(k, KIT_Q_late, L"slow", 1500, L"", &reading)) {
        kit_read_trail(k, reading.process);
        call = find_call(k, "Collect");
        if (!call) {
            kit_answer(&k->answers, KIT_Q_late, KIT_FAILED, "Collect was not called");
        } else {
            kit_answer_if(&k->answers, KIT_Q_late, reading.has_object != 0,
                          "Collect Timeout 500 ms, a reply after 1500 ms; the reader waited %lu ms",
                          reading.elapsed);
            kit_answer_if(&k->answers, KIT_Q_late_thread,
                          call->thread == reading.thread && reading.elapsed >= 1500,
                          "reader's thread %lu, Collect's thread %lu, %lu ms", reading.thread,
                          (unsigned long)call->thread, reading.elapsed);
        }
    }
    kit_delete_value(L"Collect Timeout");
}

static void ask_metadata(kit *k)
{
    static const wchar_t *const queries[] = {L"MetadataGlobal", L"OLD_MetadataGlobal"};
    char text[400] = "";
    kit_reading reading;
    const kit_call *call;

    /* Source: learn.microsoft.com, "Creating Other Registry Entries". */
    kit_set_number(L"Collect Supports Metadata", 1);
    for (int i = 0; i < 2; i++) {
        size_t used = strlen(text);

        if (!is_called(k, KIT_Q_metadata, queries[i], &reading))
            break;
        call = find_call(k, "Collect");
        snprintf(text + used, sizeof text - used, "%ls: %.100s (reader: status %lu); ", queries[i],
                 call ? text_of(call) : "Collect is not called", reading.status);
    }
    kit_answer(&k->answers, KIT_Q_metadata, KIT_TEXT, "%s", text);
    kit_delete_value(L"Collect Supports Metadata");
}

/* Asks whether this value of Disable Performance Counters prevents calls of the provider: 1 is for
 * all readers, 2 for 32-bit ones, 4 for 64-bit ones (KB 2554336). */
static void ask_disabled(kit *k, kit_question_id question, DWORD value)
{
    kit_reading reading;

    if (!right_arrives(k, question))
        return;
    kit_set_number(L"Disable Performance Counters", value);
    if (reads(k, question, L"right", 0, L"", &reading)) {
        kit_read_trail(k, reading.process);
        kit_answer_if(&k->answers, question, k->call_count == 0, "the value is %lu; %u calls",
                      (unsigned long)value, (unsigned)k->call_count);
    }
    kit_delete_value(L"Disable Performance Counters");
}

static size_t calls_after_lodctr(kit *k, const wchar_t *lodctr, const wchar_t *verb)
{
    kit_reading reading;
    char output[400];

    kit_run(k, 60, output, sizeof output, L"\"%ls\" /%ls:" PROBE_SERVICE, lodctr, verb);
    if (!reads(k, KIT_Q_lodctr_disables, L"right", 0, L"", &reading))
        return 0;
    kit_read_trail(k, reading.process);
    return k->call_count;
}

static void ask_lodctr(kit *k)
{
    wchar_t lodctr[MAX_PATH];
    size_t off, on;

    if (k->is_wine || !kit_find_tool(L"lodctr.exe", lodctr)) {
        kit_answer_missing(k, KIT_Q_lodctr_disables, "lodctr.exe does nothing");
        return;
    }
    off = calls_after_lodctr(k, lodctr, L"D");
    on = calls_after_lodctr(k, lodctr, L"E");
    kit_answer_if(&k->answers, KIT_Q_lodctr_disables, off == 0 && on > 0,
                  "%u calls after /D:, %u after /E:", (unsigned)off, (unsigned)on);
    kit_delete_value(L"Disable Performance Counters");
}

void kit_ask_calls(kit *k)
{
    ask_linkage(k);
    ask_queries(k);
    ask_no_numbers(k);
    ask_object_list(k);
    ask_threads(k);
    ask_close(k, KIT_Q_close, L"");
    ask_close(k, KIT_Q_close_at_exit, L"-exit");
    ask_late(k);
    ask_disabled(k, KIT_Q_disabled, 1);
    ask_disabled(k, KIT_Q_disabled_bits, sizeof(void *) == 8 ? 4 : 2);
    ask_disabled(k, KIT_Q_disabled_other_bits, sizeof(void *) == 8 ? 2 : 4);
    ask_lodctr(k);
    ask_metadata(k);
}

/* ---- Replies ---- */

static void ask_reply(kit *k, kit_question_id question, const wchar_t *answer)
{
    DWORD disabled = 0, bytes = sizeof disabled;
    kit_reading wrong;

    if (!right_arrives(k, question))
        return;
    if (!reads(k, question, answer, 0, L"-times 3", &wrong))
        return;
    kit_read_trail(k, wrong.process);
    if (kit_trail_count(k->calls, k->call_count, "Collect") == 0) {
        kit_answer(&k->answers, question, KIT_FAILED, "the provider was not called");
    } else {
        if (RegGetValueW(HKEY_LOCAL_MACHINE, PROBE_PERFORMANCE, L"Disable Performance Counters",
                         RRF_RT_REG_DWORD, NULL, &disabled, &bytes) != ERROR_SUCCESS)
            disabled = 0;
        kit_answer_if(&k->answers, question, wrong.has_object != 0,
                      "status %lu, %lu bytes, %u calls for 3 queries, Disable Performance Counters "
                      "is %lu",
                      wrong.status, wrong.bytes,
                      (unsigned)kit_trail_count(k->calls, k->call_count, "Collect"),
                      (unsigned long)disabled);
    }
    kit_delete_value(L"Disable Performance Counters");
}

/* Asks whether the reply is used at ExtCounterTestLevel 1, at which Windows does all of its tests
 * of replies. */
static void ask_tested_reply(kit *k, kit_question_id question, const wchar_t *answer)
{
    DWORD status = kit_set_perflib(L"ExtCounterTestLevel", 1);

    if (k->is_wine)
        kit_answer(&k->answers, question, KIT_NOT_HERE, "Wine applies no tests");
    else if (status != ERROR_SUCCESS)
        kit_answer(&k->answers, question, KIT_FAILED, "ExtCounterTestLevel was not set: error %lu",
                   (unsigned long)status);
    else
        ask_reply(k, question, answer);
    kit_restore_perflib(L"ExtCounterTestLevel");
}

/* Appends to `text` which of these replies reach a reader. */
static void try_wrong_replies(kit *k, char *text, size_t used, size_t capacity)
{
    static const wchar_t *const answers[] = {L"right", L"pointer", L"lengths", L"unaligned",
                                             L"zero_block"};
    kit_reading reading;

    for (size_t i = 0; i < sizeof answers / sizeof answers[0] && used < capacity; i++) {
        if (!reads(k, KIT_Q_levels, answers[i], 0, L"", &reading))
            return;
        used += (size_t)snprintf(text + used, capacity - used, " %ls %s,", answers[i],
                                 reading.has_object ? "yes" : "no");
        kit_delete_value(L"Disable Performance Counters");
    }
}

static void ask_levels(kit *k)
{
    char text[900] = "";

    if (k->is_wine) {
        kit_answer(&k->answers, KIT_Q_levels, KIT_NOT_HERE, "Wine applies no tests");
        return;
    }
    for (DWORD level = 0; level <= 4; level++) {
        size_t used = strlen(text);

        if (kit_set_perflib(L"ExtCounterTestLevel", level) != ERROR_SUCCESS)
            break;
        used += (size_t)snprintf(text + used, sizeof text - used, "%lu:", (unsigned long)level);
        try_wrong_replies(k, text, used, sizeof text);
    }
    kit_restore_perflib(L"ExtCounterTestLevel");
    kit_answer(&k->answers, KIT_Q_levels, KIT_TEXT, "%s", text);
}

/* Multiplies the size by eight until a reply does not arrive, or has 64 MiB (8 MiB under Wine). */
static void ask_reply_size(kit *k)
{
    unsigned long largest = 0;
    kit_reading reading;
    DWORD size;

    for (size = 1u << 20; size <= (k->is_wine ? 8u << 20 : 64u << 20); size *= 8) {
        if (!reads(k, KIT_Q_reply_size, L"large", size, L"", &reading))
            return;
        if (!reading.has_object)
            break;
        largest = reading.bytes;
    }
    if (largest == 0)
        kit_answer(&k->answers, KIT_Q_reply_size, KIT_FAILED, "not even 1 MB: status %lu",
                   reading.status);
    else
        kit_answer(&k->answers, KIT_Q_reply_size, KIT_TEXT, "%lu bytes arrived%s%lu", largest,
                   reading.has_object ? ", more was not tried; milliseconds: "
                                      : ", eight times as many did not: status ",
                   reading.has_object ? reading.elapsed : reading.status);
}

static void ask_odd_names(kit *k)
{
    kit_reading reading;

    if (right_arrives(k, KIT_Q_odd_names) &&
        reads(k, KIT_Q_odd_names, L"odd_names", 0, L"", &reading))
        kit_answer_if(&k->answers, KIT_Q_odd_names, reading.has_object && reading.instances == 5,
                      "status %lu, %ld of 5 instances", reading.status, reading.instances);
}

void kit_ask_replies(kit *k)
{
    ask_reply(k, KIT_Q_pointer, L"pointer");
    ask_tested_reply(k, KIT_Q_pointer_tested, L"pointer");
    ask_reply(k, KIT_Q_lengths, L"lengths");
    ask_tested_reply(k, KIT_Q_lengths_tested, L"lengths");
    ask_tested_reply(k, KIT_Q_zero_block, L"zero_block");
    ask_reply(k, KIT_Q_unaligned, L"unaligned");
    ask_levels(k);
    ask_reply_size(k);
    ask_odd_names(k);
}
