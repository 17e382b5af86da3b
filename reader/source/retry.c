/* SPDX-License-Identifier: MIT */
/* Decides how often and how long to retry. */
#include "source/retry.h"

#include <stdbool.h>

#include <prfdata/error.h>

#define FIRST_WAIT_MS 10u
#define MAX_WAIT_MS   5120u /* 10 + 20 + ... + 5120: ten seconds */

/* Codes of winerror.h. On other systems, prfdata/error.h does not define all of them. */
enum { NOT_READY = 21, LOCK_FAILED = 167, BUSY = 170, TIMED_OUT = 258 };

/* Returns whether the status means that another program holds the lock on performance data. */
static bool is_busy(uint32_t status)
{
    return status == BUSY || status == NOT_READY || status == LOCK_FAILED || status == TIMED_OUT;
}

uint32_t prfdata_retry_ask(const prfdata_retry_calls *retry, uint32_t *capacity)
{
    uint32_t wait_ms = FIRST_WAIT_MS;

    for (;;) {
        uint32_t status = retry->ask(retry->context, *capacity);

        if (status == ERROR_MORE_DATA && *capacity < PRFDATA_RETRY_MAX_CAPACITY) {
            *capacity *= 2;
        } else if (retry->wait && is_busy(status) && wait_ms <= MAX_WAIT_MS) {
            retry->wait(retry->context, wait_ms);
            wait_ms *= 2;
        } else {
            return status;
        }
    }
}
