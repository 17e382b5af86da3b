/* SPDX-License-Identifier: MIT */
/* Scenarios about Open and Close: several, too many, and Collect without them. Knows Windows. */
#include "prfcheck/scenarios.h"

static void run_reopen(prfdata_check *check, const wchar_t *query)
{
    prfdata_titles set;

    if (!prfdata_check_make_ready(check))
        return;
    (void)prfdata_strict_open(&check->thread);
    (void)prfdata_strict_open(&check->thread);
    (void)prfdata_strict_close(&check->thread);
    prfdata_check_ask_titles(check, query, &set);
    (void)prfdata_strict_close(&check->thread);
    if (prfdata_titles_first_missing(&check->global, &set) == 0)
        prfdata_check_ask_titles(check, query, &set);
    if (prfdata_titles_first_missing(&check->global, &set) != 0)
        prfdata_check_find(&check->thread, PRFDATA_RULE_OPEN_COUNT,
                           "no object %u with one Open left",
                           prfdata_titles_first_missing(&check->global, &set));
}

/* What the system does not do; only faults count. */
static void run_closed(prfdata_check *check, const wchar_t *query)
{
    prfdata_strict_result result;

    prfdata_check_close(check);
    prfdata_check_unload(check);
    prfdata_check_load(check);
    if (!check->is_loaded)
        return;
    check->strict.is_outside_contract = true;
    (void)prfdata_check_ask(check, query, &result);
    (void)prfdata_strict_close(&check->thread);
    (void)prfdata_strict_close(&check->thread);
    (void)prfdata_check_ask(check, query, &result);
    check->strict.is_outside_contract = false;
    prfdata_check_unload(check);
    if (prfdata_check_make_ready(check)) /* afterwards it must work as before */
        (void)prfdata_check_ask(check, L"Global", &result);
}

static const prfdata_scenario closing_list[] = {
    {"reopen", run_reopen, L"Global"},
    {"closed", run_closed, L"Global"},
};

const prfdata_scenario_group prfdata_scenario_closing = {
    closing_list,
    sizeof closing_list / sizeof closing_list[0],
};
