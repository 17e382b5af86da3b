/* SPDX-License-Identifier: MIT */
#include "support/program_run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/start_process.h"
#include "support/test.h"

/* A limit that no working program reaches, however slow the machine is. */
#define LIMIT_MS 240000

const char *program_run_folder(void)
{
    static char folder[MAX_PATH];

    if (!folder[0]) {
        assert_in_range(GetModuleFileNameA(NULL, folder, MAX_PATH), 1, MAX_PATH - 1);
        *(strrchr(folder, '\\') + 1) = 0;
    }
    return folder;
}

void program_run_temporary_path(const char *name, char path[MAX_PATH])
{
    char folder[MAX_PATH];

    assert_in_range(GetTempPathA(MAX_PATH, folder), 1, MAX_PATH - 1);
    assert_in_range(
        snprintf(path, MAX_PATH, "%sprfdata-test-%lu-%s", folder, GetCurrentProcessId(), name), 1,
        MAX_PATH - 1);
}

char *program_run_read_file(const char *path)
{
    const DWORD sharing = FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE;
    HANDLE file = CreateFileA(path, GENERIC_READ, sharing, NULL, OPEN_EXISTING, 0, NULL);
    DWORD size;
    DWORD got = 0;
    char *text;

    assert_true(file != INVALID_HANDLE_VALUE);
    size = GetFileSize(file, NULL);
    text = malloc((size_t)size + 1);
    assert_non_null(text);
    assert_true(ReadFile(file, text, size, &got, NULL));
    assert_int_equal(got, size);
    text[size] = 0;
    CloseHandle(file);
    return text;
}

static void create_output(program_run_output *output, const char *kind)
{
    static unsigned number;
    SECURITY_ATTRIBUTES inherited = {sizeof inherited, NULL, TRUE};
    char name[40];

    snprintf(name, sizeof name, "%u.%s", number++, kind);
    program_run_temporary_path(name, output->path);
    output->file = CreateFileA(output->path, GENERIC_WRITE, FILE_SHARE_READ | FILE_SHARE_WRITE,
                               &inherited, CREATE_ALWAYS, FILE_FLAG_DELETE_ON_CLOSE, NULL);
    assert_true(output->file != INVALID_HANDLE_VALUE);
}

static char *take_output(program_run_output *output)
{
    char *text = program_run_read_file(output->path);

    CloseHandle(output->file);
    return text;
}

void program_run_start(program_run *run, const char *program, const char *arguments, DWORD flags)
{
    STARTUPINFOA startup;

    create_output(&run->out_file, "out");
    create_output(&run->err_file, "err");
    memset(&startup, 0, sizeof startup);
    startup.cb = sizeof startup;
    startup.dwFlags = STARTF_USESTDHANDLES;
    startup.hStdOutput = run->out_file.file;
    startup.hStdError = run->err_file.file;
    startup.hStdInput = INVALID_HANDLE_VALUE;
    assert_in_range(snprintf(run->command, sizeof run->command, "\"%s%s.exe\" %s",
                             program_run_folder(), program, arguments),
                    1, sizeof run->command - 1);
    assert_true(start_process(run->command, flags, &startup, &run->process));
    /* Programs that are started later must not inherit these handles. */
    SetHandleInformation(run->out_file.file, HANDLE_FLAG_INHERIT, 0);
    SetHandleInformation(run->err_file.file, HANDLE_FLAG_INHERIT, 0);
}

void program_run_finish(program_run *run)
{
    DWORD exit_code = 0;

    if (WaitForSingleObject(run->process.hProcess, LIMIT_MS) != WAIT_OBJECT_0) {
        TerminateProcess(run->process.hProcess, 99);
        WaitForSingleObject(run->process.hProcess, LIMIT_MS);
    }
    assert_true(GetExitCodeProcess(run->process.hProcess, &exit_code));
    CloseHandle(run->process.hThread);
    CloseHandle(run->process.hProcess);
    run->exit_code = (int)exit_code;
    run->out = take_output(&run->out_file);
    run->err = take_output(&run->err_file);
}

void program_run_free(program_run *run)
{
    free(run->out);
    free(run->err);
}

void program_run_make(program_run *run, const char *program, const char *arguments)
{
    program_run_start(run, program, arguments, 0);
    program_run_finish(run);
}

void program_run_fail(const program_run *run, const char *missing)
{
    /* cmocka's messages would cut off a long output. */
    (void)fputs(run->out, stdout);
    (void)fputs(run->err, stdout);
    fail_msg("%s ended with %d, %s is missing", run->command, run->exit_code, missing);
}

void program_run_check(const program_run *run, int exit_code, const char *const *parts,
                       size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (!strstr(run->out, parts[i]) && !strstr(run->err, parts[i]))
            program_run_fail(run, parts[i]);
    }
    if (run->exit_code != exit_code)
        program_run_fail(run, "the right exit code");
}

void program_run_expect(const char *program, const char *arguments, int exit_code,
                        const char *const *parts, size_t count)
{
    program_run run;

    program_run_make(&run, program, arguments);
    program_run_check(&run, exit_code, parts, count);
    program_run_free(&run);
}
