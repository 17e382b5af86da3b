/* SPDX-License-Identifier: MIT */
/*
 * A look that one thread repeats after a while: the others go on with what is known. A look that is
 * more than a second late was perhaps begun by a thread that has been stopped, so another thread
 * looks beside it. The caller copes with two looks at once.
 */
#ifndef PRFDATA_DUE_H
#define PRFDATA_DUE_H

#include <prfdata/atomic.h>

#include "system/os.h"

enum { PRFDATA_DUE_MAX_LATE_MS = 1000 };

/* Zeroed: it is due. */
typedef struct prfdata_due {
    prfdata_os_lock looking; /* held by the thread that looks */
    uint64_t looked_ms;      /* atomic: when the last look began; 0: never */
} prfdata_due;

/* The time that these functions compare, never 0. */
static inline uint64_t prfdata_due_now_ms(void)
{
    return prfdata_os_milliseconds() + 1;
}

/* When the next look is due: prfdata_due_now_ms() reaches it. */
static inline uint64_t prfdata_due_ms(const prfdata_due *due, uint64_t every_ms)
{
    const uint64_t looked = prfdata_load64_relaxed(&due->looked_ms);

    return looked == 0 ? 0 : looked + every_ms;
}

/* It is due from now on, and late. */
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
 * Whether the caller is to look now; then prfdata_due_end() follows.
 *
 * is_alone  Gets whether no other thread looks.
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
    if (now_ms >= prfdata_due_ms(due, every_ms)) /* another thread may have looked meanwhile */
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
