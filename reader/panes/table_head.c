/* SPDX-License-Identifier: MIT */
/* Writes the sentence above the table. */
#include "panes/table_head.h"

#include <stdio.h>
#include <wchar.h>

#include "panes/strings.h"

static const wchar_t *instances_heading(const prfdata_table *table, prfdata_number_style style,
                                        const wchar_t *name, wchar_t text[PRFDATA_STRINGS_CHARS])
{
    wchar_t shown[PRFDATA_STRINGS_COUNT];
    wchar_t all[PRFDATA_STRINGS_COUNT];
    const uint32_t instances = table->present_count - table->present_totals;
    const uint32_t seen = table->shown_present_count - table->shown_totals;

    prfdata_strings_count(style, seen, shown);
    if (seen == instances)
        return prfdata_strings_format(text, instances == 1 ? IDS_TABLE_ONE : IDS_TABLE_HEADING,
                                      name, shown, NULL);
    prfdata_strings_count(style, instances, all);
    return prfdata_strings_format(text, instances == 1 ? IDS_TABLE_SOME_ONE : IDS_TABLE_SOME, name,
                                  shown, all);
}

/* Return the heading of an object whose provider is slow. It says how long the last answer took. If
 * no answer has come yet, it says that the provider is asked separately. */
static const wchar_t *late_heading(prfdata_number_style style, const wchar_t *heading,
                                   uint32_t late_ms, wchar_t text[PRFDATA_STRINGS_CHARS])
{
    wchar_t seconds[20];

    if (late_ms == PRFDATA_NODE_AWAITED)
        return prfdata_strings_format(text, IDS_TABLE_AWAITED, heading, NULL, NULL);
    swprintf(seconds, 20, L"%.1f", late_ms / 1000.0);
    return prfdata_strings_format(text, IDS_TABLE_LATE, heading,
                                  prfdata_strings_decimal(style, seconds), NULL);
}

/* Set the text of a label only if it has changed, so that the label is not painted needlessly. */
static void set_label(HWND label, const wchar_t *text)
{
    wchar_t before[PRFDATA_STRINGS_CHARS] = L"";

    GetWindowTextW(label, before, PRFDATA_STRINGS_CHARS);
    if (wcscmp(before, text) != 0)
        SetWindowTextW(label, text);
}

static const wchar_t *text_without_object(const prfdata_viewer *viewer)
{
    if (!viewer->has_titles)
        return L"";
    return prfdata_strings_get(prfdata_viewer_object_count(viewer) > 0 ? IDS_TABLE_NONE
                                                                       : IDS_TABLE_NO_OBJECTS);
}

void prfdata_table_head_show(HWND label, const prfdata_viewer *viewer, prfdata_number_style style)
{
    const prfdata_table *table = &viewer->table;
    const prfdata_node *node = prfdata_tree_object(&viewer->tree, table->object_title);
    wchar_t name[200] = L"";
    wchar_t note[400];
    wchar_t room[PRFDATA_STRINGS_CHARS];
    wchar_t late[PRFDATA_STRINGS_CHARS];
    const wchar_t *text;

    if (node)
        prfdata_strings_text(node->name, name, 200);
    if (table->object_title == 0)
        text = text_without_object(viewer);
    else if (node && node->is_silent)
        text = prfdata_strings_text(node->note, note, 400);
    else if (node && node->is_gone)
        text = prfdata_strings_format(room, IDS_TABLE_GONE, name,
                                      prfdata_strings_text(node->note, note, 400), NULL);
    else if (!table->is_present)
        text = prfdata_strings_format(room, IDS_TABLE_WAITING, name, NULL, NULL);
    else
        text = table->has_instances ? instances_heading(table, style, name, room) : name;
    if (node && node->late_ms > 0)
        text = late_heading(style, text, node->late_ms, late);
    set_label(label, text);
}
