/* SPDX-License-Identifier: MIT */
/*
 * Drives prfview's window from another process: window-driver <part of the title>
 *
 * Reads commands from standard input, one on a line:
 *
 *     command <number>      send this command, as the menu does
 *     type <part> <text>    put text into an edit control
 *     select <part> <row>   select and focus a row of a list
 *     expect <part> <text>  wait until the part shows the text
 *     reject <part> <text>  fail if the part shows the text
 *     dump <part>           print what the part shows at one moment
 *     named <part>          fail if a screen reader has no name for the part
 *     file <path>           answer the file dialog that is open, or opens soon
 *     dialog <control> <text>  put a text into a control of the dialog that is open, or opens soon
 *     press <control>       press a button that leaves the dialog open
 *     button <number>       press a button of the box that is open, or opens soon
 *     box <number> <text>   like `button`, but fail if the box does not have the text
 *     close                 close the window, as its close button does
 *     end-session           as Windows does at logoff, ask the window, tell it, and end its process
 *     key <part> <number>   press a key in a part
 *     focus <part>          give a part the focus
 *     away                  activate another window, and then this one again
 *     guest                 from now on, let Wine's controls and dialogs in the window behave as
 *                           Microsoft documents (window_guest.c)
 *     colours               tell the window that the system's colours have changed
 *     decimal <character>   choose this decimal separator as a user does; needs a guest
 *     setting <area>        tell the window that settings of this area have changed
 *     gone                  wait until the window is destroyed
 *     keys <list> <number>  repeatedly press a key that moves the focus; print the median and the
 *                           longest time from a press until the whole list was painted
 *     repaint <part>        have the whole part painted again, and wait for that
 *     dpi <number>          move to a screen with this DPI
 *     time <list>           wait until the list has rows and is completely painted, and print how
 *                           long after the program's start that was
 *
 * A part is the number of a control, or one of these words:
 *
 *     title, status, heading  the heading is that of the table
 *     columns                 those of the table from the left, each with its width
 *     headings                those of the table from the left
 *     boxes                   where the names of the legend begin, after their boxes and lines
 *     top                     the first visible row of the table, and the row with the focus
 *     bars                    the parts that have a horizontal scroll bar
 *     focus                   the number of the control with the focus, and whether it is visible
 *     seen                    the parts that are visible
 *     revealed                how often a hidden list got WM_SETREDRAW with FALSE, since `guest`
 *     coloured                the parts that got WM_SYSCOLORCHANGE since `guest`
 *     fonts                   how often a window got a font since the last `setting`
 *
 * The name for screen readers is the label before a part, or the text of a button. If a command
 * fails, the driver ends with exit code 1. The two programs must have the same bitness.
 */
#include <windows.h>

#include <commctrl.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/scripts/window_guest.h"

enum {
    TEXT_CHARS = 512,
    TIMEOUT_MS = 20000,
    LIMIT_MS = 60000,
    KEYS = 24,
    MIDDLE = KEYS / 2,
    /* Keys come at different times within a second, because 311 does not divide 1,000. */
    KEY_PAUSE_MS = 311,
    COLUMNS = 8,
    FIRST_PART = WINDOW_GUEST_FIRST_PART,
    TABLE = 5,
    LEGEND = 8,
    PARTS = WINDOW_GUEST_PARTS
};

static HWND window;
static HANDLE process;
static char *remote;                /* memory in the other program */
static window_guest_counts *counts; /* NULL: there is no guest */
static char shown[200000];

typedef struct remote_list_item {
    LVITEMW item;
    wchar_t text[TEXT_CHARS];
} remote_list_item;

typedef struct remote_tree_item {
    TVITEMW item;
    wchar_t text[TEXT_CHARS];
} remote_tree_item;

typedef struct remote_heading {
    HDITEMW item;
    wchar_t text[TEXT_CHARS];
} remote_heading;

static LRESULT ask(HWND control, UINT message, WPARAM wparam, LPARAM lparam)
{
    DWORD_PTR answer = 0;

    SendMessageTimeoutW(control, message, wparam, lparam, SMTO_NORMAL, TIMEOUT_MS, &answer);
    return (LRESULT)answer;
}

static void show(const wchar_t *text, const char *end)
{
    const size_t used = strlen(shown);

    (void)WideCharToMultiByte(CP_UTF8, 0, text, -1, shown + used, (int)(sizeof shown - used - 8),
                              NULL, NULL);
    strcat(shown, end);
}

/* ---- Reading the other program's controls ---- */

static void show_list(HWND list)
{
    const int rows = (int)ask(list, LVM_GETITEMCOUNT, 0, 0);

    for (int row = 0; row < rows && row < 60; row++) {
        sprintf(shown + strlen(shown), "%d:", row);
        for (int column = 0; column < COLUMNS; column++) {
            remote_list_item *to = (remote_list_item *)(void *)remote;
            LVITEMW item = {.iSubItem = column, .pszText = to->text, .cchTextMax = TEXT_CHARS};
            wchar_t text[TEXT_CHARS] = L"";

            WriteProcessMemory(process, &to->item, &item, sizeof item, NULL);
            ask(list, LVM_GETITEMTEXTW, (WPARAM)row, (LPARAM)&to->item);
            ReadProcessMemory(process, to->text, text, sizeof text, NULL);
            show(text, column + 1 < COLUMNS ? "|" : "\n");
        }
    }
}

static void show_tree_from(HWND tree, HTREEITEM node, unsigned depth)
{
    for (; node; node = (HTREEITEM)ask(tree, TVM_GETNEXTITEM, TVGN_NEXT, (LPARAM)node)) {
        remote_tree_item *to = (remote_tree_item *)(void *)remote;
        TVITEMW item = {.mask = TVIF_TEXT | TVIF_STATE, .hItem = node, .stateMask = 0xFF};
        wchar_t text[TEXT_CHARS] = L"";

        item.pszText = to->text;
        item.cchTextMax = TEXT_CHARS;
        WriteProcessMemory(process, &to->item, &item, sizeof item, NULL);
        ask(tree, TVM_GETITEMW, 0, (LPARAM)&to->item);
        ReadProcessMemory(process, &to->item, &item, sizeof item, NULL);
        ReadProcessMemory(process, to->text, text, sizeof text, NULL);
        for (unsigned i = 0; i < depth; i++)
            strcat(shown, " ");
        show(text, item.state & TVIS_SELECTED ? " <\n" : "\n");
        if (item.state & TVIS_EXPANDED)
            show_tree_from(tree, (HTREEITEM)ask(tree, TVM_GETNEXTITEM, TVGN_CHILD, (LPARAM)node),
                           depth + 1);
        if (strlen(shown) > sizeof shown - 4096)
            return;
    }
}

static void show_status(HWND status)
{
    for (WPARAM part = 0; part < 3; part++) {
        wchar_t text[TEXT_CHARS] = L"";

        ask(status, SB_GETTEXTW, part, (LPARAM)remote);
        ReadProcessMemory(process, remote, text, sizeof text, NULL);
        show(text, part < 2 ? "|" : "\n");
    }
}

static void show_columns(HWND list)
{
    const int count = (int)ask((HWND)ask(list, LVM_GETHEADER, 0, 0), HDM_GETITEMCOUNT, 0, 0);
    int order[COLUMNS] = {0};

    if (count > COLUMNS)
        return;
    ask(list, LVM_GETCOLUMNORDERARRAY, (WPARAM)count, (LPARAM)remote);
    ReadProcessMemory(process, remote, order, sizeof order, NULL);
    for (int i = 0; i < count; i++)
        sprintf(shown + strlen(shown), "%d=%d ", order[i],
                (int)ask(list, LVM_GETCOLUMNWIDTH, (WPARAM)order[i], 0));
    strcat(shown, "\n");
}

static void show_headings(HWND list)
{
    HWND header = (HWND)ask(list, LVM_GETHEADER, 0, 0);
    const int count = (int)ask(header, HDM_GETITEMCOUNT, 0, 0);

    for (int i = 0; i < count; i++) {
        remote_heading *to = (remote_heading *)(void *)remote;
        HDITEMW item = {.mask = HDI_TEXT, .pszText = to->text, .cchTextMax = TEXT_CHARS};
        wchar_t text[TEXT_CHARS] = L"";
        const int at = (int)ask(header, HDM_ORDERTOINDEX, (WPARAM)i, 0);

        WriteProcessMemory(process, &to->item, &item, sizeof item, NULL);
        ask(header, HDM_GETITEMW, (WPARAM)at, (LPARAM)&to->item);
        ReadProcessMemory(process, to->text, text, sizeof text, NULL);
        show(text, i + 1 < count ? "|" : "\n");
    }
}

/* Show how far from the left the name in the first row begins, after its check box and line. */
static void show_boxes(HWND list)
{
    RECT label = {.left = LVIR_LABEL};

    WriteProcessMemory(process, remote, &label, sizeof label, NULL);
    ask(list, LVM_GETITEMRECT, 0, (LPARAM)remote);
    ReadProcessMemory(process, remote, &label, sizeof label, NULL);
    sprintf(shown + strlen(shown), "boxes %d.\n", (int)label.left);
}

static void show_top(HWND list)
{
    sprintf(shown + strlen(shown), "top %d, focus %d.\n", (int)ask(list, LVM_GETTOPINDEX, 0, 0),
            (int)ask(list, LVM_GETNEXTITEM, (WPARAM)-1, LVNI_FOCUSED));
}

static void show_bars(void)
{
    strcat(shown, "bars");
    for (int part = 0; part < PARTS; part++) {
        HWND control = GetDlgItem(window, FIRST_PART + part);

        if (IsWindowVisible(control) && (GetWindowLongPtrW(control, GWL_STYLE) & WS_HSCROLL))
            sprintf(shown + strlen(shown), " %d", part);
    }
    strcat(shown, ".\n");
}

static void show_text_of(HWND control)
{
    static wchar_t text[20000];

    text[0] = 0;
    ask(control, WM_GETTEXT, 20000, (LPARAM)text);
    show(text, "\n");
}

static void show_focus(void)
{
    GUITHREADINFO about = {.cbSize = sizeof about};

    GetGUIThreadInfo(GetWindowThreadProcessId(window, NULL), &about);
    sprintf(shown, "focus %d, %s.\n", GetDlgCtrlID(about.hwndFocus),
            IsWindowVisible(about.hwndFocus) ? "visible" : "hidden");
}

static void show_seen(void)
{
    strcat(shown, "seen");
    for (int part = 0; part < PARTS; part++)
        if (IsWindowVisible(GetDlgItem(window, FIRST_PART + part)))
            sprintf(shown + strlen(shown), " %d", part);
    strcat(shown, ".\n");
}

static void show_coloured(void)
{
    strcat(shown, "coloured");
    for (int part = 0; part < PARTS; part++)
        if (counts && (counts->coloured & 1u << part))
            sprintf(shown + strlen(shown), " %d", part);
    strcat(shown, ".\n");
}

static void show_part(const char *part)
{
    HWND control = GetDlgItem(window, FIRST_PART + atoi(part));
    wchar_t class_name[64] = L"";

    shown[0] = 0;
    if (strcmp(part, "status") == 0) {
        show_status(FindWindowExW(window, NULL, STATUSCLASSNAMEW, NULL));
        return;
    }
    if (strcmp(part, "columns") == 0) {
        show_columns(GetDlgItem(window, FIRST_PART + TABLE));
        return;
    }
    if (strcmp(part, "headings") == 0) {
        show_headings(GetDlgItem(window, FIRST_PART + TABLE));
        return;
    }
    if (strcmp(part, "boxes") == 0) {
        show_boxes(GetDlgItem(window, FIRST_PART + LEGEND));
        return;
    }
    if (strcmp(part, "top") == 0) {
        show_top(GetDlgItem(window, FIRST_PART + TABLE));
        return;
    }
    if (strcmp(part, "bars") == 0) {
        show_bars();
        return;
    }
    if (strcmp(part, "focus") == 0) {
        show_focus();
        return;
    }
    if (strcmp(part, "seen") == 0) {
        show_seen();
        return;
    }
    if (strcmp(part, "coloured") == 0) {
        show_coloured();
        return;
    }
    if (strcmp(part, "revealed") == 0) {
        sprintf(shown, "revealed %lu.\n", counts ? (unsigned long)counts->revealed : 1);
        return;
    }
    if (strcmp(part, "fonts") == 0) {
        sprintf(shown, "fonts %lu.\n", counts ? (unsigned long)counts->fonts : 0);
        return;
    }
    if (strcmp(part, "heading") == 0) {
        show_text_of(GetWindow(GetDlgItem(window, FIRST_PART + TABLE), GW_HWNDPREV));
        return;
    }
    if (strcmp(part, "title") == 0) {
        show_text_of(window);
        return;
    }
    GetClassNameW(control, class_name, 64);
    if (wcscmp(class_name, WC_LISTVIEWW) == 0)
        show_list(control);
    else if (wcscmp(class_name, WC_TREEVIEWW) == 0)
        show_tree_from(control, (HTREEITEM)ask(control, TVM_GETNEXTITEM, TVGN_ROOT, 0), 0);
    else
        show_text_of(control);
}

/* The program continues to run while the cells are read one by one, so a row's name and value may
 * come from different times. If two readings of the whole part give the same text, the text is
 * consistent. */
static void show_part_of_one_moment(const char *part)
{
    static char before[sizeof shown];
    const ULONGLONG end_ms = GetTickCount64() + LIMIT_MS;

    show_part(part);
    do {
        strcpy(before, shown);
        show_part(part);
    } while (strcmp(before, shown) != 0 && GetTickCount64() < end_ms);
}

/* ---- Commands ---- */

static int fail(const char *what, const char *argument)
{
    printf("FAILED: %s %s; it shows:\n%s\n", what, argument, shown);
    return 1;
}

static int expect(const char *part, const char *text)
{
    const ULONGLONG end_ms = GetTickCount64() + LIMIT_MS;

    do {
        show_part(part);
        if (strstr(shown, text))
            return 0;
        Sleep(30);
    } while (GetTickCount64() < end_ms);
    return fail("expect", text);
}

static int repaint(const char *part)
{
    HWND control = GetDlgItem(window, FIRST_PART + atoi(part));
    const ULONGLONG end_ms = GetTickCount64() + LIMIT_MS;

    shown[0] = 0;
    RedrawWindow(control, NULL, NULL, RDW_INVALIDATE | RDW_ERASE | RDW_ALLCHILDREN);
    while (GetUpdateRect(control, NULL, FALSE)) {
        if (GetTickCount64() >= end_ms)
            return fail("repaint", part);
        Sleep(2);
    }
    ask(control, WM_NULL, 0, 0);
    return 0;
}

static int is_list_painted(HWND list)
{
    return list && ask(list, LVM_GETITEMCOUNT, 0, 0) > 0 && !GetUpdateRect(list, NULL, FALSE);
}

static ULONGLONG whole_time(FILETIME time)
{
    return (ULONGLONG)time.dwHighDateTime << 32 | time.dwLowDateTime;
}

/* Print how long after the program's start the list was painted. The list must have rows at that
 * time, because a list without rows has nothing to paint. */
static int print_time_of(const char *part)
{
    const ULONGLONG end_ms = GetTickCount64() + LIMIT_MS;
    FILETIME began;
    FILETIME now;
    FILETIME unused;

    shown[0] = 0;
    while (!is_list_painted(GetDlgItem(window, FIRST_PART + atoi(part)))) {
        if (GetTickCount64() >= end_ms)
            return fail("time", part);
        Sleep(2);
    }
    GetSystemTimeAsFileTime(&now);
    if (!GetProcessTimes(process, &began, &unused, &unused, &unused))
        return fail("time", part);
    printf("%lu ms\n", (unsigned long)((whole_time(now) - whole_time(began)) / 10000));
    return 0;
}

static wchar_t *wide_text(const char *text, wchar_t wide[1024])
{
    wide[0] = 0;
    MultiByteToWideChar(CP_UTF8, 0, text, -1, wide, 1024);
    return wide;
}

static int type(const char *part, const char *text)
{
    wchar_t wide[1024];

    ask(GetDlgItem(window, FIRST_PART + atoi(part)), WM_SETTEXT, 0, (LPARAM)wide_text(text, wide));
    return 0;
}

/* Send the key rather than post it, so that it has been handled when the call returns. */
static int press_key(const char *part, const char *key)
{
    HWND control = GetDlgItem(window, FIRST_PART + atoi(part));

    ask(control, WM_KEYDOWN, (WPARAM)atoi(key), 0);
    ask(control, WM_KEYUP, (WPARAM)atoi(key), 0);
    return 0;
}

static LONGLONG ticks(void)
{
    LARGE_INTEGER now;

    QueryPerformanceCounter(&now);
    return now.QuadPart;
}

static int focused_row(HWND list)
{
    return (int)ask(list, LVM_GETNEXTITEM, (WPARAM)-1, LVNI_FOCUSED);
}

/* Post the key, as the system does. Then wait until another row has the focus and the list has
 * nothing to paint. The window handles our questions between its own messages, so an answer never
 * comes from the middle of a painting. */
static int wait_for_repaint(HWND list, int key)
{
    const ULONGLONG end_ms = GetTickCount64() + LIMIT_MS;
    const int row = focused_row(list);

    PostMessageW(list, WM_KEYDOWN, (WPARAM)key, 0);
    while (focused_row(list) == row || GetUpdateRect(list, NULL, FALSE)) {
        if (GetTickCount64() >= end_ms)
            return fail("keys", "moves no focus");
    }
    ask(list, WM_NULL, 0, 0);
    return 0;
}

static int compare_ticks(const void *left, const void *right)
{
    const LONGLONG a = *(const LONGLONG *)left;
    const LONGLONG b = *(const LONGLONG *)right;

    return (a > b) - (a < b);
}

static int print_times_of_keys(const char *part, const char *key)
{
    HWND list = GetDlgItem(window, FIRST_PART + atoi(part));
    LONGLONG took[KEYS];
    LARGE_INTEGER frequency;
    double ms; /* the duration of a tick in ms */

    shown[0] = 0;
    QueryPerformanceFrequency(&frequency);
    for (int i = 0; i < KEYS; i++) {
        LONGLONG from;

        Sleep(KEY_PAUSE_MS);
        from = ticks();
        if (wait_for_repaint(list, atoi(key)) != 0)
            return 1;
        took[i] = ticks() - from;
    }
    qsort(took, KEYS, sizeof took[0], compare_ticks);
    ms = 1000 / (double)frequency.QuadPart;
    printf("%.1f ms, at most %.1f ms\n", (double)took[MIDDLE] * ms, (double)took[KEYS - 1] * ms);
    return 0;
}

/* Do what Windows does at a logoff: send WM_QUERYENDSESSION and WM_ENDSESSION, and end the process.
 * WM_CLOSE is not sent, because prfview saves everything before it returns from WM_ENDSESSION. */
static int end_session(void)
{
    DWORD id = 0;
    HANDLE ended;

    GetWindowThreadProcessId(window, &id);
    ended = OpenProcess(PROCESS_TERMINATE, FALSE, id);
    if (!ended || !SendMessageW(window, WM_QUERYENDSESSION, 0, (LPARAM)ENDSESSION_LOGOFF))
        return 1;
    SendMessageW(window, WM_ENDSESSION, TRUE, (LPARAM)ENDSESSION_LOGOFF);
    TerminateProcess(ended, 0);
    CloseHandle(ended);
    return 0;
}

/* Act as if the window had moved to a screen with another DPI and kept its size. */
static int change_dpi(const char *dpi)
{
    RECT area;

    GetWindowRect(window, &area);
    WriteProcessMemory(process, remote, &area, sizeof area, NULL);
    ask(window, 0x02E0, MAKEWPARAM(atoi(dpi), atoi(dpi)), (LPARAM)remote); /* WM_DPICHANGED */
    return 0;
}

/* SetFocus() works only within one input queue, so this thread joins the window's input queue. */
static int give_focus(const char *part)
{
    const DWORD thread = GetWindowThreadProcessId(window, NULL);
    HWND control = GetDlgItem(window, FIRST_PART + atoi(part));

    AttachThreadInput(GetCurrentThreadId(), thread, TRUE);
    SetForegroundWindow(window);
    SetFocus(control);
    AttachThreadInput(GetCurrentThreadId(), thread, FALSE);
    ask(window, WM_NULL, 0, 0);
    return 0;
}

/* Wait until our window is the active window of its thread, or, if `is_active` is 0, until it is
 * not. */
static int wait_for_activation(int is_active)
{
    const ULONGLONG end_ms = GetTickCount64() + LIMIT_MS;
    GUITHREADINFO about = {.cbSize = sizeof about};
    MSG message;

    do {
        while (PeekMessageW(&message, NULL, 0, 0, PM_REMOVE))
            DispatchMessageW(&message);
        GetGUIThreadInfo(GetWindowThreadProcessId(window, NULL), &about);
        if ((about.hwndActive == window) == is_active)
            return 0;
        Sleep(30);
    } while (GetTickCount64() < end_ms);
    return fail("away", is_active ? "it is not activated" : "it stays active");
}

static int go_away(void)
{
    HWND other = CreateWindowExW(0, L"STATIC", L"other", WS_OVERLAPPEDWINDOW | WS_VISIBLE, 0, 0,
                                 200, 100, NULL, NULL, NULL, NULL);
    int result;

    SetForegroundWindow(other);
    result = wait_for_activation(0);
    SetForegroundWindow(window);
    if (result == 0)
        result = wait_for_activation(1);
    DestroyWindow(other);
    ask(window, WM_NULL, 0, 0);
    return result;
}

/* Load the guest DLL into prfview. The hook ends when this program ends, but the DLL stays in
 * prfview's process. */
static int invite_guest(void)
{
    HANDLE section = CreateFileMappingW(INVALID_HANDLE_VALUE, NULL, PAGE_READWRITE, 0,
                                        sizeof *counts, WINDOW_GUEST_SECTION);
    HMODULE guest = LoadLibraryW(WINDOW_GUEST_FILE);
    HOOKPROC see =
        guest ? (HOOKPROC)(void (*)(void))GetProcAddress(guest, "window_guest_see") : NULL;

    shown[0] = 0;
    counts = section ? MapViewOfFile(section, FILE_MAP_WRITE, 0, 0, sizeof *counts) : NULL;
    if (!counts || !see ||
        !SetWindowsHookExW(WH_CALLWNDPROCRET, see, guest, GetWindowThreadProcessId(window, NULL)))
        return fail("guest", "it does not come");
    ask(window, WINDOW_GUEST_ENTER, 0, 0);
    return 0;
}

static int change_setting(const char *area)
{
    wchar_t wide[1024];

    if (counts)
        counts->fonts = 0;
    ask(window, WM_SETTINGCHANGE, 0, (LPARAM)wide_text(area, wide));
    return 0;
}

static int wait_until_gone(void)
{
    const ULONGLONG end_ms = GetTickCount64() + LIMIT_MS;

    shown[0] = 0;
    while (IsWindow(window)) {
        if (GetTickCount64() >= end_ms)
            return fail("gone", "the window stays");
        Sleep(30);
    }
    return 0;
}

static int select_row(const char *part, const char *row)
{
    HWND list = GetDlgItem(window, FIRST_PART + atoi(part));
    LVITEMW item = {.stateMask = LVIS_SELECTED | LVIS_FOCUSED};

    item.state = item.stateMask;
    WriteProcessMemory(process, remote, &item, sizeof item, NULL);
    ask(list, LVM_SETITEMSTATE, (WPARAM)atoi(row), (LPARAM)remote);
    PostMessageW(list, WM_NULL, 0, 0);
    return 0;
}

static BOOL CALLBACK find_dialog(HWND candidate, LPARAM found)
{
    wchar_t class_name[64];

    GetClassNameW(candidate, class_name, 64);
    if (wcscmp(class_name, L"#32770") != 0 || !IsWindowVisible(candidate))
        return TRUE;
    *(HWND *)found = candidate;
    return FALSE;
}

static HWND open_dialog(void)
{
    const ULONGLONG end_ms = GetTickCount64() + LIMIT_MS;
    HWND found = NULL;

    do {
        EnumThreadWindows(GetWindowThreadProcessId(window, NULL), find_dialog, (LPARAM)&found);
        if (!found)
            Sleep(30);
    } while (!found && GetTickCount64() < end_ms);
    return found;
}

/* Fail if the control has no name for screen readers: neither a label nor a text. */
static int expect_name(const char *part)
{
    HWND control = GetDlgItem(window, FIRST_PART + atoi(part));
    HWND label = GetWindow(control, GW_HWNDPREV);
    wchar_t class_name[64] = L"";
    wchar_t text[TEXT_CHARS] = L"";

    GetClassNameW(control, class_name, 64);
    if (_wcsicmp(class_name, L"BUTTON") == 0)
        label = control;
    GetClassNameW(label, class_name, 64);
    GetWindowTextW(label, text, TEXT_CHARS);
    shown[0] = 0;
    show(text, "\n");
    if (!control || !text[0] ||
        (_wcsicmp(class_name, L"STATIC") != 0 && _wcsicmp(class_name, L"BUTTON") != 0))
        return fail("named", part);
    return 0;
}

static BOOL CALLBACK show_child(HWND child, LPARAM unused)
{
    (void)unused;
    show_text_of(child);
    return TRUE;
}

static int press(const char *number, const char *text)
{
    HWND dialog = open_dialog();

    shown[0] = 0;
    if (!dialog)
        return fail("button", number);
    show_text_of(dialog);
    EnumChildWindows(dialog, show_child, 0);
    if (!strstr(shown, text))
        return fail("box", text);
    PostMessageW(dialog, WM_COMMAND, (WPARAM)atoi(number), 0);
    while (IsWindow(dialog))
        Sleep(10);
    return 0;
}

/* Type the path into the edit control edt1, or into the combo box cmb13 if there is no edt1. Their
 * numbers are from dlgs.h. */
static int answer_file(const char *path)
{
    HWND dialog = open_dialog();
    wchar_t wide[1024];
    HWND name = dialog ? GetDlgItem(dialog, 0x480) : NULL;

    if (!name && dialog)
        name = GetDlgItem(dialog, 0x47C);
    if (!name)
        return fail("file", path);
    ask(name, WM_SETTEXT, 0, (LPARAM)wide_text(path, wide));
    PostMessageW(dialog, WM_COMMAND, IDOK, 0);
    while (IsWindow(dialog))
        Sleep(10);
    return 0;
}

static int write_into_dialog(const char *control, const char *text)
{
    HWND dialog = open_dialog();
    wchar_t wide[1024];

    if (!dialog)
        return fail("dialog", control);
    ask(GetDlgItem(dialog, atoi(control)), WM_SETTEXT, 0, (LPARAM)wide_text(text, wide));
    return 0;
}

static int press_in_dialog(const char *control)
{
    HWND dialog = open_dialog();

    if (!dialog)
        return fail("press", control);
    ask(dialog, WM_COMMAND, (WPARAM)atoi(control), 0);
    return 0;
}

/* Return the word at *at, terminate it, and move *at to the next word. The word is empty at the end
 * of the line. */
static const char *next_word(char **at)
{
    const char *word = *at;

    *at += strcspn(*at, " ");
    if (**at)
        *(*at)++ = 0;
    return word;
}

static int run_line(char *line)
{
    const char *verb;
    const char *first;
    const char *rest;

    line[strcspn(line, "\r\n")] = 0;
    verb = next_word(&line);
    first = next_word(&line);
    rest = line;
    if (!*verb)
        return 0;
    if (strcmp(verb, "named") == 0)
        return expect_name(first);
    if (strcmp(verb, "file") == 0)
        return answer_file(first);
    if (strcmp(verb, "dialog") == 0)
        return write_into_dialog(first, rest);
    if (strcmp(verb, "press") == 0)
        return press_in_dialog(first);
    if (strcmp(verb, "button") == 0 || strcmp(verb, "box") == 0)
        return press(first, rest);
    if (strcmp(verb, "command") == 0)
        return !PostMessageW(window, WM_COMMAND, (WPARAM)atoi(first), 0);
    if (strcmp(verb, "close") == 0)
        return !PostMessageW(window, WM_CLOSE, 0, 0);
    if (strcmp(verb, "end-session") == 0)
        return end_session();
    if (strcmp(verb, "dpi") == 0)
        return change_dpi(first);
    if (strcmp(verb, "key") == 0)
        return press_key(first, rest);
    if (strcmp(verb, "focus") == 0)
        return give_focus(first);
    if (strcmp(verb, "away") == 0)
        return go_away();
    if (strcmp(verb, "guest") == 0)
        return invite_guest();
    if (strcmp(verb, "colours") == 0)
        return (int)ask(window, WM_SYSCOLORCHANGE, 0, 0);
    if (strcmp(verb, "decimal") == 0)
        return (int)ask(window, WINDOW_GUEST_DECIMAL, (WPARAM)first[0], 0);
    if (strcmp(verb, "setting") == 0)
        return change_setting(first);
    if (strcmp(verb, "gone") == 0)
        return wait_until_gone();
    if (strcmp(verb, "repaint") == 0)
        return repaint(first);
    if (strcmp(verb, "keys") == 0)
        return print_times_of_keys(first, rest);
    if (strcmp(verb, "type") == 0)
        return type(first, rest);
    if (strcmp(verb, "select") == 0)
        return select_row(first, rest);
    if (strcmp(verb, "time") == 0)
        return print_time_of(first);
    if (strcmp(verb, "expect") == 0)
        return expect(first, rest);
    if (strcmp(verb, "reject") == 0) {
        show_part(first);
        return strstr(shown, rest) ? fail("reject", rest) : 0;
    }
    show_part_of_one_moment(first);
    fputs(shown, stdout);
    return 0;
}

static BOOL CALLBACK find_window(HWND candidate, LPARAM title)
{
    wchar_t text[400] = L"";
    wchar_t class_name[64] = L"";

    GetClassNameW(candidate, class_name, 64);
    GetWindowTextW(candidate, text, 400);
    if (wcscmp(class_name, L"PrfView") != 0 || !wcsstr(text, (const wchar_t *)title))
        return TRUE;
    window = candidate;
    return FALSE;
}

static int open_window(const wchar_t *title)
{
    const ULONGLONG end_ms = GetTickCount64() + LIMIT_MS;
    DWORD id = 0;

    while (!window && GetTickCount64() < end_ms) {
        EnumWindows(find_window, (LPARAM)title);
        Sleep(window ? 0 : 10);
    }
    if (!window)
        return 0;
    GetWindowThreadProcessId(window, &id);
    process = OpenProcess(PROCESS_VM_OPERATION | PROCESS_VM_READ | PROCESS_VM_WRITE |
                              PROCESS_QUERY_INFORMATION,
                          FALSE, id);
    if (process)
        remote = VirtualAllocEx(process, NULL, 65536, MEM_COMMIT, PAGE_READWRITE);
    return remote != NULL;
}

int wmain(int argc, wchar_t **argv);

int wmain(int argc, wchar_t **argv)
{
    char line[2048];

    if (argc != 2 || !open_window(argv[1])) {
        printf("FAILED: no such window\n");
        return 1;
    }
    while (fgets(line, sizeof line, stdin)) {
        if (run_line(line) != 0)
            return 1;
    }
    return 0;
}
