/* SPDX-License-Identifier: MIT */
/* Starts a process of this program (self.h). */
#include "scenarios/self.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

/*
 * Starting a process is tried again, because it sometimes fails on a system that is busy or checks
 * every new process.
 */
#define START_ATTEMPTS 4
#define START_SLEEP_MS 250

/* The folder where this program was started; "": unknown, or unusable for a new process. */
static wchar_t start_directory[MAX_PATH];

void prfdata_self_note_directory(void)
{
    const DWORD chars = GetCurrentDirectoryW(MAX_PATH, start_directory);

    if (chars == 0 || chars >= MAX_PATH)
        start_directory[0] = 0;
}

/* Make a list of the handles that a new process inherits; release it with end_handle_list(). NULL:
 * there is none, and *error says why. */
static LPPROC_THREAD_ATTRIBUTE_LIST make_handle_list(HANDLE *inherited, size_t count, DWORD *error)
{
    LPPROC_THREAD_ATTRIBUTE_LIST list;
    SIZE_T bytes = 0;

    (void)InitializeProcThreadAttributeList(NULL, 1, 0, &bytes);
    list = malloc(bytes);
    if (!list) {
        *error = ERROR_NOT_ENOUGH_MEMORY;
        return NULL;
    }
    if (!InitializeProcThreadAttributeList(list, 1, 0, &bytes)) {
        *error = GetLastError();
        free(list);
        return NULL;
    }
    if (UpdateProcThreadAttribute(list, 0, PROC_THREAD_ATTRIBUTE_HANDLE_LIST, inherited,
                                  count * sizeof *inherited, NULL, NULL))
        return list;
    *error = GetLastError();
    DeleteProcThreadAttributeList(list);
    free(list);
    return NULL;
}

static void end_handle_list(LPPROC_THREAD_ATTRIBUTE_LIST list)
{
    if (list)
        DeleteProcThreadAttributeList(list);
    free(list);
}

/* Returns the process; NULL: GetLastError() says why there is none. */
static HANDLE create_self(const wchar_t *path, wchar_t *command, LPPROC_THREAD_ATTRIBUTE_LIST list)
{
    STARTUPINFOEXW startup;
    PROCESS_INFORMATION process;
    DWORD flags = 0;

    memset(&startup, 0, sizeof startup);
    startup.StartupInfo.cb = sizeof startup.StartupInfo;
    if (list) {
        startup.StartupInfo.cb = sizeof startup;
        /* Give the process no standard handles, because they are not in the list of handles to
         * inherit. */
        startup.StartupInfo.dwFlags = STARTF_USESTDHANDLES;
        startup.lpAttributeList = list;
        flags = EXTENDED_STARTUPINFO_PRESENT;
    }
    if (!CreateProcessW(path, command, NULL, NULL, TRUE, flags, NULL,
                        start_directory[0] ? start_directory : NULL, &startup.StartupInfo,
                        &process))
        return NULL;
    CloseHandle(process.hThread);
    return process.hProcess;
}

HANDLE prfdata_self_start(const wchar_t *more, HANDLE *inherited, size_t count, DWORD *error)
{
    const wchar_t *line = GetCommandLineW();
    const size_t capacity = wcslen(line) + wcslen(more) + 1;
    wchar_t *command = malloc(capacity * sizeof *command);
    LPPROC_THREAD_ATTRIBUTE_LIST list = NULL;
    wchar_t path[1024];
    HANDLE started = NULL;
    DWORD chars = GetModuleFileNameW(NULL, path, 1024);

    *error = command ? ERROR_FILENAME_EXCED_RANGE : ERROR_NOT_ENOUGH_MEMORY;
    if (!command || chars == 0 || chars >= 1024)
        goto free_command;
    if (count > 0) {
        list = make_handle_list(inherited, count, error);
        if (!list)
            goto free_command;
    }
    for (int attempt = 0; !started && attempt < START_ATTEMPTS; attempt++) {
        if (attempt > 0)
            Sleep(START_SLEEP_MS);
        wcscpy(command, line); /* copy `line`, because the system may write to the command */
        wcscat(command, more);
        started = create_self(path, command, list);
        if (!started)
            *error = GetLastError();
    }
free_command:
    end_handle_list(list);
    free(command);
    return started;
}
