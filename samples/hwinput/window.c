/* SPDX-License-Identifier: MIT */
/*
 * Shows the monitor's window: a list of counts and rates that a timer refreshes, and a Reset
 * button.
 */
#include "window.h"

#include <commctrl.h>

#include <stdint.h>
#include <stdio.h>
#include <wchar.h>

#include "counts.h"
#include "resource.h"

#define CLASS_NAME L"PrfDataHwinput"

enum {
    TIMER = 1,
    REFRESH_MS = 250,
    RATE_SAMPLES = 5, /* a rate covers one second: the last four refreshes */
    SYSTEM_DPI = 96   /* all lengths below are for this DPI */
};

/* WM_DPICHANGED of Windows 8.1 is not in every header. */
#ifndef WM_DPICHANGED
#define WM_DPICHANGED 0x02E0
#endif

typedef struct list_row {
    const wchar_t *path; /* the counter path that a reader uses */
    unsigned kinds;      /* the row shows the sum of these counts: a bit per counts_kind */
} list_row;

#define KIND(kind) (1u << (kind))

static const list_row rows[] = {
    {L"\\Hardware Input\\Keystrokes", KIND(COUNTS_KEYS)},
    {L"\\Hardware Input\\Mouse moves", KIND(COUNTS_MOVES)},
    {L"\\Mouse Clicks(Left)\\Clicks", KIND(COUNTS_LEFT)},
    {L"\\Mouse Clicks(Middle)\\Clicks", KIND(COUNTS_MIDDLE)},
    {L"\\Mouse Clicks(Right)\\Clicks", KIND(COUNTS_RIGHT)},
    {L"\\Mouse Clicks(_Total)\\Clicks",
     KIND(COUNTS_LEFT) | KIND(COUNTS_MIDDLE) | KIND(COUNTS_RIGHT)},
};

enum { ROWS = sizeof(rows) / sizeof(rows[0]) };

typedef struct column {
    const wchar_t *title;
    int width;
    int format;
} column;

enum { COLUMN_PATH, COLUMN_TOTAL, COLUMN_SINCE_RESET, COLUMN_RATE, COLUMNS };

static const column columns[COLUMNS] = {
    {L"Counter", 220, LVCFMT_LEFT},
    {L"Total", 90, LVCFMT_RIGHT},
    {L"Since reset", 90, LVCFMT_RIGHT},
    {L"Per second", 90, LVCFMT_RIGHT},
};

typedef struct window_sample {
    uint64_t time_ms;
    uint64_t counts[ROWS];
} window_sample;

static struct {
    HWND frame;
    HWND intro;
    HWND list;
    HWND reset;
    HWND hint;
    HWND status;
    HWND focus; /* the control that had the keyboard focus when the window lost it */
    HFONT font;
    int dpi;
    uint64_t baseline[ROWS]; /* the counts at the last reset */
    window_sample samples[RATE_SAMPLES];
    unsigned sample_count;
} window;

static int scaled_length(int length)
{
    return MulDiv(length, window.dpi, SYSTEM_DPI);
}

static int screen_dpi(void)
{
    HDC screen = GetDC(NULL);
    int dpi = GetDeviceCaps(screen, LOGPIXELSY);

    ReleaseDC(NULL, screen);
    return dpi;
}

/* Return the DPI of the monitor that shows the window. Windows has GetDpiForWindow since Windows 10
 * 1607. Without this function, return the DPI of the screen. */
static int frame_dpi(HWND frame)
{
    typedef UINT WINAPI get_dpi_for_window(HWND);
    FARPROC found = GetProcAddress(GetModuleHandleW(L"user32.dll"), "GetDpiForWindow");
    int dpi = found ? (int)((get_dpi_for_window *)(void (*)(void))found)(frame) : 0;

    return dpi > 0 ? dpi : screen_dpi();
}

static void choose_font(void)
{
    NONCLIENTMETRICSW metrics = {.cbSize = sizeof metrics};
    HFONT old = window.font;
    HWND controls[] = {window.intro, window.list, window.reset, window.hint, window.status};

    SystemParametersInfoW(SPI_GETNONCLIENTMETRICS, sizeof metrics, &metrics, 0);
    /* The size of the system's message font is for the DPI of the screen. */
    metrics.lfMessageFont.lfHeight =
        MulDiv(metrics.lfMessageFont.lfHeight, window.dpi, screen_dpi());
    window.font = CreateFontIndirectW(&metrics.lfMessageFont);
    for (size_t i = 0; i < sizeof controls / sizeof controls[0]; i++)
        SendMessageW(controls[i], WM_SETFONT, (WPARAM)window.font, TRUE);
    if (old)
        DeleteObject(old);
}

/* Return the size at which the list shows all its rows and columns without scrolling. */
static SIZE list_size(void)
{
    RECT last_row = {0};
    SIZE size = {0, 0};

    ListView_GetItemRect(window.list, ROWS - 1, &last_row, LVIR_BOUNDS);
    size.cy = last_row.bottom + scaled_length(4);
    for (int i = 0; i < COLUMNS; i++)
        size.cx += scaled_length(columns[i].width);
    size.cx += scaled_length(4);
    return size;
}

static void arrange_controls(int left, int top)
{
    int margin = scaled_length(10);
    int line = scaled_length(18);
    int button_width = scaled_length(80);
    int button_height = scaled_length(26);
    int y = margin;
    SIZE list;
    RECT bounds = {0};
    RECT status;

    for (int i = 0; i < COLUMNS; i++)
        ListView_SetColumnWidth(window.list, i, scaled_length(columns[i].width));
    list = list_size();

    MoveWindow(window.intro, margin, y, list.cx, line, TRUE);
    y += line + scaled_length(4);
    MoveWindow(window.list, margin, y, list.cx, list.cy, TRUE);
    y += list.cy + margin;
    MoveWindow(window.reset, margin, y, button_width, button_height, TRUE);
    MoveWindow(window.hint, margin + button_width + margin, y, list.cx - button_width - margin,
               button_height, TRUE);
    y += button_height + margin;

    GetWindowRect(window.status, &status);
    bounds.right = margin + list.cx + margin;
    bounds.bottom = y + (status.bottom - status.top);
    AdjustWindowRect(&bounds, (DWORD)GetWindowLongPtrW(window.frame, GWL_STYLE), FALSE);
    SetWindowPos(window.frame, NULL, left, top, bounds.right - bounds.left,
                 bounds.bottom - bounds.top,
                 SWP_NOZORDER | SWP_NOACTIVATE | (left == CW_USEDEFAULT ? SWP_NOMOVE : 0));
    SendMessageW(window.status, WM_SIZE, 0, 0); /* a status bar places itself on WM_SIZE */
}

static uint64_t row_count(const list_row *row)
{
    uint64_t count = 0;

    for (int kind = 0; kind < COUNTS_KINDS; kind++) {
        if (row->kinds & KIND(kind))
            count += counts_get((counts_kind)kind);
    }
    return count;
}

static void take_counts(window_sample *now)
{
    now->time_ms = GetTickCount64();
    for (int i = 0; i < ROWS; i++)
        now->counts[i] = row_count(&rows[i]);
}

/* Show a text in a cell. If the cell already shows the text, do not set it again, because the list
 * would flicker. */
static void set_cell(int row_index, int column_index, const wchar_t *text)
{
    wchar_t shown[64] = L"";

    ListView_GetItemText(window.list, row_index, column_index, shown, 64);
    if (wcscmp(shown, text) != 0)
        ListView_SetItemText(window.list, row_index, column_index, (wchar_t *)text);
}

static void set_cell_number(int row_index, int column_index, uint64_t number)
{
    wchar_t text[32];

    swprintf(text, 32, L"%llu", (unsigned long long)number);
    set_cell(row_index, column_index, text);
}

static void set_cell_rate(int row_index, const window_sample *before, const window_sample *now)
{
    uint64_t elapsed_ms = now->time_ms - before->time_ms;
    uint64_t counted = now->counts[row_index] - before->counts[row_index];
    uint64_t tenths = elapsed_ms > 0 ? (counted * 10000 + elapsed_ms / 2) / elapsed_ms : 0;
    wchar_t text[32];

    swprintf(text, 32, L"%llu.%llu", (unsigned long long)(tenths / 10),
             (unsigned long long)(tenths % 10));
    set_cell(row_index, COLUMN_RATE, text);
}

static void refresh_list(void)
{
    unsigned newest = window.sample_count % RATE_SAMPLES;
    unsigned oldest;
    window_sample *now = &window.samples[newest];

    take_counts(now);
    window.sample_count++;
    oldest = window.sample_count < RATE_SAMPLES ? 0 : window.sample_count % RATE_SAMPLES;
    for (int i = 0; i < ROWS; i++) {
        /* 32 bits, because readers of a PERF_COUNTER_RAWCOUNT get only these. */
        set_cell_number(i, COLUMN_TOTAL, (uint32_t)now->counts[i]);
        set_cell_number(i, COLUMN_SINCE_RESET, now->counts[i] - window.baseline[i]);
        set_cell_rate(i, &window.samples[oldest], now);
    }
}

/*
 * Begin to count from 0 in this window only. Published counts must never go backwards, because
 * readers use the difference of two readings.
 */
static void reset_list(void)
{
    for (int i = 0; i < ROWS; i++)
        window.baseline[i] = row_count(&rows[i]);
    refresh_list();
}

static HWND make_control(const wchar_t *class_name, const wchar_t *text, DWORD style, int id)
{
    return CreateWindowExW(0, class_name, text, WS_CHILD | WS_VISIBLE | style, 0, 0, 0, 0,
                           window.frame, (HMENU)(INT_PTR)id, GetModuleHandleW(NULL), NULL);
}

static void fill_list(void)
{
    ListView_SetExtendedListViewStyle(window.list, LVS_EX_FULLROWSELECT | LVS_EX_DOUBLEBUFFER);
    for (int i = 0; i < COLUMNS; i++) {
        LVCOLUMNW item = {.mask = LVCF_TEXT | LVCF_WIDTH | LVCF_FMT | LVCF_SUBITEM,
                          .fmt = columns[i].format,
                          .cx = columns[i].width,
                          .pszText = (wchar_t *)columns[i].title,
                          .iSubItem = i};
        ListView_InsertColumn(window.list, i, &item);
    }
    for (int i = 0; i < ROWS; i++) {
        LVITEMW item = {.mask = LVIF_TEXT, .iItem = i, .pszText = (wchar_t *)rows[i].path};
        ListView_InsertItem(window.list, &item);
    }
}

static int make_controls(HWND frame, const wchar_t *status)
{
    window.frame = frame;
    window.dpi = frame_dpi(frame);
    window.intro = make_control(
        L"STATIC", L"&Key presses and releases, mouse moves and clicks on this desktop:", SS_LEFT,
        0);
    window.list = make_control(
        WC_LISTVIEWW, L"", WS_BORDER | WS_TABSTOP | LVS_REPORT | LVS_SINGLESEL | LVS_NOSORTHEADER,
        ID_LIST);
    window.reset = make_control(L"BUTTON", L"&Reset", WS_TABSTOP | BS_PUSHBUTTON, ID_RESET);
    window.hint = make_control(
        L"STATIC", L"Sets \x201CSince reset\x201D to 0; the published totals never go backwards.",
        SS_LEFT | SS_CENTERIMAGE, 0);
    window.status = make_control(STATUSCLASSNAMEW, status, 0, 0);
    if (!window.list || !window.reset || !window.status)
        return 0;

    fill_list();
    choose_font();
    return 1;
}

static void on_activate(int active)
{
    if (!active)
        window.focus = GetFocus();
    else if (window.focus)
        SetFocus(window.focus);
}

/* Move the focus after the Tab key. On Windows the system moves it; Wine lets the window do it. */
static void on_next_control(WPARAM wparam, int is_window)
{
    SetFocus(is_window ? (HWND)wparam : GetNextDlgTabItem(window.frame, GetFocus(), wparam != 0));
}

static void on_dpi_changed(int dpi, const RECT *suggested)
{
    window.dpi = dpi;
    choose_font();
    arrange_controls(suggested->left, suggested->top);
}

static LRESULT CALLBACK on_message(HWND frame, UINT message, WPARAM wparam, LPARAM lparam)
{
    switch (message) {
    case WM_CREATE:
        if (!make_controls(frame, ((CREATESTRUCTW *)lparam)->lpCreateParams))
            return -1;
        arrange_controls(CW_USEDEFAULT, 0);
        reset_list();
        SetTimer(frame, TIMER, REFRESH_MS, NULL);
        window.focus = window.list;
        return 0;
    case WM_TIMER:
        refresh_list();
        return 0;
    case WM_COMMAND:
        if (LOWORD(wparam) == ID_RESET)
            reset_list();
        return 0;
    case WM_ACTIVATE:
        on_activate(LOWORD(wparam) != WA_INACTIVE);
        return 0;
    case WM_NEXTDLGCTL:
        on_next_control(wparam, LOWORD(lparam));
        return 0;
    case WM_DPICHANGED:
        on_dpi_changed(HIWORD(wparam), (const RECT *)lparam);
        return 0;
    case WM_DESTROY:
        KillTimer(frame, TIMER);
        PostQuitMessage(0);
        return 0;
    }
    return DefWindowProcW(frame, message, wparam, lparam);
}

static HWND make_frame(HINSTANCE instance, const wchar_t *status)
{
    WNDCLASSEXW class = {.cbSize = sizeof class,
                         .lpfnWndProc = on_message,
                         .hInstance = instance,
                         .hIcon = LoadIconW(instance, MAKEINTRESOURCEW(ID_ICON)),
                         .hCursor = LoadCursorW(NULL, IDC_ARROW),
                         .hbrBackground = (HBRUSH)(COLOR_BTNFACE + 1),
                         .lpszClassName = CLASS_NAME};

    if (!RegisterClassExW(&class))
        return NULL;
    return CreateWindowExW(
        0, CLASS_NAME, WINDOW_TITLE,
        WS_OVERLAPPED | WS_CAPTION | WS_SYSMENU | WS_MINIMIZEBOX | WS_CLIPCHILDREN, CW_USEDEFAULT,
        CW_USEDEFAULT, 0, 0, NULL, NULL, instance, (void *)status);
}

int window_run(HINSTANCE instance, const wchar_t *status, int show)
{
    INITCOMMONCONTROLSEX controls = {sizeof controls, ICC_LISTVIEW_CLASSES | ICC_BAR_CLASSES};
    MSG message;

    InitCommonControlsEx(&controls);
    if (!make_frame(instance, status))
        return 1;
    ShowWindow(window.frame, show);

    while (GetMessageW(&message, NULL, 0, 0) > 0) {
        if (IsDialogMessageW(window.frame, &message)) /* Tab and Alt+R */
            continue;
        TranslateMessage(&message);
        DispatchMessageW(&message);
    }
    DeleteObject(window.font);
    return (int)message.wParam;
}

int window_activate_other(void)
{
    HWND other = FindWindowW(CLASS_NAME, NULL);

    if (!other)
        return 0;
    if (IsIconic(other))
        ShowWindow(other, SW_RESTORE);
    SetForegroundWindow(other);
    return 1;
}
