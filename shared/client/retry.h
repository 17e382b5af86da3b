/* SPDX-License-Identifier: MIT */
/*
 * Publishing later, if it failed at first: prfdata_retry(), and the same now and then in every call
 * that is not a bump. The caller holds no lock, unless a line says so.
 */
#ifndef PRFDATA_RETRY_H
#define PRFDATA_RETRY_H

#include "client/publisher.h"

/* After an attempt that ended with `error`, say when the next one is due. */
void prfdata_retry_plan(prfdata_publisher *publisher, uint32_t error);

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

/* The same for all publishers of the process, closed ones included. */
void prfdata_retry_all_rarely(void);

#endif
