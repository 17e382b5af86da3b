/* SPDX-License-Identifier: MIT */
/*
 * Is the second process, which asks the provider while the first one, the worker, has it open. Both
 * share a piece of memory.
 */
#ifndef PRFDATA_READER_SECOND_H
#define PRFDATA_READER_SECOND_H

#include "scenarios/check.h"
#include "validate/validate_names.h"

/* The exit code of a worker that ends itself, and of a second process, by which others are told. */
#define PRFDATA_SECOND_EXIT_CODE 3

#define PRFDATA_SECOND_NAMES 64 /* of instances, which are compared; the first ones */

/* The step that the second process takes, or took last. */
typedef enum prfdata_second_phase {
    PRFDATA_SECOND_STARTS,
    PRFDATA_SECOND_LOADS,
    PRFDATA_SECOND_OPENS,
    PRFDATA_SECOND_COLLECTS,
    PRFDATA_SECOND_STAYS, /* open, until it may close */
    PRFDATA_SECOND_CLOSES,
    PRFDATA_SECOND_ENDS,
    PRFDATA_SECOND_PHASES
} prfdata_second_phase;

/*
 * Memory that both processes share; all zeros at first. The first one writes `may_close` and the
 * three members after it.
 */
typedef struct prfdata_second {
    volatile LONG phase; /* a prfdata_second_phase */
    volatile LONG may_close;
    uint32_t leaves;   /* 1: it ends without Close, as a process that is ended by force */
    uint32_t expected; /* the extent that is waited for (reply_objects.h), */
    uint32_t wait_ms;  /* for so long */
    uint32_t took_ms[PRFDATA_SECOND_PHASES];
    uint32_t load_status;    /* not 0: it could not load, and ended */
    uint32_t open_status;    /* known in STAYS and after it */
    uint32_t collect_status; /* the status that Collect returned, in the same way; 0 if it was not
                                called */
    uint32_t slowest_us;     /* longest time of its Collects */
    uint32_t has_reply;      /* 1: one that can be read */
    uint32_t broken_rule;    /* 1 more than the first rule that its calls broke; 0: none */
    prfdata_reply_objects objects;                     /* the objects that it got */
    prfdata_validate_name names[PRFDATA_SECOND_NAMES]; /* names of instances that it got */
    uint32_t name_count;
} prfdata_second;

/* Be the second process. `section` is a handle of the shared memory. */
void prfdata_second_run(prfdata_check *check, HANDLE section);

#endif
