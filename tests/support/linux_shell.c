/* SPDX-License-Identifier: MIT */
#include "support/test.h"

#include "support/linux_shell.h"

#include <stdio.h>
#include <string.h>

#include <windows.h>

enum { COMMAND_BYTES = 2400, LONGEST_WAIT_MS = 240000 };

typedef char *(CDECL *unix_name_function)(const wchar_t *path);

static unix_name_function find_unix_name(void)
{
    union {
        FARPROC untyped;
        unix_name_function typed;
    } function;

    function.untyped = GetProcAddress(GetModuleHandleW(L"kernel32.dll"), "wine_get_unix_file_name");
    return function.typed;
}

static void append_quoted(char *command, const char *text)
{
    char *end = command + strlen(command);

    for (; *text; text++) {
        assert_true(end - command < COMMAND_BYTES - 4);
        if (*text == '"')
            *end++ = '\\';
        *end++ = *text;
    }
    *end = 0;
}

static void append_argument(char *command, const wchar_t *path)
{
    char *name = find_unix_name()(path);

    assert_non_null(name);
    strcat(command, " \"");
    append_quoted(command, name);
    strcat(command, "\"");
    HeapFree(GetProcessHeap(), 0, name);
}

/* Wine cannot wait for a Linux process. So the shell makes a file when the script has ended, and
 * this function waits for the file. */
static void wait_for_end(const wchar_t *path)
{
    wchar_t ended[MAX_PATH];
    int waited_ms = 0;

    assert_true(swprintf(ended, MAX_PATH, L"%ls.ended", path) > 0);
    for (; GetFileAttributesW(ended) == INVALID_FILE_ATTRIBUTES; waited_ms++) {
        assert_true(waited_ms < LONGEST_WAIT_MS);
        Sleep(1);
    }
    assert_true(DeleteFileW(ended));
}

bool linux_shell_run(const char *script, const wchar_t *path, const wchar_t *second)
{
    char command[COMMAND_BYTES] = "sh -c \"";
    STARTUPINFOA startup;
    PROCESS_INFORMATION started = {0}; /* Wine fills it in for Windows programs only */

    if (!find_unix_name())
        return false;
    append_quoted(command, script);
    append_quoted(command, "; : >\"$1.ended\"");
    strcat(command, "\" sh");
    append_argument(command, path);
    if (second)
        append_argument(command, second);
    memset(&startup, 0, sizeof startup);
    startup.cb = sizeof startup;
    assert_true(CreateProcessA("Z:\\bin\\sh", command, NULL, NULL, FALSE, 0, NULL, "Z:\\", &startup,
                               &started));
    if (started.hThread)
        CloseHandle(started.hThread);
    if (started.hProcess)
        CloseHandle(started.hProcess);
    wait_for_end(path);
    return true;
}
