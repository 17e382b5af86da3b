/* SPDX-License-Identifier: MIT */
/*
 * Counters and objects that were asked for by name: on the command line, by a workspace, or as what
 * was shown of another source. A counter waits here until a sample has it; its service may not run
 * yet. Knows Windows for texts only.
 */
#include "prfview/app.h"

#include "paths/resolver.h"
#include "view/details.h"

/* A sample that was asked for before the names has none of them; the next one has. */
#define SAMPLES_UNTIL_REPORT 2

void prfdata_named_add(prfdata_app *app, prfdata_text name)
{
    prfdata_text *names = app->names;

    if (name.count == 0 || app->name_count == PRFDATA_APP_NAMES)
        return;
    names[app->name_count] = (prfdata_text){0};
    if (prfdata_text_copy(name, &names[app->name_count]))
        app->name_count++;
}

void prfdata_named_forget(prfdata_app *app)
{
    while (app->name_count > 0)
        prfdata_text_free(&app->names[--app->name_count]);
}

static void remove_name(prfdata_app *app, size_t at)
{
    prfdata_text_free(&app->names[at]);
    app->name_count--;
    for (; at < app->name_count; at++)
        app->names[at] = app->names[at + 1];
}

void prfdata_named_take_shown(prfdata_app *app)
{
    prfdata_named_add(
        app, prfdata_titles_name(&app->titles, PRFDATA_BY_ENGLISH, app->table.object_title));
    for (uint32_t i = 0; i < app->chart.series_count; i++)
        prfdata_named_add(app, app->chart.series[i]->path);
    while (app->chart.series_count > 0)
        prfdata_chart_remove(&app->chart, app->chart.series_count - 1);
}

static void report_missing_name(prfdata_app *app, prfdata_text name)
{
    wchar_t text[300];

    prfdata_status_bar_say(
        app,
        prfdata_strings_format(IDS_NOT_FOUND, prfdata_strings_text(name, text, 300), NULL, NULL));
}

/* ---- Objects ---- */

/* The object of a name, which is a path or an object; 0: none has this name. */
static uint32_t object_of_name(const prfdata_app *app, prfdata_text name)
{
    prfdata_path path = {.object = name};
    prfdata_path_error error;
    size_t position = 0;
    uint32_t title = 0;

    if (name.chars[0] == '\\' && !prfdata_path_parse(name, &path, &error))
        return 0;
    if (!prfdata_titles_find(&app->titles, prfdata_titles_way_of(&app->titles, path.object),
                             path.object, &position, &title))
        return 0;
    return title;
}

/* A file has what it has; the system is asked, and its node says why it is not there. */
static void ask_for_object(prfdata_app *app, uint32_t title)
{
    prfdata_node *node;

    if (!app->reading && !(app->newer && prfdata_sample_find_object(app->newer, title)))
        return;
    node = prfdata_tree_add_object(&app->tree, PRFDATA_TREE_OTHERS, title);
    if (node)
        node->is_open = true;
}

/* Something to look at, if nothing was asked for. */
static void choose_first_object(prfdata_app *app)
{
    for (unsigned i = 0; i < PRFDATA_TREE_GROUPS && app->table.object_title == 0; i++) {
        if (app->tree.groups[i]->first)
            prfdata_samples_choose_object(app, app->tree.groups[i]->first->title);
    }
}

void prfdata_named_begin(prfdata_app *app)
{
    uint32_t first = 0;

    if (!app->has_titles)
        return;
    app->name_samples = 0;
    for (size_t i = 0; i < app->name_count;) {
        const bool is_path = app->names[i].chars[0] == '\\';
        const uint32_t title = object_of_name(app, app->names[i]);

        if (title == 0)
            report_missing_name(app, app->names[i]);
        else
            ask_for_object(app, title);
        if (first == 0)
            first = title;
        if (!is_path && prfdata_tree_object(&app->tree, title))
            prfdata_samples_choose_object(app, title);
        if (is_path)
            i++;
        else
            remove_name(app, i);
    }
    if (app->table.object_title == 0 && prfdata_tree_object(&app->tree, first))
        prfdata_samples_choose_object(app, first);
    choose_first_object(app);
    prfdata_samples_want(app);
    if (!app->reading)
        prfdata_named_resolve(app);
}

/* ---- Counters ---- */

/* Add what a path means in the newest sample. Returns whether it means anything. */
static bool add_path(prfdata_app *app, prfdata_text name)
{
    prfdata_resolver_path asked = {0};
    prfdata_resolver resolver;
    prfdata_path_error error;
    bool is_found = false;

    if (!prfdata_path_parse(name, &asked.path, &error))
        return false;
    asked.way = prfdata_titles_way_of(&app->titles, asked.path.object);
    prfdata_resolver_begin(&resolver, &asked, &app->titles, app->newer);
    while (prfdata_resolver_next(&resolver)) {
        const prfdata_sample_object *object = resolver.object;
        const prfdata_series_key key = {
            object->wire.header.object_name_title_index,
            object->counters[resolver.counter_position].definition.counter_name_title_index,
            resolver.instance->label};
        const bool was_full = app->chart.series_count == PRFDATA_CHART_SERIES;

        is_found = true;
        if (!prfdata_samples_add_line(app, &key) && was_full)
            break; /* the status bar says that the chart is full */
    }
    return is_found;
}

void prfdata_named_resolve(prfdata_app *app)
{
    const uint32_t first = app->chart.series_count;

    if (!app->newer || !app->has_titles || app->name_count == 0)
        return;
    for (size_t i = 0; i < app->name_count;) {
        if (add_path(app, app->names[i]))
            remove_name(app, i);
        else
            i++;
    }
    if (app->chart.series_count > first)
        prfdata_samples_show_added(app, first); /* once: each sample is decoded for it */
    if (app->reading && ++app->name_samples != SAMPLES_UNTIL_REPORT)
        return;
    for (size_t i = 0; i < app->name_count; i++)
        report_missing_name(app, app->names[i]);
    if (!app->reading) /* no other sample comes */
        prfdata_named_forget(app);
}
