/* SPDX-License-Identifier: MIT */
/* Both ends of the pipes to the process that asks providers. Knows Windows. */
#include "prfview/child.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#include <windows.h>

#include "source/absent_object.h"
#include "source/system_titles.h"

#define MOST_QUERY_CHARS 65536u

/* ---- Pipes ---- */

static bool write_pipe(HANDLE pipe, const void *bytes, size_t size)
{
    const char *at = bytes;

    while (size > 0) {
        const DWORD part = size < 1u << 20 ? (DWORD)size : 1u << 20;
        DWORD written = 0;

        if (!WriteFile(pipe, at, part, &written, NULL) || written == 0)
            return false;
        at += written;
        size -= written;
    }
    return true;
}

static bool read_pipe(HANDLE pipe, void *bytes, size_t size)
{
    char *at = bytes;

    while (size > 0) {
        const DWORD part = size < 1u << 20 ? (DWORD)size : 1u << 20;
        DWORD done = 0;

        if (!ReadFile(pipe, at, part, &done, NULL) || done == 0)
            return false;
        at += done;
        size -= done;
    }
    return true;
}

/* ---- In the other process ---- */

typedef struct answer_header {
    uint32_t status;
    uint32_t size;
} answer_header;

/* Answer one question. Returns false when there are no more. */
static bool answer_question(prfdata_source *system, HANDLE event)
{
    HANDLE in = GetStdHandle(STD_INPUT_HANDLE);
    HANDLE out = GetStdHandle(STD_OUTPUT_HANDLE);
    answer_header header = {0};
    uint32_t count = 0;
    uint16_t *query;
    void *bytes = NULL;
    size_t size = 0;
    bool is_done;

    if (!read_pipe(in, &count, sizeof count) || count > MOST_QUERY_CHARS)
        return false;
    query = calloc((size_t)count + 1, sizeof *query);
    if (!query || !read_pipe(in, query, count * sizeof *query)) {
        free(query);
        return false;
    }
    header.status = prfdata_source_take(system, query, &bytes, &size);
    header.size = header.status == ERROR_SUCCESS ? (uint32_t)size : 0;
    SetEvent(event);
    is_done = write_pipe(out, &header, sizeof header) && write_pipe(out, bytes, header.size);
    free(bytes);
    free(query);
    return is_done;
}

int prfdata_child_run(uint32_t event)
{
    prfdata_source *system = NULL;

    /* Nobody sees a box of this process, and the window waits. */
    SetErrorMode(SEM_FAILCRITICALERRORS | SEM_NOGPFAULTERRORBOX);
    if (prfdata_source_open_system(NULL, &system) != ERROR_SUCCESS)
        return 1;
    while (answer_question(system, (HANDLE)(uintptr_t)event))
        ;
    prfdata_source_close(system);
    return 0;
}

/* ---- In the window's process ---- */

typedef struct child_source {
    prfdata_source source;
    CRITICAL_SECTION lock; /* of `process`, which another thread ends */
    HANDLE process;        /* NULL: none runs */
    HANDLE to;
    HANDLE from;
    HANDLE event;
} child_source;

static void close_handle(HANDLE *handle)
{
    if (*handle)
        CloseHandle(*handle);
    *handle = NULL;
}

static void end_child(child_source *self)
{
    close_handle(&self->to);
    close_handle(&self->from);
    close_handle(&self->event);
    EnterCriticalSection(&self->lock);
    if (self->process)
        TerminateProcess(self->process, 1);
    close_handle(&self->process);
    LeaveCriticalSection(&self->lock);
}

void prfdata_child_interrupt(prfdata_source *source)
{
    child_source *self = (child_source *)source;

    EnterCriticalSection(&self->lock);
    if (self->process)
        TerminateProcess(self->process, 1);
    LeaveCriticalSection(&self->lock);
}

/* The ends that the other process inherits. */
typedef struct child_ends {
    HANDLE in;
    HANDLE out;
    HANDLE event;
} child_ends;

static bool make_pipes(child_source *self, child_ends *ends)
{
    SECURITY_ATTRIBUTES inherit = {sizeof inherit, NULL, TRUE};

    self->event = CreateEventW(&inherit, FALSE, FALSE, NULL);
    ends->event = self->event;
    return self->event && CreatePipe(&ends->in, &self->to, &inherit, 0) &&
           CreatePipe(&self->from, &ends->out, &inherit, 1u << 16) &&
           SetHandleInformation(self->to, HANDLE_FLAG_INHERIT, 0) &&
           SetHandleInformation(self->from, HANDLE_FLAG_INHERIT, 0);
}

/* CreateProcess with these three handles inherited and no other. */
static bool create_child(child_source *self, const child_ends *ends, wchar_t *command)
{
    HANDLE handles[] = {ends->in, ends->out, ends->event};
    STARTUPINFOEXW start = {.StartupInfo = {.cb = sizeof start}};
    PROCESS_INFORMATION process = {0};
    SIZE_T size = 0;
    bool is_made = false;

    start.StartupInfo.dwFlags = STARTF_USESTDHANDLES;
    start.StartupInfo.hStdInput = ends->in;
    start.StartupInfo.hStdOutput = ends->out;
    (void)InitializeProcThreadAttributeList(NULL, 1, 0, &size);
    start.lpAttributeList = malloc(size);
    if (!start.lpAttributeList ||
        !InitializeProcThreadAttributeList(start.lpAttributeList, 1, 0, &size)) {
        free(start.lpAttributeList);
        return false;
    }
    if (UpdateProcThreadAttribute(start.lpAttributeList, 0, PROC_THREAD_ATTRIBUTE_HANDLE_LIST,
                                  handles, sizeof handles, NULL, NULL))
        is_made = CreateProcessW(NULL, command, NULL, NULL, TRUE,
                                 CREATE_NO_WINDOW | EXTENDED_STARTUPINFO_PRESENT, NULL, NULL,
                                 &start.StartupInfo, &process);
    DeleteProcThreadAttributeList(start.lpAttributeList);
    free(start.lpAttributeList);
    if (!is_made)
        return false;
    CloseHandle(process.hThread);
    EnterCriticalSection(&self->lock);
    self->process = process.hProcess;
    LeaveCriticalSection(&self->lock);
    return true;
}

static uint32_t start_child(child_source *self)
{
    wchar_t path[MAX_PATH];
    wchar_t command[MAX_PATH + 40];
    child_ends ends = {0};
    uint32_t status = ERROR_SUCCESS;

    if (GetModuleFileNameW(NULL, path, MAX_PATH) >= MAX_PATH)
        return ERROR_FILENAME_EXCED_RANGE;
    if (!make_pipes(self, &ends))
        status = GetLastError();
    swprintf(command, sizeof command / sizeof command[0], L"\"%ls\" -reader %lu", path,
             (unsigned long)(uintptr_t)ends.event);
    if (status == ERROR_SUCCESS && !create_child(self, &ends, command))
        status = GetLastError();
    close_handle(&ends.in);
    close_handle(&ends.out);
    if (status != ERROR_SUCCESS)
        end_child(self);
    return status;
}

static bool ask_child(child_source *self, const uint16_t *query)
{
    const uint32_t count = (uint32_t)prfdata_text_from_chars(query).count;

    return write_pipe(self->to, &count, sizeof count) &&
           write_pipe(self->to, query, count * sizeof *query);
}

static uint32_t receive_answer(child_source *self, void **bytes, size_t *size)
{
    answer_header header;
    void *made;

    if (!read_pipe(self->from, &header, sizeof header))
        return ERROR_BROKEN_PIPE;
    if (header.status != ERROR_SUCCESS)
        return header.status;
    made = malloc(header.size > 0 ? header.size : 1);
    if (!made || !read_pipe(self->from, made, header.size)) {
        free(made);
        return made ? ERROR_BROKEN_PIPE : ERROR_NOT_ENOUGH_MEMORY;
    }
    *bytes = made;
    *size = header.size;
    return ERROR_SUCCESS;
}

static uint32_t take_child_sample(prfdata_source *source, const uint16_t *query, void **bytes,
                                  size_t *size)
{
    child_source *self = (child_source *)source;
    HANDLE waits[2];
    uint32_t status = self->process ? ERROR_SUCCESS : start_child(self);
    DWORD result;

    if (status != ERROR_SUCCESS)
        return status;
    waits[0] = self->event;
    waits[1] = self->process;
    if (!ask_child(self, query)) {
        end_child(self);
        return ERROR_BROKEN_PIPE;
    }
    result = WaitForMultipleObjects(2, waits, FALSE, PRFDATA_CHILD_LIMIT_MS);
    if (result == WAIT_OBJECT_0)
        status = receive_answer(self, bytes, size);
    else
        status = result == WAIT_TIMEOUT ? ERROR_TIMEOUT : ERROR_BROKEN_PIPE;
    if (status == ERROR_TIMEOUT || status == ERROR_BROKEN_PIPE || status == ERROR_NOT_ENOUGH_MEMORY)
        end_child(self);
    return status;
}

static uint32_t load_child_objects(prfdata_source *source, prfdata_name_table *objects)
{
    (void)source;
    return prfdata_system_titles_load_objects(objects);
}

static bool explain_child_absence(prfdata_source *source, prfdata_text object,
                                  prfdata_output *output)
{
    (void)source;
    return prfdata_absent_object_explain(object, output);
}

static void close_child(prfdata_source *source)
{
    child_source *self = (child_source *)source;

    end_child(self);
    DeleteCriticalSection(&self->lock);
    free(self);
}

uint32_t prfdata_child_open_source(prfdata_messages *messages, prfdata_source **source)
{
    static const prfdata_source_kind kind = {.take = take_child_sample,
                                             .load_titles = prfdata_source_load_system_titles,
                                             .load_helps = prfdata_source_load_system_helps,
                                             .load_objects = load_child_objects,
                                             .explain_absence = explain_child_absence,
                                             .close = close_child};
    child_source *made = calloc(1, sizeof *made);

    if (!made)
        return ERROR_NOT_ENOUGH_MEMORY;
    made->source.kind = &kind;
    made->source.messages = messages;
    InitializeCriticalSection(&made->lock);
    *source = &made->source;
    return ERROR_SUCCESS;
}
