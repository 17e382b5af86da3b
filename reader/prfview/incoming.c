/* SPDX-License-Identifier: MIT */
/*
 * Handles the messages that the reading threads send to the window: names, samples, and the reasons
 * for missing samples.
 */
#include "prfview/incoming.h"

#include <stdio.h>
#include <stdlib.h>
#include <wchar.h>

#include "prfview/changes.h"
#include "prfview/documents.h"
#include "prfview/remembered.h"
#include "source/workers.h"

static void take_titles(prfdata_app *app)
{
    const prfdata_session *session = prfdata_reading_session(app->reading);

    app->unreached[0] = 0;
    if (app->former) {
        prfdata_changes_renew(app, &session->titles);
        return;
    }
    app->viewer.titles = prfdata_viewer_borrow_titles(&session->titles);
    prfdata_viewer_set_computer(&app->viewer, session->computer);
    prfdata_changes_begin(app);
    prfdata_remembered_begin(app);
    prfdata_viewer_begin_names(&app->viewer);
}

static void take_helps(prfdata_app *app, prfdata_titles *helps)
{
    prfdata_name_table_free(&app->viewer.titles.helps);
    app->viewer.titles.helps = helps->helps;
    helps->helps = (prfdata_name_table){0};
    prfdata_metric_table_free(&app->viewer.titles.metrics);
    app->viewer.titles.metrics = helps->metrics;
    helps->metrics = (prfdata_metric_table){0};
    prfdata_titles_free(helps);
    free(helps);
    prfdata_viewer_report(&app->viewer, PRFDATA_VIEWER_LEAVES | PRFDATA_VIEWER_COLUMNS);
}

/* Put into `text` why a sample could not be taken. `name` is the service if is_all is true,
 * otherwise the object; empty: several objects. */
static const wchar_t *failure_text(const prfdata_app *app, uint32_t status, const wchar_t *name,
                                   bool is_all, wchar_t text[PRFDATA_STRINGS_CHARS])
{
    wchar_t words[PRFDATA_STATUS_CHARS];
    wchar_t module[MAX_PATH] = L"";

    swprintf(words, 20, L"%u", PRFDATA_WORKERS_LIMIT_MS / 1000);
    if (status == ERROR_TIMEOUT)
        return prfdata_strings_format(text, is_all ? IDS_HUNG_ALL : IDS_HUNG, name, words, NULL);
    if (app->reading)
        prfdata_reading_fault(app->reading, module);
    if (status == ERROR_BROKEN_PIPE && module[0])
        return prfdata_strings_format(text, is_all ? IDS_ENDED_ALL_IN : IDS_ENDED_IN, name, module,
                                      NULL);
    if (status == ERROR_BROKEN_PIPE)
        return prfdata_strings_format(text, is_all ? IDS_ENDED_ALL : IDS_ENDED, name, NULL, NULL);
    swprintf(words, 20, L"%lu", (unsigned long)status);
    if (status == ERROR_ACCESS_DENIED)
        return prfdata_strings_format(text, IDS_DENIED, words, NULL, NULL);
    return prfdata_strings_format(
        text, IDS_FAILED, prfdata_strings_system(status, words, PRFDATA_STATUS_CHARS), NULL, NULL);
}

static const wchar_t *unreached_text(const prfdata_app *app, uint32_t status,
                                     wchar_t text[PRFDATA_STRINGS_CHARS])
{
    wchar_t words[PRFDATA_STATUS_CHARS];
    wchar_t name[200];

    return prfdata_strings_format(text, IDS_UNREACHED, prfdata_strings_text(app->remote, name, 200),
                                  prfdata_strings_system(status, words, PRFDATA_STATUS_CHARS),
                                  NULL);
}

static void report_failed_reading(prfdata_app *app, uint32_t status, LPARAM title)
{
    const bool is_computer = title == PRFDATA_READING_COMPUTER;
    prfdata_node *node = title > 0 ? prfdata_tree_object(&app->viewer.tree, (uint32_t)title) : NULL;
    wchar_t name[200] = L"";
    wchar_t room[PRFDATA_STRINGS_CHARS];
    const wchar_t *text;

    if (node)
        prfdata_strings_text(node->name, name, 200);
    text = is_computer ? unreached_text(app, status, room)
                       : failure_text(app, status, name, false, room);
    /* A problem of an object or a computer lasts, so the status bar shows it as a state, instead of
     * a message. */
    if (!node && !is_computer)
        prfdata_status_bar_say(&app->status, text);
    if (node || title <= 0)
        prfdata_viewer_note_failed(&app->viewer, node ? node->title : 0);
    if (node)
        prfdata_tree_silence(&app->viewer.tree, node, prfdata_strings_borrow(text));
    if (is_computer)
        prfdata_strings_copy(app->unreached, text, 400);
    prfdata_viewer_report(&app->viewer, PRFDATA_VIEWER_TABLE | PRFDATA_VIEWER_CHART);
}

static void report_failed_provider(prfdata_app *app, uint32_t status, wchar_t *name)
{
    wchar_t text[PRFDATA_STRINGS_CHARS];

    app->object_search.has_failed = true;
    prfdata_status_bar_say(
        &app->status,
        failure_text(app, status, name[0] ? name : prfdata_strings_get(IDS_SYSTEM), true, text));
    free(name);
}

/*
 * Return how many ms a late answer about one object took. 0: the answer was not late, or was about
 * several objects.
 */
static uint32_t late_ms(const prfdata_reading_answer *answer)
{
    const uint64_t took_ms = answer->took_us / 1000;

    return answer->worker > 0 && prfdata_workers_is_late(took_ms, answer->is_first)
               ? (uint32_t)took_ms
               : 0;
}

/*
 * Record a sample. If this fails, the recording ends, and everything that was written stays. The
 * failure is shown in the status bar, because a message box would stop the samples.
 */
static void record_sample(prfdata_app *app, const prfdata_reading_answer *answer)
{
    prfdata_recording_note note = {0};
    uint32_t status = ERROR_SUCCESS;
    wchar_t text[PRFDATA_STRINGS_CHARS];
    wchar_t path[MAX_PATH];
    wchar_t words[PRFDATA_STATUS_CHARS];

    if (!app->record)
        return;
    prfdata_viewer_note_of(&app->viewer, &answer->asked, &note);
    status = prfdata_record_add(app->record, answer->sample, &note, &app->viewer.titles);
    prfdata_recording_note_free(&note);
    if (status == ERROR_SUCCESS)
        return;
    prfdata_strings_text(prfdata_record_path(app->record), path, MAX_PATH);
    prfdata_status_bar_say(
        &app->status,
        prfdata_strings_format(text, IDS_UNWRITABLE, path,
                               prfdata_strings_system(status, words, PRFDATA_STATUS_CHARS), NULL));
    prfdata_documents_end_record(app);
}

/*
 * Record a sample, if a recording is running. Then show the sample. During a pause, show it only
 * after prfdata_viewer_wish(). The worker sends its next sample only after this sample is painted.
 * So a window that paints slowly shows fewer samples, but no old ones.
 */
static void take_answer(prfdata_app *app, prfdata_reading_answer *answer)
{
    prfdata_status_bar_note_sample(&app->status, answer->worker == 0 ? answer->took_us : 0);
    prfdata_viewer_note_came(&app->viewer, answer->sample, late_ms(answer));
    record_sample(app, answer);
    if (!prfdata_viewer_takes_next(&app->viewer, answer->worker)) {
        prfdata_viewer_pass_sample(&app->viewer);
        prfdata_reading_taken(app->reading, answer->worker);
        return;
    }
    prfdata_tree_pane_begin_filling(&app->tree);
    prfdata_viewer_take(&app->viewer, answer->sample, &answer->asked, late_ms(answer));
    answer->sample = NULL;
    prfdata_tree_pane_end_filling(&app->tree);
    prfdata_changes_show_status(app);
    RedrawWindow(app->window, NULL, NULL, RDW_UPDATENOW | RDW_ALLCHILDREN);
    if (app->reading)
        prfdata_reading_taken(app->reading, answer->worker);
}

/*
 * Say how many objects were found. If a provider has failed, say nothing, so that the message about
 * the failure stays.
 */
static void say_found_objects(prfdata_app *app)
{
    wchar_t text[PRFDATA_STRINGS_CHARS];
    wchar_t counts[2][PRFDATA_STRINGS_COUNT];
    uint32_t all;
    uint32_t added;

    if (prfdata_object_search_end(&app->object_search, &app->viewer, &all, &added))
        prfdata_status_bar_say(
            &app->status,
            prfdata_strings_format(text, IDS_FOUND_OBJECTS,
                                   prfdata_strings_count(app->style, all, counts[0]),
                                   prfdata_strings_count(app->style, added, counts[1]), NULL));
}

bool prfdata_incoming_take(prfdata_app *app, UINT message, WPARAM wparam, LPARAM lparam)
{
    switch (message) {
    case PRFDATA_READING_READY:
        take_titles(app);
        return true;
    case PRFDATA_READING_HELPS:
        take_helps(app, (prfdata_titles *)lparam);
        return true;
    case PRFDATA_READING_SAMPLE:
    case PRFDATA_READING_ALL:
        if (message == PRFDATA_READING_SAMPLE)
            take_answer(app, (prfdata_reading_answer *)lparam);
        else
            prfdata_viewer_note_objects(&app->viewer,
                                        ((const prfdata_reading_answer *)lparam)->sample,
                                        &((const prfdata_reading_answer *)lparam)->asked);
        prfdata_reading_free_answer((prfdata_reading_answer *)lparam);
        return true;
    case PRFDATA_READING_LATE:
        prfdata_viewer_note_late(&app->viewer, (uint32_t)wparam, PRFDATA_NODE_AWAITED);
        return true;
    case PRFDATA_READING_FAILED:
        report_failed_reading(app, (uint32_t)wparam, lparam);
        return true;
    case PRFDATA_READING_PROVIDER:
        report_failed_provider(app, (uint32_t)wparam, (wchar_t *)lparam);
        return true;
    case PRFDATA_READING_ALL_READ:
        say_found_objects(app);
        return true;
    case PRFDATA_READING_STALE:
        prfdata_documents_read_again(app);
        return true;
    default:
        return false;
    }
}
