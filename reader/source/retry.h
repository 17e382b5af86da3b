/* SPDX-License-Identifier: MIT */
/*
 * Repeats a question: with more room if the reply does not fit, and after a wait if the system is
 * busy. The caller supplies the question and the wait.
 */
#ifndef PRFDATA_READER_RETRY_H
#define PRFDATA_READER_RETRY_H

#include <stdint.h>

#define PRFDATA_RETRY_FIRST_CAPACITY (64u * 1024)
#define PRFDATA_RETRY_MAX_CAPACITY   (256u * 1024 * 1024)

typedef struct prfdata_retry_calls {
    /* Make one attempt with room for `capacity` bytes. Returns a Win32 error code. */
    uint32_t (*ask)(void *context, uint32_t capacity);
    /* NULL: do not retry when the system is busy. */
    void (*wait)(void *context, uint32_t milliseconds);
    void *context;
} prfdata_retry_calls;

/*
 * Ask, and ask again if the reply does not fit (ERROR_MORE_DATA), or if the system is busy
 * (ERROR_BUSY, ERROR_NOT_READY, ERROR_LOCK_FAILED, WAIT_TIMEOUT). All waits for a busy system
 * together take at most about ten seconds. Each wait is twice as long as the previous one.
 *
 * capacity  The first size to try, at most PRFDATA_RETRY_MAX_CAPACITY; doubled until the reply
 *           fits or that limit is reached. Pass it to the next call, which then begins with a size
 *           that was enough. The size that the system returns with ERROR_MORE_DATA is undefined, so
 *           it is ignored.
 *
 * Returns the status of the last attempt.
 */
uint32_t prfdata_retry_ask(const prfdata_retry_calls *retry, uint32_t *capacity);

#endif
