/* SPDX-License-Identifier: MIT */
/* Compares what the provider returns with the value Object List and with the titles of the
 * service. */
#include "scenarios/scenarios.h"

#include <stdio.h>
#include <stdlib.h>
#include <wchar.h>

#include "base/wide_format.h"
#include "validate/validate_titles.h"

/* ---- Object List ---- */

/* Get the next number of a list of words; false: there is none. */
static bool next_listed_title(const wchar_t **list, uint32_t *title)
{
    wchar_t *end;

    for (;;) {
        *list += wcsspn(*list, L" \t");
        if (**list == 0)
            return false;
        *title = (uint32_t)wcstoul(*list, &end, 10);
        if (end != *list && (*end == 0 || *end == L' ' || *end == L'\t'))
            break;
        *list += wcscspn(*list, L" \t");
    }
    *list = end;
    return true;
}

static bool is_title_listed(const wchar_t *list, uint32_t title)
{
    uint32_t listed;

    while (next_listed_title(&list, &listed)) {
        if (listed == title)
            return true;
    }
    return false;
}

static bool is_title_answered(prfdata_check *check, uint32_t title)
{
    prfdata_reply_objects set;
    wchar_t query[16];

    (void)swprintf(query, 16, L"%u", (unsigned)title);
    prfdata_check_ask_titles(check, query, &set);
    check->thread.thread.query = NULL;
    return prfdata_reply_objects_has(&set, title);
}

/* Check that the value Object List names all objects that Collect returns, and no others. If a
 * service has this value, Windows asks it only for the objects that the value names. */
static void run_object_list(prfdata_check *check, const wchar_t *query)
{
    const wchar_t *list = check->strict.caller.registration->objects;
    uint32_t title;

    (void)query;
    if (!list[0] || !prfdata_check_make_ready(check))
        return;
    for (size_t i = 0; i < check->global.count; i++) {
        if (!is_title_listed(list, check->global.items[i]))
            prfdata_check_find_object(&check->thread, PRFDATA_RULE_OBJECT_LIST,
                                      "the value Object List does not name the object",
                                      check->global.items[i]);
    }
    for (const wchar_t *at = list; next_listed_title(&at, &title);) {
        if (!prfdata_reply_objects_has(&check->global, title) && !is_title_answered(check, title))
            prfdata_check_find_object(
                &check->thread, PRFDATA_RULE_OBJECT_LIST,
                "the value Object List names the object, but Collect does not return it", title);
    }
}

/* ---- First Counter to Last Counter ---- */

#define TITLE_CHARS 12u /* a number, a blank and a NUL */

static void add_titles(prfdata_check *check, const wchar_t *query,
                       prfdata_validate_titles_seen *seen)
{
    prfdata_strict_result result;

    if (prfdata_check_ask(check, query, &result) == ERROR_SUCCESS)
        (void)prfdata_validate_titles_add(seen, &result.reply);
}

/* Put the next titles that were not seen, with blanks between them. Returns where to continue. */
static uint32_t put_unseen_titles(const prfdata_validate_titles_seen *seen, uint32_t from,
                                  wchar_t *query, size_t capacity)
{
    size_t used = 0;
    uint32_t i = from;

    query[0] = 0;
    for (; i < seen->count && used + TITLE_CHARS < capacity; i++) {
        if (!seen->is_seen[i])
            used +=
                (size_t)prfdata_wide_format(query + used, capacity - used, L"%ls%u",
                                            used > 0 ? L" " : L"", (unsigned)(seen->first + 2 * i));
    }
    return i;
}

/* Ask for Global, Costly and all titles that are not in these replies, because an object may be
 * returned only if its index is asked for. */
static void look_for_titles(prfdata_check *check, prfdata_validate_titles_seen *seen)
{
    wchar_t query[64 * TITLE_CHARS];
    uint32_t next = 0;

    add_titles(check, L"Global", seen);
    add_titles(check, L"Costly", seen);
    while (next < seen->count && prfdata_check_has_time(check)) {
        next = put_unseen_titles(seen, next, query, sizeof query / sizeof query[0]);
        if (query[0])
            add_titles(check, query, seen);
    }
    check->thread.thread.query = NULL;
}

static void run_titles(prfdata_check *check, const wchar_t *query)
{
    const prfdata_registration_titles *titles = &check->strict.caller.registration->titles;
    prfdata_validate_titles_seen *seen = calloc(1, sizeof *seen);

    (void)query;
    if (!seen || titles->first_counter == 0 || titles->last_counter < titles->first_counter ||
        !prfdata_check_make_ready(check) || check->global.count == 0)
        goto free_seen;
    seen->first = titles->first_counter;
    seen->count = (titles->last_counter - titles->first_counter) / 2 + 1;
    if (seen->count > PRFDATA_VALIDATE_TITLES_MAX)
        seen->count = PRFDATA_VALIDATE_TITLES_MAX;
    look_for_titles(check, seen);
    prfdata_validate_titles_end(seen, &check->thread.findings);
    prfdata_strict_flush(&check->thread);
    (void)snprintf(check->did, sizeof check->did, "%u titles", (unsigned)seen->count);
free_seen:
    free(seen);
}

static const prfdata_scenario titles_list[] = {
    {"object-list", run_object_list, NULL},
    {"titles", run_titles, NULL},
};

const prfdata_scenario_group prfdata_scenario_titles = {
    titles_list,
    sizeof titles_list / sizeof titles_list[0],
};
