/* SPDX-License-Identifier: MIT */
/* Checks which words of queries a provider answers, and with which objects. Also takes many samples
 * in a row. */
#include "scenarios/scenarios.h"

#include <stdio.h>
#include <wchar.h>

#include "scenarios/import_watch.h"

/* Fewest samples in a row, even if the time is over. Side effects of fewer Collects are not
 * reported. */
#define LEAST_SAMPLES 4

/* Rounds of Open and two Collects. Only an object that comes late in every round is reported
 * (find_late_title()). An object that comes and goes is unlikely to be late in every round. */
#define EARLY_ROUNDS 8

static void run_first(prfdata_check *check, const wchar_t *query)
{
    (void)query;
    if (!prfdata_check_make_ready(check))
        return;
    (void)snprintf(check->did, sizeof check->did, "%u objects in %u bytes",
                   (unsigned)check->global.count, (unsigned)check->needed);
    prfdata_check_close(check);
    prfdata_check_unload(check);
}

/* Return an object that is missing or has no instances in the first Collect after Open, but not in
 * the second one; 0: there is none. */
static uint32_t find_late_title(prfdata_check *check)
{
    prfdata_reply_objects first;

    prfdata_check_close(check);
    prfdata_check_open(check);
    if (!check->is_open)
        return 0;
    prfdata_check_ask_global(check);
    first = check->global;
    prfdata_check_ask_global(check);
    return prfdata_reply_objects_first_empty(&first, &check->global);
}

static void run_early(prfdata_check *check, const wchar_t *query)
{
    uint32_t title = 0;

    (void)query;
    prfdata_check_look(check);
    for (int round = 0; round < EARLY_ROUNDS; round++) {
        const uint32_t late = find_late_title(check);

        if (late == 0 || (round > 0 && late != title))
            return;
        title = late;
    }
    prfdata_check_find_object(&check->thread, PRFDATA_RULE_FIRST_SAMPLE,
                              "the object or its instances came only with the second Collect",
                              title);
}

/* Reports side effects that every Collect has. Effects of only some Collects are not reported,
 * because a provider may have them once, or now and then. */
static void validate_effects(prfdata_check *check, uint32_t collects)
{
    static const char *const effects[PRFDATA_IMPORT_COUNT] = {
        [PRFDATA_IMPORT_FILE_WRITE] = "wrote a file",
        [PRFDATA_IMPORT_EVENT] = "reported an event",
        [PRFDATA_IMPORT_PERF_QUERY] = "asked HKEY_PERFORMANCE_DATA",
        [PRFDATA_IMPORT_REGISTRY] = "wrote a value of the registry",
        [PRFDATA_IMPORT_PROCESS] = "started a process",
        [PRFDATA_IMPORT_DEBUG_TEXT] = "wrote a text for a debugger",
    };

    for (int i = 0; i < PRFDATA_IMPORT_COUNT; i++) {
        if (effects[i] && collects >= LEAST_SAMPLES &&
            prfdata_import_watch_take((prfdata_import)i) >= collects)
            prfdata_findings_add(&check->thread.findings, PRFDATA_RULE_COLLECT_EFFECTS,
                                 PRFDATA_NO_OFFSET, "each of %u Collects %s", (unsigned)collects,
                                 effects[i]);
    }
}

static void run_samples(prfdata_check *check, const wchar_t *query)
{
    const uint32_t count = check->quick ? 16 : 200;
    prfdata_validate_run run = {0};
    uint32_t done = 0;
    prfdata_strict_result result;

    for (int i = PRFDATA_IMPORT_FILE_WRITE; i < PRFDATA_IMPORT_COUNT; i++)
        (void)prfdata_import_watch_take((prfdata_import)i);
    check->history.run = &run;
    while (done < count && (done < LEAST_SAMPLES || prfdata_check_has_time(check)) &&
           prfdata_check_make_ready(check)) {
        (void)prfdata_check_ask(check, query, &result);
        done++;
    }
    check->history.run = NULL;
    prfdata_validate_run_end(&run, &check->thread.findings);
    validate_effects(check, done);
    prfdata_strict_flush(&check->thread);
    (void)snprintf(check->did, sizeof check->did, "%u in a row", (unsigned)done);
}

static void expect_all(prfdata_check *check, const wchar_t *query, prfdata_rule rule)
{
    prfdata_reply_objects set;

    if (!prfdata_check_make_ready(check))
        return;
    prfdata_check_ask_titles(check, query, &set);
    if (prfdata_reply_objects_are_same(&set, &check->global))
        return;
    /* Ask again, because Global may have changed since it was asked for. */
    prfdata_check_ask_global(check);
    prfdata_check_ask_titles(check, query, &set);
    if (!prfdata_reply_objects_are_same(&set, &check->global))
        prfdata_check_find(&check->thread, rule,
                           "%u objects were returned, but not those of Global",
                           (uint32_t)set.count);
}

static void run_case(prfdata_check *check, const wchar_t *query)
{
    expect_all(check, query, PRFDATA_RULE_QUERY_CASE);
}

static void run_old(prfdata_check *check, const wchar_t *query)
{
    expect_all(check, query, PRFDATA_RULE_QUERY_OLD);
}

static void expect_nothing(prfdata_check *check, const wchar_t *query, prfdata_rule rule)
{
    prfdata_strict_result result;

    if (prfdata_check_make_ready(check) &&
        prfdata_check_ask(check, query, &result) == ERROR_SUCCESS && result.reply.size > 0)
        prfdata_check_find(&check->thread, rule, "Collect returned %u bytes",
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

static void run_foreign_index(prfdata_check *check, const wchar_t *query)
{
    wchar_t text[32];

    (void)query;
    if (!prfdata_check_make_ready(check) || check->global.count == 0)
        return;
    (void)swprintf(text, 32, L"Foreign %u", (unsigned)check->global.items[0]);
    expect_nothing(check, text, PRFDATA_RULE_QUERY_FOREIGN);
    check->thread.thread.query = NULL;
}

static void run_costly(prfdata_check *check, const wchar_t *query)
{
    prfdata_reply_objects set;

    if (!prfdata_check_make_ready(check))
        return;
    prfdata_check_ask_titles(check, query, &set);
    for (size_t i = 0; i < set.count; i++) {
        if (prfdata_reply_objects_has(&check->global, set.items[i])) {
            prfdata_check_find_object(&check->thread, PRFDATA_RULE_QUERY_COSTLY,
                                      "the object is in the replies to Costly and to Global",
                                      set.items[i]);
            return;
        }
    }
}

/*
 * Check that the reply to a metadata query is complete. If the query contains Costly, the reply
 * must have every object that Costly returns, otherwise every object that Global returns.
 */
static void validate_metadata_titles(prfdata_check *check, const wchar_t *query,
                                     const prfdata_reply_objects *set)
{
    prfdata_reply_objects all;
    uint32_t missing;

    prfdata_check_ask_titles(check, wcsstr(query, L"Costly") ? L"Costly" : L"Global", &all);
    missing = prfdata_reply_objects_first_missing(&all, set);
    if (missing != 0) {
        check->thread.thread.query = query;
        prfdata_check_find_object(&check->thread, PRFDATA_RULE_METADATA_OBJECTS,
                                  "the object is missing", missing);
    }
}

static void run_metadata(prfdata_check *check, const wchar_t *query)
{
    prfdata_reply_objects set;

    if (!prfdata_check_make_ready(check) || !prfdata_check_may_ask(check, query))
        return;
    prfdata_check_ask_titles(check, query, &set);
    if (set.count > 0)
        validate_metadata_titles(check, query, &set);
    else if (check->strict.caller.registration->answers_metadata &&
             wcscmp(query, L"MetadataGlobal") == 0 && check->global.count > 0)
        prfdata_check_find(&check->thread, PRFDATA_RULE_METADATA_UNANSWERED,
                           "Collect returned no objects, but %u for Global",
                           (uint32_t)check->global.count);
}

static const prfdata_scenario queries_list[] = {
    {"first", run_first, NULL},
    {"early", run_early, L"Global"},
    {"samples", run_samples, L"Global"},
    {"case", run_case, L"global"},
    {"case", run_case, L"GLOBAL"},
    {"old", run_old, L"OLD_Global"},
    {"null", run_empty, NULL},
    {"empty", run_empty, L""},
    {"empty", run_empty, L" "},
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
};

const prfdata_scenario_group prfdata_scenario_queries = {
    queries_list,
    sizeof queries_list / sizeof queries_list[0],
};
