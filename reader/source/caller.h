/* SPDX-License-Identifier: MIT */
/*
 * Calls a provider DLL as the system does, and records how long each call takes. Also records what
 * the call does to its arguments, its buffer, the memory around the buffer, and its thread. This
 * module reports facts; its callers check them.
 *
 * Every thread that calls has a prfdata_caller_thread. This module does not catch a fault in a
 * call. Instead, the process's unhandled-exception filter asks prfdata_caller_explain() what
 * happened, then ends the process. Windows only.
 */
#ifndef PRFDATA_READER_CALLER_H
#define PRFDATA_READER_CALLER_H

#include <windows.h>

#include "source/processor.h"
#include "source/registration.h"
#include "source/watched.h"

#define PRFDATA_CALLER_MAX_THREADS 16
/* Size of the pattern on each side of a buffer, as in perflib. */
#define PRFDATA_CALLER_GUARD_BYTES 1024u
/* Size of the inaccessible memory before and after each allocation. */
#define PRFDATA_CALLER_PAGE_BYTES (64u * 1024)

typedef enum prfdata_caller_phase {
    PRFDATA_CALLER_IDLE,
    PRFDATA_CALLER_LOAD,
    PRFDATA_CALLER_OPEN,
    PRFDATA_CALLER_COLLECT,
    PRFDATA_CALLER_CLOSE,
    PRFDATA_CALLER_UNLOAD
} prfdata_caller_phase;

typedef enum prfdata_caller_place {
    /*
     * Guard bytes on both sides, as in perflib. An inaccessible page begins less than 16 bytes
     * after the guard bytes.
     */
    PRFDATA_PLACE_PATTERNS,
    PRFDATA_PLACE_PAGE_AFTER,  /* the buffer ends at an inaccessible page */
    PRFDATA_PLACE_PAGE_BEFORE, /* the buffer begins after an inaccessible page */
    /* Inaccessible pages lie directly before and after the buffer. The capacity must be a multiple
     * of 4096, and not 0. */
    PRFDATA_PLACE_PAGES
} prfdata_caller_place;

typedef DWORD(APIENTRY *prfdata_caller_open_function)(LPWSTR context);
typedef DWORD(APIENTRY *prfdata_caller_collect_function)(LPWSTR query, LPVOID *data, LPDWORD bytes,
                                                         LPDWORD objects);
typedef DWORD(APIENTRY *prfdata_caller_close_function)(void);

/* A DLL, shared by all threads. */
typedef struct prfdata_caller {
    const prfdata_registration *registration; /* borrowed */
    HMODULE module;                           /* NULL: not loaded */
    prfdata_caller_open_function open;        /* NULL: the DLL does not export it */
    prfdata_caller_collect_function collect;
    prfdata_caller_close_function close;
    /* The program's own unhandled-exception filter; NULL: not checked. */
    LPTOP_LEVEL_EXCEPTION_FILTER filter;
} prfdata_caller;

/* State of the calling thread and its process that a provider must leave unchanged. */
typedef struct prfdata_caller_state {
    int priority;
    uint32_t thread_error_mode;
    uint32_t process_error_mode;
    bool has_filter; /* the caller's exception filter is set, or the caller has none */
    prfdata_processor_state processor;
    prfdata_watched_values watched;
} prfdata_caller_state;

typedef struct prfdata_caller_states {
    bool are_known; /* `before` and `after` are set */
    /* The call returned with the direction flag set. caller.c cleared it. */
    bool is_backwards;
    prfdata_caller_state before;
    prfdata_caller_state after;
} prfdata_caller_states;

typedef struct prfdata_caller_thread {
    prfdata_caller *caller;
    volatile LONG phase;    /* a prfdata_caller_phase */
    volatile LONG since_ms; /* GetTickCount when the phase began */
    const wchar_t *query;   /* the query of the current or last Collect; borrowed; NULL: there was
                               no Collect, or its query was NULL */
    uint32_t capacity;      /* capacity of the buffer, in bytes */
    unsigned char *entry;   /* the buffer, inside `memory` */
    unsigned char *memory;  /* accessible memory of `bytes` bytes, between inaccessible pages */
    unsigned char *pattern; /* the content of `memory` before anything was written */
    size_t bytes;
    wchar_t *query_memory; /* pages for the query, followed by inaccessible pages */
    wchar_t *query_copy;   /* copy of the query, which ends at the last accessible byte */
    /* End of the memory of Open's argument, at an inaccessible page; NULL: none. */
    const unsigned char *context_end;
    bool is_context_written;      /* the last Open changed its argument */
    prfdata_caller_states states; /* states around the last call, load or unload */
    /* Also read the states around each Collect whose query is NULL or differs from the last query
     * that was not NULL. */
    bool looks_often;
    bool never_looks;     /* never read the states, even if looks_often is set */
    uint64_t calls;       /* number of Collects */
    uint32_t slowest_us;  /* duration of the slowest Collect */
    char load_fault[200]; /* fault of the DLL while it was loaded or unloaded; "": none */
} prfdata_caller_thread;

typedef struct prfdata_caller_question {
    const wchar_t *query; /* query of any length, or NULL; Collect gets a copy */
    uint32_t capacity;    /* capacity of the buffer, in bytes */
    prfdata_caller_place place;
    /*
     * 0 to 7: the buffer's distance from 8-byte alignment. PRFDATA_PLACE_PAGES and
     * PRFDATA_PLACE_PAGE_AFTER ignore it.
     */
    uint32_t shift;
    bool is_inverted; /* fill the buffer with the complement of the pattern */
    uint32_t objects; /* value of *pNumObjectTypes on entry; the system guarantees no particular
                         value */
} prfdata_caller_question;

/* Offset that means "no such byte". */
#define PRFDATA_CALLER_NO_BYTE SIZE_MAX

typedef struct prfdata_caller_result {
    uint32_t status; /* Collect's return value */
    uint32_t took_ms;
    int64_t moved;    /* bytes that Collect moved its buffer pointer by */
    uint32_t bytes;   /* number of bytes that Collect claims to have written */
    uint32_t objects; /* number of objects that Collect claims; `moved`, `bytes` and `objects` are
                         unchecked */
    /* How many bytes before the buffer the lowest written byte lies; NO_BYTE: no byte before the
     * buffer was written. */
    size_t written_before;
    /* Offset, from the beginning of the buffer, of the first byte written after its end; NO_BYTE:
     * none. */
    size_t written_after;
    /*
     * Offset of the first written byte of the buffer; NO_BYTE: none. Searched for only after
     * ERROR_MORE_DATA, and not in an inverted buffer.
     */
    size_t written_inside;
    bool query_written;        /* Collect changed its copy of the query */
    const char *overrun;       /* argument next to which memory was written; static; NULL: none */
    const unsigned char *data; /* the buffer, valid until the thread's next call */
    const unsigned char *pattern; /* the buffer's pattern; inverted buffers got its complement */
} prfdata_caller_result;

/* The kind of inaccessible memory that a fault touched. */
typedef enum prfdata_caller_touched {
    PRFDATA_TOUCHED_OTHER, /* no memory of a call */
    PRFDATA_TOUCHED_BEFORE_BUFFER,
    PRFDATA_TOUCHED_AFTER_BUFFER,
    PRFDATA_TOUCHED_AFTER_QUERY,
    PRFDATA_TOUCHED_AFTER_CONTEXT
} prfdata_caller_touched;

typedef struct prfdata_caller_fault {
    prfdata_caller_phase phase;
    prfdata_caller_touched touched;
    bool is_write;
    /* Offset from the beginning of the buffer; negative before it. Set only if `touched` is
     * BEFORE_BUFFER or AFTER_BUFFER. */
    int64_t offset;
    char text[200]; /* "exception 0xC0000005 at name.dll+0x1234: it wrote to address 0x5678" */
} prfdata_caller_fault;

/* Call this before the first thread joins; more than once is allowed. Returns ERROR_SUCCESS or the
 * system's error. */
uint32_t prfdata_caller_init(void);

/*
 * Let this thread make calls. At most PRFDATA_CALLER_MAX_THREADS threads may have joined at once.
 * Returns ERROR_SUCCESS, ERROR_NOT_ENOUGH_MEMORY (too many threads have joined) or the system's
 * error; release with prfdata_caller_leave() on the same thread.
 */
uint32_t prfdata_caller_join(prfdata_caller *caller, prfdata_caller_thread *thread);
void prfdata_caller_leave(prfdata_caller_thread *thread);

/* Return this thread's struct; NULL if it has not joined. */
prfdata_caller_thread *prfdata_caller_this_thread(void);

/*
 * Load the DLL and find its functions. A fault in DllMain, which the loader turns into an error or
 * hides, is recorded in thread->load_fault. If loading succeeds, the DLL may have handled the
 * recorded fault itself.
 *
 * Returns ERROR_SUCCESS, ERROR_PROC_NOT_FOUND (the DLL is loaded, but lacks a function, whose
 * pointer is NULL) or the system's error.
 */
uint32_t prfdata_caller_load(prfdata_caller_thread *thread);

/*
 * Unload the DLL, if it is loaded.
 *
 * then  Function to call afterwards, in the same phase; may be NULL.
 */
void prfdata_caller_unload(prfdata_caller_thread *thread, void (*then)(void));

/*
 * Call Open or Close once. Open's argument ends at an inaccessible page and is released after the
 * call. Returns what the function returned, or ERROR_NOT_ENOUGH_MEMORY.
 */
uint32_t prfdata_caller_open(prfdata_caller_thread *thread, uint32_t *took_ms);
uint32_t prfdata_caller_close(prfdata_caller_thread *thread, uint32_t *took_ms);

/*
 * Call Collect once. The state of thread and process is read only around every sixteenth call,
 * beginning with the first, because reading it takes longer than most calls. looks_often and
 * never_looks change this.
 *
 * question  Borrowed. Its query stays borrowed until the thread's next call.
 * result    Set, if Collect was called.
 *
 * Returns ERROR_SUCCESS (Collect was called, whatever it returned) or ERROR_NOT_ENOUGH_MEMORY.
 */
uint32_t prfdata_caller_collect(prfdata_caller_thread *thread,
                                const prfdata_caller_question *question,
                                prfdata_caller_result *result);

/* Return how long a call of this phase may take. */
uint32_t prfdata_caller_limit_ms(const prfdata_caller *caller, prfdata_caller_phase phase);

/*
 * Find a call that has lasted for at least `times` times its limit.
 *
 * phase, lasted_ms  Valid if there is such a call; otherwise they may have any value.
 * Returns its thread, or NULL. The thread may be used until the call returns. Threads: any.
 */
prfdata_caller_thread *prfdata_caller_overdue(uint32_t times, prfdata_caller_phase *phase,
                                              uint32_t *lasted_ms);

/*
 * Note that a thread makes progress. This module notes progress itself when a call begins or
 * returns. Programs note their own work between calls, and announce the waits that they plan.
 *
 * planned_ms  How long the thread will wait now; 0: it does not wait. An announced wait counts
 *             as progress until its end. Threads: any.
 */
void prfdata_caller_progress(uint32_t planned_ms);

/*
 * Return for how many milliseconds no thread has made progress. Returns 0 while any thread is
 * inside a call, because prfdata_caller_overdue() checks calls. Threads: any.
 */
uint64_t prfdata_caller_stuck_ms(void);

/*
 * Explain an unhandled exception.
 *
 * thread  The thread whose calls may have caused it; NULL: a thread that has not joined.
 * fault   Set.
 */
void prfdata_caller_explain(const prfdata_caller_thread *thread, const EXCEPTION_RECORD *record,
                            prfdata_caller_fault *fault);

#endif
