/* SPDX-License-Identifier: MIT */
/*
 * Runs in prfview's process, where window-driver.exe hooks it into the window's thread. It lets
 * Wine's controls and dialogs behave as Microsoft documents, and counts messages for the driver.
 */
#include "support/scripts/window_guest.h"

#include <commctrl.h>
#include <commdlg.h>

#include <wchar.h>

#include "support/import_table.h"

static window_guest_counts *counts;
static BOOL(WINAPI *open_file_name)(OPENFILENAMEW *choice);

/* learn.microsoft.com, "OPENFILENAMEW structure": OFN_NOCHANGEDIR has no effect on
 * GetOpenFileName, so the folder of the chosen file becomes the current one. */
static BOOL WINAPI choose_and_change_folder(OPENFILENAMEW *choice)
{
    wchar_t folder[MAX_PATH];

    if (!open_file_name(choice))
        return FALSE;
    wcsncpy(folder, choice->lpstrFile, MAX_PATH - 1);
    folder[choice->nFileOffset] = 0;
    return SetCurrentDirectoryW(folder);
}

/* learn.microsoft.com, "WM_SETREDRAW message": the message changes WS_VISIBLE. Wine's list view
 * does not pass it to DefWindowProc. */
static void change_style(HWND window, BOOL is_drawn)
{
    const LONG_PTR style = GetWindowLongPtrW(window, GWL_STYLE);

    if (counts && !is_drawn && !(style & WS_VISIBLE))
        counts->revealed++; /* WM_SETREDRAW with TRUE will make the list visible */
    SetWindowLongPtrW(window, GWL_STYLE, is_drawn ? style | WS_VISIBLE : style & ~WS_VISIBLE);
}

/* Called when a driver has set the hook. */
static void settle_in(void)
{
    HANDLE section = OpenFileMappingW(FILE_MAP_WRITE, FALSE, WINDOW_GUEST_SECTION);
    HMODULE self;

    counts = section ? MapViewOfFile(section, FILE_MAP_WRITE, 0, 0, sizeof *counts) : NULL;
    if (open_file_name)
        return;
    /* The program still calls choose_and_change_folder() after the driver has ended, so this DLL
     * must stay loaded. */
    GetModuleHandleExW(GET_MODULE_HANDLE_EX_FLAG_FROM_ADDRESS | GET_MODULE_HANDLE_EX_FLAG_PIN,
                       (const wchar_t *)(const void *)&open_file_name, &self);
    open_file_name = (BOOL(WINAPI *)(OPENFILENAMEW *))import_table_replace(
        "comdlg32.dll", "GetOpenFileNameW", (import_table_function)choose_and_change_folder);
}

/* Each process keeps the user's settings that Wine has read for it, so only prfview's own process
 * can change what prfview sees of them. */
static void choose_decimal(wchar_t separator)
{
    const wchar_t text[] = {separator, 0};

    SetLocaleInfoW(LOCALE_USER_DEFAULT, LOCALE_SDECIMAL, text);
}

static void note_colours(int part)
{
    if (part >= 0 && part < WINDOW_GUEST_PARTS)
        counts->coloured |= 1u << part;
}

/* A WH_CALLWNDPROCRET hook: called after a window has handled a message that was sent. */
LRESULT CALLBACK window_guest_see(int code, WPARAM wparam, LPARAM lparam)
{
    const CWPRETSTRUCT *sent = (const CWPRETSTRUCT *)lparam;
    wchar_t class_name[32] = L"";

    if (code == HC_ACTION && sent->message == WM_SETREDRAW) {
        GetClassNameW(sent->hwnd, class_name, 32);
        if (wcscmp(class_name, WC_LISTVIEWW) == 0)
            change_style(sent->hwnd, sent->wParam != 0);
    } else if (code == HC_ACTION && sent->message == WINDOW_GUEST_ENTER) {
        settle_in();
    } else if (code == HC_ACTION && sent->message == WINDOW_GUEST_DECIMAL) {
        choose_decimal((wchar_t)sent->wParam);
    } else if (code == HC_ACTION && counts && sent->message == WM_SYSCOLORCHANGE) {
        note_colours(GetDlgCtrlID(sent->hwnd) - WINDOW_GUEST_FIRST_PART);
    } else if (code == HC_ACTION && counts && sent->message == WM_SETFONT) {
        counts->fonts++;
    }
    return CallNextHookEx(NULL, code, wparam, lparam);
}
