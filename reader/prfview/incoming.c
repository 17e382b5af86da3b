/* SPDX-License-Identifier: MIT */
/* What the thread that reads sends to the window: names, samples, and why there are none. Knows
 * Windows. */
#include "prfview/app.h"

#include <stdio.h>
#include <stdlib.h>
#include <wchar.h>

#include "prfview/child.h"

static void take_titles(prfdata_app *app)
{
    const prfdata_session *session = prfdata_reading_session(app->reading);
    const prfdata_name_table helps = app->titles.helps;

    app->titles = session->titles; /* borrowed */
    app->titles.helps = helps;
    app->computer = session->computer;
    prfdata_samples_begin(app);
    prfdata_remembered_begin(app);
    prfdata_named_begin(app);
}

static void take_helps(prfdata_app *app, prfdata_titles *helps)
{
    prfdata_name_table_free(&app->titles.helps);
    app->titles.helps = helps->helps;
    helps->helps = (prfdata_name_table){0};
    prfdata_titles_free(helps);
    free(helps);
}

/* Why a sample could not be taken; the name is that of the object that was asked for. */
static const wchar_t *failure_text(uint32_t status, const wchar_t *name, bool is_all)
{
    wchar_t words[PRFDATA_STATUS_CHARS];

    swprintf(words, 20, L"%u", PRFDATA_CHILD_LIMIT_MS / 1000);
    if (status == ERROR_TIMEOUT)
        return prfdata_strings_format(is_all ? IDS_HUNG_ALL : IDS_HUNG, name, words, NULL);
    if (status == ERROR_BROKEN_PIPE)
        return prfdata_strings_format(is_all ? IDS_ENDED_ALL : IDS_ENDED, name, NULL, NULL);
    swprintf(words, 20, L"%lu", (unsigned long)status);
    if (status == ERROR_ACCESS_DENIED)
        return prfdata_strings_format(IDS_DENIED, words, NULL, NULL);
    return prfdata_strings_format(
        IDS_FAILED, prfdata_strings_system(status, words, PRFDATA_STATUS_CHARS), NULL, NULL);
}

static void report_failed_reading(prfdata_app *app, uint32_t status, const wchar_t *query)
{
    const uint32_t title = query ? (uint32_t)wcstoul(query, NULL, 10) : 0;
    prfdata_node *node = title ? prfdata_tree_object(&app->tree, title) : NULL;
    wchar_t name[200];
    const wchar_t *text;

    prfdata_strings_copy(name, query ? query : L"", 200);
    if (node)
        prfdata_strings_text(node->name, name, 200);
    text = failure_text(status, name, query && title == 0);
    prfdata_status_bar_say(app, text);
    if (node)
        prfdata_tree_silence(&app->tree, node, prfdata_strings_borrow(text));
    prfdata_table_pane_update(app);
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
        app->read_us = wparam;
        prfdata_samples_take(app, (prfdata_sample *)lparam);
        prfdata_status_bar_update(app);
        return true;
    case PRFDATA_READING_ALL:
        prfdata_tree_update(&app->tree, (const prfdata_sample *)lparam);
        prfdata_sample_free((prfdata_sample *)lparam);
        return true;
    case PRFDATA_READING_FAILED:
        report_failed_reading(app, (uint32_t)wparam, (const wchar_t *)lparam);
        free((void *)lparam);
        return true;
    default:
        return false;
    }
}
