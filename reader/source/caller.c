/* SPDX-License-Identifier: MIT */
/* Makes the calls, and records what can be observed from outside. Windows only. */
#include "source/caller.h"

#include <stdio.h>
#include <string.h>
#include <wchar.h>

#include "source/caller_memory.h"

/* The state of thread and process is read before and after every 16th Collect of a thread. */
#define THREAD_LOOKS 16u

/* The TLS slot in which each thread has its prfdata_caller_thread. */
static DWORD thread_index = TLS_OUT_OF_INDEXES;
static SRWLOCK threads_lock = SRWLOCK_INIT;
static prfdata_caller_thread *threads[PRFDATA_CALLER_MAX_THREADS];

static LONG CALLBACK note_load_fault(EXCEPTION_POINTERS *exception);
static void note_unloading(HMODULE module);

uint32_t prfdata_caller_init(void)
{
    if (thread_index != TLS_OUT_OF_INDEXES)
        return ERROR_SUCCESS;
    thread_index = TlsAlloc();
    if (thread_index == TLS_OUT_OF_INDEXES)
        return GetLastError();
    if (AddVectoredExceptionHandler(1, note_load_fault))
        return ERROR_SUCCESS;
    TlsFree(thread_index);
    thread_index = TLS_OUT_OF_INDEXES;
    return ERROR_NOT_ENOUGH_MEMORY;
}

/* ---- Threads ---- */

/* Put `to` in the place of `from` in the list of threads; false: `from` is not in it. */
static bool replace_thread(const prfdata_caller_thread *from, prfdata_caller_thread *to)
{
    bool is_done = false;

    AcquireSRWLockExclusive(&threads_lock);
    for (size_t i = 0; !is_done && i < PRFDATA_CALLER_MAX_THREADS; i++) {
        is_done = threads[i] == from;
        if (is_done)
            threads[i] = to;
    }
    ReleaseSRWLockExclusive(&threads_lock);
    return is_done;
}

uint32_t prfdata_caller_join(prfdata_caller *caller, prfdata_caller_thread *thread)
{
    DWORD error;

    memset(thread, 0, sizeof *thread);
    thread->caller = caller;
    if (!replace_thread(NULL, thread))
        return ERROR_NOT_ENOUGH_MEMORY;
    if (TlsSetValue(thread_index, thread))
        return ERROR_SUCCESS;
    error = GetLastError();
    (void)replace_thread(thread, NULL);
    return error;
}

void prfdata_caller_leave(prfdata_caller_thread *thread)
{
    (void)replace_thread(thread, NULL);
    TlsSetValue(thread_index, NULL);
    prfdata_caller_memory_release(thread);
}

prfdata_caller_thread *prfdata_caller_this_thread(void)
{
    return TlsGetValue(thread_index);
}

/* ---- Progress ---- */

/* GetTickCount64 at the last progress, or at the end of the longest announced wait, whichever is
 * later. */
static volatile LONG64 expected_ms;

void prfdata_caller_progress(uint32_t planned_ms)
{
    const LONG64 until_ms = (LONG64)(GetTickCount64() + planned_ms);
    LONG64 known_ms = InterlockedCompareExchange64(&expected_ms, 0, 0);

    while (known_ms < until_ms) {
        const LONG64 found_ms = InterlockedCompareExchange64(&expected_ms, until_ms, known_ms);

        if (found_ms == known_ms)
            return;
        known_ms = found_ms;
    }
}

uint64_t prfdata_caller_stuck_ms(void)
{
    const LONG64 now_ms = (LONG64)GetTickCount64();
    const LONG64 known_ms = InterlockedCompareExchange64(&expected_ms, 0, 0);
    bool is_calling = false;

    AcquireSRWLockShared(&threads_lock);
    for (size_t i = 0; i < PRFDATA_CALLER_MAX_THREADS; i++)
        is_calling = is_calling || (threads[i] && threads[i]->phase != PRFDATA_CALLER_IDLE);
    ReleaseSRWLockShared(&threads_lock);
    return is_calling || now_ms < known_ms ? 0 : (uint64_t)(now_ms - known_ms);
}

/* ---- Phases ---- */

static void begin_phase(prfdata_caller_thread *thread, prfdata_caller_phase phase)
{
    prfdata_caller_progress(0);
    InterlockedExchange(&thread->since_ms, (LONG)GetTickCount());
    InterlockedExchange(&thread->phase, (LONG)phase);
}

static uint32_t end_phase(prfdata_caller_thread *thread)
{
    const uint32_t took_ms = (uint32_t)GetTickCount() - (uint32_t)thread->since_ms;

    prfdata_caller_progress(0);
    InterlockedExchange(&thread->phase, PRFDATA_CALLER_IDLE);
    return took_ms;
}

/* Call this directly after a call, because no other code may run while the direction flag is
 * set. */
static void restore_direction(prfdata_caller_thread *thread)
{
    thread->states.is_backwards = prfdata_processor_clear_direction();
}

uint32_t prfdata_caller_limit_ms(const prfdata_caller *caller, prfdata_caller_phase phase)
{
    return phase == PRFDATA_CALLER_COLLECT || phase == PRFDATA_CALLER_CLOSE
               ? caller->registration->collect_limit_ms
               : caller->registration->open_limit_ms;
}

static bool is_overdue(const prfdata_caller_thread *thread, uint32_t times,
                       prfdata_caller_phase *phase, uint32_t *lasted_ms)
{
    *phase = (prfdata_caller_phase)thread->phase;
    *lasted_ms = (uint32_t)GetTickCount() - (uint32_t)thread->since_ms;
    /*
     * Read the phase again, because if the call has ended, *phase and *lasted_ms may belong to
     * different calls.
     */
    return *phase != PRFDATA_CALLER_IDLE &&
           *lasted_ms >= times * prfdata_caller_limit_ms(thread->caller, *phase) &&
           thread->phase == (LONG)*phase;
}

prfdata_caller_thread *prfdata_caller_overdue(uint32_t times, prfdata_caller_phase *phase,
                                              uint32_t *lasted_ms)
{
    prfdata_caller_thread *overdue = NULL;

    AcquireSRWLockExclusive(&threads_lock);
    for (size_t i = 0; !overdue && i < PRFDATA_CALLER_MAX_THREADS; i++) {
        if (threads[i] && is_overdue(threads[i], times, phase, lasted_ms))
            overdue = threads[i];
    }
    ReleaseSRWLockExclusive(&threads_lock);
    return overdue;
}

/* ---- What a call must leave as it was ---- */

static bool find_export(HMODULE module, const char *name, void *function, size_t size)
{
    const FARPROC found = GetProcAddress(module, name);

    memcpy(function, &found, size);
    return found != NULL;
}

static void get_caller_state(const prfdata_caller *caller, prfdata_caller_state *state)
{
    state->processor = prfdata_processor_get();
    state->priority = GetThreadPriority(GetCurrentThread());
    state->thread_error_mode = GetThreadErrorMode();
    state->process_error_mode = GetErrorMode();
    /* The exception filter can only be read by setting it. */
    state->has_filter =
        !caller->filter || SetUnhandledExceptionFilter(caller->filter) == caller->filter;
    prfdata_watched_read(&state->watched);
}

static void look_before(prfdata_caller_thread *thread, bool looks)
{
    thread->states.are_known = looks && !thread->never_looks;
    thread->states.is_backwards = false;
    if (!thread->states.are_known)
        return;
    /* Run the APCs that earlier calls have queued for this thread, so that APCs found later come
     * from the next call. */
    (void)SleepEx(0, TRUE);
    get_caller_state(thread->caller, &thread->states.before);
}

static void look_after(prfdata_caller_thread *thread)
{
    prfdata_caller_states *states = &thread->states;

    if (!states->are_known)
        return;
    get_caller_state(thread->caller, &states->after);
    prfdata_watched_restore(&states->before.watched, &states->after.watched);
}

/* ---- Load, Open, Close ---- */

/* LOAD_WITH_ALTERED_SEARCH_PATH makes the loader search the library's folder for the DLLs that the
 * library imports. */
static HMODULE load_library(const prfdata_registration *registration)
{
    wchar_t path[PRFDATA_REGISTRATION_PATH_CHARS];

    if (!prfdata_registration_library_path(registration, path)) {
        SetLastError(ERROR_MOD_NOT_FOUND);
        return NULL;
    }
    return LoadLibraryExW(path, NULL, LOAD_WITH_ALTERED_SEARCH_PATH);
}

uint32_t prfdata_caller_load(prfdata_caller_thread *thread)
{
    prfdata_caller *caller = thread->caller;
    const prfdata_registration *registration = caller->registration;
    bool has_all;
    DWORD error;

    thread->load_fault[0] = 0;
    look_before(thread, true);
    begin_phase(thread, PRFDATA_CALLER_LOAD);
    caller->module = load_library(registration);
    error = GetLastError();
    restore_direction(thread);
    (void)end_phase(thread);
    look_after(thread);
    if (!caller->module)
        return error;
    has_all = find_export(caller->module, registration->open, &caller->open, sizeof caller->open);
    has_all = find_export(caller->module, registration->collect, &caller->collect,
                          sizeof caller->collect) &&
              has_all;
    has_all =
        find_export(caller->module, registration->close, &caller->close, sizeof caller->close) &&
        has_all;
    return has_all ? ERROR_SUCCESS : ERROR_PROC_NOT_FOUND;
}

void prfdata_caller_unload(prfdata_caller_thread *thread, void (*then)(void))
{
    thread->load_fault[0] = 0;
    look_before(thread, true);
    begin_phase(thread, PRFDATA_CALLER_UNLOAD);
    if (thread->caller->module) {
        note_unloading(thread->caller->module);
        FreeLibrary(thread->caller->module);
    }
    restore_direction(thread);
    look_after(thread);
    thread->caller->module = NULL;
    if (then)
        then();
    (void)end_phase(thread);
}

/* Count the bytes of a list of strings, with the two NULs at its end. */
static size_t context_bytes(const wchar_t *context)
{
    size_t chars = 0;

    while (context[chars])
        chars += wcslen(context + chars) + 1;
    return (chars > 0 ? chars + 1 : 2) * sizeof *context;
}

uint32_t prfdata_caller_open(prfdata_caller_thread *thread, uint32_t *took_ms)
{
    const prfdata_registration *registration = thread->caller->registration;
    const size_t bytes = context_bytes(registration->context);
    void *pages = NULL;
    wchar_t *context = NULL;
    uint32_t status;

    *took_ms = 0;
    if (registration->has_context) {
        context = prfdata_caller_memory_copy(registration->context, bytes, &pages);
        if (!context)
            return ERROR_NOT_ENOUGH_MEMORY;
        thread->context_end = (const unsigned char *)context + bytes;
    }
    look_before(thread, true);
    begin_phase(thread, PRFDATA_CALLER_OPEN);
    status = thread->caller->open(context);
    restore_direction(thread);
    *took_ms = end_phase(thread);
    look_after(thread);
    thread->is_context_written = context && memcmp(context, registration->context, bytes) != 0;
    thread->context_end = NULL;
    prfdata_caller_memory_free(pages);
    return status;
}

uint32_t prfdata_caller_close(prfdata_caller_thread *thread, uint32_t *took_ms)
{
    uint32_t status;

    look_before(thread, true);
    begin_phase(thread, PRFDATA_CALLER_CLOSE);
    status = thread->caller->close();
    restore_direction(thread);
    *took_ms = end_phase(thread);
    look_after(thread);
    return status;
}

/* ---- Collect ---- */

static void place_buffer(prfdata_caller_thread *thread, const prfdata_caller_question *question)
{
    thread->capacity = question->capacity;
    switch (question->place) {
    case PRFDATA_PLACE_PAGE_AFTER:
        thread->entry = thread->memory + thread->bytes - question->capacity;
        break;
    case PRFDATA_PLACE_PAGE_BEFORE:
        thread->entry = thread->memory + question->shift;
        break;
    case PRFDATA_PLACE_PAGES:
        thread->entry = thread->memory;
        break;
    default:
        thread->entry =
            thread->memory +
            (thread->bytes - PRFDATA_CALLER_GUARD_BYTES - question->capacity - 8) / 8 * 8 +
            question->shift;
        break;
    }
}

/* The buffer and the guard bytes around it, as offsets in the thread's memory. */
typedef struct surroundings {
    size_t begin;
    size_t entry; /* offset of the beginning of the buffer */
    size_t after; /* offset of the end of the buffer */
    size_t end;
} surroundings;

static surroundings get_surroundings(const prfdata_caller_thread *thread)
{
    const size_t guard_bytes = PRFDATA_CALLER_GUARD_BYTES;
    surroundings s;

    s.entry = (size_t)(thread->entry - thread->memory);
    s.after = s.entry + thread->capacity;
    s.begin = s.entry > guard_bytes ? s.entry - guard_bytes : 0;
    s.end = thread->bytes - s.after > guard_bytes ? s.after + guard_bytes : thread->bytes;
    return s;
}

/* Return the first byte in [first, last) that no longer has the pattern; `last` if there is
 * none. */
static size_t find_written(const prfdata_caller_thread *thread, size_t first, size_t last)
{
    if (memcmp(thread->memory + first, thread->pattern + first, last - first) == 0)
        return last;
    while (thread->memory[first] == thread->pattern[first])
        first++;
    return first;
}

static void look_for_writes(const prfdata_caller_thread *thread, const surroundings *s,
                            bool is_inverted, prfdata_caller_result *result)
{
    const size_t before = find_written(thread, s->begin, s->entry);
    const size_t after = find_written(thread, s->after, s->end);
    size_t inside = s->after;

    if (result->status == ERROR_MORE_DATA && !is_inverted)
        inside = find_written(thread, s->entry, s->after);
    result->written_before = before != s->entry ? s->entry - before : PRFDATA_CALLER_NO_BYTE;
    result->written_after = after != s->end ? after - s->entry : PRFDATA_CALLER_NO_BYTE;
    result->written_inside = inside != s->after ? inside - s->entry : PRFDATA_CALLER_NO_BYTE;
}

static void count_call(prfdata_caller_thread *thread, const LARGE_INTEGER *before)
{
    LARGE_INTEGER after;
    LARGE_INTEGER frequency;
    int64_t us;

    QueryPerformanceCounter(&after);
    QueryPerformanceFrequency(&frequency);
    us = (after.QuadPart - before->QuadPart) * 1000000 / frequency.QuadPart;
    if (us > (int64_t)thread->slowest_us)
        thread->slowest_us = us < UINT32_MAX ? (uint32_t)us : UINT32_MAX;
    thread->calls++;
}

/*
 * The content of the guard words next to the arguments that Collect sets. Collect is unlikely to
 * write the same number, because it is neither 0 nor small, and its two halves differ.
 */
#define GUARD_WORD 0xA5C3B4D2u

/* The arguments that Collect sets. The guard words are volatile, because Collect may write to them
 * by mistake. */
typedef struct outputs {
    volatile uint32_t before_bytes;
    DWORD bytes;
    volatile uint32_t after_bytes;
    volatile uint32_t before_objects;
    DWORD objects;
    volatile uint32_t after_objects;
    volatile uint32_t before_data[2];
    void *data;
    volatile uint32_t after_data[2];
} outputs;

static void init_outputs(outputs *o, const prfdata_caller_thread *thread,
                         const prfdata_caller_result *result)
{
    o->before_bytes = o->after_bytes = GUARD_WORD;
    o->before_objects = o->after_objects = GUARD_WORD;
    o->before_data[0] = o->before_data[1] = GUARD_WORD;
    o->after_data[0] = o->after_data[1] = GUARD_WORD;
    o->data = thread->entry;
    o->bytes = result->bytes;
    o->objects = result->objects;
}

/* Return the name of the argument next to which Collect has written; NULL: none. The names are
 * those in PM_COLLECT_PROC. */
static const char *find_overrun(const outputs *o)
{
    if (o->before_bytes != GUARD_WORD || o->after_bytes != GUARD_WORD)
        return "pcbTotalBytes";
    if (o->before_objects != GUARD_WORD || o->after_objects != GUARD_WORD)
        return "pNumObjectTypes";
    if (o->before_data[0] != GUARD_WORD || o->before_data[1] != GUARD_WORD ||
        o->after_data[0] != GUARD_WORD || o->after_data[1] != GUARD_WORD)
        return "ppData";
    return NULL;
}

static void call_collect(prfdata_caller_thread *thread, wchar_t *query, bool looks,
                         prfdata_caller_result *result)
{
    LARGE_INTEGER started;
    outputs o;

    init_outputs(&o, thread, result);
    look_before(thread, looks);
    QueryPerformanceCounter(&started);
    begin_phase(thread, PRFDATA_CALLER_COLLECT);
    result->status = thread->caller->collect(query, &o.data, &o.bytes, &o.objects);
    restore_direction(thread);
    result->took_ms = end_phase(thread);
    count_call(thread, &started);
    look_after(thread);
    result->moved = (int64_t)(intptr_t)o.data - (int64_t)(intptr_t)thread->entry;
    result->bytes = o.bytes;
    result->objects = o.objects;
    result->overrun = find_overrun(&o);
}

/* Fill the buffer and its surroundings with the pattern. If is_inverted, the buffer itself gets the
 * complement. */
static void fill_room(const prfdata_caller_thread *thread, const surroundings *s, bool is_inverted)
{
    memcpy(thread->memory + s->begin, thread->pattern + s->begin, s->end - s->begin);
    for (size_t i = s->entry; is_inverted && i < s->after; i++)
        thread->memory[i] = (unsigned char)~thread->pattern[i];
}

uint32_t prfdata_caller_collect(prfdata_caller_thread *thread,
                                const prfdata_caller_question *question,
                                prfdata_caller_result *result)
{
    const bool looks =
        thread->calls % THREAD_LOOKS == 0 ||
        (thread->looks_often && !prfdata_caller_memory_has_query(thread, question->query));
    uint32_t status = prfdata_caller_memory_reserve(thread, question);
    wchar_t *copy = NULL;
    surroundings s;

    if (status == ERROR_SUCCESS)
        status = prfdata_caller_memory_copy_query(thread, question->query, &copy);
    if (status != ERROR_SUCCESS)
        return status;

    place_buffer(thread, question);
    s = get_surroundings(thread);
    fill_room(thread, &s, question->is_inverted);
    thread->query = question->query;
    memset(result, 0, sizeof *result);
    result->bytes = question->capacity;
    result->objects = question->objects;
    result->data = thread->entry;
    result->pattern = thread->pattern + s.entry;
    call_collect(thread, copy, looks, result);
    look_for_writes(thread, &s, question->is_inverted, result);
    result->query_written = question->query && wcscmp(copy, question->query) != 0;
    return ERROR_SUCCESS;
}

/* ---- Faults ---- */

static bool is_in_page(uintptr_t address, const void *page)
{
    return address - (uintptr_t)page < PRFDATA_CALLER_PAGE_BYTES;
}

static prfdata_caller_touched find_touched(const prfdata_caller_thread *thread, uintptr_t address)
{
    const wchar_t *query = thread->query_memory;

    if (thread->phase == PRFDATA_CALLER_OPEN && thread->context_end &&
        is_in_page(address, thread->context_end))
        return PRFDATA_TOUCHED_AFTER_CONTEXT;
    if (thread->phase != PRFDATA_CALLER_COLLECT || !thread->memory)
        return PRFDATA_TOUCHED_OTHER;
    if (is_in_page(address, thread->memory - PRFDATA_CALLER_PAGE_BYTES))
        return PRFDATA_TOUCHED_BEFORE_BUFFER;
    if (is_in_page(address, thread->memory + thread->bytes))
        return PRFDATA_TOUCHED_AFTER_BUFFER;
    if (query && thread->query) {
        const size_t bytes =
            prfdata_caller_memory_round((wcslen(thread->query) + 1) * sizeof *query);

        if (is_in_page(address, (const unsigned char *)query + bytes))
            return PRFDATA_TOUCHED_AFTER_QUERY;
    }
    return PRFDATA_TOUCHED_OTHER;
}

static HMODULE module_of(const void *address)
{
    HMODULE module = NULL;

    return GetModuleHandleExW(GET_MODULE_HANDLE_EX_FLAG_FROM_ADDRESS |
                                  GET_MODULE_HANDLE_EX_FLAG_UNCHANGED_REFCOUNT,
                              address, &module)
               ? module
               : NULL;
}

/* The address range of the DLL that was unloaded last; begin 0: none. */
static struct {
    uintptr_t begin;
    uintptr_t size;
    wchar_t name[60];
} unloaded;

/* Remember the address range of a DLL before it is unloaded, because its code may still run
 * afterwards. */
static void note_unloading(HMODULE module)
{
    const IMAGE_DOS_HEADER *dos = (const void *)module;
    const IMAGE_NT_HEADERS *nt = (const void *)((const unsigned char *)module + dos->e_lfanew);
    wchar_t path[MAX_PATH];
    const wchar_t *name;

    if (GetModuleFileNameW(module, path, MAX_PATH) == 0)
        return;
    path[MAX_PATH - 1] = 0;
    name = wcsrchr(path, L'\\');
    (void)swprintf(unloaded.name, sizeof unloaded.name / sizeof unloaded.name[0], L"%.59ls",
                   name ? name + 1 : path);
    unloaded.begin = (uintptr_t)module;
    unloaded.size = nt->OptionalHeader.SizeOfImage;
}

#define MODULE_NAME_BYTES 61 /* size of a module's name in UTF-8; more is cut */

static void convert_module_name(const wchar_t *name, char text[MODULE_NAME_BYTES])
{
    prfdata_text_to_utf8(prfdata_text_from_chars((const uint16_t *)name), text, MODULE_NAME_BYTES);
}

/* Write an address as "name.dll+0x1234". */
static void name_address(const void *address, char *text, size_t capacity)
{
    wchar_t path[MAX_PATH];
    char shown[MODULE_NAME_BYTES];
    const wchar_t *name;
    HMODULE module = module_of(address);

    if (!module || GetModuleFileNameW(module, path, MAX_PATH) == 0) {
        if ((uintptr_t)address - unloaded.begin < unloaded.size) {
            convert_module_name(unloaded.name, shown);
            (void)snprintf(text, capacity, "%s+0x%lX, in code that has been unloaded", shown,
                           (unsigned long)((uintptr_t)address - unloaded.begin));
        } else {
            (void)snprintf(text, capacity, "%p, in no loaded module", address);
        }
        return;
    }
    path[MAX_PATH - 1] = 0;
    name = wcsrchr(path, L'\\');
    convert_module_name(name ? name + 1 : path, shown);
    (void)snprintf(text, capacity, "%s+0x%lX", shown,
                   (unsigned long)((uintptr_t)address - (uintptr_t)module));
}

static bool is_access(const EXCEPTION_RECORD *record)
{
    return record->ExceptionCode == EXCEPTION_ACCESS_VIOLATION && record->NumberParameters >= 2;
}

static void describe_exception(const EXCEPTION_RECORD *record, char *text, size_t capacity)
{
    char where[140];

    name_address(record->ExceptionAddress, where, sizeof where);
    if (is_access(record))
        (void)snprintf(text, capacity, "exception 0x%08X at %s: it %s address 0x%llX",
                       (unsigned)record->ExceptionCode, where,
                       record->ExceptionInformation[0] == 1 ? "wrote to" : "read",
                       (unsigned long long)record->ExceptionInformation[1]);
    else
        (void)snprintf(text, capacity, "exception 0x%08X at %s", (unsigned)record->ExceptionCode,
                       where);
}

/*
 * Notes the first fault in DllMain before the loader catches it. Later the fault is unknown,
 * because LoadLibrary only fails, and FreeLibrary reports nothing. This handler also sees faults
 * that the DLL handles itself. While the DLL is being loaded, and after FreeLibrary, every fault of
 * the thread counts. During FreeLibrary, a fault counts only if the DLL's own code caused it.
 */
static LONG CALLBACK note_load_fault(EXCEPTION_POINTERS *exception)
{
    const EXCEPTION_RECORD *record = exception->ExceptionRecord;
    const DWORD error = GetLastError();
    prfdata_caller_thread *thread = prfdata_caller_this_thread();
    /* Only exception codes of the system that mean errors have these bits. */
    const bool is_error = (record->ExceptionCode & 0xF0000000) == 0xC0000000;
    const bool is_noted =
        thread && is_error && !thread->load_fault[0] &&
        (thread->phase == PRFDATA_CALLER_LOAD || thread->phase == PRFDATA_CALLER_UNLOAD);

    if (is_noted &&
        (!thread->caller->module || module_of(record->ExceptionAddress) == thread->caller->module))
        describe_exception(record, thread->load_fault, sizeof thread->load_fault);
    SetLastError(error);
    return EXCEPTION_CONTINUE_SEARCH;
}

void prfdata_caller_explain(const prfdata_caller_thread *thread, const EXCEPTION_RECORD *record,
                            prfdata_caller_fault *fault)
{
    memset(fault, 0, sizeof *fault);
    describe_exception(record, fault->text, sizeof fault->text);
    if (!thread)
        return;
    fault->phase = (prfdata_caller_phase)thread->phase;
    if (!is_access(record))
        return;
    fault->is_write = record->ExceptionInformation[0] == 1;
    fault->touched = find_touched(thread, record->ExceptionInformation[1]);
    if (fault->touched == PRFDATA_TOUCHED_BEFORE_BUFFER ||
        fault->touched == PRFDATA_TOUCHED_AFTER_BUFFER)
        fault->offset =
            (int64_t)(intptr_t)record->ExceptionInformation[1] - (int64_t)(intptr_t)thread->entry;
}
