/* SPDX-License-Identifier: MIT */
/*
 * Calling a provider DLL as the system calls it, and noting what each call does: to its arguments,
 * to its buffer and what lies around that, to its thread, in what time. It reports facts; those who
 * ask decide whether they are right.
 *
 * Every thread that calls is a prfdata_caller_thread. A fault in a call is not caught here: the
 * process's last handler asks prfdata_caller_explain() what happened, and ends the process. Windows
 * only.
 */
#ifndef PRFDATA_READER_CALLER_H
#define PRFDATA_READER_CALLER_H

#include <windows.h>

#include "source/processor.h"
#include "source/registration.h"
#include "source/watched.h"

#define PRFDATA_CALLER_MAX_THREADS 16
#define PRFDATA_CALLER_GUARD_BYTES 1024u        /* of pattern around a buffer, as perflib's */
#define PRFDATA_CALLER_PAGE_BYTES  (64u * 1024) /* inaccessible, on both sides of all memory */

typedef enum prfdata_caller_phase {
    PRFDATA_CALLER_IDLE,
    PRFDATA_CALLER_LOAD,
    PRFDATA_CALLER_OPEN,
    PRFDATA_CALLER_COLLECT,
    PRFDATA_CALLER_CLOSE,
    PRFDATA_CALLER_UNLOAD
} prfdata_caller_phase;

/* Where in its memory a buffer lies. */
typedef enum prfdata_caller_place {
    PRFDATA_PLACE_PATTERNS,    /* guard bytes on both sides, as perflib does; not 16 more, then an
                                  inaccessible page */
    PRFDATA_PLACE_PAGE_AFTER,  /* the last byte is the last before an inaccessible page */
    PRFDATA_PLACE_PAGE_BEFORE, /* the first byte is the first after an inaccessible page */
    PRFDATA_PLACE_PAGES        /* both; the capacity is a multiple of 4096, and not 0 */
} prfdata_caller_place;

typedef DWORD(APIENTRY *prfdata_caller_open_function)(LPWSTR context);
typedef DWORD(APIENTRY *prfdata_caller_collect_function)(LPWSTR query, LPVOID *data, LPDWORD bytes,
                                                         LPDWORD objects);
typedef DWORD(APIENTRY *prfdata_caller_close_function)(void);

/* A DLL; for all threads. */
typedef struct prfdata_caller {
    const prfdata_registration *registration; /* borrowed */
    HMODULE module;                           /* NULL: it is not loaded */
    prfdata_caller_open_function open;        /* NULL: it has no such export */
    prfdata_caller_collect_function collect;
    prfdata_caller_close_function close;
    LPTOP_LEVEL_EXCEPTION_FILTER filter; /* the program's own last handler; NULL: not looked at */
} prfdata_caller;

/* What a provider borrows from the thread and the process that call it. */
typedef struct prfdata_caller_state {
    int priority;
    uint32_t thread_error_mode;
    uint32_t process_error_mode;
    bool has_filter; /* the last handler of exceptions is the caller's, or it has none */
    prfdata_processor_state processor;
    prfdata_watched_values watched;
} prfdata_caller_state;

/* The same, before and after a call. */
typedef struct prfdata_caller_states {
    bool are_known;    /* `before` and `after` are set */
    bool is_backwards; /* the call returned with the direction flag set; it is cleared */
    prfdata_caller_state before;
    prfdata_caller_state after;
} prfdata_caller_states;

typedef struct prfdata_caller_thread {
    prfdata_caller *caller;
    volatile LONG phase;    /* a prfdata_caller_phase */
    volatile LONG since_ms; /* GetTickCount when it began */
    const wchar_t *query;  /* of the Collect that runs or ran; borrowed; NULL: that was the query */
    uint32_t capacity;     /* of its buffer */
    unsigned char *entry;  /* its buffer, in `memory` */
    unsigned char *memory; /* `bytes` between inaccessible pages */
    unsigned char *pattern; /* what `memory` looks like when nothing was written */
    size_t bytes;
    wchar_t *query_memory;            /* pages for the query, followed by inaccessible ones */
    wchar_t *query_copy;              /* the query in there, up to the last byte */
    const unsigned char *context_end; /* of what Open gets; an inaccessible page; NULL: none */
    prfdata_caller_states states;     /* of the last call, or of loading or unloading */
    bool looks_often;     /* its states are also known after each call with another query */
    uint64_t calls;       /* Collects */
    uint32_t slowest_us;  /* of them */
    char load_fault[200]; /* of the DLL, while it was loaded or unloaded; "": none */
} prfdata_caller_thread;

/* What Collect is asked. */
typedef struct prfdata_caller_question {
    const wchar_t *query; /* of any length, or NULL; Collect gets a copy */
    uint32_t capacity;    /* of the buffer */
    prfdata_caller_place place;
    uint32_t shift;   /* 0 to 7: how far the buffer is from 8-byte alignment; not with PAGE_AFTER,
                         where the capacity decides that, nor PAGES */
    bool is_inverted; /* the buffer is filled with the complement of the pattern */
    uint32_t objects; /* what *NumObjectTypes holds on entry; the system promises nothing */
} prfdata_caller_question;

/* There is no such byte. */
#define PRFDATA_CALLER_NO_BYTE SIZE_MAX

/* What Collect did. */
typedef struct prfdata_caller_result {
    uint32_t status; /* that it returned */
    uint32_t took_ms;
    int64_t moved;         /* how far its pointer came back from where it went in, in bytes */
    uint32_t bytes;        /* that it says it wrote */
    uint32_t objects;      /* the same; all three are the provider's word */
    size_t written_before; /* how far before the buffer a byte was written, NO_BYTE: none */
    size_t written_after;  /* offset from the buffer of a byte after it that was written */
    size_t written_inside; /* the first byte written, looked for with ERROR_MORE_DATA only, and not
                              in an inverted buffer */
    bool query_written;    /* the copy of the query is another now */
    const char *overrun;   /* the argument beside which memory was written; static; NULL: none */
    const unsigned char *data;    /* the buffer, until the thread's next call */
    const unsigned char *pattern; /* of as many bytes: what it was filled with, or the complement */
} prfdata_caller_result;

/* What inaccessible memory a fault touched. */
typedef enum prfdata_caller_touched {
    PRFDATA_TOUCHED_OTHER, /* none of a call's */
    PRFDATA_TOUCHED_BEFORE_BUFFER,
    PRFDATA_TOUCHED_AFTER_BUFFER,
    PRFDATA_TOUCHED_AFTER_QUERY,
    PRFDATA_TOUCHED_AFTER_CONTEXT
} prfdata_caller_touched;

typedef struct prfdata_caller_fault {
    prfdata_caller_phase phase; /* of the thread */
    prfdata_caller_touched touched;
    bool is_write;
    int64_t offset; /* from the buffer's begin; with BEFORE_BUFFER and AFTER_BUFFER */
    char text[200]; /* "exception 0xC0000005 at name.dll+0x1234: it wrote to address 0x5678" */
} prfdata_caller_fault;

/* Before the first thread, once or more often. Returns ERROR_SUCCESS or the system's error. */
uint32_t prfdata_caller_init(void);

/*
 * Let this thread call. One of PRFDATA_CALLER_MAX_THREADS at a time.
 * Returns ERROR_SUCCESS or ERROR_NOT_ENOUGH_MEMORY; release with prfdata_caller_leave(), by the
 * same thread.
 */
uint32_t prfdata_caller_join(prfdata_caller *caller, prfdata_caller_thread *thread);
void prfdata_caller_leave(prfdata_caller_thread *thread);

/* This thread, if it joined; NULL: it did not. */
prfdata_caller_thread *prfdata_caller_this_thread(void);

/*
 * Load the DLL and find its functions. A fault in DllMain, which the loader turns into an error or
 * hides, is in thread->load_fault.
 *
 * Returns ERROR_SUCCESS, ERROR_PROC_NOT_FOUND (the DLL is loaded, and a function of the caller is
 *         NULL) or the system's error.
 */
uint32_t prfdata_caller_load(prfdata_caller_thread *thread);

/*
 * Unload the DLL, if it is loaded.
 *
 * then  NULL, or what to call afterwards, in the same phase.
 */
void prfdata_caller_unload(prfdata_caller_thread *thread, void (*then)(void));

/*
 * Call Open or Close once. What Open gets ends at an inaccessible page, and is gone after the call.
 * took_ms  Set.
 * Returns what the function returned, or ERROR_NOT_ENOUGH_MEMORY.
 */
uint32_t prfdata_caller_open(prfdata_caller_thread *thread, uint32_t *took_ms);
uint32_t prfdata_caller_close(prfdata_caller_thread *thread, uint32_t *took_ms);

/*
 * Call Collect once. The thread's states are known after the first call and every sixteenth then:
 * looking takes longer than most calls.
 *
 * question  Borrowed; its query until the thread's next call.
 * result    Set, when Collect was called.
 *
 * Returns ERROR_SUCCESS (Collect was called, whatever it returned) or ERROR_NOT_ENOUGH_MEMORY.
 */
uint32_t prfdata_caller_collect(prfdata_caller_thread *thread,
                                const prfdata_caller_question *question,
                                prfdata_caller_result *result);

/* How long a call of this phase may take. */
uint32_t prfdata_caller_limit_ms(const prfdata_caller *caller, prfdata_caller_phase phase);

/*
 * Find a call that has lasted for `times` its limit.
 *
 * phase, lasted_ms  Set if there is one.
 * Returns its thread, which may be used for as long as the call does not return; or NULL.
 * Threads: any.
 */
prfdata_caller_thread *prfdata_caller_overdue(uint32_t times, prfdata_caller_phase *phase,
                                              uint32_t *lasted_ms);

/*
 * Note that a thread makes progress. prfdata_caller notes it for each call that begins or returns;
 * a program notes what it does between calls, and announces a wait that it plans.
 *
 * planned_ms  How long it will wait now; 0: it does not wait. An announced wait counts to its end,
 *             even if other threads make progress meanwhile.
 * Threads: any.
 */
void prfdata_caller_progress(uint32_t planned_ms);

/*
 * Return for how many milliseconds no thread has made progress, counted from the end of the longest
 * announced wait. Return 0 while any thread is inside a call: prfdata_caller_overdue() judges
 * calls.
 * Threads: any.
 */
uint64_t prfdata_caller_stuck_ms(void);

/*
 * Explain an exception that no handler took.
 *
 * thread  Whose calls it may be about; NULL: of no thread that joined.
 * fault   Set.
 */
void prfdata_caller_explain(const prfdata_caller_thread *thread, const EXCEPTION_RECORD *record,
                            prfdata_caller_fault *fault);

#endif
