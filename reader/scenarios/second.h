/* SPDX-License-Identifier: MIT */
/* Declares the second process. The second process asks the provider while the first process, the
 * worker, has the provider open. For comparison, a second process also asks after the first process
 * has closed the provider. Both processes share memory. */
#ifndef PRFDATA_READER_SECOND_H
#define PRFDATA_READER_SECOND_H

#include "scenarios/check.h"
#include "validate/validate_names.h"

/*
 * The exit code with which a worker or a second process ends itself, and with which the first
 * process ends a second one that hangs. Another exit code shows that something else ended the
 * process, such as ExitProcess() in the provider.
 */
#define PRFDATA_SECOND_EXIT_CODE 3

#define PRFDATA_SECOND_NAMES 64 /* how many names of instances are compared, from the first on */

/* The step that the second process takes, or took last. */
typedef enum prfdata_second_phase {
    PRFDATA_SECOND_STARTS,
    PRFDATA_SECOND_LOADS,
    PRFDATA_SECOND_OPENS,
    PRFDATA_SECOND_COLLECTS,
    PRFDATA_SECOND_STAYS, /* the second process has the provider open, until it may close it */
    PRFDATA_SECOND_CLOSES,
    PRFDATA_SECOND_ENDS,
    PRFDATA_SECOND_PHASES
} prfdata_second_phase;

/* A way in which the second process ends when it may close. */
typedef enum prfdata_second_leaving {
    PRFDATA_SECOND_CLOSING, /* it calls Close and unloads the library */
    PRFDATA_SECOND_KILLED,  /* it ends like a process that is killed */
    PRFDATA_SECOND_EXITING  /* it ends like a program whose main() returns */
} prfdata_second_leaving;

/* Memory that both processes share; all zeros at first. The first process writes `may_close` and
 * the three members after it. */
typedef struct prfdata_second {
    volatile LONG phase; /* a prfdata_second_phase */
    volatile LONG may_close;
    uint32_t leaving;  /* a prfdata_second_leaving */
    uint32_t expected; /* the extent to wait for (reply_objects.h) */
    uint32_t wait_ms;  /* how long to wait for that extent */
    uint32_t took_ms[PRFDATA_SECOND_PHASES];
    uint32_t load_status; /* not 0: the library could not be loaded or lacks a function, and the
                             process ended */
    uint32_t open_status; /* known in STAYS and later */
    /* Status that Collect returned, known in STAYS and later; 0 if it was not called. */
    uint32_t collect_status;
    uint32_t slowest_us;  /* longest time of the second process's Collects */
    uint32_t has_reply;   /* 1: there is a reply that can be read */
    uint32_t broken_rule; /* 1 plus the first rule that the second process's calls broke; 0: none */
    prfdata_reply_objects objects;
    prfdata_validate_name names[PRFDATA_SECOND_NAMES];
    uint32_t name_count;
} prfdata_second;

/* Run as the second process. `section` is a handle of the shared memory. */
void prfdata_second_run(prfdata_check *check, HANDLE section);

#endif
