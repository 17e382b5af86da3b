/* SPDX-License-Identifier: MIT */
/* Shows a text in an edit control, in which the user can scroll, select and copy. */
#include "prfview/text_window.h"

#include <stdlib.h>

#include "panes/strings.h"

/* The position of the second column, in quarters of the average width of a letter, as
 * EM_SETTABSTOPS wants it. */
#define SECOND_COLUMN 90

typedef struct text_to_show {
    const prfdata_theme *theme;
    const wchar_t *title;
    const wchar_t *text;
} text_to_show;

static void begin_text(HWND dialog, const text_to_show *shown)
{
    const DWORD tab = SECOND_COLUMN;

    SetWindowTextW(dialog, shown->title);
    SetDlgItemTextW(dialog, IDOK, prfdata_strings_get(IDS_OK_BUTTON));
    SendDlgItemMessageW(dialog, IDD_TEXT_EDIT, EM_SETTABSTOPS, 1, (LPARAM)&tab);
    SetDlgItemTextW(dialog, IDD_TEXT_EDIT, shown->text);
    prfdata_theme_apply(shown->theme, dialog);
    prfdata_theme_apply_to_control(shown->theme, GetDlgItem(dialog, IDD_TEXT_EDIT));
    /* The edit control does not get the focus, because that would select all of its text. */
    SetFocus(GetDlgItem(dialog, IDOK));
}

static INT_PTR colour_text(const prfdata_theme *theme, HDC dc)
{
    SetTextColor(dc, theme->text);
    SetBkColor(dc, theme->back);
    return (INT_PTR)theme->back_brush;
}

static INT_PTR CALLBACK text_procedure(HWND dialog, UINT message, WPARAM wparam, LPARAM lparam)
{
    const text_to_show *shown = (const text_to_show *)GetWindowLongPtrW(dialog, DWLP_USER);

    switch (message) {
    case WM_INITDIALOG:
        SetWindowLongPtrW(dialog, DWLP_USER, lparam);
        begin_text(dialog, (const text_to_show *)lparam);
        return FALSE;       /* this function has set the focus */
    case WM_CTLCOLORSTATIC: /* a read-only edit control sends this */
        return shown && (HWND)lparam == GetDlgItem(dialog, IDD_TEXT_EDIT)
                   ? colour_text(shown->theme, (HDC)wparam)
                   : FALSE;
    case WM_COMMAND:
        if (LOWORD(wparam) == IDOK || LOWORD(wparam) == IDCANCEL)
            EndDialog(dialog, 0);
        return TRUE;
    default:
        return FALSE;
    }
}

void prfdata_text_window_show(HWND parent, const prfdata_theme *theme, const wchar_t *title,
                              const prfdata_output *text)
{
    wchar_t *wide = text->failed ? NULL : prfdata_strings_wide(text->bytes, text->used);
    const text_to_show shown = {theme, title, wide};

    if (wide)
        (void)DialogBoxParamW((HINSTANCE)GetWindowLongPtrW(parent, GWLP_HINSTANCE),
                              MAKEINTRESOURCEW(IDD_TEXT), parent, text_procedure, (LPARAM)&shown);
    free(wide);
}
