/* SPDX-License-Identifier: MIT */
/* Starts a Windows program that inherits handles. Wine sometimes fails to start a program on a busy
 * machine, so the function tries up to five times, and reports each failure on standard error. */
#ifndef PRFDATA_TESTS_START_PROCESS_H
#define PRFDATA_TESTS_START_PROCESS_H

#include <stdbool.h>
#include <stdio.h>

#include <windows.h>

static inline bool start_process(const char *command, DWORD flags, STARTUPINFOA *startup,
                                 PROCESS_INFORMATION *process)
{
    char line[4096]; /* CreateProcess may write to it */

    for (int attempt = 0; attempt < 5; attempt++) {
        if (snprintf(line, sizeof line, "%s", command) >= (int)sizeof line)
            return false;
        if (CreateProcessA(NULL, line, NULL, NULL, TRUE, flags, NULL, NULL, startup, process))
            return true;
        fprintf(stderr, "%s: error %lu\n", command, GetLastError());
        Sleep(200);
    }
    return false;
}

#endif
