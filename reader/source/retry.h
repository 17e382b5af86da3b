/* SPDX-License-Identifier: MIT */
/*
 * Asking again: with more room while a reply does not fit, later while the system is busy. Knows
 * neither what is asked nor a clock.
 */
#ifndef PRFDATA_READER_RETRY_H
#define PRFDATA_READER_RETRY_H

#include <stdint.h>

#define PRFDATA_RETRY_FIRST_CAPACITY (64u * 1024)
#define PRFDATA_RETRY_MAX_CAPACITY   (256u * 1024 * 1024)

typedef struct prfdata_retry {
    /* One attempt with room for `capacity` bytes. Returns a Win32 error code. */
    uint32_t (*ask)(void *context, uint32_t capacity);
    /* Let time pass. NULL: busy is the final status. */
    void (*wait)(void *context, uint32_t milliseconds);
    void *context;
} prfdata_retry;

/*
 * Ask until the status is neither ERROR_MORE_DATA nor one of a busy system: ERROR_BUSY,
 * ERROR_NOT_READY, ERROR_LOCK_FAILED, WAIT_TIMEOUT. A busy system is asked for about ten seconds in
 * all, after waits that double.
 *
 * capacity  The room to begin with, at most PRFDATA_RETRY_MAX_CAPACITY; doubled until the reply
 *           fits. Pass it to the next call, which then begins with what was enough. The size that
 *           the system returns with ERROR_MORE_DATA is not used: it is not defined.
 *
 * Returns what the last attempt returned.
 */
uint32_t prfdata_retry_ask(const prfdata_retry *retry, uint32_t *capacity);

#endif
