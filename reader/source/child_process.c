/* SPDX-License-Identifier: MIT */
/* Runs in the process that asks providers, and answers questions until their pipe ends. */
#include "source/child.h"

#include <stdio.h>
#include <stdlib.h>

#include "block/saved_block.h"
#include "source/child_answer.h"
#include "source/child_pipe.h"

static bool read_question(HANDLE pipe, void *bytes, size_t size)
{
    char *at = bytes;

    while (size > 0) {
        DWORD done = 0;

        if (!ReadFile(pipe, at, prfdata_child_pipe_part(size), &done, NULL) || done == 0)
            return false;
        at += done;
        size -= done;
    }
    return true;
}

/*
 * The pipe to which a fault is reported. The pipe is global, because the handler gets no argument
 * except the fault.
 */
static HANDLE fault_answers;

/* Get the path of the module whose code faulted, which may be a module that the provider called. */
static DWORD name_fault(const EXCEPTION_POINTERS *fault, wchar_t path[MAX_PATH])
{
    HMODULE module = NULL;

    if (!GetModuleHandleExW(GET_MODULE_HANDLE_EX_FLAG_FROM_ADDRESS |
                                GET_MODULE_HANDLE_EX_FLAG_UNCHANGED_REFCOUNT,
                            (LPCWSTR)fault->ExceptionRecord->ExceptionAddress, &module))
        return 0;
    return GetModuleFileNameW(module, path, MAX_PATH);
}

/* Report the fault and end the process. Without this handler, Wine shows a message box, and Windows
 * starts its error reporting. The reader would wait until the box or the error reporting ends. */
static LONG WINAPI end_at_fault(EXCEPTION_POINTERS *fault)
{
    static wchar_t path[MAX_PATH]; /* static, because the fault may be a stack overflow */
    const prfdata_child_answer_header header = {PRFDATA_CHILD_ANSWER_FAULT,
                                                name_fault(fault, path) * (DWORD)sizeof *path};

    (void)(prfdata_child_pipe_write(fault_answers, &header, sizeof header) &&
           prfdata_child_pipe_write(fault_answers, path, header.size));
    TerminateProcess(GetCurrentProcess(), fault->ExceptionRecord->ExceptionCode);
    return EXCEPTION_EXECUTE_HANDLER;
}

typedef struct child_service {
    HANDLE questions;
    HANDLE answers;
    prfdata_text computer;  /* empty: this computer */
    prfdata_source *system; /* NULL: not opened yet, or the connection failed */
} child_service;

/* Write the names in the form that prfdata_name_table_add_list() reads. */
static void put_names(prfdata_output *output, const prfdata_name_table *table)
{
    for (size_t i = 0; i < table->count; i++) {
        const prfdata_text name = table->items[i].name;
        char ascii[12];
        uint16_t digits[12];
        size_t count = 0;

        (void)snprintf(ascii, sizeof ascii, "%lu", (unsigned long)table->items[i].index);
        do
            digits[count] = (uint16_t)(unsigned char)ascii[count];
        while (ascii[count++]);
        prfdata_output_put(output, digits, count * sizeof *digits);
        prfdata_output_put(output, name.chars, name.count * sizeof *name.chars);
        prfdata_output_put(output, L"", sizeof(wchar_t));
    }
}

/* Write what is known about another computer's counters. */
static uint32_t put_knowledge(prfdata_source *system, prfdata_text query, prfdata_output *output)
{
    prfdata_titles titles = {0};
    uint32_t status = ERROR_SUCCESS;
    bool is_all; /* not used here */
    uint64_t stamp;

    if (prfdata_text_equal_ascii(query, PRFDATA_CHILD_PIPE_STAMP)) {
        stamp = prfdata_source_titles_stamp(system);
        prfdata_output_put(output, &stamp, sizeof stamp);
    } else if (prfdata_text_equal_ascii(query, PRFDATA_CHILD_PIPE_HELPS)) {
        status = prfdata_source_load_helps(system, &titles);
        put_names(output, &titles.helps);
    } else if (prfdata_text_equal_ascii(query, PRFDATA_CHILD_PIPE_OBJECTS)) {
        status = prfdata_source_load_objects(system, &titles.english, &is_all);
        put_names(output, &titles.english);
    } else {
        status = prfdata_source_load_titles(system, &titles);
        put_names(output, &titles.english);
    }
    prfdata_titles_free(&titles);
    return status == ERROR_SUCCESS && output->failed ? ERROR_NOT_ENOUGH_MEMORY : status;
}

static uint32_t open_child_system(child_service *service)
{
    if (service->system)
        return ERROR_SUCCESS;
    if (service->computer.count == 0)
        return prfdata_source_open_system(NULL, &service->system);
    return prfdata_source_open_computer(service->computer, NULL, &service->system);
}

static void close_child_system(child_service *service)
{
    prfdata_source_close(service->system);
    service->system = NULL;
}

/*
 * Find the answer to a query. Either `knowledge` gets facts about the other computer's counters, or
 * *bytes gets a sample, which the caller releases with free(). After a lost connection, the next
 * query connects again.
 */
static uint32_t find_answer(child_service *service, const uint16_t *query,
                            prfdata_output *knowledge, void **bytes, size_t *size)
{
    const prfdata_text text = prfdata_text_from_chars(query);
    uint32_t status = open_child_system(service);

    if (status != ERROR_SUCCESS)
        return status;
    SetUnhandledExceptionFilter(end_at_fault); /* set again, because providers set their own */
    if (text.count > 0 && text.chars[0] == '?')
        status = put_knowledge(service->system, text, knowledge);
    else
        status = prfdata_source_take(service->system, query, bytes, size);
    if (status != ERROR_SUCCESS && service->computer.count > 0)
        close_child_system(service);
    return status == ERROR_SUCCESS && *size > PRFDATA_SAVED_BLOCK_LIMIT ? ERROR_MORE_DATA : status;
}

static bool send_child_answer(const child_service *service, uint32_t status, const void *bytes,
                              size_t size)
{
    const prfdata_child_answer_header header = {status,
                                                status == ERROR_SUCCESS ? (uint32_t)size : 0};

    return prfdata_child_pipe_write(service->answers, &header, sizeof header) &&
           prfdata_child_pipe_write(service->answers, bytes, header.size);
}

/* Returns false after the last question, or if the question cannot be answered. */
static bool answer_question(child_service *service)
{
    prfdata_output knowledge = {0};
    void *bytes = NULL;
    size_t size = 0;
    uint32_t status;
    uint32_t count = 0;
    uint16_t *query;
    bool is_done;

    if (!read_question(service->questions, &count, sizeof count) ||
        count > PRFDATA_CHILD_PIPE_QUERY_CHARS)
        return false;
    query = calloc((size_t)count + 1, sizeof *query);
    if (!query || !read_question(service->questions, query, count * sizeof *query)) {
        free(query);
        return false;
    }
    status = find_answer(service, query, &knowledge, &bytes, &size);
    is_done = bytes ? send_child_answer(service, status, bytes, size)
                    : send_child_answer(service, status, knowledge.bytes, knowledge.used);
    prfdata_output_free(&knowledge);
    free(bytes);
    free(query);
    return is_done;
}

bool prfdata_child_run_arguments(size_t count, const uint16_t *const *arguments, int *exit_code)
{
    uint32_t handles[2];

    if (count != 3 ||
        !prfdata_text_equal_ascii(prfdata_text_from_chars(arguments[0]), "-provider-process"))
        return false;
    for (size_t i = 0; i < 2; i++) {
        if (!prfdata_text_number(prfdata_text_from_chars(arguments[i + 1]), &handles[i]))
            return false;
    }
    *exit_code = prfdata_child_run(handles[0], handles[1], prfdata_no_subject);
    return true;
}

int prfdata_child_run(uint32_t questions, uint32_t answers, prfdata_text computer)
{
    child_service service = {(HANDLE)(uintptr_t)questions, (HANDLE)(uintptr_t)answers, computer,
                             NULL};

    fault_answers = service.answers;
    /* A message box would stop this process until somebody closes it, but nobody would see it. */
    SetErrorMode(SEM_FAILCRITICALERRORS | SEM_NOGPFAULTERRORBOX | SEM_NOOPENFILEERRORBOX);
    /* A program that a provider starts must not inherit the pipes and keep them open. */
    SetHandleInformation(service.questions, HANDLE_FLAG_INHERIT, 0);
    SetHandleInformation(service.answers, HANDLE_FLAG_INHERIT, 0);
    while (answer_question(&service))
        ;
    close_child_system(&service);
    return 0;
}
