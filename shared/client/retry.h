/* SPDX-License-Identifier: MIT */
/*
 * Publishes later if publishing failed at first. Attempts are made in prfdata_retry(), from time to
 * time in other calls of the library, and when the system says that an installer has changed
 * something. A visit is such an attempt, or moves the counts of a publisher that got its region
 * later. The caller holds no lock, unless a comment allows it.
 */
#ifndef PRFDATA_RETRY_H
#define PRFDATA_RETRY_H

#include "client/publisher.h"

/* After a visit that ended with `error`, set the next visit's time. The caller may hold locks. */
void prfdata_retry_schedule(prfdata_publisher *publisher, uint32_t error);

/* Make sure that no visit is ever due. The caller may hold locks. */
void prfdata_retry_never(prfdata_publisher *publisher);

/*
 * If a visit is due, give a publisher in private memory a region, or move the counts of its former
 * memory. Do nothing if another thread holds the lock of all publishers. NULL is allowed.
 */
void prfdata_retry_rarely(prfdata_publisher *publisher);

/*
 * If a move of former memory waited for a bracket (`former.waits`) that is empty now, move the
 * remaining counts. Called by threads that leave a bracket. Do nothing if another thread holds the
 * publisher's lock.
 */
void prfdata_retry_after_bracket(prfdata_publisher *publisher);

/*
 * Make a last attempt to publish for a publisher in private memory that is about to be closed, even
 * if no attempt is due yet. After prfdata_retry_never() or ERROR_TIMEOUT, make none. No event is
 * written, because the caller may be in DllMain, and the library might be unloaded before a thread
 * has written the event.
 */
void prfdata_retry_before_closing(prfdata_publisher *publisher);

/*
 * Make the system visit a publisher that has private memory. Until the publisher has a region, the
 * system visits it when the settings of its service change (before Windows 8: never). Afterwards
 * the system visits it once a second to move counts. On Linux there are no such visits.
 *
 * error  The error of the previous attempt. If an installer may have repaired its cause since, this
 *        call makes another attempt. After ERROR_TIMEOUT, this call does nothing.
 * Returns the error of the last attempt.
 */
uint32_t prfdata_retry_begin_watching(prfdata_publisher *publisher, uint32_t error);

/*
 * Stop watching, for a publisher that is about to be closed. Waits for a visit that is running, but
 * not for a thread to end, because the caller may be in DllMain.
 */
void prfdata_retry_end_watching(prfdata_publisher *publisher);

/*
 * Visit all publishers of the process whose visit is due, including closed ones. May wait for the
 * lock of all publishers.
 */
void prfdata_retry_all_rarely(void);

#endif
