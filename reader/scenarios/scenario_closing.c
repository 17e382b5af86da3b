/* SPDX-License-Identifier: MIT */
/* Checks Open and Close: several of them, more Closes than Opens, and Collect without Open. */
#include "scenarios/scenarios.h"

#define CAPACITY 65536u

static void run_reopen(prfdata_check *check, const wchar_t *query)
{
    prfdata_reply_objects set;

    if (!prfdata_check_make_ready(check))
        return;
    (void)prfdata_strict_open(&check->thread);
    (void)prfdata_strict_open(&check->thread);
    (void)prfdata_strict_close(&check->thread);
    prfdata_check_ask_titles(check, query, &set);
    (void)prfdata_strict_close(&check->thread);
    if (prfdata_reply_objects_first_missing(&check->global, &set) == 0)
        prfdata_check_ask_titles(check, query, &set);
    if (prfdata_reply_objects_first_missing(&check->global, &set) != 0)
        prfdata_check_find_object(
            &check->thread, PRFDATA_RULE_OPEN_COUNT,
            "the object was missing after a Close, while another Open had no Close",
            prfdata_reply_objects_first_missing(&check->global, &set));
}

/*
 * Call Collect, call Close `closes` times, and call Collect again. The system makes no such calls,
 * so any status is valid, and no reply is checked.
 */
static void collect_and_close(prfdata_check *check, const wchar_t *query, uint32_t closes)
{
    prfdata_strict_result result;

    check->strict.is_outside_contract = true;
    (void)prfdata_strict_collect(&check->thread, query, CAPACITY, PRFDATA_PLACE_PATTERNS, 0,
                                 &result);
    while (closes-- > 0)
        (void)prfdata_strict_close(&check->thread);
    (void)prfdata_strict_collect(&check->thread, query, CAPACITY, PRFDATA_PLACE_PATTERNS, 0,
                                 &result);
    check->strict.is_outside_contract = false;
}

/* After Closes that must have no effect, one Open must be enough to see all objects. */
static void expect_all_after_open(prfdata_check *check, const wchar_t *query,
                                  const prfdata_reply_objects *all)
{
    uint32_t missing;

    if (!prfdata_check_make_ready(check))
        return;
    check->thread.thread.query = query;
    missing = prfdata_reply_objects_first_missing(all, &check->global);
    if (missing != 0)
        prfdata_check_find_object(
            &check->thread, PRFDATA_RULE_CLOSE_SURPLUS,
            "the object was missing after more Closes than Opens and another Open", missing);
    prfdata_check_close(check);
}

static void run_closed(prfdata_check *check, const wchar_t *query)
{
    prfdata_reply_objects all;

    if (!prfdata_check_make_ready(check))
        return;
    all = check->global;
    prfdata_check_close(check);
    prfdata_check_unload(check);
    prfdata_check_load(check);
    if (!check->is_loaded)
        return;
    collect_and_close(check, query, 2); /* without any Open before */
    expect_all_after_open(check, query, &all);
    collect_and_close(check, query, 1); /* after a Close that belongs to an Open */
    expect_all_after_open(check, query, &all);
    prfdata_check_unload(check);
}

static const prfdata_scenario closing_list[] = {
    {"reopen", run_reopen, L"Global"},
    {"closed", run_closed, L"Global"},
};

const prfdata_scenario_group prfdata_scenario_closing = {
    closing_list,
    sizeof closing_list / sizeof closing_list[0],
};
