/* SPDX-License-Identifier: MIT */
/*
 * Computes when the next sample is due. At least half an interval lies between two samples, because
 * a rate over a shorter time says little.
 */
#include "source/pace.h"

/* A delay beyond the usual one may be 1 / TOLERATED_SHARE of the interval. A larger delay shifts
 * the following samples. */
enum { TOLERATED_SHARE = 10 };

/* A delay that about this many samples have in a row counts as usual. */
enum { REMEMBERED_SAMPLES = 32 };

#define LEAST_HOLE_MS 5000

void prfdata_pace_begin(prfdata_pace *pace, uint64_t now_ms, uint32_t interval_ms)
{
    pace->interval_ms = interval_ms;
    pace->due_ms = now_ms + interval_ms;
    pace->usual_ms = interval_ms / 4; /* the first value; samples that take less time lower it */
}

void prfdata_pace_took(prfdata_pace *pace, uint64_t now_ms)
{
    const uint64_t taken_ms = now_ms > pace->due_ms ? now_ms - pace->due_ms : 0;

    if (taken_ms < pace->usual_ms)
        pace->usual_ms = taken_ms;
    else
        pace->usual_ms += (taken_ms - pace->usual_ms) / REMEMBERED_SAMPLES;
    if ((taken_ms - pace->usual_ms) * TOLERATED_SHARE > pace->interval_ms)
        pace->due_ms += taken_ms - pace->usual_ms;
    pace->due_ms += pace->interval_ms;
    if (pace->due_ms < now_ms + pace->interval_ms / 2)
        pace->due_ms = now_ms + pace->interval_ms / 2;
}

bool prfdata_pace_is_hole(int64_t ms, int64_t usual_ms)
{
    return usual_ms > 0 && ms > 2 * usual_ms + usual_ms / 2 && ms > LEAST_HOLE_MS;
}

bool prfdata_pace_has_slept(const prfdata_pace *pace, uint64_t now_ms)
{
    return now_ms > pace->due_ms &&
           prfdata_pace_is_hole((int64_t)(now_ms - pace->due_ms) + pace->interval_ms,
                                pace->interval_ms);
}
