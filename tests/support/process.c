/* SPDX-License-Identifier: MIT */
/* Implements process.h for both systems: pipes, start, wait, kill. */
#ifndef _WIN32
#define _GNU_SOURCE /* pipe2 */
#endif

#include "support/process.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef _WIN32
#include <windows.h>

#include "support/start_process.h"
#else
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#endif

#include "support/must.h"

#ifdef _WIN32

struct prfdata_test_process {
    HANDLE handle;
    HANDLE input;  /* this process writes to it */
    HANDLE output; /* this process reads from it */
};

static void make_pipe(HANDLE *read_end, HANDLE *write_end, HANDLE *inherited)
{
    MUST(CreatePipe(read_end, write_end, NULL, 0));
    MUST(SetHandleInformation(*inherited, HANDLE_FLAG_INHERIT, HANDLE_FLAG_INHERIT));
}

prfdata_test_process *prfdata_test_process_start(const char *const *arguments)
{
    prfdata_test_process *process = calloc(1, sizeof(*process));
    char program[MAX_PATH], command[2048];
    STARTUPINFOA startup;
    PROCESS_INFORMATION started;
    HANDLE child_input, child_output;

    MUST(process != NULL);
    MUST(GetModuleFileNameA(NULL, program, sizeof(program)) < sizeof(program));
    MUST((size_t)snprintf(command, sizeof(command), "\"%s\"", program) < sizeof(command));
    for (; *arguments; arguments++) {
        MUST(strlen(command) + strlen(*arguments) + 2 <= sizeof(command));
        strcat(strcat(command, " "), *arguments);
    }
    make_pipe(&child_input, &process->input, &child_input);
    make_pipe(&process->output, &child_output, &child_output);
    memset(&startup, 0, sizeof(startup));
    startup.cb = sizeof(startup);
    startup.dwFlags = STARTF_USESTDHANDLES;
    startup.hStdInput = child_input;
    startup.hStdOutput = child_output;
    startup.hStdError = GetStdHandle(STD_ERROR_HANDLE);
    MUST(start_process(command, 0, &startup, &started));
    CloseHandle(started.hThread);
    CloseHandle(child_input);
    CloseHandle(child_output);
    process->handle = started.hProcess;
    return process;
}

static bool read_byte(prfdata_test_process *process, char *byte)
{
    DWORD got;

    return ReadFile(process->output, byte, 1, &got, NULL) && got == 1;
}

static void write_bytes(prfdata_test_process *process, const char *bytes, size_t size)
{
    DWORD written;

    MUST(WriteFile(process->input, bytes, (DWORD)size, &written, NULL) && written == size);
}

int prfdata_test_process_wait(prfdata_test_process *process)
{
    DWORD code;

    CloseHandle(process->input);
    MUST(WaitForSingleObject(process->handle, INFINITE) == WAIT_OBJECT_0);
    MUST(GetExitCodeProcess(process->handle, &code));
    CloseHandle(process->output);
    CloseHandle(process->handle);
    free(process);
    return code >= 0xC0000000u ? -1 : (int)code; /* the exit code of an unhandled exception */
}

void prfdata_test_process_kill(prfdata_test_process *process)
{
    MUST(TerminateProcess(process->handle, 9));
    (void)prfdata_test_process_wait(process);
}

static LONG WINAPI end_silently(EXCEPTION_POINTERS *fault)
{
    TerminateProcess(GetCurrentProcess(), fault->ExceptionRecord->ExceptionCode);
    return EXCEPTION_CONTINUE_SEARCH;
}

void prfdata_test_process_hide_crash(void)
{
    SetUnhandledExceptionFilter(end_silently);
}

#else

struct prfdata_test_process {
    pid_t id;
    int input;
    int output;
};

static void run_child(char **arguments, int input, int output)
{
    static const struct rlimit no_core = {0, 0};
    char program[4096];
    const ssize_t chars = readlink("/proc/self/exe", program, sizeof program - 1);

    if (chars < 0)
        _exit(127);
    /* execv() gets this path and not "/proc/self/exe", for which valgrind would start itself. */
    program[chars] = 0;

    setrlimit(RLIMIT_CORE, &no_core); /* some children crash on purpose */
    dup2(input, STDIN_FILENO);
    dup2(output, STDOUT_FILENO);
    execv(program, arguments);
    _exit(127);
}

prfdata_test_process *prfdata_test_process_start(const char *const *arguments)
{
    prfdata_test_process *process = calloc(1, sizeof(*process));
    char texts[2048], *list[32] = {texts};
    size_t used = 0, count = 0;
    int input[2], output[2];

    MUST(process != NULL);
    for (const char *argument = "test"; argument; argument = *arguments++) {
        size_t bytes = strlen(argument) + 1;

        MUST(used + bytes <= sizeof(texts) && count < 31);
        list[count++] = memcpy(texts + used, argument, bytes);
        used += bytes;
    }
    MUST(pipe2(input, O_CLOEXEC) == 0 && pipe2(output, O_CLOEXEC) == 0);
    fflush(NULL);
    process->id = fork();
    MUST(process->id >= 0);
    if (process->id == 0)
        run_child(list, input[0], output[1]);
    close(input[0]);
    close(output[1]);
    process->input = input[1];
    process->output = output[0];
    return process;
}

static bool read_byte(prfdata_test_process *process, char *byte)
{
    ssize_t got;

    do
        got = read(process->output, byte, 1);
    while (got < 0 && errno == EINTR);
    return got == 1;
}

static void write_bytes(prfdata_test_process *process, const char *bytes, size_t size)
{
    MUST(write(process->input, bytes, size) == (ssize_t)size);
}

int prfdata_test_process_wait(prfdata_test_process *process)
{
    int code;
    pid_t ended;

    close(process->input);
    do
        ended = waitpid(process->id, &code, 0);
    while (ended < 0 && errno == EINTR);
    MUST(ended == process->id);
    close(process->output);
    free(process);
    return WIFEXITED(code) ? WEXITSTATUS(code) : -1;
}

void prfdata_test_process_kill(prfdata_test_process *process)
{
    MUST(kill(process->id, SIGKILL) == 0);
    (void)prfdata_test_process_wait(process);
}

void prfdata_test_process_hide_crash(void)
{
    int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);

    dup2(nowhere, STDERR_FILENO);
    close(nowhere);
}

#endif

bool prfdata_test_process_read_line(prfdata_test_process *process, char *line, size_t line_bytes)
{
    size_t used = 0;
    char byte;

    while (read_byte(process, &byte)) {
        if (byte == '\n') {
            line[used] = 0;
            return true;
        }
        MUST(used + 1 < line_bytes);
        if (byte != '\r')
            line[used++] = byte;
    }
    return false;
}

void prfdata_test_process_expect(prfdata_test_process *process, const char *line)
{
    char heard[256] = "";

    if (prfdata_test_process_read_line(process, heard, sizeof(heard)) && strcmp(heard, line) == 0)
        return;
    fprintf(stderr, "process.c: expected '%s', the child said '%s'\n", line, heard);
    fflush(NULL);
    _Exit(3); /* abort() would call a debugger */
}

void prfdata_test_process_tell(prfdata_test_process *process, const char *line)
{
    write_bytes(process, line, strlen(line));
    write_bytes(process, "\n", 1);
}

void prfdata_test_process_say(const char *line)
{
    puts(line);
    fflush(stdout);
}

bool prfdata_test_process_hear(char *line, size_t line_bytes)
{
    if (!fgets(line, (int)line_bytes, stdin))
        return false;
    line[strcspn(line, "\r\n")] = 0;
    return true;
}
