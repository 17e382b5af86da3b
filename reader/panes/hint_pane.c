/* SPDX-License-Identifier: MIT */
/* Draws a text and places buttons below it, in the middle of the window. */
#include "panes/hint_pane.h"

#include <wchar.h>

#include "panes/dark_controls.h"
#include "panes/strings.h"
#include "panes/window_state.h"

#define HINT_CLASS L"PrfViewHint"

static int32_t measure_hint(const prfdata_hint_pane *pane, HDC dc, int32_t width)
{
    RECT area = {0, 0, width, 0};
    HGDIOBJ before = SelectObject(dc, pane->theme->font);

    DrawTextW(dc, pane->text, -1, &area, DT_CENTER | DT_WORDBREAK | DT_NOPREFIX | DT_CALCRECT);
    SelectObject(dc, before);
    return area.bottom;
}

static bool has_hint_buttons(const prfdata_hint_pane *pane)
{
    return pane->commands[0] != 0;
}

static RECT area_of_hint(const prfdata_hint_pane *pane, HDC dc)
{
    const int32_t margin = prfdata_theme_pixels(pane->theme, 24);
    const int32_t button = has_hint_buttons(pane)
                               ? pane->theme->text_height + prfdata_theme_pixels(pane->theme, 26)
                               : 0;
    int32_t height;
    RECT area;

    GetClientRect(pane->window, &area);
    area.left += margin;
    area.right -= margin;
    height = measure_hint(pane, dc, area.right - area.left);
    area.top = (area.bottom - height - button) / 2;
    area.top = area.top > 0 ? area.top : 0;
    area.bottom = area.top + height;
    return area;
}

static void place_hint_buttons(const prfdata_hint_pane *pane)
{
    const int32_t gap = prfdata_theme_pixels(pane->theme, 8);
    const int32_t height = pane->theme->text_height + prfdata_theme_pixels(pane->theme, 10);
    int32_t widths[PRFDATA_HINT_BUTTONS] = {0};
    int32_t width = -gap;
    HDC dc = GetDC(pane->window);
    HGDIOBJ before = SelectObject(dc, pane->theme->font);
    RECT area;

    for (int i = 0; i < PRFDATA_HINT_BUTTONS; i++) {
        wchar_t text[100];
        SIZE size = {0, 0};

        if (pane->commands[i] == 0)
            continue;
        GetWindowTextW(pane->buttons[i], text, 100);
        GetTextExtentPoint32W(dc, text, (int)wcslen(text), &size);
        widths[i] = size.cx + 3 * gap;
        width += widths[i] + gap;
    }
    SelectObject(dc, before);
    area = area_of_hint(pane, dc);
    ReleaseDC(pane->window, dc);
    area.left = (area.left + area.right - width) / 2;
    for (int i = 0; i < PRFDATA_HINT_BUTTONS; i++) {
        SetWindowPos(pane->buttons[i], NULL, area.left, area.bottom + 2 * gap, widths[i], height,
                     SWP_NOZORDER | SWP_NOACTIVATE);
        prfdata_window_state_show(pane->buttons[i], pane->commands[i] != 0, pane->next);
        area.left += widths[i] + gap;
    }
}

static void paint_hint(const prfdata_hint_pane *pane)
{
    PAINTSTRUCT paint;
    HDC dc = BeginPaint(pane->window, &paint);
    HGDIOBJ before = SelectObject(dc, pane->theme->font);
    RECT area = area_of_hint(pane, dc);
    RECT all;

    GetClientRect(pane->window, &all);
    FillRect(dc, &all, pane->theme->back_brush);
    SetBkMode(dc, TRANSPARENT);
    SetTextColor(dc, pane->theme->text);
    DrawTextW(dc, pane->text, -1, &area, DT_CENTER | DT_WORDBREAK | DT_NOPREFIX);
    SelectObject(dc, before);
    EndPaint(pane->window, &paint);
}

static LRESULT CALLBACK hint_procedure(HWND window, UINT message, WPARAM wparam, LPARAM lparam)
{
    prfdata_hint_pane *pane = (prfdata_hint_pane *)GetWindowLongPtrW(window, GWLP_USERDATA);

    switch (pane ? message : WM_NULL) {
    case WM_PAINT:
        paint_hint(pane);
        return 0;
    case WM_ERASEBKGND:
        return 1;
    case WM_SIZE:
        place_hint_buttons(pane);
        InvalidateRect(window, NULL, TRUE);
        return 0;
    case WM_COMMAND:
        PostMessageW(GetParent(window), WM_COMMAND, LOWORD(wparam), 0);
        return 0;
    case WM_CTLCOLORBTN:
        return (LRESULT)pane->theme->back_brush;
    default:
        return DefWindowProcW(window, message, wparam, lparam);
    }
}

void prfdata_hint_pane_create(prfdata_hint_pane *pane, HWND parent)
{
    HINSTANCE instance = (HINSTANCE)GetWindowLongPtrW(parent, GWLP_HINSTANCE);
    const WNDCLASSEXW hint = {.cbSize = sizeof hint,
                              .lpfnWndProc = hint_procedure,
                              .hInstance = instance,
                              .hCursor = LoadCursorW(NULL, (LPCWSTR)IDC_ARROW),
                              .lpszClassName = HINT_CLASS};

    (void)RegisterClassExW(&hint);
    pane->window = CreateWindowExW(WS_EX_CONTROLPARENT, HINT_CLASS, L"",
                                   WS_CHILD | WS_BORDER | WS_CLIPCHILDREN, 0, 0, 0, 0, parent, NULL,
                                   instance, NULL);
    for (int i = 0; i < PRFDATA_HINT_BUTTONS; i++) {
        pane->buttons[i] = CreateWindowExW(0, L"BUTTON", L"", WS_CHILD | WS_TABSTOP, 0, 0, 0, 0,
                                           pane->window, NULL, instance, NULL);
        prfdata_dark_controls_begin(pane->buttons[i], PRFDATA_DARK_BUTTON, pane->theme);
    }
    SetWindowLongPtrW(pane->window, GWLP_USERDATA, (LONG_PTR)pane);
}

void prfdata_hint_pane_apply_theme(prfdata_hint_pane *pane)
{
    for (int i = 0; i < PRFDATA_HINT_BUTTONS; i++)
        SendMessageW(pane->buttons[i], WM_SETFONT, (WPARAM)pane->theme->font, TRUE);
    place_hint_buttons(pane);
    InvalidateRect(pane->window, NULL, TRUE);
}

/* Give a button the text of its menu item, without the shortcut key. The button of IDC_REFRESH
 * offers to try again. */
static void name_hint_button(HWND button, uint32_t command)
{
    wchar_t text[100];

    prfdata_strings_copy(
        text, prfdata_strings_get(command == IDC_REFRESH ? IDS_TRY_AGAIN : command), 100);
    text[wcscspn(text, L"\t")] = 0;
    SetWindowTextW(button, text);
    SetWindowLongPtrW(button, GWLP_ID, (LONG_PTR)command);
}

void prfdata_hint_pane_show(prfdata_hint_pane *pane, const wchar_t *text,
                            const uint32_t commands[PRFDATA_HINT_BUTTONS])
{
    if (wcscmp(pane->text, text) == 0 && pane->commands[0] == commands[0] &&
        pane->commands[1] == commands[1])
        return;
    prfdata_strings_copy(pane->text, text, PRFDATA_HINT_CHARS);
    SetWindowTextW(pane->window, text); /* so that screen readers can read it */
    for (int i = 0; i < PRFDATA_HINT_BUTTONS; i++) {
        pane->commands[i] = commands[i];
        if (commands[i] != 0)
            name_hint_button(pane->buttons[i], commands[i]);
    }
    place_hint_buttons(pane);
    InvalidateRect(pane->window, NULL, TRUE);
}
