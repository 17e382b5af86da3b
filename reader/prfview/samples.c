/* SPDX-License-Identifier: MIT */
/*
 * What samples change: the timeline, the chart, the tree, the table, and which objects are asked
 * for. Knows the models and which parts to draw again. Knows Windows for texts only.
 */
#include "prfview/app.h"

#include <stdlib.h>
#include <string.h>

#include "source/absent_object.h"
#include "view/details.h"

#define MOST_WANTED 200

/* ---- Which objects are asked for ---- */

typedef struct wanted_titles {
    uint32_t items[MOST_WANTED];
    size_t count;
} wanted_titles;

static void want_title(wanted_titles *wanted, uint32_t title)
{
    if (title == 0 || wanted->count == MOST_WANTED)
        return;
    for (size_t i = 0; i < wanted->count; i++) {
        if (wanted->items[i] == title)
            return;
    }
    wanted->items[wanted->count++] = title;
}

void prfdata_samples_want(prfdata_app *app)
{
    wanted_titles wanted = {.count = 0};

    if (!app->reading || !app->has_titles)
        return;
    want_title(&wanted, app->table.object_title);
    for (uint32_t i = 0; i < app->chart.series_count; i++)
        want_title(&wanted, app->chart.series[i]->key.object_title);
    for (unsigned i = 0; i < PRFDATA_TREE_GROUPS; i++) {
        for (prfdata_node *node = app->tree.groups[i]->first; node; node = node->next) {
            if (node->is_open)
                want_title(&wanted, node->title);
        }
    }
    prfdata_reading_want(app->reading, wanted.items, wanted.count);
}

/* ---- The tree ---- */

/* The objects of Windows that people ask for most: <winperf.h> fixed their indexes long ago. */
static void add_common_objects(prfdata_app *app)
{
    static const struct {
        uint32_t title;
        const char *name;
    } common[] = {{2, "System"},        {4, "Memory"},
                  {86, "Cache"},        {230, "Process"},
                  {232, "Thread"},      {234, "PhysicalDisk"},
                  {236, "LogicalDisk"}, {238, "Processor"},
                  {260, "Objects"},     {510, "Network Interface"},
                  {700, "Paging File"}};

    for (size_t i = 0; i < sizeof common / sizeof common[0]; i++) {
        if (prfdata_text_equal_ascii(
                prfdata_titles_name(&app->titles, PRFDATA_BY_ENGLISH, common[i].title),
                common[i].name))
            (void)prfdata_tree_add_object(&app->tree, PRFDATA_TREE_COMMON, common[i].title);
    }
}

static void begin_tree(prfdata_app *app)
{
    static const uint32_t ids[PRFDATA_TREE_GROUPS] = {IDS_GROUP_SERVICES, IDS_GROUP_COMMON,
                                                      IDS_GROUP_OTHERS};
    prfdata_text names[PRFDATA_TREE_GROUPS];

    for (unsigned i = 0; i < PRFDATA_TREE_GROUPS; i++) {
        const uint32_t id = i == PRFDATA_TREE_OTHERS && !app->reading ? IDS_GROUP_FILE : ids[i];

        names[i] = prfdata_text_from_chars((const uint16_t *)prfdata_strings_get(id));
    }
    app->has_titles =
        prfdata_tree_init(&app->tree, app->computer, names, &app->titles) == ERROR_SUCCESS;
    prfdata_tree_pane_observe(app);
}

/* Everything that is shown borrows names and help texts: it goes before them. */
static void free_shown_titles(prfdata_app *app)
{
    app->expanding = NULL;
    app->has_titles = false;
    (void)TreeView_DeleteAllItems(app->parts[PRFDATA_APP_TREE]);
    prfdata_tree_free(&app->tree);
    prfdata_table_choose(&app->table, 0);
    prfdata_table_columns_make(app);
    prfdata_table_pane_update(app);
    if (app->owns_titles)
        prfdata_titles_free(&app->titles);
    else
        prfdata_name_table_free(&app->titles.helps);
    memset(&app->titles, 0, sizeof app->titles);
    app->owns_titles = false;
}

void prfdata_samples_end(prfdata_app *app)
{
    prfdata_commands_forget_pause(app);
    prfdata_table_columns_keep(app);
    prfdata_named_take_shown(app);
    free_shown_titles(app);
    prfdata_sample_free(app->older);
    prfdata_sample_free(app->newer);
    app->older = NULL;
    app->newer = NULL;
    app->looks_back = false;
    prfdata_timeline_free(&app->timeline);
    prfdata_chart_clear(&app->chart);
    app->detail_object = 0;
    prfdata_chart_pane_update(app);
}

void prfdata_samples_begin(prfdata_app *app)
{
    begin_tree(app);
    EnableWindow(app->parts[PRFDATA_APP_PAUSE], app->reading != NULL);
    EnableWindow(app->parts[PRFDATA_APP_REFRESH], app->reading != NULL);
    EnableWindow(app->parts[PRFDATA_APP_INTERVAL], app->reading != NULL);
    app->table.titles = &app->titles;
    if (!app->has_titles)
        return;
    if (app->reading) {
        const prfdata_name_table *objects = prfdata_reading_objects(app->reading);

        for (size_t i = 0; i < objects->count; i++)
            (void)prfdata_tree_add_object(&app->tree, PRFDATA_TREE_SERVICES,
                                          objects->items[i].index);
        add_common_objects(app);
    }
    prfdata_tree_pane_reset(app);
    prfdata_table_columns_make(app);
    prfdata_table_pane_update(app);
}

/* Why an object is not there: the reason of a service of PrfData, or that no provider has it. */
static void explain_node(prfdata_app *app, prfdata_node *node)
{
    const wchar_t *absent = prfdata_strings_get(IDS_ABSENT);
    prfdata_text note = prfdata_text_from_chars((const uint16_t *)absent);
    prfdata_output reason = {0};
    wchar_t *wide = NULL;

    if (app->reading && prfdata_absent_object_explain(node->name, &reason) && !reason.failed)
        wide = prfdata_strings_wide(reason.bytes, reason.used);
    if (wide)
        note = prfdata_text_from_chars((const uint16_t *)wide);
    prfdata_tree_explain(&app->tree, node, note);
    free(wide);
    prfdata_output_free(&reason);
}

static void explain_absences(prfdata_app *app)
{
    for (unsigned i = 0; i < PRFDATA_TREE_GROUPS; i++) {
        for (prfdata_node *node = app->tree.groups[i]->first; node; node = node->next) {
            if (node->is_gone && node->note.count == 0)
                explain_node(app, node);
        }
    }
}

/* A node that the user opened is expanded as soon as there is something in it. */
static void expand_waiting_node(prfdata_app *app)
{
    prfdata_node *node = app->expanding;

    if (!node || !node->first)
        return;
    app->expanding = NULL;
    if (node->item)
        (void)TreeView_Expand(app->parts[PRFDATA_APP_TREE], (HTREEITEM)node->item, TVE_EXPAND);
}

static void update_tree(prfdata_app *app, const prfdata_sample *sample)
{
    HWND view = app->parts[PRFDATA_APP_TREE];
    const bool is_filling = app->expanding != NULL;

    if (is_filling)
        SendMessageW(view, WM_SETREDRAW, FALSE, 0);
    prfdata_tree_update(&app->tree, sample);
    if (is_filling)
        SendMessageW(view, WM_SETREDRAW, TRUE, 0);
    explain_absences(app);
    expand_waiting_node(app);
}

/* ---- The table ---- */

static void update_table(prfdata_app *app)
{
    bool has_new_columns = false;

    if (app->newer)
        (void)prfdata_table_update(&app->table, app->older, app->newer, &has_new_columns);
    if (has_new_columns)
        prfdata_table_columns_make(app);
    prfdata_table_pane_update(app);
}

/* The tree shows what the table shows, unless it is something in that object already. */
static void select_object_node(prfdata_app *app, uint32_t title)
{
    const prfdata_node *node = prfdata_tree_object(&app->tree, title);

    if (node && node->item && prfdata_node_object(prfdata_tree_pane_selected(app)) != node)
        (void)TreeView_SelectItem(app->parts[PRFDATA_APP_TREE], (HTREEITEM)node->item);
}

void prfdata_samples_choose_object(prfdata_app *app, uint32_t title)
{
    if (app->table.object_title == title)
        return;
    prfdata_table_columns_keep(app);
    if (prfdata_tree_object(&app->tree, title))
        prfdata_tree_ask_again(&app->tree, prfdata_tree_object(&app->tree, title));
    app->table_column = 0;
    prfdata_table_choose(&app->table, title);
    prfdata_table_columns_make(app);
    update_table(app);
    prfdata_samples_want(app);
    select_object_node(app, title);
}

/* ---- Samples ---- */

static void show_samples(prfdata_app *app, prfdata_sample *older, prfdata_sample *newer)
{
    prfdata_sample_free(app->older);
    prfdata_sample_free(app->newer);
    app->older = older;
    app->newer = newer;
}

void prfdata_samples_take(prfdata_app *app, prfdata_sample *sample)
{
    const size_t count = app->timeline.count;
    prfdata_sample *before = NULL;
    int64_t time_ms = 0;

    if (app->looks_back && count > 0) {
        before = prfdata_timeline_sample(&app->timeline, count - 1);
    } else {
        before = app->newer;
        app->newer = NULL;
    }
    if (prfdata_timeline_add(&app->timeline, sample, &time_ms) == ERROR_SUCCESS)
        (void)prfdata_chart_add_sample(&app->chart, time_ms, before, sample);
    update_tree(app, sample);
    if (app->looks_back) {
        prfdata_sample_free(before);
        prfdata_sample_free(sample);
    } else {
        show_samples(app, before, sample);
        app->shown_ms = time_ms;
        update_table(app);
        prfdata_samples_update_details(app);
    }
    prfdata_named_resolve(app);
    prfdata_chart_pane_update(app);
}

static void look_at_entry(prfdata_app *app, size_t at)
{
    prfdata_sample *older = at > 0 ? prfdata_timeline_sample(&app->timeline, at - 1) : NULL;
    prfdata_sample *newer = prfdata_timeline_sample(&app->timeline, at);

    if (!newer) {
        prfdata_sample_free(older);
        return;
    }
    show_samples(app, older, newer);
    app->shown_ms = app->timeline.entries[at].time_ms;
    app->looks_back = at + 1 < app->timeline.count;
    if (!app->reading)
        update_tree(app, newer);
    update_table(app);
    prfdata_samples_update_details(app);
    prfdata_chart_pane_update(app);
}

void prfdata_samples_look_at(prfdata_app *app, int64_t time_ms)
{
    if (app->timeline.count > 0)
        look_at_entry(app, prfdata_timeline_find(&app->timeline, time_ms));
}

void prfdata_samples_look_at_newest(prfdata_app *app)
{
    prfdata_chart_follow(&app->chart);
    if (app->timeline.count > 0)
        look_at_entry(app, app->timeline.count - 1);
    app->looks_back = false;
}

/* ---- The chart ---- */

/* Series that are added later get their values of the samples that are still there. */
static void fill_series_from(prfdata_app *app, uint32_t first)
{
    prfdata_sample *before = NULL;

    for (size_t i = 0; i < app->timeline.count && first < app->chart.series_count; i++) {
        prfdata_sample *sample = prfdata_timeline_sample(&app->timeline, i);

        if (!sample)
            continue;
        for (uint32_t at = first; at < app->chart.series_count; at++)
            prfdata_chart_fill(&app->chart, at, app->timeline.entries[i].time_ms, before, sample);
        prfdata_sample_free(before);
        before = sample;
    }
    prfdata_sample_free(before);
}

static uint32_t counter_type(const prfdata_app *app, uint32_t object, uint32_t counter)
{
    const prfdata_sample_object *found =
        app->newer ? prfdata_sample_find_object(app->newer, object) : NULL;

    for (uint32_t i = 0; found && i < found->counter_count; i++) {
        if (found->counters[i].definition.counter_name_title_index == counter)
            return found->counters[i].definition.counter_type;
    }
    return 0;
}

static bool add_one_series(prfdata_app *app, const prfdata_series_key *key)
{
    const prfdata_sample_object *object =
        app->newer ? prfdata_sample_find_object(app->newer, key->object_title) : NULL;
    prfdata_output path = {0};
    uint32_t status = ERROR_NOT_ENOUGH_MEMORY;
    uint32_t at = PRFDATA_CHART_SERIES;
    wchar_t *wide;

    prfdata_details_put_path(&path, key, &app->titles, object && object->has_instances);
    wide = prfdata_strings_wide(path.bytes, path.used);
    if (wide)
        status = prfdata_chart_add(
            &app->chart, key, prfdata_text_from_chars((const uint16_t *)wide),
            prfdata_number_unit(
                counter_type(app, key->object_title, key->counter_title),
                prfdata_titles_name(&app->titles, PRFDATA_BY_ENGLISH, key->counter_title)),
            0, &at);
    free(wide);
    prfdata_output_free(&path);
    if (status == ERROR_MORE_DATA)
        prfdata_status_bar_say(app, prfdata_strings_get(IDS_FULL_CHART));
    return status == ERROR_SUCCESS;
}

static uint32_t add_all_instances(prfdata_app *app, uint32_t object, uint32_t counter)
{
    const prfdata_sample_object *found =
        app->newer ? prfdata_sample_find_object(app->newer, object) : NULL;
    uint32_t added = 0;

    for (uint32_t i = 0; found && i < found->found_count; i++) {
        const prfdata_series_key key = {object, counter, found->instances[found->found[i]].label};

        if (app->chart.series_count == PRFDATA_CHART_SERIES) {
            prfdata_status_bar_say(app, prfdata_strings_get(IDS_FULL_CHART));
            break;
        }
        added += add_one_series(app, &key);
    }
    return added;
}

bool prfdata_samples_add_line(prfdata_app *app, const prfdata_series_key *key)
{
    return add_one_series(app, key);
}

void prfdata_samples_show_added(prfdata_app *app, uint32_t first)
{
    fill_series_from(app, first);
    if (app->page == PRFDATA_APP_DETAILS && app->chart.series_count > first)
        prfdata_main_window_show_page(app, PRFDATA_APP_CHART);
    prfdata_samples_want(app);
    prfdata_chart_pane_update(app);
}

uint32_t prfdata_samples_add_series(prfdata_app *app, uint32_t object, uint32_t counter,
                                    prfdata_text label)
{
    const prfdata_series_key key = {object, counter, label};
    const uint32_t first = app->chart.series_count;
    uint32_t added;

    if (prfdata_text_equal_ascii(label, "*"))
        added = add_all_instances(app, object, counter);
    else
        added = add_one_series(app, &key);
    prfdata_samples_show_added(app, first);
    return added;
}

/* ---- Details ---- */

void prfdata_samples_update_details(prfdata_app *app)
{
    const prfdata_series_key key = {
        app->detail_object, app->detail_counter, {app->detail_label, app->detail_label_count}};
    HWND view = app->parts[PRFDATA_APP_BYTES];
    prfdata_output output = {0};
    wchar_t *wide;
    LRESULT line;

    if (app->page != PRFDATA_APP_DETAILS || !app->newer)
        return;
    if (app->detail_object == 0) {
        SetWindowTextW(view, prfdata_strings_get(IDS_DETAILS_EMPTY));
        return;
    }
    prfdata_details_put(&output, prfdata_strings_details(), app->style, &key, &app->titles,
                        app->older, app->newer);
    wide = prfdata_strings_wide(output.bytes, output.used);
    line = SendMessageW(view, EM_GETFIRSTVISIBLELINE, 0, 0);
    SendMessageW(view, WM_SETREDRAW, FALSE, 0);
    if (wide)
        SetWindowTextW(view, wide);
    SendMessageW(view, EM_LINESCROLL, 0, line);
    SendMessageW(view, WM_SETREDRAW, TRUE, 0);
    InvalidateRect(view, NULL, FALSE);
    free(wide);
    prfdata_output_free(&output);
}

void prfdata_samples_show_details(prfdata_app *app, uint32_t object, uint32_t counter,
                                  prfdata_text label)
{
    const size_t most = sizeof app->detail_label / sizeof app->detail_label[0];

    if (prfdata_text_equal_ascii(label, "*") || label.count > most)
        return;
    app->detail_object = object;
    app->detail_counter = counter;
    app->detail_label_count = label.count;
    if (label.count > 0)
        memcpy(app->detail_label, label.chars, label.count * sizeof *label.chars);
    prfdata_samples_update_details(app);
}
