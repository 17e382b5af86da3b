/* SPDX-License-Identifier: MIT */
/*
 * Changes the titles of everything that is shown, after counters were installed or removed. The
 * kept samples, and everything else that contains title indexes, get the current ones.
 */
#include "viewer/viewer.h"

#include <string.h>

#include <prfdata/error.h>

#include "text/output.h"

#define PATH_CHARS 2048

/* The state of the tree and the table to restore. */
typedef struct shown_again {
    uint32_t object;          /* object of the table; 0: none */
    uint32_t chosen;          /* counter that actions apply to; 0: none */
    uint32_t sorted;          /* counter of the sort column; 0: none */
    prfdata_title_set opened; /* the open objects */
    prfdata_title_set expanded;
    prfdata_text row; /* the label of the row that has the focus; owned; empty: none */
} shown_again;

/* ---- Before the titles are released ---- */

static void note_opened(const prfdata_viewer *viewer, const prfdata_title_moves *moves,
                        shown_again *shown)
{
    for (unsigned i = 0; viewer->has_titles && i < PRFDATA_TREE_GROUPS; i++) {
        for (prfdata_node *node = viewer->tree.groups[i]->first; node; node = node->next) {
            const uint32_t to = prfdata_title_moves_to(moves, node->title);

            if (node->is_open && !prfdata_title_is_gone(to))
                (void)prfdata_title_set_add(&shown->opened, to);
            if (node->is_expanded && !prfdata_title_is_gone(to))
                (void)prfdata_title_set_add(&shown->expanded, to);
        }
    }
}

static void note_row(const prfdata_table *table, prfdata_text *row)
{
    for (uint32_t i = 0; table->has_instances && i < table->row_count; i++) {
        if (table->rows[i]->is_focused)
            (void)prfdata_text_copy(table->rows[i]->label, row);
    }
}

static shown_again note_shown(prfdata_viewer *viewer, const prfdata_title_moves *moves)
{
    const prfdata_table *table = &viewer->table;
    shown_again shown = {.object = prfdata_title_moves_to(moves, table->object_title)};

    prfdata_viewer_note_order(viewer);
    if (viewer->column < table->column_count)
        shown.chosen = prfdata_title_moves_to(moves, table->columns[viewer->column].counter_title);
    if (table->sort_column < table->column_count)
        shown.sorted =
            prfdata_title_moves_to(moves, table->columns[table->sort_column].counter_title);
    note_opened(viewer, moves, &shown);
    note_row(table, &shown.row);
    if (viewer->row.count > 0)
        (void)prfdata_text_copy(viewer->row, &shown.row);
    return shown;
}

static void move_key(const prfdata_title_moves *moves, prfdata_chart_key *key)
{
    key->object_title = prfdata_title_moves_to(moves, key->object_title);
    key->counter_title = prfdata_title_moves_to(moves, key->counter_title);
}

static void move_samples(prfdata_viewer *viewer, const prfdata_title_moves *moves)
{
    prfdata_timeline_move_titles(&viewer->timeline, moves);
    prfdata_viewer_forget_decoded(viewer);
    for (uint32_t i = 0; i < viewer->chart.series_count; i++) {
        prfdata_chart_key *key = &viewer->chart.series[i]->key;
        const bool was_gone = prfdata_title_is_gone(key->counter_title);

        move_key(moves, key);
        /* The line must break, because its counter no longer exists. All lines break with it. */
        if (!was_gone && prfdata_title_is_gone(key->counter_title))
            viewer->leaves_gap = true;
    }
    move_key(moves, &viewer->about);
}

/* ---- With the current titles ---- */

/* Rename a line. If the counter has no name now, the line keeps its last name. */
static void name_line(prfdata_viewer *viewer, prfdata_chart_series *series)
{
    prfdata_output path = {0};
    uint16_t chars[PATH_CHARS];
    prfdata_text name = {chars, 0};

    prfdata_viewer_put_path(viewer, &path, &series->key);
    name.count = prfdata_text_from_utf8(path.bytes, path.used, chars, PATH_CHARS);
    if (!path.failed && !prfdata_text_equal(name, series->path)) {
        prfdata_line_notes_forget(&viewer->line_notes, series->path);
        (void)prfdata_text_copy(name, &series->path);
    }
    prfdata_output_free(&path);
}

/*
 * Note the current names of the chosen object and of the sort column, because they may have
 * changed.
 */
static void name_chosen(prfdata_viewer *viewer, const shown_again *shown)
{
    if (prfdata_title_is_gone(shown->object))
        return; /* without a current name, the object is searched for by its old one */
    if (viewer->wanted.count > 0 && shown->object != 0)
        (void)prfdata_text_copy(prfdata_viewer_english_name(viewer, shown->object),
                                &viewer->wanted);
    if (viewer->order.object.count > 0 && shown->object != 0)
        (void)prfdata_text_copy(prfdata_viewer_english_name(viewer, shown->object),
                                &viewer->order.object);
    if (viewer->order.counter.count > 0 && shown->sorted != 0)
        (void)prfdata_text_copy(prfdata_viewer_english_name(viewer, shown->sorted),
                                &viewer->order.counter);
}

static void open_again(prfdata_viewer *viewer, const shown_again *shown)
{
    for (size_t i = 0; viewer->has_titles && i < shown->opened.count; i++) {
        const uint32_t title = shown->opened.items[i];
        prfdata_node *node = prfdata_tree_add_object(&viewer->tree, PRFDATA_TREE_OTHERS, title);

        if (!node)
            continue;
        node->is_expanded = prfdata_title_set_has(&shown->expanded, title);
        prfdata_tree_open(&viewer->tree, node, prfdata_viewer_now(viewer, title));
    }
}

static void show_table_again(prfdata_viewer *viewer, const shown_again *shown)
{
    const prfdata_table *table = &viewer->table;
    prfdata_node *node;

    if (shown->object == 0 || !viewer->has_titles)
        return;
    node = prfdata_tree_add_object(&viewer->tree, PRFDATA_TREE_OTHERS, shown->object);
    /* No sample is asked for an object that no longer exists, so mark it as gone here. */
    if (node && prfdata_title_is_gone(shown->object)) {
        node->is_gone = true;
        prfdata_viewer_explain_absence(viewer, node);
    }
    prfdata_viewer_show_object(viewer, shown->object);
    for (uint32_t i = 0; i < table->column_count; i++) {
        if (table->columns[i].counter_title == shown->chosen)
            viewer->column = i;
    }
    if (shown->row.count > 0 && prfdata_text_copy(shown->row, &viewer->row))
        prfdata_viewer_report(viewer, prfdata_viewer_select_waiting_row(viewer));
}

void prfdata_viewer_renew(prfdata_viewer *viewer, const prfdata_viewer_words *words,
                          const prfdata_name_table *objects, const prfdata_titles *titles)
{
    prfdata_titles now = prfdata_viewer_borrow_titles(titles);
    prfdata_title_moves moves;
    shown_again shown;

    prfdata_viewer_report(viewer, PRFDATA_VIEWER_LEAVES);
    if (prfdata_title_moves_find(&moves, &viewer->titles, &now) != ERROR_SUCCESS) {
        prfdata_viewer_name_shown(viewer); /* there is no memory, so forget the past */
        prfdata_viewer_forget_samples(viewer);
        prfdata_chart_clear(&viewer->chart);
    }
    shown = note_shown(viewer, &moves);
    move_samples(viewer, &moves);
    prfdata_tree_free(&viewer->tree);
    prfdata_table_choose(&viewer->table, 0);
    prfdata_viewer_free_titles(viewer);
    viewer->titles = now;
    viewer->is_stale = false;
    for (uint32_t i = 0; i < viewer->chart.series_count; i++)
        name_line(viewer, viewer->chart.series[i]);
    prfdata_viewer_note_lines(viewer);
    name_chosen(viewer, &shown);
    prfdata_viewer_begin(viewer, words, objects);
    open_again(viewer, &shown);
    show_table_again(viewer, &shown);
    prfdata_viewer_begin_names(viewer);
    prfdata_viewer_report(viewer, PRFDATA_VIEWER_TREE | PRFDATA_VIEWER_CHART |
                                      PRFDATA_VIEWER_DETAILS | PRFDATA_VIEWER_WANTED);
    prfdata_title_set_free(&shown.opened);
    prfdata_title_set_free(&shown.expanded);
    prfdata_text_free(&shown.row);
    prfdata_title_moves_free(&moves);
}
