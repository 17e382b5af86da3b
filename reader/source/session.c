/* SPDX-License-Identifier: MIT */
/* Takes samples of a source, and loads its titles again when they change. */
#include "source/session.h"

#include <stdlib.h>
#include <string.h>

#include <prfdata/error.h>

#include "os/system.h"
#include "system/os.h"

#define TITLES_MS 1000 /* interval between comparisons of titles, while the titles may change */
/* Longest expected duration of an installation that has begun to change titles. */
#define SETTLE_MS 2000

#define MAX_OBJECTS 1000 /* with more objects than this, parents are no longer searched for */

/* Compare titles from now on, until a comparison succeeds SETTLE_MS after now_ms or later. */
static void expect_other_titles(prfdata_session *session, uint64_t now_ms)
{
    session->is_unsettled = true;
    session->settled_ms = now_ms + SETTLE_MS;
}

void prfdata_session_open(prfdata_session *session, prfdata_source *source,
                          prfdata_messages *messages)
{
    uint32_t status;

    memset(session, 0, sizeof *session);
    session->source = source;
    session->messages = messages;
    session->computer.chars = session->computer_chars;
    session->computer.count = prfdata_source_computer(source, session->computer_chars, 256);
    session->clock_ms = prfdata_os_milliseconds;
    /* Get the stamp before the titles are read, so that no change is missed. */
    session->titles_stamp = prfdata_source_titles_stamp(source);
    /* Titles may change again, because an installation may be running. */
    expect_other_titles(session, session->clock_ms());
    session->titles_due_ms = session->settled_ms - SETTLE_MS + TITLES_MS;
    status = prfdata_source_load_titles(source, &session->titles);
    if (status != ERROR_SUCCESS)
        prfdata_messages_add_system(messages, prfdata_no_subject, status,
                                    "cannot read the names of counters");
}

/* ---- Titles ---- */

uint32_t prfdata_session_load_helps(prfdata_session *session)
{
    session->has_helps = true;
    return prfdata_source_load_helps(session->source, &session->titles);
}

static bool may_have_changed(prfdata_session *session, uint64_t now_ms)
{
    const uint64_t stamp = prfdata_source_titles_stamp(session->source);

    if (stamp != session->titles_stamp)
        expect_other_titles(session, now_ms);
    else if (!session->is_unsettled || now_ms < session->titles_due_ms)
        return false;
    session->titles_due_ms = now_ms + TITLES_MS;
    session->titles_stamp = stamp;
    return true;
}

/*
 * Load all titles that the session wants. If the help texts can no longer be read, but a name has
 * changed, load only the names. If no name has changed, return the error, so that the caller keeps
 * the old titles with their help texts.
 */
static uint32_t load_wanted_titles(prfdata_session *session, prfdata_titles *titles)
{
    const bool had_helps = session->titles.helps.count > 0 || session->titles.metrics.count > 0;
    uint32_t status = prfdata_source_load_titles(session->source, titles);
    uint32_t helps;

    if (status != ERROR_SUCCESS || !session->has_helps)
        return status;
    helps = prfdata_source_load_helps(session->source, titles);
    if (helps == ERROR_NOT_ENOUGH_MEMORY)
        return helps;
    return had_helps && prfdata_titles_equal_names(titles, &session->titles) ? helps
                                                                             : ERROR_SUCCESS;
}

static bool are_same_titles(const prfdata_session *session, const prfdata_titles *titles)
{
    return prfdata_titles_equal_names(titles, &session->titles) &&
           (!session->has_helps || prfdata_titles_equal_helps(titles, &session->titles));
}

bool prfdata_session_find_changed_titles(prfdata_session *session, prfdata_titles *found)
{
    prfdata_titles made = {0};
    uint64_t now_ms;
    uint32_t status;

    if (!session->source->kind->titles_stamp)
        return false;
    now_ms = session->clock_ms();
    if (!may_have_changed(session, now_ms))
        return false;
    status = load_wanted_titles(session, &made);
    if (status == ERROR_SUCCESS && now_ms >= session->settled_ms)
        session->is_unsettled = false;
    if (status != ERROR_SUCCESS || are_same_titles(session, &made)) {
        prfdata_titles_free(&made);
        return false;
    }
    *found = made;
    return true;
}

bool prfdata_session_renew_titles(prfdata_session *session)
{
    const uint32_t version = session->titles.version;
    prfdata_titles found;

    if (!prfdata_session_find_changed_titles(session, &found))
        return false;
    prfdata_titles_keep_former(&found, &session->titles);
    prfdata_titles_free(&session->titles);
    session->titles = found;
    session->titles.version = version + 1;
    return true;
}

void prfdata_session_close(prfdata_session *session)
{
    prfdata_source_close(session->source);
    prfdata_titles_free(&session->titles);
    memset(session, 0, sizeof *session);
}

bool prfdata_session_is_damaged(const prfdata_session *session)
{
    return session->is_damaged || (session->source && session->source->is_damaged);
}

bool prfdata_session_is_name_everywhere(prfdata_text computer)
{
    static const char *const everywhere[] = {"localhost", ".", "127.0.0.1", "::1"};

    for (size_t i = 0; i < sizeof everywhere / sizeof everywhere[0]; i++) {
        if (prfdata_text_equal_ascii(computer, everywhere[i]))
            return true;
    }
    return false;
}

bool prfdata_session_is_local(prfdata_text computer)
{
    return computer.count == 0 || prfdata_session_is_name_everywhere(computer) ||
           prfdata_system_is_computer(computer);
}

bool prfdata_session_is_here(const prfdata_session *session, prfdata_text computer)
{
    const prfdata_source_kind *kind = session->source->kind;

    if (computer.count == 0 || prfdata_text_equal(computer, session->computer))
        return true;
    if (!kind->computer)
        return prfdata_session_is_local(computer);
    return kind->is_recorded && prfdata_session_is_name_everywhere(computer);
}

const char *prfdata_session_absence(const prfdata_session *session, prfdata_text object,
                                    bool is_titled, prfdata_output *output)
{
    static const char absent[] = "no provider has this object now";
    prfdata_output reason = {0};

    /* In a misplaced sample, readers find no object that a provider returned. */
    if (session->is_misplaced)
        return "Wine returns the objects at the wrong place, so this one cannot be found; read "
               "with -dll or -regions";
    if (output && prfdata_source_explain_absence(session->source, object, &reason)) {
        is_titled = true; /* the object's map has the name */
        prfdata_output_put_string(output, absent);
        prfdata_output_put_string(output, ": ");
        prfdata_output_put(output, reason.bytes, reason.used);
        prfdata_output_put(output, "", 1);
    }
    prfdata_output_free(&reason);
    return is_titled ? absent : "no object has this name; -q lists all objects";
}

/* ---- Samples ---- */

static void report_damage(prfdata_session *session, const prfdata_sample *sample)
{
    char what[200];

    session->is_damaged = true;
    if (session->source->is_cut_short)
        return;
    if (prfdata_decode_is_misplaced(&sample->block)) {
        session->is_misplaced = true;
        prfdata_messages_add(session->messages, PRFDATA_SEVERITY_WARNING, prfdata_no_subject,
                             "Wine puts the objects %u bytes later than the block's header says, "
                             "so no reader finds them; -dll SERVICE and -regions SERVICE read "
                             "without Wine's registry",
                             (unsigned)sizeof(prfdata_perf_data_block));
        return;
    }
    prfdata_decode_error_text(&sample->damage, what, sizeof what);
    prfdata_messages_add(session->messages, PRFDATA_SEVERITY_WARNING, prfdata_no_subject,
                         "a provider's data is damaged in %u places, first at %s",
                         (unsigned)sample->damage_count, what);
}

static void report_failure(prfdata_session *session, uint32_t status)
{
    if (status == ERROR_NO_MORE_ITEMS && session->source->kind->is_recorded)
        return;
    if (status == ERROR_CANCELLED) {
        session->is_cancelled = true;
        return;
    }
    if (status == ERROR_INVALID_DATA)
        session->is_damaged = true;
    else if (session->failure == ERROR_SUCCESS)
        session->failure = status;
    if (status == session->source->failure)
        return; /* already reported */
    prfdata_messages_add_system(session->messages, prfdata_no_subject, status,
                                "cannot read performance data");
}

uint32_t prfdata_session_take(prfdata_session *session, const uint16_t *query,
                              prfdata_sample **sample)
{
    void *bytes = NULL;
    size_t size = 0;
    uint32_t status = prfdata_source_take(session->source, query, &bytes, &size);

    if (status == ERROR_SUCCESS) {
        status = prfdata_sample_make(bytes, size, sample);
        if (status != ERROR_SUCCESS)
            free(bytes);
        else if (session->source->kind->note_sample)
            session->source->kind->note_sample(session->source, *sample);
    }
    if (status != ERROR_SUCCESS)
        report_failure(session, status);
    else if ((*sample)->damage_count > 0)
        report_damage(session, *sample);
    if (session->failure == ERROR_SUCCESS)
        session->failure = session->source->failure;
    return status;
}

/*
 * Returns whether there is time for another sample: at least as much time is left before the
 * deadline as has passed since `began_ms`.
 */
static bool has_time_again(const prfdata_session *session, uint64_t began_ms)
{
    const uint64_t now_ms = prfdata_os_milliseconds();

    return session->source->deadline_ms == 0 ||
           now_ms + (now_ms - began_ms) < session->source->deadline_ms;
}

uint32_t prfdata_session_take_first(prfdata_session *session, prfdata_title_set *set,
                                    uint16_t **query, prfdata_sample **sample)
{
    const uint64_t began_ms = prfdata_os_milliseconds();
    /*
     * Ask for all objects only once, because no parent can be missing. Ask a recording only once,
     * because the second answer would be its next sample.
     */
    const bool is_final = set->count == 0 || set->is_global || session->source->kind->is_recorded;

    for (;;) {
        prfdata_sample *taken = NULL;
        uint32_t status = ERROR_NOT_ENOUGH_MEMORY;

        if (!*query)
            *query = prfdata_title_set_query(set);
        if (*query)
            status = prfdata_session_take(session, *query, &taken);
        else
            report_failure(session, status);
        if (status == ERROR_SUCCESS &&
            (is_final || set->count > MAX_OBJECTS || !prfdata_title_set_add_parents(set, taken))) {
            *sample = taken;
            return ERROR_SUCCESS;
        }
        free(*query);
        *query = NULL;
        if (status == ERROR_SUCCESS && !has_time_again(session, began_ms)) {
            *sample = taken; /* the next sample will include the parents */
            return ERROR_SUCCESS;
        }
        if (status != ERROR_SUCCESS)
            return status;
        prfdata_sample_free(taken);
    }
}
