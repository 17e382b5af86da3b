/* SPDX-License-Identifier: MIT */
/* Shows the menus that appear at the pointer, or with Shift+F10. */
#include "prfview/popup_menus.h"

typedef struct popup_command {
    uint16_t menu;
    uint16_t command; /* 0: a separator */
} popup_command;

static const popup_command popup_commands[] = {
    {PRFDATA_APP_TREE_MENU, IDC_ADD},
    {PRFDATA_APP_TREE_MENU, IDC_COPY_PATH},
    {PRFDATA_APP_TREE_MENU, IDC_SHOW_DETAILS},
    {PRFDATA_APP_TABLE_MENU, IDC_ADD},
    {PRFDATA_APP_TABLE_MENU, IDC_SHOW_DETAILS},
    {PRFDATA_APP_TABLE_MENU, IDC_THRESHOLD},
    {PRFDATA_APP_TABLE_MENU, 0},
    {PRFDATA_APP_TABLE_MENU, IDC_COPY},
    {PRFDATA_APP_TABLE_MENU, IDC_COPY_PATH},
    {PRFDATA_APP_TABLE_MENU, 0},
    {PRFDATA_APP_TABLE_MENU, IDC_SORT},
    {PRFDATA_APP_TABLE_MENU, IDC_HIDE_COLUMN},
    {PRFDATA_APP_TABLE_MENU, IDC_ALL_COLUMNS},
    {PRFDATA_APP_TABLE_MENU, 0},
    {PRFDATA_APP_TABLE_MENU, IDC_RAW},
    {PRFDATA_APP_TABLE_MENU, IDC_HIDE_IDLE},
    {PRFDATA_APP_CHART_MENU, IDC_REMOVE},
    {PRFDATA_APP_CHART_MENU, IDC_HIDE_LINE},
    {PRFDATA_APP_CHART_MENU, IDC_OWN_CHART},
    {PRFDATA_APP_CHART_MENU, IDC_LOG},
    {PRFDATA_APP_CHART_MENU, IDC_COLOUR},
    {PRFDATA_APP_CHART_MENU, IDC_THRESHOLD},
    {PRFDATA_APP_CHART_MENU, IDC_BANDS},
    {PRFDATA_APP_CHART_MENU, 0},
    {PRFDATA_APP_CHART_MENU, IDC_ZOOM_IN},
    {PRFDATA_APP_CHART_MENU, IDC_ZOOM_OUT},
    {PRFDATA_APP_CHART_MENU, IDC_NEWEST},
    {PRFDATA_APP_CHART_MENU, 0},
    {PRFDATA_APP_CHART_MENU, IDC_EXPORT_PICTURE},
};

void prfdata_popup_menus_make(prfdata_app *app)
{
    for (size_t i = PRFDATA_APP_BAR + 1; i < PRFDATA_APP_MENUS; i++)
        app->menus[i] = CreatePopupMenu();
    for (size_t i = 0; i < sizeof popup_commands / sizeof popup_commands[0]; i++) {
        const popup_command *command = &popup_commands[i];

        if (command->command == 0)
            AppendMenuW(app->menus[command->menu], MF_SEPARATOR, 0, NULL);
        else
            AppendMenuW(app->menus[command->menu], MF_STRING, command->command,
                        prfdata_strings_get(command->command));
    }
}

static bool is_in_part(const prfdata_app *app, prfdata_app_part part, HWND window)
{
    return window == app->parts[part] || IsChild(app->parts[part], window);
}

/* Return the menu of a window; PRFDATA_APP_BAR: it has none. */
static prfdata_app_menu menu_of(const prfdata_app *app, HWND window)
{
    if (is_in_part(app, PRFDATA_APP_TREE, window))
        return PRFDATA_APP_TREE_MENU;
    if (is_in_part(app, PRFDATA_APP_TABLE, window))
        return PRFDATA_APP_TABLE_MENU;
    if (is_in_part(app, PRFDATA_APP_PLOT, window) || is_in_part(app, PRFDATA_APP_LEGEND, window))
        return PRFDATA_APP_CHART_MENU;
    return PRFDATA_APP_BAR;
}

/* Return the place below the focused item of a part. If no item has the focus, return a place near
 * the part's upper left corner. */
static POINT place_of_focus(const prfdata_app *app, HWND window)
{
    RECT area = {0, 0, 0, 0};
    POINT at = {app->theme.text_height, app->theme.text_height};
    int row = -1;
    HTREEITEM item = NULL;

    if (window == app->parts[PRFDATA_APP_TREE])
        item = TreeView_GetSelection(window);
    else if (window != app->parts[PRFDATA_APP_PLOT])
        row = ListView_GetNextItem(window, -1, LVNI_FOCUSED);
    if ((item && TreeView_GetItemRect(window, item, &area, TRUE)) ||
        (row >= 0 && ListView_GetItemRect(window, row, &area, LVIR_LABEL)))
        at = (POINT){area.left + app->theme.text_height, area.bottom};
    ClientToScreen(window, &at);
    return at;
}

/* First selects the node or the column under the pointer, because the menu applies to it. */
void prfdata_popup_menus_show(prfdata_app *app, HWND part, int32_t x, int32_t y)
{
    const prfdata_app_menu menu = menu_of(app, part);
    POINT at = {x, y};

    if (menu == PRFDATA_APP_BAR)
        return;
    if (x == -1 && y == -1)
        at = place_of_focus(app, part);
    else if (menu == PRFDATA_APP_TREE_MENU)
        prfdata_tree_pane_select_at(&app->tree, at);
    else
        prfdata_table_pane_choose_heading(&app->table, part, at);
    if (menu == PRFDATA_APP_TREE_MENU || part == app->parts[PRFDATA_APP_PLOT])
        SetFocus(part);
    TrackPopupMenu(app->menus[menu], TPM_RIGHTBUTTON, at.x, at.y, 0, app->window, NULL);
}
