/* SPDX-License-Identifier: MIT */
/*
 * Decides when a repeated check is due. One thread performs the check; meanwhile other threads
 * continue with the last result. Another thread starts a second check if there is no last result,
 * if prfdata_due_expire() was called, or if the check is more than a second overdue, because the
 * thread performing it may be suspended. Callers must tolerate that several checks run at the same
 * time.
 */
#ifndef PRFDATA_DUE_H
#define PRFDATA_DUE_H

#include <prfdata/atomic.h>

#include "system/os.h"

enum { PRFDATA_DUE_MAX_LATE_MS = 1000 };

/* A repeated check. If the structure is zeroed, the check is due. */
typedef struct prfdata_due {
    prfdata_os_lock looking; /* held by the thread that performs the check */
    uint64_t looked_ms;      /* atomic: the start of the last check; 0: never */
} prfdata_due;

/* The current time for these functions, never 0. */
static inline uint64_t prfdata_due_now_ms(void)
{
    return prfdata_os_milliseconds() + 1;
}

/* The time of the next check, on the clock of prfdata_due_now_ms(). */
static inline uint64_t prfdata_due_ms(const prfdata_due *due, uint64_t every_ms)
{
    const uint64_t looked = prfdata_load64_relaxed(&due->looked_ms);

    return looked == 0 ? 0 : looked + every_ms;
}

/* Make the check due immediately, even if another thread is performing one. */
static inline void prfdata_due_expire(prfdata_due *due)
{
    prfdata_store64_relaxed(&due->looked_ms, 0);
}

static inline bool prfdata_due_is_late(const prfdata_due *due, uint64_t every_ms, uint64_t now_ms)
{
    const uint64_t looked = prfdata_load64_relaxed(&due->looked_ms);

    return looked == 0 || now_ms >= looked + every_ms + PRFDATA_DUE_MAX_LATE_MS;
}

/*
 * Whether the caller must perform the check now, and then call prfdata_due_end().
 *
 * is_alone  Gets true if no other thread is performing the check.
 */
static inline bool prfdata_due_begin(prfdata_due *due, uint64_t every_ms, uint64_t now_ms,
                                     bool *is_alone)
{
    *is_alone = false;
    if (now_ms < prfdata_due_ms(due, every_ms))
        return false;
    *is_alone = prfdata_os_lock_try(&due->looking);
    if (!*is_alone)
        return prfdata_due_is_late(due, every_ms, now_ms);
    if (now_ms >= prfdata_due_ms(due, every_ms)) /* another thread may have checked meanwhile */
        return true;
    prfdata_os_lock_leave(&due->looking);
    return false;
}

static inline void prfdata_due_end(prfdata_due *due, uint64_t now_ms, bool is_alone)
{
    prfdata_store64_relaxed(&due->looked_ms, now_ms);
    if (is_alone)
        prfdata_os_lock_leave(&due->looking);
}

#endif
