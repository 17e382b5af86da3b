/* SPDX-License-Identifier: MIT */
/* Makes a process of this program (self.h), for whatever role. */
#include "prfcheck/self.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

/* Systems that are busy, or look at every new process, fail now and then. */
#define START_ATTEMPTS 4
#define START_SLEEP_MS 250

HANDLE prfdata_self_start(const wchar_t *more, DWORD *error)
{
    STARTUPINFOW startup;
    PROCESS_INFORMATION process;
    const wchar_t *line = GetCommandLineW();
    const size_t capacity = wcslen(line) + wcslen(more) + 1;
    wchar_t *command = malloc(capacity * sizeof *command);
    wchar_t path[1024];
    HANDLE started = NULL;
    DWORD count = GetModuleFileNameW(NULL, path, 1024);

    *error = command ? ERROR_FILENAME_EXCED_RANGE : ERROR_NOT_ENOUGH_MEMORY;
    if (!command || count == 0 || count >= 1024)
        goto free_command;
    memset(&startup, 0, sizeof startup);
    startup.cb = sizeof startup;
    for (int attempt = 0; !started && attempt < START_ATTEMPTS; attempt++) {
        if (attempt > 0)
            Sleep(START_SLEEP_MS);
        wcscpy(command, line); /* the system may write to it */
        wcscat(command, more);
        if (CreateProcessW(path, command, NULL, NULL, TRUE, 0, NULL, NULL, &startup, &process)) {
            CloseHandle(process.hThread);
            started = process.hProcess;
        } else {
            *error = GetLastError();
        }
    }
free_command:
    free(command);
    return started;
}
