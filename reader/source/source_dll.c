/* SPDX-License-Identifier: MIT */
/*
 * Reads a provider DLL in this process, as the system calls providers when a program reads
 * HKEY_PERFORMANCE_DATA. caller.c makes the calls and observes them.
 *
 * Inaccessible memory on both sides of the DLL's buffer reveals accesses outside it. Damage
 * elsewhere in memory is not detected; prfcheck checks more. Windows only.
 */
#include <windows.h>

#include "source/source.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/perf_wire.h"
#include "block/data_block.h"
#include "source/caller.h"
#include "source/retry.h"

typedef struct dll_source {
    prfdata_source source;
    prfdata_text name; /* as the user wrote it; borrowed */
    void (*fault)(const char *text);
    prfdata_registration registration;
    prfdata_caller caller;
    prfdata_caller_thread thread;
    uint32_t capacity; /* capacity of the next buffer, in bytes (retry.h) */
} dll_source;

/* The source whose DLL is called. It is global, because the fault handler's only argument is the
 * fault. */
static dll_source *faulting;

/* ---- Reports ---- */

/* `problem` is static; `status` 0: not a system error. */
static void report_dll_failure(const dll_source *self, uint32_t status, const char *problem)
{
    prfdata_messages_put(self->source.messages,
                         &(prfdata_message){.severity = PRFDATA_SEVERITY_ERROR,
                                            .subject = self->name,
                                            .problem = problem,
                                            .text = problem,
                                            .system_error = status});
}

static void report_dll_error(const dll_source *self, const char *problem)
{
    report_dll_failure(self, 0, problem);
}

/* ---- Faults ---- */

static const char *phase_name(prfdata_caller_phase phase)
{
    static const char *const names[] = {"", "its start", "Open", "Collect", "Close", "its end"};

    return names[phase];
}

/* The unhandled-exception filter, which ends the process after one line of output. That output
 * needs neither memory nor locks. */
static LONG WINAPI handle_dll_fault(EXCEPTION_POINTERS *exception)
{
    const dll_source *self = faulting;
    prfdata_caller_fault fault;
    const char *doing;
    const char *did;
    char text[200];

    if (!self || self->thread.phase == PRFDATA_CALLER_IDLE)
        return EXCEPTION_CONTINUE_SEARCH;
    prfdata_caller_explain(&self->thread, exception->ExceptionRecord, &fault);
    doing = phase_name(fault.phase);
    did = fault.is_write ? "wrote" : "read";
    if (fault.touched == PRFDATA_TOUCHED_AFTER_BUFFER)
        snprintf(text, sizeof text, "the DLL's %s %s after its buffer of %u bytes, at byte %u",
                 doing, did, (unsigned)self->thread.capacity, (unsigned)fault.offset);
    else if (fault.touched == PRFDATA_TOUCHED_BEFORE_BUFFER)
        snprintf(text, sizeof text, "the DLL's %s %s before its buffer, byte -%u", doing, did,
                 (unsigned)-fault.offset);
    else
        snprintf(text, sizeof text, "the DLL faulted in %s: exception 0x%08lX", doing,
                 exception->ExceptionRecord->ExceptionCode);
    self->fault(text);
    return EXCEPTION_EXECUTE_HANDLER;
}

/* ---- Collect ---- */

/* Compare what Collect says about its reply with what it did. */
static uint32_t check_dll_reply(dll_source *self, const prfdata_caller_result *result,
                                uint32_t capacity)
{
    if (result->bytes <= capacity && result->moved == (int64_t)result->bytes)
        return ERROR_SUCCESS;
    self->source.is_damaged = true;
    if (result->bytes > capacity)
        prfdata_messages_add(self->source.messages, PRFDATA_SEVERITY_ERROR, self->name,
                             "Collect says that it wrote %lu bytes into a buffer of %u",
                             (unsigned long)result->bytes, (unsigned)capacity);
    else
        prfdata_messages_add(self->source.messages, PRFDATA_SEVERITY_ERROR, self->name,
                             "Collect says that it wrote %lu bytes, and moved its pointer by %lld",
                             (unsigned long)result->bytes, (long long)result->moved);
    return ERROR_INVALID_DATA;
}

/* Count the objects that follow each other in the reply, and find where the last one ends. */
static uint32_t count_reply_objects(const prfdata_caller_result *result, uint32_t *end)
{
    uint32_t count = 0;

    *end = 0;
    while (result->bytes - *end >= sizeof(prfdata_perf_object_type)) {
        uint32_t length;

        memcpy(&length, result->data + *end, sizeof length);
        if (length < sizeof(prfdata_perf_object_type) || length > result->bytes - *end)
            break;
        *end += length;
        count++;
    }
    return count;
}

/* Make a block of all bytes of the reply. If Collect's number of objects or bytes is incorrect,
 * report it. */
static uint32_t make_dll_block(dll_source *self, const prfdata_caller_result *result, void **block,
                               size_t *size)
{
    uint32_t end;
    const uint32_t found = count_reply_objects(result, &end);

    if (found != result->objects || end != result->bytes) {
        self->source.is_damaged = true;
        prfdata_messages_add(
            self->source.messages, PRFDATA_SEVERITY_ERROR, self->name,
            "Collect says that it wrote %lu objects in %lu bytes, but there are %lu in %lu",
            (unsigned long)result->objects, (unsigned long)result->bytes, (unsigned long)found,
            (unsigned long)end);
    }
    return prfdata_data_block_make(result->data, result->bytes,
                                   found > result->objects ? found : result->objects, block, size);
}

typedef struct dll_question {
    dll_source *source;
    const uint16_t *query;
    void **block;
    size_t *size;
} dll_question;

static uint32_t ask_dll(void *context, uint32_t capacity)
{
    const dll_question *q = context;
    dll_source *self = q->source;
    const prfdata_caller_question question = {
        .query = (const wchar_t *)q->query, .capacity = capacity, .place = PRFDATA_PLACE_PAGES};
    prfdata_caller_result result;
    uint32_t status = prfdata_caller_collect(&self->thread, &question, &result);

    if (status != ERROR_SUCCESS)
        return status;
    status = result.status;
    if (status == ERROR_SUCCESS)
        status = check_dll_reply(self, &result, capacity);
    else if (status != ERROR_MORE_DATA)
        report_dll_failure(self, status, "Collect failed");
    return status == ERROR_SUCCESS ? make_dll_block(self, &result, q->block, q->size) : status;
}

static uint32_t take_dll_sample(prfdata_source *source, const uint16_t *query, void **bytes,
                                size_t *size)
{
    dll_source *self = (dll_source *)source;
    dll_question question = {self, query, bytes, size};
    const prfdata_retry_calls retry = {ask_dll, NULL, &question};
    const uint32_t status = prfdata_retry_ask(&retry, &self->capacity);

    if (status != ERROR_MORE_DATA)
        return status;
    self->source.is_damaged = true;
    report_dll_error(self, "Collect wants a buffer of more than 256 MiB");
    return ERROR_INVALID_DATA;
}

/* ---- Load, Open, Close ---- */

static bool is_dll_file(const wchar_t *path)
{
    const DWORD attributes = GetFileAttributesW(path);

    return attributes != INVALID_FILE_ATTRIBUTES && !(attributes & FILE_ATTRIBUTE_DIRECTORY);
}

/* Get the full path of the name, as the loader needs it; false: it is too long, or there is no
 * memory. */
static bool get_full_dll_path(prfdata_text name, wchar_t *path, DWORD capacity)
{
    wchar_t *given = malloc((name.count + 1) * sizeof *given);
    DWORD used = 0;

    if (given) {
        memcpy(given, name.chars, name.count * sizeof *given);
        given[name.count] = 0;
        used = GetFullPathNameW(given, capacity, path, NULL);
    }
    free(given);
    return used > 0 && used < capacity;
}

/* Find the DLL and its functions. The name means a file if it may be one and the file exists,
 * otherwise a service. A failure is reported. */
static uint32_t find_dll(dll_source *self, const prfdata_source_dll *dll)
{
    prfdata_registration *registration = &self->registration;
    wchar_t path[PRFDATA_REGISTRATION_PATH_CHARS] = L"";
    const bool is_path = prfdata_source_dll_may_be_file(self->name) &&
                         get_full_dll_path(self->name, path, PRFDATA_REGISTRATION_PATH_CHARS) &&
                         is_dll_file(path);
    prfdata_text service = self->name;
    bool has_service = false;
    const char *what = "";
    wchar_t key[256];

    if (is_path) {
        has_service = prfdata_registration_find_service(path, key);
        service = prfdata_text_from_chars((const uint16_t *)key);
    } else {
        has_service = prfdata_registration_exists(service);
    }
    if (!is_path && !has_service) {
        report_dll_error(self, "is neither a file nor a service with a Performance key");
        return ERROR_FILE_NOT_FOUND;
    }
    if (has_service) {
        const uint32_t status = prfdata_registration_read(service, registration, &what);

        has_service = status == ERROR_SUCCESS; /* a file works without a service */
        if (!has_service && !is_path) {
            report_dll_failure(self, status, what);
            return status;
        }
    }
    if (!has_service)
        prfdata_registration_of_dll(self->name, registration);
    prfdata_registration_set_exports(registration, dll->open_export, dll->collect_export,
                                     dll->close_export);
    return ERROR_SUCCESS;
}

static void report_export(const dll_source *self, bool is_there, const char *name)
{
    if (!is_there)
        prfdata_messages_add(self->source.messages, PRFDATA_SEVERITY_ERROR, self->name,
                             "exports no function %.200s. Name it with -open, -collect or -close",
                             name);
}

static void report_load_failure(const dll_source *self, uint32_t status)
{
    const prfdata_caller *caller = &self->caller;
    const prfdata_registration *registration = &self->registration;

    if (caller->module) {
        report_export(self, caller->open != NULL, registration->open);
        report_export(self, caller->collect != NULL, registration->collect);
        report_export(self, caller->close != NULL, registration->close);
    } else if (status == ERROR_BAD_EXE_FORMAT) {
        report_dll_error(self, sizeof(void *) == 8 ? "is not a 64-bit DLL. Try the 32-bit "
                                                     "prfread"
                                                   : "is not a 32-bit DLL. Try the 64-bit "
                                                     "prfread");
    } else {
        report_dll_failure(self, status, "cannot load the DLL");
    }
}

static uint32_t load_and_open(dll_source *self)
{
    uint32_t took_ms;
    uint32_t status = prfdata_caller_load(&self->thread);

    if (status != ERROR_SUCCESS) {
        report_load_failure(self, status);
        return status;
    }
    status = prfdata_caller_open(&self->thread, &took_ms);
    if (status != ERROR_SUCCESS)
        report_dll_failure(self, status, "Open failed");
    return status;
}

static void unload_dll(dll_source *self)
{
    prfdata_caller_unload(&self->thread, NULL);
    prfdata_caller_leave(&self->thread);
    faulting = NULL;
    free(self);
}

static void close_dll(prfdata_source *source)
{
    dll_source *self = (dll_source *)source;
    uint32_t took_ms;
    const uint32_t status = prfdata_caller_close(&self->thread, &took_ms);

    if (status != ERROR_SUCCESS)
        report_dll_failure(self, status, "Close failed");
    unload_dll(self);
}

static dll_source *make_dll_source(const prfdata_source_dll *dll, prfdata_messages *messages)
{
    static const prfdata_source_kind kind = {.take = take_dll_sample,
                                             .load_titles = prfdata_source_load_system_titles,
                                             .load_helps = prfdata_source_load_system_helps,
                                             .titles_stamp = prfdata_source_system_titles_stamp,
                                             .find_service = prfdata_source_find_system_service,
                                             .close = close_dll};
    dll_source *made = calloc(1, sizeof *made);

    if (made) {
        made->source.kind = &kind;
        made->source.messages = messages;
        made->name = dll->name;
        made->fault = dll->fault;
        made->capacity = PRFDATA_RETRY_FIRST_CAPACITY;
        made->caller.registration = &made->registration;
        if (prfdata_caller_init() != ERROR_SUCCESS ||
            prfdata_caller_join(&made->caller, &made->thread) != ERROR_SUCCESS) {
            free(made);
            made = NULL;
        }
    }
    if (!made)
        prfdata_messages_add_system(messages, dll->name, ERROR_NOT_ENOUGH_MEMORY,
                                    "cannot load the DLL");
    return made;
}

uint32_t prfdata_source_open_dll(const prfdata_source_dll *dll, prfdata_messages *messages,
                                 prfdata_source **source)
{
    dll_source *made = make_dll_source(dll, messages);
    uint32_t status;

    if (!made)
        return ERROR_NOT_ENOUGH_MEMORY;
    SetErrorMode(SEM_FAILCRITICALERRORS | SEM_NOGPFAULTERRORBOX | SEM_NOOPENFILEERRORBOX);
    faulting = made;
    SetUnhandledExceptionFilter(handle_dll_fault);
    status = find_dll(made, dll);
    if (status == ERROR_SUCCESS)
        status = load_and_open(made);
    if (status != ERROR_SUCCESS) {
        unload_dll(made);
        return status;
    }
    *source = &made->source;
    return ERROR_SUCCESS;
}
