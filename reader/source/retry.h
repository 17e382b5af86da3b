/* SPDX-License-Identifier: MIT */
/*
 * Asking again: with more room while an answer does not fit, later while the system is busy. Knows
 * neither whom it asks nor a clock.
 */
#ifndef PRFDATA_READER_RETRY_H
#define PRFDATA_READER_RETRY_H

#include <stdint.h>

#define PRFDATA_RETRY_FIRST_CAPACITY (64u * 1024)
#define PRFDATA_RETRY_MAX_CAPACITY   (256u * 1024 * 1024)

typedef struct prfdata_retry {
    /* One attempt with room for `capacity` bytes. Returns a Win32 error code. */
    uint32_t (*ask)(void *context, uint32_t capacity);
    /* Let time pass. NULL: a busy answer is an answer. */
    void (*wait)(void *context, uint32_t milliseconds);
    void *context;
} prfdata_retry;

/*
 * Ask until there is an answer that is neither ERROR_MORE_DATA nor busy: ERROR_BUSY,
 * ERROR_NOT_READY, ERROR_LOCK_FAILED, WAIT_TIMEOUT. Busy answers are waited for about ten seconds
 * in all, each time for twice as long.
 *
 * capacity  The room to begin with, at most PRFDATA_RETRY_MAX_CAPACITY; doubled as often as an
 *           answer needs it. The next call with it begins where this one ended: what the answer
 *           needs is asked by nobody, since what the system says about that means nothing.
 *
 * Returns what the last attempt returned.
 */
uint32_t prfdata_retry_ask(const prfdata_retry *retry, uint32_t *capacity);

#endif
