/* SPDX-License-Identifier: MIT */
/*
 * Controls the terminal with the console functions, which every Windows has. Only Windows 10 and
 * later obey VT sequences, and Wine's console shows them as text, so this file interprets the
 * sequences of a frame itself.
 */
#include "os/terminal.h"

#include <stdlib.h>
#include <wchar.h>

#include <windows.h>

#include "names/names.h"
#include "os/stop.h"
#include "system/os.h"

#ifndef ENABLE_VIRTUAL_TERMINAL_INPUT
#define ENABLE_VIRTUAL_TERMINAL_INPUT 0x0200
#endif

#define MAX_CELLS 1000
#define MAX_WAIT  250u /* ms until the size of the window is checked again */

static bool is_open;
static HANDLE input;
static HANDLE screen; /* screen buffer of the program; the user's own stays unchanged */
static DWORD input_before;
static WORD plain;            /* the user's colours */
static uint32_t repeated_key; /* still to be returned `repeat_count` times */
static WORD repeat_count;
static uint32_t known_width; /* the size that prfdata_terminal_size() returned last */
static uint32_t known_height;
/* The first half of a surrogate pair; 0: none. */
static uint16_t high_surrogate;

static uint32_t open_screen(void)
{
    static const CONSOLE_CURSOR_INFO no_cursor = {25, FALSE};
    CONSOLE_SCREEN_BUFFER_INFO info;

    if (!GetConsoleScreenBufferInfo(GetStdHandle(STD_OUTPUT_HANDLE), &info))
        return ERROR_INVALID_HANDLE;
    plain = info.wAttributes;
    screen =
        CreateConsoleScreenBuffer(GENERIC_READ | GENERIC_WRITE, FILE_SHARE_READ | FILE_SHARE_WRITE,
                                  NULL, CONSOLE_TEXTMODE_BUFFER, NULL);
    if (screen == INVALID_HANDLE_VALUE)
        return GetLastError();
    (void)SetConsoleMode(screen, 0); /* so that a full line does not wrap */
    (void)SetConsoleCursorInfo(screen, &no_cursor);
    if (!SetConsoleActiveScreenBuffer(screen)) {
        uint32_t status = GetLastError();

        CloseHandle(screen);
        return status;
    }
    return ERROR_SUCCESS;
}

uint32_t prfdata_terminal_open(void)
{
    const DWORD cooked = ENABLE_PROCESSED_INPUT | ENABLE_LINE_INPUT | ENABLE_ECHO_INPUT |
                         ENABLE_MOUSE_INPUT | ENABLE_VIRTUAL_TERMINAL_INPUT;
    uint32_t status;

    input = GetStdHandle(STD_INPUT_HANDLE);
    if (!GetConsoleMode(input, &input_before) ||
        !SetConsoleMode(input, (input_before & ~cooked) | ENABLE_WINDOW_INPUT))
        return ERROR_INVALID_HANDLE;
    status = open_screen();
    if (status != ERROR_SUCCESS) {
        (void)SetConsoleMode(input, input_before);
        return status;
    }
    is_open = true;
    repeat_count = 0;
    high_surrogate = 0;
    return ERROR_SUCCESS;
}

void prfdata_terminal_close(void)
{
    if (!is_open)
        return;
    is_open = false;
    (void)SetConsoleActiveScreenBuffer(GetStdHandle(STD_OUTPUT_HANDLE));
    CloseHandle(screen);
    (void)SetConsoleMode(input, input_before);
}

static uint32_t bound_console_cells(int cells)
{
    if (cells < 1)
        return 1;
    return cells < MAX_CELLS ? (uint32_t)cells : MAX_CELLS;
}

static void measure_window(uint32_t *width, uint32_t *height)
{
    CONSOLE_SCREEN_BUFFER_INFO info;

    *width = 80;
    *height = 24;
    if (!GetConsoleScreenBufferInfo(screen, &info))
        return;
    *width = bound_console_cells(info.srWindow.Right - info.srWindow.Left + 1);
    *height = bound_console_cells(info.srWindow.Bottom - info.srWindow.Top + 1);
}

void prfdata_terminal_size(uint32_t *width, uint32_t *height)
{
    measure_window(width, height);
    known_width = *width;
    known_height = *height;
}

/*
 * Returns whether the size of the window has changed. A console sends an event only if its buffer
 * is resized, not if its window is (WINDOW_BUFFER_SIZE_RECORD, learn.microsoft.com).
 */
static bool is_resized(void)
{
    uint32_t width;
    uint32_t height;

    measure_window(&width, &height);
    return width != known_width || height != known_height;
}

/* ---- Drawing ---- */

static WORD reverse_colours(WORD attributes)
{
    return (WORD)((attributes & ~0xFFu) | (attributes & 0x0Fu) << 4 | (attributes & 0xF0u) >> 4);
}

/*
 * Replace the text colour in `attributes` by the colour of ESC [ `number` m, 31 to 37. The bits of
 * a colour, lowest first, are blue, green, red in a console, but red, green, blue in a terminal.
 */
static WORD colour_attributes(WORD attributes, long number)
{
    const long colour = number - 30;

    attributes &= (WORD) ~(FOREGROUND_RED | FOREGROUND_GREEN | FOREGROUND_BLUE);
    return (WORD)(attributes | ((colour & 1) ? FOREGROUND_RED : 0) |
                  ((colour & 2) ? FOREGROUND_GREEN : 0) | ((colour & 4) ? FOREGROUND_BLUE : 0));
}

/* Set attributes by the numbers of ESC [ ... m. */
static void set_attributes(const wchar_t *numbers, size_t count)
{
    const wchar_t *end = numbers + count;
    WORD attributes = plain;
    bool is_reversed = false;

    while (numbers < end) {
        wchar_t *after;
        const long number = wcstol(numbers, &after, 10);

        if (number == 1)
            attributes |= FOREGROUND_INTENSITY;
        else if (number == 4)
            attributes |= COMMON_LVB_UNDERSCORE;
        else if (number == 7)
            is_reversed = true;
        else if (number >= 31 && number <= 37)
            attributes = colour_attributes(attributes, number);
        numbers = after + 1;
    }
    (void)SetConsoleTextAttribute(screen, is_reversed ? reverse_colours(attributes) : attributes);
}

/* Move the cursor to the beginning of line y, from the numbers of ESC [ y ; 1 H. */
static void set_cursor_line(const wchar_t *numbers)
{
    CONSOLE_SCREEN_BUFFER_INFO info;
    COORD begin = {0, 0};

    if (GetConsoleScreenBufferInfo(screen, &info)) {
        begin.X = info.srWindow.Left;
        begin.Y = (SHORT)(info.srWindow.Top + (SHORT)wcstol(numbers, NULL, 10) - 1);
    }
    (void)SetConsoleCursorPosition(screen, begin);
}

static void erase_line_rest(void)
{
    CONSOLE_SCREEN_BUFFER_INFO info;
    DWORD cells;
    DWORD done;

    if (!GetConsoleScreenBufferInfo(screen, &info))
        return;
    cells = (DWORD)(info.dwSize.X - info.dwCursorPosition.X);
    (void)FillConsoleOutputCharacterW(screen, ' ', cells, info.dwCursorPosition, &done);
    (void)FillConsoleOutputAttribute(screen, plain, cells, info.dwCursorPosition, &done);
}

/* Execute a sequence of `count` characters, ESC [ ... letter. */
static void obey_sequence(const wchar_t *sequence, size_t count)
{
    switch (sequence[count - 1]) {
    case 'H':
        set_cursor_line(sequence + 2);
        break;
    case 'm':
        set_attributes(sequence + 2, count - 3);
        break;
    default:
        erase_line_rest();
        break;
    }
}

static uint32_t draw_frame(const wchar_t *frame, size_t count)
{
    for (size_t at = 0; at < count;) {
        size_t end = at + 1;
        DWORD written;

        if (frame[at] == 0x1B) {
            while (end < count && (frame[end] < 'A' || frame[end] == '['))
                end++;
            obey_sequence(frame + at, end < count ? end + 1 - at : count - at);
            at = end + 1;
            continue;
        }
        while (end < count && frame[end] != 0x1B)
            end++;
        if (!WriteConsoleW(screen, frame + at, (DWORD)(end - at), &written, NULL))
            return GetLastError();
        at = end;
    }
    return ERROR_SUCCESS;
}

uint32_t prfdata_terminal_draw(const char *frame, size_t size)
{
    wchar_t *text = malloc((size + 1) * sizeof *text);
    uint32_t status = ERROR_INVALID_DATA;
    size_t count;

    if (!text)
        return ERROR_NOT_ENOUGH_MEMORY;
    count = prfdata_names_wide_from_utf8(frame, size, text);
    if (count != SIZE_MAX)
        status = draw_frame(text, count);
    free(text);
    return status;
}

/* ---- Keys ---- */

/* Returns true, because a console shows UTF-16, whatever its code page is. */
bool prfdata_terminal_is_unicode(void)
{
    return true;
}

/* Get the key of a UTF-16 code unit. Returns false if it is the first half of a pair, or a second
 * half without the first. */
static bool take_char(uint16_t code, uint32_t *key)
{
    uint16_t high = high_surrogate;

    high_surrogate = 0;
    if (code >= 0xD800 && code <= 0xDBFF) {
        high_surrogate = code;
        return false;
    }
    *key = code;
    if (code >= 0xDC00 && code <= 0xDFFF) {
        if (high == 0)
            return false;
        *key = 0x10000u + ((uint32_t)(high - 0xD800) << 10) + (uint32_t)(code - 0xDC00);
    }
    return true;
}

static bool take_key_event(const KEY_EVENT_RECORD *event, uint32_t *key)
{
    static const struct {
        WORD code;
        uint32_t key;
    } keys[] = {
        {VK_UP, PRFDATA_KEY_UP},          {VK_DOWN, PRFDATA_KEY_DOWN},
        {VK_LEFT, PRFDATA_KEY_LEFT},      {VK_RIGHT, PRFDATA_KEY_RIGHT},
        {VK_PRIOR, PRFDATA_KEY_PAGE_UP},  {VK_NEXT, PRFDATA_KEY_PAGE_DOWN},
        {VK_HOME, PRFDATA_KEY_HOME},      {VK_END, PRFDATA_KEY_END},
        {VK_ESCAPE, PRFDATA_KEY_ESCAPE},  {VK_RETURN, PRFDATA_KEY_ENTER},
        {VK_BACK, PRFDATA_KEY_BACKSPACE},
    };

    /* If the user types digits while holding Alt, the character comes when Alt is released. */
    if (!event->bKeyDown && event->wVirtualKeyCode != VK_MENU)
        return false;
    for (size_t i = 0; event->bKeyDown && i < sizeof keys / sizeof keys[0]; i++) {
        if (event->wVirtualKeyCode == keys[i].code) {
            *key = keys[i].key;
            return true;
        }
    }
    return event->uChar.UnicodeChar != 0 && take_char(event->uChar.UnicodeChar, key);
}

/* Read one record. Returns PRFDATA_TERMINAL_DUE if there is none, or if the record is neither a key
 * nor a new size. */
static prfdata_terminal_event take_input_record(uint32_t *key)
{
    INPUT_RECORD record;
    DWORD count = 0;

    if (!GetNumberOfConsoleInputEvents(input, &count))
        return PRFDATA_TERMINAL_STOPPED;
    if (count == 0)
        return PRFDATA_TERMINAL_DUE; /* another process of this console took the record */
    if (!ReadConsoleInputW(input, &record, 1, &count))
        return PRFDATA_TERMINAL_STOPPED;
    if (record.EventType == WINDOW_BUFFER_SIZE_EVENT)
        return PRFDATA_TERMINAL_RESIZED;
    if (record.EventType != KEY_EVENT || !take_key_event(&record.Event.KeyEvent, key))
        return PRFDATA_TERMINAL_DUE;
    repeated_key = *key;
    repeat_count =
        record.Event.KeyEvent.wRepeatCount > 1 ? (WORD)(record.Event.KeyEvent.wRepeatCount - 1) : 0;
    return PRFDATA_TERMINAL_KEY;
}

prfdata_terminal_event prfdata_terminal_wait(uint64_t due_ms, uint32_t *key)
{
    HANDLE handles[2];

    handles[0] = input;
    handles[1] = (HANDLE)prfdata_stop_handle();
    for (;;) {
        uint64_t now_ms = prfdata_os_milliseconds();
        uint64_t wait_ms = due_ms > now_ms ? due_ms - now_ms : 0;
        prfdata_terminal_event event;

        if (repeat_count > 0) {
            repeat_count--;
            *key = repeated_key;
            return PRFDATA_TERMINAL_KEY;
        }
        if (handles[1] && WaitForSingleObject(handles[1], 0) == WAIT_OBJECT_0)
            return PRFDATA_TERMINAL_STOPPED;
        switch (WaitForMultipleObjects(handles[1] ? 2 : 1, handles, FALSE,
                                       (DWORD)(wait_ms < MAX_WAIT ? wait_ms : MAX_WAIT))) {
        case WAIT_OBJECT_0:
            event = take_input_record(key);
            if (event != PRFDATA_TERMINAL_DUE)
                return event;
            break;
        case WAIT_TIMEOUT:
            if (prfdata_os_milliseconds() >= due_ms)
                return PRFDATA_TERMINAL_DUE;
            if (is_resized())
                return PRFDATA_TERMINAL_RESIZED;
            break;
        default:
            return PRFDATA_TERMINAL_STOPPED;
        }
    }
}
