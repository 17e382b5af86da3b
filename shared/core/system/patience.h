/* SPDX-License-Identifier: MIT */
/*
 * Limits the total time that one call of the client library, or the opening of a provider, waits
 * for refused files (os.h, "Refusals"). The limit is a second. The pauses between the attempts
 * double from 2 to 128 ms.
 */
#ifndef PRFDATA_PATIENCE_H
#define PRFDATA_PATIENCE_H

#include "system/os.h"

enum { PRFDATA_PATIENCE_MS = 1000, PRFDATA_PATIENCE_MAX_PAUSE_MS = 128 };

/* The time that a call has left. Zeroed: the call has not waited yet. */
typedef struct prfdata_patience {
    uint64_t until_ms; /* 0: there has been no pause */
    uint32_t pause_ms;
} prfdata_patience;

/*
 * Sleep for `milliseconds`, or for the time that is left if that is shorter. Returns false if no
 * time is left.
 */
static inline bool prfdata_patience_sleep(prfdata_patience *patience, uint32_t milliseconds)
{
    const uint64_t now = prfdata_os_milliseconds();

    if (patience->until_ms == 0)
        patience->until_ms = now + PRFDATA_PATIENCE_MS;
    if (now >= patience->until_ms)
        return false;
    if (milliseconds > patience->until_ms - now)
        milliseconds = (uint32_t)(patience->until_ms - now);
    prfdata_os_sleep(milliseconds);
    return true;
}

/* Sleep for the next pause. Returns false if there is no time left. */
static inline bool prfdata_patience_pause(prfdata_patience *patience)
{
    uint32_t pause = patience->pause_ms * 2;

    if (pause == 0)
        pause = 2;
    if (pause > PRFDATA_PATIENCE_MAX_PAUSE_MS)
        pause = PRFDATA_PATIENCE_MAX_PAUSE_MS;
    patience->pause_ms = pause;
    return prfdata_patience_sleep(patience, pause);
}

#endif
