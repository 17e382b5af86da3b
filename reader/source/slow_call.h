/* SPDX-License-Identifier: MIT */
/*
 * Reports that a system call takes long, while it is running. A computer that does not answer can
 * delay the caller for half a minute, and a program that prints nothing would seem to hang. Windows
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

/* Time after which a running call is reported; tests change it. */
extern uint32_t prfdata_slow_call_limit_ms;

/* The caller sets `messages` and `subject`. */
typedef struct prfdata_slow_call {
    prfdata_messages *messages; /* another thread reports a hint here; NULL: no hint is wanted */
    prfdata_text subject;       /* name of the party that does not answer; borrowed */
    bool is_reported;           /* a call was reported, so later calls are not reported */
    HANDLE timer;
} prfdata_slow_call;

/*
 * Begin to measure a call. Until prfdata_slow_call_end(), the caller's thread must not use the
 * messages.
 */
void prfdata_slow_call_begin(prfdata_slow_call *call);

/* End the measurement. After this the caller's thread may use the messages again. */
void prfdata_slow_call_end(prfdata_slow_call *call);

#endif
