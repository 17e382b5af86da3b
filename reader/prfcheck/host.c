/* SPDX-License-Identifier: MIT */
#include "prfcheck/host.h"

#include <float.h>
#include <stdio.h>
#include <string.h>
#include <wchar.h>

#define PAGE_BYTES 4096u
/* The thread is looked at in every so many calls, the first included: it takes longer than most. */
#define THREAD_LOOKS 16u

static DWORD seat_index = TLS_OUT_OF_INDEXES; /* this thread's seat */
static SRWLOCK seats_lock = SRWLOCK_INIT;
static prfdata_host_seat *seats[PRFDATA_HOST_SEATS];

static LONG CALLBACK note_load_fault(EXCEPTION_POINTERS *fault);

uint32_t prfdata_host_init(void)
{
    seat_index = TlsAlloc();
    if (seat_index == TLS_OUT_OF_INDEXES)
        return GetLastError();
    return AddVectoredExceptionHandler(1, note_load_fault) ? ERROR_SUCCESS
                                                           : ERROR_NOT_ENOUGH_MEMORY;
}

/* ---- Memory ---- */

static size_t to_pages(size_t bytes)
{
    return (bytes + PAGE_BYTES - 1) / PAGE_BYTES * PAGE_BYTES;
}

/* `bytes`, whole pages, between two inaccessible pages. */
static unsigned char *make_pages(size_t bytes)
{
    unsigned char *memory = VirtualAlloc(NULL, bytes + 2 * PAGE_BYTES, MEM_RESERVE, PAGE_NOACCESS);

    if (memory && !VirtualAlloc(memory + PAGE_BYTES, bytes, MEM_COMMIT, PAGE_READWRITE)) {
        VirtualFree(memory, 0, MEM_RELEASE);
        memory = NULL;
    }
    return memory ? memory + PAGE_BYTES : NULL;
}

static void free_pages(void *bytes)
{
    if (bytes)
        VirtualFree((unsigned char *)bytes - PAGE_BYTES, 0, MEM_RELEASE);
}

/* No two neighbours are equal, so that a copy of guard bytes by one place shows too. */
static void fill_pattern(unsigned char *bytes, size_t size)
{
    for (size_t i = 0; i < size; i++)
        bytes[i] = (unsigned char)(0xA5 ^ (i * 7 + i / 251));
}

/* Have memory for `capacity` bytes and the guards; it is all pattern then. */
static uint32_t make_room(prfdata_host_seat *seat, uint32_t capacity)
{
    const size_t bytes = to_pages((size_t)capacity + 2 * PRFDATA_HOST_GUARD_BYTES + 8);

    if (bytes <= seat->bytes)
        return ERROR_SUCCESS;
    free_pages(seat->memory);
    free_pages(seat->pattern);
    seat->bytes = 0;
    seat->memory = make_pages(bytes);
    seat->pattern = make_pages(bytes);
    if (!seat->memory || !seat->pattern)
        return ERROR_NOT_ENOUGH_MEMORY;
    fill_pattern(seat->memory, bytes);
    fill_pattern(seat->pattern, bytes);
    seat->bytes = bytes;
    return ERROR_SUCCESS;
}

/* Copy the query so that its NUL is the last thing before an inaccessible page. */
static uint32_t copy_query(prfdata_host_seat *seat, const wchar_t *query, wchar_t **copy)
{
    size_t size;
    unsigned char *pages;

    *copy = NULL;
    if (!query)
        return ERROR_SUCCESS;
    if (seat->query_copy && wcscmp(seat->query_copy, query) == 0) {
        *copy = seat->query_copy;
        return ERROR_SUCCESS;
    }
    size = (wcslen(query) + 1) * sizeof *query;
    pages = make_pages(to_pages(size));
    if (!pages)
        return ERROR_NOT_ENOUGH_MEMORY;
    *copy = (wchar_t *)(void *)(pages + to_pages(size) - size);
    memcpy(*copy, query, size);
    free_pages(seat->query_memory);
    seat->query_memory = (wchar_t *)(void *)pages;
    seat->query_copy = *copy;
    return ERROR_SUCCESS;
}

/* ---- Seats ---- */

static bool change_seat(const prfdata_host_seat *from, prfdata_host_seat *to)
{
    bool done = false;

    AcquireSRWLockExclusive(&seats_lock);
    for (size_t i = 0; !done && i < PRFDATA_HOST_SEATS; i++) {
        done = seats[i] == from;
        if (done)
            seats[i] = to;
    }
    ReleaseSRWLockExclusive(&seats_lock);
    return done;
}

uint32_t prfdata_host_sit(prfdata_host *host, prfdata_host_seat *seat)
{
    memset(seat, 0, sizeof *seat);
    seat->host = host;
    prfdata_findings_init(&seat->findings);
    if (!TlsSetValue(seat_index, seat))
        return GetLastError();
    return change_seat(NULL, seat) ? ERROR_SUCCESS : ERROR_NOT_ENOUGH_MEMORY;
}

void prfdata_host_leave(prfdata_host_seat *seat)
{
    prfdata_host_flush(seat);
    (void)change_seat(seat, NULL);
    TlsSetValue(seat_index, NULL);
    free_pages(seat->memory);
    free_pages(seat->pattern);
    free_pages(seat->query_memory);
    seat->memory = NULL;
    seat->pattern = NULL;
    seat->query_memory = NULL;
    seat->query_copy = NULL;
}

void prfdata_host_flush(prfdata_host_seat *seat)
{
    prfdata_findings *findings = &seat->findings;

    for (size_t i = 0; i < findings->count; i++) {
        const prfdata_rule rule = findings->items[i].rule;
        bool is_last = true;

        for (size_t k = i + 1; k < findings->count; k++)
            is_last = is_last && findings->items[k].rule != rule;
        /* The last one of its rule brings those along that were not kept. */
        seat->host->tell(seat->host->context, seat, &findings->items[i],
                         is_last && findings->totals[rule] > PRFDATA_FINDINGS_KEPT
                             ? findings->totals[rule] - PRFDATA_FINDINGS_KEPT + 1
                             : 1);
    }
    seat->found += prfdata_findings_total(findings);
    prfdata_findings_init(findings);
}

/* ---- Phases ---- */

static void begin(prfdata_host_seat *seat, prfdata_host_phase phase)
{
    InterlockedExchange(&seat->since_ms, (LONG)GetTickCount());
    InterlockedExchange(&seat->phase, (LONG)phase);
}

/* Returns how many milliseconds it took. */
static uint32_t end(prfdata_host_seat *seat)
{
    const uint32_t took_ms = (uint32_t)GetTickCount() - (uint32_t)seat->since_ms;

    InterlockedExchange(&seat->phase, PRFDATA_PHASE_IDLE);
    return took_ms;
}

static void judge_time(prfdata_host_seat *seat, prfdata_rule rule, uint32_t took_ms,
                       uint32_t limit_ms)
{
    if (took_ms > limit_ms)
        prfdata_findings_add(&seat->findings, rule, PRFDATA_NO_OFFSET,
                             "it took %u ms, the limit is %u ms", (unsigned)took_ms,
                             (unsigned)limit_ms);
}

static prfdata_rule time_rule(prfdata_host_phase phase)
{
    switch (phase) {
    case PRFDATA_PHASE_OPEN:
        return PRFDATA_RULE_OPEN_TIME;
    case PRFDATA_PHASE_COLLECT:
        return PRFDATA_RULE_COLLECT_TIME;
    case PRFDATA_PHASE_CLOSE:
        return PRFDATA_RULE_CLOSE_TIME;
    default:
        return PRFDATA_RULE_LOAD_TIME;
    }
}

static uint32_t limit_of(const prfdata_host_seat *seat, prfdata_host_phase phase)
{
    return phase == PRFDATA_PHASE_COLLECT || phase == PRFDATA_PHASE_CLOSE
               ? seat->host->target->collect_limit_ms
               : seat->host->target->open_limit_ms;
}

static bool is_overdue(const prfdata_host_seat *seat, prfdata_finding *finding)
{
    const prfdata_host_phase phase = (prfdata_host_phase)seat->phase;
    const uint32_t lasted_ms = (uint32_t)GetTickCount() - (uint32_t)seat->since_ms;

    /* The phase again: what had ended meanwhile would be a mixture. */
    if (phase == PRFDATA_PHASE_IDLE || lasted_ms < 2 * limit_of(seat, phase) ||
        seat->phase != (LONG)phase)
        return false;
    finding->rule = time_rule(phase);
    finding->offset = PRFDATA_NO_OFFSET;
    (void)snprintf(finding->text, sizeof finding->text,
                   "it did not return in %u ms, twice the limit", (unsigned)lasted_ms);
    return true;
}

const prfdata_host_seat *prfdata_host_overdue(prfdata_finding *finding)
{
    const prfdata_host_seat *overdue = NULL;

    AcquireSRWLockExclusive(&seats_lock);
    for (size_t i = 0; !overdue && i < PRFDATA_HOST_SEATS; i++) {
        if (seats[i] && is_overdue(seats[i], finding))
            overdue = seats[i];
    }
    ReleaseSRWLockExclusive(&seats_lock);
    return overdue;
}

/* ---- Load, Open, Close ---- */

static void tell_load_fault(prfdata_host_seat *seat)
{
    prfdata_findings_add(&seat->findings, PRFDATA_RULE_LOAD_CRASH, PRFDATA_NO_OFFSET, "%s",
                         seat->load_fault);
}

static void find_export(prfdata_host_seat *seat, const char *name, prfdata_rule rule,
                        void *function, size_t size)
{
    FARPROC found = GetProcAddress(seat->host->module, name);

    memcpy(function, &found, size);
    if (!found)
        prfdata_findings_add(&seat->findings, rule, PRFDATA_NO_OFFSET,
                             "the library exports no function %.100s (error %u)", name,
                             (unsigned)GetLastError());
}

uint32_t prfdata_host_load(prfdata_host_seat *seat)
{
    prfdata_host *host = seat->host;
    const prfdata_target *target = host->target;
    DWORD error;

    seat->load_fault[0] = '\0';
    begin(seat, PRFDATA_PHASE_LOAD);
    host->module = LoadLibraryExW(target->library, NULL,
                                  target->is_relative ? 0 : LOAD_WITH_ALTERED_SEARCH_PATH);
    error = GetLastError();
    (void)end(seat);
    if (!host->module) {
        if (seat->load_fault[0])
            tell_load_fault(seat);
        else
            prfdata_findings_add(&seat->findings, PRFDATA_RULE_LOAD, PRFDATA_NO_OFFSET,
                                 "the library could not be loaded: error %u%s", (unsigned)error,
                                 error == ERROR_BAD_EXE_FORMAT
                                     ? " (no DLL for this architecture: events 1021 and 1022)"
                                     : "");
        prfdata_host_flush(seat);
        return error;
    }
    find_export(seat, target->open, PRFDATA_RULE_OPEN_EXPORT, &host->open, sizeof host->open);
    find_export(seat, target->collect, PRFDATA_RULE_COLLECT_EXPORT, &host->collect,
                sizeof host->collect);
    find_export(seat, target->close, PRFDATA_RULE_CLOSE_EXPORT, &host->close, sizeof host->close);
    prfdata_host_flush(seat);
    return host->open && host->collect && host->close ? ERROR_SUCCESS : ERROR_PROC_NOT_FOUND;
}

/* ---- What a library leaves behind ---- */

/* An exception that means nothing; of the kind that programs define. */
#define TRIAL_CODE 0x60505246u

static DWORD trial_thread; /* that raised it, or 0 */

/* Before all others: what faults now is a handler whose code is gone. It would fault for ever. */
static LONG CALLBACK explain_trial(EXCEPTION_POINTERS *fault)
{
    if (GetCurrentThreadId() != trial_thread || fault->ExceptionRecord->ExceptionCode == TRIAL_CODE)
        return EXCEPTION_CONTINUE_SEARCH;
    return UnhandledExceptionFilter(fault);
}

/* Behind all others. */
static LONG CALLBACK end_trial(EXCEPTION_POINTERS *fault)
{
    return fault->ExceptionRecord->ExceptionCode == TRIAL_CODE ? EXCEPTION_CONTINUE_EXECUTION
                                                               : EXCEPTION_CONTINUE_SEARCH;
}

/* Call all handlers of exceptions that there are: as any program does sooner or later. */
static void try_handlers(void)
{
    void *last = AddVectoredExceptionHandler(0, end_trial);
    void *first = last ? AddVectoredExceptionHandler(1, explain_trial) : NULL;

    if (first) {
        trial_thread = GetCurrentThreadId();
        RaiseException(TRIAL_CODE, 0, 0, NULL);
        trial_thread = 0;
        RemoveVectoredExceptionHandler(first);
    }
    if (last)
        RemoveVectoredExceptionHandler(last);
}

void prfdata_host_unload(prfdata_host_seat *seat)
{
    seat->load_fault[0] = '\0';
    begin(seat, PRFDATA_PHASE_LOAD);
    if (seat->host->module)
        FreeLibrary(seat->host->module);
    seat->host->module = NULL;
    try_handlers();
    (void)end(seat);
    if (seat->load_fault[0])
        tell_load_fault(seat);
    prfdata_host_flush(seat);
}

uint32_t prfdata_host_call_open(prfdata_host_seat *seat)
{
    const prfdata_target *target = seat->host->target;
    wchar_t context[1024]; /* it is not constant */
    uint32_t took_ms;
    DWORD status;

    memcpy(context, target->context, sizeof context);
    begin(seat, PRFDATA_PHASE_OPEN);
    status = seat->host->open(target->has_context ? context : NULL);
    took_ms = end(seat);
    judge_time(seat, PRFDATA_RULE_OPEN_TIME, took_ms, target->open_limit_ms);
    if (status != ERROR_SUCCESS)
        prfdata_findings_add(&seat->findings, PRFDATA_RULE_OPEN_STATUS, PRFDATA_NO_OFFSET,
                             "Open returned %u", (unsigned)status);
    prfdata_host_flush(seat);
    return status;
}

uint32_t prfdata_host_call_close(prfdata_host_seat *seat)
{
    uint32_t took_ms;
    DWORD status;

    begin(seat, PRFDATA_PHASE_CLOSE);
    status = seat->host->close();
    took_ms = end(seat);
    judge_time(seat, PRFDATA_RULE_CLOSE_TIME, took_ms, seat->host->target->collect_limit_ms);
    if (status != ERROR_SUCCESS)
        prfdata_findings_add(&seat->findings, PRFDATA_RULE_CLOSE_STATUS, PRFDATA_NO_OFFSET,
                             "Close returned %u", (unsigned)status);
    prfdata_host_flush(seat);
    return status;
}

/* ---- Collect ---- */

/* What a provider borrows from the thread that calls it. */
typedef struct thread_state {
    int priority;
    bool has_token;
    unsigned floating;
} thread_state;

static thread_state get_thread_state(void)
{
    thread_state state;
    HANDLE token;

    state.priority = GetThreadPriority(GetCurrentThread());
    state.floating = _controlfp(0, 0);
    state.has_token = OpenThreadToken(GetCurrentThread(), TOKEN_QUERY, TRUE, &token) != FALSE;
    if (state.has_token)
        CloseHandle(token);
    return state;
}

static void judge_thread_state(prfdata_host_seat *seat, const thread_state *before)
{
    const thread_state after = get_thread_state();

    if (after.priority != before->priority)
        prfdata_findings_add(&seat->findings, PRFDATA_RULE_THREAD_STATE, PRFDATA_NO_OFFSET,
                             "Collect changed the thread's priority from %d to %d",
                             before->priority, after.priority);
    if (after.floating != before->floating)
        prfdata_findings_add(&seat->findings, PRFDATA_RULE_THREAD_STATE, PRFDATA_NO_OFFSET,
                             "Collect changed the floating-point control word from 0x%X to 0x%X",
                             before->floating, after.floating);
    if (after.has_token != before->has_token)
        prfdata_findings_add(&seat->findings, PRFDATA_RULE_THREAD_STATE, PRFDATA_NO_OFFSET,
                             "Collect changed whom the thread impersonates");
}

/* The bytes around [entry, entry + capacity) that are guarded, and what they should be. */
typedef struct surroundings {
    size_t begin; /* in the seat's memory */
    size_t entry;
    size_t behind;
    size_t end;
} surroundings;

static surroundings surround(const prfdata_host_seat *seat)
{
    surroundings s;

    s.entry = (size_t)(seat->entry - seat->memory);
    s.behind = s.entry + seat->capacity;
    s.begin = s.entry > PRFDATA_HOST_GUARD_BYTES ? s.entry - PRFDATA_HOST_GUARD_BYTES : 0;
    s.end = seat->bytes - s.behind > PRFDATA_HOST_GUARD_BYTES ? s.behind + PRFDATA_HOST_GUARD_BYTES
                                                              : seat->bytes;
    return s;
}

/* The first byte from `begin` to before `end` that is no longer pattern; `end`: none. */
static size_t first_changed(const prfdata_host_seat *seat, size_t first, size_t last)
{
    if (memcmp(seat->memory + first, seat->pattern + first, last - first) == 0)
        return last;
    while (seat->memory[first] == seat->pattern[first])
        first++;
    return first;
}

static void judge_surroundings(prfdata_host_seat *seat, const surroundings *s)
{
    const size_t before = first_changed(seat, s->begin, s->entry);
    const size_t after = first_changed(seat, s->behind, s->end);

    if (before != s->entry)
        prfdata_findings_add(&seat->findings, PRFDATA_RULE_WRITE_BEFORE, PRFDATA_NO_OFFSET,
                             "byte -%u of the buffer was written", (unsigned)(s->entry - before));
    if (after != s->end)
        prfdata_findings_add(&seat->findings, PRFDATA_RULE_WRITE_AFTER, after - s->entry,
                             "a byte behind the buffer of %u bytes was written",
                             (unsigned)seat->capacity);
}

static void judge_more_data(prfdata_host_seat *seat, const surroundings *s, int64_t moved,
                            uint32_t bytes, uint32_t objects)
{
    const size_t changed = first_changed(seat, s->entry, s->behind);

    if (moved != 0 || bytes != 0 || objects != 0)
        prfdata_findings_add(&seat->findings, PRFDATA_RULE_MORE_OUTPUTS, PRFDATA_NO_OFFSET,
                             "ERROR_MORE_DATA, the pointer moved by %ld, bytes are %u, objects %u",
                             (long)moved, (unsigned)bytes, (unsigned)objects);
    if (changed != s->behind)
        prfdata_findings_add(&seat->findings, PRFDATA_RULE_MORE_WROTE, changed - s->entry,
                             "ERROR_MORE_DATA, and the buffer was written");
}

/* Returns whether there is a reply in the buffer. */
static bool judge_success(prfdata_host_seat *seat, int64_t moved, uint32_t bytes)
{
    if (moved < -(int64_t)PRFDATA_HOST_GUARD_BYTES ||
        moved > (int64_t)seat->capacity + PRFDATA_HOST_GUARD_BYTES) {
        prfdata_findings_add(&seat->findings, PRFDATA_RULE_POINTER_BEYOND, PRFDATA_NO_OFFSET,
                             "the pointer came back outside of the buffer and its guards");
        return false;
    }
    if (bytes > seat->capacity) {
        prfdata_findings_add(&seat->findings, PRFDATA_RULE_SIZE_OVER, PRFDATA_NO_OFFSET,
                             "Collect returned %u bytes in a buffer of %u", (unsigned)bytes,
                             (unsigned)seat->capacity);
        return false;
    }
    if (moved != (int64_t)bytes)
        prfdata_findings_add(&seat->findings, PRFDATA_RULE_POINTER_LENGTH, PRFDATA_NO_OFFSET,
                             "the pointer moved by %ld, the returned bytes are %u", (long)moved,
                             (unsigned)bytes);
    if (bytes % 8 != 0)
        prfdata_findings_add(&seat->findings, PRFDATA_RULE_LENGTH_MULTIPLE, PRFDATA_NO_OFFSET,
                             "Collect returned %u bytes, no multiple of 8", (unsigned)bytes);
    return true;
}

static void place(prfdata_host_seat *seat, uint32_t capacity, prfdata_host_place where,
                  uint32_t shift)
{
    seat->capacity = capacity;
    if (where == PRFDATA_PLACE_PAGE_AFTER)
        seat->entry = seat->memory + seat->bytes - capacity;
    else if (where == PRFDATA_PLACE_PAGE_BEFORE)
        seat->entry = seat->memory + shift;
    else
        seat->entry = seat->memory + PRFDATA_HOST_GUARD_BYTES + shift;
}

static void count_call(prfdata_host_seat *seat, const LARGE_INTEGER *before)
{
    LARGE_INTEGER after;
    LARGE_INTEGER frequency;
    int64_t us;

    QueryPerformanceCounter(&after);
    QueryPerformanceFrequency(&frequency);
    us = (after.QuadPart - before->QuadPart) * 1000000 / frequency.QuadPart;
    if (us > (int64_t)seat->slowest_us)
        seat->slowest_us = us < UINT32_MAX ? (uint32_t)us : UINT32_MAX;
    seat->calls++;
}

uint32_t prfdata_host_call_collect(prfdata_host_seat *seat, const wchar_t *query, uint32_t capacity,
                                   prfdata_host_place where, uint32_t shift,
                                   prfdata_host_answer *answer)
{
    DWORD bytes = capacity;
    DWORD objects = 0xCDCDCDCD; /* garbage, as documented */
    const bool looks_at_thread = seat->calls % THREAD_LOOKS == 0;
    thread_state before = {0, false, 0};
    LARGE_INTEGER started;
    wchar_t *copy;
    surroundings s;
    uint32_t took_ms;
    bool is_reply = false;
    void *data;
    int64_t moved;

    memset(answer, 0, sizeof *answer);
    answer->status = make_room(seat, capacity);
    if (answer->status == ERROR_SUCCESS)
        answer->status = copy_query(seat, query, &copy);
    if (answer->status != ERROR_SUCCESS)
        return answer->status;

    place(seat, capacity, where, shift);
    s = surround(seat);
    memcpy(seat->memory + s.begin, seat->pattern + s.begin, s.end - s.begin);
    seat->query = query;
    data = seat->entry;
    if (looks_at_thread)
        before = get_thread_state();
    QueryPerformanceCounter(&started);
    begin(seat, PRFDATA_PHASE_COLLECT);
    answer->status = seat->host->collect(copy, &data, &bytes, &objects);
    took_ms = end(seat);
    count_call(seat, &started);
    if (looks_at_thread)
        judge_thread_state(seat, &before);
    judge_time(seat, PRFDATA_RULE_COLLECT_TIME, took_ms, seat->host->target->collect_limit_ms);
    judge_surroundings(seat, &s);
    if (query && wcscmp(copy, query) != 0)
        prfdata_findings_add(&seat->findings, PRFDATA_RULE_QUERY_WRITTEN, PRFDATA_NO_OFFSET,
                             "Collect changed the text of the query");

    moved = (int64_t)(intptr_t)data - (int64_t)(intptr_t)seat->entry;
    if (answer->status == ERROR_MORE_DATA)
        judge_more_data(seat, &s, moved, bytes, objects);
    else if (answer->status == ERROR_SUCCESS)
        is_reply = judge_success(seat, moved, bytes);
    else
        prfdata_findings_add(&seat->findings, PRFDATA_RULE_COLLECT_STATUS, PRFDATA_NO_OFFSET,
                             "Collect returned %u", (unsigned)answer->status);
    prfdata_host_flush(seat);
    if (answer->status != ERROR_SUCCESS)
        return answer->status;
    if (!is_reply)
        return ERROR_INVALID_DATA;
    answer->reply.bytes = seat->entry;
    answer->reply.size = bytes;
    answer->reply.object_count = objects;
    return ERROR_SUCCESS;
}

/* ---- Faults ---- */

static prfdata_rule crash_rule(const prfdata_host_seat *seat)
{
    const bool outside = seat->host->outside_contract;

    switch ((prfdata_host_phase)seat->phase) {
    case PRFDATA_PHASE_OPEN:
        return PRFDATA_RULE_OPEN_CRASH;
    case PRFDATA_PHASE_COLLECT:
        return outside ? PRFDATA_RULE_CLOSED_CRASH : PRFDATA_RULE_COLLECT_CRASH;
    case PRFDATA_PHASE_CLOSE:
        return outside ? PRFDATA_RULE_CLOSED_CRASH : PRFDATA_RULE_CLOSE_CRASH;
    default:
        return PRFDATA_RULE_LOAD_CRASH;
    }
}

static bool is_in_page(uintptr_t address, const void *page)
{
    return address - (uintptr_t)page < PAGE_BYTES;
}

/* Which inaccessible page was touched; PRFDATA_RULE_COUNT: none of ours. */
static prfdata_rule page_rule(const prfdata_host_seat *seat, bool is_write, uintptr_t address)
{
    const wchar_t *query = seat->query_memory;

    if (seat->phase != PRFDATA_PHASE_COLLECT || !seat->memory)
        return PRFDATA_RULE_COUNT;
    if (is_in_page(address, seat->memory - PAGE_BYTES))
        return is_write ? PRFDATA_RULE_WRITE_BEFORE : PRFDATA_RULE_READ_OUTSIDE;
    if (is_in_page(address, seat->memory + seat->bytes))
        return is_write ? PRFDATA_RULE_WRITE_AFTER : PRFDATA_RULE_READ_OUTSIDE;
    if (query && seat->query) {
        const size_t bytes = to_pages((wcslen(seat->query) + 1) * sizeof *query);

        if (is_in_page(address, (const unsigned char *)query + bytes))
            return PRFDATA_RULE_QUERY_OVERREAD;
    }
    return PRFDATA_RULE_COUNT;
}

/* The module that the address is in; NULL: none. */
static HMODULE module_of(const void *address)
{
    HMODULE module = NULL;

    return GetModuleHandleExW(GET_MODULE_HANDLE_EX_FLAG_FROM_ADDRESS |
                                  GET_MODULE_HANDLE_EX_FLAG_UNCHANGED_REFCOUNT,
                              address, &module)
               ? module
               : NULL;
}

/* "name.dll+0x1234" */
static void name_address(const void *address, char *text, size_t capacity)
{
    wchar_t path[MAX_PATH];
    const wchar_t *name;
    HMODULE module = module_of(address);

    if (!module || GetModuleFileNameW(module, path, MAX_PATH) == 0) {
        (void)snprintf(text, capacity, "%p", address);
        return;
    }
    path[MAX_PATH - 1] = 0;
    name = wcsrchr(path, L'\\');
    (void)snprintf(text, capacity, "%.60ls+0x%lX", name ? name + 1 : path,
                   (unsigned long)((uintptr_t)address - (uintptr_t)module));
}

static bool is_access(const EXCEPTION_RECORD *record)
{
    return record->ExceptionCode == EXCEPTION_ACCESS_VIOLATION && record->NumberParameters >= 2;
}

static void describe(const EXCEPTION_RECORD *record, char *text, size_t capacity)
{
    char where[100];

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
 * The loader handles what DllMain does not: LoadLibrary fails, FreeLibrary says nothing. So this
 * one listens first. What a library handles itself is seen, too: while it loads that counts only if
 * loading fails; while it unloads, only faults of its own code count.
 */
static LONG CALLBACK note_load_fault(EXCEPTION_POINTERS *fault)
{
    const EXCEPTION_RECORD *record = fault->ExceptionRecord;
    const DWORD error = GetLastError();
    prfdata_host_seat *seat = TlsGetValue(seat_index);
    const bool is_error = (record->ExceptionCode & 0xF0000000) == 0xC0000000; /* the system's */

    if (seat && seat->phase == PRFDATA_PHASE_LOAD && is_error && !seat->load_fault[0] &&
        (!seat->host->module || module_of(record->ExceptionAddress) == seat->host->module))
        describe(record, seat->load_fault, sizeof seat->load_fault);
    SetLastError(error);
    return EXCEPTION_CONTINUE_SEARCH;
}

const prfdata_host_seat *prfdata_host_explain(const EXCEPTION_RECORD *record,
                                              prfdata_finding *finding)
{
    const prfdata_host_seat *seat = TlsGetValue(seat_index);

    finding->offset = PRFDATA_NO_OFFSET;
    finding->rule = PRFDATA_RULE_COLLECT_CRASH;
    if (seat && seat->phase != PRFDATA_PHASE_IDLE) {
        prfdata_rule rule = PRFDATA_RULE_COUNT;

        if (is_access(record))
            rule = page_rule(seat, record->ExceptionInformation[0] == 1,
                             record->ExceptionInformation[1]);
        if (rule != PRFDATA_RULE_COUNT && seat->entry &&
            record->ExceptionInformation[1] >= (uintptr_t)seat->entry &&
            rule != PRFDATA_RULE_QUERY_OVERREAD)
            finding->offset = record->ExceptionInformation[1] - (uintptr_t)seat->entry;
        finding->rule = rule != PRFDATA_RULE_COUNT ? rule : crash_rule(seat);
    }
    describe(record, finding->text, sizeof finding->text);
    return seat;
}
