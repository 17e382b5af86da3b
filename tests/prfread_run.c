/* SPDX-License-Identifier: MIT */
#include "prfread_run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <windows.h>

#include "start_process.h"
#include "test.h"

#define LIMIT_MS 60000

const char *prfread_run_folder(void)
{
    static char folder[MAX_PATH];

    if (!folder[0]) {
        assert_in_range(GetModuleFileNameA(NULL, folder, MAX_PATH), 1, MAX_PATH - 1);
        *(strrchr(folder, '\\') + 1) = 0;
    }
    return folder;
}

static HANDLE create_output(const char *name, char path[2 * MAX_PATH])
{
    SECURITY_ATTRIBUTES inherited = {sizeof inherited, NULL, TRUE};
    char folder[MAX_PATH];
    HANDLE file;

    assert_in_range(GetTempPathA(MAX_PATH, folder), 1, MAX_PATH - 1);
    snprintf(path, 2 * MAX_PATH, "%sprfread-run-%lu-%s", folder, GetCurrentProcessId(), name);
    file = CreateFileA(path, GENERIC_READ | GENERIC_WRITE, FILE_SHARE_READ | FILE_SHARE_WRITE,
                       &inherited, CREATE_ALWAYS, FILE_FLAG_DELETE_ON_CLOSE, NULL);
    assert_true(file != INVALID_HANDLE_VALUE);
    return file;
}

static char *read_and_close(HANDLE file)
{
    const DWORD size = GetFileSize(file, NULL);
    char *text = malloc((size_t)size + 1);
    DWORD got = 0;

    assert_non_null(text);
    SetFilePointer(file, 0, NULL, FILE_BEGIN);
    assert_true(ReadFile(file, text, size, &got, NULL));
    assert_int_equal(got, size);
    text[size] = 0;
    CloseHandle(file);
    return text;
}

void prfread_run_make(prfread_run *run, const char *arguments)
{
    char out_path[2 * MAX_PATH];
    char err_path[2 * MAX_PATH];
    HANDLE out = create_output("out", out_path);
    HANDLE err = create_output("err", err_path);
    PROCESS_INFORMATION process;
    STARTUPINFOA startup;
    DWORD exit_code = 0;
    char command[2048];

    memset(&startup, 0, sizeof startup);
    startup.cb = sizeof startup;
    startup.dwFlags = STARTF_USESTDHANDLES;
    startup.hStdOutput = out;
    startup.hStdError = err;
    startup.hStdInput = INVALID_HANDLE_VALUE;
    assert_in_range(
        snprintf(command, sizeof command, "\"%sprfread.exe\" %s", prfread_run_folder(), arguments),
        1, sizeof command - 1);
    assert_true(start_process(command, 0, &startup, &process));
    if (WaitForSingleObject(process.hProcess, LIMIT_MS) != WAIT_OBJECT_0) {
        TerminateProcess(process.hProcess, 77);
        WaitForSingleObject(process.hProcess, LIMIT_MS);
    }
    assert_true(GetExitCodeProcess(process.hProcess, &exit_code));
    CloseHandle(process.hThread);
    CloseHandle(process.hProcess);
    run->exit_code = (int)exit_code;
    run->out = read_and_close(out);
    run->err = read_and_close(err);
}

void prfread_run_free(prfread_run *run)
{
    free(run->out);
    free(run->err);
}

void prfread_run_expect(const char *arguments, int exit_code, const char *const *parts,
                        size_t count)
{
    prfread_run run;

    prfread_run_make(&run, arguments);
    for (size_t i = 0; i < count; i++) {
        if (!strstr(run.out, parts[i]) && !strstr(run.err, parts[i]))
            fail_msg("%s lacks \"%s\":\n%s\n%s", arguments, parts[i], run.out, run.err);
    }
    if (run.exit_code != exit_code)
        fail_msg("%s ended with %d:\n%s\n%s", arguments, run.exit_code, run.out, run.err);
    prfread_run_free(&run);
}
