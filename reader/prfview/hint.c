/* SPDX-License-Identifier: MIT */
/*
 * Shows why the table is empty, with buttons for what the user can do. viewer/emptiness.h lists the
 * reasons, except one: another computer cannot be read.
 */
#include "prfview/hint.h"

#include <wchar.h>

#include "panes/window_state.h"
#include "viewer/emptiness.h"

/* Return why an object has no rows: it did not answer, or it is missing. */
static const wchar_t *text_of_absence(const prfdata_node *node, wchar_t room[PRFDATA_STRINGS_CHARS])
{
    wchar_t name[200];
    wchar_t note[400];

    if (node->is_silent) /* the note is a whole sentence */
        return prfdata_strings_text(node->note, room, PRFDATA_STRINGS_CHARS);
    if (node->note.count > 0)
        prfdata_strings_text(node->note, note, 400);
    else
        prfdata_strings_copy(note, prfdata_strings_get(IDS_ABSENT), 400);
    return prfdata_strings_format(room, IDS_TABLE_GONE, prfdata_strings_text(node->name, name, 200),
                                  note, NULL);
}

/* Return the text of the hint, and set the commands of its buttons. NULL: there is no hint. */
static const wchar_t *text_of_hint(const prfdata_app *app, uint32_t commands[PRFDATA_HINT_BUTTONS],
                                   wchar_t room[PRFDATA_STRINGS_CHARS])
{
    static const struct {
        uint16_t text; /* number of the text; 0: there is none, or text_of_absence() makes it */
        uint16_t commands[PRFDATA_HINT_BUTTONS];
    } hints[] = {
        [PRFDATA_EMPTINESS_NOTHING_OPEN] = {IDS_HINT_NOTHING, {IDC_OPEN, IDC_LIVE}},
        [PRFDATA_EMPTINESS_READING] = {IDS_READING, {0}},
        [PRFDATA_EMPTINESS_CHOICE] = {IDS_HINT_CHOICE, {IDC_READ_ALL, IDC_OPEN}},
        [PRFDATA_EMPTINESS_NO_SERVICES] = {IDS_HINT_LIVE, {IDC_READ_ALL, IDC_OPEN}},
        [PRFDATA_EMPTINESS_NO_OBJECTS] = {IDS_HINT_NO_OBJECTS, {IDC_READ_ALL, IDC_OPEN}},
        [PRFDATA_EMPTINESS_FILE] = {IDS_HINT_FILE, {IDC_OPEN, IDC_LIVE}},
        [PRFDATA_EMPTINESS_SILENT] = {0, {IDC_REFRESH}},
        [PRFDATA_EMPTINESS_NO_PROGRAM] = {IDS_HINT_NO_PROGRAM, {0}},
        [PRFDATA_EMPTINESS_NO_INSTANCES] = {IDS_HINT_NO_INSTANCES, {0}},
    };
    const prfdata_emptiness why = prfdata_emptiness_of(&app->viewer, app->reading != NULL);

    if (app->unreached[0]) {
        commands[0] = IDC_LIVE;
        commands[1] = IDC_COMPUTER;
        return app->unreached;
    }
    for (size_t i = 0; i < PRFDATA_HINT_BUTTONS; i++)
        commands[i] = hints[why].commands[i];
    if (why == PRFDATA_EMPTINESS_SILENT || why == PRFDATA_EMPTINESS_ABSENT)
        return text_of_absence(
            prfdata_tree_object(&app->viewer.tree, app->viewer.table.object_title), room);
    return why == PRFDATA_EMPTINESS_NONE ? NULL : prfdata_strings_get(hints[why].text);
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
