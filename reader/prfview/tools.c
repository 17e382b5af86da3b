/* SPDX-License-Identifier: MIT */
/*
 * Makes the toolbar of the most important commands. A toolbar does not take the focus, so Add
 * applies to the part that has the focus.
 */
#include "prfview/tools.h"

#include <wchar.h>

#include "panes/strings.h"

static const struct {
    int command;
    uint32_t text;
} tools[] = {{IDC_RECORD, IDS_TOOL_RECORD},
             {IDC_ADD, IDS_TOOL_ADD},
             {IDC_LOG, IDS_TOOL_LOG},
             {IDC_NEWEST, IDS_TOOL_NEWEST}};

enum { TOOLS = sizeof tools / sizeof tools[0] };

void prfdata_tools_create(prfdata_app *app)
{
    TBBUTTON buttons[TOOLS];

    app->tools =
        CreateWindowExW(0, TOOLBARCLASSNAMEW, NULL,
                        WS_CHILD | WS_VISIBLE | CCS_NOPARENTALIGN | CCS_NORESIZE | CCS_NODIVIDER |
                            TBSTYLE_FLAT | TBSTYLE_LIST | TBSTYLE_TRANSPARENT | TBSTYLE_TOOLTIPS,
                        0, 0, 0, 0, app->window, NULL, app->instance, NULL);
    for (size_t i = 0; i < TOOLS; i++)
        buttons[i] = (TBBUTTON){
            .iBitmap = I_IMAGENONE,
            .idCommand = tools[i].command,
            .fsState = TBSTATE_ENABLED,
            .fsStyle = (BYTE)(BTNS_AUTOSIZE | BTNS_SHOWTEXT |
                              (tools[i].command == IDC_RECORD || tools[i].command == IDC_LOG
                                   ? BTNS_CHECK
                                   : BTNS_BUTTON)),
            .iString = (INT_PTR)prfdata_strings_get(tools[i].text)};
    SendMessageW(app->tools, TB_BUTTONSTRUCTSIZE, sizeof buttons[0], 0);
    SendMessageW(app->tools, TB_ADDBUTTONSW, TOOLS, (LPARAM)buttons);
}

void prfdata_tools_apply_theme(const prfdata_app *app)
{
    SendMessageW(app->tools, WM_SETFONT, (WPARAM)app->theme.font, TRUE);
    SendMessageW(app->tools, TB_SETBITMAPSIZE, 0, 0);
    SendMessageW(
        app->tools, TB_SETPADDING, 0,
        MAKELPARAM(prfdata_theme_pixels(&app->theme, 14), prfdata_theme_pixels(&app->theme, 8)));
    SendMessageW(app->tools, TB_AUTOSIZE, 0, 0);
}

int32_t prfdata_tools_width(const prfdata_app *app)
{
    RECT last;

    return SendMessageW(app->tools, TB_GETITEMRECT, TOOLS - 1, (LPARAM)&last) ? last.right : 0;
}

static void set_tool(const prfdata_app *app, int command, bool is_enabled, bool is_on)
{
    const LPARAM state = (is_enabled ? TBSTATE_ENABLED : 0) | (is_on ? TBSTATE_CHECKED : 0);

    if (SendMessageW(app->tools, TB_GETSTATE, (WPARAM)command, 0) != state)
        SendMessageW(app->tools, TB_SETSTATE, (WPARAM)command, state);
}

bool prfdata_tools_can_record(const prfdata_app *app)
{
    uint32_t titles[PRFDATA_VIEWER_WANTED_MOST];

    return app->record || (app->reading && prfdata_viewer_wanted(&app->viewer, titles) > 0);
}

void prfdata_tools_update(const prfdata_app *app)
{
    const prfdata_viewer *viewer = &app->viewer;
    const uint32_t line = prfdata_legend_pane_selected(&app->legend);
    const bool has_lines = viewer->chart.series_count > 0;

    set_tool(app, IDC_RECORD, prfdata_tools_can_record(app), app->record != NULL);
    set_tool(app, IDC_ADD, viewer->table.object_title != 0, false);
    set_tool(app, IDC_LOG, has_lines,
             has_lines && prfdata_viewer_is_log(viewer, line < PRFDATA_CHART_SERIES ? line : 0));
    set_tool(app, IDC_NEWEST, viewer->looks_back || (has_lines && !viewer->chart.follows), false);
}

/* ---- Tips ---- */

/*
 * Write the text that a command has in the menu, without "&" and dots, and then the command's key:
 * "Pause (Ctrl+P)".
 */
static void put_tip(uint32_t command, wchar_t tip[PRFDATA_TOOLS_TIP_CHARS])
{
    const wchar_t *text = prfdata_strings_get(command);
    size_t used = 0;
    bool has_key = false;

    for (; *text && used + 3 < PRFDATA_TOOLS_TIP_CHARS; text++) {
        if (*text == L'\t') {
            has_key = true;
            tip[used++] = L' ';
            tip[used++] = L'(';
        } else if (*text != L'&' && (*text != L'.' || has_key)) {
            tip[used++] = *text;
        }
    }
    if (has_key)
        tip[used++] = L')';
    tip[used] = 0;
}

void prfdata_tools_create_tips(prfdata_app *app)
{
    static const prfdata_app_part buttons[] = {PRFDATA_APP_PAUSE, PRFDATA_APP_REFRESH};

    app->tips = CreateWindowExW(WS_EX_TOPMOST, TOOLTIPS_CLASSW, NULL,
                                WS_POPUP | TTS_ALWAYSTIP | TTS_NOPREFIX, 0, 0, 0, 0, app->window,
                                NULL, app->instance, NULL);
    for (size_t i = 0; i < sizeof buttons / sizeof buttons[0]; i++) {
        TOOLINFOW tool = {.cbSize = sizeof tool,
                          .uFlags = TTF_IDISHWND | TTF_SUBCLASS,
                          .hwnd = app->window,
                          .uId = (UINT_PTR)app->parts[buttons[i]],
                          .lpszText = LPSTR_TEXTCALLBACKW};

        SendMessageW(app->tips, TTM_ADDTOOLW, 0, (LPARAM)&tool);
    }
}

bool prfdata_tools_set_tip(const prfdata_app *app, NMTTDISPINFOW *tip)
{
    static wchar_t text[PRFDATA_TOOLS_TIP_CHARS];
    const UINT_PTR of = tip->hdr.idFrom;
    uint32_t command = (uint32_t)of; /* for a button of the toolbar, `of` is its command */

    if (tip->hdr.hwndFrom == app->tips)
        command = of == (UINT_PTR)app->parts[PRFDATA_APP_PAUSE] ? IDC_PAUSE : IDC_REFRESH;
    else if (tip->hdr.hwndFrom != (HWND)SendMessageW(app->tools, TB_GETTOOLTIPS, 0, 0))
        return false;
    put_tip(command, text);
    tip->lpszText = text;
    return true;
}

/* Draw a button. The button Record is red during a recording. The other buttons have the colours of
 * the theme. */
LRESULT prfdata_tools_draw(const prfdata_app *app, NMTBCUSTOMDRAW *draw)
{
    const bool is_on = (draw->nmcd.uItemState & CDIS_CHECKED) != 0;
    const bool is_lit = (draw->nmcd.uItemState & (CDIS_HOT | CDIS_SELECTED | CDIS_CHECKED)) != 0;
    const bool is_red = is_on && draw->nmcd.dwItemSpec == IDC_RECORD;
    COLORREF text = app->theme.is_dark ? app->theme.text : GetSysColor(COLOR_BTNTEXT);
    wchar_t name[60];

    if (draw->nmcd.dwDrawStage == CDDS_PREPAINT)
        return app->theme.is_contrast ? CDRF_DODEFAULT : CDRF_NOTIFYITEMDRAW;
    if (draw->nmcd.dwDrawStage != CDDS_ITEMPREPAINT)
        return CDRF_DODEFAULT;
    if (draw->nmcd.uItemState & CDIS_DISABLED)
        text = app->theme.is_dark ? app->theme.disabled : GetSysColor(COLOR_GRAYTEXT);
    FillRect(draw->nmcd.hdc, &draw->nmcd.rc, app->theme.face_brush);
    if (is_lit) {
        HBRUSH lit = CreateSolidBrush(is_red               ? RGB(196, 43, 28)
                                      : app->theme.is_dark ? app->theme.lit
                                                           : GetSysColor(COLOR_BTNSHADOW));

        if (is_red)
            FillRect(draw->nmcd.hdc, &draw->nmcd.rc, lit);
        else
            FrameRect(draw->nmcd.hdc, &draw->nmcd.rc, lit);
        DeleteObject(lit);
    }
    name[0] = 0;
    for (size_t i = 0; i < TOOLS; i++) {
        if (tools[i].command == (int)draw->nmcd.dwItemSpec)
            prfdata_strings_copy(name, prfdata_strings_get(tools[i].text), 60);
    }
    SelectObject(draw->nmcd.hdc, app->theme.font);
    SetBkMode(draw->nmcd.hdc, TRANSPARENT);
    SetTextColor(draw->nmcd.hdc, is_red ? RGB(255, 255, 255) : text);
    DrawTextW(draw->nmcd.hdc, name, -1, &draw->nmcd.rc,
              DT_CENTER | DT_VCENTER | DT_SINGLELINE | DT_NOPREFIX);
    return CDRF_SKIPDEFAULT;
}
