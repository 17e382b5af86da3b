/* SPDX-License-Identifier: MIT */
/* Runs other processes for the kit in a job, which ends them when the kit ends. The kit never waits
 * for them without a limit. */
#include "kit.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <wchar.h>

enum { COMMAND_CHARS = 4096 };

typedef struct child {
    PROCESS_INFORMATION process;
    HANDLE output; /* reads the file of the child's output, which is deleted at the end */
} child;

typedef struct line_reader {
    ULONGLONG offset;   /* how far the child's output has been read */
    char pending[8192]; /* the part of a line that has no end yet */
    size_t pending_chars;
    kit_line_function *take;
    void *context;
} line_reader;

static HANDLE make_job(void)
{
    JOBOBJECT_EXTENDED_LIMIT_INFORMATION limit;
    HANDLE job = CreateJobObjectW(NULL, NULL);

    memset(&limit, 0, sizeof limit);
    limit.BasicLimitInformation.LimitFlags = JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE;
    if (job)
        SetInformationJobObject(job, JobObjectExtendedLimitInformation, &limit, sizeof limit);
    return job;
}

typedef struct output_file {
    HANDLE write; /* the child inherits it */
    HANDLE read;
} output_file;

/*
 * Makes a file that is deleted when its last handle is closed. The file is opened once for writing
 * and once for reading. With one handle for both, ReadFile would move the position at which the
 * child writes, even if the call names an offset ("ReadFile function"). Output would be lost.
 */
static bool make_output(output_file *file)
{
    const DWORD sharing = FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE;
    SECURITY_ATTRIBUTES inherited = {sizeof inherited, NULL, TRUE};
    wchar_t folder[MAX_PATH], path[MAX_PATH];

    if (!GetTempPathW(MAX_PATH - 20, folder) || !GetTempFileNameW(folder, L"kit", 0, path))
        return false;
    file->write = CreateFileW(path, GENERIC_WRITE, sharing, &inherited, CREATE_ALWAYS,
                              FILE_ATTRIBUTE_TEMPORARY | FILE_FLAG_DELETE_ON_CLOSE, NULL);
    if (file->write == INVALID_HANDLE_VALUE)
        return false;
    file->read = CreateFileW(path, GENERIC_READ, sharing, NULL, OPEN_EXISTING, 0, NULL);
    if (file->read != INVALID_HANDLE_VALUE)
        return true;
    CloseHandle(file->write);
    return false;
}

static bool start_child(kit *k, child *c, const wchar_t *command, va_list arguments)
{
    wchar_t line[COMMAND_CHARS];
    STARTUPINFOW startup;
    output_file file;
    bool is_started;

    memset(c, 0, sizeof *c);
    if (!k->job)
        k->job = make_job();
    if (vswprintf(line, COMMAND_CHARS, command, arguments) < 0)
        return false;
    if (!make_output(&file))
        return false;
    c->output = file.read;
    memset(&startup, 0, sizeof startup);
    startup.cb = sizeof startup;
    startup.dwFlags = STARTF_USESTDHANDLES;
    startup.hStdOutput = startup.hStdError = file.write;
    /* The process is suspended until it is in the job. If the kit is killed before that, the
     * process stays suspended. */
    is_started = CreateProcessW(NULL, line, NULL, NULL, TRUE, CREATE_NO_WINDOW | CREATE_SUSPENDED,
                                NULL, NULL, &startup, &c->process) != 0;
    CloseHandle(file.write); /* the child has its own handle */
    if (!is_started) {
        CloseHandle(c->output);
        return false;
    }
    AssignProcessToJobObject(k->job, c->process.hProcess);
    ResumeThread(c->process.hThread);
    CloseHandle(c->process.hThread);
    return true;
}

/* Reads everything that the child has written, from the beginning. */
static void read_output(const child *c, char *output, size_t capacity)
{
    OVERLAPPED start;
    DWORD bytes = 0;

    memset(&start, 0, sizeof start);
    if (!ReadFile(c->output, output, (DWORD)capacity - 1, &bytes, &start))
        bytes = 0;
    output[bytes] = 0;
}

static void take_bytes(line_reader *r, const char *bytes, DWORD count)
{
    for (DWORD i = 0; i < count; i++) {
        if (bytes[i] != '\n' && r->pending_chars + 1 < sizeof r->pending) {
            r->pending[r->pending_chars++] = bytes[i];
            continue;
        }
        r->pending[r->pending_chars] = 0;
        if (r->pending_chars > 0 && r->pending[r->pending_chars - 1] == '\r')
            r->pending[r->pending_chars - 1] = 0;
        r->take(r->context, r->pending);
        r->pending_chars = 0;
    }
}

static bool take_new_lines(const child *c, line_reader *r)
{
    bool has_new = false;
    char bytes[4096];
    OVERLAPPED at;
    DWORD count;

    for (;;) {
        memset(&at, 0, sizeof at);
        at.Offset = (DWORD)r->offset;
        at.OffsetHigh = (DWORD)(r->offset >> 32);
        if (!ReadFile(c->output, bytes, sizeof bytes, &count, &at) || count == 0)
            return has_new;
        has_new = true;
        r->offset += count;
        take_bytes(r, bytes, count);
    }
}

int kit_follow(kit *k, DWORD silence, kit_line_function *take, void *context,
               const wchar_t *command, ...)
{
    ULONGLONG heard = GetTickCount64();
    line_reader r = {.take = take, .context = context};
    int result = KIT_RUN_LATE;
    DWORD exit_code = 0;
    va_list arguments;
    bool is_started;
    child c;

    va_start(arguments, command);
    is_started = start_child(k, &c, command, arguments);
    va_end(arguments);
    if (!is_started)
        return KIT_RUN_NONE;
    while (result == KIT_RUN_LATE && GetTickCount64() - heard < silence * 1000ULL) {
        bool has_ended = WaitForSingleObject(c.process.hProcess, 50) == WAIT_OBJECT_0;

        if (take_new_lines(&c, &r))
            heard = GetTickCount64();
        if (has_ended)
            result =
                GetExitCodeProcess(c.process.hProcess, &exit_code) ? (int)exit_code : KIT_RUN_NONE;
        else if (k->is_stopped && !k->is_undoing)
            result = KIT_RUN_STOPPED;
    }
    if (result == KIT_RUN_LATE || result == KIT_RUN_STOPPED)
        kit_kill(c.process.hProcess);
    else
        CloseHandle(c.process.hProcess);
    CloseHandle(c.output);
    return result;
}

int kit_run(kit *k, DWORD seconds, char *output, size_t capacity, const wchar_t *command, ...)
{
    DWORD exit_code = 0;
    va_list arguments;
    bool is_started;
    int result = -1;
    child c;

    output[0] = 0;
    va_start(arguments, command);
    is_started = start_child(k, &c, command, arguments);
    va_end(arguments);
    if (!is_started)
        return -1;
    if (WaitForSingleObject(c.process.hProcess, seconds * 1000) != WAIT_OBJECT_0)
        kit_kill(c.process.hProcess);
    else if (GetExitCodeProcess(c.process.hProcess, &exit_code))
        result = (int)exit_code;
    read_output(&c, output, capacity);
    CloseHandle(c.output);
    if (result != -1)
        CloseHandle(c.process.hProcess);
    return result;
}

HANDLE kit_start(kit *k, char *line, size_t capacity, const wchar_t *command, ...)
{
    enum { TRIES = 1500 }; /* 30 seconds */
    va_list arguments;
    bool is_started;
    child c;

    line[0] = 0;
    va_start(arguments, command);
    is_started = start_child(k, &c, command, arguments);
    va_end(arguments);
    if (!is_started)
        return NULL;
    for (int i = 0; i < TRIES && !strchr(line, '\n'); i++) {
        bool has_ended = WaitForSingleObject(c.process.hProcess, 20) == WAIT_OBJECT_0;

        read_output(&c, line, capacity);
        if (has_ended)
            break;
    }
    CloseHandle(c.output);
    if (strchr(line, '\n'))
        return c.process.hProcess;
    kit_kill(c.process.hProcess);
    return NULL;
}

void kit_kill(HANDLE process)
{
    if (!process)
        return;
    TerminateProcess(process, 99);
    WaitForSingleObject(process, 30000);
    CloseHandle(process);
}

static bool is_tool(const wchar_t *folder, const wchar_t *tail, const wchar_t *name,
                    wchar_t path[MAX_PATH])
{
    if (wcslen(folder) + wcslen(tail) + wcslen(name) + 2 > MAX_PATH)
        return false;
    swprintf(path, MAX_PATH, L"%ls%ls\\%ls", folder, tail, name);
    return GetFileAttributesW(path) != INVALID_FILE_ATTRIBUTES;
}

bool kit_find_tool(const wchar_t *name, wchar_t path[MAX_PATH])
{
    wchar_t folder[MAX_PATH];

    if (GetSystemDirectoryW(folder, MAX_PATH) && is_tool(folder, L"", name, path))
        return true;
    /* Some programs exist only with 64 bits. A 32-bit kit finds these in the folder Sysnative. */
    return GetSystemWindowsDirectoryW(folder, MAX_PATH) &&
           is_tool(folder, L"\\Sysnative", name, path);
}

bool kit_read(kit *k, kit_reading *reading, const wchar_t *options)
{
    char output[512];

    memset(reading, 0, sizeof *reading);
    if (kit_run(k, 60, output, sizeof output, L"\"%ls\" -Read %ls", k->program, options) != 0)
        return false;
    return sscanf(output, "%lu %lu %d %ld %ld %llu %lu %lu %lu", &reading->status, &reading->bytes,
                  &reading->has_object, &reading->instances, &reading->counters, &reading->value,
                  &reading->elapsed, &reading->process, &reading->thread) == 9;
}
