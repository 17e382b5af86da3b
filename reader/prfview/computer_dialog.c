/* SPDX-License-Identifier: MIT */
/* Asks for the name of another computer. */
#include "prfview/computer_dialog.h"

#include "panes/strings.h"

typedef struct computer_question {
    const prfdata_theme *theme;
    wchar_t *name;
    size_t capacity;
} computer_question;

/* Set the texts, because the template has none; they are with all other texts. */
static void begin_dialog(HWND dialog, const computer_question *question)
{
    SetWindowTextW(dialog, prfdata_strings_get(IDS_COMPUTER_TITLE));
    SetDlgItemTextW(dialog, IDD_COMPUTER_LABEL, prfdata_strings_get(IDS_COMPUTER_LABEL));
    SetDlgItemTextW(dialog, IDOK, prfdata_strings_get(IDS_OK_BUTTON));
    SetDlgItemTextW(dialog, IDCANCEL, prfdata_strings_get(IDS_CANCEL_BUTTON));
    SendDlgItemMessageW(dialog, IDD_COMPUTER_NAME, EM_LIMITTEXT, question->capacity - 1, 0);
    prfdata_theme_apply(question->theme, dialog);
}

static INT_PTR CALLBACK computer_procedure(HWND dialog, UINT message, WPARAM wparam, LPARAM lparam)
{
    const computer_question *question =
        (const computer_question *)GetWindowLongPtrW(dialog, DWLP_USER);

    switch (message) {
    case WM_INITDIALOG:
        SetWindowLongPtrW(dialog, DWLP_USER, lparam);
        begin_dialog(dialog, (const computer_question *)lparam);
        return TRUE;
    case WM_COMMAND:
        if (LOWORD(wparam) == IDOK)
            GetDlgItemTextW(dialog, IDD_COMPUTER_NAME, question->name, (int)question->capacity);
        if (LOWORD(wparam) == IDOK || LOWORD(wparam) == IDCANCEL)
            EndDialog(dialog, LOWORD(wparam) == IDOK);
        return TRUE;
    default:
        return FALSE;
    }
}

bool prfdata_computer_dialog_ask(HWND parent, const prfdata_theme *theme, wchar_t *name,
                                 size_t capacity)
{
    computer_question question = {theme, name, capacity};

    name[0] = 0;
    return DialogBoxParamW((HINSTANCE)GetWindowLongPtrW(parent, GWLP_HINSTANCE),
                           MAKEINTRESOURCEW(IDD_COMPUTER), parent, computer_procedure,
                           (LPARAM)&question) == TRUE &&
           name[0] != 0;
}
