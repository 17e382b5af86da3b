/* SPDX-License-Identifier: MIT */
/*
 * Computes when a sample is due. The time that samples usually take does not matter, up to half of
 * the interval; a sample that is delayed moves those after it. Two samples are at least half an
 * interval apart, because a rate over a shorter time says little about the program that counts.
 */
#include "source/pace.h"

/* What a sample may be late, as a share of the interval, without moving those after it. */
enum { TOLERATED_SHARE = 10 };

/* How many samples it takes until what delays them all is usual. */
enum { REMEMBERED_SAMPLES = 32 };

void prfdata_pace_begin(prfdata_pace *pace, uint64_t now_ms, uint32_t interval_ms)
{
    pace->interval_ms = interval_ms;
    pace->due_ms = now_ms + interval_ms;
    pace->usual_ms = interval_ms / 4; /* until a sample takes less */
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
