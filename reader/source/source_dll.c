/* SPDX-License-Identifier: MIT */
/*
 * A provider DLL as a source, without the system between it and us: what reads
 * HKEY_PERFORMANCE_DATA does the same, but for many DLLs and out of sight. Knows Windows.
 *
 * The DLL runs in this process. What it does to its buffer is seen: inaccessible memory lies on
 * both sides. What it does elsewhere is not; prfcheck looks closer, from another process.
 */
#include <windows.h>

#include "source/source.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

#include "block/data_block.h"
#include "text/output.h"
#include "core/perf_wire.h"
#include "source/retry.h"
#include "source/target.h"

#define GUARD_BYTES (64u * 1024) /* on both sides; sizes here are whole pages */

typedef DWORD(APIENTRY *open_function)(LPWSTR context);
typedef DWORD(APIENTRY *collect_function)(LPWSTR query, LPVOID *data, LPDWORD bytes,
                                          LPDWORD objects);
typedef DWORD(APIENTRY *close_function)(void);

typedef struct dll_source {
    prfdata_source source;
    prfdata_text name; /* as the user wrote it; borrowed */
    prfdata_target target;
    HMODULE module;
    open_function open;
    collect_function collect;
    close_function close;
    unsigned char *buffer;
    uint32_t buffer_bytes;
    uint32_t capacity; /* bytes that the last answer needed at most */
    void (*fault)(const char *text);
} dll_source;

/* For the handler of faults, which has no argument of its own. */
static struct {
    const dll_source *source;
    const char *doing; /* which call of the DLL's */
} now;

/* ---- Reports ---- */

/* `problem` is static; `status` 0: it is no error of the system. */
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

static bool lies_in(uintptr_t address, const unsigned char *begin, size_t size)
{
    return address >= (uintptr_t)begin && address - (uintptr_t)begin < size;
}

/* Nothing is left to rely on: no memory, no locks, only a line and the end. */
static LONG WINAPI on_fault(EXCEPTION_POINTERS *fault)
{
    const EXCEPTION_RECORD *record = fault->ExceptionRecord;
    const dll_source *self = now.source;
    const bool is_access = record->ExceptionCode == EXCEPTION_ACCESS_VIOLATION;
    const uintptr_t address = is_access ? (uintptr_t)record->ExceptionInformation[1] : 0;
    const char *did = is_access && record->ExceptionInformation[0] == 1 ? "wrote" : "read";
    char text[200];

    if (!self || !now.doing)
        return EXCEPTION_CONTINUE_SEARCH;
    if (is_access && self->buffer &&
        lies_in(address, self->buffer + self->buffer_bytes, GUARD_BYTES))
        snprintf(text, sizeof text, "the DLL's %s %s behind its buffer of %u bytes, at byte %u",
                 now.doing, did, (unsigned)self->buffer_bytes,
                 (unsigned)(address - (uintptr_t)self->buffer));
    else if (is_access && self->buffer && lies_in(address, self->buffer - GUARD_BYTES, GUARD_BYTES))
        snprintf(text, sizeof text, "the DLL's %s %s before its buffer, byte -%u", now.doing, did,
                 (unsigned)((uintptr_t)self->buffer - address));
    else
        snprintf(text, sizeof text, "the DLL faulted in %s: exception 0x%08lX", now.doing,
                 record->ExceptionCode);
    self->fault(text);
    return EXCEPTION_EXECUTE_HANDLER;
}

static void enter(const dll_source *self, const char *doing)
{
    now.source = self;
    now.doing = doing;
}

static void leave(void)
{
    now.doing = NULL;
}

/* ---- Collect ---- */

static void free_buffer(dll_source *self)
{
    if (self->buffer)
        VirtualFree(self->buffer - GUARD_BYTES, 0, MEM_RELEASE);
    self->buffer = NULL;
}

/* `capacity` bytes between inaccessible pages; NULL: no memory. */
static unsigned char *make_pages(uint32_t capacity)
{
    unsigned char *memory =
        VirtualAlloc(NULL, (size_t)capacity + 2 * GUARD_BYTES, MEM_RESERVE, PAGE_NOACCESS);

    if (memory && !VirtualAlloc(memory + GUARD_BYTES, capacity, MEM_COMMIT, PAGE_READWRITE)) {
        VirtualFree(memory, 0, MEM_RELEASE);
        memory = NULL;
    }
    return memory ? memory + GUARD_BYTES : NULL;
}

static uint32_t make_buffer(dll_source *self, uint32_t capacity)
{
    if (self->buffer && self->buffer_bytes == capacity)
        return ERROR_SUCCESS;
    free_buffer(self);
    self->buffer = make_pages(capacity);
    self->buffer_bytes = capacity;
    return self->buffer ? ERROR_SUCCESS : ERROR_NOT_ENOUGH_MEMORY;
}

/* What Collect says about its answer, against what it did. */
static uint32_t check_answer(dll_source *self, const unsigned char *end, DWORD bytes)
{
    if (bytes <= self->buffer_bytes && end == self->buffer + bytes)
        return ERROR_SUCCESS;
    self->source.is_damaged = true;
    if (bytes > self->buffer_bytes)
        prfdata_messages_add(self->source.messages, PRFDATA_SEVERITY_ERROR, self->name,
                             "Collect says that it wrote %lu bytes into a buffer of %u", bytes,
                             (unsigned)self->buffer_bytes);
    else
        prfdata_messages_add(self->source.messages, PRFDATA_SEVERITY_ERROR, self->name,
                             "Collect says that it wrote %lu bytes, and moved its pointer by %lld",
                             bytes, (long long)((intptr_t)end - (intptr_t)self->buffer));
    return ERROR_INVALID_DATA;
}

/* How many objects follow each other in the answer, and where the last one ends. */
static DWORD count_objects(const dll_source *self, DWORD bytes, DWORD *end)
{
    DWORD count = 0;

    *end = 0;
    while (bytes - *end >= sizeof(prfdata_perf_object_type)) {
        uint32_t length;

        memcpy(&length, self->buffer + *end, sizeof length);
        if (length < sizeof(prfdata_perf_object_type) || length > bytes - *end)
            break;
        *end += length;
        count++;
    }
    return count;
}

/* A wrong count or length is reported, and the answer is given as far as it goes. */
static uint32_t wrap(dll_source *self, DWORD bytes, DWORD objects, void **block, size_t *size)
{
    DWORD end;
    const DWORD found = count_objects(self, bytes, &end);

    if (found != objects || end != bytes) {
        self->source.is_damaged = true;
        prfdata_messages_add(
            self->source.messages, PRFDATA_SEVERITY_ERROR, self->name,
            "Collect says that it wrote %lu objects in %lu bytes: there are %lu in %lu", objects,
            bytes, found, end);
    }
    return prfdata_data_block_make(self->buffer, bytes, found > objects ? found : objects, block,
                                   size);
}

typedef struct question {
    dll_source *source;
    wchar_t *query; /* the DLL's to write to, as it is with perflib */
    void **block;
    size_t *size;
} question;

static uint32_t ask(void *context, uint32_t capacity)
{
    const question *q = context;
    dll_source *self = q->source;
    uint32_t status = make_buffer(self, capacity);
    LPVOID end = self->buffer;
    DWORD bytes = capacity;
    DWORD objects = 0;

    if (status != ERROR_SUCCESS)
        return status;
    enter(self, "Collect");
    status = self->collect(q->query, &end, &bytes, &objects);
    leave();
    if (status == ERROR_SUCCESS)
        status = check_answer(self, end, bytes);
    else if (status != ERROR_MORE_DATA)
        prfdata_messages_add_system(self->source.messages, self->name, status, "Collect failed");
    return status == ERROR_SUCCESS ? wrap(self, bytes, objects, q->block, q->size) : status;
}

static uint32_t take(prfdata_source *source, const uint16_t *query, void **bytes, size_t *size)
{
    dll_source *self = (dll_source *)source;
    question q = {self, _wcsdup((const wchar_t *)query), bytes, size};
    const prfdata_retry retry = {ask, NULL, &q};
    uint32_t status = ERROR_NOT_ENOUGH_MEMORY;

    if (q.query)
        status = prfdata_retry_ask(&retry, &self->capacity);
    free(q.query);
    if (status == ERROR_MORE_DATA) {
        self->source.is_damaged = true;
        prfdata_messages_add(self->source.messages, PRFDATA_SEVERITY_ERROR, self->name,
                             "Collect wants a buffer of more than 256 MiB");
        return ERROR_INVALID_DATA;
    }
    return status;
}

/* ---- Load, Open, Close ---- */

static bool is_file(const wchar_t *path)
{
    const DWORD attributes = GetFileAttributesW(path);

    return attributes != INVALID_FILE_ATTRIBUTES && !(attributes & FILE_ATTRIBUTE_DIRECTORY);
}

/* The name's full path, as the loader wants it; false: it is too long. */
static bool full_path(prfdata_text name, wchar_t *path, DWORD capacity)
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

/* Functions named on the command line go before those of the registry. */
static void name_function(char *name, size_t capacity, prfdata_text text)
{
    size_t i = 0;

    if (text.count == 0)
        return;
    for (; i < text.count && i + 1 < capacity; i++)
        name[i] = text.chars[i] < 0x80 ? (char)text.chars[i] : '?';
    name[i] = 0;
}

/* Which DLL and functions the name means, a file's before a service's. A failure was reported. */
static uint32_t find_dll(dll_source *self, const prfdata_source_dll *dll)
{
    prfdata_target_request wanted = {.service = {NULL, 0}};
    const char *what = "the DLL";
    wchar_t service[256];
    wchar_t path[1024] = L"";
    uint32_t status;

    if (full_path(self->name, path, 1024) && is_file(path)) {
        wanted.dll = self->name;
        if (prfdata_target_find_service(path, service)) {
            wanted.dll.count = 0;
            wanted.service = prfdata_text_from_chars((const uint16_t *)service);
        }
    } else if (prfdata_target_has_service(self->name)) {
        wanted.service = self->name;
    } else {
        report_dll_error(self, "is neither a file nor a service with a Performance key");
        return ERROR_FILE_NOT_FOUND;
    }
    status = prfdata_target_find(&wanted, &self->target, &what);
    if (status != ERROR_SUCCESS && is_file(path)) { /* its service lacks something: do without */
        wanted.dll = self->name;
        status = prfdata_target_find(&wanted, &self->target, &what);
    }
    if (status != ERROR_SUCCESS)
        report_dll_failure(self, status, what);
    name_function(self->target.open, sizeof self->target.open, dll->open_export);
    name_function(self->target.collect, sizeof self->target.collect, dll->collect_export);
    name_function(self->target.close, sizeof self->target.close, dll->close_export);
    return status;
}

static bool find_function(const dll_source *self, const char *name, void *function, size_t size)
{
    const FARPROC found = GetProcAddress(self->module, name);

    memcpy(function, &found, size);
    if (found)
        return true;
    prfdata_messages_add(self->source.messages, PRFDATA_SEVERITY_ERROR, self->name,
                         "exports no function %.200s: name it with -open, -collect or -close",
                         name);
    return false;
}

static uint32_t load(dll_source *self)
{
    const prfdata_target *target = &self->target;
    DWORD error;

    enter(self, "its start");
    self->module = LoadLibraryExW(target->library, NULL,
                                  target->is_relative ? 0 : LOAD_WITH_ALTERED_SEARCH_PATH);
    error = GetLastError();
    leave();
    if (!self->module && error == ERROR_BAD_EXE_FORMAT) {
        report_dll_error(self, sizeof(void *) == 8 ? "is no 64-bit DLL: try the 32-bit prfread"
                                                   : "is no 32-bit DLL: try the 64-bit prfread");
        return error;
    }
    if (!self->module) {
        report_dll_failure(self, error, "cannot load the DLL");
        return error;
    }
    if (!find_function(self, target->open, &self->open, sizeof self->open) ||
        !find_function(self, target->collect, &self->collect, sizeof self->collect) ||
        !find_function(self, target->close, &self->close, sizeof self->close))
        return ERROR_PROC_NOT_FOUND;
    return ERROR_SUCCESS;
}

/* With what perflib hands over: the value Linkage\Export, or NULL. */
static uint32_t call_open(dll_source *self)
{
    uint32_t status;

    enter(self, "Open");
    status = self->open(self->target.has_context ? self->target.context : NULL);
    leave();
    if (status != ERROR_SUCCESS)
        report_dll_failure(self, status, "Open failed");
    return status;
}

static void unload(dll_source *self)
{
    enter(self, "its end");
    if (self->module)
        FreeLibrary(self->module);
    leave();
    free_buffer(self);
    now.source = NULL;
    free(self);
}

static void close_source(prfdata_source *source)
{
    dll_source *self = (dll_source *)source;
    uint32_t status;

    enter(self, "Close");
    status = self->close();
    leave();
    if (status != ERROR_SUCCESS)
        report_dll_failure(self, status, "Close failed");
    unload(self);
}

uint32_t prfdata_source_open_dll(const prfdata_source_dll *dll, prfdata_messages *messages,
                                 prfdata_source **source)
{
    static const prfdata_source_kind kind = {.take = take,
                                             .load_titles = prfdata_source_load_system_titles,
                                             .load_helps = prfdata_source_load_system_helps,
                                             .close = close_source};
    dll_source *made = calloc(1, sizeof *made);
    uint32_t status;

    if (!made) {
        prfdata_messages_add_system(messages, dll->name, ERROR_NOT_ENOUGH_MEMORY,
                                    "cannot load the DLL");
        return ERROR_NOT_ENOUGH_MEMORY;
    }
    made->source.kind = &kind;
    made->source.messages = messages;
    made->fault = dll->fault;
    made->name = dll->name;
    made->capacity = PRFDATA_RETRY_FIRST_CAPACITY;
    SetErrorMode(SEM_FAILCRITICALERRORS | SEM_NOGPFAULTERRORBOX | SEM_NOOPENFILEERRORBOX);
    SetUnhandledExceptionFilter(on_fault);
    status = find_dll(made, dll);
    if (status == ERROR_SUCCESS)
        status = load(made);
    if (status == ERROR_SUCCESS)
        status = call_open(made);
    if (status != ERROR_SUCCESS) {
        unload(made);
        return status;
    }
    *source = &made->source;
    return ERROR_SUCCESS;
}
