/* SPDX-License-Identifier: MIT */
/* Does for selftest.cmd what cmd cannot do: it ends a command after some time. It also copies the
 * sample and sets the level of the event log. Both are in the journal, so -Undo can undo them even
 * if the script was killed.
 *
 *     prfdata-kit -Limit <seconds> <command>
 *     prfdata-kit -Level <number>                copies the sample and sets the level
 *
 * The exit code of -Limit is that of the command, or 258 (WAIT_TIMEOUT) if the command was
 * ended. */
#include "kit.h"

#include <stdio.h>
#include <stdlib.h>
#include <wchar.h>

/* Returns the rest of a command line after an argument. An argument may be in quotes and contain
 * blanks; our arguments are not more complicated. */
static wchar_t *skip_argument(wchar_t *line)
{
    bool is_quoted = false;

    for (; *line && (is_quoted || (*line != L' ' && *line != L'\t')); line++) {
        if (*line == L'"')
            is_quoted = !is_quoted;
    }
    return line + wcsspn(line, L" \t");
}

/* Makes a 32-bit kit run the programs that were named, and not their 32-bit versions
 * ("Wow64DisableWow64FsRedirection function", which a 64-bit Windows has). */
static void find_native_programs(void)
{
    typedef BOOL(WINAPI disable_function)(void **);
    union {
        FARPROC untyped;
        disable_function *typed;
    } disable;
    void *previous;

    disable.untyped =
        GetProcAddress(GetModuleHandleW(L"kernel32.dll"), "Wow64DisableWow64FsRedirection");
    if (disable.untyped && sizeof(void *) == 4)
        disable.typed(&previous);
}

/* Starts the command in a job that ends when this process ends. The command uses the input and
 * output of this process. */
static DWORD start_command(wchar_t *command, PROCESS_INFORMATION *process, HANDLE *job)
{
    JOBOBJECT_EXTENDED_LIMIT_INFORMATION limit = {0};
    STARTUPINFOW startup = {0};

    startup.cb = sizeof startup;
    *job = CreateJobObjectW(NULL, NULL);
    limit.BasicLimitInformation.LimitFlags = JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE;
    if (*job)
        SetInformationJobObject(*job, JobObjectExtendedLimitInformation, &limit, sizeof limit);
    if (!CreateProcessW(NULL, command, NULL, NULL, TRUE, CREATE_SUSPENDED, NULL, NULL, &startup,
                        process))
        return GetLastError();
    AssignProcessToJobObject(*job, process->hProcess);
    ResumeThread(process->hThread);
    return ERROR_SUCCESS;
}

int kit_limit_main(void)
{
    wchar_t *command = skip_argument(skip_argument(GetCommandLineW()));
    DWORD seconds = wcstoul(command, NULL, 10), exit_code = WAIT_TIMEOUT, status;
    PROCESS_INFORMATION process;
    HANDLE job;

    command = skip_argument(command);
    if (seconds == 0 || !*command)
        return 2;
    find_native_programs();
    status = start_command(command, &process, &job);
    if (status != ERROR_SUCCESS) {
        printf("it cannot be started: error %lu\n", (unsigned long)status);
        return (int)status;
    }
    if (WaitForSingleObject(process.hProcess, seconds * 1000) == WAIT_OBJECT_0)
        GetExitCodeProcess(process.hProcess, &exit_code);
    else
        printf("\nended: not done in %lu seconds\n", (unsigned long)seconds);
    TerminateJobObject(job, WAIT_TIMEOUT); /* ends the command and everything that it has started */
    return (int)exit_code;
}

int kit_begin_script(const kit *k, DWORD level)
{
    DWORD status = kit_note_sample();

    if (status == ERROR_SUCCESS)
        status = kit_copy_sample(k);
    if (status == ERROR_SUCCESS)
        status = kit_set_perflib(L"EventLogLevel", level);
    if (status != ERROR_SUCCESS)
        printf("the sample cannot be copied to Program Files, or the level not be set: error %lu\n",
               (unsigned long)status);
    return status == ERROR_SUCCESS ? 0 : 1;
}
