/* SPDX-License-Identifier: MIT */
/*
 * Prints the list of another program: list-text <window title>
 *
 * It prints one line per row, with tabs between columns. The exit code is 1 if there is no such
 * window. The two programs must have the same bitness.
 */
#include <windows.h>

#include <commctrl.h>

#include <stdio.h>

enum { TEXT_CHARS = 128, ITEM_COLUMNS = 4, TIMEOUT_MS = 10000 };

/* Memory in the other program, which that program fills in. */
typedef struct remote_item {
    LVITEMW item;
    wchar_t text[TEXT_CHARS];
} remote_item;

static BOOL CALLBACK find_list(HWND window, LPARAM found)
{
    wchar_t class_name[64];

    GetClassNameW(window, class_name, 64);
    if (wcscmp(class_name, WC_LISTVIEWW) != 0)
        return TRUE;
    *(HWND *)found = window;
    return FALSE;
}

static DWORD_PTR ask(HWND list, UINT message, WPARAM wparam, void *lparam)
{
    DWORD_PTR answer = 0;

    SendMessageTimeoutW(list, message, wparam, (LPARAM)lparam, SMTO_NORMAL, TIMEOUT_MS, &answer);
    return answer;
}

static int cell_text(HWND list, HANDLE process, remote_item *remote, int row, int column,
                     wchar_t *text)
{
    LVITEMW item = {.iSubItem = column, .pszText = remote->text, .cchTextMax = TEXT_CHARS};

    text[0] = L'\0';
    if (!WriteProcessMemory(process, &remote->item, &item, sizeof item, NULL))
        return 0;
    ask(list, LVM_GETITEMTEXTW, (WPARAM)row, &remote->item);
    return ReadProcessMemory(process, remote->text, text, TEXT_CHARS * sizeof *text, NULL);
}

static int print_rows(HWND list, HANDLE process, remote_item *remote)
{
    int rows = (int)ask(list, LVM_GETITEMCOUNT, 0, NULL);
    wchar_t text[TEXT_CHARS];

    for (int row = 0; row < rows; row++) {
        for (int column = 0; column < ITEM_COLUMNS; column++) {
            if (!cell_text(list, process, remote, row, column, text))
                return 0;
            printf("%ls%c", text, column + 1 < ITEM_COLUMNS ? '\t' : '\n');
        }
    }
    return rows > 0;
}

int wmain(int argc, wchar_t **argv);

int wmain(int argc, wchar_t **argv)
{
    HWND window = argc == 2 ? FindWindowW(NULL, argv[1]) : NULL;
    HWND list = NULL;
    DWORD process_id = 0;
    HANDLE process;
    remote_item *remote;
    int printed = 0;

    if (window)
        EnumChildWindows(window, find_list, (LPARAM)&list);
    if (!list)
        return 1;

    GetWindowThreadProcessId(list, &process_id);
    process =
        OpenProcess(PROCESS_VM_OPERATION | PROCESS_VM_READ | PROCESS_VM_WRITE, FALSE, process_id);
    if (!process)
        return 1;
    remote = VirtualAllocEx(process, NULL, sizeof *remote, MEM_COMMIT, PAGE_READWRITE);
    if (remote) {
        printed = print_rows(list, process, remote);
        VirtualFreeEx(process, remote, 0, MEM_RELEASE);
    }
    CloseHandle(process);
    return printed ? 0 : 1;
}
