/* SPDX-License-Identifier: MIT */
/* Says why the table is empty: nothing is chosen, no provider answers, or the object has no
 * content. */
#include "prfview/hint.h"

#include <wchar.h>

#include "panes/window_state.h"

/* Return why an object is not there. */
static const wchar_t *text_of_absence(const prfdata_node *node, wchar_t room[PRFDATA_STRINGS_CHARS])
{
    wchar_t name[200];
    wchar_t note[400];

    if (node->is_silent) /* the note is a sentence */
        return prfdata_strings_text(node->note, room, PRFDATA_STRINGS_CHARS);
    if (node->note.count > 0)
        prfdata_strings_text(node->note, note, 400);
    else
        prfdata_strings_copy(note, prfdata_strings_get(IDS_ABSENT), 400);
    return prfdata_strings_format(room, IDS_TABLE_GONE, prfdata_strings_text(node->name, name, 200),
                                  note, NULL);
}

/* Return the text of the hint; NULL: the table is not empty. */
static const wchar_t *text_of_hint(const prfdata_app *app, uint32_t commands[PRFDATA_HINT_BUTTONS],
                                   wchar_t room[PRFDATA_STRINGS_CHARS])
{
    const prfdata_viewer *viewer = &app->viewer;
    const prfdata_node *node =
        viewer->has_titles ? prfdata_tree_object(&viewer->tree, viewer->table.object_title) : NULL;

    if (app->unreached[0]) {
        commands[0] = IDC_LIVE;
        commands[1] = IDC_COMPUTER;
        return app->unreached;
    }
    if (!viewer->has_titles && !app->reading) {
        commands[0] = IDC_OPEN;
        commands[1] = IDC_LIVE;
        return prfdata_strings_get(IDS_HINT_NOTHING);
    }
    if (!viewer->has_titles)
        return prfdata_strings_get(IDS_READING);
    if (viewer->table.object_title == 0) {
        commands[0] = app->reading ? IDC_READ_ALL : IDC_OPEN;
        commands[1] = app->reading ? IDC_OPEN : IDC_LIVE;
        if (!app->reading)
            return prfdata_strings_get(IDS_HINT_FILE);
        return prfdata_strings_get(prfdata_viewer_object_count(viewer) > 0 ? IDS_HINT_LIVE
                                                                           : IDS_HINT_NO_OBJECTS);
    }
    if (viewer->table.row_count > 0)
        return NULL;
    if (node && (node->is_silent || node->is_gone)) {
        commands[0] = node->is_silent ? IDC_REFRESH : 0;
        return text_of_absence(node, room);
    }
    if (!viewer->table.is_present)
        return NULL;
    return prfdata_strings_get(node && app->reading &&
                                       node->parent == viewer->tree.groups[PRFDATA_TREE_SERVICES]
                                   ? IDS_HINT_NO_PROGRAM
                                   : IDS_HINT_NO_INSTANCES);
}

void prfdata_hint_update(prfdata_app *app)
{
    uint32_t commands[PRFDATA_HINT_BUTTONS] = {0};
    wchar_t room[PRFDATA_STRINGS_CHARS];
    const wchar_t *text = text_of_hint(app, commands, room);
    HWND table = app->table.window;
    RECT area;

    if (!table || !app->hint.window)
        return;
    app->hint.next = app->parts[PRFDATA_APP_TREE];
    if (text) {
        GetWindowRect(table, &area);
        MapWindowPoints(NULL, app->window, (POINT *)&area, 2);
        SetWindowPos(app->hint.window, NULL, area.left, area.top, area.right - area.left,
                     area.bottom - area.top, SWP_NOZORDER | SWP_NOACTIVATE);
        prfdata_hint_pane_show(&app->hint, text, commands);
    }
    prfdata_window_state_show(text ? app->hint.window : table, true, NULL);
    prfdata_window_state_show(text ? table : app->hint.window, false,
                              text ? app->parts[PRFDATA_APP_TREE] : table);
}
