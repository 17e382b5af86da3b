/* SPDX-License-Identifier: MIT */
/*
 * Says that a call of the system takes long, while it does: a computer that does not answer keeps
 * the caller waiting for half a minute, and a program without a word looks as if it hung. Windows
 * only.
 *
 *     prfdata_slow_call_begin(&call);
 *     status = RegConnectRegistryW(...);
 *     prfdata_slow_call_end(&call);
 */
#ifndef PRFDATA_SLOW_CALL_H
#define PRFDATA_SLOW_CALL_H

#include <stdint.h>

#include <windows.h>

#include "text/messages.h"

/* How long a call may take without a word; a test sets it. */
extern uint32_t prfdata_slow_call_limit_ms;

/* Set the first two. */
typedef struct prfdata_slow_call {
    prfdata_messages *messages; /* get a hint, on another thread; NULL: it is not wanted */
    prfdata_text subject;       /* who does not answer; borrowed */
    bool is_reported;           /* once is enough */
    HANDLE timer;
} prfdata_slow_call;

/* Until the end, the caller's thread leaves the messages alone. */
void prfdata_slow_call_begin(prfdata_slow_call *call);

/* After this the messages are the caller's again. */
void prfdata_slow_call_end(prfdata_slow_call *call);

#endif
