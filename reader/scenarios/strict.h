/* SPDX-License-Identifier: MIT */
/*
 * Calls a provider DLL like a strict perflib, and reports mistakes of the calls as findings.
 * source/caller.h makes the calls and records what they do; this module checks the rules.
 */
#ifndef PRFDATA_READER_STRICT_H
#define PRFDATA_READER_STRICT_H

#include <windows.h>

#include "source/caller.h"
#include "validate/findings.h"
#include "validate/validate.h"

#define PRFDATA_STRICT_MOST_BYTES (64u * 1024 * 1024) /* no larger buffer is tried */

typedef struct prfdata_strict_thread prfdata_strict_thread;

/* Gets the findings that prfdata_strict_flush() hands over. `finding` stands for `count` findings
 * of its rule, because not all are kept. */
typedef void prfdata_strict_sink(void *context, const prfdata_strict_thread *thread,
                                 const prfdata_findings_item *finding, uint64_t count);

typedef struct prfdata_strict {
    prfdata_caller caller;
    /* The system would not make the current calls, so what Collect and Close return is not
     * checked. */
    bool is_outside_contract;
    volatile LONG wants_more_always; /* 1: no buffer was large enough for some query */
    volatile LONG ample;             /* size that was enough for all replies so far; 0: none yet */
    prfdata_strict_sink *sink;
    void *context;
} prfdata_strict;

struct prfdata_strict_thread {
    /* The first member, so that a pointer to it also points to the prfdata_strict_thread. */
    prfdata_caller_thread thread;
    prfdata_strict *strict;
    /* Size of the last reply, which is in the thread's buffer; 0: there is none. */
    uint32_t reply_bytes;
    uint32_t long_collects; /* how many Collects took longer than a second */
    bool is_long_noted;
    /*
     * Number of findings that went to the sink. Findings about the state of the thread and the
     * process do not count, because only some calls check for them.
     */
    uint64_t found;
    prfdata_findings findings; /* findings that did not go to the sink yet */
};

typedef struct prfdata_strict_result {
    uint32_t status;
    /* In the thread's memory until the thread's next call; empty: there is no usable reply. */
    prfdata_validate_reply reply;
    bool is_size_wrong;           /* the size of `reply` is invalid, and a finding says so */
    const unsigned char *pattern; /* the bytes that the reply's memory held before the call, or
                                     their complement */
} prfdata_strict_result;

/*
 * Let this thread make calls. Returns what prfdata_caller_join() returns; release with
 * prfdata_strict_leave(), by the same thread.
 */
uint32_t prfdata_strict_join(prfdata_strict *strict, prfdata_strict_thread *thread);
void prfdata_strict_leave(prfdata_strict_thread *thread);

/* Load the library and find its functions. If it does not load, faults in DllMain or lacks a
 * function, that is a finding. Returns what prfdata_caller_load() returns. */
uint32_t prfdata_strict_load(prfdata_strict_thread *thread);

/* Unload the library, and then call all handlers of exceptions. If the library has left a handler,
 * this handler faults. */
void prfdata_strict_unload(prfdata_strict_thread *thread);

/* Call Open or Close once. A status other than ERROR_SUCCESS is a finding, except from Close if
 * is_outside_contract is set. Returns the status. */
uint32_t prfdata_strict_open(prfdata_strict_thread *thread);
uint32_t prfdata_strict_close(prfdata_strict_thread *thread);

/*
 * Call Collect once. Checks what it did to its arguments and around its buffer, but not the reply.
 *
 * query     A query of any length, or NULL. The copy that Collect gets ends at an inaccessible
 *           page.
 * capacity  The capacity of the buffer, at most PRFDATA_STRICT_MOST_BYTES.
 * shift     0 to 7: the buffer's distance from 8-byte alignment. With PRFDATA_PLACE_PAGE_AFTER the
 *           capacity determines the distance.
 *
 * Returns ERROR_SUCCESS if the result has a reply that can be read, otherwise Collect's status,
 *         ERROR_INVALID_DATA or ERROR_NOT_ENOUGH_MEMORY.
 */
uint32_t prfdata_strict_collect(prfdata_strict_thread *thread, const wchar_t *query,
                                uint32_t capacity, prfdata_caller_place place, uint32_t shift,
                                prfdata_strict_result *result);

/* The value of *pNumObjectTypes before a Collect. It is not 0, because the documents say that the
 * value is undefined. */
#define PRFDATA_STRICT_GARBAGE 0xCDCDCDCDu

/* Call Collect once, with all parts of the question chosen by the caller. */
uint32_t prfdata_strict_ask(prfdata_strict_thread *thread, const prfdata_caller_question *question,
                            prfdata_strict_result *result);

/* Hand the findings to the sink and forget them. */
void prfdata_strict_flush(prfdata_strict_thread *thread);

/* Explain an exception that no handler has handled, as a finding. Returns the strict thread that
 * raised it, or NULL if another thread of the process did. */
const prfdata_strict_thread *prfdata_strict_explain(const EXCEPTION_RECORD *record,
                                                    prfdata_findings_item *finding);

/* Find a call that has lasted for at least twice its limit.
 *
 * finding  Set to the rule that the call breaks, if there is such a call.
 *
 * Returns the thread of the call, or NULL. The thread may be used as long as the call does not
 * return. */
const prfdata_strict_thread *prfdata_strict_overdue(prfdata_findings_item *finding);

#endif
