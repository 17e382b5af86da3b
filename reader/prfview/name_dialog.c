/* SPDX-License-Identifier: MIT */
/* Shows the dialog, and sets its texts, because the template has none. */
#include "prfview/name_dialog.h"

#include "panes/strings.h"

typedef struct name_question {
    const prfdata_theme *theme;
    uint32_t title;
    const wchar_t *label;
    wchar_t *name;
    size_t capacity;
} name_question;

static void begin_dialog(HWND dialog, const name_question *question)
{
    SetWindowTextW(dialog, prfdata_strings_get(question->title));
    SetDlgItemTextW(dialog, IDD_NAME_LABEL, question->label);
    SetDlgItemTextW(dialog, IDD_NAME_EDIT, question->name);
    SetDlgItemTextW(dialog, IDOK, prfdata_strings_get(IDS_OK_BUTTON));
    SetDlgItemTextW(dialog, IDCANCEL, prfdata_strings_get(IDS_CANCEL_BUTTON));
    SendDlgItemMessageW(dialog, IDD_NAME_EDIT, EM_LIMITTEXT, question->capacity - 1, 0);
    prfdata_theme_apply(question->theme, dialog);
}

static INT_PTR CALLBACK name_procedure(HWND dialog, UINT message, WPARAM wparam, LPARAM lparam)
{
    const name_question *question = (const name_question *)GetWindowLongPtrW(dialog, DWLP_USER);

    switch (message) {
    case WM_INITDIALOG:
        SetWindowLongPtrW(dialog, DWLP_USER, lparam);
        begin_dialog(dialog, (const name_question *)lparam);
        return TRUE;
    case WM_COMMAND:
        if (LOWORD(wparam) == IDOK)
            GetDlgItemTextW(dialog, IDD_NAME_EDIT, question->name, (int)question->capacity);
        if (LOWORD(wparam) == IDOK || LOWORD(wparam) == IDCANCEL)
            EndDialog(dialog, LOWORD(wparam) == IDOK);
        return TRUE;
    default:
        return FALSE;
    }
}

bool prfdata_name_dialog_ask(HWND parent, const prfdata_theme *theme, uint32_t title,
                             const wchar_t *label, wchar_t *name, size_t capacity)
{
    const name_question question = {theme, title, label, name, capacity};

    return DialogBoxParamW((HINSTANCE)GetWindowLongPtrW(parent, GWLP_HINSTANCE),
                           MAKEINTRESOURCEW(IDD_NAME), parent, name_procedure,
                           (LPARAM)&question) == TRUE;
}
