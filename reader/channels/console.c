/* SPDX-License-Identifier: MIT */
/* Writes to a redirected stream, or to the console from which prfview was started. */
#include "channels/console.h"

#include <stdlib.h>

#include <windows.h>

#define MOST_UTF8_BYTES 3u /* for a UTF-16 code unit */

/* Return the standard stream if it is a file or a pipe; otherwise NULL. */
static HANDLE redirected_stream(DWORD which)
{
    HANDLE stream = GetStdHandle(which);
    const DWORD type =
        stream && stream != INVALID_HANDLE_VALUE ? GetFileType(stream) : FILE_TYPE_UNKNOWN;

    return type == FILE_TYPE_DISK || type == FILE_TYPE_PIPE ? stream : NULL;
}

static bool write_stream(HANDLE stream, const wchar_t *text)
{
    const size_t chars = wcslen(text);
    const size_t most = MOST_UTF8_BYTES * chars;
    char *bytes = malloc(most);
    bool is_written = false;
    DWORD written;

    if (bytes) {
        const int size =
            WideCharToMultiByte(CP_UTF8, 0, text, (int)chars, bytes, (int)most, NULL, NULL);

        is_written = size > 0 && WriteFile(stream, bytes, (DWORD)size, &written, NULL);
    }
    free(bytes);
    return is_written;
}

/*
 * Write to the console, on a new line. The shell does not wait for a window program, so its prompt
 * may already be on the current line.
 */
static bool write_console(const wchar_t *text)
{
    bool is_written = false;
    DWORD written;
    HANDLE console;

    if (!AttachConsole(ATTACH_PARENT_PROCESS))
        return false;
    console = CreateFileW(L"CONOUT$", GENERIC_READ | GENERIC_WRITE,
                          FILE_SHARE_READ | FILE_SHARE_WRITE, NULL, OPEN_EXISTING, 0, NULL);
    if (console != INVALID_HANDLE_VALUE) {
        is_written = WriteConsoleW(console, L"\n", 1, &written, NULL) &&
                     WriteConsoleW(console, text, (DWORD)wcslen(text), &written, NULL);
        CloseHandle(console);
    }
    FreeConsole();
    return is_written;
}

bool prfdata_console_say(const wchar_t *text)
{
    HANDLE stream = redirected_stream(STD_OUTPUT_HANDLE);

    if (!stream)
        stream = redirected_stream(STD_ERROR_HANDLE);
    return stream ? write_stream(stream, text) : write_console(text);
}
