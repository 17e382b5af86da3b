/* SPDX-License-Identifier: MIT */
/*
 * A strict perflib: load a provider DLL and call it as the system does, watching what it does to
 * its arguments, its buffer and what lies around that. Knows Windows.
 *
 * Every thread that calls sits in a seat of its own. A fault inside a call is not caught here:
 * prfdata_host_explain() tells the process's last handler which rule it broke, and the process
 * ends. What a seat is doing, and since when, a watchdog can see.
 */
#ifndef PRFDATA_READER_HOST_H
#define PRFDATA_READER_HOST_H

#include <windows.h>

#include "prfcheck/findings.h"
#include "prfcheck/judge.h"
#include "source/target.h"

#define PRFDATA_HOST_SEATS       16
#define PRFDATA_HOST_GUARD_BYTES 1024u               /* as perflib's */
#define PRFDATA_HOST_MOST_BYTES  (64u * 1024 * 1024) /* nobody reads larger replies */

typedef DWORD(APIENTRY *prfdata_host_open)(LPWSTR context);
typedef DWORD(APIENTRY *prfdata_host_collect)(LPWSTR query, LPVOID *data, LPDWORD bytes,
                                              LPDWORD objects);
typedef DWORD(APIENTRY *prfdata_host_close)(void);

typedef enum prfdata_host_phase {
    PRFDATA_PHASE_IDLE,
    PRFDATA_PHASE_LOAD, /* or unload */
    PRFDATA_PHASE_OPEN,
    PRFDATA_PHASE_COLLECT,
    PRFDATA_PHASE_CLOSE
} prfdata_host_phase;

/* Where in its memory a buffer lies. */
typedef enum prfdata_host_place {
    PRFDATA_PLACE_PATTERNS,   /* guard bytes on both sides, as perflib does */
    PRFDATA_PLACE_PAGE_AFTER, /* the last byte is the last before an inaccessible page */
    PRFDATA_PLACE_PAGE_BEFORE /* the first byte is the first behind an inaccessible page */
} prfdata_host_place;

typedef struct prfdata_host_seat prfdata_host_seat;

/* Told about findings as soon as the call that they are about has returned. */
typedef void prfdata_host_tell(void *context, const prfdata_host_seat *seat,
                               const prfdata_finding *finding, uint64_t count);

typedef struct prfdata_host {
    const prfdata_target *target;
    HMODULE module;
    prfdata_host_open open;
    prfdata_host_collect collect;
    prfdata_host_close close;
    bool outside_contract; /* the system does not do what is done now */
    prfdata_host_tell *tell;
    void *context;
} prfdata_host;

struct prfdata_host_seat {
    prfdata_host *host;
    volatile LONG phase;    /* a prfdata_host_phase */
    volatile LONG since_ms; /* GetTickCount when it began */
    const wchar_t *query;   /* of the call that runs or ran; NULL: that is what was asked */
    uint32_t capacity;      /* of it */
    unsigned char *entry;   /* of it */
    unsigned char *memory;  /* an inaccessible page, `bytes`, an inaccessible page */
    unsigned char *pattern; /* what `bytes` look like when nobody wrote */
    size_t bytes;
    wchar_t *query_memory;     /* pages for the query, then an inaccessible one */
    wchar_t *query_copy;       /* the query in there */
    uint64_t found;            /* how many findings were told */
    prfdata_findings findings; /* not yet told */
    uint64_t calls;            /* Collects */
    uint32_t slowest_us;       /* of them */
    char load_fault[200];      /* of the library, while it came or went; "": none */
};

/* What a Collect gave. */
typedef struct prfdata_host_answer {
    uint32_t status;
    prfdata_judge_reply reply; /* in the seat's memory until its next call; empty if unusable */
} prfdata_host_answer;

/*
 * Take a seat. Returns ERROR_SUCCESS or ERROR_NOT_ENOUGH_MEMORY; release with
 * prfdata_host_leave(), by the same thread.
 */
uint32_t prfdata_host_sit(prfdata_host *host, prfdata_host_seat *seat);
void prfdata_host_leave(prfdata_host_seat *seat);

/*
 * Load the library and find its functions; what is missing is a finding, and so is a fault in
 * DllMain, which the loader turns into an error, or hides.
 * Returns ERROR_SUCCESS, or the system's error.
 */
uint32_t prfdata_host_load(prfdata_host_seat *seat);
void prfdata_host_unload(prfdata_host_seat *seat);

/* Call Open or Close once. A status is a finding. Returns the status. */
uint32_t prfdata_host_call_open(prfdata_host_seat *seat);
uint32_t prfdata_host_call_close(prfdata_host_seat *seat);

/*
 * Call Collect once and judge what it did to its arguments and around its buffer; not what it
 * wrote.
 *
 * query     Of any length, or NULL. The copy that Collect gets ends at an inaccessible page.
 * capacity  Of the buffer, at most PRFDATA_HOST_MOST_BYTES.
 * shift     0 to 7: how far the buffer is from 8-byte alignment; with PRFDATA_PLACE_PAGE_AFTER
 *           the capacity decides that.
 *
 * Returns ERROR_SUCCESS if a reply may be read from the answer, else Collect's status, or
 *         ERROR_INVALID_DATA, or ERROR_NOT_ENOUGH_MEMORY.
 */
uint32_t prfdata_host_call_collect(prfdata_host_seat *seat, const wchar_t *query, uint32_t capacity,
                                   prfdata_host_place where, uint32_t shift,
                                   prfdata_host_answer *answer);

/* Tell what was found and forget it. */
void prfdata_host_flush(prfdata_host_seat *seat);

/*
 * Explain an exception that nobody handled as a finding.
 * Returns the seat of the thread, or NULL: it is no thread of ours.
 */
const prfdata_host_seat *prfdata_host_explain(const EXCEPTION_RECORD *record,
                                              prfdata_finding *finding);

/*
 * Find a call that has lasted for twice its limit.
 *
 * finding  Set to the rule that it breaks.
 * Returns its seat, which may be used for as long as its thread does not come back; or NULL.
 */
const prfdata_host_seat *prfdata_host_overdue(prfdata_finding *finding);

/* Once per process, before the first seat. */
uint32_t prfdata_host_init(void);

#endif
