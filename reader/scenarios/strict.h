/* SPDX-License-Identifier: MIT */
/*
 * Calls a provider DLL as a strict perflib does, and reports mistakes of the calls as findings.
 * source/caller.h makes the calls and sees what they do; the rules are here.
 */
#ifndef PRFDATA_READER_STRICT_H
#define PRFDATA_READER_STRICT_H

#include <windows.h>

#include "source/caller.h"
#include "validate/findings.h"
#include "validate/validate.h"

#define PRFDATA_STRICT_MOST_BYTES (64u * 1024 * 1024) /* no reader takes larger replies */

typedef struct prfdata_strict_thread prfdata_strict_thread;

/* Gets findings as soon as the call that they are about has returned. */
typedef void prfdata_strict_sink(void *context, const prfdata_strict_thread *thread,
                                 const prfdata_findings_item *finding, uint64_t count);

typedef struct prfdata_strict {
    prfdata_caller caller;
    bool is_outside_contract; /* the system does not do what is done now: only damage counts */
    volatile LONG wants_more_always; /* 1: no buffer was large enough for some query */
    volatile LONG ample; /* bytes that were enough for all replies so far; 0: none yet */
    prfdata_strict_sink *sink;
    void *context; /* of the sink */
} prfdata_strict;

struct prfdata_strict_thread {
    prfdata_caller_thread
        thread; /* the first member, so that the caller's thread is also a prfdata_strict_thread */
    prfdata_strict *strict;
    uint32_t reply_bytes;   /* of the last reply, in the thread's buffer; 0: it has none */
    uint32_t long_collects; /* how many Collects took longer than a second */
    bool is_long_noted;
    uint64_t found;            /* findings that went to the sink, but those that are looked for in
                                  some calls only: of the thread's and the process's state */
    prfdata_findings findings; /* those that did not yet */
};

/* The result of a Collect. */
typedef struct prfdata_strict_result {
    uint32_t status;
    /* In the thread's memory until its next call; empty if unusable. */
    prfdata_validate_reply reply;
    bool is_size_wrong; /* the reply's bytes are not what it needs: another rule is broken */
    const unsigned char *pattern; /* the earlier bytes of the reply's memory, or their complement */
} prfdata_strict_result;

/*
 * Let this thread call. Returns ERROR_SUCCESS or ERROR_NOT_ENOUGH_MEMORY; release with
 * prfdata_strict_leave(), by the same thread.
 */
uint32_t prfdata_strict_join(prfdata_strict *strict, prfdata_strict_thread *thread);
void prfdata_strict_leave(prfdata_strict_thread *thread);

/*
 * Load the library and find its functions; what is missing is a finding, and so is a fault in
 * DllMain.
 * Returns ERROR_SUCCESS, or the system's error.
 */
uint32_t prfdata_strict_load(prfdata_strict_thread *thread);

/*
 * Unload the library, then call all handlers of exceptions that there are: one of the library's
 * that it did not remove faults.
 */
void prfdata_strict_unload(prfdata_strict_thread *thread);

/* Call Open or Close once. A status is a finding. Returns the status. */
uint32_t prfdata_strict_open(prfdata_strict_thread *thread);
uint32_t prfdata_strict_close(prfdata_strict_thread *thread);

/*
 * Call Collect once and check what it did to its arguments and around its buffer; not what it
 * wrote.
 *
 * query     Of any length, or NULL. The copy that Collect gets ends at an inaccessible page.
 * capacity  Of the buffer, at most PRFDATA_STRICT_MOST_BYTES.
 * shift     0 to 7: how far the buffer is from 8-byte alignment; with PRFDATA_PLACE_PAGE_AFTER
 *           the capacity decides that.
 *
 * Returns ERROR_SUCCESS if a reply may be read from the result, else Collect's status, or
 *         ERROR_INVALID_DATA, or ERROR_NOT_ENOUGH_MEMORY.
 */
uint32_t prfdata_strict_collect(prfdata_strict_thread *thread, const wchar_t *query,
                                uint32_t capacity, prfdata_caller_place place, uint32_t shift,
                                prfdata_strict_result *result);

/* The value of *pNumObjectTypes before a Collect: garbage, as documented. */
#define PRFDATA_STRICT_GARBAGE 0xCDCDCDCDu

/* Call Collect with a question whose every part can be chosen. */
uint32_t prfdata_strict_ask(prfdata_strict_thread *thread, const prfdata_caller_question *question,
                            prfdata_strict_result *result);

/* Hand the findings to the sink and forget them. */
void prfdata_strict_flush(prfdata_strict_thread *thread);

/*
 * Explain an exception that no handler took, as a finding.
 * Returns the strict thread that it is in, or NULL: it is in another thread of the process.
 */
const prfdata_strict_thread *prfdata_strict_explain(const EXCEPTION_RECORD *record,
                                                    prfdata_findings_item *finding);

/*
 * Find a call that has lasted for twice its limit.
 *
 * finding  Set to the rule that it breaks.
 * Returns its thread, which may be used for as long as the call does not return; or NULL.
 */
const prfdata_strict_thread *prfdata_strict_overdue(prfdata_findings_item *finding);

#endif
