/* SPDX-License-Identifier: MIT */
/*
 * Shows text to the user. A program of the Windows subsystem has no console of its own, and the
 * shell does not wait for it. So the text goes to the first of these that exists: redirected
 * output, the console of the parent process, a message box.
 */
#include "say.h"

#include <windows.h>

#include <stdio.h>
#include <stdlib.h>

/* Return the standard handle if the caller redirected it to a file or a pipe; otherwise NULL. */
static HANDLE redirected_output(int failed)
{
    HANDLE output = GetStdHandle(failed ? STD_ERROR_HANDLE : STD_OUTPUT_HANDLE);
    DWORD mode;

    if (!output || output == INVALID_HANDLE_VALUE || GetFileType(output) == FILE_TYPE_UNKNOWN)
        return NULL;
    return GetConsoleMode(output, &mode) ? NULL : output;
}

static int write_redirected(HANDLE output, const wchar_t *text)
{
    int bytes = WideCharToMultiByte(CP_UTF8, 0, text, -1, NULL, 0, NULL, NULL);
    char *utf8 = malloc((size_t)bytes + 1);
    DWORD written = 0;
    int done = 0;

    if (bytes > 0 && utf8) {
        WideCharToMultiByte(CP_UTF8, 0, text, -1, utf8, bytes, NULL, NULL);
        utf8[bytes - 1] = '\n'; /* instead of the NUL */
        done = WriteFile(output, utf8, (DWORD)bytes, &written, NULL);
    }
    free(utf8);
    return done;
}

static int write_parent_console(const wchar_t *text)
{
    HANDLE console = INVALID_HANDLE_VALUE;
    DWORD written;

    AttachConsole(ATTACH_PARENT_PROCESS); /* without a console, CreateFileW() fails */
    console = CreateFileW(L"CONOUT$", GENERIC_READ | GENERIC_WRITE,
                          FILE_SHARE_READ | FILE_SHARE_WRITE, NULL, OPEN_EXISTING, 0, NULL);
    if (console == INVALID_HANDLE_VALUE)
        return 0;

    /* The shell did not wait for this program and has already printed its prompt on this line. */
    WriteConsoleW(console, L"\n", 1, &written, NULL);
    WriteConsoleW(console, text, (DWORD)wcslen(text), &written, NULL);
    WriteConsoleW(console, L"\n", 1, &written, NULL);
    CloseHandle(console);
    return 1;
}

void say(int failed, const wchar_t *text)
{
    HANDLE output = redirected_output(failed);

    if (output && write_redirected(output, text))
        return;
    if (write_parent_console(text))
        return;
    MessageBoxW(NULL, text, L"Hardware Input Monitor",
                MB_OK | (failed ? MB_ICONERROR : MB_ICONINFORMATION));
}

void say_error_text(uint32_t error, wchar_t *text, size_t chars)
{
    DWORD length = FormatMessageW(FORMAT_MESSAGE_FROM_SYSTEM | FORMAT_MESSAGE_IGNORE_INSERTS |
                                      FORMAT_MESSAGE_MAX_WIDTH_MASK,
                                  NULL, error, 0, text, (DWORD)chars, NULL);

    while (length > 0 && text[length - 1] <= L' ')
        text[--length] = L'\0';
    if (length == 0)
        swprintf(text, chars, L"error %u", (unsigned)error);
}
