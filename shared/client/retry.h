/* SPDX-License-Identifier: MIT */
/*
 * Publishes later if publishing failed at first: in prfdata_retry(), now and then in every call
 * that is not a bump, and when the system says that an installer has changed something. The caller
 * holds no lock, unless a line says so.
 */
#ifndef PRFDATA_RETRY_H
#define PRFDATA_RETRY_H

#include "client/publisher.h"

/* After an attempt that ended with `error`, say when the next one is due. */
void prfdata_retry_plan(prfdata_publisher *publisher, uint32_t error);

/* No attempt will ever be due. */
void prfdata_retry_never(prfdata_publisher *publisher);

/*
 * If it is due: give a publisher in private memory a region, or move over what was counted in its
 * former memory. For one that has never had private memory this is one comparison; else also one
 * look at the time. NULL is allowed.
 */
void prfdata_retry_rarely(prfdata_publisher *publisher);

/*
 * A thread left a bracket while a move of former memory waited for it (`former.waits`): move the
 * rest now. No other lock is needed.
 */
void prfdata_retry_after_bracket(prfdata_publisher *publisher);

/*
 * The last attempt, due or not, for a publisher that is about to be closed. Without an event: this
 * may be DllMain, where a thread that writes it would find the library gone.
 */
void prfdata_retry_before_closing(prfdata_publisher *publisher);

/*
 * Visit a publisher that has private memory without a call of the application: when the settings of
 * its service change, and once a second to move counts. Where the system cannot do that (Linux;
 * before Windows 8 for the settings), nothing happens.
 *
 * error  That of the attempt before. Another one follows if an installer may have come in between.
 * Returns the error of the last attempt.
 */
uint32_t prfdata_retry_begin_watching(prfdata_publisher *publisher, uint32_t error);

/*
 * No more of that; for a publisher that is about to be closed. Waits for a visit that is running,
 * not for a thread to end: this may be DllMain.
 */
void prfdata_retry_end_watching(prfdata_publisher *publisher);

/* prfdata_retry_rarely() for all publishers of the process, closed ones included. */
void prfdata_retry_all_rarely(void);

#endif
