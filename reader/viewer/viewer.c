/* SPDX-License-Identifier: MIT */
/*
 * Begins and ends the display of a source. Implements what the user does with the tree, the search,
 * the order of the table and the details. The other viewer_*.c files manage the content of the
 * table, the samples and the lines.
 */
#include "viewer/viewer.h"

#include <stdlib.h>
#include <string.h>

#include <prfdata/error.h>

#include "block/dump.h"

void prfdata_viewer_init(prfdata_viewer *viewer, const prfdata_viewer_observer *observer,
                         size_t timeline_bytes)
{
    memset(viewer, 0, sizeof *viewer);
    viewer->observer = *observer;
    prfdata_table_init(&viewer->table, &viewer->titles);
    viewer->table.thresholds = &viewer->thresholds;
    viewer->style = (prfdata_number_style){'.', ','};
    prfdata_chart_init(&viewer->chart);
    prfdata_timeline_init(&viewer->timeline, timeline_bytes);
    viewer->chart.is_capped = viewer->table.is_capped = true;
}

static void free_words(prfdata_viewer *viewer)
{
    for (unsigned i = 0; i < PRFDATA_TREE_GROUPS; i++)
        prfdata_text_free(&viewer->words.groups[i]);
    prfdata_text_free(&viewer->words.absent);
}

void prfdata_viewer_free_titles(prfdata_viewer *viewer)
{
    if (!viewer->owns_titles)
        viewer->titles.english = viewer->titles.local = (prfdata_name_table){0};
    prfdata_titles_free(&viewer->titles);
    memset(&viewer->titles, 0, sizeof viewer->titles);
    viewer->owns_titles = false;
    viewer->has_titles = false;
}

void prfdata_viewer_free(prfdata_viewer *viewer)
{
    prfdata_viewer_forget_samples(viewer);
    prfdata_viewer_forget_names(viewer);
    prfdata_tree_free(&viewer->tree);
    prfdata_table_free(&viewer->table);
    prfdata_chart_free(&viewer->chart);
    prfdata_line_notes_free(&viewer->line_notes);
    prfdata_text_free(&viewer->row);
    prfdata_text_free(&viewer->wanted);
    prfdata_text_free(&viewer->search);
    prfdata_thresholds_free(&viewer->thresholds);
    prfdata_title_set_free(&viewer->failed);
    prfdata_viewer_forget_patterns(viewer);
    prfdata_viewer_forget_order(viewer);
    prfdata_text_free(&viewer->about.label);
    free_words(viewer);
    prfdata_viewer_free_titles(viewer);
}

/* ---- The source ---- */

/* Add the objects of Windows that people use most. Their indexes are the same on all computers. */
static void add_common_objects(prfdata_viewer *viewer)
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
                prfdata_titles_name(&viewer->titles, PRFDATA_BY_ENGLISH, common[i].title),
                common[i].name))
            (void)prfdata_tree_add_object(&viewer->tree, PRFDATA_TREE_COMMON, common[i].title);
    }
}

static void keep_words(prfdata_viewer *viewer, const prfdata_viewer_words *words)
{
    for (unsigned i = 0; i < PRFDATA_TREE_GROUPS; i++)
        (void)prfdata_text_copy(words->groups[i], &viewer->words.groups[i]);
    (void)prfdata_text_copy(words->absent, &viewer->words.absent);
    viewer->words.explain = words->explain;
}

void prfdata_viewer_set_computer(prfdata_viewer *viewer, prfdata_text computer)
{
    const size_t most = sizeof viewer->computer_chars / sizeof viewer->computer_chars[0];

    viewer->computer.chars = viewer->computer_chars;
    viewer->computer.count = computer.count < most ? computer.count : most;
    if (viewer->computer.count > 0)
        memcpy(viewer->computer_chars, computer.chars,
               viewer->computer.count * sizeof *computer.chars);
}

prfdata_titles prfdata_viewer_borrow_titles(const prfdata_titles *titles)
{
    prfdata_titles borrowed = {
        .english = titles->english, .local = titles->local, .version = titles->version};

    for (size_t i = 0; i < titles->ids.count; i++)
        (void)prfdata_title_ids_add(&borrowed.ids, titles->ids.items[i].index,
                                    titles->ids.items[i].key);
    return borrowed;
}

void prfdata_viewer_begin(prfdata_viewer *viewer, const prfdata_viewer_words *words,
                          const prfdata_name_table *objects)
{
    keep_words(viewer, words);
    viewer->has_titles = prfdata_tree_init(&viewer->tree, viewer->computer, viewer->words.groups,
                                           &viewer->titles) == ERROR_SUCCESS;
    viewer->tree.observer = viewer->tree_observer;
    if (!viewer->has_titles)
        return;
    for (size_t i = 0; objects && i < objects->count; i++)
        (void)prfdata_tree_add_object(&viewer->tree, PRFDATA_TREE_SERVICES,
                                      objects->items[i].index);
    if (objects)
        add_common_objects(viewer);
    (void)prfdata_tree_search(&viewer->tree, prfdata_viewer_searched_text(viewer, NULL));
    prfdata_viewer_report(viewer,
                          PRFDATA_VIEWER_TREE | PRFDATA_VIEWER_COLUMNS | PRFDATA_VIEWER_TABLE);
}

/*
 * Releases the tree and the table before the titles, because they borrow names and help texts from
 * the titles.
 */
void prfdata_viewer_end(prfdata_viewer *viewer)
{
    prfdata_viewer_report(viewer, PRFDATA_VIEWER_LEAVES);
    prfdata_viewer_name_shown(viewer);
    prfdata_viewer_note_order(viewer);
    prfdata_tree_free(&viewer->tree);
    prfdata_table_choose(&viewer->table, 0);
    prfdata_text_free(&viewer->row);
    prfdata_viewer_free_titles(viewer);
    prfdata_viewer_forget_samples(viewer);
    prfdata_chart_clear(&viewer->chart);
    viewer->chart.most_samples = PRFDATA_CHART_SAMPLES;
    viewer->subject = PRFDATA_VIEWER_NOTHING;
    viewer->computer.count = 0;
    viewer->is_paused = viewer->leaves_gap = viewer->is_stale = false;
    viewer->came_ms = 0;
    viewer->failed.count = 0;
    viewer->wished = 0;
    prfdata_viewer_report(viewer, PRFDATA_VIEWER_TREE | PRFDATA_VIEWER_COLUMNS |
                                      PRFDATA_VIEWER_TABLE | PRFDATA_VIEWER_CHART |
                                      PRFDATA_VIEWER_DETAILS);
}

void prfdata_viewer_note_stale(prfdata_viewer *viewer)
{
    viewer->is_stale = true;
}

bool prfdata_viewer_refresh(prfdata_viewer *viewer)
{
    if (viewer->is_stale)
        return false;
    if (viewer->has_titles)
        prfdata_tree_ask_again(&viewer->tree, NULL);
    prfdata_viewer_wish(viewer);
    return true;
}

/* ---- Wanted objects ---- */

static size_t want_title(uint32_t *titles, size_t count, uint32_t title)
{
    if (title == 0 || prfdata_title_is_gone(title) || count == PRFDATA_VIEWER_WANTED_MOST)
        return count;
    for (size_t i = 0; i < count; i++) {
        if (titles[i] == title)
            return count;
    }
    titles[count] = title;
    return count + 1;
}

size_t prfdata_viewer_wanted(const prfdata_viewer *viewer,
                             uint32_t titles[PRFDATA_VIEWER_WANTED_MOST])
{
    size_t count = 0;

    if (!viewer->has_titles)
        return 0;
    count = want_title(titles, count, viewer->table.object_title);
    for (uint32_t i = 0; i < viewer->chart.series_count; i++)
        count = want_title(titles, count, viewer->chart.series[i]->key.object_title);
    for (unsigned i = 0; i < PRFDATA_TREE_GROUPS; i++) {
        for (prfdata_node *node = viewer->tree.groups[i]->first; node; node = node->next) {
            if (node->is_open)
                count = want_title(titles, count, node->title);
        }
    }
    return count;
}

prfdata_text prfdata_viewer_silence(const prfdata_viewer *viewer)
{
    uint32_t titles[PRFDATA_VIEWER_WANTED_MOST];
    const size_t count = prfdata_viewer_wanted(viewer, titles);

    for (size_t i = 0; i < count; i++) {
        const prfdata_node *node = prfdata_tree_object(&viewer->tree, titles[i]);

        if (node && node->is_silent)
            return node->note;
    }
    return (prfdata_text){0};
}

uint32_t prfdata_viewer_object_count(const prfdata_viewer *viewer)
{
    uint32_t count = 0;

    for (unsigned i = 0; viewer->has_titles && i < PRFDATA_TREE_GROUPS; i++)
        count += viewer->tree.groups[i]->child_count;
    return count;
}

/* ---- The table ---- */

void prfdata_viewer_arrange(prfdata_viewer *viewer)
{
    (void)prfdata_table_arrange(&viewer->table);
    prfdata_viewer_report(viewer, PRFDATA_VIEWER_TABLE);
}

void prfdata_viewer_show_raw(prfdata_viewer *viewer, bool is_raw)
{
    prfdata_viewer_report(viewer, PRFDATA_VIEWER_LEAVES);
    viewer->table.shows_raw = is_raw;
    (void)prfdata_table_arrange(&viewer->table);
    prfdata_viewer_report(viewer, PRFDATA_VIEWER_COLUMNS | PRFDATA_VIEWER_TABLE);
}

void prfdata_viewer_sort(prfdata_viewer *viewer, uint32_t column)
{
    prfdata_table *table = &viewer->table;

    if (table->sort_column == column) {
        table->sorts_descending = !table->sorts_descending;
    } else {
        table->sort_column = column;
        /* Numbers are sorted in descending order, because people look for the largest values. */
        table->sorts_descending = column != PRFDATA_TABLE_LABEL;
    }
    prfdata_viewer_arrange(viewer);
}

/* ---- The tree ---- */

static void describe_node(prfdata_viewer *viewer, prfdata_node *node)
{
    static const prfdata_viewer_subject subjects[] = {
        [PRFDATA_NODE_COMPUTER] = PRFDATA_VIEWER_BLOCK,
        [PRFDATA_NODE_GROUP] = PRFDATA_VIEWER_BLOCK,
        [PRFDATA_NODE_OBJECT] = PRFDATA_VIEWER_OBJECT_TYPE,
        [PRFDATA_NODE_BRANCH] = PRFDATA_VIEWER_OBJECT_TYPE,
        [PRFDATA_NODE_INSTANCE] = PRFDATA_VIEWER_INSTANCE,
        [PRFDATA_NODE_COUNTER] = PRFDATA_VIEWER_COUNTER,
    };
    const prfdata_node *object = prfdata_node_object(node);
    const bool is_counter = node->kind == PRFDATA_NODE_COUNTER;
    prfdata_chart_key about = {object ? object->title : 0, is_counter ? node->title : 0,
                               prfdata_node_label(node)};

    if (!is_counter && prfdata_text_equal_ascii(about.label, "*"))
        /* "All instances" has no structure of its own, so the details show that of the object. */
        about.label = (prfdata_text){0};
    prfdata_viewer_describe(viewer, subjects[node->kind], &about);
}

void prfdata_viewer_select(prfdata_viewer *viewer, prfdata_node *node)
{
    const prfdata_node *object = prfdata_node_object(node);
    const prfdata_text label = node ? prfdata_node_label(node) : (prfdata_text){0};
    unsigned what;

    if (!node)
        return;
    if (object)
        prfdata_viewer_choose_object(viewer, object->title);
    if (label.count > 0 && !prfdata_text_equal_ascii(label, "*") &&
        prfdata_text_copy(label, &viewer->row)) {
        what = prfdata_viewer_select_waiting_row(viewer);
        prfdata_viewer_report(viewer, what == 0 ? 0 : what | PRFDATA_VIEWER_TABLE);
    }
    describe_node(viewer, node);
}

void prfdata_viewer_open(prfdata_viewer *viewer, prfdata_node *node)
{
    prfdata_node *object = prfdata_node_object(node);

    if (node == object)
        prfdata_viewer_break_silence(viewer, object);
    prfdata_tree_open(&viewer->tree, node,
                      object ? prfdata_viewer_now(viewer, object->title) : NULL);
    prfdata_viewer_report(viewer, PRFDATA_VIEWER_WANTED);
}

void prfdata_viewer_close(prfdata_viewer *viewer, prfdata_node *node)
{
    prfdata_tree_close(node);
    prfdata_viewer_report(viewer, PRFDATA_VIEWER_WANTED);
}

/*
 * Fills the tree from the samples, so that a search also finds the content of objects that were not
 * opened.
 */
static void fill_tree(prfdata_viewer *viewer)
{
    for (unsigned i = 0; i < PRFDATA_TREE_GROUPS; i++) {
        for (prfdata_node *node = viewer->tree.groups[i]->first; node; node = node->next) {
            const prfdata_sample *now =
                node->is_filled ? NULL : prfdata_viewer_now(viewer, node->title);

            if (now)
                prfdata_tree_fill(&viewer->tree, now);
        }
    }
}

/* At the beginning of a search, remember which nodes are open. At its end (is_end), open these
 * nodes and close the others. */
static void note_open_nodes(prfdata_node *node, bool is_end)
{
    for (; node; node = node->next) {
        if (is_end)
            node->is_open = node->was_open;
        node->was_open = node->is_open && !is_end;
        note_open_nodes(node->first, is_end);
    }
}

uint32_t prfdata_viewer_search(prfdata_viewer *viewer, prfdata_text text)
{
    const bool was_searched = prfdata_viewer_searched_text(viewer, NULL).count > 0;
    uint32_t found;

    if (!prfdata_text_copy(text, &viewer->search) || !viewer->has_titles)
        return 0;
    text = prfdata_viewer_searched_text(viewer, NULL);
    if (was_searched != (text.count > 0)) {
        note_open_nodes(viewer->tree.computer, was_searched);
        prfdata_viewer_report(viewer, PRFDATA_VIEWER_WANTED);
    }
    if (text.count > 0)
        fill_tree(viewer);
    found = prfdata_tree_search(&viewer->tree, text);
    prfdata_viewer_filter_table(viewer);
    prfdata_viewer_report(viewer, PRFDATA_VIEWER_TREE | PRFDATA_VIEWER_TABLE);
    return found;
}

/* ---- Details ---- */

void prfdata_viewer_choose_cell(prfdata_viewer *viewer, uint32_t counter, prfdata_text label)
{
    const prfdata_chart_key about = {viewer->table.object_title, counter, label};

    prfdata_text_free(&viewer->row);
    prfdata_viewer_follow_condition(viewer);
    prfdata_viewer_describe(viewer, PRFDATA_VIEWER_COUNTER, &about);
}

void prfdata_viewer_put_details(prfdata_viewer *viewer, prfdata_output *output,
                                prfdata_number_style style)
{
    const prfdata_sample *older;
    const prfdata_sample *newer;

    prfdata_viewer_pair(viewer, viewer->about.object_title, &older, &newer);
    if (viewer->subject == PRFDATA_VIEWER_COUNTER) {
        prfdata_viewer_put_path(viewer, output, &viewer->about);
        prfdata_output_put_string(output, "\r\n\r\n");
        prfdata_details_put(output, style, &viewer->about, &viewer->titles, older, newer);
    } else if (viewer->subject == PRFDATA_VIEWER_BLOCK && newer)
        prfdata_dump_put_block(output, &newer->block, &viewer->titles.english);
    else if (viewer->subject != PRFDATA_VIEWER_NOTHING)
        prfdata_details_put_structure(output, &viewer->about, &viewer->titles, newer);
}
