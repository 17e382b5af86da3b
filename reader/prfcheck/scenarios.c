/* SPDX-License-Identifier: MIT */
/*
 * Scenarios, one function each, and the table of them. Knows what a reply should hold for a query,
 * and of calls only what strict.h finds. Knows Windows.
 */
#include "prfcheck/scenarios.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#include "prfcheck/usage.h"

#define FIRST_CAPACITY 65536u
#define SWEPT_WHOLLY   65536u /* replies up to here are asked for with every capacity */
#define THREADS        4u
#define LONG_NUMBER    10000u

/* ---- Sets of titles ---- */

static void read_reply_titles(const prfdata_judge_reply *reply, prfdata_scenarios_titles *set)
{
    size_t offset = 0;

    set->count = 0;
    while (set->count < PRFDATA_SCENARIO_TITLES &&
           prfdata_judge_next_object(reply, &offset, &set->items[set->count],
                                     &set->parents[set->count]))
        set->ends[set->count++] = (uint32_t)offset;
}

static bool has_title(const prfdata_scenarios_titles *set, uint32_t title)
{
    for (size_t i = 0; i < set->count; i++) {
        if (set->items[i] == title)
            return true;
    }
    return false;
}

/* The first title of `some` that `all` lacks; 0: none. */
static uint32_t first_missing_title(const prfdata_scenarios_titles *some,
                                    const prfdata_scenarios_titles *all)
{
    for (size_t i = 0; i < some->count; i++) {
        if (!has_title(all, some->items[i]))
            return some->items[i];
    }
    return 0;
}

static bool are_same_titles(const prfdata_scenarios_titles *a, const prfdata_scenarios_titles *b)
{
    return first_missing_title(a, b) == 0 && first_missing_title(b, a) == 0;
}

/* ---- Asking ---- */

static void add_scenario_finding(prfdata_strict_thread *thread, prfdata_rule rule, const char *text,
                                 uint32_t number)
{
    prfdata_findings_add(&thread->findings, rule, PRFDATA_NO_OFFSET, text, (unsigned)number);
    prfdata_strict_flush(thread);
}

static void forget_last_reply(prfdata_history *history)
{
    free(history->bytes);
    memset(history, 0, sizeof *history);
}

static void remember_last_reply(prfdata_history *history, const prfdata_judge_reply *reply)
{
    forget_last_reply(history);
    history->bytes = malloc(reply->size + 1);
    if (!history->bytes)
        return;
    memcpy(history->bytes, reply->bytes, reply->size);
    history->reply = *reply;
    history->reply.bytes = history->bytes;
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

/* Call Collect and judge all of it, the last reply of this thread being known. */
static uint32_t take_judged_reply(prfdata_strict_thread *thread, prfdata_history *history,
                                  const wchar_t *query, uint32_t capacity,
                                  prfdata_caller_place place, uint32_t shift,
                                  prfdata_strict_result *result)
{
    const prfdata_judge_titles titles = make_judge_titles(thread->strict->caller.registration);
    const bool metadata = is_metadata(query);
    uint32_t status = prfdata_strict_collect(thread, query, capacity, place, shift, result);

    if (status != ERROR_SUCCESS)
        return status;
    (void)prfdata_judge_structure(&result->reply, &titles, metadata, &thread->findings);
    if (!metadata) {
        if (history->bytes)
            (void)prfdata_judge_change(&history->reply, &result->reply, &thread->findings);
        if (result->reply.size > 0)
            remember_last_reply(history, &result->reply);
    }
    prfdata_strict_flush(thread);
    return ERROR_SUCCESS;
}

/* The same with as large a buffer as it takes. */
static uint32_t take_whole_reply(prfdata_strict_thread *thread, prfdata_history *history,
                                 const wchar_t *query, prfdata_strict_result *result)
{
    uint32_t capacity = FIRST_CAPACITY;
    uint32_t status;

    while ((status = take_judged_reply(thread, history, query, capacity, PRFDATA_PLACE_PATTERNS, 0,
                                       result)) == ERROR_MORE_DATA) {
        if (capacity == PRFDATA_STRICT_MOST_BYTES) {
            add_scenario_finding(thread, PRFDATA_RULE_MORE_ALWAYS,
                                 "ERROR_MORE_DATA even with %u bytes", capacity);
            break;
        }
        capacity *= 4;
        if (capacity > PRFDATA_STRICT_MOST_BYTES)
            capacity = PRFDATA_STRICT_MOST_BYTES;
    }
    return status;
}

static uint32_t ask_provider(prfdata_check *check, const wchar_t *query,
                             prfdata_strict_result *result)
{
    return take_whole_reply(&check->thread, &check->history, query, result);
}

/* Ask for the objects' titles only; none if there is no reply. */
static void ask_titles(prfdata_check *check, const wchar_t *query, prfdata_scenarios_titles *set)
{
    prfdata_strict_result result;

    set->count = 0;
    if (ask_provider(check, query, &result) == ERROR_SUCCESS)
        read_reply_titles(&result.reply, set);
}

static void ask_global(prfdata_check *check)
{
    prfdata_strict_result result;

    check->global.count = 0;
    check->needed = 0;
    if (ask_provider(check, L"Global", &result) == ERROR_SUCCESS) {
        read_reply_titles(&result.reply, &check->global);
        check->needed = (uint32_t)result.reply.size;
    }
}

/* ---- Loaded and open ---- */

static void load_provider(prfdata_check *check)
{
    const prfdata_registration *registration = check->strict.caller.registration;

    if (check->is_loaded)
        return;
    if (registration->is_relative)
        add_scenario_finding(&check->thread, PRFDATA_RULE_LIBRARY_PATH,
                             "Library is not a full path", 0);
    if (registration->is_disabled)
        add_scenario_finding(&check->thread, PRFDATA_RULE_DISABLED,
                             "Disable Performance Counters is not 0", 0);
    check->is_loaded = prfdata_strict_load(&check->thread) == ERROR_SUCCESS;
    if (!check->is_loaded)
        check->is_hopeless = true;
}

static void unload_provider(prfdata_check *check)
{
    if (check->is_loaded)
        prfdata_strict_unload(&check->thread);
    check->is_loaded = false;
}

static void open_provider_once(prfdata_check *check)
{
    load_provider(check);
    if (!check->is_loaded || check->is_open)
        return;
    if (prfdata_strict_open(&check->thread) != ERROR_SUCCESS) {
        check->is_hopeless = true;
        return;
    }
    check->is_open = true;
    forget_last_reply(&check->history);
}

static void close_provider_once(prfdata_check *check)
{
    if (check->is_open)
        (void)prfdata_strict_close(&check->thread);
    check->is_open = false;
    forget_last_reply(&check->history);
}

/* Open, and know what Global gives. Returns false if nothing can be asked. */
static bool make_ready(prfdata_check *check)
{
    const bool was_open = check->is_open;

    open_provider_once(check);
    if (check->is_open && !was_open)
        ask_global(check);
    return check->is_open;
}

void prfdata_scenarios_finish(prfdata_check *check)
{
    close_provider_once(check);
    unload_provider(check);
}

/* ---- Queries ---- */

static void run_first(prfdata_check *check, const wchar_t *query)
{
    (void)query;
    if (!make_ready(check))
        return;
    if (check->global.count == 0)
        add_scenario_finding(&check->thread, PRFDATA_RULE_NO_OBJECTS, "Global gave %u objects", 0);
    (void)snprintf(check->did, sizeof check->did, "%u objects in %u bytes",
                   (unsigned)check->global.count, (unsigned)check->needed);
    close_provider_once(check);
    unload_provider(check);
}

static void run_samples(prfdata_check *check, const wchar_t *query)
{
    const uint32_t count = check->quick ? 20 : 200;
    prfdata_strict_result result;

    for (uint32_t i = 0; i < count && make_ready(check); i++)
        (void)ask_provider(check, query, &result);
    (void)snprintf(check->did, sizeof check->did, "%u in a row", (unsigned)count);
}

static void run_case(prfdata_check *check, const wchar_t *query)
{
    prfdata_scenarios_titles set;

    if (!make_ready(check))
        return;
    ask_titles(check, query, &set);
    if (are_same_titles(&set, &check->global))
        return;
    ask_global(check); /* it may have changed meanwhile */
    ask_titles(check, query, &set);
    if (!are_same_titles(&set, &check->global))
        add_scenario_finding(&check->thread, PRFDATA_RULE_QUERY_CASE,
                             "%u objects, Global gives others", (uint32_t)set.count);
}

/* Whatever comes is judged as a reply. */
static void run_any(prfdata_check *check, const wchar_t *query)
{
    prfdata_strict_result result;

    if (make_ready(check))
        (void)ask_provider(check, query, &result);
}

static void expect_nothing(prfdata_check *check, const wchar_t *query, prfdata_rule rule)
{
    prfdata_strict_result result;

    if (make_ready(check) && ask_provider(check, query, &result) == ERROR_SUCCESS &&
        result.reply.size > 0)
        add_scenario_finding(&check->thread, rule, "it was answered with %u bytes",
                             (uint32_t)result.reply.size);
}

static void run_empty(prfdata_check *check, const wchar_t *query)
{
    expect_nothing(check, query, PRFDATA_RULE_QUERY_EMPTY);
}

static void run_unknown(prfdata_check *check, const wchar_t *query)
{
    expect_nothing(check, query, PRFDATA_RULE_QUERY_UNKNOWN);
}

static void run_foreign(prfdata_check *check, const wchar_t *query)
{
    expect_nothing(check, query, PRFDATA_RULE_QUERY_FOREIGN);
}

/* Foreign, then a title of its own. */
static void run_foreign_index(prfdata_check *check, const wchar_t *query)
{
    wchar_t text[32];

    (void)query;
    if (!make_ready(check) || check->global.count == 0)
        return;
    (void)swprintf(text, 32, L"Foreign %u", (unsigned)check->global.items[0]);
    expect_nothing(check, text, PRFDATA_RULE_QUERY_FOREIGN);
    check->thread.thread.query = NULL;
}

static void run_costly(prfdata_check *check, const wchar_t *query)
{
    prfdata_scenarios_titles set;

    if (!make_ready(check))
        return;
    ask_titles(check, query, &set);
    for (size_t i = 0; i < set.count; i++) {
        if (has_title(&check->global, set.items[i])) {
            add_scenario_finding(&check->thread, PRFDATA_RULE_QUERY_COSTLY,
                                 "object %u answers Global too", set.items[i]);
            return;
        }
    }
}

static void run_metadata(prfdata_check *check, const wchar_t *query)
{
    prfdata_scenarios_titles set;

    if (!make_ready(check))
        return;
    ask_titles(check, query, &set);
    if (check->strict.caller.registration->answers_metadata &&
        wcscmp(query, L"MetadataGlobal") == 0 && set.count == 0 && check->global.count > 0)
        add_scenario_finding(&check->thread, PRFDATA_RULE_METADATA_UNANSWERED,
                             "no objects, Global gives %u", (uint32_t)check->global.count);
}

/* ---- Title indexes ---- */

/* Whether `title` is asked for, or may be a parent of what is, or of a parent. */
static bool is_related_title(const prfdata_scenarios_titles *set, uint32_t title, uint32_t asked)
{
    for (size_t depth = 0; asked != 0 && depth <= set->count; depth++) {
        uint32_t parent = 0;

        if (title == asked)
            return true;
        for (size_t i = 0; i < set->count; i++) {
            if (set->items[i] == asked)
                parent = set->parents[i];
        }
        if (parent == PRFDATA_JUDGE_UNKNOWN)
            return true;
        asked = parent;
    }
    return false;
}

static void run_single_index(prfdata_check *check, uint32_t title)
{
    prfdata_scenarios_titles set;
    wchar_t query[16];

    (void)swprintf(query, 16, L"%u", (unsigned)title);
    ask_titles(check, query, &set);
    if (!has_title(&set, title)) {
        ask_global(check);
        ask_titles(check, query, &set);
        if (has_title(&check->global, title) && !has_title(&set, title))
            add_scenario_finding(&check->thread, PRFDATA_RULE_INDEX_UNANSWERED, "no object %u",
                                 title);
    }
    for (size_t i = 0; i < set.count; i++) {
        if (!is_related_title(&set, set.items[i], title)) {
            add_scenario_finding(&check->thread, PRFDATA_RULE_INDEX_EXTRA,
                                 "object %u was not asked for", set.items[i]);
            return;
        }
    }
}

/* Ask with a list in which all titles are, in whatever form; all must be answered. */
static void run_title_list(prfdata_check *check, const wchar_t *query)
{
    prfdata_scenarios_titles set;
    uint32_t missing;

    ask_titles(check, query, &set);
    if (first_missing_title(&check->global, &set) == 0)
        return;
    ask_global(check);
    ask_titles(check, query, &set);
    missing = first_missing_title(&check->global, &set);
    if (missing != 0)
        add_scenario_finding(&check->thread, PRFDATA_RULE_INDEX_UNANSWERED, "no object %u",
                             missing);
}

enum { LIST_PLAIN, LIST_BACKWARDS, LIST_TWICE, LIST_BLANKS, LIST_MIXED, LIST_LONG, LIST_COUNT };

/* All titles in one of these forms. */
static void write_title_list(const prfdata_check *check, int form, wchar_t *text, size_t capacity)
{
    static const wchar_t *const formats[LIST_COUNT] = {L"%ls%u",     L"%ls%u",     L"%ls%u %u",
                                                       L"%ls  %u  ", L"%ls2 %u 4", L"%ls%u"};
    const size_t count = check->global.count;
    const size_t repeats = form == LIST_LONG ? 1000 : 1;
    size_t used = 0;

    text[0] = 0;
    for (size_t i = 0; i < count * repeats && used + 64 < capacity; i++) {
        const size_t position = form == LIST_BACKWARDS ? count - 1 - i : i % count;
        const uint32_t title = check->global.items[position];
        int put = swprintf(text + used, capacity - used, formats[form], used > 0 ? L" " : L"",
                           (unsigned)title, (unsigned)title);

        if (put > 0)
            used += (size_t)put;
    }
}

static void run_indexes(prfdata_check *check, const wchar_t *query)
{
    const size_t capacity = PRFDATA_SCENARIO_TITLES * 64;
    wchar_t *text = calloc(capacity, sizeof *text);
    prfdata_scenarios_titles titles;

    (void)query;
    if (!text || !make_ready(check))
        goto free_text;
    titles = check->global;
    for (size_t i = 0; i < titles.count; i++)
        run_single_index(check, titles.items[i]);
    for (int form = 0; form < LIST_COUNT && check->global.count > 0; form++) {
        write_title_list(check, form, text, capacity);
        run_title_list(check, text);
    }
    (void)snprintf(check->did, sizeof check->did, "%u objects singly and in lists",
                   (unsigned)titles.count);
free_text:
    check->thread.thread.query = NULL;
    free(text);
}

static void expect_nothing_of_ours(prfdata_check *check, const wchar_t *query, prfdata_rule rule)
{
    prfdata_scenarios_titles set;
    wchar_t own[16];

    for (size_t i = 0; i < check->global.count; i++) {
        (void)swprintf(own, 16, L"%u", (unsigned)check->global.items[i]);
        if (wcscmp(own, query) == 0)
            return;
    }
    ask_titles(check, query, &set);
    if (set.count > 0)
        add_scenario_finding(&check->thread, rule, "object %u came", set.items[0]);
}

/* Texts that have a title in them, or are in it, or become it when digits are lost. */
static void run_substrings(prfdata_check *check, const wchar_t *query)
{
    static const uint64_t modulo_32 = (uint64_t)1 << 32;
    wchar_t own[16];
    wchar_t text[40];

    (void)query;
    if (!make_ready(check))
        return;
    for (size_t i = 0; i < check->global.count && i < 8; i++) {
        const uint32_t title = check->global.items[i];
        const int digits = swprintf(own, 16, L"%u", (unsigned)title);

        (void)swprintf(text, 40, L"1%ls", own);
        expect_nothing_of_ours(check, text, PRFDATA_RULE_INDEX_SUBSTRING);
        (void)swprintf(text, 40, L"%ls0", own);
        expect_nothing_of_ours(check, text, PRFDATA_RULE_INDEX_SUBSTRING);
        if (digits > 1) {
            expect_nothing_of_ours(check, own + 1, PRFDATA_RULE_INDEX_SUBSTRING);
            (void)swprintf(text, 40, L"%.*ls", digits - 1, own);
            expect_nothing_of_ours(check, text, PRFDATA_RULE_INDEX_SUBSTRING);
        }
        (void)swprintf(text, 40, L"%llu", (unsigned long long)(modulo_32 + title));
        expect_nothing_of_ours(check, text, PRFDATA_RULE_INDEX_SUBSTRING);
        /* 2^64 is 18446744073709551616: no carry from the last ten digits with this title. */
        (void)swprintf(text, 40, L"1844674407%llu",
                       (unsigned long long)(UINT64_C(3709551616) + title));
        expect_nothing_of_ours(check, text, PRFDATA_RULE_INDEX_SUBSTRING);
    }
}

static void run_others(prfdata_check *check, const wchar_t *query)
{
    if (make_ready(check))
        expect_nothing_of_ours(check, query, PRFDATA_RULE_INDEX_IGNORED);
}

/* A number of 10,000 digits, and one that begins with a title. */
static void run_long_number(prfdata_check *check, const wchar_t *query)
{
    wchar_t *text = calloc(LONG_NUMBER + 1, sizeof *text);

    (void)query;
    if (!text || !make_ready(check))
        goto free_text;
    wmemset(text, L'9', LONG_NUMBER);
    expect_nothing_of_ours(check, text, PRFDATA_RULE_INDEX_IGNORED);
    if (check->global.count > 0) {
        const int digits = swprintf(text, 16, L"%u", (unsigned)check->global.items[0]);

        text[digits] = L'0';
        expect_nothing_of_ours(check, text, PRFDATA_RULE_INDEX_SUBSTRING);
    }
free_text:
    check->thread.thread.query = NULL;
    free(text);
}

/* ---- Buffers ---- */

/* The reply that fitted is judged; here, whether it is all of it. */
static void judge_small_success(prfdata_check *check, const wchar_t *query, uint32_t capacity,
                                const prfdata_strict_result *result)
{
    prfdata_scenarios_titles set;
    uint32_t missing;

    read_reply_titles(&result->reply, &set);
    if (first_missing_title(&check->global, &set) == 0)
        return;
    ask_global(check);
    missing = first_missing_title(&check->global, &set);
    if (missing == 0 || check->needed <= capacity)
        return; /* it changed meanwhile */
    check->thread.thread.query = query;
    check->thread.thread.capacity = capacity;
    add_scenario_finding(&check->thread, PRFDATA_RULE_PARTIAL, "object %u was left out", missing);
}

static void judge_refusal(prfdata_check *check, const wchar_t *query, uint32_t capacity)
{
    prfdata_strict_result result;

    for (int tries = 0; tries < 3; tries++) {
        ask_global(check);
        if (check->needed > capacity)
            return; /* it grew meanwhile */
        if (take_judged_reply(&check->thread, &check->history, query, capacity,
                              PRFDATA_PLACE_PATTERNS, 0, &result) != ERROR_MORE_DATA)
            return;
    }
    add_scenario_finding(&check->thread, PRFDATA_RULE_MORE_FITS,
                         "ERROR_MORE_DATA, and %u bytes are enough", check->needed);
}

static void take_with_capacity(prfdata_check *check, const wchar_t *query, uint32_t capacity,
                               prfdata_caller_place place, uint32_t shift)
{
    prfdata_strict_result result;
    uint32_t status =
        take_judged_reply(&check->thread, &check->history, query, capacity, place, shift, &result);

    if (status == ERROR_SUCCESS && capacity < check->needed)
        judge_small_success(check, query, capacity, &result);
    else if (status == ERROR_MORE_DATA && capacity >= check->needed)
        judge_refusal(check, query, capacity);
}

#define NEAR_BYTES 24u /* on both sides of a border */

/* The size to try after `size`: the next one near the end of an object, else `stride` more. */
static uint32_t next_swept_size(const prfdata_check *check, uint32_t size, uint32_t stride)
{
    const size_t ends = check->quick && check->global.count > 4 ? 4 : check->global.count;
    uint32_t next = size + (size < 3 * NEAR_BYTES ? 1 : stride);

    for (size_t i = 0; i <= ends; i++) {
        const uint32_t end = i < ends ? check->global.ends[i] : check->needed;
        const uint32_t first = end > NEAR_BYTES ? end - NEAR_BYTES : 0;

        if (size >= first && size <= end + NEAR_BYTES)
            return size + 1;
        if (size < first && next > first)
            next = first;
    }
    return next;
}

static void run_sizes(prfdata_check *check, const wchar_t *query)
{
    uint32_t stride = 1;
    uint32_t last;
    uint32_t tried = 0;

    if (!make_ready(check))
        return;
    last = check->needed + 16;
    if (check->quick)
        stride = last / 256 + 1;
    else if (last > SWEPT_WHOLLY)
        stride = last / 4096 + 1;
    if (stride > 1)
        stride |= 1; /* odd, to come by all alignments */
    for (uint32_t size = 0; size <= last; size = next_swept_size(check, size, stride), tried++)
        take_with_capacity(check, query, size, PRFDATA_PLACE_PATTERNS, 0);
    if (stride == 1)
        (void)snprintf(check->did, sizeof check->did, "every size from 0 to %u", (unsigned)last);
    else
        (void)snprintf(check->did, sizeof check->did,
                       "%u sizes from 0 to %u: all near ends of objects, else every %u. one",
                       (unsigned)tried, (unsigned)last, (unsigned)stride);
}

static void run_pages(prfdata_check *check, prfdata_caller_place place, const wchar_t *query)
{
    uint32_t tried = 0;

    if (!make_ready(check))
        return;
    for (uint32_t part = 0; part <= 16; part++, tried++)
        take_with_capacity(check, query, check->needed / 128 * part * 8, place, 0);
    for (uint32_t i = 0; i <= 4; i++, tried++) {
        const uint32_t size = check->needed / 8 * 8 + 8 * i;

        if (size >= 16)
            take_with_capacity(check, query, size - 16, place, 0);
    }
    (void)snprintf(check->did, sizeof check->did, "%u sizes from 0 to %u", (unsigned)tried,
                   (unsigned)check->needed + 16);
}

static void run_page_after(prfdata_check *check, const wchar_t *query)
{
    run_pages(check, PRFDATA_PLACE_PAGE_AFTER, query);
}

static void run_page_before(prfdata_check *check, const wchar_t *query)
{
    run_pages(check, PRFDATA_PLACE_PAGE_BEFORE, query);
}

/* The same query, away from 8-byte alignment: exactly enough, plenty, too little. */
static void run_alignment(prfdata_check *check, const wchar_t *query)
{
    for (uint32_t shift = 1; shift < 8 && make_ready(check); shift++) {
        prfdata_strict_result result;
        prfdata_scenarios_titles set;
        const uint32_t plenty = check->needed + 4096;
        const uint64_t before = check->thread.found;
        uint64_t aligned;
        uint32_t status;

        (void)take_judged_reply(&check->thread, &check->history, query, plenty,
                                PRFDATA_PLACE_PATTERNS, 0, &result);
        aligned = check->thread.found;
        status = take_judged_reply(&check->thread, &check->history, query, plenty,
                                   PRFDATA_PLACE_PATTERNS, shift, &result);
        set.count = 0;
        if (status == ERROR_SUCCESS)
            read_reply_titles(&result.reply, &set);
        if (check->thread.found - aligned > aligned - before ||
            first_missing_title(&check->global, &set) != 0)
            add_scenario_finding(&check->thread, PRFDATA_RULE_ALIGNMENT,
                                 "with a buffer %u bytes after a multiple of 8 the reply differs",
                                 shift);
        take_with_capacity(check, query, check->needed, PRFDATA_PLACE_PATTERNS, shift);
        take_with_capacity(check, query, check->needed / 2, PRFDATA_PLACE_PATTERNS, shift);
        take_with_capacity(check, query, check->needed + shift, PRFDATA_PLACE_PAGE_AFTER, 0);
        take_with_capacity(check, query, check->needed, PRFDATA_PLACE_PAGE_BEFORE, shift);
    }
}

/* ---- Growth ---- */

static void judge_usage_growth(prfdata_check *check, const prfdata_usage *at, uint32_t count,
                               const char *what)
{
    prfdata_findings *findings = &check->thread.findings;
    const uint64_t handles = at[2].handles - at[1].handles;
    const uint64_t heap = at[2].heap_bytes - at[1].heap_bytes;
    const uint64_t memory = at[2].private_bytes - at[1].private_bytes;

    /* What grows at every call grows in both halves. */
    if (at[1].handles >= at[0].handles + count && at[2].handles >= at[1].handles + count)
        prfdata_findings_add(findings, PRFDATA_RULE_HANDLE_LEAK, PRFDATA_NO_OFFSET,
                             "%u times %s left %u handles", (unsigned)count, what,
                             (unsigned)handles);
    if (at[1].heap_bytes >= at[0].heap_bytes + (uint64_t)count * 8 &&
        at[2].heap_bytes >= at[1].heap_bytes + (uint64_t)count * 8)
        prfdata_findings_add(findings, PRFDATA_RULE_MEMORY_LEAK, PRFDATA_NO_OFFSET,
                             "%u times %s left %u bytes in the heaps", (unsigned)count, what,
                             (unsigned)heap);
    else if (at[1].private_bytes >= at[0].private_bytes + (uint64_t)count * 4096 &&
             at[2].private_bytes >= at[1].private_bytes + (uint64_t)count * 4096)
        prfdata_findings_add(findings, PRFDATA_RULE_MEMORY_LEAK, PRFDATA_NO_OFFSET,
                             "%u times %s left %u KiB of memory", (unsigned)count, what,
                             (unsigned)(memory / 1024));
    prfdata_strict_flush(&check->thread);
}

static void collect_global_once(prfdata_check *check)
{
    prfdata_strict_result result;

    (void)ask_provider(check, L"Global", &result);
}

static void open_and_close(prfdata_check *check)
{
    open_provider_once(check);
    if (check->is_open)
        collect_global_once(check);
    close_provider_once(check);
}

static void load_and_unload(prfdata_check *check)
{
    open_and_close(check);
    unload_provider(check);
}

static void measure_growth(prfdata_check *check, void (*step)(prfdata_check *check), uint32_t count,
                           const char *what)
{
    prfdata_usage at[3];

    for (size_t half = 0; half < 3; half++) { /* the first one is for what is made once */
        for (uint32_t i = 0; i < count && !check->is_hopeless; i++)
            step(check);
        at[half] = prfdata_usage_now();
    }
    judge_usage_growth(check, at, count, what);
    (void)snprintf(check->did, sizeof check->did, "%u times", (unsigned)count * 3);
}

static void run_collects(prfdata_check *check, const wchar_t *query)
{
    (void)query;
    if (make_ready(check))
        measure_growth(check, collect_global_once, check->quick ? 64 : 500, "Collect");
}

static void run_opens(prfdata_check *check, const wchar_t *query)
{
    (void)query;
    close_provider_once(check);
    measure_growth(check, open_and_close, check->quick ? 16 : 100, "Open, Collect, Close");
}

static void run_loads(prfdata_check *check, const wchar_t *query)
{
    const wchar_t *path = check->strict.caller.registration->library;
    const wchar_t *name = wcsrchr(path, L'\\');

    (void)query;
    close_provider_once(check);
    unload_provider(check);
    measure_growth(check, load_and_unload, check->quick ? 8 : 40, "loading and unloading");
    if (!check->is_hopeless && GetModuleHandleW(name ? name + 1 : path))
        add_scenario_finding(&check->thread, PRFDATA_RULE_MODULE_STAYS,
                             "the library is still loaded", 0);
}

/* ---- Open and Close out of the ordinary ---- */

static void run_reopen(prfdata_check *check, const wchar_t *query)
{
    prfdata_scenarios_titles set;

    if (!make_ready(check))
        return;
    (void)prfdata_strict_open(&check->thread);
    (void)prfdata_strict_open(&check->thread);
    (void)prfdata_strict_close(&check->thread);
    ask_titles(check, query, &set);
    (void)prfdata_strict_close(&check->thread);
    if (first_missing_title(&check->global, &set) == 0)
        ask_titles(check, query, &set);
    if (first_missing_title(&check->global, &set) != 0)
        add_scenario_finding(&check->thread, PRFDATA_RULE_OPEN_COUNT,
                             "no object %u with one Open left",
                             first_missing_title(&check->global, &set));
}

/* What the system does not do; only faults count. */
static void run_closed(prfdata_check *check, const wchar_t *query)
{
    prfdata_strict_result result;

    close_provider_once(check);
    unload_provider(check);
    load_provider(check);
    if (!check->is_loaded)
        return;
    check->strict.is_outside_contract = true;
    (void)ask_provider(check, query, &result);
    (void)prfdata_strict_close(&check->thread);
    (void)prfdata_strict_close(&check->thread);
    (void)ask_provider(check, query, &result);
    check->strict.is_outside_contract = false;
    unload_provider(check);
    if (make_ready(check)) /* afterwards it must work as before */
        collect_global_once(check);
}

/* ---- Threads ---- */

typedef struct calling_thread {
    prfdata_check *check;
    volatile LONG *go_on; /* until it is 0 */
    uint32_t least;       /* calls in any case */
    bool opens;           /* Opens and Closes meanwhile */
    prfdata_strict_thread thread;
    wchar_t index[16];
} calling_thread;

static DWORD WINAPI run_calling_thread(void *argument)
{
    calling_thread *w = argument;
    prfdata_history history = {NULL, {NULL, 0, 0}};
    prfdata_strict_result result;

    if (prfdata_strict_join(&w->check->strict, &w->thread) != ERROR_SUCCESS)
        return 0;
    for (uint32_t i = 0; i < w->least || InterlockedCompareExchange(w->go_on, 0, 0); i++) {
        const bool by_index = i % 4 == 3 && w->index[0];

        if (w->opens)
            (void)prfdata_strict_open(&w->thread);
        (void)take_whole_reply(&w->thread, &history, by_index ? w->index : L"Global", &result);
        if (w->opens)
            (void)prfdata_strict_close(&w->thread);
    }
    prfdata_strict_leave(&w->thread);
    forget_last_reply(&history);
    return 0;
}

static void run_threads(prfdata_check *check, const wchar_t *query)
{
    volatile LONG go_on = 1;
    const uint32_t count = THREADS + 1;
    HANDLE threads[THREADS + 1];
    calling_thread *callers = calloc(count, sizeof *callers);
    uint32_t started = 0;

    (void)query;
    if (!callers || !make_ready(check))
        goto free_callers;
    for (uint32_t i = 0; i < count; i++) {
        callers[i].check = check;
        callers[i].go_on = &go_on;
        callers[i].least = 20;
        callers[i].opens = i == THREADS;
        if (check->global.count > 0)
            (void)swprintf(callers[i].index, 16, L"%u",
                           (unsigned)check->global.items[i % check->global.count]);
        threads[started] = CreateThread(NULL, 0, run_calling_thread, &callers[i], 0, NULL);
        started += threads[started] != NULL;
    }
    Sleep(check->quick ? 100 : check->seconds * 1000);
    InterlockedExchange(&go_on, 0);
    if (started > 0)
        (void)WaitForMultipleObjects(started, threads, TRUE, INFINITE);
    for (uint32_t i = 0; i < started; i++)
        CloseHandle(threads[i]);
    for (uint32_t i = 0; i < count; i++)
        check->calls += callers[i].thread.thread.calls;
    (void)snprintf(check->did, sizeof check->did, "%u threads, one opens and closes",
                   (unsigned)started);
free_callers:
    free(callers);
}

/* ---- The list ---- */

typedef struct scenario {
    const char *name;
    void (*run)(prfdata_check *check, const wchar_t *query);
    const wchar_t *query;
} scenario;

static const scenario scenarios[] = {
    {"first", run_first, NULL},
    {"samples", run_samples, L"Global"},
    {"case", run_case, L"global"},
    {"case", run_case, L"GLOBAL"},
    {"old", run_any, L"OLD_Global"},
    {"null", run_empty, NULL},
    {"empty", run_empty, L""},
    {"unknown", run_unknown, L" "},
    {"unknown", run_unknown, L"Counter 009"},
    {"unknown", run_unknown, L"Help 009"},
    {"unknown", run_unknown, L"nonsense"},
    {"unknown", run_unknown, L"Globalisation"},
    {"foreign", run_foreign, L"Foreign"},
    {"foreign", run_foreign, L"Foreign host"},
    {"foreign", run_foreign, L"Foreign 9100"},
    {"foreign", run_foreign_index, NULL},
    {"costly", run_costly, L"Costly"},
    {"metadata", run_metadata, L"MetadataGlobal"},
    {"metadata", run_metadata, L"MetadataCostly"},
    {"metadata", run_metadata, L"OLD_MetadataGlobal"},
    {"indexes", run_indexes, NULL},
    {"substrings", run_substrings, NULL},
    {"others", run_others, L"2"},
    {"others", run_others, L"0"},
    {"others", run_others, L"4294967295"},
    {"others", run_others, L"-2"},
    {"long-number", run_long_number, NULL},
    {"sizes", run_sizes, L"Global"},
    {"page-after", run_page_after, L"Global"},
    {"page-before", run_page_before, L"Global"},
    {"alignment", run_alignment, L"Global"},
    {"reopen", run_reopen, L"Global"},
    {"collects", run_collects, NULL},
    {"threads", run_threads, NULL},
    {"opens", run_opens, NULL},
    {"loads", run_loads, NULL},
    {"closed", run_closed, L"Global"},
};

size_t prfdata_scenarios_count(void)
{
    return sizeof scenarios / sizeof scenarios[0];
}

const char *prfdata_scenarios_name(size_t index)
{
    return scenarios[index].name;
}

const wchar_t *prfdata_scenarios_query(size_t index)
{
    return scenarios[index].query;
}

void prfdata_scenarios_run(size_t index, prfdata_check *check)
{
    check->name = scenarios[index].name;
    check->did[0] = '\0';
    check->thread.thread.query = scenarios[index].query;
    scenarios[index].run(check, scenarios[index].query);
    prfdata_strict_flush(&check->thread);
}
