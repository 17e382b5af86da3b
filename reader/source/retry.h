/* SPDX-License-Identifier: MIT */
/*
 * Repeats a question with more room while the reply does not fit, and after a wait while the system
 * is busy. The caller supplies the question and the wait.
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
 * Ask until the status is neither ERROR_MORE_DATA nor that of a busy system: ERROR_BUSY,
 * ERROR_NOT_READY, ERROR_LOCK_FAILED, WAIT_TIMEOUT. While the system is busy, retries for about ten
 * seconds in all, each wait twice as long as the one before.
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
