/* SPDX-License-Identifier: MIT */
/*
 * Makes the parts of the window, in the order of the Tab key, and gives them fonts and colours.
 * arrangement.c places them.
 */
#include "prfview/parts.h"

#include "panes/dark_controls.h"
#include "panes/dark_menu.h"
#include "prfview/arrangement.h"
#include "prfview/interval.h"
#include "prfview/tools.h"

/* ---- The parts ---- */

static HWND create_part(prfdata_app *app, prfdata_app_part part, const wchar_t *class_name,
                        const wchar_t *text, DWORD style, DWORD extended)
{
    app->parts[part] = CreateWindowExW(
        extended, class_name, text, WS_CHILD | WS_VISIBLE | style, 0, 0, 0, 0, app->window,
        (HMENU)(uintptr_t)(part + IDC_FIRST_PART), app->instance, NULL);
    return app->parts[part];
}

/*
 * Create a label before its part, because screen readers read it as the part's name. A label that
 * is never placed has no size, and is only for screen readers.
 */
static void create_label(prfdata_app *app, prfdata_app_part part, uint32_t id)
{
    app->labels[part] = CreateWindowExW(0, L"STATIC", prfdata_strings_get(id),
                                        WS_CHILD | WS_VISIBLE | SS_LEFT | SS_ENDELLIPSIS, 0, 0, 0,
                                        0, app->window, NULL, app->instance, NULL);
}

static void create_head(prfdata_app *app)
{
    wchar_t text[PRFDATA_STRINGS_CHARS];

    create_label(app, PRFDATA_APP_SEARCH, IDS_SEARCH_LABEL);
    create_part(app, PRFDATA_APP_SEARCH, L"EDIT", L"", WS_TABSTOP | WS_BORDER | ES_AUTOHSCROLL, 0);
    SendMessageW(app->parts[PRFDATA_APP_SEARCH], EM_SETCUEBANNER, TRUE,
                 (LPARAM)prfdata_strings_get(IDS_SEARCH_CUE));
    create_label(app, PRFDATA_APP_INTERVAL, IDS_INTERVAL_LABEL);
    create_part(app, PRFDATA_APP_INTERVAL, L"COMBOBOX", L"",
                WS_TABSTOP | WS_VSCROLL | CBS_DROPDOWNLIST, 0);
    for (uint32_t i = 0; i < IDC_INTERVAL_COUNT; i++)
        SendMessageW(app->parts[PRFDATA_APP_INTERVAL], CB_ADDSTRING, 0,
                     (LPARAM)prfdata_interval_text(app->style, prfdata_interval_of_menu(i), text));
    prfdata_interval_set(app, app->viewer.interval_ms);
    create_part(app, PRFDATA_APP_PAUSE, L"BUTTON", prfdata_strings_get(IDS_PAUSE_BUTTON),
                WS_TABSTOP, 0);
    create_part(app, PRFDATA_APP_REFRESH, L"BUTTON", prfdata_strings_get(IDS_REFRESH_BUTTON),
                WS_TABSTOP, 0);
}

static void create_tabs(prfdata_app *app)
{
    create_part(app, PRFDATA_APP_TABS, WC_TABCONTROLW, L"", WS_TABSTOP | WS_CLIPSIBLINGS, 0);
    for (int i = 0; i < 3; i++) {
        TCITEMW item = {.mask = TCIF_TEXT};

        item.pszText = (wchar_t *)(uintptr_t)prfdata_strings_get(IDS_TAB_CHART + (uint32_t)i);
        SendMessageW(app->parts[PRFDATA_APP_TABS], TCM_INSERTITEMW, (WPARAM)i, (LPARAM)&item);
    }
}

/* Prepare the tabs, the buttons and the list of intervals for dark mode. */
static void paint_dark_parts(const prfdata_app *app)
{
    prfdata_dark_controls_begin(app->parts[PRFDATA_APP_TABS], PRFDATA_DARK_TABS, &app->theme);
    prfdata_dark_controls_begin(app->parts[PRFDATA_APP_PAUSE], PRFDATA_DARK_BUTTON, &app->theme);
    prfdata_dark_controls_begin(app->parts[PRFDATA_APP_REFRESH], PRFDATA_DARK_BUTTON, &app->theme);
    prfdata_dark_controls_begin(app->parts[PRFDATA_APP_INTERVAL], PRFDATA_DARK_CLOSED_LIST,
                                &app->theme);
}

void prfdata_parts_create(prfdata_app *app)
{
    create_head(app);
    prfdata_tools_create(app);
    create_label(app, PRFDATA_APP_TREE, IDS_TREE_LABEL);
    app->tree = (prfdata_tree_pane){.viewer = &app->viewer, .theme = &app->theme};
    prfdata_tree_pane_create(&app->tree, app->window, PRFDATA_APP_TREE + IDC_FIRST_PART);
    app->parts[PRFDATA_APP_TREE] = app->tree.window;
    create_label(app, PRFDATA_APP_TABLE, IDS_TABLE_NONE);
    /* Show a & in an object's name, instead of underlining the letter after it. */
    SetWindowLongPtrW(app->labels[PRFDATA_APP_TABLE], GWL_STYLE,
                      GetWindowLongPtrW(app->labels[PRFDATA_APP_TABLE], GWL_STYLE) | SS_NOPREFIX);
    app->table = (prfdata_table_pane){.head = app->labels[PRFDATA_APP_TABLE],
                                      .viewer = &app->viewer,
                                      .theme = &app->theme,
                                      .style = &app->style};
    prfdata_table_pane_create(&app->table, app->window, PRFDATA_APP_TABLE + IDC_FIRST_PART);
    app->parts[PRFDATA_APP_TABLE] = app->table.window;
    app->hint = (prfdata_hint_pane){.theme = &app->theme};
    prfdata_hint_pane_create(&app->hint, app->window);
    create_label(app, PRFDATA_APP_TABS, IDS_TABS_LABEL);
    create_tabs(app);
    create_label(app, PRFDATA_APP_PLOT, IDS_CHART_LABEL);
    app->plot = (prfdata_plot){.viewer = &app->viewer, .theme = &app->theme, .style = &app->style};
    prfdata_chart_pane_create(&app->plot, app->window, PRFDATA_APP_PLOT + IDC_FIRST_PART);
    app->parts[PRFDATA_APP_PLOT] = app->plot.window;
    create_label(app, PRFDATA_APP_LEGEND, IDS_LEGEND_LABEL);
    app->legend = (prfdata_legend_pane){
        .viewer = &app->viewer, .theme = &app->theme, .style = &app->style, .hover = UINT32_MAX};
    prfdata_legend_pane_create(&app->legend, app->window, PRFDATA_APP_LEGEND + IDC_FIRST_PART);
    app->parts[PRFDATA_APP_LEGEND] = app->legend.window;
    create_label(app, PRFDATA_APP_BYTES, IDS_DETAILS_LABEL);
    prfdata_details_pane_create(&app->details, app->window, PRFDATA_APP_BYTES + IDC_FIRST_PART,
                                &app->theme);
    app->parts[PRFDATA_APP_BYTES] = app->details.window;
    app->status =
        (prfdata_status_bar){.viewer = &app->viewer, .theme = &app->theme, .style = &app->style};
    prfdata_status_bar_create(&app->status, app->window);
    prfdata_tools_create_tips(app);
    paint_dark_parts(app);
}

/* ---- The theme ---- */

static void colour_panes(prfdata_app *app)
{
    prfdata_tree_pane_apply_theme(&app->tree);
    prfdata_table_pane_apply_theme(&app->table);
    prfdata_legend_pane_apply_theme(&app->legend);
    prfdata_hint_pane_apply_theme(&app->hint);
    prfdata_tools_apply_theme(app);
    prfdata_theme_apply_to_control(&app->theme, app->plot.window);
    prfdata_theme_apply_to_control(&app->theme, app->details.window);
}

void prfdata_parts_apply_theme(prfdata_app *app, uint32_t dpi)
{
    prfdata_theme_update(&app->theme, app->window, dpi);
    prfdata_theme_apply(&app->theme, app->window);
    for (int i = 0; i < PRFDATA_APP_PARTS; i++) {
        const bool is_fixed = i == PRFDATA_APP_BYTES;

        SendMessageW(app->parts[i], WM_SETFONT,
                     (WPARAM)(is_fixed ? app->theme.fixed : app->theme.font), TRUE);
        if (app->labels[i])
            SendMessageW(app->labels[i], WM_SETFONT,
                         (WPARAM)(i < PRFDATA_APP_TREE ? app->theme.font : app->theme.bold), TRUE);
    }
    SendMessageW(app->status.window, WM_SETFONT, (WPARAM)app->theme.font, TRUE);
    SendMessageW(
        app->parts[PRFDATA_APP_TABS], TCM_SETPADDING, 0,
        MAKELPARAM(prfdata_theme_pixels(&app->theme, 10), prfdata_theme_pixels(&app->theme, 4)));
    colour_panes(app);
    for (size_t i = 0; i < PRFDATA_APP_MENUS; i++)
        prfdata_dark_menu_colour(app->menus[i], i == PRFDATA_APP_BAR, &app->theme);
    DrawMenuBar(app->window);
    prfdata_arrangement_update(app);
    InvalidateRect(app->window, NULL, TRUE);
}
