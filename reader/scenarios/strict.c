/* SPDX-License-Identifier: MIT */
/*
 * Checks the rules about calls and makes findings from what the calls do (strict.h). The files
 * validate_*.c check the rules about replies.
 */
#include "scenarios/strict.h"

#include <stdio.h>
#include <string.h>
#include <wchar.h>

#include "scenarios/import_watch.h"

/* A call counts as hung if it takes longer than this many times its limit. */
#define OVERDUE_TIMES 2u
/* A Collect that takes longer than this is long, because readers ask once a second. */
#define LONG_MS       1000u
#define LONG_COLLECTS 3u  /* the fewest long Collects for a finding */
#define LONG_SHARE    10u /* for a finding, at least one in this many Collects must be long */

/* ---- Threads ---- */

uint32_t prfdata_strict_join(prfdata_strict *strict, prfdata_strict_thread *thread)
{
    thread->strict = strict;
    thread->found = 0;
    thread->reply_bytes = 0;
    thread->long_collects = 0;
    thread->is_long_noted = false;
    prfdata_findings_init(&thread->findings);
    return prfdata_caller_join(&strict->caller, &thread->thread);
}

void prfdata_strict_leave(prfdata_strict_thread *thread)
{
    prfdata_strict_flush(thread);
    prfdata_caller_leave(&thread->thread);
}

void prfdata_strict_flush(prfdata_strict_thread *thread)
{
    prfdata_findings *findings = &thread->findings;

    for (size_t i = 0; i < findings->count; i++) {
        const prfdata_rule rule = findings->items[i].rule;
        uint64_t kept = 1;
        bool is_last = true;

        for (size_t k = 0; k < findings->count; k++) {
            kept += k != i && findings->items[k].rule == rule;
            is_last = is_last && (k <= i || findings->items[k].rule != rule);
        }
        /* The last finding of a rule stands for the others that were not kept. */
        thread->strict->sink(thread->strict->context, thread, &findings->items[i],
                             is_last ? findings->totals[rule] - kept + 1 : 1);
    }
    thread->found += prfdata_findings_total(findings) -
                     findings->totals[PRFDATA_RULE_THREAD_STATE] -
                     findings->totals[PRFDATA_RULE_PROCESS_STATE];
    prfdata_findings_init(findings);
}

/* ---- Time ---- */

static prfdata_rule time_rule(prfdata_caller_phase phase)
{
    switch (phase) {
    case PRFDATA_CALLER_OPEN:
        return PRFDATA_RULE_OPEN_TIME;
    case PRFDATA_CALLER_COLLECT:
        return PRFDATA_RULE_COLLECT_TIME;
    case PRFDATA_CALLER_CLOSE:
        return PRFDATA_RULE_CLOSE_TIME;
    default:
        return PRFDATA_RULE_LOAD_TIME;
    }
}

/*
 * Reports long Collects only if there are several, because the system may cause a few when it is
 * busy or reads the library's pages.
 */
static void validate_long_collect(prfdata_strict_thread *thread, uint32_t took_ms)
{
    if (took_ms <= LONG_MS)
        return;
    thread->long_collects++;
    if (!thread->is_long_noted && thread->long_collects >= LONG_COLLECTS &&
        thread->long_collects * LONG_SHARE >= thread->thread.calls) {
        thread->is_long_noted = true;
        prfdata_findings_add(&thread->findings, PRFDATA_RULE_COLLECT_LONG, PRFDATA_NO_OFFSET,
                             "Collect took %u ms, and as long in other calls before",
                             (unsigned)took_ms);
    }
}

static void validate_time(prfdata_strict_thread *thread, prfdata_caller_phase phase,
                          uint32_t took_ms)
{
    const uint32_t limit_ms = prfdata_caller_limit_ms(&thread->strict->caller, phase);

    if (took_ms > limit_ms)
        prfdata_findings_add(&thread->findings, time_rule(phase), PRFDATA_NO_OFFSET,
                             "the call took %u ms, but its limit is %u ms", (unsigned)took_ms,
                             (unsigned)limit_ms);
}

const prfdata_strict_thread *prfdata_strict_overdue(prfdata_findings_item *finding)
{
    prfdata_caller_phase phase = PRFDATA_CALLER_IDLE;
    uint32_t lasted_ms = 0;
    const prfdata_caller_thread *overdue =
        prfdata_caller_overdue(OVERDUE_TIMES, &phase, &lasted_ms);

    if (!overdue)
        return NULL;
    finding->rule = time_rule(phase);
    finding->offset = PRFDATA_NO_OFFSET;
    (void)snprintf(finding->text, sizeof finding->text,
                   "it did not return in %u ms, twice the limit", (unsigned)lasted_ms);
    return (const prfdata_strict_thread *)overdue;
}

/* ---- What a call must leave as it was ---- */

static void add_state_finding(prfdata_strict_thread *thread, prfdata_rule rule, const char *who,
                              const char *what)
{
    prfdata_findings_add(&thread->findings, rule, PRFDATA_NO_OFFSET, "%s changed %s", who, what);
}

static void validate_control_word(prfdata_strict_thread *thread, const char *who, const char *name,
                                  uint32_t before, uint32_t after)
{
    if (after != before)
        prfdata_findings_add(&thread->findings, PRFDATA_RULE_THREAD_STATE, PRFDATA_NO_OFFSET,
                             "%s changed the control word of %s from 0x%X to 0x%X", who, name,
                             (unsigned)before, (unsigned)after);
}

static void validate_error_mode(prfdata_strict_thread *thread, prfdata_rule rule, const char *who,
                                const char *whose, uint32_t before, uint32_t after)
{
    if (after != before)
        prfdata_findings_add(&thread->findings, rule, PRFDATA_NO_OFFSET,
                             "%s changed the error mode of the %s from 0x%X to 0x%X", who, whose,
                             (unsigned)before, (unsigned)after);
}

/*
 * Check the filter of unhandled exceptions and the error modes. Loading and unloading are not
 * checked, because the C libraries of some compilers change the filter and the modes while they are
 * being loaded.
 */
static void validate_modes(prfdata_strict_thread *thread, const char *who,
                           const prfdata_caller_state *before, const prfdata_caller_state *after)
{
    if (!after->has_filter)
        add_state_finding(thread, PRFDATA_RULE_PROCESS_STATE, who,
                          "the filter of unhandled exceptions");
    validate_error_mode(thread, PRFDATA_RULE_PROCESS_STATE, who, "process",
                        before->process_error_mode, after->process_error_mode);
    validate_error_mode(thread, PRFDATA_RULE_THREAD_STATE, who, "thread", before->thread_error_mode,
                        after->thread_error_mode);
}

static void validate_watched(prfdata_strict_thread *thread, const char *who,
                             const prfdata_watched_values *before,
                             const prfdata_watched_values *after)
{
    for (int i = 0; i < PRFDATA_WATCHED_COUNT; i++) {
        const prfdata_watched watched = (prfdata_watched)i;

        if (after->of[i] != before->of[i])
            add_state_finding(thread,
                              prfdata_watched_is_of_thread(watched) ? PRFDATA_RULE_THREAD_STATE
                                                                    : PRFDATA_RULE_PROCESS_STATE,
                              who, prfdata_watched_name(watched));
    }
}

/* Reports two mistakes that only calls of the library's imports show: closing a handle that is not
 * open, and setting the default DLL directories. */
static void validate_imports(prfdata_strict_thread *thread, const char *who)
{
    const unsigned closed = prfdata_import_watch_take(PRFDATA_IMPORT_BAD_CLOSE);
    const unsigned set = prfdata_import_watch_take(PRFDATA_IMPORT_DIRECTORIES);

    if (closed > 0)
        prfdata_findings_add(&thread->findings, PRFDATA_RULE_HANDLE_CLOSED, PRFDATA_NO_OFFSET,
                             "%s closed handles that were not open: %u", who, closed);
    if (set > 0)
        add_state_finding(thread, PRFDATA_RULE_PROCESS_STATE, who,
                          "the directories of SetDefaultDllDirectories");
}

/* Report what a call has changed in the states of the thread and the process. `caller` is the name
 * of the call; NULL: loading or unloading. */
static void validate_states(prfdata_strict_thread *thread, const char *caller)
{
    const bool is_loading = !caller;
    const char *who = is_loading ? "loading or unloading" : caller;
    const prfdata_caller_states *states = &thread->thread.states;
    const prfdata_caller_state *before = &states->before;
    const prfdata_caller_state *after = &states->after;

    validate_imports(thread, who);
    if (states->is_backwards)
        add_state_finding(thread, PRFDATA_RULE_THREAD_STATE, who, "the direction flag to set");
    if (!states->are_known)
        return;
    if (after->priority != before->priority)
        prfdata_findings_add(&thread->findings, PRFDATA_RULE_THREAD_STATE, PRFDATA_NO_OFFSET,
                             "%s changed the thread's priority from %d to %d", who,
                             before->priority, after->priority);
    validate_control_word(thread, who, "x87", before->processor.x87, after->processor.x87);
    validate_control_word(thread, who, "SSE", before->processor.sse, after->processor.sse);
    if (!is_loading)
        validate_modes(thread, who, before, after);
    validate_watched(thread, who, &before->watched, &after->watched);
}

/* ---- Load, Open, Close ---- */

static void validate_load_fault(prfdata_strict_thread *thread)
{
    if (thread->thread.load_fault[0])
        prfdata_findings_add(&thread->findings, PRFDATA_RULE_LOAD_CRASH, PRFDATA_NO_OFFSET, "%s",
                             thread->thread.load_fault);
}

static void validate_export(prfdata_strict_thread *thread, bool is_there, const char *name,
                            prfdata_rule rule)
{
    if (!is_there)
        prfdata_findings_add(&thread->findings, rule, PRFDATA_NO_OFFSET,
                             "the library exports no function %.100s (error %u)", name,
                             (unsigned)ERROR_PROC_NOT_FOUND);
}

/* Returns whether Windows finds a DLL with this name when a DLL in `folder` imports it. */
static bool is_found(const char *name, const wchar_t *folder)
{
    wchar_t path[MAX_PATH + 128];
    wchar_t wide[128];
    HMODULE module;

    (void)swprintf(wide, 128, L"%.127hs", name);
    module = LoadLibraryExW(wide, NULL, LOAD_LIBRARY_AS_DATAFILE);
    if (!module) {
        (void)swprintf(path, sizeof path / sizeof path[0], L"%.250ls%ls", folder, wide);
        module = LoadLibraryExW(path, NULL, LOAD_LIBRARY_AS_DATAFILE);
    }
    if (module)
        FreeLibrary(module);
    return module != NULL;
}

static const char *find_missing_import(HMODULE module, const wchar_t *library)
{
    const unsigned char *image = (const unsigned char *)module;
    const IMAGE_NT_HEADERS *nt =
        (const void *)(image + ((const IMAGE_DOS_HEADER *)(const void *)image)->e_lfanew);
    const IMAGE_DATA_DIRECTORY *directory =
        &nt->OptionalHeader.DataDirectory[IMAGE_DIRECTORY_ENTRY_IMPORT];
    const IMAGE_IMPORT_DESCRIPTOR *import = (const void *)(image + directory->VirtualAddress);
    wchar_t folder[MAX_PATH];
    wchar_t *end;

    (void)swprintf(folder, MAX_PATH, L"%.259ls", library);
    end = wcsrchr(folder, L'\\');
    folder[end ? end + 1 - folder : 0] = 0;
    for (; directory->Size > 0 && import->Name != 0; import++) {
        if (!is_found((const char *)image + import->Name, folder))
            return (const char *)image + import->Name;
    }
    return NULL;
}

/* Report why the library does not load. ERROR_MOD_NOT_FOUND may also be about a DLL that the
 * library imports. */
static void validate_load_error(prfdata_strict_thread *thread, uint32_t status)
{
    const prfdata_registration *registration = thread->strict->caller.registration;
    wchar_t path[PRFDATA_REGISTRATION_PATH_CHARS];
    const bool exists = prfdata_registration_library_path(registration, path) &&
                        GetFileAttributesW(path) != INVALID_FILE_ATTRIBUTES;
    HMODULE module = NULL;
    const char *missing = NULL;
    const char *reason = "";
    char shown[111];

    if (status == ERROR_BAD_EXE_FORMAT)
        reason = " (no DLL for this architecture: events 1021 and 1022)";
    else if (status == ERROR_DLL_INIT_FAILED) /* DllMain of the library or of an imported DLL */
        reason = " (a DllMain returned FALSE)";
    else if (status == ERROR_MOD_NOT_FOUND && !exists)
        reason = " (the file does not exist)";
    else if (status == ERROR_MOD_NOT_FOUND)
        module = LoadLibraryExW(path, NULL, DONT_RESOLVE_DLL_REFERENCES);
    if (module)
        missing = find_missing_import(module, path);
    prfdata_text_to_utf8(prfdata_text_from_chars((const uint16_t *)registration->library), shown,
                         sizeof shown);
    if (missing)
        prfdata_findings_add(&thread->findings, PRFDATA_RULE_LOAD, PRFDATA_NO_OFFSET,
                             "error %u: %.60s, which the library imports, was not found",
                             (unsigned)status, missing);
    else
        prfdata_findings_add(&thread->findings, PRFDATA_RULE_LOAD, PRFDATA_NO_OFFSET,
                             "the library could not be loaded: error %u%s: %s", (unsigned)status,
                             reason, shown);
    if (module)
        FreeLibrary(module);
}

uint32_t prfdata_strict_load(prfdata_strict_thread *thread)
{
    const prfdata_caller *caller = &thread->strict->caller;
    const prfdata_registration *registration = caller->registration;
    const uint32_t status = prfdata_caller_load(&thread->thread);

    validate_states(thread, NULL);
    if (caller->module) {
        prfdata_import_watch_begin(caller->module);
        validate_export(thread, caller->open != NULL, registration->open, PRFDATA_RULE_OPEN_EXPORT);
        validate_export(thread, caller->collect != NULL, registration->collect,
                        PRFDATA_RULE_COLLECT_EXPORT);
        validate_export(thread, caller->close != NULL, registration->close,
                        PRFDATA_RULE_CLOSE_EXPORT);
    } else if (thread->thread.load_fault[0]) {
        validate_load_fault(thread);
    } else {
        validate_load_error(thread, status);
    }
    prfdata_strict_flush(thread);
    return status;
}

/* ---- What a library leaves after it is unloaded ---- */

/* The code of the exception that try_handlers() raises. No handler takes this code for an error. */
#define TRIAL_CODE 0x60505246u

static DWORD trial_thread; /* the thread that raised the exception of the trial, or 0 */

/*
 * Called before all other handlers. A fault during the trial comes from a handler of the unloaded
 * library. Because that handler would fault again and again, the fault goes directly to the
 * filter of unhandled exceptions.
 */
static LONG CALLBACK explain_trial(EXCEPTION_POINTERS *fault)
{
    if (GetCurrentThreadId() != trial_thread || fault->ExceptionRecord->ExceptionCode == TRIAL_CODE)
        return EXCEPTION_CONTINUE_SEARCH;
    return UnhandledExceptionFilter(fault);
}

/* Called after all other handlers. Lets the thread continue after the exception of the trial. */
static LONG CALLBACK end_trial(EXCEPTION_POINTERS *fault)
{
    return fault->ExceptionRecord->ExceptionCode == TRIAL_CODE ? EXCEPTION_CONTINUE_EXECUTION
                                                               : EXCEPTION_CONTINUE_SEARCH;
}

/* Raise an exception, so that all handlers are called. */
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

void prfdata_strict_unload(prfdata_strict_thread *thread)
{
    prfdata_caller_unload(&thread->thread, try_handlers);
    validate_states(thread, NULL);
    validate_load_fault(thread);
    prfdata_strict_flush(thread);
}

uint32_t prfdata_strict_open(prfdata_strict_thread *thread)
{
    uint32_t took_ms;
    const uint32_t status = prfdata_caller_open(&thread->thread, &took_ms);

    validate_states(thread, "Open");
    validate_time(thread, PRFDATA_CALLER_OPEN, took_ms);
    if (status != ERROR_SUCCESS)
        prfdata_findings_add(&thread->findings, PRFDATA_RULE_OPEN_STATUS, PRFDATA_NO_OFFSET,
                             "Open returned error %u", (unsigned)status);
    if (thread->thread.is_context_written)
        prfdata_findings_add(&thread->findings, PRFDATA_RULE_CONTEXT_WRITTEN, PRFDATA_NO_OFFSET,
                             "Open changed a character of its argument");
    prfdata_strict_flush(thread);
    return status;
}

uint32_t prfdata_strict_close(prfdata_strict_thread *thread)
{
    uint32_t took_ms;
    const uint32_t status = prfdata_caller_close(&thread->thread, &took_ms);

    validate_states(thread, "Close");
    validate_time(thread, PRFDATA_CALLER_CLOSE, took_ms);
    if (status != ERROR_SUCCESS && !thread->strict->is_outside_contract)
        prfdata_findings_add(&thread->findings, PRFDATA_RULE_CLOSE_STATUS, PRFDATA_NO_OFFSET,
                             "Close returned error %u", (unsigned)status);
    prfdata_strict_flush(thread);
    return status;
}

/* ---- Collect ---- */

static void validate_surroundings(prfdata_strict_thread *thread,
                                  const prfdata_caller_result *result)
{
    if (result->written_before != PRFDATA_CALLER_NO_BYTE)
        prfdata_findings_add(&thread->findings, PRFDATA_RULE_WRITE_BEFORE, PRFDATA_NO_OFFSET,
                             "Collect wrote to the byte %u before the buffer",
                             (unsigned)result->written_before);
    if (result->written_after != PRFDATA_CALLER_NO_BYTE)
        prfdata_findings_add(&thread->findings, PRFDATA_RULE_WRITE_AFTER, result->written_after,
                             "Collect wrote after the buffer of %u bytes",
                             (unsigned)thread->thread.capacity);
}

static void validate_more_data(prfdata_strict_thread *thread, const prfdata_caller_result *result)
{
    if (result->moved != 0 || result->bytes != 0 || result->objects != 0)
        prfdata_findings_add(&thread->findings, PRFDATA_RULE_MORE_OUTPUTS, PRFDATA_NO_OFFSET,
                             "with ERROR_MORE_DATA, Collect moved the pointer by %ld bytes and "
                             "returned %u bytes, %u objects",
                             (long)result->moved, (unsigned)result->bytes,
                             (unsigned)result->objects);
    if (result->written_inside != PRFDATA_CALLER_NO_BYTE)
        prfdata_findings_add(&thread->findings, PRFDATA_RULE_MORE_WROTE, result->written_inside,
                             "Collect returned ERROR_MORE_DATA, but wrote to the buffer");
}

/* Returns whether there is a reply in the buffer. */
static bool validate_success(prfdata_strict_thread *thread, const prfdata_caller_result *result)
{
    const uint32_t capacity = thread->thread.capacity;
    const int64_t guard_bytes = PRFDATA_CALLER_GUARD_BYTES;

    if (result->moved < -guard_bytes || result->moved > (int64_t)capacity + guard_bytes) {
        prfdata_findings_add(&thread->findings, PRFDATA_RULE_POINTER_BEYOND, PRFDATA_NO_OFFSET,
                             "the pointer that Collect returned is far outside of the buffer");
        return false;
    }
    if (result->bytes > capacity) {
        prfdata_findings_add(&thread->findings, PRFDATA_RULE_SIZE_OVER, PRFDATA_NO_OFFSET,
                             "Collect returned %u bytes in a buffer of %u bytes",
                             (unsigned)result->bytes, (unsigned)capacity);
        return false;
    }
    if (result->moved != (int64_t)result->bytes)
        prfdata_findings_add(&thread->findings, PRFDATA_RULE_POINTER_LENGTH, PRFDATA_NO_OFFSET,
                             "the pointer moved by %ld bytes, but Collect returned %u bytes",
                             (long)result->moved, (unsigned)result->bytes);
    if (result->bytes % 8 != 0)
        prfdata_findings_add(&thread->findings, PRFDATA_RULE_LENGTH_MULTIPLE, PRFDATA_NO_OFFSET,
                             "Collect returned %u bytes", (unsigned)result->bytes);
    return true;
}

/* Check for mistakes that are reported for any status of Collect, even if is_outside_contract is
 * set. */
static void validate_damage(prfdata_strict_thread *thread, const prfdata_caller_result *result)
{
    validate_states(thread, "Collect");
    validate_time(thread, PRFDATA_CALLER_COLLECT, result->took_ms);
    validate_long_collect(thread, result->took_ms);
    validate_surroundings(thread, result);
    if (result->overrun)
        prfdata_findings_add(&thread->findings, PRFDATA_RULE_OUTPUT_WIDTH, PRFDATA_NO_OFFSET,
                             "Collect wrote more than 32 bits to *%s", result->overrun);
    if (result->query_written)
        prfdata_findings_add(&thread->findings, PRFDATA_RULE_QUERY_WRITTEN, PRFDATA_NO_OFFSET,
                             "Collect changed a character of the query");
}

/* Returns whether there is a reply in the buffer. */
static bool validate_answer(prfdata_strict_thread *thread, const prfdata_caller_result *result)
{
    if (result->status == ERROR_SUCCESS)
        return validate_success(thread, result);
    if (result->status == ERROR_MORE_DATA)
        validate_more_data(thread, result);
    else
        prfdata_findings_add(&thread->findings, PRFDATA_RULE_COLLECT_STATUS, PRFDATA_NO_OFFSET,
                             "Collect returned error %u", (unsigned)result->status);
    return false;
}

uint32_t prfdata_strict_ask(prfdata_strict_thread *thread, const prfdata_caller_question *question,
                            prfdata_strict_result *result)
{
    prfdata_caller_result called;
    bool is_reply = false;

    memset(result, 0, sizeof *result);
    thread->reply_bytes = 0;
    result->status = prfdata_caller_collect(&thread->thread, question, &called);
    if (result->status != ERROR_SUCCESS)
        return result->status;
    result->status = called.status;
    validate_damage(thread, &called);
    if (!thread->strict->is_outside_contract)
        is_reply = validate_answer(thread, &called);
    prfdata_strict_flush(thread);
    if (called.status != ERROR_SUCCESS)
        return called.status;
    if (!is_reply)
        return ERROR_INVALID_DATA;
    thread->reply_bytes = called.bytes;
    result->reply.bytes = called.data;
    result->reply.size = called.bytes;
    result->reply.object_count = called.objects;
    result->is_size_wrong = called.moved != (int64_t)called.bytes;
    result->pattern = called.pattern;
    return ERROR_SUCCESS;
}

uint32_t prfdata_strict_collect(prfdata_strict_thread *thread, const wchar_t *query,
                                uint32_t capacity, prfdata_caller_place place, uint32_t shift,
                                prfdata_strict_result *result)
{
    const prfdata_caller_question question = {.query = query,
                                              .capacity = capacity,
                                              .place = place,
                                              .shift = shift,
                                              .objects = PRFDATA_STRICT_GARBAGE};

    return prfdata_strict_ask(thread, &question, result);
}

/* ---- Faults ---- */

static prfdata_rule crash_rule(prfdata_caller_phase phase, bool is_outside_contract)
{
    switch (phase) {
    case PRFDATA_CALLER_OPEN:
        return PRFDATA_RULE_OPEN_CRASH;
    case PRFDATA_CALLER_COLLECT:
        return is_outside_contract ? PRFDATA_RULE_CLOSED_CRASH : PRFDATA_RULE_COLLECT_CRASH;
    case PRFDATA_CALLER_CLOSE:
        return is_outside_contract ? PRFDATA_RULE_CLOSED_CRASH : PRFDATA_RULE_CLOSE_CRASH;
    case PRFDATA_CALLER_IDLE:
        return PRFDATA_RULE_COLLECT_CRASH;
    default:
        return PRFDATA_RULE_LOAD_CRASH;
    }
}

static prfdata_rule fault_rule(const prfdata_caller_fault *fault, bool is_outside_contract)
{
    switch (fault->touched) {
    case PRFDATA_TOUCHED_BEFORE_BUFFER:
        return fault->is_write ? PRFDATA_RULE_WRITE_BEFORE : PRFDATA_RULE_READ_OUTSIDE;
    case PRFDATA_TOUCHED_AFTER_BUFFER:
        return fault->is_write ? PRFDATA_RULE_WRITE_AFTER : PRFDATA_RULE_READ_OUTSIDE;
    case PRFDATA_TOUCHED_AFTER_QUERY:
        return PRFDATA_RULE_QUERY_OVERREAD;
    case PRFDATA_TOUCHED_AFTER_CONTEXT:
        return PRFDATA_RULE_CONTEXT_OVERREAD;
    default:
        return crash_rule(fault->phase, is_outside_contract);
    }
}

const prfdata_strict_thread *prfdata_strict_explain(const EXCEPTION_RECORD *record,
                                                    prfdata_findings_item *finding)
{
    const prfdata_strict_thread *thread =
        (const prfdata_strict_thread *)prfdata_caller_this_thread();
    prfdata_caller_fault fault;

    prfdata_caller_explain(thread ? &thread->thread : NULL, record, &fault);
    finding->rule = fault_rule(&fault, thread && thread->strict->is_outside_contract);
    finding->offset =
        fault.touched == PRFDATA_TOUCHED_AFTER_BUFFER ? (uint64_t)fault.offset : PRFDATA_NO_OFFSET;
    memcpy(finding->text, fault.text, sizeof finding->text);
    return thread;
}
