/* SPDX-License-Identifier: MIT */
/* Starts the process that asks providers (child_process.c), sends it questions and receives its
 * answers. */
#include "source/child.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#include "os/stop.h"
#include "source/absent_object.h"
#include "source/child_answer.h"
#include "source/child_pipe.h"
#include "source/system_titles.h"
#include "system/os.h"

#define MOST_COMPUTER_CHARS 256
#define CONNECT_MS          30000u /* least time for another computer's first answer */

typedef struct child_source {
    prfdata_source source;
    uint16_t computer_chars[MOST_COMPUTER_CHARS];
    prfdata_text computer; /* empty: this computer */
    CRITICAL_SECTION lock; /* protects `process` and `is_over`, which another thread also uses */
    HANDLE process;        /* NULL: not running */
    bool is_over;          /* the source was interrupted */
    HANDLE over;           /* event that is set together with `is_over` */
    HANDLE job; /* job that ends the child together with this process; NULL: there is none */
    const wchar_t *program; /* path of the program to start; NULL: this program */
    HANDLE to;
    HANDLE from;
    HANDLE has_read;      /* event: a read from the pipe has completed */
    uint64_t asked_ms;    /* time at which the current question was sent */
    uint64_t end_ms;      /* deadline of the current answer */
    uint32_t limit_ms[2]; /* [0]: for the first answer of a process, [1]: for later answers */
    bool has_answered;
    wchar_t fault[MAX_PATH]; /* path of the module in which a process faulted; empty: not known */
    uint64_t stamp;          /* stamp of the other computer's titles */
} child_source;

static void close_handle(HANDLE *handle)
{
    if (*handle && *handle != INVALID_HANDLE_VALUE)
        CloseHandle(*handle);
    *handle = NULL;
}

static void end_child(child_source *self)
{
    close_handle(&self->to);
    close_handle(&self->from);
    EnterCriticalSection(&self->lock);
    if (self->process)
        TerminateProcess(self->process, 1);
    close_handle(&self->process);
    LeaveCriticalSection(&self->lock);
    self->has_answered = false;
}

void prfdata_child_set_limit(prfdata_source *source, uint32_t limit_ms, uint32_t new_ms)
{
    child_source *self = (child_source *)source;

    self->limit_ms[0] = new_ms;
    self->limit_ms[1] = limit_ms;
}

void prfdata_child_fault(const prfdata_source *source, wchar_t path[MAX_PATH])
{
    wcscpy(path, ((const child_source *)source)->fault);
}

uint32_t prfdata_child_given_ms(const prfdata_source *source)
{
    const child_source *self = (const child_source *)source;

    return self->end_ms > self->asked_ms ? (uint32_t)(self->end_ms - self->asked_ms) : 0;
}

bool prfdata_child_is_new(const prfdata_source *source)
{
    return !((const child_source *)source)->has_answered;
}

void prfdata_child_rest(prfdata_source *source)
{
    end_child((child_source *)source);
}

void prfdata_child_interrupt(prfdata_source *source)
{
    child_source *self = (child_source *)source;

    EnterCriticalSection(&self->lock);
    self->is_over = true;
    SetEvent(self->over);
    if (self->process)
        TerminateProcess(self->process, 1);
    LeaveCriticalSection(&self->lock);
}

static bool is_interrupted(child_source *self)
{
    bool is_over;

    EnterCriticalSection(&self->lock);
    is_over = self->is_over;
    LeaveCriticalSection(&self->lock);
    return is_over;
}

/* The pipe ends that the child inherits. */
typedef struct child_ends {
    HANDLE questions;
    HANDLE answers;
} child_ends;

/*
 * Create the pipe of the answers. The pipe has a name, because only named pipes can be read with a
 * time limit. By default, only this account, administrators and the system may write to the pipe.
 */
static bool make_answers(child_source *self, child_ends *ends)
{
    static volatile LONG number;
    SECURITY_ATTRIBUTES inherit = {sizeof inherit, NULL, TRUE};
    wchar_t name[80];

    swprintf(name, sizeof name / sizeof name[0], L"\\\\.\\pipe\\prfdata-%lx-%lx-%llx",
             GetCurrentProcessId(), (unsigned long)InterlockedIncrement(&number),
             (unsigned long long)prfdata_os_ticks());
    self->from = CreateNamedPipeW(
        name, PIPE_ACCESS_INBOUND | FILE_FLAG_OVERLAPPED | FILE_FLAG_FIRST_PIPE_INSTANCE,
        PIPE_TYPE_BYTE | PIPE_REJECT_REMOTE_CLIENTS, 1, 0, PRFDATA_CHILD_PIPE_BYTES, 0, NULL);
    if (self->from == INVALID_HANDLE_VALUE)
        return false;
    ends->answers = CreateFileW(name, GENERIC_WRITE, 0, &inherit, OPEN_EXISTING, 0, NULL);
    return ends->answers != INVALID_HANDLE_VALUE;
}

static bool make_pipes(child_source *self, child_ends *ends)
{
    SECURITY_ATTRIBUTES inherit = {sizeof inherit, NULL, TRUE};

    return CreatePipe(&ends->questions, &self->to, &inherit, PRFDATA_CHILD_PIPE_BYTES) &&
           SetHandleInformation(self->to, HANDLE_FLAG_INHERIT, 0) && make_answers(self, ends);
}

/* Store the process handle. If the source was interrupted in the meantime, end the process. */
static uint32_t keep_process(child_source *self, HANDLE process)
{
    uint32_t status = ERROR_SUCCESS;

    if (self->job)
        /* This may fail, because the job of this process may forbid its children another job. */
        (void)AssignProcessToJobObject(self->job, process);
    EnterCriticalSection(&self->lock);
    self->process = process;
    if (self->is_over) {
        TerminateProcess(process, 1);
        status = ERROR_CANCELLED;
    }
    LeaveCriticalSection(&self->lock);
    return status;
}

/*
 * Start the child, which inherits these two handles and no others. Output that a provider prints is
 * discarded, so it cannot get among the answers.
 */
static uint32_t create_child(child_source *self, const child_ends *ends, wchar_t *command)
{
    HANDLE handles[] = {ends->questions, ends->answers};
    STARTUPINFOEXW start = {
        .StartupInfo = {.cb = sizeof start,
                        .dwFlags = STARTF_USESTDHANDLES | STARTF_FORCEOFFFEEDBACK}};
    PROCESS_INFORMATION process = {0};
    SIZE_T size = 0;
    uint32_t status = ERROR_SUCCESS;

    (void)InitializeProcThreadAttributeList(NULL, 1, 0, &size);
    start.lpAttributeList = malloc(size);
    if (!start.lpAttributeList)
        return ERROR_NOT_ENOUGH_MEMORY;
    if (!InitializeProcThreadAttributeList(start.lpAttributeList, 1, 0, &size)) {
        status = GetLastError();
        free(start.lpAttributeList);
        return status;
    }
    if (!UpdateProcThreadAttribute(start.lpAttributeList, 0, PROC_THREAD_ATTRIBUTE_HANDLE_LIST,
                                   handles, sizeof handles, NULL, NULL) ||
        !CreateProcessW(NULL, command, NULL, NULL, TRUE,
                        CREATE_NO_WINDOW | EXTENDED_STARTUPINFO_PRESENT, NULL, NULL,
                        &start.StartupInfo, &process))
        status = GetLastError();
    DeleteProcThreadAttributeList(start.lpAttributeList);
    free(start.lpAttributeList);
    if (status != ERROR_SUCCESS)
        return status;
    CloseHandle(process.hThread);
    return keep_process(self, process.hProcess);
}

static uint32_t start_child(child_source *self)
{
    wchar_t path[MAX_PATH];
    wchar_t computer[MOST_COMPUTER_CHARS + 1] = L"";
    wchar_t command[MAX_PATH + MOST_COMPUTER_CHARS + 80];
    child_ends ends = {0};
    uint32_t status = ERROR_SUCCESS;

    if (self->program)
        (void)swprintf(path, MAX_PATH, L"%ls", self->program);
    else
        status = prfdata_child_program_path(path);
    if (status != ERROR_SUCCESS)
        return status;
    if (make_pipes(self, &ends)) {
        if (self->computer.count > 0)
            memcpy(computer, self->computer.chars, self->computer.count * sizeof *computer);
        swprintf(command, sizeof command / sizeof command[0],
                 self->computer.count > 0 ? L"\"%ls\" -provider-process %lu %lu -s \"%ls\""
                                          : L"\"%ls\" -provider-process %lu %lu%ls",
                 path, (unsigned long)(uintptr_t)ends.questions,
                 (unsigned long)(uintptr_t)ends.answers, computer);
        status = create_child(self, &ends, command);
    } else {
        status = GetLastError();
    }
    close_handle(&ends.questions);
    close_handle(&ends.answers);
    if (status != ERROR_SUCCESS)
        end_child(self);
    return status;
}

static bool ask_child(child_source *self, const uint16_t *query, size_t count)
{
    const uint32_t chars = (uint32_t)count;

    return prfdata_child_pipe_write(self->to, &chars, sizeof chars) &&
           prfdata_child_pipe_write(self->to, query, count * sizeof *query);
}

/* Wait until the read completes or the child ends. Stop waiting if the time limit passes, the
 * source is interrupted, or the program must stop. */
static uint32_t wait_for_read(child_source *self, OVERLAPPED *reading, uint64_t end_ms, DWORD *done)
{
    const HANDLE waits[] = {self->has_read, self->over, self->process,
                            (HANDLE)prfdata_stop_handle()};
    const DWORD count = waits[3] ? 4 : 3;
    const uint64_t now_ms = prfdata_os_milliseconds();
    const DWORD result =
        WaitForMultipleObjects(count, waits, FALSE, now_ms < end_ms ? (DWORD)(end_ms - now_ms) : 0);

    if (result != WAIT_OBJECT_0)
        (void)CancelIo(self->from);
    if (GetOverlappedResult(self->from, reading, done, TRUE) && *done > 0)
        return ERROR_SUCCESS;
    if (result == WAIT_OBJECT_0 + 3)
        return ERROR_CANCELLED;
    return result == WAIT_TIMEOUT ? ERROR_TIMEOUT : ERROR_BROKEN_PIPE;
}

static uint32_t read_answer(child_source *self, void *bytes, size_t size, uint64_t end_ms)
{
    char *at = bytes;

    while (size > 0) {
        OVERLAPPED reading = {.hEvent = self->has_read};
        DWORD done = 0;
        uint32_t status = ERROR_SUCCESS;

        if (!ReadFile(self->from, at, prfdata_child_pipe_part(size), NULL, &reading) &&
            GetLastError() != ERROR_IO_PENDING)
            return ERROR_BROKEN_PIPE;
        status = wait_for_read(self, &reading, end_ms, &done);
        if (status != ERROR_SUCCESS)
            return status;
        at += done;
        size -= done;
    }
    return ERROR_SUCCESS;
}

static uint32_t answer_limit_ms(const child_source *self)
{
    const uint32_t limit_ms = self->limit_ms[self->has_answered];

    return self->computer.count > 0 && !self->has_answered && limit_ms < CONNECT_MS ? CONNECT_MS
                                                                                    : limit_ms;
}

/* Receive the child's last message: the module in which it faulted. */
static uint32_t receive_fault(child_source *self, uint32_t size, uint64_t end_ms)
{
    if (read_answer(self, self->fault, size, end_ms) == ERROR_SUCCESS)
        self->fault[size / sizeof(wchar_t)] = 0;
    else
        self->fault[0] = 0;
    return ERROR_BROKEN_PIPE;
}

static uint32_t receive_bytes(child_source *self, size_t wanted, void **bytes, size_t *size)
{
    void *made = malloc(wanted > 0 ? wanted : 1);
    uint32_t status;

    if (!made)
        return ERROR_NOT_ENOUGH_MEMORY;
    status = read_answer(self, made, wanted, self->end_ms);
    if (status != ERROR_SUCCESS) {
        free(made);
        return status;
    }
    *bytes = made;
    *size = wanted;
    return ERROR_SUCCESS;
}

/* *answer gets the provider's status; the return value tells whether the transfer worked. */
static uint32_t receive_answer(child_source *self, uint32_t *answer, void **bytes, size_t *size)
{
    prfdata_child_answer_header header;
    const uint32_t status = read_answer(self, &header, sizeof header, self->end_ms);
    prfdata_child_answer_kind kind;

    if (status != ERROR_SUCCESS)
        return status;
    kind = prfdata_child_answer_judge(&header);
    if (kind == PRFDATA_CHILD_ANSWER_HAS_PATH)
        return receive_fault(self, header.size, self->end_ms);
    if (kind == PRFDATA_CHILD_ANSWER_HAS_FAULT)
        return ERROR_BROKEN_PIPE;
    self->has_answered = header.status == ERROR_SUCCESS || self->computer.count == 0;
    *answer = header.status;
    if (kind == PRFDATA_CHILD_ANSWER_HAS_STATUS)
        return ERROR_SUCCESS;
    return kind == PRFDATA_CHILD_ANSWER_HAS_BYTES ? receive_bytes(self, header.size, bytes, size)
                                                  : ERROR_BROKEN_PIPE;
}

static uint32_t give_up_child(child_source *self, uint32_t status)
{
    end_child(self);
    return is_interrupted(self) ? ERROR_CANCELLED : status;
}

uint32_t prfdata_child_begin(prfdata_source *source, const uint16_t *query)
{
    child_source *self = (child_source *)source;
    const size_t count = prfdata_text_from_chars(query).count;
    uint32_t status;

    if (count > PRFDATA_CHILD_PIPE_QUERY_CHARS)
        return ERROR_INVALID_PARAMETER;
    if (is_interrupted(self))
        return ERROR_CANCELLED;
    self->fault[0] = 0;
    status = self->process ? ERROR_SUCCESS : start_child(self);
    if (status != ERROR_SUCCESS)
        return status;
    self->asked_ms = prfdata_os_milliseconds();
    self->end_ms = self->asked_ms + answer_limit_ms(self);
    if (source->deadline_ms > 0 && self->end_ms > source->deadline_ms)
        self->end_ms = source->deadline_ms;
    return ask_child(self, query, count) ? ERROR_SUCCESS : give_up_child(self, ERROR_BROKEN_PIPE);
}

bool prfdata_child_is_answered(const prfdata_source *source)
{
    const child_source *self = (const child_source *)source;
    DWORD available = 0;

    return !PeekNamedPipe(self->from, NULL, 0, NULL, &available, NULL) || available > 0 ||
           WaitForSingleObject(self->process, 0) == WAIT_OBJECT_0 ||
           prfdata_os_milliseconds() >= self->end_ms;
}

uint32_t prfdata_child_end(prfdata_source *source, void **bytes, size_t *size)
{
    child_source *self = (child_source *)source;
    uint32_t answer = ERROR_SUCCESS;
    const uint32_t status = receive_answer(self, &answer, bytes, size);

    return status == ERROR_SUCCESS ? answer : give_up_child(self, status);
}

static uint32_t take_child_sample(prfdata_source *source, const uint16_t *query, void **bytes,
                                  size_t *size)
{
    const uint32_t status = prfdata_child_begin(source, query);

    return status == ERROR_SUCCESS ? prfdata_child_end(source, bytes, size) : status;
}

/* ---- Asking the child about another computer ---- */

static uint32_t ask_names(prfdata_source *source, const char *ascii, prfdata_name_table *names)
{
    uint16_t query[12] = {0};
    void *bytes = NULL;
    size_t size = 0;
    uint32_t status;

    for (size_t i = 0; ascii[i]; i++)
        query[i] = (uint16_t)(unsigned char)ascii[i];
    status = take_child_sample(source, query, &bytes, &size);
    if (status == ERROR_SUCCESS)
        status = prfdata_name_table_add_list(names, bytes, size / sizeof(uint16_t));
    free(bytes);
    return status;
}

static uint32_t load_remote_titles(prfdata_source *source, prfdata_titles *titles)
{
    return ask_names(source, PRFDATA_CHILD_PIPE_TITLES, &titles->english);
}

static uint32_t load_remote_helps(prfdata_source *source, prfdata_titles *titles)
{
    return ask_names(source, PRFDATA_CHILD_PIPE_HELPS, &titles->helps);
}

static uint32_t load_remote_objects(prfdata_source *source, prfdata_name_table *objects)
{
    return ask_names(source, PRFDATA_CHILD_PIPE_OBJECTS, objects);
}

/* While the computer does not answer, the last known stamp stays. */
static uint32_t ask_stamp(child_source *self)
{
    static const uint16_t query[] = {'?', 's', 't', 'a', 'm', 'p', 0};
    void *bytes = NULL;
    size_t size = 0;
    const uint32_t status = take_child_sample(&self->source, query, &bytes, &size);

    if (status == ERROR_SUCCESS && size == sizeof self->stamp)
        memcpy(&self->stamp, bytes, size);
    free(bytes);
    return status;
}

static uint64_t stamp_remote_titles(prfdata_source *source)
{
    child_source *self = (child_source *)source;

    (void)ask_stamp(self);
    return self->stamp;
}

static size_t name_remote_computer(prfdata_source *source, uint16_t *chars, size_t capacity)
{
    const prfdata_text name = ((child_source *)source)->computer;
    const size_t count = name.count < capacity ? name.count : capacity;

    memcpy(chars, name.chars, count * sizeof *chars);
    return count;
}

uint32_t prfdata_child_connect(prfdata_source *source)
{
    child_source *self = (child_source *)source;

    return self->computer.count == 0 ? ERROR_SUCCESS : ask_stamp(self);
}

/* ---- Opening and closing ---- */

static void close_child(prfdata_source *source)
{
    child_source *self = (child_source *)source;

    end_child(self);
    close_handle(&self->job);
    close_handle(&self->over);
    close_handle(&self->has_read);
    DeleteCriticalSection(&self->lock);
    free(self);
}

uint32_t prfdata_child_program_path(wchar_t path[MAX_PATH])
{
    const DWORD chars = GetModuleFileNameW(NULL, path, MAX_PATH);

    if (chars == 0)
        return GetLastError();
    return chars < MAX_PATH ? ERROR_SUCCESS
                            /* A path that fills the buffer was truncated. */
                            : ERROR_FILENAME_EXCED_RANGE;
}

/* Create the job that ends the child with this process. Processes that a provider starts are not in
 * the job, so they run as they would without a reader. */
static HANDLE make_child_job(void)
{
    JOBOBJECT_EXTENDED_LIMIT_INFORMATION limits = {0};
    HANDLE job = CreateJobObjectW(NULL, NULL);

    limits.BasicLimitInformation.LimitFlags =
        JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE | JOB_OBJECT_LIMIT_SILENT_BREAKAWAY_OK;
    if (job &&
        !SetInformationJobObject(job, JobObjectExtendedLimitInformation, &limits, sizeof limits))
        close_handle(&job);
    return job;
}

uint32_t prfdata_child_start(prfdata_source *source)
{
    child_source *self = (child_source *)source;

    return self->process ? ERROR_SUCCESS : start_child(self);
}

void prfdata_child_set_program(prfdata_source *source, const wchar_t *path)
{
    ((child_source *)source)->program = path;
}

uint32_t prfdata_child_open_source(prfdata_text computer, prfdata_source **source)
{
    static const prfdata_source_kind here = {.take = take_child_sample,
                                             .load_titles = prfdata_source_load_system_titles,
                                             .load_helps = prfdata_source_load_system_helps,
                                             .titles_stamp = prfdata_source_system_titles_stamp,
                                             .load_objects = prfdata_source_load_system_objects,
                                             .load_ids = prfdata_source_load_system_ids,
                                             .explain_absence =
                                                 prfdata_source_explain_system_absence,
                                             .close = close_child};
    static const prfdata_source_kind there = {.take = take_child_sample,
                                              .load_titles = load_remote_titles,
                                              .load_helps = load_remote_helps,
                                              .titles_stamp = stamp_remote_titles,
                                              .load_objects = load_remote_objects,
                                              .computer = name_remote_computer,
                                              .close = close_child};
    child_source *made = calloc(1, sizeof *made);

    if (!made)
        return ERROR_NOT_ENOUGH_MEMORY;
    made->source.kind = computer.count > 0 ? &there : &here;
    InitializeCriticalSection(&made->lock);
    made->job = make_child_job();
    made->over = CreateEventW(NULL, TRUE, FALSE, NULL);
    made->has_read = CreateEventW(NULL, TRUE, FALSE, NULL);
    if (!made->over || !made->has_read || computer.count > MOST_COMPUTER_CHARS) {
        close_child(&made->source);
        return computer.count > MOST_COMPUTER_CHARS ? ERROR_BAD_NETPATH : ERROR_NOT_ENOUGH_MEMORY;
    }
    made->computer = (prfdata_text){made->computer_chars, computer.count};
    if (computer.count > 0)
        memcpy(made->computer_chars, computer.chars, computer.count * sizeof *computer.chars);
    *source = &made->source;
    return ERROR_SUCCESS;
}
