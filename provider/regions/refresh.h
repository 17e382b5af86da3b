/* SPDX-License-Identifier: MIT */
/*
 * Decides when a refresh is due. One thread refreshes; meanwhile other threads continue with the
 * last result. Another thread starts a second refresh only in three cases: there is no last result;
 * prfdata_refresh_expire() was called; or the refresh is more than a second overdue, so the thread
 * performing it may be suspended. Callers must tolerate that several refreshes run at the same
 * time. collect/basis.c refreshes.
 */
#ifndef PRFDATA_REFRESH_H
#define PRFDATA_REFRESH_H

#include "regions/regions.h"

enum { PRFDATA_REFRESH_MAX_LATE_MS = 1000 };

/* The current time for these functions, never 0. */
static inline uint64_t prfdata_refresh_now_ms(void)
{
    return prfdata_os_milliseconds() + 1;
}

/* The time of the next refresh, on the clock of prfdata_refresh_now_ms(); 0: it is due now. */
static inline uint64_t prfdata_refresh_due_ms(const prfdata_regions *regions)
{
    const uint64_t refreshed = prfdata_load64_relaxed(&regions->refreshed_ms);

    return refreshed == 0 ? 0 : refreshed + regions->refresh_ms;
}

/*
 * Makes a refresh due immediately, even if another thread is performing one. If that thread ends
 * its refresh before the due one begins, the due one is cancelled.
 */
static inline void prfdata_refresh_expire(prfdata_regions *regions)
{
    prfdata_store64_relaxed(&regions->refreshed_ms, 0);
}

static inline bool prfdata_refresh_is_late(const prfdata_regions *regions, uint64_t now_ms)
{
    const uint64_t due_ms = prfdata_refresh_due_ms(regions);

    return due_ms == 0 || now_ms >= due_ms + PRFDATA_REFRESH_MAX_LATE_MS;
}

/*
 * Whether the caller must refresh now, and then call prfdata_refresh_end().
 *
 * is_alone  Gets whether the caller holds the lock `refreshing`, for prfdata_refresh_end().
 */
static inline bool prfdata_refresh_begin(prfdata_regions *regions, uint64_t now_ms, bool *is_alone)
{
    *is_alone = false;
    if (now_ms < prfdata_refresh_due_ms(regions))
        return false;
    *is_alone = prfdata_os_lock_try(&regions->refreshing);
    if (!*is_alone)
        return prfdata_refresh_is_late(regions, now_ms);
    if (now_ms >= prfdata_refresh_due_ms(regions)) /* another thread may have refreshed meanwhile */
        return true;
    prfdata_os_lock_leave(&regions->refreshing);
    return false;
}

static inline void prfdata_refresh_end(prfdata_regions *regions, uint64_t now_ms, bool is_alone)
{
    prfdata_store64_relaxed(&regions->refreshed_ms, now_ms);
    if (is_alone)
        prfdata_os_lock_leave(&regions->refreshing);
}

#endif
