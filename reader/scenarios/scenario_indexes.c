/* SPDX-License-Identifier: MIT */
/* Checks queries of title indexes: the provider's own ones, others, and texts that only look like
 * them. */
#include "scenarios/scenarios.h"

#include <stdio.h>
#include <stdlib.h>
#include <wchar.h>

#include "base/wide_format.h"
#include "validate/validate_asked.h"

#define LONG_NUMBER  10000u
#define OTHERS_CHARS 40000u

/* Returns whether `title` is `asked`, or may be the parent of `asked`, the parent of this parent,
 * and so on. */
static bool is_related_title(const prfdata_reply_objects *set, uint32_t title, uint32_t asked)
{
    for (size_t depth = 0; asked != 0 && depth <= set->count; depth++) {
        uint32_t parent = 0;

        if (title == asked)
            return true;
        for (size_t i = 0; i < set->count; i++) {
            if (set->items[i] == asked)
                parent = set->parents[i];
        }
        if (parent == PRFDATA_VALIDATE_UNKNOWN)
            return true;
        asked = parent;
    }
    return false;
}

/* Number of rounds. A fault counts only if it is the same in all rounds, because objects that come
 * and go do not fail in the same way each time. */
#define ASKED_ROUNDS 10
/* The pause between two rounds. All rounds take longer than a second, because a provider may keep a
 * reply for a second. */
#define ASKED_MS 120u

/* The difference between the reply to an index and the reply to Global before it. */
typedef enum index_fault {
    INDEX_RIGHT,
    INDEX_ZEROS,    /* the reply to the index has only the value 0 */
    INDEX_OLD,      /* the reply to the index has older values */
    INDEX_COUNTERS, /* the reply to the index has other counters */
    INDEX_INSTANCES /* the reply to the index lacks instances */
} index_fault;

static index_fault compare_with_global(prfdata_check *check, const wchar_t *query, uint32_t title)
{
    const prfdata_validate_reply *all = prfdata_history_find(&check->history, L"Global");
    const prfdata_validate_reply *asked = prfdata_history_find(&check->history, query);
    /* static, because two sets of objects are too large for a stack. */
    static prfdata_reply_objects set;
    prfdata_findings findings;

    if (!all || !asked)
        return INDEX_RIGHT;
    if (prfdata_validate_asked_zero(all, asked) == title)
        return INDEX_ZEROS;
    prfdata_findings_init(&findings);
    (void)prfdata_validate_change(all, asked, NULL, &findings);
    if (findings.totals[PRFDATA_RULE_DEFINITIONS_CHANGED] > 0)
        return INDEX_COUNTERS;
    if (findings.totals[PRFDATA_RULE_VALUE_BACKWARDS] > 0)
        return INDEX_OLD;
    prfdata_reply_objects_read(asked, &set);
    return prfdata_reply_objects_first_cut(&set, &check->global) == title ? INDEX_INSTANCES
                                                                          : INDEX_RIGHT;
}

/* Return the difference if it is the same in all rounds; otherwise INDEX_RIGHT. */
static index_fault find_index_fault(prfdata_check *check, const wchar_t *query, uint32_t title)
{
    prfdata_strict_result result;
    index_fault fault = INDEX_RIGHT;

    for (int round = 0; round < ASKED_ROUNDS; round++) {
        const uint64_t found = check->thread.found;
        index_fault this_fault;

        if (round > 0)
            Sleep(ASKED_MS);
        /* Ask once or twice in turn, because an instance may be in every second reply. */
        for (int ask = 0; ask <= round % 2; ask++)
            prfdata_check_ask_global(check);
        (void)prfdata_check_ask(check, query, &result);
        this_fault = compare_with_global(check, query, title);
        if (this_fault == INDEX_OLD && check->thread.found != found)
            /* Values also go backwards in replies to Global, or there is a more severe finding. So
             * the older values are no fault of the query. */
            return INDEX_RIGHT;
        if (this_fault == INDEX_RIGHT || (round > 0 && this_fault != fault))
            return INDEX_RIGHT;
        fault = this_fault;
    }
    return fault;
}

static void validate_index_fault(prfdata_check *check, const wchar_t *query, uint32_t title)
{
    static const struct {
        prfdata_rule rule;
        const char *text;
    } faults[] = {
        [INDEX_ZEROS] = {PRFDATA_RULE_INDEX_ZERO,
                         "all values are 0, but not in the reply to Global"},
        [INDEX_OLD] = {PRFDATA_RULE_INDEX_ZERO,
                       "values are older than those that Global returned before"},
        [INDEX_COUNTERS] = {PRFDATA_RULE_DEFINITIONS_CHANGED,
                            "the definitions differ from those in the reply to Global"},
        [INDEX_INSTANCES] = {PRFDATA_RULE_INDEX_UNANSWERED,
                             "instances are missing that Global returns"},
    };
    const index_fault fault = find_index_fault(check, query, title);

    if (fault != INDEX_RIGHT)
        prfdata_check_find_object(&check->thread, faults[fault].rule, faults[fault].text, title);
}

static void run_single_index(prfdata_check *check, uint32_t title)
{
    prfdata_reply_objects set;
    wchar_t query[16];

    (void)swprintf(query, 16, L"%u", (unsigned)title);
    prfdata_check_ask_titles(check, query, &set);
    if (!prfdata_reply_objects_has(&set, title)) {
        prfdata_check_ask_global(check);
        prfdata_check_ask_titles(check, query, &set);
        if (prfdata_reply_objects_has(&check->global, title) &&
            !prfdata_reply_objects_has(&set, title))
            prfdata_check_find_object(&check->thread, PRFDATA_RULE_INDEX_UNANSWERED,
                                      "the object was not returned", title);
    }
    validate_index_fault(check, query, title);
    for (size_t i = 0; i < set.count; i++) {
        if (!is_related_title(&set, set.items[i], title)) {
            prfdata_check_find_object(&check->thread, PRFDATA_RULE_INDEX_EXTRA,
                                      "the object was not asked for", set.items[i]);
            return;
        }
    }
}

static void run_title_list(prfdata_check *check, const wchar_t *query)
{
    prfdata_reply_objects set;
    uint32_t missing;

    prfdata_check_ask_titles(check, query, &set);
    if (prfdata_reply_objects_first_missing(&check->global, &set) == 0)
        return;
    prfdata_check_ask_global(check);
    prfdata_check_ask_titles(check, query, &set);
    missing = prfdata_reply_objects_first_missing(&check->global, &set);
    if (missing != 0)
        prfdata_check_find_object(&check->thread, PRFDATA_RULE_INDEX_UNANSWERED,
                                  "the object was not returned", missing);
}

enum {
    LIST_PLAIN,
    LIST_BACKWARDS,
    LIST_TWICE,
    LIST_BLANKS,
    LIST_MIXED,
    LIST_LONG,
    LIST_LAST,
    LIST_COUNT
};

/* Put titles of other providers. They fill more chars than any buffer of a provider should have. */
static size_t put_other_titles(wchar_t *text)
{
    size_t used = 0;

    while (used < OTHERS_CHARS) {
        wmemcpy(text + used, L"2 4 ", 4);
        used += 4;
    }
    text[used] = 0;
    return used;
}

/* Write a list of all titles in one of the forms LIST_PLAIN to LIST_LAST. In the form LIST_LAST,
 * many titles of other providers come first. */
static void write_title_list(const prfdata_check *check, int form, wchar_t *text, size_t capacity)
{
    static const wchar_t *const formats[LIST_COUNT] = {
        L"%ls%u", L"%ls%u", L"%ls%u %u", L"%ls  %u  ", L"%ls2 %u 4", L"%ls%u", L"%ls%u"};
    const size_t count = check->global.count;
    const size_t repeats = form == LIST_LONG ? 1000 : 1;
    size_t used = 0;

    text[0] = 0;
    if (form == LIST_LAST)
        used = put_other_titles(text);
    for (size_t i = 0; i < count * repeats && used + 64 < capacity; i++) {
        const size_t position = form == LIST_BACKWARDS ? count - 1 - i : i % count;
        const uint32_t title = check->global.items[position];
        int put = prfdata_wide_format(text + used, capacity - used, formats[form],
                                      used > 0 && text[used - 1] != L' ' ? L" " : L"",
                                      (unsigned)title, (unsigned)title);

        if (put > 0)
            used += (size_t)put;
    }
}

static void run_indexes(prfdata_check *check, const wchar_t *query)
{
    const size_t capacity = PRFDATA_REPLY_OBJECTS_MAX * 64;
    wchar_t *text = calloc(capacity, sizeof *text);
    prfdata_reply_objects titles;

    (void)query;
    if (!text || !prfdata_check_make_ready(check))
        goto free_text;
    titles = check->global;
    for (size_t i = 0; i < titles.count && (i == 0 || prfdata_check_has_time(check)); i++)
        run_single_index(check, titles.items[i]);
    for (int form = LIST_COUNT - 1; form >= 0 && check->global.count > 0 &&
                                    (form == LIST_COUNT - 1 || prfdata_check_has_time(check));
         form--) { /* the last form first, because providers fail in it most often */
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
    prfdata_reply_objects set;
    wchar_t own[16];

    for (size_t i = 0; i < check->global.count; i++) {
        (void)swprintf(own, 16, L"%u", (unsigned)check->global.items[i]);
        if (wcscmp(own, query) == 0)
            return;
    }
    prfdata_check_ask_titles(check, query, &set);
    if (set.count > 0)
        prfdata_check_find_object(&check->thread, rule, "the object was returned", set.items[0]);
}

/* Ask for numbers that contain a title, are a part of a title, or become a title if digits are
 * lost. */
static void run_substrings(prfdata_check *check, const wchar_t *query)
{
    static const uint64_t modulo_32 = (uint64_t)1 << 32;
    wchar_t own[16];
    wchar_t text[40];

    (void)query;
    if (!prfdata_check_make_ready(check))
        return;
    for (size_t i = 0; i < check->global.count && i < 8; i++) {
        const uint32_t title = check->global.items[i];
        const int digits = prfdata_wide_format(own, 16, L"%u", (unsigned)title);

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
        /*
         * 2^64 is 18446744073709551616, and adding a title to it changes only the last ten digits.
         */
        (void)swprintf(text, 40, L"1844674407%llu",
                       (unsigned long long)(UINT64_C(3709551616) + title));
        expect_nothing_of_ours(check, text, PRFDATA_RULE_INDEX_SUBSTRING);
    }
}

static void run_malformed(prfdata_check *check, const wchar_t *query)
{
    static const wchar_t *const formats[] = {L"%ux", L"x%u", L"+%u", L"-%u", L"%u.0", L"0x%X"};
    wchar_t text[40];

    (void)query;
    if (!prfdata_check_make_ready(check))
        return;
    for (size_t i = 0; i < check->global.count && i < 8; i++) {
        for (size_t k = 0; k < sizeof formats / sizeof formats[0]; k++) {
            (void)swprintf(text, 40, formats[k], (unsigned)check->global.items[i]);
            expect_nothing_of_ours(check, text, PRFDATA_RULE_INDEX_MALFORMED);
            (void)swprintf(text, 40, L"2 ");
            (void)swprintf(text + 2, 38, formats[k], (unsigned)check->global.items[i]);
            expect_nothing_of_ours(check, text, PRFDATA_RULE_INDEX_MALFORMED);
        }
    }
    check->thread.thread.query = NULL;
}

static void run_others(prfdata_check *check, const wchar_t *query)
{
    if (prfdata_check_make_ready(check))
        expect_nothing_of_ours(check, query, PRFDATA_RULE_INDEX_IGNORED);
}

/* Ask for a number of 10,000 digits, and for one that begins with a title. */
static void run_long_number(prfdata_check *check, const wchar_t *query)
{
    wchar_t *text = calloc(LONG_NUMBER + 1, sizeof *text);

    (void)query;
    if (!text || !prfdata_check_make_ready(check))
        goto free_text;
    wmemset(text, L'9', LONG_NUMBER);
    expect_nothing_of_ours(check, text, PRFDATA_RULE_INDEX_IGNORED);
    if (check->global.count > 0) {
        const int digits = prfdata_wide_format(text, 16, L"%u", (unsigned)check->global.items[0]);

        text[digits] = L'0';
        expect_nothing_of_ours(check, text, PRFDATA_RULE_INDEX_SUBSTRING);
    }
free_text:
    check->thread.thread.query = NULL;
    free(text);
}

static const prfdata_scenario indexes_list[] = {
    {"indexes", run_indexes, NULL},     {"substrings", run_substrings, NULL},
    {"malformed", run_malformed, NULL}, {"others", run_others, L"2"},
    {"others", run_others, L"0"},       {"others", run_others, L"4294967295"},
    {"others", run_others, L"-2"},      {"long-number", run_long_number, NULL},
};

const prfdata_scenario_group prfdata_scenario_indexes = {
    indexes_list,
    sizeof indexes_list / sizeof indexes_list[0],
};
